"""A class is marked as it is in the notebook: right, wrong, not attempted."""

import importlib.util
import json
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hostile import RIGHT

from transformer_lib.course import checks, workbook
from transformer_lib.course.checks import parts
from transformer_lib.course.grading import marking
from transformer_lib.course.grading.exercises import (
    TAG,
    exercise_of,
    read_chapter,
)
from transformer_lib.course.grading.handed_in import HandedIn
from transformer_lib.course.grading.marking import mark
from transformer_lib.course.grading.process import Limits, Process
from transformer_lib.course.grading.submissions import Work, read_work
from transformer_lib.course.progress import progress

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
TOOL = ROOT / "book" / "_tools" / "tag_answers.py"


class _Lasting(Process):
    """A process that does for many notebooks, so that it starts once."""

    def end(self):
        pass


@pytest.fixture(scope="module")
def one_process():
    process = _Lasting(Limits(seconds=240, cell=60), 200)
    yield process
    Process.end(process)


@pytest.fixture
def shared(monkeypatch, one_process):
    def begun(chapter, limits):
        names = [asked.name for asked in chapter.asked]
        one_process.left = limits.start
        one_process.ask("start", exercises=names)
        return one_process

    monkeypatch.setattr(marking, "_begun", begun)


def each_chapter():
    return pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)


def number(path):
    return int(path.name[:2])


# ---------------------------------------------------------------- the book


@each_chapter()
def test_every_check_has_a_cell_for_its_answer(path):
    chapter = read_chapter(number(path))
    assert all(a.number for a in chapter.asked)
    for folder in (path.parent, ROOT / "book" / "solutions"):
        cells = json.loads((folder / path.name).read_text("utf-8"))["cells"]
        tags = [t for c in cells for t in c["metadata"].get("tags", [])]
        answers = sorted(t for t in tags if t.startswith(TAG))
        wanted = sorted(TAG + asked.name for asked in chapter.asked)
        assert answers == wanted, "run book/_tools/tag_answers.py"


def test_every_check_is_asked_for_by_a_chapter():
    chapters = [read_chapter(number(path)) for path in CHAPTERS]
    asked = {a.name for chapter in chapters for a in chapter.asked}
    assert asked == {*checks.__all__, *parts.PARTS} - {*checks.TOOLS}


def test_the_tool_that_tags_has_nothing_left_to_do():
    spec = importlib.util.spec_from_file_location("tag_answers", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for path in CHAPTERS:
        asked = {a.name: a.given for a in read_chapter(number(path)).asked}
        for folder, given in (("chapters", None), ("book/solutions", asked)):
            before = (ROOT / folder / path.name).read_text(encoding="utf-8")
            assert tool.tagged(before, given) == before, path.name


@each_chapter()
def test_the_solutions_of_the_book_are_right(path, shared):
    chapter = read_chapter(number(path))
    work = read_work(ROOT / "book" / "solutions" / path.name, chapter)
    for asked, verdict in mark(work, chapter, Limits()):
        assert verdict.ok, f"{asked.title}: {verdict}"


@each_chapter()
def test_a_chapter_as_it_is_handed_out_is_not_attempted(path, shared):
    chapter = read_chapter(number(path))
    work = read_work(path, chapter)
    assert work.own == ()
    everything = tuple(range(len(work.texts)))
    for own in ((), everything):  # nothing to run, or every cell
        asked = Work(work.texts, own, work.kept)
        for title, verdict in mark(asked, chapter, Limits()):
            assert verdict.status == "not attempted", f"{title}: {verdict}"


# ------------------------------------------------- the same words as in class


def bank(name):
    """The answers of a bank, and the text of its file."""
    path = ROOT / "tests" / "wrong_answers" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"bank_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    own = {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", "") == spec.name and key[0] != "_"
    }
    return own, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["attention", "BatchNorm", "only"])
