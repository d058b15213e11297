"""A walk through the whole model: click a block, read what it is."""

from functools import cache

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import box, element, label
from transformer_course.explorers.walk_facts import FACTS, Fact, ModelSizes
from transformer_course.plots.whole_model import (
    BLOCKS,
    REPEATED,
    SKIPS,
    ModelBlock,
)

__all__ = ["BASE", "SIZES", "SMALL", "model_walk"]

BASE = ModelSizes("base model", 512, 8, 2048, 6, 37_000)
SMALL = ModelSizes("small model", 64, 4, 256, 2, 2388)
SIZES = (BASE, SMALL)
START = "cross_attention"
WIDTH, HEIGHT = 360.0, 374.0
_ROW, _BOX, _HIGH, _GROUND = 25.0, 132.0, 19.0, 262.0
_LEFT = (18.0, 210.0)  # where the boxes of each stack begin

# A click on a block moves the first slider to its place. A live view has no
# slider; there the block is chosen by its name.
_ON_CLICK = (
    "const b=event.target.closest('[data-place]'),"
    "r=this.closest('.explorer').querySelector('input');"
    "if(b&&r){r.value=b.dataset.place;"
    "r.dispatchEvent(new Event('input',{bubbles:true}))}"
)


def model_walk() -> Explorer:
    """Walk through the model, block by block.

    For each block: the shape of what comes out, how many parameters it trains,
    the line of the library, the section of the paper and the chapter. The
    source is *I am going on a trip tomorrow* (n = 7), the target the start
    mark and four words (m = 5); post-norm, tied embeddings.

    Returns:
        An Explorer with sliders for the block and the sizes. A click on a
        block of the drawing moves the first slider.

    Chapter 11.
    """
    names = tuple(
        f"{place + 1}. {_name(block)}" for place, block in enumerate(BLOCKS)
    )
    start = [block.key for block in BLOCKS].index(START)
    return Explorer(
        "A walk through the model",
        [
            Slider("block", names, start),
            Slider("sizes", tuple(sizes.name for sizes in SIZES)),
        ],
        lambda place, which: _frame(place, SIZES[which]),
    )


def _name(block: ModelBlock) -> str:
    stack = "decoder" if block.stack else "encoder"
    known = {
        "source": "source tokens",
        "memory": "memory z",
        "target": "target tokens",
        "output": "output scores",
        "softmax": "softmax",
        "cross_attention": "cross-attention",
        "decoder_attention": "masked self-attention",
    }
    return known.get(block.key, f"{block.words}, {stack}")


def _frame(place: int, sizes: ModelSizes) -> Frame:
    block, fact = BLOCKS[place], FACTS[place]
    chosen = _outline(*_corner(block), "x-halo x-line x-bold")
    repeats = "".join(
        label(x, y, f"{sizes.layers} ×", f"x-strong{end}")
        for x, y, end in ((166, 190, ""), (192, 74, " x-end"))
    )
    return Frame(
        WIDTH,
        HEIGHT,
        _drawing() + repeats + chosen + _lines(place, block, fact, sizes),
        _words(block, fact, sizes),
    )


def _corner(block: ModelBlock) -> tuple[float, float]:
    return _LEFT[block.stack], _GROUND - _ROW * block.row


def _outline(x: float, y: float, class_: str) -> str:
    return box(x - 2, y - 2, _BOX + 4, _HIGH + 4, class_, rx=6)


def _path(points: list[tuple[float, float]], color: str) -> str:
    places = "L".join(f"{x:g} {y:g}" for x, y in points)
    return element("path", d="M" + places, class_=f"x-line x-thin {color}")


@cache
def _drawing() -> str:
    """All blocks, wires and frames; the same in each frame."""
    parts = []
    for stack, first, last in REPEATED:
        top = _GROUND - _ROW * last - 5
        high = _ROW * (last - first) + _HIGH + 12
        left = 1.0 if stack == 0 else 206.0
        parts.append(
            box(left, top, 153, high, "x-line x-soft", stroke_dasharray="2 3")
        )
    for stack, row, end in SKIPS:
        edge = _LEFT[stack] + (_BOX if stack else 0)
        far = edge + (9 if stack else -9)
        low = _GROUND - _ROW * (row - 1) - 3
        high = _GROUND - _ROW * end + _HIGH / 2
        parts.append(
            _path([(edge, low), (far, low), (far, high), (edge, high)],
                  "x-blue")
        )  # fmt: skip
    rows = {block.key: block.row for block in BLOCKS}
    memory, cross = (
        _GROUND - _ROW * rows[key] + _HIGH / 2
        for key in ("memory", "cross_attention")
    )
    right = _LEFT[0] + _BOX
    parts.append(
        _path([(right, memory), (180, memory), (180, cross), (204, cross)],
              "x-orange")
    )  # fmt: skip
    parts.append(
        element(
            "polygon",
            points=f"209,{cross:g} 201,{cross - 4:g} 201,{cross + 4:g}",
            class_="x-fill x-orange",
        )
    )
    for place, block in enumerate(BLOCKS):
        parts.append(_block(place, block))
    return element(
        "g", "".join(parts), onclick=_ON_CLICK, style="cursor:pointer"
    )


def _block(place: int, block: ModelBlock) -> str:
    x, y = _corner(block)
    return element(
        "g",
        box(x, y, _BOX, _HIGH, "x-track", rx=4)
        + label(x + _BOX / 2, y + 14, block.words, "x-mid"),
        data_place=place,
    )


def _lines(place: int, block: ModelBlock, fact: Fact, sizes: ModelSizes) -> str:
    """Five lines below the drawing."""
    rows = (
        (f"{place + 1}. {_name(block)}", "x-tip x-blue"),
        (f"makes {fact.shape(sizes)}", ""),
        (_trains(fact, sizes), ""),
        (fact.code, "x-strong"),
        (f"paper {fact.source}", "x-dim"),
    )
    return "".join(
        label(0, 301 + 17 * k, words, class_)
        for k, (words, class_) in enumerate(rows)
    )


def _trains(fact: Fact, sizes: ModelSizes) -> str:
    count, where = fact.trains(sizes)
    if not count:
        return "trains nothing"
    if where == "shared":
        return f"trains {count:,} parameters, one matrix for all three"
    return f"trains {count:,} parameters in each of {sizes.layers} layers"


def _words(block: ModelBlock, fact: Fact, sizes: ModelSizes) -> str:
    """The frame in words."""
    return (
        f"{_name(block).capitalize()} ({sizes.name}): {fact.says} It makes "
        f"{fact.shape(sizes)} and {_trains(fact, sizes)}; the whole model "
        f"trains {sizes.total:,}."
    )
