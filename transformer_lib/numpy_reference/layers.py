"""One layer of the encoder and one of the decoder, for one sentence.

The weights come as a mapping from the library's names to its arrays. Its
linear maps hold one *row* for each number they give, so they are turned
over here before they are applied from the right.
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
    gain: ArrayLike,
    bias: ArrayLike,
    norm_first: bool = False,
) -> Array:
    r"""Add a sub-layer's change to its input, with one layer norm.

    $$\mathrm{LN}(x + f(x)) \quad\text{or}\quad x + f(\mathrm{LN}(x))$$

    Args:
        x: (..., D).
        sublayer: f, from (..., D) to (..., D).
        gain: (D,), of the norm.
        bias: (D,), of the norm.
        norm_first: False for post-norm (left), True for pre-norm (right).

    Returns:
        (..., D).

    Source: Vaswani et al. 2017, section 3.1 (post-norm); Xiong et al. 2020
    (pre-norm). Chapter 5.
    """
    x = floats(x)
    if norm_first:
        return x + sublayer(layer_norm(x, gain, bias))
    return layer_norm(x + sublayer(x), gain, bias)


def encoder_layer(
    x: ArrayLike,
    weights: Weights,
    n_heads: int,
    norm_first: bool = False,
    mask: ArrayLike | None = None,
) -> Array:
    """Look around, then think: self-attention and a feed-forward network.

    Args:
        x: (S, D), the tokens of one sentence.
        weights: the parameters of the library's `EncoderLayer`, by name:
            ``self_attention.query.weight`` and so on.
        n_heads: number of heads.
        norm_first: see `residual_connection`.
        mask: as in `attention_weights`; (1, S) hides padding from everyone.

    Returns:
        (S, D).

    Source: Vaswani et al. 2017, section 3.1. Chapter 11.
    """

    def look_around(h: Array) -> Array:
        looking = part(weights, "self_attention")
        return _attend(h, h, looking, n_heads, mask)

    x = _residual(0, x, look_around, weights, norm_first)
    return _residual(1, x, _thought(weights), weights, norm_first)


def decoder_layer(
    x: ArrayLike,
    memory: ArrayLike,
    weights: Weights,
    n_heads: int,
    norm_first: bool = False,
    memory_mask: ArrayLike | None = None,
) -> Array:
    """Look back, look at the source, think.

    Args:
        x: (T, D), the target tokens of one sentence, from the first on.
        memory: (S, D), the encoder's output.
        weights: the parameters of the library's `DecoderLayer`, by name.
        n_heads: number of heads.
        norm_first: see `residual_connection`.
        memory_mask: (1, S) or (T, S), True where the source may be seen.

    Returns:
        (T, D).

    Source: Vaswani et al. 2017, section 3.1. Chapter 11.
    """

    def look_back(h: Array) -> Array:
        looking = part(weights, "self_attention")
        return _attend(h, h, looking, n_heads, causal_mask(len(h)))

    def look_across(h: Array) -> Array:
        looking = part(weights, "cross_attention")
        return _attend(h, memory, looking, n_heads, memory_mask)

    x = _residual(0, x, look_back, weights, norm_first)
    x = _residual(1, x, look_across, weights, norm_first)
    return _residual(2, x, _thought(weights), weights, norm_first)


def part(weights: Weights, name: str) -> Weights:
    """Return the weights of one part, under their names inside it."""
    head = f"{name}."
    return {
        key.removeprefix(head): value
        for key, value in weights.items()
        if key.startswith(head)
    }


def _residual(
    number: int,
    x: ArrayLike,
    sublayer: Callable[[Array], Array],
    weights: Weights,
    norm_first: bool,
) -> Array:
    norm = part(weights, f"residuals.{number}.norm")
    return residual_connection(
        x, sublayer, norm["gain"], norm["bias"], norm_first
    )


def _thought(weights: Weights) -> Callable[[Array], Array]:
    inner = part(weights, "feed_forward.inner")
    outer = part(weights, "feed_forward.outer")

    def think(h: Array) -> Array:
        w1, w2 = floats(inner["weight"]).T, floats(outer["weight"]).T
        return feed_forward(h, w1, inner["bias"], w2, outer["bias"])

    return think


def _attend(
    asking: ArrayLike,
    read: ArrayLike,
    weights: Weights,
    n_heads: int,
    mask: ArrayLike | None,
) -> Array:
    """Attend with the library's weights: keys and values share a matrix."""
    w_q = floats(weights["query.weight"])
    both, b_both = weights["key_value.weight"], weights["key_value.bias"]
    n_keys = len(w_q)  # keys are as wide as queries; values are the rest
    return multi_head_attention(
        asking,
        read,
        w_q.T,
        floats(both[:n_keys]).T,
        floats(both[n_keys:]).T,
        floats(weights["output.weight"]).T,
        n_heads,
        mask,
        weights["query.bias"],
        b_both[:n_keys],
        b_both[n_keys:],
        weights["output.bias"],
    )
