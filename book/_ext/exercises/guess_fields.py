"""A field below each question, for the reader's guess.

    <form class="guess" data-key="softmax-two" data-kind="line"
          data-answer="answer-1" data-number="41">

`data-key` is what the answer is kept by: the id of the cell that asks, and
"-2" for the second question in it. `data-answer` is the id of the cell or the
fold that answers; above it stands what the reader said. `data-number` is the
number to compare with, where there is one. What kind of field it is says
guesses.py; book/_static/exercises/guesses.js keeps what is typed. Without
scripts there is no field, for nothing would be kept.
"""

from __future__ import annotations

import json
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import guesses
from docutils import nodes
from folds import fold
from guesses import Guess
from present import PAGES, question
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from trees import LINES_OF_A_CELL, is_cell

LOGGER = logging.getLogger(__name__)
MINUS = ("-", "\N{MINUS SIGN}")  # a number pad may have none


class guess_form(nodes.General, nodes.Element):
    """The field of a question: `guess`, `key`, `answer`."""


def places(document: nodes.document) -> dict[nodes.Node, tuple[int, int]]:
    """Return for each question its cell and its number in this cell."""
    seen: Counter[int] = Counter()
    found = {}
    for node in document.findall(question):
        cell = (node.line or 0) // LINES_OF_A_CELL - 1
        found[node] = (cell, seen[cell])
        seen[cell] += 1
    return found


def key_of(guess: Guess, cells: list[dict[str, Any]]) -> str:
    """Return what an answer is kept by."""
    asked = guess.question
    number = f"-{asked.nth + 1}" if asked.nth else ""
    return cells[asked.cell]["id"] + number


def answer_of(node: question, guess: Guess, document: nodes.document) -> str:
    """Return the id of what answers a question, or ""."""
    if node["result"]:
        return node["result"]
    after = node.next_node(descend=False, siblings=True)
    if isinstance(after, fold) and after["kind"] == "more":
        name = f"told-{guess.question.cell}"
        after["ids"].append(name)
        return name
    for cell in document.findall(is_cell):
        if cell.get("cell_index") == guess.result:
            if not cell["ids"]:
                cell["ids"].append(f"result-{guess.result}")
            return cell["ids"][-1]
    return ""


class GuessFields(SphinxPostTransform):
    """Put the fields below the questions, which know their results by now."""

    default_priority = 199
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Go through the page (called by Sphinx)."""
        path = Path(self.env.doc2path(self.env.docname))
        if not self.env.docname.startswith(PAGES) or path.suffix != ".ipynb":
            return
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        known = {
            (guess.question.cell, guess.question.nth): guess
            for guess in guesses.in_notebook(cells)
        }
        warn_of_hints(known, cells, self.env.docname)
        for node, place in places(self.document).items():
            guess = known.get(place)
            if not guess:
                continue
            form = guess_form(guess=guess, key=key_of(guess, cells))
            form["answer"] = answer_of(node, guess, self.document)
            node["classes"].append("asked")
            node.parent.insert(node.parent.index(node) + 1, form)


def warn_of_hints(
    known: dict[tuple[int, int], Guess], cells: list[dict[str, Any]], page: str
) -> None:
    """Warn of metadata that name no kind, too few groups, or no question."""
    asking = {guess.question.cell for guess in known.values()}
    for number, cell in enumerate(cells):
        if "guess" in cell["metadata"] and number not in asking:
            LOGGER.warning(
                '%s: cell %s asks nothing, but has "guess" in its metadata',
                page,
                cell["id"],
            )
    for guess in known.values():
        few = guess.kind in guesses.CHOSEN and len(guess.groups) < guesses.FEW
        if guess.kind not in guesses.KINDS or few:
            LOGGER.warning(
                '%s: "guess" of cell %s wants a kind of %s, with two groups '
                "or more for %s",
                page,
                cells[guess.question.cell]["id"],
                ", ".join(guesses.KINDS),
                ", ".join(guesses.CHOSEN),
            )


def visit(self, node: guess_form) -> None:
    """Write the form."""
    guess, key = node["guess"], node["key"]
    known = {
        "key": key,
        "kind": guess.kind,
        "answer": node["answer"],
        "number": guess.number,
    }
    data = "".join(
        f' data-{name}="{escape(value)}"'
        for name, value in known.items()
        if value
    )
    self.body.append(
        f'<form class="guess"{data}>{fields(guess, key)}'
        '<button class="exercise-quiet">Answer</button>'
        '<p class="guess-note" role="status"></p></form>\n'
    )
    raise nodes.SkipNode


def fields(guess: Guess, key: str) -> str:
    """Return the fields of a form: chips to choose, or lines to write in."""
    if guess.kind in ("choice", "pick"):
        kind = "radio" if guess.kind == "choice" else "checkbox"
        chips = "".join(
            f'<label class="guess-chip"><input type="{kind}" name="{key}"'
            f' value="{escape(one)}"> {escape(one)}</label>'
            for one in guess.groups
        )
        said = "Choose one" if kind == "radio" else "Choose any of them"
        return f"<fieldset><legend>{said}</legend>{chips}</fieldset>"
    if guess.kind == "each":
        return '<div class="guess-each">' + "".join(
            f"<label>{escape(one)} {line()}</label>"
            for one in guess.groups
        ) + "</div>"  # fmt: skip
    pad = guess.kind == "number" and not guess.number.startswith(MINUS)
    return f"<label>Your guess {line(pad)}</label>"


def line(pad: bool = False) -> str:
    """Return a field to write in, with a phone's number pad or its letters."""
    keys = ' inputmode="decimal"' if pad else ""
    return (
        f'<input type="text" class="exercise-input"{keys} autocomplete="off"'
        ' autocapitalize="off" enterkeyhint="done">'
    )


def skip(self, node: guess_form) -> None:
    """Leave it out where there is no HTML."""
    raise nodes.SkipNode


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(
        guess_form, html=(visit, None), latex=(skip, None), text=(skip, None)
    )
    app.add_post_transform(GuessFields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
