"""A stored output stays while nothing that its cell needs has changed."""

import copy
import json
import subprocess

import cell_needs
import depends
import kept_outputs
import pytest
import run_notebooks

SEEDED, DRAWN, UNTOUCHED = "seeded", "drawn", "untouched"
CELLS = {
    "imports": "import numpy as np\nfrom transformer_lib import plots",
    "data": "x = np.arange(3.0)",
    "seed": "rng = np.random.default_rng(0)",
    "train": "def train(x, steps=3):\n"
    "    for _ in range(steps):\n"
    "        x = x + rng.normal(size=3)\n"
    "    return x",
    "trained": "model = [train(x)]",
    "picture": "plots.picture(model)",
}


def notebook(cells, output="stored"):
    """Make a notebook; the picture's output depends on the processor."""
    return {
        "cells": [
            {
                "cell_type": "code",
                "id": name,
                "metadata": {"tags": [kept_outputs.TAG] * (name == "picture")},
                "source": source,
                "outputs": [{"name": "stdout", "text": output}],
            }
            for name, source in cells.items()
        ]
    }


@pytest.fixture
def committed(tmp_path, monkeypatch):
    """A repository with a library and the notebook; gives its root."""
    library = tmp_path / "transformer_lib"
    library.mkdir()
    (library / "__init__.py").write_text("")
    (library / "plots.py").write_text("picture = print")
    (library / "other.py").write_text("")
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "one.ipynb").write_text(json.dumps(notebook(CELLS)))
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr(depends, "ROOT", tmp_path)
    monkeypatch.setattr(depends, "DATA", ())
    return tmp_path


def keeps(root, cells, states=None):
    """Tell whether the picture keeps its output after a new execution."""
    executed = notebook(cells, "new")
    states = states or [UNTOUCHED] * len(cells)
    kept = kept_outputs.keep(executed, root / "one.ipynb", states)
    shown = {cell["id"]: cell["outputs"][0]["text"] for cell in
             executed["cells"]}  # fmt: skip
    assert all(shown[name] == "new" for name in cells if name != "picture")
    assert (shown["picture"] == "stored") == (kept == ["picture"])
    return bool(kept)


def changed(**cells):
    return {**CELLS, **cells}


def with_a_cell_before(name, source):
    """Return the cells with a new one before that of this name."""
    at = list(CELLS).index(name)
    items = list(CELLS.items())
    return dict([*items[:at], ("new", source), *items[at:]])


@pytest.mark.parametrize(
    "source",
    [
        "def answer(y):\n    x = y + 1\n    return x\n",
        "numbers = (1, 2)\nplots.table(numbers)",
        "print(model, np.mean(x))",
        "for x_i in x:\n    print(x_i)",
    ],
)
def test_an_exercise_in_the_middle_keeps_the_picture_below_it(
    committed, source
):
    assert keeps(committed, with_a_cell_before("picture", source))


def test_nothing_changed_keeps_it_and_so_does_a_module_it_does_not_use(
    committed,
):
    assert keeps(committed, CELLS)
    (committed / "transformer_lib/other.py").write_text("new = 1")
    assert keeps(committed, CELLS)


@pytest.mark.parametrize(
    "cells",
    [
        changed(trained="model = [train(x, steps=4)]"),
        changed(train=CELLS["train"].replace("+ rng", "- rng")),
        changed(seed="rng = np.random.default_rng(1)"),
        changed(data="x = np.arange(4.0)"),
        changed(picture="plots.picture(model, 1)"),
        with_a_cell_before("picture", "model.append(1)"),
        with_a_cell_before("picture", "model[0][0] = 1"),
        with_a_cell_before("picture", "same = model\nsame.clear()"),
        with_a_cell_before("picture", "def f():\n    model.pop()\n\n\nf()"),
        with_a_cell_before("picture", "for part in model:\n    part.fill(0)"),
        with_a_cell_before("trained", "rng.normal()"),
        with_a_cell_before("trained", "x = x + 1"),
        with_a_cell_before("trained", "def train(x):\n    return x"),
        with_a_cell_before("trained", "np.set_printoptions(precision=1)"),
        {name: CELLS[name] for name in CELLS if name != "data"},
    ],
)
def test_what_the_picture_needs_renews_it(committed, cells):
    assert not keeps(committed, cells)


@pytest.mark.parametrize("name", ["transformer_lib/plots.py",
                                  "requirements.txt"])  # fmt: skip
def test_changed_modules_and_packages_renew_it(committed, name):
    (committed / name).write_text("new = 1")
    assert not keeps(committed, CELLS)


@pytest.mark.parametrize(
    "source", ["exec('x = 2')", "%run other.py", "!ls", "globals()['x'] = 1"]
)
def test_where_the_code_does_not_tell_it_is_renewed(committed, source):
    assert not keeps(committed, with_a_cell_before("picture", source))


