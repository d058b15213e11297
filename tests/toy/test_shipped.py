"""The corpus in data/ is what grammar and tables draw, or it is not read."""

import json
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toy_language import SPLITS, corpus, shipped
from transformer_course import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
# What drawing opens: modules of ours, tables of words.
PROGRAM = """
import sys
tables = []
sys.addaudithook(lambda event, about: event == "open" and
                 str(about[0]).endswith(".tsv") and tables.append(about[0]))
from random import Random
from toy_language.corpus import Grammar
for preset in ("small", "full"):
    Grammar(preset).sentence(Random(0))
ours = [one.__file__ for name, one in sys.modules.items()
        if name.split(".")[0] in sys.argv[1:]]
print(*ours, *tables, sep="\\n")
"""


def stored():
    return json.loads(lzma.decompress(shipped.FILE.read_bytes()))


def test_the_file_was_drawn_from_these_sources():
    assert stored()["fingerprint"] == shipped.fingerprint(), (
        "a file that decides what is drawn has changed, if only a comment: "
        "write toy_language/data/small.json.xz anew by "
        "`python -m toy_language`"
    )


@pytest.mark.slow
def test_the_file_holds_what_is_drawn():
    drawn = corpus.draw_splits("small", 0)
    assert tuple(drawn) == SPLITS
    assert shipped.shipped("small", 0) == drawn
    anew = lzma.decompress(shipped.packed(drawn))  # other xz, other bytes
    assert anew == lzma.decompress(shipped.FILE.read_bytes())


def test_all_that_drawing_opens_is_in_the_fingerprint():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *PACKAGES],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    paths = [Path(line).resolve() for line in done.stdout.splitlines()]
    opened = {path.relative_to(shipped.HOME).as_posix() for path in paths}
    assert {"corpus.py", "data/lexicon.tsv"} < opened
    read_only = {"kept.py", "shipped.py"}  # they keep what is drawn
    assert opened - read_only <= set(shipped.sources())


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The package's sources in a folder of their own."""
    for name in [*shipped.sources(), *shipped.OTHERS]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shipped.HOME / name, tmp_path / name)
    monkeypatch.setattr(shipped, "HOME", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "name, same",
    [
        ("grammar/because.py", False),
        ("corpus.py", False),
        ("data/lexicon.tsv", False),
        ("grammar/new.py", False),
        ("data/small.json.xz", True),
        ("data/free.tsv", True),
        ("baselines.py", True),
    ],
)
def test_the_fingerprint_is_of_what_is_drawn(copy, name, same):
    before = shipped.fingerprint()
    with (copy / name).open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    assert (shipped.fingerprint() == before) == same
    assert (shipped.shipped("small", 0) is not None) == same


def test_line_endings_do_not_matter(copy):
    before = shipped.fingerprint()
    for name in shipped.sources():
        lines = (copy / name).read_bytes().splitlines()
        (copy / name).write_bytes(b"\r\n".join([*lines, b""]))
    assert shipped.fingerprint() == before


def test_a_file_by_another_name_counts_as_changed(copy):
    before = shipped.fingerprint()
    (copy / "data" / "words.tsv").rename(copy / "data" / "words_2.tsv")
    assert shipped.fingerprint() != before


@pytest.mark.parametrize("preset, seed", [("small", 1), ("full", 0)])
def test_one_corpus_is_shipped(preset, seed):
    assert shipped.shipped(preset, seed) is None


@pytest.mark.parametrize(
    "damage", ["absent", "empty", "cut", "flipped", "text"]
)
def test_a_damaged_file_is_like_none(tmp_path, monkeypatch, damage):
    whole = shipped.FILE.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    bytes_of = {"empty": b"", "cut": whole[:-9], "flipped": flipped,
                "text": b"version 1\n"}  # fmt: skip
    monkeypatch.setattr(shipped, "FILE", tmp_path / "small.json.xz")
    if damage in bytes_of:
        shipped.FILE.write_bytes(bytes_of[damage])
    assert shipped.shipped("small", 0) is None


def test_where_python_has_no_xz_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "lzma", None)
    assert shipped.shipped("small", 0) is None


def splits(n_train):
    """Return what a process gets that has read and drawn nothing yet."""
    return corpus._splits.__wrapped__("small", 0, n_train)


@pytest.fixture
def draws(monkeypatch):
    """What was asked of the grammar; it draws one kind of row."""
    asked = []

    def kept(make, *arguments):
        asked.append(arguments)
        return [["a b", "c", [[0, 0]], "drawn", []]]

    monkeypatch.setattr(corpus, "kept", kept)
    monkeypatch.setattr(corpus, "_held_out", lambda *_: dict.fromkeys(SPLITS))
    return asked


@pytest.mark.parametrize("n_train", [1, 4_500, 20_000])
def test_what_is_shipped_is_not_drawn(draws, n_train):
    made = splits(n_train)
    assert len(made["train"]) == n_train and tuple(made) == SPLITS
    assert draws == []


def test_more_than_is_shipped_is_drawn(draws):
    assert splits(20_001)["train"][0].kind == "drawn"
    assert draws == [("small", 0, 20_001)]


def test_what_changed_since_is_drawn(draws, copy):
    assert splits(1)["train"][0].kind != "drawn"
    (copy / "grammar" / "because.py").unlink()
    assert splits(1)["train"][0].kind == "drawn"
    assert draws == [("small", 0, 1)]
