"""Part 1 of the reader's own Transformer, and the wrong answers it knows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import torch

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    show,
)
from transformer_course.checks.parts.functions import SAID, play

__all__ = ["EXERCISE", "scaled_dot_product_attention"]


def scaled_dot_product_attention(query, key, value, mask=None):
    """Average the values: softmax(query key^T / sqrt(d_k)) value.

    query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v); mask,
    True where a query may look at a key, broadcasts to (..., n_q, n_k).
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value


# ------------------------- what the edits of attention.txt are written with


def softmax(x, axis=-1):
    return x.softmax(axis)


def total(x):
    return x.sum(-1, keepdim=True)


def top(x):
    return x.amax(-1, keepdim=True)


def shares(votes):
    return votes / total(votes)


def unit(x):
    return x / x.norm(dim=-1, keepdim=True)


def rows(x):
    return x.reshape(-1, x.shape[-1])


def all_axes_turned(x):
    return x.permute(*range(x.ndim)[::-1])


# ------------------------------------------------ and those of this part


def left_over(weights, mask, least=0.0):
    """Hide weights, and divide what is left by its sum."""
    left = weights * mask
    return left / left.sum(-1, keepdim=True).clamp(min=least)


def first_column(x):
    """Divide the first number of each row by the root of the width."""
    root = torch.ones(x.shape[-1], dtype=x.dtype)
    root[0] = math.sqrt(x.shape[-1])
    return x / root


def without_maximum(x, least):
    """Softmax of each row that subtracts nothing."""
    return x.exp() / total(x.exp()).clamp(min=least)


def spread(x):
    """The standard deviation of each row, nan for a single number."""
    gaps = x - x.mean(-1, keepdim=True)
    return (gaps.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)).sqrt()


def first_sentence(mask):
    """Hide nothing, except in the first sentence of a batch."""
    if mask.ndim < 3:
        return mask
    later = torch.arange(len(mask)) > 0
    return mask | later.reshape(-1, *[1] * (mask.ndim - 1))


