"""Answers to `greedy_decode(model, source, max_length)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted. A wrong one may forget eval() and no_grad() as well: what is wrong
with the ids is said first.
"""

import contextlib

import numpy as np
import torch

PAD, BOS, EOS = 0, 1, 2

# ------------------------------------------------------------------- right


@contextlib.contextmanager
def _evaluating(model):
    before = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(before)


@torch.no_grad()
def right__decorated(model, source, max_length):
    before, device = model.training, source.device
    model.train(False)
    memory_mask = source.ne(PAD)[:, None, :]
    memory = model.encode(source, memory_mask)
    ids = torch.full((len(source), max_length + 1), PAD, device=device)
    ids[:, 0] = BOS
    over = torch.zeros(len(source), dtype=torch.bool, device=device)
    steps = 0
    while steps < max_length and not over.all():
        logits = model.decode(ids[:, : steps + 1], memory, memory_mask)
        steps += 1
        ids[~over, steps] = logits[~over, -1].max(dim=-1).indices
        over |= ids[:, steps] == EOS
    model.train(before)
    return ids[:, 1 : steps + 1]


def right__one_sentence_after_another(model, source, max_length):
    rows = []
    with _evaluating(model):
        for one in source.split(1):
            mask = (one != PAD).unsqueeze(1)
            memory, words = model.encode(one, mask), [BOS]
            while len(words) <= max_length and EOS not in words[1:]:
                target = torch.tensor([words], device=source.device)
                logits = model.decode(target, memory, mask)
                words.append(int(logits[0, -1].argmax()))
            rows.append(words[1:])
    longest = max(map(len, rows))
    return [row + [PAD] * (longest - len(row)) for row in rows]


def right__numpy(model, source, max_length):
    with _evaluating(model):
        target = np.full((len(source), 1), BOS)
        over = np.zeros(len(source), dtype=bool)
        while target.shape[1] <= max_length and not over.all():
            given = torch.from_numpy(target).to(source.device)
            logits = model(source, given)[:, -1].cpu().numpy()
            token = np.where(over, PAD, logits.argmax(axis=1))
            over |= token == EOS
            target = np.hstack([target, token[:, None]])
    return target[:, 1:]


def right__only_those_still_writing(model, source, max_length):
    with _evaluating(model):
        mask = (source > PAD).unsqueeze(-2)
        memory = model.encode(source, mask)
        written = torch.zeros_like(source[:, :1]).repeat(1, max_length)
        going, steps = list(range(len(source))), 0
        while going and steps < max_length:
            start = torch.full_like(source[going, :1], BOS)
            target = torch.cat([start, written[going, :steps]], dim=1)
            logits = model.decode(target, memory[going], mask[going])
            token = logits[:, -1].log_softmax(dim=-1).argmax(dim=-1)
            written[going, steps] = token
            pairs = zip(going, token.tolist(), strict=True)
            going = [i for i, t in pairs if t != EOS]
            steps += 1
    return written[:, :steps]


def right__columns(model, source, max_length):
    with _evaluating(model):
        mask = (source != PAD).unsqueeze(1)
        memory = model.encode(source, mask)
        columns = [torch.full_like(source[:, 0], BOS)]
        for _ in range(max_length):
            target = torch.stack(columns, dim=1)
            best = model.decode(target, memory, mask)[:, -1].topk(1).indices
            ended = (target[:, 1:] == EOS).any(dim=1)
            columns.append(torch.where(ended, PAD, best.squeeze(1)))
            if all(EOS in row for row in torch.stack(columns, 1)[:, 1:]):
                break
    return torch.stack(columns[1:], dim=1)


# ------------------------------------------------------------ only this form


def _search(model, source, max_length, mask="right", device=None):
    """A right search, with a mask to be replaced."""
    shown = (source != PAD).unsqueeze(1) if mask == "right" else mask
    memory = model.encode(source, shown)
    ids = torch.full((len(source), 1), BOS, device=device)
    over = torch.zeros(len(source), dtype=torch.bool, device=device)
    for _ in range(max_length):
        token = model.decode(ids, memory, shown)[:, -1].argmax(dim=-1)
        token = torch.where(over, PAD, token)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        over = over | (token == EOS)
        if over.all():
            break
    return ids[:, 1:]


def mask_missing(model, source, max_length):
    return _search(model, source, max_length, None)


def mask_missing__all_true(model, source, max_length):
    mask = torch.ones(len(source), 1, source.shape[1]).bool()
    return _search(model, source, max_length, mask)


def mask_missing_in_decode__forgotten(model, source, max_length):
    memory = model.encode(source, (source != PAD).unsqueeze(1))
    ids = torch.full((len(source), 1), BOS)
    for _ in range(max_length):
        token = model.decode(ids, memory)[:, -1].argmax(dim=-1)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    return ids[:, 1:]


