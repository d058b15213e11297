"""A page for a student: the verdicts, in the words of the class."""

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
from transformer_course.grading.rows import Given, Row
from transformer_course.grading.running.marking import Mark

__all__ = ["document", "page", "piece", "section"]

_STYLE = (
    ":root { color-scheme: light dark; } "
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; "
    "margin: 2rem auto; padding: 0 1rem; } "
    "section { break-inside: avoid; margin: 1.5rem 0; } "
    "summary { cursor: pointer; } img { max-width: 100%; background: #fff; } "
    "pre { white-space: pre-wrap; overflow-wrap: anywhere; }"
)


_STEPS = {
    WRONG: "mend {}. Open its hints one by one, change one thing at a time, "
    "and run its check after each.",
    NOT_ATTEMPTED: "begin {}. Its check says what is asked for.",
    NOT_HANDED_IN: "hand in the notebook that asks for {}.",
}


def page(name: str, chapters: Sequence[str], files: Sequence[str]) -> str:
    """Write the page of one student.

    Args:
        name: of the student, as the table has it.
        chapters: a part of the page for each, by `section`.
        files: what became of each file of the student's.

    Returns:
        HTML, whole in itself; nothing in it runs.
    """
    said = [f"<li>{html.escape(file)}</li>" for file in files]
    listed = ["<h2>Your files</h2>", "<ul>", *said, "</ul>"] if said else []
    return document(name, "\n".join([*chapters, *listed]))


def section(
    chapter: int, verdicts: Sequence[tuple[str, str]], pieces: Sequence[str]
) -> str:
    """Write the part of a page for one chapter.

    Args:
        chapter: its number.
        verdicts: each exercise with its status, such as ("2.1 softmax",
            "right").
        pieces: what is said of them, by `piece`.

    Returns:
        HTML.
    """
    right = sum(status == RIGHT for _, status in verdicts)
    open_ = sum(status == NOT_JUDGED for _, status in verdicts)
    judged = f"{right} of {len(pieces) - open_} right"
    if open_:
        judged += f", of those judged; {open_} could not be judged"
    said = f"<p>{judged}. {_next(verdicts)}</p>"
    return "\n".join([f"<h2>Chapter {chapter}</h2>", said, *pieces])


def came_late(row: Row) -> list[str]:
    """Write what a student loses for being late, a paragraph a chapter.

    Args:
        row: the student's.

    Returns:
        HTML.
    """
    return [
        f"<p>Chapter {number} came {row.late[number]} minutes late, so "
        f"{share:.0%} of its points are left.</p>"
        for number, share in row.shares.items()
        if share < 1
    ]


def given_points(given: Sequence[tuple[str, Given]]) -> list[str]:
    """Write what the lecturer gives, as the last part of a page.

    Args:
        given: numbers of exercises, with points and comment.

    Returns:
        HTML; nothing where nothing is given.
    """
    said = [
        f"<li>{number}: {one.points:g} "
        f"{'point' if one.points == 1 else 'points'}"
        f"{f'. {html.escape(one.comment)}' if one.comment else ''}</li>"
        for number, one in given
    ]
    return (
        ["<h2>From your teacher</h2>", "<ul>", *said, "</ul>"] if said else []
    )


def _next(verdicts: Sequence[tuple[str, str]]) -> str:
    """Say what a student does next: mend, then begin, then hand in."""
    for status, step in _STEPS.items():
        for exercise, found in verdicts:
            if found == status:
                named = f"<strong>{html.escape(exercise)}</strong>"
                return f"Next: {step.format(named)}"
    return ""


def piece(mark: Mark) -> str:
    """Write what is said of one exercise.

    Args:
        mark: the verdict.

    Returns:
        HTML.
    """
    verdict = mark.verdict
    hints = "" if verdict.ok else "\n".join(map(_hint, _numbered(verdict)))
    shown = verdict.in_full()._repr_html_()
    title = f"<h3>{html.escape(mark.asked.title)}</h3>"
    if mark.follows:
        told = (
            f"This follows from {mark.follows}: with the book's answer there, "
            "yours is right."
        )
        if verdict.ok:
            told = (
                f"It needs {mark.follows}, and was judged with the book's "
                "answer there."
            )
        hints = f"<p>{told}</p>\n{hints}"
    return f"<section>\n{title}\n{shown}\n{hints}\n</section>"


def document(title: str, body: str) -> str:
    """Put a page around its body.

    Args:
        title: as text.
        body: HTML.

    Returns:
        HTML, whole in itself; nothing in it runs.
    """
    title = html.escape(title)
    text = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""
    return text.encode("utf-8", "replace").decode("utf-8")


def _numbered(verdict) -> list[tuple[int, str]]:
    numbers = range(1, len(verdict.hints) + 1)
    return [(n, verdict.hint(n)._repr_html_()) for n in numbers]


def _hint(numbered: tuple[int, str]) -> str:
    number, text = numbered
    return f"<details><summary>Hint {number}</summary>{text}</details>"