def triangle(scores):
    """True where the key is not later than the query."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril()


def _case(name, seed, sizes, *leading, ask="output", mask=None, basic=None,
          loud=1.0):  # fmt: skip
    """Random numbers with one decimal; sizes are n_q, n_k, d_k, d_v.

    `loud` stretches the keys that no query may look at.
    """
    draw = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    q, k, v = (draw.integers(-15, 16, (*leading, *two)) / 10 for two in shapes)
    if mask is not None:
        mask = np.array(mask, dtype=bool)
        k = np.where(mask.any(-2)[..., None], k, k * loud)
    if basic is None:
        basic = not leading and mask is None
    say = SAID[ask] + (
        "" if mask is None else f", with a mask of shape {mask.shape}"
    )
    return Case(name, (say, ask, q, k, v, mask), basic)


def _probe(name, *matrices, mask=None):
    given = ("the result", "output", *map(np.array, matrices), mask)
    return Case(name, given, basic=False)


_PADDING = [[[1, 1, 1, 0]], [[1, 0, 0, 0]]]
_EMPTY = [[[1, 1, 0]], [[0, 0, 0]]]
CASES = (
    _case("two queries", 10, (2, 3, 4, 2)),
    _case("five keys", 11, (3, 5, 2, 4)),
    _case("square", 12, (3, 3, 3, 3)),
    _case("as many queries as keys", 13, (4, 4, 3, 2)),
    _case("one query", 17, (1, 4, 3, 2)),
    _case("one key", 18, (2, 1, 3, 2)),
    _case("gradients", 19, (2, 3, 4, 2), ask="gradients"),
    _case("batch", 14, (3, 5, 4, 6), 2),
    _case("batch and heads", 15, (4, 5, 2, 6), 2, 3),
    _case("square batch", 16, (3, 3, 3, 3), 3),
    _probe("long", [[60.0, 0], [0, 60]], [[60.0, 0], [0, 60]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _probe("short and long", [[0.0, 1], [60, 0]], [[60.0, 1], [0, 2]],
           [[1.0, 2, 3], [4, 5, 6]]),
    _case("one mask", 20, (2, 3, 2, 2), 2, mask=[[1, 0, 1], [0, 1, 1]]),
    _case("padding", 21, (3, 4, 2, 5), 2, mask=_PADDING),
    _case("as many queries as sentences", 22, (3, 5, 2, 3), 3,
          mask=[[[1, 1, 1, 1, 0]], [[1, 1, 0, 0, 0]], [[0, 1, 1, 0, 1]]]),
    _case("causal", 23, (4, 4, 3, 2), 2, mask=np.tri(4)),
    _case("square padding", 24, (3, 3, 2, 3), 2,
          mask=[[[1, 1, 0]], [[1, 0, 0]]]),
    _case("mask with heads", 25, (2, 4, 3, 2), 2, 3,
          mask=[[x] for x in _PADDING]),
    _case("loud padding", 26, (2, 3, 3, 2), 2, loud=4000.0,
          mask=[[[1, 1, 0]], [[1, 0, 0]]]),
    _probe("low scores", [[[1e5, 0.0], [0, 1e5]]],
           [[[-1e5, -2e5], [-2e5, -1e5], [0, 0]]],
           [[[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]],
           mask=np.array([[[True, True, False]]])),
    _case("gradients with a mask", 27, (3, 4, 2, 2), 2, mask=_PADDING,
          ask="gradients"),
    _case("nothing to look at", 28, (2, 3, 2, 3), 2, mask=_EMPTY),
    _case("gradients of nothing", 29, (2, 3, 2, 3), 2, mask=_EMPTY,
          ask="gradients"),
    _case("types", 30, (2, 3, 4, 2), 2, ask="types"),
    _case("digits", 33, (2, 3, 4, 2), 2, ask="digits"),
    _case("other device", 31, (2, 3, 4, 5), 2, ask="other device"),
    _case("mask on another device", 32, (2, 3, 4, 5), 2, ask="other device",
          mask=_EMPTY),
)  # fmt: skip


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    _, _, q, k, v, _ = case.args
    facts = {"row": 0, "came_columns": got.shape[-1] if got.ndim else 0}
    facts |= first_difference(want, got)
    scores = torch.from_numpy(q @ k.mT / q.shape[-1] ** 0.5)
    sums = scores.softmax(-2).sum(-1).flatten()
    facts["column_weights"] = number(sums[min(facts["row"], len(sums) - 1)])
    facts["root"] = number(q.shape[-1] ** 0.5)
    sizes = (q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1])
    return facts | dict(zip(("n_q", "n_k", "d_k", "d_v"), sizes, strict=True))


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest value."""
    _, ask, _, _, values, mask = probe.args
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    if ask != "output" or mask is not None:
        return None
    low = values.min(axis=-2, keepdims=True) - 1e-4
    high = values.max(axis=-2, keepdims=True) + 1e-4
    out = (got.array < low) | (got.array > high)
    if not out.any():
        return None
    place = tuple(int(i) for i in np.argwhere(out)[0])
    return (
        "The first thing that breaks: an average of the values stays between "
        f"the smallest and the largest of them. Your {number(got.array[place])}"
        f" at {list(place)} lies outside of column {place[-1]} of `value`. "
        "Weights between 0 and 1 that sum to 1 give no such number."
    )


def _exchanged(args: tuple) -> tuple:
    """Keys, their values and their columns of the mask in another order."""
    say, ask, q, k, v, mask = args
    if ask != "output":
        return args
    turned = None if mask is None else np.roll(mask, 1, -1)
    return say, ask, q, np.roll(k, 1, -2), np.roll(v, 1, -2), turned


def _other_hidden(args: tuple) -> tuple:
    """Other numbers in keys and values that no query may look at."""
    say, ask, q, k, v, mask = args
    if ask != "output" or mask is None:
        return args
    seen = mask.any(-2)[..., None]
    return say, ask, q, np.where(seen, k, k + 1), np.where(seen, v, v - 2), mask


