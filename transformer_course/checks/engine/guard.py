"""Call a student's function so that nothing it does can hurt the notebook.

The function gets copies of its inputs and runs in a `box`: for a limited time,
and what it prints is caught, what it changes put back. What comes back is plain
data: an `Answer`.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import dis
import inspect
import linecache
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from transformer_course.checks.engine.box import contained, cut
from transformer_course.checks.engine.changes import changed_inputs
from transformer_course.checks.engine.foreign import (
    keyword_only,
    own_globals,
)
from transformer_course.checks.engine.reading import (
    OUT_OF_TIME,
    RAISED,
    UNREADABLE,
    Answer,
    read,
    shorten,
)
from transformer_course.checks.errors import cause_of, of_a_module

__all__ = ["SECONDS", "call", "call_by_position_or_name"]

SECONDS = 5.0


class _Call:
    """One call of foreign code and, when it is over, its answer."""

    def __init__(
        self,
        function: Any,
        args: tuple,
        names: Sequence[str],
        play: Callable | None,
        lines_of: Callable[[Any], Any],
    ):
        self.function, self.args, self.names = function, args, names
        self.play, self.lines_of = play, lines_of
        self.answer: Answer | None = None

    def run(self) -> None:
        """Call, read the result, notice changed inputs; never raise."""
        try:
            self.answer = self._outcome()
        except BaseException as error:  # also exit and recursion
            with contextlib.suppress(BaseException):
                self.answer = self._raised(error)

    def _outcome(self) -> Answer:
        own = copy.deepcopy(self.args)
        with np.errstate(all="ignore"):
            try:
                answer = _read(self._played(own))
            except BaseException as error:
                answer = self._raised(error)
        changed = changed_inputs(self.names, self.args, own)
        return dataclasses.replace(answer, changed=changed)

    def _played(self, own: tuple) -> Any:
        if self.play is not None:
            return self.play(self.function, *own)
        return call_by_position_or_name(self.function, own, self.names)

    def _raised(self, error: BaseException) -> Answer:
        try:
            return _raised(error, self.lines_of(self.function))
        except Exception:
            return _raised(error, self.function)


def call(
    function: Any,
    args: tuple,
    names: Sequence[str],
    seconds: float | None = None,
    play: Callable | None = None,
    lines_of: Callable[[Any], Any] = lambda function: function,
) -> Answer:
    """Call `function(*args)` under guard and return an `Answer`.

    Args:
        function: the student's function.
        args: the inputs; the function gets deep copies.
        names: the inputs' names, used for messages and keyword-only inputs.
        seconds: time limit of this call; SECONDS if None.
        play: how to drive an answer that is more than a function of the
            inputs: `play(function, *args)` is called in its place.
        lines_of: gives the function whose lines a message may show.

    Returns:
        The answer; kind OUT_OF_TIME if the limit passed.
    """
    limit = SECONDS if seconds is None else seconds
    one_call = _Call(function, args, names, play, lines_of)
    run = contained(one_call.run, limit)
    answer = one_call.answer
    if not run.finished:
        used = max(run.seconds, limit)
        answer = Answer(OUT_OF_TIME, text=f"no answer after {used:.2g} seconds")
    elif answer is None:
        answer = Answer(UNREADABLE, text="something that cannot be read")
    return dataclasses.replace(answer, printed=run.printed, seconds=run.seconds)


def call_by_position_or_name(
    function: Any, args: tuple, names: Sequence[str]
) -> Any:
    """Call by position, or by name where an input is keyword-only."""
    by_name = keyword_only(function) & set(names)
    split = min((names.index(name) for name in by_name), default=len(args))
    rest = dict(zip(names[split:], args[split:], strict=True))
    return function(*args[:split], **rest)


def _read(value: Any) -> Answer:
    """Read a result; of a module in its place, say what it is."""
    answer = read(value)
    if answer.kind != UNREADABLE:
        return answer
    return dataclasses.replace(answer, cause=of_a_module(type(value).__name__))


def _raised(error: BaseException, function: Any) -> Answer:
    """Keep an exception as text, without its frames."""
    step = _step(error, function)
    groups = tuple(base.__name__ for base in type(error).__mro__)
    try:
        text = str(error)
    except Exception:
        text = ""
    name = cut(str(type(error).__name__), 80)
    return Answer(
        RAISED,
        text=f"{name}: {shorten(text, 160)}" if text else name,
        error=name,
        groups=groups,
        place=_place(step),
        own_raise=_is_own_raise(error, function),
        cause=_cause(error, step),
    )


def _step(error: BaseException, function: Any) -> TracebackType | None:
    """The last step in the student's own file on the way to the error."""
    found = None
    with contextlib.suppress(Exception):
        home = inspect.unwrap(function).__code__.co_filename
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == home:
                found = step
            step = step.tb_next
    return found


def _place(step: TracebackType | None) -> str:
    """The line of a step."""
    if step is None:
        return ""
    home = step.tb_frame.f_code.co_filename
    return cut(linecache.getline(home, step.tb_lineno).strip(), 160)


def _cause(error: BaseException, step: TracebackType | None) -> str:
    """What the error means; an object in its way may misbehave."""
    with contextlib.suppress(BaseException):
        return cut(cause_of(error, step), 600)
    return ""


def _is_own_raise(error: BaseException, function: Any) -> bool:
    """True if the error comes from a `raise` in the student's own code."""
    with contextlib.suppress(Exception):
        last = _last(error.__traceback__)
        code = last.tb_frame.f_code.co_code
        by_raise = code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]
        return by_raise and last.tb_frame.f_globals is own_globals(function)
    return False


def _last(step: TracebackType) -> TracebackType:
    while step.tb_next is not None:
        step = step.tb_next
    return step
