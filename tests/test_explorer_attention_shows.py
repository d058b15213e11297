"""The explorers `equal_outputs` and `threshold_links`: true numbers."""

import itertools
import re

import numpy as np
import pytest

from transformer_lib import evaluation
from transformer_lib.course import explorers
from transformer_lib.course.explorers import links, outputs


def numbers(text):
    return [float(one) for one in re.findall(r"\d\.\d+", text)]


def test_all_rows_of_one_output_give_it():
    explorer = explorers.equal_outputs()
    places = itertools.product(range(outputs.STEPS + 1), outputs.PLACES)
    for (step, x), frame in zip(places, explorer.frames, strict=True):
        row = outputs.weights(x, step / outputs.STEPS)
        assert min(row) >= -1e-12 and sum(row) == pytest.approx(1)
        np.testing.assert_allclose(row @ np.array(outputs.VALUES), [x, 1 - x])
        said = numbers(frame.readout)
        np.testing.assert_allclose(said, [*row, x, 1 - x], atol=0.0051)


def test_the_last_step_takes_as_much_as_possible():
    for x in outputs.PLACES:
        assert min(outputs.weights(x, 1)) == pytest.approx(0)
        assert outputs.weights(x, 0)[2] == 0
        assert outputs.weights(x, 1)[2] == pytest.approx(2 * min(x, 1 - x))


def test_the_output_stays_and_the_bars_move():
    explorer = explorers.equal_outputs(1)
    rings = [
        re.search(
            r'cx="([\d.]+)" cy="([\d.]+)" r="8.5"', frame.drawing
        ).groups()
        for frame in explorer.frames[1 :: len(outputs.PLACES)]
    ]
    assert len(set(rings)) == 1
    assert len({frame.readout for frame in explorer.frames}) == len(
        explorer.frames
    )


@pytest.mark.parametrize("place", [-1, 4])
def test_an_output_that_is_not_there_is_refused(place):
    with pytest.raises(ValueError, match="from 0 to 3"):
        explorers.equal_outputs(place)


def test_any_output_in_a_live_notebook():
    assert "0.00, 0.00, 1.00" in explorers.equal_outputs().view([4, 0.5])
    page = explorers.equal_outputs().view([2, 0.1])
    assert "0.05, 0.85, 0.10" in page


def test_rows_of_the_map_sum_to_one():
    assert len(links.MAP) == len(links.FRENCH) + 1
    for row in links.MAP:
        assert sum(row) == pytest.approx(1)
    assert links.SURE < links.POSSIBLE


def test_the_error_rates_are_the_librarys():
    explorer = explorers.threshold_links()
    places = itertools.product(links.THRESHOLDS, range(2))
    for (least, shift), frame in zip(places, explorer.frames, strict=True):
        table = np.array(links.MAP)[shift : shift + len(links.FRENCH)]
        cells = {(s, t) for t, s in np.argwhere(table >= least - 1e-9)}
        cells = {(int(s), int(t)) for s, t in cells}
        want = evaluation.alignment_error_rate(
            [cells], [links.SURE], [links.POSSIBLE]
        )
        least_said, rate = numbers(frame.readout)
        assert least_said == pytest.approx(least)
        assert rate == pytest.approx(want, abs=0.0051)
        counts = re.findall(
            r"(\d+) found, (\d+) of them.*; (\d+) of the", frame.readout
        )
        a, p, s = map(int, counts[0])
        assert (a, p, s) == (
            len(cells),
            len(cells & links.POSSIBLE),
            len(cells & links.SURE),
        )


def test_the_dots_and_crosses_are_the_links():
    explorer = explorers.threshold_links()
    places = itertools.product(links.THRESHOLDS, range(2))
    for (least, shift), frame in zip(places, explorer.frames, strict=True):
        made = links.found(least, shift)
        dots = frame.drawing.count('r="4.5"') - 1  # one in the legend
        crosses = frame.drawing.count("x-bold x-orange") - 1
        assert dots == len(made & links.POSSIBLE)
        assert crosses == len(made - links.POSSIBLE)


def test_what_the_chapter_says_of_the_figure():
    rates = [
        [
            numbers(frame.readout)[1]
            for frame in explorers.threshold_links().frames
        ][shift::2]
        for shift in range(2)
    ]
    right, late = rates
    assert min(right) < 0.2 and links.THRESHOLDS[np.argmin(right)] == 0.3
    assert max(right) > min(right) + 0.2
    assert min(late) > 0.6


@pytest.mark.parametrize("threshold", [0, 0.35, 1])
def test_another_threshold_is_refused(threshold):
    with pytest.raises(ValueError, match="choose from"):
        explorers.threshold_links(threshold)


def test_a_finer_threshold_in_a_live_notebook():
    assert "Weights from 0.35 on" in explorers.threshold_links().view([0.35, 1])
