"""What a person should look at: said beside the verdicts, never judged.

Sources are compared here, and no code is run. Whoever wants to hide something
from such a look can; whoever copies in a hurry does not.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from transformer_course import PACKAGES
from transformer_course.grading.reading.exercises import (
    Asked,
    Chapter,
    chapter_file,
    exercise_of,
)
from transformer_course.grading.reading.old_names import renewed
from transformer_course.grading.reading.program import parsed
from transformer_course.grading.reading.submissions import Copy
from transformer_course.workbook import HEADER

__all__ = ["alike", "copied", "looks_around", "shapes", "some"]

_AROUND = frozenset(
    "ctypes exec eval gc importlib inspect marshal mmap multiprocessing open "
    "os pickle requests signal socket subprocess sys threading urllib".split()
)
_LENT = frozenset(["use", "take"])  # of `workbook`
_SMALL, _TELLING = 25, 60  # nodes of a syntax tree: less is alike by itself
_FEW, _PART = 3, 5  # more, and more than a fifth of the class, is no secret


def shapes(copy: Copy, chapter: Chapter) -> dict[str, str]:
    """Take the forms of a student's functions and classes.

    Args:
        copy: the student's.
        chapter: what was handed out.

    Returns:
        For each exercise that a cell of the student's own answers, its
        syntax without comments, texts that explain and types; small ones are
        left out.
    """
    found = {}
    for place in copy.own:
        for name, form in _forms(copy.texts[place]):
            for asked in chapter.asked:
                if asked.given == name and asked.name not in copy.taken:
                    found[asked.name] = form
    return found


def looks_around(copy: Copy, chapter: Chapter) -> list[str]:
    """Say which answers the library gives, and what looks beyond its task.

    Args:
        copy: the student's.
        chapter: what was handed out.

    Returns:
        Sentences without a full stop.
    """
    out = {said for c in chapter.cells for said in _imported(_tree(c.text))}
    out |= set(_imported(_tree(HEADER)))
    names = {_bare(asked.name): asked for asked in chapter.asked}
    found: dict[str, None] = {}
    for place in copy.own:
        tree = _tree(copy.texts[place])
        for said in _imported(tree):
            root = said.split(".")[0]
            if root in PACKAGES and renewed(said) not in out:
                found[f"takes {said} from the book"] = None
            elif root in _AROUND and said not in out:
                found[f"looks around with {root}"] = None
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name("workbook"), attr=attr):
                    if attr in _LENT:
                        found[f"takes an answer by workbook.{attr}"] = None
                case ast.Attribute(value=ast.Name("self")):
                    continue
                case ast.Attribute(attr=attr) if _bare(attr) in names:
                    if not _is_check(node):
                        number = names[_bare(attr)].number
                        found[f"{number}: calls .{attr}"] = None
                case ast.Call(func=ast.Name(name)) if name in _AROUND:
                    found[f"looks around with {name}"] = None
    return list(found)


def alike(asked: Asked, form: str, chapter: int) -> bool:
    """Tell whether an answer is the book's, letter by letter.

    Args:
        asked: the exercise.
        form: of the answer, by `shapes`.
        chapter: its number.
    """
    return form in _of_the_book(asked, chapter)


@cache
def _of_the_book(asked: Asked, chapter: int) -> frozenset[str]:
    """The forms of the answers in the book: its solutions, and the checks'."""
    found = set()
    exercise = exercise_of(asked.name)
    if exercise is not None:
        found |= {form for _, form in _forms(exercise.solve.source({}))}
    lesson = chapter_file(chapter)
    path = lesson.parent.parent / "book" / "solutions" / lesson.name
    if path.exists():
        content = json.loads(path.read_text(encoding="utf-8"))
        for cell in content["cells"]:
            if cell["cell_type"] == "code":
                text = "".join(cell["source"])
                found |= {f for name, f in _forms(text) if name == asked.given}
    return frozenset(found)


def _forms(text: str) -> Iterator[tuple[str, str]]:
    """Name and form of each function and class of a cell."""
    for node in _tree(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = node.name
            node.name = "_"
            for part in ast.walk(node):
                _strip(part)
            if sum(1 for _ in ast.walk(node)) >= _SMALL:
                yield name, ast.dump(node, annotate_fields=False)


def _strip(node: ast.AST) -> None:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            if len(node.body) > 1 and ast.get_docstring(node) is not None:
                del node.body[0]
            if isinstance(node, ast.FunctionDef):
                node.returns = None
        case ast.arg():
            node.annotation = None


def _tree(text: str) -> ast.Module:
    """The syntax of a cell; nothing where it is no Python, or too deep."""
    try:
        tree = parsed(text)
        sum(1 for _ in ast.walk(tree))
        ast.unparse(tree)
    except Exception:
        return ast.Module([], [])
    return tree


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _bare(name: str) -> str:
    """A name as other libraries write it: BatchNorm1d is batchnorm."""
    return re.sub(r"_|\dd$", "", name.lower())


def _is_check(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "checks"


def copied(
    forms: dict[str, dict[str, str]], titles: dict[str, str]
) -> dict[str, list[str]]:
    """Find answers of a few students that are the same.

    A short answer has few forms, and what a good part of a class has written
    alike is the natural form, or what they were told.

    Args:
        forms: by student, and by exercise, as `shapes` gives them.
        titles: what to call an exercise.

    Returns:
        By student, what to say.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, found in forms.items():
        for name, form in found.items():
            if form.count("(") >= _TELLING:
                groups[name, form].append(student)
    said: dict[str, list[str]] = defaultdict(list)
    most = max(_FEW, len(forms) // _PART)
    for (name, _), group in groups.items():
        for student in group if 1 < len(group) <= most else ():
            others = [one for one in group if one != student]
            said[student].append(f"{titles[name]} as {some(others)}")
    return said


def some(names: Sequence[str], most: int = 3) -> str:
    """List a few names, and say how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
