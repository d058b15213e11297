"""A name or an attribute that there is not: what was meant, or forgotten."""

from __future__ import annotations

import ast
import builtins
import difflib
import dis
import inspect
import itertools
import sys
from types import ModuleType
from typing import Any

import numpy as np

from transformer_course.checks.errors.line import Line

__all__ = ["of_a_name", "of_an_attribute"]

IMPORTS = {
    "F": "from torch.nn import functional as F",
    "Tensor": "from torch import Tensor",
    "clip_grad_norm_": "from torch.nn.utils import clip_grad_norm_",
    "math": "import math",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "reference": "from transformer_lib import numpy_reference as reference",
    "torch": "import torch",
} | {
    name: f"from transformer_lib.special_tokens import {name}"
    for name in ("PAD", "BOS", "EOS", "UNK")
}
_ELSEWHERE = {  # names that other libraries have for it
    "Dense": "nn.Linear",
    "expand_dims": "torch.unsqueeze",
    "reduce_mean": "torch.mean",
    "reduce_sum": "torch.sum",
    "tri": "torch.ones(n, n).tril()",
}


def of_a_name(error: NameError, line: Line) -> str:
    """Say what is known of a name that has no value."""
    name = error.name or ""
    if isinstance(error, UnboundLocalError):
        return (
            "A name that gets a value anywhere in a function is the "
            "function's own, and here it is read before it has one."
        )
    if not name or line.frame is None:
        return ""
    said = f"No cell that ran has defined `{name}`."
    if name in IMPORTS:
        return (
            f"{said} Run the cell that imports it, or write "
            f"`{IMPORTS[name]}` above your code."
        )
    of_class = _of_the_class(name, line)
    if of_class:
        return of_class
    for home, module in _homes().items():
        if callable(getattr(module, name, None)):
            return f"{said} PyTorch's is `{home}.{name}`."
    known = {**vars(builtins), **line.frame.f_globals, **line.frame.f_locals}
    return said + _like(name, known)


def _homes() -> dict[str, ModuleType]:
    """PyTorch's modules, under their usual names."""
    torch = sys.modules.get("torch")
    if torch is None:
        return {}
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}


def _like(name: str, known: Any) -> str:
    """Offer a known name that is written nearly the same."""
    public = [other for other in known if not other.startswith("_")]
    near = difflib.get_close_matches(name, public, n=1, cutoff=0.7)
    return f" Did you mean `{near[0]}`?" if near else ""


def _of_the_class(name: str, line: Line) -> str:
    """Say that the class has a name, which its methods do not see."""
    owner, code = line.owner(), line.frame.f_code if line.frame else None
    if owner is None:
        return ""
    if line.value(ast.parse(f"self.{name}", mode="eval").body):
        if inspect.isfunction(getattr(type(owner), name, None)):
            return f"It is a method of your class: `self.{name}(...)`."
        return f"Your module keeps it: write `self.{name}` here."
    homes = [m for m, inputs in _methods(owner) if name in inputs]
    if not homes and _is_a_variable(name, owner):
        return (
            "In `__init__` it is a variable, which is gone when `__init__` "
            f"ends: `self.{name} = ...` there, and `self.{name}` here."
        )
    if "__init__" in homes:
        return (
            f"It is an input of `__init__`: keep it there, `self.{name} = "
            f"{name}`, and write `self.{name}` here."
        )
    if homes and code:
        own = ", ".join(f"`{n}`" for n in code.co_varnames[: code.co_argcount])
        return (
            f"It is an input of `{homes[0]}`; this method, "
            f"`{code.co_name}`, has {own}."
        )
    return ""


def _methods(owner: Any) -> list[tuple[str, tuple[str, ...]]]:
    """The methods that the class of an object defines, and their inputs."""
    return [
        (name, tuple(inspect.signature(method).parameters)[1:])
        for name, method in vars(type(owner)).items()
        if inspect.isfunction(method)
    ]


def of_an_attribute(error: AttributeError, line: Line) -> str:
    """Say what is known of an attribute that an object does not have."""
    name, owner = error.name, error.obj
    if not name or owner is None:
        return ""
    if isinstance(owner, ModuleType):
        return _of_a_library(name, owner)
    is_module = "forward" in dir(owner)
    if f"'{name}'" in str(error) and (is_module or owner is line.owner()):
        what = "module" if is_module else "object"
        said = f"Nothing has been kept as `{name}` in this {what}."
        why = _why_unkept(name, owner, line) if owner is line.owner() else ""
        own = _own_names(owner) if is_module else dir(owner)
        return said + (why or _like(name, own))
    return _like(name, dir(owner)).strip()


def _why_unkept(name: str, owner: Any, line: Line) -> str:
    """Say where the class has a name that its object has not kept."""
    if name in dict(_methods(owner)).get("__init__", ()):
        return (
            " It is an input of `__init__`: keep it there, "
            f"`self.{name} = {name}`."
        )
    if _is_a_variable(name, owner):
        return (
            " In `__init__` it is a variable, which is gone when `__init__` "
            f"ends: `self.` has to stand before it, `self.{name} = ...`."
        )
    homes = {m for m, _ in _methods(owner) if _keeps(type(owner), m, name)}
    here = line.frame.f_code.co_name if line.frame else ""
    others = homes - {here}
    if len(others) == 1 and "__init__" not in homes:
        return (
            f" `{others.pop()}` keeps it, and has not done so by now. What "
            "every method reads is made in `__init__`."
        )
    if homes == {here} and not _like(name, vars(owner)):
        return f" `{here}` keeps it, but not before this line reads it."
    return ""


def _is_a_variable(name: str, owner: Any) -> bool:
    """True if `__init__` has a variable of this name."""
    init = vars(type(owner)).get("__init__")
    return inspect.isfunction(init) and name in init.__code__.co_varnames


def _keeps(kind: type, method: str, name: str) -> bool:
    """True if a method has a line `self.name = ...`."""
    code = vars(kind)[method].__code__
    steps = list(dis.get_instructions(code))
    own = code.co_varnames[:1]
    return any(
        step.opname == "STORE_ATTR"
        and step.argval == name
        and own in ((before.argval,), (before.argval or ())[-1:])
        for before, step in itertools.pairwise(steps)
    )


def _own_names(module: Any) -> list[str]:
    """What a module has beside that which every module has."""
    every = set(dir(sys.modules["torch"].nn.Module()))
    return [name for name in dir(module) if name not in every]


def _of_a_library(name: str, home: ModuleType) -> str:
    """Offer what is written nearly the same in torch, or in NumPy."""
    homes = {"np": np} | _homes()
    short = next((s for s, other in homes.items() if other is home), "")
    if not short:
        return _like(name, dir(home)).strip()
    if short != "np":
        if name in _ELSEWHERE:
            return f"In PyTorch it is `{_ELSEWHERE[name]}`."
        del homes["np"]
        for other in (short, *homes):
            for real in dir(homes[other]):
                if _bare(real) == _bare(name):
                    return f"Did you mean `{other}.{real}`?"
    said = _like(name, dir(home)).strip()
    return said.replace("mean `", f"mean `{short}.")


def _bare(name: str) -> str:
    return name.replace("_", "").lower()
