"""A GPU changes no lesson, and no test or notebook sees one unasked."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest
import run_notebooks
import torch
import try_colab
from page_rules.devices import decided
from page_rules.pages import page_at
from run_notebooks import ROOT, all_notebooks

from transformer_course.grading.reading.program import needed, statements_of

ASKS = "torch.cuda.is_available()"


def cells_of(path):
    return [cell.text for cell in page_at(path).code]


ASKING = [path for path in all_notebooks() if ASKS in str(cells_of(path))]
named = pytest.mark.parametrize(
    "path", ASKING, ids=lambda path: path.relative_to(ROOT).as_posix()
)

# ------------------------------------------------- what a cell sets, on a GPU


def names_on(gpu, cells):
    """Run what the cell that asks for a device needs; return what it sets.

    Without moving anything: no GPU is here.
    """
    place = next(n for n, text in enumerate(cells) if ASKS in text)
    taken = [statements_of(text) for text in cells]
    names = set().union(*(line.bound for line in taken[place]))
    scope = vars(types.ModuleType("notebook"))
    with pytest.MonkeyPatch.context() as patch, np.printoptions():
        patch.setattr(torch.cuda, "is_available", lambda: gpu)
        for kind in (torch.Tensor, torch.nn.Module):
            patch.setattr(kind, "to", lambda self, *where, **more: self)
        for _, line in needed(taken, place, names):
            exec(compile(ast.Module([line.node], []), "cell", "exec"), scope)
    return {name: scope[name] for name in names if name in scope}


def same(one, other):
    """Tell whether two values are equal, whatever they are made of."""
    if torch.is_tensor(one):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            same(value, other[key]) for key, value in one.items()
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, types.FunctionType):
        return one.__code__ == other.__code__
    return one == other or (
        type(one) is type(other)
        and hasattr(one, "__dict__")
        and not isinstance(one, type | types.ModuleType)
        and same(vars(one), vars(other))
    )


def moved_by_a_gpu(cells):
    """Name what is another thing where there is a GPU, but for the device."""
    cpu, gpu = names_on(False, cells), names_on(True, cells)
    assert cpu.keys() == gpu.keys()
    assert "cpu" in str(cpu.pop("device")) and "cuda" in str(gpu.pop("device"))
    return {name for name in cpu if not same(cpu[name], gpu[name])}


@named
def test_a_gpu_changes_nothing_but_the_device(path):
    assert not moved_by_a_gpu(cells_of(path))


DEVICE = 'import torch\ndevice = "cuda" if torch.cuda.is_available() else "cpu"'


@pytest.mark.parametrize(
    "line",
    [
        'preset = "full" if device == "cuda" else "small"',
        'preset = {"cuda": "full", "cpu": "small"}[device]',
        "preset = torch.full((2,), len(device))",
        "preset = [0]\nif torch.cuda.is_available():\n    preset += [1]",
    ],
)
def test_what_a_gpu_changes_in_its_cell_is_found(line):
    assert moved_by_a_gpu(["kept = 1", f"{DEVICE}\n{line}"]) == {"preset"}


def test_those_that_ask_for_a_gpu_are_run_on_one(monkeypatch):
    """But for the solutions."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    run = importlib.import_module("notebooks").NOTEBOOKS
    asking = {path.relative_to(ROOT).as_posix() for path in ASKING}
    assert {name for name in asking if "solutions" not in name} == set(run)


# ------------------------ what the other cells may do: page_rules/devices.py


@pytest.mark.parametrize(
    "line",
    [
        "steps = 8000 if device.type == 'cuda' else 600",
        "steps = {'cpu': 600, 'cuda': 8000}[device]",
        "steps = 600 * (1 + (device == 'cuda'))",
        "large = str(device) == 'cuda'",
        "if device == 'cuda':\n    steps = 8000",
        "steps = 600\nwhile device == 'cuda' and steps < 8000:\n    steps += 1",
        "steps = 8000 if torch.cuda.is_available() else 600",
        "def f(steps=device): pass",
    ],
)
def test_a_device_that_decides_something_is_found(line):
    assert decided([DEVICE, line, "print(steps)"])


