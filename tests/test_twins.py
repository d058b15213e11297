"""Each formula and module against its NumPy twin: values and gradients.

The twin shares no line and no library with what it is compared to. Values
agree to 1e-10. The gradient's witness is the twin too: its own values, a
little to the left and to the right, give the slope that autograd must find,
to 1e-6 of the largest slope (the twin's rounding allows no more).
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from transformer_lib import numpy_reference as twin
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
from transformer_lib.residual import ResidualConnection

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

        tried = twin.finite_difference(moved, array)
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
        return twin.scaled_dot_product_attention(*a.values(), hidden)

    agree(
        lambda: scaled_dot_product_attention(*given.values(), mask),
        theirs,
        given,
    )
    del given["value"]
    agree(
        lambda: attention_weights(*given.values(), mask),
        lambda a: twin.attention_weights(*a.values(), hidden),
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
    equal(attention_weights(query, key, mask), twin.attention_weights(*arrays))


@many
@given(different(5), either, seeds)
def test_the_gradient_of_attention_written_out(sizes, masked, seed):
    torch.manual_seed(seed)
    b, n, m, k, v = sizes
    given = leaves(query=(b, n, k), key=(b, m, k), value=(b, m, v)).values()
    mask = some_mask(b, n, m) if masked else None
    out = scaled_dot_product_attention(*given, mask)
    pull = torch.randn_like(out)
    wanted = twin.attention_gradient(
        *[x.detach().numpy() for x in (*given, pull)],
        mask.numpy() if masked else None,
    )
    for slope, their in zip(
        torch.autograd.grad(out, list(given), pull), wanted, strict=True
    ):
        equal(slope, their)


def heads_by_name(a, x, read, n_heads, mask=None):
    """Call the twin with the weights of a `MultiHeadAttention`."""
    n_keys = len(a["query.bias"])
    both, b_both = a["key_value.weight"], a["key_value.bias"]
    weights = (a["query.weight"], both[:n_keys], both[n_keys:])
    return twin.multi_head_attention(
        x,
        read,
        *[w.T for w in weights],
        a["output.weight"].T,
        n_heads,
        mask,
        a["query.bias"],
        b_both[:n_keys],
        b_both[n_keys:],
        a["output.bias"],
    )


@few
@given(different(5, 5), st.sampled_from(["none", "own", "row"]), either, seeds)
def test_multi_head_attention(sizes, masked, train, seed):
    torch.manual_seed(seed)
    b, n, m, k, h = sizes
    d = 2 * h
    module = shaken(MultiHeadAttention(d, h, d_k=k), train)
    given = leaves(x=(b, n, d), read=(b, m, d))
    mask = {"none": None, "own": some_mask(b, n, m), "row": some_mask(b, 1, m)}
    mask = mask[masked]
    hidden = None if mask is None else mask.numpy()
    agree(
        lambda: module(given["x"], module.keys_values(given["read"]), mask),
        lambda a: heads_by_name(a, a["x"], a["read"], h, hidden),
        given | dict(module.named_parameters()),
    )


@many
@given(different(4), seeds)
def test_the_weights_of_each_head(sizes, seed):
    torch.manual_seed(seed)
    b, n, m, h = sizes
    module = shaken(MultiHeadAttention(3 * h, h))
    x, read = torch.randn(b, n, 3 * h), torch.randn(b, m, 3 * h)
    keys = module.key_value(read)[..., : 3 * h]
    queries = module.query(x)
    heads = zip(
        twin.split_heads(queries.detach().numpy(), h),
        twin.split_heads(keys.detach().numpy(), h),
        strict=True,
    )
    wanted = [twin.attention_weights(q, k) for q, k in heads]
    ours = module.weights(x, module.keys_values(read))
    equal(ours, np.stack(wanted, axis=1))


@many
@given(st.integers(0, 6), st.integers(0, 6), seeds)
def test_masks(n, more, seed):
    equal(causal_mask(n, n + more), twin.causal_mask(n, n + more))
    equal(causal_mask(n), twin.causal_mask(n))
    torch.manual_seed(seed)
    ids = torch.randint(0, 3, (n + 1, more + 2))
    equal(padding_mask(ids), twin.padding_mask(ids.numpy()))
    equal(padding_mask(ids, pad=2), twin.padding_mask(ids.numpy(), pad=2))


# ------------------------------------------------------------------- norms


@few
@given(different(3), st.sampled_from([1e-5, 0.3]), either, seeds)
def test_layer_norm(sizes, eps, train, seed):
    torch.manual_seed(seed)
    *before, d = sizes
    given = leaves(x=(*before, d), gain=(d,), bias=(d,))

    def theirs(a):
        return twin.layer_norm(a["x"], a["gain"], a["bias"], eps)

    agree(lambda: layer_norm(*given.values(), eps), theirs, given)
    module = shaken(LayerNorm(d, eps), train)
    inside = {"x": given["x"]} | dict(module.named_parameters())
    agree(lambda: module(given["x"]), theirs, inside)


@many
@given(different(3), seeds)
def test_the_gradient_of_layer_norm_written_out(sizes, seed):
    torch.manual_seed(seed)
    *before, d = sizes
    given = leaves(x=(*before, d), gain=(d,), bias=(d,))
    out = layer_norm(*given.values())
    pull = torch.randn_like(out)
    slopes = torch.autograd.grad(out, list(given.values()), pull)
    arrays = [t.detach().numpy() for t in (given["x"], given["gain"], pull)]
    wanted = twin.layer_norm_gradient(*arrays)
    # With one feature x is its own mean: slopes of about 1 / sqrt(eps).
    for slope, their in zip(slopes, wanted, strict=True):
        equal(slope, their)


@few
@given(different(3), st.sampled_from([1e-5, 0.3]), either, seeds)
def test_batch_norm(sizes, eps, own, seed):
    torch.manual_seed(seed)
    *before, d = sizes  # of two different sizes one is more than 1
    given = leaves(x=(*before, d), gain=(d,), bias=(d,))
    if not own:
        given |= leaves(mean=(d,))
        given["variance"] = torch.rand(d, requires_grad=True)
    ours = [*given.values()]
    ours.insert(3, eps)

    def theirs(a):
        arrays = [*a.values()]
        arrays.insert(3, eps)
        return twin.batch_norm(*arrays)

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
        mean, variance = twin.running_statistics(
            batch.numpy(), mean, variance, momentum
        )
        equal(module.running_mean, mean)
        equal(module.running_variance, variance)
    module.train(train)
    own = {} if train else {"mean": mean, "variance": variance}
    x = torch.randn(*before, d, requires_grad=True)
    agree(
        lambda: module(x),
        lambda a: twin.batch_norm(a["x"], a["gain"], a["bias"], **own),
        {"x": x} | dict(module.named_parameters()),
    )


@few
@given(different(3), either, either, seeds)
def test_residual_connection(sizes, norm_first, train, seed):
    torch.manual_seed(seed)
    *before, d = sizes
    module = shaken(ResidualConnection(d, 0.0, norm_first), train)
    x = torch.randn(*before, d, requires_grad=True)
    agree(
        lambda: module(x, torch.tanh),
        lambda a: twin.residual_connection(
            a["x"], np.tanh, a["norm.gain"], a["norm.bias"], norm_first
        ),
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
        w1, w2 = a["inner.weight"].T, a["outer.weight"].T
        return twin.feed_forward(
            a["x"], w1, a["inner.bias"], w2, a["outer.bias"]
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
        lambda a: twin.token_embedding(ids.numpy(), a["table"]),
        dict(module.named_parameters()),
    )
    x = torch.randn(*before, d, requires_grad=True)
    agree(
        lambda: module.logits(x),
        lambda a: twin.logits(a["x"], a["table"]),
        {"x": x} | dict(module.named_parameters()),
    )


@many
@given(st.integers(0, 40), st.integers(1, 9), seeds)
def test_positions(length, pairs, seed):
    d = 2 * pairs
    table = twin.sinusoidal_encoding(length + 3, d)
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
        theirs = twin.smooth_targets(kept.numpy(), v, epsilon, spread, pad)
        equal(smooth_targets(kept, v, epsilon, spread, pad), theirs)


@few
@given(different(2), st.integers(2, 7), st.sampled_from([0.0, 0.1]), seeds)
def test_token_loss(sizes, v, epsilon, seed):
    torch.manual_seed(seed)
    given = leaves(logits=(*sizes, v))
    targets = torch.randint(0, v, sizes)
    for pad in (0, 1):
        wanted, count = twin.token_loss(
            given["logits"].detach().numpy(), targets.numpy(), epsilon, pad
        )
        total, n = token_loss(given["logits"], targets, epsilon, pad)
        assert int(n) == count
        assert math.isclose(total.item(), wanted, abs_tol=1e-10)
        slope = torch.autograd.grad(total, given["logits"])[0]
        written = twin.token_loss_gradient(
            given["logits"].detach().numpy(), targets.numpy(), epsilon, pad
        )
        equal(slope, written)

    def theirs(a):
        return np.array(twin.token_loss(a["logits"], targets, epsilon)[0])

    agree(
        lambda: token_loss(given["logits"], targets, epsilon)[0],
        theirs,
        given,
    )
