"""Looking into a translator and reaching in: what each tool may change."""

import pytest
import torch

from toy_language import corpus
from transformer_course import interventions
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.search import Search
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

SOURCES = ["the dog slept .", "a cat ran ?"]
LONG = "the dog and the cat slept ."


@pytest.fixture(scope="module")
def translator():
    """Untrained, with two layers, so that every exchange leaves a trace."""
    tokenizer = Tokenizer.words([*SOURCES, LONG])
    torch.manual_seed(0)
    config = TransformerConfig(
        len(tokenizer), d_model=8, n_heads=2, d_ff=16, n_layers=2, dropout=0.0
    )
    return Translator(Transformer(config), tokenizer)


@pytest.fixture
def states(translator):
    return [interventions.start(translator, text) for text in SOURCES]


def same(one, other):
    return [
        torch.equal(a, b)
        for mine, theirs in zip(one.memory, other.memory, strict=True)
        for a, b in zip(mine, theirs, strict=True)
    ]


def test_an_exchange_at_all_positions_is_the_other_sentence(states):
    one, other = states
    mixed = interventions.exchange(one, other, range(4))
    assert all(same(mixed, other)) and not any(same(mixed, one))


def test_an_exchange_changes_one_position_and_not_the_state(states):
    one, other = states
    before = [kv.keys.clone() for kv in one.memory]
    mixed = interventions.exchange(one, other, 2)
    for old, mine, theirs, new in zip(
        before, one.memory, other.memory, mixed.memory, strict=True
    ):
        assert torch.equal(old, mine.keys)
        for i in range(4):
            source = theirs if i == 2 else mine
            assert torch.equal(new.keys[:, :, i], source.keys[:, :, i])
            assert torch.equal(new.values[:, :, i], source.values[:, :, i])


def test_positions_may_differ_and_count_from_the_end(translator, states):
    one, _ = states
    long = interventions.start(translator, LONG)
    mixed = interventions.exchange(one, long, [-1, 0], [-1, 3])
    keys = long.memory[0].keys
    assert torch.equal(mixed.memory[0].keys[:, :, 3], keys[:, :, 6])
    assert torch.equal(mixed.memory[0].keys[:, :, 0], keys[:, :, 3])


def test_one_layer_alone(states):
    one, other = states
    mixed = interventions.exchange(one, other, range(4), layers=[1])
    assert same(mixed, one) == [True, True, False, False]
    assert same(mixed, other) == [False, False, True, True]


def test_what_is_not_there_is_refused(translator, states):
    one, other = states
    with pytest.raises(IndexError):
        interventions.exchange(one, other, 4)
    with pytest.raises(IndexError):
        interventions.exchange(one, other, 0, layers=[2])
    with pytest.raises(ValueError, match="2 positions here and 1 there"):
        interventions.exchange(one, other, [0, 1], [0])


def test_write_is_greedy_decoding(translator, states):
    for text, state in zip(SOURCES, states, strict=True):
        (best,) = translator.hypotheses([text], Search(max_length=6))
        wanted = [translator.tokenizer.token(one) for one in best.tokens]
        written = interventions.write(translator, state, max_length=6)
        assert written.split() == wanted


def test_a_row_of_a_map_predicts_its_token(translator):
    pair = corpus.SentencePair(SOURCES[0], "dog ran", (), "")
    maps = interventions.attention_maps(translator, pair)
    assert maps["encoder.layers.1.self_attention"].shape == (2, 4, 4)
    cross = maps["decoder.layers.0.cross_attention"]
    assert cross.shape == (2, 3, 4)  # dog, ran, <eos>
    other = corpus.SentencePair(SOURCES[0], "cat ran", (), "")
    now = interventions.attention_maps(translator, other)
    changed = cross != now["decoder.layers.0.cross_attention"]
    assert changed.any(dim=2).tolist() == [[False, True, True]] * 2


def test_hiding_is_as_if_the_token_were_not_read(translator):
    """A hole in the mask at each step, against one for the sentence."""
    source = SOURCES[0]
    target = translator.translate([source], Search(max_length=4))[0]
    assert target  # else there is nothing to be right about
    pair = corpus.SentencePair(source, target, (), "")
    n = len(translator.tokenizer.encode(target))
    for hidden in range(4):
        right = interventions.right_without(
            translator, pair, torch.full((n,), hidden)
        )
        one_by_one = []
        for step in range(n):
            holes = torch.full((n,), (hidden + 1) % 4)
            holes[step] = hidden
            now = interventions.right_without(translator, pair, holes)
            one_by_one.append(bool(now[step]))
        assert right.tolist() == one_by_one
