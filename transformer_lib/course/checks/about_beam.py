"""The exercise `beam(logp, ...)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.beam_cases import (
    CASES,
    INPUTS,
    Table,
    searched,
)
from transformer_lib.course.checks.beam_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY, number, read
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "beam"]


def beam(function: Any) -> Verdict:
    r"""Check a function `beam(logp, bos, eos, k, max_len, alpha)`.

    $$s(Y) = \log P(Y) \Big/ \left(\frac{5 + |Y|}{6}\right)^\alpha$$

    ranks all hypotheses of a step, finished or not, in one pool of k; |Y|
    counts <eos> and not <bos>. A finished hypothesis keeps its place and its
    score. The search ends when all k are finished, or after max_len tokens.

    Args:
        function: takes logp, a function from a prefix (a list of ids, <bos>
            first) to V log-probabilities, and five numbers. Returns a pair:
            the tokens of the best hypothesis, <bos> left out and <eos> kept,
            and their log-probability.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Wu et al. 2016, section 7, equation 14. Chapter 14.
    """
    return judge(EXERCISE, _in_a_row(function))


def _in_a_row(function: Any) -> Any:
    """Turn a pair (tokens, log-probability) into one row of numbers."""
    if not callable(function):
        return function

    def run(*args: Any, **named: Any) -> Any:
        return _row(function(*args, **named))

    run.__wrapped__ = function  # for its first line, its body, its errors
    return run


def _row(answer: Any) -> Any:
    """The log-probability, then the tokens; other answers as they are."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return answer
    first, second = map(read, answer)
    if first.kind != ARRAY or second.kind != ARRAY:
        return answer
    if first.array.ndim == 1 and second.array.size == 1:
        return np.concatenate([second.array.reshape(1), first.array])
    if first.array.ndim == 0 and second.array.ndim == 1:  # exchanged
        return np.concatenate([second.array, first.array.reshape(1)])
    return answer


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    _, bos, eos, k, max_len, alpha = case.args
    return {
        "bos": bos,
        "eos": eos,
        "k": k,
        "max_len": max_len,
        "alpha": number(alpha),
        "wanted": number(want[0]),
    }


def _negative(probe: Probe) -> str | None:
    """A log-probability is never positive."""
    if probe.got.kind != ARRAY or probe.got.array.ndim != 1:
        return None
    if not probe.got.array.size or probe.got.array[0] <= 1e-9:
        return None
    return (
        "The first thing that breaks: a log-probability is never positive, "
        f"and yours is {number(probe.got.array[0])}."
    )


def _own_score(probe: Probe) -> str | None:
    """The score is the rule's own log-probability of the tokens."""
    got = probe.got
    if got.kind != ARRAY or got.array.ndim != 1 or got.array.size < 2:
        return None
    logp, bos, *_ = probe.args
    tokens = [int(token) for token in got.array[1:]]
    try:
        total = sum(
            logp([bos, *tokens[:i]])[token] for i, token in enumerate(tokens)
        )
    except IndexError:
        return None
    if np.isclose(total, got.array[0], rtol=1e-4):
        return None
    return (
        "The first thing that breaks: your tokens and your number do not "
        "belong together. Added up token by token, "
        f"{tokens} has the log-probability {number(total)}; you return "
        f"{number(got.array[0])}."
    )


def _show_inputs(args: tuple) -> str:
    logp, bos, eos, k, max_len, alpha = args
    numbers = (
        f"bos = {bos}, eos = {eos}, k = {k}, max_len = {max_len}, "
        f"alpha = {number(alpha)}"
    )
    if not isinstance(logp, Table):
        return f"{numbers}; logp is one of the check's own rules"
    lines = [f"{numbers}; probabilities behind each prefix:"]
    for prefix, row in logp.rows:
        lines.append(f"{[bos, *prefix]}: {list(row)}")
    lines.append(f"all others: {list(logp.rest)}")
    return "\n".join(lines)


EXERCISE = Exercise(
    name="beam",
    inputs=INPUTS,
    asked="`beam(logp, bos, eos, k, max_len, alpha)` keeps the k best "
    "hypotheses of each step, ranked by log-probability divided by "
    "((5 + length) / 6) to the power of alpha; finished ones keep their "
    "place. It returns the pair (tokens, log-probability) of the best: "
    "tokens without <bos>, with <eos>. Below, both stand in one row, the "
    "log-probability first.",
    praise="Your answers agree with the reference for k from 1 to 3, with "
    "and without a length penalty, for searches that end and for one that "
    "max_len cuts.",
    cases=CASES,
    solve=searched,
    catalogue=MISTAKES,
    properties=(shape, finite, _negative, _own_score),
    hints=(
        "A hypothesis is a list of tokens with its sum of log-probabilities. "
        "One step: for each hypothesis of the pool make all that can follow "
        "it; sort all of them together; keep the first k.",
        "A finished hypothesis is its own only successor: it goes into the "
        "list of rivals unchanged. What you sort by is the sum divided by "
        "the penalty of its own length; what you keep is the sum.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
)