def mask_missing_in_encode__forgotten(model, source, max_length):
    return model.encode(source)


def mask_reversed(model, source, max_length):
    return _search(model, source, max_length, (source == PAD)[:, None])


def mask_of_another_shape(model, source, max_length):
    return _search(model, source, max_length, source != PAD)


def mask_of_another_shape__four_axes(model, source, max_length):
    return _search(model, source, max_length, (source != PAD)[:, None, None])


def mask_of_numbers(model, source, max_length):
    return _search(model, source, max_length, (source != PAD)[:, None].long())


def mask_of_numbers__added(model, source, max_length):
    hidden = torch.where(source != PAD, 0.0, -torch.inf)
    return _search(model, source, max_length, hidden.unsqueeze(1))


def memory_and_target_exchanged(model, source, max_length):
    mask = (source != PAD).unsqueeze(1)
    memory = model.encode(source, mask)
    ids = torch.full((len(source), 1), BOS)
    return model.decode(memory, ids, mask)


def ids_with_decimals(model, source, max_length):
    mask = (source != PAD).unsqueeze(1)
    memory = model.encode(source, mask)
    return model.decode(torch.ones(len(source), 1), memory, mask)


def source_in_place_of_memory(model, source, max_length):
    mask = (source != PAD).unsqueeze(1)
    return model.decode(torch.full((len(source), 1), BOS), source, mask)


def scores_one_position_early__from_the_end(model, source, max_length):
    ids = torch.full((len(source), 1), BOS)
    return model(source, ids)[:, -2].argmax(dim=-1)


def eval_forgotten(model, source, max_length):
    return _search(model, source, max_length, device=source.device)


def eval_forgotten__no_grad_only(model, source, max_length):
    with torch.no_grad():
        return _search(model, source, max_length, device=source.device)


def mode_not_put_back(model, source, max_length):
    with torch.inference_mode():
        return _search(model.eval(), source, max_length, device=source.device)


def always_trains_afterwards(model, source, max_length):
    model.eval()
    with torch.no_grad():
        ids = _search(model, source, max_length, device=source.device)
    model.train()
    return ids


def gradients_recorded(model, source, max_length):
    before = model.training
    ids = _search(model.eval(), source, max_length, device=source.device)
    model.train(before)
    return ids


def weights_frozen(model, source, max_length):
    for weight in model.parameters():
        weight.requires_grad = False
    before = model.training
    ids = _search(model.eval(), source, max_length, device=source.device)
    model.train(before)
    return ids


def gradients_stay_off(model, source, max_length):
    torch.autograd.set_grad_enabled(False)
    return gradients_recorded(model, source, max_length)


def on_the_processor(model, source, max_length):
    with _evaluating(model):
        return _search(model, source, max_length)


def softmax_over_the_batch(model, source, max_length):
    def choose(scores):
        return scores.softmax(dim=0).argmax(dim=-1)

    return _loop(model, source, max_length, choose=choose)


def eos_forced(model, source, max_length):
    ids = _loop(model, source, max_length)
    for row in ids:
        if EOS not in row:
            row[-1] = EOS
    return ids


def right__torch(model, source, max_length):
    with _evaluating(model):
        return _search(model, source, max_length, device=source.device)


# ------------------------------------------------ one loop with weak places


