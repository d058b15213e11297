"""Answers to `class MultiHeadAttention`, in other styles than the reference.

A class is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


class _Layers(nn.Module):
    """The four layers, heads by `view`, and a way to hide; no `forward`."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d_k = n_heads, d_model // n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def heads(self, x):
        return x.view(len(x), -1, self.h, self.d_k).permute(0, 2, 1, 3)

    def qkv(self, query, key, value):
        return (
            self.heads(self.q_proj(query)),
            self.heads(self.k_proj(key)),
            self.heads(self.v_proj(value)),
        )

    def seen(self, mask):
        return mask[:, None] if mask is not None and mask.dim() == 3 else mask

    def weights(self, q, k):
        return torch.softmax(q @ k.transpose(2, 3) / self.d_k**0.5, dim=-1)

    def join(self, heads):
        b, h, n, d_k = heads.shape
        return self.out_proj(heads.transpose(1, 2).reshape(b, n, h * d_k))


# ------------------------------------------------------------------- right


class right__einsum(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        scores = torch.einsum("bhqd,bhkd->bhqk", q * self.d_k**-0.5, k)
        if mask is not None:
            mask = mask.unsqueeze(-3)
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(mask.logical_not(), 0)
        mixed = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.out_proj(mixed.reshape(len(mixed), mixed.shape[1], -1))


class right__fused(_Layers):
    def forward(self, q, k, v, m=None):
        q, k, v = self.qkv(q, k, v)
        return self.join(F.scaled_dot_product_attention(q, k, v, self.seen(m)))


class right__a_loop_over_chunks(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.out_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        found = []
        for q, k, v in zip(
            self.q_proj(query).chunk(self.n_heads, -1),
            self.k_proj(key).chunk(self.n_heads, -1),
            self.v_proj(value).chunk(self.n_heads, -1),
            strict=True,
        ):
            scores = torch.bmm(q, k.mT) / math.sqrt(q.size(-1))
            if mask is not None:
                scores[~mask.expand_as(scores)] = -torch.inf
            weights = torch.softmax(scores, dim=2)
            if mask is not None:
                weights = torch.where(mask, weights, 0.0)
            found.append(torch.bmm(weights, v))
        return self.out_proj(torch.cat(found, dim=-1))


class right__heads_folded_into_the_batch(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = (x.flatten(0, 1) for x in self.qkv(query, key, value))
        if mask is not None and mask.dim() == 3:
            mask = mask.repeat_interleave(self.h, dim=0)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return self.join(heads.view(len(query), self.h, *heads.shape[1:]))


class right__functional_with_a_tiny_number(_Layers):
    """Softmax by hand; a row without a key divides by a tiny number."""

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            F.linear(x, p.weight, p.bias).unfold(-1, self.d_k, self.d_k)
            for x, p in (
                (query, self.q_proj),
                (key, self.k_proj),
                (value, self.v_proj),
            )
        )
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.d_k)
        votes = (scores - scores.amax(-1, keepdim=True)).exp()
        if mask is not None:
            far = torch.finfo(scores.dtype).min
            scores = scores.where(self.seen(mask), far)
            votes = (scores - scores.amax(-1, keepdim=True)).exp()
            votes = votes * self.seen(mask)
        weights = votes / votes.sum(-1, keepdim=True).clamp(min=1e-9)
        return self.out_proj(
            torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2)
        )


