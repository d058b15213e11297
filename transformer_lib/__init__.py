"""The Transformer, one idea a module: from x.x to a translator.

The library follows the data, and gives on its way:

    text    read_parallel
    tokens  Tokenizer
    batch   Batch, make_batch, causal_mask, padding_mask
    model   attention_weights, scaled_dot_product_attention, KeyValues,
            MultiHeadAttention, record_attention, sinusoidal_encoding,
            PositionalEncoding, layer_norm, LayerNorm, batch_norm, BatchNorm,
            FeedForward, TokenEmbedding, Architecture, EncoderLayer,
            DecoderLayer, Encoder, Decoder, TransformerConfig, Transformer,
            DecoderState, count_parameters
    loss    smooth_targets, token_loss
    train   noam_lr, cosine_lr, TrainConfig, TrainState, train_step, train,
            evaluate, TrainingData, Run
    decode  greedy, beam_search, sample, length_penalty, Hypothesis, Search,
            Sampling
    text    Translator, exact_match, bleu, chrf, perplexity,
            alignment_error_rate

Names are loaded when they are first used, so that ``import transformer_lib``
costs nothing and needs no torch. In the package are also numpy_reference
(every formula once more, in NumPy) and cli (the command line). It is one of
three:

    transformer_lib     the Transformer: a library to build and train one
    toy_language        English and Korean sentences that a grammar makes
    transformer_course  the book's checks, figures, marking and exams
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

from transformer_lib import _old_names

__version__ = "0.2.0"

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {
    alias.name: node.module
    for node in ast.parse(_STUB).body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}

__all__ = sorted(_HOME)

_old_names.watch()


def __getattr__(name: str) -> Any:
    """Load what the stub names the first time it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__.copy()
