"""Code that wants more than to be right gains nothing and harms nobody."""

import csv
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hostile import (
    IN_THE_CELL,
    IN_THE_FUNCTION,
    RETURNED,
    RIGHT,
    notebook,
    wrong,
)

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.one_more import FITS_ONLY
from transformer_course.grading.reading.exercises import (
    exercise_of,
    read_chapter,
)
from transformer_course.grading.reading.submissions import read_work
from transformer_course.grading.running.marking import mark
from transformer_course.grading.running.process import Limits

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = read_chapter(2)
ONE = replace(CHAPTER, asked=CHAPTER.asked[:1])
LIMITS = Limits(seconds=30, cell=0.5, memory=1024, file=1, folder=4)
IMPORTS = "import numpy as np\nfrom transformer_course import checks"
NEXT = """\
def self_attention(X):
    e = np.exp(X @ X.T - np.max(X @ X.T, -1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ X
"""


@pytest.fixture(autouse=True)
def soon_over(monkeypatch):
    """The judge waits for a little computing, and not for five seconds."""
    monkeypatch.setattr(guard, "SECONDS", 0.4)


def handed_in(path, answer):
    """A notebook whose second answer is right, whatever the first does."""
    first, second = (
        {"tags": [f"answer:{name}"]} for name in ("softmax", "self_attention")
    )
    return notebook(path, IMPORTS, (first, answer), (second, NEXT))


