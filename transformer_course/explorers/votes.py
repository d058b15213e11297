"""Eight votes of "bank": what it gives to a neighbor pulls it there."""

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import (
    arrow,
    element,
    handle,
    label,
    line,
    plain,
)

__all__ = ["BANK", "NEIGHBORS", "eight_votes"]

BANK = (2.0, 2.0)  # (about water, about money)
NEIGHBORS = {"river": (4.0, 0.0), "savings": (0.0, 4.0)}
VOTES = 8
WIDTH, HEIGHT = 360.0, 232.0
_ORIGIN, _UNIT = (40.0, 186.0), 40.0
_LEFT = 248.0  # where the votes begin


def eight_votes() -> Explorer:
    """Give votes of "bank" to its neighbor, and see where it is drawn.

    The vectors have two components, (about water, about money). Of eight votes
    k go to the neighbor and the others stay: k/8 neighbor + (8 - k)/8 bank.

    Returns:
        An Explorer with sliders for the votes and the neighbor. In a page the
        tip of the orange arrow can be dragged, and a vote clicked.

    Chapter 2.
    """
    neighbors = tuple(NEIGHBORS)
    counts = tuple(str(k) for k in range(VOTES + 1))
    return Explorer(
        "Eight votes",
        [
            Slider("votes for the neighbor", counts),
            Slider("the neighbor", neighbors),
        ],
        lambda votes, which: _frame(votes, neighbors[which]),
    )


def _mix(votes: int, neighbor: str) -> tuple[float, float]:
    """The weighted sum of the neighbor and of "bank"."""
    x, y = (
        (votes * theirs + (VOTES - votes) * own) / VOTES
        for theirs, own in zip(NEIGHBORS[neighbor], BANK, strict=True)
    )
    return x, y


def _place(vector: tuple[float, float]) -> tuple[float, float]:
    return _ORIGIN[0] + _UNIT * vector[0], _ORIGIN[1] - _UNIT * vector[1]


def _point(vector: tuple[float, float]) -> str:
    return f"({plain(vector[0])}, {plain(vector[1])})"


def _frame(votes: int, neighbor: str) -> Frame:
    drawing = _plane(votes, neighbor) + _ballots(votes, neighbor)
    return Frame(WIDTH, HEIGHT, drawing, _words(votes, neighbor))


def _plane(votes: int, neighbor: str) -> str:
    """The words as arrows; "bank" as it is meant here, in orange."""
    x, y = _ORIGIN
    parts = [
        line(x, y, x + 4.2 * _UNIT, y, "x-line x-soft"),
        line(x, y, x, y - 4.5 * _UNIT, "x-line x-soft"),
        label(x + 4.5 * _UNIT, y + 34, "about water", "x-dim x-end"),
        label(0, 12, "about money", "x-dim"),
    ]
    for tick in (2.0, 4.0):
        parts.append(label(*_shift((tick, 0), 0, 16), plain(tick), "x-mid"))
        parts.append(label(*_shift((0, tick), -8, 4), plain(tick), "x-end"))
    for name, vector in NEIGHBORS.items():
        color = "blue" if name == neighbor else "soft"
        parts.append(arrow(x, y, *_place(vector), color, thin=True))
    parts.append(arrow(x, y, *_place(BANK), "soft", thin=True))
    tip = _place(_mix(votes, neighbor))
    parts.append(arrow(x, y, *tip, "orange"))
    parts.append(handle(*tip, 0, "orange"))
    parts.append(label(*_shift(NEIGHBORS["river"], 12, 4), "river"))
    parts.append(label(*_shift(NEIGHBORS["savings"], 10, 4), "savings"))
    parts.append(label(*_shift(BANK, 12, -8), "bank"))
    return "".join(parts)


def _shift(
    vector: tuple[float, float], right: float, down: float
) -> tuple[float, float]:
    x, y = _place(vector)
    return x + right, y + down


def _ballots(votes: int, neighbor: str) -> str:
    """Eight dots, and what they make."""
    parts = [label(_LEFT, 28, f"for {neighbor}: {votes}", "x-tip x-blue")]
    for vote in range(VOTES):
        given = vote < votes
        x = _LEFT + 12 + 28 * (vote % 4)
        y = 52 + 28 * (vote // 4)
        look = "x-fill x-blue" if given else "x-fill x-orange"
        dot = element("circle", cx=x, cy=y, r=9, class_=look)
        room = element("circle", cx=x, cy=y, r=14, fill="transparent")
        # The last vote that was given is taken back, any other one is given.
        to = vote if vote + 1 == votes else vote + 1
        parts.append(element("g", room + dot, data_place=to))
    kept = VOTES - votes
    parts.append(label(_LEFT, 114, f"for itself: {kept}", "x-tip x-orange"))
    parts.append(label(_LEFT, 152, "bank becomes", "x-dim"))
    parts.append(label(_LEFT, 170, _point(_mix(votes, neighbor)), "x-strong"))
    return "".join(parts)


def _words(votes: int, neighbor: str) -> str:
    """The frame in words."""
    kept = VOTES - votes
    whose = _point(NEIGHBORS[neighbor])
    return (
        f"Bank gives {votes} of its {VOTES} votes to {neighbor} and keeps "
        f"{kept}: {votes}/{VOTES} · {whose} + {kept}/{VOTES} · {_point(BANK)} "
        f"= {_point(_mix(votes, neighbor))}, as (about water, about money)."
    )
