"""The NumPy reference by hand: losses, schedules, updates and scores."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_numpy_reference import close

from transformer_lib import numpy_reference as reference

LN2 = math.log(2)

# -------------------------------------------------------------------- loss


def test_smooth_targets_give_every_class_its_part_of_epsilon():
    row = reference.smooth_targets([0], 3, 0.1)
    close(row, [[0.9 + 0.1 / 3, 0.1 / 3, 0.1 / 3]])
    grid = reference.smooth_targets([[0, 3], [1, 2]], 5, 0.2)
    assert grid.shape == (2, 2, 5)
    close(grid.sum(axis=-1), 1)
    close(grid[0, 1], [0.04, 0.04, 0.04, 0.84, 0.04])
    with pytest.raises(ValueError, match="epsilon"):
        reference.smooth_targets([0], 3, 1.0)
    with pytest.raises(ValueError, match="targets"):
        reference.smooth_targets([3], 3, 0.1)


def test_three_ways_to_spread_epsilon():
    def row(spread):
        return reference.smooth_targets([2], 5, 0.2, spread)[0]

    close(row("all"), [0.04, 0.04, 0.84, 0.04, 0.04])
    close(row("wrong"), [0.05, 0.05, 0.8, 0.05, 0.05])
    close(row("wrong_words"), [0, 0.2 / 3, 0.8, 0.2 / 3, 0.2 / 3])
    other = reference.smooth_targets([2], 5, 0.2, "wrong_words", pad=4)
    close(other[0], [0.2 / 3, 0.2 / 3, 0.8, 0.2 / 3, 0])
    with pytest.raises(ValueError, match="choose from"):
        row("everyone")
    for n_classes, spread in ((1, "wrong"), (2, "wrong_words")):
        with pytest.raises(ValueError, match="nobody"):
            reference.smooth_targets([n_classes - 1], n_classes, 0.1, spread)


def test_token_loss_adds_up_the_surprise_of_real_tokens():
    scores = np.log([[1, 2, 5], [4, 3, 1], [1, 6, 1]])
    total, count = reference.token_loss(scores, [2, 0, 1])
    close(total, math.log(8 / 5) + math.log(8 / 6))
    assert count == 2
    total, count = reference.token_loss(scores, [2, 0, 1], pad=1)
    close(total, math.log(8 / 5) + math.log(8 / 4))
    assert count == 2
    assert reference.token_loss(scores, [0, 0, 0]) == (0.0, 0)


def test_token_loss_with_smoothing_is_a_mean_of_surprises():
    scores = np.log([[[1, 2, 5]]])
    total, count = reference.token_loss(scores, [[2]], epsilon=0.3)
    ln = math.log
    close(total, 0.8 * ln(8 / 5) + 0.1 * ln(8 / 2) + 0.1 * ln(8))
    assert count == 1


# --------------------------------------------------------------- schedules


def test_noam_rate_climbs_in_equal_steps_and_falls_with_the_root():
    rates = [reference.noam_lr(step, 4, 4) for step in (1, 2, 3, 4, 5, 16)]
    close(rates, [1 / 16, 1 / 8, 3 / 16, 1 / 4, 1 / math.sqrt(20), 1 / 8])
    assert_allclose(reference.noam_lr(4000, 512, 4000), 6.988e-4, rtol=1e-3)
    for step, warmup in ((0, 4), (1, 0)):
        with pytest.raises(ValueError, match="count from 1"):
            reference.noam_lr(step, 4, warmup)


def test_cosine_rate_climbs_in_a_line_and_falls_in_half_a_wave():
    def rate(step):
        return reference.cosine_lr(step, max_lr=2.0, warmup=4, total=12)

    rates = [rate(step) for step in (1, 2, 4, 6, 8, 10, 12, 99)]
    root = math.sqrt(1 / 2)
    close(rates, [0.5, 1, 2, 1 + root, 1, 1 - root, 0, 0])
    assert reference.cosine_lr(3, 2.0, 3, 3) == 2.0
    for step, warmup in ((0, 4), (1, 0)):
        with pytest.raises(ValueError, match="count from 1"):
            reference.cosine_lr(step, 1.0, warmup, 9)


# ----------------------------------------------------------------- updates


def test_clipping_shortens_all_gradients_together():
    (one, two), length = reference.clip_gradients([[3.0], [[0, 4]]], 1, eps=0)
    assert length == 5
    close(one, [0.6])
    close(two, [[0, 0.8]])
    (one, two), length = reference.clip_gradients([[3.0], [4.0]], 9)
    assert (one.tolist(), two.tolist(), length) == ([3.0], [4.0], 5.0)
    (zero,), length = reference.clip_gradients([[0.0, 0.0]], 1)
    assert (zero.tolist(), length) == ([0.0, 0.0], 0.0)
    (one,), _ = reference.clip_gradients([[2.0]], 1, eps=2.0)
    close(one, [0.5])


def test_the_first_step_of_adam_is_as_long_as_the_rate():
    theta, m, v = reference.adam_update(
        [1.0, 1.0, 1.0], [5.0, -0.01, 0.0], [0] * 3, [0] * 3, 1, 0.25
    )
    close(theta[2], 1)
    assert_allclose(theta[:2], [0.75, 1.25], atol=1e-7)
    close(m, [0.5, -0.001, 0])
    close(v, [0.5, 0.000002, 0])


def test_two_steps_of_adam_by_hand():
    # Gradients 1 and -1: m is 0.1, then -0.01; v is 0.02, then 0.0396.
    theta, m, v = reference.adam_update(0, 1, 0, 0, 1, 0.5, eps=0)
    close([theta, m, v], [-0.5, 0.1, 0.02])
    theta, m, v = reference.adam_update(theta, -1, m, v, 2, 0.5, eps=0)
    close([theta, m, v], [-0.5 + 0.5 * 0.01 / 0.19, -0.01, 0.0396])
    with pytest.raises(ValueError, match="step 1"):
        reference.adam_update(0, 1, 0, 0, 0, 0.5)


def test_adam_adds_eps_outside_the_root():
    theta, _, _ = reference.adam_update(0, 1e-3, 0, 0, 1, 1.0, eps=3e-3)
    close(theta, -0.25)


def test_average_of_weights_by_hand():
    one = {"a": np.float32([1, 2]), "b": [[4]]}
    two = {"a": np.float32([3, 6]), "b": [[5]]}
    three = {"a": np.float32([5, 1]), "b": [[0]]}
    mean = reference.average([one, two, three])
    close(mean["a"], [3, 3])
    close(mean["b"], [[3]])
    for wrong in ([], [one, {"a": [1, 2]}], [one, {"a": [1], "b": [[4]]}]):
        with pytest.raises(ValueError, match="weights"):
            reference.average(wrong)


# ------------------------------------------------------------------ scores


def test_perplexity_counts_equally_likely_words():
    close(reference.perplexity(math.log(7)), 7)
    assert reference.perplexity(0.0) == 1.0


def test_alignment_error_rate_by_hand():
    predicted = [{(0, 0), (1, 1), (2, 3)}]
    sure, possible = [{(0, 0), (1, 2)}], [{(1, 1)}]
    # Of 3 + 2 links, 1 is found sure and 2 are possible.
    rate = reference.alignment_error_rate
    close(rate(predicted, sure, possible), 1 - 3 / 5)
    close(rate(predicted, sure), 1 - 2 / 5)
    close(rate(sure, sure), 0)
    close(rate(sure, sure, possible), 0)
    # Counted over the corpus: 3 of 5 and 0 of 2 links.
    close(
        rate([*predicted, {(0, 1)}], [*sure, {(0, 0)}], [*possible, {(4, 4)}]),
        1 - 3 / 7,
    )
    with pytest.raises(ValueError, match="no link"):
        rate([set()], [set()])
