"""The exercise `in_order(name, weight, order)` and its wrong answers.

An answer is judged by what a small model computes with the weights that it
returns: every logit has to be what it was with the other order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import sinusoidal_encoding, transformer

__all__ = ["EXERCISE", "in_order"]

INPUTS = ("name", "weight", "order")
N_HEADS = 2
SOURCE, TARGET = [[4, 5, 3, 0]], [[1, 6, 4]]


def in_order(function: Any) -> Verdict:
    """Check a function `in_order(name, weight, order)`.

    The check makes a small model whose positions have all sines first, gives
    each of its weights to the function, and asks the model with the weights
    that come back, whose sines and cosines alternate, for its logits.

    Args:
        function: takes the name of a weight as the library has it, an array
            and the order, (d,), and returns an array of the same shape.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: chapter 21.
    """
    return judge(EXERCISE, function)


def solution(name, weight, order):
    reads = any(x in name for x in ("q_proj", "k_proj", "v_proj", "linear1"))
    is_table = "embedding" in name
    columns = is_table or reads and "weight" in name
    if columns:
        return weight[:, order]
    neither = reads
    if neither:
        return weight
    return weight[order]


# ------------------------------------------------------------ a small model


def halves(d: int) -> np.ndarray:
    """Return where each component stands if all sines come first."""
    return np.arange(d).reshape(2, -1).T.ravel()


def shapes(d: int, d_ff: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the names of a model's weights, and their shapes."""
    yield "source_embedding.weight", (7, d)
    for stack, parts in (
        ("encoder", ("self_attention",)),
        ("decoder", ("self_attention", "cross_attention")),
    ):
        layer = f"{stack}.layers.0"
        for part in parts:
            for one in ("q_proj", "k_proj", "v_proj", "out_proj"):
                yield f"{layer}.{part}.{one}.weight", (d, d)
                yield f"{layer}.{part}.{one}.bias", (d,)
        for number in range(1, len(parts) + 2):
            yield f"{layer}.norm{number}.weight", (d,)
            yield f"{layer}.norm{number}.bias", (d,)
        for one, size in (("linear1", (d_ff, d)), ("linear2", (d, d_ff))):
            yield f"{layer}.feed_forward.{one}.weight", size
            yield f"{layer}.feed_forward.{one}.bias", size[:1]


def weights_of(d: int, d_ff: int, seed: int) -> dict[str, np.ndarray]:
    """Draw the weights of a model, by name."""
    draw = np.random.default_rng(seed)
    return {
        name: draw.integers(-10, 11, size) / 10
        for name, size in shapes(d, d_ff)
    }


def _play(answer: Callable, d: int, d_ff: int, seed: int) -> Any:
    """Return the logits with the weights that an answer returns, (T, V)."""
    order, moved = halves(d), {}
    for name, weight in weights_of(d, d_ff, seed).items():
        got = call_by_position_or_name(answer, (name, weight, order), INPUTS)
        if got is None or got is Ellipsis:
            return None
        moved[name] = np.asarray(got, dtype=float)
        if moved[name].shape != weight.shape:
            raise ValueError(
                f"{name} has the shape {weight.shape}, and what comes back "
                f"has {moved[name].shape}; reordering changes no shape"
            )
    return transformer(moved, SOURCE, TARGET, N_HEADS)[0]


def logits_before(d: int, d_ff: int, seed: int) -> np.ndarray:
    """Return the logits of the model as it is, all sines first, (T, V)."""
    table = sinusoidal_encoding(9, d)
    table = np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)
    weights = weights_of(d, d_ff, seed) | {"positions.pe": table}
    return transformer(weights, SOURCE, TARGET, N_HEADS)[0]


CASES = (
    Case("a model of width 6", (6, 5, 1)),
    Case("a model of width 8", (8, 7, 2)),
    Case("a wide hidden layer", (6, 9, 3)),
    Case("a narrow hidden layer", (8, 4, 4)),
)


EXERCISE = Exercise(
    name="in_order",
    inputs=INPUTS,
    asked="`in_order(name, weight, order)` returns a weight with its rows in "
    "the order `order`, or its columns, or as it is, such that the model "
    "with alternating sines and cosines has the logits that it had with all "
    "sines first.",
    praise="With your weights each model has the logits that it had: the "
    "order of the residual stream is gone without a trace.",
    cases=CASES,
    solve=Reference(solution),
    properties=(shape, finite),
    hints=(
        "Ask of each weight which of its axes meets the residual stream. "
        "What reads from the stream meets it with its columns, what writes to "
        "it with its rows. A bias has one axis, and it goes with the rows.",
        "The queries, keys and values and the first linear map read. The "
        "output projection of the attention, the second linear map and the "
        "norms write. A row of the embedding matrix is itself a vector of the "
        "stream.",
    ),
    play=_play,
    handed_over=("d", "d_ff", "seed"),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: (
        f"a model with random weights: d_model {args[0]}, d_ff {args[1]}, "
        f"{N_HEADS} heads, one layer in each stack; its logits for three "
        "target tokens"
    ),
    most_combined=150,
    draw=lambda seed: Case("one more", (10, 3 + seed % 10, seed)),
)
