"""The shipped translator: its promises, and its figures as stored."""

import json
import re
from itertools import groupby
from pathlib import Path
from unicodedata import category, normalize

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from toy_language.corpus import join_morphemes, toy_splits
from transformer_lib.confidence import Judgement
from transformer_lib.decoding import Hypothesis
from transformer_lib.evaluation import exact_match
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.search import Search
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import SHIPPED, Translator

anything = settings(derandomize=True, max_examples=100, deadline=None)
ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "benchmarks" / "results" / "toy_translator_full.json"


@pytest.fixture(scope="module")
def shipped():
    return Translator.shipped()


def test_it_names_the_antecedent(shipped):
    tired, wide = shipped.translate(
        [
            "The animal didn't cross the street because it was too tired.",
            "The animal didn't cross the street because it was too wide.",
        ]
    )
    assert tired.startswith("동물은 너무 피곤해서")
    assert wide.startswith("길이 너무 넓어서")


def test_it_goes_on_a_trip(shipped):
    found = shipped.translate(["I am going on a trip tomorrow."])
    assert found == ["나는 내일 여행을 간다."]


def test_order_and_batches_change_nothing(shipped):
    pairs = toy_splits("small", n_train=1)["valid"][:30]
    sentences = [pair.source for pair in pairs] + [""]
    together, few = shipped.translate(sentences), Search(batch_size=7)
    assert shipped.translate(sentences[::-1], few) == together[::-1]
    assert shipped.translate(sentences[3:4]) == together[3:4]
    assert together[-1] == ""
    assert shipped.translate([]) == []


def test_unknown_words_are_named_and_the_rest_is_translated(shipped):
    sentence = "The zebra slept."
    assert shipped.unknown_words(sentence) == ["zebra"]
    assert shipped.translate([sentence])[0]


def test_a_model_and_a_tokenizer_of_different_runs_are_refused(shipped):
    with pytest.raises(ValueError, match="different runs"):
        Translator(shipped.model, Tokenizer.words(["a b c"]))


def tiny(tokenizer, confidence=None):
    config = TransformerConfig(
        len(tokenizer), d_model=8, n_heads=2, d_ff=8, n_layers=1, max_length=12
    )
    return Translator(Transformer(config), tokenizer, confidence)


PIECES = tiny(Tokenizer.bpe(["a b", "b a"], 260))
# C0, C1, both separators of lines, spaces that stay, and letters.
BITS = "\x00 \t \n \v \f \r \x1b \x1c \x7f \x80 \x85 \x9f \u2028 \u2029".split(
    " "
)
written = st.lists(
    st.sampled_from([*BITS, "\r\n", " ", "\u00a0", "\u200b", "a", "é", "고"])
).map("".join)


def breaks_a_line(character):
    return category(character) == "Cc" or character in "\u2028\u2029"


class Writes:
    """A search that finds what it is told to."""

    batch_size = 64

    def __init__(self, text):
        self.found = Hypothesis(PIECES.tokenizer.encode(text), 0.0, True)

    def __call__(self, model, source):
        return [self.found] * len(source)


@anything
@given(written)
def test_a_translation_is_one_line_whatever_the_model_writes(text):
    """Each run of what breaks lines is a space; all else stays."""
    runs = groupby(normalize("NFC", text), breaks_a_line)
    wanted = "".join(" " if broken else "".join(run) for broken, run in runs)
    search, wanted = Writes(text), wanted.strip()
    assert PIECES.text(search.found) == wanted
    assert PIECES.translate(["a", "", "b"], search) == [wanted, "", wanted]
    assert PIECES.explain(["a"], search)[0].text == wanted
    assert len((wanted + "|").splitlines()) == 1
    decoded = PIECES.tokenizer.decode(search.found.tokens)
    assert decoded == normalize("NFC", text).strip()


def test_a_lost_word_is_one_line_too():
    class Loses:
        def judge(self, source, *_):
            return Judgement(0.5, "perhaps", [0])

    made = tiny(Tokenizer.words(["c\x1b\x00at \x7fdog"]), Loses())
    (found,) = made.explain(["c\x1b\x00at"])
    assert found.lost_words == ["c at"]


def test_what_cannot_be_read_is_left_out_and_named(shipped):
    long, half = " ".join(["the cat"] * 33), "the \udcff"
    given = ["the cat slept .", long, "", half, long]
    rest, wrong = shipped.readable(given)
    assert rest == [given[0], "", "", "", ""]
    assert sorted(wrong) == [1, 3, 4]
    assert wrong[1] == wrong[4] != wrong[3]
    assert "66 tokens" in wrong[1] and "at most 64" in wrong[1]
    assert shipped.translate(rest)[0] == shipped.translate(given[:1])[0]
    assert shipped.readable(given[:1]) == (given[:1], {})
    assert shipped.readable([]) == ([], {})


def test_a_blank_sentence_stays_empty_even_where_spaces_are_tokens():
    tokenizer, translator = PIECES.tokenizer, PIECES
    short = Search(max_length=2)
    blank = ["   \t ", "\u3000", "\u3164", " " * 99]  # the last is too long
    assert all(tokenizer.encode_all(blank))
    assert translator.translate([*blank, "a"], short)[:4] == [""] * 4
    assert translator.hypotheses(blank) == [Hypothesis([], 0.0, True)] * 4


@pytest.mark.slow
@pytest.mark.parametrize("split", ["test", "contrast"])
def test_the_stored_figures_are_true(shipped, split):
    info = json.loads((SHIPPED / "model.json").read_text(encoding="utf-8"))
    runs = json.loads(RESULT.read_text(encoding="utf-8"))["runs"]
    run = next(r for r in runs if r["seed"] == info["train"]["seed"])
    pairs = toy_splits("full", n_train=1)[split]
    found = shipped.translate([pair.source for pair in pairs])
    wanted = [join_morphemes(pair.target) for pair in pairs]
    measured = 100 * exact_match(found, wanted)
    stored = run["splits"][split]["exact_match"]
    assert measured == pytest.approx(stored, abs=0.5)
    card = (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")
    row = re.search(rf"\| {split} \| \d+ \| ([\d.]+)", card)
    assert float(row[1]) == pytest.approx(stored, abs=0.05)


def test_a_wrapped_model_translates_as_the_plain_one(shipped):
    plain, sentence = shipped.model, ["the cat slept ."]
    for wrap in (torch.compile, torch.nn.DataParallel):
        translator = Translator(wrap(plain), shipped.tokenizer)
        assert translator.translate(sentence) == shipped.translate(sentence)
