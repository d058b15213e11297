"""The exercise `encoder_layer(x, attn, ffn, ln)` and its wrong answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.encoder_layer_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.reading import apart, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "encoder_layer", "wired"]

Part = Callable[[np.ndarray], np.ndarray]


def encoder_layer(function: Any) -> Verdict:
    """Check a function `encoder_layer(x, attn, ffn, ln)`, post-norm.

    z = ln(x + attn(x)) and y = ln(z + ffn(z)), as in the paper. The check
    hands over three functions of its own, some of them so simple that the
    answer can be worked out on paper, so that the wiring alone is judged.

    Args:
        function: takes x of shape (..., tokens, width) and three functions
            that keep this shape, and returns y. Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.1. Chapter 5.
    """
    return judge(EXERCISE, function)


def wired(
    x: np.ndarray,
    attn: Part,
    ffn: Part,
    ln: Part,
    *,
    norm: str = "after",
    around_attention: str = "sum",
    around_feed_forward: str = "sum",
    parts: str = "attention, feed-forward",
    plan: str = "two sub-layers",
    alone: bool = False,
) -> Any:
    """The layer, or a wrongly wired one; the defaults are right."""
    x = np.asarray(x, dtype=np.float64)
    if alone:  # each token by itself, as a sentence of one
        rows = [
            _PLAN[plan](row, attn, ffn, ln)
            for row in x.reshape(-1, 1, x.shape[-1])
        ]
        return np.concatenate(rows).reshape(x.shape)
    if plan != "two sub-layers":
        return _PLAN[plan](x, attn, ffn, ln)
    first, last = _NORM[norm]
    known = {"attention": attn, "feed-forward": ffn}
    joins = [around_attention, around_feed_forward]
    names = parts.split(", ")
    if names[0] == "feed-forward" and len(names) == 2:
        joins.reverse()
    for step, name, join in zip((first, last), names, joins, strict=False):
        x = step(x, known[name], _JOIN[join], ln)
    return x


_JOIN = {
    "sum": lambda x, change: x + change,
    "nothing": lambda x, change: change,
    "product": lambda x, change: x * change,
    "difference": lambda x, change: x - change,
    "difference, turned": lambda x, change: change - x,
    "mean": lambda x, change: (x + change) / 2,
    "input twice": lambda x, change: 2 * x + change,
    "change twice": lambda x, change: x + 2 * change,
}


def _after(x: np.ndarray, part: Part, join: Callable, ln: Part) -> np.ndarray:
    return ln(join(x, part(x)))


def _before(x: np.ndarray, part: Part, join: Callable, ln: Part) -> np.ndarray:
    return join(x, part(ln(x)))


def _none(x: np.ndarray, part: Part, join: Callable, ln: Part) -> np.ndarray:
    return join(x, part(x))


def _on_change(x: np.ndarray, part: Part, join: Callable, ln: Part):
    return join(x, ln(part(x)))


def _on_both(x: np.ndarray, part: Part, join: Callable, ln: Part):
    return join(ln(x), ln(part(x)))


def _from_norm(x: np.ndarray, part: Part, join: Callable, ln: Part):
    start = ln(x)
    return join(start, part(start))


def _around(x: np.ndarray, part: Part, join: Callable, ln: Part) -> np.ndarray:
    return ln(join(x, part(ln(x))))


def _twice(x: np.ndarray, part: Part, join: Callable, ln: Part) -> np.ndarray:
    return ln(ln(join(x, part(x))))


def _change_too(x: np.ndarray, part: Part, join: Callable, ln: Part):
    return ln(join(x, ln(part(x))))


_NORM = {
    "after": (_after, _after),
    "before, then after": (_before, _after),
    "after, then before": (_after, _before),
    "on the first change": (_on_change, _after),
    "on the last change": (_after, _on_change),
    "on the change and after": (_change_too, _change_too),
    "before": (_before, _before),
    "none": (_none, _none),
    "first only": (_after, _none),
    "last only": (_none, _after),
    "on the change": (_on_change, _on_change),
    "on both": (_on_both, _on_both),
    "from the norm": (_from_norm, _from_norm),
    "before and after": (_around, _around),
    "before and after attention": (_around, _after),
    "twice": (_twice, _twice),
}
_PLAN = {
    "two sub-layers": lambda x, a, f, n: _then(n(x + a(x)), f, n),
    "x added at the end": lambda x, a, f, n: n(x + f(n(x + a(x)))),
    "feed-forward of x": lambda x, a, f, n: n(n(x + a(x)) + f(x)),
    "both from x": lambda x, a, f, n: n(n(x + f(x))),
    "side by side": lambda x, a, f, n: n(x + a(x) + f(x)),
    "side by side, twice": lambda x, a, f, n: n(n(x + a(x)) + n(x + f(x))),
    "one skip": lambda x, a, f, n: n(x + f(a(x))),
    "one skip, two norms": lambda x, a, f, n: n(x + f(n(a(x)))),
    "before, and one at the end": lambda x, a, f, n: n(
        _before(_before(x, a, _JOIN["sum"], n), f, _JOIN["sum"], n)
    ),
    "change only": lambda x, a, f, n: f(n(x + a(x))),
    "x": lambda x, a, f, n: x,
}


def _then(z: np.ndarray, ffn: Part, ln: Part) -> np.ndarray:
    return ln(z + ffn(z))


@dataclass(frozen=True)
class _Part:
    """A function that can say in words what it does."""

    words: str
    compute: Part

    def __call__(self, x: Any) -> Any:
        if hasattr(x, "detach"):  # a tensor comes, a tensor goes
            numbers = x.detach().cpu().double().numpy()
            return x.new_tensor(self.compute(numbers).copy())
        return self.compute(np.asarray(x, dtype=np.float64))


def _standard(x: np.ndarray) -> np.ndarray:
    centered = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centered**2).mean(axis=-1, keepdims=True) + 1e-5)
    return centered / spread


def _softmax(a: np.ndarray) -> np.ndarray:
    risen = np.exp(a - a.max(axis=-1, keepdims=True))
    return risen / risen.sum(axis=-1, keepdims=True)


# Simple parts, whose wiring can be followed on paper.
_HALF_MEAN = _Part(
    "every row becomes half the mean of all rows",
    lambda x: 0 * x + x.mean(axis=-2, keepdims=True) / 2,
)
_ABOVE_ONE = _Part("max(0, entry - 1)", lambda x: np.maximum(0.0, x - 1.0))
_TURNED = _Part("the entries in reverse order", lambda x: x[..., ::-1])
_DOUBLED = _Part("2 * entry + 1", lambda x: 2 * x + 1)
_STANDARD = _Part("to mean 0 and standard deviation 1", _standard)
_CENTERED = _Part(
    "entry minus half the row's mean",
    lambda x: x - x.mean(axis=-1, keepdims=True) / 2,
)


def _learned(seed: int, d: int) -> tuple[_Part, _Part, _Part]:
    """Attention, feed-forward and norm with matrices drawn once."""
    draw = np.random.default_rng(seed)
    w_v, w_1 = draw.normal(size=(d, d)), draw.normal(size=(d, 2 * d))
    w_2, bias = draw.normal(size=(2 * d, d)), draw.normal(size=d)
    gain = 1 + draw.random(d)
    return (
        _Part(
            "self-attention with a matrix",
            lambda x: _softmax(x @ np.swapaxes(x, -1, -2) / d**0.5) @ x @ w_v,
        ),
        _Part(
            "a feed-forward network",
            lambda x: np.maximum(0.0, x @ w_1) @ w_2 + bias,
        ),
        _Part(
            "layer norm with gain and bias",
            lambda x: _standard(x) * gain + bias,
        ),
    )


def _random(seed: int, *size: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.integers(-15, 16, size=size) / 10


_PAPER = np.array([[1.0, 2.0, 3.0, 6.0], [3.0, 0.0, 1.0, 4.0]])
_CASES = (
    Case("on paper", (_PAPER, _HALF_MEAN, _ABOVE_ONE, _CENTERED)),
    Case("standard", (_PAPER, _TURNED, _ABOVE_ONE, _STANDARD)),
    Case("no balance", (_random(1, 3, 2), _TURNED, _ABOVE_ONE, _DOUBLED)),
    Case("learned", (_random(2, 3, 4), *_learned(3, 4))),
    Case("batch", (_random(4, 2, 3, 5), *_learned(5, 5))),
    Case("one token", (_random(6, 1, 3), *_learned(7, 3))),
    Case(
        "whole numbers",
        (_PAPER.astype(int), _HALF_MEAN, _ABOVE_ONE, _CENTERED),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the first wrong entry."""
    if got.shape != want.shape:
        return {}
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if not len(wrong):
        return {}
    place = tuple(int(i) for i in wrong[0])
    came, wanted = apart(got[place], want[place])
    return {"came": came, "wanted": wanted, "place": list(place)}


def _show(args: tuple) -> str:
    x, *parts = args
    words = zip(("attn", "ffn", "ln"), parts, strict=True)
    lines = [f"{name}: {part.words}" for name, part in words]
    return "\n".join([show(x, "x = "), *lines])


EXERCISE = Exercise(
    name="encoder_layer",
    inputs=("x", "attn", "ffn", "ln"),
    asked="`encoder_layer(x, attn, ffn, ln)` returns the output of one "
    "encoder layer as in the paper: around the attention and around the "
    "feed-forward network there is a skip, and the norm comes after each "
    "addition. attn, ffn and ln are functions that keep the shape of x.",
    praise="Both sub-layers have their skip and their norm, in the right "
    "order, for simple functions, for learned ones and for a whole batch.",
    cases=_CASES,
    solve=wired,
    catalogue=MISTAKES,
    properties=(shape, finite),
    hints=(
        "Two lines are enough, one for each sub-layer, and they look alike. "
        "The first makes z from x, the second makes y from z.",
        "Each line says: the sub-layer reads a vector, its change is added "
        "to that same vector, and the norm gets the sum. So in the second "
        "line everything that stood for x now stands for z.",
    ),
    facts=_facts,
    show_inputs=_show,
)
