"""An Apple GPU has no float64: nothing asks for one there.

There was none to try. `AppleGpu` plays one on the CPU.
"""

from dataclasses import replace

import pytest
import torch
from apple_gpu import AppleGpu
from test_model import TINY
from test_training import CONFIG, MODEL, reversal_pairs

from transformer_lib.checkpoint import average
from transformer_lib.decoding import (
    beam_search,
    greedy,
    length_penalty,
    sample,
    sampling_probabilities,
)
from transformer_lib.model import Transformer
from transformer_lib.multi_head import record_attention
from transformer_lib.positional import sinusoidal_encoding
from transformer_lib.precision import finest
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train
from transformer_lib.translator import SHIPPED, Translator

SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])
TARGET = torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])


@pytest.fixture
def apple():
    with AppleGpu():
        yield "mps"


def built(seed=0):
    torch.manual_seed(seed)
    return Transformer(TINY).eval()


def test_float64_is_refused_there(apple):
    there = torch.ones(2, device=apple)
    assert (there + 1).device.type == apple
    assert there.cpu().double().dtype == torch.float64
    for make in (there.double, lambda: torch.ones(2).double().to(apple)):
        with pytest.raises(TypeError, match="no float64"):
            make()


def test_only_there_numbers_are_shorter(apple):
    assert finest(apple) == finest(torch.device("mps:0")) == torch.float32
    assert finest("cpu") == finest("meta") == torch.float64


@pytest.mark.parametrize("way", ["built", "brought"])
def test_a_model_there_says_what_it_says_here(apple, way):
    here = built()
    with torch.device(apple if way == "built" else "cpu"):
        there = built()
    there.to(apple)
    assert torch.equal(there.positions.pe.cpu(), here.positions.pe)
    with record_attention(there) as maps:
        scores = there(SOURCE.to(apple), TARGET.to(apple))
    assert scores.device.type == maps.popitem()[1].device.type == apple
    torch.testing.assert_close(scores.cpu(), here(SOURCE, TARGET))


def test_sines_are_those_of_float64(apple):
    """In float32 an angle of 500 would have lost two digits."""
    with torch.device(apple):
        there = sinusoidal_encoding(500, 8)
    assert there.device.type == apple
    assert torch.equal(there.cpu(), sinusoidal_encoding(500, 8))


def test_it_learns_there(apple):
    steps = replace(CONFIG, steps=3)
    runs = []
    for device in ("cpu", apple):
        state = TrainState.create(MODEL, steps, device)
        runs.append([float(s.loss) for s in train(state, reversal_pairs())])
        runs[-1].append(evaluate(state.model, reversal_pairs()))
    assert runs[1] == pytest.approx(runs[0], rel=1e-5)


def test_searches_find_there_what_they_find_here(apple):
    here, there = built(), built().to(apple)
    for search in (greedy, beam_search):
        wanted = search(here, SOURCE, max_length=9)
        found = search(there, SOURCE.to(apple), max_length=9)
        if search is beam_search:
            wanted, found = sum(wanted, []), sum(found, [])
        assert [h.tokens for h in found] == [h.tokens for h in wanted]
        scores = [h.log_probability for h in wanted]
        assert [h.log_probability for h in found] == pytest.approx(scores)


def test_samples_are_drawn_there(apple):
    logits = torch.randn(5, 23)
    there = sampling_probabilities(logits.to(apple), 0.7, 9, 0.9)
    here = sampling_probabilities(logits, 0.7, 9, 0.9)
    assert (here.dtype, there.dtype) == (torch.float64, torch.float32)
    torch.testing.assert_close(there.cpu().double(), here)
    model, sentences = built().to(apple), SOURCE.to(apple)
    drawn = [
        sample(model, sentences, generator=torch.Generator().manual_seed(seed))
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_penalty_that_float32_cannot_hold_is_refused_there(apple):
    """Divided by infinity, all hypotheses would be alike."""
    alpha = 80.0
    assert length_penalty(TINY.max_length, alpha) > 1e38
    beam_search(built(), SOURCE, alpha=alpha)
    with pytest.raises(ValueError, match="alpha=80.0 .* numbers of mps end"):
        beam_search(built().to(apple), SOURCE.to(apple), alpha=alpha)


def test_the_shipped_translator_runs_there(apple):
    sentences = ["the dog slept .", "", "did the girl read a book ?"]
    found = Translator.load(SHIPPED, apple).explain(sentences)
    wanted = Translator.load(SHIPPED).explain(sentences)
    for one, other in zip(found, wanted, strict=True):
        assert one._replace(confidence=0) == other._replace(confidence=0)
        assert one.confidence == pytest.approx(other.confidence)


def test_the_mean_of_checkpoints_is_made_there(apple):
    here = [built(seed).state_dict() for seed in (1, 2)]
    there = [built(seed).to(apple).state_dict() for seed in (1, 2)]
    wanted, found = average(here), average(there)
    for key, mean in found.items():
        torch.testing.assert_close(mean.cpu(), wanted[key])
