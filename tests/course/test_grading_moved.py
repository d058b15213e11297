"""Notebooks with the import lines from before the move get the old marks.

The move changed nothing in them but these names, so the names put back into
today's notebooks give those of that time.
"""

import json
import re
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from chapter_numbers import CHAPTERS as NUMBERS

from transformer_course import progress
from transformer_course.grading.reading.class_work import class_work
from transformer_course.grading.reading.collecting import file_at
from transformer_course.grading.reading.exercises import (
    ROOMS,
    TAG,
    chapter_files,
    exercise_of,
    read_chapter,
)
from transformer_course.grading.reading.recognizing import Book
from transformer_course.grading.reading.submissions import (
    Work,
    cells_of,
    code_of,
    copy_of,
    rooms_of,
)
from transformer_course.grading.running.marking import mark
from transformer_course.grading.running.process import Limits, Process
from transformer_course.grading.writing.explored import explored

ROOT = Path(__file__).resolve().parents[2]
BEFORE = {
    "from toy_language": "from transformer_lib.toy",
    "from transformer_course": "from transformer_lib.course",
}
IN_ANSWERS = {7, 11, 13, 14, 15}  # use what an old line imports


def earlier(text):
    """A text as it read before the move."""
    for name, old in BEFORE.items():
        text = text.replace(name, old)
    return text


def solutions(number):
    (path,) = (ROOT / "book" / "solutions").glob(f"{number:02}_*")
    return path


def saved(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class Lasting(Process):
    """A process that does for all notebooks, so that it starts once."""

    def next(self):
        self.left = self.limits.start
        return self

    def end(self):
        pass


@pytest.fixture(scope="module")
def one_process():
    process = Lasting(Limits(seconds=240, cell=60), 400)
    yield process
    Process.end(process)


@pytest.fixture
def judged(one_process):
    return partial(mark, limits=Limits(), ahead=one_process)


def work_of(texts, chapter):
    """What a student has handed in: a notebook, or those of both rooms."""
    copies = {}
    for text in texts:
        code = code_of(cells_of(text.encode()))
        rooms = rooms_of(code, chapter)
        copies |= {room: copy_of(code, chapter, room) for room in rooms}
    return Work(copies)


# --------------------------------------------------- as they were handed out


@pytest.mark.parametrize("number", NUMBERS)
def test_an_old_cell_that_nobody_changed_is_nobodys_own(number):
    chapter = read_chapter(number)
    for room, path in zip(ROOMS, chapter_files(number), strict=True):
        now = path.read_text(encoding="utf-8")
        work = work_of([earlier(now)], chapter)
        assert earlier(now) != now
        assert work.copies[room].own == ()


def test_an_old_cell_alone_tells_its_chapter_and_its_room():
    book, seen = Book(), 0
    for number, chapter in book.chapters.items():
        for cell in chapter.cells:
            alone = book._by_text[cell.text.strip()] == {number}
            same = [c for c in chapter.cells if c.text == cell.text]
            if earlier(cell.text) != cell.text and alone and len(same) == 1:
                code = [(earlier(cell.text), frozenset())]
                assert book.chapter_of("a.ipynb", [], code) == number
                assert rooms_of(code, chapter) == {cell.room}
                seen += 1
    assert seen > len(NUMBERS)


def test_an_old_import_below_an_explore_exercise_is_no_answer(tmp_path):
    own = {
        room: file_at(
            saved(tmp_path / f"{room}.ipynb", earlier(path.read_text("utf-8")))
        )
        for room, path in zip(ROOMS, chapter_files(7), strict=True)
    }
    page = explored(7, {"kim": own})
    assert page.count("<h2>") == page.count("Nothing.") > 0


# ------------------------------------------------------------------- marks


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(n, marks=() if n in IN_ANSWERS else pytest.mark.whole)
        for n in NUMBERS
    ],
)
def test_right_answers_of_that_time_are_right(number, judged):
    chapter = read_chapter(number)
    old = earlier(solutions(number).read_text(encoding="utf-8"))
    marks = judged(work_of([old], chapter), chapter)
    for asked, verdict, _ in marks:
        assert verdict.ok, f"{asked.title}: {verdict}"


def answers_of_the_book(number):
    cells = json.loads(solutions(number).read_text(encoding="utf-8"))["cells"]
    return {
        tag.removeprefix(TAG): "".join(cell["source"])
        for cell in cells
        for tag in cell["metadata"].get("tags", [])
    }


def answers_to(chapter):
    """By exercise: the book's answer, a wrong one, or none, in turn."""
    right, found = answers_of_the_book(chapter.number), {}
    for n, asked in enumerate(chapter.asked, start=chapter.number):
        if n % 3 < 2:
            found[asked.name] = wrong(asked) if n % 3 else right[asked.name]
    return found


