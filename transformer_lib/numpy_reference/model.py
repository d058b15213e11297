"""The whole model, one sentence after the other and without a cache."""

import numpy as np
from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, Mask, floats
from transformer_lib.numpy_reference.layers import (
    Weights,
    decoder_layer,
    encoder_layer,
    part,
)
from transformer_lib.numpy_reference.masks import PAD
from transformer_lib.numpy_reference.normalization import layer_norm
from transformer_lib.numpy_reference.tokens import (
    logits,
    sinusoidal_encoding,
    token_embedding,
)

__all__ = ["encode", "transformer"]


def transformer(
    weights: Weights,
    source: ArrayLike,
    target: ArrayLike,
    n_heads: int,
    norm_first: bool = False,
) -> Array:
    """Score what follows each target token, given the source.

    The weights say the rest: a ``target_embedding.weight`` or an
    ``output_embedding.weight`` means that the embeddings are not tied, and
    ``positions.pe`` that positions are learned.

    Args:
        weights: the parameters of the library's `Transformer`, by name;
            linear maps as the library holds them, (out, in).
        source: (B, S), ids with <pad> (0) on the right.
        target: (B, T), ids from <bos> on.
        n_heads: number of heads.
        norm_first: pre-norm (True) or the paper's post-norm (False).

    Returns:
        (B, T, V), scores.

    Source: Vaswani et al. 2017, section 3.
    """
    pairs = zip(np.asarray(source), np.asarray(target), strict=True)
    scores = []
    for sentence, written in pairs:
        memory = encode(weights, sentence, n_heads, norm_first)
        x = _embed(weights, "target_embedding", written)
        for layer in _layers(weights, "decoder"):
            x = decoder_layer(
                x, memory, layer, n_heads, norm_first, _real(sentence)
            )
        x = _last_norm(weights, "decoder", x, norm_first)
        scores.append(logits(x, _embedding(weights, "output_embedding")))
    return np.stack(scores)


def encode(
    weights: Weights,
    sentence: ArrayLike,
    n_heads: int,
    norm_first: bool = False,
) -> Array:
    """Read one source sentence: the output of the last encoder layer.

    Args:
        weights: as for `transformer`.
        sentence: (S,), ids with <pad> (0) on the right.
        n_heads: number of heads.
        norm_first: as for `transformer`.

    Returns:
        (S, D).

    Source: Vaswani et al. 2017, section 3.1.
    """
    x = _embed(weights, "source_embedding", sentence)
    for layer in _layers(weights, "encoder"):
        x = encoder_layer(x, layer, n_heads, norm_first, _real(sentence))
    return _last_norm(weights, "encoder", x, norm_first)


def _real(sentence: ArrayLike) -> Mask:
    """Return (1, S): True at the words, False at <pad>."""
    words = np.asarray(sentence)
    return np.array([[word != PAD for word in words]], dtype=bool)


def _embedding(weights: Weights, name: str) -> ArrayLike:
    """Return an embedding matrix of its own, or the one all three share."""
    shared = weights["source_embedding.weight"]
    return weights.get(f"{name}.weight", shared)


def _embed(weights: Weights, name: str, ids: ArrayLike) -> Array:
    words = token_embedding(ids, _embedding(weights, name))
    length, d_model = words.shape
    if "positions.pe" in weights:
        return words + floats(weights["positions.pe"])[:length]
    return words + sinusoidal_encoding(length, d_model)


def _layers(weights: Weights, stack: str) -> list[Weights]:
    """Return the weights of each layer, from the first to the last."""
    found: list[Weights] = []
    while layer := part(weights, f"{stack}.layers.{len(found)}"):
        found.append(layer)
    return found


def _last_norm(
    weights: Weights, stack: str, x: Array, norm_first: bool
) -> Array:
    """Normalize after the last layer in pre-norm; the paper does not."""
    if not norm_first:
        return x
    norm = part(weights, f"{stack}.norm")
    return layer_norm(x, norm["weight"], norm["bias"])