class right__sum_over_heads(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        total = self.out_proj.bias
        for g in range(self.h):
            seen = None if mask is None else mask
            head = F.scaled_dot_product_attention(
                q[:, g], k[:, g], v[:, g], seen
            )
            block = self.out_proj.weight[:, g * self.d_k : (g + 1) * self.d_k]
            total = total + head @ block.T
        return total


class right__a_list_besides(nn.Module):
    """Layers with names, and a tuple of the same layers for a loop."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.shape = (n_heads, d_model // n_heads)
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=True) for _ in range(4)
        )
        nn.init.xavier_uniform_(self.q_proj.weight)
        self.all = (self.q_proj, self.k_proj, self.v_proj)

    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.ndim == 2:
            mask = mask[None]
        q, k, v = [
            layer(x).reshape(*x.shape[:2], *self.shape).movedim(2, 1)
            for layer, x in zip(self.all, (query, key, value), strict=True)
        ]
        bias = 0 if mask is None else torch.log(mask.unsqueeze(1).to(q))
        scores = q @ k.mT / self.shape[1] ** 0.5 + bias
        top = scores.amax(-1, keepdim=True).detach()
        votes = (scores - torch.where(top.isinf(), 0.0, top)).exp()
        total = votes.sum(-1, keepdim=True)
        heads = votes @ v / total.where(total > 0, 1.0)
        return self.out_proj(heads.movedim(1, 2).flatten(-2))


# ------------------------------------------------------------ how it is built


class no_super(nn.Module):
    def __init__(self, d_model, n_heads):
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        return self.q_proj(query)


class self_forgotten(_Layers):
    def forward(self, query, key, value, mask=None):
        x = self.q_proj(query)
        return self.join(x.view(len(x), -1, n_heads, 2).mT)


class other_names(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.layers = nn.ModuleList(nn.Linear(d_model, d_model) for _ in "1234")

    def forward(self, query, key, value, mask=None):
        inputs = zip(self.layers, (query, key, value), strict=False)
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f, x in inputs
        )
        heads = F.scaled_dot_product_attention(q, k, v)
        return self.layers[3](heads.transpose(1, 2).flatten(2))


class weights_not_registered__made_in_forward(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model, self.h = d_model, n_heads

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            nn.Linear(self.d_model, self.d_model)(x)
            .unflatten(-1, (self.h, -1))
            .transpose(1, 2)
            for x in (query, key, value)
        )
        heads = F.scaled_dot_product_attention(q, k, v)
        return nn.Linear(self.d_model, self.d_model)(
            heads.transpose(1, 2).flatten(2)
        )


class weights_not_registered__tensors(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.w = {name: torch.randn(d_model, d_model) for name in "qkvo"}

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            (x @ self.w[name]).unflatten(-1, (self.h, -1)).transpose(1, 2)
            for name, x in (("q", query), ("k", key), ("v", value))
        )
        heads = F.scaled_dot_product_attention(q, k, v)
        return heads.transpose(1, 2).flatten(2) @ self.w["o"]


class one_layer_under_several_names(right__fused):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        layers = [nn.Linear(d_model, d_model)] * 4
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = layers


class no_bias__loop(right__einsum):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))


class extra_weights(right__fused):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.scale = nn.Parameter(torch.tensor(1.0), requires_grad=False)


class one_layer_for_all_three(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d, self.h = d_model, n_heads
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        d = self.d
        w, b = self.in_proj.weight, self.in_proj.bias
        q, k, v = (
            F.linear(x, w[i : i + d], b[i : i + d])
            for i, x in ((0, query), (d, key), (2 * d, value))
        )
        q, k, v = (
            x.unflatten(-1, (self.h, -1)).transpose(1, 2) for x in (q, k, v)
        )
        heads = F.scaled_dot_product_attention(q, k, v)
        return self.out_proj(heads.transpose(1, 2).flatten(2))


class each_head_sees_a_part_of_x(nn.Module):
    """As in a well-known video: small layers that all heads share."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads, self.head_dim = n_heads, d_model // n_heads
        self.v_proj = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.k_proj = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.q_proj = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.out_proj = nn.Linear(n_heads * self.head_dim, d_model)

    def forward(self, query, key, value, mask=None):
        n, n_q = query.shape[:2]
        q, k, v = (
            x.reshape(n, x.shape[1], self.heads, self.head_dim)
            for x in (query, key, value)
        )
        q, k, v = self.q_proj(q), self.k_proj(k), self.v_proj(v)
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k)
        attention = torch.softmax(energy / self.head_dim**0.5, dim=3)
        out = torch.einsum("nhql,nlhd->nqhd", attention, v)
        return self.out_proj(out.reshape(n, n_q, -1))


# ---------------------------------------------------------------- gradients


class no_gradient(right__fused):
    @torch.no_grad()
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)


class gradient_cut(right__fused):
    def heads(self, x):
        return super().heads(x.data)


class leaves_torch__the_heads(right__fused):
    def heads(self, x):
        return torch.tensor(x.numpy()).unflatten(-1, (self.h, -1)).mT


