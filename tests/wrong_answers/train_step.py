"""Answers to `train_step(model, optimizer, batch, loss_fn, clip, rate)`.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import torch
from torch.nn import utils


def _set(optimizer, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate


def _loss(model, batch, loss_fn):
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_out)
    return total / count


def _finish(model, optimizer, loss, clip, rate):
    """All that comes after the loss."""
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


# ------------------------------------------------------------------- right


def right__line_by_line(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_out)
    loss = total / count
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return loss


def right__emptied_at_the_end(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    _set(optimizer, rate)
    loss = _loss(model, batch, loss_fn)
    result = _finish(model, optimizer, loss, clip, rate)
    optimizer.zero_grad()
    return result


def right__emptied_before_backward(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    loss = _loss(model, batch, loss_fn)
    optimizer.zero_grad(set_to_none=False)
    return _finish(model, optimizer, loss, clip, rate)


def right__clipped_by_hand(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    model.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    gradients = [p.grad for p in model.parameters()]
    length = math.sqrt(sum((g**2).sum().item() for g in gradients))
    if length > clip:
        for g in gradients:
            g *= clip / length
    _set(optimizer, rate)
    optimizer.step()
    return float(loss)


def right__emptied_one_by_one(model, *, optimizer, batch, loss_fn, clip, rate):
    model.train(True)
    for p in model.parameters():
        p.grad = None
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, clip, rate)


# ------------------------------------------------------------------- order


def gradients_never_emptied(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, clip, rate)


def weights_never_move(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    optimizer.zero_grad()
    utils.clip_grad_norm_(model.parameters(), clip)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def weights_never_move__no_backward(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def weights_never_move__no_step(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip)
    _set(optimizer, rate)
    return loss.item()


def step_before_backward(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.step()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip)
    _set(optimizer, rate)
    return loss.item()


def two_steps(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    _finish(model, optimizer, loss, clip, rate)
    optimizer.step()
    return loss.item()


def backward_twice(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward(retain_graph=True)
    return _finish(model, optimizer, loss, clip, rate)


def uphill(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    return -_finish(model, optimizer, -loss, clip, rate)


# ---------------------------------------------------------------- clipping


def not_clipped(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def not_clipped__before_backward(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    utils.clip_grad_norm_(model.parameters(), clip)
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def not_clipped__after_the_step(model, optimizer, batch, loss_fn, clip, rate):
    result = not_clipped(model, optimizer, batch, loss_fn, clip, rate)
    utils.clip_grad_norm_(model.parameters(), clip)
    return result


def each_parameter_clipped_by_itself(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    for p in model.parameters():
        utils.clip_grad_norm_(p, clip)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def each_number_clipped(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_value_(model.parameters(), clip)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def short_gradients_stretched(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    length = torch.sqrt(sum((p.grad**2).sum() for p in model.parameters()))
    for p in model.parameters():
        p.grad *= clip / length
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def fixed_clip(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, 1.0, rate)


# ---------------------------------------------------------------- the loss


def not_divided(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss, _ = loss_fn(logits, batch.target_out)
    return _finish(model, optimizer, loss, clip, rate)


def not_divided__only_reported(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_out)
    return _finish(model, optimizer, total, clip, rate) / int(count)


def padding_counted(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = loss_fn(logits, batch.target_out)[0] / batch.target_out.numel()
    return _finish(model, optimizer, loss, clip, rate)


def divided_by_sentences(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = loss_fn(logits, batch.target_out)[0] / len(batch.source)
    return _finish(model, optimizer, loss, clip, rate)


def divided_twice(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_out)
    return _finish(model, optimizer, total / count / count, clip, rate)


def mean_of_the_sentence_means(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    means = []
    for scores, words in zip(logits, batch.target_out, strict=True):
        total, count = loss_fn(scores[None], words[None])
        means.append(total / count)
    loss = torch.stack(means).mean()
    return _finish(model, optimizer, loss, clip, rate)


# ---------------------------------------------------------------- the data


def answer_shown(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_out)
    total, count = loss_fn(logits, batch.target_out)
    return _finish(model, optimizer, total / count, clip, rate)


def asked_for_the_input(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_in)
    return _finish(model, optimizer, total / count, clip, rate)


def targets_exchanged(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_out)
    total, count = loss_fn(logits, batch.target_in)
    return _finish(model, optimizer, total / count, clip, rate)


def not_in_training_mode(model, optimizer, batch, loss_fn, clip, rate):
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, clip, rate)


def not_in_training_mode__eval(model, optimizer, batch, loss_fn, clip, rate):
    model.eval()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, clip, rate)


# ---------------------------------------------------------------- the rate


def rate_never_set(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()


def rate_never_set__wrong_name(model, optimizer, batch, loss_fn, clip, rate):
    optimizer.lr = rate
    return rate_never_set(model, optimizer, batch, loss_fn, clip, rate)


def rate_one_step_late(model, optimizer, batch, loss_fn, clip, rate):
    result = rate_never_set(model, optimizer, batch, loss_fn, clip, rate)
    _set(optimizer, rate)
    return result


def one_group_only(model, optimizer, batch, loss_fn, clip, rate):
    optimizer.param_groups[0]["lr"] = rate
    return rate_never_set(model, optimizer, batch, loss_fn, clip, rate)


def rate_multiplied_into_the_old_one(
    model, optimizer, batch, loss_fn, clip, rate
):
    for group in optimizer.param_groups:
        group["lr"] *= rate
    return rate_never_set(model, optimizer, batch, loss_fn, clip, rate)


# -------------------------------------------------------------- the result


def returned_the_total(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    total, count = loss_fn(logits, batch.target_out)
    _finish(model, optimizer, total / count, clip, rate)
    return total.item()


def returned_the_loss_after_the_step(
    model, optimizer, batch, loss_fn, clip, rate
):
    right__line_by_line(model, optimizer, batch, loss_fn, clip, rate)
    return _loss(model, batch, loss_fn)


def returned_something_else(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    length = utils.clip_grad_norm_(model.parameters(), clip)
    _set(optimizer, rate)
    optimizer.step()
    return length


def returned_something_else__rate(model, optimizer, batch, loss_fn, clip, rate):
    right__line_by_line(model, optimizer, batch, loss_fn, clip, rate)
    return rate


def total_and_count_taken_for_the_loss(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    loss = loss_fn(logits, batch.target_out)
    return _finish(model, optimizer, loss, clip, rate)


# ------------------------------------------------------------------ general


def another_length(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip, norm_type=1)
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def another_length__largest(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip, norm_type=float("inf"))
    _set(optimizer, rate)
    optimizer.step()
    return loss.item()


def each_parameter_clipped_by_itself__groups(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    for group in optimizer.param_groups:
        utils.clip_grad_norm_(group["params"], clip)
        group["lr"] = rate
    optimizer.step()
    return loss.item()


def upside_down(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    logits = model(batch.source, batch.target_in)
    count, total = loss_fn(logits, batch.target_out)
    loss = total / count
    return _finish(model, optimizer, loss, clip, rate)


def softmax_before_the_loss(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    shares = model(batch.source, batch.target_in).softmax(dim=-1)
    total, count = loss_fn(shares, batch.target_out)
    return _finish(model, optimizer, total / count, clip, rate)


def not_with_this_optimizer(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    parameters = list(model.parameters())
    memory = torch.optim.Adam(parameters, lr=rate, eps=1e-9)
    memory.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(parameters, clip)
    memory.step()
    return loss.item()


def not_with_this_optimizer__by_hand(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    utils.clip_grad_norm_(model.parameters(), clip)
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
    return loss.item()


def not_in_training_mode__flag_only(
    model, optimizer, batch, loss_fn, clip, rate
):
    model.training = True  # does not reach the dropout inside
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    return _finish(model, optimizer, loss, clip, rate)


def right__numpy_result(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    _finish(model, optimizer, loss, clip, rate)
    return loss.detach().numpy()


def changes_its_input(model, optimizer, batch, loss_fn, clip, rate):
    loss = right__line_by_line(model, optimizer, batch, loss_fn, clip, rate)
    batch.target_in[:, 0] = 3
    return loss


def printed_not_returned(model, optimizer, batch, loss_fn, clip, rate):
    print(right__line_by_line(model, optimizer, batch, loss_fn, clip, rate))


def no_return(model, optimizer, batch, loss_fn, clip, rate):
    model.train()
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    _finish(model, optimizer, loss, clip, rate)


def signature(model, optimizer, batch):
    optimizer.zero_grad()
    optimizer.step()
