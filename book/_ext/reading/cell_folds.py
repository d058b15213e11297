"""The folds of a code cell: what each hides stands on it.

The tags `hide-input` and `hide-output` make them (book/_tools/fold_tags.py).
A fold of code says what the code is (code_kinds.py). Where its text does not
tell, an author says it in the cell's metadata, in myst-nb's own place:

    "mystnb": {"code_prompt_show": "The code: two trainings"}

A fold of a result that follows a question says "Check your guess". A cell that
ends in `verdict`, as those of the solutions do, has its result in a fold.
"""

from __future__ import annotations

from html import escape

from code_kinds import SET_UP, words_for
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import is_cell, source_of

GUESS = "Check your guess"
VERDICT = "The verdict"


def label_folds(document: nodes.document) -> None:
    """Say on each folded cell what it hides."""
    asked = False
    for node in document.findall():
        if isinstance(node, nodes.title):
            asked = False
        elif isinstance(node, nodes.paragraph):
            asked = asked or "predict" in node["classes"]
        elif is_cell(node) and node.get("hide_mode"):
            own = node.get("cell_metadata", {}).get("mystnb", {})
            said = own.get("code_prompt_show", "")
            node["code_words"] = said or words_for(source_of(node))
            node["result_words"] = words_for_result(source_of(node), asked)
            if "output" in node["hide_mode"]:
                asked = False


def words_for_result(source: str, asked: bool) -> str:
    """Return the words on the fold of what a cell gives."""
    if asked:
        return GUESS
    return "The source" if "getsource(" in source else "The result"


class cell_fold(nodes.General, nodes.Element):
    """The folded part of a code cell: its `kind`, and the `words` on it."""


def visit_cell_fold(translator, node: cell_fold) -> None:
    """Open the `<details>`."""
    translator.body.append(
        f'<details class="cell-fold {node["kind"]}">'
        f"<summary>{escape(node['words'])}</summary>\n"
    )


def depart_cell_fold(translator, node: cell_fold) -> None:
    translator.body.append("</details>\n")


def kind_of(words: str, is_result: bool) -> str:
    """Return the class of a fold: set-up, code, guess, result."""
    if is_result:
        return "guess" if words == GUESS else "result"
    return "set-up" if words == SET_UP else "code"


class CellFolds(SphinxPostTransform):
    """Replace myst-nb's folds, which are dressed as warnings."""

    default_priority = 205
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        from myst_nb.sphinx_ import HideCodeCellNode  # two seconds

        for old in list(self.document.findall(HideCodeCellNode)):
            is_result = "above-input" not in old["classes"]
            words = old.parent["result_words" if is_result else "code_words"]
            new = cell_fold(words=words, kind=kind_of(words, is_result))
            new.extend(old.children)
            old.parent.replace(old, new)
        for cell in self.document.findall(shows_verdict):
            fold_verdict(cell)


def shows_verdict(node: nodes.Node) -> bool:
    """Tell whether a node is a cell that shows what a check has said."""
    return is_cell(node) and source_of(node).endswith("\nverdict")


def fold_verdict(cell: nodes.Element) -> None:
    """Put what a cell gives into a fold."""
    for output in list(cell.children):
        if output.get("nb_element") == "cell_code_output":
            new = cell_fold(words=VERDICT, kind="result")
            cell.replace(output, new)
            new.append(output)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx); cards.py calls label_folds."""
    app.add_node(cell_fold, html=(visit_cell_fold, depart_cell_fold))
    app.add_post_transform(CellFolds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
