"""One run over a class: what is believed, what is written, what counts."""

import csv
import html
import json
import os
import re
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hostile import notebook

from toy_language import corpus
from transformer_course import checks
from transformer_course.checks.engine import judge
from transformer_course.grading import grade, run, seal
from transformer_course.grading.given import read_given, with_given
from transformer_course.grading.journal import Journal
from transformer_course.grading.pages import Places
from transformer_course.grading.reading.collecting import File
from transformer_course.grading.reading.exercises import (
    chapter_files,
    read_chapter,
)
from transformer_course.grading.roster import (
    Person,
    Rules,
    read_roster,
    read_rules,
)
from transformer_course.grading.rows import FileRow, Result, Row
from transformer_course.grading.running import guarding
from transformer_course.grading.running.marking import Mark
from transformer_course.grading.running.process import Limits
from transformer_course.grading.running.reasons import Lost
from transformer_course.grading.writing.explored import explored
from transformer_course.grading.writing.feedback import page, piece, section
from transformer_course.grading.writing.overview import overview
from transformer_course.grading.writing.table import (
    cell,
    write_canvas,
    write_files,
    write_moodle,
    write_table,
)
from transformer_lib import numpy_reference

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = read_chapter(2)
CLOSED = Limits(user=1)  # nobody runs under it here
OPEN = Limits(sandbox=("seccomp",))
SOFTMAX = {"tags": ["answer:softmax"]}


@pytest.fixture
def judged(monkeypatch):
    """A grader that only notes whom it has judged, and fails for one."""
    names = []

    def mark(work, chapter, limits, only=None, ahead=None, secret=""):
        name = [*work.copies.values()][-1].texts[-1]
        names.append(name)
        if "fault" in name:
            raise ZeroDivisionError("of the grader")
        if "interrupt" in name:
            raise KeyboardInterrupt
        asked = [a for a in chapter.asked if only is None or a.name in only]
        verdicts = [getattr(checks, a.name)(lambda *x: 0) for a in asked]
        if only is not None:
            verdicts = [replace(v, status="right") for v in verdicts]
        return list(map(Mark, asked, verdicts))

    monkeypatch.setattr(run, "mark", mark)
    return names


def hand_in(folder, **answers):
    for name, text in answers.items():
        notebook(folder / f"{name}.ipynb", (SOFTMAX, text))


# ----------------------------------------------------------- what is believed


def test_what_is_known_is_not_judged_again(tmp_path, judged):
    folder, journal = tmp_path / "in", tmp_path / "j"
    hand_in(folder, a="a", b="b")
    first = grade(folder, limits=CLOSED, journal=journal)
    again = grade(folder, limits=CLOSED, journal=journal)
    assert judged == ["a", "b"] and again.rows == first.rows
    assert again.pages == first.pages
    hand_in(folder, b="b again")
    (folder / "a.ipynb").rename(folder / "z.ipynb")
    grade(folder, limits=CLOSED, journal=journal)
    assert judged == ["a", "b", "b again"]


def test_a_run_that_is_ended_as_it_names_a_student_has_a_table(
    tmp_path, judged
):
    def told(name):
        if name == "b":
            raise KeyboardInterrupt

    hand_in(tmp_path, a="a", b="b")
    found = grade(tmp_path, limits=OPEN, told=told)
    assert judged == ["a"] and found.ended
    assert "interrupted" in found.rows[1].results[0].said


def test_an_interrupted_run_goes_on_where_files_are_closed(tmp_path, judged):
    folder, journal = tmp_path / "in", tmp_path / "j"
    hand_in(folder, a="a", b="interrupt", c="c")
    for limits in (CLOSED, OPEN):
        judged.clear()
        for _ in range(2):
            found = grade(folder, limits=limits, journal=journal)
            assert found.ended and len(found.pages) == 3
            a, *rest = (row.results[0].said for row in found.rows)
            assert a.startswith("wrong")
            assert rest == 2 * ["not judged: the run was interrupted"]
        again = [] if limits is CLOSED else ["a"]
        assert judged == ["a", "interrupt", *again, "interrupt"]


