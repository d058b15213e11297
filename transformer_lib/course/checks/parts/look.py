"""What can be said of a part of the reader's Transformer before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
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
from transformer_lib.course.checks.engine.preconditions import (
    Precondition,
    without_self,
)

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
        said = _first_lines(made, exercise, inputs)
        return said or safely(lambda: _plain_list(made, exercise), None)

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
            method = made.__init__ if thing is made else thing
            named = given if thing is made else inputs
            missing = without_self(method, named)
            return Precondition(
                missing
                or f"The check calls `{call}`, but yours takes other inputs: "
                f"{inputs_of(thing)}. Change its first line.",
                "signature",
                "The names may be others; the number and the order count.",
            )
    return None


_OWN = set(vars(nn.Module()))  # attributes that every module has


def _plain_list(made: type, exercise: Exercise) -> Precondition | None:
    """Weights in a list that PyTorch does not look into."""
    sizes = exercise.cases[0].args[exercise.handed_over.index("sizes")]
    module = made(*sizes)
    known = {id(weight) for weight in module.parameters()}
    for owner in module.modules():
        for name, value in vars(owner).items():
            found = _weights_in(value) if name not in _OWN else ()
            for kind, weight in found:
                if id(weight) not in known:
                    return _said_of_a_list(name, value, kind)
    return None


def _weights_in(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Weights in lists, tuples and dictionaries: in a layer, or themselves."""
    if isinstance(value, nn.Parameter) and depth:
        yield "Parameter", value
    elif isinstance(value, nn.Module) and depth:
        yield from (("Module", weight) for weight in value.parameters())
    elif isinstance(value, (list, tuple, dict)) and depth < 3:
        inside = value.values() if isinstance(value, dict) else value
        for one in inside:
            yield from _weights_in(one, depth + 1)


def _said_of_a_list(name: str, value: Any, kind: str) -> Precondition:
    form = "Dict" if isinstance(value, dict) else "List"
    what = {"Module": "layers", "Parameter": "parameters"}[kind]
    return Precondition(
        f"`self.{name}` is a plain {type(value).__name__}, and PyTorch does "
        f"not look into it: the {what} in it are missing from `parameters()` "
        "and `state_dict()`, so they are not trained, not saved, and do not "
        "change their type or device with the module. Make each an attribute "
        f"of its own, or keep them in an `nn.{kind}{form}`.",
        "plain_list",
        "Which names are asked for? Print the keys of your module's "
        "`state_dict()` before and after you have mended it.",
    )


def module_code(made: Any) -> Any:
    """Return the method whose lines a message may show."""
    for name in ("forward", "__init__"):
        method = vars(made).get(name) if is_class(made) else None
        if inspect.isfunction(method):
            return method
    return made
