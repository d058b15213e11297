"""Layers, the model, its updates and its search against the NumPy reference."""

import math

import numpy as np
import oracles
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from test_equal_numpy import (
    agree,
    different,
    either,
    equal,
    few,
    in_float64,  # noqa: F401  (used by pytest)
    leaves,
    many,
    rare,
    seeds,
    shaken,
)

from transformer_lib import checkpoint, train_state, training
from transformer_lib import numpy_reference as reference
from transformer_lib.batching import Batch
from transformer_lib.decoding import beam_search, greedy, length_penalty
from transformer_lib.evaluation import alignment_error_rate, perplexity
from transformer_lib.label_smoothing import token_loss
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.model_config import Architecture
from transformer_lib.schedule import cosine_lr, noam_lr

# ------------------------------------------------------------------ layers


@rare
@given(different(4, 4), either, either, seeds)
def test_encoder_layer(sizes, norm_first, train, seed):
    torch.manual_seed(seed)
    s, k, h, d_ff = sizes
    architecture = Architecture(
        d_model=2 * h,
        n_heads=h,
        d_ff=d_ff,
        dropout=0.0,
        norm_first=norm_first,
        d_k=k,
    )
    module = shaken(EncoderLayer(architecture), train)
    given = leaves(x=(1, s, 2 * h))
    mask = torch.rand(1, 1, s) < 0.8
    hidden = mask.numpy()[0]
    agree(
        lambda: module(given["x"], mask),
        lambda a: reference.encoder_layer(a["x"][0], a, h, norm_first, hidden)[
            None
        ],
        given | dict(module.named_parameters()),
    )


@rare
@given(different(4, 4), either, either, seeds)
def test_decoder_layer(sizes, norm_first, train, seed):
    torch.manual_seed(seed)
    s, t, h, d_ff = sizes
    d = 2 * h
    architecture = Architecture(
        d_model=d,
        n_heads=h,
        d_ff=d_ff,
        dropout=0.0,
        norm_first=norm_first,
        d_k=3,
    )
    module = shaken(DecoderLayer(architecture), train)
    given = leaves(x=(1, t, d), memory=(1, s, d))
    mask = torch.rand(1, 1, s) < 0.8

    def ours():
        nothing = module.self_attention.keys_values(given["x"][:, :0])
        memory = module.cross_attention.keys_values(given["memory"])
        return module(given["x"], nothing, memory, causal_mask(t), mask)[0]

    def theirs(a):
        x, memory = a["x"][0], a["memory"][0]
        hidden = mask.numpy()[0]
        return reference.decoder_layer(x, memory, a, h, norm_first, hidden)[
            None
        ]

    agree(ours, theirs, given | dict(module.named_parameters()))


# --------------------------------------------------------------- the model


