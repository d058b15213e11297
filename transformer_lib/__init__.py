"""The Transformer, one idea a module: from x.x to a translator.

The library follows the data, and gives on its way:

    text    toy_splits, SentencePair, read_parallel
    tokens  Tokenizer
    batch   Batch, causal_mask, padding_mask
    model   attention_weights, scaled_dot_product_attention,
            MultiHeadAttention, record_attention, sinusoidal_encoding,
            PositionalEncoding, layer_norm, LayerNorm, batch_norm, BatchNorm,
            FeedForward, TokenEmbedding, EncoderLayer, DecoderLayer, Encoder,
            Decoder, TransformerConfig, Transformer, DecoderState
    loss    smooth_targets, token_loss
    train   noam_lr, cosine_lr, TrainConfig, TrainState, train_step, train,
            evaluate
    decode  greedy, beam_search, length_penalty, Hypothesis
    text    Translator, exact_match, bleu, chrf, perplexity,
            alignment_error_rate

Names are loaded when they are first used, so that ``import transformer_lib``
costs nothing and needs no torch. Beside the library stand numpy_reference
(every formula once more, in NumPy), course (the book's checks and figures)
and cli (the command line).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:  # for editors and type checkers
    from transformer_lib.attention import (
        attention_weights,
        scaled_dot_product_attention,
    )
    from transformer_lib.batching import Batch
    from transformer_lib.corpus import SentencePair, toy_splits
    from transformer_lib.decoding import (
        Hypothesis,
        beam_search,
        greedy,
        length_penalty,
    )
    from transformer_lib.embedding import TokenEmbedding
    from transformer_lib.evaluation import (
        alignment_error_rate,
        bleu,
        chrf,
        exact_match,
        perplexity,
    )
    from transformer_lib.feed_forward import FeedForward
    from transformer_lib.label_smoothing import smooth_targets, token_loss
    from transformer_lib.layers import DecoderLayer, EncoderLayer
    from transformer_lib.masks import causal_mask, padding_mask
    from transformer_lib.model import (
        Decoder,
        DecoderState,
        Encoder,
        Transformer,
        TransformerConfig,
    )
    from transformer_lib.multi_head import MultiHeadAttention, record_attention
    from transformer_lib.normalization import (
        BatchNorm,
        LayerNorm,
        batch_norm,
        layer_norm,
    )
    from transformer_lib.parallel_text import read_parallel
    from transformer_lib.positional import (
        PositionalEncoding,
        sinusoidal_encoding,
    )
    from transformer_lib.schedule import cosine_lr, noam_lr
    from transformer_lib.tokenizer import Tokenizer
    from transformer_lib.train_config import TrainConfig
    from transformer_lib.train_state import TrainState
    from transformer_lib.training import evaluate, train, train_step
    from transformer_lib.translator import Translator

_HOME = {
    "SentencePair": "corpus",
    "toy_splits": "corpus",
    "read_parallel": "parallel_text",
    "Tokenizer": "tokenizer",
    "Batch": "batching",
    "causal_mask": "masks",
    "padding_mask": "masks",
    "attention_weights": "attention",
    "scaled_dot_product_attention": "attention",
    "MultiHeadAttention": "multi_head",
    "record_attention": "multi_head",
    "PositionalEncoding": "positional",
    "sinusoidal_encoding": "positional",
    "BatchNorm": "normalization",
    "LayerNorm": "normalization",
    "batch_norm": "normalization",
    "layer_norm": "normalization",
    "FeedForward": "feed_forward",
    "TokenEmbedding": "embedding",
    "DecoderLayer": "layers",
    "EncoderLayer": "layers",
    "Decoder": "model",
    "DecoderState": "model",
    "Encoder": "model",
    "Transformer": "model",
    "TransformerConfig": "model",
    "smooth_targets": "label_smoothing",
    "token_loss": "label_smoothing",
    "cosine_lr": "schedule",
    "noam_lr": "schedule",
    "TrainConfig": "train_config",
    "TrainState": "train_state",
    "evaluate": "training",
    "train": "training",
    "train_step": "training",
    "Hypothesis": "decoding",
    "beam_search": "decoding",
    "greedy": "decoding",
    "length_penalty": "decoding",
    "alignment_error_rate": "evaluation",
    "bleu": "evaluation",
    "chrf": "evaluation",
    "exact_match": "evaluation",
    "perplexity": "evaluation",
    "Translator": "translator",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"transformer_lib has no {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    names = {*globals(), *_HOME}
    return sorted(name for name in names if not name.startswith("_"))
