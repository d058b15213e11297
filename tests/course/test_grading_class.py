"""A class is marked as it is in the notebook: right, wrong, not attempted."""

import importlib.util
import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hostile import RIGHT, notebook
from stored_answers import answers_to, file_of

from transformer_course import checks, workbook
from transformer_course.checks import parts
from transformer_course.grading import grade
from transformer_course.grading.reading.exercises import (
    LABORATORY,
    LESSON,
    TAG,
    chapter_files,
    exercise_of,
    read_chapter,
)
from transformer_course.grading.reading.submissions import (
    Copy,
    Work,
    read_work,
)
from transformer_course.grading.running import marking
from transformer_course.grading.running.handed_in import HandedIn
from transformer_course.grading.running.marking import mark
from transformer_course.grading.running.process import Limits, Process
from transformer_course.progress import progress

ROOT = Path(__file__).resolve().parents[2]
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
    def begun(chapter, limits, ahead):
        names = [asked.name for asked in chapter.asked]
        one_process.left = limits.start
        one_process.ask("start", exercises=names)
        return one_process

    monkeypatch.setattr(marking, "_begun", begun)


def each_chapter():
    return pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)


def one_chapter_in_three(first):
    """The others wait for the whole; their notebooks are run as they are."""
    return pytest.mark.parametrize(
        "path",
        [
            pytest.param(
                p, marks=[pytest.mark.whole] if i % 3 else [], id=p.stem
            )
            for i, p in enumerate(CHAPTERS, -first)
        ],
    )


def number(path):
    return int(path.name[:2])


# ---------------------------------------------------------------- the book


@each_chapter()
def test_every_check_has_a_cell_for_its_answer(path):
    chapter = read_chapter(number(path))
    assert all(a.number for a in chapter.asked)
    solutions = ROOT / "book" / "solutions" / path.name
    files = (*chapter_files(number(path)), solutions)
    rooms = {LESSON}, {LABORATORY}, {LESSON, LABORATORY}
    for one, asking in zip(files, rooms, strict=True):
        cells = json.loads(one.read_text("utf-8"))["cells"]
        tags = [t for c in cells for t in c["metadata"].get("tags", [])]
        answers = sorted(t for t in tags if t.startswith(TAG))
        wanted = [TAG + a.name for a in chapter.asked if a.room in asking]
        assert answers == sorted(wanted), "run book/_tools/tag_answers.py"


def test_exercises_come_in_the_order_of_their_numbers():
    """17.4 is in the laboratory, between two of the lesson."""
    asked = [(a.number, a.room) for a in read_chapter(17).asked]
    assert ("17.4", LABORATORY) in asked
    assert [number for number, _ in asked] == [f"17.{n}" for n in range(1, 6)]


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
        rooms = dict.fromkeys(chapter_files(number(path)))
        solutions = {ROOT / "book" / "solutions" / path.name: asked}
        for one, given in (rooms | solutions).items():
            before = one.read_text(encoding="utf-8")
            assert tool.tagged(before, given) == before, one


@one_chapter_in_three(0)
def test_the_solutions_of_the_book_are_right(path, shared):
    chapter = read_chapter(number(path))
    work = read_work([ROOT / "book" / "solutions" / path.name], chapter)
    for asked, verdict, _ in mark(work, chapter, Limits()):
        assert verdict.ok, f"{asked.title}: {verdict}"


@one_chapter_in_three(1)
def test_a_chapter_as_it_is_handed_out_is_not_attempted(path, shared):
    chapter = read_chapter(number(path))
    handed_out = read_work(chapter_files(number(path)), chapter).copies
    assert [copy.own for copy in handed_out.values()] == [(), ()]
    touched = {  # every cell, in place of none
        room: replace(copy, own=tuple(range(len(copy.texts))))
        for room, copy in handed_out.items()
    }
    for copies in (handed_out, touched):
        for title, verdict, _ in mark(Work(copies), chapter, Limits()):
            assert verdict.status == "not attempted", f"{title}: {verdict}"


# ------------------------------------------------- the same words as in class


