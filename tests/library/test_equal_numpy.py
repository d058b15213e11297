"""Each formula and module against its NumPy reference: values and gradients.

The reference shares no line and no library with what it is compared to. Values
agree to 1e-10. Gradients are compared with central differences of the
reference, to 1e-6 of the largest (its rounding allows no more).
"""

import math

import numpy as np
import oracles
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from transformer_lib import numpy_reference as reference
from transformer_lib.attention import (
    attention_weights,
    scaled_dot_product_attention,
)
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.feed_forward import FeedForward
from transformer_lib.label_smoothing import smooth_targets, token_loss
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.multi_head import MultiHeadAttention
from transformer_lib.normalization import (
    BatchNorm,
    LayerNorm,
    batch_norm,
    layer_norm,
)
from transformer_lib.positional import PositionalEncoding, sinusoidal_encoding

few = settings(max_examples=6, derandomize=True, deadline=None)
many = settings(max_examples=25, derandomize=True, deadline=None)
either = st.booleans()
rare = settings(max_examples=3, derandomize=True, deadline=None)
seeds = st.integers(0, 2**32 - 1)


def different(n, largest=5):
    """Return n sizes from 1 on, no two alike."""
    sizes = st.permutations(range(1, largest + 1))
    return sizes.map(lambda numbers: numbers[:n])


@pytest.fixture(autouse=True, scope="module")
def in_float64():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def equal(ours, theirs):
    ours = ours.detach().numpy()
    assert ours.shape == np.shape(theirs)
    assert_allclose(ours, theirs, rtol=0, atol=1e-10)


def agree(ours, theirs, leaves):
    """Compare value and slopes of ours() and theirs(arrays).

    ``leaves`` are the tensors, by name, that ours is made of; theirs takes
    arrays of the same names.
    """
    out = ours()
    arrays = {name: leaf.detach().numpy() for name, leaf in leaves.items()}
    equal(out, theirs(arrays))
    pull = np.random.default_rng(0).normal(size=out.shape)
    total = (out * torch.tensor(pull)).sum()
    slopes = torch.autograd.grad(total, list(leaves.values()))
    for (name, array), slope in zip(arrays.items(), slopes, strict=True):

        def moved(x, name=name):
            return float((theirs(arrays | {name: x}) * pull).sum())

        tried = oracles.finite_difference(moved, array)
        largest = max(1.0, abs(tried).max(initial=0.0))
        assert_allclose(
            slope.numpy(), tried, rtol=0, atol=1e-6 * largest, err_msg=name
        )


def leaves(**shapes):
    """Return random tensors, by name, whose slopes are wanted."""
    return {
        name: torch.randn(shape, requires_grad=True)
        for name, shape in shapes.items()
    }


def shaken(module, train=False):
    """Give all parameters random values: no zero bias, no gain of one."""
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter)
    return module.train(train)


def some_mask(*shape):
    """Return a mask of a few False, with a row that sees nothing."""
    mask = torch.rand(shape) < 0.7
    mask[..., -1, :] = False
    return mask


# --------------------------------------------------------------- attention


@few
@given(different(5), either, seeds)
def test_attention(sizes, masked, seed):
    torch.manual_seed(seed)
    b, n, m, k, v = sizes
    given = leaves(query=(b, n, k), key=(b, m, k), value=(b, m, v))
    mask = some_mask(b, n, m) if masked else None
    hidden = mask.numpy() if masked else None

    def theirs(a):
        return reference.scaled_dot_product_attention(*a.values(), hidden)

    agree(
        lambda: scaled_dot_product_attention(*given.values(), mask),
        theirs,
        given,
    )
    del given["value"]
    agree(
        lambda: attention_weights(*given.values(), mask),
        lambda a: reference.attention_weights(*a.values(), hidden),
        given,
    )


@many
@given(different(4), st.integers(0, 4), seeds)
def test_attention_whose_mask_stretches(sizes, kind, seed):
    torch.manual_seed(seed)
    b, n, m, k = sizes
    query, key = torch.randn(b, n, k), torch.randn(b, m, k)
    shapes = [(1, m), (n, m), (1, 1, m), (1, n, m), (b, 1, m)]
    mask = torch.rand(shapes[kind]) < 0.7
    arrays = (query.numpy(), key.numpy(), mask.numpy())
    equal(
        attention_weights(query, key, mask),
        reference.attention_weights(*arrays),
    )


