"""What the checks know of a wrong answer that people give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transformer_course.checks.engine.reading import Answer

__all__ = ["Mistake"]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer.

    Attributes:
        id: short name, stable, used by tests and teachers.
        message: one or two sentences; `{facts}` are filled in.
        hint: the next thing to look at.
        edits: ways to make it, each a set of edits of the reference.
        matches: in place of edits, a look at the answers by case name.
        fails: in place of edits, names of cases that it gets wrong.
        raises: in place of edits, a pattern for the error, such as
            "TypeError: 'int' object is not iterable", that every wrong
            answer ends with. It must be telling: no typo may lead to it.
        on: name of the case to show; the first wrong one if empty.
    """

    id: str
    message: str
    hint: str
    edits: tuple[dict, ...] = ()
    matches: Callable[[dict[str, Answer]], bool] | None = None
    fails: tuple[str, ...] = ()
    raises: str = ""
    on: str = ""
