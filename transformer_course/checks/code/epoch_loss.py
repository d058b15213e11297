"""The exercise `epoch_loss(losses, masks)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import ARRAY, number, show
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "epoch_loss"]


def epoch_loss(function: Any) -> Verdict:
    """Check a function `epoch_loss(losses, masks)`: the loss per token.

    The sum of the losses of all real tokens of all batches, divided once by
    the number of these tokens.

    Args:
        function: takes two lists with an array (B, T) for each batch, B and
            T different from batch to batch: the loss at each place, and
            True where a real token stands; returns one number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: the chapter on the loss (chapter 12).
    """
    return judge(EXERCISE, function)


def solution(losses, masks):
    total = 0
    tokens = 0
    for loss, mask in zip(losses, masks, strict=True):
        total += (loss * mask).sum()
        tokens += mask.sum()
    average = total / tokens
    return average


def mean(loss, mask, axis=None):
    return (loss * mask).sum(axis) / mask.sum(axis)


def _batch(seed, *lengths):
    """Losses with one decimal, also where padding stands, and the mask."""
    size = len(lengths), max(lengths)
    losses = np.random.default_rng(seed).integers(1, 60, size=size) / 10
    return losses, np.arange(size[1]) < np.array(lengths)[:, None]


def _case(name, *batches, basic=True):
    losses, masks = zip(*batches, strict=True)
    return Case(name, (list(losses), list(masks)), basic)


CASES = (
    _case("two batches", _batch(1, 2, 4), _batch(2, 5, 1, 3)),
    _case("one batch", _batch(3, 1, 4, 2)),
    _case("three batches", _batch(4, 6), _batch(5, 2, 2, 1), _batch(6, 3, 7)),
    _case("no padding", _batch(7, 3, 3), _batch(8, 2), _batch(9, 4, 4, 4)),
    _case(
        "a loss of zero",
        (np.array([[0.0, 2.0], [1.5, 3.0]]), np.array([[1, 1], [1, 0]]) > 0),
        _batch(10, 3, 1),
    ),
    _case(
        "a batch of padding",
        _batch(11, 2, 3),
        (np.array([[4.0, 1.0]]), np.zeros((1, 2), bool)),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    losses, masks = case.args
    tokens = sum(int(mask.sum()) for mask in masks)
    return first_difference(want, got) | {
        "tokens": tokens,
        "cells": sum(mask.size for mask in masks),
        "batches": len(masks),
        "sentences": sum(map(len, masks)),
        "total": number(tokens * float(want)),
    }


def _turned(args: tuple) -> tuple:
    losses, masks = args
    return losses[::-1], masks[::-1]


def _other_padding(args: tuple) -> tuple:
    losses, masks = args
    pairs = zip(losses, masks, strict=True)
    return [np.where(m, a, 50.0) for a, m in pairs], masks


def _show(args: tuple) -> str:
    losses, masks = args
    lines = []
    for i, (a, m) in enumerate(zip(losses, masks, strict=True)):
        lines += [show(a, f"losses[{i}] = "), show(m, f"masks[{i}]  = ")]
    return "\n".join(lines) + "\n(1 is True: a real token)"


def _stumbles(answers: dict) -> bool:
    answer = answers["a batch of padding"]
    return answer.kind != ARRAY or answer.broken


BATCH_OF_PADDING = Mistake(
    "batch_of_padding",
    "A batch that holds nothing but padding makes your function stumble: "
    "0 divided by 0. With sums and one division at the end it costs "
    "nothing.",
    "Which division happens once a batch?",
    matches=_stumbles,
    on="a batch of padding",
)


EXERCISE = Exercise(
    name="epoch_loss",
    inputs=("losses", "masks"),
    asked="`epoch_loss(losses, masks)` gets two lists with an array for each "
    "batch: the loss at each place, and True where a real token stands. It "
    "returns the loss per real token over all batches: one number.",
    praise="Your number agrees with the reference, however the sentences are "
    "cut into batches and whatever stands where the padding is.",
    cases=CASES,
    draw=lambda seed: _case(
        "one more", _batch(seed, 3, 1), _batch(seed + 1, 2, 5, 4)
    ),
    solve=Reference(solution),
    properties=(
        shape,
        finite,
        unmoved_by(
            _other_padding,
            lambda got, args: got,
            "The first thing that breaks: what stands at a place of padding "
            "must not matter, and it changes your number.",
        ),
        unmoved_by(
            _turned,
            lambda got, args: got,
            "The first thing that breaks: the order of the batches must not "
            "matter, and it changes your number.",
        ),
    ),
    hints=(
        "Two running numbers are enough: how much surprise there was so far, "
        "and over how many real tokens.",
        "Inside the loop over the batches nothing is divided. Multiplied by "
        "a mask, padding counts 0, and a mask adds up to the number of its "
        "True places.",
    ),
    made_here=(BATCH_OF_PADDING,),
    facts=_facts,
    show_inputs=_show,
    on_the_way={
        "total": "the total of the losses",
        "tokens": "the number of real tokens",
    },
)
