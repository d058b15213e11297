"""An answer that lives in another process, as the judge sees it.

The judge, its inputs and its right answers are here; over there the answer is
looked at and called. What comes back is checked: numbers are compared with the
right ones, texts are shown as texts, and how exact numbers have to be is
decided here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.preconditions import Precondition
from transformer_course.checks.engine.reading import (
    ARRAY,
    ELLIPSIS,
    HALF_TOLERANCES,
    LARGEST,
    NOTHING,
    OUT_OF_TIME,
    RAISED,
    TOLERANCE,
    UNREADABLE,
    Answer,
    show,
)
from transformer_course.checks.engine.steps import (
    CALL,
    MOST,
    NAMED,
    SHARED,
    UNUSED,
    Step,
)
from transformer_course.checks.engine.submission import (
    RANDOM,
    UNLIKE,
    Submission,
)
from transformer_course.checks.engine.verdict import Example
from transformer_course.grading.running.process import Process
from transformer_course.grading.running.reasons import Lost

__all__ = ["HandedIn", "without_places"]

_KINDS = (ARRAY, ELLIPSIS, NOTHING, OUT_OF_TIME, RAISED, UNREADABLE)
_BOOK = Path(__file__).resolve().parents[3]
_PLACES = sorted(
    {sys.prefix, sys.base_prefix, str(_BOOK), str(Path.home())} - {"/", "/usr"},
    key=len,
    reverse=True,
)
_LONG, _SHORT = 4000, 80  # characters
_NAME = re.compile(r"([^\W\d]\w{0,40}(\[\w{1,40}\])?)?")  # of a step


class HandedIn(Submission):
    """An answer in a student's process.

    Args:
        exercise: what is asked.
        process: where the answer has been made.

    Attributes:
        lost: why the process is of no use any more; None while it is.
    """

    def __init__(self, exercise: Exercise, process: Process):
        super().__init__(exercise, None)
        self.process = process
        self.lost: Lost | None = None

    def precondition(self) -> Precondition | None:
        """Return what the answer breaks before it is run, or None."""
        said = self._ask("look")
        if not isinstance(said, dict):
            return None
        return Precondition(
            _text(said.get("message", ""), _LONG),
            _name(said.get("id", "")),
            _text(said.get("hint", ""), _LONG),
            said.get("attempted") is not False,
        )

    def run(self, args: tuple, seconds: float) -> Answer:
        """Run the answer on copies of the inputs, for a limited time.

        Args:
            args: the inputs of a case, or others of the same form.
            seconds: the limit.
        """
        said = self._ask("run", args=args, seconds=seconds)
        if self.lost is not None:
            return Answer(OUT_OF_TIME, text="no answer", seconds=seconds)
        try:
            answer = _answer(said, self.exercise.handed_over)
        except (AttributeError, TypeError, ValueError, OverflowError):
            answer = Answer(UNREADABLE, text="something that cannot be read")
        return answer

    def varies(self, args: tuple, seconds: float) -> str:
        """Tell whether two calls with the same input give the same numbers.

        Args:
            args: the inputs of a case.
            seconds: the limit.
        """
        said = self._ask("varies", args=args, seconds=seconds)
        return said if said in (RANDOM, UNLIKE) else ""

    def steps(self, args: tuple, seconds: float) -> list[Step]:
        """Listen to the answer on its way to the result.

        Args:
            args: the inputs of a case.
            seconds: the limit.

        Returns:
            The steps, in order; none if one is of another form.
        """
        said = self._ask("steps", args=args, seconds=seconds)
        try:
            return [_step(**one) for one in said][:MOST]
        except (TypeError, ValueError):
            return []

    def example(self, mistake: str) -> Example | None:
        """Show the answer as the exercise does; None if that fails.

        Args:
            mistake: what it was recognized as, or "".
        """
        said = self._ask("example", mistake=mistake)
        match said:
            case {
                "given": str(given),
                "expected": str(expected),
                "received": str(received),
            }:
                texts = given, expected, received
                return Example(*(_text(text, _LONG) for text in texts))
        return None

    def does_nothing(self) -> bool:
        """Tell whether the body holds no instruction that computes."""
        return self._ask("does_nothing") is True

    def _ask(self, what: str, **given: Any) -> Any:
        if self.lost is not None:
            return None
        try:
            return self.process.ask(what, **given)
        except Lost as lost:
            self.lost = lost
            return None


def _answer(said: dict[str, Any], inputs: tuple[str, ...]) -> Answer:
    """An answer of the forms that the judge knows, and of no other.

    Raises:
        TypeError, ValueError: it is of another form.
    """
    if said["kind"] not in _KINDS:
        raise ValueError
    array, text = None, _text(said["text"], _LONG)
    if said["kind"] == ARRAY:
        array = np.array(said["array"], dtype=np.float64)
        if array.size > LARGEST:
            raise ValueError
        text = show(array)
    tolerance = float(said["tolerance"])
    is_half = tolerance in HALF_TOLERANCES.values()
    return Answer(
        said["kind"],
        array=array,
        text=text,
        error=_text(said["error"], _SHORT),
        groups=tuple(_text(name, _SHORT) for name in said["groups"]),
        place=_text(said["place"], _LONG),
        own_raise=said["own_raise"] is True,
        cause=_text(said["cause"], _LONG),
        changed=tuple(name for name in inputs if name in said["changed"]),
        printed=_text(said["printed"], _LONG),
        seconds=min(max(float(said["seconds"]), 0.0), 60.0),
        tolerance=tolerance if is_half else TOLERANCE,
    )


def _step(
    kind: str, name: str, inputs: tuple, result: Any, given: tuple
) -> Step:
    """A step of the form that the judge knows.

    Raises:
        TypeError, ValueError: it is of another form.
    """
    plain = [x for x in inputs if x is not None and x is not ...]
    plain += [] if result is None else [result]
    kinds = (CALL, NAMED, SHARED, UNUSED)
    if kind not in kinds or not all(map(_NAME.fullmatch, (name, *given))):
        raise ValueError
    if not all(isinstance(x, np.ndarray) and x.size <= LARGEST for x in plain):
        raise TypeError("arrays are wanted")
    return Step(kind, name, tuple(inputs), result, tuple(given))


def _name(value: Any) -> str:
    """The name of a mistake; nothing that a table would take for more."""
    known = isinstance(value, str) and value.isidentifier()
    return value[:_SHORT] if known else "unnamed"


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is wanted")
    return without_places(value[:most])


def without_places(text: str) -> str:
    """Take out of a student's text where things lie on this computer.

    Args:
        text: of the student's process.

    Returns:
        The text with dots in place of the folders of Python, of the book and
        of the user.
    """
    for place in _PLACES:
        text = text.replace(place, "...")
    return text
