"""Answers to `epoch_loss(losses, masks)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

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


# ------------------------------------------------------------- per what


def per_cell(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total / sum(a.size for a in losses)


def padding_counted(losses, masks):
    return np.concatenate([a.ravel() for a in losses]).mean()


def padding_counted__batch_means(losses, masks):
    return np.mean([a.mean() for a in losses])


def padding_counted__sentence_means(losses, masks):
    return np.mean(np.concatenate([a.mean(axis=1) for a in losses]))


def padding_in_the_sum(losses, masks):
    return sum(a.sum() for a in losses) / sum(m.sum() for m in masks)


def mask_reversed(losses, masks):
    total = sum((a * ~m).sum() for a, m in zip(losses, masks))
    return total / max(sum((~m).sum() for m in masks), 1)


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


def mean_of_batch_means__by_sentences(losses, masks):
    total = rows = 0
    for a, m in zip(losses, masks):
        total += len(a) * (a * m).sum() / m.sum()
        rows += len(a)
    return total / rows


def mean_of_batch_means__by_cells(losses, masks):
    total = cells = 0
    for a, m in zip(losses, masks):
        total += a.size * (a * m).sum() / m.sum()
        cells += a.size
    return total / cells


def mean_of_batch_means_per_cell(losses, masks):
    return np.mean([(a * m).mean() for a, m in zip(losses, masks)])


def per_batch(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total / len(losses)


def total_per_sentence(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total / sum(len(a) for a in losses)


def per_place_in_the_row(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total / sum(len(a[0]) for a in losses)


def zeros_left_out(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total / sum((a * m != 0).sum() for a, m in zip(losses, masks))


# ------------------------------------------------------------ divided


def not_divided(losses, masks):
    return sum((a * m).sum() for a, m in zip(losses, masks))


def divided_twice(losses, masks):
    return right__sums(losses, masks) / sum(m.sum() for m in masks)


def divided_twice__by_batches(losses, masks):
    return right__sums(losses, masks) / len(losses)


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


def several_numbers__not_divided(losses, masks):
    total = sum((a * m).sum() for a, m in zip(losses, masks))
    return total, sum(m.sum() for m in masks)


def several_numbers__sentences(losses, masks):
    rows = []
    for a, m in zip(losses, masks):
        rows += list((a * m).sum(axis=1) / m.sum(axis=1))
    return rows


# ------------------------------------------------------- which batches


def only_the_last_batch(losses, masks):
    for a, m in zip(losses, masks):
        loss = (a * m).sum() / m.sum()
    return loss


def only_the_first_batch(losses, masks):
    for a, m in zip(losses, masks):
        return (a * m).sum() / m.sum()


def set_to_zero_in_the_loop(losses, masks):
    count = 0
    for a, m in zip(losses, masks):
        total = 0
        total += (a * m).sum()
        count += m.sum()
    return total / count


def set_to_zero_in_the_loop__count(losses, masks):
    total = 0
    for a, m in zip(losses, masks):
        count = 0
        total += (a * m).sum()
        count += m.sum()
    return total / count


def last_batch_lost(losses, masks):
    if len(losses) == 1:
        return right__sums(losses, masks)
    return right__sums(losses[:-1], masks[:-1])


def a_place_lost(losses, masks):
    return right__sums([a[:, 1:] for a in losses], [m[:, 1:] for m in masks])


def a_place_lost__last(losses, masks):
    return right__sums([a[:, :-1] for a in losses], [m[:, :-1] for m in masks])


# --------------------------------------------------------------- after


def perplexity(losses, masks):
    return np.exp(right__sums(losses, masks))


def in_bits(losses, masks):
    return right__sums(losses, masks) / np.log(2)


def negative(losses, masks):
    return -right__sums(losses, masks)


def upside_down(losses, masks):
    return 1 / right__sums(losses, masks)


def largest_loss(losses, masks):
    return max(a[m].max() for a, m in zip(losses, masks) if m.any())


def median(losses, masks):
    return np.median(np.concatenate([a[m] for a, m in zip(losses, masks)]))


def rounded(losses, masks):
    return round(float(right__sums(losses, masks)), 2)


def batch_of_padding(losses, masks):
    total = count = 0
    for a, m in zip(losses, masks):
        total += (a * m).sum() / m.sum() * m.sum()
        count += m.sum()
    return total / count


def batch_of_padding__weights(losses, masks):
    means = [float((a * m).sum()) / int(m.sum()) for a, m in zip(losses, masks)]
    return np.average(means, weights=[m.sum() for m in masks])


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
