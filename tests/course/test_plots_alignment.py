"""The figure `alignment_lines`: a line for each weight, none for 0."""

import re

import numpy as np
import pytest

from transformer_course import plots
from transformer_course.plots import alignment_lines

WEIGHTS = np.array([[1, 0, 0], [0, 0.25, 0.75]])
TARGET, SOURCE = ["나는\nnaneun", "간다"], ["I", "am", "going"]


def test_every_weight_above_zero_is_a_line_from_word_to_word():
    ax = alignment_lines(WEIGHTS, TARGET, SOURCE)
    places = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert list(places) == SOURCE + TARGET
    ends = [tuple(line.get_xdata()) for line in ax.lines]
    assert ends == [
        (places[TARGET[i]], places[SOURCE[j]])
        for i, j in [(0, 0), (1, 1), (1, 2)]
    ]
    widths = [line.get_linewidth() for line in ax.lines]
    assert widths[0] > widths[2] > widths[1]


def test_words_stand_in_order_and_inside():
    ax = alignment_lines(WEIGHTS, TARGET, SOURCE, title="two sentences")
    for words in (SOURCE, TARGET):
        x = [t.get_position()[0] for t in ax.texts if t.get_text() in words]
        assert x == sorted(x) and x[0] > 0 and x[-1] < 1


def test_it_is_the_same_twice_and_needs_words():
    first, second = (
        plots.picture(alignment_lines(WEIGHTS, TARGET, SOURCE), alt="lines")
        for _ in range(2)
    )
    assert first.svg == second.svg
    assert re.search("나는", first.svg)


@pytest.mark.parametrize(
    ("weights", "says"),
    [(WEIGHTS.T, "want"), (2 * WEIGHTS, "from 0 to 1"), ([1, 2], "2 axes")],
)
def test_what_is_no_alignment_is_refused(weights, says):
    with pytest.raises(ValueError, match=says):
        alignment_lines(weights, TARGET, SOURCE)
