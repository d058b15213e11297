"""What the check of `TiedEmbedding` does to objects of the class."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine import guard
from transformer_lib.course.checks.engine.reading import show

__all__ = ["Uses", "play"]


@dataclass(eq=False)
class Uses:
    """What is done to one or two objects, in order.

    Attributes:
        steps: (object, what, with what); objects are counted from 0, and
            each is made when its turn comes. What is one of "table" (write
            these numbers into the table), "embed", "logits", and "shape",
            "spread", "middle" (look at the table as it starts).
    """

    steps: tuple[tuple[int, str, Any], ...]

    def handed_over(self) -> list[tuple[str, Any]]:
        """What the methods get of it, under the names of their inputs."""
        return [
            (_INPUT[what], value)
            for _, what, value in self.steps
            if what in _INPUT
        ]

    def __str__(self) -> str:
        names, lines, made = "ab", [], set()
        for who, what, value in self.steps:
            name = names[who]
            if who not in made:
                made.add(who)
                lines.append(f"{name} = TiedEmbedding(V, d)")
            if what == "table":
                lines.append(show(value, f"{name}.table[...] = "))
            elif value is None:
                lines.append(_LOOKS[what].format(f"{name}.table"))
            else:
                lines.append(show(value, f"{name}.{what}(") + ")")
        return "\n".join(lines)


_INPUT = {"embed": "ids", "logits": "h"}
_LOOKS = {
    "shape": "{}.shape",
    "spread": "the standard deviation of {} times the root of d: as a power "
    "of 2, rounded",
    "middle": "the mean of {}, in standard deviations, rounded",
}


def play(make: Callable, V: int, d: int, uses: Uses) -> Any:
    """Make the objects, use them in turn, return the last answer.

    Args:
        make: the class.
        V: the number of rows.
        d: the length of a row.
        uses: what to do.

    Returns:
        Whatever the last use returned.
    """
    objects, answer = {}, None
    for who, what, value in uses.steps:
        if who not in objects:
            objects[who] = guard.call_by_position_or_name(
                make, (V, d), ("V", "d")
            )
        thing = objects[who]
        if thing is None or thing is Ellipsis:
            return thing
        if what == "table":
            _write(thing, value)
        elif what in _LOOKS:
            answer = _look(thing, what, d)
        else:
            answer = guard.call_by_position_or_name(
                getattr(thing, what), (value,), (_INPUT[what],)
            )
    return answer


def _write(thing: Any, values: np.ndarray) -> None:
    """Write into the table in place, as training does; else set it anew."""
    table = getattr(thing, "table", None)
    if hasattr(table, "data") and hasattr(table, "detach"):
        table.data.copy_(table.data.new_tensor(values.tolist()))
    elif isinstance(table, np.ndarray):
        table[...] = values
    else:
        thing.table = values.copy()


def _look(thing: Any, what: str, d: int) -> Any:
    """The table as it starts: its shape, its spread or its middle."""
    table = getattr(thing, "table", None)
    if table is None or table is Ellipsis:
        return table
    if hasattr(table, "detach"):
        table = table.detach().cpu().double().numpy()
    table = np.asarray(table, dtype=np.float64)
    if what == "shape":
        return list(table.shape)
    spread = table.std(axis=0).mean()
    spread = spread if spread > 1e-9 else 0.0
    if what == "spread":
        return float(np.round(np.log2(spread * np.sqrt(d))))
    if not spread:  # all rows alike, with whatever sign
        return math.inf
    return float(np.round(table.mean() / spread, 1))