def test_where_files_are_open_nothing_is_kept_or_believed(tmp_path, judged):
    """Neither a line that a student forges, nor one of a safe run before."""
    folder, journal = tmp_path / "in", tmp_path / "j"
    hand_in(folder, a="a")
    grade(folder, limits=CLOSED, journal=journal)
    assert journal.stat().st_mode & 0o077 == 0
    secret, known = journal.read_bytes().splitlines()
    grade(folder, limits=OPEN, journal=journal)
    assert judged == ["a", "a"]
    assert journal.read_bytes() == secret + b"\n"  # the next run draws alike
    grade(folder, limits=CLOSED, journal=journal)
    assert judged == ["a", "a", "a"]
    assert journal.read_bytes().splitlines() == [secret, known]


def test_a_journal_that_is_not_ones_own_or_not_whole_is_no_journal(
    tmp_path, monkeypatch
):
    path = tmp_path / "j"
    one = Journal(path, True, "now")
    one.add(["x"], {"results": "wrong"})
    again = Journal(path, True, "now")
    assert again.get("x") == {"results": "wrong"}
    assert again.secret == one.secret != Journal(None, True, "now").secret
    assert Journal(path, True, "another book").get("x") is None
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"\n \xff\nno line at all\n[1]\n")
    cut = Journal(path, True, "now")
    assert cut.get("x") is None and cut.secret == one.secret
    path.write_bytes(whole)
    if hasattr(os, "geteuid"):
        other = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: other)
        strange = Journal(path, True, "now")
        assert strange.get("x") is None and strange.secret != one.secret
        assert strange.secret.encode() in path.read_bytes()
        assert one.secret.encode() not in path.read_bytes()


def test_a_package_that_changes_voids_the_run(tmp_path, monkeypatch):
    home = tmp_path / "package"
    home.mkdir()
    (home / "judge.py").write_text("fair")
    one = seal.Seal([2], False, [home])
    one.check()
    (home / "__pycache__").mkdir()
    (home / "__pycache__" / "judge.pyc").write_text("fair")
    one.check()
    with pytest.raises(ValueError, match=r"judge\.pyc has changed"):
        two = seal.Seal([2], True, [home])
        (home / "__pycache__" / "judge.pyc").write_text("kind")
        two.check()
    (home / "judge.py").write_text("kind")
    with pytest.raises(ValueError, match=r"judge\.py has changed during"):
        one.check()
    assert seal.Seal([2], False, [home]).digest != one.digest


@pytest.mark.parametrize("module", [judge, corpus, numpy_reference])
def test_each_package_that_decides_is_sealed(module, monkeypatch):
    one, digest = seal.Seal([2], False), seal._digest
    file = Path(module.__file__)
    monkeypatch.setattr(
        seal, "_digest", lambda path: digest(path) if path != file else "kind"
    )
    with pytest.raises(ValueError, match=f"{file.name} has changed during"):
        one.check()


def test_a_void_run_returns_nothing(tmp_path, judged, monkeypatch):
    hand_in(tmp_path / "in", a="a")

    def check(self):
        raise ValueError("judge.py has changed")

    monkeypatch.setattr(seal.Seal, "check", check)
    with pytest.raises(ValueError, match="has changed"):
        grade(tmp_path / "in", limits=CLOSED)
    assert judged == ["a"]


def test_root_without_walls_refuses_unless_told(monkeypatch):
    def sandbox(limits):
        if limits.user is not None:
            raise Lost("", "")
        return ("seccomp",)

    monkeypatch.setattr(guarding, "_sandbox", sandbox)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    with pytest.raises(ValueError, match="would run as root.*--as-root"):
        guarding.protect()
    assert guarding.protect(as_root=True).user is None
    walls_of_all = ("Landlock", "seccomp")
    monkeypatch.setattr(guarding, "_sandbox", lambda limits: walls_of_all)
    assert guarding.protect().user == 65534


# ------------------------------------------------------------ what comes out


