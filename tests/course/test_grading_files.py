"""What students really send: every file has a line, and its answers count."""

import json
import os
import time
import unicodedata
import warnings
import zipfile

import pytest
from chapter_numbers import CHAPTERS
from hostile import RIGHT, notebook, zipped

from transformer_course.grading.clock import Clock
from transformer_course.grading.reading import class_work as work
from transformer_course.grading.reading.class_work import class_work
from transformer_course.grading.reading.collecting import collect, file_at
from transformer_course.grading.reading.exercises import (
    ROOMS,
    chapter_file,
    chapter_files,
)
from transformer_course.grading.reading.notes import copied
from transformer_course.grading.reading.owners import owners_of
from transformer_course.grading.reading.recognizing import Book
from transformer_course.grading.reading.submissions import (
    Unreadable,
    cells_of,
    code_of,
)
from transformer_course.grading.roster import Person, people_in

LESSON, LABORATORY = (
    {"tags": [f"answer:{name}"]}
    for name in ("softmax", "context_vector_by_hand")
)
TITLE = chapter_file(2).stem


def bytes_of(cells, **more):
    return json.dumps({"cells": cells} | more).encode()


def code(text, **about):
    return {"cell_type": "code", "metadata": about, "source": text}


ONE = bytes_of([code(RIGHT, **LESSON)])


def put(path, data=ONE):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def became(folder, wanted=(), roster=()):
    """By file: whose it is, and what became of it."""
    found = class_work(folder, wanted, roster)
    lines = {row.name: (row.student, row.became) for row in found.files}
    assert len(lines) == len(found.files)
    return lines


# ------------------------------------------------------------ every file


def odd(folder):
    """What lies in folders of submissions and is none, with the reason."""
    put(folder / "deep.ipynb", b"[" * 100_000)
    put(folder / "latin.ipynb", b'{"cells": "\xe9"}')
    put(folder / "report.pdf", b"%PDF-1.7")
    put(folder / "numpy.py", b"def ones(): ...")
    put(folder / "essay.docx", zipped({"word.xml": b"x"}))
    put(folder / "torn.zip", b"PK\x03\x04 torn")
    put(folder / "empty.ipynb", b"")
    put(folder / ".hidden.ipynb")
    (folder / "link.ipynb").symlink_to(folder / "deep.ipynb")
    put(folder / "merged.ipynb", b"{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n}")
    put(folder / "broken_off.ipynb", b'{"cells": [{"cell_type": "co')
    found = {
        "deep.ipynb": "this is no notebook",
        "latin.ipynb": "this is no notebook: its text is not in UTF-8",
        "merged.ipynb": "this is no notebook: a merge in git left its marks, "
        "the first in line 2; one side has to be chosen",
        "broken_off.ipynb": "this is no notebook: it breaks off, so it was "
        "not saved or sent as a whole",
        "report.pdf": "a .pdf file: no notebook and no Python",
        "numpy.py": "a Python file that defines no answer",
        "essay.docx": "a .docx file: no notebook and no Python",
        "torn.zip": "a ZIP that is damaged",
        "empty.ipynb": "this is no notebook: the file is empty",
        ".hidden.ipynb": "a hidden file, which is not looked into",
        "link.ipynb": "a link, which is not followed",
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "endless.py")
        found["endless.py"] = "no regular file"
    return found


