"""Which cells can run in the page is read from the code of a notebook."""

import json

import page_cells
import pytest
from page_cells import FOLDERS, ROOT, found_in, mark
from page_lacks import lacks

IMPORTS = (
    "import numpy as np\n"
    "import torch\n"
    "from transformer_course import checks, explorers, plots\n"
    "torch.set_num_threads(1)\n"
    "np.set_printoptions(precision=4)"
)


def code(name, source, *tags):
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {"tags": [*tags]},
        "outputs": [],
        "source": source,
    }


def found(*sources, imports=IMPORTS):
    """What is found of cells below the imports, a letter for each."""
    cells = [code("imports", imports)]
    cells += [
        code(name, text) for name, text in zip("abcdef", sources, strict=False)
    ]
    return found_in(cells)[1:]


def test_a_cell_needs_the_statements_above_that_make_its_names():
    first, second, third = found(
        "x = np.arange(3)\ny = 2\nprint(y)", "z = 1", "print(x + z)"
    )
    assert first == {"needs": "imports:0,4"}
    # NumPy's settings count for what is printed, torch's for nothing.
    assert second == {"needs": "imports:0,4"}
    assert third == {"needs": "imports:0,4 a:0 b"}


@pytest.mark.parametrize(
    "sources",
    [
        ["x = torch.ones(3)", "y = x + 1", "print(y)"],
        ["def f(x):\n    return torch.ones(x)", "y = [3]", "print(f(y))"],
        ["x = [1]", "x.append(torch.ones(1))", "print(x)"],
        ["x = [1]", "for t in (torch, 2):\n    x[0] = t", "print(x)"],
        ["class N(torch.nn.Module): pass", "n = [N]", "n[0]()"],
    ],
)
def test_what_needs_torch_two_cells_above_lacks_it(sources):
    assert found(*sources)[-1] == {"lacks": "torch"}
    able = [source.replace("torch", "np") for source in sources]
    assert "needs" in found(*able)[-1]  # nothing else is in the way


def test_what_was_only_shown_to_torch_can_be_used_on():
    *_, last = found(
        "x = np.ones(3)", "print(torch.tensor(x) @ torch.tensor(x))", "x + 1"
    )
    assert last == {"needs": "imports:0,4 a"}


def test_a_name_that_is_made_anew_without_torch_lacks_nothing():
    *_, last = found("x = torch.ones(3)", "x = [1, 2]", "print(x)")
    assert last == {"needs": "imports:0,4 b"}
    assert found("torch = 3", "torch + 1")[1] == {"needs": "imports:0,4 a"}


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("plots.picture(plots.canvas(), alt='x')", "a figure"),
        ("explorers.masks()", "a figure"),
        ("checks.build(int)", "torch"),
        ("display(np.ones(1))", "IPython"),
        ("%timeit np.ones(1)", "IPython"),
        ("plots.table(['a'], [[1]])", None),
        ("checks.softmax(None)", None),
        ("checks.five_shapes_by_hand((1, 2, 3, 4, 5))", None),
    ],
)
def test_what_the_books_own_packages_lack(source, word):
    (said,) = found(source)
    assert said.get("lacks") == word
    assert ("needs" in said) == (word is None)


def test_after_code_that_nobody_can_read_nothing_is_known():
    first, *others = found("x = 1", "exec('x = 2')", "x")
    assert "needs" in first
    assert others == [{"lacks": "IPython"}] * 2


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("numpy.linalg", ""),
        ("math", ""),
        ("subprocess", "subprocess"),
        ("tokenizers", "tokenizers"),
        ("transformer_lib.numpy_reference", ""),
        ("transformer_lib.numpy_reference.softmax", ""),
        ("transformer_lib.greedy", "torch"),
        ("transformer_lib.normalization", "torch"),
        ("transformer_course.sentence", "torch"),
        ("transformer_course.plots.table", ""),
        ("transformer_course.plots.heat_map", "a figure"),
        ("transformer_course.stored.stored_results", "files"),
    ],
)
def test_what_a_module_or_a_name_lacks(name, word):
    assert lacks(name) == word


def test_the_mark_is_no_output_and_folded_code_needs_one():
    cells = [
        code("set-up", "import os", "setup", "hide-input"),
        code("imports", IMPORTS, "hide-input"),
        code("shown", "np.ones(3)", "hide-output"),
        code("folded", "np.ones(3)", "hide-input"),
        code("drawn", "torch.ones(3)", "hide-input"),
        code("printed", "np.ones(3)", "hide-input"),
    ]
    cells[3]["metadata"]["page"] = {"needs": "stale"}
    cells[4]["outputs"] = cells[5]["outputs"] = [{"text": "[1. 1. 1.]"}]
    before = [dict(cell, metadata=None) for cell in cells]
    mark({"cells": cells})
    assert [dict(cell, metadata=None) for cell in cells] == before
    marks = [cell["metadata"].get("page") for cell in cells]
    able = {"needs": "imports:0,4"}
    assert marks == [None, None, able, None, None, able]


def notebooks():
    return [path for one in FOLDERS for path in (ROOT / one).glob("*.ipynb")]


def test_each_notebook_has_the_marks_of_a_fresh_look():
    stale, able = [], 0
    for path in notebooks():
        text = path.read_text(encoding="utf-8")
        notebook = json.loads(text)
        mark(notebook)
        if page_cells.dumped(notebook) != text:
            stale.append(path.name)
        able += text.count('"needs"')
    assert stale == [], "python book/_tools/page_cells.py writes them"
    assert able > 250
