"""Answers to `class PositionalEncoding`, in other styles than the reference.

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
    """A table filled as a child's `table(n, d)` says."""

    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        table = self.table(max_length, d_model)
        self.register_buffer("pe", table.float(), persistent=False)

    def table(self, n, d):
        table = torch.zeros(n, d)
        speed = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        table[:, 0::2] = torch.sin(torch.arange(n)[:, None] * speed)
        table[:, 1::2] = torch.cos(torch.arange(n)[:, None] * speed)
        return table

    def forward(self, x):
        return self.drop(x + self.pe[: x.size(1)])


# ---------------------------------------------------------------- right


class right__exponential(_Base):
    pass


class right__loops(_Base):
    def table(self, n, d):
        rows = []
        for pos in range(n):
            row = []
            for j in range(d):
                angle = pos / 10000 ** (2 * (j // 2) / d)
                row.append(math.cos(angle) if j % 2 else math.sin(angle))
            rows.append(row)
        return torch.tensor(rows)


class right__numpy(_Base):
    def table(self, n, d):
        j = np.arange(d)
        angle = np.arange(n)[:, None] / np.power(10000, (j - j % 2) / d)
        return torch.from_numpy(np.where(j % 2, np.cos(angle), np.sin(angle)))


class right__shifted_sine(_Base):
    def table(self, n, d):
        speed = 1e4 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        angle = torch.einsum("n,i->ni", torch.arange(n).double(), speed)
        angle = angle.repeat_interleave(2, dim=1)
        angle[:, 1::2] += math.pi / 2
        return angle.sin()


class right__polar(_Base):
    def table(self, n, d):
        speed = 1e4 ** (-torch.arange(0, d, 2) / d)
        angle = torch.outer(torch.arange(n).float(), speed)
        hands = torch.polar(torch.ones_like(angle), angle)
        return torch.view_as_real(hands).flip(-1).reshape(n, d)


class right__other_input_names(_Base):
    def __init__(self, d, n=512, p=0.1):
        super().__init__(d, n, p)


# ---------------------------------------------------------------- wrong


class no_super__plain(nn.Module):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        self.pe = torch.zeros(max_length, d_model)

    def forward(self, x):
        return x + self.pe[: x.shape[1]]


class exponent_doubled__exp(_Base):
    def table(self, n, d):
        table = torch.zeros(n, d)
        i = torch.arange(0, d, 2)
        angle = torch.arange(n)[:, None] * torch.exp(-math.log(1e4) * 2 * i / d)
        table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
        return table


class each_column_its_own_speed__loops(_Base):
    def table(self, n, d):
        return torch.tensor([
            [
                (math.cos if j % 2 else math.sin)(p / 10000 ** (j / d))
                for j in range(d)
            ]
            for p in range(n)
        ])  # fmt: skip


class doubled_and_own_speed__loops(_Base):
    def table(self, n, d):
        table = torch.zeros(n, d)
        for p in range(n):
            for i in range(0, d, 2):
                table[p, i] = math.sin(p / 10000 ** (2 * i / d))
                table[p, i + 1] = math.cos(p / 10000 ** (2 * (i + 1) / d))
        return table


class multiplied__lost_minus(_Base):
    def table(self, n, d):
        speed = torch.exp(torch.arange(0, d, 2) * (math.log(10000.0) / d))
        angle = torch.arange(n)[:, None] * speed
        return torch.stack([angle.sin(), angle.cos()], -1).view(n, d)


class another_logarithm__log10(_Base):
    def table(self, n, d):
        speed = torch.exp(torch.arange(0, d, 2) * (-math.log10(10000.0) / d))
        angle = torch.arange(n)[:, None] * speed
        return torch.stack([angle.sin(), angle.cos()], -1).view(n, d)


class sines_then_cosines__hstack(_Base):
    def table(self, n, d):
        right = super().table(n, d)
        return torch.hstack([right[:, 0::2], right[:, 1::2]])


class flattened_along_the_wrong_axis__view(_Base):
    def table(self, n, d):
        right = super().table(n, d)
        return torch.stack([right[:, 0::2], right[:, 1::2]]).view(n, d)


class only_row_0_filled__whole_numbers(_Base):
    def table(self, n, d):
        table = torch.zeros(n, d, dtype=torch.long)
        table[:] = super().table(n, d)
        return table


class table_left_empty__made_anew(_Base):
    def table(self, n, d):
        for p in range(n):
            table = torch.zeros(n, d)
            table[p] = super().table(n, d)[p]
        return table


class positions_from_one__loop(_Base):
    def table(self, n, d):
        return super().table(n + 1, d)[1:]


class first_axis_taken_for_the_tokens__tutorial(_Base):
    def table(self, n, d):
        return super().table(n, d).unsqueeze(0).transpose(0, 1)

    def forward(self, x):
        return self.drop(x + self.pe[: x.size(0), :])


class one_row_for_all__no_colon(_Base):
    def forward(self, x):
        return self.drop(x + self.pe[x.size(1) - 1])


class table_not_cut__batch_axis(_Base):
    def forward(self, x):
        return self.drop(x + self.pe[None])


class x_left_out__table(_Base):
    def forward(self, x):
        return self.drop(self.pe[: x.size(1)])


class words_scaled_here__annotated(_Base):
    def forward(self, x):
        return self.drop(x * self.pe.shape[-1] ** 0.5 + self.pe[: x.size(1)])


class in_the_state_dict__buffer(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.register_buffer("pe", self.pe)


class table_is_a_parameter__frozen(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.rows = nn.Parameter(self.pe.clone(), requires_grad=False)

    def forward(self, x):
        return self.drop(x + self.rows[: x.size(1)])


class table_is_a_parameter__embedding(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.rows = nn.Embedding.from_pretrained(self.pe, freeze=False)

    def forward(self, x):
        n = torch.arange(x.size(1), device=x.device)
        return self.drop(x + self.rows(n))


class dropout_missing__forgotten(_Base):
    def forward(self, x):
        self.drop(x + self.pe[: x.size(1)])
        return x + self.pe[: x.size(1)]


class dropout_before_the_sum__functional(_Base):
    def forward(self, x):
        return F.dropout(x, self.drop.p, self.training) + self.pe[: x.size(1)]


class dropped_without_scaling__bernoulli(_Base):
    def forward(self, x):
        y = x + self.pe[: x.size(1)]
        if self.training:
            y = y * torch.bernoulli(torch.full_like(y, 1 - self.drop.p))
        return y


class rate_not_used__functional(_Base):
    def forward(self, x):
        return F.dropout(x + self.pe[: x.size(1)], 0.1, self.training)


class another_default_rate__none(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.2):
        super().__init__(d_model, max_length, dropout)


class drops_while_evaluating__functional(_Base):
    def forward(self, x):
        return F.dropout(x + self.pe[: x.size(1)], p=self.drop.p)


class one_row_too_few__range(_Base):
    def table(self, n, d):
        return super().table(n - 1, d)


class shorter_by_default__256(_Base):
    def __init__(self, d_model, max_length=256, dropout=0.1):
        super().__init__(d_model, max_length, dropout)


class changes_its_input__plus_equal(_Base):
    def forward(self, x):
        x += self.pe[: x.size(1)]
        return self.drop(x)


class always_64_bits__numpy(_Base):
    def forward(self, x):
        n, d = x.shape[1:]
        angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
        pe = np.stack([np.sin(angle), np.cos(angle)], -1).reshape(n, d)
        return self.drop(x + torch.from_numpy(pe).to(x.device))


class always_32_bits__empty(_Base):
    def forward(self, x):
        out = torch.empty(x.shape, device=x.device)
        out[...] = x + self.pe[: x.size(1)]
        return self.drop(out)


class no_buffer__arange(nn.Module):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__()
        self.d, self.drop = d_model, nn.Dropout(dropout)

    def forward(self, x):
        pair = torch.arange(0, self.d, 2)
        angle = torch.arange(x.shape[1])[:, None] / 10000 ** (pair / self.d)
        pe = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
        return self.drop(x + pe)


class signature__no_dropout(_Base):
    def __init__(self, d_model, max_length=512):
        super().__init__(d_model, max_length)


class no_return(_Base):
    def forward(self, x):
        self.drop(x + self.pe[: x.size(1)])


class leaves_torch__the_sum(_Base):
    def forward(self, x):
        return self.drop(torch.as_tensor(np.add(x, self.pe[: x.size(1)])))


class table_of_another_shape__a_batch_axis(_Base):
    def table(self, n, d):
        return super().table(n, d).unsqueeze(0)

    def forward(self, x):
        return self.drop(x + self.pe[:, : x.size(1), :])


class table_of_another_shape__turned(_Base):
    def table(self, n, d):
        return super().table(n, d).T.contiguous()

    def forward(self, x):
        return self.drop(x + self.pe[:, : x.size(1)].T)


class table_of_another_shape__half_of_it(_Base):
    def table(self, n, d):
        return super().table(n, d)[: n // 2]

    def forward(self, x):
        pe = super().table(x.size(1), x.size(2)).to(x)
        return self.drop(x + pe)


class no_table__another_name(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.register_buffer("rows", self.pe, persistent=False)
        del self.pe

    def forward(self, x):
        return self.drop(x + self.rows[: x.size(1)])


class no_table__computed_in_forward(nn.Module):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__()
        self.d, self.p = d_model, dropout

    def forward(self, x):
        n = torch.arange(x.shape[1], device=x.device, dtype=x.dtype)
        pair = torch.arange(0, self.d, 2, device=x.device, dtype=x.dtype)
        angle = n[:, None] / 10000 ** (pair / self.d)
        pe = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
        return F.dropout(x + pe, self.p, self.training)


class drops_while_evaluating__a_new_layer_each_time(_Base):
    def forward(self, x):
        return nn.Dropout(self.drop.p)(x + self.pe[: x.size(1)])


class no_buffer__made_in_forward(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        nn.Module.__init__(self)
        self.drop, self.d = nn.Dropout(dropout), d_model

    def forward(self, x):
        return self.drop(x + self.table(x.size(1), self.d))


class made_with_other_bits__the_table(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.register_buffer("pe", self.pe.double(), persistent=False)


class right__a_table_of_64_bits_that_is_cast(_Base):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__(d_model, max_length, dropout)
        self.register_buffer("pe", self.pe.double(), persistent=False)

    def forward(self, x):
        return self.drop(x + self.pe[: x.size(1)].to(x))
