"""Marking a class: what is read, what is run, what is written down."""

import errno
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from hostile import notebook

from transformer_lib.course import checks
from transformer_lib.course.checks import parts
from transformer_lib.course.grading import (
    Result,
    Row,
    grade,
    run,
    students,
    wire,
)
from transformer_lib.course.grading.exercises import (
    chapter_file,
    chapter_files,
    exercise_of,
    read_chapter,
)
from transformer_lib.course.grading.explored import explored
from transformer_lib.course.grading.feedback import page
from transformer_lib.course.grading.marking import Mark
from transformer_lib.course.grading.notebook import Notebook
from transformer_lib.course.grading.program import needed, statements_of
from transformer_lib.course.grading.submissions import (
    Unreadable,
    files_in,
    read_work,
    rooms_of,
)
from transformer_lib.course.grading.table import cell, read_table, write_table

CHAPTER = read_chapter(2)
SOFTMAX = CHAPTER.asked[0]
LESSON, LABORATORY = (
    {"tags": [f"answer:{name}"]}
    for name in ("softmax", "context_vector_by_hand")
)


# ------------------------------------------------------------ over the pipe


def test_the_inputs_of_every_case_arrive_as_they_left():
    for name in {*checks.__all__, *parts.PARTS} - {*checks.TOOLS}:
        exercise = exercise_of(name)
        for case in exercise.cases if exercise else ():
            line = wire.to_line(case.args)
            assert line.count(b"\n") == 1
            assert exact(wire.from_line(line)) == exact(case.args), case.name


