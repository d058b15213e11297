"""Part 6 of the reader's own Transformer: `class FeedForward`."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_course.checks.engine.reading import ARRAY, same
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
    weights_like,
)
from transformer_course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "FeedForward"]


class FeedForward(nn.Module):
    """Send each token through two layers, with a ReLU between them.

    x and the result are (B, n, d_model), the inner vectors (B, n, d_ff).
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        inner = F.relu(self.linear1(x))
        return self.linear2(inner)


def largest(z):
    """Zeros but for the largest number of each row."""
    return torch.where(z == z.amax(-1, keepdim=True), z, 0.0)


def _module(
    name: str,
    seed: int,
    ask: str,
    sizes: tuple[int, int],
    shape: tuple[int, int],
    times: float = 1.0,
    basic: bool = True,
) -> Case:
    """A case; sizes are d_model and d_ff, shape is (B, n)."""
    draw = np.random.default_rng(seed)
    x = times * draw.integers(-15, 16, size=(*shape, sizes[0])) / 10
    weights = weights_like(FeedForward, *sizes, seed=seed)
    say = (
        f"m = FeedForward{sizes}, with weights of one decimal; x {x.shape}; "
        + SAID[ask]
    )
    return Case(name, (say, ask, sizes, weights, x), basic)


_MORE = {"basic": False}
CASES = (
    _module("two tokens", 1, "output", (2, 3), (1, 2)),
    _module("wider", 2, "output", (2, 5), (2, 3)),
    _module("square", 3, "output", (3, 3), (2, 3)),
    _module("four times", 4, "output", (3, 12), (2, 4)),
    _module("large", 5, "output", (4, 7), (2, 3), times=10.0),
    _module("gradients", 6, "gradients", (3, 4), (1, 2)),
    _module("names", 7, "names", (3, 4), (1, 2)),
    _module("one token", 8, "output", (3, 4), (2, 1), **_MORE),
    _module("float32", 9, "float32", (3, 4), (1, 2), **_MORE),
    _module("digits", 13, "digits", (3, 4), (1, 2), **_MORE),
    _module("other device", 10, "other device", (3, 4), (1, 2), **_MORE),
    _module("training", 12, "training", (8, 16), (2, 3), **_MORE),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    _, ask, _, weights, _ = case.args
    facts = first_difference(want, got)
    facts |= {"shape": got.shape, "wanted_shape": want.shape}
    if ask == "names":
        names = zip(weights, got, strict=False)
        missing = [f"`{name}`" for name, found in names if found < 1]
        facts["missing"] = ", ".join(missing)
    return facts


def _each_for_itself(probe: Probe) -> str | None:
    """The first token does not notice what happens to the others."""
    *first, x = probe.args
    got = probe.got
    if first[1] != "output" or got.kind != ARRAY or got.array.shape != x.shape:
        return None
    other = x + 1.0
    other[0, 0] = x[0, 0]
    second = probe.call((*first, other))
    if second.kind != ARRAY or second.array.shape != x.shape:
        return None
    if same(second.array[0, 0], got.array[0, 0], 100 * got.tolerance):
        return None
    return (
        "The first thing that breaks: when the other tokens change, the "
        "result of the first token must stay as it is, and yours changes."
    )


# The first few are the commonest: pairs of mistakes are searched in this order.

EXERCISE = Exercise(
    name="FeedForward",
    inputs=("d_model", "d_ff"),
    written="class FeedForward(d_model, d_ff)",
    asked="`FeedForward(d_model, d_ff)` has two linear layers with biases, "
    "`linear1` from d_model to d_ff and `linear2` back. `forward(x)` sends "
    "each token of x (B, n, d_model) through the first, sets what is below "
    "zero to zero, and sends that through the second.",
    praise="Values and gradients are those of torch's layers, for narrow and "
    "wide inner vectors, in 32 and 64 bits, and each token goes its "
    "own way.",
    cases=CASES,
    draw=lambda seed: _module("one more", seed, "output", (4, 6), (2, 3)),
    solve=Reference(FeedForward),
    properties=(right_names, shape, finite, _each_for_itself),
    hints=(
        "Two layers in `__init__`, two lines in `forward`. The first line "
        "makes the inner vector, of length d_ff, with nothing below zero in "
        "it; the second makes a vector of length d_model again.",
        "A linear layer reads the last axis and leaves all others alone, so "
        "no loop and no reshape is needed.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play_module,
    words=names_in_words,
    look=look_at_module("x"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "x"),
    most_combined=300,
    on_the_way={
        "inner": "the inner vectors",
        "self.linear1(x)": "the inner vectors before the ReLU",
    },
)
