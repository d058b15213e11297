"""Answers to `class Cached(W_Q, W_K, W_V, P)` with `step` and `select`.

Each is a class, as students write it; `_answer` turns it into a function that
makes an object, so that it can stand in this catalogue. It is named after the
mistake that the check must name; what follows a double underscore tells
several of the same kind apart. `right__...` must be accepted.
"""

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
class right__everything_anew(_Right):
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


# --------------------------------------------------------------- positions


@_answer
class position_always_zero(_Right):
    def place(self, x):
        return x + self.P[0]


@_answer
class position_always_zero__as_one_sentence(_Right):
    def place(self, x):
        return (x[:, None] + self.P[: x[:, None].shape[1]])[:, 0]


@_answer
class position_one_too_far(_Right):
    def place(self, x):
        return x + self.P[self.t + 1]


@_answer
class position_from_the_end(_Right):
    def place(self, x):
        return x + self.P[-1]


@_answer
class position_from_the_end__backward(_Right):
    def place(self, x):
        return x + self.P[::-1][self.t]


@_answer
class no_position(_Right):
    def place(self, x):
        return x


@_answer
class position_for_the_query_only(_Right):
    def vectors(self, x):
        return self.place(x) @ self.W_Q, x @ self.W_K, x @ self.W_V


@_answer
class sentences_counted(_Right):
    def step(self, x):
        result = super().step(x)
        self.t += len(x) - 1
        return result


# ------------------------------------------------------------------ memory


@_answer
class nothing_is_kept(_Right):
    def keep(self, k, v):
        return k[:, None], v[:, None]

    def select(self, rows):
        pass


@_answer
class nothing_is_kept__values_not_cached(_Right):
    def attend(self, q, K, V):
        return super().attend(q, K, np.broadcast_to(V[:, -1:], V.shape))


@_answer
class keys_not_cached(_Right):
    def attend(self, q, K, V):
        return super().attend(q, np.broadcast_to(K[:, -1:], K.shape), V)


@_answer
class newest_token_left_out(_Right):
    def attend(self, q, K, V):
        if K.shape[1] > 1:
            K, V = K[:, :-1], V[:, :-1]
        return super().attend(q, K, V)


@_answer
class newest_token_twice(_Right):
    def attend(self, q, K, V):
        K = np.concatenate([K, K[:, -1:]], axis=1)
        V = np.concatenate([V, V[:, -1:]], axis=1)
        return super().attend(q, K, V)


@_answer
class only_the_first_token(_Right):
    def attend(self, q, K, V):
        return super().attend(q, K[:, :1], V[:, :1])


@_answer
class first_tokens_forgotten(_Right):
    def keep(self, k, v):
        K, V = super().keep(k, v)
        self.K, self.V = K[:, -2:], V[:, -2:]
        return K, V


@_answer
class keys_and_values_out_of_step(_Right):
    def keep(self, k, v):
        old = self.K
        super().keep(k, v)
        if old is not None:
            self.K = np.concatenate([k[:, None], old], axis=1)
        return self._seen(old, k), self.V

    def _seen(self, old, k):
        return self.join(old, k)


@_answer
class sentences_mixed(_Right):
    def attend(self, q, K, V):
        K = np.stack([K.reshape(-1, K.shape[2])] * len(q))
        V = np.stack([V.reshape(-1, V.shape[2])] * len(q))
        return super().attend(q, K, V)


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


def _scaled(by):
    class Scaled(_Right):
        def attend(self, q, K, V):
            right = np.sqrt(q.shape[-1])
            return super().attend(q * right / by(self, q, K, V), K, V)

    return _answer(Scaled)


no_scale = _scaled(lambda self, q, K, V: 1.0)
wrong_root__the_width_itself = _scaled(lambda self, q, K, V: q.shape[-1])
wrong_root__of_d = _scaled(lambda self, q, K, V: 4**0.5)
wrong_root__of_d_v = _scaled(lambda self, q, K, V: V.shape[-1] ** 0.5)
wrong_root__of_the_length = _scaled(lambda self, q, K, V: K.shape[1] ** 0.5)


@_answer
class wrong_root__axis_of_the_tokens(_Right):
    def attend(self, q, K, V):
        return super().attend(q * np.sqrt(3 / K.shape[1]), K, V)


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
class matrices_exchanged(_Right):
    def __init__(self, W_Q, W_K, W_V, P):
        super().__init__(W_K, W_K, W_V, P)


@_answer
class matrices_exchanged__no_value(_Right):
    def vectors(self, x):
        q, k, _ = super().vectors(x)
        return q, k, self.place(x)


@_answer
class shares_returned(_Right):
    def attend(self, q, K, V):
        scores = np.einsum("bk,btk->bt", q, K) / np.sqrt(q.shape[-1])
        return _softmax(scores)


@_answer
class axis_left_over(_Right):
    def attend(self, q, K, V):
        scores = q[:, None] @ K.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        return _softmax(scores) @ V


# ------------------------------------------------------------------ select


@_answer
class select_does_nothing(_Right):
    def select(self, rows):
        return self.K[rows], self.V[rows]


@_answer
class values_not_selected(_Right):
    def select(self, rows):
        self.K = self.K[rows]


@_answer
class keys_not_selected(_Right):
    def select(self, rows):
        self.V = self.V[rows]


@_answer
class select_the_other_way(_Right):
    def select(self, rows):
        K, V = self.K.copy(), self.V.copy()
        K[rows], V[rows] = self.K[: len(rows)], self.V[: len(rows)]
        self.K, self.V = K, V


@_answer
class overwritten_while_copying(_Right):
    def select(self, rows):
        for i, row in enumerate(rows):
            self.K[i], self.V[i] = self.K[row], self.V[row]


@_answer
class select_begins_anew(_Right):
    def select(self, rows):
        self.K = self.V = None
        self.t = 0


@_answer
class position_lost_in_select(_Right):
    def select(self, rows):
        super().select(rows)
        self.t = 0


@_answer
class position_lost_in_select__counted(_Right):
    def select(self, rows):
        super().select(rows)
        self.t += 1


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
