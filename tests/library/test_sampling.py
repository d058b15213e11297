"""Sampling against its definition, and against what it draws."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from toy_language.corpus import toy_splits
from transformer_lib.decoding import (
    beam_search,
    greedy,
    sample,
    sampling_probabilities,
)
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.search import Sampling, Search
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.translator import Translator

SOURCE = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0], [10, 0, 0, 0]])
anything = settings(derandomize=True, max_examples=60, deadline=None)
logits = st.lists(
    st.integers(-40, 40).map(lambda n: n / 8), min_size=2, max_size=9
).map(lambda z: torch.tensor(z, dtype=torch.float64))
temperatures = st.sampled_from([0.3, 1.0, 2.5])


def model(vocab_size=12):
    """A small model with weights large enough to have opinions."""
    torch.manual_seed(3)
    config = TransformerConfig(
        vocab_size, d_model=12, n_heads=3, d_ff=20, n_layers=2, max_length=9
    )
    made = Transformer(config).double().eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.3)
    return made


def seeded(seed):
    return torch.Generator().manual_seed(seed)


# ---------------------------------------------------------- probabilities


@anything
@given(logits, temperatures, st.integers(1, 12), st.floats(0.05, 1))
def test_what_is_kept_keeps_its_proportions(z, temperature, k, top_p):
    """Equation: p_i / p_j = e^((z_i - z_j) / T), and they sum to 1."""
    p = sampling_probabilities(z, temperature, k, top_p)
    assert p.sum().item() == pytest.approx(1)
    kept = p > 0
    ratios = (p[kept] / p[kept][0]).log()
    torch.testing.assert_close(ratios, (z[kept] - z[kept][0]) / temperature)
    if not kept.all():
        assert z[kept].min() >= z[~kept].max()


@anything
@given(logits, temperatures, st.integers(1, 12))
def test_top_k_keeps_k_also_where_some_are_equal(z, temperature, k):
    p = sampling_probabilities(z, temperature, top_k=k)
    assert (p > 0).sum() == min(k, len(z))


@anything
@given(logits, temperatures, st.floats(0.05, 0.99))
def test_top_p_keeps_the_smallest_set_with_that_probability(
    z, temperature, top_p
):
    kept = sampling_probabilities(z, temperature, top_p=top_p) > 0
    p = (z / temperature).softmax(0)[kept]
    assert p.sum() >= top_p - 1e-12
    assert p.sum() - p.min() < top_p + 1e-12


def test_top_p_counts_in_what_top_k_has_left():
    """Of .5, .25, .15, .1 two are left, 2/3 and 1/3: .6 keeps the first."""
    z = torch.tensor([0.15, 0.5, 0.1, 0.25]).log()
    assert sampling_probabilities(z, top_p=0.6).count_nonzero() == 2
    found = sampling_probabilities(z, top_k=2, top_p=0.6)
    torch.testing.assert_close(found, torch.eye(4, dtype=torch.float64)[1])


def test_as_the_book_computes_it_by_hand():
    """Chapter 14: logits 2, 1 and 0 at three temperatures."""
    z = torch.tensor([2.0, 1.0, 0.0])
    for temperature, wanted in [
        (1.0, [0.665, 0.245, 0.090]),
        (0.5, [0.867, 0.117, 0.016]),
        (2.0, [0.506, 0.307, 0.186]),
    ]:
        found = sampling_probabilities(z, temperature)
        assert found.tolist() == pytest.approx(wanted, abs=6e-4)


@pytest.mark.parametrize("temperature", [1e-3, 5e-324])
def test_a_temperature_towards_0_takes_the_largest(temperature):
    z = torch.tensor([[1.0, 3.0, -math.inf, 2.9], [0.0, -7.0, 5.0, -math.inf]])
    wanted = torch.eye(4, dtype=torch.float64)[[1, 2]]
    torch.testing.assert_close(sampling_probabilities(z, temperature), wanted)


def test_what_is_forbidden_stays_so_and_what_comes_is_not_changed():
    z = torch.tensor([[-math.inf, 0.5, -math.inf, 0.1]])
    before = z.clone()
    found = sampling_probabilities(z, 50.0, top_k=3, top_p=0.999)
    assert found[0, [0, 2]].tolist() == [0, 0] and found[0, 3] > 0.4
    assert torch.equal(z, before)


# ------------------------------------------------------------------ sample


@pytest.mark.parametrize(
    "sure", [{"temperature": 1e-9}, {"top_k": 1}, {"top_p": 1e-9}]
)
def test_where_one_token_is_left_sampling_is_greedy(sure):
    made = model()
    assert sample(made, SOURCE, **sure) == greedy(made, SOURCE)


@pytest.mark.parametrize(
    "given_", [{}, {"temperature": 1.7}, {"top_k": 3}, {"top_p": 0.6}]
)
def test_sentences_are_as_frequent_as_they_are_probable(given_):
    """20,000 draws of two tokens, against the product of probabilities."""
    made, n = model(vocab_size=7), 20_000
    source = SOURCE[:1].clamp(max=6)

    def next_p(beginning):
        read = torch.tensor([[BOS, *beginning]])
        z = made(source, read)[0, -1]
        z[[PAD, BOS]] = -math.inf
        return sampling_probabilities(z, **given_).tolist()

    wanted = {}
    with torch.no_grad():
        for token, p in enumerate(next_p(())):
            if token == EOS:
                wanted[()] = p
            elif p > 0:
                for other, q in enumerate(next_p((token,))):
                    tokens = (token,) if other == EOS else (token, other)
                    wanted[tokens] = p * q
    found = sample(
        made, source.expand(n, -1), max_length=2, generator=seeded(0), **given_
    )
    counts = Counter(tuple(one.tokens) for one in found)
    assert set(counts) <= {tokens for tokens, p in wanted.items() if p > 0}
    for tokens, p in wanted.items():
        spread = math.sqrt(p * (1 - p) / n)
        assert abs(counts[tokens] / n - p) < 4.5 * spread + 1e-9, tokens


def test_a_seed_gives_the_same_sentences_again():
    made, many = model(), SOURCE[:1].expand(20, -1)
    first, again, other = (
        sample(made, many, generator=seeded(seed)) for seed in (1, 1, 2)
    )
    assert first == again != other
    torch.manual_seed(1)
    ours = sample(made, many)
    torch.manual_seed(1)
    assert ours == sample(made, many) != sample(made, many)


def test_two_sentences_that_are_alike_draw_different_numbers():
    many = SOURCE[:1].expand(20, -1)
    found = sample(model(), many, generator=seeded(4))
    assert len({str(one.tokens) for one in found}) > 10


def test_a_companion_that_ends_changes_nothing(monkeypatch):
    """The smallest number draws <eos>, so that the first row leaves."""

    def drawn(first):
        numbers = torch.tensor([[first], [0.4], [0.9]], dtype=torch.float64)
        monkeypatch.setattr(torch, "rand", lambda *shape, **more: numbers)
        return sample(model(), SOURCE)

    ends, goes_on = drawn(0.0), drawn(0.6)
    assert ends[0].tokens == [] != goes_on[0].tokens
    assert ends[1:] == goes_on[1:]
    assert min(len(one.tokens) for one in ends[1:]) > 1


@pytest.mark.parametrize("draw", [0.0, 1 - 2**-53])
def test_the_ends_of_what_can_be_drawn_are_tokens_that_may_follow(
    monkeypatch, draw
):
    def constant(*shape, dtype, generator, device):
        return torch.full(shape, draw, dtype=dtype, device=device)

    monkeypatch.setattr(torch, "rand", constant)
    for one in sample(model(), SOURCE, top_k=3, max_length=1):
        assert one.log_probability > -math.inf
        assert not {PAD, BOS} & set(one.tokens)


def test_the_score_is_the_models_own_at_temperature_1():
    made = model()
    found = sample(made, SOURCE, 3.0, 9, 0.9, generator=seeded(5))
    for source, one in zip(SOURCE, found, strict=True):
        said = [*one.tokens, *[EOS] * one.finished]
        read = torch.tensor([[BOS, *said[:-1]]])
        with torch.no_grad():
            log_p = made(source[None], read)[0].log_softmax(-1)
        own = log_p[torch.arange(len(said)), said].sum().item()
        assert one.log_probability == pytest.approx(own, abs=1e-10)


def test_a_draw_is_never_padding_nor_a_beginning():
    made = model()
    many = SOURCE.repeat(50, 1)
    found = sample(made, many, 1e6, generator=seeded(6))
    written = Counter(token for one in found for token in one.tokens)
    assert set(written) == set(range(12)) - {PAD, BOS, EOS}


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        (ValueError, {"temperature": 0}, "temperature=0; .* above 0"),
        (ValueError, {"temperature": -1.0}, "temperature=-1.0"),
        (ValueError, {"temperature": math.nan}, "temperature=nan"),
        (ValueError, {"temperature": math.inf}, "temperature=inf"),
        (TypeError, {"temperature": "1"}, "temperature='1'"),
        (ValueError, {"top_k": 0}, "top_k=0; choose 1 or more"),
        (TypeError, {"top_k": 2.0}, "top_k=2.0; give a whole number"),
        (ValueError, {"top_p": 0.0}, "top_p=0.0"),
        (ValueError, {"top_p": 1.5}, "top_p=1.5; choose 0 < top_p <= 1"),
        (ValueError, {"top_p": math.nan}, "top_p=nan"),
        (ValueError, {"max_length": 10}, "max_length=10"),
    ],
)
def test_bad_values_are_refused_before_the_work_begins(
    plain, kind, changes, says
):
    library, read = plain("model"), []
    made = library.Transformer(
        library.TransformerConfig(12, d_model=8, n_layers=1, max_length=9)
    )
    made.encoder.register_forward_hook(lambda *it: read.append(it))
    with pytest.raises(kind, match=says):
        plain("decoding").sample(made, SOURCE, **changes)
    assert read == []


# -------------------------------------------------------------- translator


def test_the_penalty_reaches_the_search():
    shipped = Translator.shipped()
    pairs = toy_splits("small", n_train=1)["length"][-10:]
    sources = [pair.source for pair in pairs]
    short, long = (
        shipped.hypotheses(sources, Search(beam_size=4, alpha=alpha))
        for alpha in (0.0, 5.0)
    )
    assert sum(len(h.tokens) for h in short) < sum(len(h.tokens) for h in long)
    ids = torch.tensor([shipped.tokenizer.encode(sources[0])])
    alone = beam_search(shipped.model, ids, 4, 0.0)[0][0]
    assert short[0].tokens == alone.tokens


def test_the_translator_samples_in_the_order_given():
    shipped = Translator.shipped()
    sentences = ["the dog chased the cat .", "", "the boy who slept ran ."]
    sure = shipped.explain(sentences, Sampling(top_k=1, batch_size=2))
    assert sure == shipped.explain(sentences)
    assert sure[1].tokens == []
    drawn, again = (
        shipped.explain(
            sentences, Sampling(temperature=1.5, generator=seeded(7))
        )
        for _ in range(2)
    )
    assert drawn == again != sure
