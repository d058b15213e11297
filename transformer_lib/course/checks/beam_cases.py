"""Inputs of the exercise `beam`, its reference, and wrong variants.

`logp` is a fixed rule from a prefix to log-probabilities; a beam that forgets
a part of the prefix, or goes on behind <eos>, hears other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.exercise import Case

__all__ = ["CASES", "INPUTS", "Rule", "Table", "searched"]

INPUTS = ("logp", "bos", "eos", "k", "max_len", "alpha")


@dataclass(frozen=True)
class Table:
    """Probabilities written down for each prefix, <bos> left out.

    Attributes:
        rows: pairs of a prefix and the probabilities behind it.
        rest: the probabilities behind every other prefix.
        bos: the id with which prefixes must begin.
    """

    rows: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]
    rest: tuple[float, ...]
    bos: int

    def __call__(self, prefix: Any) -> np.ndarray:
        """Give log-probabilities of all tokens behind a prefix."""
        words = tuple(int(token) for token in prefix)
        begun = words[:1] == (self.bos,)
        with np.errstate(divide="ignore"):
            found = dict(self.rows).get(words[1:]) if begun else None
            return np.log(np.array(found or self.rest))


@dataclass(frozen=True)
class Rule:
    """Random log-probabilities, the same each time for the same prefix."""

    seed: int
    size: int
    eos: int
    often: float = 0.0

    def __call__(self, prefix: Any) -> np.ndarray:
        """Give log-probabilities of all tokens behind a prefix."""
        words = tuple(int(token) for token in prefix)
        return _drawn(self.seed, self.size, self.eos, self.often, words).copy()


@lru_cache(maxsize=100_000)
def _drawn(
    seed: int, size: int, eos: int, often: float, prefix: tuple
) -> np.ndarray:
    draw = np.random.default_rng([seed, *prefix])
    scores = 1.5 * draw.normal(size=size)
    scores[eos] += often if len(prefix) > 2 else -1
    return scores - np.log(np.exp(scores).sum())


def _penalty(kind: str, length: int, alpha: float) -> float:
    if kind == "a point a word":  # log-probability + alpha * length
        return 1.0
    return {
        "gnmt": ((5 + length) / 6) ** alpha,
        "none": 1.0,
        "words": float(max(length, 1)),
        "words to alpha": max(length, 1) ** alpha,
        "turned over": ((5 + length) / 6) ** -alpha,
        "times alpha": max(alpha, 1e-9) * (5 + length) / 6,
        "always 0.6": ((5 + length) / 6) ** 0.6,
        "always 1": (5 + length) / 6,
        "brackets moved": (5 + length / 6) ** alpha,
    }[kind]


class _Search:
    """One search over entries (tokens, log-probability, steps, over)."""

    def __init__(self, logp, bos, eos, k, max_len, alpha, **settings):
        self.logp, self.bos, self.eos = logp, bos, eos
        self.k, self.max_len, self.alpha = k, max_len, alpha
        self.set = settings

    def rank(self, one: tuple) -> float:
        tokens, log_p, steps, over = one
        length = {
            "with eos": len(tokens),
            "without eos": len(tokens) - over,
            "with bos": len(tokens) + 1,
            "steps": steps,
            "one less": len(tokens) - 1,
        }[self.set["length"]]
        kind = self.set["penalty"]
        if kind == "finished only":
            kind = "gnmt" if over else "none"
        score = log_p / _penalty(kind, length, self.alpha)
        if kind == "a point a word":
            score += self.alpha * length
        return -score if self.set["best"] == "lowest" else score

    def plain(self, one: tuple) -> float:
        return one[1]

    def longer(self, one: tuple) -> list[tuple]:
        tokens, log_p, steps, over = one
        if over and self.set["finished"] != "go on":
            return [(tokens, log_p, steps + 1, True)]
        fed = {
            "all": [self.bos, *tokens],
            "newest": [self.bos, *tokens][-1:],
            "no bos": list(tokens) or [self.bos],
            "eos first": [self.eos, *tokens],
        }[self.set["feed"]]
        found = []
        paid = _penalty("gnmt", len(tokens) + 1, self.alpha)
        for token, more in enumerate(self.logp(fed)):
            if not np.isfinite(more):
                continue
            total = {
                "sum": log_p + float(more),
                "newest": float(more),
                "mean so far": (log_p * len(tokens) + float(more))
                / (len(tokens) + 1),
                "divided again": (log_p + float(more)) / paid,
                "each divided": log_p + float(more) / paid,
                "product": (log_p if tokens else 1.0) * np.exp(more),
                "probabilities": log_p + np.exp(more),
            }[self.set["total"]]
            ended = over or token == self.eos
            found.append(((*tokens, token), total, steps + 1, ended))
        if self.set["extend"] == "best only":
            found = sorted(found, key=self.plain, reverse=True)[:1]
        return found

    def keep(self, rivals: list[tuple]) -> list[tuple]:
        when = self.set["ranked"]
        key = self.plain if when == "at the end" else self.rank
        best = sorted(rivals, key=key, reverse=True)
        if self.set["width"] == "each":
            return best
        width = {"k": self.k, "1": 1, "k + 1": self.k + 1, "2k": 2 * self.k}
        return best[: width[self.set["width"]]]

    def run(self) -> list[tuple]:
        pool, aside = [((), 0.0, 0, False)], []
        if self.set["begin"] == "k copies":
            pool *= self.k
        for _ in range(self.max_len + self.set["limit"]):
            rivals = []
            for one in pool:
                own = self.longer(one)
                if self.set["width"] == "each":
                    own = sorted(own, key=self.rank, reverse=True)[: self.k]
                rivals += own
            pool = self.keep(rivals)
            done = [one for one in pool if one[3]]
            if self.set["finished"] in ("aside", "dropped", "shrinks"):
                aside += done
                if self.set["finished"] == "shrinks":
                    self.k -= len(done)
                pool = [one for one in pool if not one[3]]
                if not pool:
                    break
            elif self._ended(pool, done):
                break
        if self.set["finished"] in ("aside", "shrinks"):
            both = self.set["only"] == "all" or not aside
            return aside + pool if both else aside
        if self.set["finished"] == "dropped":
            return pool or aside[-1:]
        return pool

    def _ended(self, pool: list, done: list) -> bool:
        return {
            "all": len(done) == len(pool),
            "first": bool(done),
            "best": bool(pool) and pool[0][3],
            "newest": all(one[0][-1] == self.eos for one in pool),
            "never": False,
        }[self.set["end"]]

    def choose(self, pool: list[tuple]) -> tuple:
        if self.set["only"] == "finished":
            pool = [one for one in pool if one[3]] or pool
        if self.set["end"] == "first":
            pool = [one for one in pool if one[3]] or pool
        best = {
            "best": max(pool, key=self.rank),
            "worst": min(pool, key=self.rank),
            "by log-probability": max(pool, key=self.plain),
            "last": pool[-1],
        }[self.set["choice"]]
        return best


_RIGHT = {
    "feed": "all",
    "begin": "once",
    "total": "sum",
    "extend": "all",
    "width": "k",
    "best": "highest",
    "ranked": "each step",
    "penalty": "gnmt",
    "length": "with eos",
    "finished": "stay",
    "end": "all",
    "limit": 0,
    "only": "all",
    "choice": "best",
}


def searched(
    logp: Any,
    bos: int,
    eos: int,
    k: int,
    max_len: int,
    alpha: float,
    *,
    out: str = "both",
    ids: str = "given",
    **settings: Any,
) -> np.ndarray:
    """The best hypothesis of a beam search, or a wrong variant of it.

    Returns:
        One row: the log-probability, then the tokens.
    """
    if ids == "fixed":
        bos, eos = 1, 2
    search = _Search(logp, bos, eos, k, max_len, alpha, **_RIGHT | settings)
    best = search.choose(search.run())
    tokens, log_p, _, over = best
    if out == "penalized":
        log_p = search.rank(best)
    elif out == "probability":
        log_p = np.exp(log_p)
    elif out == "minus":
        log_p = -log_p
    elif out == "per word":
        log_p = log_p / max(len(tokens), 1)
    elif out == "with bos":
        tokens = (bos, *tokens)
    elif out == "without eos":
        tokens = tokens[:-1] if over else tokens
    elif out == "last cut":
        tokens = tokens[:-1]
    if out == "tokens":
        return np.array(tokens, dtype=float)
    if out == "exchanged":
        return np.array([*tokens, log_p], dtype=float)
    if out == "number":
        return np.array(log_p)
    return np.array([log_p, *tokens], dtype=float)


# The tree of the chapter: go, let's, on, <eos> are 2, 3, 4, 1; <bos> is 0.
_GO = Table(
    (
        ((), (0, 0.04, 0.5, 0.4, 0.06)),
        ((2,), (0, 0.35, 0.28, 0.05, 0.32)),
        ((3,), (0, 0.05, 0.9, 0.01, 0.04)),
        ((3, 2), (0, 0.95, 0.015, 0.005, 0.03)),
    ),
    (0, 0.7, 0.12, 0.1, 0.08),
    0,
)
# Short and likely against long and likely: the penalty decides.
_LONG = Table(
    (
        ((), (0, 0.02, 0.5, 0.48)),
        ((2,), (0, 0.62, 0.2, 0.18)),
        ((3,), (0, 0.02, 0.08, 0.9)),
        ((3, 3), (0, 0.04, 0.06, 0.9)),
        ((3, 3, 3), (0, 0.05, 0.05, 0.9)),
        ((3, 3, 3, 3), (0, 0.75, 0.15, 0.1)),
    ),
    (0, 0.4, 0.3, 0.3),
    0,
)


def _case(name, logp, bos, eos, k, max_len, alpha) -> Case:
    return Case(name, (logp, bos, eos, k, max_len, alpha))


CASES = (
    _case("k = 1", _GO, 0, 1, 1, 3, 0.0),
    _case("k = 2", _GO, 0, 1, 2, 4, 0.0),
    _case("short wins", _LONG, 0, 1, 3, 6, 0.0),
    _case("penalty 1.5", _LONG, 0, 1, 3, 6, 1.5),
    _case("cut", Rule(4, 6, 5, -6.0), 0, 5, 2, 3, 0.0),
    *(
        _case(f"rule {seed}", Rule(seed, v, e, o), b, e, k, n, alpha)
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
)
