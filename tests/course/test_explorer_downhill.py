"""The explorer `one_step_downhill`: its numbers and places are true."""

import itertools
import re

import numpy as np
import pytest
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import downhill


@pytest.mark.parametrize(("x", "y"), [(2, 6), (1.5, 5), (3, 9)])
def test_readouts_equal_numpy(x, y):
    explorer = explorers.one_step_downhill(x, y)
    places = itertools.product(downhill.PLACES, downhill.RATES)
    for (w, rate), frame in zip(places, explorer.frames, strict=True):
        loss = np.square(w * x - y)
        h = 1e-4
        rise = np.square((w + h) * x - y) - np.square((w - h) * x - y)
        slope = rise / (2 * h)
        new = w - rate * slope
        want = [w, loss, slope, rate, new, np.square(new * x - y)]
        np.testing.assert_allclose(
            numbers(frame.readout), want, rtol=1e-4, atol=6e-5
        )


def test_the_start_is_the_example_of_the_chapter():
    explorer = explorers.one_step_downhill()
    assert explorer.frames[explorer.start].readout == (
        "At w = 1 the loss is 16 and its slope −16. With the learning rate "
        "0.1 the step leads to w = 2.6, where the loss is 0.64."
    )


def test_the_arithmetic_below_the_picture_is_right():
    explorer = explorers.one_step_downhill()
    for frame in explorer.frames:
        for left, right in re.findall(
            r">(?:error|slope|new w): ([^<=]+) = ([^<]+)<", frame.drawing
        ):
            text = left.replace("−", "-").replace("·", "*")
            assert eval(text) == pytest.approx(numbers(right)[0], abs=1e-4)


def test_dots_stand_where_w_and_its_loss_are():
    explorer = explorers.one_step_downhill()
    drawing = explorer.frames[explorer.start].drawing
    dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawing)
    after, here = (tuple(map(float, dot)) for dot in dots[:2])
    plane = downhill._Plane(downhill._Step(1.0, 0.1, 2, 6))
    assert here == pytest.approx((plane.across(1), plane.up(16)), abs=0.06)
    assert after == pytest.approx((plane.across(2.6), plane.up(0.64)), abs=0.06)


def test_live_inputs_far_away_stay_in_the_picture():
    explorer = explorers.one_step_downhill()
    for values in [(6, 0.5, 3, -6), (0, 0.5, 3, 12), (3, 0, 0.5, 1.5)]:
        page = explorer.view(values)
        for x, y in re.findall(r'cx="(-?[\d.]+)" cy="(-?[\d.]+)"', page):
            assert 0 <= float(x) <= 360 and 0 <= float(y) <= 292


@pytest.mark.parametrize(("x", "y"), [(0, 0), (2, 60), (5, 15)])
def test_a_valley_out_of_sight_is_refused(x, y):
    with pytest.raises(ValueError, match="give x from 0.5 to 3"):
        explorers.one_step_downhill(x, y)
