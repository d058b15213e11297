"""A call whose inputs are not those that the function takes.

Each function gets what a pattern has found in the text of an error, and the
line that stopped.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
import sys
from types import TracebackType

from transformer_course.checks.errors.kinds import TUPLE, is_none
from transformer_course.checks.errors.line import Line
from transformer_course.checks.errors.modules import of_a_module

__all__ = ["arguments", "missing_of_torch", "one_number", "wrong_input"]

_EACH = "The functions of torch and NumPy work entry by entry."


def wrong_input(found: re.Match, line: Line) -> str:
    """An input of another type than a function of torch takes."""
    function, name, wanted, came = found.groups()
    came = came.rpartition(".")[2]
    if wanted.startswith("tuple of Tensors"):
        return (
            f"`torch.{function}` takes its tensors in one list, as in "
            f"`torch.{function}([a, b], dim=-1)`."
        )
    if came == "NoneType":
        return is_none(found, line)
    if wanted == "Tensor":
        said = _kept_class(came, line) or of_a_module(came)
        if said or came == "tuple":
            return said or TUPLE
        if came in ("int", "float"):
            return (
                f"`torch.{function}` takes a tensor, and here comes a number: "
                "use `math`, or make a tensor of it."
            )
        if came == "ndarray":
            return (
                f"`torch.{function}` takes a tensor, and here comes a NumPy "
                "array: use NumPy's function, or `torch.from_numpy`."
            )
    return (
        f"The input `{name}` of `{function}` has to be of the type {wanted}; "
        f"here it is of the type {came}."
    )


def _kept_class(kind: str, line: Line) -> str:
    """Say that the student's module keeps a class in place of a layer."""
    for name, value in getattr(line.owner(), "__dict__", {}).items():
        if isinstance(value, type) and value.__name__ == kind:
            return (
                f"`self.{name}` is the class `{kind}` itself, and calling it "
                f"makes a module. Keep a module: `nn.{kind}()`, with brackets."
            )
    return ""


def missing_of_torch(found: re.Match, line: Line) -> str:
    """An input that a function of torch needs and does not get."""
    function, name = found.groups()
    if function in ("transpose", "swapaxes"):
        return (
            f"`{function}` exchanges two axes and needs both, as in "
            f"`x.{function}(-2, -1)`."
        )
    if name in ("dim", "axis"):
        return (
            f"`{function}` also needs `dim`, the axis along which it works, "
            "such as `dim=-1` for the last."
        )
    return f"`{function}` also needs `{name}`."


def arguments(found: re.Match, line: Line) -> str:
    """Too many inputs, too few, or one of a name that is not known."""
    home, _, name = found[1].rpartition(".")
    of_a_class = home and not home.endswith("<locals>")
    method = of_a_class and "positional" in found[0] and "were" in found[0]
    own = " Of a method, Python counts `self`, too." if method else ""
    init = _like_init(line.error.__traceback__) if name == "__init__" else ""
    return init or f"{line.called(name)}{own}".strip()


def _like_init(step: TracebackType | None) -> str:
    """Say that a class has no `__init__`, but a method named nearly so."""
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    made = type(step.tb_frame.f_locals.get("self")) if step else object
    own = [name for name, value in vars(made).items() if callable(value)]
    near = difflib.get_close_matches("__init__", own, n=1, cutoff=0.8)
    if "__init__" in own or not near:
        return ""
    return (
        f"Your class has `{near[0]}`, an ordinary method, and no `__init__`: "
        "Python calls the one with two underscores on each side."
    )


def one_number(found: re.Match, line: Line) -> str:
    """Many numbers in a function that takes one."""
    call, torch = line.calls(), sys.modules.get("torch")
    for function in line.value(call.func) if call else ():
        name = ast.unparse(call.func)
        if torch and function is torch.tensor:
            return (
                f"`{name}` copies plain numbers, and a list of tensors comes. "
                "`torch.stack` joins tensors of one shape and keeps their "
                "gradient."
            )
        if inspect.isbuiltin(function) or isinstance(function, type):
            return f"`{name}` wants one number, and here are many. {_EACH}"
    return f"One number is wanted here, and here are many. {_EACH}"