def test_a_verdict_over_the_pipe_is_that_of_the_class(name, one_process):
    answers, text = bank(name)
    check = getattr(checks, name)
    exercise = exercise_of(name)
    one_process.left = 240
    one_process.ask("start", exercises=[name])
    for key in [*answers][::4]:
        found = one_process.ask(
            "find",
            texts=[text],
            own=[0],
            seconds=60.0,
            name=name,
            given=key,
            kept=[0],
        )
        assert found["state"] == "ready"
        there = marking.judge(exercise, HandedIn(exercise, one_process))
        assert there == check(answers[key]), key


@pytest.mark.parametrize(
    "said",
    [
        "(0.738, 0.766)",
        "np.array([0.738, 0.766])",
        "[Fraction(369, 500), 0.766]",
        "(1, 1)",
        "(1, ...)",
        "None",
        "(..., ...)",
        "lambda: 1",
        "open",
        "{1, 2}",
        "{}",
        "'two'",
        "np.ones(3) > 0",
        "object()",
        "(np.nan, 1)",
        "10**400",
    ],
)
def test_an_answer_on_paper_gets_the_verdict_of_the_class(said, shared):
    chapter = read_chapter(2)
    texts = (*chapter.helpers, f"c_2 = {said}  # mine")
    place = len(chapter.helpers)
    key = TAG + "context_vector_by_hand"
    marks = mark(Work(texts, (place,), {key: (place,)}), chapter, Limits())
    there = marks[2].verdict
    here = checks.context_vector_by_hand(
        eval(said, {"np": np, "Fraction": Fraction})
    )
    assert (there.status, there.mistake) == (here.status, here.mistake)
    if "{" not in said:  # what is in a set or dict, is not sent
        assert there == here


def test_a_file_of_the_own_transformer(tmp_path, shared, monkeypatch):
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    workbook.take("FeedForward")
    right = path.read_text(encoding="utf-8").replace("# The book's", "#")
    chapter = read_chapter(10)

    def statuses(text):
        path.write_text(text, encoding="utf-8")
        marks = mark(read_work(path, chapter), chapter, Limits())
        return {one.name: verdict.status for one, verdict in marks}

    blank = {one.name: "not attempted" for one in chapter.asked}
    assert statuses(right) == blank | {"FeedForward": "right"}
    without = right.replace("F.relu", "")
    assert statuses(without) == blank | {"FeedForward": "wrong"}
    workbook.take("FeedForward")  # the book's version is nobody's answer
    assert statuses(path.read_text("utf-8")) == blank
    assert statuses(workbook.HEADER) == blank
    assert {a.name for a in chapter.asked} & {*parts.PARTS} == {
        "FeedForward",
        "TokenEmbedding",
    }


# ------------------------------------------------------ a reader's own look


def test_a_reader_sees_what_is_right_in_the_saved_chapters(tmp_path, shared):
    (tmp_path / "chapters").mkdir()
    for path in CHAPTERS[2:4]:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if TAG + "softmax" in cell["metadata"].get("tags", []):
                cell["source"] = RIGHT
            if TAG + "self_attention" in cell["metadata"].get("tags", []):
                cell["source"] = "def self_attention(X:"
        text = json.dumps(notebook)
        (tmp_path / "chapters" / path.name).write_text(text, "utf-8")
    found = progress(folder=tmp_path / "chapters")
    assert [mark.verdict.status for mark in found.marks] == [
        "right",
        "wrong",
        *4 * ["not attempted"],
    ]
    assert found.right == 1
    shown = repr(progress(2, tmp_path / "chapters"))
    assert shown.splitlines()[0].split() == ["2.1", "softmax", "right"]
    assert shown.endswith("1 of 3 right")
    assert "<td>2.2 self_attention</td><td>wrong</td>" in found._repr_html_()
    with pytest.raises(ValueError, match="no chapters here; save them"):
        progress(folder=tmp_path)
