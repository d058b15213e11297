"""The figure `mask_table`: blue where a query may look, grey elsewhere."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from transformer_course import plots
from transformer_course.plots import mask_table

MASK = np.array([[True, False, False], [True, True, False]])


def cells(ax, name):
    """The corners of the cells that have a color as their fill."""
    color = to_rgb(plots.PALETTE[name])
    return {
        tuple(np.floor(p.get_xy()))
        for p in ax.patches
        if p.get_fill() and p.get_facecolor()[:3] == color
    }


def test_blue_cells_may_be_looked_at_and_grey_ones_are_hidden():
    ax = mask_table(MASK)
    want = {(j, i) for i, j in np.argwhere(MASK)}
    assert cells(ax, "blue") == want
    assert cells(ax, "grid") == {(j, i) for i, j in np.argwhere(~MASK)}
    assert ax.get_xlim() == (0, 3)
    assert ax.get_ylim() == (2, 0)  # row 1 is at the top


def test_texts_and_frames_stand_where_they_belong():
    texts = [["a", "b", "c"], ["d", "e", "f"]]
    ax = mask_table(MASK, texts=texts, framed=np.eye(2, 3, k=1))
    places = {t.get_text(): t.get_position() for t in ax.texts}
    assert places["b"] == (1.5, 0.5) and places["d"] == (0.5, 1.5)
    framed = [p.get_xy() for p in ax.patches if not p.get_fill()]
    assert [tuple(np.floor(xy)) for xy in framed] == [(1, 0), (2, 1)]


def test_a_second_mask_widens_the_view():
    ax = mask_table(MASK)
    mask_table(MASK.T, ax, left=5, top=1)
    assert ax.get_xlim() == (0, 7)
    assert ax.get_ylim() == (4, 0)
    assert (5, 1) in cells(ax, "blue") and (6, 1) in cells(ax, "blue")


@pytest.mark.parametrize(
    ("mask", "more", "says"),
    [
        ([True, False], {}, "give a table"),
        (MASK, {"texts": [["a", "b"]]}, "texts has shape"),
        (MASK, {"framed": MASK.T}, "framed has shape"),
    ],
)
def test_what_does_not_fit_is_refused(mask, more, says):
    with pytest.raises(ValueError, match=says):
        mask_table(mask, **more)
