"""A value of another kind than the line wants: None, a tuple, a method.

Each function gets what a pattern has found in the text of an error, and the
line that stopped.
"""

from __future__ import annotations

import ast
import re

import numpy as np

from transformer_course.checks.errors.line import Line
from transformer_course.checks.errors.modules import of_a_module

__all__ = [
    "ROUTINES",
    "TUPLE",
    "count_to",
    "is_none",
    "not_a_function",
    "not_run",
    "of_kind",
    "operands",
]

ROUTINES = ("builtin_function_or_method", "method", "function", "type")
TUPLE = (
    "A tuple stands where a tensor is wanted. What returns several things, as "
    "`nn.LSTM`, `nn.MultiheadAttention` and `x.max(dim=0)` do, returns a "
    "tuple: take the one that you need, `first, second = ...`."
)
_LIST = (
    "A list stands where a tensor or an array is wanted: `torch.stack` joins "
    "tensors of one shape, `np.array` numbers."
)
_OF_TENSORS = ("permute", "softmax", "unsqueeze", "view")
_METHOD = "This method is not called: put parentheses after its name."
_NOT_OF_TENSORS = {
    "append": "A tensor keeps its length: `torch.cat` joins several to a "
    "new one.",
    "astype": "`astype` is NumPy's; a tensor has `x.to(dtype)`.",
    "copy": "`copy` is NumPy's; a tensor has `x.clone()`.",
}


def is_none(found: re.Match, line: Line) -> str:
    """Name what is None in the part that stopped."""
    empty = [name for name, v in line.values().items() if v is None]
    if not empty:
        return ""
    said = f"`{empty[0]}` is None here."
    code = line.frame.f_code if line.frame else None
    inputs = code.co_argcount + code.co_kwonlyargcount if code else 0
    if code and empty[0] in code.co_varnames[:inputs]:
        said += (
            " It is an input that may be left out; ask first: "
            f"`if {empty[0]} is not None:`."
        )
    return said


def operands(found: re.Match, line: Line) -> str:
    """Two values that an operator does not take."""
    kinds = found.groups()
    if "NoneType" in kinds:
        return is_none(found, line)
    if set(ROUTINES) & set(kinds):
        return not_run(found, line)
    if "tuple" in kinds and {"Tensor", "numpy.ndarray"} & set(kinds):
        return TUPLE
    return next(filter(None, map(of_a_module, kinds)), "")


def of_kind(found: re.Match, line: Line) -> str:
    """An attribute that a tuple, None or a module does not have."""
    kind = found[1]
    if kind == "NoneType":
        return is_none(found, line)
    if kind in ROUTINES:
        return not_run(found, line)
    if kind == "dict":
        return _entry(found[2], line)
    if kind == "Tensor":
        return _NOT_OF_TENSORS.get(found[2], "")
    if not hasattr(np.ndarray, found[2]) and found[2] not in _OF_TENSORS:
        return ""
    said = {"tuple": TUPLE, "list": _LIST}.get(kind, "")
    return said or of_a_module(kind)


def not_a_function(found: re.Match, line: Line) -> str:
    """Round brackets behind what cannot be called."""
    kind = found[1].rpartition(".")[2]
    if kind == "NoneType":
        return is_none(found, line)
    call = line.calls()
    values = line.value(call.func) if call else []
    if not line.ends_here():
        return ""
    if not call or not values:
        return (
            f"Parentheses call what comes before them, and that is a {kind}. "
            "Leave them out, or write square brackets to take an entry."
        )
    name, value = ast.unparse(call.func), values[0]
    what = f" {value}" if kind in ("int", "float", "bool") else ""
    said = f"Parentheses call what comes before them, and `{name}` is "
    said += f"the number{what}." if what else f"a {kind}."
    layer = name.rpartition(".")[2].title()
    if what and of_a_module(layer):
        return f"{said} A layer is made in `__init__`, by `nn.{layer}(...)`."
    if hasattr(value, "__getitem__"):
        return f"{said} Square brackets take an entry of it: `{name}[...]`."
    return said


def not_run(found: re.Match, line: Line) -> str:
    """A method, a function or a class where its result is wanted."""
    kind = next((k for k in ROUTINES if re.search(rf"\b{k}\b", found[0])), "")
    name = line.not_called(kind)
    if not name:
        return _METHOD if kind in ROUTINES[:2] else ""
    return (
        f"`{name}` without brackets names it and does not run it: "
        f"`{name}(...)` does."
    )


def _entry(name: str, line: Line) -> str:
    """Say how an entry of a dictionary is read."""
    for node in ast.walk(line.whole) if line.whole else ():
        if isinstance(node, ast.Attribute) and node.attr == name:
            for value in line.value(node.value):
                if isinstance(value, dict) and name in value:
                    own = ast.unparse(node.value)
                    return f'`{own}` is a dictionary: `{own}["{name}"]`.'
    return ""


def count_to(found: re.Match, line: Line) -> str:
    """Say which number a loop was to go through."""
    for node in ast.walk(line.whole) if line.whole else ():
        walked = getattr(node, "iter", None)
        for value in line.value(walked) if walked else ():
            if type(value) is int:
                name = ast.unparse(walked)
                return (
                    f"`{name}` is the number {value}, and a loop wants what "
                    f"it can go through: `range({name})`."
                )
    return ""
