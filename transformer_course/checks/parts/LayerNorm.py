"""Part 2 of the reader's own Transformer: `class LayerNorm`."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
)
from transformer_course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "LayerNorm"]


class LayerNorm(nn.Module):
    """Bring each token to mean 0 and variance 1; then scale and shift it.

    weight and bias: (d_model,), one gain and one shift for each feature.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        """Normalize x (..., d_model); the result has the same shape."""
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        normal = (x - mean) / torch.sqrt(variance + self.eps)
        return self.weight * normal + self.bias


def _numbers(seed: int, *size: int) -> np.ndarray:
    """Numbers from -3 to 5 with one decimal: easy to read in a message."""
    return np.random.default_rng(seed).integers(-30, 51, size=size) / 10


def _module(name: str, ask: str, x, weight=None, bias=None, *eps: float,
            basic: bool = True) -> Case:  # fmt: skip
    """A case; where no weights come, the module keeps its own."""
    x = np.array(x, dtype=np.float64)
    weights = {"weight": weight, "bias": bias}
    weights = {k: np.array(v) for k, v in weights.items() if v is not None}
    sizes = (x.shape[-1], *eps)
    lines = [f"m = LayerNorm({', '.join(map(str, sizes))})"]
    lines += [show(v, f"m.{k} = ") for k, v in weights.items()]
    lines.append(show(x, "x = "))
    lines.append(f"asked: {SAID[ask]}" if ask != "output" else "m(x)")
    return Case(name, ("\n".join(lines), ask, sizes, weights, x), basic)


_ONES, _ZEROS = np.ones(4), np.zeros(4)
_GAIN, _SHIFT = np.array([1.0, 2.0, 0.5, 3.0]), np.array([0.0, 1.0, -1.0, 0.5])
_EASY = np.array([[4.0, 0.0, 0.0, 4.0], [2.0, 4.0, 6.0, 8.0]])
_SMALL = (_numbers(5, 2, 3, 4), _GAIN, _SHIFT)
CASES = (
    _module("names", "names", *_SMALL),
    _module("easy", "output", _EASY, _ONES, _ZEROS),
    _module("gain", "output", _numbers(1, 3, 4), _GAIN, _SHIFT, 0.5),
    _module("square", "output", _numbers(2, 3, 3), _GAIN[:3], _SHIFT[1:], 0.1),
    _module("vector", "output", _numbers(3, 5), np.arange(1.0, 6), np.ones(5),
            9.0),
    _module("batch", "output", _numbers(4, 2, 3, 4), _GAIN, _SHIFT),
    _module("constant", "output", [[5, 5, 5, 5], [1, 2, 3, 6]], _ONES, _ZEROS),
    _module("tiny", "output", _EASY / 2000, _ONES, _ZEROS),
    _module("new", "output", _EASY, basic=False),
    _module("far from 0", "output", 1000 + _EASY[:, :3] / 10, _GAIN[:3],
            _SHIFT[:3], basic=False),
    _module("gradients", "gradients", *_SMALL, basic=False),
    _module("float32", "float32", *_SMALL, basic=False),
    _module("float64", "float64", *_SMALL, basic=False),
    _module("other device", "other device", *_SMALL, basic=False),
    _module("inputs stay", "inputs stay", *_SMALL, basic=False),
    _module("twice", "twice", *_SMALL, basic=False),
)  # fmt: skip


def _mean_zero(probe: Probe) -> str | None:
    """Without gain and shift each token has mean 0."""
    _, ask, _, weights, x = probe.args
    if ask != "output" or probe.got.kind != ARRAY:
        return None
    if probe.got.array.shape != x.shape or not weights:
        return None
    if not (np.all(weights["weight"] == 1) and np.all(weights["bias"] == 0)):
        return None
    means = np.atleast_1d(probe.got.array.mean(axis=-1)).ravel()
    worst = int(np.argmax(abs(means)))
    if abs(means[worst]) < 100 * probe.got.tolerance:
        return None
    return (
        "The first thing that breaks: where `weight` is 1 and `bias` is 0, "
        f"each token must come out with the mean 0, and token {worst} of "
        f"yours has the mean {number(means[worst])}."
    )


def _lifted(args: tuple) -> tuple:
    return (*args[:-1], args[-1] + 1.0)


def _rolled(args: tuple) -> tuple:
    x = args[-1]
    rolls = args[1] == "output" and x.ndim > 1
    return (*args[:-1], np.roll(x, 1, axis=0) if rolls else x)


def _follows(got: np.ndarray, args: tuple) -> np.ndarray:
    return np.roll(got, 1, axis=0) if _rolled(args)[-1] is not args[-1] else got


EXERCISE = Exercise(
    name="LayerNorm",
    inputs=("d_model",),
    written="class LayerNorm(d_model, eps=1e-5)",
    asked="`LayerNorm(d_model, eps=1e-5)` has two parameters of shape "
    "(d_model,): `weight`, at first ones, and `bias`, at first zeros. "
    "`forward(x)` takes from each token (the last axis of x) its own mean "
    "and divides by the root of the sum of its own variance and eps; then it "
    "multiplies by `weight` and adds `bias`. x may have one, two or three "
    "axes.",
    praise="Values and gradients are those of torch.nn.LayerNorm for single "
    "tokens, sentences and batches, for a constant token and for a "
    "tiny one, in 32 and 64 bits.",
    cases=CASES,
    draw=lambda seed: _module(
        "one more", "output", _numbers(seed, 3, 4), _GAIN, _SHIFT
    ),
    solve=Reference(LayerNorm),
    properties=(
        right_names,
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
            _follows,
            "The first thing that breaks: when the tokens change places, the "
            "results must change places with them, and yours do not.",
        ),
    ),
    hints=(
        "Do it on paper for the token (4, 0, 0, 4): mean 2, differences "
        "2, -2, -2, 2, variance 4, root 2, result (1, -1, -1, 1). Code has "
        "to take the same steps.",
        "Two things cost most people time. The mean and the variance run "
        "along the last axis and must keep it, so that each token meets its "
        "own numbers (look up `keepdim`). And eps is added to the variance, "
        "before the root.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x"),
    on_the_way={
        "mean": "the mean of each token",
        "variance": "the variance of each token",
        "normal": "the normalized tokens",
        "x - mean": "the differences from the mean",
        "torch.sqrt(variance + self.eps)": "the divisors",
        "variance + self.eps": "the variances plus eps",
    },
)
