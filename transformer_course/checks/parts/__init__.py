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

from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.source import source_of
from transformer_course.checks.engine.verdict import (
    WRONG,
    Verdict,
)

__all__ = [
    "GETS_A_MASK",
    "MASKS",
    "PARTS",
    "build",
    "judged",
    "part",
    "was_right",
]

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
MASKS = 8  # the chapter, in which Exercise 8.4 comes back to two parts:
_BEFORE_MASKS = {  # what is asked up to here, and the two hints
    "scaled_dot_product_attention": (
        " From chapter 8 on",
        "Write the shape after every line. Scores and weights are "
        "(..., n_q, n_k), and the result is (..., n_q, d_v).",
        "Axes are counted from the end: `key` is transposed along its last "
        "two, the root is that of the last axis of `query`, softmax runs along "
        "the last axis of the scores.",
    ),
    "MultiHeadAttention": (
        " A mask,",
        "Write the shape after every line as a comment. (B, n, d_model) "
        "becomes (B, n_heads, n, d_k) in two steps, and comes back in two.",
        "To `scaled_dot_product_attention` all axes before the last two are a "
        "pile of matrices. Which two axes have to be the last ones when you "
        "call it?",
    ),
}
GETS_A_MASK = tuple(_BEFORE_MASKS)
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
    from transformer_course.checks.engine.judge import judge

    verdict = judge(part(name).EXERCISE, answer)
    if verdict.ok or name not in _BEFORE_MASKS or chapter >= MASKS:
        return verdict
    return judge(_without_masks(name), answer)


@cache
def _without_masks(name: str) -> Exercise:
    """The exercise of a part as it is before it gets its mask."""
    exercise, (asked, *hints) = part(name).EXERCISE, _BEFORE_MASKS[name]
    cases = tuple(c for c in exercise.cases if not _has_mask(c.args))
    names = {"", *(case.name for case in cases)}
    known = tuple(m for m in exercise.mistakes if {*m.fails, m.on} <= names)
    return replace(
        exercise,
        cases=cases,
        catalogue=known,
        asked=exercise.asked.partition(asked)[0]
        + " Here `mask` is None; Exercise 8.4 comes back to it.",
        praise="Without a mask, values and gradients agree with the reference. "
        "Exercise 8.4 comes back to this part: there it gets its mask.",
        hints=tuple(hints),
    )


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
