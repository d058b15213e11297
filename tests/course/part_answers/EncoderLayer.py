"""Answers to `class EncoderLayer`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.parts.FeedForward import FeedForward
from transformer_course.checks.parts.MultiHeadAttention import (
    MultiHeadAttention,
)


class _Base(nn.Module):
    """PyTorch's norms, the sub-layers as functions of one vector."""

    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def parts(self, mask):
        def attend(x):
            return self.self_attention(x, x, x, mask)

        return (attend, self.norm1), (self.feed_forward, self.norm2)


class right__loop(_Base):
    def forward(self, x, mask=None):
        for f, norm in self.parts(mask):
            if self.norm_first:
                x = x + self.dropout(f(norm(x)))
            else:
                x = norm(x + self.dropout(f(x)))
        return x


class right__one_method_for_both(_Base):
    def residual(self, x, f, norm):
        read = norm(x) if self.norm_first else x
        y = torch.add(x, self.dropout(f(read)))
        return y if self.norm_first else norm(y)

    def forward(self, src, src_mask=None):
        for f, norm in self.parts(src_mask):
            src = self.residual(src, f, norm)
        return src


class _Attention(nn.Module):
    """Heads one after the other, slices of the projections, bmm."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d_k = n_heads, d_model // n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, q, k, v, mask=None):
        q, k, v = self.q_proj(q), self.k_proj(k), self.v_proj(v)
        heads = []
        for i in range(self.h):
            at = slice(i * self.d_k, (i + 1) * self.d_k)
            scores = torch.bmm(q[..., at], k[..., at].mT) / self.d_k**0.5
            if mask is not None:
                scores.masked_fill_(mask.logical_not(), float("-inf"))
            heads.append(scores.softmax(-1) @ v[..., at])
        return self.out_proj(torch.cat(heads, -1))


class right__own_attention_in_place(nn.Module):
    def __init__(self, dim, heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = _Attention(dim, heads)
        self.feed_forward = nn.ModuleDict()
        self.feed_forward["linear1"] = nn.Linear(dim, hidden)
        self.feed_forward["linear2"] = nn.Linear(hidden, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.drop1, self.drop2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.pre = norm_first

    def think(self, x):
        hidden = torch.relu_(self.feed_forward["linear1"](x))
        return self.drop2(self.feed_forward["linear2"](hidden))

    def forward(self, x, mask=None):
        out = x.clone()
        if self.pre:
            y = self.norm1(x)
            out += self.drop1(self.self_attention(y, y, y, mask))
            return out + self.think(self.norm2(out))
        out += self.drop1(self.self_attention(x, x, x, mask=mask))
        out = self.norm1(out)
        return self.norm2(out + self.think(out))


class right__functions_of_torch(_Base):
    def forward(self, x, mask=None):
        p, on = self.dropout.p, self.training

        def norm(x, by):
            return F.layer_norm(x, x.shape[-1:], by.weight, by.bias, by.eps)

        (attend, first), (think, second) = self.parts(mask)
        if not self.norm_first:
            z = norm(F.dropout(attend(x), p, on) + x, first)
            return norm(F.dropout(think(z), p, on) + z, second)
        z = F.dropout(attend(norm(x, first)), p, on) + x
        return F.dropout(think(norm(z, second)), p, on) + z


class right__dropout_inside_too(_Base):
    """As in nn.TransformerEncoderLayer."""

    def post(self, x, mask):
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, mask)))
        return self.norm2(x + self.think(x))

    def pre(self, x, mask):
        y = self.norm1(x)
        x = x + self.dropout(self.self_attention(y, y, y, mask))
        return x + self.think(self.norm2(x))

    def think(self, x):
        hidden = self.dropout(F.relu(self.feed_forward.linear1(x)))
        return self.dropout(self.feed_forward.linear2(hidden))

    def forward(self, x, mask=None):
        return (self.pre if self.norm_first else self.post)(x, mask)


class _Wrong(_Base):
    """A loop over the sub-layers, with a place for each mistake."""

    def forward(self, x, mask=None):
        (attend, norm1), (think, norm2) = self.parts(mask)
        order = self.pre if self.norm_first else self.post
        return order(order(x, attend, norm1), think, norm2)

    def pre(self, x, f, norm):
        return x + self.dropout(f(norm(x)))

    def post(self, x, f, norm):
        return norm(x + self.dropout(f(x)))


class right__two_orders(_Wrong):
    pass


class no_skip_at_all(_Wrong):
    def post(self, x, f, norm):
        return norm(self.dropout(f(x)))


class pre_norm__branches_exchanged(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout, not norm_first)


class norm_before_the_addition(_Wrong):
    def post(self, x, f, norm):
        return x + self.dropout(norm(f(x)))


class sum_of_two_norms(_Wrong):
    def post(self, x, f, norm):
        return norm(x) + norm(self.dropout(f(x)))


class no_norm(_Wrong):
    def post(self, x, f, norm):
        norm(x + self.dropout(f(x)))
        return x + self.dropout(f(x))


class input_added_twice(_Wrong):
    def post(self, x, f, norm):
        return norm(x + x + self.dropout(f(x)))


class order_exchanged(_Wrong):
    def parts(self, mask):
        attend, think = super().parts(mask)
        return (think, attend) if not self.norm_first else (attend, think)


class norms_exchanged(_Wrong):
    def parts(self, mask):
        (attend, first), (think, second) = super().parts(mask)
        return (attend, second), (think, first)


class one_norm_for_both__registered_once(_Wrong):
    def parts(self, mask):
        (attend, first), (think, _) = super().parts(mask)
        return (attend, first), (think, first)


class mask_ignored(_Wrong):
    def parts(self, mask):
        return super().parts(None)


class mask_reversed(_Wrong):
    def parts(self, mask):
        return super().parts(None if mask is None else torch.logical_not(mask))


class mask_changed__first_sentence_for_all(_Wrong):
    def parts(self, mask):
        return super().parts(None if mask is None else mask[:1])


class norm_first_ignored(_Wrong):
    pre = _Wrong.post


class pre_norm_skip_after_the_norm(_Wrong):
    def pre(self, x, f, norm):
        x = norm(x)
        return x + self.dropout(f(x))


class pre_norm_one_more_norm(_Wrong):
    def pre(self, x, f, norm):
        return norm(x + self.dropout(f(norm(x))))


class pre_norm_no_skip(_Wrong):
    def pre(self, x, f, norm):
        return self.dropout(f(norm(x)))


class pre_norm_wrong(_Wrong):
    def pre(self, x, f, norm):
        return x - self.dropout(f(norm(x)))


class no_dropout(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, 0.0, norm_first)


class another_dropout__always_a_tenth(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, 0.1, norm_first)


class another_dropout__what_is_read(_Wrong):
    def pre(self, x, f, norm):
        return x + f(self.dropout(norm(x)))

    def post(self, x, f, norm):
        return norm(x + f(self.dropout(x)))


class pre_norm_another_dropout(_Wrong):
    def pre(self, x, f, norm):
        return self.dropout(x + f(norm(x)))


class dropout_of_the_sum(_Wrong):
    def pre(self, x, f, norm):
        return self.dropout(x + f(norm(x)))

    def post(self, x, f, norm):
        return norm(self.dropout(x + f(x)))


class dropout_in_eval(_Wrong):
    def pre(self, x, f, norm):
        return x + F.dropout(f(norm(x)), p=self.dropout.p)

    def post(self, x, f, norm):
        return norm(x + F.dropout(f(x), p=self.dropout.p))


class gradient_cut(_Wrong):
    def post(self, x, f, norm):
        with torch.no_grad():
            change = self.dropout(f(x))
        return norm(x + change)


class changes_its_input(_Wrong):
    def post(self, x, f, norm):
        return norm(x.add_(self.dropout(f(x))))


class changes_its_input__pre_norm(_Wrong):
    def pre(self, x, f, norm):
        x += self.dropout(f(norm(x)))
        return x


class another_name_in_self(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.ln_1, self.ln_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        x = self.ln_1(x + self.self_attention(x, x, x, mask))
        return self.ln_2(x + self.feed_forward(x))


class norms_without_weights(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout, norm_first)
        del self.norm1, self.norm2

    def parts(self, mask):
        def norm(x):
            return F.layer_norm(x, x.shape[-1:])

        def attend(x):
            return self.self_attention(x, x, x, mask)

        return (attend, norm), (self.feed_forward, norm)


class no_super(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        self.norm_first = norm_first
        self.self_attention = MultiHeadAttention(d_model, n_heads)


class no_defaults(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, p_dropout, norm_first):
        super().__init__(d_model, n_heads, d_ff, p_dropout, norm_first)


class no_defaults__by_these_names(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout, norm_first):
        super().__init__(d_model, n_heads, d_ff, dropout, norm_first)


class too_few_inputs(_Wrong):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attention(x, mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class too_many_inputs(_Wrong):
    def forward(self, x, mask=None):
        x = self.norm1(x, self.self_attention(x, x, x, mask))
        return self.norm2(x, self.feed_forward(x))


class too_many_inputs__mask(_Wrong):
    def post(self, x, f, norm):
        if f is self.feed_forward:
            return norm(x + f(x, None))
        return super().post(x, f, norm)


class numbers_of_two_types(_Wrong):
    def parts(self, mask):
        def attend(x):
            x = x.float()
            return self.self_attention(x, x, x, mask)

        return (attend, self.norm1), (self.feed_forward, self.norm2)


class plain_list__of_sub_layers(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = [
            MultiHeadAttention(d_model, n_heads),
            FeedForward(d_model, d_ff),
        ]
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        attend, think = self.layers
        x = self.norm1(x + attend(x, x, x, mask))
        return self.norm2(x + think(x))


class always_64_bits(_Wrong):
    def post(self, x, f, norm):
        y = norm(x + self.dropout(f(x)))
        return y.double() if norm is self.norm2 else y


class tied_to_the_processor(_Wrong):
    def post(self, x, f, norm):
        return norm(x + self.dropout(f(x))) + torch.zeros(x.shape)


class signature(_Wrong):
    def forward(self, x):
        return super().forward(x)


class no_forward(_Base):
    pass


class leaves_torch__the_sum(_Wrong):
    def post(self, x, f, norm):
        return norm(np.add(x, self.dropout(f(x))))


class norm_of_the_inner_width(_Wrong):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout, norm_first)
        self.norm1, self.norm2 = nn.LayerNorm(d_ff), nn.LayerNorm(d_ff)


class pre_norm_two_orders_mixed__the_second(_Base):
    def forward(self, x, mask=None):
        if self.norm_first:
            h = self.norm1(x)
            x = x + self.dropout(self.self_attention(h, h, h, mask))
        else:
            h = self.self_attention(x, x, x, mask)
            x = self.norm1(x + self.dropout(h))
        return self.norm2(x + self.dropout(self.feed_forward(x)))