def test_what_cannot_be_judged_has_a_line_with_the_reason(tmp_path):
    put(tmp_path / "kim.ipynb")
    wanted = odd(tmp_path)
    found = became(tmp_path)
    assert found.pop("kim.ipynb") == ("kim", "chapter 2, lesson")
    assert {n: said for n, (_, said) in found.items()} == {
        name: why if "hidden" in why else f"unreadable: {why}"
        for name, why in wanted.items()
    }


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_notebook_that_breaks_off_anywhere_is_told_so(ascii_only):
    cell = {"source": ['é = "中"\n'], "n": -1.5e-30, "all": [True, False, None]}
    whole = json.dumps({"cells": [cell]}, ensure_ascii=ascii_only).encode()
    assert len(cells_of(whole)) == 1
    for end in range(1, len(whole)):
        with pytest.raises(Unreadable, match="notebook: it breaks off"):
            cells_of(whole[:end])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \n", "empty"),
        (bytes(512), "empty"),
        (b"PK\x03\x04", "a ZIP under another name"),
        (b"<!DOCTYPE html><p>Sign in", "a web page"),
        (b'{"a": 1}', "no cells"),
        (b"[]", "no cells"),
        (b'{"cells": 3}', "cells are damaged"),
        (b'{"cells": [],\n}', "line 2 is no JSON"),
        (b'{"cells": []} e', "line 1 is no JSON"),
        (b"<<<<<<< HEAD\n{", "the first in line 1"),
    ],
)
def test_what_is_no_notebook_is_told_why(data, why):
    with pytest.raises(Unreadable, match=f"this is no notebook: .*{why}"):
        cells_of(data)


def test_the_marks_of_a_merge_may_stand_in_a_cell():
    text = "# as git writes it:\n<<<<<<< HEAD\n"
    assert cells_of(json.dumps({"cells": [text]}).encode()) == [text]


