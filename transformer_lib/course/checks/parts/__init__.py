"""The parts of the reader's own Transformer, and the check of each.

A part is a file of this folder; its name is that of the class or function.
"""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Exercise
from transformer_lib.course.checks.engine.source import source_of
from transformer_lib.course.checks.engine.verdict import (
    WRONG,
    Verdict,
)

__all__ = ["MASKS", "PARTS", "build", "judged", "part", "was_right"]

PARTS = {  # name: (number, chapter), in the order of the reader's file
    "scaled_dot_product_attention": (1, 4),
    "LayerNorm": (2, 6),
    "MultiHeadAttention": (3, 7),
    "padding_mask": (4, 8),
    "causal_mask": (4, 8),
    "PositionalEncoding": (5, 9),
    "FeedForward": (6, 10),
    "TokenEmbedding": (6, 10),
    "EncoderLayer": (7, 11),
    "DecoderLayer": (7, 11),
    "Transformer": (7, 11),
    "label_smoothing_loss": (8, 12),
    "learning_rate": (9, 13),
    "train_step": (9, 13),
    "greedy_decode": (10, 14),
}
MASKS = 8  # the chapter
_right: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


def part(name: str) -> ModuleType:
    """Return the module of a part.

    Raises:
        LookupError: there is no part of this name.
    """
    if name not in PARTS:
        raise LookupError(
            f"{name!r} is no part of the Transformer; the parts are "
            f"{', '.join(PARTS)}"
        )
    return import_module(f"{__name__}.{name}")


def build(thing: Any, chapter: int = 0) -> Verdict:
    """Check a part of your own Transformer, a class or a function.

    Args:
        thing: the part, under its own name: `build(MultiHeadAttention)`.
        chapter: from chapter 8 on, a part of an earlier chapter has to do
            what its mask says.

    Returns:
        The verdict; no exception, no output, 20 seconds at the most.
    """
    name = getattr(thing, "__name__", type(thing).__name__)
    if name not in PARTS:
        return Verdict(
            WRONG,
            "build",
            "`build` checks a part of your Transformer under its own name.",
            f"`{str(name)[:60]}` is not one of the parts: {', '.join(PARTS)}. "
            "Pass the class or the function itself.",
            mistake="no_part",
            hints=("Write `checks.build(NAME)` with the name after `class` or "
                   "`def`.", "Which of the names above does your cell define?"),
        )  # fmt: skip
    verdict = judged(name, thing, chapter)
    if verdict.ok:
        _right[thing] = source_of(thing)
    return verdict


def judged(name: str, answer: Any, chapter: int = 0) -> Verdict:
    """Judge an answer to a part.

    Args:
        name: of the part.
        answer: the class or function, or a `Submission`.
        chapter: as for `build`.

    Returns:
        The verdict.
    """
    from transformer_lib.course.checks.engine.judge import judge

    verdict = judge(part(name).EXERCISE, answer)
    if not verdict.ok and max(chapter, PARTS[name][1]) < MASKS:
        verdict = judge(_without_masks(name), answer)
        if verdict.ok:
            praise = (
                "Without a mask, values and gradients agree with the "
                f"reference. What a mask does is asked for in chapter {MASKS}."
            )
            verdict = replace(verdict, message=praise)
    return verdict


@cache
def _without_masks(name: str) -> Exercise:
    """The exercise of a part without the cases that have a mask."""
    exercise = part(name).EXERCISE
    cases = tuple(c for c in exercise.cases if not _has_mask(c.args))
    names = {case.name for case in cases}
    known = tuple(m for m in exercise.mistakes if set(m.fails) <= names)
    return replace(exercise, cases=cases, catalogue=known)


def _has_mask(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_has_mask, value))
    return isinstance(value, np.ndarray) and value.dtype == bool


def was_right(thing: Any) -> str | None:
    """Return the source of what `build` called right, or None."""
    try:
        return _right.get(thing)
    except TypeError:  # a number, a list: nothing that can be a part
        return None
