"""The exercise `layer_norm(x, gamma, beta, eps)` and what it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    show,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.layer_norm_mistakes import MISTAKES

__all__ = ["EXERCISE", "layer_norm", "normalized"]


def layer_norm(function: Any) -> Verdict:
    r"""Check a function `layer_norm(x, gamma, beta, eps)`.

    $$\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$

    with the mean and the variance (divided by n) of each token by itself.

    Args:
        function: takes x, an array with one, two or three axes whose last
            holds the features of a token, gamma and beta, one number for
            each feature, and eps; returns an array of the shape of x. Lists
            and tensors are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Ba et al. 2016, equations 3 and 4. Chapter 6.
    """
    return judge(EXERCISE, function)


def normalized(
    x: Any,
    gamma: Any,
    beta: Any,
    eps: float,
    *,
    over: str = "token",
    spread: str = "n",
    center: str = "mean",
    divide: str = "root",
    affine: str = "last",
    then: str = "nothing",
) -> Any:
    """layer_norm, or one of its wrong variants; the defaults are right."""
    x, gamma, beta = (np.asarray(a, dtype=np.float64) for a in (x, gamma, beta))
    source = _BEFORE.get(affine, lambda x, g, b: x)(x, gamma, beta)
    mean, variance, axes = _statistics(source, over, spread, center)
    below = _DIVIDE[divide](variance, eps, source, axes)
    if affine == "gain before the mean":
        source = gamma * source
    if center == "brackets lost":
        normal = source - mean / below
    else:
        normal = (source - mean) / below
    if divide == "eps after":
        normal = normal + eps
    return _THEN[then](_AFTER.get(affine, _plain)(normal, gamma, beta))


def _statistics(x: np.ndarray, over: str, spread: str, center: str) -> tuple:
    """Mean and variance, over whatever axes this variant takes."""
    axes = _axes(x, over)
    keep_mean = over not in ("token, both lost", "token, mean lost")
    keep_spread = over not in ("token, both lost", "token, spread lost")
    mean = _CENTER[center](x, axes, keep_mean)
    wide = _axes(x, "all") if over == "token, one spread" else axes
    kept = x.mean(axis=wide, keepdims=True)
    around = 0.0 if center in ("root mean square", "spread around 0") else kept
    squares = (x - around) ** 2
    count = squares.size // max(squares.sum(axis=wide).size, 1)
    total = squares.sum(axis=wide, keepdims=keep_spread)
    return mean, total / (count - (spread == "n - 1")), axes


def _axes(x: np.ndarray, over: str) -> Any:
    """The axes that this variant averages over."""
    return {
        "all": tuple(range(x.ndim)),
        "first": 0,
        "all but last": tuple(range(x.ndim - 1)),
        "last two": tuple(range(x.ndim))[-2:],
        "axis 1": 1,
    }.get(over, -1)


def _plain(normal: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> Any:
    return gamma * normal + beta


def _length(x: np.ndarray, eps: float, axes: Any) -> np.ndarray:
    return np.sqrt((x**2).sum(axis=axes, keepdims=True) + eps)


def _sum(x: np.ndarray, eps: float, axes: Any) -> np.ndarray:
    away = x - x.mean(axis=axes, keepdims=True)
    return np.sqrt((away**2).sum(axis=axes, keepdims=True) + eps)


def _range(x: np.ndarray, eps: float, axes: Any) -> np.ndarray:
    high = x.max(axis=axes, keepdims=True)
    return high - x.min(axis=axes, keepdims=True) + eps


def _distance(x: np.ndarray, eps: float, axes: Any) -> np.ndarray:
    away = abs(x - x.mean(axis=axes, keepdims=True))
    return away.mean(axis=axes, keepdims=True) + eps


_CENTER = {
    "mean": lambda x, axes, keep: x.mean(axis=axes, keepdims=keep),
    "brackets lost": lambda x, axes, keep: x.mean(axis=axes, keepdims=keep),
    "spread around 0": lambda x, axes, keep: x.mean(axis=axes, keepdims=keep),
    "not subtracted": lambda x, axes, keep: 0.0,
    "root mean square": lambda x, axes, keep: 0.0,
    "median": lambda x, axes, keep: np.median(x, axis=axes, keepdims=keep),
}
_DIVIDE = {
    "root": lambda v, eps, x, axes: np.sqrt(v + eps),
    "eps outside": lambda v, eps, x, axes: np.sqrt(v) + eps,
    "no eps": lambda v, eps, x, axes: np.sqrt(v),
    "own 1e-5": lambda v, eps, x, axes: np.sqrt(v + 1e-5),
    "own 1e-6": lambda v, eps, x, axes: np.sqrt(v + 1e-6),
    "own 1e-8": lambda v, eps, x, axes: np.sqrt(v + 1e-8),
    "own 1e-12": lambda v, eps, x, axes: np.sqrt(v + 1e-12),
    "eps squared": lambda v, eps, x, axes: np.sqrt(v + eps**2),
    "at least eps": lambda v, eps, x, axes: np.maximum(np.sqrt(v), eps),
    "variance": lambda v, eps, x, axes: v + eps,
    "square": lambda v, eps, x, axes: (v + eps) ** 2,
    "range": lambda v, eps, x, axes: _range(x, eps, axes),
    "length": lambda v, eps, x, axes: _length(x, eps, axes),
    "sum": lambda v, eps, x, axes: _sum(x, eps, axes),
    "eps after": lambda v, eps, x, axes: np.sqrt(v),
    "distance": lambda v, eps, x, axes: _distance(x, eps, axes),
    "nothing": lambda v, eps, x, axes: 1.0,
    "times": lambda v, eps, x, axes: 1 / np.sqrt(v + eps),
}
_BEFORE = {
    "gain first": lambda x, g, b: g * x,
    "shift first": lambda x, g, b: x + b,
    "both first": lambda x, g, b: g * x + b,
}
_AFTER = {
    "exchanged": lambda n, g, b: b * n + g,
    "none": lambda n, g, b: n,
    "no shift": lambda n, g, b: g * n,
    "no gain": lambda n, g, b: n + b,
    "shift before gain": lambda n, g, b: g * (n + b),
    "shift subtracted": lambda n, g, b: g * n - b,
    "divided by gain": lambda n, g, b: n / g + b,
    "by token": lambda n, g, b: g[:, None] * n + b[:, None],
    "gain first": lambda n, g, b: n + b,
    "gain before the mean": lambda n, g, b: n + b,
    "shift first": lambda n, g, b: g * n,
    "both first": lambda n, g, b: n,
}
_THEN = {
    "nothing": lambda y: y,
    "rounded": lambda y: np.round(y, 2),
    "rounded a little": lambda y: np.round(y, 3),
    "turned": lambda y: y.T,
}

_ONES, _ZEROS = np.ones(4), np.zeros(4)
_GAIN, _SHIFT = np.array([1.0, 2.0, 0.5, 3.0]), np.array([0.0, 1.0, -1.0, 0.5])
_EASY = np.array([[4.0, 0.0, 0.0, 4.0], [2.0, 4.0, 6.0, 8.0]])


def _random(seed: int, *size: int) -> np.ndarray:
    """Numbers from -3 to 5 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-30, 51, size=size) / 10