def judged(tmp_path, monkeypatch, answer, limits=LIMITS):
    """The verdict on an answer that leaves no trace here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("A_SECRET", "of the grader")
    before = dict(vars(np))
    work = read_work([handed_in(tmp_path / "a.ipynb", answer)], ONE)
    ((_, verdict, _),) = mark(work, ONE, limits)
    assert "of the grader" not in str(verdict)
    assert os.listdir(tmp_path) == ["a.ipynb"]
    assert all(vars(np)[name] is value for name, value in before.items())
    return verdict


@pytest.mark.parametrize("name", IN_THE_CELL)
def test_a_cell(name, tmp_path, monkeypatch):
    text, status, mistake = IN_THE_CELL[name]
    verdict = judged(tmp_path, monkeypatch, text)
    assert verdict.status == status, verdict
    assert mistake in (verdict.mistake, ""), verdict


@pytest.mark.parametrize("name", IN_THE_FUNCTION)
def test_a_function(name, tmp_path, monkeypatch):
    body, mistake = IN_THE_FUNCTION[name]
    lasts = name in ("loops in C", "forks on")  # until somebody ends it
    limits = replace(LIMITS, seconds=2) if lasts else LIMITS
    verdict = judged(tmp_path, monkeypatch, wrong(body), limits)
    assert verdict.status == "wrong", verdict
    assert mistake in (verdict.mistake, ""), verdict


@pytest.mark.parametrize("name", RETURNED)
def test_a_result(name, tmp_path, monkeypatch):
    text = wrong("pass", RETURNED[name])
    verdict = judged(tmp_path, monkeypatch, text)
    assert verdict.status == "wrong", verdict


@pytest.mark.parametrize(
    "name", ["breaks on", "kills itself", "replaces comparisons", "writes on"]
)
def test_the_next_answer_does_not_suffer(name, tmp_path):
    path = handed_in(tmp_path / "a.ipynb", wrong(IN_THE_FUNCTION[name][0]))
    marks = mark(read_work([path], CHAPTER), CHAPTER, LIMITS)
    statuses = [verdict.status for _, verdict, _ in marks]
    assert statuses == ["wrong", "right", "not attempted", "not handed in"]


def test_a_table_of_what_the_check_asks_is_no_answer(tmp_path):
    """Right for the check, and what is drawn for this notebook is not in it."""
    exercise = exercise_of("softmax")
    table = {
        repr((case.args[0].tolist(), case.args[1])): want.tolist()
        for case in exercise.cases
        if (want := exercise.expected(case).array) is not None
    }
    text = (
        f"TABLE = {table!r}\n"
        "def softmax(x, axis):\n"
        "    return np.array(TABLE.get(repr((x.tolist(), axis)), x.tolist()))"
    )
    work = read_work([handed_in(tmp_path / "a.ipynb", text)], CHAPTER)
    two = ["softmax", "self_attention"]
    known = mark(work, CHAPTER, LIMITS, two)
    assert [m.verdict.status for m in known] == ["right", "right"]
    drawn = [mark(work, CHAPTER, LIMITS, two, secret=s) for s in "aab"]
    for first, second in drawn:
        assert first.verdict.mistake == FITS_ONLY
        assert second.verdict.ok  # this one is worked out
    given = [first.verdict.example.given for first, _ in drawn]
    assert given[0] == given[1] != given[2]


# ----------------------------------------------------------- the command

LASTS = 98_765  # seconds, and known from all other sleepers
LEAVES_A_PROCESS = f"""\
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "{LASTS}"])
    os._exit(0)"""
READS = """\
import os
parent = f"/proc/{os.getppid()}"
raise ValueError(open(f"{parent}/environ").read().split("A_SECRET=")[1])"""
KILLS = "import os\nos.kill(os.getppid(), 9)"


def run(tmp_path, *arguments):
    more = {"A_SECRET": "of the grader", "TMPDIR": str(tmp_path)}
    return subprocess.run(
        [sys.executable, "-m", "transformer_course", "grade", *arguments],
        cwd=ROOT,
        env=os.environ | more,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def statuses(table):
    with open(table, encoding="utf-8-sig", newline="") as file:
        return {
            row["student"]: row["2.1 softmax: verdict"]
            for row in csv.DictReader(file)
        }


def sleepers():
    found = Path("/proc").glob("[0-9]*/cmdline")
    return [p for p in found if str(LASTS).encode() in p.read_bytes()]


def test_the_command(tmp_path):
    folder, table = tmp_path / "in", tmp_path / "marks.csv"
    handed_in(folder / "ada.ipynb", RIGHT)
    handed_in(folder / "bo.ipynb", wrong(READS))
    handed_in(folder / "=chen().ipynb", wrong("pass"))
    options = (tmp_path, str(folder), "--csv", str(table))
    pages = tmp_path / "pages"
    read = tmp_path / "read.html"
    more = ("--feedback", str(pages), "--explore", str(read))
    done = run(*options, *more)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Students' code") == 1  # what confines it
    assert read.read_text("utf-8").count("<h3>") == 2 * 3  # 2.5 and 2.6
    assert statuses(table) == {
        "'=chen()": "wrong",
        "ada": "right",
        "bo": "wrong",
    }
    assert "ada       2/4" in done.stdout
    assert re.search(r"^right +1 of 3 +3 of 3", done.stdout, re.M)
    assert "2  2.1 softmax: " in done.stdout
    assert done.stdout.count("absent") == 3  # nobody's laboratory is there
    assert len(list(pages.iterdir())) == 3
    assert "2 of 4 right" in (pages / "ada.html").read_text("utf-8")
    assert "of the grader" not in (pages / "bo.html").read_text("utf-8")

    (folder / "dora.ipynb").write_text("no notebook")
    (folder / "ed.pdf").write_bytes(b"x")
    done = run(*options, "--feedback", str(pages))
    assert done.returncode == 1, done.stderr
    assert "unreadable: this is no notebook" in done.stdout
    assert "unreadable: a .pdf file" in done.stdout
    why = "dora.ipynb: unreadable: this is no notebook"
    assert why in (pages / "dora.html").read_text("utf-8")
    files = (tmp_path / "marks_files.csv").read_text("utf-8-sig")
    assert len(files.splitlines()) == 6
    for more in (["--again", "9.9"], ["--chapter", "77"]):
        assert run(*options, *more).returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
def test_whoever_wants_to_end_the_grader_harms_nobody(tmp_path):
    """One run is enough, and nothing is left over."""
    folder, table = tmp_path / "in", tmp_path / "marks.csv"
    handed_in(folder / "a.ipynb", wrong(KILLS))
    handed_in(folder / "b.ipynb", wrong(LEAVES_A_PROCESS))
    handed_in(folder / "c.ipynb", RIGHT)
    done = run(tmp_path, str(folder), "--csv", str(table))
    assert done.returncode == 0, done.stderr
    assert statuses(table) == {"a": "wrong", "b": "wrong", "c": "right"}
    assert not sleepers()
