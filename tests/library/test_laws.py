"""Laws of the formulas, for any sizes, over every implementation.

A law is written once and stands before the library's plain function, its
module on torch's fused kernel, and the NumPy reference. Laws of the whole model
are in test_model_laws.py.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from transformer_lib import attention as formula
from transformer_lib import normalization, positional
from transformer_lib import numpy_reference as reference
from transformer_lib.feed_forward import FeedForward
from transformer_lib.label_smoothing import smooth_targets
from transformer_lib.layers import EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model_config import Architecture
from transformer_lib.multi_head import KeyValues, MultiHeadAttention
from transformer_lib.special_tokens import PAD

anything = settings(
    derandomize=True,
    max_examples=12,
    deadline=None,
    phases=[Phase.generate],
)
seeds = st.integers(0, 2**31)


def close(one, other, atol=1e-10):
    assert_allclose(one, other, rtol=0, atol=atol)


def on_arrays(function):
    """Let a function of tensors take and give float64 arrays."""

    def called(*args, **options):
        tensors = [
            torch.from_numpy(a) if isinstance(a, np.ndarray) else a
            for a in args
        ]
        return function(*tensors, **options).detach().numpy()

    return called


# --------------------------------------------------------------- attention


class Problem(NamedTuple):
    query: np.ndarray  # (B, Lq, K)
    key: np.ndarray  # (B, Lk, K)
    value: np.ndarray  # (B, Lk, Dv), Dv > K
    mask: np.ndarray  # (B, Lq, Lk); some rows may hide everything


@st.composite
def problems(draw):
    n, n_queries, n_keys, d_k = (draw(st.integers(1, 5)) for _ in range(4))
    d_v = d_k + draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(seeds))
    return Problem(
        rng.normal(size=(n, n_queries, d_k)),
        rng.normal(size=(n, n_keys, d_k)),
        rng.normal(size=(n, n_keys, d_v)),
        rng.random((n, n_queries, n_keys)) < draw(st.floats(0.2, 1)),
    )


def one_head(query, key, value):
    """A module of one head whose projections change nothing."""
    d_k, d_v = query.shape[-1], value.shape[-1]
    module = MultiHeadAttention(d_v, 1, d_k).double()
    with torch.no_grad():
        module.q_proj.weight.copy_(torch.eye(d_k, d_v))
        module.out_proj.weight.copy_(torch.eye(d_v))
    x = torch.nn.functional.pad(query, (0, d_v - d_k))
    return module, x, KeyValues(key.unsqueeze(1), value.unsqueeze(1))


def module_attention(query, key, value, mask=None):
    module, x, kv = one_head(query, key, value)
    return module(x, kv, mask)


def module_weights(query, key, mask=None):
    module, x, kv = one_head(query, key, key)
    return module.attention_weights(x, kv, mask).squeeze(1)


ATTENTION = {
    "formula": on_arrays(formula.scaled_dot_product_attention),
    "module": on_arrays(module_attention),
    "reference": reference.scaled_dot_product_attention,
}
WEIGHTS = {
    "formula": on_arrays(formula.attention_weights),
    "module": on_arrays(module_weights),
    "reference": reference.attention_weights,
}
each_attention = pytest.mark.parametrize(
    "attend", ATTENTION.values(), ids=ATTENTION
)
each_weights = pytest.mark.parametrize("share", WEIGHTS.values(), ids=WEIGHTS)


@each_weights
@anything
@given(problems())
def test_rows_sum_to_one_and_hidden_keys_get_nothing(share, p):
    weights = share(p.query, p.key, p.mask)
    assert (weights >= 0).all()
    assert (weights[~p.mask] == 0).all()
    close(weights.sum(-1), p.mask.any(-1).astype(float))


@each_weights
@anything
@given(problems())
def test_the_ratio_of_two_shares_is_the_scaled_difference(share, p):
    """ln(a_j / a_0) = q . (k_j - k_0) / sqrt(d_k)."""
    weights = share(p.query, p.key)
    ratio = np.log(weights / weights[..., :1])
    difference = p.key - p.key[:, :1]
    expected = p.query @ difference.swapaxes(-1, -2)
    close(ratio, expected / math.sqrt(p.key.shape[-1]))


@each_weights
@anything
@given(problems(), st.integers(2, 4))
def test_n_copies_of_the_features_sharpen_by_the_root_of_n(share, p, n):
    query, key = (np.tile(x, n) for x in (p.query, p.key))
    sharper = p.query * math.sqrt(n)
    close(share(query, key, p.mask), share(sharper, p.key, p.mask))


@each_attention
@anything
@given(problems())
def test_a_constant_added_to_all_scores_changes_nothing(attend, p):
    """A vector u added to each key adds q . u to each score of q."""
    shifted = p.key + np.arange(p.key.shape[-1]) - 1.5
    close(
        attend(p.query, shifted, p.value, p.mask),
        attend(p.query, p.key, p.value, p.mask),
    )


@each_attention
@anything
@given(problems(), seeds)
def test_the_order_of_the_keys_does_not_matter(attend, p, seed):
    order = np.random.default_rng(seed).permutation(p.key.shape[1])
    moved = [p.key[:, order], p.value[:, order], p.mask[..., order]]
    close(attend(p.query, *moved), attend(*p))


@each_attention
@anything
@given(problems(), seeds)
def test_each_query_is_answered_by_itself(attend, p, seed):
    chosen = np.random.default_rng(seed).integers(0, p.query.shape[1], 4)
    some = attend(p.query[:, chosen], p.key, p.value, p.mask[:, chosen])
    close(some, attend(*p)[:, chosen])


@each_attention
@anything
@given(problems())
def test_each_batch_row_is_answered_by_itself(attend, p):
    alone = [attend(*(x[i : i + 1] for x in p)) for i in range(len(p.query))]
    close(np.concatenate(alone), attend(*p))


@each_attention
@anything
@given(problems(), st.integers(2, 3))
def test_saying_everything_twice_changes_nothing(attend, p, times):
    key, value = (np.tile(x, (1, times, 1)) for x in (p.key, p.value))
    mask = np.tile(p.mask, (1, 1, times))
    close(attend(p.query, key, value, mask), attend(*p))


@each_attention
@anything
@given(problems())
def test_an_answer_lies_between_the_values_it_may_see(attend, p):
    answer = attend(*p)
    for b, q in zip(*p.mask.any(-1).nonzero(), strict=True):
        seen = p.value[b, p.mask[b, q]]
        assert (answer[b, q] >= seen.min(0) - 1e-12).all()
        assert (answer[b, q] <= seen.max(0) + 1e-12).all()


@each_attention
@anything
@given(problems())
def test_a_query_that_sees_nothing_gets_zeros(attend, p):
    mask = p.mask.copy()
    mask[0, -1] = False
    answer = attend(p.query, p.key, 1e30 * p.value, mask)
    assert (answer[~mask.any(-1)] == 0).all()


@each_attention
@anything
@given(problems(), seeds)
def test_any_finite_number_may_stand_at_a_hidden_position(attend, p, seed):
    hidden = np.random.default_rng(seed).random(p.key.shape[:2]) < 0.5
    mask = p.mask & ~hidden[:, None]
    key, value = p.key.copy(), p.value.copy()
    key[hidden], value[hidden] = 1e30, -1e30
    close(
        attend(p.query, key, value, mask),
        attend(p.query, p.key, p.value, mask),
    )


@pytest.mark.parametrize("name", ["formula", "reference"])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@anything
@given(problems())
def test_the_formula_hides_even_a_key_that_is_no_number(name, bad, p):
    """Its score is replaced, not added to. (A *value* that is no number
    spoils the average on every path, because 0 times nan is nan; and the
    fused kernel adds its mask, so it needs finite keys.)"""
    key, mask = p.key.copy(), p.mask.copy()
    key[:, 0], mask[..., 0] = bad, False
    with np.errstate(invalid="ignore"):
        answer = ATTENTION[name](p.query, key, p.value, mask)
    close(answer, ATTENTION[name](p.query, p.key, p.value, mask))


@each_attention
@anything
@given(problems())
def test_a_mask_that_hides_nothing_is_no_mask(attend, p):
    everything = np.ones_like(p.mask)
    close(attend(*p[:3], everything), attend(*p[:3], None))


@each_attention
@anything
@given(problems(), st.integers(1, 6))
def test_with_a_causal_mask_the_past_does_not_know_the_future(attend, p, n):
    n = min(n, p.key.shape[1])
    query = np.resize(p.query, (*p.key.shape[:2], p.query.shape[-1]))
    whole = attend(query, p.key, p.value, causal_mask(len(query[0])).numpy())
    before = [x[:, :n] for x in (query, p.key, p.value)]
    close(attend(*before, causal_mask(n).numpy()), whole[:, :n])


@pytest.mark.parametrize("mask_of", [causal_mask, reference.causal_mask])
@anything
@given(st.integers(0, 7), st.integers(0, 7))
def test_with_more_keys_than_queries_the_queries_are_the_last(mask_of, n, more):
    mask = np.asarray(mask_of(n, n + more))
    assert (mask == np.asarray(mask_of(n + more))[more:]).all()
    for i, j in np.ndindex(mask.shape):
        assert mask[i, j] == (j <= more + i)


@anything
@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.integers(0, 5))
def test_the_padding_and_nothing_else_is_hidden(ids, pad):
    """<bos>, <eos> and <unk> are words like others."""
    expected = [[[i != pad for i in ids]]]
    assert padding_mask(torch.tensor([ids]), pad).tolist() == expected
    assert reference.padding_mask([ids], pad).tolist() == expected
    assert padding_mask(torch.tensor([ids])).tolist() == [
        [[i > 0 for i in ids]]
    ]


# -------------------------------------------------------------- multi-head


@st.composite
def heads(draw):
    n_heads, width, length = (draw(st.integers(2, 4)) for _ in range(3))
    rng = np.random.default_rng(draw(seeds))
    d_model = n_heads * width
    weights = rng.normal(size=(4, d_model, d_model))
    return rng.normal(size=(2, length, d_model)), weights, n_heads


def library_multi_head(x, memory, w_q, w_k, w_v, w_o, n_heads, mask=None):
    x, memory = torch.from_numpy(x), torch.from_numpy(memory)
    module = MultiHeadAttention(x.shape[-1], n_heads).double()
    with torch.no_grad():
        module.q_proj.weight.copy_(torch.from_numpy(w_q.T))
        module.k_proj.weight.copy_(torch.from_numpy(w_k.T))
        module.v_proj.weight.copy_(torch.from_numpy(w_v.T))
        module.out_proj.weight.copy_(torch.from_numpy(w_o.T))
        if mask is not None:
            mask = torch.from_numpy(mask)
        return module(x, module.keys_values(memory), mask).numpy()


MULTI_HEAD = {
    "library": library_multi_head,
    "reference": reference.multi_head_attention,
}
each_multi_head = pytest.mark.parametrize(
    "attend", MULTI_HEAD.values(), ids=MULTI_HEAD
)


@each_multi_head
@anything
@given(heads(), seeds)
def test_permuted_tokens_give_permuted_answers(attend, given_heads, seed):
    """The law that `view` without `transpose` breaks."""
    x, weights, n_heads = given_heads
    order = np.random.default_rng(seed).permutation(x.shape[1])
    moved = x[:, order]
    straight = attend(x, x, *weights, n_heads)
    close(attend(moved, moved, *weights, n_heads), straight[:, order])


@each_multi_head
@anything
@given(heads())
def test_a_head_has_columns_of_its_own(attend, given_heads):
    x, (w_q, w_k, w_v, _), n_heads = given_heads
    width = x.shape[-1] // n_heads
    nothing_mixed = np.eye(x.shape[-1])
    before = attend(x, x, w_q, w_k, w_v, nothing_mixed, n_heads)
    for head in range(n_heads):
        mine = slice(head * width, (head + 1) * width)
        for changed in range(3):
            w = [w_q.copy(), w_k.copy(), w_v.copy()]
            w[changed][:, mine] += 1 + w[changed][:, mine] ** 2
            after = attend(x, x, *w, nothing_mixed, n_heads)
            touched = (abs(after - before) > 1e-12).any(axis=(0, 1))
            assert touched[mine].any()
            touched[mine] = False
            assert not touched.any()


@each_multi_head
@anything
@given(heads())
def test_a_head_divides_by_the_root_of_its_own_width(attend, given_heads):
    """One head alone is attention of width d_k, not of width d_model."""
    x, (w_q, w_k, w_v, _), n_heads = given_heads
    width = x.shape[-1] // n_heads
    got = attend(x, x, w_q, w_k, w_v, np.eye(x.shape[-1]), n_heads)
    last = slice(-width, None)
    alone = [x @ w[:, last] for w in (w_q, w_k, w_v)]
    close(got[..., last], reference.scaled_dot_product_attention(*alone))


# ----------------------------------------------------------- normalization


def module_layer_norm(x, gain, bias, eps=1e-5):
    module = normalization.LayerNorm(x.shape[-1], eps).double()
    module.load_state_dict({"weight": gain, "bias": bias})
    return module(x)


LAYER_NORM = {
    "formula": on_arrays(normalization.layer_norm),
    "module": on_arrays(module_layer_norm),
    "reference": reference.layer_norm,
}
each_layer_norm = pytest.mark.parametrize(
    "norm", LAYER_NORM.values(), ids=LAYER_NORM
)


@st.composite
def rows(draw):
    n, length, width = (draw(st.integers(2, 6)) for _ in range(3))
    rng = np.random.default_rng(draw(seeds))
    x = rng.normal(size=(n, length, width + 1))
    return x, rng.normal(size=width + 1), rng.normal(size=width + 1)


@each_layer_norm
@anything
@given(rows(), st.floats(-5, 5), st.floats(0.1, 9))
def test_layer_norm_forgets_shift_and_scale(norm, given_rows, shift, scale):
    x, gain, bias = given_rows
    before = norm(x, gain, bias, eps=0.0)
    close(norm(scale * x + shift, gain, bias, eps=0.0), before, 1e-8)
    close(norm(-x, gain, -bias, eps=0.0), -before)


@each_layer_norm
@anything
@given(rows())
def test_layer_norm_gives_mean_zero_and_variance_one(norm, given_rows):
    x = given_rows[0]
    one, zero = np.ones(x.shape[-1]), np.zeros(x.shape[-1])
    y = norm(x, one, zero, eps=0.0)
    close(y.mean(-1), 0)
    close((y**2).mean(-1), 1)
    variance = x.var(-1)
    close(
        (norm(x, one, zero, eps=0.5) ** 2).mean(-1), variance / (variance + 0.5)
    )


@each_layer_norm
@anything
@given(rows())
def test_layer_norm_treats_each_token_by_itself(norm, given_rows):
    x, gain, bias = given_rows
    close(norm(x[:1, 1:2], gain, bias), norm(x, gain, bias)[:1, 1:2])


def batch_norm_module(x, gain, bias):
    module = normalization.BatchNorm(x.shape[-1]).double()
    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(gain))
        module.bias.copy_(torch.from_numpy(bias))
    return module


@anything
@given(rows())
def test_batch_norm_depends_on_companions_only_in_training(given_rows):
    x, gain, bias = given_rows
    module, x = batch_norm_module(x, gain, bias), torch.from_numpy(x)
    changed = x.clone()
    changed[1] = 2 * changed[1] + 3
    before = module(x)
    assert (abs(module(changed)[0] - before[0]) > 1e-6).any()
    module.eval()
    together, kept = module(x), module.running_mean.clone()
    assert torch.equal(module(changed)[0], together[0])
    close(module(x[:1, :1]).detach(), together[:1, :1].detach())
    assert torch.equal(module.running_mean, kept)


def module_batch_norm(x, gain, bias, eps=1e-5):
    module = normalization.BatchNorm(x.shape[-1], eps).double()
    module.load_state_dict({"weight": gain, "bias": bias}, strict=False)
    return module(x)


BATCH_NORM = {
    "formula": on_arrays(normalization.batch_norm),
    "module": on_arrays(module_batch_norm),
    "reference": reference.batch_norm,
}
each_batch_norm = pytest.mark.parametrize(
    "norm", BATCH_NORM.values(), ids=BATCH_NORM
)


@each_batch_norm
@anything
@given(rows(), seeds)
def test_batch_norm_in_training_forgets_each_features_shift_and_scale(
    norm, given_rows, seed
):
    x, gain, bias = given_rows
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.5, 2, x.shape[-1])
    shift = rng.normal(size=x.shape[-1])
    before = norm(x, gain, bias, eps=1e-12)
    close(norm(scale * x + shift, gain, bias, eps=1e-12), before, 1e-8)
    plain = (before - bias) / gain
    close(plain.mean((0, 1)), 0)
    close((plain**2).mean((0, 1)), 1, 1e-8)


@each_batch_norm
@anything
@given(rows(), seeds)
def test_batch_norm_does_not_know_the_order_of_the_tokens(
    norm, given_rows, seed
):
    x, gain, bias = given_rows
    tokens = x.reshape(-1, x.shape[-1])
    order = np.random.default_rng(seed).permutation(len(tokens))
    after = norm(tokens, gain, bias)
    close(norm(tokens[order], gain, bias), after[order])
    close(after.reshape(x.shape), norm(x, gain, bias))


@each_batch_norm
@anything
@given(rows())
def test_batch_norm_is_layer_norm_with_the_axes_turned(norm, given_rows):
    """Each feature over all tokens; layer norm each token over features."""
    x, gain, bias = given_rows
    tokens = x.reshape(-1, x.shape[-1])
    one = np.ones(len(tokens))
    turned = reference.layer_norm(tokens.T, one, 0 * one).T
    close(norm(tokens, gain, bias), gain * turned + bias)


# --------------------------------------------------------------- positions


@on_arrays
def library_positions(length, d_model):
    torch.set_default_dtype(torch.float64)
    try:
        return positional.sinusoidal_encoding(length, d_model)
    finally:
        torch.set_default_dtype(torch.float32)


POSITIONS = {
    "library": library_positions,
    "reference": reference.sinusoidal_encoding,
}
each_table = pytest.mark.parametrize("table", POSITIONS.values(), ids=POSITIONS)
widths = st.integers(1, 9).map(lambda pairs: 2 * pairs)


@each_table
@anything
@given(widths, st.integers(0, 40))
def test_a_later_position_is_a_rotation_of_each_pair(table, d_model, k):
    """PE(p + k) is PE(p) turned by the angle k / 10000^(2i/d)."""
    pe = table(60, d_model)
    for i in range(d_model // 2):
        angle = k / 10000 ** (2 * i / d_model)
        sine, cosine = pe[: 60 - k, 2 * i], pe[: 60 - k, 2 * i + 1]
        turned = [
            sine * math.cos(angle) + cosine * math.sin(angle),
            cosine * math.cos(angle) - sine * math.sin(angle),
        ]
        close(pe[k:, 2 * i : 2 * i + 2].T, turned)


@each_table
@anything
@given(widths, st.integers(1, 30))
def test_the_dot_product_of_two_positions_knows_only_their_distance(
    table, d_model, n
):
    pe = table(n, d_model)
    products = pe @ pe.T
    for offset in range(n):
        diagonal = products.diagonal(offset)
        close(diagonal, diagonal[0])
    close(products.diagonal(), d_model / 2)


@each_table
@anything
@given(widths, st.integers(0, 20), st.integers(0, 20))
def test_a_shorter_table_is_the_beginning_of_a_longer_one(
    table, d_model, length, more
):
    close(table(length, d_model), table(length + more, d_model)[:length])


# -------------------------------------- residual, feed-forward, soft targets


@pytest.mark.parametrize("train", [True, False])
@anything
@given(rows())
def test_pre_norm_with_a_silent_sublayer_is_the_identity(train, given_rows):
    x = torch.from_numpy(given_rows[0])
    x = x.reshape(1, -1, x.shape[-1])
    for norm_first in (True, False):
        architecture = Architecture(
            d_model=x.shape[-1],
            n_heads=1,
            d_ff=3,
            dropout=0.5,
            norm_first=norm_first,
            learned_positions=True,  # or d_model has to be even
        )
        layer = EncoderLayer(architecture).double()
        layer.train(train)
        torch.nn.init.zeros_(layer.self_attention.out_proj.weight)
        torch.nn.init.zeros_(layer.feed_forward.linear2.weight)
        wanted = x if norm_first else layer.norm2(layer.norm1(x))
        assert torch.equal(layer(x), wanted)
    silent = np.zeros_like
    assert (
        reference.residual_connection(
            *given_rows[:1], silent, *given_rows[1:], True
        )
        == given_rows[0]
    ).all()


@st.composite
def feed_forwards(draw):
    d_model, d_ff = draw(st.integers(1, 4)), draw(st.integers(5, 8))
    rng = np.random.default_rng(draw(seeds))
    shapes = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)]
    x = rng.normal(size=(2, 3, d_model))
    return x, *(rng.normal(size=shape) for shape in shapes)


@on_arrays
def library_feed_forward(x, w1, b1, w2, b2):
    module = FeedForward(*w1.shape).double()
    weights = (w1.T, b1, w2.T, b2)
    names = ("linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias")
    module.load_state_dict(dict(zip(names, weights, strict=True)))
    return module(x)


FEED = {"library": library_feed_forward, "reference": reference.feed_forward}
each_feed = pytest.mark.parametrize("feed", FEED.values(), ids=FEED)


@each_feed
@anything
@given(feed_forwards(), seeds)
def test_feed_forward_treats_each_position_by_itself(feed, given_all, seed):
    x, *weights = given_all
    after = feed(x, *weights)
    close(feed(x[1:, 2:], *weights), after[1:, 2:])
    order = np.random.default_rng(seed).permutation(3)
    close(feed(x[:, order], *weights), after[:, order])


@each_feed
@anything
@given(feed_forwards(), st.floats(0.1, 9))
def test_feed_forward_without_biases_stretches_with_its_input(
    feed, given_all, scale
):
    x, w1, b1, w2, b2 = given_all
    weights = (w1, 0 * b1, w2, 0 * b2)
    close(feed(scale * x, *weights), scale * feed(x, *weights))
    assert abs(feed(-x, *weights) + feed(x, *weights)).max() > 1e-9


def library_smooth_targets(targets, *args):
    return smooth_targets(torch.from_numpy(targets), *args).numpy()


SMOOTHING = {
    "library": library_smooth_targets,
    "reference": reference.smooth_targets,
}


@pytest.mark.parametrize("smooth", SMOOTHING.values(), ids=SMOOTHING)
@pytest.mark.parametrize("spread", ["all", "wrong", "wrong_words"])
@anything
@given(st.integers(3, 9), st.floats(0, 0.99), seeds)
def test_soft_targets_sum_to_one_and_treat_the_wrong_classes_alike(
    smooth, spread, n_classes, epsilon, seed
):
    targets = np.random.default_rng(seed).integers(1, n_classes, (2, 3))
    soft = smooth(targets, n_classes, epsilon, spread)
    close(soft.sum(-1), 1, 1e-6)
    right = np.take_along_axis(soft, targets[..., None], -1)[..., 0]
    ways = {"all": n_classes, "wrong": n_classes - 1}
    share = epsilon / ways.get(spread, n_classes - 2)
    close(right, 1 - epsilon + share * (spread == "all"), 1e-6)
    for row, target in zip(soft.reshape(6, -1), targets.flat, strict=True):
        wrong = [k for k in range(n_classes) if k != target]
        if spread == "wrong_words":
            assert row[PAD] == 0
            wrong.remove(PAD)
        close(row[wrong], share, 1e-6)
