"""The explorer `fading_signal`: its numbers and bars are true."""

import itertools
import re

import numpy as np
import pytest
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import fading

PLACES = list(itertools.product(fading.STEPS, fading.FACTORS))


@pytest.mark.parametrize("weight", [0.5, 0.25])
def test_readouts_equal_numpy(weight):
    explorer = explorers.fading_signal(weight=weight)
    assert len(explorer.frames) == len(PLACES)
    for (steps, factor), frame in zip(PLACES, explorer.frames, strict=True):
        came = numbers(frame.readout)
        left = np.prod(np.full(steps, factor))
        assert came[:2] == [steps, factor]
        if left < 1e-4:
            assert "leaves less than 0.0001 in all" in frame.readout
            assert came[2] == 1e-4
        else:
            assert came[2] == pytest.approx(left, rel=0.05, abs=6e-5)
        want = [weight, weight, steps + 1, 1 / np.ones(steps + 1).sum()]
        np.testing.assert_allclose(came[3:], want, atol=6e-5)


def test_bars_are_as_long_as_what_is_left():
    explorer = explorers.fading_signal()
    for (steps, factor), frame in zip(PLACES, explorer.frames, strict=True):
        found = re.findall(
            r'width="([\d.]+)" height="15" class="x-fill', frame.drawing
        )
        bars = [float(number) for number in found]
        want = [min(1, factor**steps), 0.5, 1 / (steps + 1)]
        drawn = [250 * w for w in want if 250 * w > 0]
        np.testing.assert_allclose(bars, drawn[-len(bars) :], atol=0.06)


def test_there_is_a_dot_for_each_word_and_it_fades():
    explorer = explorers.fading_signal()
    for (steps, factor), frame in zip(PLACES, explorer.frames, strict=True):
        strength = re.findall(r'opacity="([\d.]+)"', frame.drawing)
        want = np.minimum(1, np.power(factor, np.arange(steps + 1)))
        np.testing.assert_allclose(
            np.array(strength, dtype=float), want, atol=0.006
        )


def test_the_start_is_the_example_of_the_chapter():
    explorer = explorers.fading_signal()
    assert explorer.frames[explorer.start].readout == (
        "A chain of 16 steps, each leaving 0.9 of the signal, leaves 0.1853 "
        "in all. Attention needs one step: with a weight of 0.5 it leaves "
        "0.5, and if it looks at all 17 words alike, 0.0588."
    )


def test_live_inputs_at_their_ends_stay_in_the_picture():
    explorer = explorers.fading_signal()
    for values in [(1, 0.0, 0.0), (100, 1.2, 1.0), (100.0, 0.3, 0.05)]:
        page = explorer.view(values)
        assert "explorer-frame" in page
        for x, radius in re.findall(
            r'cx="([\d.]+)" cy="48" r="([\d.]+)"', page
        ):
            assert float(x) - float(radius) >= 0
            assert float(x) + float(radius) <= 360
    assert "more than 10,000" in explorer.view((100, 1.2, 1.0))


@pytest.mark.parametrize(("factor", "weight"), [(0.7, 0.5), (0.9, 1.5)])
def test_what_is_out_of_range_is_refused(factor, weight):
    with pytest.raises(ValueError, match="the factor is one of"):
        explorers.fading_signal(factor, weight)
