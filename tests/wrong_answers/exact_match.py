"""Answers to `exact_match(hypotheses, references)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import operator
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


def percent(hypotheses, references):
    return 100 * right__sum(hypotheses, references)


def count(hypotheses, references):
    return sum(h == r for h, r in _pairs(hypotheses, references))


def share_of_misses(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h != r for h, r in pairs) / len(pairs)


def rounded(hypotheses, references):
    return round(right__sum(hypotheses, references), 2)


def all_or_nothing(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return float([h for h, _ in pairs] == [r for _, r in pairs])


def all_or_nothing__whole_division(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h == r for h, r in pairs) // len(pairs)


def one_is_enough(hypotheses, references):
    return any(h == r for h, r in _pairs(hypotheses, references))


def list_of_answers(hypotheses, references):
    return [h == r for h, r in _pairs(hypotheses, references)]


def one_sentence_only(hypotheses, references):
    for h, r in _pairs(hypotheses, references):
        return 1.0 if h == r else 0.0


def one_sentence_only__last(hypotheses, references):
    for h, r in _pairs(hypotheses, references):
        share = float(h == r)
    return share


def divided_by_one_less(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h == r for h, r in pairs) / (len(pairs) - 1)


def divided_by_distinct_references(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h == r for h, r in pairs) / len({r for _, r in pairs})


def divided_by_tokens(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return sum(h == r for h, r in pairs) / len(" ".join(references).split())


def right_by_wrong(hypotheses, references):
    hits = count(hypotheses, references)
    return hits / max(len(references) - hits, 1)


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


def word_order_ignored(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([set(h.split()) == set(r.split()) for h, r in pairs])


def word_order_ignored__sorted(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([sorted(h.split()) == sorted(r.split()) for h, r in pairs])


def part_is_enough(hypotheses, references):
    return np.mean([h in r for h, r in _pairs(hypotheses, references)])


def part_is_enough__other_way(hypotheses, references):
    return np.mean([r in h for h, r in _pairs(hypotheses, references)])


def part_is_enough__begins(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([r.startswith(h) for h, r in pairs])


def part_is_enough__ends(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([r.endswith(h) for h, r in pairs])


def same_length_is_enough(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([len(h.split()) == len(r.split()) for h, r in pairs])


def capitals_ignored(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([h.lower() == r.lower() for h, r in pairs])


def inner_spaces_ignored(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([h.split() == r.split() for h, r in pairs])


def inner_spaces_ignored__all(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([h.replace(" ", "") == r.replace(" ", "") for h, r in pairs])


def spaces_around_counted(hypotheses, references):
    _refuse(hypotheses, references)
    hits = sum(h == r for h, r in zip(hypotheses, references))
    return hits / len(references)


def spaces_around_counted__stripped_at_the_end_only(hypotheses, references):
    _refuse(hypotheses, references)
    both = zip(hypotheses, references)
    return np.mean([h.rstrip() == r.rstrip() for h, r in both])


def spaces_around_counted__stripped_at_the_beginning(hypotheses, references):
    _refuse(hypotheses, references)
    both = zip(hypotheses, references)
    return np.mean([h.lstrip() == r.lstrip() for h, r in both])


def spaces_around_counted__hypotheses_stripped(hypotheses, references):
    _refuse(hypotheses, references)
    both = zip(hypotheses, references)
    return np.mean([h.strip() == r for h, r in both])


def spaces_around_counted__references_stripped(hypotheses, references):
    _refuse(hypotheses, references)
    both = zip(hypotheses, references)
    return np.mean([h == r.strip() for h, r in both])


def punctuation_ignored__period_cut_off(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([h.rstrip(".") == r.rstrip(".") for h, r in pairs])


def punctuation_ignored(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    return np.mean([h.strip(" .") == r.strip(" .") for h, r in pairs])


def found_anywhere(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    known = [r for _, r in pairs]
    return np.mean([h in known for h, _ in pairs])


def found_anywhere__sets(hypotheses, references):
    pairs = _pairs(hypotheses, references)
    common = {h for h, _ in pairs} & {r for _, r in pairs}
    return len(common) / len(pairs)


def sorted_first(hypotheses, references):
    _refuse(hypotheses, references)
    return right__sum(
        sorted(h.strip() for h in hypotheses),
        sorted(r.strip() for r in references),
    )


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
