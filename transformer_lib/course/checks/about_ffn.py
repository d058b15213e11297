"""The exercise `ffn(x, W1, b1, W2, b2)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import apart, show
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.ffn_mistakes import MISTAKES

__all__ = ["EXERCISE", "ffn", "network"]


def ffn(function: Any) -> Verdict:
    r"""Check a function `ffn(x, W1, b1, W2, b2)`.

    $$\mathrm{FFN}(x) = \max(0, x W_1 + b_1) W_2 + b_2$$

    for each token by itself.

    Args:
        function: takes x, an array with one, two or three axes whose last
            holds the d features of a token, W1 of shape (d, d_ff), b1 of
            d_ff numbers, W2 of shape (d_ff, d) and b2 of d numbers; returns
            an array of the shape of x. Lists and tensors are accepted as
            results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al. 2017, section 3.3, equation 2. Chapter 10.
    """
    return judge(EXERCISE, function)


def network(
    x: Any,
    W1: Any,
    b1: Any,
    W2: Any,
    b2: Any,
    *,
    bend: str = "relu",
    first: str = "added",
    last: str = "added",
    maps: str = "both",
    reads: str = "each token",
    then: str = "nothing",
) -> Any:
    """ffn, or one of its wrong variants; the defaults are right."""
    x, W1, b1, W2, b2 = (
        np.asarray(a, dtype=np.float64) for a in (x, W1, b1, W2, b2)
    )
    if maps == "of the page":
        _, W1, b1, W2, b2 = _PAGE
    x = _READS[reads](x)
    read = _relu(x) if bend in ("before", "before and between") else x
    W1, b1, W2 = _MAPS.get(maps, _MAPS["both"])(W1, b1, W2)
    first, last, b1, b2 = _exchanged(first, last, b1, b2)
    if maps == "on the left":
        return W2 @ _relu(W1 @ read + b1) + b2
    if bend == "bias after":
        inner = _relu(read @ W1) + _biased(np.zeros(len(b1)), b1, first)
    else:
        inner = _BEND.get(bend, lambda z: z)(_biased(read @ W1, b1, first))
    if maps == "first only":
        return inner
    if bend == "whole if the first is cut" and inner.size:
        inner = np.trunc(inner) if inner.flat[0] == 0 else inner
    if last == "before the second map":
        inner = inner + b2
    out = inner @ W2
    if last == "as a column":
        out = out + b2[:, None]
    elif last != "before the second map":
        out = _biased(out, b2, last)
    if bend in ("at the end", "between and at the end"):
        out = _relu(out)
    return _THEN[then](x, out)


def _exchanged(first: str, last: str, b1: Any, b2: Any) -> tuple:
    """The two biases, each perhaps in the place of the other."""
    one = b2 if first == "the other one" else b1
    two = b1 if last == "the other one" else b2
    names = ("added" if s == "the other one" else s for s in (first, last))
    return (*names, one, two)


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0.0)


def _softmax(z: np.ndarray, axis: int = -1) -> np.ndarray:
    votes = np.exp(z - z.max(axis=axis, keepdims=True))
    return votes / votes.sum(axis=axis, keepdims=True)


def _sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-z))


def _gelu(z: np.ndarray) -> np.ndarray:
    inside = np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)
    return 0.5 * z * (1 + np.tanh(inside))


def _exact_gelu(z: np.ndarray) -> np.ndarray:
    from math import erf

    return z * (1 + np.vectorize(erf)(z / np.sqrt(2))) / 2


def _biased(z: np.ndarray, bias: np.ndarray, how: str) -> np.ndarray:
    return {
        "added": lambda: z + bias,
        "forgotten": lambda: z,
        "subtracted": lambda: z - bias,
        "its first number": lambda: z + bias[0],
        "twice": lambda: z + 2 * bias,
    }[how]()


def _layer_norm(x: np.ndarray) -> np.ndarray:
    away = x - x.mean(axis=-1, keepdims=True)
    return away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + 1e-5)


def _mean_of_tokens(x: np.ndarray) -> np.ndarray:
    return x if x.ndim == 1 else 0 * x + x.mean(axis=-2, keepdims=True)


def _first_token(x: np.ndarray) -> np.ndarray:
    return x if x.ndim == 1 else 0 * x + x[..., :1, :]


def _all_before(x: np.ndarray) -> np.ndarray:
    return x if x.ndim == 1 else x.cumsum(axis=-2)


_BEND = {
    "relu": _relu,
    "whole if the first is cut": _relu,
    "between and at the end": _relu,
    "before and between": _relu,
    "softmax": _softmax,
    "softmax over tokens": lambda z: _softmax(z, -2) if z.ndim > 1 else z,
    "sigmoid": _sigmoid,
    "tanh": np.tanh,
    "gelu": _gelu,
    "exact gelu": _exact_gelu,
    "silu": lambda z: z * _sigmoid(z),
    "softplus": lambda z: np.log1p(np.exp(z)),
    "leaky": lambda z: np.where(z > 0, z, 0.01 * z),
    "leaky, a tenth": lambda z: np.where(z > 0, z, 0.1 * z),
    "leaky, a fifth": lambda z: np.where(z > 0, z, 0.2 * z),
    "elu": lambda z: np.where(z > 0, z, np.exp(np.minimum(z, 0)) - 1),
    "size": abs,
    "square": lambda z: z**2,
    "squared relu": lambda z: _relu(z) ** 2,
    "below zero": lambda z: np.minimum(z, 0.0),
    "step": lambda z: 1.0 * (z > 0),
    "clipped at 1": lambda z: np.clip(z, 0.0, 1.0),
    "clipped at 6": lambda z: np.clip(z, 0.0, 6.0),
    "at least 1": lambda z: np.maximum(z, 1.0),
    "largest only": lambda z: np.where(
        z == z.max(axis=-1, keepdims=True), z, 0.0
    ),
}
_MAPS = {
    "both": lambda W1, b1, W2: (W1, b1, W2),
    "first turned": lambda W1, b1, W2: (W1.T, b1, W2),
    "second turned": lambda W1, b1, W2: (W1, b1, W2.T),
    "both turned": lambda W1, b1, W2: (W1.T, b1, W2.T),
    "exchanged": lambda W1, b1, W2: (W2, b1, W1),
    "second is the first, turned": lambda W1, b1, W2: (W1, b1, W1.T),
    "narrow": lambda W1, b1, W2: (
        W1[:, : len(W1)], b1[: len(W1)], W2[: len(W1)],
    ),
    "three units": lambda W1, b1, W2: (W1[:, :3], b1[:3], W2[:3]),
}  # fmt: skip
_READS = {
    "each token": lambda x: x,
    "the mean of all tokens": _mean_of_tokens,
    "the first token": _first_token,
    "all tokens before it": _all_before,
    "the norm of the token": _layer_norm,
}
_THEN = {
    "nothing": lambda x, out: out,
    "skip": lambda x, out: x + out,
    "skip and norm": lambda x, out: _layer_norm(x + out),
    "norm": lambda x, out: _layer_norm(out),
    "sum over tokens": lambda x, out: out.sum(-2) if out.ndim > 1 else out,
    "first token": lambda x, out: out[0] if out.ndim > 1 else out,
    "last token": lambda x, out: out[-1] if out.ndim > 1 else out,
    "flat": lambda x, out: out.reshape(-1, out.shape[-1]),
    "mean over tokens": lambda x, out: out.mean(-2) if out.ndim > 1 else out,
    "scaled": lambda x, out: out / np.sqrt(out.shape[-1]),
    "rounded": lambda x, out: np.round(out, 2),
    "turned": lambda x, out: out.T,
    "softmax": lambda x, out: _softmax(out),
}


def _random(seed: int, *size: int) -> np.ndarray:
    """Numbers from -2 to 2 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-20, 21, size=size) / 10


