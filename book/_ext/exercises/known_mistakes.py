"""What the checks say: each exercise with the mistakes that it knows.

The directive `{known-mistakes} 2` stands for the exercises of chapter 2. Their
texts come from the catalogues of the checks when the book is built: asked, the
two hints, and every mistake as a class would read it, in the order in which it
is looked for, with the numbers of an answer that makes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from transformer_course.checks.engine.exercise import Exercise
from transformer_course.checks.engine.matching import told
from transformer_course.checks.engine.paper import Paper
from transformer_course.checks.paper import paper_of
from transformer_course.grading.reading.exercises import (
    Asked,
    exercise_of,
    read_chapter,
)

Rows = list[tuple[str, str, str]]  # a name, a sentence, a hint


def exercises_of(chapter: int) -> Iterator[tuple[Asked, Exercise | Paper]]:
    """Yield the exercises of a chapter, each once, and what is known of them.

    Args:
        chapter: its number.
    """
    seen = set()
    for asked in read_chapter(chapter).asked:
        if asked.name not in seen:
            seen.add(asked.name)
            yield asked, exercise_of(asked.name) or paper_of(asked.name)


def rows_of(known: Exercise | Paper) -> Rows:
    """Return the mistakes of an exercise as a student reads them.

    Numbers that only an answer can give stand as three dots.
    """
    if isinstance(known, Paper):
        said = {one.id: one.message for one in reversed(known.misconceptions)}
        return [(name, said[name], "") for name in reversed(said)]
    return [
        (one.id, re.sub(r"{\w+}", "...", told(known, one)), one.hint)
        for one in known.mistakes
    ]


def inline(text: str) -> list[nodes.Node]:
    """Return a text with `code` and *emphasis*, as a verdict shows it."""
    found: list[nodes.Node] = []
    for place, span in enumerate(text.split("`")):
        if place % 2:
            found.append(nodes.literal(span, span))
            continue
        words = re.split(r"(?<!\w)\*(?=\S)([^*]+)(?<=\S)\*(?!\w)", span)
        found += [
            nodes.emphasis(one, one) if n % 2 else nodes.Text(one)
            for n, one in enumerate(words)
            if one
        ]
    return found


def sentence(label: str, text: str) -> nodes.paragraph:
    """Return a paragraph that opens with a label in bold."""
    start = [nodes.strong(label, label), nodes.Text(" ")] if label else []
    return nodes.paragraph("", "", *start, *inline(text))


def raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


class KnownMistakes(SphinxDirective):
    """The directive `known-mistakes`: the number of a chapter."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for asked, known in exercises_of(int(self.arguments[0])):
            rows = rows_of(known)
            title = f"Exercise {asked.number}: `{asked.name}`, {len(rows)}"
            found += [
                raw(f"<details><summary>{title} mistakes</summary>"),
                sentence("Asked:", known.asked),
                *(
                    sentence(f"Hint {n}:", hint)
                    for n, hint in enumerate(known.hints, 1)
                ),
                self.listed(rows),
                raw("</details>"),
            ]
        return found

    def listed(self, rows: Rows) -> nodes.definition_list:
        """Return the mistakes as terms, with what is said of each."""
        listed = nodes.definition_list()
        for name, said, hint in rows:
            item = nodes.definition("", sentence("", said))
            if hint:
                item += sentence("Hint:", hint)
            term = nodes.term("", "", nodes.literal(name, name))
            listed += nodes.definition_list_item("", term, item)
        return listed


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("known-mistakes", KnownMistakes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
