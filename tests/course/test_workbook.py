"""The reader's file: what is written, what is refused, what is run."""

import inspect
import linecache
import re
import sys
import types

import pytest
import torch
from torch import nn

from toy_language.corpus import toy_splits
from transformer_course import PACKAGES, checks, workbook
from transformer_course.checks.engine.source import source_of
from transformer_course.checks.parts import PARTS, part, source_file
from transformer_course.cli import main
from transformer_course.workbook import on_disk
from transformer_course.workbook.picture import LIT, SHADED
from transformer_lib.masks import causal_mask
from transformer_lib.translator import Translator

RIGHT = """
@torch.no_grad()
def spare():
    pass


def attend(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if mask is None:
        return scores.softmax(-1) @ value
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights.masked_fill(~mask, 0) @ value


def scaled_dot_product_attention(query, key, value, mask=None):
    return attend(query, key, value, mask)
"""
UNMASKED = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.softmax(-1) @ value
"""
WRONG = RIGHT.replace(" / query.shape[-1] ** 0.5", "")


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    yield path
    sys.modules.pop("my_transformer", None)


def cell(source, number=[0]):  # noqa: B006
    """Run code as a notebook does: no file, but its lines are known."""
    number[0] += 1
    name = f"<cell {number[0]}>"
    source = "import math, torch\nfrom torch import nn\n" + source
    lines = source.splitlines(keepends=True)
    linecache.cache[name] = (len(source), None, lines, name)
    module = types.ModuleType("__main__")
    exec(compile(source, name, "exec"), vars(module))
    return module


# ---------------------------------------------------------------- the source


def test_the_source_of_a_class_in_a_notebook_is_found():
    made = cell(
        "class A(nn.Module):\n    def forward(self, x):\n        pass\n"
    )
    assert source_of(made.A).startswith("class A(nn.Module):\n    def f")
    assert source_of(cell(RIGHT).spare).startswith("@torch.no_grad()\ndef")
    assert source_of(3) == source_of(len) == ""


def test_of_two_of_one_name_the_source_is_that_of_the_thing():
    made = cell(
        "def f(x):\n    return 1\n\n\ng = f\n\n\ndef f(x):\n    return 2"
    )
    assert "return 1" in source_of(made.g) and "return 2" in source_of(made.f)


def test_the_check_of_a_part_is_named_as_it_is_called():
    verdict = checks.build(part("LayerNorm").LayerNorm(4))
    assert "`checks.build(LayerNorm)`" in verdict.message


# ----------------------------------------------------------------- the file


def test_a_part_goes_into_the_file_and_runs_there_alone(path, capsys):
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention)
    said = capsys.readouterr().out
    assert "uses attend, which the file does not have" in said
    call = "workbook.save(scaled_dot_product_attention, attend)"
    assert said.endswith(f"{call}\n") and not path.exists()
    workbook.save(own.scaled_dot_product_attention, own.attend)
    assert capsys.readouterr().out == (
        f"Began a new file, {path}.\n"
        f"scaled_dot_product_attention is in {path}.\n"
    )
    text = path.read_text()
    assert text.startswith(workbook.HEADER)
    assert not any(name in text for name in PACKAGES)
    assert list(source_file.definitions(text)) == [
        "attend",
        "scaled_dot_product_attention",
    ]
    scope = {}
    exec(text, scope)
    assert checks.build(scope["scaled_dot_product_attention"]).ok


def test_what_is_not_right_is_not_saved(path, capsys):
    unchecked = cell(RIGHT).scaled_dot_product_attention
    workbook.save(unchecked)
    wrong = cell(WRONG).scaled_dot_product_attention
    assert checks.build(wrong).mistake == "no_scale"
    workbook.save(wrong)
    workbook.save(3)
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3 and all(line.startswith("Not saved") for line in said)
    assert not path.exists()


def test_what_is_not_saved_leaves_the_part_of_the_file(path, capsys):
    keeps = "Your file keeps the one it has."
    unchecked = cell(RIGHT).scaled_dot_product_attention
    for text, kept in (
        (workbook.HEADER, False),
        (workbook.HEADER + "\n" + RIGHT, True),
        ("def f(:\n" + RIGHT, False),
    ):
        path.write_text(text)
        workbook.save(unchecked)
        said = capsys.readouterr().out
        assert said.startswith("Not saved: ") and (keeps in said) is kept
        assert path.read_text() == text


def test_what_stands_for_a_part_and_is_not_it_gets_its_own_sentence(
    path, capsys
):
    own = cell(RIGHT)
    verdict = checks.build(own.scaled_dot_product_attention)
    assert verdict.ok
    heads = part("MultiHeadAttention").MultiHeadAttention
    for thing, said in (
        ("LayerNorm", "quotation marks and brackets: workbook.save(LayerNorm)"),
        (verdict, "this is a verdict"),
        (heads, "this MultiHeadAttention is the library's"),
        (causal_mask, "this causal_mask is the library's"),
        (toy_splits, "this toy_splits is the library's"),
        (type("LayerNorm", (), {})(), "brackets: workbook.save(LayerNorm)"),
    ):
        workbook.save(thing)
        assert said in capsys.readouterr().out
    assert not path.exists()


def test_where_the_file_has_masks_the_check_is_that_of_chapter_8(path, capsys):
    workbook.take("padding_mask")
    workbook.save(cell(UNMASKED).scaled_dot_product_attention)
    said = capsys.readouterr().out
    assert "checks.build(scaled_dot_product_attention, chapter=8)" in said


def test_masked_heads_over_an_attention_without_a_mask_are_told(path, capsys):
    attend = cell(UNMASKED).scaled_dot_product_attention
    assert checks.build(attend).ok
    workbook.save(attend)
    source = inspect.getsource(part("MultiHeadAttention").MultiHeadAttention)
    own = cell(RIGHT + source)
    assert checks.build(own.MultiHeadAttention, chapter=8).ok
    capsys.readouterr()
    workbook.save(own.MultiHeadAttention)
    assert "scaled_dot_product_attention of your file, which is wrong" in (
        capsys.readouterr().out
    )


def test_an_import_that_the_file_has_lost_is_named(path, capsys):
    path.write_text("\n")
    attend = cell(
        UNMASKED.replace("scores.softmax(-1)", "torch.softmax(scores, -1)")
    )
    assert checks.build(attend.scaled_dot_product_attention).ok
    workbook.save(attend.scaled_dot_product_attention)
    assert "put `import torch` at its top" in capsys.readouterr().out


def test_a_part_that_was_changed_since_is_not_saved(path, capsys):
    right = cell(RIGHT).scaled_dot_product_attention
    assert checks.build(right).ok
    workbook.save(cell(WRONG).scaled_dot_product_attention)
    assert "Not saved" in capsys.readouterr().out and not path.exists()


def test_only_the_part_itself_is_replaced(path):
    mine = "\n\nx = 3  # mine\n"
    workbook.take("scaled_dot_product_attention")
    path.write_text(path.read_text() + mine)
    before = path.read_text()
    assert source_file.MARK in before
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention, own.attend)
    text = path.read_text()
    assert source_file.MARK not in text and text.endswith(mine[1:])
    assert text.count("def scaled_dot_product_attention") == 1
    old = path.with_name("my_transformer_before_1.py").read_text()
    assert old == before


def test_parts_stand_in_the_order_of_the_book(path):
    names = ["MultiHeadAttention", "scaled_dot_product_attention"]
    for name in names:
        workbook.take(name)
    text = path.read_text()
    assert list(source_file.definitions(text)) == names[::-1]


def test_a_name_may_be_written_in_any_way():
    workbook.take("multi_head_attention")
    assert "MultiHeadAttention" in source_file.definitions(on_disk.read())
    with pytest.raises(LookupError, match="no part"):
        workbook.take("attention")


def test_a_file_that_is_no_python_is_left_alone(path):
    path.write_text("def f(:\n")
    with pytest.raises(ValueError, match="line 1: this is no Python"):
        workbook.take("scaled_dot_product_attention")
    assert path.read_text() == "def f(:\n"


def test_names_that_a_part_lacks():
    text = "import math\nclass A(B):\n    x = c\n    def f(self, y):\n"
    text += "        z = [len(d) for d in y]\n        display(z)\n"
    text += "        return math.pi + e + z"
    assert source_file.lacking(text, "A") == ["B", "c", "display", "e"]


# ------------------------------------------------------- what is not written

ROOT = "query.shape[-1] ** 0.5"
STRANGERS = {
    "import numpy as np": ("np.sqrt(query.shape[-1])", "np is the module nump"),
    "from math import sqrt": ("sqrt(query.shape[-1])", "sqrt is math.sqrt in"),
    "half = lambda n: n**0.5": ("half(query.shape[-1])", "def half(...)"),
    "POWER = 0.5": ("query.shape[-1] ** POWER", "attention, attend, POWER)"),
    "root = torch.tensor(0.5)": ("query.shape[-1] ** root", "object of the no"),
    "from numpy import sqrt": ("sqrt(query.shape[-1])", "comes from numpy"),
    "from transformer_lib.attention import attention_weights": (
        "(attention_weights and query.shape[-1] ** 0.5)",
        "comes from transformer_lib.attention",
    ),
    "from transformer_course.checks.paper.loop_order import broken_rule": (
        "(broken_rule and query.shape[-1] ** 0.5)",
        "comes from transformer_course.checks.paper.loop_order: use what",
    ),
    "from toy_language.corpus import join_morphemes": (
        "(join_morphemes and query.shape[-1] ** 0.5)",
        "comes from toy_language.corpus: use what",
    ),
    "from torch.nn.utils import clip_grad_norm_": (
        "(clip_grad_norm_ and query.shape[-1] ** 0.5)",
        "clip_grad_norm_ is nn.utils.clip_grad_norm_ in the file: write that.",
    ),
    "from torch.nn import utils as u": (
        "(u and query.shape[-1] ** 0.5)",
        "u is nn.utils in the file: write that.",
    ),
    "import copy as c": (
        "c.copy(query.shape[-1]) ** 0.5",
        "c is the module copy: write `import copy as c` inside the function.",
    ),
    "from copy import copy": (
        "copy(query.shape[-1]) ** 0.5",
        "comes from copy: write `from copy import copy` inside the function.",
    ),
    "def r(n):\n    return n**0.5\ndef root(n):\n    return r(n)": (
        "root(query.shape[-1])",
        "workbook.save(scaled_dot_product_attention, attend, root, r)",
    ),
}


@pytest.mark.parametrize("line", STRANGERS)
def test_what_cannot_run_in_the_file_is_refused(path, capsys, line):
    workbook.take("scaled_dot_product_attention")
    before = path.read_text()
    value, cure = STRANGERS[line]
    own = cell(f"{line}\n{RIGHT.replace(ROOT, value)}")
    assert checks.build(own.scaled_dot_product_attention).ok
    capsys.readouterr()
    workbook.save(own.scaled_dot_product_attention, own.attend)
    said = capsys.readouterr().out
    assert said.startswith("Not saved: attend uses ") and cure in said
    assert path.read_text() == before


def test_the_call_that_is_offered_is_not_refused_for_something_else(
    path, capsys
):
    own = cell(
        "import numpy as np\nfrom torch.nn import functional as G\n"
        "POWER = 0.5\n"
        "def root(n):\n    return G and np.power(n, POWER)\n"
        + RIGHT.replace(ROOT, "root(query.shape[-1])")
    )
    part = own.scaled_dot_product_attention
    assert checks.build(part).ok
    workbook.save(part, own.attend)
    said = capsys.readouterr().out
    assert "root uses G, POWER and np, which the file does not" in said
    assert "G is F in the file" in said and "np is the module" in said
    name = "scaled_dot_product_attention"
    assert said.endswith(
        "Then check it again, and give root and POWER along: "
        f"workbook.save({name}, attend, root, POWER)\n"
    )
    own = cell(
        "POWER = 0.5\n"
        "def root(n):\n    import copy\n    return copy.copy(n) ** POWER\n"
        + RIGHT.replace(ROOT, "root(query.shape[-1])")
    )
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(
        own.scaled_dot_product_attention, own.attend, own.root, own.POWER
    )
    assert workbook.progress().rows[0].status == "right"


def test_what_is_given_along_is_written_or_a_sentence_says_why_not(
    path, capsys
):
    line = "import numpy as np\nPOWER = 0.5\nhalf = lambda n: n / 2\n"
    own = cell(line + RIGHT.replace("** 0.5", "** POWER"))
    part = own.scaled_dot_product_attention
    assert checks.build(part).ok
    for one in (own.np, own.half, 7, nn.Linear, torch.ones(2), len, workbook):
        workbook.save(part, own.attend, one)
        assert capsys.readouterr().out.startswith("Not saved: ")
    workbook.save(part, own.attend, own.POWER)
    assert "\nPOWER = 0.5\n\n\ndef attend" in path.read_text()
    assert workbook.progress().rows[0].status == "right"


def test_a_masked_attention_is_not_replaced_by_one_without(path, capsys):
    workbook.take("scaled_dot_product_attention")
    before = path.read_text()
    own = cell(UNMASKED)
    assert checks.build(own.scaled_dot_product_attention).ok  # in chapter 4
    workbook.save(own.scaled_dot_product_attention)
    assert "obeys its mask" in capsys.readouterr().out
    assert path.read_text() == before
    path.write_text(workbook.HEADER)
    workbook.save(own.scaled_dot_product_attention)
    assert "Not saved" not in capsys.readouterr().out


def test_a_part_is_judged_again_as_it_stands_in_the_file(path, capsys):
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    stale = WRONG[WRONG.index("def attend") :].split("\n\n\n")[0]
    path.write_text(workbook.HEADER + "\n\n" + stale + "\n")
    before = path.read_text()
    workbook.save(own.scaled_dot_product_attention)
    said = capsys.readouterr().out
    assert "right in your notebook and wrong in the file" in said
    assert path.read_text() == before


def test_a_helper_of_another_part_is_not_spoiled(path, capsys):
    masks = "def compare(a, b):\n    return {}\n\n\ndef {}\n"
    own = cell(
        masks.format("a != b", "padding_mask(ids):\n    "
                     "return compare(ids, 0)[:, None]")
    )  # fmt: skip
    assert checks.build(own.padding_mask).ok
    workbook.save(own.padding_mask, own.compare)
    other = cell(
        masks.format("a >= b", "causal_mask(n):\n    i = torch.arange(n)\n"
                     "    return compare(i[:, None], i)")
    )  # fmt: skip
    assert checks.build(other.causal_mask).ok
    before = path.read_text()
    workbook.save(other.causal_mask, other.compare)
    assert "your padding_mask in the file uses" in capsys.readouterr().out
    assert path.read_text() == before


def test_a_part_is_saved_beside_a_wrong_one_and_that_is_said(path, capsys):
    workbook.take("MultiHeadAttention")
    own = workbook.load().MultiHeadAttention
    assert checks.build(own).ok
    path.write_text(workbook.HEADER + "\n\n" + WRONG.replace("spare", "x"))
    workbook.save(own)
    said = capsys.readouterr().out
    assert "calls the scaled_dot_product_attention of your file" in said
    assert "MultiHeadAttention" in source_file.definitions(path.read_text())
    row = workbook.progress().rows[2]
    assert row.message.startswith("It calls your scaled_dot_product_attention")


# ------------------------------------------------------ nothing of it is lost


def test_earlier_versions_are_numbered_and_the_longest_stays(
    path, capsys, monkeypatch
):
    monkeypatch.setattr(on_disk, "KEPT", 3)
    for name in ("Transformer", "causal_mask"):
        workbook.take(name)
    longest = path.read_text()
    assert on_disk.backups() == []  # nothing was lost
    for number in range(1, 6):
        path.write_text(workbook.HEADER + f"\n\nx = {number}\n")
        on_disk.write(workbook.HEADER)
        on_disk.write(longest) if number == 1 else None
        on_disk.write(workbook.HEADER)
    names = [one.name for one in on_disk.backups()]
    assert names == [f"my_transformer_before_{n}.py" for n in (2, 5, 6)]
    assert on_disk.backups()[0].read_text() == longest
    path.unlink()
    capsys.readouterr()
    workbook.take("causal_mask")
    said = capsys.readouterr().out
    assert f"Began a new file, {path}" in said
    assert "my_transformer_before_6.py, beside it, is the last" in said
    assert "my_transformer_before_2.py is the longest" in said


def test_a_replaced_part_is_kept_and_its_place_is_told(path, capsys):
    workbook.take("causal_mask")
    path.write_text(path.read_text().replace("return", "assert n\n    return"))
    capsys.readouterr()
    workbook.take("causal_mask")
    assert capsys.readouterr().out == (
        "The file as it was: my_transformer_before_1.py\n"
        f"causal_mask is in {path}.\n"
    )
    assert "assert n" in on_disk.backups()[0].read_text()


def test_helpers_that_no_part_uses_are_removed_on_demand_only(path, capsys):
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention, own.attend)
    path.write_text(path.read_text() + "\n\ndef mine():\n    pass\n")
    capsys.readouterr()
    workbook.take("scaled_dot_product_attention")
    said = capsys.readouterr().out
    assert said.endswith(
        'No part uses attend any more; workbook.tidy("attend") removes it.\n'
    )
    with pytest.raises(LookupError, match="it stays"):
        workbook.tidy("attend", "scaled_dot_product_attention")
    workbook.tidy()
    assert "uses attend, mine." in capsys.readouterr().out
    workbook.tidy("attend")
    assert list(source_file.definitions(path.read_text())) == [
        "scaled_dot_product_attention",
        "mine",
    ]
    assert "def attend" in on_disk.backups()[-1].read_text()


def test_the_file_is_named_in_full_and_a_session_of_colab_is_told(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv("TRANSFORMER_WORKBOOK")
    monkeypatch.chdir(tmp_path)
    assert workbook.file() == (tmp_path / "my_transformer.py").resolve()
    monkeypatch.setattr(on_disk, "_COLAB", tmp_path)
    monkeypatch.setattr(on_disk, "_DRIVE", tmp_path / "drive" / "MyDrive")
    workbook.init()
    assert "gone when this Colab session ends" in capsys.readouterr().out
    (tmp_path / "drive" / "MyDrive").mkdir(parents=True)
    workbook.init()
    said = capsys.readouterr().out
    assert "session" not in said
    assert f"Another one is {tmp_path / 'my_transformer.py'}" in said


BROKEN = {
    "Latin-1": (b"x = 1\ny = '\xe9'\n", "line 2: the byte 0xe9 is no UTF-8"),
    "NUL": (b"x = 1\n\0\n", "line 2: a NUL byte"),
    "one line": (b"x = " + b"1+" * 500_000 + b"1", "has 1,000,005 characters"),
    "syntax": (b"def f(:\n", "line 1: this is no Python ("),
    "loop": (b"while True:\n    pass\n", "no end after 0.2 seconds"),
    "exit": (b"\nimport sys\nsys.exit()\n", "SystemExit (line 3)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_of_a_broken_file_one_sentence_is_said(path, monkeypatch, name):
    monkeypatch.setattr(on_disk, "SECONDS", 0.2)
    data, said = BROKEN[name]
    path.write_bytes(data)
    on_disk.file().with_name("my_transformer_before_3.py").write_text("")
    with pytest.raises(workbook.BrokenFile) as caught:
        workbook.progress()
    (shown,) = caught.value._render_traceback_()  # what a notebook shows
    assert shown.startswith(str(path)) and said in shown
    if name == "syntax":
        assert "move the file away" in shown and "before_3.py" in shown
    assert path.read_bytes() == data


def test_a_byte_order_mark_and_a_form_feed_do_no_harm(path):
    text = workbook.HEADER + "\n\nx = 'a\fb'\n\n\ndef f():\n    return x\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    workbook.take("causal_mask")
    assert path.read_text().startswith(text)
    assert workbook.load().f() == "a\fb" and not on_disk.backups()


# ------------------------------------------------------------- what is there


def test_the_editor_offers_public_names_only():
    assert {"save", "take", "tidy"} <= set(dir(workbook))
    assert not {"Any", "Path", "inspect", "parts"} & set(dir(workbook))


def test_a_part_that_the_file_alone_cannot_run_is_not_called_right(
    path, capsys
):
    workbook.take("FeedForward")
    workbook.take("MultiHeadAttention")
    path.write_text(path.read_text().replace(source_file.MARK, ""))
    row = workbook.progress().rows[2]
    assert row.status == "incomplete"
    assert "the book's scaled_dot_product_attention" in row.message
    capsys.readouterr()
    workbook.use("MultiHeadAttention")
    assert "inside yours: scaled_dot_product_a" in capsys.readouterr().out


def test_progress_tells_right_wrong_borrowed_and_missing(path):
    assert {row.status for row in workbook.progress().rows} == {"missing"}
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention, own.attend)
    workbook.take("MultiHeadAttention")
    status = {row.name: row.status for row in workbook.progress().rows}
    assert status.pop("scaled_dot_product_attention") == "right"
    assert status.pop("MultiHeadAttention") == "the book's"
    assert set(status.values()) == {"missing"}
    path.write_text(path.read_text().replace(" / query.shape[-1] ** 0.5", ""))
    row = workbook.progress().rows[0]
    assert row.status == "wrong"
    assert "not scaled" in row.message and row.message in repr(
        workbook.progress()
    )
    assert "<table>" in workbook.progress()._repr_html_()


def test_what_the_file_lacks_is_the_books(path, capsys):
    book = part("scaled_dot_product_attention").scaled_dot_product_attention
    assert workbook.use("scaled_dot_product_attention") is book
    assert "book's version: scaled_dot" in capsys.readouterr().out
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention, own.attend)
    capsys.readouterr()
    mine, _ = workbook.use("scaled_dot_product_attention", "MultiHeadAttention")
    assert mine.__module__ == "my_transformer"
    assert capsys.readouterr().out == (
        "The book's version: MultiHeadAttention\n"
    )


def test_beside_a_mask_an_attention_has_to_obey_it(path, capsys):
    own = cell(UNMASKED)
    assert checks.build(own.scaled_dot_product_attention).ok  # in chapter 4
    workbook.save(own.scaled_dot_product_attention)
    name = "scaled_dot_product_attention"
    assert workbook.use(name).__module__ == "my_transformer"
    mine, _ = workbook.use(name, "causal_mask")
    assert mine.__module__ != "my_transformer"
    said = capsys.readouterr().out
    assert f"version: {name}. Yours: " in said and "mask" in said
    assert "version: causal_mask\n" in said


def test_a_file_that_does_not_run_is_told(path, capsys):
    path.write_text(workbook.HEADER + "\n\nx = 1 / 0\n")
    with pytest.raises(ValueError, match="does not run: ZeroDivisionError"):
        workbook.load()
    assert workbook.use("causal_mask") is part("causal_mask").causal_mask
    said = capsys.readouterr().out
    assert "does not run: ZeroDivisionError" in said and "book's" in said


def test_trained_weights_speak_without_a_file(path, capsys):
    model = workbook.load_trained()
    assert capsys.readouterr().out == "The book's version: Transformer\n"
    assert not path.exists() and not model.training
    library = Translator.shipped()
    river = "the cat did not cross the river because it was too deep ."
    source = torch.tensor([library.tokenizer.encode(river)])
    written = workbook.use("greedy_decode")(model, source, 20)
    assert [library.tokenizer.decode(written[0].tolist())] == (
        library.translate([river])
    )


def test_where_the_file_is_missing_another_one_is_named(
    path, tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "book" / "chapters"
    folder.mkdir(parents=True)
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(folder / path.name))
    none = f"There is no my_transformer.py in {folder}. "
    last = folder / "my_transformer_before_7.py"
    last.write_text("")
    workbook.use("causal_mask")
    assert capsys.readouterr().out.startswith(
        f"{none}{last.name}, beside it, is the last earlier version.\n"
    )
    for other in (folder.parent / path.name, folder / "my_transformer (1).py"):
        other.write_text("")
        workbook.load_trained()
        assert capsys.readouterr().out == (
            f"{none}Another one is {other}: copy it over to go on with it. "
            f"{last.name}, beside it, is the last earlier version.\n"
            "The book's version: Transformer\n"
        )
        other.unlink()
    last.unlink()
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(tmp_path / "book/one.py"))
    (folder / "one.py").write_text("")
    workbook.use("causal_mask")
    assert f"Another one is {folder / 'one.py'}" in capsys.readouterr().out


def test_a_laboratory_finds_the_file_of_the_lessons(tmp_path, monkeypatch):
    monkeypatch.delenv("TRANSFORMER_WORKBOOK", raising=False)
    own = tmp_path / "chapters" / "my_transformer.py"
    for name in ("chapters", "book/laboratory"):
        (tmp_path / name).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        assert workbook.file() == own
    own.parent.rmdir()  # somebody else's folder of this name
    assert workbook.file() == tmp_path / name / own.name


def test_trained_weights_go_into_the_readers_own_class(path, capsys):
    workbook.take("Transformer")
    path.write_text(path.read_text().replace(source_file.MARK, ""))
    capsys.readouterr()
    model = workbook.load_trained()
    assert type(model).__module__ == "my_transformer"
    assert capsys.readouterr().out == (
        "The book's version, inside yours: LayerNorm, padding_mask, "
        "causal_mask, PositionalEncoding, TokenEmbedding, EncoderLayer, "
        "DecoderLayer\n"
    )


# ---------------------------------------------------------- the command line


def test_the_command(path, capsys):
    assert main(["workbook", "--init"]) == 0
    assert path.read_text() == workbook.HEADER
    said = capsys.readouterr().out
    assert said.count("missing") == len(PARTS)
    assert said.startswith(f"Began a new file, {path}.\n")
    workbook.take("scaled_dot_product_attention")
    check = ["workbook", "--init", "--check"]
    assert main([*check, "scaled_dot_product_attention"]) == 0
    assert f"{path} is there already" in capsys.readouterr().out
    assert main([*check, "attention"]) == 2
    assert "the parts are scaled_dot" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_on_another_file(path, tmp_path, capsys):
    for name in PARTS:
        workbook.take(name)
    other = path.rename(tmp_path / "other")  # no .py at its end
    assert main(["workbook", "--file", str(other)]) == 0
    assert main(["workbook", "--file", str(tmp_path / "none.py")]) == 1


@pytest.mark.parametrize(
    "line, said",
    [
        ("import sys; sys.exit(0)", "does not run: SystemExit: 0 (line 1)"),
        ("import os; os._exit(0)", "Python came to its end"),
    ],
)
def test_a_file_that_ends_python_is_no_success(path, capsys, line, said):
    path.write_text(line)
    assert main(["workbook"]) == 2
    assert said in capsys.readouterr().err


def lit(drawn):
    """The numbers in the boxes of a picture, by how they are filled."""
    found = {}
    boxes = r'<rect .*?fill="(.*?)".*?<text .*?>(\d+)</text>'
    for fill, number in re.findall(boxes, drawn.svg):
        found.setdefault(fill, set()).add(int(number))
    looks = (LIT, SHADED)
    return [found.get(look[0], set()) for look in looks]


def test_without_a_file_the_picture_has_the_parts_of_the_book():
    drawn = workbook.picture(9)
    assert lit(drawn) == [{1, 2, 3, 4, 5}, set()]
    assert "written parts 1 to 5 of ten" in drawn.alt
    assert f"<title>{drawn.alt}</title>" in drawn.svg


def test_the_picture_tells_the_readers_parts_from_the_books(path):
    path.write_text(
        workbook.HEADER + inspect.getsource(part("LayerNorm").LayerNorm),
        encoding="utf-8",
    )
    drawn = workbook.picture(8)
    assert lit(drawn) == [{2}, {1, 3, 4}]
    assert drawn.alt == (
        "In your file: part 2 of ten. The book fills in: parts 1, 3, 4."
    )


def test_half_a_part_or_a_wrong_one_is_not_lit(path):
    source = inspect.getsource(part("causal_mask").causal_mask)
    path.write_text(workbook.HEADER + source, encoding="utf-8")
    assert lit(workbook.picture(8)) == [set(), {1, 2, 3, 4}]
