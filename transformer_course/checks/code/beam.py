"""The exercise `beam(logp, ...)` and the wrong answers it knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.guard import call_by_position_or_name
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import Probe, shape
from transformer_course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    read,
)
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "beam", "logp_of"]

INPUTS = ("logp", "bos", "eos", "k", "max_len", "alpha")


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
    return judge(EXERCISE, function)


def solution(logp, bos, eos, k, max_len, alpha):
    def score(one):
        tokens, total = one
        return total / ((5 + len(tokens)) / 6) ** alpha

    pool = [([], 0.0)]
    for _ in range(max_len):
        rivals = []
        for tokens, total in pool:
            if eos in tokens:
                rivals.append((tokens, total))
                continue
            for token, more in enumerate(logp([bos, *tokens])):
                rivals.append(([*tokens, token], total + more))
        pool = sorted(rivals, key=score, reverse=True)[:k]
        if all(eos in tokens for tokens, _ in pool):
            break
    tokens, total = max(pool, key=score)
    return tokens, total


def best(row, k):
    return sorted(enumerate(row), key=lambda pair: -pair[1])[:k]


def refilled(ranked, aside, eos, k, room):
    """Those that go on, k of them, and those that are finished.

    A finished one counts among the first `room` of 2 k rivals.
    """
    going, done = [], list(aside)
    for place, one in enumerate(ranked[: 2 * k]):
        if eos not in one[0]:
            going.append(one)
        elif place < room:
            done.append(one)
        if len(going) == k:
            break
    return going, done


def logp_of(rule: dict) -> Callable[[Any], np.ndarray]:
    """Make `logp` of the data of a case.

    Args:
        rule: `rows`, pairs of a prefix without <bos> and the probabilities
            behind it, `rest`, those behind every other prefix, and `bos`; or
            what `_drawn` takes.

    Returns:
        A function from a prefix to log-probabilities, the same each time.
    """

    def logp(prefix: Any) -> np.ndarray:
        words = tuple(int(token) for token in prefix)
        if "seed" in rule:
            return _drawn(words, **rule).copy()
        begun = words[:1] == (rule["bos"],)
        found = dict(rule["rows"]).get(words[1:]) if begun else None
        with np.errstate(divide="ignore"):
            return np.log(np.array(found or rule["rest"]))

    logp.__dict__ = rule  # a change of the function is one of the input
    return logp


@lru_cache(maxsize=100_000)
def _drawn(
    prefix: tuple, seed: int, size: int, eos: int, often: float
) -> np.ndarray:
    """Random log-probabilities; <eos> is likelier by `often` in the end."""
    draw = np.random.default_rng([seed, *prefix])
    scores = 1.5 * draw.normal(size=size)
    scores[eos] += often if len(prefix) > 2 else -1
    return scores - np.log(np.exp(scores).sum())


def _play(function: Any, rule: dict, *numbers: float) -> Any:
    """Ask for a pair (tokens, log-probability) and make it one row."""
    inputs = (logp_of(rule), *numbers)
    return _row(call_by_position_or_name(function, inputs, INPUTS))


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


# The tree of the chapter: go, let's, on, <eos> are 2, 3, 4, 1; <bos> is 0.
_GO = {
    "rows": (
        ((), (0, 0.04, 0.5, 0.4, 0.06)),
        ((2,), (0, 0.35, 0.28, 0.05, 0.32)),
        ((3,), (0, 0.05, 0.9, 0.01, 0.04)),
        ((3, 2), (0, 0.95, 0.015, 0.005, 0.03)),
    ),
    "rest": (0, 0.7, 0.12, 0.1, 0.08),
    "bos": 0,
}
# Short and likely against long and likely: the penalty decides.
_LONG = {
    "rows": (
        ((), (0, 0.02, 0.5, 0.48)),
        ((2,), (0, 0.62, 0.2, 0.18)),
        ((3,), (0, 0.02, 0.08, 0.9)),
        ((3, 3), (0, 0.04, 0.06, 0.9)),
        ((3, 3, 3), (0, 0.05, 0.05, 0.9)),
        ((3, 3, 3, 3), (0, 0.75, 0.15, 0.1)),
    ),
    "rest": (0, 0.4, 0.3, 0.3),
    "bos": 0,
}


# As rare as sentences of a few hundred words: 1e-417 and less.
_RARE = {
    "rows": (
        ((2,), (0, 1e-90, 3e-70, 2e-70)),
        ((2, 2), (0, 1e-90, 1e-70, 4e-70)),
        ((2, 2, 3), (0, 1e-90, 4e-70, 1e-70)),
        ((2, 2, 3, 2), (0, 1e-90, 1e-70, 3e-70)),
        ((2, 2, 3, 2, 3), (0, 1e-90, 1e-70, 5e-70)),
    ),
    "rest": (0, 1e-90, 2e-70, 1e-70),
    "bos": 0,
}


def _rule(seed, size, eos, often):
    return {"seed": seed, "size": size, "eos": eos, "often": often}


def _case(name, rule, bos, eos, k, max_len, alpha, basic=True):
    return Case(name, (rule, bos, eos, k, max_len, alpha), basic)


CASES = (
    _case("k = 1", _GO, 0, 1, 1, 3, 0.0),
    _case("k = 2", _GO, 0, 1, 2, 4, 0.0),
    _case("short wins", _LONG, 0, 1, 3, 6, 0.0),
    _case("penalty 1.5", _LONG, 0, 1, 3, 6, 1.5),
    _case("cut", _rule(4, 6, 5, -6.0), 0, 5, 2, 3, 0.0),
    *(
        _case(f"rule {seed}", _rule(seed, v, e, o), b, e, k, n, alpha)
        for seed, v, e, o, b, k, n, alpha in [
            (36, 4, 1, 0.0, 0, 2, 5, 2.0),
            (10, 5, 4, 0.0, 3, 3, 4, 2.0),
            (73, 5, 3, 0.5, 2, 2, 5, 2.0),
            (29, 5, 3, 0.0, 0, 3, 5, 0.6),
            (13, 5, 2, -1.0, 0, 3, 5, 0.6),
            (46, 5, 0, -1.0, 4, 2, 5, 2.0),
            (93, 5, 4, 0.5, 3, 2, 4, 1.0),
            (3, 5, 0, -1.0, 2, 3, 5, 1.0),
            (37, 4, 3, 0.5, 1, 2, 4, 2.0),
            (49, 4, 3, 0.0, 2, 2, 4, 1.0),
            (54, 4, 2, 0.0, 0, 3, 4, 2.0),
            (119, 4, 0, -1.0, 3, 3, 5, 0.0),
            (116, 4, 1, 0.5, 2, 2, 5, 2.0),
            (24, 4, 2, 0.0, 3, 3, 4, 1.4),
        ]
    ),
    _case("rare", _RARE, 0, 1, 2, 6, 0.0, basic=False),
)


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


def _row_of_numbers(probe: Probe) -> str | None:
    """A row with one number and tokens, however many."""
    got = probe.got.array
    return None if got.ndim == 1 and got.size else shape(probe)


def _negative(probe: Probe) -> str | None:
    """A log-probability is never positive."""
    came = probe.got.array[0]
    if not came > 1e-9:
        return None
    return (
        "The first thing that breaks: a log-probability is never positive, "
        f"and yours is {number(came)}."
    )


def _possible_tokens(probe: Probe) -> str | None:
    """The tokens are ids that `logp` knows, max_len at the most."""
    rule, bos, _, _, max_len, _ = probe.args
    tokens, size = probe.got.array[1:], len(logp_of(rule)([bos]))
    if len(tokens) > max_len:
        return (
            f"The first thing that breaks: max_len = {max_len} tokens may be "
            f"written, and yours are {len(tokens)}."
        )
    for token in tokens:
        if token not in range(size):
            return (
                "The first thing that breaks: a token is a whole number from "
                f"0 to {size - 1}, and one of yours is {number(token)}."
            )
    return None


def _own_score(probe: Probe) -> str | None:
    """The score is the rule's own log-probability of the tokens."""
    rule, bos, *_ = probe.args
    came, tokens = probe.got.array[0], _tokens(probe.got)
    rows = [logp_of(rule)([bos, *tokens[:i]]) for i in range(len(tokens))]
    total = sum(row[token] for row, token in zip(rows, tokens, strict=True))
    if np.isclose(total, came, rtol=1e-4):
        return None
    return (
        "The first thing that breaks: your tokens and your number do not "
        "belong together. Added up token by token, "
        f"{tokens} has the log-probability {number(total)}; you return "
        f"{number(came)}."
    )


