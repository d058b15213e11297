"""The exported folder: it translates as the library does, and without it."""

import io
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import student

from toy_language import corpus
from transformer_course import PACKAGES, workbook
from transformer_course.checks.parts import PARTS, source_file
from transformer_course.cli import main
from transformer_lib.translator import Translator

HELPER = "\n\ndef helper():\n    return 3  # mine\n"
COMPLETE = workbook.HEADER + "\n\n".join(["", *student.CELLS]) + HELPER
LAYER_NORM = student.CELLS[list(PARTS).index("LayerNorm")]
PARTLY = (
    COMPLETE.replace(LAYER_NORM, "")  # missing
    .replace("clamp(min=0)", "clamp(max=0)")  # wrong
    .replace("if mask is not None:", "if False:")  # as in chapter 4
)
LENT = ["scaled_dot_product_attention", "LayerNorm", "FeedForward"]
ALONE = f"""
import runpy, sys

HIDDEN = {(*PACKAGES, "numpy")}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in HIDDEN:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocker())
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    assert not {{*HIDDEN}} & sys.modules.keys()
"""
BOOKS = "Weights: what the book's Transformer learned in 8,000 updates\n"


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    path = tmp_path / "my_transformer.py"
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", str(path))
    yield path
    sys.modules.pop("my_transformer", None)


