"""The Transformer, one idea a module: from x.x to a translator.

The way of the data, and what the library gives on it:

    text    toy_splits, SentencePair, read_parallel
    tokens  Tokenizer
    batch   Batch, causal_mask, padding_mask
    model   attention_weights, scaled_dot_product_attention,
            MultiHeadAttention, record_attention, sinusoidal_encoding,
            PositionalEncoding, layer_norm, LayerNorm, batch_norm, BatchNorm,
            ResidualConnection, FeedForward, TokenEmbedding, EncoderLayer,
            DecoderLayer, TransformerConfig, Transformer, DecoderState
    loss    smooth_targets, token_loss
    update  noam_rate, cosine_rate, TrainConfig, TrainState, train, evaluate
    decode  greedy, beam_search, length_penalty, Hypothesis
    text    Translator, exact_match, bleu, chrf, perplexity,
            alignment_error_rate

Names are loaded when they are first used, so that ``import transformer_lib``
costs nothing and needs no torch. Beside the way: the modules numpy_reference,
checks, plots and explorers.
"""

from importlib import import_module

__version__ = "0.1.0"

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
    "sinusoidal_encoding": "positional",
    "PositionalEncoding": "positional",
    "batch_norm": "normalization",
    "BatchNorm": "normalization",
    "layer_norm": "normalization",
    "LayerNorm": "normalization",
    "ResidualConnection": "residual",
    "FeedForward": "feed_forward",
    "TokenEmbedding": "embedding",
    "EncoderLayer": "layers",
    "DecoderLayer": "layers",
    "TransformerConfig": "model",
    "Transformer": "model",
    "DecoderState": "model",
    "smooth_targets": "label_smoothing",
    "token_loss": "label_smoothing",
    "noam_rate": "schedule",
    "cosine_rate": "schedule",
    "TrainConfig": "train_config",
    "TrainState": "train_state",
    "train": "training",
    "evaluate": "training",
    "Hypothesis": "decoding",
    "length_penalty": "decoding",
    "greedy": "decoding",
    "beam_search": "decoding",
    "exact_match": "evaluation",
    "bleu": "evaluation",
    "chrf": "evaluation",
    "perplexity": "evaluation",
    "alignment_error_rate": "evaluation",
    "Translator": "translator",
}

__all__ = sorted(_HOME)


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"transformer_lib has no {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    names = {*globals(), *_HOME}
    return sorted(name for name in names if not name.startswith("_"))
