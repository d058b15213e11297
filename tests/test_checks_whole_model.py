"""What is special to the checks of the chapter on the whole model."""

import subprocess
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from transformer_lib import model
from transformer_lib.course import checks
from transformer_lib.course.checks.code import count_parameters
from transformer_lib.course.checks.encoder_decoder_parts import (
    Layer,
    causal,
    learned_layers,
    simple_layers,
)
from transformer_lib.course.checks.encoder_decoder_wiring import assembled
from transformer_lib.course.checks.paper.model_shapes_by_hand import (
    MODEL_SHAPES,
)
from transformer_lib.course.checks.paper.twelve_steps_by_hand import (
    _ASK,
    _FINE,
    FAULTY,
    TWELVE_STEPS,
)
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.multi_head import record_attention

# ------------------------------------------------------- encoder_decoder


def layers_of(net):
    """The finished layers of a model of the library, as plain functions."""

    def encoder(layer):
        def run(x, mask):
            return layer(x[None], mask[None])[0]

        return run

    def decoder(layer):
        def run(y, memory, mask, memory_mask):
            y = y[None]
            none = layer.self_attention.keys_values(y[:, :0])
            read = layer.cross_attention.keys_values(memory[None])
            return layer(y, none, read, mask, memory_mask[None])[0][0]

        return run

    return (
        [encoder(layer) for layer in net.encoder.layers],
        [decoder(layer) for layer in net.decoder.layers],
    )


def test_the_reference_is_the_road_through_the_library():
    torch.manual_seed(0)
    net = Transformer(TransformerConfig(11, 6, 2, 10, 3, dropout=0.0))
    source, target = torch.tensor([[4, 5, 6, 0]]), torch.tensor([[1, 7, 8]])
    x = net.positions(net.source_embedding(source))[0]
    y = net.positions(net.target_embedding(target))[0]
    mask = source > 0
    out = assembled(x, y, *layers_of(net), mask, torch.tensor(causal(3)))
    want = net(source, target)[0]
    torch.testing.assert_close(net.output_embedding.logits(out), want)


@pytest.mark.parametrize("make", [simple_layers, None])
def test_the_layers_mind_their_masks(make):
    encoder, decoder = make(1, 1) if make else learned_layers(3, 1, 1, 3)
    draw = np.random.default_rng(0)
    x, y, other = draw.normal(size=(3, 4, 3))
    hidden = np.array([[True, True, True, False]])
    moved = np.where(hidden.T, x, other)
    for values in (x, moved):
        near = encoder[0](values, hidden)[:3]
        np.testing.assert_allclose(near, encoder[0](x, hidden)[:3])
    assert not np.allclose(encoder[0](moved, None), encoder[0](x, None))
    late = y.copy()
    late[3] = other[3]
    one, two = (decoder[0](v, x, causal(4), hidden) for v in (y, late))
    np.testing.assert_allclose(one[:3], two[:3])
    assert not np.allclose(one[3], two[3])


def test_a_mask_of_another_sentence_is_refused():
    encoder, decoder = simple_layers(1, 1)
    x, y = np.ones((3, 2)), np.ones((2, 2))
    with pytest.raises(ValueError, match="3 queries and 3 keys"):
        encoder[0](x, causal(2))
    with pytest.raises(ValueError, match="2 queries and 2 keys"):
        decoder[0](y, x, np.ones((1, 3), bool), None)


def test_tensors_come_and_go():
    encoder, decoder = learned_layers(1, 1, 1, 3)
    x = torch.randn(4, 3, dtype=torch.float64)
    mask = torch.tensor([[True, True, True, False]])
    got = decoder[0](encoder[0](x, mask), x, torch.tensor(causal(4)), mask)
    assert isinstance(got, torch.Tensor) and got.dtype == torch.float64


def test_layers_may_be_called_by_name():
    encoder, decoder = learned_layers(1, 1, 1, 3)
    x, y = np.random.default_rng(0).normal(size=(2, 4, 3))
    hidden, future = np.array([[True, True, True, False]]), causal(4)
    named = decoder[0](y, source_mask=hidden, target_mask=future, memory=x)
    assert (named == decoder[0](y, x, future, hidden)).all()
    assert (encoder[0](x=x) == encoder[0](x, None)).all()
    with pytest.raises(TypeError, match="memory"):
        decoder[0](y, target_mask=future)


def test_two_wrong_wires_at_once_are_both_named():
    def ladder_without_future(x, y, enc, dec, s, t):
        for i in range(len(dec)):
            x = enc[i](x, s)
            y = dec[i](y, x, None, s)
        return y

    verdict = checks.encoder_decoder(ladder_without_future)
    ladder = "decoder_layer_reads_encoder_layer_of_its_number"
    assert verdict.mistake == f"{ladder}+future_not_hidden"


