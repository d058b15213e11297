"""Attention maps of what `torch.compile` has compiled, or an error."""

from itertools import product

import pytest
import torch
from test_model import TINY

pytestmark = pytest.mark.slow

SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])
TARGET = torch.tensor([[1, 12, 13, 14], [1, 15, 16, 17]])


@pytest.fixture(autouse=True)
def forgotten():
    """What one test has compiled is no help to the next one."""
    torch._dynamo.reset()


@pytest.fixture
def model(as_compiled):
    config = as_compiled("model_config").TransformerConfig(**vars(TINY))
    torch.manual_seed(0)
    return as_compiled("model").Transformer(config).eval()


@pytest.fixture
def record_attention(as_compiled):
    return as_compiled("multi_head").record_attention


def compiled(it, **options):
    return torch.compile(it, backend="eager", **options)


def wrapped(model):
    return compiled(model)


def in_place(model):
    model.compile(backend="eager", dynamic=True, fullgraph=True)
    return model


def one_layer(model):
    model.encoder.layers[0] = compiled(model.encoder.layers[0])
    return model


def one_layer_in_place(model):
    model.decoder.layers[1].compile(backend="eager")
    return model


def one_attention(model):
    layer = model.decoder.layers[1]
    layer.cross_attention = compiled(layer.cross_attention)
    return model


def one_attention_in_place(model):
    model.decoder.layers[1].cross_attention.compile(backend="eager")
    return model


def its_forward(model):
    model.forward = compiled(model.forward)
    return model


def its_decode(model):
    model.decode = compiled(model.decode)
    return model


HOW = [
    wrapped,
    in_place,
    one_layer,
    one_layer_in_place,
    one_attention,
    one_attention_in_place,
    its_forward,
    its_decode,
]


@pytest.mark.parametrize("runs", [0, 2], ids=["fresh", "run before"])
@pytest.mark.parametrize("how", HOW)
def test_maps_are_those_of_the_model_as_written(
    model, how, runs, record_attention
):
    with record_attention(model) as expected:
        model(SOURCE, TARGET)
    changed = how(model)
    for _ in range(runs):
        changed(SOURCE, TARGET)
    with record_attention(changed) as maps:
        changed(SOURCE, TARGET)
    assert maps.keys() == expected.keys()
    for name, weights in maps.items():
        torch.testing.assert_close(weights, expected[name])
    assert not any(module._forward_hooks for module in model.modules())


def test_a_compiled_function_calls_the_model_as_written(
    model, record_attention
):
    called = compiled(lambda source: model(source, TARGET))
    called(SOURCE)
    with record_attention(model) as maps:
        called(SOURCE)
    assert len(maps) == 6


def test_the_block_leaves_the_compiler_as_it_was(model, record_attention):
    graphs = []

    def count(graph, _inputs):
        graphs.append(graph)
        return graph.forward

    changed = torch.compile(model, backend=count)
    with record_attention(changed) as maps:
        changed(SOURCE, TARGET)
    assert (len(maps), len(graphs)) == (6, 0)
    changed(SOURCE, TARGET)
    assert graphs


def test_recording_inside_a_compiled_function_is_refused(
    model, record_attention
):
    @compiled
    def look(source):
        with record_attention(model) as maps:
            model(source, TARGET)
        return maps

    with pytest.raises(RuntimeError, match="inside a compiled function"):
        look(SOURCE)
    assert not any(module._forward_hooks for module in model.modules())


@pytest.mark.parametrize("how", [wrapped, one_layer])
def test_a_graph_that_runs_all_the_same_is_an_error(
    model, how, record_attention
):
    changed = how(model)
    changed(SOURCE, TARGET)
    with (
        pytest.raises(RuntimeError, match="none of its attentions was seen"),
        record_attention(changed),
        torch.compiler.set_stance("default"),
    ):
        changed(SOURCE, TARGET)


def test_a_forward_that_was_captured_is_an_error(model, record_attention):
    """CUDA graphs take the place of `forward` in the same way."""
    model.encoder.forward = lambda x, mask: x
    with (
        pytest.raises(RuntimeError, match="encoder has run .* record and call"),
        record_attention(model),
    ):
        model(SOURCE, TARGET)


def test_the_error_of_the_block_is_the_one_that_is_seen(
    model, record_attention
):
    model.encoder.forward = lambda x, mask: x
    with pytest.raises(KeyError, match="mine"), record_attention(model):
        model(SOURCE, TARGET)
        raise KeyError("mine")


def test_what_does_not_run_is_left_out(model, record_attention):
    mask = (SOURCE != 0).unsqueeze(1)
    with record_attention(model) as maps:
        model.encode(SOURCE, mask)
    names = product(["encoder.layers"], "01", ["self_attention"])
    assert list(maps) == [".".join(name) for name in names]
    with record_attention(model) as maps:
        model.encoder.layers[1](torch.randn(1, 3, TINY.d_model))
    assert list(maps) == ["encoder.layers.1.self_attention"]


def test_copies_that_see_a_part_of_the_batch_are_refused(
    model, record_attention
):
    """`nn.DataParallel` runs such copies, one on each GPU."""
    attention = model.encoder.layers[0].self_attention
    x = torch.randn(1, 3, TINY.d_model)
    with record_attention(model) as maps:
        copy = attention._replicate_for_data_parallel()
        copy._modules = attention._modules
        with pytest.raises(RuntimeError, match="part of the batch"):
            copy(x, attention.keys_values(x))
    assert maps == {}
