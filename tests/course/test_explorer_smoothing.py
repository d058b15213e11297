"""The explorers `shifted_rows` and `smoothing_cost` tell the truth."""

import itertools
import re

import numpy as np
import pytest
import torch
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import shift, smoothing
from transformer_lib import batching

# -------------------------------------------------------------- the shift


def test_the_shift_by_one_is_that_of_make_batch():
    ids = list(range(1, 7))  # <bos> is 1, the words 2 to 5, <eos> 6
    batch = batching.make_batch([([9], ids[1:5])])
    reads, says = batch.target_in[0].tolist(), batch.target_out[0].tolist()
    assert reads == ids[:5]
    assert says[:-1] == [ids[shift.asked(t, 1)] for t in range(4)]
    assert shift.asked(4, 1) == len(shift.WORDS) - 1  # <eos>
    assert [shift.asked(t, 0) for t in range(5)] == list(range(5))
    assert [shift.asked(t, -1) for t in range(5)] == [None, 0, 1, 2, 3]
    assert [shift.asked(t, 2) for t in range(5)] == [2, 3, 4, 5, None]


def test_every_readout_of_the_shift_is_true():
    explorer = explorers.shifted_rows()
    places = itertools.product(range(shift.PLACES), shift.SHIFTS)
    for (place, by), frame in zip(places, explorer.frames, strict=True):
        said = frame.readout
        read, asked = said.split("read so far ")[1].split("; label ")
        assert read.split() == list(shift.WORDS[: place + 1])
        word = re.split("[,:]", asked)[0]
        if word == "<pad>":
            assert not 0 <= place + by < len(shift.WORDS)
            continue
        assert word == shift.WORDS[place + by]
        assert ("can be copied" in said) == (word in read.split())
        assert ("has to be predicted" in said) == (by == 1)
        orange = frame.drawing.count("x-bold x-orange")
        assert orange == ("can be copied" in said)


# ---------------------------------------------------------- the smoothing


@pytest.mark.parametrize("words", [2, 5, 37])
def test_loss_and_floor_equal_torch(words):
    for epsilon, given in itertools.product(smoothing.RATES, smoothing.GIVEN):
        shares = torch.full((1, words), (1 - given) / (words - 1)).double()
        shares[0, 0] = given
        want = torch.nn.functional.cross_entropy(
            shares.log(), torch.tensor([0]), label_smoothing=epsilon
        )
        got = smoothing.loss(epsilon, given, words)
        assert got == pytest.approx(float(want), rel=1e-6)
        best = np.full(words, epsilon / words)
        best[0] += 1 - epsilon
        entropy = -sum(q * np.log(q) for q in best if q)
        assert smoothing.floor(epsilon, words) == pytest.approx(entropy)
        assert got >= smoothing.floor(epsilon, words) - 1e-12


def test_readouts_equal_numpy():
    explorer = explorers.smoothing_cost()
    places = itertools.product(smoothing.RATES, smoothing.GIVEN)
    for (epsilon, given), frame in zip(places, explorer.frames, strict=True):
        words, e, right, other, p, loss, floor = numbers(frame.readout)[:7]
        assert (words, e, p) == (5, epsilon, given)
        assert right == pytest.approx(1 - 0.8 * epsilon, abs=6e-4)
        assert other == pytest.approx(epsilon / 5, abs=6e-4)
        want = -right * np.log(given)
        want -= 4 * (epsilon / 5) * np.log((1 - given) / 4)
        assert loss == pytest.approx(want, abs=2e-3)
        lower = [smoothing.loss(epsilon, given + d, 5) for d in (-1e-4, 1e-4)]
        if "Nothing to gain" in frame.readout:
            assert given == pytest.approx(right) and epsilon > 0
        else:
            assert ("More" in frame.readout) == (lower[1] < lower[0])


def test_curve_and_dot_stay_in_the_picture():
    page = explorers.smoothing_cost().view([0.9, 0.001, 1000])
    page += explorers.smoothing_cost(1000).html
    for path in re.findall(r'd="M([^"]+)" class="x-line x-thin x-blue', page):
        for point in path.split("L"):
            x, y = map(float, point.split())
            assert 0 <= x <= smoothing.WIDTH and 0 <= y <= smoothing.HEIGHT
    for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', page):
        assert 5 <= float(x) <= smoothing.WIDTH - 5
        assert 5 <= float(y) <= smoothing.HEIGHT - 5


def test_the_start_is_the_example_of_the_chapter():
    explorer = explorers.smoothing_cost()
    assert explorer.frames[explorer.start].readout == (
        "5 words, ε = 0.1: target 0.920 for the right word, 0.020 for each "
        "other. The model gives 0.99: loss 0.489, lower bound 0.390. "
        "Less certainty would lower the loss."
    )


@pytest.mark.parametrize("words", [1, 1001])
def test_a_vocabulary_out_of_range_is_refused(words):
    with pytest.raises(ValueError, match="give 2 to 1000"):
        explorers.smoothing_cost(words)