_CASES = (
    Case("easy", (_EASY, _ONES, _ZEROS, 1e-5)),
    Case("gain", (_random(1, 3, 4), _GAIN, _SHIFT, 0.5)),
    Case("square", (_random(2, 3, 3), _GAIN[:3], _SHIFT[1:], 0.1)),
    Case("vector", (_random(3, 5), np.arange(1.0, 6), np.ones(5), 9.0)),
    Case("batch", (_random(4, 2, 3, 4), _GAIN, _SHIFT, 1e-5)),
    Case(
        "constant",
        (np.array([[5.0, 5, 5, 5], [1, 2, 3, 6]]), _ONES, _ZEROS, 1e-5),
    ),
    Case("tiny", (_EASY / 2000, _ONES, _ZEROS, 1e-5)),
    Case(
        "whole numbers",
        (np.array([[1, 2, 3, 6], [0, 0, 4, 4]]), _ONES, _ZEROS, 1e-5),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came first, and one token's figures."""
    token = np.atleast_2d(got).reshape(-1, got.shape[-1] if got.ndim else 1)[0]
    facts = {
        "mean": number(token.mean()),
        "deviation": number(token.std()),
        "eps": f"{case.args[3]:g}",
    }
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        came, wanted = apart(got[place], want[place])
        where = ", ".join(map(str, place))
        facts |= {"came": came, "wanted": wanted, "where": f"[{where}]"}
    return facts


def _mean_zero(probe: Probe) -> str | None:
    """Without gain and shift each token has mean 0."""
    x, gamma, beta, _ = probe.args
    if probe.got.kind != ARRAY or probe.got.array.shape != x.shape:
        return None
    if not (np.all(gamma == 1) and np.all(beta == 0)):
        return None
    means = np.atleast_1d(probe.got.array.mean(axis=-1)).ravel()
    worst = int(np.argmax(abs(means)))
    if abs(means[worst]) < 100 * probe.got.tolerance:
        return None
    return (
        "The first thing that breaks: with gamma = 1 and beta = 0 each token "
        f"must come out with the mean 0, and token {worst} of yours has the "
        f"mean {number(means[worst])}."
    )


def _lifted(args: tuple) -> tuple:
    x, *rest = args
    return (x + 1.0, *rest)


def _rolled(args: tuple) -> tuple:
    x, *rest = args
    return (np.roll(x, 1, axis=0) if x.ndim > 1 else x, *rest)


EXERCISE = Exercise(
    name="layer_norm",
    inputs=("x", "gamma", "beta", "eps"),
    asked="`layer_norm(x, gamma, beta, eps)` takes from each token (the last "
    "axis of x) its own mean and divides by the root of its own variance "
    "plus eps; then it multiplies feature by feature with gamma and adds "
    "beta. The result has the shape of x, which may have one, two or three "
    "axes.",
    praise="Your function agrees with the reference for single tokens, "
    "sentences and batches, for a constant token and for a tiny one, and "
    "with gain and shift.",
    cases=_CASES,
    solve=normalized,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _mean_zero,
        unmoved_by(
            _lifted,
            lambda got, args: got,
            "The first thing that breaks: a token whose features all rise by "
            "1 must come out as before, and yours changes.",
        ),
        unmoved_by(
            _rolled,
            lambda got, args: np.roll(got, 1, axis=0) if got.ndim > 1 else got,
            "The first thing that breaks: when the tokens change places, the "
            "results must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Do it on paper for the token (4, 0, 0, 4): mean 2, differences "
        "2, -2, -2, 2, variance 4, root 2, result (1, -1, -1, 1). Your code "
        "takes the same steps.",
        "Two things cost most people time. The mean and the variance run "
        "along the last axis and must keep it, so that each token meets its "
        "own numbers (look up `keepdims`). And eps is added to the variance, "
        "before the root.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"{show(args[0], 'x = ')}\n{show(args[1], 'gamma = ')}\n"
        f"{show(args[2], 'beta = ')}\neps = {args[3]:g}"
    ),
)
