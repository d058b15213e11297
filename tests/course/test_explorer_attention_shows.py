"""The explorer `threshold_links`: true numbers."""

import itertools
import re

import numpy as np
import pytest

from transformer_course import explorers
from transformer_course.explorers import links
from transformer_lib import evaluation


def numbers(text):
    return [float(one) for one in re.findall(r"\d\.\d+", text)]


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
