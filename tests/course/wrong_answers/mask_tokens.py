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


def fixed_count__permutation(ids, p):
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


def padding_chosen__four_is_not_a_word(ids, p):
    chosen = torch.rand(ids.shape) < p
    chosen &= (ids != 1) & (ids != 2) & (ids != 3)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def mask_chosen_again__numpy(ids, p):
    ids = np.asarray(ids)
    chosen = (np.random.random(ids.shape) < p) & (ids > 3)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def one_draw_for_all__numpy(ids, p):
    ids = np.asarray(ids)
    chosen = (np.random.rand() < p) & (ids > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def share_of_the_rest__numpy(ids, p):
    ids = np.asarray(ids)
    keep = (np.random.random(ids.shape) < p) | (ids < 5)
    return np.where(keep, ids, 4), np.where(keep, 0, ids)


def taken_as_percent__hundred(ids, p):
    chosen = (torch.rand(ids.shape) * 100 < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def one_in_each_sentence(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        j = words[torch.randint(len(words), ())]
        masked[i, j], targets[i, j] = 4, row[j]
    return masked, targets


def same_mask_every_time__numpy(ids, p):
    draw = np.random.default_rng(0)
    chosen = torch.tensor(draw.random(ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


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


def evenly_spaced__words(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = torch.nonzero(row > 4).flatten()
        if p:
            here = words[random.randrange(round(1 / p)) :: round(1 / p)]
            masked[i, here], targets[i, here] = 4, row[here]
    return masked, targets


def the_whole_recipe(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked, r = ids.clone(), torch.rand(ids.shape)
    masked[chosen & (r < 0.8)] = 4
    other = torch.randint(5, 25, ids.shape)
    swap = chosen & (r >= 0.9)
    masked[swap] = other[swap]
    return masked, ids.masked_fill(~chosen, 0)


def two_draws__numpy(ids, p):
    ids = np.asarray(ids)
    hide = (np.random.random(ids.shape) < p) & (ids > 4)
    ask = (np.random.random(ids.shape) < p) & (ids > 4)
    return np.where(hide, 4, ids), np.where(ask, ids, 0)


# ------------------------------------------- the same mistakes, other styles


def _loops(ids, hides, sign=4, quiet=0):
    """Plain Python; hides(token) says whether a place is chosen."""
    masked, targets = [], []
    for row in ids.tolist():
        marks = [hides(token) for token in row]
        pairs = list(zip(row, marks, strict=True))
        masked.append([sign if hide else token for token, hide in pairs])
        targets.append([token if hide else quiet for token, hide in pairs])
    return masked, targets


def padding_chosen__loops(ids, p):
    return _loops(ids, lambda token: random.random() < p)


def padding_chosen__not_special(ids, p):
    chosen = torch.bernoulli(torch.full(ids.shape, p)).bool()
    chosen[torch.isin(ids, torch.tensor([1, 2, 3, 4]))] = False
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def special_tokens_chosen__not_in_a_list(ids, p):
    return _loops(
        ids, lambda token: token not in (0, 1) and random.random() < p
    )


def special_tokens_chosen__real_length(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        length = int((row != 0).sum())
        for j in range(length):
            if torch.rand(()) < p:
                masked[i, j], targets[i, j] = 4, row[j]
    return masked, targets


def condition_turned_around__numpy(ids, p):
    probability = np.where(np.asarray(ids) > 4, 0, p)
    chosen = np.random.binomial(1, probability).astype(bool)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def first_word_spared__numpy(ids, p):
    chosen = np.random.uniform(size=ids.shape) < np.where(ids > 5, p, 0)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def always_chosen__where(ids, p):
    words = ids > 4
    return torch.where(words, 4, ids), torch.where(words, ids, 0)


def or_in_place_of_and__loops(ids, p):
    return _loops(ids, lambda token: token > 4 or random.random() < p)


def one_draw_for_all__loops(ids, p):
    r = random.random()
    return _loops(ids, lambda token: token > 4 and r < p)


def share_of_the_rest__dropout(ids, p):
    kept = torch.nn.functional.dropout(torch.ones(ids.shape), p) > 0
    chosen = kept & (ids > 4)
    return ids * ~chosen + 4 * chosen, ids * chosen


def drawn_from_the_bell__plain(ids, p):
    chosen = torch.logical_and(torch.randn_like(ids.float()) < p, ids >= 5)
    return torch.where(chosen, 4, ids), torch.where(chosen, ids, 0)


def drawn_from_the_bell__numpy(ids, p):
    chosen = (np.random.randn(*ids.shape) < p) & (ids.numpy() > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def p_not_used__numpy(ids, p=0.15):
    chosen = (np.random.rand(*ids.shape) < 0.15) & (ids.numpy() > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def taken_as_percent__numpy(ids, p):
    chosen = (np.random.random_sample(ids.shape) < p * 0.01) & (ids > 4).numpy()
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0)


def p_not_used__loops(ids, p):
    return _loops(ids, lambda token: token > 4 and random.random() < 0.15)


def taken_as_percent__loops(ids, p):
    return _loops(ids, lambda token: token > 4 and 100 * random.random() < p)


def taken_as_percent__randint(ids, p):
    chosen = (torch.randint(100, ids.shape) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def drawn_twice__loops(ids, p):
    def hides(token):
        if token > 4 and random.random() < p:
            return random.random() < p
        return False

    return _loops(ids, hides)


def one_in_each_sentence__choice(ids, p):
    masked, targets = np.array(ids), np.zeros_like(ids)
    for row, said in zip(masked, targets, strict=True):
        j = np.random.choice(np.flatnonzero(row > 4))
        said[j], row[j] = row[j], 4
    return masked, targets


def same_columns_in_all_rows__torch(ids, p):
    chosen = (torch.rand(ids.shape[1]) < p) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def drawn_for_the_word__torch(ids, p):
    chosen = (torch.rand(99) < p)[ids] & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def same_columns_in_all_rows__numpy(ids, p):
    columns = np.random.random(ids.shape[1]) < p
    chosen = torch.tensor(columns) & (ids > 4)
    return ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def whole_sentences__loop(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        if random.random() < p:
            masked[i] = torch.where(row > 4, 4, row)
            targets[i] = torch.where(row > 4, row, 0)
    return masked, targets


def same_mask_every_time__python(ids, p):
    dice = random.Random(1)
    return _loops(ids, lambda token: token > 4 and dice.random() < p)


def the_first_ones__cut(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for i, row in enumerate(ids):
        words = [j for j, token in enumerate(row.tolist()) if token > 4]
        for j in words[: int(p * len(words))]:
            masked[i, j], targets[i, j] = 4, row[j]
    return masked, targets


def tilde_forgotten__loops(ids, p):
    masked, targets = [], []
    for row in ids.tolist():
        hide = [token > 4 and random.random() < p for token in row]
        masked.append([4 if h else t for t, h in zip(row, hide, strict=True)])
        targets.append([0 if h else t for t, h in zip(row, hide, strict=True)])
    return masked, targets


def all_others_hidden__multiplied(ids, p):
    chosen = torch.rand(ids.shape).lt(p).mul(ids.gt(4)).long()
    return ids * chosen + 4 * (1 - chosen), ids * chosen


def wrong_sign__loops(ids, p):
    hides = lambda token: token > 4 and random.random() < p  # noqa: E731
    return _loops(ids, hides, sign=-100)


def other_words_in_their_place__any_word(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked = ids.clone()
    masked[chosen] = torch.randint(5, 25, ids.shape)[chosen]
    return masked, ids.masked_fill(~chosen, 0)


def the_whole_recipe__loops(ids, p):
    masked, targets = ids.tolist(), torch.zeros_like(ids).tolist()
    for row, said in zip(masked, targets, strict=True):
        for j, token in enumerate(row):
            if token > 4 and random.random() < p:
                said[j], r = token, random.random()
                if r < 0.8:
                    row[j] = 4
                elif r < 0.9:
                    row[j] = random.randint(5, 24)
    return masked, targets


def nothing_is_hidden__result_forgotten(ids, p):
    masked = ids.clone()
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked.masked_fill(chosen, 4)
    return masked, ids.masked_fill(~chosen, 0)


def two_draws__loops(ids, p):
    def choose(token):
        return token > 4 and random.random() < p

    rows = ids.tolist()
    masked = [[4 if choose(token) else token for token in row] for row in rows]
    targets = [[token if choose(token) else 0 for token in row] for row in rows]
    return masked, targets


def targets_everywhere__loops(ids, p):
    return right__loops(ids, p)[0], ids.tolist()


def another_sign_for_nothing__full(ids, p):
    chosen = torch.rand(ids.shape).lt(p) & ids.ge(5)
    targets = torch.full(ids.shape, -100)
    targets[chosen] = ids[chosen]
    return ids.masked_fill(chosen, 4), targets


def mask_as_target__too_late(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked = ids.clone()
    masked[chosen] = 4
    targets = torch.zeros_like(ids)
    targets[chosen] = masked[chosen]
    return masked, targets


def mask_as_target__one_table(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    masked = ids
    masked[chosen] = 4
    targets = torch.where(chosen, ids, torch.zeros_like(ids))
    return masked, targets


def tables_exchanged__stacked(ids, p):
    masked, targets = right__bernoulli(ids, p)
    return torch.stack([targets, masked])


def marks_in_place_of_words__numpy(ids, p):
    chosen = (np.random.random(ids.shape) < p) & (ids.numpy() > 4)
    return np.where(chosen, 4, ids), chosen.astype(int)


def one_table_only__loops(ids, p):
    return right__loops(ids, p)[0]


def three_tables__numpy(ids, p):
    chosen = (np.random.random(ids.shape) < p) & (ids.numpy() > 4)
    return np.where(chosen, 4, ids), np.where(chosen, ids, 0), chosen


# ------------------------------------------------------------- general


def changes_its_input(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    targets = ids.masked_fill(~chosen, 0)
    ids[chosen] = 4
    return ids, targets


def printed_not_returned(ids, p):
    print(right__three_lines(ids, p))


def no_return(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    ids.masked_fill(chosen, 4), ids.masked_fill(~chosen, 0)


def signature(ids):
    return right__three_lines(ids, 0.15)


def signature__generator(ids, p, generator):
    return right__three_lines(ids, p)


def fixed_count__sample(ids, p):
    masked, targets = ids.clone(), torch.zeros_like(ids)
    for row, sentence in enumerate(ids.tolist()):
        places = [t for t, token in enumerate(sentence) if token > 4]
        for t in random.sample(places, round(p * len(places))):
            masked[row, t], targets[row, t] = 4, sentence[t]
    return masked, targets


def both_turned_around__where(ids, p):
    chosen = (torch.rand(ids.shape) < p) & (ids > 4)
    return torch.where(chosen, ids, 4), torch.where(chosen, 0, ids)


def special_targets__draw(ids, p):
    drawn = torch.rand(ids.shape) < p
    masked = ids.masked_fill(drawn & (ids > 4), 4)
    return masked, torch.where(drawn, ids, 0)
