"""The progress of a class over its chapters, as one picture."""

from __future__ import annotations

import html
from collections.abc import Sequence

from transformer_course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    NOT_HANDED_IN,
    NOT_JUDGED,
    RIGHT,
    WRONG,
)
from transformer_course.grading.rows import Result, Row
from transformer_course.grading.writing.feedback import document

__all__ = ["overview"]

# A verdict has a colour and a letter, so that nobody needs the colour.
_SIGNS = {
    RIGHT: ("✓", "#1b7f4d"),
    WRONG: ("×", "#c4320a"),
    NOT_ATTEMPTED: ("–", "#6b7079"),
    NOT_HANDED_IN: ("", "transparent"),
    NOT_JUDGED: ("?", "#8a6d00"),
}
_STYLE = """<style>
body { max-width: none; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
th { font-weight: normal; text-align: left; padding: 0.15rem 0.7rem 0.15rem 0; }
thead th + th { padding: 0; text-align: center; }
td { min-width: 1.5rem; height: 1.5rem; text-align: center; color: #fff;
     border: 1px solid Canvas; }
.first { border-left: 0.8rem solid Canvas; }
.sum td { color: inherit; }
.not-handed-in { outline: 1px dashed #8a8f98; outline-offset: -4px; }
"""


def overview(rows: Sequence[Row]) -> str:
    """Draw a row a student and a square an exercise.

    Args:
        rows: one for each student, with the same exercises.

    Returns:
        HTML, whole in itself; nothing in it runs. Below each column stands
        how many answers are right.
    """
    results = rows[0].results if rows else ()
    heads = "".join(
        f'<th scope="col" class="{_place(results, n)}" '
        f'title="{html.escape(one.exercise)}">'
        f"{html.escape(one.exercise.partition(' ')[0])}</th>"
        for n, one in enumerate(results)
    )
    lines = [_line(row) for row in rows]
    columns = zip(*(row.results for row in rows), strict=True)
    right = "".join(
        f'<td class="{_place(results, n)}">'
        f"{sum(one.status == RIGHT for one in column)}</td>"
        for n, column in enumerate(columns)
    )
    rules = [
        f".{_class(status)} {{ background: {colour}; }}"
        for status, (_, colour) in _SIGNS.items()
    ]
    legend = "; ".join(
        f"{sign or 'an empty square'} is {status}"
        for status, (sign, _) in _SIGNS.items()
    )
    return document(
        "The class",
        f"""{_STYLE}{chr(10).join(rules)}</style>
<p>{len(rows)} students. {legend}.</p>
<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">student</th>{heads}</tr></thead>
<tbody>
{chr(10).join(lines)}
<tr class="sum"><th scope="row">right</th>{right}</tr>
</tbody></table></div>""",
    )


def _line(row: Row) -> str:
    squares = []
    for n, one in enumerate(row.results):
        sign, _ = _SIGNS[one.status]
        said = html.escape(f"{one.exercise}: {one.said}")
        classes = f"{_class(one.status)} {_place(row.results, n)}".strip()
        squares.append(f'<td class="{classes}" title="{said}">{sign}</td>')
    name = html.escape(row.name)
    return f'<tr><th scope="row">{name}</th>{"".join(squares)}</tr>'


def _class(status: str) -> str:
    return status.replace(" ", "-")


def _place(results: Sequence[Result], n: int) -> str:
    """A chapter stands apart from the one before."""
    begins = n and results[n].chapter != results[n - 1].chapter
    return "first" if begins else ""
