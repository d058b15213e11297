"""The exercise `beam(logp, ...)` and the wrong answers it knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.guard import call_by_position_or_name
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, shape
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    read,
)
from transformer_lib.course.checks.engine.verdict import Verdict

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


# As rare as sentences of some hundred words: 1e-416 and less.
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
        "that takes another way. Print the pool after each step and follow "
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
    lines = [f"{numbers}; probabilities behind each prefix:"]
    for prefix, row in rule["rows"]:
        lines.append(f"{[bos, *prefix]}: {list(row)}")
    lines.append(f"all others: {list(rule['rest'])}")
    return "\n".join(lines)


MISTAKES = r"""
finished_go_on
- if eos in tokens
+ if False
or
- if eos in tokens
+ if False
- all(eos in tokens for tokens, _ in pool)
+ False
or
- if eos in tokens
+ if False
- all(eos in tokens for
+ all(tokens[-1] == eos for
Hypotheses that have written <eos> go on, so the beam fills up with tokens
behind <eos>. A finished hypothesis keeps its place and its score, and no more
tokens are added.
? Before you ask `logp`: does this hypothesis end with <eos> already?

finished_are_dropped
- rivals.append((tokens, total))
+ pass
- max(pool
+ max([one for one in pool if eos not in one[0]] or pool[-1:]
or
- rivals.append((tokens, total))
+ pass
Hypotheses that have written <eos> disappear from the beam. They have to stay,
as rivals of those that are still growing.
? What does your loop put into the next pool for a finished one?

rules_of_other_programs
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- pool = sorted(rivals, key=score, reverse=True)[:k]
+ rivals.sort(key=score, reverse=True)
+     pool, aside = refilled(rivals, aside, eos, k, 2 * k)
- if all(eos in tokens for tokens, _ in pool):
+ if len(aside) >= k or not pool:
- max(pool
+ max(aside or pool
or
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- pool = sorted(rivals, key=score, reverse=True)[:k]
+ rivals.sort(key=score, reverse=True)
+     pool, aside = refilled(rivals, aside, eos, k, k)
- if all(eos in tokens for tokens, _ in pool):
+ if len(aside) >= k or not pool:
- max(pool
+ max(aside or pool
or
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- rivals.append((tokens, total))
+ aside.append((tokens, total))
- all(eos in tokens for tokens, _ in pool)
+ len(aside) + sum(eos in tokens for tokens, _ in pool) >= k
- max(pool
+ max([one for one in aside + pool if eos in one[0]] or pool
A right search, with other rules: a finished hypothesis leaves the beam, another
takes its place, and the search ends when k are finished. Many toolkits search
like that. Here there is one pool of k, in which a finished one is ranked with
the others again and again; the end comes when all k in it are finished.
? After one hypothesis has ended, how many may still grow? Here it is k - 1, as
long as the finished one is among the k best.

finished_set_aside
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- rivals.append((tokens, total))
+ aside.append((tokens, total))
- max(pool
+ max(aside + pool
or
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- rivals.append((tokens, total))
+ aside.append((tokens, total))
- max(pool
+ max([one for one in aside + pool if eos in one[0]] or pool
You take finished hypotheses out of the pool, so the others get their places.
Many toolkits do that. The rule of this exercise is another one: one pool of k,
in which a finished one keeps its place as long as it is among the k best.
? What takes part in the ranking of each step?

beam_shrinks
- pool = [([], 0.0)]
+ pool, aside = [([], 0.0)], []
- rivals.append((tokens, total))
+ aside.append((tokens, total))
- [:k]
+ [: k - len(aside)]
- max(pool
+ max(aside + pool
Each finished hypothesis takes its place out of the beam for good, so fewer and
fewer go on. Many programs do that. Here a finished one is ranked again in each
step, and k better ones push it out.
? Does k, or the number you keep, become smaller on the way?

k_greedy_searches
- enumerate(logp([bos, *tokens]))
+ best(logp([bos, *tokens]), 1)
or
- [:k]
+ [:1]
or
- [([], 0.0)]
+ [([], 0.0)] * k
Your k hypotheses are all alike, or each goes on with its own best token only:
then a beam of k is nothing but a greedy search. It begins with *one* empty
hypothesis, and all extensions of all hypotheses meet in one ranking.
? With k hypotheses and V tokens, how many rivals does a step have?

k_for_each_hypothesis
- enumerate(logp([bos, *tokens]))
+ best(logp([bos, *tokens]), k)
- [:k]
+
You keep the k best extensions of *each* hypothesis, so the pool grows in every
step. Of all together k stay.
? Print the size of the pool in each step.

beam_too_wide
- [:k]
+ [: k + 1]
or
- [:k]
+ [: 2 * k]
More than k = {k} hypotheses stay in the pool. With finished ones counted in,
it is exactly k.
? Print the size of the pool in each step.

returned_the_worst
- max(pool
+ min(pool
You return the worst hypothesis of the pool.
? Which end of the list do you take?

lowest_first
- return total
+ return -total
- rivals.append(([*tokens, token], total + more))
+ if more > -np.inf: rivals.append(([*tokens, token], total + more))
or
- , reverse=True
+
or
- , reverse=True
+
- max(pool
+ min(pool
or
- , reverse=True
+
- rivals.append(([*tokens, token], total + more))
+ if more > -np.inf: rivals.append(([*tokens, token], total + more))
You keep the *least* probable hypotheses. Logarithms of probabilities are
negative, and the best is the one nearest to 0.
? In which order does your sort leave them?

stops_at_the_first_eos
- all
+ any
- max(pool
+ max([one for one in pool if eos in one[0]] or pool
or
- all
+ any
You stop as soon as one hypothesis has written <eos>. Another one may still
overtake it; stop when all k are finished, or at max_len.
? The difference between any and all.

stops_when_the_best_is_finished
- all(eos in tokens for tokens, _ in pool)
+ eos in pool[0][0]
You stop when the best hypothesis is finished. With a length penalty a longer
one may still overtake it; the rule here waits until all k are finished.
? What does your condition look at: one hypothesis or all?

one_step_too_few
- range(max_len)
+ range(max_len - 1)
@ cut
The search ends one step too early: max_len = {max_len} tokens may be written,
<eos> counted and <bos> not.
? How often does the loop run?

one_step_too_many
- range(max_len)
+ range(max_len + 1)
@ cut
The search takes one step too many: max_len = {max_len} tokens may be written,
<bos> not counted.
? How often does the loop run?

score_of_the_newest_token
- total + more
+ more
A hypothesis is ranked by its newest token alone. Its score is the sum of the
log-probabilities of *all* its tokens.
? What does the longer hypothesis take over besides the tokens?

mean_in_place_of_sum
- total + more
+ (total * len(tokens) + more) / (len(tokens) + 1)
You keep the mean of the log-probabilities. The task asks for their sum; what
the length is worth is the business of the penalty.
? Is anything divided before the penalty comes in?

probabilities_multiplied
- 0.0
+ 1.0
- total + more
+ total * np.exp(more)
You multiply probabilities. Without a penalty the order is the same; but a
penalty that divides numbers above 0 makes long answers worse, and a product of
two hundred factors is 0 for the computer. Add the log-probabilities as they
come.
? Which number does a hypothesis begin with, and what is done to it in each
step?

probabilities_added
- total + more
+ total + np.exp(more)
You add probabilities. Along a sentence probabilities are multiplied, and their
logarithms, which `logp` gives, are added.
? Search your code for exp.

penalty_accumulates
-  / ((5 + len(tokens)) / 6) ** alpha
+
- total + more
+ (total + more) / ((5 + len(tokens) + 1) / 6) ** alpha
or
-  / ((5 + len(tokens)) / 6) ** alpha
+
- total + more
+ total + more / ((5 + len(tokens) + 1) / 6) ** alpha
@ penalty 1.5
What is kept has been divided already, so in the next step it is divided once
more. Keep the plain sum; divide a copy of it, only for the ranking.
? Two numbers belong to a hypothesis. Which one does the longer hypothesis go
on with?

penalty_for_finished_only
- ** alpha
+ ** (alpha if eos in tokens else 0)
@ penalty 1.5
Only finished hypotheses are divided by the penalty, the growing ones are not.
All rivals of a step are measured in the same way.
? Is there an `if` in your score?

brackets_moved
- ((5 + len(tokens)) / 6)
+ (5 + len(tokens) / 6)
@ penalty 1.5
You compute (5 + length / 6) to the power of alpha. The whole sum is divided by
6: (5 + length) / 6.
? What is your penalty for a length of 1? It should be 1.

length_one_short
- 5 + len(tokens)
+ 5 + len(tokens) - 1
The length is one too small: perhaps you count before the new token is joined.
? How long is an answer that consists of <eos> alone?

no_length_penalty
-  / ((5 + len(tokens)) / 6) ** alpha
+
@ penalty 1.5
alpha has no effect: you rank by the raw sums, and short answers win. Divide by
((5 + length) / 6) to the power of alpha whenever hypotheses are compared, with
the length of each one's own tokens.
? Search your code for alpha. And is the length that of the tokens, or the
number of steps, which is the same for all?

penalty_only_at_the_end
- rivals, key=score
+ rivals, key=lambda one: one[1]
The penalty is applied only to the finished list. In this exercise hypotheses
are compared with it in every step, so a long one is not thrown out on the way.
? By what do you sort inside the loop?

penalty_only_on_the_way
- pool, key=score
+ pool, key=lambda one: one[1]
Inside the loop you rank with the penalty, but the winner at the end is chosen
by the raw sum.
? By what do you choose the one that you return?

mean_per_word
- ((5 + len(tokens)) / 6) ** alpha
+ len(tokens)
You divide by the number of tokens. The formula is ((5 + length) / 6) to the
power of alpha; with alpha = 0 nothing is divided at all.
? What comes out of your penalty when alpha is 0?

five_and_six_forgotten
- ((5 + len(tokens)) / 6)
+ len(tokens)
You divide by the length to the power of alpha. The formula has (5 + length) /
6 in the brackets, which treats very short answers more gently.
? Compare your formula with that of the text for a length of 1.

penalty_turned_over
- total / (
+ total * (
@ penalty 1.5
You multiply by the penalty instead of dividing. The sums are negative, so
that makes long answers worse still.
? Should a longer answer come nearer to 0 or farther from it?

alpha_as_a_factor
- ** alpha
+
or
- ((5 + len(tokens)) / 6) ** alpha
+ (alpha * (5 + len(tokens)) / 6)
@ penalty 1.5
alpha changes nothing in your ranking, as if it were always 1. It is a power; a
factor is the same for all hypotheses and drops out.
? Where does alpha stand in the formula?

alpha_as_a_bonus
- / ((5 + len(tokens)) / 6) ** alpha
+ + alpha * len(tokens)
You add alpha for each word. That is another well-known cure, a word reward;
the formula here divides.
? Compare with the formula of the text.

alpha_fixed
- ** alpha
+ ** 0.6
The penalty has a fixed power. It is the input alpha, here {alpha}.
? Search your code for a number that should be a name.

length_without_eos
- 5 + len(tokens)
+ 5 + len(tokens) - (eos in tokens)
The length leaves out <eos>. It is a token that was written and paid for, and
it counts.
? How long is an answer that consists of <eos> alone?

length_with_bos
- 5 + len(tokens)
+ 5 + len(tokens) + 1
The length counts <bos>. It was given and cost nothing.
? How long is an answer that consists of <eos> alone?

only_the_newest_token
- [bos, *tokens]
+ [bos, *tokens][-1:]
`logp` gets only the newest token. It wants the whole prefix, <bos> first.
? Print what you hand to `logp`.

bos_not_handed_over
- [bos, *tokens]
+ tokens or [bos]
or
- [bos, *tokens]
+ tokens
`logp` gets the prefix without <bos>. Every prefix begins with it.
? Print what you hand to `logp`.

starts_with_eos
- [bos, *tokens]
+ [eos, *tokens]
The prefix begins with <eos> where <bos> belongs.
? Print what you hand to `logp` in the first step.

fixed_ids
- pool = [([], 0.0)]
+ bos, eos, pool = 1, 2, [([], 0.0)]
You use ids of your own (1 and 2) for <bos> and <eos> instead of the inputs,
here {bos} and {eos}.
? Search your code for numbers that should be names.

only_finished_win
- max(pool
+ max([one for one in pool if eos in one[0]] or pool
You return the best *finished* hypothesis. Here the best of the pool is wanted,
also if max_len has cut it.
? Is anything filtered before the last line?

returned_the_penalized_score
- return tokens, total
+ return tokens, score((tokens, total))
@ penalty 1.5
The tokens are right. The number beside them is the score after the penalty;
wanted is the log-probability itself, {wanted}.
? Two numbers belong to a hypothesis. Which of them can be compared with the
model?

returned_a_probability
- return tokens, total
+ return tokens, np.exp(total)
The tokens are right. The number beside them is a probability; wanted is its
logarithm, {wanted}. A product of two hundred probabilities would be 0 for the
computer.
? Add logarithms, and leave them.

sign_turned
- return tokens, total
+ return tokens, -total
The tokens are right. The log-probability has lost its minus sign.
? The logarithm of a probability is never positive.

returned_the_mean
- return tokens, total
+ return tokens, total / len(tokens)
The tokens are right. The number beside them is the mean per token; wanted is
the sum.
? Is the last line dividing?

bos_in_the_result
- return tokens
+ return [bos, *tokens]
The returned tokens begin with <bos>. The task asks for what was written.
? Which token was given and not written?

eos_missing
- return tokens
+ return [token for token in tokens if token != eos]
The returned tokens lack their <eos>. With it one can tell a finished answer
from one that max_len has cut.
? Is anything cut off in the last line?

last_token_cut
- return tokens
+ return tokens[:-1]
You cut off the last token, as if it were always <eos>. An answer that max_len
ended has none; and <eos> should stay.
? Is anything cut off in the last line?

log_probability_missing
- return tokens, total
+ return tokens
You return the tokens alone. The task asks for a pair: the tokens and their
log-probability.
? Two things stand behind `return`, with a comma.

tokens_missing
- return tokens, total
+ return total
You return the log-probability alone. The task asks for a pair: the tokens and
their log-probability.
? Two things stand behind `return`, with a comma.

pair_exchanged
- return tokens, total
+ return total, tokens
Both parts are right but stand in the wrong order: first the tokens, then the
log-probability.
? Read the last line once more.

product_underflows
! rare
Likely sentences are right, a very rare one is not: its probability is 1e-416,
as that of a sentence of some hundred words may be. Do you multiply
probabilities on the way? So small a product becomes 0 in a computer; the sum of
the logarithms stays a number.
? Is there an exponential, or a product, in your loop?
"""

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
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        _row_of_numbers,
        _negative,
        _possible_tokens,
        _own_score,
        _same_tokens,
    ),
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
    play=_play,
)
