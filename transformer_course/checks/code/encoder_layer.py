"""The exercise `encoder_layer(x, attn, ffn, ln)` and its wrong answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.reading import show
from transformer_course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax

__all__ = ["EXERCISE", "encoder_layer", "function_of"]

INPUTS = ("x", "attn", "ffn", "ln")


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


def solution(x, attn, ffn, ln):
    norm1 = norm2 = ln  # in a layer that learns, each sub-layer has its own
    attended = attn(x)
    z = norm1(x + attended)
    forwarded = ffn(z)
    y = norm2(z + forwarded)
    return y


def one_by_one(attn, x):
    tokens = x.reshape(-1, 1, x.shape[-1])
    return np.concatenate([attn(token) for token in tokens]).reshape(x.shape)


# A case names the functions: what one does, and the numbers it has learned.
# The simple ones have none; their wiring can be followed on paper.
HALF_MEAN = ("every row becomes half the mean of all rows",)
ABOVE_ONE = ("max(0, component - 1)",)
TURNED = ("the components in reverse order",)
DOUBLED = ("2 * component + 1",)
STANDARD = ("to mean 0 and standard deviation 1",)
CENTERED = ("component minus half the row's mean",)


def mean(x):
    return x.mean(axis=-1, keepdims=True)


def standard(x):
    return (x - mean(x)) / np.sqrt(mean((x - mean(x)) ** 2) + 1e-5)


FUNCTIONS = {
    HALF_MEAN[0]: lambda x: 0 * x + x.mean(axis=-2, keepdims=True) / 2,
    ABOVE_ONE[0]: lambda x: np.maximum(0.0, x - 1.0),
    TURNED[0]: lambda x: x[..., ::-1].copy(),
    DOUBLED[0]: lambda x: 2 * x + 1,
    STANDARD[0]: standard,
    CENTERED[0]: lambda x: x - mean(x) / 2,
    "self-attention with a matrix": lambda x, w: (
        softmax(x @ x.mT / len(w) ** 0.5) @ x @ w
    ),
    "a feed-forward network": lambda x, w_1, w_2, b: (
        np.maximum(0.0, x @ w_1) @ w_2 + b
    ),
    "layer norm with gain and bias": lambda x, gain, bias: (
        standard(x) * gain + bias
    ),
}


def function_of(description: tuple, name: str = "function") -> Callable:
    """Make the function that a case describes.

    Args:
        description: what it does, a key of `FUNCTIONS`, and its numbers.
        name: what error messages call it.

    Returns:
        A function of an array or a tensor, which returns the same kind.
    """
    words, *numbers = description

    def function(x):
        if hasattr(x, "detach"):
            array = x.detach().cpu().double().numpy()
            return x.new_tensor(FUNCTIONS[words](array, *numbers))
        return FUNCTIONS[words](np.asarray(x, dtype=np.float64), *numbers)

    function.__qualname__ = name
    return function


def _play(answer: Callable, x: np.ndarray, *descriptions: tuple) -> Any:
    functions = map(function_of, descriptions, INPUTS[1:])
    return call_by_position_or_name(answer, (x, *functions), INPUTS)


def _learned(name, seed, size, seed_of_the_parts):
    """Attention, feed-forward and norm with matrices drawn once."""
    x, d = _random(seed, size), size[-1]
    draw = np.random.default_rng(seed_of_the_parts)
    w, w_1 = draw.normal(size=(d, d)), draw.normal(size=(d, 2 * d))
    w_2, bias = draw.normal(size=(2 * d, d)), draw.normal(size=d)
    attn = ("self-attention with a matrix", w)
    ffn = ("a feed-forward network", w_1, w_2, bias)
    ln = ("layer norm with gain and bias", 1 + draw.random(d), bias)
    return Case(name, (x, attn, ffn, ln))


def _random(seed, size):
    draw = np.random.default_rng(seed)
    return draw.integers(-15, 16, size=size) / 10


PAPER = np.array([[1.0, 2.0, 3.0, 6.0], [3.0, 0.0, 1.0, 4.0]])
CASES = (
    Case("on paper", (PAPER, HALF_MEAN, ABOVE_ONE, CENTERED)),
    Case("standard", (PAPER, TURNED, ABOVE_ONE, STANDARD)),
    Case("no balance", (_random(1, (3, 2)), TURNED, ABOVE_ONE, DOUBLED)),
    _learned("learned", 2, (3, 4), 3),
    _learned("batch", 4, (2, 3, 5), 5),
    _learned("one token", 6, (1, 3), 7),
    Case(
        "whole numbers",
        (PAPER.astype(int), HALF_MEAN, ABOVE_ONE, CENTERED),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    return first_difference(want, got)


def _show(args: tuple) -> str:
    x, *functions = args
    lines = [
        f"{name}: {words}"
        for name, (words, *_) in zip(INPUTS[1:], functions, strict=True)
    ]
    return "\n".join([show(x, "x = "), *lines])


EXERCISE = Exercise(
    name="encoder_layer",
    refused=("encoder_layer",),
    inputs=INPUTS,
    asked="`encoder_layer(x, attn, ffn, ln)` returns the output of one "
    "encoder layer as in the paper: around the attention and around the "
    "feed-forward network there is a skip connection, and the norm comes "
    "after each addition. attn, ffn and ln are functions that keep the shape "
    "of x.",
    praise="Both sub-layers have their skip and their norm, in the right "
    "order, for simple functions, for learned ones and for a whole batch.",
    cases=CASES,
    draw=lambda seed: _learned("one more", seed, (3, 4), seed + 1),
    solve=Reference(solution),
    properties=(shape, finite),
    hints=(
        "Two lines are enough, one for each sub-layer, and they look alike. "
        "The first makes z from x, the second makes y from z.",
        "Each line says: the sub-layer reads a vector, its change is added "
        "to that same vector, and the norm gets the sum. So in the second "
        "line everything that stood for x now stands for z.",
    ),
    play=_play,
    facts=_facts,
    show_inputs=_show,
    on_the_way={
        "attended": "what `attn` makes of `x`",
        "z": "the vectors between the two sub-layers",
        "forwarded": "what `ffn` makes of them",
        "x + attended": "the first sum, not normalized yet",
        "z + forwarded": "the second sum, not normalized yet",
    },
)
