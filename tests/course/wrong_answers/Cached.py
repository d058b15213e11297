"""Answers to `class Cached(W_Q, W_K, W_V, P)` with `step` and `select`.

Each is a class, as students write it; `_answer` turns it into a function that
makes an object, so that it can stand in this catalogue. It is named after the
mistake that the check must name; what follows a double underscore tells
several of the same kind apart. `right__...` must be accepted.
"""

# ruff: noqa: B905

import numpy as np
import torch


def _answer(made):
    """Make an object of the class, whatever the class is called."""

    def make(W_Q, W_K, W_V, P):
        return made(W_Q, W_K, W_V, P)

    return make


def _softmax(scores, axis=-1):
    votes = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return votes / votes.sum(axis=axis, keepdims=True)


class _Right:
    """The right one, in parts that the others replace."""

    def __init__(self, W_Q, W_K, W_V, P):
        self.W_Q, self.W_K, self.W_V, self.P = W_Q, W_K, W_V, P
        self.K = self.V = None
        self.t = 0

    def place(self, x):
        return x + self.P[self.t]

    def vectors(self, x):
        x = self.place(x)
        return x @ self.W_Q, x @ self.W_K, x @ self.W_V

    def join(self, old, new):
        new = new[:, None]
        return new if old is None else np.concatenate([old, new], axis=1)

    def keep(self, k, v):
        self.K, self.V = self.join(self.K, k), self.join(self.V, v)
        return self.K, self.V

    def attend(self, q, K, V):
        scores = np.einsum("bk,btk->bt", q, K) / np.sqrt(q.shape[-1])
        return np.einsum("bt,btv->bv", _softmax(scores), V)

    def step(self, x):
        q, k, v = self.vectors(x)
        K, V = self.keep(k, v)
        self.t += 1
        return self.attend(q, K, V)

    def select(self, rows):
        self.K, self.V = self.K[rows], self.V[rows]


# ------------------------------------------------------------------- right


@_answer
class right__numpy(_Right):
    pass


@_answer
class right__lists:
    def __init__(self, W_Q, W_K, W_V, P):
        self.W_Q, self.W_K, self.W_V, self.P = W_Q, W_K, W_V, P
        self.past = None

    def step(self, x):
        if self.past is None:
            self.past = [[] for _ in x]
        result = []
        for own, token in zip(self.past, x, strict=True):
            token = token + self.P[len(own)]
            own.append((token @ self.W_K, token @ self.W_V))
            q = token @ self.W_Q
            scores = [q @ k / len(k) ** 0.5 for k, _ in own]
            shares = _softmax(np.array(scores))
            result.append(
                sum(a * v for a, (_, v) in zip(shares, own, strict=True))
            )
        return result

    def select(self, rows):
        self.past = [list(self.past[row]) for row in rows]


@_answer
class right__torch:
    def __init__(self, W_Q, W_K, W_V, P):
        self.maps = [torch.tensor(W) for W in (W_Q, W_K, W_V)]
        self.P = torch.tensor(P)
        self.K = self.V = torch.zeros(0)

    def step(self, x):
        t = self.K.shape[1] if self.K.dim() == 3 else 0
        x = torch.tensor(x) + self.P[t]
        q, k, v = (x.unsqueeze(1) @ W for W in self.maps)
        self.K = torch.cat([self.K, k], dim=1) if t else k
        self.V = torch.cat([self.V, v], dim=1) if t else v
        attend = torch.nn.functional.scaled_dot_product_attention
        return attend(q, self.K, self.V).squeeze(1)

    def select(self, rows):
        rows = torch.tensor(rows)
        self.K, self.V = self.K[rows], self.V[rows]


@_answer
class right__room_made_before(_Right):
    """Arrays of zeros for all tokens; positions through the maps at once."""

    def __init__(self, W_Q, W_K, W_V, P):
        super().__init__(W_Q, W_K, W_V, P)
        self.maps = np.concatenate([W_Q, W_K, W_V], axis=1)
        self.places, self.t = P @ self.maps, 0
        self.d_k, self.room = W_Q.shape[1], None

    def step(self, x):
        qkv = x @ self.maps + self.places[self.t]
        if self.room is None:
            n = len(self.places)
            self.room = np.zeros((len(x), n, qkv.shape[1] - self.d_k))
        self.room[:, self.t] = qkv[:, self.d_k :]
        self.t += 1
        filled = self.room[:, : self.t]
        return self.attend(
            qkv[:, : self.d_k],
            filled[..., : self.d_k],
            filled[..., self.d_k :],
        )

    def select(self, rows):
        self.room = self.room[rows]


