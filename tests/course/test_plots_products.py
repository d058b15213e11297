"""The figure `product_grid`: each number stands where two lines cross."""

import numpy as np
import pytest

from transformer_course import plots
from transformer_course.plots import product_grid

LEFT = np.array([[1, 1, 0], [0, -2, 1]])
RIGHT = np.array([[2, 0, 3, 1], [0, 2, 0.5, 1], [1, 1, 1, 1]])


def at(ax):
    """The words of the figure by their place."""
    return {
        tuple(np.round(text.get_position(), 3)): text.get_text()
        for text in ax.texts
    }


def test_every_number_of_the_product_stands_at_its_crossing():
    ax = product_grid(LEFT, RIGHT)
    words = at(ax)
    for (i, j), value in np.ndenumerate(LEFT @ RIGHT):
        row_height = 3 + 0.7 + i + 0.5
        column_place = 3 + 0.7 + j + 0.5
        said = words[round(column_place, 3), round(row_height, 3)]
        assert float(said.replace("−", "-")) == value
        assert words[0.5, round(row_height, 3)].replace("−", "-") == str(
            LEFT[i, 0]
        )
        assert float(words[round(column_place, 3), 0.5]) == RIGHT[0, j]


def test_the_marked_entry_is_filled_with_its_row_and_column():
    ax = product_grid(LEFT, RIGHT, marked=(1, 2))
    light = [t for t in ax.texts if t.get_color() == plots.PALETTE["paper"]]
    said = [text.get_text() for text in light]
    assert said == ["0", "−2", "1", "3", "0.5", "1", "0"]


def test_titles_and_a_picture_that_stays_the_same():
    titles = ("Q", "Kᵀ", "Q Kᵀ")
    ax = product_grid(LEFT, RIGHT, titles=titles)
    assert set(titles) < {text.get_text() for text in ax.texts}
    alt = "Two factors and their product, each number at a crossing."
    assert plots.picture(ax, alt=alt).svg == plots.picture(ax, alt=alt).svg


@pytest.mark.parametrize(
    ("right", "marked", "says"),
    [
        (LEFT, None, "3 columns and right 2 rows"),
        (RIGHT, (2, 0), "outside the product of 2 rows and 4 columns"),
        (RIGHT, (0, -1), "count from 0"),
        ([1, 2, 3], None, "2 axes"),
    ],
)
def test_bad_input_is_named(right, marked, says):
    with pytest.raises(ValueError, match=says):
        product_grid(LEFT, right, marked=marked)
