"""Answers to `class TiedEmbedding(V, d)` with embed(ids) and logits(h).

Each is a class, as students write it; `_answer` turns it into a function of V
and d that makes an object, so that it can stand in this catalogue. It is
named after the mistake that the check must name; what follows a double
underscore tells several of the same kind apart. `right__...` must be accepted.
"""

import numpy as np
import torch

_draw = np.random.default_rng(7)


def _answer(made):
    """Make an object of the class, whatever the class is called."""

    def make(V, d):
        return made(V, d)

    return make


class _Right:
    """The right one, in parts that the others replace."""

    def __init__(self, V, d):
        self.V, self.d = V, d
        self.table = self.start(V, d)

    def start(self, V, d):
        return _draw.normal(size=(V, d)) / np.sqrt(d)

    def embed(self, ids):
        return self.table[ids] * np.sqrt(self.d)

    def logits(self, h):
        return h @ self.table.T


# ------------------------------------------------------------------- right


@_answer
class right__numpy:
    def __init__(self, V, d):
        self.table = np.random.default_rng().normal(0, d**-0.5, size=(V, d))

    def embed(self, ids):
        return self.table[ids] * np.sqrt(self.table.shape[1])

    def logits(self, h):
        return h @ self.table.T


@_answer
class right__loops(_Right):
    def embed(self, ids):
        ids = np.asarray(ids)
        if ids.ndim == 0:
            return [self.d**0.5 * entry for entry in self.table[int(ids)]]
        return [self.embed(one) for one in ids]

    def logits(self, h):
        if np.ndim(h) > 1:
            return [self.logits(one) for one in h]
        return [
            sum(a * b for a, b in zip(h, row, strict=True))
            for row in self.table
        ]


@_answer
class right__one_hot(_Right):
    def embed(self, ids):
        one_hot = np.eye(self.V)[ids]
        return one_hot @ self.table * self.d**0.5


@_answer
class right__torch(torch.nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(V, d) / d**0.5)

    def embed(self, ids):
        rows = torch.nn.functional.embedding(torch.as_tensor(ids), self.table)
        return rows * self.table.shape[1] ** 0.5

    def logits(self, h):
        h = torch.as_tensor(h, dtype=torch.float32)
        return torch.nn.functional.linear(h, self.table)


