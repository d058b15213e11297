"""Translations on the command line: line n in, line n out; scores explained."""

import io
import sys

import pytest

from transformer_lib.cli import main
from transformer_lib.cli import translate as command
from transformer_lib.tokenizer import Tokenizer

LONG = " ".join(["the cat"] * 40)
HALF = "the dog \ud83d slept ."
MANY = ["the cat slept .", LONG, "", "the dog slept .", f"{LONG} .", ""]
SAID = ["고양이는 잤다.", "", "", "개는 잤다.", "", ""]


class Typed(io.StringIO):
    def isatty(self):
        return True


def from_file(sentences, tmp_path, monkeypatch):
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{x}\n" for x in sentences), encoding="utf-8")
    return ["--file", str(path)]


def from_a_pipe(sentences, tmp_path, monkeypatch):
    text = "".join(f"{x}\n" for x in sentences).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    return []


def from_arguments(sentences, tmp_path, monkeypatch):
    return list(sentences)


ways = pytest.mark.parametrize(
    "way", [from_file, from_a_pipe, from_arguments], ids=lambda x: x.__name__
)


@ways
@pytest.mark.parametrize("to_file", [False, True])
def test_what_is_too_long_leaves_its_line_empty(
    way, to_file, tmp_path, monkeypatch, capsys
):
    given, out = way(MANY, tmp_path, monkeypatch), tmp_path / "out.txt"
    more = ["--output", str(out)] if to_file else []
    assert main(["translate", *more, *given]) == 1
    said = capsys.readouterr()
    text = out.read_text(encoding="utf-8") if to_file else said.out
    assert text == "".join(f"{line}\n" for line in SAID)
    notes = said.err.splitlines()
    assert len(notes) == 2
    for note, number, n in zip(notes, (2, 5), (80, 81), strict=True):
        assert note.startswith(f"sentence {number} is left empty: it has {n} ")
        assert "at most 64" in note


@ways
def test_where_nothing_is_too_long_the_exit_code_is_0(
    way, tmp_path, monkeypatch, capsys
):
    given = way(["", "the cat slept ."], tmp_path, monkeypatch)
    assert main(["translate", *given]) == 0
    assert capsys.readouterr() == ("\n고양이는 잤다.\n", "")


def test_what_is_no_text_leaves_its_line_empty(capsys):
    byte = b"the k\xe4fer".decode("utf-8", "surrogateescape")
    given = [HALF, "the cat slept .", byte]
    assert main(["translate", *given]) == 1
    said = capsys.readouterr()
    assert said.out == "\n고양이는 잤다.\n\n"
    first, third = said.err.splitlines()
    assert "sentence 1 is left empty: it has '\\ud83d' at place 9" in first
    assert "sentence 3 is left empty: it has '\\udce4' at place 6" in third


def test_a_conversation_goes_on(monkeypatch, capsys):
    lines = [LONG, HALF, "the cat slept ."]
    typed = Typed("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["translate"]) == 1
    said = capsys.readouterr()
    assert said.out == "\n\n고양이는 잤다.\n"
    assert said.err.count("sentence 1 is left empty") == 2


CONTROLLED = "a\r\n\x85b\u2028\x1b[2Jc\x00d\x1d"


@pytest.mark.parametrize("to_file", [False, True])
def test_a_translation_is_a_line_whatever_the_model_writes(
    to_file, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(Tokenizer, "decode", lambda self, ids: CONTROLLED)
    out = tmp_path / "out.txt"
    more = ["--output", str(out)] if to_file else []
    assert main(["translate", *more, "the cat slept .", "", "dog"]) == 0
    said = capsys.readouterr().out
    data = out.read_bytes() if to_file else said.encode()
    assert data == b"a b [2Jc d\n" * 3


def test_a_beam_is_no_wider_than_the_vocabulary(monkeypatch, capsys):
    monkeypatch.setattr(command, "WIDEST_BEAM", 10**9)
    for who in ("translate", "evaluate"):
        assert main([who, "--beam", "100000"]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        assert "--beam 100000: choose at most " in said.err
        assert "tokens" in said.err


def evaluated(tmp_path, capsys, pairs):
    """Return the line of scores of some pairs, by the toy translator."""
    files = tmp_path / "a.en", tmp_path / "a.ko"
    for path, lines in zip(files, zip(*pairs, strict=True), strict=True):
        path.write_text("".join(f"{x}\n" for x in lines), encoding="utf-8")
    source, target = map(str, files)
    assert main(["evaluate", "--source", source, "--target", target]) == 0
    said = capsys.readouterr()
    assert said.err == "" and said.out.count("\n") == 1
    return said.out


def test_what_is_too_long_counts_as_an_empty_translation(tmp_path, capsys):
    right = ("the cat slept .", "고양이는 잤다.")
    said = evaluated(tmp_path, capsys, [right, (LONG, "고양이"), right, right])
    assert "4 sentences (1 too long to read, counted as empty), exact" in said
    assert "exact match 75.0 %" in said
    assert "too long" not in evaluated(tmp_path, capsys, [right])
    said = evaluated(tmp_path, capsys, [(LONG, "고양이는 이 집에서 잤다.")])
    assert "exact match 0.0 %, BLEU 0.0 " in said
    assert "BLEU is 0 because every translation is empty" in said


def test_no_bleu_of_0_without_its_reason(tmp_path, capsys):
    short = [("the cat slept .", "고양이는 잤다.")] * 2
    said = evaluated(tmp_path, capsys, short)
    assert "exact match 100.0 %, BLEU 0.0 (" in said
    assert "BLEU needs sentences of 4 tokens; see chrF (no translation" in said
    assert "tok:13a)" in said
    trip = ("I am going on a trip tomorrow.", "나는 내일 여행을 간다.")
    said = evaluated(tmp_path, capsys, [*short, trip])
    assert "exact match 100.0 %, BLEU 100.0 (" in said
    assert "needs" not in said and "because" not in said
