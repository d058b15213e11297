"""Three values of trust: where they begin, and how often each is wrong."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

__all__ = [
    "VALUES",
    "Table",
    "Trust",
    "counted",
    "described",
    "upper_threshold",
    "wilson",
]

Trust = Literal["sure", "perhaps", "doubtful"]
Table = dict[str, dict[str, int]]  # right or wrong -> value -> how many

VALUES: tuple[str, ...] = get_args(Trust)
WRONG = 0.02  # of those that count as sure, by the choice of the threshold
BOUND = 0.1  # the largest share that few examples may leave possible


def wilson(count: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Return the limits of a share that was counted.

    Args:
        count: how many were found.
        total: among how many.
        z: standard deviations; 1.96 for 95 %.

    Returns:
        The lowest and the highest share that the count speaks for; 0 and 1
        where nothing was counted.

    Source: Wilson 1927.
    """
    if not total:
        return 0.0, 1.0
    share, extra = count / total, z * z / total
    middle = (share + extra / 2) / (1 + extra)
    spread = share * (1 - share) / total + extra / total / 4
    width = z * math.sqrt(spread) / (1 + extra)
    return max(0.0, middle - width), min(1.0, middle + width)


def upper_threshold(p: Sequence[float], right: Sequence[bool]) -> float:
    """Choose from which probability on translations count as sure.

    It is the smallest value such that, among the translations from it on, at
    most 2 % are wrong, and so many are right that the Wilson interval of that
    share (95 %) ends below 10 %: a few right ones at the top make nothing
    sure. One that is wrong although its p is among the largest does not
    forbid a value below it; it counts as one of the 2 %. The threshold lies
    halfway to the next smaller p, so that rounding moves no translation.

    Args:
        p: of translations that nothing else keeps from being sure.
        right: which of them are right.

    Returns:
        The threshold; infinity, where no p is enough: nothing is sure then.
    """
    threshold, wrong = math.inf, 0
    order = sorted(zip(p, right, strict=True), reverse=True)
    for total, (value, is_right) in enumerate(order, start=1):
        wrong += not is_right
        below = order[total][0] if total < len(order) else value
        few = wrong <= WRONG * total and wilson(wrong, total)[1] <= BOUND
        if few and (below < value or total == len(order)):
            threshold = (value + below) / 2
    return threshold


def counted(judged: Iterable[tuple[bool, str | None]]) -> Table:
    """Count right and wrong translations by their trust.

    Args:
        judged: for each whether it is right, and its trust.

    Returns:
        {"right": {"sure": ..., "perhaps": ..., "doubtful": ...}, "wrong":
        ...}.
    """
    table = {kind: dict.fromkeys(VALUES, 0) for kind in ("right", "wrong")}
    for is_right, trust in judged:
        if trust is not None:
            table["right" if is_right else "wrong"][trust] += 1
    return table


def described(table: Table) -> list[str]:
    """Say how many translations of each value are wrong.

    Args:
        table: as `counted` returns it.

    Returns:
        For each of the `VALUES` such as "2 of 95 (1-7 %)", with the Wilson
        interval of the share; "0" where there are none.
    """
    cells = []
    for value in VALUES:
        wrong = table["wrong"][value]
        total = wrong + table["right"][value]
        low, high = (100 * share for share in wilson(wrong, total))
        told = f"{wrong} of {total} ({low:.0f}-{high:.0f} %)"
        cells.append(told if total else "0")
    return cells
