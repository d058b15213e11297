"""Judge answers, import what cells need; print each file that this opens.

    python course_opened.py < imports

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


def answers(name: str) -> Iterator[Any]:
    """Yield answers to an exercise: the right one first, then wrong ones."""
    on_paper = import_module("transformer_course.checks.paper")
    if name in on_paper.exercises():
        paper = on_paper.paper_of(name)
        yield paper.answer.tolist()
        yield paper.misconceptions[0].value.tolist()
    else:
        module = import_module(f"transformer_course.checks.code.{name}")
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
    import_module("page_cell")
    for line in sys.stdin:
        with contextlib.suppress(ImportError):
            exec(line, {})
    checks.answered(..., like=1)
    for name in sorted(set(checks.__all__) - checks.TOOLS.keys()):
        check = getattr(checks, name)
        with contextlib.redirect_stdout(io.StringIO()):
            right, *others = [check(answer) for answer in answers(name)]
            for verdict in (right, *others):
                verdict._repr_html_()
        if not right.ok:
            raise SystemExit(f"{name} refuses the right answer: {right!r}")
    print(*sorted(OPENED), sep="\n")


if __name__ == "__main__":
    main()
