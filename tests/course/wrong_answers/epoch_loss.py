"""Answers to `epoch_loss(losses, masks)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import functools
import itertools
import math
import statistics

import numpy as np
import torch

# ------------------------------------------------------------------- right


def right__sums(losses, masks):
    total = count = 0
    for a, m in zip(losses, masks):
        total += (a * m).sum()
        count += m.sum()
    return total / count


def right__chosen(losses, masks):
    return np.concatenate([a[m] for a, m in zip(losses, masks)]).mean()


def right__loops(losses, masks):
    kept = []
    for batch, mask in zip(losses, masks):
        for row, real in zip(batch, mask):
            kept += [float(loss) for loss, r in zip(row, real) if r]
    return sum(kept) / len(kept)


def right__torch(losses, masks):
    flat = torch.cat([torch.tensor(a).flatten() for a in losses])
    real = torch.cat([torch.tensor(m).flatten() for m in masks])
    return flat[real].float().mean()


def right__weighted_means(losses, masks):
    counts = [m.sum() for m in masks]
    means = [(a * m).sum() / max(m.sum(), 1) for a, m in zip(losses, masks)]
    return np.average(means, weights=counts)


def right__einsum(losses, masks):
    total = sum(np.einsum("bt,bt->", a, m) for a, m in zip(losses, masks))
    return torch.tensor(total / sum(map(np.sum, masks)))


def right__without_nan(losses, masks):
    kept = [np.where(m, a, np.nan).ravel() for a, m in zip(losses, masks)]
    return np.nanmean(np.concatenate(kept))


# ------------------------------------------------------------------- wrong


def padding_counted__batch_means(losses, masks):
    return np.mean([a.mean() for a in losses])


def padding_counted__sentence_means(losses, masks):
    return np.mean(np.concatenate([a.mean(axis=1) for a in losses]))


def mask_reversed__chosen(losses, masks):
    kept = np.concatenate([a[~m] for a, m in zip(losses, masks)])
    return sum(kept) / len(kept)


def per_sentence(losses, masks):
    means = []
    for a, m in zip(losses, masks):
        means += list((a * m).sum(axis=1) / m.sum(axis=1))
    return np.mean(means)


def mean_of_batch_means(losses, masks):
    return np.mean([a[m].mean() for a, m in zip(losses, masks)])


def divided_twice__means_by_tokens(losses, masks):
    means = [a[m].mean() for a, m in zip(losses, masks)]
    return sum(means) / sum(m.sum() for m in masks)


def sum_of_means(losses, masks):
    total = 0
    for a, m in zip(losses, masks):
        total += a[m].mean()
    return total


def several_numbers(losses, masks):
    return [a[m].mean() for a, m in zip(losses, masks)]


def several_numbers__sentences(losses, masks):
    rows = []
    for a, m in zip(losses, masks):
        rows += list((a * m).sum(axis=1) / m.sum(axis=1))
    return rows


def only_the_last_batch(losses, masks):
    for a, m in zip(losses, masks):
        loss = (a * m).sum() / m.sum()
    return loss


def only_the_first_batch(losses, masks):
    for a, m in zip(losses, masks):
        return (a * m).sum() / m.sum()


def largest_loss(losses, masks):
    return max(a[m].max() for a, m in zip(losses, masks) if m.any())


def median(losses, masks):
    return np.median(np.concatenate([a[m] for a, m in zip(losses, masks)]))


def batch_of_padding(losses, masks):
    total = count = 0
    for a, m in zip(losses, masks):
        total += (a * m).sum() / m.sum() * m.sum()
        count += m.sum()
    return total / count


def batch_of_padding__weights(losses, masks):
    means = [float((a * m).sum()) / int(m.sum()) for a, m in zip(losses, masks)]
    return np.average(means, weights=[m.sum() for m in masks])


# ------------------------------------------- the same mistakes, other styles


def _flat(arrays):
    return torch.cat([torch.tensor(array).flatten() for array in arrays])


def per_cell__torch(losses, masks):
    return (_flat(losses) * _flat(masks)).mean()


def padding_counted__torch(losses, masks):
    return _flat(losses).mean()


def padding_in_the_sum__torch(losses, masks):
    return _flat(losses).sum() / _flat(masks).sum()


def mask_reversed__masked_array(losses, masks):
    kept = [np.ma.array(a, mask=m) for a, m in zip(losses, masks)]
    total = float(sum(np.ma.filled(a.sum(), 0) for a in kept))
    return total / max(sum(int(a.count()) for a in kept), 1)


def mask_reversed__masked_fill(losses, masks):
    losses, masks = _flat(losses), _flat(masks)
    return losses.masked_fill(masks, 0).sum() / (masks == 0).sum()


def per_sentence__plain_python(losses, masks):
    means = []
    for batch, reals in zip(losses, masks):
        for row, real in zip(batch.tolist(), reals.tolist()):
            kept = list(itertools.compress(row, real))
            means.append(math.fsum(kept) / len(kept) if kept else 0.0)
    return math.fsum(means) / len(means)


def mean_of_batch_means__statistics(losses, masks):
    kept = [a[m].tolist() for a, m in zip(losses, masks)]
    return statistics.mean(map(statistics.fmean, kept))


def mean_of_batch_means__running(losses, masks):
    average = 0.0
    for i, (a, m) in enumerate(zip(losses, masks), start=1):
        average += (np.average(a, weights=m) - average) / i
    return average


def mean_of_batch_means_per_cell__einsum(losses, masks):
    shares = [
        np.einsum("bt,bt->", a, m) / np.prod(a.shape)
        for a, m in zip(losses, masks)
    ]
    return np.mean(shares)


def per_batch__reduce(losses, masks):
    total = functools.reduce(
        lambda so_far, pair: so_far + float(np.vdot(*pair)),
        zip(losses, masks),
        0.0,
    )
    return total / len(masks)


def zeros_left_out__nonzero(losses, masks):
    real = _flat(losses) * _flat(masks)
    return real[real.nonzero()].mean()


def not_divided__recursion(losses, masks):
    if not losses:
        return 0.0
    first = float(losses[0][masks[0]].sum())
    return first + not_divided__recursion(losses[1:], masks[1:])


def divided_twice__torch(losses, masks):
    real = _flat(losses)[_flat(masks)]
    return real.mean() / len(real)


def set_to_zero_in_the_loop__plain_python(losses, masks):
    count = 0
    for batch, reals in zip(losses, masks):
        total = 0.0
        for row, real in zip(batch, reals):
            for loss, counts in zip(row, real):
                if counts:
                    total += loss
                    count += 1
    return total / count


def last_batch_lost__by_index(losses, masks):
    total = count = 0
    for i in range(max(len(losses) - 1, 1)):
        total += losses[i][masks[i]].sum()
        count += masks[i].sum()
    return total / count


def a_place_lost__torch(losses, masks):
    return _flat([a[:, 1:] for a in losses])[
        _flat([m[:, 1:] for m in masks])
    ].mean()


def in_bits__log2(losses, masks):
    return math.log2(math.exp(right__loops(losses, masks)))


def rounded__format(losses, masks):
    return float(f"{right__loops(losses, masks):.3f}")


def batch_of_padding__statistics(losses, masks):
    counts = [int(m.sum()) for m in masks]
    means = [statistics.fmean(a[m].tolist()) for a, m in zip(losses, masks)]
    return np.average(means, weights=counts)


def changes_its_input(losses, masks):
    total = count = 0
    for a, m in zip(losses, masks):
        a *= m
        total += a.sum()
        count += m.sum()
    return total / count


def printed_not_returned(losses, masks):
    print(right__sums(losses, masks))


def no_return(losses, masks):
    total = 0
    for a, m in zip(losses, masks):
        total += (a * m).sum()


def signature(losses):
    return np.mean([a.mean() for a in losses])
