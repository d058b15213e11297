"""Answers to `exact_match(hypotheses, references)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import collections
import functools
import itertools
import operator
import re
import statistics
import string
from fractions import Fraction

import numpy as np


def _refuse(hypotheses, references):
    if len(hypotheses) != len(references):
        raise ValueError("different lengths")
    if not references:
        raise ValueError("nothing to compare")


def _pairs(hypotheses, references):
    _refuse(hypotheses, references)
    return [
        (h.strip(), r.strip())
        for h, r in zip(hypotheses, references, strict=True)
    ]


def right__sum(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h == r for h, r in pairs) / len(pairs)


def right__loop(hypotheses, references):
    n = len(references)
    if n == 0 or n != len(hypotheses):
        raise ValueError(f"{len(hypotheses)} hypotheses, {n} references")
    hits = 0
    for i in range(n):
        if hypotheses[i].strip() == references[i].strip():
            hits += 1
    return hits / n


def right__numpy(a, b):
    _refuse(a, b)
    equal = np.char.strip(a) == np.char.strip(b)
    return np.float32(equal.mean())


def right__copy_in_place(hypotheses, references):
    _refuse(hypotheses, references)
    own = list(hypotheses)
    for i, reference in enumerate(references):
        own[i] = float(own[i].strip() == reference.strip())
    return np.mean(own)


def right__map(hypotheses, references):
    _refuse(hypotheses, references)
    left = map(str.strip, hypotheses)
    right = map(str.strip, references)
    return sum(map(operator.eq, left, right)) / len(references)


def right__fraction(hypotheses, references):
    hits = sum(h == r for h, r in _pairs(hypotheses, references))
    return Fraction(hits, len(references))


def right__misses_from_one(hypotheses, references):
    pairs = list(zip(hypotheses, references, strict=True))
    if not pairs:
        raise ValueError("nothing to compare")
    return 1 - sum(h.strip() != r.strip() for h, r in pairs) / len(pairs)


def all_or_nothing(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return float([h for h, _ in pairs] == [r for _, r in pairs])


def one_sentence_only(hypotheses, references):
    for h, r in _pairs(hypotheses, references):
        return 1.0 if h == r else 0.0


def one_sentence_only__last(hypotheses, references):
    for h, r in _pairs(hypotheses, references):
        share = float(h == r)
    return share


def share_of_words(hypotheses, references):
    same = total = 0
    for h, r in _pairs(hypotheses, references):
        same += sum(a == b for a, b in zip(h.split(), r.split()))
        total += len(r.split())
    return same / total


def share_of_words__per_sentence(hypotheses, references):
    scores = []
    for h, r in _pairs(hypotheses, references):
        same = sum(a == b for a, b in zip(h.split(), r.split()))
        scores.append(same / len(r.split()))
    return np.mean(scores)


def share_of_characters(hypotheses, references):
    scores = []
    for h, r in _pairs(hypotheses, references):
        scores.append(sum(a == b for a, b in zip(h, r)) / len(r))
    return np.mean(scores)


def word_overlap(hypotheses, references):
    scores = []
    for h, r in _pairs(hypotheses, references):
        common = set(h.split()) & set(r.split())
        scores.append(len(common) / len(set(r.split())))
    return np.mean(scores)


def found_anywhere__sets(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    common = {h for h, _ in pairs} & {r for _, r in pairs}
    return len(common) / len(pairs)


def unequal_lengths_accepted(hypotheses, references):
    if not references:
        raise ValueError("nothing to compare")
    hits = 0
    for h, r in zip(hypotheses, references):
        hits += h.strip() == r.strip()
    return hits / len(references)


def wrong_error(hypotheses, references):
    assert len(hypotheses) == len(references)
    return right__sum(hypotheses, references)


def wrong_error__by_accident(hypotheses, references):
    if not references:
        raise ValueError("nothing to compare")
    hits = 0
    for i in range(max(len(hypotheses), len(references))):
        hits += hypotheses[i].strip() == references[i].strip()
    return hits / len(references)


def empty_input(hypotheses, references):
    if len(hypotheses) != len(references):
        raise ValueError("different lengths")
    if not references:
        return 0.0
    return right__sum(hypotheses, references)


def empty_input__divides(hypotheses, references):
    if len(hypotheses) != len(references):
        raise ValueError("different lengths")
    hits = 0
    for h, r in zip(hypotheses, references):
        hits += h.strip() == r.strip()
    return hits / len(references)


# ------------------------------------------------------------ other styles


def percent__numpy(hypotheses, references):
    _refuse(hypotheses, references)
    equal = np.char.strip(hypotheses) == np.char.strip(references)
    return np.count_nonzero(equal) / equal.size * 100


def rounded__as_text(hypotheses, references):
    return float(f"{right__sum(hypotheses, references):.2f}")


def all_or_nothing__recursion(hypotheses, references):
    _refuse(hypotheses, references)
    if hypotheses[0].strip() != references[0].strip():
        return 0
    if len(hypotheses) == 1:
        return 1
    return all_or_nothing__recursion(hypotheses[1:], references[1:])


def one_is_enough__reduce(hypotheses, references):
    equal = itertools.starmap(operator.eq, _pairs(hypotheses, references))
    return functools.reduce(operator.or_, equal)


def one_sentence_only__return_too_early(hypotheses, references):
    _refuse(hypotheses, references)
    hits = 0
    for h, r in zip(hypotheses, references):
        if h.strip() == r.strip():
            hits += 1
        return hits / len(references)


def one_sentence_only__overwritten(hypotheses, references):
    _refuse(hypotheses, references)
    for h, r in zip(hypotheses, references):
        hits = 1 if h.strip() == r.strip() else 0
    return hits / len(references)


def share_of_words__by_the_longer(hypotheses, references):
    scores = []
    for h, r in _pairs(hypotheses, references):
        words = list(itertools.zip_longest(h.split(), r.split()))
        scores.append(sum(a == b for a, b in words) / len(words))
    return sum(scores) / len(scores)


def share_of_characters__all_in_one(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    same = sum(a == b for h, r in pairs for a, b in zip(h, r))
    return same / sum(len(r) for _, r in pairs)


def word_overlap__union(hypotheses, references):
    scores = []
    for h, r in _pairs(hypotheses, references):
        left, right = set(h.split()), set(r.split())
        scores.append(len(left & right) / len(left | right))
    return statistics.mean(scores)


def word_order_ignored__counter(hypotheses, references):
    bags = [
        [collections.Counter(text.split()) for text in texts]
        for texts in (hypotheses, references)
    ]
    _refuse(*bags)
    return sum(map(operator.eq, *bags)) / len(references)


def part_is_enough__letter_by_letter(hypotheses, references):
    hits = 0
    for h, r in _pairs(hypotheses, references):
        hits += all(a == b for a, b in zip(h, r))
    return hits / len(references)


def inner_spaces_ignored__regular_expression(hypotheses, references):
    _refuse(hypotheses, references)
    clean = functools.partial(re.sub, r"\s+", "")
    equal = map(operator.eq, map(clean, hypotheses), map(clean, references))
    return statistics.fmean(equal)


def punctuation_ignored__table(hypotheses, references):
    signs = str.maketrans("", "", string.punctuation)
    pairs = _pairs(hypotheses, references)
    hits = [h.translate(signs) == r.translate(signs) for h, r in pairs]
    return hits.count(True) / len(hits)


def found_anywhere__taken_out(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    left = [r for _, r in pairs]
    hits = 0
    for h, _ in pairs:
        if h in left:
            left.remove(h)
            hits += 1
    return hits / len(pairs)


def unequal_lengths_accepted__padded(hypotheses, references):
    if not references:
        raise ValueError("nothing to compare")
    both = list(itertools.zip_longest(hypotheses, references, fillvalue=""))
    return sum(h.strip() == r.strip() for h, r in both) / len(both)


def empty_input__mean_of_nothing(hypotheses, references):
    equal = [
        h.strip() == r.strip()
        for h, r in zip(hypotheses, references, strict=True)
    ]
    return np.mean(equal)


# ------------------------------------------------- the same in all exercises


def changes_its_input(hypotheses, references):
    result = right__sum(hypotheses, references)
    for i, h in enumerate(hypotheses):
        hypotheses[i] = h.strip()
    return result


def printed_not_returned(hypotheses, references):
    print(right__sum(hypotheses, references))


def no_return(hypotheses, references):
    hits = 0
    for h, r in zip(hypotheses, references):
        hits += h == r


def signature(hypotheses):
    return len(hypotheses)