@pytest.fixture(scope="module")
def partly(tmp_path_factory):
    """The script of a file with a part missing, and two that are wrong."""
    place = tmp_path_factory.mktemp("partly")
    file = place / "my_transformer.py"
    file.write_text(PARTLY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER_WORKBOOK", str(file))
        return workbook.export(place / "out")


def alone(script, *arguments, lines=()):
    """Run the script in another folder, where this library is not found."""
    return subprocess.run(
        [sys.executable, "-I", "-W", "ignore", "-c", ALONE, script, *arguments],
        input="".join(f"{line}\n" for line in lines),
        cwd=script.parents[1],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def test_it_says_what_the_library_says_and_runs_without_it(partly):
    splits = corpus.toy_splits("full", n_train=1)
    sentences = [pair.source for pair in splits["test"][:8]]
    sentences += [pair.source for pair in splits["length"][:2]]
    sentences += ["I can’t sing!", "", "It's <eos> and the DRAGON", "개 +는"]
    sentences += ["the cafe\u0301 slept ."]
    done = alone(partly, lines=sentences)
    assert done.returncode == 0, done.stderr
    library = Translator.shipped()
    assert done.stdout.split("\n")[:-1] == library.translate(sentences)
    words = [library.unknown_words(sentence) for sentence in sentences]
    assert done.stderr.splitlines() == [
        f"unknown: {', '.join(some)}" for some in words if some
    ]
    assert "unknown: <, eos, >, DRAGON" in done.stderr


def test_the_arguments_are_one_sentence_and_a_long_line_stays_empty(partly):
    done = alone(partly, "the", "dog slept", ".")
    assert done.stdout == "개는 잤다.\n"
    assert (done.returncode, done.stderr) == (0, "")
    done = alone(partly, lines=["dog " * 65, "the dog slept ."])
    assert done.stdout == "\n개는 잤다.\n"
    assert done.returncode == 1
    assert done.stderr == "65 tokens; it reads at most 64\n"


@pytest.mark.parametrize("arguments", [[], [""], [" ", ""]])
def test_without_a_sentence_it_says_how_to_use_it(
    partly, arguments, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "argv", ["my_transformer.py", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: not arguments)
    runpy.run_path(str(partly))["main"]()
    usage = 'usage: python my_transformer.py "the cat slept ."\n'
    assert capsys.readouterr().out == usage


def test_what_is_missing_or_wrong_is_lent_and_marked(partly):
    text = partly.read_text(encoding="utf-8")
    marked = [name for name in PARTS if source_file.is_marked(text, name)]
    assert marked == LENT
    assert HELPER in text and "return 3  # mine" in text
    own = partly.parents[1] / "my_transformer.py"
    assert own.read_text(encoding="utf-8") == PARTLY
    readme = partly.with_name("README.md").read_text(encoding="utf-8")
    assert "| the book's, marked | `scaled_dot_product_attention`, " in readme
    mine = next(x for x in readme.splitlines() if x.startswith("| mine"))
    assert "`helper`" in mine and "`main`" not in mine
    assert not [name for name in LENT if f"`{name}`" in mine]


def test_the_lines_that_are_lent_are_few(partly):
    text = partly.read_text(encoding="utf-8")
    lent = text[text.index("\ndef main()") :].strip().splitlines()
    assert len(lent) <= 40
    assert max(map(len, lent)) < 80


def test_a_complete_file_is_the_readers_own(path, capsys):
    path.write_text(COMPLETE, encoding="utf-8")
    script = workbook.export()
    assert script == path.with_name("my_transformer") / "my_transformer.py"
    assert capsys.readouterr().out == f"{BOOKS}All yours: 15 of 15 parts\n"
    text = script.read_text(encoding="utf-8")
    assert text.startswith(COMPLETE)
    assert source_file.MARK not in text
    names = {file.name for file in script.parent.iterdir()}
    assert names == {
        "my_transformer.py",
        "weights.safetensors",
        "tokenizer.json",
        "requirements.txt",
        "README.md",
        "LICENSE-BOOK.txt",
        "my_translator.json",
    }
    readme = script.with_name("README.md").read_text(encoding="utf-8")
    assert "강이 너무 깊어서 고양이는 강을 건너지 못했다." in readme
    assert "marked" not in readme
    needs = script.with_name("requirements.txt").read_text().splitlines()
    assert [line.split("==")[0] for line in needs] == [
        "numpy",  # without it torch warns
        "safetensors",
        "tokenizers",
        "torch",
    ]
    assert "+" not in "".join(needs)


def test_the_license_of_the_lent_parts_is_that_of_the_book(partly):
    root = Path(__file__).parents[2]
    license_ = (root / "LICENSE").read_text(encoding="utf-8")
    given = partly.with_name("LICENSE-BOOK.txt").read_text(encoding="utf-8")
    assert given.endswith(license_)


def test_nothing_that_was_there_is_lost(path, capsys):
    folder = path.with_name("out")
    folder.mkdir()
    for text in ("my page", "my second page"):
        (folder / "README.md").write_text(text)
        workbook.export(folder)
        assert "README.md said something else" in capsys.readouterr().out
    assert (folder / "README_before.md").read_text() == "my page"
    assert (folder / "README_before_2.md").read_text() == "my second page"
    workbook.export(folder)
    lent = "The book's version: all 15 parts\n"
    assert capsys.readouterr().out == f"{BOOKS}{lent}"
    assert len(list(folder.iterdir())) == 9


def test_what_was_exported_is_exported_again_as_it_is(path, tmp_path):
    first = workbook.export(tmp_path / "one")
    path.write_bytes(first.read_bytes())
    second = workbook.export(tmp_path / "two")
    assert first.read_text() == second.read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("import transformer_lib.masks\n", "transformer_lib in line 11"),
        ("from transformer_lib import masks\n", "run without it"),
        ("import transformer_course as c\n", "transformer_course in line 11"),
        ("from toy_language import corpus\n", "imports toy_language in line"),
        ("import transformer_lib.course\n", "transformer_lib in line 11"),
        ("def main():\n    pass\n", "a main program of its own in line 11"),
        ("if __name__ == '__main__':\n    pass\n", "move yours to another"),
        ("x = 1 / 0\n", "does not run: ZeroDivisionError"),
        ("del math\n", "does not translate: NameError: name 'math'"),
    ],
)
def test_what_cannot_run_alone_is_refused(path, more, said, tmp_path):
    path.write_text(f"{workbook.HEADER}\n{more}", encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        workbook.export(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_readers_file_is_not_exported_onto_itself(path):
    workbook.init()
    with pytest.raises(ValueError, match="name another"):
        workbook.export(path.parent)
    assert path.read_text() == workbook.HEADER


def test_without_a_file_that_is_said(path, tmp_path, capsys):
    none = f"There is no my_transformer.py in {tmp_path}."
    assert main(["workbook", "export"]) == 2
    assert capsys.readouterr() == (
        "",
        f"workbook: {none} workbook.save writes it, and --init begins one.\n",
    )
    assert not list(tmp_path.iterdir())
    workbook.export()
    lent = f"{BOOKS}The book's version: all 15 parts\n"
    assert capsys.readouterr().out == f"{none}\n{lent}"
    other = tmp_path / "my_transformer (1).py"
    other.write_text("")
    workbook.export(tmp_path / "out")
    assert capsys.readouterr().out == (
        f"{none} Another one is {other}: copy it over to go on with it.\n{lent}"
    )


def test_the_command(path, tmp_path, capsys):
    out = tmp_path / "here"
    assert main(["workbook", "export", "--init", "--out", str(out)]) == 0
    assert capsys.readouterr().out == (
        f"Began a new file, {path}.\n"
        f"{BOOKS}The book's version: all 15 parts\n"
        f'Try: python {out / "my_transformer.py"} "the cat slept ."\n'
    )
    path.write_text("import transformer_lib\n")
    assert main(["workbook", "export", "--out", str(out)]) == 2
    assert "run without it" in capsys.readouterr().err


# ------------------------------------------------------- what is said of use


def test_all_yours_is_said_where_it_is_true(path, capsys):
    path.write_text(COMPLETE, encoding="utf-8")
    decode = workbook.use("greedy_decode")
    layers = workbook.use("FeedForward", "MultiHeadAttention", "LayerNorm")
    model = workbook.load_trained()
    assert capsys.readouterr().out.splitlines() == [
        "All yours: greedy_decode, with padding_mask inside",
        "All yours: FeedForward, MultiHeadAttention, LayerNorm, "
        "with scaled_dot_product_attention inside",
        "All yours: Transformer, with 10 parts inside",
    ]
    assert workbook.whose(decode, *layers, model) == "your"


def test_what_is_lent_inside_a_part_is_said(path, capsys):
    path.write_text(COMPLETE.replace(LAYER_NORM, ""), encoding="utf-8")
    model = workbook.load_trained()
    assert capsys.readouterr().out == (
        "The book's version, inside yours: LayerNorm\n"
    )
    assert workbook.whose(model) == "your and the book's"


def test_a_part_that_was_taken_is_the_books(path, capsys):
    workbook.take("causal_mask")
    capsys.readouterr()
    mask, rate = workbook.use("causal_mask", "learning_rate")
    assert mask.__module__ == "my_transformer"
    assert capsys.readouterr().out == (
        "The book's version: learning_rate, causal_mask\n"
    )
    assert workbook.whose(mask, rate) == "the book's"
