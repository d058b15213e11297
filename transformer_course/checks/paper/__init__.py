"""Exercises on paper: NAME.txt says what is wanted, and misconceptions.

NAME.py stands beside it only where a formula needs a function of its own, or
where answers are compared in a way of their own: `__all__` names the functions,
and `KIND` is the class in place of `Paper`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from transformer_course.checks.engine.paper import Paper
from transformer_course.checks.engine.sealed import modules, texts
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["check_of", "exercises", "paper_of"]

FOLDER = Path(__file__).parent


def exercises() -> list[str]:
    """Return the names of all exercises on paper, in order."""
    return texts(FOLDER)


@cache
def paper_of(name: str) -> Paper:
    """Return what the check of an exercise knows.

    Args:
        name: of the exercise.

    Raises:
        OSError: there is no such exercise.
        CatalogueError: its text cannot be read.
    """
    kind, functions = Paper, []
    if name in modules(FOLDER):
        module = import_module(f"{__name__}.{name}")
        kind = getattr(module, "KIND", Paper)
        functions = [getattr(module, each) for each in module.__all__]
    return kind.read(FOLDER / f"{name}.txt", *functions)


def check_of(name: str) -> Callable[[Any], Verdict]:
    """Return the check of an exercise.

    Args:
        name: of the exercise.

    Raises:
        OSError: there is no such exercise.
        CatalogueError: its text cannot be read.
    """
    paper = paper_of(name)

    def check(value: Any) -> Verdict:
        return paper.judge(value)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = paper.help
    return check
