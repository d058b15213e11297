"""A student's notebook with the book's answer in place of an earlier one.

An answer that calls another one, which is wrong, is wrong by that alone. It
is tried once more with what the book has there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from transformer_course.grading.reading.exercises import Asked, exercise_of
from transformer_course.grading.reading.program import parsed
from transformer_course.grading.reading.recognizing import defines
from transformer_course.grading.reading.submissions import Copy

__all__ = ["mended"]


def mended(
    copy: Copy, asked: Asked, wrong: Sequence[Asked]
) -> tuple[Copy, list[Asked]]:
    """Put the book's answers into a notebook.

    Args:
        copy: the student's.
        asked: the exercise that is judged.
        wrong: earlier ones whose answers are wrong.

    Returns:
        The copy with the book's answers below those that the answer names,
        and which these are.
    """
    texts = list(copy.texts)
    here = [n for n in copy.own if defines(texts[n], asked.given)]
    said = "\n".join(texts[n] for n in here)
    used = []
    for one in wrong:
        exercise = exercise_of(one.name)
        named = re.search(rf"\b{re.escape(one.given)}\b", said)
        places = [n for n in copy.own if defines(texts[n], one.given)]
        if exercise is None or not named or not places:
            continue
        thing = exercise.solve.thing
        books = (
            f"from {thing.__module__} import {thing.__name__} as {one.given}"
        )
        for place in places:
            texts[place] = f"{_running(texts[place])}\n{books}"
        used.append(one)
    return replace(copy, texts=tuple(texts)), used


def _running(text: str) -> str:
    """A cell, or nothing of it where it is no Python."""
    try:
        parsed(text)
    except Exception:  # too deep, too long, no Python
        return ""
    return text
