"""The exercise `self_attention(X)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    apart,
    number,
    show,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.course.checks.self_attention_mistakes import MISTAKES

__all__ = ["EXERCISE", "contexts", "self_attention"]


def self_attention(function: Any) -> Verdict:
    """Check a function `self_attention(X)`: softmax(X X^T) X, row by row.

    Neither a scale nor projections are wanted here; they come in later
    chapters. Because X X^T is symmetric, a softmax down the columns, a
    transposed matrix of weights and a sum that lost its axis give the same
    numbers: one name serves all three, and two of them together are right.

    Args:
        function: takes X of shape (n, d), whose rows are the tokens, and
            returns the n context vectors, shape (n, d). Lists and tensors
            are accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.1, without scale. Chapter 2.
    """
    return judge(EXERCISE, function)


def contexts(
    tokens: np.ndarray,
    *,
    score: str = "dot product",
    scale: str = "none",
    look: str = "everywhere",
    share: str = "row softmax",
    out: str = "weighted sum",
    add: str = "nothing",
) -> Any:
    """Self-attention, or a wrong variant of it; the defaults are right."""
    x = np.asarray(tokens, dtype=np.float64)
    scores = _SCORE[score](x) * _SCALE[scale](x)
    weights = _SHARE[share](scores + _LOOK[look](len(scores)))
    if look == "not itself, afterwards":
        weights = weights * (1 - np.eye(len(weights)))
    return _OUT[out](weights, scores, x) + _ADD[add](x)


def _softmax(a: np.ndarray, axis: int | None = -1) -> np.ndarray:
    top = a.max(axis=axis, keepdims=True)
    risen = np.exp(a - top)
    return risen / risen.sum(axis=axis, keepdims=True)


def _share(a: np.ndarray) -> np.ndarray:
    return a / a.sum(axis=-1, keepdims=True)


def _winner(a: np.ndarray) -> np.ndarray:
    return (a == a.max(axis=-1, keepdims=True)).astype(np.float64)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _distance(x: np.ndarray) -> np.ndarray:
    return -((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=-1)


_SCORE = {
    "dot product": lambda x: x @ x.T,
    "cosine": lambda x: _unit(x) @ _unit(x).T,
    "distance": _distance,
    "entry by entry": lambda x: x * x.T,
    "not turned": lambda x: x @ x,
    "features": lambda x: x.T @ x,
}
_SCALE = {
    "none": lambda x: 1.0,
    "root of d": lambda x: 1 / np.sqrt(x.shape[1]),
    "d": lambda x: 1 / x.shape[1],
    "root of n": lambda x: 1 / np.sqrt(len(x)),
    "times root of d": lambda x: np.sqrt(x.shape[1]),
    "minus": lambda x: -1.0,
}
_LOOK = {
    "everywhere": lambda n: 0.0,
    "back": lambda n: np.where(np.tri(n) > 0, 0.0, -np.inf),
    "ahead": lambda n: np.where(np.tri(n).T > 0, 0.0, -np.inf),
    "not itself": lambda n: np.where(np.eye(n) > 0, -np.inf, 0.0),
    "not itself, afterwards": lambda n: 0.0,
}
_SHARE = {
    "row softmax": _softmax,
    "column softmax": lambda a: _softmax(a, 0),
    "one softmax": lambda a: _softmax(a, None),
    "scores": lambda a: a,
    "divided scores": _share,
    "exponential": np.exp,
    "exponential from the top": lambda a: np.exp(a - a.max(-1)[:, None]),
    "base two": lambda a: _softmax(a * np.log(2)),
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "winner": lambda a: _share(_winner(a)),
    "first winner": lambda a: np.eye(len(a))[a.argmax(axis=-1)],
    "equal": lambda a: np.full(a.shape, 1 / a.shape[-1]),
    "ones": np.ones_like,
    "twice": lambda a: _softmax(_softmax(a)),
    "logarithm": lambda a: np.log(_softmax(a)),
}
_OUT = {
    "weighted sum": lambda w, s, x: w @ x,
    "weights": lambda w, s, x: w,
    "scores": lambda w, s, x: s,
    "tokens": lambda w, s, x: x,
    "entry by entry": lambda w, s, x: w * x,
    "turned": lambda w, s, x: (w @ x).T,
    "features": lambda w, s, x: x @ w,
    "features, turned": lambda w, s, x: x @ w.T,
    "first": lambda w, s, x: (w @ x)[0],
    "last": lambda w, s, x: (w @ x)[-1],
    "sum": lambda w, s, x: (w @ x).sum(axis=0),
    "mean": lambda w, s, x: (w @ x).mean(axis=0),
    "mean of products": lambda w, s, x: w @ x / len(x),
    "not summed": lambda w, s, x: w[:, :, None] * x[None, :, :],
    "diagonal": lambda w, s, x: np.diag(w)[:, None] * x,
}
_ADD = {"nothing": lambda x: 0.0, "tokens": lambda x: x}


def _random(seed: int, *size: int) -> np.ndarray:
    """Tokens from -1.5 to 1.5 with one decimal: easy to read."""
    draw = np.random.default_rng(seed)
    return draw.integers(-15, 16, size=size) / 10


# Not the tokens that the chapter works out by hand: no check tells c_2.
_FOUR = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0]])
_CASES = (
    Case("four tokens", (_FOUR,)),
    Case("five tokens", (_random(5, 5, 3),)),
    Case("square", (_random(6, 3, 3),)),
    Case("two tokens", (_random(7, 2, 4),)),
    Case("one token", (np.array([[0.5, -1.0, 2.0]]),)),
    Case("long", (np.array([[40.0, 0.0], [0.0, 40.0]]),), basic=False),
    Case(
        "short and long",
        (np.array([[1.0, 1.0], [60.0, 0.0]]),),
        basic=False,
    ),
    Case(
        "whole numbers",
        (_FOUR.astype(int),),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    tokens = case.args[0]
    facts = {"n": len(tokens), "d": tokens.shape[1], "shape": got.shape}
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if len(wrong):
        row, column = (int(i) for i in wrong[0])
        came, wanted = apart(got[row, column], want[row, column])
        facts |= {"came": came, "wanted": wanted, "row": row}
        facts["came_row"] = show(got[row])
        facts["wanted_row"] = show(want[row])
        facts["token"] = show(tokens[row])
    weights = _softmax(tokens @ tokens.T)
    facts["column_sum"] = number(weights.sum(axis=0)[facts.get("row", 0)])
    facts["mean"] = show(tokens.mean(axis=0))
    facts["sum"] = show(tokens.sum(axis=0))
    return facts


def _inside(probe: Probe) -> str | None:
    """A weighted average lies between the smallest and largest entry."""
    if probe.got.kind != ARRAY or probe.got.array.shape != probe.args[0].shape:
        return None
    tokens, got = probe.args[0], probe.got.array
    low, high = tokens.min(axis=0), tokens.max(axis=0)
    out = np.argwhere((got < low - 1e-4) | (got > high + 1e-4))
    if not len(out):
        return None
    row, column = (int(i) for i in out[0])
    return (
        "The first thing that breaks: an average stays between the smallest "
        f"and the largest value. Column {column} of X runs from "
        f"{number(low[column])} to {number(high[column])}, and your row "
        f"{row} has {number(got[row, column])} there. Do the weights of each "
        "row sum to 1?"
    )


EXERCISE = Exercise(
    name="self_attention",
    inputs=("X",),
    asked="`self_attention(X)` returns one context vector for each row of X: "
    "the dot products of that row with all rows, softmax over them, and the "
    "average of all rows with these weights. No scale, no projections yet.",
    praise="Your context vectors agree with the reference for one to five "
    "tokens, and long vectors do not break them.",
    cases=_CASES,
    solve=contexts,
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _inside,
        unmoved_by(
            lambda args: (np.roll(args[0], 1, axis=0),),
            lambda got, args: np.roll(got, 1, axis=0),
            "The first thing that breaks: when the tokens change places, "
            "their context vectors must change places with them, and yours "
            "become different ones.",
        ),
    ),
    hints=(
        "Four steps, each with a shape you can print: X is (n, d), the "
        "scores are (n, n), the weights are (n, n), the contexts are (n, d) "
        "again.",
        "Row i of the weights belongs to token i: it must sum to 1, and it "
        "says how much token i takes from each row of X. The average is a "
        "matrix product of weights and tokens, in this order. Your softmax "
        "from the exercise before does the middle step.",
    ),
    facts=_facts,
    show_inputs=lambda args: show(args[0], "X = "),
)
