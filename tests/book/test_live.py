"""What the live translator gets when the book is built."""

import base64
import json
import os
import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import live_kinds
import live_model
import live_still
import live_texts
import live_translator
import numpy as np
import pytest
from page_scripts import LIVE, in_node

from toy_language.grammar import KINDS
from toy_language.grammar.glosses import gloss_tokens
from transformer_lib.decoding import Hypothesis
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator


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


def test_the_page_has_the_same_thresholds_and_no_others(translator):
    data = live_model.model_data(translator)
    found = arrays(data)["confidence.thresholds"].tolist()
    assert found == translator.confidence.thresholds.tolist()
    assert set(data["constants"]) == {"run", "base", "most_strange",
                                      "most_lost"}  # fmt: skip


def test_what_the_page_says_of_its_values_was_measured():
    """In the stored rows, and of lists by which nothing was chosen."""
    typed = json.loads(live_model.MEASURED.read_text("utf-8"))
    rows = [row for name in ("free", "fresh") if name in typed
            for row in typed[name]["rows"]]  # fmt: skip
    for value, (wrong, total) in live_model.measured().items():
        found = [row["right"] for row in rows if row["trust"] == value]
        assert (found.count(False), len(found)) == (wrong, total)
    assert sum(n for _, n in live_model.measured().values()) == len(rows)


def test_the_less_it_trusts_the_more_are_wrong(translator):
    typed = json.loads(live_model.MEASURED.read_text("utf-8"))
    rows = [row for part in typed.values() if isinstance(part, dict)
            for row in part["rows"]]  # fmt: skip
    shares = []
    for value in ("sure", "perhaps", "doubtful"):
        right = [row["right"] for row in rows if row["trust"] == value]
        shares.append(right.count(False) / len(right))
    assert shares[0] <= 0.06 < shares[1] < 0.5 < 0.7 < shares[2]
    lower, upper = translator.confidence.thresholds.tolist()
    for row in rows:
        if row["trust"] == "sure":
            assert row["confidence"] >= upper - 1e-4
            assert row["lost_words"] == row["unknown_words"] == []
        elif row["trust"] == "perhaps":
            assert row["confidence"] >= lower - 1e-4
            assert row["unknown_words"] == []


def test_the_page_judges_as_the_library_does(translator, tmp_path):
    """Without a browser: the same scripts, for the typed sentences."""
    typed = json.loads(live_model.MEASURED.read_text("utf-8"))
    texts = [row["source"] for row in typed["outside"]["rows"]]
    sources = translator.tokenizer.encode_all(texts)
    data = live_model.model_data(translator, "float32")
    told = in_node(tmp_path, JUDGING, JUDGE, [data, sources])
    values = {"yes": "sure", "maybe": "perhaps", "no": "doubtful"}
    explained = translator.explain(texts)
    for found, source, wanted in zip(told, sources, explained, strict=True):
        p, step, lost = found
        tokens = [translator.tokenizer.token(source[i]) for i in lost]
        assert p == pytest.approx(wanted.confidence, abs=1e-3)
        assert values[step] == wanted.trust
        assert list(dict.fromkeys(tokens)) == wanted.lost_words
    assert {step for _, step, _ in told} == set(values)


JUDGING = "attention layers model decoding weights tokenizer confidence".split()
JUDGE = """
const [data, sources] = given;
const { weights, confidence } = Live.readWeights(data);
const model = new Live.Transformer(data.config, weights);
const judge = new Live.Confidence(confidence, data.constants);
tell(sources.map((source) => {
  const { p, step, lost } = judge.of(source,
    Live.finish(Live.write(model, source, {})));
  return [p, step, lost];
}));
"""


@pytest.mark.parametrize(
    "text, kind, words",
    [
        ("Attention is all you need.", "", ""),
        ("The cat slept", "", ""),
        ("Hello", "greeting", "no greetings"),
        ("Hello, is the cat asleep?", "", ""),
        ("고양이가 잔다.", "korean", "This is Korean."),
        ("猫が寝る", "foreign", "English only"),
        ("", "empty", "nothing to translate"),
        (" \u200b ", "empty", "nothing to translate"),
        ("The cat slept. I am happy.", "several", "two sentences"),
        ("Is it deep? Yes! It is.", "several", "3 sentences"),
        ("Mr. Kim slept.", "", ""),
        ("I slept. " * 250, "several", "500 words in 250 sentences"),
        ("word " * 500, "", "Too long: 500 words."),
    ],
)
def test_what_is_no_sentence_is_answered(tmp_path, text, kind, words):
    found, said, offered = in_node(tmp_path, ["state", "manners"], ANSWER, text)
    assert found == kind
    assert words in said
    assert bool(said) == bool(words)
    if kind == "several":  # go on with another, if there is another
        assert text.strip().endswith(offered[-1])


ANSWER = """
const asked = Live.kindOf(given);
const cut = Live.isLong(given);
const said = Live.saidOf({ asked, cut, typed: given }, 64);
const offers = asked === "several"
  ? Live.offersOf({ asked, cut, typed: given, words: [] }, {}) : { texts: [] };
Promise.resolve(offers).then(({ texts }) => tell([asked, said, texts]));
"""