def _same_tokens(probe: Probe) -> str | None:
    """The tokens are the wanted ones."""
    got, want = _tokens(probe.got), _tokens(probe.want)
    if got == want:
        return None
    return (
        f"The first thing that breaks: your tokens are {got}, and {want} "
        "are wanted. Your number belongs to your tokens, so it is the search "
        "that takes another way. Print the beam after each step and follow "
        "the wanted tokens: in which step are they lost?"
    )


def _tokens(answer: Answer) -> list[int]:
    return [int(token) for token in answer.array[1:]]


def _show_inputs(args: tuple) -> str:
    rule, bos, eos, k, max_len, alpha = args
    numbers = (
        f"bos = {bos}, eos = {eos}, k = {k}, max_len = {max_len}, "
        f"alpha = {number(alpha)}"
    )
    if "seed" in rule:
        return f"{numbers}; logp is one of the check's own rules"
    lines = [f"{numbers}; probabilities after each prefix:"]
    for prefix, row in rule["rows"]:
        lines.append(f"{[bos, *prefix]}: {list(row)}")
    lines.append(f"all others: {list(rule['rest'])}")
    return "\n".join(lines)


EXERCISE = Exercise(
    name="beam",
    refused=("beam_search",),
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
    draw=lambda seed: _case(
        "one more", _rule(seed, 5, 4, 0.0), 3, 4, 3, 4, 2.0
    ),
    solve=Reference(solution),
    properties=(
        _row_of_numbers,
        _negative,
        _possible_tokens,
        _own_score,
        _same_tokens,
    ),
    hints=(
        "A hypothesis is a list of tokens with its sum of log-probabilities. "
        "One step: for each hypothesis of the beam make all that can follow "
        "it; sort all of them together; keep the first k.",
        "A finished hypothesis is its own only successor: it goes into the "
        "list of candidates unchanged. What you sort by is the sum divided by "
        "the penalty of its own length; what you keep is the sum.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
    play=_play,
)
