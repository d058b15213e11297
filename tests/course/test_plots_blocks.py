"""The figure `block`: every cube where it belongs."""

import numpy as np
import pytest

from transformer_course import plots

PAPER = (1, 1, 1)


def blue(patch):
    red, _, blue = patch.get_facecolor()[:3]
    return blue > red + 0.3


def filled(marked):
    """How many of the faces are filled, and how many there are."""
    ax = plots.block(marked)
    return sum(map(blue, ax.patches)), len(ax.patches)


def test_only_the_outer_faces_are_drawn():
    marked = np.zeros((2, 3, 4), bool)
    assert filled(marked) == (0, 3 * 4 + 2 * 4 + 2 * 3)
    assert filled(~marked) == (26, 26)


@pytest.mark.parametrize(
    ("place", "faces"),
    [
        ((0, 0, 0), 2),  # front and top
        ((0, 0, 3), 3),  # all three
        ((1, 0, 3), 2),  # top and side
        ((0, 2, 1), 1),  # front
        ((1, 2, 1), 0),  # hidden behind the first sentence
    ],
)
def test_a_cube_shows_its_free_faces(place, faces):
    marked = np.zeros((2, 3, 4), bool)
    marked[place] = True
    assert filled(marked)[0] == faces


def test_a_token_is_a_row_of_the_front():
    marked = np.zeros((2, 3, 4), bool)
    marked[0, 1] = True
    ax = plots.block(marked)
    spans = [p.get_xy() for p in ax.patches if blue(p)]
    front = [s for s in spans if set(s[:, 1]) == {1.0, 2.0}]
    assert sorted(s[:, 0].min() for s in front) == [0, 1, 2, 3]


def test_names_title_and_repeatable_svg():
    def draw():
        return plots.block(
            np.ones((2, 2, 2)), axes=("b", "t", "k"), title="all"
        )

    words = [text.get_text() for text in draw().texts]
    assert words == ["t", "k", "b", "all"]
    svg = plots.picture(draw(), alt="A block of eight cubes, all filled.").svg
    assert svg == plots.picture(draw(), alt="A block of eight cubes, all "
                                "filled.").svg  # fmt: skip


@pytest.mark.parametrize("marked", [np.ones((2, 3)), np.ones((0, 2, 2))])
def test_what_is_no_block_is_refused(marked):
    with pytest.raises(ValueError, match="three axes"):
        plots.block(marked)
