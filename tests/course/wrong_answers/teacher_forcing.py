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


# ------------------------------------------------------------------- wrong


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


def cut_to_the_shortest(sentences, bos, eos, pad):
    reads = list(zip(*zip(*_reads(sentences, bos))))
    return reads, list(zip(*zip(*_says(sentences, eos))))


def only_the_first_sentence(sentences, bos, eos, pad):
    reads, says = [], []
    for s in sentences:
        reads.append([bos, *s])
        says.append([*s, eos])
        return reads, says


def no_shift__one_table_with_two_names(sentences, bos, eos, pad):
    inputs = targets = np.full((len(sentences), 9), pad)
    longest = max(len(s) for s in sentences) + 1
    inputs = targets = inputs[:, :longest]
    for i, s in enumerate(sentences):
        inputs[i, : len(s) + 1] = [bos, *s]
    for i, s in enumerate(sentences):
        targets[i, : len(s) + 1] = [*s, eos]
    return inputs, targets


def no_words(sentences, bos, eos, pad):
    reads = _padded([[bos, s[0], *s[1:]] for s in sentences], pad)
    return reads, _padded(_says(sentences, eos), pad)


def no_words_skipped(sentences, bos, eos, pad):
    return right__lists([s for s in sentences if s], bos, eos, pad)


# ------------------------------------------- the same mistakes, other styles


def _torch_table(rows, pad, **more):
    rows = list(map(torch.tensor, rows))
    fill = torch.nn.utils.rnn.pad_sequence
    return fill(rows, batch_first=True, padding_value=pad, **more)


def _whole(sentences, bos, eos, pad):
    """An array of bos, the words and eos."""
    rows = itertools.zip_longest(
        *([bos, *s, eos] for s in sentences), fillvalue=pad
    )
    return np.array(list(rows)).T


def no_shift__clone(sentences, bos, eos, pad):
    rows = _torch_table([s + [eos] for s in sentences], pad)
    return rows, rows.clone()


def no_shift__same_cut(sentences, bos, eos, pad):
    rows = _whole(sentences, bos, eos, pad)
    return rows[:, :-1], rows[:, :-1]


def shifted_by_two__cut(sentences, bos, eos, pad):
    rows = _whole(sentences, bos, eos, pad)
    rows = np.pad(rows, ((0, 0), (0, 1)), constant_values=pad)
    reads = rows[:, :-2].copy()
    reads[reads == eos] = pad
    return reads, rows[:, 2:]


def tables_exchanged__named(sentences, bos, eos, pad):
    rows = _whole(sentences, bos, eos, pad)
    inputs, targets = rows[:, 1:], rows[:, :-1]
    return inputs, np.where(targets == eos, pad, targets)


def bos_forgotten__numpy(sentences, bos, eos, pad):
    size = len(sentences), max(map(len, sentences)) + 1
    inputs, targets = np.full(size, pad), np.full(size, pad)
    for i, s in enumerate(sentences):
        inputs[i, : len(s)] = s
        targets[i, : len(s) + 1] = np.append(s, eos)
    return inputs, targets


def eos_forgotten__numpy(sentences, bos, eos, pad):
    size = len(sentences), max(map(len, sentences)) + 1
    inputs, targets = np.full(size, pad), np.full(size, pad)
    inputs[:, 0] = bos
    for i, s in enumerate(sentences):
        for j, word in enumerate(s):
            inputs[i, j + 1] = targets[i, j] = word
    return inputs, targets


def eos_in_the_input__torch(sentences, bos, eos, pad):
    rows = _torch_table([[bos] + s + [eos] for s in sentences], pad)
    return rows[:, :-1], rows[:, 1:]


def not_padded__append(sentences, bos, eos, pad):
    inputs, targets = [], []
    for s in sentences:
        read, say = [bos], []
        for word in s:
            read.append(word)
            say.append(word)
        say.append(eos)
        inputs.append(tuple(read))
        targets.append(tuple(say))
    return inputs, targets


def padded_on_the_left__torch(sentences, bos, eos, pad):
    return (
        _torch_table(_reads(sentences, bos), pad, padding_side="left"),
        _torch_table(_says(sentences, eos), pad, padding_side="left"),
    )


def padded_on_the_left__insert(sentences, bos, eos, pad):
    reads, says = _reads(sentences, bos), _says(sentences, eos)
    for row in reads + says:
        while len(row) <= max(map(len, sentences)):
            row.insert(0, pad)
    return reads, says


def eos_after_padding__torch(sentences, bos, eos, pad):
    words = _torch_table(sentences, pad)
    ends = torch.ones(len(words), 1, dtype=torch.long)
    return (
        torch.cat([bos * ends, words], dim=1),
        torch.cat([words, eos * ends], dim=1),
    )


def own_ids__defaults_of_torch(sentences, bos, eos, pad):
    reads = [torch.tensor([bos, *s]) for s in sentences]
    says = [torch.tensor([*s, eos]) for s in sentences]
    fill = torch.nn.utils.rnn.pad_sequence
    return fill(reads, batch_first=True), fill(says, batch_first=True)


def rows_and_columns_exchanged__torch(sentences, bos, eos, pad):
    fill = torch.nn.utils.rnn.pad_sequence
    return tuple(
        fill(list(map(torch.tensor, rows)), padding_value=pad)
        for rows in (_reads(sentences, bos), _says(sentences, eos))
    )


def pairs_of_rows__recursion(sentences, bos, eos, pad):
    longest = max(map(len, sentences))

    def pairs(rest):
        if not rest:
            return []
        gap = [pad] * (longest - len(rest[0]))
        pair = [bos, *rest[0], *gap], [*rest[0], eos, *gap]
        return [pair, *pairs(rest[1:])]

    return pairs(sentences)


def words_lost_or_sorted__unique(sentences, bos, eos, pad):
    return right__numpy([np.unique(s) for s in sentences], bos, eos, pad)


def words_lost_or_sorted__set(sentences, bos, eos, pad):
    return right__lists([set(s) for s in sentences], bos, eos, pad)


def no_words__last_word(sentences, bos, eos, pad):
    reads, says = [], []
    for s in sentences:
        *first, last = s
        reads.append([bos, *first, last])
        says.append([*first, last, eos])
    return _padded(reads, pad), _padded(says, pad)


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
