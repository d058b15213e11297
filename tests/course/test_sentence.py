"""The cover's sentence, followed through the translator."""

import pytest
import torch

from transformer_course import sentence
from transformer_lib.special_tokens import EOS


@pytest.fixture(scope="module")
def way():
    torch.set_num_threads(1)
    return sentence.follow()


def test_the_tokens_are_those_that_are_translated(way):
    translation = way.translator.hypotheses([sentence.ENGLISH])[0]
    logp = way["logits"].log_softmax(dim=-1)
    asked = torch.tensor([*translation.tokens, EOS])  # the end mark
    score = logp[range(len(asked)), asked].sum().item()
    assert score == pytest.approx(translation.log_probability, abs=1e-3)


def test_a_token_is_found_in_either_sentence(way):
    assert way.english[way.at("deep")] == "deep"
    assert way.korean[way.at("고양이")] == "고양이"
    with pytest.raises(ValueError, match="'dog' is in neither"):
        way.at("dog")


def test_the_strongest_are_named_in_their_order(way):
    weights = torch.zeros(len(way.english))
    weights[way.at("river")], weights[way.at("cat")] = 0.75, 0.25
    assert way.strongest(weights, n=2) == "river 0.75, cat 0.25"
