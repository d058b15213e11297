"""What can be said of a part of the reader's Transformer before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from torch import nn

from transformer_lib.course.checks.engine.class_answer import look_at_class
from transformer_lib.course.checks.engine.exercise import Exercise
from transformer_lib.course.checks.engine.foreign import (
    inputs_of,
    is_class,
    safely,
    takes,
)
from transformer_lib.course.checks.engine.preconditions import Precondition

__all__ = ["look_at_module", "module_code"]


def look_at_module(
    *inputs: str,
) -> Callable[[Any, Exercise], Precondition | None]:
    """Return a first look at a class of modules.

    Args:
        inputs: of `forward`, in order.
    """

    def look(made: Any, exercise: Exercise) -> Precondition | None:
        said = look_at_class(made, exercise)
        if said is not None:
            return said
        if not is_class(made):
            return Precondition(
                f"A class is wanted: `class {exercise.name}(nn.Module)`.",
                "not_a_class",
                "A module has weights that it keeps; a function has none.",
            )
        if not safely(lambda: issubclass(made, nn.Module), False):
            return Precondition(
                f"Your class is no module of PyTorch: write "
                f"`class {exercise.name}(nn.Module)`, and begin `__init__` "
                "with `super().__init__()`.",
                "not_a_module",
                "Only a module knows its weights, can be trained and saved.",
            )
        return _first_lines(made, exercise, inputs)

    return look


def _first_lines(
    made: type, exercise: Exercise, inputs: tuple[str, ...]
) -> Precondition | None:
    if "forward" not in dir(made) or made.forward is nn.Module.forward:
        called = ""
        if "__call__" in vars(made):
            called = " You wrote `__call__`; PyTorch has its own, which calls "
            called += "`forward`."
        return Precondition(
            f"The class has no method `forward`.{called}",
            "no_forward",
            f"Its second method is `forward(self, {', '.join(inputs)})`.",
        )
    name, sizes = exercise.name, exercise.inputs
    for thing, given, call in (
        (made, sizes, f"{name}({', '.join(sizes)})"),
        (made.forward, ("self", *inputs), f"forward({', '.join(inputs)})"),
    ):
        if not takes(thing, given):
            return Precondition(
                f"The check calls `{call}`, but yours takes other inputs: "
                f"{inputs_of(thing)}. Change its first line.",
                "signature",
                "The names may be others; the number and the order count.",
            )
    return None


def module_code(made: Any) -> Any:
    """Return the method whose lines a message may show."""
    for name in ("forward", "__init__"):
        method = vars(made).get(name) if is_class(made) else None
        if inspect.isfunction(method):
            return method
    return made
