"""Answers to `class DecoderLayer`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.parts.FeedForward import FeedForward
from transformer_course.checks.parts.MultiHeadAttention import (
    MultiHeadAttention,
)


class _Base(nn.Module):
    """A loop over three functions of one vector, with PyTorch's norms."""

    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def look(self, x, mask):
        return self.self_attention(x, x, x, mask)

    def read(self, x, memory, mask):
        return self.cross_attention(x, memory, memory, mask)

    def steps(self, memory, mask, memory_mask):
        yield lambda x: self.look(x, mask), self.norm1
        yield lambda x: self.read(x, memory, memory_mask), self.norm2
        yield self.feed_forward, self.norm3

    def forward(self, x, memory, mask=None, memory_mask=None):
        order = self.pre if self.norm_first else self.post
        for f, norm in self.steps(memory, mask, memory_mask):
            x = order(x, f, norm)
        return x

    def pre(self, x, f, norm):
        return x + self.dropout(f(norm(x)))

    def post(self, x, f, norm):
        return norm(x + self.dropout(f(x)))


class right__loop(_Base):
    pass


class right__one_line_each(_Base):
    def forward(self, tgt, memory, tgt_mask=None, src_mask=None):
        d, a, c = self.dropout, self.self_attention, self.cross_attention
        if not self.norm_first:
            y = self.norm1(tgt + d(a(tgt, tgt, tgt, tgt_mask)))
            y = self.norm2(y + d(c(y, memory, memory, src_mask)))
            return self.norm3(y + d(self.feed_forward(y)))
        y = tgt + d(a(*3 * [self.norm1(tgt)], tgt_mask))
        y = y + d(c(self.norm2(y), memory, memory, mask=src_mask))
        return y + d(self.feed_forward(self.norm3(y)))


class _Attention(nn.Module):
    """`F.scaled_dot_product_attention` on heads made by `chunk`."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, q, k, v, mask=None):
        q, k, v = (
            torch.stack(x.chunk(self.h, dim=-1), dim=1)
            for x in (self.q_proj(q), self.k_proj(k), self.v_proj(v))
        )
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out_proj(torch.cat(heads.unbind(1), dim=-1))


class right__own_parts(nn.Module):
    def __init__(self, dim, heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = _Attention(dim, heads)
        self.cross_attention = _Attention(dim, heads)
        self.feed_forward = nn.Module()
        self.feed_forward.linear1 = nn.Linear(dim, hidden)
        self.feed_forward.linear2 = nn.Linear(hidden, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.norm3 = nn.LayerNorm(dim)
        self.p, self.norm_first = dropout, norm_first

    def think(self, x):
        inner = self.feed_forward.linear1(x).clamp(min=0)
        return self.feed_forward.linear2(inner)

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, memory, mask=None, memory_mask=None):
        out = x.clone()
        for number in (1, 2, 3):
            norm = getattr(self, f"norm{number}")
            y = norm(out) if self.norm_first else out
            if number == 1:
                change = self.self_attention(y, y, y, mask)
            elif number == 2:
                change = self.cross_attention(y, memory, memory, memory_mask)
            else:
                change = self.think(y)
            out = out + self.drop(change)
            if not self.norm_first:
                out = norm(out)
        return out


class right__dropout_inside_too(_Base):
    def steps(self, memory, mask, memory_mask):
        one, two, _ = super().steps(memory, mask, memory_mask)
        inner = self.feed_forward.linear1, nn.ReLU(), self.dropout
        think = nn.Sequential(*inner, self.feed_forward.linear2)
        return one, two, (think, self.norm3)


class right__two_methods(_Base):
    def forward(self, x, memory, mask=None, memory_mask=None):
        if self.norm_first:
            return self.pre_norm(x, memory, mask, memory_mask)
        x = self.norm1(torch.add(self.dropout(self.look(x, mask)), x))
        h = self.read(x, memory, memory_mask)
        x = self.norm2(torch.add(self.dropout(h), x))
        return self.norm3(torch.add(self.dropout(self.feed_forward(x)), x))

    def pre_norm(self, x, memory, mask, memory_mask):
        x = self.dropout(self.look(self.norm1(x), mask)) + x
        x = self.dropout(self.read(self.norm2(x), memory, memory_mask)) + x
        return self.dropout(self.feed_forward(self.norm3(x))) + x


class cross_attention_reads_the_target(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(x, x, x)


class query_from_the_memory(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(memory, x, x)


class query_from_the_memory__as_the_value_too(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(memory, x, memory)


class key_or_value_from_the_target(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(x, memory, x, mask)


class one_attention_for_both(_Base):
    def read(self, x, memory, mask):
        return self.self_attention(x, memory, memory, mask)


class cross_attention_before_self_attention(_Base):
    def steps(self, memory, mask, memory_mask):
        one, two, three = super().steps(memory, mask, memory_mask)
        return two, one, three


class feed_forward_before_cross_attention(_Base):
    def steps(self, memory, mask, memory_mask):
        one, two, three = super().steps(memory, mask, memory_mask)
        return one, three, two


class cross_attention_skipped(_Base):
    def steps(self, memory, mask, memory_mask):
        one, _, three = super().steps(memory, mask, memory_mask)
        return one, three


class one_norm_for_all(_Base):
    def steps(self, memory, mask, memory_mask):
        for f, _ in super().steps(memory, mask, memory_mask):
            yield f, self.norm1


class masks_ignored(_Base):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory)


class masks_exchanged(_Base):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, mask)


class memory_mask_ignored(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(x, memory, memory)


class mask_reversed(_Base):
    def look(self, x, mask):
        if mask is not None:
            mask = mask.logical_not()
        return self.self_attention(x, x, x, mask)


class own_causal_mask(_Base):
    def look(self, x, mask):
        n = x.shape[1]
        seen = torch.arange(n)[:, None] >= torch.arange(n)
        return self.self_attention(x, x, x, seen)


class mask_changed__first_sentence_for_all(_Base):
    def read(self, x, memory, mask):
        mask = None if mask is None else mask[:1]
        return self.cross_attention(x, memory, memory, mask)


class pre_norm_memory_normalized(_Base):
    def read(self, x, memory, mask):
        memory = self.norm2(memory) if self.norm_first else memory
        return self.cross_attention(x, memory, memory, mask)


class pre_norm_wrong(_Base):
    def pre(self, x, f, norm):
        return x - self.dropout(f(norm(x)))


class another_dropout__always_a_tenth(_Base):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, 0.1, norm_first)


class pre_norm_another_dropout(_Base):
    def pre(self, x, f, norm):
        return self.dropout(x + f(norm(x)))


class gradient_cut(_Base):
    def read(self, x, memory, mask):
        memory = memory if self.norm_first else memory.data
        return self.cross_attention(x, memory, memory, mask)


class too_few_inputs(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(x, memory)


class too_many_inputs(_Base):
    def post(self, x, f, norm):
        return norm(x, f(x))


class signature(_Base):
    def forward(self, x, memory):
        return super().forward(x, memory)


class memory_asks__as_in_the_drawing(_Base):
    def read(self, x, memory, mask):
        return self.cross_attention(memory, memory, x, mask)


class plain_list__of_norms(_Base):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout, norm_first)
        self.norms = [nn.LayerNorm(d_model) for _ in range(3)]

    def steps(self, memory, mask, memory_mask):
        steps = super().steps(memory, mask, memory_mask)
        for (f, _), norm in zip(steps, self.norms, strict=True):
            yield f, norm
