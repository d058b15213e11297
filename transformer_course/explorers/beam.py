"""A beam search over a small tree of sentences, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Number
from transformer_course.explorers.svg import (
    box,
    element,
    fixed,
    label,
    line,
    plain,
)

END = "<eos>"
# What a model might say after 가자 (gaja, "let's go").
TREE = {
    (): {"go": 0.5, "let's": 0.4, "on": 0.06, END: 0.04},
    ("go",): {END: 0.35, "on": 0.32, "go": 0.28, "let's": 0.05},
    ("let's",): {"go": 0.9, END: 0.05, "on": 0.04, "let's": 0.01},
    ("let's", "go"): {END: 0.95, "on": 0.03, "go": 0.015, "let's": 0.005},
}
REST = {END: 0.7, "go": 0.12, "let's": 0.1, "on": 0.08}
WIDTHS = (1, 2, 3)
STEPS = 3
WIDTH, HEIGHT = 360.0, 344.0
_SHOWN = 6  # candidates of a step that the picture holds
_COLUMNS = (0.0, 70.0, 158.0, 258.0)  # where the columns begin
_BOXES = (50.0, 64.0, 78.0, 100.0)  # and how wide they are
_TOP, _ROW = 46.0, 44.0


@dataclass(frozen=True)
class _Candidate:
    """A hypothesis in the ranking of one step."""

    words: tuple[str, ...]
    share: float
    parent: int  # its place in the beam before
    kept: bool

    @property
    def over(self) -> bool:
        return self.words[-1:] == (END,)


def beam_tree(k: int = 2, alpha: Real = 0.0) -> Explorer:
    """Walk through a beam search: all candidates of each step, and who stays.

    Ranked by log P / ((5 + length) / 6)^alpha in one beam of k; a finished
    hypothesis keeps its place and its probability. The model is a table for
    a sentence of up to three tokens.

    Args:
        k: the beam at first, 1, 2 or 3.
        alpha: of the length penalty, 0 to 2.

    Returns:
        An Explorer with sliders for the step and the beam, which begins with
        the whole search; a click on the head of a step goes back to it.
        `live()` also takes another alpha and a beam of up to 6.

    Raises:
        ValueError: k or alpha out of range.

    Source: Wu et al. 2016, section 7. Chapter 14.
    """
    if k not in WIDTHS or not 0 <= alpha <= 2:
        raise ValueError(
            f"k={k} and alpha={alpha} came; k is 1, 2 or 3 and alpha lies "
            "from 0 to 2"
        )
    sliders = [
        Slider("step", tuple(map(str, range(STEPS + 1))), STEPS),
        Slider("beam k", tuple(map(str, WIDTHS)), WIDTHS.index(k)),
    ]
    return Explorer(
        "A beam search, step by step",
        sliders,
        lambda step, place: _frame(step, WIDTHS[place], float(alpha)),
        [
            Number("step", 0, STEPS, 1, STEPS),
            Number("beam k", 1, _SHOWN, 1, k),
            Number("alpha", 0, 2, 0.1, float(alpha)),
        ],
        lambda step, wide, power: _frame(int(step), int(wide), float(power)),
    )


def _score(words: tuple[str, ...], share: float, alpha: float) -> float:
    """Minus the penalized log-probability: the smallest is the best."""
    return -math.log(share) / ((5 + len(words)) / 6) ** alpha


def _search(k: int, alpha: float) -> list[list[_Candidate]]:
    """The candidates of each step, the best first."""
    beam: list[_Candidate] = [_Candidate((), 1.0, 0, True)]
    steps = []
    for _ in range(STEPS):
        if all(one.over for one in beam) and beam[0].words:
            steps.append(
                [
                    _Candidate(one.words, one.share, place, True)
                    for place, one in enumerate(beam)
                ]
            )
            continue
        found = []
        for place, one in enumerate(beam):
            if one.over:
                found.append((one.words, one.share, place))
                continue
            for word, more in TREE.get(one.words, REST).items():
                found.append(((*one.words, word), one.share * more, place))
        found.sort(
            key=lambda candidate: _score(candidate[0], candidate[1], alpha)
        )
        candidates = [
            _Candidate(*candidate, kept=place < k)
            for place, candidate in enumerate(found)
        ]
        steps.append(candidates)
        beam = [candidate for candidate in candidates if candidate.kept]
    return steps


def _y(row: int) -> float:
    return _TOP + _ROW * row


def _frame(step: int, k: int, alpha: float) -> Frame:
    steps = _search(k, alpha)[:step]
    parts = [
        *(_head(number, number == step) for number in range(STEPS + 1)),
        label(_COLUMNS[0], _y(0) + 15, "<bos>", "x-strong"),
        label(_COLUMNS[0], _y(0) + 31, "1", "x-dim"),
    ]
    for number, candidates in enumerate(steps, start=1):
        parts += _column(number, candidates, steps)
    return Frame(WIDTH, HEIGHT, "".join(parts), _words(steps, k, alpha))


def _head(number: int, last: bool) -> str:
    """What stands above a column; a click goes to its step."""
    words = f"step {number}" if number else "start"
    style = "x-strong" if last else "x-dim"
    head = label(_COLUMNS[number], 14, words, style)
    return element("g", head, data_place=number)


def _column(
    number: int, candidates: list[_Candidate], steps: list
) -> list[str]:
    """The candidates of one step, and the lines from their parents."""
    x = _COLUMNS[number]
    parts = []
    for row, one in enumerate(candidates[:_SHOWN]):
        y = _y(row)
        if one.kept:
            start = _COLUMNS[number - 1] + _BOXES[number - 1]
            color = "x-green" if one.over else "x-blue"
            parts.append(
                line(start, _y(one.parent) + 16, x - 3, y + 16,
                     f"x-line x-thin {color}")
            )  # fmt: skip
            parts.append(box(x, y - 2, _BOXES[number], 38, "x-track", rx=5))
            parts.append(box(x, y - 2, 3, 38, f"x-fill {color}"))
        said = _said(one.words)
        style = "x-strong" if one.kept else "x-dim"
        parts.append(label(x + 6, y + 13, said, style))
        parts.append(label(x + 6, y + 30, _share(one.share), "x-dim"))
    rest = len(candidates) - _SHOWN
    if rest > 0:
        parts.append(label(x + 6, _y(_SHOWN) + 10, f"{rest} more", "x-dim"))
    return parts


def _share(share: float) -> str:
    """At the most four decimals, and two digits of a small one."""
    return fixed(share, 4) if share >= 0.001 else f"{share:.2g}"


def _said(words: tuple[str, ...]) -> str:
    return " ".join(words).replace(END, "■")


def _words(steps: list[list[_Candidate]], k: int, alpha: float) -> str:
    """The frame in words."""
    rule = f"Beam of {k}" + (f", alpha {plain(alpha)}" if alpha else "")
    if not steps:
        return f"{rule}. Before the first step there is one hypothesis: <bos>."
    candidates = steps[-1]
    kept = ", ".join(
        f"“{_said(one.words)}” {_share(one.share)}"
        for one in candidates
        if one.kept
    )
    over = all(one.over for one in candidates if one.kept)
    end = " All are finished (■): the search is over." if over else ""
    number = f"Step {len(steps)}"
    if len(steps) > 1 and all(r.over for r in steps[-2] if r.kept):
        return f"{rule}. {number} is not needed; the search ended with {kept}."
    many = f"{len(candidates)} candidates"
    return f"{rule}. {number}: {many}, kept {kept}.{end}"
