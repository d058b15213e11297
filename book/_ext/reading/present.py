"""What the slides of a page have to know (book/_static/present/).

The key p turns a lesson or a laboratory into slides. They are read from the
page's own elements, and what these do not say stands beside them as data:

    <p class="predict" data-result="answer-1" data-cover="columns 2">
    <div class="exercise-card" data-kind="paper" data-minutes="15"
         data-where="class">

`data-result` is the id of the cell whose folded output answers a question;
`data-cover` says that the last columns or rows of the next table are to be
covered; an exercise is done in class where book/teaching.md says so.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from cell_folds import GUESS
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import is_cell

PAGES = ("chapters/", "book/laboratory/")
COVER = re.compile(
    r"\b[Cc]over the (?P<last>last )?(?P<count>two |three |four )?(?:last )?"
    r"(?P<what>column|row)s?\b(?P<both>[^.]*\bboth tables)?"
)
COUNTS = {"two": 2, "three": 3, "four": 4}
IN_CLASS = re.compile(r"\bClass: ((?:\d+\.\d+(?:, | and )?)+)")


class question(nodes.paragraph):
    """A prediction; `result` and `cover` as in the page."""


class exercise_card(nodes.container):
    """The card of an exercise: `kind`, `minutes`, `where`."""


@cache
def done_in_class(guide: Path) -> frozenset[str]:
    """Return the numbers of the exercises that teachers give in class.

    None in the edition for a class: the guide stays with the teacher.
    """
    if not guide.exists():
        return frozenset()
    found = IN_CLASS.findall(guide.read_text(encoding="utf-8"))
    return frozenset(
        number for line in found for number in re.findall(r"\d+\.\d+", line)
    )


def covered(words: str) -> str:
    """Return what is to be covered: "columns 2", "rows 1", or ""."""
    match = COVER.search(words)
    if not match:
        return ""
    count = COUNTS.get((match["count"] or "").strip(), 1)
    return f"{match['what']}s {count}"


def number_results(document: nodes.document) -> dict[nodes.Node, str]:
    """Give the cells that answer a question an id; return it by question."""
    found: dict[nodes.Node, str] = {}
    asked = None
    for node in document.findall():
        if isinstance(node, nodes.title):
            asked = None
        elif isinstance(node, nodes.paragraph) and "predict" in node["classes"]:
            asked = node
        elif asked and is_cell(node) and answers(node):
            name = f"answer-{len(found) + 1}"
            node["ids"].append(name)
            found[asked] = name
            asked = None
    return found


def answers(cell: nodes.Element) -> bool:
    """Say whether a cell's result waits for the reader's guess.

    In the edition for a class it may not be there.
    """
    folded = cell.get("hide_mode") or ""
    return (
        "output" in folded
        and cell.get("result_words") == GUESS
        and any(
            part.get("nb_element") == "cell_code_output"
            for part in cell.findall(nodes.container)
        )
    )


def facts_of(card: nodes.container) -> dict[str, str]:
    """Return the number, the kind and the minutes of an exercise."""
    spans = [
        (span["classes"], span.astext())
        for span in card.parent.children[0].findall(nodes.inline)
    ]
    number = next(w for c, w in spans if "exercise-number" in c)
    kind, time, *_ = [w for c, w in spans if "exercise-fact" in c]
    return {
        "number": number.removeprefix("Exercise "),
        "kind": kind,
        "minutes": time.removesuffix(" min"),
    }


class Present(SphinxPostTransform):
    """Put the data beside the cards, once the exercises are in them."""

    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Go through the page (called by Sphinx)."""
        if not self.env.docname.startswith(PAGES):
            return
        guide = Path(self.env.srcdir) / "book" / "teaching.md"
        results = number_results(self.document)
        for asked in list(self.document.findall(nodes.paragraph)):
            if "predict" in asked["classes"]:
                new = question("", "", classes=asked["classes"])
                new["result"] = results.get(asked, "")
                new["cover"] = covered(asked.astext())
                put_in_place(asked, new)
        for card in list(self.document.findall(nodes.container)):
            if "exercise-card" in card["classes"]:
                facts = facts_of(card)
                here = self.env.docname.startswith("chapters/")
                given = facts.pop("number") in done_in_class(guide)
                where = "class" if here and given else "home"
                new = exercise_card(classes=card["classes"], where=where)
                new.attributes.update(facts)
                put_in_place(card, new)


def put_in_place(old: nodes.Element, new: nodes.Element) -> None:
    """Let a node with data take the place and the children of another."""
    new["ids"] = old["ids"]
    new.source, new.line = old.source, old.line
    old.parent.replace(old, new)
    new.extend(old.children)


def attributes(node: nodes.Element, *names: str) -> dict[str, str]:
    """Return what a node knows as attributes of HTML."""
    return {f"data-{name}": node[name] for name in names if node.get(name)}


def visit_question(self, node: question) -> None:
    """Open the paragraph."""
    known = attributes(node, "result", "cover")
    self.body.append(self.starttag(node, "p", "", **known))


def depart_question(self, node: question) -> None:
    """Close the paragraph."""
    self.body.append("</p>\n")


def visit_card(self, node: exercise_card) -> None:
    """Open the box."""
    known = attributes(node, "kind", "minutes", "where")
    self.body.append(
        self.starttag(node, "div", CLASS="docutils container", **known)
    )


def depart_card(self, node: exercise_card) -> None:
    """Close the box."""
    self.body.append("</div>\n")


def add_script(app, pagename, template, context, doctree) -> None:
    """Offer the slides where there are some; the rest loads on request."""
    if doctree is not None and pagename.startswith(PAGES):
        app.add_js_file("present/offer.js", loading_method="defer")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(question, html=(visit_question, depart_question))
    app.add_node(exercise_card, html=(visit_card, depart_card))
    app.add_post_transform(Present)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
