"""The reference class for the exercise `Cached`, and its wrong variants."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Reference"]


class Reference:
    """Attention over a cache; with other settings than the defaults, wrong.

    Args:
        W_Q: (d, d_k).
        W_K: (d, d_k).
        W_V: (d, d_v).
        P: (n, d), the positions.
        common: what all objects of one class share.
        settings: how this variant departs from the right one.
    """

    def __init__(self, W_Q, W_K, W_V, P, common: dict, **settings: Any):
        self.set = _RIGHT | settings
        self.W = (W_Q, W_K, W_V)
        self.P = P
        own = {"keys": None, "values": None, "inputs": None, "t": 0}
        self.store = own
        if self.set["state"] == "shared":
            self.store = common
            for name, value in own.items():
                common.setdefault(name, value)

    def step(self, x: Any) -> np.ndarray:
        """Take one more token of each sentence in this variant's way."""
        x = np.asarray(x, dtype=np.float64)
        t = self.store["t"]
        self.store["t"] += len(x) if self.set["count"] == "sentences" else 1
        place = {
            "own": t,
            "zero": 0,
            "from one": t + 1,
            "last": -1,
            "backward": -1 - t,
        }
        here = self.set["position"]
        at = x if here in ("none", "not kept") else x + self.P[place[here]]
        if here == "not kept":
            at = x + self.P[t]
        W_Q, W_K, W_V = self.W
        if self.set["maps"] == "keys and values exchanged":
            W_K, W_V = W_V, W_K
        plain = x if here == "not kept" else at
        q = at @ (W_K if self.set["maps"] == "query by W_K" else W_Q)
        k, v = plain @ W_K, plain @ W_V
        if self.set["maps"] == "no value map":
            v = plain
        if isinstance(self.store["keys"], list):
            return self._joined(q, k, v)
        old = self._old(len(x), k.shape[-1], v.shape[-1])
        K = np.concatenate([old[0], k[:, None]], axis=1)
        V = np.concatenate([old[1], v[:, None]], axis=1)
        self._keep(K, V)
        return self._answer(q, *self._seen(K, V, *old))

    def _joined(self, q, k, v) -> np.ndarray:
        """Some sentences share one list, and each appends to it."""
        keys, values = self.store["keys"], self.store["values"]
        at_once = self.set["select"] == "joined, all appended first"
        answers = []
        if at_once:
            for i in range(len(q)):
                keys[i].append(k[i])
                values[i].append(v[i])
        for i in range(len(q)):
            if not at_once:
                keys[i].append(k[i])
                values[i].append(v[i])
            K, V = np.array(keys[i])[None], np.array(values[i])[None]
            answers.append(self._answer(q[i : i + 1], K, V)[0])
        return np.array(answers)

    def _old(self, n: int, d_k: int, d_v: int) -> tuple:
        keys, values = self.store["keys"], self.store["values"]
        if keys is None or self.set["memory"] == "none":
            return np.zeros((n, 0, d_k)), np.zeros((n, 0, d_v))
        if len(keys) != n:
            raise ValueError(
                f"the cache holds {len(keys)} sentences and {n} tokens came"
            )
        return keys, values

    def _keep(self, K: np.ndarray, V: np.ndarray) -> None:
        memory = self.set["memory"]
        if memory == "first forgotten":
            K, V = K[:, -2:], V[:, -2:]
        elif memory == "keys in front":
            K = np.concatenate([K[:, -1:], K[:, :-1]], axis=1)
        self.store["keys"], self.store["values"] = K, V

    def _seen(self, K, V, old_K, old_V) -> tuple:
        memory = self.set["memory"]
        if memory == "newest value" and K.shape[1] > 1:
            V = np.repeat(V[:, -1:], K.shape[1], axis=1)
        elif memory == "newest key" and K.shape[1] > 1:
            K = np.repeat(K[:, -1:], K.shape[1], axis=1)
        elif memory == "old only" and old_K.shape[1]:
            K, V = old_K, old_V
        elif memory == "newest twice":
            K = np.concatenate([K, K[:, -1:]], axis=1)
            V = np.concatenate([V, V[:, -1:]], axis=1)
        elif memory == "first only":
            K, V = K[:, :1], V[:, :1]
        return K, V

    def _answer(self, q, K, V) -> np.ndarray:
        if self.set["mix"] == "all sentences":
            K, V = (
                np.stack([x.reshape(-1, x.shape[2])] * len(q)) for x in (K, V)
            )
        scale = {
            "root": q.shape[-1] ** 0.5,
            "none": 1.0,
            "d_k": float(q.shape[-1]),
            "root of d": self.W[0].shape[0] ** 0.5,
            "root of d_v": V.shape[-1] ** 0.5,
            "root of length": K.shape[1] ** 0.5,
        }[self.set["scale"]]
        scores = np.einsum("bk,btk->bt", q, K) / scale
        axis = 0 if self.set["share"] == "over the batch" else -1
        votes = np.exp(scores - scores.max(axis=axis, keepdims=True))
        shares = votes / votes.sum(axis=axis, keepdims=True)
        if self.set["share"] == "equal":
            shares = np.full(scores.shape, 1 / scores.shape[1])
        elif self.set["share"] == "scores":
            shares = scores
        return {
            "mixture": np.einsum("bt,btv->bv", shares, V),
            "shares": shares,
            "kept axis": np.einsum("bt,btv->bv", shares, V)[:, None],
            "newest value": V[:, -1],
        }[self.set["out"]]

    def select(self, rows: Any) -> None:
        """Let sentence i go on from sentence rows[i], in this variant's way."""
        rows = np.asarray(rows)
        how, store = self.set["select"], self.store
        if store["keys"] is None or how == "nothing":
            return
        if how == "begins anew":
            store["keys"] = store["values"] = None
            store["t"] = 0
            return
        if how.startswith("joined"):
            for name in ("keys", "values"):
                lists = store[name]
                if not isinstance(lists, list):
                    lists = [list(sentence) for sentence in lists]
                store[name] = [lists[row] for row in rows]
            return
        if how == "position forgotten":
            store["t"] = 0
        elif how == "position one on":
            store["t"] += 1
        for name in ("keys", "values"):
            if how == f"only {'values' if name == 'keys' else 'keys'}":
                continue
            kept = store[name]
            if how == "the other way":
                turned = kept.copy()
                turned[rows] = kept[: len(rows)]
                store[name] = turned
            elif how == "one after another":
                changed = kept.copy()
                for i, row in enumerate(rows):
                    changed[i] = changed[row]
                store[name] = changed
            elif how == "tokens":
                store[name] = kept[:, rows % kept.shape[1]]
            else:
                store[name] = kept[rows]


_RIGHT = {
    "state": "own",
    "count": "steps",
    "position": "own",
    "maps": "right",
    "memory": "all",
    "mix": "own sentence",
    "scale": "root",
    "share": "over the tokens",
    "out": "mixture",
    "select": "rows",
}
