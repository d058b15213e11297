"""What the live translator gets when the book is built."""

import base64
import itertools
import json
import re
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from transformer_lib.tokenizer import Tokenizer
from transformer_lib.toy.grammar import KINDS
from transformer_lib.toy.grammar.glosses import gloss_tokens
from transformer_lib.translator import Translator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "book" / "_ext"))
import live_kinds
import live_model
import live_still
import live_texts
import live_translator

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks" / "results"
LIVE = Path(live_translator.__file__).parents[1] / "_static" / "live"


@pytest.fixture(scope="module")
def translator():
    return Translator.shipped()


@pytest.fixture(scope="module")
def drawn():
    return live_texts.draw(3000)


@pytest.fixture(scope="module")
def others():
    """Sentences that the tables were not made from."""
    return live_texts.draw(400, seed="test")


def arrays(data):
    """Read the parts back, as the page does."""
    blob, found, start = base64.b64decode(data["data"]), {}, 0
    for part in data["parts"]:
        dtype = np.dtype(part["dtype"]).newbyteorder("<")
        end = start + part["size"] * dtype.itemsize
        found[part["name"]] = np.frombuffer(blob[start:end], dtype)
        start = end
    assert start == len(blob)
    return found


@pytest.mark.parametrize(
    "dtype, error", [("float32", 0), ("float16", 1e-3), ("int8", 5e-3)]
)
def test_weights_survive_the_packing(translator, dtype, error):
    found = arrays(live_model.model_data(translator, dtype))
    for name, parameter in translator.model.named_parameters():
        wanted = parameter.detach().numpy()
        got = found[f"model.{name}"].reshape(wanted.shape).astype(float)
        if f"scales.{name}" in found:
            got *= found[f"scales.{name}"][:, None]
        assert np.abs(got - wanted).max() <= error * np.abs(wanted).max()


def test_sure_and_maybe_part_right_from_doubtful(translator):
    typed = json.loads((RESULTS / "typed_sentences.json").read_text("utf-8"))
    rows = [row for group in ("free", "first", "outside")
            for row in typed[group]["rows"]]  # fmt: skip
    limits = (0, translator.confidence.threshold, live_model.SURE, 1)
    no, maybe, yes = (
        [row["right"] for row in rows if low <= row["confidence"] < high]
        for low, high in itertools.pairwise(limits)
    )
    assert sum(yes) >= 0.9 * len(yes)
    assert 0.5 * len(maybe) <= sum(maybe) <= 0.8 * len(maybe)
    assert sum(no) <= 0.3 * len(no)
    assert live_model.model_data(translator)["constants"]["sure"] == 0.6


def test_an_unknown_dtype_is_refused(translator):
    with pytest.raises(ValueError, match="float32"):
        live_model.model_data(translator, "float8")


def test_a_tokenizer_of_pieces_is_refused():
    pieces = Tokenizer.bpe(["a b", "b a"], 260)
    with pytest.raises(ValueError, match="whole words"):
        live_model.tokenizer_data(pieces)


def test_glosses_of_other_sentences_are_the_grammars(drawn, others):
    glossed = [(s.target, gloss_tokens(s.target)) for s in drawn]
    table = live_texts.gloss_table(glossed)
    right = total = 0
    for sentence in others:
        tokens = ["^", *sentence.target, "$"]
        for place, wanted in enumerate(gloss_tokens(sentence.target)):
            found = None
            for key in live_texts.contexts(*tokens[place : place + 3]):
                found = table.get(key, found)
            right += found == wanted
            total += 1
    assert right >= 0.97 * total


def test_neighbors_change_a_gloss():
    glossed = [
        (["a", "+x", "b"], ["cat", "TOP", "dog"]),
        (["a", "+x", "b"], ["cat", "TOP", "dog"]),
        (["c", "+x", "b"], ["go", "PRS", "dog"]),
    ]
    table = live_texts.gloss_table(glossed)
    assert table == {
        "|a|": "cat", "|b|": "dog", "|c|": "go", "|+x|": "TOP",
        "c|+x|": "PRS",
    }  # fmt: skip


def test_constructions_are_told_apart(others):
    names = list(KINDS)
    drawn = live_texts.draw(live_texts.N_DRAWN)
    pairs = [(sentence.source, sentence.kind) for sentence in drawn]
    weights = live_kinds.learn_kinds(pairs, names)
    right = [
        names[live_kinds.guess(s.source, weights, len(names))] == s.kind
        for s in others
    ]
    assert sum(right) >= 0.85 * len(right)


def test_sentences_are_written_as_people_do_and_read_as_before(
    translator, drawn
):
    glossed = [(s.target, gloss_tokens(s.target)) for s in drawn]
    capitals = live_texts.capitalized(glossed)
    for sentence in drawn[:300]:
        text = live_texts.as_typed(sentence.source, capitals)
        assert re.fullmatch(r"[A-Z].*\S[.?!]", text)
        read = translator.tokenizer.encode(text)
        wanted = translator.tokenizer.encode(" ".join(sentence.source))
        assert read == wanted, text


def test_some_short_sentences_have_every_word(drawn):
    tokens = [sentence.source for sentence in drawn]
    chosen = live_texts.with_every_word(tokens)
    assert {w for one in chosen for w in one} == {w for t in tokens for w in t}
    assert len(chosen) < len(tokens) / 4
    assert sum(map(len, chosen)) / len(chosen) < 7


def test_each_construction_with_a_button_has_a_sentence(translator, drawn):
    chosen = live_texts.samples(drawn, translator)
    assert tuple(chosen) == live_texts.SHOWN
    for kind, sentence in chosen.items():
        assert sentence.kind == kind
        assert len(sentence.source) in live_texts.LENGTHS


def test_the_still_picture_shows_both_sentences(translator, drawn):
    sentence = next(s for s in drawn if len(s.source) < 10)
    html = live_still.still(translator, " ".join(sentence.source))
    (written,) = translator.hypotheses([" ".join(sentence.source)])
    words = re.findall(r'live-word"[^>]*>([^<]+)', html)
    assert words == translator.tokenizer.tokens(" ".join(sentence.source))
    assert html.count("live-hangul") == len(written.tokens)
    shares = [float(w) for w in re.findall(r"--w: ([\d.]+)", html)]
    assert sum(shares) == pytest.approx(1, abs=0.01 * len(shares))


def test_every_script_is_loaded_and_short():
    scripts = {path.stem for path in LIVE.glob("*.js")}
    assert scripts == set(live_translator.SCRIPTS)
    for path in LIVE.glob("*.js"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 250
        assert max(map(len, lines)) <= 80, path.name


def test_the_script_that_chapter_15_quotes_stands_in_the_page():
    (path,) = LIVE.parents[2].glob("chapters/15_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    (quoted,) = re.findall(r"(?ms)^```javascript\n(.*?)^```", text)
    script = (LIVE / "attention.js").read_text(encoding="utf-8")
    assert textwrap.indent(quoted, "  ") in script