# --------------------------------------------------------------- positions


# ------------------------------------------------------------------ memory


@_answer
class old_tokens_anew__keeps_the_inputs(_Right):
    """No cache at all: it keeps the inputs and computes all again."""

    def __init__(self, W_Q, W_K, W_V, P):
        super().__init__(W_Q, W_K, W_V, P)
        self.inputs = None

    def step(self, x):
        self.inputs = self.join(self.inputs, x)
        X = self.inputs + self.P[: self.inputs.shape[1]]
        return self.attend(X[:, -1] @ self.W_Q, X @ self.W_K, X @ self.W_V)

    def select(self, rows):
        self.inputs = self.inputs[rows]


@_answer
class old_tokens_anew__torch_with_its_own_matrices:
    def __init__(self, *matrices):
        self.maps = [torch.tensor(matrix) for matrix in matrices]
        self.X = None

    def step(self, x):
        t = 0 if self.X is None else self.X.shape[1]
        x = (torch.tensor(x) + self.maps[3][t])[:, None]
        self.X = x if t == 0 else torch.cat([self.X, x], dim=1)
        q, K, V = x @ self.maps[0], self.X @ self.maps[1], self.X @ self.maps[2]
        attend = torch.nn.functional.scaled_dot_product_attention
        return attend(q, K, V)[:, 0]

    def select(self, rows):
        self.X = self.X[rows]


@_answer
class old_tokens_anew__values_only(_Right):
    def step(self, x):
        t = 0 if self.K is None else self.K.shape[1]
        x = x + self.P[t]
        self.K = self.join(self.K, x @ self.W_K)
        self.V = self.join(self.V, x)
        return self.attend(x @ self.W_Q, self.K, np.dot(self.V, self.W_V))


@_answer
class shared_by_all_objects(_Right):
    store = {}

    def __init__(self, W_Q, W_K, W_V, P):
        super().__init__(W_Q, W_K, W_V, P)
        self.store.setdefault("keys", [])

    def step(self, x):
        x = x + self.P[min(len(self.store["keys"]), 7)]
        self.store["keys"].append((x[0] @ self.W_K, x[0] @ self.W_V))
        K = np.stack([np.stack([k for k, _ in self.store["keys"]])] * len(x))
        V = np.stack([np.stack([v for _, v in self.store["keys"]])] * len(x))
        return self.attend(x @ self.W_Q, K, V)

    def select(self, rows):
        pass


# --------------------------------------------------------------- attention


@_answer
class softmax_over_the_batch(_Right):
    def attend(self, q, K, V):
        scores = np.einsum("bk,btk->bt", q, K) / np.sqrt(q.shape[-1])
        return np.einsum("bt,btv->bv", _softmax(scores, axis=0), V)


@_answer
class no_softmax(_Right):
    def attend(self, q, K, V):
        scores = np.einsum("bk,btk->bt", q, K) / np.sqrt(q.shape[-1])
        return np.einsum("bt,btv->bv", scores, V)


@_answer
class shares_returned(_Right):
    def attend(self, q, K, V):
        scores = np.einsum("bk,btk->bt", q, K) / np.sqrt(q.shape[-1])
        return _softmax(scores)


# ------------------------------------------------------------------ select


@_answer
class overwritten_while_copying(_Right):
    def select(self, rows):
        for i, row in enumerate(rows):
            self.K[i], self.V[i] = self.K[row], self.V[row]


@_answer
class select_picks_tokens(_Right):
    def select(self, rows):
        n = self.K.shape[1]
        rows = [row % n for row in rows]
        self.K, self.V = self.K[:, rows], self.V[:, rows]


@_answer
class histories_stay_joined:
    def __init__(self, W_Q, W_K, W_V, P):
        self.W_Q, self.W_K, self.W_V, self.P = W_Q, W_K, W_V, P
        self.keys, self.values, self.t = None, None, 0

    def step(self, x):
        if self.keys is None:
            self.keys = [[] for _ in x]
            self.values = [[] for _ in x]
        x = x + self.P[self.t]
        self.t += 1
        result = []
        for i in range(len(x)):
            self.keys[i].append(x[i] @ self.W_K)
            self.values[i].append(x[i] @ self.W_V)
            scores = np.array(self.keys[i]) @ (x[i] @ self.W_Q) / 3**0.5
            result.append(_softmax(scores) @ np.array(self.values[i]))
        return result

    def select(self, rows):
        self.keys = [self.keys[row] for row in rows]
        self.values = [self.values[row] for row in rows]


