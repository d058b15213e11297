"""The course's command line: what it says before anybody is judged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import notebook

from transformer_course.cli import main, options

ROOT = Path(__file__).resolve().parents[2]


def test_a_chapter_that_is_not_there_is_named(capsys):
    assert main(["grade", ".", "--chapter", "99"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith("grade: ")
    assert "no chapter 99: there are 0 to" in said.err


def test_a_sheet_that_cannot_be_written_is_named_as_the_user_did(
    tmp_path, capsys
):
    path = tmp_path / "folder"
    path.mkdir()
    assert main(["sheet", "2", "--out", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith("sheet: ") and f"'{path}'" in said.err


def test_the_help_names_the_chapters_that_there_are(capsys):
    numbers = [int(p.name[:2]) for p in Path("chapters").glob("*.ipynb")]
    for command in ("grade", "sheet"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        said = " ".join(capsys.readouterr().out.split())
        assert f"{min(numbers)} to {max(numbers)}" in said


def test_the_help_comes_where_there_are_no_chapters(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(options, "CHAPTERS", tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(["grade", "--help"])
    assert caught.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "numbers (default: all that a tenth of the class sent)" in said


def test_a_page_a_student_wants_a_folder(tmp_path, capsys):
    """It is told before anybody is judged."""
    path = tmp_path / "ada.ipynb"
    path.write_text('{"cells": []}', encoding="utf-8")
    command = ["grade", tmp_path, "--chapter", "2", "--feedback", path]
    assert main([str(word) for word in command]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"grade: --feedback {path}: give a folder, not a file\n"


def test_where_nothing_is_judged_it_is_said(tmp_path, capsys):
    path = tmp_path / "ada.ipynb"
    path.write_text('{"cells": []}', encoding="utf-8")
    assert main(["grade", str(tmp_path), "--chapter", "16"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Nothing here is of a chapter that a check can")
    assert "--explore" in said and "0/0" not in said


@pytest.mark.parametrize("there", ["", "kim"])
def test_a_students_file_never_stands_for_one_of_pythons(there, tmp_path):
    """`python -m` looks into the current folder first."""
    planted = "open('ran', 'w')\n"
    folder = tmp_path / there
    folder.mkdir(exist_ok=True)
    for name in ("argparse", "numpy", "tqdm"):
        (folder / f"{name}.py").write_text(planted)
    done = subprocess.run(
        [sys.executable, "-m", "transformer_course", "grade", str(tmp_path)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "go to another folder, or run transformer-course" in done.stderr
    assert not (folder / "ran").exists()


@pytest.mark.slow
def test_a_run_that_is_ended_writes_its_table(tmp_path):
    text = "def softmax(x, axis):\n    while True:\n        pass"
    tag = {"tags": ["answer:softmax"]}
    place, table = tmp_path / "in", tmp_path / "t.csv"
    notebook(place / "kim.ipynb", (tag, text))
    command = [sys.executable, "-m", "transformer_course", "grade", str(place)]
    run = subprocess.Popen(
        [*command, "--csv", str(table)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "confined by" in run.stderr.readline()
    run.terminate()
    said = run.communicate()[1]
    assert run.returncode == 130, said
    assert "what was judged by then is written" in said
    assert "not judged: the run was interrupted" in table.read_text("utf-8-sig")
