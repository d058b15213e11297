"""Answers to `train_step(model, batch, optimizer, lr)`.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn import utils

from transformer_course.checks.parts.label_smoothing_loss import (
    label_smoothing_loss,
)


def _set(optimizer, lr):
    for group in optimizer.param_groups:
        group["lr"] = lr


def _loss(model, batch):
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return total / count


def _finish(model, optimizer, loss, lr):
    """All that comes after the loss."""
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


# ------------------------------------------------------------------- right


def right__line_by_line(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    loss = total / count
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.step()
    return float(loss)


def right__emptied_at_the_end(model, batch, optimizer, lr):
    model.train()
    _set(optimizer, lr)
    loss = _loss(model, batch)
    result = _finish(model, optimizer, loss, lr)
    optimizer.zero_grad()
    return result


def right__emptied_before_backward(model, batch, optimizer, lr):
    model.train()
    loss = _loss(model, batch)
    optimizer.zero_grad(set_to_none=False)
    return _finish(model, optimizer, loss, lr)


def right__clipped_by_hand(model, batch, optimizer, lr):
    model.train()
    model.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    gradients = [p.grad for p in model.parameters()]
    length = math.sqrt(sum((g**2).sum().item() for g in gradients))
    if length > 1.0:
        for g in gradients:
            g *= 1.0 / length
    _set(optimizer, lr)
    optimizer.step()
    return float(loss)


def right__emptied_one_by_one(model, batch, *, optimizer, lr):
    model.train(True)
    for p in model.parameters():
        p.grad = None
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


# ------------------------------------------------------------------- order


def gradients_never_emptied(model, batch, optimizer, lr):
    model.train()
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


def weights_never_move(model, batch, optimizer, lr):
    model.train()
    loss = _loss(model, batch)
    loss.backward()
    optimizer.zero_grad()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def weights_never_move__no_backward(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def weights_never_move__no_step(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    return loss.item()


def step_before_backward(model, batch, optimizer, lr):
    model.train()
    optimizer.step()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    return loss.item()


def two_steps(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    _finish(model, optimizer, loss, lr)
    optimizer.step()
    return loss.item()


def backward_twice(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward(retain_graph=True)
    return _finish(model, optimizer, loss, lr)


def uphill(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    return -_finish(model, optimizer, -loss, lr)


# ---------------------------------------------------------------- clipping


def not_clipped(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def not_clipped__before_backward(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    loss = _loss(model, batch)
    loss.backward()
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def not_clipped__after_the_step(model, batch, optimizer, lr):
    result = not_clipped(model, batch, optimizer, lr)
    utils.clip_grad_norm_(model.parameters(), 1.0)
    return result


def each_parameter_clipped_by_itself(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    for p in model.parameters():
        utils.clip_grad_norm_(p, 1.0)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def each_number_clipped(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_value_(model.parameters(), 1.0)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def short_gradients_stretched(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    length = torch.sqrt(sum((p.grad**2).sum() for p in model.parameters()))
    for p in model.parameters():
        p.grad *= 1.0 / length
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def another_clip(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 0.1)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


# ---------------------------------------------------------------- the loss


def not_divided(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss, _ = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, loss, lr)


def not_divided__only_reported(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, total, lr) / int(count)


def padding_counted(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = (
        label_smoothing_loss(logits, batch.target_out, 0.1)[0]
        / batch.target_out.numel()
    )
    return _finish(model, optimizer, loss, lr)


def divided_by_sentences(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = label_smoothing_loss(logits, batch.target_out, 0.1)[0] / len(
        batch.source
    )
    return _finish(model, optimizer, loss, lr)


def divided_twice(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, total / count / count, lr)


def mean_of_the_sentence_means(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    means = []
    for scores, words in zip(logits, batch.target_out, strict=True):
        total, count = label_smoothing_loss(scores[None], words[None], 0.1)
        means.append(total / count)
    loss = torch.stack(means).mean()
    return _finish(model, optimizer, loss, lr)


# ---------------------------------------------------------------- the data


def answer_shown(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_out)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, total / count, lr)


def asked_for_the_input(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_in, 0.1)
    return _finish(model, optimizer, total / count, lr)


def targets_exchanged(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_out)
    total, count = label_smoothing_loss(logits, batch.target_in, 0.1)
    return _finish(model, optimizer, total / count, lr)


def not_in_training_mode(model, batch, optimizer, lr):
    optimizer.zero_grad()
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


def not_in_training_mode__eval(model, batch, optimizer, lr):
    model.eval()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


# ---------------------------------------------------------------- the lr


def rate_never_set(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def rate_never_set__wrong_name(model, batch, optimizer, lr):
    optimizer.lr = lr
    return rate_never_set(model, batch, optimizer, lr)


def rate_one_step_late(model, batch, optimizer, lr):
    result = rate_never_set(model, batch, optimizer, lr)
    _set(optimizer, lr)
    return result


def one_group_only(model, batch, optimizer, lr):
    optimizer.param_groups[0]["lr"] = lr
    return rate_never_set(model, batch, optimizer, lr)


def rate_multiplied_into_the_old_one(model, batch, optimizer, lr):
    for group in optimizer.param_groups:
        group["lr"] *= lr
    return rate_never_set(model, batch, optimizer, lr)


# -------------------------------------------------------------- the result


def returned_the_total(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    _finish(model, optimizer, total / count, lr)
    return total.item()


def returned_the_loss_after_the_step(model, batch, optimizer, lr):
    right__line_by_line(model, batch, optimizer, lr)
    return _loss(model, batch)


def returned_something_else(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    length = utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    optimizer.step()
    return length


def returned_something_else__rate(model, batch, optimizer, lr):
    right__line_by_line(model, batch, optimizer, lr)
    return lr


def total_and_count_taken_for_the_loss(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, loss, lr)


# ------------------------------------------------------------------ general


def another_length(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0, norm_type=1)
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def another_length__largest(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0, norm_type=float("inf"))
    _set(optimizer, lr)
    optimizer.step()
    return loss.item()


def each_parameter_clipped_by_itself__groups(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    for group in optimizer.param_groups:
        utils.clip_grad_norm_(group["params"], 1.0)
        group["lr"] = lr
    optimizer.step()
    return loss.item()


def upside_down(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    count, total = label_smoothing_loss(logits, batch.target_out, 0.1)
    loss = total / count
    return _finish(model, optimizer, loss, lr)


def softmax_before_the_loss(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    shares = model(batch.source, batch.target_in).softmax(dim=-1)
    total, count = label_smoothing_loss(shares, batch.target_out, 0.1)
    return _finish(model, optimizer, total / count, lr)


def not_with_this_optimizer(model, batch, optimizer, lr):
    model.train()
    parameters = list(model.parameters())
    memory = torch.optim.Adam(parameters, lr=lr, eps=1e-9)
    memory.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(parameters, 1.0)
    memory.step()
    return loss.item()


def not_with_this_optimizer__by_hand(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    return loss.item()


def not_in_training_mode__flag_only(model, batch, optimizer, lr):
    model.training = True  # does not reach the dropout inside
    optimizer.zero_grad()
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


def right__numpy_result(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    _finish(model, optimizer, loss, lr)
    return loss.detach().numpy()


def right__torchs_loss(model, batch, optimizer, lr):
    source, target_in, target_out = (ids.long() for ids in batch)
    model.train()
    loss = F.cross_entropy(
        model(source, target_in).transpose(1, 2), target_out,
        ignore_index=0, label_smoothing=0.1,
    )  # fmt: skip
    model.zero_grad()
    return _finish(model, optimizer, loss, lr)


def right__autograd(model, batch, optimizer, lr):
    model.train()
    parameters = list(model.parameters())
    loss = _loss(model, batch)
    gradients = torch.autograd.grad(loss, parameters)
    length = torch.stack([g.norm() for g in gradients]).norm()
    for p, g in zip(parameters, gradients, strict=True):
        p.grad = g / length.clamp(min=1.0)
    _set(optimizer, lr)
    optimizer.step()
    return loss.detach()


# ------------------------------------------------------- only in this form


def not_smoothed(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = F.cross_entropy(
        logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=0
    )
    return _finish(model, optimizer, loss, lr)


def another_epsilon(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.2)
    return _finish(model, optimizer, total / count, lr)


def source_and_target_exchanged(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.target_in, batch.source)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, total / count, lr)


def shifted_again(model, batch, optimizer, lr):
    source, target, _ = batch
    model.train()
    optimizer.zero_grad()
    logits = model(source, target[:, :-1])
    total, count = label_smoothing_loss(logits, batch[2][:, 1:], 0.1)
    return _finish(model, optimizer, total / count, lr)


def only_the_first_sentence(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    one = type(batch)(*(ids[0:1] for ids in batch))
    return _finish(model, optimizer, _loss(model, one), lr)


def rate_put_back(model, batch, optimizer, lr):
    before = [group["lr"] for group in optimizer.param_groups]
    model.train()
    optimizer.zero_grad()
    loss = _finish(model, optimizer, _loss(model, batch), lr)
    for group, old in zip(optimizer.param_groups, before, strict=True):
        group.update(lr=old)
    return loss


def rate_in_another_unit(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr / batch.source.size(0))


def returned_the_plain_loss(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    plain = F.cross_entropy(
        logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=0
    )
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    _finish(model, optimizer, total / count, lr)
    return plain.item()


def graph_kept(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    _finish(model, optimizer, loss, lr)
    return loss


def number_before_backward(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch).item()
    return _finish(model, optimizer, loss, lr)


def cut_off_from_the_model(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    with torch.no_grad():
        loss = _loss(model, batch)
    return _finish(model, optimizer, loss, lr)


def cut_off_from_the_model__new_tensor(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = torch.tensor(_loss(model, batch).item())
    return _finish(model, optimizer, loss, lr)


def inputs_exchanged(model, optimizer, batch, lr):
    return right__line_by_line(model, batch, optimizer, lr)


def inputs_exchanged__unpacked(model, optimizer, batch, lr):
    source, target_in, target_out = batch
    return right__line_by_line(model, batch, optimizer, lr)


def model_called_with_more(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    mask = (batch.source != 0).unsqueeze(1)
    logits = model(batch.source, batch.target_in, mask)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    return _finish(model, optimizer, total / count, lr)


def changes_its_input(model, batch, optimizer, lr):
    loss = right__line_by_line(model, batch, optimizer, lr)
    batch.target_in[:, 0] = 3
    return loss


def printed_not_returned(model, batch, optimizer, lr):
    print(right__line_by_line(model, batch, optimizer, lr))


def no_return(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    _finish(model, optimizer, loss, lr)


def signature(model, optimizer, batch):
    optimizer.zero_grad()
    optimizer.step()


def leaves_torch__the_loss(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    log_probs = np.log(logits.softmax(dim=-1))
    loss = -log_probs.gather(-1, batch.target_out.unsqueeze(-1)).mean()
    return _finish(model, optimizer, loss, lr)


def classes_on_the_wrong_axis__as_they_come(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = torch.nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
    return _finish(model, optimizer, loss(logits, batch.target_out), lr)


def rate_given_to_step__after_the_groups(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), 1.0)
    _set(optimizer, lr)
    optimizer.step(lr)
    return loss.item()


def right__step_with_a_closure(model, batch, optimizer, lr):
    model.train()
    _set(optimizer, lr)
    losses = []

    def closure():
        optimizer.zero_grad()
        losses.append(_loss(model, batch))
        losses[0].backward()
        utils.clip_grad_norm_(model.parameters(), 1.0)
        return losses[0]

    optimizer.step(closure)
    return losses[0].item()


def both_losses_backward__the_total_first(model, batch, optimizer, lr):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = label_smoothing_loss(logits, batch.target_out, 0.1)
    total.backward(retain_graph=True)
    return _finish(model, optimizer, total / count, lr)