# ------------------------------------------------- the same in all exercises


@_answer
class changes_its_input(_Right):
    def place(self, x):
        x += self.P[self.t]
        return x


@_answer
class printed_not_returned(_Right):
    def step(self, x):
        print(super().step(x))


@_answer
class no_return(_Right):
    def step(self, x):
        result = super().step(x)
        result += 0


def signature(W_Q, W_K, W_V):
    return _Right(W_Q, W_K, W_V, None)


# ------------------------------------------- the same mistakes, other styles


class _Lists:
    """A list of (key, value) a sentence, and a loop over the sentences."""

    start, root = 0, 0.5

    def __init__(self, W_Q, W_K, W_V, P):
        self.W_Q, self.W_K, self.W_V, self.P = W_Q, W_K, W_V, P
        self.past = None

    def step(self, x):
        self.past = [[] for _ in x] if self.past is None else self.past
        return [self.one(own, token) for own, token in zip(self.past, x)]

    def one(self, own, token):
        token = token + self.P[self.start + len(own)]
        own.append((token @ self.W_K, token @ self.W_V))
        return self.mixed(own, token @ self.W_Q)

    def mixed(self, own, q):
        votes = [np.exp(q @ k / len(k) ** self.root) for k, _ in own]
        return sum(a / sum(votes) * v for a, (_, v) in zip(votes, own))

    def select(self, rows):
        self.past = [self.past[row].copy() for row in rows]


@_answer
class position_one_too_far__lists(_Lists):
    start = 1


@_answer
class position_for_the_query_only__lists(_Lists):
    def one(self, own, token):
        placed = token + self.P[len(own)]
        own.append((token @ self.W_K, token @ self.W_V))
        return self.mixed(own, placed @ self.W_Q)


@_answer
class newest_token_left_out__lists(_Lists):
    def mixed(self, own, q):
        return super().mixed(own[:-1] or own, q)


@_answer
class wrong_root__lists(_Lists):
    root = 1


@_answer
class no_scale__lists(_Lists):
    root = 0


@_answer
class select_begins_anew__lists(_Lists):
    def select(self, rows):
        self.past = [[] for _ in rows]


class _Torch:
    """Tensors that grow with `cat`, and the fused attention."""

    dim = 1

    def __init__(self, W_Q, W_K, W_V, P):
        self.W = [torch.from_numpy(W) for W in (W_Q, W_K, W_V)]
        self.P, self.steps = torch.from_numpy(P), 0
        self.cache = [torch.empty(0), torch.empty(0)]

    def step(self, x):
        x = (torch.as_tensor(x) + self.P[self.steps]).unsqueeze(self.dim)
        self.steps += 1
        q, *new = (x.matmul(W) for W in self.W)
        self.cache = [
            torch.cat([old, more], self.dim) if old.numel() else more
            for old, more in zip(self.cache, new)
        ]
        return self.attend(q, *self.cache)

    def attend(self, q, k, v):
        made = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        return made.squeeze(1)

    def select(self, rows):
        self.cache = [old[torch.tensor(rows)] for old in self.cache]


@_answer
class values_not_selected__torch(_Torch):
    def select(self, rows):
        self.cache[0] = self.cache[0].index_select(0, torch.tensor(rows))


@_answer
class axis_left_over__torch(_Torch):
    def attend(self, q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)


@_answer
class nothing_is_kept__torch(_Torch):
    def step(self, x):
        self.cache = [torch.empty(0), torch.empty(0)]
        return super().step(x)


@_answer
class matrices_exchanged__torch(_Torch):
    def __init__(self, W_Q, W_K, W_V, P):
        super().__init__(W_K, W_K, W_V, P)


@_answer
class position_lost_in_select__torch(_Torch):
    def select(self, rows):
        super().select(rows)
        self.steps = 0


@_answer
class select_does_nothing__torch(_Torch):
    def select(self, rows):
        torch.stack(self.cache[:1])[:, rows]
