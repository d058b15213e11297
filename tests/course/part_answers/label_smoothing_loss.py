"""Answers to `label_smoothing_loss(logits, labels, epsilon)`.

In other styles than the reference. A function is named after the mistake that
the check must name; what follows a double underscore tells several of the same
kind apart. `right__...` must be accepted.
"""

import numpy as np
import torch
from torch.nn import functional as F

PAD = 0

# ------------------------------------------------------------------- right


def right__cross_entropy(logits, labels, epsilon):
    total = F.cross_entropy(
        logits.flatten(0, 1),
        labels.flatten(),
        ignore_index=PAD,
        reduction="sum",
        label_smoothing=epsilon,
    )
    return total, (labels != PAD).sum()


def right__rows_of_targets(logits, labels, epsilon):
    V = logits.size(-1)
    targets = torch.full_like(logits, epsilon / V)
    share = torch.full_like(labels[..., None], 1, dtype=logits.dtype)
    targets.scatter_add_(-1, labels[..., None], (1 - epsilon) * share)
    losses = -(targets * F.log_softmax(logits, -1)).sum(-1)
    losses[labels == PAD] = 0
    return losses.sum(), torch.count_nonzero(labels)


def right__only_real_tokens(logits, labels, *, epsilon):
    real = labels.ne(PAD)
    logits, labels = logits[real], labels[real]  # (N, V) and (N,)
    log_z = logits.logsumexp(dim=1)
    row = torch.arange(len(labels), device=labels.device)
    right = log_z - logits[row, labels]
    spread = log_z - logits.mean(dim=1)
    loss = (1 - epsilon) * right + epsilon * spread
    return loss.sum(), len(labels)


def right__one_hot(logits, labels, epsilon):
    hot = F.one_hot(labels, logits.shape[-1]).to(logits.dtype)
    targets = torch.lerp(hot, torch.ones_like(hot) / hot.shape[-1], epsilon)
    mask = (labels != PAD).to(logits.dtype)
    losses = torch.einsum("btv,btv->bt", targets, -logits.log_softmax(-1))
    return (losses * mask).sum(), int(mask.sum())


def right__loops(logits, labels, epsilon):
    total, count = 0.0 * logits.sum(), 0
    for sentence, words in zip(logits, labels.tolist(), strict=True):
        for scores, word in zip(sentence, words, strict=True):
            if word == PAD:
                continue
            log_p = scores - torch.logsumexp(scores, dim=0)
            total = total - (1 - epsilon) * log_p[word]
            total = total - epsilon * sum(log_p) / len(log_p)
            count += 1
    return [total, count]


def right__two_losses(logits, labels, epsilon):
    log_p = F.log_softmax(logits.transpose(1, 2), dim=1)
    nll = F.nll_loss(log_p, labels, ignore_index=PAD, reduction="sum")
    spread = log_p.mean(1).masked_fill(labels == PAD, 0).sum()
    return (1 - epsilon) * nll - epsilon * spread, (labels > 0).sum()


# ---------------------------------------------------- weights of the classes


def _weighted(logits, labels, targets):
    losses = -(targets * logits.log_softmax(dim=-1)).sum(dim=-1)
    real = labels != PAD
    return (losses * real).sum(), real.sum()


