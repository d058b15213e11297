"""The reference class for the exercise `BatchNorm`, and its wrong variants."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Norm"]


class Norm:
    """Batch norm; with other settings than the defaults, a wrong one.

    Args:
        d: the number of features.
        common: what all objects of one class share.
        settings: how this variant departs from the right one.
    """

    def __init__(self, d: int, common: dict, **settings: Any):
        self.set = _RIGHT | settings
        self.gamma, self.beta = np.ones(d), np.zeros(d)
        start = {"ones": 1.0, "zeros": 0.0}[self.set["start"]]
        store = {"mean": np.zeros(d), "spread": np.full(d, start), "count": 0}
        if self.set["state"] == "own":
            self.store = store
            return
        if self.set["state"] == "shared, new each time":
            common.update(store)
        for key, value in store.items():
            common.setdefault(key, value)
        self.store = common

    def __call__(self, x: Any, training: bool) -> np.ndarray:
        """Normalize x in this variant's way."""
        x = np.asarray(x, dtype=np.float64)
        if self.set["flag"] == "reversed":
            training = not training
        mean, spread = self._statistics(x)
        before = dict(self.store)
        if training or self.set["update"] == "always":
            self._remember(x, mean)
        if not training or self.set["train"] == "running":
            mean, spread = self._running(self.store, mean, spread)
        elif self.set["train"] == "running, before the update":
            mean, spread = self._running(before, mean, spread)
        normal = self._divided(x, mean, spread)
        if self.set["evaluate"] == "nothing" and not training:
            normal = x
        return self._dressed(normal, training)

    def _axis(self) -> tuple[Any, bool]:
        return {
            "batch": (0, False),
            "features": (1, True),
            "features, axis lost": (1, False),
            "all entries": (None, False),
        }[self.set["over"]]

    def _statistics(self, x: np.ndarray) -> tuple[Any, Any]:
        """Mean and variance of the batch, the latter to be divided by."""
        axis, keep = self._axis()
        less = int(self.set["spread"] == "n - 1")
        mean = x.mean(axis=axis, keepdims=keep)
        return mean, _variance(x, axis, keep, less)

    def _remember(self, x: np.ndarray, mean: np.ndarray) -> None:
        """Move the running statistics toward those of this batch."""
        if self.set["update"] == "never":
            return
        axis, keep = self._axis()
        keeps = self.set["keeps"]
        less = int(keeps in ("variance", "deviation"))
        now = _variance(x, axis, keep, less)
        if keeps.startswith("deviation"):
            now = np.sqrt(now)
        self.store["count"] += 1
        for name, value in (("mean", mean), ("spread", now)):
            if self.set["moves"] in ("both", name):
                self.store[name] = self._moved(self.store[name], value)

    def _moved(self, old: Any, new: Any) -> Any:
        count, rate = self.store["count"], self.set["rate"]
        if rate == "mean of all":
            return old + (new - old) / count
        if rate == "first batch, then a tenth":
            return new if count == 1 else 0.9 * old + 0.1 * new
        if rate == "added up":
            return old + 0.1 * new
        return (1 - rate) * old + rate * new

    def _running(self, store: dict, mean: Any, spread: Any) -> tuple[Any, Any]:
        """What evaluation divides by: the running ones, or a wrong choice."""
        kept = store["spread"]
        if self.set["keeps"].startswith("deviation"):
            kept = kept**2
        return {
            "running": (store["mean"], kept),
            "batch": (mean, spread),
            "running mean only": (store["mean"], spread),
            "running variance only": (mean, kept),
            "nothing": (store["mean"], kept),
        }[self.set["evaluate"]]

    def _divided(self, x: np.ndarray, mean: Any, spread: Any) -> np.ndarray:
        below = {
            "inside": np.sqrt(spread + 1e-5),
            "outside": np.sqrt(spread) + 1e-5,
            "none": np.sqrt(spread),
            "1e-3": np.sqrt(spread + 1e-3),
            "1e-6": np.sqrt(spread + 1e-6),
            "1e-8": np.sqrt(spread + 1e-8),
            "1e-12": np.sqrt(spread + 1e-12),
            "no root": spread + 1e-5,
        }[self.set["eps"]]
        center = {"mean": mean, "nothing": 0.0}[self.set["center"]]
        return (x - center) / below

    def _dressed(self, normal: np.ndarray, training: bool) -> np.ndarray:
        used = self.set["gain"]
        if used == "none" or (used == "training only" and not training):
            return normal
        if used == "exchanged":
            return self.beta * normal + self.gamma
        gamma = 1.0 if used == "no gain" else self.gamma
        beta = 0.0 if used == "no shift" else self.beta
        result = gamma * normal + beta
        return np.round(result, 2) if used == "rounded" else result


def _variance(x: np.ndarray, axis: Any, keep: bool, less: int) -> Any:
    """The sum of squares over the count, or over the count less one."""
    squares = (x - x.mean(axis=axis, keepdims=True)) ** 2
    total = squares.sum(axis=axis, keepdims=keep)
    return total / np.float64(x.size // max(np.size(total), 1) - less)


_RIGHT = {
    "over": "batch",
    "spread": "n",
    "keeps": "variance",  # divided by n - 1
    "rate": 0.1,
    "moves": "both",
    "start": "ones",
    "update": "training",
    "train": "batch",
    "evaluate": "running",
    "flag": "as given",
    "eps": "inside",
    "center": "mean",
    "gain": "used",
    "state": "own",
}
