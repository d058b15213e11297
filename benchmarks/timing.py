"""A fair race: contestants take turns, and spread is told with the median.

All contestants run in one process. In each round each of them has one turn,
in an order drawn anew, so that a processor that slows down slows all alike.
On a CPU the clock counts the processor's seconds (with one thread that is
the time of an idle machine), on a GPU it is a watch that waits for the GPU.
"""

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import torch

RESAMPLES = 2000


def clock(device: str) -> float:
    """Return seconds since some moment, when all that was begun is done."""
    if device == "cuda":
        torch.cuda.synchronize()
        return time.perf_counter()
    return time.process_time()


def race(
    contestants: Mapping[str, Callable[[int], object]],
    repeats: Mapping[str, int],
    device: str = "cpu",
    seed: int = 0,
) -> dict[str, list[float]]:
    """Time each contestant once a round; return its seconds.

    Args:
        contestants: a name and what is timed, given the number of the round.
        repeats: in how many rounds each takes part, from the first one on.
        device: "cpu" or "cuda".
        seed: decides who goes first.
    """
    chance = random.Random(seed)
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(max(repeats.values())):
        names = [name for name in contestants if number < repeats[name]]
        chance.shuffle(names)
        for name in names:
            start = clock(device)
            contestants[name](number)
            seconds[name].append(clock(device) - start)
    return seconds


def describe(seconds: Sequence[float]) -> dict:
    """Return the median, the quartiles and how often was measured."""
    low, middle, high = statistics.quantiles(
        [*seconds] * 2 if len(seconds) == 1 else seconds, method="inclusive"
    )
    return {
        "seconds": _round(middle),
        "quartiles": [_round(low), _round(high)],
        "repeats": len(seconds),
    }


def ratio(rival: Sequence[float], ours: Sequence[float], seed: int = 0) -> dict:
    """Say how many times as long as ours a rival takes.

    Returns:
        The ratio of the medians, and between which values 95 % of the
        ratios fall when the repeats are drawn anew from those measured (the
        bootstrap; None where there are fewer than five repeats).
    """
    point = statistics.median(rival) / statistics.median(ours)
    interval = None
    if min(len(rival), len(ours)) >= 5:
        chance = random.Random(seed)
        drawn = sorted(
            statistics.median(chance.choices(rival, k=len(rival)))
            / statistics.median(chance.choices(ours, k=len(ours)))
            for _ in range(RESAMPLES)
        )
        ends = (int(0.025 * RESAMPLES), int(0.975 * RESAMPLES) - 1)
        interval = [_round(drawn[end]) for end in ends]
    return {"ratio": _round(point), "interval": interval}


def _round(value: float) -> float:
    return float(f"{value:.4g}")