def test_a_folder_that_cannot_be_listed_is_a_line(tmp_path, monkeypatch):
    put(tmp_path / "kim" / "04.ipynb")
    put(tmp_path / "lee" / "04.ipynb")
    scan = os.scandir

    def closed(place):
        if str(place).endswith(said):
            raise PermissionError(13, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", closed)
    said = "kim"
    kim, lee = collect(tmp_path)
    assert kim.name == "kim" and "looked into: Permission" in kim.why
    assert lee.name == "lee/04.ipynb" and not lee.why
    said = tmp_path.name
    with pytest.raises(PermissionError):
        collect(tmp_path)


def test_what_is_refused_at_once(tmp_path):
    with pytest.raises(ValueError, match="there is nothing in it"):
        class_work(tmp_path, (), ())
    with pytest.raises(ValueError, match="a folder of submissions is wanted"):
        class_work(tmp_path / "nowhere", (), ())
    there = f"there are {min(CHAPTERS)} to {max(CHAPTERS)}"
    with pytest.raises(ValueError, match=f"no chapter 77: {there}$"):
        class_work(tmp_path, [77], ())
    with pytest.raises(ValueError, match="there is no file.*where the book is"):
        chapter_file(2, tmp_path)


def test_a_file_is_read_before_any_code_runs(tmp_path):
    """So that nobody can take it away, or change its time, meanwhile."""
    path = put(tmp_path / "kim.ipynb")
    (file,) = collect(tmp_path)
    path.unlink()
    assert file.data == ONE and file.time and file.digest
    assert file_at(path).why == "No such file or directory"


# --------------------------------------------------- whatever it is called


@pytest.mark.parametrize(
    "name",
    [
        "kim.ipynb.txt",
        "kim.json",
        "kim.IPYNB",
        "kim",
        "kim.ipynb.download",
        "김민수.ipynb",
        "李小明 第二章.ipynb",
        f"Copy of {TITLE} (1).ipynb",
    ],
)
def test_a_notebook_is_one_under_any_name(name, tmp_path):
    put(tmp_path / name)
    ((student, said),) = became(tmp_path).values()
    assert said == "chapter 2, lesson" and student


def test_zips_are_opened_also_in_zips(tmp_path):
    inner = zipped({"b/my.ipynb": ONE, "__MACOSX/x": b"", "../out.ipynb": ONE})
    bomb = zipped({f"{n}.ipynb": b"" for n in range(2001)})
    files = {"kim.zip": inner, "bomb.zip": bomb, "lee.ipynb": ONE}
    put(tmp_path / "class.zip", zipped(files))
    found = became(tmp_path)
    assert found["class.zip"][1] == "a ZIP, opened: 3 files"
    assert found["class.zip/lee.ipynb"][1] == "chapter 2, lesson"
    assert found["class.zip/kim.zip/b/my.ipynb"][1] == "chapter 2, lesson"
    assert found["class.zip/kim.zip/out.ipynb"][1] == "chapter 2, lesson"
    assert "hidden" in found["class.zip/kim.zip/__MACOSX/x"][1]
    assert "more than 2000" in found["class.zip/bomb.zip"][1]
    assert not (tmp_path.parent / "out.ipynb").exists()


def test_zips_in_zips_have_one_bound(tmp_path):
    """Forty of 8 MiB: more than 256 MiB, in few bytes."""
    part = zipped({"x.ipynb": bytes(8 << 20)}, zipfile.ZIP_DEFLATED)
    put(tmp_path / "b.zip", zipped({f"{n}.zip": part for n in range(40)}))
    said = [row.why for row in collect(tmp_path)]
    many = [why for why in said if why.endswith("what lies around it")]
    assert len(many) == 9 and "256 at the most" in many[0]
    few = zipped({f"{n}.ipynb": b"" for n in range(1500)})
    put(tmp_path / "b.zip", zipped({"1.zip": few, "2.zip": few}))
    assert len(collect(tmp_path)) == 1503
    put(tmp_path / "b.zip", zipped({"a.bin": bytes(1 << 20), "n" * 1001: b"x"}))
    _, *found = collect(tmp_path)
    assert [file.data for file in found] == [b"", b""]  # of no use: not kept
    assert found[0].digest and "too long" in found[1].why


def test_files_of_one_name_are_told_apart(tmp_path):
    """A Mac writes Hangul in pieces, a PC does not; a ZIP may say it twice."""
    whole, pieces = "김민수.ipynb", unicodedata.normalize("NFD", "김민수.ipynb")
    assert whole != pieces
    for name in (whole, pieces):
        put(tmp_path / name, bytes_of([code("x" + name, **LESSON)]))
    with (
        warnings.catch_warnings(action="ignore"),
        zipfile.ZipFile(tmp_path / "b.zip", "w") as archive,
    ):
        for n in range(3):
            archive.writestr("lee.ipynb", bytes_of([code(f"x{n}", **LESSON)]))
    found = class_work(tmp_path, (), ())
    names = [row.name for row in found.files]
    assert len({*names}) == len(names) == 6
    assert f"{whole} (2)" in names and "b.zip/lee.ipynb (3)" in names
    assert len({s.name for s in found.students}) == 5


LINES = 60_000
TEXTS = {
    "blank lines": "(" + "\n" * LINES,
    "blanks": "(" + " \n" * LINES,
    "questions": "(\n" + "a?\n" * LINES,
    "magic": "(\n" + "%x\n" * LINES,
    "imports": "import " * LINES,
    "equal": "a" + " " * LINES + "=!(",
    "commas": "a," * LINES,
    "compared": "1<" * LINES + "1",
    "marks": "\u0301" * LINES,
}


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_takes_the_reader_long(kind, tmp_path):
    notebook(tmp_path / "kim.ipynb", (LESSON, TEXTS[kind]))
    began = time.process_time()
    class_work(tmp_path, (), ())
    assert time.process_time() - began < 5


def test_whoever_takes_long_takes_it_from_nobody_else(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "_SECONDS", 0)
    assert "took 0 seconds" in str(became(put(tmp_path / "kim.ipynb").parent))
    clock = Clock(["a/1", "a/2", "b/1"], 0.01)
    with clock.of("a/1") as has_time:
        assert has_time
        time.sleep(0.02)
    for name, left in (("a/2", False), ("b/1", True)):
        with clock.of(name) as has_time:
            assert has_time is left
    inner = Clock(["z.zip/a/1", "z.zip/b/1"], 0.01)
    with inner.of("z.zip/a/1"):
        time.sleep(0.02)
    with inner.of("z.zip/b/1") as has_time:
        assert has_time  # all came in one ZIP, which is the class's
    long = "x = 1\n" * 50_000
    notebook(tmp_path / "kim.ipynb", (LESSON, long))
    monkeypatch.setattr(work, "_SECONDS", 30)
    assert "250,000 at the most" in str(became(tmp_path))


def test_names_in_zips_of_korean_windows(tmp_path):
    name = "김민수.ipynb"
    plain = name.encode("cp949")
    data = zipped({"A" * len(plain): ONE}).replace(b"A" * len(plain), plain)
    put(tmp_path / "class.zip", data)
    assert f"class.zip/{name}" in became(tmp_path)


def test_the_third_version_of_the_format(tmp_path):
    old = [
        {"cell_type": "heading", "level": 1, "source": ["Mine"]},
        {"cell_type": "code", "input": [RIGHT], "metadata": LESSON},
    ]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": old}]})
    assert code_of(cells_of(data.encode()))[0][0] == RIGHT
    put(tmp_path / "kim.ipynb", data.encode())
    assert became(tmp_path)["kim.ipynb"][1] == "chapter 2, lesson"


# ------------------------------------------------------ of which chapter


@pytest.fixture(scope="module")
def book():
    return Book()


def stripped(path):
    content = json.loads(path.read_text("utf-8"))
    for number, cell in enumerate(content["cells"]):
        cell["metadata"], cell["id"] = {}, f"new-{number}"
    return content["cells"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_chapter_is_known_without_tags_and_title(book, room):
    for number in book.chapters:
        files = dict(zip(ROOMS, chapter_files(number), strict=False))
        if room not in files:
            continue
        cells = stripped(files[room])
        for said in (cells, cells[1:]):
            found = book.chapter_of("x.ipynb", said, code_of(said))
            assert found == number, (number, room)


def test_what_says_most_is_asked_first(book):
    def chapter(name, *cells):
        return book.chapter_of(name, cells, code_of(cells))

    two, four = (
        code("x", **LESSON),
        code("x = 1", tags=["answer:stable_softmax"]),
    )
    title = {"cell_type": "markdown", "source": "# 3. Query, key, value"}
    known = json.loads(chapter_file(3).read_text("utf-8"))["cells"][0]
    assert chapter("04_a.ipynb", known, two) == 2
    assert chapter("04_a.ipynb", known, code("x")) == 3
    assert chapter("04_a.ipynb", {**title, "source": "# 3. Mine"}) == 4
    assert chapter("a.ipynb", code("checks.softmax(f)")) == 2
    assert chapter("a.ipynb", code("def stable_softmax(x): ...")) == 4
    assert chapter("a.ipynb", four, two, two) == 2
    assert chapter("a.ipynb", code("x = 1")) == -1
    assert chapter("77_a.ipynb", code("x = 1")) == -1


def test_another_chapter_than_is_asked_for_is_named(tmp_path):
    put(tmp_path / "kim.ipynb")
    put(tmp_path / "lee.ipynb", chapter_file(3).read_bytes())
    put(tmp_path / "mae.ipynb", bytes_of([code("x = 1")]))
    found = became(tmp_path, [2])
    assert found["kim.ipynb"][1] == "chapter 2, lesson"
    assert found["lee.ipynb"][1] == (
        "chapter 3, lesson; this run judges chapter 2"
    )
    assert found["mae.ipynb"][1] == "chapter 2, lesson and laboratory"
    assert "nothing of any chapter" in became(tmp_path)["mae.ipynb"][1]
    notes = class_work(tmp_path, [2], ()).notes["lee"]
    assert notes == ["lee.ipynb: chapter 3, lesson; this run judges chapter 2"]


# ------------------------------------------------------------ whose it is


@pytest.mark.parametrize(
    ("lesson", "laboratory", "name"),
    [
        (f"kim/{TITLE}", f"kim/laboratory/{TITLE}", "kim"),
        (f"kim/chapters/{TITLE}", f"kim/book/laboratory/{TITLE}", "kim"),
        ("kim/first", "kim/second", "kim"),
        (f"a/kim/{TITLE}", f"a/kim/{TITLE} (1)", "a/kim"),
        (f"kim_{TITLE}", f"kim_{TITLE}_lab", "kim"),
        (f"Copy of {TITLE} Kim", f"{TITLE}-kim-laboratory", "kim"),
        (f"lessons/{TITLE}_kim", f"laboratory/{TITLE}_kim", "kim"),
        (
            f"Kim Min_17_assignsubmission_file/{TITLE}",
            "Kim Min_17_assignsubmission_file/x",
            "Kim Min 17",
        ),
        (
            f"Kim Min_17_assignsubmission_file_{TITLE}",
            "Kim Min_17_assignsubmission_file_lab",
            "Kim Min 17",
        ),
        (f"kimmin_LATE_17_4711_{TITLE}", "kimmin_17_4712_lab-1", "kimmin 17"),
    ],
)
def test_two_notebooks_of_one_student_belong_together(
    lesson, laboratory, name, tmp_path
):
    """Beside two others, each of whom has handed in one of the two."""
    others = ("lee/first", LESSON), ("mae/first", LABORATORY)
    own = (lesson, LESSON), (laboratory, LABORATORY)
    for path, tags in (*others, *own):
        put(tmp_path / f"{path}.ipynb", bytes_of([code("x", **tags)]))
    found = class_work(tmp_path, (), ()).students
    together = {s.name: len(s.pieces) for s in found}
    assert together == {"lee/first": 1, "mae/first": 1, name: 2}


@pytest.mark.parametrize(
    "files",
    [
        {"kim": LESSON, "lee": LABORATORY},
        {"kim_1": LESSON, "kim_2": LABORATORY},
        {"a/kim": LESSON, "a/lee": LESSON, "a/mae": LABORATORY},
        {"kim/1": LESSON, "kim/2": LESSON},
        {"lab/kim": LABORATORY, "lab/lee": LESSON},
        {"kim_2023_12_x": LESSON, "lee_2023_12_x": LABORATORY},
    ],
)
def test_two_students_stay_two(files, tmp_path):
    for name, tags in files.items():
        put(tmp_path / f"{name}.ipynb", bytes_of([code("x", **tags)]))
    assert len(class_work(tmp_path, (), ()).students) == len(files)


def test_a_folder_with_several_chapters_is_one_student(tmp_path):
    for number in (2, 4):
        lesson, laboratory = chapter_files(number)
        put(tmp_path / "kim" / lesson.name, lesson.read_bytes())
        put(tmp_path / "kim/laboratory" / lesson.name, laboratory.read_bytes())
    own = b"class LayerNorm: ..."
    put(tmp_path / "kim" / "my_transformer.py", own)
    put(tmp_path / "kim" / "my_transformer_before_1.py", own)
    found = class_work(tmp_path, (), ())
    (kim,) = found.students
    assert [c.number for c in found.chapters] == [2, 4]
    assert len(kim.pieces) == 5 and kim.own_file.file.data == own
    assert set(kim.of(4)) == {*ROOMS}
    said = {row.name: row.became for row in found.files}
    before = said["kim/my_transformer_before_1.py"]
    assert before == "an earlier version of my_transformer.py"
    put(tmp_path / "lee" / "my_transformer_before_1.py", own)  # all there is
    assert len(class_work(tmp_path, (), ()).students) == 2


def test_a_zip_is_one_student_unless_it_is_the_class(tmp_path):
    three = chapter_file(3).read_bytes()
    files = {"a/02.ipynb": ONE, "03.ipynb": three}
    put(tmp_path / "kim.zip", zipped(files))
    assert len(class_work(tmp_path, (), ()).students) == 2  # the class, perhaps
    put(tmp_path / "lee.zip", zipped({"kim.ipynb": ONE, "mae.ipynb": ONE}))
    found = [s.name for s in class_work(tmp_path, (), ()).students]
    assert found == ["kim", "lee/kim", "lee/mae"]


def test_without_notebooks_the_parts_say_which_chapters(tmp_path):
    put(tmp_path / "kim.py", b"class LayerNorm: ...\ncausal_mask = None")
    assert [c.number for c in class_work(tmp_path, (), ()).chapters] == [6, 8]


def test_of_two_attempts_the_later_counts(tmp_path):
    folder = tmp_path / "Kim Min_17_assignsubmission_file"
    early, late = put(folder / "z.ipynb"), put(folder / "a.ipynb")
    os.utime(early, (1e9, 1e9))
    os.utime(late, (2e9, 2e9))
    found = class_work(tmp_path, (), ())
    (student,) = found.students
    assert [p.file.name.rpartition("/")[2] for p in student.pieces] == [
        "a.ipynb"
    ]
    assert any("a later one counts" in row.became for row in found.files)


PEOPLE = [
    Person("1001", "Kim, Minsu"),
    Person("1002", "Ada Lovelace"),
    Person("2001", "이영희"),
    Person("2002", "Ada Kim"),
]


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("s/1001_ch2.ipynb", "1001"),
        ("Kim Minsu/02.ipynb", "1001"),
        ("minsu-kim.ipynb", "1001"),
        ("kimminsu_55_66_02.ipynb", "1001"),
        ("이영희_2장.ipynb", "2001"),
        ("ada lovelace.zip/x.ipynb", "1002"),
        ("ada.ipynb", None),
        ("11001.ipynb", None),
        ("1001 and 1002.ipynb", None),
        ("kimminsu_55_1002_02.ipynb", "1001"),  # 1002 numbers a submission
        ("Ada Kim_1001_assignsubmission_file_x.ipynb", "2002"),
        ("Somebody_1001_assignsubmission_file_1001.ipynb", None),
        ("Ada Kim.zip/kimminsu_1001_3_02.ipynb", "2002"),
        ("Ada Kim/Ada Lovelace and 1001.ipynb", "2002"),
        ("Ada Lovelace, Ada Kim/1001.ipynb", None),
    ],
)
def test_a_roster_knows_its_people(path, number):
    """By the outermost name; beside a file of somebody's own."""
    (found, _) = owners_of([path, "x"], PEOPLE)
    assert (found.person and found.person.id) == number


