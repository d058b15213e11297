"""What a part needs beside itself: what can go into the file, what cannot.

A notebook knows many names that the reader's file does not: NumPy, helpers,
constants, lambdas, functions of other packages. Helpers and plain constants
go along where they are given; for each of the others there is a sentence.
"""

from __future__ import annotations

import ast
import inspect
import math
import sys
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from transformer_course import PACKAGES
from transformer_course.checks import parts
from transformer_course.checks.engine.source import source_of
from transformer_course.checks.parts import source_file

__all__ = ["Along", "Refused", "given_along", "namespace", "refuse_strangers"]

INSTEAD = (
    "use what the file knows instead: math, torch, nn, F, PAD, BOS and EOS."
)


class Refused(Exception):
    """Why a part cannot go into the file as it is, in a sentence."""


@dataclass(frozen=True)
class Along:
    """What goes into the file with a part.

    Attributes:
        sources: of functions and classes, by name.
        constants: plain values, by name.
    """

    sources: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All names."""
        return [*self.constants, *self.sources]


def namespace(thing: Any) -> dict[str, Any]:
    """Return the names around a function or a class."""
    inside = vars(thing).values() if isinstance(thing, type) else [thing]
    for one in inside:
        if isinstance(one, (staticmethod, classmethod)):
            one = one.__func__
        found = getattr(_unwrapped(one), "__globals__", None)
        if isinstance(found, dict):
            return found
    return {}


def given_along(
    name: str, source: str, around: dict[str, Any], helpers: tuple[Any, ...]
) -> Along:
    """Take what is given along with a part, each under its name.

    Args:
        name: of the part.
        source: its text.
        around: the names around it in the notebook.
        helpers: functions, classes and plain constants.

    Raises:
        Refused: one of them cannot go into the file.
    """
    along = Along()
    plain = []
    for helper in helpers:
        if _is_code(helper):
            along.sources[helper.__name__] = _source(helper)
        elif _is_plain(helper):
            plain.append(helper)
        else:
            raise Refused(_stranger(_name_of(helper, around), helper))
    texts = [source, *along.sources.values()]
    wanted = set().union(*map(source_file.names_in, texts))
    for value in plain:
        names = [
            one
            for one in sorted(wanted & around.keys())
            if type(around[one]) is type(value) and around[one] == value
        ]
        if len(names) != 1:
            said = f"which of {', '.join(names)}" if names else "which name"
            raise Refused(
                f"{value!r} is a value, and nobody can tell {said} of {name} "
                "stands for it. Write the value into the part."
            )
        along.constants[names[0]] = value
    return along


def refuse_strangers(
    text: str, name: str, along: Along, around: dict[str, Any]
) -> None:
    """Refuse what uses names that the file will not have.

    Args:
        text: of the file, with the part and what goes along.
        name: of the part.
        along: what goes along.
        around: the names around the part in the notebook.

    Raises:
        Refused: it names the cure for each of them.
    """
    users: dict[str, str] = {}  # a name that is lacking, and who uses it
    for user in (name, *along.sources):
        for one in source_file.lacking(text, user):
            if one not in parts.PARTS:
                users.setdefault(one, user)
    if not users:
        return
    said: list[str] = []
    more, mend = _givable(text, users, around), False
    for one in users:
        value = around.get(one, _NOTHING)
        if one not in more or _is_lambda(value):
            said.append(_stranger(one, value))
            mend = True
        elif _is_plain(value):
            said.append(f"{one} is {value!r}: you may write that instead.")
    if more:
        call = ", ".join([name, *along.names, *more])
        give = "Then check it again, and give" if mend else "Give"
        said.append(f"{give} {_and(more)} along: workbook.save({call})")
    lacking = f"{_uses(users)}, which the file does not have."
    raise Refused(" ".join([lacking, *said]))


_NOTHING = object()
_IMPORTS = {
    "math": "import math",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "from torch.nn import functional as F",
}


def _uses(users: dict[str, str]) -> str:
    """Who uses what: "A uses b and c; d uses e"."""
    each: dict[str, list[str]] = {}
    for one, user in users.items():
        each.setdefault(user, []).append(one)
    return "; ".join(f"{user} uses {_and(each[user])}" for user in each)


def _givable(
    text: str, users: dict[str, str], around: dict[str, Any]
) -> list[str]:
    """The names that can be given along; the users gain what they need."""
    there = source_file.assigned(text) | set(parts.PARTS)
    todo, found = list(users), []
    while todo:
        one = todo.pop(0)
        value = around.get(one, _NOTHING)
        if _is_plain(value) or _is_lambda(value):
            found.append(one)
        elif _is_code(value) and value.__name__ == one:
            try:
                source = _source(value)
            except Refused:
                continue
            found.append(one)
            more = source_file.names_in(source) & around.keys()
            more = sorted(more - there - users.keys())
            users.update(dict.fromkeys(more, one))
            todo += more
    return found


def _known() -> dict[str, Any]:
    """Modules that the file reaches, under their names there."""
    import torch
    from torch import nn

    return {
        "math": math,
        "torch": torch,
        "nn": nn,
        "F": nn.functional,
        "nn.init": nn.init,
        "nn.utils": nn.utils,
        "nn.utils.rnn": nn.utils.rnn,
        "torch.linalg": torch.linalg,
        "torch.optim": torch.optim,
    }


def _instead(name: str, value: Any) -> str:
    """What to write for a module, or for what an installed one has."""
    is_module = isinstance(value, ModuleType)
    home = str(value.__name__ if is_module else value.__module__)
    original = home if is_module else value.__name__
    module = sys.modules.get(home)
    if home.partition(".")[0] not in sys.stdlib_module_names or not (
        is_module or getattr(module, original, None) is value
    ):
        return INSTEAD
    line = f"import {original}"
    if not is_module:
        line = f"from {home} {line}"
    if name != original:
        line += f" as {name}"
    return f"write `{line}` inside the function."


def _stranger(name: str, value: Any) -> str:
    """Why a value of the notebook cannot go into the file, and the cure."""
    if value is _NOTHING:
        return f"{name} is defined nowhere in your notebook."
    there = _there(value)
    if there and there != name:
        return f"{name} is {there} in the file: write that."
    if there:
        return (
            f"the file does not import {there}: put `{_IMPORTS[there]}` at "
            "its top, or move the file away, and the next save begins a new "
            "one."
        )
    if isinstance(value, ModuleType):
        return f"{name} is the module {value.__name__}: {_instead(name, value)}"
    if _is_lambda(value):
        return (
            f"{name} is a lambda: write it as a function, def {name}(...), "
            "and give that along."
        )
    if callable(value) and hasattr(value, "__name__"):
        try:
            _source(value)
        except Refused as reason:
            return str(reason)
        if value.__name__ != name:
            return (
                f"{name} is another name of {value.__name__}: write that one."
            )
    return (
        f"{name} is an object of the notebook ({type(value).__name__}): make "
        "it inside the part."
    )


def _there(value: Any) -> str:
    """What a thing is called in the file, such as F.softmax, or ""."""
    known = _known()
    for name, module in known.items():
        if value is module:
            return name
    name = getattr(value, "__name__", "")
    for home, module in known.items():
        if isinstance(name, str) and getattr(module, name, None) is value:
            return f"{home}.{name}"
    return ""


def _source(thing: Any) -> str:
    """The text of a function or class that is the reader's own.

    Raises:
        Refused: it is not, or nobody has kept the text.
    """
    name = thing.__name__
    home = str(getattr(thing, "__module__", ""))
    there = _there(thing)
    if there:
        raise Refused(f"{name} is {there} in the file: write that.")
    if name in parts.PARTS:
        raise Refused(
            f"{name} is a part of its own: keep it with workbook.save({name})."
        )
    if _is_installed(home):
        raise Refused(f"{name} comes from {home}: {_instead(name, thing)}")
    source = source_of(thing)
    if not source:
        raise Refused(
            f"nobody kept the text of {name}: write it in a cell or in a file."
        )
    return source


def _is_installed(home: str) -> bool:
    """Whether a module belongs to a package, and not to the reader."""
    top = home.partition(".")[0]
    if top in ("", "__main__", "my_transformer"):
        return False
    place = getattr(sys.modules.get(top), "__file__", None) or ""
    return (
        top in (*PACKAGES, *sys.stdlib_module_names)
        or "site-packages" in place
        or "dist-packages" in place
    )


def _is_code(value: Any) -> bool:
    """A function that was written with `def`, or a class."""
    kinds = (type, FunctionType, BuiltinFunctionType)
    value = _unwrapped(value)
    return isinstance(value, kinds) and not _is_lambda(value)


def _is_lambda(value: Any) -> bool:
    return getattr(value, "__name__", "") == "<lambda>"


def _is_plain(value: Any) -> bool:
    """A value that stands in a file as it is shown."""
    if not isinstance(value, (bool, int, float, str, tuple)):
        return False
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _unwrapped(value: Any) -> Any:
    try:
        return inspect.unwrap(value)
    except Exception:
        return value


def _name_of(value: Any, around: dict[str, Any]) -> str:
    """The name that a value has in the notebook."""
    for name, other in around.items():
        if other is value and not name.startswith("_"):
            return name
    shown = getattr(value, "__name__", None) or type(value).__name__
    return "this" if shown == "<lambda>" else str(shown)


def _and(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
