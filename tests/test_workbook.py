"""The reader's file: what is written, what is refused, what is run."""

import linecache
import sys
import types

import pytest
import torch

from transformer_lib.cli import main
from transformer_lib.course import checks, workbook
from transformer_lib.course.checks.engine.source import source_of
from transformer_lib.course.checks.parts import PARTS, part, source_file
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


# ----------------------------------------------------------------- the file


def test_a_part_goes_into_the_file_and_runs_there_alone(path, capsys):
    own = cell(RIGHT)
    assert checks.build(own.scaled_dot_product_attention).ok
    workbook.save(own.scaled_dot_product_attention)
    assert "attend, which the file does not have" in capsys.readouterr().out
    workbook.save(own.scaled_dot_product_attention, own.attend)
    assert "does not have" not in capsys.readouterr().out
    text = path.read_text()
    assert text.startswith(workbook.HEADER) and "transformer_lib" not in text
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
    old = path.with_name("my_transformer_before.py").read_text()
    assert "def scaled_dot_product_attention" in old


def test_parts_stand_in_the_order_of_the_book(path):
    names = ["MultiHeadAttention", "scaled_dot_product_attention"]
    for name in names:
        workbook.take(name)
    text = path.read_text()
    assert list(source_file.definitions(text)) == names[::-1]


def test_a_name_may_be_written_in_any_way():
    workbook.take("multi_head_attention")
    assert "MultiHeadAttention" in source_file.definitions(workbook._read())
    with pytest.raises(LookupError, match="no part"):
        workbook.take("attention")


def test_a_file_that_is_no_python_is_left_alone(path):
    path.write_text("def f(:\n")
    with pytest.raises(ValueError, match="line 1: this is no Python"):
        workbook.take("scaled_dot_product_attention")
    assert path.read_text() == "def f(:\n"


def test_names_that_a_part_lacks():
    text = "import math\nclass A(B):\n    x = c\n    def f(self, y):\n"
    text += "        z = [len(d) for d in y]\n        return math.pi + e + z"
    assert source_file.lacking(text, "A") == ["B", "c", "e"]


# ------------------------------------------------------------- what is there


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
    own = cell("""
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.softmax(-1) @ value
""")
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


def test_trained_weights_go_into_the_readers_own_class(path, capsys):
    workbook.take("Transformer")
    capsys.readouterr()
    model = workbook.load_trained()
    assert type(model).__module__ == "my_transformer"
    assert capsys.readouterr().out == ""


# ---------------------------------------------------------- the command line


def test_the_command(path, capsys):
    assert main(["workbook", "--init"]) == 1
    assert path.read_text() == workbook.HEADER
    assert capsys.readouterr().out.count("missing") == len(PARTS)
    workbook.take("scaled_dot_product_attention")
    check = ["workbook", "--check", "scaled_dot_product_attention"]
    assert main(check) == 0
    assert main([*check[:2], "attention"]) == 2
    assert "the parts are scaled_dot" in capsys.readouterr().err


def test_the_command_on_another_file(path, tmp_path, capsys):
    for name in PARTS:
        workbook.take(name)
    other = path.rename(tmp_path / "other.py")
    assert main(["workbook", "--file", str(other)]) == 0
    assert main(["workbook", "--file", str(tmp_path / "none.py")]) == 1
