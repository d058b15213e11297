"""What the code of a cell is for, as far as its text tells.

book/_tools/fold_tags.py chooses by it what the pages fold, and cell_folds.py
what stands on a fold.
"""

from __future__ import annotations

import ast

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINED = (ast.ClassDef, ast.FunctionDef)
FIGURES = ("explorers.", "plots.picture(")
SET_UP = "Set-up"


def shows_figure(node: ast.stmt) -> bool:
    """Tell whether a statement shows a figure."""
    return ast.unparse(node).startswith(FIGURES)


def asserts(node: ast.stmt) -> bool:
    """Tell whether a statement does nothing but assert."""
    if isinstance(node, ast.For | ast.With | ast.If):
        return all(map(asserts, node.body))
    return isinstance(node, ast.Assert)


def words_for(source: str) -> str:
    """Return what stands on the fold of a cell's code, if no author says it.

    Args:
        source: the code.

    Returns:
        What it ends in, a figure or assertions, or what it is about.
    """
    if source.startswith("# Set-up."):
        return SET_UP
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a line of IPython's
        body = []
    if not body:
        return "The code"
    if shows_figure(body[-1]):
        return "The code of this figure"
    if isinstance(body[0], IMPORTS):
        return "Imports"
    if asserts(body[-1]):
        return "What is asserted"
    if all(isinstance(node, DEFINED) for node in body):
        return f"The code: {', '.join(node.name for node in body)}"
    return "The code"
