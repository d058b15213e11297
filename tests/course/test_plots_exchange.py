"""The drawing of an exchange: who gives, who gets, and the arrow."""

import pytest

from transformer_course import plots

GIVER, RECEIVER = "did the dog sleep ?".split(), "the dog slept .".split()


def places(ax):
    """(text, x, y) of every word."""
    return [(t.get_text(), *t.get_position()) for t in ax.texts if t.get_text()]


def arrows(ax):
    return [
        (t.xyann, t.xy) for t in ax.texts if getattr(t, "arrow_patch", None)
    ]


def test_the_box_that_is_given_stands_in_both_sentences():
    ax = plots.exchange_drawing(GIVER, RECEIVER, -1, -1)
    marks = [(x, y) for text, x, y in places(ax) if text == "?"]
    assert len(marks) == 2 and marks[0][1] > marks[1][1]
    assert "." not in [text for text, *_ in places(ax)]
    ((start, end),) = arrows(ax)
    assert (start[0], end[0]) == (marks[0][0], marks[1][0])
    assert start[1] > end[1]


def test_words_do_not_overlap_and_keep_their_order():
    ax = plots.exchange_drawing(GIVER, RECEIVER, 2, 1)
    boxes = [p.get_bbox() for p in ax.patches]
    for row in (boxes[: len(GIVER)], boxes[len(GIVER) :]):
        assert all(a.x1 < b.x0 for a, b in zip(row[:-1], row[1:], strict=True))
    ((start, end),) = arrows(ax)
    xs = {x for text, x, _ in places(ax) if text == "dog"}
    assert {start[0], end[0]} == xs


def test_what_is_written_stands_behind_the_receiver():
    ax = plots.exchange_drawing(
        GIVER, RECEIVER, 4, 3, before="neun", after="ga", title="An exchange"
    )
    found = {text: (x, y) for text, x, y in places(ax)}
    assert found["ga"][0] > max(p.get_bbox().x1 for p in ax.patches)
    assert "without the exchange: neun" in found
    assert ax.get_title(loc="left") == "An exchange"


@pytest.mark.parametrize(("there", "here"), [(5, 0), (0, 4), (-6, 0)])
def test_a_position_that_is_not_there_is_refused(there, here):
    with pytest.raises(IndexError, match="count them from 0"):
        plots.exchange_drawing(GIVER, RECEIVER, there, here)
