"""The figure `number_table`: every number in its cell."""

import numpy as np
import pytest

from transformer_course import plots
from transformer_course.plots import number_table

TABLE = np.array([[1, -2, 0.5], [30, 4, 5]])


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_every_number_stands_in_its_cell():
    ax = number_table(TABLE)
    assert words(ax) == ["1", "−2", "0.5", "30", "4", "5"]
    for (i, j), text in zip(np.ndindex(2, 3), ax.texts, strict=True):
        assert text.get_position() == (j + 0.5, i + 0.5)
    corners = [patch.get_xy() for patch in ax.patches]
    assert corners == [(j, i) for i, j in np.ndindex(2, 3)]


def test_marked_cells_are_filled_and_their_numbers_light():
    marked = TABLE > 3
    ax = number_table(TABLE, marked=marked, color=plots.PALETTE["orange"])
    filled = [patch.get_facecolor()[:3] != (1, 1, 1) for patch in ax.patches]
    assert filled == marked.ravel().tolist()
    light = [text.get_color() == plots.PALETTE["paper"] for text in ax.texts]
    assert light == filled


def test_a_second_table_widens_the_view():
    ax = number_table(TABLE, title="A")
    number_table(TABLE.T, ax, left=5, title="B")
    assert ax.get_xlim() == (0, 7)
    assert ax.get_ylim() == (3, -1)
    assert {"A", "B"} < set(words(ax))
    picture = plots.picture(ax, alt="Two tables of numbers side by side.")
    assert picture.svg == plots.picture(ax, alt=picture.alt).svg


@pytest.mark.parametrize(
    ("table", "marked", "says"),
    [
        ([1, 2], None, "2 axes"),
        ([[1, np.nan]], None, "finite"),
        (TABLE, TABLE.T > 3, "one mark a cell"),
    ],
)
def test_what_is_no_table_is_refused(table, marked, says):
    with pytest.raises(ValueError, match=says):
        number_table(table, marked=marked)
