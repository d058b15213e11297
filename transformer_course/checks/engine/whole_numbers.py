"""Whole numbers as input, which stop a program that works for decimals.

Most cases of an exercise give decimals. Where one gives whole numbers,
NumPy's and torch's types stay whole, and a division in place, minus infinity
or an exponential may be refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.matching import agree
from transformer_course.checks.engine.reading import RAISED, Answer

__all__ = ["in_short", "what_stops"]


def what_stops(
    exercise: Exercise,
    case: Case,
    got: Answer,
    call: Callable[[tuple], Answer],
) -> str:
    """Say that whole numbers stop the student's program.

    Args:
        exercise: what is asked.
        case: the case that ends with an error.
        got: the student's answer to it.
        call: calls the student's function.

    Returns:
        Sentences; empty if something else stops the program, which shows when
        it is called with the same numbers as decimals.
    """
    places = _whole(exercise, case)
    if got.kind != RAISED or not places:
        return ""
    again = call(
        tuple(
            _decimal(arg) if place in places else arg
            for place, arg in enumerate(case.args)
        )
    )
    if again.kind == RAISED:
        return ""
    right = agree(again, exercise.expected(case))
    works = "gives the right answer" if right else "does not stop"
    name = exercise.handed_over[places[0]]
    line = f", in the line `{got.place}`" if got.place else ""
    return (
        f"This input holds whole numbers (`{name}` has the dtype "
        f"{_dtype(case.args[places[0]])}), and your function stops with an "
        f"error{line}: {got.text.rstrip('.')}. With the same numbers as "
        f"decimals it {works}. Turn them into decimals first: "
        f"`{name} = {name}.astype(float)`, in torch "
        f"`torch.tensor({name}, dtype=torch.float64)`."
    )


def in_short(exercise: Exercise, case: Case, got: Answer) -> str:
    """Add that whole numbers stop a program that has a greater fault.

    Args:
        exercise: what is asked.
        case: one that `what_stops` has explained.
        got: the student's answer to it.

    Returns:
        A sentence.
    """
    name = exercise.handed_over[_whole(exercise, case)[0]]
    line = f", in the line `{got.place}`" if got.place else ""
    return (
        f"Where `{name}` holds whole numbers, your function even stops with "
        f"an error{line}: {got.text.rstrip('.')}."
    )


def _whole(exercise: Exercise, case: Case) -> list[int]:
    """Places of inputs that are whole here and decimal in another case."""
    return [
        place
        for place, arg in enumerate(case.args)
        if _kinds(arg) == {"i"}
        and any(_kinds(other.args[place]) == {"f"} for other in exercise.cases)
    ]


def _kinds(value: Any) -> set[str]:
    """The kinds of all arrays in a value: i for whole, f for decimal."""
    return {array.dtype.kind for array in _arrays(value)}


def _dtype(value: Any) -> str:
    return str(_arrays(value)[0].dtype)


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    return [array for part in _parts(value) for array in _arrays(part)]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value)
    if dataclasses.is_dataclass(value):
        return [getattr(value, f.name) for f in dataclasses.fields(value)]
    return []


def _decimal(value: Any) -> Any:
    """The same value, with arrays of decimals."""
    if isinstance(value, np.ndarray):
        return value.astype(float)
    if isinstance(value, list):
        return list(map(_decimal, value))
    if type(value) is tuple:
        return tuple(map(_decimal, value))
    if dataclasses.is_dataclass(value):
        fields = {
            f.name: _decimal(getattr(value, f.name))
            for f in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **fields)
    return value
