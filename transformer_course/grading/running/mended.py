"""A student's notebook with the book's answer in place of an earlier one.

An answer that calls another one, which is wrong or missing, is wrong by that
alone. It is tried once more with what the book has there.
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
    copy: Copy, asked: Asked, others: Sequence[Asked]
) -> tuple[Copy, list[Asked]]:
    """Put the book's answers into a notebook.

    Args:
        copy: the student's.
        asked: the exercise that is judged.
        others: exercises whose answers are wrong, or not there.

    Returns:
        The copy with the book's answers below those that the student's cells
        name, and which these are.
    """
    texts = list(copy.texts)
    used = []
    for one in others:
        exercise = exercise_of(one.name)
        places = [
            n
            for n in range(copy.first, len(copy.texts))
            if defines(copy.texts[n], one.given)
        ]
        places = sorted({*places, *copy.cells_for(one)})
        word = re.compile(rf"\b{re.escape(one.given)}\b")
        said = [
            copy.texts[n]
            for n in copy.own
            if n not in places or defines(copy.texts[n], asked.given)
        ]
        if exercise is None or not any(map(word.search, said)):
            continue
        thing = exercise.solve.thing
        books = (
            f"from {thing.__module__} import {thing.__name__} as {one.given}"
        )
        for place in places:
            texts[place] = f"{_running(texts[place])}\n{books}"
        if not places:
            texts.append(books)
        used.append(one)
    return replace(copy, texts=tuple(texts)), used


def _running(text: str) -> str:
    """A cell, or nothing of it where it is no Python."""
    try:
        parsed(text)
    except Exception:  # too deep, too long, no Python
        return ""
    return text