def test_a_fault_of_the_grader_is_noted_and_the_others_are_judged(
    tmp_path, judged
):
    hand_in(tmp_path, a="fault", c="c")
    (tmp_path / "b.ipynb").write_text("no notebook")
    a, b, c = grade(tmp_path, limits=CLOSED).rows
    assert [r.is_finished for r in (a, b, c)] == [False, False, True]
    assert a.results[0].mistake == "ZeroDivisionError: of the grader"
    why = "this is no notebook: line 1 is no JSON"
    assert b.notes == (f"b.ipynb: unreadable: {why}",)
    assert {r.status for r in b.results} == {"not judged"}


def test_what_came_together_has_one_time(tmp_path, judged):
    """A hundred copies in a ZIP take no more than one student's."""
    for name in ("kim/1", "kim/2", "lee"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        notebook(tmp_path / f"{name}.ipynb", (SOFTMAX, name))
    found = grade(tmp_path, limits=replace(CLOSED, student=0.0))
    assert not judged
    said = {row.results[0].said for row in found.rows}
    assert said == {"not judged: 0 minutes are used up"}


def test_one_exercise_is_judged_again_and_the_rest_is_kept(tmp_path, judged):
    journal = tmp_path / "j"
    hand_in(tmp_path / "in", a="a")
    (before,) = grade(tmp_path / "in", limits=CLOSED, journal=journal).rows
    assert {r.status for r in before.results} == {"wrong"}
    (row,) = grade(
        tmp_path / "in", limits=CLOSED, journal=journal, only=["2.1"]
    ).rows
    assert row.results[0].status == "right"
    assert row.results[1:] == before.results[1:] and len(judged) == 2
    kept = grade(tmp_path / "in", limits=CLOSED, journal=journal)
    assert kept.rows == [row] and len(judged) == 2
    assert "1 of 4 right" in kept.pages["a"][0]
    assert kept.pages["a"][0].count("<h3>") == 4
    with pytest.raises(ValueError, match=r"no exercise 9\.9"):
        grade(tmp_path / "in", limits=CLOSED, only=["9.9"])


def test_several_chapters_make_one_row(tmp_path, judged):
    for number in (2, 4):
        for n, path in enumerate(chapter_files(number)):
            place = tmp_path / "kim" / f"{number}_{n}.ipynb"
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(path.read_bytes())
    hand_in(tmp_path, lee="x")
    kim, lee = grade(tmp_path, limits=CLOSED).rows
    assert {r.chapter for r in kim.results} == {2, 4}
    assert {r.status for r in lee.results if r.chapter == 4} == {
        "not handed in"
    }


def test_what_is_late_is_told_in_minutes(tmp_path, judged):
    hand_in(tmp_path, a="a", b="b")
    due = datetime(2026, 3, 1, 18, 0)
    for name, late in (("a", 61.0), ("b", -5.0)):
        time = due.timestamp() + late
        os.utime(tmp_path / f"{name}.ipynb", (time, time))
    rules = Rules(due={2: due})
    a, b = grade(tmp_path, limits=CLOSED, rules=rules).rows
    assert (a.late, b.late) == ({2: 2}, {2: 0})
    assert rules.minutes_late(4, 0.0) == rules.minutes_late(2, None) == 0


# ------------------------------------------------------------ what is written

ROWS = [
    Row(
        "1001",
        (
            Result("2.1 softmax", "right", worth=2.0),
            Result("4.1 stable_softmax", "wrong", "a_mistake", "2.1"),
        ),
        ("kim.ipynb: =cmd()", "twice"),
        {2: 7},
        Person("1001", "Kim", (("Student", "Kim"), ("Chapter 2 (55)", ""))),
    ),
    Row(
        "x;=1+cmd",
        (
            Result("2.1 softmax", "not judged", worth=2.0),
            Result("4.1 stable_softmax", "not attempted"),
        ),
    ),
]


def lines_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_a_table_has_points_verdicts_and_notes(tmp_path):
    write_table(tmp_path / "t.csv", ROWS)
    head, first, second = lines_of(tmp_path / "t.csv")
    kim = dict(zip(head, first, strict=True))
    assert kim["points"] == "2" and kim["of those judged"] == "3"
    assert (kim["chapter 2"], kim["chapter 4"]) == ("2", "0")
    assert kim["late 2 (min)"] == "7" and kim["name"] == "Kim"
    assert kim["2.1 softmax"] == "2" and kim["2.1 softmax: verdict"] == "right"
    said = kim["4.1 stable_softmax: verdict"]
    assert said == "wrong: a_mistake (follows from 2.1)"
    other = dict(zip(head, second, strict=True))
    assert second[0] == "x;'=1+cmd" and other["2.1 softmax"] == "?"
    assert (other["points"], other["of those judged"]) == ("0", "1")
    write_files(tmp_path / "f.csv", [FileRow("=a", "kim", "chapter 2", "ab")])
    assert lines_of(tmp_path / "f.csv")[1] == ["'=a", "kim", "chapter 2", "ab"]


def test_gradebooks_get_their_columns(tmp_path):
    write_canvas(tmp_path / "c.csv", ROWS)
    head, most, kim = lines_of(tmp_path / "c.csv")  # nobody but the roster's
    assert head[:2] == ["Student", "ID"]
    assert head[5:] == ["Chapter 2 (55)", "Chapter 4"]
    assert most[0].strip() == "Points Possible" and most[5:] == ["2", "1"]
    assert kim == ["Kim", "", "", "", "", "2", "0"]
    write_moodle(tmp_path / "m.csv", ROWS[1:])
    head, other = lines_of(tmp_path / "m.csv")
    assert dict(zip(head, other, strict=True))["Full name"] == "x;'=1+cmd"
    write_table(tmp_path / "t.csv", [])


@pytest.mark.parametrize("write", [write_canvas, write_moodle])
@pytest.mark.parametrize(
    ("statuses", "cells"),
    [
        (("right", "wrong"), ("1", "1")),
        (("right", "not handed in"), ("1", "1")),
        (("not attempted", "not attempted"), ("0", "0")),
        (("not handed in", "not handed in"), ("", "0")),
        (("right", "not judged"), ("", "")),
        (("not judged", "not judged"), ("", "")),
    ],
)
def test_an_import_says_nothing_where_nothing_is_known(
    write, statuses, cells, tmp_path
):
    results = tuple(Result(f"2.{n} x", s) for n, s in enumerate(statuses))
    for zeros, wanted in zip((False, True), cells, strict=True):
        write(tmp_path / "i.csv", [Row("kim", results)], zeros)
        assert lines_of(tmp_path / "i.csv")[-1][5] == wanted


def test_no_text_is_obeyed():
    assert cell("=cmd()") == "'=cmd()" and cell("-1") == "'-1"
    assert cell("a;=cmd()") == "a;'=cmd()" and cell("a\t@b") == "a\\t@b"
    assert cell("a; +b, -c|=d") == "a; '+b, '-c|'=d"
    assert cell("a\x1b[2J\nb\ud800") == "a\\x1b[2J\\nb\\ud800"
    four = {cell(text) for text in ("=a", "'=a", "\n", "\\n", ";=", ";'=")}
    assert len(four) == 6
    assert cell("김.ipynb") == "김.ipynb"


def test_the_pages_say_what_is_said_in_class():
    wrong = checks.softmax(lambda x, axis: np.exp(x))
    blank = checks.self_attention(None)
    marks = list(map(Mark, CHAPTER.asked, (wrong, blank)))
    verdicts = [(m.asked.title, m.verdict.status) for m in marks]
    part = section(2, verdicts, list(map(piece, marks)))
    text = page("<script>alert(1)</script>", [part], ["<b>x: no notebook"])
    assert "<script" not in text and "0 of 2 right" in text
    assert "<h2>Your files</h2>" in text and "ot judged" not in text
    assert "<li>&lt;b&gt;x: no notebook</li>" in text
    assert wrong._repr_html_().split("<table")[0] in text
    assert "Say more" not in text and text.count("<details>") == 4
    for number in (1, 2):
        assert wrong.hint(number)._repr_html_() in text


def test_a_page_says_what_to_do_next():
    def told(*statuses):
        verdicts = [(f"2.{n} x", one) for n, one in enumerate(statuses, 1)]
        return section(2, verdicts, [])

    assert "mend <strong>2.3 x<" in told("right", "not attempted", "wrong")
    assert "begin <strong>2.2 x<" in told("right", "not attempted", "right")
    assert "asks for <strong>2.2 x<" in told("right", "not handed in")
    assert "Next" not in told("right", "right")
    parts = section(2, [("2.1 x", "right"), ("2.2 y", "not judged")], ["", ""])
    assert "1 of 1 right, of those judged; 1 could not be" in parts


def test_the_class_is_one_picture():
    squares = re.compile(r'<td class="([\w-]+)[^"]*" title="([^"]*)">(.*?)<')
    text = overview(ROWS)
    assert text.count('<th scope="row">') == len(ROWS) + 1
    found = squares.findall(text)
    given = [one for row in ROWS for one in row.results]
    assert len(found) == len(given)
    for (kind, said, _), one in zip(found, given, strict=True):
        assert kind == one.status.replace(" ", "-")
        assert html.unescape(said) == f"{one.exercise}: {one.said}"
    sums = re.findall(r"<td class=\"\w*\">(\d+)</td>", text)
    columns = zip(*(row.results for row in ROWS), strict=True)
    right = [sum(one.status == "right" for one in col) for col in columns]
    assert [int(n) for n in sums] == right
    assert "<script" not in text and "<table" in overview([])


def test_what_a_person_reads_is_on_one_page():
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
    own = File("a", json.dumps({"cells": content}).encode())
    broken = File("b", b"no notebook")
    lesson, lab = (File("c", p.read_bytes()) for p in chapter_files(2))
    handed_in = {
        "<a>": {"lesson": own, "laboratory": own},
        "b": {"lesson": broken},
        "c": {"lesson": lesson, "laboratory": lab},
        "d": {"lesson": lesson},
    }
    text = explored(2, handed_in)
    assert "<h2>2.5 when is a word its own context?</h2>" in text
    assert "<h2>2.6 " in text  # a proof
    assert "&lt;script&gt;why" in text and "<script" not in text
    assert text.count("<img") == 1 and "&lt;b&gt;7" in text
    assert "elsewhere" not in text
    assert text.count("Nothing.") == 4  # 2.5 of c; 2.6 of a, c and d
    assert text.count("Not handed in.") == 1  # the laboratory of d
    assert "<p>unreadable</p>" in text


def test_pages_lie_in_their_folder_whatever_a_student_is_called(
    tmp_path, judged
):
    names = ["a" * 240, "..", "kim/lee", "=x"]
    for name in names:
        path = tmp_path / "in" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        notebook(path, (SOFTMAX, name))
    found = grade(tmp_path / "in", limits=CLOSED)
    places = Places(tmp_path / "t.csv", tmp_path / "pages", tmp_path / "e.html")
    places.check()
    places.write(found)
    assert len(list((tmp_path / "pages").iterdir())) == len(found.rows)
    assert (tmp_path / "t_files.csv").exists()
    assert (tmp_path / "e.html").exists()
    with pytest.raises(ValueError, match="there is no folder"):
        Places(Path("no/such/t.csv")).check()
    with pytest.raises(ValueError, match="would take it for a submission"):
        Places(tmp_path / "in" / "marks.csv").check(tmp_path / "in")
    with pytest.raises(ValueError, match="give a folder, not a file"):
        Places(feedback=tmp_path / "t.csv").check()


# ------------------------------------------------------- what a teacher gives


def test_a_roster_is_read_as_canvas_and_moodle_write_it(tmp_path):
    path = tmp_path / "r.csv"

    def read(text):
        path.write_text(text, encoding="utf-8-sig")
        return [(p.id, p.name) for p in read_roster(path)]

    canvas = "Student,ID,SIS User ID\n    Points Possible,,\n"
    assert read(f'{canvas}"Kim, Min",17,1001\n') == [("17", "Kim, Min")]
    moodle = "Identifier;Full name;ID number\nParticipant 3;Kim Min;1001\n"
    assert read(moodle) == [("1001", "Kim Min")]
    assert read("name\n김민수\n") == [("김민수", "김민수")]
    export = "First name,Last name,ID number,Institution,Email address\n"
    assert read(f"{export}Kim,Min,,,k@x\n") == [("Kim Min", "Kim Min")]
    assert read(f"{export}Kim,Min,7,,k@x\n") == [("7", "Kim Min")]
    twice = read(f"{export}Kim,Min,,,k@x\nKim,Min,,,l@x\n")
    assert twice == [("k@x", "Kim Min"), ("l@x", "Kim Min")]
    assert read("First name,Surname\nAda,Lovelace\n")[0][1] == "Ada Lovelace"
    with pytest.raises(ValueError, match='a column "ID" or "Name"'):
        read("a,b\n1,2\n")
    with pytest.raises(ValueError, match="1 is there twice"):
        read("id\n1\n1\n")
    path.write_bytes("id\n김".encode("cp949"))
    with pytest.raises(ValueError, match="in UTF-8"):
        read_roster(path)


def given(path, *lines):
    text = "\n".join(["student,exercise,points,comment", *lines])
    path.write_text(text, encoding="utf-8")
    return read_given(path)


def test_the_lecturers_own_points_count_as_they_are(tmp_path, judged):
    hand_in(tmp_path / "in", ann="a", bo="b")
    people = [
        Person(str(n), name) for n, name in enumerate(("ann", "bo", "cy"))
    ]
    rules = Rules({"2.1": 2.0, "2.5": 4.0}, {2: datetime(2001, 1, 1)}, 10, 50)
    found = grade(tmp_path / "in", [2], CLOSED, people, rules)
    lines = "ANN,2.5,3,<b>your third seed", "0,softmax,1.5,an older form"
    found = with_given(found, given(tmp_path / "p.csv", *lines), rules)
    ann, bo, cy = found.rows
    numbers = [r.exercise.partition(" ")[0] for r in ann.results]
    assert numbers == ["2.1", "2.2", "2.3", "2.4", "2.5"]
    assert ann.points() == ann.points(2) == 4.5  # nothing off, though late
    assert ann.most() == bo.most() == 2 + 3 + 4
    assert ann.results[0].said.endswith("; given 1.5: an older form")
    assert (bo.points(), cy.points()) == (0, 0)
    assert "2.5: 3 points. &lt;b&gt;your third" in "".join(found.pages["0"])
    assert "From your teacher" not in "".join(found.pages["1"])
    write_moodle(tmp_path / "m.csv", found.rows)
    assert [line[-1] for line in lines_of(tmp_path / "m.csv")][1:] == [
        "4.5",
        "0",
        "",  # who has sent nothing stays open
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dan,2.1,1,", r"p\.csv, line 2: no student 'dan'"),
        ("ann,2.9,1,", "no exercise '2.9' in the chapters of this run"),
        ("ann,2.1,many,", "'many' is no number of points"),
        ("ann,2.1,-1,", "'-1' is no number"),
        ("ann,2.1,nan,", "'nan' is no number"),
    ],
)
def test_points_for_nobody_are_refused(line, why, tmp_path, judged):
    hand_in(tmp_path / "in", ann="a")
    found = grade(tmp_path / "in", [2], CLOSED)
    with pytest.raises(ValueError, match=why):
        with_given(found, given(tmp_path / "p.csv", line), Rules())
    (tmp_path / "p.csv").write_text("student,points\nann,1\n")
    with pytest.raises(ValueError, match='a column "exercise" is wanted'):
        read_given(tmp_path / "p.csv")


