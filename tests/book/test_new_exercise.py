"""`make exercise` writes an exercise that works and leaves the others alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from new_exercise import add

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "book" / "_tools"
ROOMS = ("chapters", "book/laboratory", "book/solutions")
SEEN = """
import pathlib
import sys
from tag_answers import tagged
from transformer_course import checks
from transformer_course.grading.reading.exercises import read_chapter
name, number = sys.argv[1:]
(asked,) = [one for one in read_chapter(5).asked if one.name == name]
assert asked.number == number and asked.keys >= {"answer:" + name}, asked
(laboratory,) = pathlib.Path("book/laboratory").glob("05_*")
text = laboratory.read_text("utf-8")
assert tagged(text) == text
scope = {"checks": checks}
for code in sys.stdin.read().split("#####"):
    exec(code, scope)
scope["check"](name)
"""
JUDGED = {
    "paper": """
def check(name):
    from transformer_course.checks.paper import paper_of
    assert [m.id for m in paper_of(name).misconceptions][0] == "divided"
    assert getattr(checks, name)((1.6, -2.4)).mistake == "divided"
""",
    "code": """
def check(name):
    import runpy
    for key, answer in runpy.run_path(
        f"tests/course/wrong_answers/{name}.py"
    ).items():
        if callable(answer):
            mistake = getattr(checks, name)(answer).mistake
            assert (mistake or "right") == key.split("__")[0], (key, mistake)
""",
}


@pytest.fixture
def book(tmp_path):
    """A copy of all that `add` reads and writes."""
    caches = shutil.ignore_patterns("__pycache__")
    for package in ("transformer_course", "toy_language", "transformer_lib"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=caches)
    (tmp_path / "tests/course/wrong_answers").mkdir(parents=True)
    for room in ROOMS:
        (tmp_path / room).mkdir(parents=True)
        (source,) = (ROOT / room).glob("05_*.ipynb")
        shutil.copy(source, tmp_path / room)
    shutil.copy(ROOT / "book/teaching.md", tmp_path / "book")
    return tmp_path


def cells(book, room):
    (path,) = (book / room).glob("05_*.ipynb")
    text = path.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, 4))
    return json.loads(text)["cells"]


def numbers(book):
    """Exercises of lesson and laboratory, and the solutions."""
    headings = [
        re.findall(
            r"(?m)^### (Exercise|Solution) (5\.\d+) \(", "".join(cell["source"])
        )
        for room in ROOMS
        for cell in cells(book, room)
    ]
    return sorted(pair for some in headings for pair in some)


@pytest.mark.parametrize("kind", ["paper", "code"])
def test_what_is_written_works_and_no_other_exercise_moves(book, kind):
    before = {room: cells(book, room) for room in ROOMS}
    known = numbers(book)
    add("two_walks", 5, kind, root=book)
    new = set(numbers(book)) - set(known)
    (number,) = {number for _, number in new}
    assert len(new) == 2 and len(numbers(book)) == len(known) + 2
    for room, old in before.items():
        now = cells(book, room)
        kept = [cell for cell in now if cell in old]
        assert kept == old  # nothing moved, nothing changed
        assert len({cell["id"] for cell in now}) == len(now)
    made = [cell for cell in cells(book, "book/solutions")
            if cell["id"].endswith("-answer")]  # fmt: skip
    code = "#####".join(["".join(made[0]["source"]), JUDGED[kind]])
    done = subprocess.run(
        [sys.executable, "-c", SEEN, "two_walks", number],
        input=code, cwd=book, env={"PYTHONPATH": f"{book}{os.pathsep}{TOOLS}"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    teaching = (book / "book/teaching.md").read_text("utf-8")
    assert f"5.6, {number}." in teaching
    (row,) = (line for line in teaching.split("\n") if "two_walks" in line)
    called = {"paper": "`two_walks` |", "code": "`two_walks(x)` | `three"}
    assert row.startswith("| 5 | ") and called[kind] in row
    with pytest.raises(ValueError, match="two_walks is taken"):
        add("two_walks", 5, kind, root=book)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("two walks", 5, "paper"), "a name in Python"),
        (("softmax", 5, "paper"), "softmax is taken"),
        (("two_walks", 5, "song"), "KIND is paper or code"),
        (("two_walks", 77, "code"), "0 of them are there"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(book, asked, says):
    before = sorted(book.rglob("*"))
    with pytest.raises(ValueError, match=says):
        add(*asked, root=book)
    assert sorted(book.rglob("*")) == before
