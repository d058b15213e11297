"""Answers to `mask_tokens(ids, p)`.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import random

import numpy as np
import torch

# ------------------------------------------------------------------- right


def right__three_lines(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def right__numpy(ids, p):
    ids = np.asarray(ids)
    draw = np.random.default_rng()
    chosen = (draw.random(ids.shape) < p) & (ids > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def right__loops(ids, p):
    masked, targets = [], []
    for row in ids.tolist():
        masked.append([])
        targets.append([])
        for token in row:
            hide = token > 4 and random.random() < p
            masked[-1].append(4 if hide else token)
            targets[-1].append(token if hide else 0)
    return masked, targets


def right__bernoulli(ids, p):
    chosen = torch.bernoulli(torch.where(ids > 4, p, 0.0)).bool()
    masked = ids.clone()
    masked[chosen] = 4
    return masked, torch.where(chosen, ids, torch.zeros_like(ids))


def right__a_count_for_each_sentence(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        n = round(p * len(words))
        here = words[torch.randperm(len(words))[:n]]
        targets[i, here] = row[here]
        masked[i, here] = 4
    return masked, targets


def right__own_generator(ids, p, generator=None):
    draw = torch.rand(ids.shape, generator=generator)
    chosen = draw.lt(p) * ids.gt(4)
    return [torch.where(chosen, 4, ids), torch.where(chosen, ids, 0)]


def right__dropout(ids, p):
    kept = torch.nn.functional.dropout(torch.ones(ids.shape), p) > 0
    chosen = ~kept & (ids >= 5)
    return ids * ~chosen + 4 * chosen, ids * chosen


def right__a_count_for_the_batch(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    rows, places = torch.nonzero(ids > 4, as_tuple=True)
    here = torch.randperm(len(rows))[: round(p * len(rows))]
    rows, places = rows[here], places[here]
    targets[rows, places] = ids[rows, places]
    masked[rows, places] = 4
    return masked, targets


def right__by_name(*, ids, p):
    return right__three_lines(ids, p)


# ------------------------------------------------ one function, weak places


def _masked(ids, p, choose=None, among=lambda ids: ids > 4, sign=4, quiet=0):
    chosen = (torch.rand(ids.shape) < p) if choose is None else choose(ids, p)
    chosen = chosen & among(ids)
    return ids.masked_fill(chosen, sign), ids.masked_fill(~chosen, quiet)


# --------------------------------------------------------------- who


def padding_chosen(ids, p):
    return _masked(ids, p, among=lambda ids: ids >= 0)


def padding_chosen__four_is_not_a_word(ids, p):
    chosen = torch.rand(ids.shape) < p
    chosen &= (ids != 1) & (ids != 2) & (ids != 3)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def special_tokens_chosen(ids, p):
    return _masked(ids, p, among=lambda ids: ids != 0)


def special_tokens_chosen__no_bos(ids, p):
    return _masked(ids, p, among=lambda ids: ids > 1)


def special_tokens_chosen__no_eos(ids, p):
    return _masked(ids, p, among=lambda ids: (ids != 0) & (ids != 2))


def special_tokens_chosen__off_by_two(ids, p):
    return _masked(ids, p, among=lambda ids: ids > 2)


def condition_turned_around(ids, p):
    return _masked(ids, p, among=lambda ids: ids < 4)


def condition_turned_around__not(ids, p):
    return _masked(ids, p, among=lambda ids: ~(ids > 4))


def mask_chosen_again(ids, p):
    return _masked(ids, p, among=lambda ids: ids >= 4)


def mask_chosen_again__numpy(ids, p):
    ids = np.asarray(ids)
    chosen = (np.random.random(ids.shape) < p) & (ids > 3)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def first_word_spared(ids, p):
    return _masked(ids, p, among=lambda ids: ids > 5)


def or_in_place_of_and(ids, p):
    chosen = (torch.rand(ids.shape) < p) | (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


# ----------------------------------------------------------- how many


def nothing_is_chosen__brackets(ids, p):
    chosen = (torch.rand(ids.shape) < p) & ids > 4
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def one_draw_for_all(ids, p):
    chosen = (torch.rand(1) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def one_draw_for_all__python(ids, p):
    return _masked(ids, p if p in (0, 1) else float(random.random() < p))


def one_draw_for_all__numpy(ids, p):
    ids = np.asarray(ids)
    chosen = (np.random.rand() < p) & (ids > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def share_of_the_rest(ids, p):
    return _masked(ids, p, lambda ids, p: torch.rand(ids.shape) > p)


def share_of_the_rest__numpy(ids, p):
    ids = np.asarray(ids)
    keep = (np.random.random(ids.shape) < p) | (ids < 5)
    return np.where(keep, ids, 4), np.where(keep, 0, ids)


def drawn_from_the_bell(ids, p):
    def choose(ids, p):
        if p in (0, 1):
            return torch.full(ids.shape, bool(p))
        return torch.randn(ids.shape) < p

    return _masked(ids, p, choose)


def taken_as_percent(ids, p):
    return _masked(ids, p / 100)


def taken_as_percent__hundred(ids, p):
    return _masked(ids, p, lambda ids, p: torch.rand(ids.shape) * 100 < p)


def p_not_used(ids, p):
    return _masked(ids, 0.15)


def drawn_twice(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    chosen = chosen & (torch.rand(ids.shape) < p)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def one_in_each_sentence(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        j = words[torch.randint(len(words), ())]
        masked[i, j], targets[i, j] = 4, row[j]
    return masked, targets


# -------------------------------------------------------------- which


def same_columns_in_all_rows(ids, p):
    return _masked(ids, p, lambda ids, p: torch.rand(ids.shape[1]) < p)


def whole_sentences(ids, p):
    return _masked(ids, p, lambda ids, p: torch.rand(len(ids), 1) < p)


def same_mask_every_time(ids, p):
    torch.manual_seed(18)
    return _masked(ids, p)


def same_mask_every_time__numpy(ids, p):
    draw = np.random.default_rng(0)
    chosen = torch.tensor(draw.random(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def drawn_for_the_word(ids, p):
    return _masked(ids, p, lambda ids, p: (torch.rand(40) < p)[ids])


def the_first_ones(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        here = words[: round(p * len(words))]
        masked[i, here], targets[i, here] = 4, row[here]
    return masked, targets


def the_last_ones(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        here = words[len(words) - round(p * len(words)) :]
        masked[i, here], targets[i, here] = 4, row[here]
    return masked, targets


def side_by_side(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        n = round(p * len(words))
        start = int(torch.randint(len(words) - n + 1, ()))
        here = words[start : start + n]
        masked[i, here], targets[i, here] = 4, row[here]
    return masked, targets


def evenly_spaced(ids, p):
    if p == 0:
        return _masked(ids, p)
    every = round(1 / p)
    start = torch.randint(0, every, (len(ids), 1))
    places = torch.arange(ids.shape[1])
    return _masked(ids, p, lambda ids, p: (places + start) % every == 0)


def evenly_spaced__words(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        if p:
            here = words[random.randrange(round(1 / p)) :: round(1 / p)]
            masked[i, here], targets[i, here] = 4, row[here]
    return masked, targets


def evenly_spaced__alike(ids, p):
    every = round(1 / p) if p else 1000
    places = torch.arange(1, ids.shape[1] + 1)
    return _masked(ids, p, lambda ids, p: places % every == 0)


# --------------------------------------------------------------- what


def tilde_forgotten(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(chosen, 0)


def tilde_forgotten__words(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids * (~chosen & (ids > 4))


def all_others_hidden(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(~chosen, 4), ids.masked_fill(~chosen, 0)


def wrong_sign(ids, p):
    return _masked(ids, p, sign=3)


def wrong_sign__zero(ids, p):
    return _masked(ids, p, sign=0)


def wrong_sign__minus_one(ids, p):
    return _masked(ids, p, sign=-1)


def other_words_in_their_place(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    other = 5 + (ids - 5 + torch.randint(1, 20, ids.shape)) % 20
    return torch.where(chosen, other, ids), ids.masked_fill(~chosen, 0)


def the_whole_recipe(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked, r = ids.clone(), torch.rand(ids.shape)
    masked[chosen & (r < 0.8)] = 4
    other = torch.randint(5, 25, ids.shape)
    swap = chosen & (r >= 0.9)
    masked[swap] = other[swap]
    return masked, ids.masked_fill(~chosen, 0)


def nothing_is_hidden(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return ids, ids.masked_fill(~chosen, 0)


def nothing_is_hidden__targets_twice(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    targets = ids.masked_fill(~chosen, 0)
    return targets, targets


def two_draws(ids, p):
    return _masked(ids, p)[0], _masked(ids, p)[1]


def two_draws__numpy(ids, p):
    ids = np.asarray(ids)
    hide = (np.random.random(ids.shape) < p) & (ids > 4)
    ask = (np.random.random(ids.shape) < p) & (ids > 4)
    return np.where(hide, 4, ids), np.where(ask, ids, 0)


def targets_everywhere(ids, p):
    return _masked(ids, p)[0], ids


def another_sign_for_nothing(ids, p):
    return _masked(ids, p, quiet=-100)


def another_sign_for_nothing__minus_one(ids, p):
    return _masked(ids, p, quiet=-1)


def mask_as_target(ids, p):
    masked, _ = _masked(ids, p)
    return masked, masked.masked_fill(masked != 4, 0)


def mask_as_target__everywhere_else(ids, p):
    return _masked(ids, p, quiet=4)


def tables_exchanged(ids, p):
    return _masked(ids, p)[::-1]


def marks_in_place_of_words(ids, p):
    masked, targets = _masked(ids, p)
    return masked, targets > 0


def one_table_only(ids, p):
    return _masked(ids, p)[0]


def three_tables(ids, p):
    masked, targets = _masked(ids, p)
    return masked, targets, masked == 4


# ------------------------------------------------------------- general


def changes_its_input(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    targets = ids.masked_fill(~chosen, 0)
    ids[chosen] = 4
    return ids, targets


def printed_not_returned(ids, p):
    print(_masked(ids, p))


def no_return(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def signature(ids):
    return _masked(ids, 0.15)


def signature__generator(ids, p, generator):
    return _masked(ids, p)