@_answer
class right__torch_layer(torch.nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.words = torch.nn.Embedding(V, d)
        torch.nn.init.normal_(self.words.weight, std=d**-0.5)
        self.table = self.words.weight

    def embed(self, ids):
        return self.words(torch.as_tensor(ids)) * self.table.shape[1] ** 0.5

    def logits(self, h):
        return torch.as_tensor(h).float() @ self.words.weight.T


@_answer
class right__list(_Right):
    def start(self, V, d):
        return super().start(V, d).tolist()

    def embed(self, ids):
        return np.array(self.table)[ids] * np.sqrt(self.d)

    def logits(self, h):
        return np.einsum("...d,vd->...v", h, np.array(self.table))


@_answer
class right__bias_of_zeros(_Right):
    def logits(self, h):
        return super().logits(h) + np.zeros(self.V)


@_answer
class right__a_view_of_the_table(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.output = self.table.T  # a view: the same numbers

    def logits(self, h):
        return h @ self.output


@_answer
class right__keyword_only(_Right):
    def embed(self, *, ids):
        return super().embed(ids)


# ------------------------------------------------------------------- embed


@_answer
class scale_forgotten(_Right):
    def embed(self, ids):
        return self.table[ids]


@_answer
class scaled_by_d(_Right):
    def embed(self, ids):
        return self.table[ids] * self.d


@_answer
class divided_by_the_root(_Right):
    def embed(self, ids):
        return self.table[ids] / np.sqrt(self.d)


@_answer
class scaled_by_the_vocabulary(_Right):
    def embed(self, ids):
        return self.table[ids] * np.sqrt(len(self.table))


@_answer
class scaled_by_a_fixed_number(_Right):
    def embed(self, ids):
        return self.table[ids] * np.sqrt(2)


@_answer
class scaled_by_a_fixed_number__paper(_Right):
    def embed(self, ids):
        return self.table[ids] * 512**0.5


@_answer
class factor_in_the_table(_Right):
    def start(self, V, d):
        return _draw.normal(size=(V, d))

    def embed(self, ids):
        return self.table[ids]

    def logits(self, h):
        return h @ self.table.T / np.sqrt(self.d)


@_answer
class rows_made_equally_long(_Right):
    def embed(self, ids):
        rows = self.table[ids]
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


@_answer
class rows_made_equally_long__and_scaled(_Right):
    def embed(self, ids):
        rows = self.table[ids]
        rows = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
        return rows * np.sqrt(self.d)


@_answer
class scale_written_into_the_table(_Right):
    def embed(self, ids):
        self.table *= np.sqrt(self.d)
        return self.table[ids].copy()


@_answer
class columns_in_place_of_rows(_Right):
    def embed(self, ids):
        return self.table[:, ids] * np.sqrt(self.d)


@_answer
class columns_in_place_of_rows__turned(_Right):
    def embed(self, ids):
        return self.table.T[ids] * np.sqrt(self.d)


@_answer
class counted_from_one(_Right):
    def embed(self, ids):
        return self.table[ids - 1] * np.sqrt(self.d)


@_answer
class first_id_only(_Right):
    def embed(self, ids):
        return self.table[np.ravel(ids)[0]] * np.sqrt(self.d)


@_answer
class first_id_only__return_in_the_loop(_Right):
    def embed(self, ids):
        if np.ndim(ids) == 0:
            return super().embed(ids)
        for one in ids:
            return self.table[one] * np.sqrt(self.d)


@_answer
class ids_run_together(_Right):
    def embed(self, ids):
        rows = [self.table[one] for one in np.ravel(ids)]
        return np.array(rows) * np.sqrt(self.d)


@_answer
class first_rows_of_the_table(_Right):
    def embed(self, ids):
        if np.ndim(ids) == 0:
            return self.table[ids] * np.sqrt(self.d)
        return self.table[: len(ids)] * np.sqrt(self.d)


@_answer
class one_vector_for_the_sentence(_Right):
    def embed(self, ids):
        rows = super().embed(ids)
        return rows.mean(axis=-2) if rows.ndim > 1 else rows


@_answer
class one_vector_for_the_sentence__sum(_Right):
    def embed(self, ids):
        rows = super().embed(ids)
        return rows.sum(axis=-2) if rows.ndim > 1 else rows


@_answer
class padding_set_to_zero(torch.nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.inner = torch.nn.Embedding(V, d, padding_idx=0)
        self.table = torch.nn.Parameter(torch.randn(V, d) / d**0.5)

    def embed(self, ids):
        ids = torch.as_tensor(ids)
        rows = self.table[ids] * self.table.shape[1] ** 0.5
        return rows * (ids != 0)[..., None]

    def logits(self, h):
        return torch.as_tensor(h, dtype=torch.float32) @ self.table.T


# ------------------------------------------------------------------ logits


@_answer
class logits_scaled_too(_Right):
    def logits(self, h):
        return h @ self.table.T * np.sqrt(self.d)


@_answer
class logits_divided(_Right):
    def logits(self, h):
        return h @ self.table.T / np.sqrt(self.d)


@_answer
class softmax_inside(_Right):
    def logits(self, h):
        votes = np.exp(super().logits(h))
        return votes / votes.sum(axis=-1, keepdims=True)


@_answer
class softmax_inside__log(_Right):
    def logits(self, h):
        scores = torch.tensor(super().logits(h))
        return torch.log_softmax(scores, dim=-1)


@_answer
class bent_scores(_Right):
    def logits(self, h):
        return np.maximum(0, super().logits(h))


@_answer
class bent_scores__sigmoid(_Right):
    def logits(self, h):
        return 1 / (1 + np.exp(-super().logits(h)))


@_answer
class bias_at_the_exit(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.bias = _draw.normal(size=V)

    def logits(self, h):
        return super().logits(h) + self.bias


@_answer
class bias_at_the_exit__fixed(_Right):
    def logits(self, h):
        return super().logits(h) + 1.0


@_answer
class best_word_only(_Right):
    def logits(self, h):
        return super().logits(h).argmax(axis=-1)


@_answer
class table_not_turned(_Right):
    def logits(self, h):
        return h @ self.table


@_answer
class distance_in_place_of_dot_product(_Right):
    def logits(self, h):
        away = h[..., None, :] - self.table
        return -(away**2).sum(axis=-1)


@_answer
class cosine_in_place_of_dot_product(_Right):
    def logits(self, h):
        lengths = np.linalg.norm(self.table, axis=1, keepdims=True)
        return h @ (self.table / lengths).T


@_answer
class cosine_in_place_of_dot_product__both(_Right):
    def logits(self, h):
        cosine = super().logits(h) / np.linalg.norm(self.table, axis=1)
        return cosine / np.linalg.norm(h, axis=-1, keepdims=True)


@_answer
class last_token_only(_Right):
    def logits(self, h):
        return (h[-1] if h.ndim > 1 else h) @ self.table.T


@_answer
class scores_turned(_Right):
    def logits(self, h):
        return super().logits(h).T


# ------------------------------------------------------------------- table


@_answer
class sizes_exchanged(_Right):
    def start(self, V, d):
        return _draw.normal(size=(d, V)) / np.sqrt(d)


@_answer
class sizes_exchanged__all_through(_Right):
    def start(self, V, d):
        return _draw.normal(size=(d, V)) / np.sqrt(d)

    def embed(self, ids):
        return np.moveaxis(self.table[:, ids], 0, -1) * np.sqrt(self.d)

    def logits(self, h):
        return h @ self.table


@_answer
class starts_with_deviation_one(_Right):
    def start(self, V, d):
        return _draw.normal(size=(V, d))


@_answer
class starts_with_deviation_one__torch(_Right):
    def start(self, V, d):
        return torch.nn.Embedding(V, d).weight.detach().double().numpy()


@_answer
class starts_with_one_over_d(_Right):
    def start(self, V, d):
        return _draw.normal(0, 1 / d, size=(V, d))


@_answer
class starts_with_another_spread(_Right):
    def start(self, V, d):
        return _draw.normal(0, 0.02, size=(V, d))


@_answer
class starts_with_another_spread__a_hundredth(_Right):
    def start(self, V, d):
        return _draw.normal(size=(V, d)) * 0.01


@_answer
class starts_with_another_spread__vocabulary(_Right):
    def start(self, V, d):
        return _draw.normal(size=(V, d)) / np.sqrt(V)


@_answer
class starts_with_another_spread__xavier(_Right):
    def start(self, V, d):
        table = torch.empty(V, d)
        return torch.nn.init.xavier_uniform_(table).double().numpy()


@_answer
class starts_a_little_off(_Right):
    def start(self, V, d):
        return _draw.uniform(-1, 1, size=(V, d)) / np.sqrt(d)


@_answer
class starts_a_little_off__double(_Right):
    def start(self, V, d):
        return 2 * super().start(V, d)


@_answer
class starts_too_long(_Right):
    def start(self, V, d):
        return _draw.normal(size=(V, d)) * np.sqrt(d)


@_answer
class all_rows_alike(_Right):
    def start(self, V, d):
        return np.zeros((V, d))


@_answer
class all_rows_alike__one_row(_Right):
    def start(self, V, d):
        row = _draw.normal(size=d) / np.sqrt(d)
        return np.array([row] * V)


@_answer
class starts_above_zero(_Right):
    def start(self, V, d):
        return _draw.random(size=(V, d))


@_answer
class starts_above_zero__divided(_Right):
    def start(self, V, d):
        return _draw.random(size=(V, d)) / np.sqrt(d)


_kept = {}


@_answer
class shared_by_all_objects(_Right):
    def start(self, V, d):
        if (V, d) not in _kept:
            _kept[V, d] = super().start(V, d)
        return _kept[V, d]


# -------------------------------------------------------------------- tied


@_answer
class no_attribute_table(_Right):
    def __init__(self, V, d):
        table = self.start(V, d)
        self.d = table.shape[1]


@_answer
class no_attribute_table__another_name(_Right):
    def __init__(self, V, d):
        self.E, self.d = self.start(V, d), d

    def embed(self, ids):
        return self.E[ids] * np.sqrt(self.d)

    def logits(self, h):
        return h @ self.E.T


@_answer
class logits_do_not_read_the_table__kept_at_first_use(_Right):
    def logits(self, h):
        if not hasattr(self, "turned"):
            self.turned = self.table.T.copy()
        return h @ self.turned


@_answer
class logits_do_not_read_the_table__copy_made_by_embed(_Right):
    def embed(self, ids):
        self.seen = self.table.copy()
        return super().embed(ids)

    def logits(self, h):
        return h @ getattr(self, "seen", self.table).T


@_answer
class logits_do_not_read_the_table(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.output = _draw.normal(size=(d, V)) / np.sqrt(d)

    def logits(self, h):
        return h @ self.output


@_answer
class logits_do_not_read_the_table__copy(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.output = self.table.T.copy()

    def logits(self, h):
        return h @ self.output


@_answer
class logits_do_not_read_the_table__drawn_each_time(_Right):
    def logits(self, h):
        return h @ self.start(self.V, self.d).T


@_answer
class logits_do_not_read_the_table__linear(torch.nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(V, d) / d**0.5)
        self.linear = torch.nn.Linear(d, V)

    def embed(self, ids):
        return self.table[torch.as_tensor(ids)] * self.table.shape[1] ** 0.5

    def logits(self, h):
        return self.linear(torch.as_tensor(h, dtype=torch.float32))


@_answer
class embed_does_not_read_the_table(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.scaled = self.table * np.sqrt(d)

    def embed(self, ids):
        return self.scaled[ids]


@_answer
class embed_does_not_read_the_table__two_tables(_Right):
    def __init__(self, V, d):
        super().__init__(V, d)
        self.words = self.start(V, d)

    def embed(self, ids):
        return self.words[ids] * np.sqrt(self.d)


@_answer
class rounded(_Right):
    def embed(self, ids):
        return np.round(super().embed(ids), 2)


# ------------------------------------------------- the same in all exercises


@_answer
class changes_its_input(_Right):
    def logits(self, h):
        scores = super().logits(h)
        h *= 2
        return scores


@_answer
class printed_not_returned:
    def __init__(self, V, d):
        self.table = None

    def embed(self, ids):
        print(ids)

    def logits(self, h):
        print(h)


@_answer
class no_return:
    def __init__(self, V, d):
        self.table = None

    def embed(self, ids):
        rows = self.table[ids]
        rows += 0

    def logits(self, h):
        scores = h @ self.table.T
        scores += 0


def signature(V, d, h):
    return _Right(V, d)