def test_being_late_costs_a_part_each_day_and_never_more_than_is_said(
    tmp_path, judged
):
    rules = Rules(due={2: datetime(2026, 3, 1)}, per_day=10, floor=65)
    day = 24 * 60
    shares = [rules.share(n) for n in (0, 1, day, day + 1, 9 * day)]
    assert shares == [1.0, 0.9, 0.9, 0.8, 0.65]
    assert Rules().share(9 * day) == 1.0
    hand_in(tmp_path, a="a", b="b")
    due = datetime(2026, 3, 1).timestamp()
    for name, late in (("a", 25 * 3600), ("b", 0)):
        os.utime(tmp_path / f"{name}.ipynb", (due + late, due + late))
    a, b = grade(tmp_path, limits=CLOSED, rules=rules).rows
    assert (a.shares, b.shares) == ({2: 0.8}, {2: 1.0})
    done = replace(a, results=(Result("2.1 softmax", "right"),))
    assert (done.results[0].points, done.points(2), done.most()) == (1, 0.8, 1)
    assert a.notes[-1] == "chapter 2 is late: 80% of its points are left"
    found = grade(tmp_path, limits=CLOSED, rules=rules)
    assert "80% of its points" in found.pages["a"][-1]
    assert not any("late" in note for note in b.notes)
    (tmp_path / "b.ipynb").unlink()
    zipped = tmp_path / "b.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        info = zipfile.ZipInfo("02.ipynb")
        archive.writestr(info, (tmp_path / "a.ipynb").read_bytes())
    data = zipped.read_bytes().replace(b"\0\0!\0", b"\0\0\0\0")  # no month
    zipped.write_bytes(data)
    _, b = grade(tmp_path, limits=CLOSED, rules=rules).rows
    assert b.shares == {2: 1.0} and any("has no date" in n for n in b.notes)


