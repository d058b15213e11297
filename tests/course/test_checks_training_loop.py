"""The checks of chapter 13 against independent implementations."""

import itertools
import math

import pytest

from transformer_course import checks
from transformer_course.checks.paper import loop_order as paper_loop
from transformer_course.checks.paper import paper_of
from transformer_lib.schedule import noam_lr


def weight_after(order, passes=3):
    """Run the seven lines on one weight; None where Python would stop."""
    targets, rates = (3.0, -1.0, 4.0), (0.1, 0.3, 0.2)
    names = {"w": 0.5, "grad": None, "lr": 0.05}
    for target, rate in zip(targets[:passes], rates, strict=True):
        for line in order:
            if not _run(line, names, target, rate):
                return None
    return names["w"]


def _run(line, names, target, rate):
    """One line of the loop; False if it needs what is not there."""
    if line == 1:
        if "loss" not in names or names["loss"] is None:
            return False
        slope, names["loss"] = names["loss"], None  # the graph is used up
        names["grad"] = (names["grad"] or 0.0) + slope
    elif line == 2:
        names["lr"] = rate
    elif line == 3:
        names["logits"] = 2 * (names["w"] - target)
    elif line == 4 and names["grad"] is not None:
        names["w"] -= names["lr"] * names["grad"]
    elif line == 5 and names["grad"] is not None:
        names["grad"] = math.copysign(
            min(abs(names["grad"]), 1.5), names["grad"]
        )
    elif line == 6:
        names["grad"] = None
    elif line == 7:
        if "logits" not in names:
            return False
        names["loss"] = names["logits"]
    return True


def test_the_accepted_orders_are_those_that_train_the_same_weight():
    right = weight_after(paper_of("loop_order").answer.astype(int))
    accepted = 0
    for order in itertools.permutations(range(1, 8)):
        same = weight_after(order) == right
        assert (paper_loop.broken_rule(order) is None) == same, order
        accepted += same
    assert accepted > 10


def test_many_orders_are_right_and_each_rule_is_named():
    assert checks.loop_order([6, 3, 7, 1, 5, 2, 4]).ok
    assert checks.loop_order([2, 3, 6, 7, 1, 5, 4]).ok
    assert checks.loop_order([3, 7, 1, 5, 2, 4, 6]).ok
    named = {
        paper_loop.broken_rule(order)
        for order in itertools.permutations(range(1, 8))
    }
    known = {one.id for one in paper_of("loop_order").misconceptions}
    assert named - {None} == known - {"counted_from_zero"}


def test_numbers_that_are_no_order_are_told():
    verdict = checks.loop_order([1, 1, 2, 3, 4, 5, 6])
    assert "7 is missing" in verdict.message
    assert "seven numbers" in checks.loop_order([1, 2]).message.lower()


def test_the_peak_on_paper_is_the_highest_rate_of_the_library():
    step, peak, early, late, half = paper_of("peak_by_hand").answer
    rates = {s: noam_lr(s, 4, 25) for s in range(1, 200)}
    assert max(rates, key=rates.get) == step
    assert (peak, early, late) == pytest.approx(
        (rates[25], rates[5], rates[100])
    )
    assert noam_lr(int(half), 4, int(half)) == pytest.approx(peak / 2)


def test_train_step_never_hands_out_the_solution():
    def train_step(model, batch, optimizer, lr):
        return 1.0

    verdict = checks.build(train_step)
    text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
    assert verdict.mistake is None and "optimizer.step()" not in text
    assert "nothing is learned" in verdict.message


def test_train_step_shows_the_line_that_fails():
    def train_step(model, batch, optimizer, lr):
        return model(batch.source, batch.target_in).item()

    message = checks.build(train_step).message
    assert ".item()" in message
