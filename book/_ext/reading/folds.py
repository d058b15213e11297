"""`<details>` of a chapter as real nodes: hints, rubrics, quiz answers.

Markdown writes a fold as raw HTML around ordinary paragraphs. Here the pieces
become one node, with the Markdown of the summary rendered, so that later steps
can tell a hint from an answer and the page can style them.
"""

from __future__ import annotations

import re
from html import escape

from docutils import nodes
from inline_text import to_html

_PIECE = re.compile(
    r"<details(?P<said>[^>]*)>\s*<summary>(?P<words>.*?)</summary>"
    r"|(?P<end></details>)",
    re.S,
)
_LANGUAGE = re.compile(r'\blang="([\w-]+)"')
KINDS = {
    "hint": re.compile(r"Hint \d"),
    "rubric": re.compile(r"Rubric|What a good answer"),
    "deeper": re.compile(r"Deeper"),
    "answer": re.compile(r"[A-E]\. "),
}


class fold(nodes.General, nodes.Element):
    """One `<details>`: its summary as Markdown, its language if it says one."""


def kind_of(words: str) -> str:
    """Return what a summary announces: hint, rubric, deeper, answer, more."""
    return next((k for k, sign in KINDS.items() if sign.match(words)), "more")


def gather(siblings: list[nodes.Node]) -> list[nodes.Node]:
    """Return the same children with each `<details>` as one node."""
    done: list[nodes.Node] = []
    open_folds: list[fold] = []

    def put(node: nodes.Node) -> None:
        (open_folds[-1] if open_folds else done).append(node)

    for node in siblings:
        html = node.astext() if isinstance(node, nodes.raw) else ""
        if not (_PIECE.search(html) and node.get("format") == "html"):
            put(node)
            continue
        place = 0
        for piece in _PIECE.finditer(html):
            between = html[place : piece.start()].strip()
            place = piece.end()
            if between:
                put(nodes.raw("", between, format="html"))
            if piece["words"] is not None:
                words = " ".join(piece["words"].split())
                new = fold(words=words, kind=kind_of(words))
                if said := _LANGUAGE.search(piece["said"]):
                    new["lang"] = said[1]
                new.source, new.line = node.source, node.line
                put(new)
                open_folds.append(new)
            elif open_folds:
                open_folds.pop()
        if html[place:].strip():
            put(nodes.raw("", html[place:].strip(), format="html"))
    return done


def gather_all(document: nodes.document) -> None:
    """Gather the folds of a page, wherever they stand."""
    parents = {
        node.parent
        for node in document.findall(nodes.raw)
        if "<details" in node.astext()
    }
    for parent in parents:
        children = gather(list(parent.children))
        parent.children = []
        parent.extend(children)


def visit_fold(translator, node: fold) -> None:
    """Open the `<details>`; `right` marks the right answer of a quiz."""
    classes = " ".join(["fold", f"fold-{node['kind']}", *node["classes"]])
    extra = "".join(
        f' {attribute}="{escape(node[name])}"'
        for name, attribute in (("choice", "data-choice"), ("lang", "lang"))
        if name in node
    )
    if node["ids"]:
        extra += f' id="{escape(node["ids"][0])}"'
    translator.body.append(
        f'<details class="{classes}"{extra}>'
        f"<summary>{to_html(node['words'])}</summary>"
        '<div class="fold-body">\n'
    )


def depart_fold(translator, node: fold) -> None:
    translator.body.append("</div></details>\n")


def skip(translator, node: fold) -> None:
    """Write only the contents (for builders other than HTML)."""


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_node(
        fold,
        html=(visit_fold, depart_fold),
        text=(skip, skip),
        latex=(skip, skip),
    )
    app.connect("doctree-read", lambda app, tree: gather_all(tree))
    return {
        "env_version": 1,  # raise it when what is kept of a page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
