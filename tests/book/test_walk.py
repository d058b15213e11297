"""The way through the book: who follows it to the letter owns a translator.

The lessons and laboratories that have a part of the reader's own Transformer,
or use it, in their order, each in a kernel of its own. Each is a test that
begins with the file that the ones before it leave, and must leave the file
that the next one begins with; the first begins in an empty folder.
"""

import ast
import inspect
import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest
import torch
from page_rules.own_file import TAG
from page_rules.pages import page_at
from stored_answers import file_of

from transformer_course import workbook
from transformer_course.checks import parts
from transformer_course.checks.engine.box.limits import _is_importing
from transformer_course.grading.reading.program import (
    needed,
    parsed,
    statements_of,
)

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = [  # each lesson, then its laboratory
    path
    for lesson in sorted((ROOT / "chapters").glob("*.ipynb"))
    for path in (lesson, ROOT / "book" / "laboratory" / lesson.name)
]
# Said to a kernel before the first cell: a part that is not the reader's own
# stops the walk.
OWN_ONLY = """
from transformer_course import workbook
use = workbook.use


def own(*names):
    found = use(*names)
    for thing in found if isinstance(found, tuple) else (found,):
        assert thing.__module__ == "my_transformer", thing
    return found


workbook.use = own
"""


def notebook(path):
    import nbformat  # a second and a half, for the slow tests

    return nbformat.read(path, as_version=4)


def code_cell(text):
    from nbformat.v4 import new_code_cell

    return new_code_cell(text)