def test_an_example_shows_layers_in_words():
    verdict = checks.encoder_decoder(lambda x, y, e, d, s, t: 2 * y)
    assert "encoder_layers: max(0, 1 x +" in verdict.example.given
    assert "object" not in repr(verdict)
    assert Layer("twice", lambda x: 2 * x)([1.0, 2.0]).tolist() == [2, 4]


# ------------------------------------------------------- count_parameters


def test_the_count_is_that_of_the_library():
    base = count_parameters.Sizes(13, 6, 3, 7, 2)
    for norm_first in (False, True):
        for tied in (False, True):
            sizes = replace(base, norm_first=norm_first, tie_embeddings=tied)
            config = TransformerConfig(**asdict(sizes))
            want = model.count_parameters(config)
            assert count_parameters.EXERCISE.solve(sizes) == want
            assert count_parameters.EXERCISE.solve(config) == want


def test_step_nine_costs_what_the_book_says():
    base = count_parameters.Sizes(37_000)
    exercise = count_parameters.EXERCISE
    known = {mistake.id: mistake for mistake in exercise.mistakes}
    step_nine = known["step_nine_taken_literally"].edits[0]
    right = exercise.solve(base)
    literal = exercise.variant(step_nine)(base)
    assert (right, right - literal) == (63_082_496, 10_498_560)


def test_a_fraction_is_no_count():
    right = count_parameters.EXERCISE.solve
    message = checks.count_parameters(lambda config: right(config) + 0.5)
    assert "whole number" in message.message


def test_the_meta_device_is_loaded_before_the_clock_runs():
    program = (
        "import sys, torch\n"
        "from transformer_lib import model\n"
        "from transformer_lib.course import checks\n"
        "config = model.TransformerConfig(7, 4, 2, 10, 1)\n"
        "checks.count_parameters(lambda config: 0)\n"
        "before = set(sys.modules)\n"
        "model.count_parameters(config)\n"
        "print(len(set(sys.modules) - before))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.stdout.strip() == "0", done.stdout + done.stderr


def test_one_number_too_many_is_seen():
    right = count_parameters.EXERCISE.solve
    assert not checks.count_parameters(lambda config: right(config) + 1).ok


# ------------------------------------------------------------- on paper


def test_seven_shapes_are_those_of_the_library():
    config = TransformerConfig(40, 16, 8, 20, 1, dropout=0.0)
    net = Transformer(config)
    source, target = torch.ones(1, 7).long(), torch.ones(1, 5).long()
    inner = []
    net.decoder.layers[0].feed_forward.linear1.register_forward_hook(
        lambda module, inputs, output: inner.append(output)
    )
    with record_attention(net) as maps:
        logits = net(source, target)
    state = net.start(source)
    named = {512: 16, 64: 2, 2048: 20, 37_000: 40}
    arrays = (
        maps["encoder.layers.0.self_attention"],
        net.encode(source, state.memory_mask),
        maps["decoder.layers.0.self_attention"],
        maps["decoder.layers.0.cross_attention"],
        state.memory[0].keys,
        inner[0],
        logits,
    )
    for (rows, columns), array in zip(
        MODEL_SHAPES.answer.astype(int).tolist(), arrays, strict=True
    ):
        assert array.shape[-2:] == (rows, named.get(columns, columns))


def test_every_step_is_either_asked_about_or_defended():
    assert set(_ASK) == set(FAULTY)
    assert set(_ASK) | set(_FINE) == set(range(1, 13))


@pytest.mark.parametrize(
    ("marks", "says"),
    [
        ((1,) + (0,) * 12, "1 of 6 faulty steps"),
        ((1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1), "marked 2 that are fine"),
        ((2,) + (0,) * 12, "a 1 or a 0"),
        ((1, 0), "13"),
    ],
)
def test_the_audit_says_where_to_look(marks, says):
    message = checks.twelve_steps_by_hand(marks).message
    if says == "13":
        assert "wanted" in message
    else:
        assert says in message


def test_the_audit_never_lists_the_faulty_steps():
    for misconception in TWELVE_STEPS.misconceptions():
        message = checks.twelve_steps_by_hand(misconception.value).message
        named = sum(f"Step {step} " in message for step in FAULTY)
        assert named <= 1, message


@pytest.mark.parametrize(
    ("place", "shape", "says"),
    [
        (0, (7, 9), "the rows are right"),
        (1, (4, 4), "which token does a row belong to"),
    ],
)
def test_the_shapes_say_where_to_look(place, shape, says):
    shapes = MODEL_SHAPES.answer.copy()
    shapes[place] = shape
    assert says in checks.model_shapes_by_hand(shapes).message
