"""The reference class for `TiedEmbedding`, and its wrong variants."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Table"]


class Table:
    """A tied embedding; with other settings than the defaults, a wrong one.

    Args:
        V: the number of rows.
        d: the length of a row.
        common: what all objects of one class share.
        settings: how this variant departs from the right one.
    """

    def __init__(self, V: int, d: int, common: dict, **settings: Any):
        self.set = _RIGHT | settings
        values = _START[self.set["start"]](np.random.default_rng(0), V, d)
        if self.set["state"] == "shared":
            values = common.setdefault("table", values)
        turned = self.set["shape"] == "turned"
        self.table = values.T.copy() if turned else values
        if self.set["shape"] == "missing":
            self.table = None
        self.first = np.random.default_rng(1).normal(size=(V, d))

    def embed(self, ids: Any) -> np.ndarray:
        """Look ids up in this variant's way."""
        ids, d = np.asarray(ids), self.table.shape[-1]
        if self.set["scale"] == "written into the table":
            self.table *= np.sqrt(d)
        own = self.set["pick"] == "own table"
        pick = _PICK["rows" if own else self.set["pick"]]
        rows = pick(self.first if own else self.table, ids)
        length = np.linalg.norm(rows, axis=-1, keepdims=True)
        rows = {
            "root of d": lambda: rows * np.sqrt(d),
            "none": lambda: rows,
            "d": lambda: rows * d,
            "divided": lambda: rows / np.sqrt(d),
            "root of 2": lambda: rows * np.sqrt(2),
            "root of 512": lambda: rows * np.sqrt(512),
            "root of V": lambda: rows * np.sqrt(len(self.table)),
            "length one": lambda: rows / length,
            "same length": lambda: rows * np.sqrt(d) / length,
            "written into the table": lambda: rows,
        }[self.set["scale"]]()
        return {
            "nothing": lambda: rows,
            "mean": lambda: rows.mean(-2) if ids.ndim else rows,
            "sum": lambda: rows.sum(-2) if ids.ndim else rows,
            "padding": lambda: rows * (ids != 0)[..., None],
            "rounded": lambda: np.round(rows, 2),
        }[self.set["then"]]()

    def logits(self, h: Any) -> np.ndarray:
        """Score the vocabulary in this variant's way."""
        h = np.asarray(h, dtype=np.float64)
        d, table = self.table.shape[-1], self.table
        if self.set["rows"] == "both unit":
            h = h / np.linalg.norm(h, axis=-1, keepdims=True)
        if self.set["rows"] in ("unit", "both unit"):
            table = table / np.linalg.norm(table, axis=-1, keepdims=True)
        if self.set["product"] == "table on the right":
            scores = h @ table
        elif self.set["product"] == "distance":
            scores = -((h[..., None, :] - table) ** 2).sum(-1)
        elif self.set["product"] == "own matrix":
            scores = h @ self.first.T
        elif self.set["product"] == "last token":
            scores = (h[-1] if h.ndim > 1 else h) @ table.T
        else:
            scores = h @ table.T
        return {
            "nothing": lambda: scores,
            "root of d": lambda: scores * np.sqrt(d),
            "divided": lambda: scores / np.sqrt(d),
            "softmax": lambda: _shares(scores),
            "log softmax": lambda: np.log(_shares(scores)),
            "cut": lambda: np.maximum(scores, 0),
            "sigmoid": lambda: 1 / (1 + np.exp(-scores)),
            "bias": lambda: scores + np.arange(1, 1 + len(self.table)),
            "best": lambda: scores.argmax(-1),
            "turned": lambda: scores.T,
            "rounded": lambda: np.round(scores, 2),
        }[self.set["scores"]]()


def _shares(scores: np.ndarray) -> np.ndarray:
    votes = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return votes / votes.sum(axis=-1, keepdims=True)


_PICK = {
    "rows": lambda table, ids: table[ids],
    "columns": lambda table, ids: table[:, ids],
    "columns, turned": lambda table, ids: np.moveaxis(table[:, ids], 0, -1),
    "one before": lambda table, ids: table[ids - 1],
    "first id": lambda table, ids: table[ids.flat[0]] if ids.ndim else (
        table[ids]
    ),
    "first": lambda table, ids: table[ids[0]] if ids.ndim else table[ids],
    "flat": lambda table, ids: table[ids.reshape(-1)],
    "slice": lambda table, ids: table[: len(ids)] if ids.ndim else table[ids],
}  # fmt: skip
_START = {
    "root of d": lambda r, V, d: r.normal(size=(V, d)) / np.sqrt(d),
    "one": lambda r, V, d: r.normal(size=(V, d)),
    "half": lambda r, V, d: r.normal(size=(V, d)) / np.sqrt(4 * d),
    "double": lambda r, V, d: r.normal(size=(V, d)) * 2 / np.sqrt(d),
    "d": lambda r, V, d: r.normal(size=(V, d)) / d,
    "0.02": lambda r, V, d: r.normal(size=(V, d)) * 0.02,
    "0.01": lambda r, V, d: r.normal(size=(V, d)) * 0.01,
    "root of V": lambda r, V, d: r.normal(size=(V, d)) / np.sqrt(V),
    "zeros": lambda r, V, d: np.zeros((V, d)),
    "ones": lambda r, V, d: np.ones((V, d)) / np.sqrt(d),
    "rows alike": lambda r, V, d: (
        r.normal(size=(1, d)) / np.sqrt(d) + np.zeros((V, 1))
    ),
    "above zero": lambda r, V, d: r.uniform(size=(V, d)),
    "above zero, small": lambda r, V, d: r.uniform(size=(V, d)) / np.sqrt(d),
    "times the root": lambda r, V, d: r.normal(size=(V, d)) * np.sqrt(d),
}
_RIGHT = {
    "shape": "V, d",
    "start": "root of d",
    "state": "own",
    "pick": "rows",
    "scale": "root of d",
    "then": "nothing",
    "rows": "as they are",
    "product": "rows",
    "scores": "nothing",
}