def tiny(norm_first, tied, learned, **sizes):
    config = TransformerConfig(
        dropout=0.0,
        norm_first=norm_first,
        tie_embeddings=tied,
        learned_positions=learned,
        max_length=7,
        **sizes,
    )
    model = Transformer(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model


def sentences(b, length, vocab_size):
    """Return ids with <pad> on the right; the last row may be all <pad>."""
    ids = torch.randint(1, vocab_size, (b, length))
    for row, real in enumerate(torch.randint(0, length + 1, (b,)).tolist()):
        ids[row, real:] = 0
    return ids


@many
@given(different(4, 6), either, either, either, either, seeds)
def test_the_whole_model(sizes, norm_first, tied, learned, train, seed):
    torch.manual_seed(seed)
    s, t, b, n_layers = sizes
    h, v = 3, 9
    model = tiny(
        norm_first,
        tied,
        learned,
        vocab_size=v,
        d_model=2 * h,
        n_heads=h,
        d_ff=5,
        n_layers=min(n_layers, 3),
        d_k=4 if learned else None,
    ).train(train)
    weights = {k: p.detach().numpy() for k, p in model.named_parameters()}
    source, target = sentences(b, s, v), torch.randint(0, v, (b, t))
    arrays = (source.numpy(), target.numpy())
    wanted = reference.transformer(weights, *arrays, h, norm_first)
    equal(model(source, target), wanted)
    memory = [
        reference.encode(weights, row, h, norm_first) for row in arrays[0]
    ]
    equal(model.encode(source, padding_mask(source)), np.stack(memory))


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_the_gradient_of_the_whole_models_loss(norm_first, tied):
    torch.manual_seed(0)
    h, v = 2, 5
    sizes = {"vocab_size": v, "d_model": 4, "n_heads": h, "d_ff": 3}
    d_k = 1 if norm_first else None
    model = tiny(norm_first, tied, tied, n_layers=1, d_k=d_k, **sizes)
    source = torch.tensor([[4, 3, 2], [3, 0, 0]])
    read = torch.tensor([[1, 4], [1, 3]])
    right = torch.tensor([[4, 2], [2, 0]])

    def theirs(a):
        scores = reference.transformer(a, source, read, h, norm_first)
        return np.array(reference.token_loss(scores, right, 0.1)[0])

    agree(
        lambda: token_loss(model(source, read), right, 0.1)[0],
        theirs,
        dict(model.named_parameters()),
    )


# ------------------------------------------------------------- the updates


@many
@given(st.integers(1, 200), st.integers(1, 60), st.integers(1, 150))
def test_schedules(step, warmup, total):
    rates = [
        (noam_lr(step, 48, warmup), reference.noam_lr(step, 48, warmup)),
        (
            cosine_lr(step, 0.7, warmup, total),
            reference.cosine_lr(step, 0.7, warmup, total),
        ),
    ]
    for ours, theirs in rates:
        assert math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize("clip", [0.05, 50.0])
@pytest.mark.parametrize("schedule", ["noam", "cosine"])
def test_updates(clip, schedule):
    """Clipping and Adam, with the library's own gradient of each step."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 7, "d_model": 6, "n_heads": 3, "d_ff": 5}
    model = tiny(False, True, False, n_layers=2, **sizes)
    config = training.TrainConfig(
        steps=9, schedule=schedule, max_lr=0.01, warmup=2, max_grad_norm=clip
    )
    state = train_state.TrainState(model, train_state._adam(model), config)
    names = dict(model.named_parameters())
    first = second = {k: np.zeros(p.shape) for k, p in names.items()}
    for step in range(1, 5):
        batch = Batch(
            torch.randint(3, 7, (2, 4)),
            torch.randint(3, 7, (2, 3)),
            torch.tensor([[4, 5, 2], [6, 2, 0]]),
        )
        scores = model(batch.source, batch.target_in).float()
        total, n = token_loss(scores, batch.target_out, config.label_smoothing)
        raw = torch.autograd.grad(total / n, list(names.values()))
        before = {k: p.detach().clone().numpy() for k, p in names.items()}
        record = training.train_step(state, batch)
        short, length = reference.clip_gradients([g.numpy() for g in raw], clip)
        assert (length > clip) == (clip < 1)  # clipping is at work, or not
        assert math.isclose(record.grad_norm.item(), length, rel_tol=1e-10)
        if schedule == "noam":
            rate = reference.noam_lr(step, 6, 2)
        else:
            rate = reference.cosine_lr(step, 0.01, 2, 9)
        moved = {
            k: reference.adam_update(
                before[k], g, first[k], second[k], step, rate
            )
            for k, g in zip(names, short, strict=True)
        }
        for k, parameter in names.items():
            equal(parameter, moved[k][0])
        first = {k: m for k, (_, m, _) in moved.items()}
        second = {k: v for k, (_, _, v) in moved.items()}


@many
@given(different(3), seeds)
def test_averages(sizes, seed):
    torch.manual_seed(seed)
    n, *shape = sizes
    weights = [{"a": torch.randn(shape), "b": torch.randn(3)} for _ in range(n)]
    wanted = reference.average(
        [{k: t.numpy() for k, t in w.items()} for w in weights]
    )
    for name, mean in checkpoint.average(weights).items():
        equal(mean, wanted[name])


# -------------------------------------------------------------- the search


def writer(seed, v=5):
    """Return a model, and for each of two sentences its reference's scores."""
    torch.manual_seed(seed)
    sizes = {"vocab_size": v, "d_model": 4, "n_heads": 2, "d_ff": 3}
    model = tiny(True, False, True, n_layers=1, **sizes).eval()
    weights = {k: p.detach().numpy() for k, p in model.named_parameters()}
    source = [[4, 3, 4], [3, 0, 0]]

    def scores_after(sentence):
        def next_scores(tokens):
            return reference.transformer(
                weights, [sentence], [tokens], 2, True
            )[0, -1]

        return next_scores

    return model, torch.tensor(source), [scores_after(row) for row in source]


def same_hypotheses(ours, theirs):
    """Same sentences, same places; the library adds up in float32."""
    assert [one.tokens for one in ours] == [one.tokens for one in theirs]
    assert [one.finished for one in ours] == [one.finished for one in theirs]
    for one, two in zip(ours, theirs, strict=True):
        assert math.isclose(
            one.log_probability, two.log_probability, abs_tol=1e-5
        )


@few
@given(seeds, st.integers(1, 5))
def test_greedy(seed, max_length):
    model, source, references = writer(seed)
    wanted = [reference.greedy(scores, max_length) for scores in references]
    same_hypotheses(greedy(model, source, max_length), wanted)


@few
@given(seeds, st.integers(1, 4), st.sampled_from([0.0, 0.6, 3.0]))
def test_a_beam_of_any_width(seed, k, alpha):
    model, source, references = writer(seed)
    found = beam_search(model, source, k, alpha, max_length=4)
    for ours, scores in zip(found, references, strict=True):
        same_hypotheses(ours, reference.beam_search(scores, k, alpha, 4))


@few
@given(seeds, st.integers(1, 3), st.sampled_from([0.0, 0.6, 3.0]))
def test_a_beam_that_is_wide_enough_finds_everything(seed, length, alpha):
    model, source, references = writer(seed)
    found = beam_search(model, source, 90, alpha, length)
    for ours, scores in zip(found, references, strict=True):
        wanted = oracles.exhaustive_search(scores, alpha, length)
        assert len(wanted) == {1: 3, 2: 1 + 2 * 3, 3: 1 + 2 + 4 * 3}[length]
        same_hypotheses(ours, wanted)


@many
@given(st.integers(0, 50), st.floats(0, 3))
def test_length_penalty(length, alpha):
    ours = length_penalty(length, alpha)
    wanted = reference.length_penalty(length, alpha)
    assert math.isclose(ours, wanted, rel_tol=1e-12)


# -------------------------------------------------------------- the scores


@many
@given(st.floats(0, 20))
def test_perplexity(loss):
    ours, theirs = perplexity(loss), reference.perplexity(loss)
    assert math.isclose(ours, theirs, rel_tol=1e-12)


links = st.lists(
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3))),
    min_size=4,
    max_size=4,
)


@many
@given(links, links, links, either)
def test_alignment_error_rate(predicted, sure, possible, given_possible):
    sure[0].add((0, 0))  # nothing at all is refused
    given = [predicted, sure] + [possible] * given_possible
    ours = alignment_error_rate(*given)
    wanted = reference.alignment_error_rate(*given)
    assert math.isclose(ours, wanted, abs_tol=1e-12)
