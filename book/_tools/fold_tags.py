"""Tag the code that the pages fold: what a reader of a page need not read.

    python book/_tools/fold_tags.py                           all notebooks
    python book/_tools/fold_tags.py chapters/05_*.ipynb       only these

A cell is folded if it only imports and sets up, if it shows a figure, if it
only asserts, or if it only defines classes and they are longer than 15 lines.
A laboratory is read as an article: outside its exercises, a cell of more than
five lines is folded, too, and what it gives is not.
The tag `hide-input` says so; the pages fold such a cell, JupyterLab and Colab
show it. A cell with the tag `show-input` stays open, and so does one for an
answer; a cell that an author has tagged otherwise keeps its tags. Of the rest,
plumbing and repeated trainings, no program can tell: an author tags it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext" / "reading"))

from code_kinds import IMPORTS, asserts, shows_figure  # noqa: E402
from notebook_file import dumped  # noqa: E402
from reading_time import HEADING, lines_of  # noqa: E402

FOLD, OPEN = "hide-input", "show-input"
SETTINGS = (
    "np.set_printoptions(",
    "torch.set_printoptions(",
    "torch.set_num_threads(",
)
MANY = 3  # imports, beside which a name or two may be set
MOST = 15  # lines of a class that stays open
SHORT = 5  # lines of a laboratory's cell that stays open
EXERCISE = re.compile(r"(?m)^### Exercise ")


def is_folded(text: str) -> bool:
    """Tell whether the pages fold a cell.

    Args:
        text: its code.

    Returns:
        True for imports, figures, assertions and long classes.
    """
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return False
    if not body:
        return False
    imports = sum(isinstance(node, IMPORTS) for node in body)
    rest = [
        node
        for node in body
        if imports < MANY or not isinstance(node, ast.Assign)
    ]
    return (
        all(map(_sets_up, rest))
        or shows_figure(body[-1])
        or all(map(asserts, body))
        or (
            all(isinstance(node, ast.ClassDef) for node in body)
            and len(text.splitlines()) > MOST
        )
    )


def _sets_up(node: ast.stmt) -> bool:
    return isinstance(node, IMPORTS) or ast.unparse(node).startswith(SETTINGS)


def tag(notebook: dict[str, Any], *, article: bool = False) -> None:
    """Tag the cells of a notebook.

    Args:
        notebook: its content; it is changed.
        article: whether it is a laboratory.
    """
    shows = article
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            if article and HEADING.search(text):
                shows = EXERCISE.search(text) is None
            continue
        tags = cell["metadata"].get("tags", [])
        answer = any(one.startswith("answer:") for one in tags)
        if answer or {FOLD, OPEN, "hide-cell", "setup"} & {*tags}:
            continue
        if is_folded(text) or (shows and lines_of(text) > SHORT):
            cell["metadata"]["tags"] = [*tags, FOLD]


def is_article(path: Path) -> bool:
    """Tell whether a notebook is a laboratory."""
    return path.parent.name == "laboratory"


def main(arguments: list[str]) -> None:
    """Tag the notebooks that are named, or every lesson."""
    named = [Path(name).resolve() for name in arguments]
    for path in named or [
        path
        for folder in ("chapters", "book/laboratory", "book/solutions")
        for path in sorted((ROOT / folder).glob("*.ipynb"))
    ]:
        text = path.read_text(encoding="utf-8")
        notebook = json.loads(text)
        tag(notebook, article=is_article(path))
        new = dumped(notebook)
        if new != text:
            path.write_text(new, encoding="utf-8", newline="\n")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
