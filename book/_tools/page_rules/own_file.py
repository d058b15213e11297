"""A notebook has what the reader's own Transformer, part by part, needs.

Whoever follows the hints of an exercise finds the names in them; and the file
has the imports that the notebook has.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from .pages import Cell, Page
from .rules import rule

if TYPE_CHECKING:
    from transformer_course.grading.reading.program import Statement

TAG = "answer:"
# What a hint's code calls the reader's own, in words of more than a letter.
READERS = {"heads", "hidden", "marked", "number", "scores", "shape", "table",
           "token"}  # fmt: skip
ARGUMENTS = {"correction", "is_causal", "keepdim", "padding_idx"}  # of torch's
# A piece of code in a hint, in surroundings that make it Python.
AROUND = "{}|f({})|f({}0)|{}x|x{}|x{}x|x[{}]|{} pass|x {} x".split("|")


def built_in(page: Page) -> list[str]:
    """Return the parts of the Transformer that a notebook asks for."""
    from transformer_course.checks.parts import PARTS

    return [
        name for cell in page.code for name in answered(cell) if name in PARTS
    ]


def answered(cell: Cell) -> list[str]:
    """Return the exercises that a cell is for."""
    return [t.removeprefix(TAG) for t in cell.tags if t.startswith(TAG)]


# --------------------------------------------------------------- what hints say


@rule("lesson", "laboratory")
def hints_name_what_the_notebook_has(page: Page) -> Iterator[str]:
    """A name in a hint is in the notebook by then, in Python or in torch."""
    from transformer_course.checks import parts

    for name in built_in(page):
        made, folded = known_before(name, page)
        source = inspect.getsource(getattr(parts.part(name), name))
        made |= READERS | arguments(ast.parse(source))
        for hint in hints(name, page.number, folded):
            for code in re.findall(r"`([^`]+)`", hint):
                yield from unknown_in(code, made, name)


def known_before(name: str, page: Page) -> tuple[set[str], str]:
    """Return what has a name where a part is asked for, and its hints."""
    from transformer_course.grading.reading.program import statements_of

    made, folded = set(dir(builtins)), ""
    for cell in page.cells:
        if cell.kind == "markdown":
            folded = cell.text if "<details>" in cell.text else folded
            continue
        for line in statements_of(cell.text):
            made |= line.bound
        if name in answered(cell):
            break
    return made, folded


def hints(name: str, chapter: int, page: str) -> list[str]:
    """Return what an exercise hints at, in the chapter and by its check."""
    from transformer_course.checks import parts

    exercise = parts.part(name).EXERCISE
    if chapter < parts.MASKS:
        verdict = parts.judged(name, ..., chapter)
        own = [verdict.hint(1), verdict.hint(2)]
    else:
        own = exercise.hints
    folded = re.findall(r"(?s)<details>.*?</details>", page)
    return [*folded, *own, *(mistake.hint for mistake in exercise.mistakes)]


def unknown_in(code: str, made: set[str], name: str) -> Iterator[str]:
    """Say which names in a piece of code of a hint nobody knows."""
    try:
        names, alone = names_in(code)
    except ValueError as error:
        yield f"{name}: {error}"
        return
    known = made | attributes() if alone else made
    for lacking in sorted(n for n in names - known if len(n) > 1):
        yield f"{name}: a hint has `{code}`, and no cell before has {lacking}"


def names_in(code: str) -> tuple[set[str], bool]:
    """Return the names that a piece of code needs, and whether it is but one.

    Raises:
        ValueError: it is no Python, whatever stands around it.
    """
    if keyword.iskeyword(code):
        return set(), False
    for around in AROUND:
        try:
            tree = ast.parse(around.format(code))
        except SyntaxError:
            continue
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        made = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        match tree.body:
            case [ast.Expr(ast.Name() | ast.Call(func=ast.Name()))]:
                alone = around == "{}"
            case _:
                alone = False
        return {n.id for n in names} - made - {"f", "x"}, alone
    raise ValueError(f"a hint has `{code}`, which is no Python")


def arguments(thing: ast.AST) -> set[str]:
    """Return what a function takes; of a class, what its methods take."""
    found = list(ast.walk(thing))
    taken = {node.arg for node in found if isinstance(node, ast.arg)}
    return taken | {n.attr for n in found if isinstance(n, ast.Attribute)}


@cache
def attributes() -> set[str]:
    """Return what stands alone in a hint: a name of torch, or of a model."""
    import torch
    from torch import nn
    from torch.nn import functional

    from transformer_course.checks import parts

    return {
        *ARGUMENTS, *dir(torch), *dir(torch.Tensor), *dir(nn), *dir(nn.Module),
        *dir(nn.Linear(1, 1)), *dir(functional),
        *dir(parts.part("Transformer").Transformer),
    }  # fmt: skip


# --------------------------------------------------------------------- imports


@rule("lesson", "laboratory")
def imports_are_those_of_the_file(page: Page) -> Iterator[str]:
    """Who writes `F.relu` in a part finds F; all other imports are used."""
    from transformer_course.grading.reading.program import statements_of
    from transformer_course.workbook.on_disk import HEADER

    if not built_in(page):
        return
    lines = [line for c in page.code for line in statements_of(c.text)]
    imported = set().union(*(line.creates for line in lines if imports(line)))
    used = set().union(*(line.used | line.later for line in lines))
    header = statements_of(HEADER)
    file = set().union(*(line.creates for line in header))
    modules = set().union(*(line.creates for line in header if imports(line)))
    for name in sorted(modules - imported):
        yield f"the notebook does not import {name}, which the own file has"
    for name in sorted(imported - used - file):
        yield f"no cell uses {name}, which is imported"


def imports(line: Statement) -> bool:
    """Tell whether a statement is an import."""
    return isinstance(line.node, ast.Import | ast.ImportFrom)
