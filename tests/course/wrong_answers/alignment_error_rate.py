"""Answers to `alignment_error_rate(A, sure, possible)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import statistics
from fractions import Fraction

import numpy as np

# ------------------------------------------------------------------- right


def right__sets(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))


def right__union_of_sure_and_possible(A, sure, possible):
    hits = len(A & sure) + len(A & (sure | possible))
    return 1.0 - hits / (len(A) + len(sure))


def right__loops(A, sure, possible):
    right = 0
    for link in A:
        if link in sure:
            right += 1
        if link in possible:
            right += 1
    return (len(A) + len(sure) - right) / (len(A) + len(sure))


def right__intersection_method(A, sure, possible):
    a_s = A.intersection(sure)
    a_p = A.intersection(possible)
    return np.float32(1 - (len(a_s) + len(a_p)) / (len(A) + len(sure)))


def right__counts_errors(A, sure, possible):
    wrong = len(A - possible) + len(sure - A)
    between = len(A & possible - sure)
    # a possible hit counts once above and once below the line
    assert len(A) + len(sure) - len(A & sure) - len(A & possible) == wrong
    assert between >= 0
    return wrong / (len(A) + len(sure))


def right__special_case_for_nothing(A, sure, possible):
    if len(A) == 0:
        return 1.0
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))


# -------------------------------------------------- what gives the same


def possible_ignored__overwritten(A, sure, possible):
    possible = sure
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))


def sure_ignored_above__union(A, sure, possible):
    sure_too = sure | possible
    hits = len(A & sure_too) + len(A & possible)
    return 1 - hits / (len(A) + len(sure))


def only_possible_hits__each_link_once(A, sure, possible):
    hits = sum(link in sure or link in possible for link in A)
    return 1 - hits / (len(A) + len(sure))


def only_possible_hits__possible_without_sure(A, sure, possible):
    hits = len(A & sure) + len(A & (possible - sure))
    return 1 - hits / (len(A) + len(sure))


def only_possible_hits__joined(A, sure, possible):
    return 1 - len(A & sure | A & possible) / (len(A) + len(sure))


def possible_ignored__in_one_but_not_in_both(A, sure, possible):
    return len(A ^ sure) / (len(A) + len(sure))


def precision_only__nan(A, sure, possible):
    with np.errstate(all="ignore"):
        return 1 - np.float64(len(A & possible)) / len(A)


def recall_only__loop(A, sure, possible):
    missed = 0
    for link in sure:
        if link not in A:
            missed += 1
    return missed / len(sure)


def union_below__jaccard(A, sure, possible):
    return 1 - len(A & sure) / len(A | sure)


def divided_by_possible__exchanged(A, sure, possible):
    return right__sets(A, possible, sure)


# ------------------------------------------- the same mistakes, other styles


def share_right__loop(A, sure, possible):
    hits = 0
    for link in A:
        hits += link in sure
        hits += link in possible
    return hits / (len(A) + len(sure))


def percent__rounded_for_print(A, sure, possible):
    return round(100 * right__sets(A, sure, possible), 1)


def count_of_hits__sum(A, sure, possible):
    return sum([link in links for links in (sure, possible) for link in A])


def rounded__formatted(A, sure, possible):
    return float(f"{right__loops(A, sure, possible):.2f}")


def rounded__numpy(A, sure, possible):
    return np.around(right__sets(A, sure, possible), decimals=3)


def whole_number_division__divmod(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    share, _ = divmod(hits, len(A) + len(sure))
    return 1 - share


def possible_ignored__filter(A, sure, possible):
    right = list(filter(sure.__contains__, A))
    return 1 - (len(right) + len(right)) / (len(A) + len(sure))


def divided_by_possible__fractions(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    return 1 - Fraction(hits, len(A) + len(possible))


def divided_by_all_three__sum(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    return 1 - hits / sum(map(len, (A, sure, possible)))


def precision_only__try(A, sure, possible):
    try:
        return sum(link not in possible for link in A) / len(A)
    except ZeroDivisionError:
        return 1.0


def recall_only__guarded(A, sure, possible):
    missed = [link for link in sure if link not in A]
    return len(missed) / len(sure) if sure else 1.0


def one_size_below__guarded(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    return 1 - hits / max(len(A), 1)


def mean_of_precision_and_recall__guarded(A, sure, possible):
    precision = len(A & possible) / len(A) if A else 0.0
    recall = len(A & sure) / len(sure) if sure else 0.0
    return 1 - np.mean([precision, recall])


def f_measure__harmonic_mean(A, sure, possible):
    precision = len(A & possible) / len(A)
    recall = len(A & sure) / len(sure)
    return 1 - statistics.harmonic_mean([precision, recall])


def f_measure__guarded(A, sure, possible):
    precision = len(A & possible) / len(A) if A else 0.0
    recall = len(A & sure) / len(sure) if sure else 0.0
    if precision + recall == 0:
        return 1.0
    return 1 - 2 * precision * recall / (precision + recall)


def found_and_sure_exchanged__loop(A, sure, possible):
    right = sum((link in A) + (link in possible) for link in sure)
    return 1 - right / (len(A) + len(sure))


def links_turned__slices(A, sure, possible):
    return right__sets({link[::-1] for link in A}, sure, possible)


def positions_not_links__dicts(A, sure, possible):
    return right__sets(*(dict(links).keys() for links in (A, sure, possible)))


def shifted_by_one__arrays(A, sure, possible):
    moved = np.array(sorted(A), dtype=int).reshape(-1, 2) + [0, 1]
    return right__sets(set(map(tuple, moved.tolist())), sure, possible)


def nothing_found_is_perfect__early_return(A, sure, possible):
    if not A:
        return 0
    hits = sum((link in sure) + (link in possible) for link in A)
    return 1 - hits / (len(A) + len(sure))


def nothing_sure_is_special__try(A, sure, possible):
    try:
        1 / len(sure)
    except ZeroDivisionError:
        return 1.0
    return right__loops(A, sure, possible)


# ----------------------------------------------------------------- general


def changes_its_input(A, sure, possible):
    size = len(A)
    a_s = len(A & sure)
    A &= possible  # in place
    return 1 - (a_s + len(A)) / (size + len(sure))


def changes_its_input__pops(A, sure, possible):
    hits, size = 0, len(A)
    while A:
        link = A.pop()
        hits += (link in sure) + (link in possible)
    return 1 - hits / (size + len(sure))


def printed_not_returned(A, sure, possible):
    print(right__sets(A, sure, possible))


def no_return(A, sure, possible):
    rate = right__sets(A, sure, possible)
    rate = float(rate)


def signature(A, gold):
    return 1 - 2 * len(A & gold) / (len(A) + len(gold))


def and_of_two_sets(A, sure, possible):
    hits = len(A and sure) + len(A and possible)
    return 1 - hits / (len(A) + len(sure))


def joined_above__union(A, sure, possible):
    hits = len(A.union(sure)) + len(A.union(possible))
    return 1 - hits / (len(A) + len(sure))
