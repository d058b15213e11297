"""The exercise `train_step` and the wrong answers it knows.

A step of training changes a model, so its answer is not what it returns but
what it leaves behind. The check lets the function train a tiny model for a
few steps (`Drill`) and compares the losses and all weights after each.
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.foreign import has_inputs, takes
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.preconditions import Misfit
from transformer_lib.course.checks.engine.properties import Probe, finite
from transformer_lib.course.checks.engine.reading import ARRAY, apart
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.train_step_drill import NAMES, Drill, play
from transformer_lib.course.checks.train_step_mistakes import MISTAKES
from transformer_lib.course.checks.train_step_variants import trained

__all__ = ["EXERCISE", "train_step"]


def train_step(function: Any) -> Verdict:
    """Check `train_step(model, optimizer, batch, loss_fn, clip, rate)`.

    One update: training mode, forward, loss of one token, backward, clip,
    rate, step. The batch has source, target_in and target_out; the model is
    called as model(source, target_in); loss_fn(logits, targets) gives the
    total loss and the number of real tokens; a gradient longer than clip is
    shortened to it, all parameters together; rate is that of this step, for
    all param_groups of the optimizer.

    Args:
        function: makes one update of the model and returns the loss of one
            token, as it was before the step: a number or a tensor.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: chapter 13, and `transformer_lib.training.train_step`.
    """
    torch.tensor(0.0)  # the first tensor is slow; do not let an answer wait
    return judge(EXERCISE, _as_played(function))


def _is_played(function: Any) -> bool:
    """True for a function of whole drills."""
    return has_inputs(function, EXERCISE.inputs)


def _as_played(function: Any) -> Any:
    """Turn a function of one step into one of drills."""
    if not callable(function) or _is_played(function):
        return function
    if not takes(function, NAMES):
        return Misfit(function)

    def played(batches: Drill) -> Any:
        return play(function, batches)

    with contextlib.suppress(Exception):  # whose lines an error message shows
        played.__wrapped__ = function
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    played.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind) for name in EXERCISE.inputs]
    )
    return played


def _ids(seed: int, rows: int, source: int, lengths: tuple[int, ...]) -> tuple:
    """Sentences of random words 2 to 4; 1 begins and ends, 0 fills up."""
    draw = np.random.default_rng(seed)
    longest = max(lengths)
    read = np.zeros((rows, longest), dtype=np.int64)
    say = np.zeros((rows, longest), dtype=np.int64)
    for row, length in enumerate(lengths):
        words = draw.integers(2, 5, size=length - 1)
        read[row, :length] = [1, *words]
        say[row, :length] = [*words, 1]
    return draw.integers(2, 5, size=(rows, source)), read, say


_A = _ids(1, 2, 3, (4, 4))
_B = _ids(2, 3, 2, (3, 5, 2))
_C = _ids(3, 2, 4, (6, 2))


def _case(name: str, batches: tuple, rates: tuple, **more: Any) -> Case:
    return Case(name, (Drill(batches, rates, **more),))


_CASES = (
    _case("one step", (_A,), (0.5,)),
    _case("padding", (_B,), (0.25,)),
    _case("two steps", (_A, _C), (0.5, 0.5)),
    _case("clipped", (_A, _B), (0.5, 0.25), clip=0.125),
    _case("clipped a little", (_C, _A), (0.25, 0.5), clip=0.4, size=2.0),
    _case("after an evaluation", (_A, _B), (0.5, 0.25), training=False),
    _case("new rates", (_B, _C, _A), (0.125, 0.5, 0.25)),
    _case("Adam", (_A, _B, _C), (0.0625, 0.125, 0.25), adam=True, clip=0.5),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the loss that came and the wanted one."""
    facts = {"clip": f"{case.args[0].clip:g}"}
    if got.shape == want.shape:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        row, column = wrong[0] if len(wrong) else (0, 0)
        facts["came"], facts["wanted"] = apart(
            got[row, column], want[row, column]
        )
        facts["step"] = str(row + 1)
    return facts


def _one_number(probe: Probe) -> str | None:
    """One number comes back."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape == want.array.shape:
        return None
    return (
        "One number is wanted, the loss of one token. Your "
        f"function returns an array or a list of the shape {got.array.shape}."
    )


def _still(probe: Probe) -> str | None:
    """The weights move."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    if len(got.array) < 2 or np.ptp(got.array[:, 1:], axis=0).max() > 0:
        return None
    return (
        "The first thing that breaks: the weights are the same after the "
        "first and after the last step, so nothing is learned."
    )


def _which(probe: Probe) -> str | None:
    """Say whether the loss or the weights are wrong first, and when."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    wrong = ~np.isclose(got.array, want.array, rtol=1e-5, atol=1e-6)
    if not wrong.any():
        return None
    row = int(np.argmax(wrong.any(axis=1)))
    if wrong[row, 0]:
        came, wanted = apart(got.array[row, 0], want.array[row, 0])
        return (
            f"The first thing that breaks: in step {row + 1} your function "
            f"returns {came}, and the loss of one token is {wanted}."
        )
    return (
        f"The loss of step {row + 1} is right, but the weights after it are "
        "not. Look at what comes after the loss: backward, clip, rate, step."
    )


class _StepExercise(Exercise):
    """An exercise whose answer is what it leaves behind."""

    @property
    def signature(self) -> str:
        """The call as the chapter writes it."""
        return f"train_step({', '.join(NAMES)})"

    @property
    def student_inputs(self) -> tuple[str, ...]:
        """The six inputs of one step."""
        return NAMES


EXERCISE = _StepExercise(
    name="train_step",
    inputs=("batches",),
    asked="`train_step(model, optimizer, batch, loss_fn, clip, rate)` makes "
    "one update in training mode: logits from `batch.source` and "
    "`batch.target_in`, `loss_fn(logits, batch.target_out)` for the total "
    "and the count, their quotient is the loss; backward; a gradient longer "
    "than `clip` shortened to it, all parameters together; `rate` in all "
    "param_groups; step. It returns the loss.",
    praise="Your loop leaves the same weights behind as the reference, to "
    "the last step: with padding, with long and short gradients, after an "
    "evaluation, with new rates, with SGD and with Adam.",
    cases=_CASES,
    solve=trained,
    catalogue=MISTAKES,
    properties=(_one_number, finite, _still, _which),
    hints=(
        "Eight lines, in the order of the chapter: training mode, empty the "
        "gradients, logits, total and count, quotient, backward, clip, the "
        "rate into each group, step. Which one is missing?",
        "Five of them change something that stays: the mode, the gradients "
        "(twice: backward fills them, clip shortens them), the rate and the "
        "weights. Ask of each whether it happens before the line that needs "
        "it.",
    ),
    facts=_facts,
    show_inputs=lambda args: str(args[0]),
)