def code_of(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def answered(cell):
    """The exercises that a cell is for."""
    tags = cell.metadata.get("tags", [])
    return [t.removeprefix(TAG) for t in tags if t.startswith(TAG)]


def defined(cell):
    """The functions and classes that a cell makes."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    body = parsed(cell.source).body
    return {node.name for node in body if isinstance(node, kinds)}


WALKED = [
    path
    for path in NOTEBOOKS
    if any("workbook." in cell.text for cell in page_at(path).code)
]


# --------------------------------------------- what hints name, and the file


# What a hint's code calls the reader's own, in words of more than a letter.
# A piece of code in a hint, in surroundings that make it Python.


# ------------------------------------------------------- the whole way, once


def solved(path):
    """A notebook whose parts are those of the solutions of its chapter."""
    book = notebook(path)
    published = code_of(notebook(ROOT / "book" / "solutions" / path.name))
    for cell in code_of(book):
        wanted = defined(cell) & set(answered(cell)) & parts.PARTS.keys()
        found = [c for c in published if wanted & set(answered(c))]
        assert wanted == set().union(*(defined(c) & wanted for c in found))
        if wanted:
            cell.source = "\n\n\n".join(in_one(c, published) for c in found)
    return book


def in_one(cell, others):
    """A solution; a class in two steps (chapter 11) is one in the file."""
    tree = parsed(cell.source)
    classes = {
        node.name: node
        for other in others
        for node in parsed(other.source).body
        if isinstance(node, ast.ClassDef) and node.name not in parts.PARTS
    }
    for node in tree.body:
        for base in getattr(node, "bases", []):
            if ast.unparse(base) in classes:
                first = classes[ast.unparse(base)]
                node.bases, node.body = first.bases, first.body + node.body
                return ast.unparse(tree)
    return cell.source


def run(cells, folder):
    """Run cells in a kernel that begins in a folder; return the notebook."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_notebook

    book = new_notebook(cells=cells)
    client = NotebookClient(
        book,
        timeout=600,
        kernel_name="python3",
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return book


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, in which this process works as well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRANSFORMER_WORKBOOK", raising=False)
    known = os.environ.get("PYTHONPATH")
    paths = [str(ROOT), *([known] if known else [])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    yield tmp_path
    sys.modules.pop("my_transformer", None)


def seeds(line):
    """Whether a line binds nothing and yet decides what comes after it."""
    text = ast.unparse(line.node)
    return re.match(r"[\w.]+\.(manual_seed|seed|set_num_threads)\(", text)


def with_parts(book):
    """The cells that make or use a part, and the lines that these need.

    All others run as well without the reader's file: they are nbval's.
    """
    code = code_of(book)
    cells = [statements_of(cell.source) for cell in code]
    whole, needs, owned = {0}, set(), set()  # the set-up
    for number, cell in enumerate(cells):
        for line in cell:
            if (
                re.search(r"\bworkbook\.", ast.unparse(line.node))
                or (line.used | line.later) & owned
                or parts.PARTS.keys() & set(answered(code[number]))
            ):
                owned |= line.bound
                whole.add(number)
            else:
                owned -= line.creates
    for number in whole:
        asked = set().union(*(n.used | n.later for n in cells[number]))
        needs |= {line for _, line in needed(cells, number, asked)}
    found, bound = [], set()
    for number, cell in enumerate(cells):
        kept = []
        for line in cell:
            decides = seeds(line) and needs & set(cell) and line.used <= bound
            if number in whole or line in needs or decides:
                kept.append(ast.unparse(line.node))
                bound |= line.bound
        if number in whole:
            found.append(code[number])
        elif kept:
            found.append(code_cell("\n".join(kept)))
    return found


def saved(path):
    """The parts that a notebook saves, as their definitions."""
    book = solved(path)
    found = {}
    for cell in code_of(book):
        for node in parsed(cell.source).body:
            name = getattr(node, "name", None)
            if name in answered(cell) and name in parts.PARTS:
                found[name] = node
    return found


def file_before(path):
    """The file of whoever has come to a notebook, as its statements."""
    made = {}
    for before in WALKED[: WALKED.index(path)]:
        made |= saved(before)
    return {name: ast.unparse(node) for name, node in made.items()}


def statements_in(text):
    """What a file defines, whatever its order, without comments."""
    return {
        node.name: ast.unparse(node)
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


# Left to `make test-all`: laboratories that use the parts as their lessons do
# and save none, and the lessons that train longest. What all of them do with
# parts runs in `.ci/run` with other right answers, training cut short (below).
LONG = ("laboratory-07", "laboratory-09", "laboratory-13", "chapters-07",
        "chapters-11")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            marks=[pytest.mark.whole] if name.startswith(LONG) else [],
            id=name,
        )
        for path in WALKED
        for name in [f"{path.parent.name}-{path.stem}"]
    ],
)
def test_the_published_solutions_lead_from_notebook_to_notebook(path, folder):
    begins = file_before(path)
    if begins:
        text = "\n\n\n".join([workbook.HEADER.rstrip(), *begins.values(), ""])
        workbook.file().write_text(text, encoding="utf-8")
    first = code_cell(OWN_ONLY)
    book = run([first, *with_parts(solved(path))], folder)
    ends = statements_in(workbook.file().read_text(encoding="utf-8"))
    named = {n: ast.unparse(node) for n, node in saved(path).items()}
    assert ends == begins | named
    if path.stem.startswith("14"):
        rows = workbook.progress().rows
        assert [row.status for row in rows] == ["right"] * len(parts.PARTS)
    if path.stem.startswith("15") and path.parent.name == "chapters":
        said = "".join(
            output.text
            for cell in code_of(book)
            for output in cell.outputs
            if output.output_type == "stream"
        )
        assert "100 of 100 translations are equal" in said


# ------------------------------------- other right answers, nine whole files


def statements(path):
    """The top of a file, and which of its statements makes a name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made = {}
    for node in tree.body:
        (statement,) = statements_of(ast.unparse(node))
        made |= dict.fromkeys(statement.bound, node)
    return tree.body, made


# Right as they stand alone, but not with what other parts or chapters do with
# them on these pages.
APART = {
    ("MultiHeadAttention", "right__fused"),  # its mask is called m
    ("label_smoothing_loss", "right__only_real_tokens"),  # epsilon by name
    ("train_step", "right__emptied_one_by_one"),  # optimizer and lr by name
    ("learning_rate", "right__names"),  # width and warm-up by name
    ("EncoderLayer", "right__own_attention_in_place"),  # no FeedForward inside
    ("DecoderLayer", "right__own_parts"),  # nor here; chapter 11 calls it
    # Chapter 11 listens to k_proj, chapter 15 wants a tensor as the page does.
    ("MultiHeadAttention", "right__functional_with_a_tiny_number"),
    ("greedy_decode", "right__one_sentence_after_another"),
}


def right_answer(name, number):
    """A stored answer to a part as it stands in a reader's file.

    Args:
        name: of the part.
        number: of the answer among those that do without NumPy, which the
            file does not have, and fit to the other parts; counted anew where
            there are fewer.

    Returns:
        Its text, with the helpers and imports that it needs.
    """
    body, made = statements(file_of(name))
    found = []
    for right in [one for one in made if one.startswith("right__")]:
        wanted, todo = set(), [right]
        while todo:
            one = todo.pop()
            if one in made and one not in wanted | parts.PARTS.keys():
                wanted.add(one)
                (needs,) = statements_of(ast.unparse(made[one]))
                todo += needs.used | needs.later
        apart = any((name, one) in APART for one in wanted)
        if "np" not in wanted and not apart:
            found.append((right, wanted))
    right, wanted = found[number % len(found)]
    kept = {made[one] for one in wanted}
    text = "\n\n\n".join(ast.unparse(n) for n in body if n in kept)
    for one in wanted:
        if isinstance(made[one], ast.FunctionDef | ast.ClassDef):
            new = name if one == right else f"{one}_of_{name}"
            text = re.sub(rf"\b{one}\b", new, text)
    return text


MOST = max(
    sum(key.startswith("right__") for key in statements(file_of(name))[1])
    for name in parts.PARTS
)


def lines_with_parts(path):
    """What a chapter does with the reader's file, and what that needs.

    Yields:
        The statements in their order; with each, whether it loads a part or
        handles something that was made of one.
    """
    code = code_of(notebook(path))
    cells = [statements_of(cell.source) for cell in code[1:]]  # no set-up
    owned, chosen, needs = set(), set(), set()
    for number, cell in enumerate(cells):
        for line in cell:
            loads = re.search(r"workbook\.(use|load)", ast.unparse(line.node))
            if loads or (line.used | line.later) & owned:
                owned |= line.bound
                chosen.add(line)
                asked = line.used | line.later
                needs |= {s for _, s in needed(cells, number, asked)}
            else:
                owned -= line.creates
    for cell in cells:
        for line in cell:
            if line in chosen | needs:
                yield line, line in chosen


LINE = "<a line that is walked>"


class Enough(BaseException):
    """It has run long enough without an error."""


def stop(_, frame):
    """Stop a line that is walked, and neither what walks it nor an import.

    An import would be left half done; and the clock may ring once more just
    after the line, in `follow` itself.
    """
    while frame is not None and frame.f_code.co_filename != LINE:
        frame = frame.f_back
    if frame is not None and not _is_importing(threading.current_thread()):
        raise Enough


def follow(path, seconds=1.0):
    """Run those lines; training and measuring are cut short."""
    scope, lost = {"display": print, "__name__": "__main__"}, set()
    for line, owned in lines_with_parts(path):
        if (line.used | line.later) & lost:
            lost |= line.bound
            continue
        lost -= line.creates
        code = compile(ast.Module([line.node], []), LINE, "exec")
        try:
            if owned:  # and again: not every place hands on what is raised
                signal.setitimer(signal.ITIMER_REAL, seconds, seconds / 4)
            exec(code, scope)
        except Enough:  # a module stays what it was
            lost |= {
                name
                for name in line.bound
                if not inspect.ismodule(scope.get(name))
            }
        except Exception as error:
            error.add_note(ast.unparse(line.node))
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            torch.set_grad_enabled(True)  # it may have stopped no_grad at work


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer")
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(n, marks=[pytest.mark.whole] if n % 3 else [])
        for n in range(MOST)
    ],
)
def test_other_right_answers_go_the_same_way(folder, number, monkeypatch):
    pieces = [right_answer(name, number) for name in parts.PARTS]
    text = "\n\n\n".join([workbook.HEADER, *pieces])
    workbook.file().write_text(text, encoding="utf-8")
    wrong = [row for row in workbook.progress().rows if row.status != "right"]
    assert not wrong
    scope = {}
    exec(OWN_ONLY, scope)
    monkeypatch.setattr(workbook, "use", scope["use"])  # undone at the end
    workbook.use = scope["own"]
    before = signal.signal(signal.SIGALRM, stop)
    try:
        for path in WALKED:
            follow(path)
    finally:
        signal.signal(signal.SIGALRM, before)
