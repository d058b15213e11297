"""The Transformer, one idea a module: from x.x to a translator.

The way of the data: text -> tokens -> batch -> model -> loss -> update ->
decode -> text. Names are loaded when they are first used, so that
``import transformer_lib`` costs nothing and needs no torch.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "SentencePair": "corpus",
    "toy_splits": "corpus",
    "read_parallel": "parallel",
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
    "TrainConfig": "training",
    "TrainState": "training",
    "train": "training",
    "evaluate": "training",
    "greedy": "decoding",
    "bleu": "evaluation",
    "exact_match": "evaluation",
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
    return sorted([*globals(), *_HOME])
