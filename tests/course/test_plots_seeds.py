"""The figure `seed_dots`: every run is a dot, the spread is seen."""

import numpy as np
import pytest

from transformer_course import plots

VALUES = {"all of it": [97.0, 99.0, 98.0], "no mask": [0, 0, 1], "one": [50]}


def test_every_seed_is_a_dot_in_the_row_of_its_system():
    ax = plots.seed_dots(VALUES, reference="all of it", x_axis="right, %")
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(VALUES)
    for place, (row, line) in enumerate(
        zip(VALUES.values(), dots, strict=True)
    ):
        assert list(line.get_xdata()) == row
        assert set(line.get_ydata()) == {place}
    bars = [line for line in ax.lines if line.get_marker() != "o"]
    assert [list(b.get_xdata()) for b in bars] == [[97, 99], [0, 1], [50, 50]]
    low, high = ax.get_ylim()
    assert low > high  # the first row is on top
    assert ax.get_xlabel() == "right, %"


def test_the_band_is_the_spread_of_the_reference():
    (band,) = plots.seed_dots(VALUES, reference="all of it").patches
    edges = band.get_extents().transformed(band.axes.transData.inverted())
    np.testing.assert_allclose([edges.x0, edges.x1], [97, 99])
    assert not plots.seed_dots(VALUES).patches
    colors = [line.get_color() for line in plots.seed_dots(VALUES).lines]
    assert set(colors) == {plots.PALETTE["orange"]}


def test_two_drawings_are_identical():
    ax = plots.seed_dots(VALUES, reference="one")
    picture = plots.picture(ax, alt="Three systems with dots for their seeds.")
    assert picture.svg == plots.picture(ax, alt=picture.alt).svg


@pytest.mark.parametrize(
    ("values", "reference", "says"),
    [
        ({}, "", "at least one system"),
        (VALUES, "two", "not among"),
        ({"a": []}, "", "not empty"),
        ({"a": [1, np.nan]}, "", "finite"),
        ({"a": [[1, 2]]}, "", "1 axis"),
    ],
)
def test_what_is_not_there_is_refused(values, reference, says):
    with pytest.raises(ValueError, match=says):
        plots.seed_dots(values, reference=reference)
