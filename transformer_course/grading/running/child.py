"""A process that runs the code of one student and answers the grader.

Requests come in at standard input, and replies go out where standard output
was, a line of plain data each. What the student's code prints goes nowhere.
"""

from __future__ import annotations

import os
from dataclasses import asdict, fields
from fractions import Fraction
from importlib import import_module
from typing import Any

from transformer_course.checks.engine.foreign import safely
from transformer_course.checks.engine.reading import read
from transformer_course.checks.engine.submission import Submission
from transformer_course.grading.reading.exercises import exercise_of
from transformer_course.grading.reading.old_names import accept
from transformer_course.grading.running.notebook import Notebook
from transformer_course.grading.running.wire import from_line, to_line

__all__ = ["Student", "main"]


class Student:
    """What the grader can ask for, a method each; `start` comes first."""

    def __init__(self, sandbox: list[str]):
        self.sandbox = sandbox

    def start(self, exercises: list[str]) -> list[str]:
        """Load what is needed, while nothing foreign has run."""
        self.exercises = {name: exercise_of(name) for name in exercises}
        return self.sandbox

    def find(
        self,
        texts: list[str],
        own: list[int],
        seconds: float,
        name: str,
        given: str,
        kept: list[int],
        first: int = 0,
        modules: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Make an answer; one on paper travels at once."""
        notebook = Notebook(texts, own, seconds, first, modules or {})
        found = notebook.find(name, given, kept)
        value, exercise = None, self.exercises[name]
        if exercise is None:
            other = {"callable": False, "type": "object"}
            value = safely(lambda: plain(found.value), other)
        else:
            self.submission = Submission(exercise, found.value)
        said = {"state": found.state, "error": found.error, "value": value}
        return said | {"lacks": found.lacks}

    def look(self) -> dict[str, Any] | None:
        """Say what can be said before the answer is called."""
        said = self.submission.precondition()
        return None if said is None else asdict(said)

    def run(self, args: tuple, seconds: float) -> dict[str, Any]:
        """Call the answer."""
        answer = self.submission.run(args, seconds)
        return {f.name: getattr(answer, f.name) for f in fields(answer)}

    def varies(self, args: tuple, seconds: float) -> str:
        """Say whether the answer gives other numbers in another call."""
        return self.submission.varies(args, seconds)

    def steps(self, args: tuple, seconds: float) -> list[dict[str, Any]]:
        """Say what was heard of the answer on its way."""
        heard = self.submission.steps(args, seconds)
        return [{f.name: getattr(s, f.name) for f in fields(s)} for s in heard]

    def example(self, mistake: str) -> dict[str, str] | None:
        """Show the answer in words."""
        example = self.submission.example(mistake)
        return None if example is None else asdict(example)

    def does_nothing(self) -> bool:
        """Say whether the answer's body is empty."""
        return self.submission.does_nothing()


def plain(value: Any) -> Any:
    """Numbers of any kind as plain ones; of anything else the type's name."""
    if value is None or value is ... or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, list):
        return list(map(plain, value))
    array = read(value).array
    if array is not None:
        return array
    return {"callable": callable(value), "type": type(value).__name__}


def main(sandbox: list[str], first: list[str]) -> None:
    """Answer requests until there are no more.

    Args:
        sandbox: what this process is confined by.
        first: modules to import before the first request.
    """
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in (0, 1, 2):
        os.dup2(nowhere, place)
    accept()
    for name in first:
        import_module(name)
    student = Student(sandbox)
    for line in requests:
        number, what, given = from_line(line)
        reply = getattr(student, what)(**given)
        data = to_line((number, reply))
        while data:
            data = data[os.write(replies, data) :]