class changes_its_input(right__fused):
    def forward(self, query, key, value, mask=None):
        query /= self.d_k**0.5
        q, k, v = self.qkv(query * self.d_k**0.5, key, value)
        return self.join(
            F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        )


class changed_in_place(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        seen = self.seen(mask)
        scores = q @ k.mT / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(~seen, -1e9)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights *= seen
        return self.join(weights @ v)


class changes_a_given_tensor(right__fused):
    def forward(self, query, key, value, mask=None):
        result = super().forward(query, key, value, mask)
        if mask is not None:
            mask.logical_not_()
        return result


# ----------------------------------------------------------- types and shapes


class fixed_type(right__fused):
    def forward(self, query, key, value, mask=None):
        return super().forward(query.float(), key.float(), value.float(), mask)


class fixed_type__zeros(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        joined = torch.zeros(query.shape, dtype=torch.float32)
        joined[:] = (
            F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        )
        return self.out_proj(joined)


class always_64_bits(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(
            F.scaled_dot_product_attention(
                q.double(), k.double(), v.double(), self.seen(mask)
            )
        )


class tied_to_the_processor(_Layers):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.scale = torch.sqrt(torch.FloatTensor([self.d_k]))

    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        q = q / self.scale * self.d_k**0.5
        return self.join(
            F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        )


class view_after_the_axes_changed(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        heads = self.weights(q, k) @ v
        b, n = query.shape[:2]
        return self.out_proj(heads.transpose(1, 2).view(b, n, -1))


class another_count_of_numbers(_Layers):
    def forward(self, query, key, value, mask=None):
        b, n, d = query.shape
        q, k, v = (
            layer(x).view(b, n, self.h, d // self.h).transpose(1, 2)
            for layer, x in (
                (self.q_proj, query),
                (self.k_proj, key),
                (self.v_proj, value),
            )
        )
        return self.join(
            F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        )


class another_count_of_numbers__wide_heads(right__fused):
    def heads(self, x):
        return x.view(len(x), x.shape[1], self.h, self.h * self.d_k).transpose(
            1, 2
        )


class width_is_no_whole_number(right__fused):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.d_k = d_model / n_heads


class returns_the_weights_too(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        weights = self.weights(q, k)
        return self.join(weights @ v), weights


class one_token_lost(right__fused):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask).squeeze(1)


# ---------------------------------------------------- heads, in other styles


class split_and_merge_by_view(_Layers):
    def forward(self, query, key, value, mask=None):
        q = self.q_proj(query).view(len(query), self.h, -1, self.d_k)
        k = self.k_proj(key).view(len(query), self.h, -1, self.d_k)
        v = self.v_proj(value).view(len(query), self.h, -1, self.d_k)
        heads = F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        return self.out_proj(heads.contiguous().view_as(query))


class merge_by_view__a_stack_of_heads(_Layers):
    def forward(self, query, key, value, mask=None):
        qkv = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        found = [
            F.scaled_dot_product_attention(q, k, v)
            for q, k, v in zip(
                *(x.split(self.d_k, -1) for x in qkv), strict=True
            )
        ]
        return self.out_proj(torch.stack(found).reshape(query.shape))


class heads_look_at_heads(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = (x.transpose(1, 2) for x in self.qkv(query, key, value))
        weights = torch.softmax(q @ k.mT / math.sqrt(self.d_k), -1)
        return self.out_proj((weights @ v).flatten(2))


class every_hth_column__strides(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        step = self.h
        found = [
            F.scaled_dot_product_attention(
                q[..., g::step], k[..., g::step], v[..., g::step]
            )
            for g in range(step)
        ]
        return self.out_proj(torch.cat(found, -1))


class sentences_look_at_each_other__torchs_module(nn.Module):
    """PyTorch's own function, whose first axis counts the tokens."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model, self.h = d_model, n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        maps = self.q_proj, self.k_proj, self.v_proj
        return F.multi_head_attention_forward(
            query, key, value, self.d_model, self.h, None,
            torch.cat([m.bias for m in maps]), None, None, False, 0.0,
            self.out_proj.weight, self.out_proj.bias, need_weights=False,
            use_separate_proj_weight=True, q_proj_weight=maps[0].weight,
            k_proj_weight=maps[1].weight, v_proj_weight=maps[2].weight,
        )[0]  # fmt: skip


class one_head_only__overwritten(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        for g in range(self.h):
            joined = torch.zeros_like(query)
            own = slice(g * self.d_k, (g + 1) * self.d_k)
            joined[..., own] = F.scaled_dot_product_attention(
                q[:, g], k[:, g], v[:, g]
            )
        return self.out_proj(joined)


class heads_averaged__tiled(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        mean = F.scaled_dot_product_attention(q, k, v).mean(1)
        return self.out_proj(mean.repeat(1, 1, self.h))


class no_scale__fused(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(
            F.scaled_dot_product_attention(q, k, v, self.seen(mask), scale=1.0)
        )


class root_of_the_full_width(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        scores = torch.matmul(q, k.mT) * query.size(-1) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~self.seen(mask), -1e9)
        return self.join(F.softmax(scores, dim=-1).matmul(v))


class softmax_over_heads__no_dim(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(F.softmax(q @ k.mT / self.d_k**0.5, dim=-3) @ v)


class looks_only_back__is_causal(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(
            F.scaled_dot_product_attention(q, k, v, is_causal=True)
        )


class maps_turned__matmul(_Layers):
    def forward(self, query, key, value, mask=None):
        maps = self.q_proj, self.k_proj, self.v_proj
        q, k, v = (
            self.heads(x @ m.weight + m.bias)
            for m, x in zip(maps, (query, key, value), strict=True)
        )
        heads = F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        out = heads.transpose(1, 2).flatten(2) @ self.out_proj.weight
        return out + self.out_proj.bias


class self_attention_only(right__fused):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, query, query, mask)


class value_not_used(right__fused):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, key, mask)


class dropout_in_eval(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(F.dropout(self.weights(q, k), p=0.1) @ v)


class dropout_added(_Layers):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.dropout = nn.Dropout(0.1)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        heads = F.scaled_dot_product_attention(q, k, v, self.seen(mask))
        return self.dropout(self.join(heads))


class wo_forgotten__sequential(right__fused):
    def join(self, heads):
        return torch.cat(heads.unbind(1), dim=-1)


# ----------------------------------------------------------------- the mask


class mask_not_optional(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        mask = mask.unsqueeze(-3)
        return self.join(F.scaled_dot_product_attention(q, k, v, mask))


class mask_not_optional__inverted(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        scores = (q @ k.mT).masked_fill(~mask, -1e9)
        return self.join(scores.softmax(-1) @ v)


class mask_not_accepted(right__fused):
    def forward(self, query, key, value):
        return super().forward(query, key, value)


class mask_not_accepted__by_name_only(right__fused):
    def forward(self, query, key, value, *, mask=None):
        return super().forward(query, key, value, mask)


class mask_asked_for_its_truth(right__fused):
    def forward(self, query, key, value, mask=None):
        if mask:
            return super().forward(query, key, value, mask)
        return super().forward(query, key, value)


class _Scores(_Layers):
    """The classic lines, with the mask in a method of its own."""

    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        scores = q @ k.mT / math.sqrt(self.d_k)
        if mask is not None:
            scores = self.hide(scores, self.seen(mask))
        return self.join(scores.softmax(-1) @ v)


class mask_flipped__as_in_torchs_module(_Scores):
    def hide(self, scores, mask):
        return scores.masked_fill(mask, float("-inf"))


class mask_flipped__in_place(_Scores):
    def hide(self, scores, mask):
        scores[mask.expand_as(scores)] = -1e9
        return scores


class queries_masked__hides_queries(_Scores):
    def hide(self, scores, mask):
        return scores.masked_fill(~mask.transpose(-2, -1), -1e9)


class mask_without_an_axis_for_heads(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(F.scaled_dot_product_attention(q, k, v, mask))


class mask_repeated_in_another_order(right__heads_folded_into_the_batch):
    def forward(self, query, key, value, mask=None):
        q, k, v = (x.flatten(0, 1) for x in self.qkv(query, key, value))
        if mask is not None and mask.dim() == 3:
            mask = torch.cat([mask] * self.h)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return self.join(heads.view(len(query), self.h, *heads.shape[1:]))


class mask_of_places_gets_an_axis(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        mask = None if mask is None else mask[:, None]
        return self.join(F.scaled_dot_product_attention(q, k, v, mask))


class masks_of_sentences(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        mask = mask[:, :, None] if mask is not None and mask.ndim == 3 else mask
        mask = mask.mT if mask is not None and mask.ndim == 4 else mask
        return self.join(F.scaled_dot_product_attention(q, k, v, mask))


class masks_of_places(right__fused):
    def seen(self, mask):
        return mask if mask is None else mask.view(len(mask), 1, 1, -1)


# ------------------------------------------------ the same in all exercises


class no_return(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        self.join(F.scaled_dot_product_attention(q, k, v, self.seen(mask)))


class printed_not_returned(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        print(self.join(F.scaled_dot_product_attention(q, k, v)))


class signature(right__fused):
    def forward(self, x, mask=None):
        return super().forward(x, x, x, mask)


class no_forward(_Layers):
    pass


class not_a_module:
    def __init__(self, d_model, n_heads):
        self.h = n_heads

    def forward(self, query, key, value, mask=None):
        return value


def not_a_class(d_model, n_heads):
    return right__fused(d_model, n_heads)


class plain_list__a_layer_for_each_head(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        d_k = d_model // n_heads
        self.q_proj = [nn.Linear(d_model, d_k) for _ in range(n_heads)]
        self.k_proj = [nn.Linear(d_model, d_k) for _ in range(n_heads)]
        self.v_proj = [nn.Linear(d_model, d_k) for _ in range(n_heads)]
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        heads = []
        for q, k, v in zip(self.q_proj, self.k_proj, self.v_proj, strict=True):
            heads.append(
                F.scaled_dot_product_attention(q(query), k(key), v(value))
            )
        return self.out_proj(torch.cat(heads, dim=-1))


class right__a_list_of_its_own_layers(right__fused):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.layers = [self.q_proj, self.k_proj, self.v_proj]


class keeps_from_call_to_call__a_list_of_heads(_Layers):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.found = []

    def forward(self, query, key, value, mask=None):
        maps = self.q_proj, self.k_proj, self.v_proj
        inputs = zip(maps, (query, key, value), strict=True)
        parts = (layer(x).chunk(self.h, -1) for layer, x in inputs)
        for q, k, v in zip(*parts, strict=True):
            seen = F.scaled_dot_product_attention(q, k, v, mask)
            self.found.append(seen)
        return self.out_proj(torch.cat(self.found, -1))


class keeps_from_call_to_call__the_first_sentences(_Layers):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads)
        self.q = self.k = self.v = None

    def forward(self, query, key, value, mask=None):
        if self.q is None:
            self.q, self.k, self.v = self.qkv(query, key, value)
        return self.join(
            F.scaled_dot_product_attention(
                self.q, self.k, self.v, self.seen(mask)
            )
        )


class one_head_for_a_full_layer__counted_from_1(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        found = [self.weights(q, k)[:, h] @ v[:, h] for h in range(1, self.h)]
        return self.out_proj(torch.cat(found, -1))


class one_head_for_a_full_layer__return_in_the_loop(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        found = []
        for h in range(self.h):
            found.append(self.weights(q, k)[:, h] @ v[:, h])
            return self.out_proj(torch.cat(found, -1))


class one_head_for_a_full_layer__cut_before_projecting(_Layers):
    def forward(self, query, key, value, mask=None):
        found = []
        for block in range(0, self.h * self.d_k, self.d_k):
            cut = slice(block, block + self.d_k)
            q = self.q_proj(query[..., cut])
            k, v = self.k_proj(key[..., cut]), self.v_proj(value[..., cut])
            found.append(F.scaled_dot_product_attention(q, k, v))
        return self.out_proj(torch.cat(found, -1))


class maps_turned_without_bias__columns_of_the_weights(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = (
            self.heads(x @ p.weight)
            for p, x in (
                (self.q_proj, query),
                (self.k_proj, key),
                (self.v_proj, value),
            )
        )
        return self.join(F.scaled_dot_product_attention(q, k, v))


class query_and_key_exchanged_in_the_call__by_hand(_Layers):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.qkv(query, key, value)
        return self.join(self.weights(k, q) @ v)