def _shown(args: tuple) -> str:
    say, ask, q, k, v, mask = args
    given = {"query": q, "key": k, "value": v}
    if mask is not None:
        given["mask"] = mask.astype(int)
    if ask == "output" and q.ndim < 3:
        return "\n".join(show(x, f"{name} = ") for name, x in given.items())
    sizes = ", ".join(f"{name} {x.shape}" for name, x in given.items())
    return f"{sizes}; {say}"


_WITHOUT_A_MASK = {
    "batch", "batch and heads", "square batch", "long", "short and long",
}  # fmt: skip
_IGNORED = {
    "scores = scores.masked_fill(~mask, -math.inf)": "pass",
    "weights = weights.masked_fill(~mask, 0.0)": "pass",
}


def _also_in_chapter_4(known: tuple[Mistake, ...]) -> tuple[Mistake, ...]:
    """Know what a refinement without a mask shows where the mask is ignored."""
    return tuple(
        replace(m, edits=(*m.edits, *(e | _IGNORED for e in m.edits)))
        if m.on in _WITHOUT_A_MASK
        else m
        for m in known
    )


def _nan_for_values(answers: dict[str, Answer]) -> bool:
    """The values get nan, too, from weights that stayed nan."""
    got = answers["gradients of nothing"]
    if answers["nothing to look at"].broken or got.kind != ARRAY:
        return False
    values = 2 * 3 * 3  # theirs are the last of the row
    return bool(np.isnan(got.array[-values:]).any())


def _told_by_the_gradients(known: tuple[Mistake, ...]) -> tuple[Mistake, ...]:
    """Know by the gradients of the values that the result was mended."""
    return tuple(
        replace(mistake, matches=_nan_for_values)
        if mistake.id == "nan_mended_in_the_result"
        else mistake
        for mistake in known
    )


EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    inputs=("query", "key", "value"),
    written="scaled_dot_product_attention(query, key, value, mask=None)",
    asked="`scaled_dot_product_attention(query, key, value, mask=None)` "
    "returns softmax(query key^T / sqrt(d_k)) value: a row for each query, an "
    "average of the rows of `value`. Axes before the last two, such as "
    "sentences and heads, are left alone. From chapter 8 on: a mask is True "
    "where a query may look at a key, it broadcasts to (..., n_q, n_k), and "
    "a query that may look at nothing gets zeros.",
    praise="Values and gradients are those of "
    "torch.nn.functional.scaled_dot_product_attention: for values of "
    "another width, a batch, a batch with heads, large scores, masks "
    "of every form. A query with nothing to look at gets zeros.",
    cases=CASES,
    draw=lambda seed: _case("one more", seed, (3, 4, 2, 5)),
    solve=Reference(scaled_dot_product_attention),
    revise=lambda known: _told_by_the_gradients(_also_in_chapter_4(known)),
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            _exchanged,
            lambda got, args: got,
            "The first thing that breaks: when keys and values change places "
            "together, no result may change, and yours do.",
        ),
        unmoved_by(
            _other_hidden,
            lambda got, args: got,
            "The first thing that breaks: when other numbers stand in hidden "
            "keys and values, no result may change, and yours do.",
        ),
    ),
    hints=(
        "Write the shape after every line. The scores are (..., n_q, n_k); "
        "scaled, hidden and shared out they stay so, and the result is "
        "(..., n_q, d_v).",
        "Axes are counted from the end: `key` is turned along its last two, "
        "the root is that of the last axis of `query`, softmax runs along the "
        "last axis of the scores. A mask is applied to the scores before the "
        "softmax; last of all, look for queries with nothing to look at.",
    ),
    facts=_facts,
    show_inputs=_shown,
    play=play,
    handed_over=("say", "ask", "query", "key", "value", "mask"),
    on_the_way={
        "scores": "the scaled scores",
        "weights": "the weights",
        "query @ key.transpose(-2, -1)": "the scores, not scaled yet",
        "key.transpose(-2, -1)": "`key`, transposed",
        "math.sqrt(query.shape[-1])": "the root of d_k",
    },
)
