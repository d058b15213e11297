"""Old import lines and commands, and what whoever runs them reads."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from transformer_course.cli.options import parser
from transformer_lib.cli import MOVED, main

LIBRARY = Path(__file__).resolve().parents[2] / "transformer_lib"
OLD = {
    "from transformer_lib.course import checks, plots": "transformer_course",
    "from transformer_lib.course.checks.code import softmax":
        "transformer_course",
    "import transformer_lib.course.plots as plots": "transformer_course",
    "from transformer_lib import course": "transformer_course",
    "from transformer_lib.toy import corpus": "toy_language",
    "from transformer_lib.toy.corpus import toy_splits": "toy_language",
    "from transformer_lib import toy_splits": "toy_language.corpus.toy_splits",
    "from transformer_lib import SentencePair":
        "toy_language.corpus.SentencePair",
}  # fmt: skip


def run(code, place):
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=place, capture_output=True, encoding="utf-8"
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The library where an earlier version has left its compiled files."""
    folder = tmp_path_factory.mktemp("earlier")
    shutil.copytree(
        LIBRARY,
        folder / "transformer_lib",
        ignore=shutil.ignore_patterns("data", "__pycache__"),
    )
    for name in ("course", "course/plots", "toy"):
        left = folder / "transformer_lib" / name / "__pycache__"
        left.mkdir(parents=True)
        (left / "__init__.cpython-311.pyc").write_bytes(b"")
    return folder


@pytest.mark.parametrize("line", OLD)
def test_an_old_import_names_the_new_place(line, place):
    said = run(line, place)
    last = said.stderr.splitlines()[-1]
    assert said.returncode == 1
    assert last.endswith(f" is {OLD[line]} now: write that name in this import")


def test_a_notebook_shows_one_sentence(place):
    cells = [*OLD, "from transformer_lib import causal_mask"]
    code = (
        "from IPython.core.interactiveshell import InteractiveShell as Shell\n"
        "shell = Shell.instance(colors='NoColor')\n"
        f"for cell in {cells!r}:\n"
        "    shell.run_cell(cell)"
    )
    said = run(code, place)
    lines = [line for line in said.stdout.splitlines() if line.strip()]
    assert len(lines) == len(OLD), said.stdout
    assert all(line.startswith("ImportError: tr") for line in lines)


def test_other_names_that_are_not_there_are_told_as_ever(place):
    said = run("from transformer_lib import courses", place)
    assert "cannot import name 'courses'" in said.stderr
    said = run("import transformer_lib.toys", place)
    assert "No module named 'transformer_lib.toys'" in said.stderr


@pytest.mark.parametrize("command", MOVED)
def test_an_old_command_names_the_new_one(command, capsys):
    assert main([command, "class", "--csv", "marks.csv"]) == 2
    said = capsys.readouterr()
    new = f"python -m transformer_course {command}"
    assert (said.out, said.err) == ("", f"{command}: call it as {new}\n")
    with pytest.raises(SystemExit) as helped:
        parser().parse_args([command, "--help"])
    assert (
        helped.value.code == 0 and f"usage: {new} " in capsys.readouterr().out
    )
