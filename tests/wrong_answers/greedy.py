"""Answers to `greedy(model, src, bos, eos, pad, max_len)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import numpy as np
import torch

# ------------------------------------------------------------------- right


def right__torch(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    over = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(over, pad, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        over = over | (token == eos)
        if over.all():
            break
    return tgt[:, 1:]


def right__one_sentence_after_another(model, src, bos, eos, pad, max_len):
    rows = []
    for i in range(len(src)):
        words = [bos]
        while len(words) <= max_len and eos not in words[1:]:
            scores = model(src[i : i + 1], torch.tensor([words]))
            words.append(int(scores[0, -1].argmax()))
        rows.append(words[1:])
    longest = max(len(row) for row in rows)
    return [row + [pad] * (longest - len(row)) for row in rows]


def right__numpy(model, src, bos, eos, pad, max_len):
    source = src.numpy()
    tgt = np.full((len(source), 1), bos)
    over = np.zeros(len(source), dtype=bool)
    while tgt.shape[1] <= max_len and not over.all():
        scores = model(source, tgt).numpy()[:, -1]
        token = np.where(over, pad, scores.argmax(axis=1))
        over |= token == eos
        tgt = np.hstack([tgt, token[:, None]])
    return tgt[:, 1:]


def right__only_those_still_writing(model, src, bos, eos, pad, max_len):
    written = torch.full((len(src), max_len), pad)
    going = list(range(len(src)))
    steps = 0
    while going and steps < max_len:
        start = torch.full((len(going), 1), bos)
        tgt = torch.cat([start, written[going, :steps]], dim=1)
        scores = model(src[going], tgt)[:, -1].log_softmax(dim=-1)
        token = scores.max(dim=-1).indices
        written[going, steps] = token
        going = [
            i for i, t in zip(going, token.tolist(), strict=True) if t != eos
        ]
        steps += 1
    return written[:, :steps]


# ------------------------------------------------ one loop with weak places


def _loop(
    model,
    src,
    bos,
    eos,
    pad,
    max_len,
    ask=lambda model, src, tgt: model(src, tgt)[:, -1],
    choose=lambda scores: scores.argmax(dim=-1),
    fill=None,
    ended=lambda over: over.all(),
    start=None,
):
    tgt = torch.full((len(src), 1), bos if start is None else start)
    over = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        token = choose(ask(model, src, tgt))
        token = torch.where(over, pad if fill is None else fill, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        over = over | (token == eos)
        if ended(over):
            break
    return tgt[:, 1:]


def no_stop_at_eos(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1, keepdim=True)
        tgt = torch.cat([tgt, token], dim=1)
    return tgt[:, 1:]


def no_stop_at_eos__but_stops_in_time(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1, keepdim=True)
        tgt = torch.cat([tgt, token], dim=1)
        if (tgt[:, 1:] == eos).any(dim=1).all():
            break
    return tgt[:, 1:]


def stops_for_one_step_only(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    ever = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(tgt[:, -1] == eos, pad, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        ever |= token == eos
        if ever.all():
            break
    return tgt[:, 1:]


def one_token_after_eos(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1)
        over = (tgt[:, :-1] == eos).any(dim=1)
        token = torch.where(over, pad, token)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        if (tgt[:, 1:] == eos).any(dim=1).all():
            break
    return tgt[:, 1:]


def filled_with_eos(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, fill=eos)


def filled_with_bos(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, fill=bos)


def filled_with_zero(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, fill=0)


def fixed_ids(model, src, bos, eos, pad, max_len):
    return _loop(model, src, 1, 2, 0, max_len)


def stops_when_one_is_done(model, src, bos, eos, pad, max_len):
    return _loop(
        model, src, bos, eos, pad, max_len, ended=lambda over: over.any()
    )


def stops_with_the_first_sentence(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, ended=lambda over: over[0])


def stops_with_the_last_sentence(model, src, bos, eos, pad, max_len):
    return _loop(
        model, src, bos, eos, pad, max_len, ended=lambda over: over[-1]
    )


def _writes(
    model,
    src,
    bos,
    eos,
    pad,
    max_len,
    leave=lambda token, tgt, over: over.all(),
    early=False,
    turned=False,
):
    """The right loop, with its last lines to be replaced."""
    tgt = torch.full((len(src), 1), bos)
    over = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        token = model(src, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(over != turned, pad, token)
        over = over | (token == eos)
        if early and over.all():
            break
        tgt = torch.cat([tgt, token[:, None]], dim=1)
        if leave(token, tgt, over):
            break
    return tgt[:, 1:]


def waits_for_all_at_once(model, src, bos, eos, pad, max_len):
    return _writes(
        model, src, bos, eos, pad, max_len,
        leave=lambda token, tgt, over: (token == eos).all(),
    )  # fmt: skip


def one_round_too_many(model, src, bos, eos, pad, max_len):
    return _writes(
        model, src, bos, eos, pad, max_len,
        leave=lambda token, tgt, over: (token == pad).all(),
    )  # fmt: skip


def one_round_too_many__looks_back(model, src, bos, eos, pad, max_len):
    return _writes(
        model, src, bos, eos, pad, max_len,
        leave=lambda token, tgt, over: (tgt[:, :-1] == eos).any(1).all(),
    )  # fmt: skip


def left_before_storing(model, src, bos, eos, pad, max_len):
    return _writes(model, src, bos, eos, pad, max_len, early=True)


def pad_for_those_still_writing(model, src, bos, eos, pad, max_len):
    return _writes(model, src, bos, eos, pad, max_len, turned=True)


def max_len_ignored(model, src, bos, eos, pad, max_len):
    return _writes(model, src, bos, eos, pad, 50)


def max_len_ignored__length_of_the_source(model, src, bos, eos, pad, max_len):
    return _writes(model, src, bos, eos, pad, src.shape[1])


def fixed_ids__only_eos(model, src, bos, eos, pad, max_len):
    return _writes(model, src, bos, 2, pad, max_len)


def fixed_ids__only_bos(model, src, bos, eos, pad, max_len):
    return _writes(model, src, 1, eos, pad, max_len)


def bos_in_the_result__and_the_last_cut(model, src, bos, eos, pad, max_len):
    written = _writes(model, src, bos, eos, pad, max_len)
    first = torch.full((len(src), 1), bos)
    return torch.cat([first, written[:, :-1]], dim=1)


def never_stops_early(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, ended=lambda over: False)


def one_token_too_few(model, src, bos, eos, pad, max_len):
    tgt = torch.full((len(src), 1), bos)
    over = torch.zeros(len(src), dtype=torch.bool)
    while tgt.shape[1] < max_len and not over.all():  # counts <bos>
        token = model(src, tgt)[:, -1].argmax(dim=-1)
        token = torch.where(over, pad, token)
        over |= token == eos
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
    return tgt[:, 1:]


def one_token_too_many(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len + 1)


# ----------------------------------------------------------------- feeding


def only_the_newest_token(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt[:, -1:])[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def scores_of_the_first_position__prefix_not_extended(
    model, src, bos, eos, pad, max_len
):
    def ask(model, src, tgt):
        return model(src, torch.full((len(src), 1), bos))[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def bos_lost(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt[:, 1:] if tgt.shape[1] > 1 else tgt)[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def prefix_reversed(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt.flip(1))[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def source_and_target_exchanged(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(tgt, src)[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def one_source_for_all(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src[:1].expand(len(src), -1), tgt)[:, -1]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def one_source_for_all__one_row_of_scores(model, src, bos, eos, pad, max_len):
    def choose(scores):
        return scores[0].argmax().repeat(len(scores))

    return _loop(model, src, bos, eos, pad, max_len, choose=choose)


def starts_with_eos(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, start=eos)


def starts_with_pad(model, src, bos, eos, pad, max_len):
    return _loop(model, src, bos, eos, pad, max_len, start=pad)


def scores_of_the_first_position(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt)[:, 0]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def scores_one_position_early(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt)[:, max(tgt.shape[1] - 2, 0)]

    return _loop(model, src, bos, eos, pad, max_len, ask)


def scores_of_all_positions(model, src, bos, eos, pad, max_len):
    def ask(model, src, tgt):
        return model(src, tgt).mean(dim=1)

    return _loop(model, src, bos, eos, pad, max_len, ask)


# ----------------------------------------------------------------- picking


def worst_token(model, src, bos, eos, pad, max_len):
    def choose(scores):
        return scores.argsort(dim=-1)[:, 0]

    return _loop(model, src, bos, eos, pad, max_len, choose=choose)


def worst_token__argmin(model, src, bos, eos, pad, max_len):
    def choose(scores):
        return scores.argmin(dim=-1)

    return _loop(model, src, bos, eos, pad, max_len, choose=choose)


def second_best_token(model, src, bos, eos, pad, max_len):
    def choose(scores):
        return scores.topk(2).indices[:, 1]

    return _loop(model, src, bos, eos, pad, max_len, choose=choose)


def one_token_for_all_rows(model, src, bos, eos, pad, max_len):
    def choose(scores):
        return scores.sum(dim=0).argmax().repeat(len(scores))

    return _loop(model, src, bos, eos, pad, max_len, choose=choose)


# ----------------------------------------------------------------- results


def bos_in_the_result(model, src, bos, eos, pad, max_len):
    written = right__torch(model, src, bos, eos, pad, max_len)
    start = torch.full((len(src), 1), bos)
    return torch.cat([start, written], dim=1)


def eos_missing(model, src, bos, eos, pad, max_len):
    written = right__torch(model, src, bos, eos, pad, max_len)
    written[written == eos] = pad
    return written


def last_column_cut(model, src, bos, eos, pad, max_len):
    return right__torch(model, src, bos, eos, pad, max_len)[:, :-1]


def only_the_last_tokens(model, src, bos, eos, pad, max_len):
    return right__torch(model, src, bos, eos, pad, max_len)[:, -1:]


def only_the_first_sentence(model, src, bos, eos, pad, max_len):
    return right__torch(model, src, bos, eos, pad, max_len)[0]


def rows_and_columns_exchanged(model, src, bos, eos, pad, max_len):
    return right__torch(model, src, bos, eos, pad, max_len).T


def returned_lengths(model, src, bos, eos, pad, max_len):
    written = right__torch(model, src, bos, eos, pad, max_len)
    return (written != pad).sum(dim=1)


# ------------------------------------------------- the same in all exercises


def changes_its_input(model, src, bos, eos, pad, max_len):
    result = right__torch(model, src, bos, eos, pad, max_len)
    src[src == pad] = eos
    return result


def printed_not_returned(model, src, bos, eos, pad, max_len):
    print(right__torch(model, src, bos, eos, pad, max_len))


def no_return(model, src, bos, eos, pad, max_len):
    result = right__torch(model, src, bos, eos, pad, max_len)
    result.tolist()


def signature(model, src):
    return src


def signature__max_len_forgotten(model, src, bos, eos, pad):
    return src
