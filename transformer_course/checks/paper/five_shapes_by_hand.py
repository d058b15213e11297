"""Worked out on paper: the shapes of five arrays."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from transformer_course.checks.engine.foreign import safely
from transformer_course.checks.engine.paper import Paper, judge_paper
from transformer_course.checks.engine.verdict import Verdict

__all__: list[str] = []

Shape = tuple[int, ...]
ORDER = (
    "In array {} the lengths are right and their order is not. In this book it "
    "is always sentences, words, components."
)
AXES = (
    "Array {} holds as many numbers as yours, but its axes are others. Each "
    "*for each* is an axis with its own length."
)


def _shapes(value: Any) -> list[Shape] | None:
    """Read five shapes; None where something else came."""
    parts = list(value) if isinstance(value, (tuple, list)) else []
    rows = [p if isinstance(p, (tuple, list)) else (p,) for p in parts]
    if len(rows) != 5 or not any(isinstance(p, (tuple, list)) for p in parts):
        return None
    shapes = [tuple(int(n) for n in row) for row in rows]
    same = all(
        bool(shape) and all(map(_equal, shape, row))
        for shape, row in zip(shapes, rows, strict=True)
    )
    return shapes if same else None


def _equal(whole: int, given: Any) -> bool:
    """Is this the whole number that was given, and not a text or a half?"""
    return not isinstance(given, (str, bytes)) and bool(whole == given)


def _other(shape: Shape, right: Shape) -> str:
    """Say what is wrong with a shape that holds the right count."""
    return ORDER if sorted(shape) == sorted(right) else AXES


class Shapes(Paper):
    """Shapes are given; what they are compared by is how much they hold.

    How many numbers each array holds is right, too: it was asked for once.
    """

    def judge(self, value: Any) -> Verdict:
        """Compare shapes where shapes came, else numbers."""
        shapes = safely(lambda: _shapes(value), None)
        if shapes is None:
            return judge_paper(self, value)
        came = str(tuple(shapes))
        pairs = zip(shapes, self._right(), strict=True)
        for place, (shape, right) in enumerate(pairs):
            if shape != right and prod(shape) == prod(right):
                said = _other(shape, right).format(place + 1)
                return self.wrong(said, None, came)
        verdict = judge_paper(self, [prod(shape) for shape in shapes])
        if verdict.example is None:
            return verdict
        return replace(verdict, example=replace(verdict.example, received=came))

    def in_page(self) -> dict[str, Any]:
        """Say which shapes are right, and the sentences on shapes."""
        return {"shapes": self._right(), "order": ORDER, "axes": AXES}

    def _right(self) -> list[Shape]:
        B, T, d = (int(self.givens[name].value) for name in "BTd")
        return [(T, d), (B, T), (B, T, d), (B, T, T), (B,)]


KIND = Shapes