def test_moodle_gets_its_pages_back_under_its_own_names(tmp_path, judged):
    """Name, number and two words, then the file: parted at underscores."""
    for n, name in enumerate(("Kim_Min", "Lee"), 17):
        folder = tmp_path / "in" / f"{name}_{n}_assignsubmission_file"
        notebook_in = folder / "02.ipynb"
        folder.mkdir(parents=True)
        notebook(notebook_in, (SOFTMAX, name))
    hand_in(tmp_path / "in", mae="by mail")
    found = grade(tmp_path / "in", limits=CLOSED)
    Places(handed_back=tmp_path / "f.zip").write(found)
    with zipfile.ZipFile(tmp_path / "f.zip") as archive:
        names = archive.namelist()
        pages = [archive.read(name).decode() for name in names]
    parts = [name.split("_", 4) for name in names]
    words = ["assignsubmission", "file", "feedback.html"]
    assert parts == [["Kim Min", "17", *words], ["Lee", "18", *words]]
    assert "<h1>Lee 18</h1>" in pages[1]


def test_rules_are_points_and_dates(tmp_path):
    path = tmp_path / "r.toml"

    def read(text):
        path.write_text(text, encoding="utf-8")
        return read_rules(path)

    rules = read(
        '[points]\n"2.1" = 3\nself_attention = 0.5\n'
        "[due]\n2 = 2026-03-01T18:00:00\n"
    )
    worth = [rules.worth(asked.title) for asked in CHAPTER.asked]
    assert worth == [3, 0.5, 1.0, 1.0]
    late = read("[late]\nper_day = 10\nfloor = 50\n")
    assert (late.per_day, late.floor) == (10, 50)
    assert rules.due == {2: datetime(2026, 3, 1, 18, 0)}
    for wrong, why in (
        ("[points", "r.toml: "),
        ("[marks]", r"no table \[marks\]"),
        ('[points]\n"2.1" = "x"', "write "),
        ("[due]\n2 = 7", "write "),
        ('[points]\n"2.1" = -1', "write "),
        ("[late]\nper_day = 101", "write "),
        ("[late]\nper_week = 10", "write "),
    ):
        with pytest.raises(ValueError, match=why):
            read(wrong)
