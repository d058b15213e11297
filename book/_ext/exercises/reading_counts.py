"""How much there is to do on each page: paper, code, questions, guesses.

The cover says from it how far a reader has come.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import guesses

from transformer_course import checks

EXERCISE = re.compile(r"^#+ Exercise (\d+\.\d+) \(([^)]*)\): ?(.*)$", re.M)
CHOICES = re.compile(r"<summary>A\. ")  # the first of each question's answers
CALL = re.compile(r"\bchecks\.(\w+)\(")
HOMES = Path(checks.__file__).parent

__all__ = ["counts", "kind_of"]


def kind_of(name: str) -> str:
    """Return "paper" or "code" for an exercise's check, else ""."""
    for kind in ("paper", "code"):
        if (HOMES / kind / f"{name}.txt").exists():
            return kind
    return ""


def counts(root: str | Path) -> dict[str, dict[str, int]]:
    """Count what can be done in each page; its name comes without .ipynb."""
    found = {}
    for folder in ("chapters", "book/laboratory"):
        for path in sorted(Path(root, folder).glob("*.ipynb")):
            page = f"{folder}/{path.stem}"
            found[page] = in_notebook(path)
    return found


def in_notebook(path: Path) -> dict[str, int]:
    """Count the exercises of each kind and the questions of a notebook.

    Args:
        path: the notebook's.

    Returns:
        Under "quiz" the questions with lettered answers, in "Check yourself"
        and before; under "guess" those with a field.
    """
    kinds: dict[str, str] = {}  # by the exercise's number
    questions = 0
    current = ""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            questions += len(CHOICES.findall(text))
            for number, _, _ in EXERCISE.findall(text):
                current = number
        elif current and current not in kinds:
            kind = next(filter(None, map(kind_of, CALL.findall(text))), "")
            if kind:
                kinds[current] = kind
    told = list(kinds.values())
    return {
        "paper": told.count("paper"),
        "code": told.count("code"),
        "quiz": questions,
        "guess": len(guesses.in_notebook(cells)),
    }