def test_the_page_prints_a_translation_in_one_line(tmp_path):
    """As the library does, whatever a vocabulary holds."""
    bits = "a +b \x00 c\x1b\x1cd +\x7f \x9fe \ufeff 고양이".split(" ")
    made = Tokenizer.words(bits)
    config = TransformerConfig(
        len(made), d_model=8, n_heads=2, d_ff=8, n_layers=1
    )
    printed = Translator(Transformer(config), made)
    ids = [made.backend.token_to_id(bit) for bit in bits]
    chance = random.Random(0)
    firsts = [index for index in ids if not made.token(index).startswith("+")]
    every = [
        [chance.choice(firsts), *chance.choices(ids, k=n % 7)]
        for n in range(200)
    ]
    told = in_node(
        tmp_path, ["tokenizer"], PRINT, [live_model.tokenizer_data(made), every]
    )
    texts = [printed.text(Hypothesis(one, 0.0, True)) for one in every]
    assert told == texts
    assert any(" " in text for text in texts)
    assert all(len((text + "|").splitlines()) == 1 for text in told)


PRINT = """
const [data, every] = given;
const tokenizer = new Live.Tokenizer(data);
tell(every.map((ids) => tokenizer.decode(ids)));
"""


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


def test_the_sentence_decides_what_an_ambiguous_word_means(tmp_path, drawn):
    glossed = [(s.target, gloss_tokens(s.target)) for s in drawn]
    tables = {
        "glosses": live_texts.gloss_table(glossed),
        "senses": live_texts.senses(glossed),
        "forms": live_texts.english_forms(),
        "labels": live_texts.LABELS,
        "romanization": {},
    }
    asked = [  # what comes next is not known yet, as in the five best
        ["산", "the boy saw the mountain", "mountain"],
        ["산", "the boy who bought the kite", "buy"],
        ["강", "the river was deep", "river"],
        ["강", "the boy was strong", "strong"],
        ["새", "the new key", "new"],
        ["새", "two birds flew", "bird"],
        ["고양이", "nothing of it", "cat"],
    ]
    found = in_node(tmp_path, ["texts"], SENSE, [tables, asked])
    assert [one.split(".")[0] for one in found] == [one[2] for one in asked]


SENSE = """
const [tables, asked] = given;
const texts = new Live.Texts(tables);
tell(asked.map(([token, words]) =>
  texts.gloss(["그", token], words.split(" "))[1]));
"""


def test_the_piece_that_is_lit_means_the_word_that_it_looked_at(tmp_path):
    """No particle, no pronoun, none that looked elsewhere; else the first."""
    tables = {
        "glosses": {}, "senses": {}, "samples": [], "sentences": [],
        "short": [], "romanization": {}, "kinds": {}, "labels": {},
        "forms": {"cross": ["cross", "crossed"], "river": ["river"]},
    }  # fmt: skip
    words = ["i", "crossed", "the", "river", "."]
    pieces = [
        [False, "I", [0.99, 0, 0, 0, 0.01]],
        [True, "river", [0, 0, 0, 0.99, 0.01]],
        [False, "river", [0, 0, 0, 0.9, 0.1]],
        [False, "cross.PST", [0, 0.92, 0, 0.08, 0]],
        [False, "do", [0, 0, 0, 0, 1]],
    ]
    steeper = [*pieces[:3], [False, "cross.PST", [0, 0.99, 0, 0.01, 0]]]
    lit = in_node(
        tmp_path,
        ["elements", "texts", "attention_view"],
        LIT,
        [tables, words, [pieces, steeper, pieces[:1] + pieces[4:], []]],
    )
    assert lit == [2, 3, 0, 0]


LIT = """
const [tables, words, all] = given;
const texts = new Live.Texts(tables);
tell(all.map((pieces) => Live.tellingPiece(
  pieces.map(([glued, gloss]) => ({ glued, gloss })),
  pieces.map(([, , row]) => row), words, texts)));
"""


def test_every_abbreviation_of_a_gloss_is_explained(drawn):
    glosses = {g for s in drawn for g in gloss_tokens(s.target)}
    found = {
        label for one in glosses for label in re.findall("[A-Z]{2,}|Q$", one)
    }
    assert found == set(live_texts.LABELS)


def test_what_is_offered_is_short_and_trusted(translator, drawn):
    tokens = [s.source for s in drawn[:1500]]
    chosen = live_texts.well_known(tokens, translator)
    assert {w for one in chosen for w in one} == {w for t in tokens for w in t}
    trusted = [
        one.trust == "sure"
        for one in translator.explain([" ".join(one) for one in chosen])
    ]
    assert sum(trusted) >= 0.8 * len(trusted)
    assert not any(trusted[trusted.index(False) :])  # the others come last
    assert sum(map(len, chosen)) / len(chosen) < 10


def test_a_neighbor_that_leaves_no_doubt_decides_where_both_are_new():
    """보신다 is present, although 보신 alone was always past."""
    glossed = [
        (["보", "+신", "책"], ["see", "HON.PST.ADN", "book"]),
        (["가", "+신", "+다"], ["go", "HON.PRS", "DECL"]),
    ] * 3
    table = live_texts.gloss_table(glossed)
    assert live_texts.look_up(table, "보", "+신", "+다") == "HON.PRS"
    assert live_texts.look_up(table, "보", "+신", "$") == "HON.PST.ADN"


def test_the_same_weights_stand_in_the_same_order_in_every_build():
    """Python orders a set of words by a number that each process draws."""
    learn = "print([*live_kinds.learn_kinds([('abcdefgh', 'y')], 'xy')])"
    folder = Path(live_kinds.__file__).parent
    said = {
        subprocess.run(
            [sys.executable, "-c", f"import live_kinds; {learn}"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in "123"
    }
    assert said == {f"{[*'abcdefgh']}\n".encode()}


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
    (path,) = LIVE.parents[1].glob("laboratory/15_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    (quoted,) = re.findall(r"(?ms)^```javascript\n(.*?)^```", text)
    script = (LIVE / "attention.js").read_text(encoding="utf-8")
    assert textwrap.indent(quoted, "  ") in script
