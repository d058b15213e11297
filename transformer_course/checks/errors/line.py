"""The part of the student's code that stopped, and the values in it."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable
from types import (
    FrameType,
    MethodDescriptorType,
    MethodType,
    TracebackType,
)
from typing import Any

__all__ = ["Known", "Line", "is_array"]

_KINDS = ("Tensor", "Parameter", "ndarray")
_MOST = 4  # names of a line that are described


class Line:
    """The part of the student's code that stopped, and the values in it."""

    def __init__(self, error: BaseException, step: TracebackType | None):
        self.error = error
        self.frame: FrameType | None = step.tb_frame if step else None
        self.tree, self.whole = _trees(step) if step else (None, None)

    def values(self, whole: bool = False) -> dict[str, Any]:
        """Names such as `x` and `self.weight` in the part, with values."""
        tree = self.whole if whole else self.tree
        return {
            ast.unparse(node): value
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, ast.Name | ast.Attribute)
            for value in self.value(node)
        }

    def value(self, node: ast.AST) -> list[Any]:
        """The value of a name in a list of one; empty if it has none."""
        if isinstance(node, ast.Name) and self.frame is not None:
            for names in (self.frame.f_locals, self.frame.f_globals):
                if node.id in names:
                    return [names[node.id]]
        if isinstance(node, ast.Attribute):
            for owner in self.value(node.value):
                inside = getattr(owner, "__dict__", {})
                for kind in ("", "_parameters", "_buffers", "_modules"):
                    names = inside.get(kind, {}) if kind else inside
                    if node.attr in names:
                        return [names[node.attr]]
                method = inspect.getattr_static(owner, node.attr, None)
                if inspect.isfunction(method):
                    return [MethodType(method, owner)]
                if isinstance(method, MethodDescriptorType):
                    return [method.__get__(owner)]
        return []

    def owner(self) -> Any:
        """The object whose method stopped, or None."""
        return self.frame.f_locals.get("self") if self.frame else None

    def ends_here(self) -> bool:
        """True if the line itself stopped, and nothing that it called."""
        step = self.error.__traceback__
        while step is not None and step.tb_next is not None:
            step = step.tb_next
        return step is not None and step.tb_frame is self.frame

    def calls(self) -> ast.Call | None:
        """The call that stopped, if it was one."""
        node = getattr(self.tree, "body", [None])[0]
        call = getattr(node, "value", None)
        return call if isinstance(call, ast.Call) else None

    def not_called(self, kind: str) -> str:
        """The one name of the part that stands there without brackets."""
        tree = self.tree or self.whole
        every = list(ast.walk(tree)) if tree else []
        run = [node.func for node in every if isinstance(node, ast.Call)]
        if kind == "type":  # `torch.Tensor.sum` reads a class
            run += [n.value for n in every if isinstance(n, ast.Attribute)]
        found = [
            ast.unparse(node)
            for node in every
            if node not in run
            and [type(v).__name__ for v in self.value(node)] == [kind]
        ]
        return found[0] if len(set(found)) == 1 else ""

    def here(self, say: Callable[[str, Any], str]) -> str:
        """Say of a few names of the part what there is to say.

        Args:
            say: what is said of a name and its value; may be empty.
        """
        values = self.values() or self.values(whole=True)
        told = [say(*one) for one in values.items()]
        told = [said for said in told if said][:_MOST]
        return f" Here {', '.join(told)}." if told else ""

    def arrays(self, what: str) -> str:
        """Say what the arrays of the part are: their shape, or their dtype."""

        def say(name: str, value: Any) -> str:
            if not is_array(value):
                return ""
            found = getattr(value, what)
            found = tuple(found) if what == "shape" else found
            return f"`{name}` has the {what} {found}"

        return self.here(say)

    def called(self, name: str) -> str:
        """Say what the function of this name, called here, takes."""
        call = self.calls()
        for function in self.value(call.func) if call else ():
            inner = function
            if isinstance(function, type):
                inner = MethodType(function.__init__, function)
            elif hasattr(function, "forward"):
                inner = function.forward
            if inner.__name__ != name:
                return ""  # it calls another one, and that one stopped
            names = inspect.signature(inner).parameters
            takes = ", ".join(f"`{name}`" for name in names)
            return f" `{ast.unparse(call.func)}` takes {takes or 'no inputs'}."
        return ""


def _trees(
    step: TracebackType,
) -> tuple[ast.Module | None, ast.Module | None]:
    """The expression that stopped, and the lines it stands in."""
    code = step.tb_frame.f_code
    first, last, start, stop = list(code.co_positions())[step.tb_lasti // 2]
    first, last = first or step.tb_lineno, last or step.tb_lineno
    lines = linecache.getlines(code.co_filename)[first - 1 : last]
    part = [text.encode() for text in lines]
    if part and start is not None and stop is not None:
        part[-1] = part[-1][:stop]
        part[0] = part[0][start:]
    return _parsed(b"".join(part).decode()), _parsed("".join(lines))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(text).strip())
    except SyntaxError:
        return None


def is_array(value: Any) -> bool:
    """True for an array, a tensor or a parameter."""
    return type(value).__name__ in _KINDS


# A pattern of an error's text, and what it means: with groups of the pattern,
# or from a function, whose empty text leaves the word to the next one.
Known = tuple[str, str | Callable[[re.Match, Line], str]]
