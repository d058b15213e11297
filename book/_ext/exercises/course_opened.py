"""Judge an answer to every exercise; print each file that this opens.

    python course_opened.py

A program of its own, run by course_zip.py where torch cannot be loaded: a
browser has none. An audit hook hears of every file, a module as well as a
catalogue of texts or a table of words. Compiled modules are kept elsewhere by
the caller, so that it is the source that is opened.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

sys.modules["torch"] = None  # type: ignore[assignment]
OPENED: set[str] = set()


def listen(event: str, arguments: tuple) -> None:
    """Note what is opened (called by Python)."""
    if event == "open" and isinstance(arguments[0], str):
        OPENED.add(arguments[0])


def answers(home: str) -> Iterator[Any]:
    """Yield answers to an exercise: the right one first, then wrong ones.

    Args:
        home: the full name of the module that holds the exercise.
    """
    module = import_module(home)
    if ".paper." in home:
        yield module.PAPER.answer.tolist()
        yield module.PAPER.misconceptions[0].value.tolist()
    else:
        exercise = module.EXERCISE
        yield exercise.variant({})
        wrong = next(one for one in exercise.mistakes if one.edits)
        yield exercise.variant(wrong.edits[0])
    yield ...


def main() -> None:
    """Judge, then print what was opened.

    Raises:
        SystemExit: a right answer was refused.
    """
    sys.addaudithook(listen)
    checks = import_module("transformer_course.checks")
    import_module("page_answer")
    for home in sorted(checks.homes()):
        if home.split(".")[-2] not in ("code", "paper"):
            continue
        check = getattr(checks, home.rpartition(".")[2])
        with contextlib.redirect_stdout(io.StringIO()):
            right, *others = [check(answer) for answer in answers(home)]
            for verdict in (right, *others):
                verdict._repr_html_()
        if not right.ok:
            raise SystemExit(f"{home} refuses the right answer: {right!r}")
    print(*sorted(OPENED), sep="\n")


if __name__ == "__main__":
    main()