@pytest.mark.parametrize("name", ["attention", "BatchNorm", "only"])
def test_a_verdict_over_the_pipe_is_that_of_the_class(name, one_process):
    answers = answers_to(name)
    text = file_of(name).read_text(encoding="utf-8")
    check = getattr(checks, name)
    exercise = exercise_of(name)
    one_process.left = 240
    one_process.ask("start", exercises=[name])
    for key in [*answers][::8]:
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
    helpers = chapter.helpers(LABORATORY)
    text = f"from fractions import Fraction\nc_2 = {said}  # mine"
    texts, place = (*helpers, text), len(helpers)
    key = TAG + "context_vector_by_hand"
    copy = Copy(texts, (place,), {key: (place,)})
    marks = mark(Work({LABORATORY: copy}), chapter, Limits())
    assert {one.verdict.status for one in marks[:-1]} == {"not handed in"}
    there = marks[-1].verdict
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
        marks = mark(read_work([path], chapter), chapter, Limits())
        return {one.name: verdict.status for one, verdict, _ in marks}

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


# ------------------------------------------------- two notebooks, one chapter

ANSWERS = {
    "softmax": RIGHT,
    "self_attention": "self_attention = lambda X: softmax(X @ X.T, -1) @ X",
    "points_by_hand": "points = (1, 0, 0)",
    "context_vector_by_hand": "c_2 = (0.738, 0.766)",
}


