"""The whole model: against torch.nn, and the laws that bugs break."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model import (
    Transformer,
    TransformerConfig,
    count_parameters,
)

TINY = TransformerConfig(
    vocab_size=23,
    d_model=12,
    n_heads=3,
    d_ff=20,
    n_layers=2,
    dropout=0.0,
    max_length=16,
)
B, S, T = 2, 5, 4


def model(**changes):
    torch.manual_seed(0)
    made = Transformer(replace(TINY, **changes)).double().eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.3)
    return made


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def either(request):
    return model(norm_first=request.param)


@pytest.fixture
def source():
    return torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])


@pytest.fixture
def target():
    return torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])


def copy_attention(ours, theirs):
    theirs.in_proj_weight.copy_(
        torch.cat([ours.query.weight, ours.key_value.weight])
    )
    theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key_value.bias]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_layer(ours, theirs):
    with torch.no_grad():
        copy_attention(ours.self_attention, theirs.self_attn)
        if hasattr(ours, "cross_attention"):
            copy_attention(ours.cross_attention, theirs.multihead_attn)
        theirs.linear1.load_state_dict(ours.feed_forward.inner.state_dict())
        theirs.linear2.load_state_dict(ours.feed_forward.outer.state_dict())
        for number, residual in enumerate(ours.residuals, start=1):
            norm = getattr(theirs, f"norm{number}")
            norm.weight.copy_(residual.norm.gain)
            norm.bias.copy_(residual.norm.bias)
    return theirs


def torch_layer(kind, norm_first):
    return (
        kind(
            TINY.d_model,
            TINY.n_heads,
            TINY.d_ff,
            0.0,
            batch_first=True,
            norm_first=norm_first,
        )
        .double()
        .eval()
    )


def test_layers_equal_torch_in_value_and_gradient(either, source):
    norm_first = either.config.norm_first
    memory = torch.randn(B, S, 12, dtype=torch.float64, requires_grad=True)
    x = torch.randn(B, T, 12, dtype=torch.float64, requires_grad=True)
    mask, hidden = padding_mask(source), source == 0

    mine: EncoderLayer = either.encoder.layers[1]
    theirs = copy_layer(
        mine, torch_layer(nn.TransformerEncoderLayer, norm_first)
    )
    one = mine(memory, mask)
    two = theirs(memory, src_key_padding_mask=hidden)
    compare(one[~hidden], two[~hidden], (memory,))

    mine: DecoderLayer = either.decoder.layers[1]
    theirs = copy_layer(
        mine, torch_layer(nn.TransformerDecoderLayer, norm_first)
    )
    none = either.begin(source).past[0]
    read = mine.cross_attention.keys_values(memory)
    one, _ = mine(x, none, read, causal_mask(T), mask)
    two = theirs(
        x, memory, tgt_mask=~causal_mask(T), memory_key_padding_mask=hidden
    )
    compare(one, two, (x, memory))


def compare(one, two, inputs):
    torch.testing.assert_close(one, two, rtol=0, atol=1e-10)
    pull = torch.randn_like(one)
    for a, b in zip(
        torch.autograd.grad(one, inputs, pull),
        torch.autograd.grad(two, inputs, pull),
        strict=True,
    ):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-10)


def test_the_whole_model_equals_torch(either, source, target):
    c = either.config
    stack = {"batch_first": True, "norm_first": c.norm_first}
    theirs = (
        nn.Transformer(
            c.d_model, c.n_heads, c.n_layers, c.n_layers, c.d_ff, 0.0, **stack
        )
        .double()
        .eval()
    )
    for ours, other in (
        (either.encoder, theirs.encoder),
        (either.decoder, theirs.decoder),
    ):
        for mine, layer in zip(ours.layers, other.layers, strict=True):
            copy_layer(mine, layer)
        if c.norm_first:
            with torch.no_grad():
                other.norm.weight.copy_(ours.norm.gain)
                other.norm.bias.copy_(ours.norm.bias)
        else:
            other.norm = None  # the paper has no norm after the stack
    embed = either.source_embedding
    x, y = (either.positions(embed(ids)) for ids in (source, target))
    hidden = source == 0
    out = theirs(
        x,
        y,
        tgt_mask=~causal_mask(T),
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    expected = out @ embed.table.T
    torch.testing.assert_close(
        either(source, target), expected, rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("train", [False, True])
def test_the_future_cannot_leak(either, source, target, train):
    either.train(train)
    before = either(source, target)
    changed = target.clone()
    changed[:, 2] = 20
    after = either(source, changed)
    assert torch.equal(before[:, :2], after[:, :2])
    assert not torch.allclose(before[:, 2:], after[:, 2:])


def test_no_gradient_comes_from_the_future(either, source, target):
    kept = []
    either.target_embedding.register_forward_hook(
        lambda module, inputs, output: kept.append(output)
    )
    logits = either(source, target)
    gradient = torch.autograd.grad(logits[:, 1].sum(), kept[-1])[0]
    assert (gradient[:, 2:] == 0).all()
    assert (gradient[:, :2] != 0).any()


def test_padding_changes_nothing(either, source, target):
    alone = either(source[1:, :3], target[1:])
    padded = either(source[1:], target[1:])
    torch.testing.assert_close(alone, padded)


def test_batch_companions_change_nothing(either, source, target):
    together = either(source, target)
    torch.testing.assert_close(together[:1], either(source[:1], target[:1]))


def test_every_source_word_matters(either, source, target):
    before = either(source, target)
    for position in range(3):
        changed = source.clone()
        changed[1, position] = 21
        assert not torch.allclose(either(changed, target)[1], before[1])


def test_word_order_matters_only_through_positions(either, source, target):
    order = torch.tensor([4, 2, 0, 1, 3])
    moved = source[:1, order]
    before = either(source[:1], target[:1])
    assert not torch.allclose(either(moved, target[:1]), before)
    either.positions.table.zero_()
    torch.testing.assert_close(
        either(moved, target[:1]), either(source[:1], target[:1])
    )


@pytest.mark.parametrize("steps", [[1, 1, 1, 1], [2, 2], [1, 3]])
def test_one_token_at_a_time_equals_all_at_once(either, source, target, steps):
    state, parts, start = either.begin(source), [], 0
    for n in steps:
        logits, state = either.extend(state, target[:, start : start + n])
        parts.append(logits)
        start += n
    torch.testing.assert_close(
        torch.cat(parts, dim=1), either(source, target), rtol=0, atol=1e-12
    )
    assert state.length == T


def test_a_state_is_never_changed(either, source, target):
    state, _ = either.begin(source), None
    _, first = either.extend(state, target[:, :2])
    keys = [kv.keys.clone() for kv in first.past]
    one, _ = either.extend(first, target[:, 2:3])
    two, _ = either.extend(first, target[:, 2:3])
    assert torch.equal(one, two)
    assert (state.length, first.length) == (0, 2)
    for before, now in zip(keys, first.past, strict=True):
        assert torch.equal(before, now.keys)


def test_selecting_rows_is_selecting_sentences(either, source, target):
    rows = torch.tensor([1, 1, 0])
    _, state = either.extend(either.begin(source), target[:, :2])
    chosen, _ = either.extend(state.select(rows), target[rows, 2:])
    whole, _ = either.extend(state, target[:, 2:])
    torch.testing.assert_close(chosen, whole[rows])


def test_a_source_of_padding_only_gives_finite_scores(either, target):
    source = torch.tensor([[4, 5], [0, 0]])
    assert either(source, target).isfinite().all()


def test_parameters_of_the_paper():
    base, big = TransformerConfig.base(37_000), TransformerConfig.big(37_000)
    assert count_parameters(base) == 63_082_496
    assert count_parameters(big) == 214_245_376
    untied = replace(base, tie_embeddings=False)
    table = 37_000 * 512
    assert count_parameters(untied) - count_parameters(base) == 2 * table


def test_one_matrix_in_three_places():
    tied = model()
    assert tied.output is tied.source_embedding is tied.target_embedding
    names = [n for n, p in tied.named_parameters() if p.shape[0] == 23]
    assert names == ["source_embedding.table"]
    loose = model(tie_embeddings=False)
    assert loose.output is not loose.target_embedding


def test_dropout_works_in_training_only(source, target):
    dropping = model(dropout=0.5)
    dropping.train()
    assert not torch.equal(dropping(source, target), dropping(source, target))
    dropping.eval()
    assert torch.equal(dropping(source, target), dropping(source, target))
