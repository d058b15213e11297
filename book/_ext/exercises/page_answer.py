"""Run what a reader has typed in the page, and judge it.

This is the page's own Python: the worker unpacks it with the checks and asks
`judge`. Text goes in and text comes out, so that nothing of a call outlives it.
Run by the same steps anywhere else, it says the same.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from typing import Any

import numpy

from transformer_course import checks
from transformer_course.checks.engine.box import limits
from transformer_course.checks.engine.verdict import Hint, Verdict
from transformer_course.checks.errors import cause_of

__all__ = ["judge"]

MOST_PRINTED = 20_000  # characters; a loop may print millions
FILE = "your code"
ANEW = "run this cell again", "check again"  # as a page says it


class Printed(io.StringIO):
    """Keeps the beginning of what is printed."""

    is_cut = False

    def write(self, text: str) -> int:
        """Keep the text while there is room."""
        room = MOST_PRINTED - self.tell()
        super().write(text[:room])
        self.is_cut = self.is_cut or len(text) > room
        return len(text)

    def shown(self) -> str:
        """Return the text, and say where it is not all."""
        return self.getvalue() + "\n... (cut)" * self.is_cut


@contextlib.contextmanager
def telling(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell who is at work while a check runs.

    Where there are no threads, nobody can end an endless loop but the page, and
    only the page's clock runs; so it has to know whose time it counts.

    Args:
        tell: gets "answer" where foreign code begins, "check" where it ends.
    """
    kept = limits.run

    def run(work: Callable[[], None], seconds: float) -> tuple[bool, float]:
        tell("answer")
        try:
            return kept(work, seconds)
        finally:
            tell("check")

    limits.run = run
    try:
        yield
    finally:
        limits.run = kept


def judge(asked: str, tell: Callable[[str], None] = lambda who: None) -> str:
    """Run an answer and hand it to its check.

    Args:
        asked: JSON with `source`, what was typed; `call`, such as
            "checks.softmax(softmax)"; `before`, texts that define what the
            answer may use. One of these that fails is passed over.
        tell: as for `telling`.

    Returns:
        JSON with `printed`, and of an answer that runs `status`, `mistake`,
        `html` and `more`, pairs of a label and its HTML; of another `error`,
        `cause` and `trace`.
    """
    job = json.loads(asked)
    scope: dict[str, Any] = {"__name__": "__main__", "np": numpy}
    printed = Printed()
    result: dict[str, Any] = {}
    tell("answer")
    with contextlib.redirect_stdout(Printed()):
        for number, text in enumerate(job["before"]):
            with contextlib.suppress(BaseException):
                run(text, scope, f"before {number}")
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            run(job["source"], scope, FILE)
            with telling(tell):
                verdict = run(job["call"], scope | {"checks": checks}, "check")
        result = told(verdict)
    except BaseException as error:  # exit() and the like, too
        result = failed(error)
    return json.dumps({**result, "printed": printed.shown()})


def run(text: str, scope: dict[str, Any], name: str) -> Any:
    """Run a cell as a notebook does: its last line has a value.

    Args:
        text: of the cell.
        scope: the names that it sees and makes.
        name: stands for its file.

    Returns:
        The value of the last line, or None. What is not None and not a
        verdict is printed.
    """
    value = value_of(text, scope, name)
    if value is not None and not isinstance(value, Verdict):
        print(repr(value))
    return value


def value_of(text: str, scope: dict[str, Any], name: str) -> Any:
    """Run a cell; return the value of its last line, or None.

    Args:
        text, scope, name: as for `run`.
    """
    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)
    tree = ast.parse(text, name)
    last = tree.body.pop() if tree.body else None
    if isinstance(last, ast.Expr):
        exec(compile(tree, name, "exec"), scope)
        return eval(compile(ast.Expression(last.value), name, "eval"), scope)
    exec(compile(text, name, "exec"), scope)
    return None


def told(verdict: Verdict) -> dict[str, Any]:
    """Return what the page shows of a verdict; it can ask for no more."""
    html = replace(verdict, hints=())._repr_html_().replace(*ANEW)
    more = []
    if not verdict.ok:
        more = [
            [f"Hint {number}", verdict.hint(number)._repr_html_()]
            for number in range(1, len(verdict.hints) + 1)
        ]
        if "<em>Asked:</em>" not in html:
            more.append(["What is asked", Hint(verdict.asked)._repr_html_()])
    if verdict.example is not None and verdict.example.brief:
        whole = escape(repr(verdict.example))
        more.append(["The whole example", f"<pre>{whole}</pre>"])
    return {
        "status": verdict.status,
        "mistake": verdict.mistake,
        "html": html,
        "more": more,
    }


def failed(error: BaseException) -> dict[str, str]:
    """Return what the page shows of an error: its last line first."""
    summary = "".join(traceback.format_exception_only(error)).strip()
    own, step, last = [], error.__traceback__, None
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            last = step
            line = linecache.getline(FILE, step.tb_lineno).strip()
            own.append(f"line {step.tb_lineno}: {line}")
        step = step.tb_next
    if isinstance(error, SyntaxError):
        own = summary.splitlines()[:-1]
        own[:1] = [f"line {error.lineno}"]
    cause = ""
    with contextlib.suppress(Exception):
        cause = cause_of(error, last)
    return {
        "error": summary.splitlines()[-1] if summary else "",
        "cause": cause,
        "trace": "\n".join(own[-12:]),
    }
