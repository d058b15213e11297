"""Answers to `mha(x, WQ, WK, WV, WO, h)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch


def _softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _cut(a, h):
    B, T, n = a.shape
    return a.reshape(B, T, h, n // h).transpose(0, 2, 1, 3)


def _join(a):
    B, h, T, n = a.shape
    return a.transpose(0, 2, 1, 3).reshape(B, T, h * n)


def _weights(q, k):
    return _softmax(q @ k.mT / math.sqrt(q.shape[-1]))


def _qkv(x, WQ, WK, WV, h):
    return [_cut(x @ W, h) for W in (WQ, WK, WV)]


def _heads(x, WQ, WK, WV, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _weights(q, k) @ v


def _double(*arrays):
    return [torch.as_tensor(a, dtype=torch.float64) for a in arrays]


# ------------------------------------------------------------------- right


def right__torch_chunks_with_a_gradient(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = (a.requires_grad_() for a in _double(x, WQ, WK, WV, WO))
    heads = [
        torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v)
        for q, k, v in zip(*(W.chunk(h, 1) for W in (WQ, WK, WV)), strict=True)
    ]
    return torch.cat(heads, dim=-1) @ WO


def right__a_list_of_tensors(x, WQ, WK, WV, WO, h):
    one_by_one = [right__np_split(s, WQ, WK, WV, WO, h) for s in x]
    return [torch.tensor(sentence) for sentence in one_by_one]


def right__reshape_and_swap(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, k) @ v) @ WO


def right__slices_in_a_loop(x, WQ, WK, WV, WO, h):
    d_k, d_v = WQ.shape[1] // h, WV.shape[1] // h
    heads = []
    for g in range(h):
        keys = slice(g * d_k, (g + 1) * d_k)
        values = slice(g * d_v, (g + 1) * d_v)
        q, k = x @ WQ[:, keys], x @ WK[:, keys]
        heads.append(_weights(q, k) @ (x @ WV[:, values]))
    return np.concatenate(heads, axis=-1) @ WO


def right__np_split(x, WQ, WK, WV, WO, h):
    parts = [np.split(x @ W, h, axis=-1) for W in (WQ, WK, WV)]
    heads = [_weights(q, k) @ v for q, k, v in zip(*parts, strict=True)]
    return np.concatenate(heads, axis=-1) @ WO


def right__sum_over_heads(x, WQ, WK, WV, WO, h):
    total = np.zeros((*x.shape[:2], WO.shape[1]))
    rows = np.split(WO, h)
    columns = [np.split(W, h, axis=1) for W in (WQ, WK, WV)]
    for wq, wk, wv, wo in zip(*columns, rows, strict=True):
        total += _weights(x @ wq, x @ wk) @ (x @ wv) @ wo
    return total


def right__einsum(x, WQ, WK, WV, WO, h):
    q, k, v = (
        np.einsum("btd,dhk->bhtk", x, W.reshape(len(W), h, -1))
        for W in (WQ, WK, WV)
    )
    weights = _softmax(np.einsum("bhik,bhjk->bhij", q, k) / q.shape[-1] ** 0.5)
    heads = np.einsum("bhij,bhjv->bhiv", weights, v)
    return np.einsum("bhiv,hvd->bid", heads, WO.reshape(h, -1, WO.shape[1]))


def right__every_number_in_a_loop(x, WQ, WK, WV, WO, h):
    d_k, d_v = WQ.shape[1] // h, WV.shape[1] // h
    result = []
    for sentence in x.astype(float):
        q, k, v = sentence @ WQ, sentence @ WK, sentence @ WV
        rows = []
        for i in range(len(sentence)):
            joined = []
            for g in range(h):
                a, b = g * d_k, (g + 1) * d_k
                scores = [
                    float(q[i, a:b] @ key[a:b]) / math.sqrt(d_k) for key in k
                ]
                top = max(scores)
                votes = [math.exp(s - top) for s in scores]
                for c in range(g * d_v, (g + 1) * d_v):
                    mixed = sum(
                        vote * value[c]
                        for vote, value in zip(votes, v, strict=True)
                    )
                    joined.append(mixed / sum(votes))
            rows.append(np.array(joined) @ WO)
        result.append(rows)
    return result


def right__torch_fused(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = _double(x, WQ, WK, WV, WO)
    q, k, v = ((x @ W).unflatten(-1, (h, -1)).mT for W in (WQ, WK, WV))
    q, k, v = (a.movedim(-1, 1) for a in (q, k, v))
    heads = torch.nn.functional.scaled_dot_product_attention(
        *(a.contiguous() for a in (q, k, v))
    )
    return heads.transpose(1, 2).flatten(2) @ WO


def right__single_precision(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = (a.float() for a in _double(x, WQ, WK, WV, WO))
    q, k, v = (
        (x @ W).unflatten(-1, (h, -1)).transpose(1, 2) for W in (WQ, WK, WV)
    )
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ WO


def right__batch_folded_after_the_swap(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = (a.reshape(B * h, T, -1) for a in _qkv(x, WQ, WK, WV, h))
    heads = _weights(q, k) @ v
    return _join(heads.reshape(B, h, T, -1)) @ WO


# ------------------------------------------------------- split and merge


def split_and_merge_by_view(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B, h, T, -1) for W in (WQ, WK, WV))
    return (_weights(q, k) @ v).reshape(B, T, -1) @ WO


def split_and_merge_by_view__folded(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B * h, T, -1) for W in (WQ, WK, WV))
    return (_weights(q, k) @ v).reshape(B, T, -1) @ WO


def split_and_merge_by_view__torch(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = _double(x, WQ, WK, WV, WO)
    B, T, _ = x.shape
    q, k, v = ((x @ W).view(B, h, T, -1) for W in (WQ, WK, WV))
    heads = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return heads.reshape(B, T, -1) @ WO


def split_by_view(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B, h, T, -1) for W in (WQ, WK, WV))
    return _join(_weights(q, k) @ v) @ WO


def merge_by_view(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    return _heads(x, WQ, WK, WV, h).reshape(B, T, -1) @ WO


def heads_look_at_heads(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B, T, h, -1) for W in (WQ, WK, WV))
    return (_weights(q, k) @ v).reshape(B, T, -1) @ WO


def every_hth_column(x, WQ, WK, WV, WO, h):
    heads = [
        _weights(x @ WQ[:, g::h], x @ WK[:, g::h]) @ (x @ WV[:, g::h])
        for g in range(h)
    ]
    return np.concatenate(heads, axis=-1) @ WO


def every_hth_column__and_back(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = (
        np.moveaxis((x @ W).reshape(B, T, -1, h), 3, 1) for W in (WQ, WK, WV)
    )
    heads = _weights(q, k) @ v
    return np.moveaxis(heads, 1, 3).reshape(B, T, -1) @ WO


def merged_in_another_order(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    heads = _heads(x, WQ, WK, WV, h)
    return heads.transpose(0, 2, 3, 1).reshape(B, T, -1) @ WO


def h_taken_for_the_width(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    q, k, v = (
        (x @ W).reshape(B, T, -1, h).swapaxes(1, 2) for W in (WQ, WK, WV)
    )
    return _join(_weights(q, k) @ v) @ WO


def tokens_split_among_heads(x, WQ, WK, WV, WO, h):
    parts = [np.split(x @ W, h, axis=1) for W in (WQ, WK, WV)]
    heads = [_weights(q, k) @ v for q, k, v in zip(*parts, strict=True)]
    return np.concatenate(heads, axis=1) @ WO


def sentences_look_at_each_other(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(
        x.swapaxes(0, 1), WQ, WK, WV, WO, h
    ).swapaxes(0, 1)


def sentences_look_at_each_other__one_long_text(x, WQ, WK, WV, WO, h):
    flat = x.reshape(1, -1, x.shape[-1])
    return right__reshape_and_swap(flat, WQ, WK, WV, WO, h).reshape(x.shape)


def not_split(x, WQ, WK, WV, WO, h):
    return _weights(x @ WQ, x @ WK) @ (x @ WV) @ WO


# ------------------------------------------------------------------- scale


def _scaled(factor):
    def answer(x, WQ, WK, WV, WO, h):
        q, k, v = _qkv(x, WQ, WK, WV, h)
        scores = q @ k.mT * factor(x, q, h)
        return _join(_softmax(scores) @ v) @ WO

    return answer


def no_scale(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: 1)(x, WQ, WK, WV, WO, h)


def root_of_the_full_width(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    scores = q @ k.mT / np.sqrt(x.shape[-1])
    return _join(_softmax(scores) @ v) @ WO


def root_of_the_full_width__of_wq(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    scores = q @ k.mT / np.sqrt(WQ.shape[1])
    return _join(_softmax(scores) @ v) @ WO


def root_of_h(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: h**-0.5)(x, WQ, WK, WV, WO, h)


def divided_by_d_k(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: 1 / q.shape[-1])(x, WQ, WK, WV, WO, h)


def root_of_the_number_of_tokens(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: q.shape[2] ** -0.5)(x, WQ, WK, WV, WO, h)


def multiplied_by_the_root(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: q.shape[-1] ** 0.5)(x, WQ, WK, WV, WO, h)


def fixed_divisor(x, WQ, WK, WV, WO, h):
    return _scaled(lambda x, q, h: 1 / 8)(x, WQ, WK, WV, WO, h)


def scaled_after_the_softmax(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_softmax(q @ k.mT) @ v / np.sqrt(q.shape[-1])) @ WO


# ----------------------------------------------------------------- weights


def _shared(weigh):
    def answer(x, WQ, WK, WV, WO, h):
        q, k, v = _qkv(x, WQ, WK, WV, h)
        return _join(weigh(q @ k.mT / np.sqrt(q.shape[-1])) @ v) @ WO

    return answer


def softmax_over_queries(x, WQ, WK, WV, WO, h):
    return _shared(lambda s: _softmax(s, -2))(x, WQ, WK, WV, WO, h)


def softmax_over_heads(x, WQ, WK, WV, WO, h):
    return _shared(lambda s: _softmax(s, 1))(x, WQ, WK, WV, WO, h)


def softmax_over_heads__keys_too(x, WQ, WK, WV, WO, h):
    return _shared(lambda s: _softmax(s, (1, 3)))(x, WQ, WK, WV, WO, h)


def softmax_over_a_whole_head(x, WQ, WK, WV, WO, h):
    return _shared(lambda s: _softmax(s, (2, 3)))(x, WQ, WK, WV, WO, h)


def no_softmax(x, WQ, WK, WV, WO, h):
    return _shared(lambda s: s)(x, WQ, WK, WV, WO, h)


def weights_averaged_over_heads(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, k).mean(axis=1, keepdims=True) @ v) @ WO


def weights_averaged_over_heads__scores_added(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    scores = (q @ k.mT).sum(axis=1, keepdims=True) / np.sqrt(q.shape[-1])
    return _join(_softmax(scores) @ v) @ WO


def weights_averaged_over_heads__scores(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    scores = (q @ k.mT).mean(axis=1, keepdims=True) / np.sqrt(q.shape[-1])
    return _join(_softmax(scores) @ v) @ WO


def weights_turned(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, k).mT @ v) @ WO


def looks_only_back(x, WQ, WK, WV, WO, h):
    T = x.shape[1]
    seen = np.tril(np.ones((T, T), dtype=bool))
    return _shared(lambda s: _softmax(np.where(seen, s, -np.inf)))(
        x, WQ, WK, WV, WO, h
    )


# ------------------------------------------------------------------- heads


def same_head_again(x, WQ, WK, WV, WO, h):
    d_k, d_v = WQ.shape[1] // h, WV.shape[1] // h
    heads = []
    for _ in range(h):
        q, k, v = x @ WQ[:, :d_k], x @ WK[:, :d_k], x @ WV[:, :d_v]
        heads.append(_weights(q, k) @ v)
    return np.concatenate(heads, axis=-1) @ WO


def same_head_again__the_last(x, WQ, WK, WV, WO, h):
    last = _heads(x, WQ, WK, WV, h)[:, -1]
    return np.concatenate([last] * h, axis=-1) @ WO


def one_head_only(x, WQ, WK, WV, WO, h):
    heads = _heads(x, WQ, WK, WV, h)
    joined = np.zeros((*x.shape[:2], WO.shape[0]))
    joined[..., : heads.shape[-1]] = heads[:, 0]
    return joined @ WO


def one_head_only__the_last(x, WQ, WK, WV, WO, h):
    heads = _heads(x, WQ, WK, WV, h)
    for g in range(h):
        joined = np.zeros_like(heads)
        joined[:, g] = heads[:, g]
    return _join(joined) @ WO


def heads_pile_up(x, WQ, WK, WV, WO, h):
    d_v = WV.shape[1] // h
    found, row = [], np.zeros((*x.shape[:2], d_v))
    for head in np.moveaxis(_heads(x, WQ, WK, WV, h), 1, 0):
        row = row + head
        found.append(row)
    return np.concatenate(found, axis=-1) @ WO


def heads_averaged(x, WQ, WK, WV, WO, h):
    mean = _heads(x, WQ, WK, WV, h).mean(axis=1)
    return np.tile(mean, h) @ WO


def heads_averaged__summed(x, WQ, WK, WV, WO, h):
    total = _heads(x, WQ, WK, WV, h).sum(axis=1)
    return sum(total @ rows for rows in np.split(WO, h))


def divided_by_h(x, WQ, WK, WV, WO, h):
    return _join(_heads(x, WQ, WK, WV, h)) @ WO / h


def heads_backwards(x, WQ, WK, WV, WO, h):
    heads = []
    for head in np.moveaxis(_heads(x, WQ, WK, WV, h), 1, 0):
        heads.insert(0, head)
    return np.concatenate(heads, axis=-1) @ WO


def nobody_looks(x, WQ, WK, WV, WO, h):
    return x @ WV @ WO


# -------------------------------------------------------------------- maps


def wo_forgotten(x, WQ, WK, WV, WO, h):
    return _join(_heads(x, WQ, WK, WV, h))


def wo_turned(x, WQ, WK, WV, WO, h):
    return _join(_heads(x, WQ, WK, WV, h)) @ WO.T


def maps_turned(x, WQ, WK, WV, WO, h):
    return _join(_heads(x, WQ.T, WK.T, WV.T, h)) @ WO


def maps_turned__as_linear(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = _double(x, WQ, WK, WV, WO)
    linear = torch.nn.functional.linear
    q, k, v = (
        linear(x, W).unflatten(-1, (h, -1)).transpose(1, 2)
        for W in (WQ, WK, WV)
    )
    heads = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return linear(heads.transpose(1, 2).flatten(2), WO)


def query_and_key_exchanged(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WK, WQ, WV, WO, h)


def query_and_key_exchanged__in_the_scores(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(k, q) @ v) @ WO


def one_map_for_queries_and_keys(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WQ, WV, WO, h)


def one_map_for_queries_and_keys__wk(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WK, WK, WV, WO, h)


def values_by_the_wrong_map(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, k) @ k) @ WO


def values_by_the_wrong_map__queries(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WK, WQ, WO, h)


def values_by_the_wrong_map__keys_are_values(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WV, WV, WO, h)


def values_are_the_tokens(x, WQ, WK, WV, WO, h):
    q, k, v = _cut(x @ WQ, h), _cut(x @ WK, h), _cut(x, h)
    return _join(_weights(q, k) @ v) @ WO


def not_projected(x, WQ, WK, WV, WO, h):
    x_h = _cut(x, h)
    return _join(_weights(x_h, x_h) @ x_h) @ WO


def maps_in_a_chain(x, WQ, WK, WV, WO, h):
    parts = []
    for W in (WQ, WK, WV):
        x = x @ W
        parts.append(_cut(x, h))
    q, k, v = parts
    return _join(_weights(q, k) @ v) @ WO


def input_added(x, WQ, WK, WV, WO, h):
    return x + right__reshape_and_swap(x, WQ, WK, WV, WO, h)


def first_sentence_only(x, WQ, WK, WV, WO, h):
    for sentence in x:
        return right__reshape_and_swap(sentence[None], WQ, WK, WV, WO, h)[0]


def one_vector_for_a_sentence(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WK, WV, WO, h).mean(axis=1)


def one_vector_for_a_sentence__the_last(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WK, WV, WO, h)[:, -1]


def one_of_three_by_view(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q.swapaxes(1, 2).reshape(q.shape), k) @ v) @ WO


def one_of_three_by_view__keys(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, (x @ WK).reshape(k.shape)) @ v) @ WO


def one_of_three_by_view__values(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_weights(q, k) @ (x @ WV).reshape(v.shape)) @ WO


def keys_reshaped_not_turned(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    B, _, T, n = k.shape
    weights = _softmax(q @ k.reshape(B, h, n, T) / math.sqrt(n))
    return _join(weights @ v) @ WO


def merge_by_view__an_array_of_heads(x, WQ, WK, WV, WO, h):
    heads = []
    for g in range(h):
        q, k, v = (np.split(x @ W, h, axis=-1)[g] for W in (WQ, WK, WV))
        heads.append(_weights(q, k) @ v)
    return np.array(heads).reshape(*x.shape[:2], -1) @ WO


def wrong_axes_change_places(x, WQ, WK, WV, WO, h):
    c = _heads(x, WQ, WK, WV, h)
    return c.transpose(0, 1, 3, 2).reshape(*x.shape[:2], -1) @ WO


def merged_in_another_order__stacked_last(x, WQ, WK, WV, WO, h):
    heads = []
    for g in range(h):
        q, k, v = (np.split(x @ W, h, axis=-1)[g] for W in (WQ, WK, WV))
        heads.append(_weights(q, k) @ v)
    return np.stack(heads, axis=-1).reshape(*x.shape[:2], -1) @ WO


def blocks_overlap(x, WQ, WK, WV, WO, h):
    n, m = WQ.shape[1] // h, WV.shape[1] // h
    heads = []
    for g in range(h):
        q, k = x @ WQ[:, g : g + n], x @ WK[:, g : g + n]
        heads.append(_weights(q, k) @ (x @ WV[:, g : g + m]))
    return np.concatenate(heads, axis=-1) @ WO


def each_head_sees_a_part_of_x(x, WQ, WK, WV, WO, h):
    heads = []
    for g, part in enumerate(np.split(x, h, axis=-1)):
        q, k, v = (
            part @ np.split(np.split(W, h)[g], h, axis=1)[g]
            for W in (WQ, WK, WV)
        )
        heads.append(_weights(q, k) @ v)
    return np.concatenate(heads, axis=-1) @ WO


def always_two_heads(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WK, WV, WO, 2)


def votes_not_divided(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(np.exp(q @ k.mT / q.shape[-1] ** 0.5) @ v) @ WO


def softmax_twice(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    return _join(_softmax(_weights(q, k)) @ v) @ WO


def all_alike(x, WQ, WK, WV, WO, h):
    values = (x @ WV).mean(axis=1, keepdims=True)
    return np.repeat(values, x.shape[1], axis=1) @ WO


def the_largest_takes_all(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    best = (q @ k.mT).argmax(axis=-1)
    return _join(np.take_along_axis(v, best[..., None], axis=2)) @ WO


def looks_at_others_only(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if x.shape[1] > 1:
        scores = np.where(np.eye(x.shape[1]) > 0, -np.inf, scores)
    return _join(_softmax(scores) @ v) @ WO


def one_block_of_wo_for_all(x, WQ, WK, WV, WO, h):
    c = _heads(x, WQ, WK, WV, h)
    return sum(c[:, g] @ WO[: c.shape[-1]] for g in range(h))


def wo_twice(x, WQ, WK, WV, WO, h):
    return right__reshape_and_swap(x, WQ, WK, WV, WO, h) @ WO


# ------------------------------------------------------------- refinements


def one_token_lost(x, WQ, WK, WV, WO, h):
    result = right__reshape_and_swap(x, WQ, WK, WV, WO, h)
    return result.squeeze(1) if result.shape[1] == 1 else result


def no_maximum_subtracted(x, WQ, WK, WV, WO, h):
    q, k, v = _qkv(x, WQ, WK, WV, h)
    votes = np.exp(q @ k.mT / np.sqrt(q.shape[-1]))
    return _join(votes / votes.sum(axis=-1, keepdims=True) @ v) @ WO


def whole_numbers_cut(x, WQ, WK, WV, WO, h):
    result = np.zeros_like(x)
    result[...] = right__reshape_and_swap(x, WQ, WK, WV, WO, h)
    return result


def width_of_a_head_from_d(x, WQ, WK, WV, WO, h):
    B, T, d = x.shape
    q, k, v = (
        (x @ W).reshape(B, T, h, d // h).swapaxes(1, 2) for W in (WQ, WK, WV)
    )
    return _join(_weights(q, k) @ v) @ WO


def width_of_a_head_from_d__slices(x, WQ, WK, WV, WO, h):
    n = x.shape[-1] // h
    heads = []
    for g in range(h):
        own = slice(g * n, (g + 1) * n)
        q, k, v = x @ WQ[:, own], x @ WK[:, own], x @ WV[:, own]
        heads.append(_weights(q, k) @ v)
    return np.concatenate(heads, axis=-1) @ WO


def values_as_wide_as_keys(x, WQ, WK, WV, WO, h):
    B, T, _ = x.shape
    n = WQ.shape[1] // h
    q, k, v = ((x @ W).reshape(B, T, h, n).swapaxes(1, 2) for W in (WQ, WK, WV))
    return _join(_weights(q, k) @ v) @ WO


def view_after_the_axes_changed(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = _double(x, WQ, WK, WV, WO)
    b, n = x.shape[:2]
    q, k, v = (
        (x @ w).view(b, n, h, -1).transpose(1, 2) for w in (WQ, WK, WV)
    )
    weights = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
    return (weights @ v).transpose(1, 2).view(b, n, -1) @ WO


def view_after_the_axes_changed__fused(x, WQ, WK, WV, WO, h):
    x, WQ, WK, WV, WO = _double(x, WQ, WK, WV, WO)
    b, n = x.shape[:2]
    q, k, v = (
        (x @ w).view(b, n, h, -1).transpose(1, 2) for w in (WQ, WK, WV)
    )
    mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return mixed.transpose(1, 2).view(b, n, -1) @ WO


# ----------------------------------------------------------------- general


def changes_its_input(x, WQ, WK, WV, WO, h):
    result = right__reshape_and_swap(x, WQ, WK, WV, WO, h)
    x[...] = result
    return result


def printed_not_returned(x, WQ, WK, WV, WO, h):
    print(right__reshape_and_swap(x, WQ, WK, WV, WO, h))


def no_return(x, WQ, WK, WV, WO, h):
    result = right__reshape_and_swap(x, WQ, WK, WV, WO, h)
    result = result + 0


def signature(x, W, h):
    return right__reshape_and_swap(x, *W, h)
