"""What can be said of a part of the reader's Transformer before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from transformer_course.checks.engine.class_answer import look_at_class
from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.foreign import (
    inputs_of,
    is_class,
    safely,
    takes,
)
from transformer_course.checks.engine.preconditions import (
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
        return said or safely(lambda: _fresh(made, exercise), None)

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


def _fresh(made: type, exercise: Exercise) -> Precondition | None:
    """What a module shows that was just made, before it is cast or called."""
    args = exercise.cases[0].args
    sizes = exercise.handed_over.index("sizes")
    module, inputs = made(*args[sizes]), args[sizes + 1 :]
    return _plain_list(module) or _type(module, inputs)


def _type(module: nn.Module, inputs: tuple) -> Precondition | None:
    """Weights of another type than those of PyTorch's layers."""
    named = list(module.named_parameters())
    if safely(lambda: _leads_to_another_type(module, inputs), False):
        named += module.named_buffers()
    usual = torch.get_default_dtype()
    for name, value in named:
        if value.is_floating_point() and value.dtype != usual:
            bits, wanted = (torch.finfo(t).bits for t in (value.dtype, usual))
            return Precondition(
                f"`{name}` is made with {bits} bits ({value.dtype}), and the "
                f"layers of PyTorch with {wanted} ({usual}). Where the two "
                f"meet in your Transformer, PyTorch stops. Make `{name}` with "
                f"`{usual}`, which is also what PyTorch takes if you give no "
                "`dtype`.",
                "made_with_other_bits",
                "Where do the bits come from: from a `dtype`, from "
                "`.double()`, or from an array of NumPy, which has 64?",
            )
    return None


def _leads_to_another_type(module: nn.Module, inputs: tuple) -> bool:
    """True if the usual type goes in and another one comes out."""
    usual = torch.get_default_dtype()
    given = (
        torch.as_tensor(x, dtype=usual if x.dtype.kind == "f" else None)
        for x in inputs
        if isinstance(x, np.ndarray)
    )
    with torch.no_grad():
        return module.eval()(*given).dtype != usual


def _plain_list(module: nn.Module) -> Precondition | None:
    """Weights in a list that PyTorch does not look into."""
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
