"""Greedy decoding against the definition, step by step, without a cache."""

import pytest
import torch
from test_model import TINY, model

from transformer_lib.decoding import greedy
from transformer_lib.tokenizer import BOS, EOS, PAD

SOURCE = torch.tensor(
    [[4, 5, 6, 7, 8], [9, 10, 11, 0, 0], [12, 13, 0, 0, 0], [14, 0, 0, 0, 0]]
)


def by_definition(transformer, source, max_length):
    """Score the whole prefix again for each word; one sentence."""
    tokens, score = [], 0.0
    while len(tokens) < max_length:
        prefix = torch.tensor([[BOS, *tokens]])
        log_p = transformer(source, prefix)[0, -1].log_softmax(-1)
        best = int(log_p.argmax())
        score += log_p[best].item()
        if best == EOS:
            return tokens, score, True
        tokens.append(best)
    return tokens, score, False


def test_a_padding_token_that_is_written_is_kept_and_scored(writer):
    """A model may give <pad> the highest score; the tokens say so."""
    with torch.no_grad():
        writer.output.table[PAD] = writer.output.table[EOS] * 2
        writer.output.table[EOS] *= 0.1
    found = greedy(writer, SOURCE, 5)
    assert any(PAD in h.tokens for h in found)
    for row, h in enumerate(found):
        said = [*h.tokens, EOS][:5]
        read = torch.tensor([[BOS, *said[:-1]]])
        log_p = writer(SOURCE[row : row + 1], read)[0].log_softmax(-1)
        own = log_p[torch.arange(len(said)), torch.tensor(said)].sum()
        assert h.log_probability == pytest.approx(own.item(), abs=1e-3)


@pytest.fixture
def writer():
    """A model that ends its sentences at different lengths."""
    made = model(norm_first=True)
    with torch.no_grad():
        made.output.table[EOS] *= 3
    return made


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_equals_the_definition_for_each_sentence(writer, order):
    """Whichever sentence of the batch is finished first."""
    sources = SOURCE[order]
    found = greedy(writer, sources, max_length=9)
    for source, hypothesis in zip(sources, found, strict=True):
        tokens, score, finished = by_definition(
            writer, source[source != 0].unsqueeze(0), 9
        )
        assert hypothesis.tokens == tokens
        assert hypothesis.log_probability == pytest.approx(score, abs=1e-4)
        assert hypothesis.finished == finished
    assert len({len(h.tokens) for h in found}) > 1


def test_the_score_is_the_models_own_log_probability(writer):
    for row, hypothesis in enumerate(greedy(writer, SOURCE, 9)):
        said = [*hypothesis.tokens, EOS][:9]
        read = torch.tensor([[BOS, *said[:-1]]])
        log_p = writer(SOURCE[row : row + 1], read)[0].log_softmax(-1)
        own = log_p[torch.arange(len(said)), torch.tensor(said)].sum()
        assert hypothesis.log_probability == pytest.approx(own.item(), abs=1e-4)


def test_max_length_cuts(writer):
    for hypothesis in greedy(writer, SOURCE, 1):
        assert len(hypothesis.tokens) + hypothesis.finished == 1


def test_the_limit_of_the_model_can_be_used_up(writer):
    with torch.no_grad():
        writer.output.table[EOS] = 0
        writer.output.table[EOS, 0] = -1e6 * writer.decoder.norm.bias[0].sign()
    lengths = {len(h.tokens) for h in greedy(writer, SOURCE)}
    assert lengths <= {TINY.max_length, *range(TINY.max_length)}
    with pytest.raises(ValueError, match="writes 1 to 16 tokens"):
        greedy(writer, SOURCE, TINY.max_length + 1)