def answered(path, answers):
    """The cells of a notebook, with answers in their places."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        for tag in cell["metadata"].get("tags", []):
            known = answers.get(tag.removeprefix(TAG))
            cell["source"] = known or cell["source"]
    return cells


def saved(path, cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")


def test_the_notebooks_of_a_class_are_rows_of_students(tmp_path, shared):
    """Both notebooks, one of them, and one from before the division."""
    lesson, laboratory = (answered(p, ANSWERS) for p in chapter_files(2))
    saved(tmp_path / "ada" / "02.ipynb", lesson)
    saved(tmp_path / "ada" / "laboratory" / "02.ipynb", laboratory)
    saved(tmp_path / "bo.ipynb", lesson)
    saved(tmp_path / "chen.ipynb", laboratory)
    saved(tmp_path / "dora.ipynb", lesson + laboratory[3:])
    right, absent = "right", "not handed in"
    found = grade(tmp_path)
    assert {
        row.name: [result.status for result in row.results]
        for row in found.rows
    } == {
        "ada": 4 * [right],
        "bo": [*3 * [right], absent],
        "chen": [*3 * [absent], right],
        "dora": 4 * [right],
    }
    (page,) = found.pages["bo"]
    assert "the laboratory, is missing" in page and "Hint" not in page


def test_a_notebook_has_the_helpers_of_its_own_room(tmp_path, shared):
    """The same name in both, and each answer needs that of its room."""
    helpers = "np.exp(x)", "x @ x.T"
    answers = (
        "def softmax(x, axis):\n    e = votes(x - x.max(axis, keepdims=True))\n"
        "    return e / e.sum(axis, keepdims=True)",
        "def self_attention(x):\n    e = votes(x)\n"
        "    e = np.exp(e - e.max(-1, keepdims=True))\n"
        "    return e / e.sum(-1, keepdims=True) @ x",
    )
    rooms = tmp_path / "chapters", tmp_path / "book" / "laboratory"
    handed_in = []
    for n, name in enumerate(("softmax", "self_attention")):
        tag = {"tags": [TAG + name]}
        rooms[n].mkdir(parents=True)
        notebook(
            rooms[n] / "02_two.ipynb",
            f"import numpy as np\ndef votes(x): return {helpers[n]}",
            (tag, f"def {name}(x): ..."),
            f"checks.{name}({name})",
        )
        one = tmp_path / f"{name}.ipynb"
        handed_in.append(notebook(one, (tag, answers[n])))
    chapter = read_chapter(2, rooms[0])
    marks = mark(read_work(handed_in, chapter), chapter, Limits())
    assert [m.verdict.status for m in marks] == 2 * ["right"], marks


def test_an_answer_in_a_new_cell_counts_as_in_class(tmp_path, shared):
    """The check sees what stands last above it, tags or none."""
    cells = answered(chapter_files(2)[1], {})
    place = next(n for n, c in enumerate(cells) if TAG in str(c["metadata"]))
    mine = {
        "cell_type": "code",
        "metadata": {},
        "source": "c_2 = (0.738, 0.766)",
    }
    for strip in (False, True):
        for where, status in (
            (place + 1, "right"),
            (place, "not attempted"),  # the cell with ... stands below it
        ):
            found = [*cells[:where], mine, *cells[where:]]
            if strip:
                found = [{**c, "metadata": {}, "id": "x"} for c in found]
            saved(tmp_path / "a.ipynb", found)
            chapter = read_chapter(2)
            work = read_work([tmp_path / "a.ipynb"], chapter)
            last = mark(work, chapter, Limits())[-1]
            assert last.verdict.status == status, (strip, where)


def test_a_mistake_that_follows_from_another_is_marked_as_such(
    tmp_path, shared
):
    cells = answered(
        chapter_files(2)[0],
        ANSWERS | {"softmax": "def softmax(x, axis):\n    return my_exp(x)"},
    )
    saved(tmp_path / "kim.ipynb", cells)
    alone = ANSWERS | {
        "softmax": "def softmax(x, axis): return (",
        "self_attention": "self_attention = lambda X: softmax(X, -1) @ X",
    }
    saved(tmp_path / "lee.ipynb", answered(chapter_files(2)[0], alone))
    found = grade(tmp_path, [2])
    kim, lee = ([(r.status, r.follows) for r in w.results] for w in found.rows)
    assert kim[:3] == [("wrong", ""), ("wrong", "2.1"), ("right", "")]
    assert lee[:3] == [("wrong", ""), ("wrong", ""), ("right", "")]
    assert "This follows from 2.1" in found.pages["kim"][0]
    assert "This follows" not in found.pages["lee"][0]


SELF = "def self_attention(X):\n    return softmax(X @ X.T, 1) @ X"
STUB = "def softmax(x, axis):\n    ..."


def changed(kind):
    """A lesson whose 2.2 is right, and whose 2.1 is not there, or twice."""
    answers = ANSWERS | {"self_attention": SELF}
    if kind in ("stub", "empty"):
        answers["softmax"] = STUB if kind == "stub" else "# nothing"
    cells = answered(chapter_files(2)[0], answers)
    tagged = TAG + "softmax"
    place = next(n for n, c in enumerate(cells) if tagged in str(c["metadata"]))
    if kind in ("markdown", "raw"):
        cells[place]["cell_type"] = kind
    elif kind == "deleted":
        del cells[place]
    elif kind == "twice":
        stub = answered(chapter_files(2)[0], {})[place]
        cells.insert(place + 1, stub)
    return cells


@pytest.mark.parametrize(
    "kind", ["stub", "empty", "markdown", "raw", "deleted"]
)
def test_an_answer_that_needs_an_undone_one_is_right(kind, tmp_path, shared):
    saved(tmp_path / "kim.ipynb", changed(kind))
    found = grade(tmp_path, [2])
    (row,) = found.rows
    assert [r.said for r in row.results[:2]] == [
        "not attempted",
        "right (with the book's 2.1)",
    ]
    assert "It needs 2.1, and was judged with the book" in found.pages["kim"][0]


def test_with_the_books_an_answer_has_its_own_mistake(tmp_path, shared):
    wrong = ANSWERS | {
        "softmax": STUB,
        "self_attention": SELF.replace("1)", "0)"),
    }
    saved(tmp_path / "kim.ipynb", answered(chapter_files(2)[0], wrong))
    (row,) = grade(tmp_path, [2]).rows
    assert row.results[1].said == "wrong: softmax_over_queries"


def test_a_second_copy_of_a_cell_as_it_was_handed_out_is_nothing(
    tmp_path, shared
):
    saved(tmp_path / "kim.ipynb", changed("twice"))
    (row,) = grade(tmp_path, [2]).rows
    assert [r.said for r in row.results[:2]] == ["right", "right"]


def test_what_nobody_finds_is_not_judged_and_not_counted(tmp_path, shared):
    own = RIGHT.replace("softmax", "my_softmax")
    answers = ANSWERS | {"softmax": own}
    saved(tmp_path / "kim.ipynb", answered(chapter_files(2)[0], answers))
    (row,) = grade(tmp_path, [2]).rows
    assert row.results[0].said == "not judged: not_found"
    assert row.most() == 3 and not row.is_finished


def test_a_notebook_has_the_modules_that_came_with_it(tmp_path, shared):
    taken = ANSWERS | {"softmax": "from my_part import softmax"}
    saved(tmp_path / "kim/02.ipynb", answered(chapter_files(2)[0], taken))
    part = tmp_path / "kim/my_part.py"
    part.write_text(f"import numpy as np\n{RIGHT}", encoding="utf-8")
    (row,) = grade(tmp_path, [2]).rows
    assert [r.said for r in row.results[:3]] == 3 * ["right"]


def test_no_page_shows_where_things_lie(tmp_path, shared):
    tells = "import os\nhere = os.environ['PATH'] + np.__file__\n"
    answers = ANSWERS | {
        "softmax": f"{tells}raise ValueError(here)\nsoftmax = missing",
        "self_attention": f"{tells}def self_attention(X):\n"
        "    raise ValueError(here)",
    }
    saved(tmp_path / "kim.ipynb", answered(chapter_files(2)[0], answers))
    page = "".join(grade(tmp_path, [2]).pages["kim"])
    assert "numpy/__init__.py" in page
    for place in (sys.prefix, str(ROOT), str(Path.home())):
        assert place not in page


def test_a_package_that_is_missing_here_is_no_mistake(tmp_path, shared):
    missing = "from no_such_package import f\ndef softmax(x, axis):\n"
    answers = ANSWERS | {
        "softmax": missing + "    return f(x)",
        "self_attention": "import numpy.no_such as f\n\n\n"
        "def self_attention(X):\n    return f(X)",
    }
    saved(tmp_path / "kim.ipynb", answered(chapter_files(2)[0], answers))
    found = grade(tmp_path, [2])
    (row,) = found.rows
    said = [(r.status, r.mistake) for r in row.results[:2]]
    assert said[0] == ("not judged", "package_missing")
    assert said[1][0] == "wrong"
    assert "`no_such_package`" not in found.pages["kim"][0]
    assert "no_such_package</code>, which is not" in found.pages["kim"][0]
    assert not row.is_finished


def test_the_own_file_has_what_the_notebook_lacks(tmp_path, shared):
    """The better of the two counts, in one row."""
    lesson = chapter_files(6)[0]
    text = f"{workbook.HEADER}\nfrom torch.nn import LayerNorm as L\n"
    right = "class LayerNorm(nn.Module):\n" + part_body("LayerNorm")
    for name, answer in (("kim", "x = 1"), ("lee", "class LayerNorm: pass")):
        cells = answered(lesson, {"LayerNorm": answer})
        saved(tmp_path / name / "06.ipynb", cells)
        own = tmp_path / name / "my_transformer.py"
        own.write_text(f"{text}\n{right}", encoding="utf-8")
    for row in grade(tmp_path).rows:
        found = {r.exercise.split()[1]: r.status for r in row.results}
        assert found["LayerNorm"] == "right", row.name


def part_body(name):
    source = exercise_of(name).solve.source({})
    return source.partition(":\n")[2]


# ------------------------------------------------------ a reader's own look


def test_a_reader_sees_what_is_right_in_the_saved_chapters(
    tmp_path, shared, monkeypatch
):
    answers = ANSWERS | {"self_attention": "def self_attention(X:"}
    folder = tmp_path / "chapters"
    for path in CHAPTERS[2:4]:
        saved(folder / path.name, answered(path, answers))

    def statuses():
        return [m.verdict.status for m in progress(folder=folder).marks]

    wanted = ["right", "wrong", "right", *4 * ["not attempted"]]
    assert statuses() == wanted  # the laboratory is there, but the book's
    there = tmp_path / "book" / "laboratory" / CHAPTERS[2].name
    saved(there, answered(chapter_files(2)[1], answers))
    wanted[3] = "right"
    assert statuses() == wanted
    monkeypatch.chdir(there.parent)  # as a cell of the laboratory asks
    found = progress(2)
    assert found.right == 3
    shown = repr(found)
    assert shown.splitlines()[0].split() == ["2.1", "softmax", "right"]
    assert shown.endswith("3 of 4 right")
    assert "<td>2.2 self_attention</td><td>wrong</td>" in found._repr_html_()
    with pytest.raises(ValueError, match="no chapters here; save them"):
        progress(folder=tmp_path)


def test_a_notebook_begun_as_one_is_read_as_one(tmp_path, shared):
    """Its answers count, though the book has a laboratory beside it."""
    lesson, laboratory = (answered(p, ANSWERS) for p in chapter_files(2))
    saved(tmp_path / CHAPTERS[2].name, lesson + laboratory[3:])
    assert progress(2, tmp_path).right == 4
