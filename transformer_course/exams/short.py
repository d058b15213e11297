"""Short questions: is this sentence of a source right, and why?"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course.grading.reading.exercises import chapter_file

__all__ = ["Question", "short_questions"]

_JUDGED = ("right", "incomplete", "imprecise", "wrong")
_FEWEST_WORDS = 8  # fewer need the page around them


@dataclass(frozen=True)
class Question:
    """A sentence to be judged.

    Attributes:
        text: the sentence, and what is asked.
        answer: the verdict of the book, and the better sentence.
        minutes: that it takes.
    """

    text: str
    answer: str
    minutes: int = 2


def short_questions(
    chapters: Sequence[int],
    count: int,
    seed: int | None = None,
    folder: Path | None = None,
) -> list[Question]:
    """Choose sentences that the book examines (book/claims.toml).

    Args:
        chapters: that they belong to.
        count: how many.
        seed: chooses among them; if None, the first are taken.
        folder: that holds the lessons; if None, that of the book.

    Raises:
        ValueError: the chapters do not have as many.
    """
    if not count:
        return []
    book = chapter_file(chapters[0], folder).parents[1]
    text = (book / "book" / "claims.toml").read_text(encoding="utf-8")
    known = [
        claim
        for claim in tomllib.loads(text)["claim"]
        if claim["chapter"] in chapters
        and claim["verdict"] in _JUDGED
        and _stands_alone(claim.get("translation", ""))
    ]
    if len(known) < count:
        raise ValueError(
            f"{count} short questions are wanted, and the chapters have "
            f"{len(known)}"
        )
    if seed is not None:
        random.Random(seed).shuffle(known)
    return [_question(claim) for claim in known[:count]]


def _stands_alone(sentence: str) -> bool:
    words = sentence.split()
    return (
        "[" not in sentence
        and len(words) >= _FEWEST_WORDS
        and words[-1].endswith(".")
    )


def _question(claim: dict[str, str]) -> Question:
    sentence, better = (
        re.sub(r"\s+", " ", claim[key]).strip()
        for key in ("translation", "better")
    )
    return Question(
        f"> {sentence}\n\nIs this right, wrong, or right only in part? Give "
        "the reason in one sentence.",
        f"*{claim['verdict'].capitalize()}.* {better}",
    )
