"""Say what an error means: look for it in the tables of known errors."""

from __future__ import annotations

import re
from types import TracebackType

from transformer_course.checks.errors.line import Line
from transformer_course.checks.errors.modules import (
    made_from_a_tensor,
    of_a_module,
)
from transformer_course.checks.errors.names import of_a_name, of_an_attribute
from transformer_course.checks.errors.table_shapes import SHAPES
from transformer_course.checks.errors.table_values import VALUES

__all__ = ["cause_of"]

_KNOWN = (*SHAPES, *VALUES)
_LONGEST = 1000  # characters of an error that are read


def cause_of(error: BaseException, step: TracebackType | None) -> str:
    """Say what an error means; for use under guard.

    Args:
        error: that ended the student's program.
        step: the student's own line in its traceback, None if there is none.

    Returns:
        Sentences; empty if nothing is certain.
    """
    if isinstance(error, RecursionError | MemoryError):
        return ""  # too many frames to walk along
    line = Line(error, step)
    made = made_from_a_tensor(error.__traceback__)
    if made:
        return of_a_module(made)
    if isinstance(error, NameError):
        return of_a_name(error, line)
    text = str(error)[:_LONGEST]
    for pattern, say in _KNOWN:
        found = re.search(pattern, text, re.DOTALL)
        if found:
            said = say(found, line) if callable(say) else found.expand(say)
            if said:
                return said
    if isinstance(error, AttributeError):
        return of_an_attribute(error, line)
    return ""