def test_moodle_numbers_its_participants():
    """Whose numbers are no ID numbers of the school."""
    twice = [
        Person(str(n), "Ada Kim", (("Identifier", f"Participant {100 + n}"),))
        for n in (17, 18)
    ]
    part = "Ada Kim_118_assignsubmission_file_x.ipynb"
    assert [one.id for one in people_in(twice, part)] == ["18"]


def whose(*names, roster=()):
    found = owners_of(names, roster)
    return [o.sent or (o.person and o.person.id) for o in found]


def test_nothing_in_a_zip_names_another_student():
    own, forged = "leeanna_11_21_02.ipynb", "leeanna_11_99_02.ipynb"
    for home in ("mallory_13_23_hw.zip", "mallory_13_23_hw"):
        assert whose(own, f"{home}/{forged}") == ["leeanna 11", "mallory 13"]
    assert whose(own, f"hw.zip/{forged}") == ["leeanna 11", None]
    anna = [Person("1001", "Anna Lee")]
    mine, folder = "Anna Lee/02.ipynb", "stranger.zip/Anna Lee/02.ipynb"
    assert whose(mine, folder, roster=anna) == ["1001", None]
    said = owners_of([mine, folder], anna)[1].why
    assert said.startswith("names Anna Lee in a ZIP that is nobody's")
    nested = f"class.zip/a.zip/{forged}", f"class.zip/{own}"
    assert whose(*nested) == [None, "leeanna 11"]


