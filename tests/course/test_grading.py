"""Marking a class: what is read, what is run, what is written down."""

import json

import numpy as np
import pytest
from hostile import notebook

from transformer_course import checks
from transformer_course.checks import parts
from transformer_course.grading.reading.exercises import (
    chapter_files,
    exercise_of,
    read_chapter,
)
from transformer_course.grading.reading.program import needed, statements_of
from transformer_course.grading.reading.submissions import (
    Unreadable,
    cells_of,
    code_of,
    read_work,
    rooms_of,
)
from transformer_course.grading.running import wire
from transformer_course.grading.running.notebook import Notebook

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
    made = "%%time\nx = !ls\n%time y = x\nz = %pwd\n"
    assert [b for s in statements_of(made) for b in s.bound] == [*"xyz"]
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


ONE = "def softmax():\n    return 1"
BLOCK = ONE.replace("\n", "\n    ")


@pytest.mark.parametrize(
    "text",
    [
        f"if True:\n    {BLOCK}",
        f"for _ in '1':\n    {BLOCK}",
        f"while True:\n    {BLOCK}\n    break",
        f"if __name__ == '__main__':\n    {BLOCK}",
        f"exec({ONE!r})",
        "globals()['softmax'] = lambda: 1",
        f"def make():\n    global softmax\n    {BLOCK}\nmake()",
        "files = !ls\n%time softmax = lambda: 1",
        "def init():\n    global k\n    k = 1\ninit()\n"
        "def softmax():\n    return k",
        f"display(1)\nget_ipython().magic('x')\nIn, Out, _\n{ONE}",
        "def shown(f):\n    display(f)\n    return f\n@shown\n" + ONE,
    ],
)
def test_an_answer_that_a_kernel_has_is_found(text):
    """In whatever block it is defined, in its cell and in another one."""
    stub = "def softmax():\n    ..."
    assert find(text).value() == 1
    assert find(stub, text, kept=[0], own=[1]).value() == 1


def test_what_stands_last_above_the_check_may_be_a_block():
    check, mine = "checks.softmax(softmax)", "def softmax():\n    ...  # later"
    found = find(mine, f"if True:\n    {BLOCK}", check, own=[0, 1])
    assert found.value() == 1


def test_what_a_cell_may_define_is_no_answer_if_it_does_not():
    for text in ("if False:\n    softmax = 1", "exec('soft' + 'max = 1')"):
        assert find(text).state == ("missing" if "exec" in text else "broken")
    endless = "while True:\n    globals()['softmax'] = 1"
    assert Notebook([endless], [0], 0.2).find("softmax", "softmax", [0]).state


def test_files_beside_a_notebook_are_imported_and_forgotten():
    text = "from my_part import softmax"
    for value in (1, 2):
        lent = {"my_part": f"def softmax():\n    return {value}"}
        found = Notebook([text], [0], 5.0, 0, lent).find(
            "softmax", "softmax", [0]
        )
        assert found.value() == value and not found.lacks
    assert find(text).lacks == "my_part"
    write = "%%writefile my_part.py\n" + ONE
    assert find(write, text, kept=[1]).value() == 1
    shadow = {"json": "softmax = 3"}  # what is installed comes first
    found = Notebook(["import json as softmax"], [0], 5.0, 0, shadow)
    assert found.find("softmax", "softmax", [0]).value is json


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
        code = code_of(cells_of(path.read_bytes()))
        return sorted(rooms_of(code, CHAPTER))

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
