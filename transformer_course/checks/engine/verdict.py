"""What a check says: right, not attempted, or wrong with a reason."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any

RIGHT = "right"
NOT_ATTEMPTED = "not attempted"
NOT_HANDED_IN = "not handed in"  # said of a class, never in a notebook
NOT_JUDGED = "not judged"  # so is this
WRONG = "wrong"

_HEADING = {
    RIGHT: "Right",
    NOT_ATTEMPTED: "Not attempted yet",
    NOT_HANDED_IN: "Not handed in",
    NOT_JUDGED: "Not judged",
    WRONG: "Not yet",
}
# Mid-tone borders, seen on light and on dark pages; the text takes the
# page's own color, and the heading says in words what the color says.
_BORDER = {
    RIGHT: "#3a87c8",
    NOT_ATTEMPTED: "#8a8f98",
    NOT_HANDED_IN: "#8a8f98",
    NOT_JUDGED: "#8a8f98",
    WRONG: "#d98032",
}


class Hint(str):
    """A text that a notebook shows without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f'<p style="max-width: 46em;">{_inline(self)}</p>'


@dataclass(frozen=True, repr=False)
class Example:
    """One input, with what was wanted and what came.

    Attributes:
        given, expected, received: whole.
        brief: lines for the small table where these are long, label first.
    """

    given: str
    expected: str
    received: str
    brief: tuple[tuple[str, str], ...] = ()

    def rows(self) -> tuple[tuple[str, str], ...]:
        """The lines of the small table, label first."""
        return self.brief or self.whole()

    def whole(self) -> tuple[tuple[str, str], ...]:
        """All that was given, expected and received, label first."""
        return (
            ("given", self.given),
            ("expected", self.expected),
            ("received", self.received),
        )

    def __repr__(self) -> str:
        return "\n".join(_labeled(*row) for row in self.whole())


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check; it never raises and always says the same.

    Attributes:
        status: "right", "not attempted" or "wrong"; where a class is marked,
            "not handed in" and "not judged", too.
        exercise: the call that was checked, such as "softmax(x, axis)".
        asked: what the exercise wants, in one or two sentences.
        message: what to know about this answer.
        mistake: the short name of a recognized mistake, or None.
        example: one small input with the expected and the received value.
        hints: what `hint(1)` and `hint(2)` say.
        printed: what the answer printed in the call that is shown.
        asked_once: whether what is asked is shown with the first verdict of
            an exercise that is looked at, and not with the later ones.
    """

    status: str
    exercise: str
    asked: str
    message: str
    mistake: str | None = None
    example: Example | None = None
    hints: tuple[str, ...] = ()
    printed: str = ""
    asked_once: bool = field(default=False, compare=False)

    def __bool__(self) -> bool:
        """True when the answer is right, so that `assert` may ask."""
        return self.ok

    @property
    def ok(self) -> bool:
        """True when the answer is right."""
        return self.status == RIGHT

    def hint(self, number: Any = 1) -> Hint:
        """Say more: `hint(1)` points, `hint(2)` explains. Never the answer."""
        if self.ok:
            return Hint("Your answer is right; it needs no hint.")
        known = range(1, len(self.hints) + 1)
        if isinstance(number, int) and number in known:
            return Hint(self.hints[number - 1])
        names = " and ".join(f"hint({n})" for n in known) or "none"
        return Hint(f"The hints of this exercise are: {names}.")

    def __repr__(self) -> str:
        lines = [f"{_HEADING[self.status]}: {self.exercise}", self.message]
        if self._says_what_is_asked():
            lines.append(_labeled("asked", self.asked))
        lines += [_labeled(name, text) for name, text in self._rows()]
        if self.hints and not self.ok:
            lines.append("Say more: " + ", ".join(self._more()))
        return "\n".join(lines)

    def in_full(self) -> Verdict:
        """The same verdict for a page that nobody can ask for more."""
        example = self.example and replace(self.example, brief=())
        return replace(self, asked_once=False, hints=(), example=example)

    def _says_what_is_asked(self) -> bool:
        if self.ok or not self.asked_once:
            return not self.ok
        key = self.exercise, self.asked
        return _first_shown.setdefault(key, self) is self

    def _more(self) -> list[str]:
        """What may be asked for."""
        more = [".hint(1)", ".hint(2)"]
        if not self._says_what_is_asked():
            more.append(".asked")
        if self.example is not None and self.example.brief:
            more.append(".example")
        return more

    def _rows(self) -> tuple[tuple[str, str], ...]:
        rows = self.example.rows() if self.example is not None else ()
        return (*rows, ("printed", self.printed)) if self.printed else rows

    def _repr_html_(self) -> str:
        parts = [
            f"<strong>{_HEADING[self.status]}</strong>"
            f" &#183; <code>{html.escape(self.exercise)}</code>",
            _paragraph(_inline(self.message)),
        ]
        if self._says_what_is_asked():
            parts.append(_paragraph("<em>Asked:</em> " + _inline(self.asked)))
        if self._rows():
            parts.append(_table(self._rows()))
        if self.hints and not self.ok:
            more = (f"<code>{name}</code>" for name in self._more())
            parts.append(_paragraph("Say more: " + ", ".join(more)))
        style = (
            f"border-left: 4px solid {_BORDER[self.status]};"
            " padding: 0.4em 0.9em; margin: 0.4em 0; max-width: 46em;"
            " overflow-x: auto; color: inherit; background: transparent;"
        )
        return f'<div style="{style}">' + "".join(parts) + "</div>"


_first_shown: dict[tuple[str, str], Verdict] = {}  # by exercise, what is asked


def from_the_front_door(check: Callable[..., Any]) -> Callable[..., Any]:
    """Let a check repeat what is asked no more often than a reader needs.

    Args:
        check: returns verdicts.

    Returns:
        A check whose verdicts say what is asked the first time that one of
        the exercise is looked at; later ones keep it as `asked`.
    """

    @wraps(check)
    def asks_once(*args: Any, **named: Any) -> Any:
        verdict = check(*args, **named)
        if not isinstance(verdict, Verdict):
            return verdict
        return replace(verdict, asked=Hint(verdict.asked), asked_once=True)

    return asks_once


def _labeled(name: str, text: str) -> str:
    """A label and its text, later lines indented below the first."""
    indent = "\n" + " " * 12
    return f"  {name:<10}" + text.replace("\n", indent)


def _inline(text: str) -> str:
    """Escape a text; show `this` as code and *this* in italics."""
    pieces = re.split(r"`([^`]+)`", html.escape(str(text)))
    pieces[::2] = [
        re.sub(r"(?<!\w)\*(?=\S)([^*\n]+)(?<=\S)\*(?!\w)", r"<em>\1</em>", one)
        for one in pieces[::2]
    ]
    pieces[1::2] = [f"<code>{one}</code>" for one in pieces[1::2]]
    return "".join(pieces)


def _paragraph(content: str) -> str:
    return f'<p style="margin: 0.4em 0;">{content}</p>'


def _table(rows: tuple[tuple[str, str], ...]) -> str:
    head = (
        "text-align: left; vertical-align: top; font-weight: normal;"
        " padding: 0.2em 1em 0.2em 0; color: inherit;"
    )
    pre = (
        "margin: 0; padding: 0; border: 0; background: transparent;"
        " color: inherit; text-align: left; white-space: pre-wrap;"
    )
    body = "".join(
        f'<tr style="background: transparent;">'
        f'<th scope="row" style="{head}">{html.escape(name)}</th>'
        f'<td style="text-align: left; padding: 0.2em 0;">'
        f'<pre style="{pre}">{html.escape(text)}</pre></td></tr>'
        for name, text in rows
    )
    return (
        '<table style="border-collapse: collapse; color: inherit;">'
        f"<tbody>{body}</tbody></table>"
    )
