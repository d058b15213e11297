"""What is special to the checks of the chapter on the whole model."""

from dataclasses import asdict, replace

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import count_parameters
from transformer_course.checks.paper import paper_of
from transformer_lib import model
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.multi_head import record_attention

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


def test_one_number_too_many_is_seen():
    right = count_parameters.EXERCISE.solve
    assert not checks.count_parameters(lambda config: right(config) + 1).ok


# ------------------------------------------------------------- on paper


def test_seven_shapes_are_those_of_the_library():
    config = TransformerConfig(40, d_model=16, d_ff=20, n_layers=1, dropout=0.0)
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
    right = paper_of("model_shapes_by_hand").answer.astype(int).tolist()
    for (rows, columns), array in zip(right, arrays, strict=True):
        assert array.shape[-2:] == (rows, named.get(columns, columns))


def test_every_step_is_either_asked_about_or_defended():
    paper = paper_of("twelve_steps_by_hand")
    *steps, _ = paper.parts
    for part, faulty in zip(steps, paper.answer, strict=False):
        says = "was passed. " if faulty else "is fine"
        assert part.way.startswith(f"{part.label.capitalize()} {says}")
    assert len(steps) == 12


@pytest.mark.parametrize(
    ("marks", "says"),
    [
        ((1,) + (0,) * 12, "1 of 5 faulty steps"),
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


@pytest.mark.parametrize("form", [list, tuple, np.array])
def test_step_7_may_be_marked_or_not(form):
    for mark in (0, 1):
        marks = (1, 0, 0, 0, 1, 0, mark, 0, 1, 1, 0, 1, 1)
        assert checks.twelve_steps_by_hand(form(marks)).ok
    for mark in (2, -1, "1", None, float("nan")):
        marks = (1, 0, 0, 0, 1, 0, mark, 0, 1, 1, 0, 1, 1)
        assert not checks.twelve_steps_by_hand(tuple(marks)).ok


def test_the_audit_never_lists_the_faulty_steps():
    faulty = np.flatnonzero(paper_of("twelve_steps_by_hand").answer[:12]) + 1
    for misconception in paper_of("twelve_steps_by_hand").misconceptions:
        message = checks.twelve_steps_by_hand(misconception.value).message
        named = sum(f"Step {step} " in message for step in faulty)
        assert named <= 1, message


@pytest.mark.parametrize(
    ("place", "shape", "says"),
    [
        (0, (7, 9), "the rows are right"),
        (1, (4, 4), "which token does a row belong to"),
    ],
)
def test_the_shapes_say_where_to_look(place, shape, says):
    shapes = paper_of("model_shapes_by_hand").answer.copy()
    shapes[place] = shape
    assert says in checks.model_shapes_by_hand(shapes).message
