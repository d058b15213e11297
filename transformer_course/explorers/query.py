"""One query of attention: score, scale, normalize, mix."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.inputs import Choice, Words
from transformer_course.explorers.svg import box, fixed, label, plain
from transformer_course.plots.style import as_array

QUERIES = ((1, 1, 0, 0), (0, 2, 0, 0), (1, 0, 1, 0))
KEYS = ((2, 0, 0, 0), (0, 2, 0, 0), (2, 0, 2, 0))
VALUES = ((1, 0), (0, 1), (1, 1))
STAGES = ("score", "scale", "normalize", "mix")
WIDTH = 360.0
# Where the columns of the table stand: the key, then right edges, the value.
_SCORE, _SCALED, _SHARE, _VALUE, _PART = 120.0, 156.0, 214.0, 226.0, 358.0


@dataclass(frozen=True)
class _Query:
    """One query among all, and what it computes."""

    queries: np.ndarray  # (n_q, d_k)
    keys: np.ndarray  # (n_k, d_k)
    values: np.ndarray  # (n_k, 2)
    place: int

    @property
    def own(self) -> np.ndarray:
        return self.queries[self.place]

    @property
    def root(self) -> float:
        return self.keys.shape[1] ** 0.5

    @property
    def scores(self) -> np.ndarray:
        return self.keys @ self.own

    @property
    def scaled(self) -> np.ndarray:
        return self.scores / self.root

    @property
    def votes(self) -> np.ndarray:
        return np.exp(np.minimum(self.scaled, 700.0))

    @property
    def shares(self) -> np.ndarray:
        votes = np.exp(self.scaled - self.scaled.max())
        return votes / votes.sum()

    @property
    def result(self) -> np.ndarray:
        return self.shares @ self.values


def one_query(Q: Any = QUERIES, K: Any = KEYS, V: Any = VALUES) -> Explorer:
    """Compare one query with all keys, and mix the values in four stages.

    s_j = q . k_j;  s_j / sqrt(d_k);  alpha = softmax of these;
    c = sum_j alpha_j v_j. No mask.

    Args:
        Q: (n_q, d_k) queries, one a row; d_k from 1 to 4, n_q up to 6.
        K: (n_k, d_k) keys, n_k up to 6.
        V: (n_k, 2) values, one for each key.

    Returns:
        An Explorer with sliders for the query and the stage; `live()` takes
        other queries, keys and values.

    Raises:
        ValueError: shapes that do not fit together.

    Chapter 3.
    """
    Q, K, V = _fitting(Q, K, V)
    names = tuple(_index("q", i) for i in range(len(Q)))
    asks = Slider("query", names, len(Q) - 1)
    shown = Slider("stage", STAGES, len(STAGES) - 1)

    def redraw(q: str, k: str, v: str, place: int, stage: int) -> Frame:
        typed = _fitting(*(_matrix(text) for text in (q, k, v)))
        return _frame(_Query(*typed, min(place, len(typed[0]) - 1)), stage)

    return Explorer(
        "One query, four stages",
        [asks, shown],
        lambda place, stage: _frame(_Query(Q, K, V, place), stage),
        [
            Words("queries", _text(Q)),
            Words("keys", _text(K)),
            Words("values", _text(V)),
            Choice(asks.name, asks.labels, asks.start),
            Choice(shown.name, shown.labels, shown.start),
        ],
        redraw,
    )


def _fitting(Q: Any, K: Any, V: Any) -> tuple[np.ndarray, ...]:
    """The three matrices as arrays that fit together and into the picture."""
    q, k, v = (as_array(x, n, 2) for x, n in ((Q, "Q"), (K, "K"), (V, "V")))
    if q.shape[1] != k.shape[1]:
        raise ValueError(
            f"queries have {q.shape[1]} numbers each and keys {k.shape[1]}; "
            "give both the same number, or there is no dot product"
        )
    if len(k) != len(v):
        raise ValueError(
            f"{len(k)} keys and {len(v)} values came; give one value for "
            "each key"
        )
    if max(len(q), len(k)) > 6 or k.shape[1] > 4 or v.shape[1] != 2:
        raise ValueError(
            f"Q, K, V have the shapes {q.shape}, {k.shape}, {v.shape}; the "
            "picture holds up to 6 rows, 4 numbers a key, 2 a value"
        )
    return q, k, v


def _matrix(text: str) -> list[list[float]]:
    try:
        rows = [[float(x) for x in row.split(",")] for row in text.split(";")]
    except ValueError:
        rows = []
    if not rows or len({len(row) for row in rows}) > 1:
        raise ValueError(
            f"{text.strip()!r} is no matrix; part numbers by commas and rows "
            "by semicolons, as in 1, 0; 0, 2"
        )
    return rows


def _text(matrix: np.ndarray) -> str:
    return "; ".join(", ".join(f"{x:g}" for x in row) for row in matrix)


def _index(letter: str, i: int) -> str:
    return letter + chr(0x2081 + i)


def _tuple(row: np.ndarray, show: Callable[[float], str] = plain) -> str:
    return "(" + ", ".join(show(x) for x in row) + ")"


def _frame(query: _Query, stage: int) -> Frame:
    height = 46.0 + 38 * len(query.keys) + 52
    name = _index("q", query.place)
    parts = [
        label(0, 13, f"{name} = {_tuple(query.own)}", "x-tip x-blue"),
        label(0, 36, "keys", "x-dim"),
        label(_SCORE, 36, f"{name} · k", "x-dim x-end"),
        label(_VALUE, 36, "values", "x-dim"),
    ]
    if stage >= 1:
        root = plain(round(query.root, 2))
        parts.append(label(_SCALED, 36, f"÷ {root}", "x-dim x-end"))
    if stage >= 2:
        parts.append(label(_SHARE, 36, "weight", "x-dim x-end"))
    if stage >= 3:
        parts.append(label(_PART, 36, "weight · value", "x-dim x-end"))
    for j in range(len(query.keys)):
        parts += _line(query, stage, j)
    return Frame(
        WIDTH,
        height,
        "".join([*parts, _foot(query, stage, height)]),
        _words(query, stage),
    )


def _line(query: _Query, stage: int, j: int) -> list[str]:
    """One key, what it scores, and its value."""
    y = 46.0 + 38 * j
    parts = [
        label(0, y + 12, _index("k", j), "x-strong"),
        label(0, y + 27, _tuple(query.keys[j]), "x-dim"),
        label(_SCORE, y + 20, plain(query.scores[j]), "x-end"),
        label(_VALUE, y + 12, _index("v", j), "x-strong"),
        label(_VALUE, y + 27, _tuple(query.values[j]), "x-dim"),
    ]
    if stage >= 1:
        scaled = plain(round(query.scaled[j], 2))
        parts.append(label(_SCALED, y + 20, scaled, "x-end"))
    if stage >= 2:
        share = query.shares[j]
        parts += [
            label(_SHARE, y + 16, fixed(share, 4), "x-end"),
            box(_SHARE - 46, y + 22, 46, 7, "x-track"),
            box(_SHARE - 46, y + 22, 46 * share, 7, "x-fill x-green"),
        ]
    if stage >= 3:
        part = query.shares[j] * query.values[j]
        words = _tuple(part, lambda x: fixed(x, 2))
        parts.append(label(_PART, y + 20, words, "x-end"))
    return parts


def _foot(query: _Query, stage: int, height: float) -> str:
    """Two lines: what this stage does, and the last key as an example."""
    j = len(query.keys) - 1
    q, k = _index("q", query.place), _index("k", j)
    products = " + ".join(
        f"{plain(a)}·{plain(b)}"
        for a, b in zip(query.own, query.keys[j], strict=True)
    )
    root = plain(round(query.root, 2))
    quotient = f"{fixed(query.votes[j], 3)} ÷ {fixed(query.votes.sum(), 3)}"
    first, second = (
        ("score: the query times each key",
         f"{q} · {k} = {products} = {plain(query.scores[j])}"),
        (f"scale: divide by the root of {query.keys.shape[1]}",
         f"{k}: {plain(query.scores[j])} ÷ {root} = "
         f"{plain(round(query.scaled[j], 2))}"),
        ("normalize: e to the scaled score, divided by the sum",
         f"{k}: {quotient} = {fixed(query.shares[j], 4)}"),
        ("mix: each value times its weight, added up",
         f"{_index('c', query.place)} = "
         f"{_tuple(query.result, lambda x: fixed(x, 4))}"),
    )[stage]  # fmt: skip
    return label(0, height - 25, first, "x-dim") + label(
        0, height - 6, second, "x-strong" if stage == 3 else ""
    )


def _words(query: _Query, stage: int) -> str:
    """The frame in words."""

    def each(values: list[str]) -> str:
        return ", ".join(
            f"{_index('k', j)} {value}" for j, value in enumerate(values)
        )

    q = _index("q", query.place)
    said = (
        f"{q}: the scores are {each([plain(s) for s in query.scores])}.",
        f"The scores of {q}, divided by {plain(round(query.root, 2))}: "
        f"{each([plain(round(s, 2)) for s in query.scaled])}.",
        f"The weights of {q}: {each([fixed(s, 4) for s in query.shares])}. "
        "They sum to 1.",
        f"{q} gives the mixture of values {_index('c', query.place)} = "
        f"{_tuple(query.result, lambda x: fixed(x, 4))}.",
    )[stage]
    return f"Stage {stage + 1} of {len(STAGES)}. {said}"