def heads_by_name(a, x, y, n_heads, mask=None):
    """Call the reference with the weights of a `MultiHeadAttention`."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return reference.multi_head_attention(
        x,
        y,
        *[a[f"{name}.weight"].T for name in names],
        n_heads,
        mask,
        *[a[f"{name}.bias"] for name in names],
    )


@few
@given(different(5, 5), st.sampled_from(["none", "own", "row"]), either, seeds)
def test_multi_head_attention(sizes, masked, train, seed):
    torch.manual_seed(seed)
    b, n, m, k, h = sizes
    d = 2 * h
    module = shaken(MultiHeadAttention(d, h, d_k=k), train)
    given = leaves(x=(b, n, d), y=(b, m, d))
    mask = {"none": None, "own": some_mask(b, n, m), "row": some_mask(b, 1, m)}
    mask = mask[masked]
    hidden = None if mask is None else mask.numpy()
    agree(
        lambda: module(given["x"], module.keys_values(given["y"]), mask),
        lambda a: heads_by_name(a, a["x"], a["y"], h, hidden),
        given | dict(module.named_parameters()),
    )


@many
@given(different(4), seeds)
def test_the_weights_of_each_head(sizes, seed):
    torch.manual_seed(seed)
    b, n, m, h = sizes
    module = shaken(MultiHeadAttention(3 * h, h))
    x, y = torch.randn(b, n, 3 * h), torch.randn(b, m, 3 * h)
    heads = zip(
        reference.split_heads(module.q_proj(x).detach().numpy(), h),
        reference.split_heads(module.k_proj(y).detach().numpy(), h),
        strict=True,
    )
    wanted = [reference.attention_weights(q, k) for q, k in heads]
    ours = module.attention_weights(x, module.keys_values(y))
    equal(ours, np.stack(wanted, axis=1))


@many
@given(st.integers(0, 6), st.integers(0, 6), seeds)
def test_masks(n, more, seed):
    equal(causal_mask(n, n + more), reference.causal_mask(n, n + more))
    equal(causal_mask(n), reference.causal_mask(n))
    torch.manual_seed(seed)
    ids = torch.randint(0, 3, (n + 1, more + 2))
    equal(padding_mask(ids), reference.padding_mask(ids.numpy()))
    equal(padding_mask(ids, pad=2), reference.padding_mask(ids.numpy(), pad=2))


# ------------------------------------------------------------------- norms


@few
@given(different(3), st.sampled_from([1e-5, 0.3]), either, seeds)
def test_layer_norm(sizes, eps, train, seed):
    torch.manual_seed(seed)
    *before, d = sizes
    given = leaves(x=(*before, d), weight=(d,), bias=(d,))

    def theirs(a):
        return reference.layer_norm(a["x"], a["weight"], a["bias"], eps)

    agree(lambda: layer_norm(*given.values(), eps), theirs, given)
    module = shaken(LayerNorm(d, eps), train)
    inside = {"x": given["x"]} | dict(module.named_parameters())
    agree(lambda: module(given["x"]), theirs, inside)


@few
@given(different(3), st.sampled_from([1e-5, 0.3]), either, seeds)
def test_batch_norm(sizes, eps, own, seed):
    torch.manual_seed(seed)
    *before, d = sizes  # of two different sizes one is more than 1
    given = leaves(x=(*before, d), weight=(d,), bias=(d,))
    if not own:
        given |= leaves(mean=(d,))
        given["var"] = torch.rand(d, requires_grad=True)
    ours = [*given.values()]
    ours.insert(3, eps)

    def theirs(a):
        arrays = [*a.values()]
        arrays.insert(3, eps)
        return reference.batch_norm(*arrays)

    agree(lambda: batch_norm(*ours), theirs, given)


@few
@given(different(3), either, st.sampled_from([0.1, 0.7]), seeds)
def test_the_module_of_batch_norm(sizes, train, momentum, seed):
    torch.manual_seed(seed)
    *before, d = sizes
    module = shaken(BatchNorm(d, momentum=momentum), train=True)
    mean, variance = np.zeros(d), np.ones(d)
    for _ in range(3):
        batch = torch.randn(*before, d)
        module(batch)
        mean, variance = oracles.running_statistics(
            batch.numpy(), mean, variance, momentum
        )
        equal(module.running_mean, mean)
        equal(module.running_var, variance)
    module.train(train)
    own = {} if train else {"mean": mean, "var": variance}
    x = torch.randn(*before, d, requires_grad=True)
    agree(
        lambda: module(x),
        lambda a: reference.batch_norm(a["x"], a["weight"], a["bias"], **own),
        {"x": x} | dict(module.named_parameters()),
    )


# ------------------------------------------------------------- each token


@few
@given(different(4), either, seeds)
def test_feed_forward(sizes, train, seed):
    torch.manual_seed(seed)
    *before, d, d_ff = sizes
    module = shaken(FeedForward(d, d_ff), train)
    x = torch.randn(*before, d, requires_grad=True)

    def theirs(a):
        w1, w2 = a["linear1.weight"].T, a["linear2.weight"].T
        return reference.feed_forward(
            a["x"], w1, a["linear1.bias"], w2, a["linear2.bias"]
        )

    agree(lambda: module(x), theirs, {"x": x} | dict(module.named_parameters()))


@few
@given(different(4), seeds)
def test_embedding_and_logits(sizes, seed):
    torch.manual_seed(seed)
    *before, v, d = sizes
    module = shaken(TokenEmbedding(v, d))
    ids = torch.randint(0, v, before)
    agree(
        lambda: module(ids),
        lambda a: reference.token_embedding(ids.numpy(), a["weight"]),
        dict(module.named_parameters()),
    )
    x = torch.randn(*before, d, requires_grad=True)
    agree(
        lambda: module.logits(x),
        lambda a: reference.logits(a["x"], a["weight"]),
        {"x": x} | dict(module.named_parameters()),
    )


@many
@given(st.integers(0, 40), st.integers(1, 9), seeds)
def test_positions(length, pairs, seed):
    d = 2 * pairs
    table = reference.sinusoidal_encoding(length + 3, d)
    equal(sinusoidal_encoding(length + 3, d), table)
    torch.manual_seed(seed)
    module = PositionalEncoding(d, length + 3, 0.0)
    x = torch.randn(2, 3, d)
    equal(module(x, start=length), x.numpy() + table[length:])


# -------------------------------------------------------------------- loss


@many
@given(
    different(2),
    st.integers(3, 9),
    st.sampled_from(["all", "wrong", "wrong_words"]),
    st.floats(0, 0.99),
    seeds,
)
def test_smooth_targets(sizes, v, spread, epsilon, seed):
    torch.manual_seed(seed)
    targets = torch.randint(1, v, sizes)
    for pad in (0, v - 1):
        kept = targets.clamp(1, v - 2)
        theirs = reference.smooth_targets(kept.numpy(), v, epsilon, spread, pad)
        equal(smooth_targets(kept, v, epsilon, spread, pad), theirs)


@few
@given(different(2), st.integers(2, 7), st.sampled_from([0.0, 0.1]), seeds)
def test_token_loss(sizes, v, epsilon, seed):
    torch.manual_seed(seed)
    given = leaves(logits=(*sizes, v))
    targets = torch.randint(0, v, sizes)
    for pad in (0, 1):
        wanted, count = reference.token_loss(
            given["logits"].detach().numpy(), targets.numpy(), epsilon, pad
        )
        total, n = token_loss(given["logits"], targets, epsilon, pad)
        assert int(n) == count
        assert math.isclose(total.item(), wanted, abs_tol=1e-10)

    def theirs(a):
        return np.array(reference.token_loss(a["logits"], targets, epsilon)[0])

    agree(
        lambda: token_loss(given["logits"], targets, epsilon)[0],
        theirs,
        given,
    )
