"""Answers to `class TokenEmbedding`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class _Base(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d = d_model
        table = torch.randn(vocab_size, d_model) / math.sqrt(d_model)
        self.weight = nn.Parameter(table)

    def forward(self, ids):
        return F.embedding(ids, self.weight) * self.d**0.5

    def logits(self, x):
        return F.linear(x, self.weight)


# ---------------------------------------------------------------- right


class right__functional(_Base):
    pass


class right__a_child_of_torchs(nn.Embedding):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        nn.init.normal_(self.weight, 0, 1 / math.sqrt(d_model))

    def forward(self, ids):
        return super().forward(ids) * self.embedding_dim**0.5

    def logits(self, x):
        return torch.matmul(x, self.weight.t())


class right__one_hot_and_einsum(_Base):
    def forward(self, ids):
        hot = F.one_hot(ids, len(self.weight)).to(self.weight.dtype)
        return torch.einsum("...v,vd->...d", hot, self.weight) * self.d**0.5

    def logits(self, x):
        return torch.einsum("...d,vd->...v", x, self.weight)


class right__index_select(_Base):
    def forward(self, ids):
        rows = self.weight.index_select(0, ids.reshape(-1))
        return rows.view(*ids.shape, self.d).mul(math.sqrt(self.d))

    def logits(self, x):
        return (x.unsqueeze(-2) * self.weight).sum(-1)


class right__row_by_row(_Base):
    def forward(self, ids):
        rows = [self.weight[i] for i in ids.flatten().tolist()]
        return torch.stack(rows).view(*ids.shape, -1) * self.d**0.5

    def logits(self, x):
        return torch.stack([(x * row).sum(-1) for row in self.weight], -1)


class right__scaled_first(_Base):
    def forward(self, ids):
        return (self.weight * torch.tensor(self.d).sqrt())[ids]

    def logits(self, x):
        return (self.weight @ x.unsqueeze(-1)).squeeze(-1)


class right__root_kept_as_a_buffer(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        root = torch.tensor(d_model).sqrt()
        self.register_buffer("root", root, persistent=False)

    def forward(self, ids):
        rows = F.embedding(ids, self.weight)
        rows *= math.sqrt(self.d)
        return rows


# ---------------------------------------------------------------- wrong


class no_super__layer(nn.Module):
    def __init__(self, vocab_size, d_model):
        self.embedding = nn.Embedding(vocab_size, d_model)

    def forward(self, ids):
        return self.embedding(ids)

    def logits(self, x):
        return x @ self.embedding.weight.T


class logits_returns_nothing__stub(_Base):
    def logits(self, x): ...


class forward_does_not_read_the_table__copy(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.rows = self.weight.detach().clone() * d_model**0.5

    def forward(self, ids):
        return self.rows[ids]


class logits_do_not_read_the_table__copy(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.turned = self.weight.detach().clone().T.double()

    def logits(self, x):
        return x @ self.turned.to(x.dtype)


class logits_do_not_read_the_table__linear(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.to_vocabulary = nn.Linear(d_model, vocab_size, bias=False)

    def logits(self, x):
        return self.to_vocabulary(x)


class fixed_type__copy(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.turned = self.weight.detach().clone().T

    def logits(self, x):
        return x @ self.turned


class fixed_type__view(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.turned = self.weight.T

    def logits(self, x):
        return x @ self.turned


class fixed_type__of_the_input(_Base):
    def logits(self, x):
        return x.float() @ self.weight.T


class other_name__layer(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)

    def forward(self, ids):
        return self.embedding(ids) * self.embedding.embedding_dim**0.5

    def logits(self, x):
        return x @ self.embedding.weight.T


class plain_list__of_a_parameter(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        table = torch.randn(vocab_size, d_model) / d_model**0.5
        self.tables = [nn.Parameter(table)]

    def forward(self, ids):
        return self.tables[0][ids] * self.tables[0].shape[1] ** 0.5

    def logits(self, x):
        return x @ self.tables[0].T


class two_tables__embedding(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.embedding.weight = self.weight

    def forward(self, ids):
        return self.embedding(ids) * self.d**0.5


class sizes_exchanged__linear(nn.Linear):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model, bias=False)
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(self, ids):
        return self.weight.T[ids] * self.out_features**0.5

    def logits(self, x):
        return x @ self.weight


class bias_at_the_exit__parameter(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.b = nn.Parameter(torch.zeros(vocab_size))

    def logits(self, x):
        return F.linear(x, self.weight, self.b)


class scale_forgotten__torchs(nn.Embedding):
    def logits(self, x):
        return x @ self.weight.T


class scaled_by_the_vocabulary__len(_Base):
    def forward(self, ids):
        return self.weight[ids] * len(self.weight) ** 0.5


class scale_written_into_the_table__data(_Base):
    def forward(self, ids):
        self.weight.data.mul_(math.sqrt(self.d))
        return F.embedding(ids, self.weight)


class ids_run_together__one_hot(_Base):
    def forward(self, ids):
        hot = F.one_hot(ids.reshape(-1), len(self.weight))
        return hot.to(self.weight) @ self.weight * self.d**0.5


class padding_set_to_zero__mask(_Base):
    def forward(self, ids):
        rows = super().forward(ids)
        return rows.masked_fill((ids == 0).unsqueeze(-1), 0.0)


class padding_not_trained__torchs(_Base):
    def forward(self, ids):
        rows = F.embedding(ids, self.weight, padding_idx=0)
        return math.sqrt(self.d) * rows


class softmax_inside__functional(_Base):
    def logits(self, x):
        return F.log_softmax(F.linear(x, self.weight), dim=-1)


class table_not_turned__einsum(_Base):
    def logits(self, x):
        return torch.einsum("...d,dv->...v", x, self.weight)


class logits_scaled_too__rows(_Base):
    def logits(self, x):
        return F.linear(x, self.weight * self.d**0.5)


class starts_with_deviation_one__torchs(nn.Embedding):
    def forward(self, ids):
        return super().forward(ids) * self.embedding_dim**0.5

    def logits(self, x):
        return x @ self.weight.T


class starts_above_zero__rand(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.weight = nn.Parameter(torch.rand(vocab_size, d_model))


class starts_with_another_spread__uniform(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        nn.init.uniform_(self.weight, -0.05, 0.05)


class weight_not_trained__frozen(_Base):
    def __init__(self, vocab_size, d_model):
        super().__init__(vocab_size, d_model)
        self.weight.requires_grad_(False)


class forward_without_gradient__no_grad(_Base):
    def forward(self, ids):
        with torch.no_grad():
            return super().forward(ids)


class logits_without_gradient__new_tensor(_Base):
    def logits(self, x):
        return x @ torch.tensor(self.weight.T.tolist()).to(x)


class changes_its_input__normalized(_Base):
    def logits(self, x):
        x *= 1.0
        x += 1.0
        scores = F.linear(x - 1.0, self.weight)
        return scores


class changes_the_ids__clamped(_Base):
    def forward(self, ids):
        rows = super().forward(ids)
        ids.clamp_(max=1)
        return rows


class forward_of_64_bits__factor(_Base):
    def forward(self, ids):
        root = torch.full((self.d,), self.d).double().sqrt()
        return self.weight[ids] * root.to(self.weight.device)


class logits_of_64_bits__product(_Base):
    def logits(self, x):
        return x.double() @ self.weight.T.double()


class forward_of_32_bits__empty(_Base):
    def forward(self, ids):
        out = torch.empty(*ids.shape, self.d, device=self.weight.device)
        out[...] = super().forward(ids)
        return out


class logits_of_32_bits__product(_Base):
    def logits(self, x):
        return x.float() @ self.weight.float().T


class forward_tied_to_the_processor__zeros(_Base):
    def forward(self, ids):
        out = torch.zeros(*ids.shape, self.d, dtype=self.weight.dtype)
        return out + super().forward(ids)


class logits_tied_to_the_processor__ones(_Base):
    def logits(self, x):
        return F.linear(x, self.weight * torch.ones(self.d, dtype=x.dtype))


class not_the_same_twice__counter(_Base):
    calls = 0

    def forward(self, ids):
        self.calls += 1
        return super().forward(ids) * (1 + 1e-9 * self.calls)


class signature__no_logits(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(vocab_size, d_model))

    def forward(self, ids):
        return self.weight[ids]


class leaves_torch__take(_Base):
    def forward(self, ids):
        return np.take(self.weight, ids, axis=0) * self.d**0.5


class made_with_other_bits__from_numpy(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        table = np.random.randn(vocab_size, d_model) / np.sqrt(d_model)
        self.weight = nn.Parameter(torch.tensor(table))

    def forward(self, ids):
        return self.weight[ids] * self.weight.shape[1] ** 0.5

    def logits(self, x):
        return x @ self.weight.T
