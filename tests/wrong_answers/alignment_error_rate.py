"""Answers to `alignment_error_rate(A, sure, possible)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

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


# ------------------------------------------------------------------ result


def share_right(A, sure, possible):
    return (len(A & sure) + len(A & possible)) / (len(A) + len(sure))


def percent(A, sure, possible):
    return 100 * right__sets(A, sure, possible)


def sign_turned(A, sure, possible):
    return (len(A & sure) + len(A & possible)) / (len(A) + len(sure)) - 1


def count_of_hits(A, sure, possible):
    return len(A & sure) + len(A & possible)


def rounded(A, sure, possible):
    return round(right__sets(A, sure, possible))


def rounded__one_decimal(A, sure, possible):
    return round(right__loops(A, sure, possible), 1)


def rounded__two_decimals(A, sure, possible):
    return round(right__sets(A, sure, possible), 2)


def rounded__three_decimals(A, sure, possible):
    return round(right__loops(A, sure, possible), 3)


def whole_number_division(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) // (len(A) + len(sure))


# -------------------------------------------------------------------- hits


def possible_ignored(A, sure, possible):
    return 1 - 2 * len(A & sure) / (len(A) + len(sure))


def possible_ignored__overwritten(A, sure, possible):
    possible = sure
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))


def sure_ignored_above(A, sure, possible):
    return 1 - 2 * len(A & possible) / (len(A) + len(sure))


def sure_ignored_above__union(A, sure, possible):
    sure_too = sure | possible
    hits = len(A & sure_too) + len(A & possible)
    return 1 - hits / (len(A) + len(sure))


def only_sure_hits(A, sure, possible):
    return 1 - len(A & sure) / (len(A) + len(sure))


def only_possible_hits(A, sure, possible):
    return 1 - len(A & possible) / (len(A) + len(sure))


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


# ------------------------------------------------------------------- whole


def precision_only__guarded(A, sure, possible):
    return 1 - len(A & possible) / len(A) if A else 1


def precision_only__two_hits_guarded(A, sure, possible):
    if not A:
        return 1
    return 1 - (len(A & sure) + len(A & possible)) / (2 * len(A))


def brackets_missing__below(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / len(A) + len(sure)


def brackets_missing__below_guarded(A, sure, possible):
    if not A:
        return 1
    return 1 - (len(A & sure) + len(A & possible)) / len(A) + len(sure)


def brackets_missing__above(A, sure, possible):
    return 1 - len(A & sure) + len(A & possible) / (len(A) + len(sure))


def brackets_missing__all(A, sure, possible):
    return 1 - len(A & sure) + len(A & possible) / len(A) + len(sure)


def brackets_missing__1_above_the_line(A, sure, possible):
    return (1 - (len(A & sure) + len(A & possible))) / (len(A) + len(sure))


def nothing_sure_is_special(A, sure, possible):
    return right__sets(A, sure, possible) if sure else 0.0


def nothing_sure_is_special__one(A, sure, possible):
    return right__sets(A, sure, possible) if sure else 1.0


def divided_by_possible(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(possible))


def divided_by_possible__and_sure(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    return 1 - hits / (len(sure) + len(possible))


def divided_by_all_three(A, sure, possible):
    total = len(A) + len(sure) + len(possible)
    return 1 - (len(A & sure) + len(A & possible)) / total


def precision_only(A, sure, possible):
    return 1 - len(A & possible) / len(A)


def precision_only__nan(A, sure, possible):
    with np.errstate(all="ignore"):
        return 1 - np.float64(len(A & possible)) / len(A)


def recall_only(A, sure, possible):
    return 1 - len(sure & A) / len(sure)


def recall_only__loop(A, sure, possible):
    missed = 0
    for link in sure:
        if link not in A:
            missed += 1
    return missed / len(sure)


def one_size_below(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / len(A)


def one_size_below__sure(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / len(sure)


def mean_of_precision_and_recall(A, sure, possible):
    precision = len(A & possible) / len(A)
    recall = len(A & sure) / len(sure)
    return 1 - (precision + recall) / 2


def f_measure(A, sure, possible):
    precision = len(A & possible) / len(A)
    recall = len(A & sure) / len(sure)
    return 1 - 2 * precision * recall / (precision + recall)


def brackets_missing(A, sure, possible):
    return 1 - (len(A & sure) / len(sure) + len(A & possible) / len(A))


def union_below(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / len(A | sure)


def union_below__jaccard(A, sure, possible):
    return 1 - len(A & sure) / len(A | sure)


def larger_size_below(A, sure, possible):
    hits = len(A & sure) + len(A & possible)
    return 1 - hits / (2 * max(len(A), len(sure)))


def sizes_multiplied(A, sure, possible):
    return 1 - (len(A & sure) + len(A & possible)) / (len(A) * len(sure))


# ------------------------------------------------------------------- links


def divided_by_possible__exchanged(A, sure, possible):
    return right__sets(A, possible, sure)


def found_and_sure_exchanged(A, sure, possible):
    return right__sets(sure, A, possible)


def links_turned(A, sure, possible):
    return right__sets({(t, s) for s, t in A}, sure, possible)


def positions_not_links(A, sure, possible):
    words = [{s for s, _ in links} for links in (A, sure, possible)]
    return right__sets(*words)


def positions_not_links__targets(A, sure, possible):
    words = [{link[1] for link in links} for links in (A, sure, possible)]
    return right__sets(*words)


def shifted_by_one(A, sure, possible):
    return right__sets({(s, t + 1) for s, t in A}, sure, possible)


def shifted_by_one__back(A, sure, possible):
    return right__sets({(s, t - 1) for s, t in A}, sure, possible)


def nothing_found_is_perfect(A, sure, possible):
    if not A:
        return 0.0
    return right__sets(A, sure, possible)


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
