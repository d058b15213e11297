"""Look at a student's objects without trusting them.

An object may answer a question about itself with an error, with an exit, or
never. So the questions are asked in a thread, for a second at the most.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

from transformer_course.checks.engine.box import (
    contained,
    cut,
    is_running_inside,
)

__all__ = [
    "SECONDS",
    "code_of",
    "has_inputs",
    "inputs_of",
    "is_class",
    "is_function",
    "keyword_only",
    "own_globals",
    "safely",
    "signature",
    "takes",
]

_T = TypeVar("_T")
SECONDS = 1.0


def safely(look: Callable[[], _T], otherwise: _T) -> _T:
    """Return look(), or otherwise, if that fails or takes too long."""
    if is_running_inside():  # there is a limit already
        try:
            return look()
        except Exception:
            return otherwise
    found: list[_T] = []

    def work() -> None:
        with contextlib.suppress(BaseException):  # also exit and recursion
            found.append(look())

    finished = contained(work, SECONDS).finished
    return found[0] if finished and found else otherwise


def is_function(thing: Any) -> bool:
    """True for a function written with `def` or `lambda`."""
    return type(thing) is FunctionType


def is_class(thing: Any) -> bool:
    """True for a class."""
    return issubclass(type(thing), type)


def signature(thing: Any) -> inspect.Signature | None:
    """Return the first line of a function, None if nobody can tell."""
    if is_function(thing) and not thing.__dict__:
        return inspect.signature(thing)
    return safely(lambda: _copied(inspect.signature(thing)), None)


def _copied(found: inspect.Signature) -> inspect.Signature:
    """Keep names and kinds, in objects of Python's own classes."""
    return inspect.Signature(
        [
            inspect.Parameter(
                str.__str__(p.name),
                p.kind,
                default=p.empty if p.default is p.empty else 0,
            )
            for p in found.parameters.values()
        ]
    )


def has_inputs(thing: Any, names: tuple[str, ...]) -> bool:
    """True for a function whose first line lists just these inputs."""
    found = signature(thing) if is_function(thing) else None
    return found is not None and tuple(found.parameters) == names


def takes(thing: Any, names: tuple[str, ...]) -> bool:
    """Say whether a call with these inputs fits, in order or by name."""
    found = signature(thing)
    if found is None:  # built-in, or an object that refuses
        return True
    by_name = _keyword_only(found) & set(names)
    try:
        found.bind(
            *[0] * (len(names) - len(by_name)), **dict.fromkeys(by_name, 0)
        )
    except TypeError:
        return False
    return True


def inputs_of(thing: Any) -> str:
    """Return the names of the inputs, for a message."""
    found = signature(thing)
    names = ", ".join(f"`{n}`" for n in found.parameters) if found else ""
    return cut(names, 300) or "none"


def keyword_only(function: Any) -> set[str]:
    """Names of the keyword-only inputs; for use under guard."""
    try:
        return _keyword_only(inspect.signature(function))
    except Exception:  # built-in functions, and objects that refuse
        return set()


def _keyword_only(found: inspect.Signature) -> set[str]:
    return {
        p.name for p in found.parameters.values() if p.kind is p.KEYWORD_ONLY
    }


def code_of(function: Any) -> CodeType | None:
    """Return the code of a function, also of one that is wrapped."""
    code = safely(lambda: inspect.unwrap(function).__code__, None)
    return code if type(code) is CodeType else None


def own_globals(function: Any) -> dict | None:
    """Return the names around a function's code; for use under guard."""
    if isinstance(function, functools.partial):
        return own_globals(function.func)
    inner = inspect.unwrap(function)
    if not hasattr(inner, "__globals__"):
        inner = type(inner).__call__
    return getattr(inner, "__globals__", None)
