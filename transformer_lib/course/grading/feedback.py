"""A page for a student: the verdicts, in the words of the class."""

from __future__ import annotations

import html
from collections.abc import Sequence

from transformer_lib.course.grading.marking import Mark

__all__ = ["document", "page", "page_unread"]

_STYLE = (
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; "
    "margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; } "
    "section { break-inside: avoid; margin: 1.5rem 0; } "
    "summary { cursor: pointer; } img { max-width: 100%; background: #fff; } "
    "pre { white-space: pre-wrap; overflow-wrap: anywhere; }"
)


def page(name: str, chapter: int, marks: Sequence[Mark]) -> str:
    """Write the page of one student.

    Args:
        name: of the file that was handed in.
        chapter: its number.
        marks: the verdicts.

    Returns:
        HTML, whole in itself; nothing in it runs.
    """
    right = sum(mark.verdict.ok for mark in marks)
    said = f"<p>{right} of {len(marks)} right.</p>"
    body = "\n".join([said, *map(_section, marks)])
    return document(f"Chapter {chapter}: {name}", body)


def page_unread(name: str, chapter: int, why: str) -> str:
    """Write the page of a student whose file cannot be read.

    Args:
        name: of the file that was handed in.
        chapter: its number.
        why: "unreadable: ", and the reason.

    Returns:
        HTML, whole in itself; nothing in it runs.
    """
    body = f"<p>Your file is {html.escape(why)}. Nothing was judged.</p>"
    return document(f"Chapter {chapter}: {name}", body)


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


def _section(mark: Mark) -> str:
    verdict = mark.verdict
    hints = "" if verdict.ok else "\n".join(map(_hint, _numbered(verdict)))
    shown = verdict.in_full()._repr_html_()
    title = html.escape(mark.asked.title)
    return f"<section>\n<h2>{title}</h2>\n{shown}\n{hints}\n</section>"


def _numbered(verdict) -> list[tuple[int, str]]:
    numbers = range(1, len(verdict.hints) + 1)
    return [(n, verdict.hint(n)._repr_html_()) for n in numbers]


def _hint(numbered: tuple[int, str]) -> str:
    number, text = numbered
    return f"<details><summary>Hint {number}</summary>{text}</details>"