def test_the_zip_of_a_class_names_its_students():
    names = "Kim Min_17_assignsubmission_file/x", "lee_18_21_02.ipynb"
    inside = [f"{home}.zip/{name}" for home in "ab" for name in names]
    assert whose(*inside) == 2 * ["Kim Min 17", "lee 18"]
    terms = [f"spring_2026_03_{n}/kim_18_21_02.ipynb" for n in "ab"]
    assert whose(*terms) == 2 * ["kim 18"]
    assert whose("spring_2026_03_a.zip/kim.ipynb") == [None]


def test_a_file_that_names_two_counts_for_whose_folder_it_lies_in(tmp_path):
    both = "Ada Lovelace and Ada Kim.ipynb"
    put(tmp_path / "Ada Kim_7_assignsubmission_file" / both)
    put(tmp_path / both)
    put(tmp_path / "1001.ipynb")
    found = class_work(tmp_path, (), PEOPLE)
    by_name = {s.name: len(s.pieces) for s in found.students}
    assert by_name == {"2002": 1, "1001": 1, "1002": 0, "2001": 0, both[:-6]: 1}
    why = "names Ada Lovelace and Ada Kim, and counts for neither"
    assert why in found.notes[both[:-6]]


def test_a_roster_of_another_class_is_refused(tmp_path):
    put(tmp_path / "1001_a.ipynb")
    put(tmp_path / "kim.ipynb")
    class_work(tmp_path, (), PEOPLE)
    put(tmp_path / "lee.ipynb")
    with pytest.raises(ValueError, match=r"knows 1 of 3 .* from kim, lee\."):
        class_work(tmp_path, (), PEOPLE)


