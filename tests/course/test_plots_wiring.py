"""The figures `layer_wiring` and `layer_stack`: who is joined to whom."""

import numpy as np
import pytest

from transformer_course import plots

PURPLE = plots.PALETTE["purple"]


def at(ax, text):
    """The heights at which a text stands."""
    return [t.get_position()[1] for t in ax.texts if t.get_text() == text]


def ways_around(ax):
    return [
        line.get_xydata() for line in ax.lines if line.get_color() == PURPLE
    ]


def arrow_ends(ax):
    """The points at which arrows end."""
    return [t.xy for t in ax.texts if getattr(t, "arrow_patch", None)]


def test_without_a_sum_nothing_leads_around():
    assert ways_around(plots.layer_wiring(["F"])) == []


@pytest.mark.parametrize(
    ("parts", "passed"),
    [
        (["F", "+", "LN"], ["F"]),  # post-norm: x goes through the norm
        (["LN", "F", "+"], ["LN", "F"]),  # pre-norm: x passes all boxes
    ],
)
def test_the_connection_passes_what_stands_below_the_sum(parts, passed):
    ax = plots.layer_wiring(parts, title="out")
    (line,) = ways_around(ax)
    low, high = line[:, 1].min(), line[:, 1].max()
    around = [name for name in parts if low < at(ax, name)[0] < high]
    assert around == passed
    assert [high] == at(ax, "+")
    assert at(ax, "x")[0] < low and high < at(ax, "out")[0]


def test_layers_stand_side_by_side_inside_the_limits():
    ax = plots.layer_wiring(["F"])
    plots.layer_wiring(["F", "+", "LN"], ax, left=5)
    (low, high), top = ax.get_xlim(), ax.get_ylim()[1]
    assert low < 0 < 5 < high and top > 4


def test_in_the_stream_every_layer_ends_at_a_sum():
    names, notes = ["a", "b", "c"], ["x", "1", "2", "y"]
    plain = plots.layer_stack(names, notes)
    stream = plots.layer_stack(names, notes, residual=True)
    assert at(plain, "+") == []
    sums = at(stream, "+")
    assert len(sums) == 3
    for height in sums:
        assert any(abs(y - height) < 1e-9 for _, y in arrow_ends(stream))
    for ax in (plain, stream):
        heights = [at(ax, word)[0] for word in ("x", "a", "1", "b", "2", "c")]
        assert np.all(np.diff(heights) > 0) and at(ax, "y")[0] > heights[-1]


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="one part at least"):
        plots.layer_wiring([])
    with pytest.raises(ValueError, match="2 layers and 2 notes"):
        plots.layer_stack(["a", "b"], ["x", "y"])
