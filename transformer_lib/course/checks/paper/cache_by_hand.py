"""Numbers worked out on paper: what a cache of keys and values weighs."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["CACHE", "cache_by_hand"]

LAYERS, HEADS, D_K, TOKENS, BYTES, GROUPS = 16, 32, 128, 4096, 4, 8


def cache_by_hand(value: Any) -> Verdict:
    """Check four sizes of a cache.

    16 layers, 32 heads, d_k = d_v = 128, 4 bytes a number, 4096 tokens.
    1 MiB is 1024 * 1024 bytes, 1 GiB is 1024 MiB.

    Args:
        value: four numbers: MiB of one token; GiB of 4096 tokens; GiB of
            4096 tokens with 8 heads for keys and values, and with 1.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Shazeer 2019; Ainslie et al. 2023, section 2. Chapter 20.
    """
    return judge_paper(CACHE, value)


def _sizes(
    factor: float = 1.0, kilo: float = 1024, some: float = GROUPS
) -> list[float]:
    """MiB of a token; GiB of all, with some and with one key/value head."""
    one = factor * 2 * LAYERS * HEADS * D_K * BYTES
    every = one * TOKENS / kilo**3
    return [one / kilo**2, every, every * some / HEADS, every / HEADS]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _sizes()
    pick = [
        ("values_forgotten", _sizes(1 / 2),
         "You have half of it. Keys *and* values are kept, 4 bytes a number."),
        ("queries_kept", _sizes(3 / 2),
         "You have kept the queries as well. Nobody asks with them again "
         "(chapter 14)."),
        ("layers_forgotten", _sizes(1 / LAYERS),
         "That is one layer. There are 16, each with keys and values of its "
         "own."),
        ("heads_forgotten", _sizes(1 / HEADS),
         "That is one head. There are 32."),
        ("bytes_forgotten", _sizes(1 / BYTES),
         "Those are numbers, in millions. Each takes 4 bytes."),
        ("eight_bytes", _sizes(2.0),
         "You have twice as much: 4 bytes a number are given, not 8; or is "
         "something counted twice?"),
        ("powers_of_ten", _sizes(kilo=1000),
         "You divided by a million and by a billion. MiB and GiB are powers "
         "of 1024."),
        ("a_thousand_mib", [right[0], *(1.024 * one for one in right[1:])],
         "The first is right. A GiB has 1024 MiB, not 1000."),
        ("in_bits", _sizes(8.0),
         "You have eight times as much: bits. 4 bytes for each number are "
         "given, and bytes are wanted."),
        ("in_bytes", [one * 1024**n for one, n in zip(right, (2, 3, 3, 3),
                                                      strict=True)],
         "Those are bytes. A MiB has 1024 * 1024 of them."),
        ("rounded_too_coarsely", [*right[:3], 0.06],
         "The last one is rounded. All four are powers of two: give it with "
         "four decimals."),
        ("groups_of_eight", _sizes(some=HEADS / GROUPS),
         "You made groups of 8 heads, which leaves 4 for keys and values. "
         "Given are 8 of them."),
        ("values_not_shared",
         [*right[:2], (right[1] + right[2]) / 2, (right[1] + right[3]) / 2],
         "The first two are right. Values are shared as well as keys: both "
         "have 8 heads, then one."),
        ("what_is_saved",
         [*right[:2], right[1] - right[2], right[1] - right[3]],
         "The first two are right. The last two are what is saved; give what "
         "is still kept."),
        ("queries_grouped_too", [right[0], right[1], right[1], right[1]],
         "The first two are right. With fewer heads for keys and values "
         "there are fewer of these to keep."),
        ("all_in_mib", [right[0], *(1024 * one for one in right[1:])],
         "The last three are in MiB; GiB are wanted."),
        ("one_token_only", [right[0], right[0] / 1024,
                            right[0] / 4096, right[0] / 1024 / 32],
         "The last three are those of one token. There are 4096."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.0021
    names = (
        "the MiB of one token",
        "the GiB of 4096 tokens",
        "the GiB with 8 heads for keys and values",
        "the GiB with one head for keys and values",
    )
    return (
        f"{int(fits.sum())} of the 4 are right. Look again at "
        f"{names[int(np.argmin(fits))]}."
    )


CACHE = Paper(
    name="cache_by_hand(numbers)",
    asked="The cache of a model with 16 layers, 32 heads of length 128 and 4 "
    "bytes a number: MiB for one token; GiB for 4096 tokens; the same with 8 "
    "heads for keys and values; with 1. Four numbers such as `(1, 2, 3, 4)`.",
    count="four numbers",
    given="16 layers, 32 heads, 128 numbers a head, 4 bytes a number, 4096 "
    "tokens",
    expected="MiB of a token, GiB of 4096; GiB with 8 heads, with 1",
    want=_sizes,
    misconceptions=_misconceptions,
    praise="All four are right. The second is for one sentence of a batch. "
    "What grouping saves is not the arithmetic of attention but what must "
    "be kept, and read again for every new token.",
    hints=(
        "For one token and one layer: one key and one value for each head, "
        "each of 128 numbers. Then times layers, times bytes.",
        "All of them are powers of two: 4 is 2 to the power of 2, 16 of 4, 32 "
        "of 5, 128 of 7, 4096 of 12. Add the exponents; MiB has 20, GiB 30.",
    ),
    look=_look,
)