def spread_over_wrong_classes__scatter(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = torch.full_like(logits, epsilon / (V - 1))
    targets.scatter_(-1, labels.unsqueeze(-1), 1 - epsilon)
    return _weighted(logits, labels, targets)


def spread_over_wrong_words__annotated(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = torch.full_like(logits, epsilon / (V - 2))
    targets.scatter_(2, labels.unsqueeze(2), 1 - epsilon)
    targets[:, :, PAD] = 0
    return _weighted(logits, labels, targets)


def pad_without_its_share__column(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = (1 - epsilon) * F.one_hot(labels, V) + epsilon / V
    targets[..., PAD] = 0
    return _weighted(logits, labels, targets)


def right_class_without_its_share__scatter(logits, labels, epsilon):
    targets = torch.full_like(logits, epsilon / logits.shape[-1])
    targets.scatter_(-1, labels[..., None], 1 - epsilon)
    return _weighted(logits, labels, targets)


def eps_for_each__where(logits, labels, epsilon):
    hot = F.one_hot(labels, logits.shape[-1]).bool()
    targets = torch.where(hot, 1 - epsilon, epsilon).to(logits)
    return _weighted(logits, labels, targets)


def whole_numbers__like_labels(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = torch.zeros(*labels.shape, V, dtype=labels.dtype)
    right = F.one_hot(labels, V) * (1 - epsilon) + epsilon / V
    targets[:] = right
    return _weighted(logits, labels, targets)


def all_answers_in_every_row__columns(logits, labels, epsilon):
    targets = torch.zeros_like(logits)
    targets[..., labels.flatten()] = 1 - epsilon
    return _weighted(logits, labels, targets + epsilon / logits.shape[-1])


def answer_overwritten__fill(logits, labels, epsilon):
    targets = F.one_hot(labels, logits.shape[-1]).to(logits) * (1 - epsilon)
    targets.fill_(epsilon / logits.shape[-1])
    return _weighted(logits, labels, targets)


def softmax_of_targets__one_hot(logits, labels, epsilon):
    V = logits.shape[-1]
    hot = F.one_hot(labels, V).to(logits)
    targets = ((1 - epsilon) * hot + epsilon / V).softmax(-1)
    return _weighted(logits, labels, targets)


def logarithm__exchanged(logits, labels, epsilon):
    V = logits.shape[-1]
    hot = F.one_hot(labels, V).to(logits)
    targets = (1 - epsilon) * hot + epsilon / V
    losses = F.softmax(logits, -1) * torch.log(targets)
    real = labels != PAD
    return -losses[real].sum(), real.sum()


def kl_divergence__kl_div(logits, labels, epsilon):
    V = logits.shape[-1]
    hot = F.one_hot(labels, V).to(logits)
    targets = (1 - epsilon) * hot + epsilon / V
    each = F.kl_div(logits.log_softmax(-1), targets, reduction="none")
    real = labels != PAD
    return each[real].sum(), real.sum()


def own_eps__cross_entropy(logits, labels, epsilon):
    return right__cross_entropy(logits, labels, 0.1)


def not_smoothed__cross_entropy(logits, labels, epsilon):
    return right__cross_entropy(logits, labels, 0.0)


# -------------------------------------------------- padding, sums and counts


def padding_in_both__no_mask(logits, labels, epsilon):
    total = F.cross_entropy(
        logits.transpose(1, 2), labels,
        reduction="sum", label_smoothing=epsilon,
    )  # fmt: skip
    return total, labels.numel()


def padding_in_the_total__no_ignore_index(logits, labels, epsilon):
    total, _ = padding_in_both__no_mask(logits, labels, epsilon)
    return total, (labels != PAD).sum()


def padding_counted__numel(logits, labels, epsilon):
    return right__cross_entropy(logits, labels, epsilon)[0], labels.numel()


def padding_smoothed__nll_ignores(logits, labels, epsilon):
    log_p = logits.log_softmax(-1).transpose(1, 2)
    nll = F.nll_loss(log_p, labels, ignore_index=PAD, reduction="sum")
    spread = -log_p.mean(1).sum()
    return (1 - epsilon) * nll + epsilon * spread, (labels != PAD).sum()


def mean_in_place_of_sum__usual_reduction(logits, labels, epsilon):
    return F.cross_entropy(
        logits.transpose(1, 2), labels,
        ignore_index=PAD, label_smoothing=epsilon,
    )  # fmt: skip


def mean_over_all_places__mask_first(logits, labels, epsilon):
    losses = F.cross_entropy(
        logits.transpose(1, 2), labels,
        reduction="none", ignore_index=PAD, label_smoothing=epsilon,
    )  # fmt: skip
    return losses.mean(), (labels != PAD).sum()


def not_summed__reduction_none(logits, labels, epsilon):
    losses = F.cross_entropy(
        logits.transpose(1, 2), labels,
        reduction="none", ignore_index=PAD, label_smoothing=epsilon,
    )  # fmt: skip
    return losses, (labels != PAD).sum()


def only_the_first_row__return_in_the_loop(logits, labels, epsilon):
    total, count = 0, 0
    for scores, words in zip(logits, labels, strict=True):
        one, n = right__cross_entropy(scores[None], words[None], epsilon)
        total, count = total + one, count + n
        return total, count


def order_exchanged__pair(logits, labels, epsilon):
    return right__loops(logits, labels, epsilon)[::-1]


def only_the_total__cross_entropy(logits, labels, epsilon):
    return right__cross_entropy(logits, labels, epsilon)[0]


# ------------------------------------------------------------------ softmax


def wrong_axis__functional(logits, labels, epsilon):
    hot = F.one_hot(labels, logits.shape[-1]).to(logits)
    targets = (1 - epsilon) * hot + epsilon / logits.shape[-1]
    losses = -(targets * F.log_softmax(logits, dim=1)).sum(-1)
    real = labels != PAD
    return losses[real].sum(), real.sum()


def softmax_twice__cross_entropy(logits, labels, epsilon):
    return right__cross_entropy(logits.softmax(-1), labels, epsilon)


def log_of_softmax__exp(logits, labels, epsilon):
    p = logits.exp() / logits.exp().sum(-1, keepdim=True)
    hot = F.one_hot(labels, logits.shape[-1]).to(logits)
    targets = (1 - epsilon) * hot + epsilon / logits.shape[-1]
    losses = -(targets * torch.log(p)).sum(-1)
    real = labels != PAD
    return losses[real].sum(), real.sum()


# ------------------------------------------------------------ type and place


def detached__item(logits, labels, epsilon):
    total, count = right__cross_entropy(logits, labels, epsilon)
    return total.item(), count.item()


def detached__no_grad(logits, labels, epsilon):
    with torch.no_grad():
        return right__cross_entropy(logits, labels, epsilon)


def other_precision__one_hot(logits, labels, epsilon):
    return right__cross_entropy(logits.float(), labels, epsilon)


def on_the_processor__eye(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = torch.eye(V, dtype=logits.dtype)[labels]
    return _weighted(logits, labels, (1 - epsilon) * targets + epsilon / V)


def on_the_processor__zeros(logits, labels, epsilon):
    V = logits.shape[-1]
    targets = torch.zeros(logits.shape, dtype=logits.dtype) + epsilon / V
    more = torch.full_like(targets, 1 - epsilon)
    targets = targets.scatter_add(-1, labels[..., None], more)
    return _weighted(logits, labels, targets)


def nan_without_tokens__mean(logits, labels, epsilon):
    mean = F.cross_entropy(
        logits.flatten(0, 1), labels.flatten(),
        ignore_index=PAD, label_smoothing=epsilon,
    )  # fmt: skip
    count = (labels != PAD).sum()
    return mean * count, count


# ------------------------------------------------------------------- general


def changes_its_input(logits, labels, epsilon):
    logits -= logits.amax(dim=-1, keepdim=True)
    return right__cross_entropy(logits, labels, epsilon)


def printed_not_returned(logits, labels, epsilon):
    print(right__cross_entropy(logits, labels, epsilon))


def no_return(logits, labels, epsilon):
    right__cross_entropy(logits, labels, epsilon)


def signature(logits, labels):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


def leaves_torch__the_logarithm(logits, labels, epsilon):
    log_probs = np.log(logits.softmax(dim=-1))
    right = log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - epsilon) * right - epsilon * log_probs.mean(dim=-1)
    return losses[labels != PAD].sum(), (labels != PAD).sum()


def axis_of_length_1_left__times_the_mask(logits, labels, epsilon):
    V = logits.shape[-1]
    log_probs = logits.log_softmax(dim=-1)
    right = log_probs.gather(-1, labels.unsqueeze(-1))
    losses = -(1 - epsilon) * right - epsilon / V * log_probs.sum(dim=-1)
    mask = labels != PAD
    return (losses * mask).sum(), mask.sum()


def classes_on_the_wrong_axis__as_it_comes(logits, labels, epsilon):
    loss = torch.nn.CrossEntropyLoss(
        ignore_index=PAD, label_smoothing=epsilon, reduction="sum"
    )
    return loss(logits, labels), (labels != PAD).sum()


def indexed_by_all_labels__on_the_last_axis(logits, labels, epsilon):
    log_probs = logits.log_softmax(dim=-1)
    right = log_probs[:, :, labels]
    share = epsilon / logits.shape[-1]
    losses = -((1 - epsilon) * right + share * log_probs.sum(-1))
    real = labels != PAD
    return (losses * real).sum(), real.sum()


def shares_of_all_places__sum_without_dim(logits, labels, epsilon):
    log_probs = logits.log_softmax(dim=-1)
    right = log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    share = epsilon / logits.shape[-1]
    losses = -((1 - epsilon) * right + share * log_probs.sum())
    real = labels != PAD
    return (losses * real).sum(), real.sum()
