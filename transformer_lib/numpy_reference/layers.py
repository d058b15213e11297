"""One layer of the encoder and one of the decoder, for one sentence.

The weights come as a mapping from the library's names to its arrays. Its
linear maps hold one *row* for each output, so they are transposed here before
they are applied from the right.
"""

from collections.abc import Callable, Mapping

from numpy.typing import ArrayLike

from transformer_lib.numpy_reference.arrays import Array, floats
from transformer_lib.numpy_reference.attention import multi_head_attention
from transformer_lib.numpy_reference.masks import causal_mask
from transformer_lib.numpy_reference.normalization import layer_norm
from transformer_lib.numpy_reference.tokens import feed_forward

__all__ = [
    "Weights",
    "decoder_layer",
    "encoder_layer",
    "part",
    "residual_connection",
]

Weights = Mapping[str, ArrayLike]


def residual_connection(
    x: ArrayLike,
    sublayer: Callable[[Array], Array],
    weight: ArrayLike,
    bias: ArrayLike,
    norm_first: bool = False,
) -> Array:
    r"""Add a sub-layer's change to its input, with one layer norm.

    $$\mathrm{LN}(x + f(x)) \quad\text{or}\quad x + f(\mathrm{LN}(x))$$

    Args:
        x: (..., D).
        sublayer: f, from (..., D) to (..., D).
        weight: (D,), of the norm.
        bias: (D,), of the norm.
        norm_first: False for post-norm (left), True for pre-norm (right).

    Returns:
        (..., D).

    Source: Vaswani et al. 2017, section 3.1 (post-norm); Xiong et al. 2020
    (pre-norm).
    """
    x = floats(x)
    if norm_first:
        return x + sublayer(layer_norm(x, weight, bias))
    return layer_norm(x + sublayer(x), weight, bias)


def encoder_layer(
    x: ArrayLike,
    weights: Weights,
    n_heads: int,
    norm_first: bool = False,
    mask: ArrayLike | None = None,
) -> Array:
    """Self-attention and a feed-forward network, each with a residual.

    Args:
        x: (S, D), the tokens of one sentence.
        weights: the parameters of the library's `EncoderLayer`, by name:
            ``self_attention.q_proj.weight`` and so on.
        n_heads: number of heads.
        norm_first: see `residual_connection`.
        mask: as in `attention_weights`; (1, S) hides padding from everyone.

    Returns:
        (S, D).

    Source: Vaswani et al. 2017, section 3.1.
    """

    def self_attention(h: Array) -> Array:
        projections = part(weights, "self_attention")
        return _attend(h, h, projections, n_heads, mask)

    x = _add_norm("norm1", x, self_attention, weights, norm_first)
    return _add_norm("norm2", x, _ffn(weights), weights, norm_first)


def decoder_layer(
    x: ArrayLike,
    memory: ArrayLike,
    weights: Weights,
    n_heads: int,
    norm_first: bool = False,
    memory_mask: ArrayLike | None = None,
) -> Array:
    """Self-attention, cross-attention and a feed-forward network.

    Args:
        x: (T, D), the target tokens of one sentence, from the first on.
        memory: (S, D), the encoder's output.
        weights: the parameters of the library's `DecoderLayer`, by name.
        n_heads: number of heads.
        norm_first: see `residual_connection`.
        memory_mask: (1, S) or (T, S), True where the source may be seen.

    Returns:
        (T, D).

    Source: Vaswani et al. 2017, section 3.1.
    """

    def self_attention(h: Array) -> Array:
        projections = part(weights, "self_attention")
        return _attend(h, h, projections, n_heads, causal_mask(len(h)))

    def cross_attention(h: Array) -> Array:
        projections = part(weights, "cross_attention")
        return _attend(h, memory, projections, n_heads, memory_mask)

    x = _add_norm("norm1", x, self_attention, weights, norm_first)
    x = _add_norm("norm2", x, cross_attention, weights, norm_first)
    return _add_norm("norm3", x, _ffn(weights), weights, norm_first)


def part(weights: Weights, name: str) -> Weights:
    """Return the weights of one part, under their names inside it."""
    head = f"{name}."
    return {
        key.removeprefix(head): value
        for key, value in weights.items()
        if key.startswith(head)
    }


def _add_norm(
    name: str,
    x: ArrayLike,
    sublayer: Callable[[Array], Array],
    weights: Weights,
    norm_first: bool,
) -> Array:
    norm = part(weights, name)
    return residual_connection(
        x, sublayer, norm["weight"], norm["bias"], norm_first
    )


def _ffn(weights: Weights) -> Callable[[Array], Array]:
    first = part(weights, "feed_forward.linear1")
    second = part(weights, "feed_forward.linear2")

    def ffn(h: Array) -> Array:
        w1, w2 = floats(first["weight"]).T, floats(second["weight"]).T
        return feed_forward(h, w1, first["bias"], w2, second["bias"])

    return ffn


def _attend(
    query_input: ArrayLike,
    key_input: ArrayLike,
    weights: Weights,
    n_heads: int,
    mask: ArrayLike | None,
) -> Array:
    """Attend with the projections of a `MultiHeadAttention`."""
    return multi_head_attention(
        query_input,
        key_input,
        w_q=floats(weights["q_proj.weight"]).T,
        w_k=floats(weights["k_proj.weight"]).T,
        w_v=floats(weights["v_proj.weight"]).T,
        w_o=floats(weights["out_proj.weight"]).T,
        n_heads=n_heads,
        mask=mask,
        b_q=weights["q_proj.bias"],
        b_k=weights["k_proj.bias"],
        b_v=weights["v_proj.bias"],
        b_o=weights["out_proj.bias"],
    )