def _weights(seed: int, d: int, d_ff: int) -> tuple:
    return (
        _random(seed, d, d_ff),
        _random(seed + 1, d_ff),
        _random(seed + 2, d_ff, d),
        _random(seed + 3, d),
    )


_EASY = (
    np.array([[1.0, 1.0], [1.0, -1.0]]),
    np.array([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]]),
    np.array([0.0, 0.0, -1.0]),
    np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    np.array([-1.0, 0.5]),
)
_PAGE = (*_EASY[:4], np.array([-1.0, 0.0]))  # the chapter's own example
_CASES = (
    Case("easy", _EASY),
    Case("wider", (_random(1, 3, 2), *_weights(10, 2, 5))),
    Case("square", (_random(2, 3, 3), *_weights(20, 3, 3))),
    Case("one token", (3 * _random(3, 4), *_weights(30, 4, 6))),
    Case("batch", (_random(4, 2, 3, 4), *_weights(40, 4, 7))),
    Case(
        "whole numbers",
        (np.array([[1, 2], [3, -1]]), *_weights(50, 2, 3)),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the first wrong entry."""
    if got.shape != want.shape:
        return {"shape": str(got.shape), "wanted_shape": str(want.shape)}
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if not len(wrong):
        return {}
    place = tuple(int(i) for i in wrong[0])
    came, wanted = apart(got[place], want[place])
    return {"came": came, "wanted": wanted}


def _same_again(args: tuple) -> tuple:
    return args


def _rolled(args: tuple) -> tuple:
    x, *rest = args
    return (np.roll(x, 1, axis=-2) if x.ndim > 1 else x, *rest)


def _other_neighbors(args: tuple) -> tuple:
    x, *rest = args
    if x.ndim == 1:
        return args
    changed = x.copy()
    changed[..., 1:, :] += 1.0
    return (changed, *rest)


def _unchanged(got: np.ndarray, args: tuple) -> np.ndarray:
    return got


def _by_itself(probe: Any) -> str | None:
    """The first token does not notice what happens to the others."""
    x = probe.args[0]
    if x.ndim == 1 or probe.got.kind != probe.want.kind:
        return None
    second = probe.call(_other_neighbors(probe.args))
    if second.array is None or second.array.shape != x.shape:
        return None
    before, after = probe.got.array[..., 0, :], second.array[..., 0, :]
    if np.allclose(before, after, rtol=1e-3, atol=1e-4):
        return None
    return (
        "The first thing that breaks: when the other tokens change, the "
        "result of the first token must stay as it is, and yours changes."
    )


EXERCISE = Exercise(
    name="ffn",
    inputs=("x", "W1", "b1", "W2", "b2"),
    asked="`ffn(x, W1, b1, W2, b2)` sends each token (the last axis of x) "
    "through the first map, W1 and b1, sets what is below zero to zero, and "
    "sends that through the second map, W2 and b2. The result has the shape "
    "of x, which may have one, two or three axes.",
    praise="Your network agrees with the reference for single tokens, "
    "sentences and batches, for narrow and wide inner vectors, and each "
    "token goes its own way.",
    cases=_CASES,
    solve=network,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        unmoved_by(
            _same_again,
            _unchanged,
            "The first thing that breaks: the same inputs give another "
            "result the second time. Is anything drawn at random?",
        ),
        _by_itself,
        unmoved_by(
            _rolled,
            lambda got, args: np.roll(got, 1, axis=-2) if got.ndim > 1 else got,
            "The first thing that breaks: when the tokens change places, the "
            "results must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Two lines. The first makes the inner vector, of length d_ff, with "
        "nothing below zero in it. The second turns it into a vector of "
        "length d again.",
        "Matrix products and additions work for any number of axes by "
        "themselves. What sets negative numbers to zero, entry by entry, is "
        "NumPy's `maximum` with two inputs; its `max` does something else.",
    ),
    facts=_facts,
    show_inputs=lambda args: "\n".join(
        show(a, f"{name} = ")
        for name, a in zip(("x", "W1", "b1", "W2", "b2"), args, strict=True)
    ),
)
