"""The figure `unrolled`: a chain of steps, and a look back."""

import pytest

from transformer_course import plots

ORANGE = plots.PALETTE["orange"]
SOURCE, TARGET = ["it", "snows", "today"], ["il", "neige"]


def arrows(ax):
    """(start, end) of every arrow."""
    return [
        (t.xyann, t.xy) for t in ax.texts if getattr(t, "arrow_patch", None)
    ]


def at(ax, text):
    (place,) = [t.get_position() for t in ax.texts if t.get_text() == text]
    return place


def test_one_chain_leads_through_all_states():
    ax = plots.unrolled(SOURCE, TARGET)
    names = ["h₁", "h₂", "h₃", "g₁", "g₂"]
    middle = [at(ax, name)[0] for name in names]
    assert middle == sorted(middle)
    along = [(a[0], b[0]) for a, b in arrows(ax) if a[1] == b[1] == 0]
    assert len(along) == len(names) - 1
    for (start, end), left, right in zip(
        along, middle, middle[1:], strict=False
    ):
        assert left < start < end < right


def test_words_are_read_below_the_encoder_and_written_below_the_decoder():
    ax = plots.unrolled(SOURCE, TARGET)
    states = ["h₁", "h₂", "h₃", "g₁", "g₂"]
    for word, state in zip(SOURCE + TARGET, states, strict=True):
        assert at(ax, word)[0] == at(ax, state)[0]
    upright = [(a, b) for a, b in arrows(ax) if a[0] == b[0]]
    up = [a[0] for a, b in upright if a[1] < b[1]]
    down = [a[0] for a, b in upright if a[1] > b[1]]
    assert up == [at(ax, word)[0] for word in SOURCE]
    assert down == [at(ax, word)[0] for word in TARGET]


def test_without_weights_the_last_state_of_the_encoder_is_marked():
    colors = {
        t.get_text(): t.get_color() for t in plots.unrolled("abc", "de").texts
    }
    assert [name for name, c in colors.items() if c == ORANGE] == ["h₃"]


def test_the_larger_the_weight_the_thicker_the_line():
    ax = plots.unrolled(SOURCE, TARGET, weights=[0.25, 0, 0.75], step=0)
    thin, thick = ax.lines
    assert thin.get_linewidth() < thick.get_linewidth()
    assert [line.get_xdata()[0] for line in ax.lines] == [
        at(ax, "h₁")[0],
        at(ax, "h₃")[0],
    ]
    assert {line.get_xdata()[1] for line in ax.lines} == {at(ax, "g₁")[0]}


@pytest.mark.parametrize(
    ("weights", "says"),
    [([1], "3 source words"), ([0.5, 0.5, 0.5], "the sum 1.5")],
)
def test_weights_that_do_not_fit(weights, says):
    with pytest.raises(ValueError, match=says):
        plots.unrolled(SOURCE, TARGET, weights=weights)


def test_no_words():
    with pytest.raises(ValueError, match="at least one of each"):
        plots.unrolled([], TARGET)