def _loop(
    model,
    source,
    max_length,
    ask=lambda model, source, tgt: model(source, tgt)[:, -1],
    choose=lambda scores: scores.argmax(dim=-1),
    fill=None,
    ended=lambda over: over.all(),
    start=None,
):
    tgt = torch.full((len(source), 1), BOS if start is None else start)
    over = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_length):
        token = choose(ask(model, source, tgt))
        token = torch.where(over, PAD if fill is None else fill, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        over = over | (token == EOS)
        if ended(over):
            break
    return tgt[:, 1:]


def no_stop_at_eos(model, source, max_length):
    tgt = torch.full((len(source), 1), BOS)
    for _ in range(max_length):
        token = model(source, tgt)[:, -1].argmax(dim=-1, keepdim=True)
        tgt = torch.cat([tgt, token], dim=1)
    return tgt[:, 1:]


def no_stop_at_eos__but_stops_in_time(model, source, max_length):
    tgt = torch.full((len(source), 1), BOS)
    for _ in range(max_length):
        token = model(source, tgt)[:, -1].argmax(dim=-1, keepdim=True)
        tgt = torch.cat([tgt, token], dim=1)
        if (tgt[:, 1:] == EOS).any(dim=1).all():
            break
    return tgt[:, 1:]


def stops_for_one_step_only(model, source, max_length):
    tgt = torch.full((len(source), 1), BOS)
    ever = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_length):
        token = model(source, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(tgt[:, -1] == EOS, PAD, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        ever |= token == EOS
        if ever.all():
            break
    return tgt[:, 1:]


def one_token_after_eos(model, source, max_length):
    tgt = torch.full((len(source), 1), BOS)
    for _ in range(max_length):
        token = model(source, tgt)[:, -1].argmax(dim=-1)
        over = (tgt[:, :-1] == EOS).any(dim=1)
        token = torch.where(over, PAD, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        if (tgt[:, 1:] == EOS).any(dim=1).all():
            break
    return tgt[:, 1:]


def filled_with_eos(model, source, max_length):
    return _loop(model, source, max_length, fill=EOS)


def filled_with_bos(model, source, max_length):
    return _loop(model, source, max_length, fill=BOS)


def stops_when_one_is_done(model, source, max_length):
    return _loop(model, source, max_length, ended=lambda over: over.any())


def stops_with_the_first_sentence(model, source, max_length):
    return _loop(model, source, max_length, ended=lambda over: over[0])


def stops_with_the_last_sentence(model, source, max_length):
    return _loop(model, source, max_length, ended=lambda over: over[-1])


def _writes(
    model,
    source,
    max_length,
    leave=lambda token, tgt, over: over.all(),
    early=False,
    turned=False,
):
    """The right loop, with its last lines to be replaced."""
    tgt = torch.full((len(source), 1), BOS)
    over = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_length):
        token = model(source, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(over != turned, PAD, token)
        over = over | (token == EOS)
        if early and over.all():
            break
        tgt = torch.cat([tgt, token[:, None]], dim=1)
        if leave(token, tgt, over):
            break
    return tgt[:, 1:]


def waits_for_all_at_once(model, source, max_length):
    return _writes(
        model, source, max_length,
        leave=lambda token, tgt, over: (token == EOS).all(),
    )  # fmt: skip


def one_round_too_many(model, source, max_length):
    return _writes(
        model, source, max_length,
        leave=lambda token, tgt, over: (token == PAD).all(),
    )  # fmt: skip


def one_round_too_many__looks_back(model, source, max_length):
    return _writes(
        model, source, max_length,
        leave=lambda token, tgt, over: (tgt[:, :-1] == EOS).any(1).all(),
    )  # fmt: skip


def left_before_storing(model, source, max_length):
    return _writes(model, source, max_length, early=True)


def pad_for_those_still_writing(model, source, max_length):
    return _writes(model, source, max_length, turned=True)


def max_len_ignored(model, source, max_length):
    return _writes(model, source, 50)


def max_len_ignored__length_of_the_source(model, source, max_length):
    return _writes(model, source, source.shape[1])


def bos_in_the_result__and_the_last_cut(model, source, max_length):
    written = _writes(model, source, max_length)
    first = torch.full((len(source), 1), BOS)
    return torch.cat([first, written[:, :-1]], dim=1)


def never_stops_early(model, source, max_length):
    return _loop(model, source, max_length, ended=lambda over: False)


def one_token_too_few(model, source, max_length):
    tgt = torch.full((len(source), 1), BOS)
    over = torch.zeros(len(source), dtype=torch.bool)
    while tgt.shape[1] < max_length and not over.all():  # counts <bos>
        token = model(source, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(over, PAD, token)
        over |= token == EOS
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
    return tgt[:, 1:]


def one_token_too_many(model, source, max_length):
    return _loop(model, source, max_length + 1)


# ----------------------------------------------------------------- feeding


def only_the_newest_token(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt[:, -1:])[:, -1]

    return _loop(model, source, max_length, ask)


def scores_of_the_first_position__prefix_not_extended(
    model, source, max_length
):
    def ask(model, source, tgt):
        return model(source, torch.full((len(source), 1), BOS))[:, -1]

    return _loop(model, source, max_length, ask)


def bos_lost(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt[:, 1:] if tgt.shape[1] > 1 else tgt)[:, -1]

    return _loop(model, source, max_length, ask)


def prefix_reversed(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt.flip(1))[:, -1]

    return _loop(model, source, max_length, ask)


def one_source_for_all(model, source, max_length):
    def ask(model, source, tgt):
        return model(source[:1].expand(len(source), -1), tgt)[:, -1]

    return _loop(model, source, max_length, ask)


def one_source_for_all__one_row_of_scores(model, source, max_length):
    def choose(scores):
        return scores[0].argmax().repeat(len(scores))

    return _loop(model, source, max_length, choose=choose)


def starts_with_eos(model, source, max_length):
    return _loop(model, source, max_length, start=EOS)


def starts_with_pad(model, source, max_length):
    return _loop(model, source, max_length, start=PAD)


def scores_of_the_first_position(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt)[:, 0]

    return _loop(model, source, max_length, ask)


def scores_one_position_early(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt)[:, max(tgt.shape[1] - 2, 0)]

    return _loop(model, source, max_length, ask)


def scores_of_all_positions(model, source, max_length):
    def ask(model, source, tgt):
        return model(source, tgt).mean(dim=1)

    return _loop(model, source, max_length, ask)


# ----------------------------------------------------------------- picking


def worst_token(model, source, max_length):
    def choose(scores):
        return scores.argsort(dim=-1)[:, 0]

    return _loop(model, source, max_length, choose=choose)


def worst_token__argmin(model, source, max_length):
    def choose(scores):
        return scores.argmin(dim=-1)

    return _loop(model, source, max_length, choose=choose)


def second_best_token(model, source, max_length):
    def choose(scores):
        return scores.topk(2).indices[:, 1]

    return _loop(model, source, max_length, choose=choose)


def one_token_for_all_rows(model, source, max_length):
    def choose(scores):
        return scores.sum(dim=0).argmax().repeat(len(scores))

    return _loop(model, source, max_length, choose=choose)


# ----------------------------------------------------------------- results


def bos_in_the_result(model, source, max_length):
    written = right__torch(model, source, max_length)
    start = torch.full((len(source), 1), BOS)
    return torch.cat([start, written], dim=1)


def eos_missing(model, source, max_length):
    written = right__torch(model, source, max_length)
    return torch.where(written == EOS, PAD, written)


def last_column_cut(model, source, max_length):
    return right__torch(model, source, max_length)[:, :-1]


def only_the_last_tokens(model, source, max_length):
    return right__torch(model, source, max_length)[:, -1:]


def only_the_first_sentence(model, source, max_length):
    return right__torch(model, source, max_length)[0]


def rows_and_columns_exchanged(model, source, max_length):
    return right__torch(model, source, max_length).T


def returned_lengths(model, source, max_length):
    written = right__torch(model, source, max_length)
    return (written != PAD).sum(dim=1)


# ------------------------------------------------- the same in all exercises


def changes_its_input(model, source, max_length):
    result = right__torch(model, source, max_length)
    source[source == PAD] = EOS
    return result


def printed_not_returned(model, source, max_length):
    print(right__torch(model, source, max_length))


def no_return(model, source, max_length):
    result = right__torch(model, source, max_length)
    result.tolist()


def signature(model, source):
    return source


def nobody_is_marked__all_at_once(model, source, max_length):
    was_training = model.training
    model.eval()
    mask = (source != 0).unsqueeze(1)
    with torch.no_grad():
        memory = model.encode(source, mask)
        tokens = source.new_full((len(source), 1), 1)
        for _ in range(max_length):
            logits = model.decode(tokens, memory, mask)
            newest = logits[:, -1].argmax(dim=-1)
            tokens = torch.cat([tokens, newest.unsqueeze(1)], dim=1)
            if (newest == 2).all():
                break
    model.train(was_training)
    return tokens[:, 1:]


@torch.no_grad()
def added_not_joined__in_place(model, source, max_length):
    before = model.training
    model.eval()
    mask = (source != PAD).unsqueeze(1)
    memory = model.encode(source, mask)
    out = source.new_full((len(source), 1), BOS)
    done = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_length):
        token = model.decode(out, memory, mask)[:, -1].argmax(-1)
        token = token.masked_fill(done, PAD)
        out += token[:, None]
        done = done | (token == EOS)
        if done.all():
            break
    model.train(before)
    return out[:, 1:]


@torch.no_grad()
def one_round_only__return_behind_the_test(model, source, max_length):
    before = model.training
    model.eval()
    mask = (source != PAD).unsqueeze(1)
    memory = model.encode(source, mask)
    out = source.new_full((len(source), 1), BOS)
    done = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_length):
        token = model.decode(out, memory, mask)[:, -1].argmax(-1)
        token = token.masked_fill(done, PAD)
        out = torch.cat([out, token[:, None]], dim=1)
        done = done | (token == EOS)
        if done.all():
            break
        return out[:, 1:]
    model.train(before)
    return out[:, 1:]


@torch.no_grad()
def starts_with_the_source__a_loop(model, source, max_length):
    before = model.training
    model.eval()
    mask = (source != PAD).unsqueeze(1)
    memory = model.encode(source, mask)
    out, done = source[:, :1], torch.zeros_like(source[:, 0]) > 0
    for _ in range(max_length):
        token = model.decode(out, memory, mask)[:, -1].argmax(-1)
        out = torch.cat([out, token.masked_fill(done, PAD)[:, None]], dim=1)
        done = done | (token == EOS)
        if done.all():
            break
    model.train(before)
    return out[:, 1:]