def exact(value):
    """Something equal only to what is alike in type and to the last bit."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: exact(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value), [exact(member) for member in value]
    return type(value), value


@pytest.mark.parametrize(
    "line",
    [
        b"right",
        b"\xff",
        b"[" * 100_000,
        b"9" * 10_000,
        b'{"kind": "module"}',
        b'{"no": 1}',
        b'{"kind": "set", "value": [[1]]}',
        b'{"kind": "object", "shape": [1], "value": "AAAAAAAAAAA="}',
        b'{"kind": "float64", "shape": [-1], "value": "AAAAAAAAAAA="}',
        b'{"kind": "float64", "shape": [9], "value": "AAAAAAAAAAA="}',
        b'{"kind": "float64", "shape": 1, "value": "AAAAAAAAAAA="}',
        b'{"kind": "float64", "shape": [1], "value": "%%%"}',
    ],
)
def test_a_forged_line_is_no_data(line):
    with pytest.raises(wire.Garbled):
        wire.from_line(line)


def test_only_plain_data_is_sent():
    with pytest.raises(TypeError, match="object came"):
        wire.to_line([object()])
    assert wire.from_line(b'"\\ud800"') == "?"  # else nobody could write it


# ------------------------------------------------- the lines that are needed


@pytest.mark.parametrize(
    "cells, wanted",
    [
        (["import numpy as np", "train()", "y = np.ones(2)"], "02"),
        (["x = 1", "x = 2", "y = x"], "12"),
        (["x = []", "x.append(1)", "while True:\n    pass", "y = x"], "013"),
        (["x = {}", "x[0] = 1", "x += 1", "y = x", "x = 3"], "0123"),
        (["def f():\n    return g()", "g = len", "y = f"], "012"),
        (["y = f", "def f():\n    return g()", "g = len"], "012"),
        (["z = 1", "class A(B):\n    b = z", "B = 1", "y = A"], "0123"),
        (["from math import *", "y = cos(len([]))"], "01"),
        (["import numpy as np", "np.exp = 0", "np.show()", "y = np"], "03"),
        (["for i in []:\n    x[i] = 0", "x = 1", "y = x"], "12"),
        (["x = 1", "for i in []:\n    x.a[i] = i", "y = x"], "012"),
        (["x = 0", "if z:\n    x = 1", "z = 1", "y = x"], "0123"),
        (["x = 0", "if z:\n    x = 1\nelse:\n    x = 2", "y = x"], "12"),
        (["x = 0", "with z as x:\n    w = x", "y = x"], "12"),
        (["i = 0", "for i in z:\n    a = i\n    x = a", "y = x"], "12"),
        (["for i in z:\n    i.run()", "for i in z:\n    y = i"], "1"),
        (["try:\n    import a as x\nexcept E:\n    x = 0", "y = x"], "01"),
        (["x = 1", "while True:\n    x = 2", "y = x"], "012"),
        (["a = 1", "y = [a for a in b]", "b = 1"], "12"),
        (["@d\ndef y():\n    pass", "d = 1"], "01"),
    ],
)
def test_an_answer_gets_what_it_needs_and_no_more(cells, wanted):
    taken = [statements_of(text) for text in cells]
    (end,) = (n for n, (line,) in enumerate(taken) if "y" in line.bound)
    found = needed(taken, end, ["y"])
    assert "".join(str(place) for place, _ in found) == wanted


def test_lines_for_the_notebook_itself_do_nothing():
    text = "%time\nx = 1\n!ls\nx?\n?x\nif x:\n    %ls\n"
    assert [b for s in statements_of(text) for b in s.bound] == ["x"]
    quoted = 'x = """\n%time\n"""'
    assert "%time" in statements_of(quoted)[0].node.value.value


# ----------------------------------------------- where a notebook answers


def find(*cells, kept=(0,), own=None, name="softmax", given="softmax"):
    own = range(len(cells)) if own is None else own
    return Notebook(cells, own, 5.0).find(name, given, kept)


def test_the_cell_that_is_kept_counts_and_then_a_cell_elsewhere():
    stub, good = "def softmax():\n    ...", "def softmax():\n    return 1"
    assert find(stub, good, kept=[0]).value() is None
    assert find(stub, good, kept=[0], own=[1]).value() == 1
    assert find(stub, good, stub, kept=[0, 1]).value() == 1
    assert find(stub, kept=[0], own=[]).state == "blank"
    assert find("# I could not do this", kept=[0]).state == "blank"
    assert find("x = 1", kept=[0]).state == "missing"


def test_on_paper_a_name_elsewhere_is_no_answer():
    paper = {"name": "spreads_by_hand", "given": "c"}
    assert find("c = ...", "c = 1", own=[1], **paper).state == "blank"
    assert find("c = ...", "c = 1", own=[0, 1], **paper).value is ...
    direct = "checks.spreads_by_hand((1, 2))"
    assert find("c = ...", direct, own=[1], **paper).value == (1, 2)
    same = "c = 3\nchecks.spreads_by_hand(c)"
    assert find("c = ...", same, own=[1], **paper).value == 3
    assert find("c = ...", same[6:], own=[1], **paper).state == "blank"


def test_what_does_not_run_is_told_by_its_first_error():
    said = find("import no_such_module\n\n\nsoftmax = no_such_module.f()")
    assert said.state == "broken"
    assert said.error.startswith("ModuleNotFoundError: No module named")
    assert find("def softmax(:").error.startswith("SyntaxError")
    assert find("", "def softmax(:").error.startswith("SyntaxError")
    assert find("", "def other(:").state == "blank"
    assert find("x = 1 / 0\n\n\ndef softmax():\n    pass").state == "ready"


# --------------------------------------------------- what is handed in


def test_tags_and_where_they_are_gone_ids_say_which_cell_it_is(tmp_path):
    tag, ident = sorted(SOFTMAX.keys)
    assert tag == "answer:softmax"
    first = len(CHAPTER.helpers("lesson"))
    for number, place in (({"tags": [tag]}, 1), ({"id": ident}, 1)):
        work = copy_of(
            notebook(tmp_path / "a.ipynb", "x = 1", (number, "y = 1"))
        )
        assert work.cells_for(SOFTMAX) == [first + place]
        assert work.is_touched(SOFTMAX)
    both = notebook(
        tmp_path / "a.ipynb", ({"tags": [tag]}, "x"), ({"id": ident}, "y")
    )
    assert copy_of(both).cells_for(SOFTMAX) == [first]
    plain = notebook(tmp_path / "a.ipynb", "x = 1", id=ident)
    assert copy_of(plain).cells_for(SOFTMAX) == [first]


def copy_of(path):
    return read_work([path], CHAPTER).copies["lesson"]


def test_a_cell_as_it_was_handed_out_is_nobodys_own(tmp_path):
    texts = [cell.text for cell in CHAPTER.cells]
    assert copy_of(notebook(tmp_path / "a.ipynb", *texts)).own == ()
    changed = notebook(tmp_path / "a.ipynb", *texts, "", "mine = 1")
    assert len(copy_of(changed).own) == 1


def test_the_cells_of_a_notebook_say_which_it_is(tmp_path):
    """By tag, by id, and by text where both are gone; never by its name."""
    lesson, laboratory = chapter_files(2)

    def rooms(*cells, **more):
        path = notebook(tmp_path / "a.ipynb", *cells, **more)
        return sorted(rooms_of(path, CHAPTER))

    for path, room in ((lesson, "lesson"), (laboratory, "laboratory")):
        code = [
            cell
            for cell in json.loads(path.read_text("utf-8"))["cells"]
            if cell["cell_type"] == "code"
        ]
        assert rooms(*("".join(cell["source"]) for cell in code)) == [room]
        assert rooms("x", id=code[-1]["id"]) == [room]
        assert rooms("x", metadata={"id": code[-1]["id"]}) == [room]
    both = ["laboratory", "lesson"]
    assert rooms((LESSON, "x"), (LABORATORY, "y")) == both
    assert rooms("mine = 1", "") == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"cells": 3}',
        b'{"cells": [{"cell_type": "code", "source": 3}]}',
        b'{"cells": [{"cell_type": "code", "source": "", "metadata": []}]}',
    ],
)
def test_what_is_no_notebook_is_said_to_be_none(content, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match="this is no notebook"):
        read_work([path], CHAPTER)


def odd(folder):
    """What looks like a submission and cannot be read, with the reason."""
    (folder / "folder.ipynb").mkdir(parents=True)
    (folder / "link.ipynb").symlink_to(folder / "elsewhere.txt")
    (folder / "elsewhere.txt").write_text("def softmax(): ...")
    (folder / "dangling.py").symlink_to(folder / "nowhere")
    (folder / "deep.ipynb").write_bytes(b"[" * 100_000)
    (folder / "latin.ipynb").write_bytes(b'{"cells": "\xe9"}')
    found = {
        "dangling.py": "a link, which is not followed",
        "deep.ipynb": "this is no notebook",
        "folder.ipynb": "a folder, not a file",
        "latin.ipynb": "this is no notebook",
        "link.ipynb": "a link, which is not followed",
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "endless.py")
        found["endless.py"] = "no regular file"
    return found


def test_files_are_found_in_folders_and_what_is_none_is_not_lost(tmp_path):
    for name in ("b/04.ipynb", "a/04.ipynb", "c.py", "d.txt", ".x/e.ipynb"):
        notebook(tmp_path / name, "")
    found = [p.relative_to(tmp_path).as_posix() for p in files_in(tmp_path)]
    assert found == ["a/04.ipynb", "b/04.ipynb", "c.py"]
    names = {*found, *odd(tmp_path / "z")}
    assert {path.name for path in files_in(tmp_path)} == {
        name.rpartition("/")[2] for name in names
    }


def test_earlier_versions_beside_what_was_handed_in_are_left_out(tmp_path):
    own, before = "my_transformer.py", "my_transformer_before_{}.py".format
    for name in (f"kim/{own}", f"kim/{before(2)}", f"kim/{before(13)}"):
        notebook(tmp_path / name, "")
    notebook(tmp_path / "lee" / before(1), "")  # all that there is
    found = [p.relative_to(tmp_path).as_posix() for p in files_in(tmp_path)]
    assert found == [f"kim/{own}", f"lee/{before(1)}"]


TITLE = chapter_file(2).stem


@pytest.mark.parametrize(
    ("lesson", "laboratory"),
    [
        (f"kim/{TITLE}", f"kim/laboratory/{TITLE}"),
        (f"kim/chapters/{TITLE}", f"kim/book/laboratory/{TITLE}"),
        ("kim/first", "kim/second"),
        (f"a/kim/{TITLE}", f"a/kim/{TITLE} (1)"),
        (f"kim_{TITLE}", f"kim_{TITLE}_lab"),
        (f"Copy of {TITLE} Kim", f"{TITLE}-kim-laboratory"),
        (f"lessons/{TITLE}_kim", f"laboratory/{TITLE}_kim"),
    ],
)
def test_two_notebooks_of_one_student_belong_together(
    lesson, laboratory, tmp_path
):
    """Beside two others, each of whom has handed in one of the two."""
    others = ("lee/first", LESSON), ("mae/first", LABORATORY)
    own = (lesson, LESSON), (laboratory, LABORATORY)
    for name, tags in (*others, *own):
        path = tmp_path / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        notebook(path, (tags, "x"))
    found = students.students(tmp_path, CHAPTER)
    pair = tuple(tmp_path / f"{name}.ipynb" for name in (lesson, laboratory))
    alone = [(tmp_path / f"{name}/first.ipynb",) for name in ("lee", "mae")]
    assert found == sorted([pair, *alone])


@pytest.mark.parametrize(
    "files",
    [
        {"kim": LESSON, "lee": LABORATORY},
        {"kim_1": LESSON, "kim_2": LABORATORY},
        {"a/kim": LESSON, "a/lee": LESSON, "a/mae": LABORATORY},
        {"kim/1": LESSON, "kim/2": LESSON},
        {"lab/kim": LABORATORY, "lab/lee": LESSON},
    ],
)
def test_two_students_stay_two(files, tmp_path):
    for name, tags in files.items():
        notebook(tmp_path / f"{name}.ipynb", (tags, "x"))
    assert len(students.students(tmp_path, CHAPTER)) == len(files)


def test_a_folder_that_cannot_be_listed_is_a_line(tmp_path, monkeypatch):
    notebook(tmp_path / "kim" / "04.ipynb", "")
    notebook(tmp_path / "lee" / "04.ipynb", "")
    scan = os.scandir

    def closed(place):
        if str(place).endswith(said):
            raise PermissionError(13, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", closed)
    said = "kim"
    assert files_in(tmp_path) == [tmp_path / "kim", tmp_path / "lee/04.ipynb"]
    said = tmp_path.name
    with pytest.raises(PermissionError):
        files_in(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no \.ipynb and no \.py"):
        next(grade(tmp_path, 2))
    with pytest.raises(ValueError, match="a folder of submissions is wanted"):
        next(grade(tmp_path / "nowhere", 2))
    with pytest.raises(ValueError, match="no chapter 77: there are 0 to 20$"):
        next(grade(tmp_path, 77))
    with pytest.raises(ValueError, match="there is no file.*where the book is"):
        chapter_file(2, tmp_path)


# ----------------------------------------------------- what is written down


def row(name, *statuses, **more):
    titles = [asked.title for asked in CHAPTER.asked]
    results = map(Result, titles, statuses, ["", "a_mistake", "", ""])
    return Row(name, tuple(results), **more)


def test_a_table_is_read_as_it_was_written(tmp_path):
    path, titles = tmp_path / "t.csv", [a.title for a in CHAPTER.asked]
    rows = [
        row('b,;".ipynb', "right", "wrong", "right", "wrong", digest="12"),
        row("a.ipynb", *4 * ["unfinished"], note="no notebook"),
    ]
    assert read_table(path, titles) == {}
    write_table(path, titles, rows)
    assert list(read_table(path, titles).values()) == rows[::-1]
    assert rows[0].right == 2 and rows[0].is_finished
    assert not rows[1].is_finished
    with pytest.raises(ValueError, match="not a table of this chapter"):
        read_table(path, titles[1:])


def test_no_text_is_obeyed():
    assert cell("=cmd()") == "'=cmd()" and cell("-1") == "'-1"
    assert cell("a\x1b[2J\nb\ud800") == "a\\x1b[2J\\nb\\ud800"
    assert len({cell(text) for text in ("=a", "'=a", "\n", "\\n")}) == 4
    assert cell("김.ipynb") == "김.ipynb"


def test_the_page_says_what_is_said_in_class():
    wrong = checks.softmax(lambda x, axis: np.exp(x))
    blank = checks.self_attention(None)
    marks = list(map(Mark, CHAPTER.asked, (wrong, blank)))
    text = page("<script>alert(1)</script>", 2, marks)
    assert "<script" not in text and "0 of 2 right" in text
    assert wrong._repr_html_().split("<table")[0] in text
    assert "Say more" not in text and text.count("<details>") == 4
    for number in (1, 2):
        assert wrong.hint(number)._repr_html_() in text


def test_the_explore_exercises_are_on_one_page(tmp_path):
    heading = "### Exercise 2.5 (explore, 10 min): mine"
    picture = {"data": {"image/png": "AAAA"}}
    forged = {"data": {"image/png": '"><script>'}}
    content = [
        {"cell_type": "markdown", "source": [heading, "\n<script>why"]},
        {"cell_type": "code", "source": "x", "outputs": [picture, forged]},
        {"cell_type": "code", "source": "y", "outputs": [{"text": ["<b>7"]}]},
        {"cell_type": "markdown", "source": "## Check yourself"},
        {"cell_type": "code", "source": "elsewhere", "outputs": 3},
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": content}))
    broken = tmp_path / "b.ipynb"
    broken.write_text("no notebook")
    untouched = chapter_files(2)
    files = {"<a>": [path], "b": [broken], "c": untouched, "d": untouched[:1]}
    text = explored(2, files)
    assert "<h2>2.5 when is a word its own context?</h2>" in text
    assert "&lt;script&gt;why" in text and "<script" not in text
    assert text.count("<img") == 1 and "&lt;b&gt;7" in text
    assert "elsewhere" not in text and text.count("Nothing.") == 1
    assert text.count("Not handed in.") == 1  # the laboratory of d
    assert "<p>unreadable: this is no notebook</p>" in text
    untitled = {"cell_type": "markdown"}  # marking does not look at it
    path.write_text(json.dumps({"cells": [untitled, *content]}))
    assert text == explored(2, files)


# ------------------------------------------------------------- a whole class


@pytest.fixture
def judged(monkeypatch):
    """A grader that only notes whom it has judged, and fails for one."""
    names = []

    def mark(work, chapter, limits):
        name = [*work.copies.values()][-1].texts[-1]
        names.append(name)
        if "fault" in name:
            raise ZeroDivisionError("of the grader")
        asked = chapter.asked
        return [Mark(a, getattr(checks, a.name)(None)) for a in asked]

    monkeypatch.setattr(run, "mark", mark)
    return names


def test_a_run_goes_on_where_it_was_interrupted(tmp_path, judged):
    folder, table = tmp_path / "in", tmp_path / "t.csv"
    for name in "abcd":
        notebook(folder / f"{name}.ipynb", name)
    first = grade(folder, 2, table)
    assert next(first).name == "a.ipynb"
    first.close()
    assert [r.name for r in grade(folder, 2, table)] == [
        f"{name}.ipynb" for name in "abcd"
    ]
    assert judged == ["a", "b", "c", "d"]
    notebook(folder / "b.ipynb", "b again")
    list(grade(folder, 2, table))
    assert judged[4:] == ["b again"]
    list(grade(folder, 2, table, tmp_path / "pages"))
    assert len(judged) == 9 and len(list((tmp_path / "pages").iterdir())) == 4
    list(grade(folder, 2, table, tmp_path / "pages"))
    assert len(judged) == 9


def test_whoever_ends_the_grader_is_judged_last(tmp_path, monkeypatch, judged):
    folder, table = tmp_path / "in", tmp_path / "t.csv"
    for name in "abc":
        notebook(folder / f"{name}.ipynb", name)

    def ended(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "mark", ended)
        with pytest.raises(KeyboardInterrupt):
            list(grade(folder, 2, table))
    assert "interrupted here" in table.read_text(encoding="utf-8-sig")
    list(grade(folder, 2, table))
    assert judged == ["b", "c", "a"]


def test_a_long_name_stops_nobody(tmp_path, judged):
    notebook(tmp_path / "in" / f"{'a' * 240}.ipynb", "a")
    pages = tmp_path / "pages"
    (found,) = grade(tmp_path / "in", 2, feedback=pages)
    assert found.is_finished and len(list(pages.iterdir())) == 1


def test_a_fault_of_the_grader_is_noted_and_the_others_are_judged(
    tmp_path, judged
):
    folder = tmp_path / "in"
    notebook(folder / "a.ipynb", "fault")
    (folder / "b.ipynb").write_text("no notebook")
    notebook(folder / "c.ipynb", "c")
    rows = list(grade(folder, 2))
    assert [r.is_finished for r in rows] == [False, False, True]
    assert rows[0].note == "ZeroDivisionError: of the grader"
    assert rows[1].note == "unreadable: this is no notebook"
    assert rows[2].results[0] == Result("2.1 softmax", "not attempted")


def test_what_cannot_be_read_is_a_line_and_the_run_goes_on(
    tmp_path, judged, monkeypatch
):
    """Before the first mark, in the middle, and when the run is made again."""
    folder, pages = tmp_path / "in", tmp_path / "pages"
    found = odd(folder)
    notebook(folder / "gone.ipynb", "x")
    found["gone.ipynb"] = "No such file or directory"
    notebook(folder / "torn.ipynb", "x")
    found["torn.ipynb"] = "Input/output error"
    notebook(folder / "zoe.ipynb", "zoe")
    listed, whole = files_in(folder), Path.read_bytes
    (folder / "gone.ipynb").unlink()
    monkeypatch.setattr(students, "files_in", lambda folder: listed)

    def torn(path):
        if path.name == "torn.ipynb":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return whole(path)

    monkeypatch.setattr(Path, "read_bytes", torn)
    text = explored(2, {path.name: [path] for path in listed})
    for _ in range(2):
        rows = {
            row.name: row
            for row in grade(folder, 2, tmp_path / "t.csv", pages)
        }
        assert rows.pop("zoe.ipynb").is_finished
        notes = {name: row.note for name, row in rows.items()}
        assert notes == {k: f"unreadable: {why}" for k, why in found.items()}
        assert not any(row.is_finished for row in rows.values())
    assert judged == ["zoe"]
    assert text.count("unreadable: ") == len(found)
    page = (pages / "torn.ipynb.html").read_text(encoding="utf-8")
    assert "Your file is unreadable: Input/output error. Nothing" in page


def test_a_notebook_of_another_chapter_is_named(tmp_path, judged):
    """Nobody's answers are in it, and the row says why."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in (2, 3):
        shutil.copy(chapter_file(number), folder)
    plain = json.loads(chapter_file(2).read_text(encoding="utf-8"))
    for one in plain["cells"]:
        one["metadata"] = {}
    (folder / "plain.ipynb").write_text(json.dumps(plain), encoding="utf-8")
    notebook(folder / "own.ipynb", "# 3. My softmax")
    shutil.copy(chapter_files(3)[1], folder / "also_3.ipynb")
    two, three, also, own, plain = grade(folder, 2)
    assert [row.note for row in (two, own, plain)] == 3 * [""]
    assert three.note == also.note == (
        "this looks like the notebook of chapter 3: no cell for an answer of "
        "chapter 2 is in it"
    )


def test_when_the_second_notebook_comes_there_is_one_row(tmp_path, judged):
    folder, table = tmp_path / "in", tmp_path / "t.csv"
    late = folder / "kim_lab.ipynb"
    notebook(late, (LABORATORY, "laboratory"))
    (alone,) = grade(folder, 2, table)
    early = notebook(folder / "kim.ipynb", (LESSON, "lesson"))
    for _ in range(2):  # the second time there is nothing left to judge
        (both,) = grade(folder, 2, table)
    assert [alone.name, both.name] == ["kim_lab.ipynb", "kim.ipynb"]
    assert both.note == "with kim_lab.ipynb" and len(judged) == 2
    titles = [asked.title for asked in CHAPTER.asked]
    assert list(read_table(table, titles)) == ["kim.ipynb"]
    for path in (early, late):  # whichever changes, both are judged again
        notebook(path, (LESSON if path == early else LABORATORY, "again"))
        list(grade(folder, 2, table))
    assert len(judged) == 4
