"""Answers to `pe(n, d)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import math

import numpy as np
import torch


def _woven(angle):
    """Sines and cosines of (n, d / 2) angles, pair after pair."""
    table = np.empty((len(angle), 2 * angle.shape[1]))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def _angle(n, d):
    return np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)


def right__slices(n, d):
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(_angle(n, d))
    table[:, 1::2] = np.cos(_angle(n, d))
    return table


def right__loops(n, d):
    table = []
    for pos in range(n):
        row = []
        for i in range(d // 2):
            angle = pos / 10000 ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return table


def right__columns(n, d):
    table = np.zeros((n, d))
    for j in range(d):
        angle = np.arange(n) / 10000 ** ((j - j % 2) / d)
        table[:, j] = np.cos(angle) if j % 2 else np.sin(angle)
    return table


def right__exp_log(n, d):
    speed = np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d))
    return _woven(np.arange(n)[:, None] * speed)


def right__stack(n, d):
    angle = _angle(n, d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)


def right__where(n, d):
    j = np.arange(d)
    angle = np.outer(np.arange(n), 1e4 ** (-(j // 2) / (d // 2)))
    return np.where(j % 2, np.cos(angle), np.sin(angle))


def right__shifted_sine(n, d):
    j = np.arange(d)
    angle = np.arange(n)[:, None] / 10000 ** (2 * (j // 2) / d)
    return np.sin(angle + (j % 2) * np.pi / 2)


def right__torch(n, d):
    position = torch.arange(n).unsqueeze(1)
    speed = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table


def right__turned_step_by_step(n, d):
    speed = 10000.0 ** (-np.arange(0, d, 2) / d)
    hands, rows = np.ones(d // 2, dtype=complex), []
    for _ in range(n):
        rows.append(np.stack([hands.imag, hands.real], axis=1).ravel())
        hands = hands * np.exp(1j * speed)
    return np.array(rows)


def right__keyword_only(*, n, d):
    return right__slices(n, d)


def base_1000(n, d):
    return _woven(np.arange(n)[:, None] / 1000 ** (np.arange(0, d, 2) / d))


def base_1000__loops(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            table[pos, i] = math.sin(pos / 1000 ** (i / d))
            table[pos, i + 1] = math.cos(pos / 1000 ** (i / d))
    return table


def another_base(n, d):
    return _woven(np.arange(n)[:, None] / 100000 ** (np.arange(0, d, 2) / d))


def another_base__ten(n, d):
    return _woven(np.arange(n)[:, None] / 10 ** (np.arange(0, d, 2) / d))


def base_e(n, d):
    return _woven(np.arange(n)[:, None] * np.exp(-np.arange(0, d, 2) / d))


def another_logarithm(n, d):
    speed = np.exp(np.arange(0, d, 2) * (-np.log10(10000) / d))
    return _woven(np.arange(n)[:, None] * speed)


def another_logarithm__two(n, d):
    speed = np.exp(np.arange(0, d, 2) * (-np.log2(10000) / d))
    return _woven(np.arange(n)[:, None] * speed)


def size_as_base(n, d):
    return _woven(np.arange(n)[:, None] / d ** (np.arange(0, d, 2) / d))


def size_as_base__length(n, d):
    return _woven(np.arange(n)[:, None] / n ** (np.arange(0, d, 2) / d))


def exponent_halved(n, d):
    return _woven(np.arange(n)[:, None] / 10000 ** (np.arange(d // 2) / d))


def exponent_halved__base_100(n, d):
    return _woven(np.arange(n)[:, None] / 100 ** (np.arange(0, d, 2) / d))


def exponent_doubled(n, d):
    i = np.arange(0, d, 2)
    return _woven(np.arange(n)[:, None] / 10000 ** (2 * i / d))


def exponent_doubled__loops(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            angle = pos / 10000 ** (2 * i / d)
            table[pos, i : i + 2] = math.sin(angle), math.cos(angle)
    return table


def each_column_its_own_speed(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for j in range(d):
            angle = pos / 10000 ** (j / d)
            table[pos, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return table


def doubled_and_own_speed(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            table[pos, i] = math.sin(pos / 10000 ** (2 * i / d))
            table[pos, i + 1] = math.cos(pos / 10000 ** (2 * (i + 1) / d))
    return table


def cosine_one_pair_further(n, d):
    table = np.zeros((n, d))
    for i in range(d // 2):
        table[:, 2 * i] = np.sin(np.arange(n) / 10000 ** (2 * i / d))
        table[:, 2 * i + 1] = np.cos(np.arange(n) / 10000 ** (2 * (i + 1) / d))
    return table


def pairs_counted_from_one(n, d):
    i = np.arange(1, d // 2 + 1)
    return _woven(np.arange(n)[:, None] / 10000 ** (2 * i / d))


def stretched_to_10000(n, d):
    power = np.arange(d // 2) / max(d // 2 - 1, 1)
    return _woven(np.arange(n)[:, None] / 10000**power)


def stretched_to_10000__linspace(n, d):
    return _woven(np.arange(n)[:, None] / 10000 ** np.linspace(0, 1, d // 2))


def stretched_to_10000__one_column_less(n, d):
    power = np.arange(0, d, 2) / (d - 1)
    return _woven(np.arange(n)[:, None] / 10000**power)


def all_pairs_alike(n, d):
    i = np.arange(d // 2)
    return _woven(np.arange(n)[:, None] / 10000 ** (2 * i // d))


def all_pairs_alike__no_power(n, d):
    return _woven(np.tile(np.arange(n)[:, None], d // 2))


def not_divided_by_d(n, d):
    i = np.arange(0, d, 2, dtype=float)
    return _woven(np.arange(n)[:, None] / 10000**i)


def divided_by_n(n, d):
    return _woven(np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / n))


def slow_pairs_first(n, d):
    return _woven(_angle(n, d)[:, ::-1])


def exponent_upside_down(n, d):
    with np.errstate(all="ignore"):
        power = np.divide(d, np.arange(0, d, 2))
    return _woven(np.arange(n)[:, None] / 10000**power)


def multiplied(n, d):
    return _woven(np.arange(n)[:, None] * 10000 ** (np.arange(0, d, 2) / d))


def multiplied__sign_lost(n, d):
    speed = np.exp(np.arange(0, d, 2) * (np.log(10000.0) / d))
    return _woven(np.arange(n)[:, None] * speed)


def whole_fraction_raised(n, d):
    return _woven((np.arange(n)[:, None] / 10000) ** (np.arange(0, d, 2) / d))


def position_raised(n, d):
    return _woven(np.arange(n)[:, None] ** (np.arange(0, d, 2) / d) / 10000)


def base_and_exponent_exchanged(n, d):
    return _woven(np.arange(n)[:, None] / (np.arange(0, d, 2) / d) ** 10000)


def base_and_exponent_exchanged__small(n, d):
    return _woven(np.arange(n)[:, None] * (np.arange(0, d, 2) / d) ** 1e-4)


def product_not_power(n, d):
    return _woven(np.arange(n)[:, None] / (10000 * (np.arange(0, d, 2) / d)))


def brackets_around_the_exponent(n, d):
    i = np.arange(d // 2)
    return _woven(np.arange(n)[:, None] / 10000**2 * i / d)


def brackets_around_the_exponent__below(n, d):
    i = np.arange(d // 2)
    return _woven(np.arange(n)[:, None] / (10000**2 * i / d))


def divided_by_10000_alone(n, d):
    return _woven(np.tile(np.arange(n)[:, None] / 10000, d // 2))


def added_to_the_angle(n, d):
    speed = 1 / 10000 ** (np.arange(0, d, 2) / d)
    return _woven(np.arange(n)[:, None] + speed)


def positions_from_one(n, d):
    speed = 1 / 10000 ** (np.arange(0, d, 2) / d)
    return _woven(np.arange(1, n + 1)[:, None] * speed)


def positions_backward(n, d):
    return right__slices(n, d)[::-1]


def share_of_the_length(n, d):
    return _woven(_angle(n, d) / n)


def share_of_the_length__linspace(n, d):
    speed = 1 / 10000 ** (np.arange(0, d, 2) / d)
    return _woven(np.linspace(0, 1, n)[:, None] * speed)


def same_row_everywhere(n, d):
    angle = n / 10000 ** (np.arange(0, d, 2) / d)
    return _woven(np.tile(angle, (n, 1)))


def degrees(n, d):
    return _woven(np.deg2rad(_angle(n, d)))


def angle_in_turns(n, d):
    return _woven(2 * np.pi * _angle(n, d))


def angle_in_turns__half(n, d):
    return _woven(np.pi * _angle(n, d))


def sine_and_cosine_exchanged(n, d):
    table = np.empty((n, d))
    table[:, 0::2], table[:, 1::2] = np.cos(_angle(n, d)), np.sin(_angle(n, d))
    return table


def sines_then_cosines(n, d):
    angle = _angle(n, d)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def sines_then_cosines__stacked(n, d):
    angle = _angle(n, d)
    return np.stack([np.sin(angle), np.cos(angle)]).reshape(n, d)


def sines_then_cosines__cosines_first(n, d):
    angle = _angle(n, d)
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=1)


def sine_in_the_first_half(n, d):
    table = np.zeros((n, d))
    for j in range(d):
        wave = np.sin if j < d // 2 else np.cos
        table[:, j] = wave(np.arange(n) / 10000 ** (2 * (j // 2) / d))
    return table


def sine_everywhere(n, d):
    return np.sin(np.repeat(_angle(n, d), 2, axis=1))


def cosine_everywhere(n, d):
    return np.cos(np.repeat(_angle(n, d), 2, axis=1))


def by_even_and_odd_positions(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for j in range(d):
            angle = pos / 10000 ** (2 * (j // 2) / d)
            wave = math.sin if pos % 2 == 0 else math.cos
            table[pos, j] = wave(angle)
    return table


def cosines_missing(n, d):
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(_angle(n, d))
    return table


def sines_missing(n, d):
    table = np.zeros((n, d))
    table[:, 1::2] = np.cos(_angle(n, d))
    return table


def sine_negative(n, d):
    return _woven(-_angle(n, d))


def angles_not_waves(n, d):
    return np.repeat(_angle(n, d), 2, axis=1)


def tangent(n, d):
    return np.tan(np.repeat(_angle(n, d), 2, axis=1))


def sine_plus_cosine(n, d):
    angle = np.repeat(_angle(n, d), 2, axis=1)
    return np.sin(angle) + np.cos(angle)


def on_its_side(n, d):
    return right__slices(n, d).T


def sizes_exchanged(n, d):
    j = np.arange(n)
    angle = np.arange(d)[:, None] / 10000 ** (2 * (j // 2) / d)
    return np.where(j % 2, np.cos(angle), np.sin(angle))


def half_the_width(n, d):
    return np.sin(_angle(n, d))


def half_the_width__fewer_pairs(n, d):
    return right__slices(n, d)[:, : d // 2]


def twice_the_width(n, d):
    return _woven(np.arange(n)[:, None] / 10000 ** (2 * np.arange(d) / d))


def pairs_on_an_axis(n, d):
    return np.stack([np.sin(_angle(n, d)), np.cos(_angle(n, d))], axis=-1)


def cosines_below(n, d):
    return np.concatenate([np.sin(_angle(n, d)), np.cos(_angle(n, d))])


def one_row_too_many(n, d):
    return right__slices(n + 1, d)


def one_row_too_few(n, d):
    return right__slices(n - 1, d)


def one_row_only(n, d):
    table = right__slices(n, d)
    for row in table:
        last = row
    return last


def flat(n, d):
    return right__slices(n, d).ravel()


def batch_axis(n, d):
    return torch.tensor(right__slices(n, d)).unsqueeze(0)


def only_row_0_filled(n, d):
    table = np.zeros((n, d), dtype=int)
    table[:, 0::2] = np.sin(_angle(n, d))
    table[:, 1::2] = np.cos(_angle(n, d))
    return table


def only_row_0_filled__early_return(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for j in range(d):
            angle = pos / 10000 ** (2 * (j // 2) / d)
            table[pos, j] = math.cos(angle) if j % 2 else math.sin(angle)
        return table


def rounded(n, d):
    return right__slices(n, d).round(2)


def rounded__four(n, d):
    return np.round(right__slices(n, d), 4)


def position_zero_left_out(n, d):
    table = right__slices(n, d)
    table[0] = 0
    return table


def last_row_only(n, d):
    for pos in range(n):
        table = np.zeros((n, d))
        table[pos] = right__slices(n, d)[pos]
    return table


def rescaled(n, d):
    table = right__slices(n, d)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def rescaled__times_root(n, d):
    return right__slices(n, d) * d**0.5


def rescaled__over_root(n, d):
    return right__slices(n, d) / d**0.5


def between_zero_and_one(n, d):
    return (right__slices(n, d) + 1) / 2


def printed_not_returned(n, d):
    print(right__slices(n, d))


def no_return(n, d):
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(_angle(n, d))
    table[:, 1::2] = np.cos(_angle(n, d))


def signature(d):
    return right__slices(10, d)


def right__einsum_tensor(n, d):
    speed = 10000.0 ** (-np.arange(0, d, 2) / d)
    return torch.tensor(_woven(np.einsum("n,i->ni", np.arange(n), speed)))


def right__list_of_tensors(n, d):
    return [torch.tensor(row) for row in _woven(_angle(n, d))]


def right__columns_side_by_side(n, d):
    angle = _angle(n, d)
    pairs = [np.c_[np.sin(a), np.cos(a)] for a in angle.T]
    return np.hstack(pairs)


def stretched_to_10000__two_columns_less(n, d):
    with np.errstate(all="ignore"):
        power = np.arange(0, d, 2) / (d - 2)
    return _woven(np.arange(n)[:, None] / 10000**power)


def odd_exponents(n, d):
    i = np.arange(d // 2)
    return _woven(np.arange(n)[:, None] / 10000 ** ((2 * i + 1) / d))


def angle_in_turns__divided(n, d):
    return _woven(_angle(n, d) / (2 * np.pi))


def cosine_negative(n, d):
    table = _woven(_angle(n, d))
    table[:, 1::2] = np.sin(_angle(n, d) - np.pi / 2)
    return table


def tiled_not_repeated(n, d):
    angle, j = np.tile(_angle(n, d), 2), np.arange(d)
    return np.where(j % 2, np.cos(angle), np.sin(angle))


def pairs_written_over(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(d // 2):
            angle = pos / 10000 ** (2 * i / d)
            table[pos, i] = math.sin(angle)
            table[pos, i + 1] = math.cos(angle)
    return table


def one_row_n_times(n, d):
    table = [[0] * d] * n
    for pos in range(n):
        for i in range(d // 2):
            angle = pos / 10000 ** (2 * i / d)
            table[pos][2 * i] = math.sin(angle)
            table[pos][2 * i + 1] = math.cos(angle)
    return table


def last_pair_missing(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(d // 2 - 1):
            angle = pos / 10000 ** (2 * i / d)
            table[pos, 2 * i] = math.sin(angle)
            table[pos, 2 * i + 1] = math.cos(angle)
    return table


def divided_by_10000_alone__caret(n, d):
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(d // 2):
            angle = pos / (10000 ^ int(2 * i / d))
            table[pos, 2 * i] = math.sin(angle)
            table[pos, 2 * i + 1] = math.cos(angle)
    return table


def table_left_empty(n, d):
    table = np.zeros((n, d))
    filled = table.copy()
    filled[:, 0::2] = np.sin(_angle(n, d))
    filled[:, 1::2] = np.cos(_angle(n, d))
    return table