def test_a_module_belongs_to_the_notebook_that_imports_it(tmp_path):
    notebook(tmp_path / "kim/a.ipynb", (LESSON, "from my_part import softmax"))
    put(tmp_path / "kim/my_part.py", RIGHT.encode())
    put(tmp_path / "kim/other.py", b"x = 1")
    notebook(tmp_path / "lee.ipynb", (LESSON, "import mine"))
    notebook(tmp_path / "mae.ipynb", (LESSON, "import ours"))
    notebook(tmp_path / "moe.ipynb", (LESSON, "import ours"))
    put(tmp_path / "mine.py", b"x = 2")
    put(tmp_path / "ours.py", b"x = 3")
    found = class_work(tmp_path, (), ())
    modules = {s.name: [*s.modules] for s in found.students}
    assert modules["kim"] == ["my_part"] and modules["lee"] == ["mine"]
    assert modules["mae"] == modules["moe"] == []
    said = {row.name: row.became for row in found.files}
    assert said["kim/my_part.py"] == "a module that a notebook imports"
    assert "defines no answer" in said["kim/other.py"]
    assert found.notes["lee"] == []


def test_a_chapter_that_hardly_anybody_sent_waits_to_be_named(tmp_path):
    for number in range(10):
        put(tmp_path / f"s{number}.ipynb")
    put(tmp_path / "odd.ipynb", chapter_file(3).read_bytes())
    found = class_work(tmp_path, (), ())
    assert [c.number for c in found.chapters] == [2]
    (row,) = (row for row in found.files if row.name == "odd.ipynb")
    assert row.became.endswith(
        "; only 1 of 11 sent it, so --chapter 3 has to name it"
    )
    (tmp_path / "s0.ipynb").unlink()
    for wanted in ((), (2, 3)):
        found = class_work(tmp_path, wanted, ())
        assert [c.number for c in found.chapters] == [2, 3]


