"""The drawing of the whole model: every box and wire where it belongs."""

import pytest
from matplotlib.colors import to_hex

from transformer_course import plots
from transformer_course.plots.whole_model import (
    BLOCKS,
    REPEATED,
    SKIPS,
    STEPS,
)

BLUE = plots.PALETTE["blue"]
PURPLE = plots.PALETTE["purple"]


def at(stack, row):
    (found,) = (b for b in BLOCKS if (b.stack, b.row) == (stack, row))
    return found


def test_every_block_is_drawn_with_its_words():
    ax = plots.whole_model(layers="6 ×")
    words = [text.get_text() for text in ax.texts]
    for block in BLOCKS:
        if block.words != "add, norm":
            assert block.words in words
    assert words.count("+") == words.count("norm") == len(SKIPS)
    assert words.count("Q, K, V") == 2 and words.count("Q") == 1
    assert words.count("6 ×") == 2
    assert len({block.key for block in BLOCKS}) == len(BLOCKS)


def test_skips_lead_around_sub_layers_into_additions():
    for stack, row, end in SKIPS:
        assert at(stack, end).words == "add, norm"
        assert "att" in at(stack, row).words or "feed" in at(stack, row).words
    additions = sum(block.words == "add, norm" for block in BLOCKS)
    assert additions == len(SKIPS) == 5


def test_a_skip_ends_at_the_sum_below_the_norm():
    ax = plots.whole_model()
    heights = {"+": [], "norm": []}
    ends = []
    for text in ax.texts:
        arrow = getattr(text, "arrow_patch", None)
        if arrow and to_hex(arrow.get_edgecolor()) == PURPLE.lower():
            ends.append(text.xy[1])
        elif text.get_text() in heights:
            heights[text.get_text()].append(text.get_position()[1])
    assert len(ends) == len(SKIPS)
    assert sorted(ends) == pytest.approx(sorted(heights["+"]))
    for low, high in zip(sorted(ends), sorted(heights["norm"]), strict=True):
        assert low < high


def test_the_frames_hold_all_sub_layers_and_no_more():
    for stack, first, last in REPEATED:
        assert at(stack, first - 1).words == "+ positions"
        assert at(stack, last).words == "add, norm"
        assert at(stack, last + 1).key in ("memory", "output")


def test_marked_blocks_are_filled():
    from matplotlib.patches import FancyBboxPatch

    def filled(**kwargs):
        boxes = [
            patch
            for patch in plots.whole_model(**kwargs).patches
            if isinstance(patch, FancyBboxPatch)
        ]
        assert len(boxes) == len(BLOCKS)
        return [
            block.key
            for block, box in zip(BLOCKS, boxes, strict=True)
            if to_hex(box.get_facecolor()) == BLUE.lower()
        ]

    assert filled() == []
    assert filled(marked=("memory", "output")) == ["memory", "output"]


def test_an_unknown_block_is_named():
    with pytest.raises(ValueError, match="'head'; choose from source"):
        plots.whole_model(marked=("head",))


def test_the_picture_is_the_same_at_every_run():
    first, second = (
        plots.picture(plots.whole_model(), alt="the model").svg
        for _ in range(2)
    )
    assert first == second


def numbers(ax):
    """The discs of a drawing: number to place."""
    return {
        int(text.get_text()): text.get_position()
        for text in ax.texts
        if text.get_text().isdigit()
    }


def test_fourteen_steps_are_drawn_once_each_from_below():
    assert [step.number for step in STEPS] == list(range(1, 15))
    assert not numbers(plots.whole_model())
    places = numbers(plots.whole_model(steps=True))
    assert sorted(places) == list(range(1, 15))
    for stack in ((1, 2, 3, 4), (6, 7, 8, 9, 11)):
        heights = [places[number][1] for number in stack]
        assert heights == sorted(heights)
    assert places[5][0] < places[1][0] < places[6][0] < places[10][0]
    assert places[13][0] == min(x for x, _ in places.values())
    assert places[14][0] == max(x for x, _ in places.values())


def test_every_block_belongs_to_one_step_in_the_order_of_the_blocks():
    keys = [key for step in STEPS for key in step.blocks]
    assert keys == [block.key for block in BLOCKS]


def test_each_number_stands_beside_the_first_block_of_its_step():
    ax = plots.whole_model(steps=True)
    places = numbers(ax)
    heights = {}
    for text in ax.texts:
        heights.setdefault(text.get_text(), []).append(text.get_position()[1])
    words = {block.key: block.words for block in BLOCKS}
    for step in STEPS:
        if not step.blocks or step.number == 5:
            continue
        nearest = min(
            heights[words[step.blocks[0]]],
            key=lambda y: abs(y - places[step.number][1]),
        )
        assert abs(nearest - places[step.number][1]) < 0.5
