"""The minimal pairs of "it", and the questions put to them."""

import pytest
import torch

from toy_language import corpus
from transformer_course import antecedents
from transformer_lib.model import TransformerConfig
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator


@pytest.fixture(scope="module")
def contrast():
    return corpus.toy_splits("small", n_train=400)["contrast"]


@pytest.fixture(scope="module")
def pairs(contrast):
    return antecedents.minimal_pairs(contrast)


@pytest.fixture(scope="module")
def translator():
    return Translator.shipped()


def test_every_sentence_comes_with_its_counterpart(contrast, pairs):
    assert 0 < len(pairs) <= len(contrast)
    assert all("n't" not in p.source for both in pairs for p in both)
    assert [both[::-1] for both in pairs[::2]] == pairs[1::2]


def test_pairs_with_unknown_words_can_be_left_out(contrast, pairs):
    known = [text for p in pairs[0] for text in (p.source, p.target)]
    tokenizer = Tokenizer.words(known, corpus.SPELLING)
    some = antecedents.minimal_pairs(contrast, tokenizer)
    assert pairs[:2] == some[:2] and len(some) < len(pairs)


def test_positions_of_the_famous_pair(pairs):
    tired, wide = pairs[0]
    at = antecedents.positions(tired, wide)
    words = tired.source.split()
    named = {name: words[i] for name, i in at.items()}
    assert named == {
        "meant": "animal", "rival": "street", "subject": "animal",
        "object": "street", "because": "because", "it": "it",
        "adjective": "tired", "end mark": ".",
    }  # fmt: skip
    turned = antecedents.positions(wide, tired)
    assert (turned["meant"], turned["rival"]) == (at["rival"], at["meant"])
    assert turned["adjective"] == at["adjective"]


def test_positions_name_the_words_that_the_grammar_built(pairs):
    for pair, other in pairs:
        words, at = pair.source.split(), antecedents.positions(pair, other)
        assert words[at["it"]] == "it" and words[at["because"]] == "because"
        assert at["subject"] < at["object"] < at["because"] < at["it"]
        assert at["it"] < at["adjective"] < at["end mark"] == len(words) - 1
        first = pair.target.split()[0]
        meant = {t for s, t in pair.alignment if s == at["meant"]}
        assert first in {pair.target.split()[t] for t in meant}


def test_two_sentences_that_are_no_pair_are_refused(pairs):
    with pytest.raises(ValueError, match="do not differ in exactly one word"):
        antecedents.positions(pairs[0][0], pairs[2][0])
    with pytest.raises(ValueError, match="do not differ in exactly one word"):
        antecedents.positions(pairs[0][0], pairs[0][0])


def test_the_answer_turns_with_the_whole_sentence(translator, pairs):
    some = pairs[:8]
    found = antecedents.turned(translator, some)
    assert set(found) == {*antecedents.PLACES, "whole sentence"}
    assert found["whole sentence"] > 0.7
    nowhere = antecedents.turned(translator, some, layers=[])
    assert set(nowhere.values()) == {0}


def test_an_answer_that_was_wrong_before_has_not_turned(
    translator, pairs, monkeypatch
):
    """A model that always says the other noun is not turned by anything."""
    (wanted, *_) = translator.tokenizer.encode(pairs[0][1].target)
    logits = torch.zeros(len(translator.tokenizer))
    logits[wanted] = 1.0
    monkeypatch.setattr(antecedents, "next_logits", lambda *_: logits)
    found = antecedents.turned(translator, pairs[:1])
    assert set(found.values()) == {0}


def test_looking_has_one_row_a_sentence(translator, pairs):
    some = pairs[:6]
    name = "decoder.layers.1.cross_attention"
    first = antecedents.weights(translator, some, name)
    meant, rival = first["meant"], first["rival"]
    assert meant.shape == (6, 4) and bool((meant + rival <= 1 + 1e-5).all())
    rows = antecedents.pronoun_weights(
        translator.model, translator.tokenizer, some
    )
    name = "encoder.layers.1.self_attention"
    of_it = antecedents.weights(translator, some, name, "it")
    for part in ("meant", "rival", "adjective"):
        torch.testing.assert_close(rows[part][:, 4:], of_it[part])
    # a word and its position say all that layer 0 compares
    wins = (rows["meant"] > rows["rival"])[:, :4]
    assert wins[::2].logical_xor(wins[1::2]).all()


def test_vectors_are_those_of_the_encoder(translator, pairs):
    found = antecedents.vectors(
        translator.model, translator.tokenizer, pairs[:2]
    )
    ids = torch.tensor([translator.tokenizer.encode(pairs[1][0].source)])
    with torch.no_grad():
        output = translator.model.encode(
            ids, torch.ones(1, 1, ids.shape[1]).bool()
        )
    at = antecedents.positions(*pairs[1])
    for name in antecedents.PLACES:
        torch.testing.assert_close(found[name][1], output[0, at[name]])


def test_an_encoder_that_is_asked_at_it_learns_to_answer():
    train = [
        pair
        for pair in corpus.toy_splits("small", n_train=400)["train"]
        if pair.kind == "because-it"
    ][:24]
    tokenizer = Tokenizer.words(
        [text for p in train for text in (p.source, p.target)],
        corpus.SPELLING,
    )
    config = TransformerConfig(
        len(tokenizer), d_model=16, n_heads=2, d_ff=32, n_layers=2, dropout=0.0
    )
    before = torch.random.get_rng_state()
    model, again = (
        antecedents.resolver(config, tokenizer, train, steps=80)
        for _ in range(2)
    )
    assert torch.equal(before, torch.random.get_rng_state())
    right = 0
    for pair in train:
        ids = torch.tensor([tokenizer.encode(pair.source)])
        mask = torch.ones(1, 1, ids.shape[1]).bool()
        with torch.no_grad():
            output = model.encode(ids, mask)
            assert torch.equal(output, again.encode(ids, mask))
        at = pair.source.split().index("it")
        best = model.output_embedding.logits(output[0, at]).argmax()
        right += int(best) == tokenizer.encode(pair.target)[0]
    assert right > 0.8 * len(train)