def test_the_rooms_that_count_are_the_lecturers_choice(tmp_path):
    for room, path in zip(ROOMS, chapter_files(2), strict=True):
        put(tmp_path / room / "kim.ipynb", path.read_bytes())
    for room in ROOMS:
        found = class_work(tmp_path, (), (), [room])
        asked = [a for c in found.chapters for a in c.asked]
        assert asked and {a.room for a in asked} == {room}
        other = f"chapter 2, {(*{*ROOMS} - {room},)[0]}"
        said = [row.became for row in found.files]
        assert f"{other}; this run judges each {room}" in said


def test_who_has_sent_nothing_has_a_row(tmp_path):
    put(tmp_path / "1001_a.ipynb")
    put(tmp_path / "1001_b.pdf", b"x")
    found = class_work(tmp_path, (), PEOPLE[:2])
    assert [s.name for s in found.students] == ["1001", "1002"]
    assert found.notes["1001"][0].startswith("1001_b.pdf: unreadable: a .pdf")


# ------------------------------------------------------- beside the verdict


def test_what_a_person_should_look_at_is_noted(tmp_path):
    def own(name, text, chapter="softmax", **more):
        tag = {"tags": [f"answer:{chapter}"]}
        notebook(tmp_path / f"{name}.ipynb", "import numpy as np", (tag, text))

    exercise = "from transformer_course.checks.code.softmax import "
    shape = (
        "def softmax(x, axis):\n    import gc\n"
        "    y = (x + 4) * (x - 4) * (x + 5)\n    return y[::-1] * 2 + {}"
    )
    own("a", exercise + "solution as softmax")
    own("b", "softmax = workbook.use('softmax')")
    own("c", "def softmax(x, axis):\n    return torch.softmax(x, axis)")
    own("d", shape.format("(x - 1) * 3 + (x + 2) * (x + 3)"))
    own("e", shape.format("(x - 1) * 3  + (x+2) * (x + 3)  # mine"))
    own("f", shape.format("(x - 1) * 3 + (x + 2) * (x + 4)"))
    put(tmp_path / "g.ipynb", (tmp_path / "f.ipynb").read_bytes())
    solved = chapter_file(2).parent.parent / "book/solutions" / f"{TITLE}.ipynb"
    put(tmp_path / "s.ipynb", solved.read_bytes())
    own("y", RIGHT)
    own("z", RIGHT + "  # mine")  # the natural form
    notes = class_work(tmp_path, (), ()).notes
    home = "transformer_course.checks.code.softmax.solution"
    assert notes["a"] == [f"takes {home} from the book"]
    assert notes["b"] == ["takes an answer by workbook.use"]
    assert notes["c"] == ["2.1: calls .softmax"]
    assert notes["d"] == ["looks around with gc", "2.1 as e"]
    assert notes["g"][0] == "g.ipynb: the same file as f"
    assert "2.1 is the book's own" in notes["s"]
    assert "2.2 is the book's own" in notes["s"]
    assert notes["z"] == []


def test_an_equal_form_is_noted_where_it_is_unusual():
    form, other = "(" * 60, "(" * 59
    titles = {"f": "2.1", "g": "2.2"}
    for some, of, is_noted in ((2, 4, 1), (3, 4, 1), (4, 4, 0), (6, 30, 1)):
        forms = {str(n): {"g": other} for n in range(of)}
        forms |= {str(n): {"f": form, "g": other} for n in range(some)}
        said = copied(forms, titles)
        assert len(said) == some * is_noted
        assert all(
            line.startswith("2.1 as") for s in said.values() for line in s
        )


def test_a_lent_part_without_its_mark_is_noted(tmp_path, monkeypatch):
    from transformer_course import workbook

    path = tmp_path / "in" / "my_transformer.py"
    path.parent.mkdir()
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    workbook.take("LayerNorm")
    assert class_work(path.parent, [6], ()).students[0].own_file is not None
    text = path.read_text("utf-8").replace("# The book's version.\n", "")
    path.write_text(text, "utf-8")
    ((notes,),) = class_work(path.parent, [6], ()).notes.values()
    assert notes == "6.3 is the book's own" or "is the book's own" in notes
