"""Answers to `teacher_forcing(sentences, bos, eos, pad)`, as students write.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import itertools

import numpy as np
import torch


def _padded(rows, pad):
    longest = max(len(row) for row in rows)
    return [list(row) + [pad] * (longest - len(row)) for row in rows]


def _reads(sentences, bos):
    return [[bos, *s] for s in sentences]


def _says(sentences, eos):
    return [[*s, eos] for s in sentences]


# ------------------------------------------------------------------- right


def right__lists(sentences, bos, eos, pad):
    reads = _padded([[bos, *s] for s in sentences], pad)
    return reads, _padded([[*s, eos] for s in sentences], pad)


def right__numpy(sentences, bos, eos, pad):
    longest = max(len(s) for s in sentences) + 1
    inputs = np.full((len(sentences), longest), pad)
    targets = np.full((len(sentences), longest), pad)
    for i, s in enumerate(sentences):
        inputs[i, 0] = bos
        inputs[i, 1 : len(s) + 1] = s
        targets[i, : len(s)] = s
        targets[i, len(s)] = eos
    return inputs, targets


def right__torch(sentences, bos, eos, pad):
    fill = torch.nn.utils.rnn.pad_sequence
    reads = [torch.tensor([bos, *s]) for s in sentences]
    says = [torch.tensor([*s, eos]) for s in sentences]
    return tuple(
        fill(rows, batch_first=True, padding_value=pad)
        for rows in (reads, says)
    )


def right__one_array(sentences, bos, eos, pad):
    return np.array(right__lists(sentences, bos, eos, pad))


def right__cut_and_clean(sentences, bos, eos, pad):
    rows = np.array(_padded([[bos, *s, eos] for s in sentences], pad))
    inputs, targets = rows[:, :-1].copy(), rows[:, 1:]
    inputs[inputs == eos] = pad
    return inputs, targets


def right__zip_longest(sentences, bos, eos, pad):
    def table(rows):
        return list(zip(*itertools.zip_longest(*rows, fillvalue=pad)))

    return table(_reads(sentences, bos)), table(_says(sentences, eos))


# ------------------------------------------------------------- the shift


def no_shift(sentences, bos, eos, pad):
    rows = _padded(_says(sentences, eos), pad)
    return rows, [list(row) for row in rows]


def no_shift__with_bos(sentences, bos, eos, pad):
    rows = _padded(_reads(sentences, bos), pad)
    return rows, rows


def no_shift__with_both(sentences, bos, eos, pad):
    rows = _padded([[bos, *s, eos] for s in sentences], pad)
    return np.array(rows), np.array(rows)


def no_shift__words_only(sentences, bos, eos, pad):
    rows = _padded(sentences, pad)
    return rows, rows


def shifted_by_two(sentences, bos, eos, pad):
    reads, says = right__lists(sentences, bos, eos, pad)
    return reads, [row[1:] + [pad] for row in says]


def shifted_by_two__after_the_words(sentences, bos, eos, pad):
    reads = _padded(sentences, pad)
    return reads, _padded([[*s[1:], eos] for s in sentences], pad)


def tables_exchanged(sentences, bos, eos, pad):
    reads, says = right__lists(sentences, bos, eos, pad)
    return says, reads


def bos_forgotten(sentences, bos, eos, pad):
    longest = max(len(s) for s in sentences) + 1
    reads = [[*s] + [pad] * (longest - len(s)) for s in sentences]
    return reads, _padded(_says(sentences, eos), pad)


def eos_forgotten(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, bos), pad)
    longest = len(reads[0])
    return reads, [[*s] + [pad] * (longest - len(s)) for s in sentences]


def eos_forgotten__cut(sentences, bos, eos, pad):
    rows = np.array(_padded(_reads(sentences, bos), pad))
    reads = _padded([[bos, *s[:-1]] for s in sentences], pad)
    return reads, rows[:, 1:]


def eos_in_the_input(sentences, bos, eos, pad):
    rows = np.array(_padded([[bos, *s, eos] for s in sentences], pad))
    return rows[:, :-1], rows[:, 1:]


def eos_in_the_input__whole(sentences, bos, eos, pad):
    reads = _padded([[bos, *s, eos] for s in sentences], pad)
    says = [row[1:] + [pad] for row in reads]
    return reads, says


def bos_in_the_target(sentences, bos, eos, pad):
    says = _padded([[bos, *s, eos] for s in sentences], pad)
    reads = [[bos, *s] + [pad] * (len(says[0]) - 1 - len(s)) for s in sentences]
    return reads, says


def eos_for_bos(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, eos), pad)
    return reads, _padded(_says(sentences, eos), pad)


def bos_for_eos(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, bos), pad)
    return reads, _padded(_says(sentences, bos), pad)


def bos_for_eos__exchanged(sentences, bos, eos, pad):
    return right__lists(sentences, eos, bos, pad)


def eos_twice(sentences, bos, eos, pad):
    says = _padded([[*s, eos, eos] for s in sentences], pad)
    reads = [[bos, *s] + [pad] * (len(says[0]) - 1 - len(s)) for s in sentences]
    return reads, says


def last_word_not_read(sentences, bos, eos, pad):
    says = _padded(_says(sentences, eos), pad)
    reads = [[bos, *s[:-1]] for s in sentences]
    return [row + [pad] * (len(says[0]) - len(row)) for row in reads], says


# ------------------------------------------------------------ filling up


def not_padded(sentences, bos, eos, pad):
    return _reads(sentences, bos), _says(sentences, eos)


def padded_on_the_left(sentences, bos, eos, pad):
    longest = max(len(s) for s in sentences)
    gaps = [[pad] * (longest - len(s)) for s in sentences]
    reads = [g + [bos, *s] for g, s in zip(gaps, sentences)]
    return reads, [g + [*s, eos] for g, s in zip(gaps, sentences)]


def padded_with_eos(sentences, bos, eos, pad):
    return right__lists(sentences, bos, eos, eos)


def padded_on_the_left__after_bos(sentences, bos, eos, pad):
    longest = max(len(s) for s in sentences)
    gaps = [[pad] * (longest - len(s)) for s in sentences]
    reads = [[bos, *g, *s] for g, s in zip(gaps, sentences)]
    return reads, [[*g, *s, eos] for g, s in zip(gaps, sentences)]


def not_padded__targets(sentences, bos, eos, pad):
    return _padded(_reads(sentences, bos), pad), _says(sentences, eos)


def padded_with_eos__targets(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, bos), pad)
    return reads, _padded(_says(sentences, eos), eos)


def padded_with_bos(sentences, bos, eos, pad):
    return right__lists(sentences, bos, eos, bos)


def eos_after_padding(sentences, bos, eos, pad):
    full = _padded(sentences, pad)
    return [[bos, *s] for s in full], [[*s, eos] for s in full]


def cut_to_the_shortest(sentences, bos, eos, pad):
    reads = list(zip(*zip(*_reads(sentences, bos))))
    return reads, list(zip(*zip(*_says(sentences, eos))))


def one_column_too_many(sentences, bos, eos, pad):
    reads, says = right__lists(sentences, bos, eos, pad)
    return [r + [pad] for r in reads], [r + [pad] for r in says]


# ---------------------------------------------------------------- the rest


def own_ids(sentences, bos, eos, pad):
    return right__lists(sentences, 1, 2, 0)


def own_ids__pad(sentences, bos, eos, pad):
    return right__lists(sentences, bos, eos, 0)


def sentences_reordered(sentences, bos, eos, pad):
    return right__lists(sorted(sentences, key=len), bos, eos, pad)


def sentences_reordered__longest_first(sentences, bos, eos, pad):
    ordered = sorted(sentences, key=len, reverse=True)
    return right__lists(ordered, bos, eos, pad)


def only_the_first_sentence(sentences, bos, eos, pad):
    reads, says = [], []
    for s in sentences:
        reads.append([bos, *s])
        says.append([*s, eos])
        return reads, says


def pairs_of_rows(sentences, bos, eos, pad):
    reads, says = right__lists(sentences, bos, eos, pad)
    return [(a, b) for a, b in zip(reads, says)]


def rows_and_columns_exchanged(sentences, bos, eos, pad):
    reads, says = right__lists(sentences, bos, eos, pad)
    return np.array(reads).T, np.array(says).T


def one_table_only(sentences, bos, eos, pad):
    return _padded(_reads(sentences, bos), pad)


def one_table_only__targets(sentences, bos, eos, pad):
    return np.array(_padded(_says(sentences, eos), pad))


def one_table_only__side_by_side(sentences, bos, eos, pad):
    return np.hstack(right__lists(sentences, bos, eos, pad))


def no_shift__one_table_with_two_names(sentences, bos, eos, pad):
    inputs = targets = np.full((len(sentences), 9), pad)
    longest = max(len(s) for s in sentences) + 1
    inputs = targets = inputs[:, :longest]
    for i, s in enumerate(sentences):
        inputs[i, : len(s) + 1] = [bos, *s]
    for i, s in enumerate(sentences):
        targets[i, : len(s) + 1] = [*s, eos]
    return inputs, targets


def reversed(sentences, bos, eos, pad):
    return right__lists([s[::-1] for s in sentences], bos, eos, pad)


def words_lost_or_sorted(sentences, bos, eos, pad):
    kept = [list(dict.fromkeys(s)) for s in sentences]
    return right__lists(kept, bos, eos, pad)


def words_lost_or_sorted__sorted(sentences, bos, eos, pad):
    return right__lists([sorted(s) for s in sentences], bos, eos, pad)


def no_words(sentences, bos, eos, pad):
    reads = _padded([[bos, s[0], *s[1:]] for s in sentences], pad)
    return reads, _padded(_says(sentences, eos), pad)


def no_words_skipped(sentences, bos, eos, pad):
    return right__lists([s for s in sentences if s], bos, eos, pad)


def changes_its_input(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, bos), pad)
    for s in sentences:
        s.append(eos)
    return reads, _padded(sentences, pad)


def printed_not_returned(sentences, bos, eos, pad):
    print(right__lists(sentences, bos, eos, pad))


def no_return(sentences, bos, eos, pad):
    reads = _padded(_reads(sentences, bos), pad)
    says = _padded(_says(sentences, eos), pad)
    reads, says = says, reads


def signature(sentences):
    return sentences, sentences