@pytest.mark.parametrize(
    "line",
    [
        "model = model.to(device)",
        "found = TrainState.load(folder, device=device)",
        "with torch.autocast(device.type):\n    model(x)",
        "if device.type == 'cpu':\n    assert steps == 3",
        "if device == 'cpu':\n    took = 3\n    print(took)",
    ],
)
def test_what_a_device_is_for_is_no_fault(line):
    assert not decided([DEVICE, line, "print(steps)"])


def test_what_was_not_run_on_a_gpu_is_said_to_be_so():
    stored = ROOT / "benchmarks" / "results" / "notebooks_gpu.json"
    text = (ROOT / "chapters" / "15_toy_translator.ipynb").read_text("utf-8")
    assert ("have not run these two cells on a GPU" in text) != stored.exists()


# ------------------------------------------------------ nobody sees one unasked


def test_these_tests_see_no_gpu():
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "-1"


@pytest.mark.parametrize(
    ("marks", "asked"),
    [
        ("", False),
        ("not slow and not whole", False),
        ("slow and not gpu", False),
        ("not gpu", False),
        ("gpu", True),
        ("gpu and not slow", True),
        ("not slow and gpu", True),
    ],
)
def test_who_asks_for_the_tests_of_a_gpu_gets_one(marks, asked, monkeypatch):
    spec = importlib.util.spec_from_file_location("top", ROOT / "conftest.py")
    top = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(top)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    option = types.SimpleNamespace(markexpr=marks)
    top.pytest_configure(types.SimpleNamespace(option=option))
    seen = os.environ["CUDA_VISIBLE_DEVICES"]
    assert seen == ("0" if asked else "-1")


@pytest.mark.slow
def test_a_notebook_that_pytest_runs_sees_none(tmp_path):
    """Whichever folder it is in, and whatever the shell says."""
    import nbformat  # a second and a half, for one test

    for name in ("pyproject.toml", "conftest.py", "book/_tools/no_gpu.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    code = "import os\nassert os.environ['CUDA_VISIBLE_DEVICES'] == '-1'"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    (tmp_path / "chapters").mkdir()
    nbformat.write(book, tmp_path / "chapters" / "one.ipynb")
    subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "one.ipynb"],
        cwd=tmp_path / "chapters",
        env=os.environ | {"CUDA_VISIBLE_DEVICES": "0"},
        check=True,
    )


def test_a_notebook_that_is_executed_anew_sees_none(monkeypatch, tmp_path):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    seen = []

    def run(path, timeout, anew):
        seen.append(os.environ["CUDA_VISIBLE_DEVICES"])
        return "planted: no seconds are noted"

    monkeypatch.setattr(run_notebooks, "run", run)
    run_notebooks.main([str(tmp_path / "one.ipynb")])
    assert seen == ["-1"]


def test_a_notebook_with_the_packages_of_colab_sees_none(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    there = dict.fromkeys(("torch", "numpy", "ipython", "ipywidgets"), "1")
    seen = []

    def timed(path, *given):
        seen.append(os.environ["CUDA_VISIBLE_DEVICES"])
        return path, None, 0.0

    monkeypatch.setattr(try_colab.subprocess, "run", lambda *_, **__: None)
    monkeypatch.setattr(try_colab, "packages", lambda python: there)
    monkeypatch.setattr(try_colab, "pack", lambda *_: None)
    monkeypatch.setattr(try_colab, "timed", timed)
    given = ["try_colab.py", "--python", "python", str(ASKING[0])]
    monkeypatch.setattr("sys.argv", given)
    assert try_colab.main() == 0
    assert seen == ["-1"]


def test_make_hides_it_from_all_that_runs_tests_or_notebooks():
    text = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (line,) = [one for one in text.splitlines() if "CUDA_VISIBLE" in one]
    targets, _, says = line.partition(":")
    assert says.split() == "export CUDA_VISIBLE_DEVICES := -1".split()
    recipes = re.findall(r"(?m)^([\w-]+):.*\n((?:\t.*\n)+)", text)
    starts = r"-m pytest|\$\(PROVE\)|run_notebooks\.py|try_colab\.py"
    running = {name for name, recipe in recipes if re.search(starts, recipe)}
    assert {"test", "notebooks"} <= running <= set(targets.split())
    assert not {"gpu", "train", "lab"} & set(targets.split())