def wrong(asked):
    exercise = exercise_of(asked.name)
    if exercise is None:
        names = re.findall(r"\w+", asked.given)
        return "\n".join(f"{name} = 7" for name in names)
    edits = next(m.edits for m in exercise.mistakes if m.edits)
    return exercise.solve.source(edits[0])


def filled_in(path, answers):
    content = json.loads(path.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        for tag in cell["metadata"].get("tags", []):
            known = answers.get(tag.removeprefix(TAG))
            cell["source"] = known or cell["source"]
    return json.dumps(content)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(n, marks=() if n % 3 == 2 else pytest.mark.whole)
        for n in NUMBERS
    ],
)
def test_answers_of_all_kinds_get_the_marks_of_today(number, judged):
    chapter = read_chapter(number)
    answers = answers_to(chapter)
    now = [filled_in(path, answers) for path in chapter_files(number)]
    old = [earlier(text) for text in now]
    assert judged(work_of(old, chapter), chapter) == judged(
        work_of(now, chapter), chapter
    )


@pytest.mark.parametrize(
    "line, said, meant",
    [
        (
            "from transformer_lib.course import checks, workbook",
            "(checks.__name__, workbook.__name__)",
            ("transformer_course.checks", "transformer_course.workbook"),
        ),
        (
            "import transformer_lib.course.checks as c\n"
            "from transformer_course import checks",
            "(c is checks,)",
            (True,),
        ),
        (
            "from transformer_lib import course, toy",
            "(course.__name__, toy.__name__)",
            ("transformer_course", "toy_language"),
        ),
        (
            "from transformer_lib.toy.corpus import toy_splits, SentencePair",
            "(toy_splits.__module__, SentencePair.__module__)",
            2 * ("toy_language.corpus",),
        ),
        (
            "from transformer_lib import toy_splits, causal_mask",
            "(toy_splits.__module__, causal_mask.__module__)",
            ("toy_language.corpus", "transformer_lib.masks"),
        ),
        (
            "import transformer_lib.course.plots",
            "(transformer_lib.course.plots.__name__,"
            " transformer_lib.causal_mask.__module__)",
            ("transformer_course.plots", "transformer_lib.masks"),
        ),
        (
            "import transformer_lib as t",
            "(t.SentencePair.__module__,)",
            ("toy_language.corpus",),
        ),
    ],
)
def test_an_answer_gets_what_an_old_line_brought(
    line, said, meant, one_process
):
    one_process.next().ask("start", exercises=["points_by_hand"])
    text = f"{line}\npoints = {said}"
    about = {"name": "points_by_hand", "given": "points", "kept": [0]}
    found = one_process.ask(
        "find", texts=[text], own=[0], seconds=60.0, **about
    )
    assert (found["value"], found["error"]) == (meant, "")


def test_where_nothing_is_marked_an_old_line_is_answered_as_ever():
    with pytest.raises(ImportError, match="is transformer_course now: write"):
        import_module("transformer_lib.course")


def test_a_reader_who_goes_on_with_an_old_notebook(
    tmp_path, judged, monkeypatch
):
    lesson = chapter_files(7)[0]
    right = answers_of_the_book(7)["MultiHeadAttention"]
    text = filled_in(lesson, {"MultiHeadAttention": right})
    saved(tmp_path / lesson.name, earlier(text))
    monkeypatch.setattr(progress, "mark", lambda *given: judged(*given[:2]))
    marks = progress.progress(7, tmp_path).marks
    assert {m.asked.name for m in marks if m.verdict.ok} == {
        "MultiHeadAttention"
    }


# --------------------------------------------------------- beside the marks


def test_what_is_taken_from_the_book_is_told_as_it_was_written(tmp_path):
    lesson = chapter_files(2)[0]
    old = json.loads(earlier(lesson.read_text(encoding="utf-8")))
    code = [cell for cell in old["cells"] if cell["cell_type"] == "code"]
    begin = next(
        c for c in code if "from transformer_lib" in "".join(c["source"])
    )
    begin["source"] += ["\nimport math"]
    saved(tmp_path / "a.ipynb", json.dumps(old))
    taken = "transformer_lib.course.checks.code.softmax"
    code[-1]["source"] = f"from {taken} import solution as softmax"
    saved(tmp_path / "b.ipynb", json.dumps(old))
    notes = class_work(tmp_path, (), ()).notes
    assert notes == {
        "a": [],
        "b": [f"takes {taken}.solution from the book"],
    }
