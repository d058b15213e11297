"""Answers to `padding_mask(ids)`, in other styles than the part.

A function is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import numpy as np
import torch

PAD = 0


# ------------------------------------------------------------------- right


def right__index(ids):
    return (ids != PAD)[:, None, :]


def right__bool(ids):
    return ids.bool()[:, None]


def right__greater(ids):
    return ids.gt(0).unsqueeze(-2)


def right__not_equal(ids):
    mask = torch.ne(ids, PAD)
    return mask.view(mask.size(0), 1, mask.size(1))


def right__logical_not(ids):
    return torch.logical_not(torch.eq(ids, 0)).reshape(len(ids), 1, -1)


def right__in_place(ids):
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[ids == PAD] = False
    mask.unsqueeze_(1)
    return mask


def right__sentence_by_sentence(tokens):
    return torch.stack([sentence[None] != 0 for sentence in tokens])


def right__where(ids):
    return torch.where(ids == 0, False, True).unsqueeze(dim=1)


def right__only_if_there_is_padding(ids):
    mask = torch.ones(ids.shape, dtype=torch.bool, device=ids.device)
    if (ids == PAD).any():
        mask = mask & (ids != PAD)
    return mask.unsqueeze(1)


# ------------------------------------------------------------------- wrong


def mask_flipped__torch(ids):
    return ids.eq(PAD)[:, None, :]


def mask_flipped__not(ids):
    return ~ids.bool().unsqueeze(1)


def eos_taken_for_padding__number(ids):
    return torch.ne(ids, 2)[:, None]


def eos_hidden__isin(ids):
    return ~torch.isin(ids, torch.tensor([0, 2])).unsqueeze(1)


def special_tokens_hidden__ge(ids):
    return ids.ge(3).unsqueeze(-2)


def returned_ids__view(ids):
    return ids.view(len(ids), 1, -1)


def mask_of_the_first_sentence__one_row(ids):
    return ids[0].bool()


def first_sentence_only__assigned(ids):
    mask = torch.full(ids.shape, True)
    mask[0] = ids[0] != PAD
    return mask[:, None]


def hidden_wherever_any_is_padded__shortest(ids):
    shortest = int((ids != PAD).sum(1).min())
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    mask[:, :shortest] = True
    return mask.unsqueeze(1)


def hidden_only_where_all_are_padded__longest(ids):
    longest = (ids != PAD).sum(1).max()
    return (torch.arange(ids.size(1)) < longest).expand(len(ids), 1, -1)


def counted_one_wrong__less_or_equal(ids):
    lengths = ids.bool().sum(-1)
    return (torch.arange(ids.size(1)) <= lengths[:, None])[:, None]


def first_padding_searched__loop(ids):
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for b, sentence in enumerate(ids):
        mask[b, : int(torch.argmax((sentence == PAD).long()))] = True
    return mask[:, None]


def no_mask__not_stored(ids):
    mask = torch.ones_like(ids).bool().unsqueeze(1)
    mask.masked_fill(ids[:, None] == PAD, False)
    return mask


def queries_masked__index(ids):
    return (ids != PAD)[..., None]


def queries_masked_too__einsum(ids):
    real = (ids != PAD).int()
    return torch.einsum("bi,bj->bij", real, real).bool()


def a_row_for_each_query__repeat(ids):
    return (ids != PAD).unsqueeze(1).repeat(1, ids.size(1), 1)


def sentences_taken_for_queries__bool(ids):
    return ids.bool()


def axis_in_front__index(ids):
    return ids.ne(PAD)[None]


def an_axis_for_the_heads__view(ids):
    return ids.ne(PAD).view(len(ids), 1, 1, -1)


def turned__movedim(ids):
    return (ids != PAD).t()[:, None]


def causal_too__tril(ids):
    n = ids.shape[-1]
    return (ids != PAD)[:, None].expand(-1, n, n).tril()


def returned_lengths__count(ids):
    return torch.count_nonzero(ids, dim=-1)


def one_answer_for_all(ids):
    return ids is not PAD


def added_mask__float(ids):
    mask = torch.zeros(ids.shape)
    mask[ids == PAD] = -torch.inf
    return mask[:, None]


def mask_times_infinity__float(ids):
    return (ids == PAD).float()[:, None] * -torch.inf


def not_boolean__float(ids):
    return (ids != PAD).float().unsqueeze(1)


def not_boolean__clamped(ids):
    return ids.clamp(max=1)[:, None]


def not_a_tensor(ids):
    return [[[token != PAD for token in row]] for row in ids.tolist()]


def not_a_tensor__numpy(ids):
    return np.array(ids)[:, None] != PAD


def one_sentence_expected(ids):
    return (ids != PAD).all(2).unsqueeze(1)


def padding_only_on_the_right__lengths(ids):
    lengths = ids.bool().sum(-1, keepdim=True)
    return (torch.arange(ids.size(1)) < lengths)[:, None]


def padding_only_on_the_right__stops(ids):
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for b, sentence in enumerate(ids):
        for j, token in enumerate(sentence):
            if token == PAD:
                break
            mask[b, j] = True
    return mask[:, None]


def fixed_to_the_processor(ids):
    mask = torch.zeros(len(ids), 1, ids.size(1), dtype=torch.bool)
    for b, sentence in enumerate(ids):
        for j, token in enumerate(sentence):
            mask[b, 0, j] = bool(token != PAD)
    return mask


def fixed_to_the_processor__numpy(ids):
    return torch.from_numpy(np.array(ids) != PAD)[:, None]


def fixed_to_the_processor__constant(ids):
    return torch.where(ids == torch.zeros(ids.shape), False, True)[:, None]


# ----------------------------------------------------------------- general


def changes_its_input(ids):
    ids[ids > 0] = 1
    return ids.bool().unsqueeze(1)


def printed_not_returned(ids):
    print(ids != PAD)


def no_return(ids):
    (ids != PAD).unsqueeze(1)


def signature(ids, pad):
    return (ids != pad).unsqueeze(1)
