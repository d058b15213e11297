"""The text of a function or a class, also of one from a notebook's cell."""

from __future__ import annotations

import ast
import linecache
import sys
import textwrap
from types import CodeType
from typing import Any

from transformer_course.checks.engine.foreign import code_of, safely

__all__ = ["idle_line", "parsed", "source_of"]


def parsed(text: str) -> ast.Module:
    """Parse a text; for use beside threads.

    CPython 3.11 to 3.12 may raise SystemError where something else is parsed
    in the middle (gh-106905); the next attempt goes through.

    Args:
        text: of a file or a cell.

    Raises:
        SyntaxError: it is no Python.
    """
    for _ in range(5):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)


def source_of(thing: Any) -> str:
    """Return the text from its decorators to its last line.

    `inspect.getsource` does not find a class that was defined in a notebook.
    Here the file, or the cell, is that of the code of one of its methods.

    Args:
        thing: a function or a class.

    Returns:
        The text, or "" if nobody kept it.
    """
    return safely(lambda: _text(thing), "")


def idle_line(thing: Any) -> str:
    """Say that a line names a method and does not run it.

    Args:
        thing: a function or a class.

    Returns:
        A sentence; empty if there is no such line, or nobody kept the text.
    """
    return safely(lambda: _idle(source_of(thing)), "")


def _idle(text: str) -> str:
    torch = sys.modules.get("torch")
    if torch is None:
        return ""
    kinds = (torch.Tensor, torch.nn.Module, torch.optim.Optimizer)
    for node in ast.walk(parsed(textwrap.dedent(text))):
        line = node.value if isinstance(node, ast.Expr) else None
        if isinstance(line, ast.Attribute) and any(
            callable(getattr(kind, line.attr, None)) for kind in kinds
        ):
            named = ast.unparse(line)
            return (
                f"The line `{named}` does nothing: brackets are missing, "
                f"`{named}()`."
            )
    return ""


def _text(thing: Any) -> str:
    code = _code(thing)
    lines = linecache.getlines(code.co_filename)
    tree = parsed("".join(lines))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if not isinstance(node, kinds) or node.name != thing.__name__:
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if first <= code.co_firstlineno <= node.end_lineno:
            return "".join(lines[first - 1 : node.end_lineno]).rstrip() + "\n"
    return ""


def _code(thing: Any) -> CodeType:
    if not isinstance(thing, type):
        return code_of(thing)
    own = (code_of(v) for v in vars(thing).values() if callable(v))
    return next(code for code in own if code is not None)