def test_global_random_state_counts_as_what_was_drawn_before(committed):
    at = list(CELLS).index("trained")
    states = [UNTOUCHED] * len(CELLS)
    states[at] = DRAWN
    assert keeps(committed, CELLS, states)
    for word, stays in [(UNTOUCHED, True), (DRAWN, False), (SEEDED, False)]:
        cells = with_a_cell_before("train", "print(1)")
        now = [*states[: at - 1], word, *states[at - 1 :]]
        assert keeps(committed, cells, now) == stays
    states[at] = SEEDED
    now = [*states[: at - 1], DRAWN, *states[at - 1 :]]
    assert keeps(committed, cells, now)  # it needs nothing drawn before


def test_without_git_and_for_a_new_notebook_all_is_new(committed, monkeypatch):
    other = kept_outputs.keep(notebook(CELLS, "new"), committed / "two", [])
    assert other == []
    monkeypatch.setenv("PATH", "")
    assert not keeps(committed, CELLS)


def test_a_function_uses_what_its_names_are_when_it_is_called():
    cells = ["def f():\n    return a", "a = 1", "a = 2", "f()", "b = f"]
    found = cell_needs.needs(cells)
    assert found[3] == {0, 2} and found[4] == {0, 2}


def test_a_file_that_one_cell_writes_and_another_reads_is_seen():
    cells = ["a = 1", "save(a)", "b = 2", "c = load()"]
    assert cell_needs.needs(cells)[3] == {0, 1}


@pytest.mark.slow
def test_an_executed_notebook_keeps_its_output_unless_asked(
    tmp_path, monkeypatch
):
    """One real kernel: it notes random states, and counts are not stored."""
    cells = {
        "imports": "import random",
        "seed": "random.seed(1)\nx = random.random()",
        "unseeded": "y = random.random()",
        "text": "z = 1",
        "picture": "import os\n\nprint(os.getpid(), x)",
    }
    import nbformat

    made = nbformat.from_dict(
        notebook(cells, "stored")
        | {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    )
    for cell in made.cells:
        cell.outputs[0].output_type = "stream"
        cell.execution_count = 7
    path = tmp_path / "one.ipynb"
    noted = []

    def keep(executed, path, states):
        noted.append(states)
        assert "stored" not in executed.cells[-1].outputs[0].text
        executed.cells[-1].outputs = copy.deepcopy(made.cells[-1].outputs)

    monkeypatch.setattr(run_notebooks, "keep", keep)
    for anew, shown in ((False, "stored"), (True, "")):
        nbformat.write(made, path)
        assert run_notebooks.run(path, 60, anew) is None
        after = json.loads(path.read_text())
        assert all(one["execution_count"] is None for one in after["cells"])
        text = after["cells"][-1]["outputs"][0]["text"]
        assert ("".join(text) == "stored") == bool(shown)
    assert noted == [[UNTOUCHED, SEEDED, DRAWN, UNTOUCHED, UNTOUCHED]]


MEASURED = {
    "imports": "import torch",
    "trained": "torch.manual_seed(0)\nx = torch.randn(9_999).sum()",
    "picture": "print(x.item())",
}


@pytest.mark.slow
def test_a_processor_that_rounds_differently_changes_no_stored_measurement(
    committed, monkeypatch
):
    """Real kernels: the author's, another's, another's with a new cell."""
    import nbformat

    path = committed / "one.ipynb"

    def measured(cells, anew):
        """Run a notebook of these cells; return what each has printed."""
        made = notebook(cells) | {"metadata": {}}
        for cell in made["cells"]:
            cell["outputs"] = []
        made |= {"nbformat": 4, "nbformat_minor": 5}
        nbformat.write(nbformat.from_dict(made), path)
        assert run_notebooks.run(path, 60, anew) is None
        return {
            cell["id"]: "".join(cell["outputs"][0]["text"])
            for cell in json.loads(path.read_text())["cells"]
            if cell["outputs"]
        }

    stored = measured(MEASURED, anew=True)
    git = ["git", "-C", committed, "-c", "user.name=a", "-c", "user.email=b"]
    subprocess.run([*git, "commit", "-qam", "measured"], check=True)
    # As a processor without wide registers adds: in another order.
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    if measured(MEASURED, anew=True) == stored:
        pytest.skip("this processor has no other order to add in")
    exercise = {"exercise": "print(1 + 1)"}
    last = {"picture": MEASURED["picture"]}
    before = {name: MEASURED[name] for name in MEASURED if name not in last}
    assert measured(before | exercise | last, anew=False) == {
        "exercise": "2\n",
        **stored,
    }
