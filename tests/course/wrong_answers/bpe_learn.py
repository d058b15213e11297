"""Answers to `bpe_learn(words, n)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import collections
import heapq
import itertools
import re

import numpy as np


def _merge(words, pair):
    done = []
    for word in words:
        new, i = [], 0
        while i < len(word):
            if tuple(word[i : i + 2]) == tuple(pair):
                new.append("".join(pair))
                i += 2
            else:
                new.append(word[i])
                i += 1
        done.append(new)
    return done


def _count(words):
    return collections.Counter(
        pair for word in words for pair in zip(word, word[1:])
    )


def _learn(words, n, count=_count, merge=_merge, best=None):
    pairs = []
    for _ in range(n):
        counts = count(words)
        if not counts:
            break
        pair = best(counts) if best else max(counts, key=counts.get)
        pairs.append(pair)
        words = merge(words, pair)
    return pairs


def right__counter(words, n):
    pairs = []
    for _ in range(n):
        counts = _count(words)
        if not counts:
            break
        pairs.append(max(counts, key=counts.get))
        words = _merge(words, pairs[-1])
    return pairs


def right__plain_dictionary(words, n):
    pairs = []
    while len(pairs) < n:
        counts = {}
        for word in words:
            for i in range(len(word) - 1):
                pair = (word[i], word[i + 1])
                counts[pair] = counts.get(pair, 0) + 1
        best, most = None, 0
        for pair, times in counts.items():
            if times > most:
                best, most = pair, times
        if best is None:
            return pairs
        pairs.append(best)
        words = _merge(words, best)
    return pairs


def right__most_common_and_lists(words, n):
    """Counter.most_common keeps the order of equals."""
    pairs = []
    for _ in range(n):
        best = _count(words).most_common(1)
        if best:
            pairs.append(list(best[0][0]))
            words = _merge(words, best[0][0])
    return pairs


def right__types_with_counts(words, n):
    """Each distinct word once, with its count, as in the paper's program."""
    often = collections.Counter(map(tuple, words))
    pairs = []
    for _ in range(n):
        counts = collections.Counter()
        for word, times in often.items():
            for pair in zip(word, word[1:]):
                counts[pair] += times
        if not counts:
            break
        pair = max(counts, key=counts.get)
        pairs.append(pair)
        merged = {}
        for word, times in often.items():
            key = tuple(_merge([word], pair)[0])
            merged[key] = merged.get(key, 0) + times
        often = merged
    return pairs


def right__from_the_start_each_time(words, n):
    pairs = []
    while len(pairs) < n:
        now = words
        for pair in pairs:
            now = _merge(now, pair)
        counts = _count(now)
        if not counts:
            break
        pairs.append(max(counts, key=counts.get))
    return pairs


def right__first_place_breaks_ties(words, n):
    pairs = []
    for _ in range(n):
        row = [pair for word in words for pair in zip(word, word[1:])]
        if not row:
            break
        best = max(row, key=lambda pair: (row.count(pair), -row.index(pair)))
        pairs.append(best)
        words = _merge(words, best)
    return pairs


def without_overlap(words, n):
    def count(words):
        counts = collections.Counter()
        for word in words:
            i, last = 0, None
            while i < len(word) - 1:
                pair = (word[i], word[i + 1])
                if pair == last:
                    last = None
                else:
                    counts[pair] += 1
                    last = pair
                i += 1
        return counts

    return _learn(words, n, count)


def first_word_only(words, n):
    def count(words):
        for word in words:
            return collections.Counter(zip(word, word[1:]))

    return _learn(words, n, count)


def tie_last_met(words, n):
    def best(counts):
        chosen, most = None, 0
        for pair, times in counts.items():
            if times >= most:
                chosen, most = pair, times
        return chosen

    return _learn(words, n, best=best)


def tie_last_met__sorted(words, n):
    return _learn(
        words, n, best=lambda counts: sorted(counts, key=counts.get)[-1]
    )


def tie_by_the_alphabet(words, n):
    def best(counts):
        return max((times, pair) for pair, times in counts.items())[1]

    return _learn(words, n, best=best)


def tie_by_the_alphabet__first(words, n):
    def best(counts):
        return min((-times, pair) for pair, times in counts.items())[1]

    return _learn(words, n, best=best)


def counted_once(words, n):
    counts = _count(words)
    return sorted(counts, key=lambda pair: -counts[pair])[:n]


def first_place_merged_only(words, n):
    def merge(words, pair):
        done = [list(word) for word in words]
        for word in done:
            for i in range(len(word) - 1):
                if (word[i], word[i + 1]) == pair:
                    word[i : i + 2] = ["".join(pair)]
                    break
        return done

    return _learn(words, n, merge=merge)


def first_word_merged_only(words, n):
    def merge(words, pair):
        done = [list(word) for word in words]
        for k, word in enumerate(done):
            if pair in zip(word, word[1:]):
                done[k] = _merge([word], pair)[0]
                break
        return done

    return _learn(words, n, merge=merge)


def merged_from_the_right(words, n):
    def merge(words, pair):
        done = [list(word) for word in words]
        for word in done:
            i = len(word) - 2
            while i >= 0:
                if (word[i], word[i + 1]) == pair:
                    word[i : i + 2] = ["".join(pair)]
                    i -= 1
                i -= 1
        return done

    return _learn(words, n, merge=merge)


def parts_of_symbols_merged(words, n):
    def merge(words, pair):
        old, new = " ".join(pair), "".join(pair)
        return [" ".join(word).replace(old, new).split() for word in words]

    return _learn(words, n, merge=merge)


def one_round_only(words, n):
    for _ in range(n):
        counts = _count(words)
        return [max(counts, key=counts.get)]
    return []


def counts_added(words, n):
    found = []
    for _ in range(n):
        counts = _count(words)
        if not counts:
            break
        found.append(counts.most_common(1)[0])
        words = _merge(words, found[-1][0])
    return found


def order_lost__newest_first(words, n):
    pairs = []
    for pair in _learn(words, n):
        pairs.insert(0, pair)
    return pairs


def no_pair_left(words, n):
    pairs = []
    for _ in range(n):
        counts = _count(words)
        pairs.append(max(counts, key=counts.get))
        words = _merge(words, pairs[-1])
    return pairs


def goes_on_without_pairs(words, n):
    pairs = _learn(words, n)
    return pairs + [("", "")] * (n - len(pairs))


def no_merge_asked(words, n):
    return _learn(words, max(n, 1))


# ------------------------------------------------------------ other styles


def each_word_once__types(words, n):
    often = dict.fromkeys(map(tuple, words), 1)
    pairs = []
    for _ in range(n):
        counts = collections.Counter()
        for word, times in often.items():
            for pair in itertools.pairwise(word):
                counts[pair] += times
        if not counts:
            break
        pairs.append(max(counts, key=counts.get))
        often = dict.fromkeys(map(tuple, _merge(often, pairs[-1])), 1)
    return pairs


def once_a_word__number_of_words(words, n):
    pairs = []
    while len(pairs) < n:
        neighbors = [list(itertools.pairwise(word)) for word in words]
        known = dict.fromkeys(itertools.chain.from_iterable(neighbors))
        if not known:
            return pairs
        pairs.append(max(known, key=lambda p: sum(p in w for w in neighbors)))
        words = _merge(words, pairs[-1])
    return pairs


def without_overlap__regular_expression(words, n):
    def count(words):
        text = "\n".join(map(" ".join, words))
        return {
            (a, b): len(re.findall(rf"(?<!\S){a} {b}(?!\S)", text))
            for a, b in _count(words)
        }

    return _learn(words, n, count)


def even_places_only__two_slices(words, n):
    def count(words):
        each = (zip(word[::2], word[1::2]) for word in words)
        return collections.Counter(itertools.chain.from_iterable(each))

    return _learn(words, n, count)


def across_words__previous_symbol_kept(words, n):
    def count(words):
        counts, last = {}, None
        for word in words:
            for symbol in word:
                if last is not None:
                    counts[last, symbol] = counts.get((last, symbol), 0) + 1
                last = symbol
        return counts

    return _learn(words, n, count)


def counter_never_emptied__object(words, n):
    class Learner:
        counts = collections.defaultdict(int)

        def best(self, words):
            for word in words:
                for pair in itertools.pairwise(word):
                    self.counts[pair] += 1
            return max(self.counts, key=self.counts.get, default=None)

    pairs, learner = [], Learner()
    for _ in range(n):
        pair = learner.best(words)
        if pair:
            pairs.append(pair)
            words = _merge(words, pair)
    return pairs


def second_most_frequent__ranking(words, n):
    return _learn(words, n, best=lambda counts: counts.most_common(2)[-1][0])


def tie_by_the_alphabet__heap(words, n):
    def best(counts):
        heap = [(-times, pair) for pair, times in counts.items()]
        heapq.heapify(heap)
        return heapq.heappop(heap)[1]

    return _learn(words, n, best=best)


def tie_by_the_alphabet__numpy(words, n):
    pairs = []
    while len(pairs) < n:
        row = [pair for word in words for pair in itertools.pairwise(word)]
        if not row:
            break
        known, times = np.unique(row, axis=0, return_counts=True)
        pairs.append(tuple(known[times.argmax()].tolist()))
        words = _merge(words, pairs[-1])
    return pairs


def never_merged__result_thrown_away(words, n):
    pairs = []
    for _ in range(n):
        counts = _count(words)
        if counts:
            pairs.append(max(counts, key=counts.get))
            _merge(words, pairs[-1])
    return pairs


def one_too_few__from_one(words, n):
    pairs = []
    for turn in range(1, n):
        counts = _count(words)
        if len(counts) == 0:
            return pairs[: turn - 1]
        pairs += [max(counts, key=counts.get)]
        words = _merge(words, pairs[-1])
    return pairs


def words_returned__recursion(words, n):
    counts = _count(words)
    if n == 0 or not counts:
        return words
    best = max(counts, key=counts.get)
    return words_returned__recursion(_merge(words, best), n - 1)


def vocabulary_returned__set(words, n):
    for pair in _learn(words, n):
        words = _merge(words, pair)
    return set(itertools.chain.from_iterable(words))


def goes_on_without_pairs__nothing_comes_back(words, n):
    pairs = []
    for _ in range(n):
        counts = _count(words)
        if not counts:
            return None
        pairs.append(max(counts, key=counts.get))
        words = _merge(words, pairs[-1])
    return pairs


# ------------------------------------------------- the same in all exercises


def changes_its_input(words, n):
    pairs = []
    for _ in range(n):
        counts = _count(words)
        if not counts:
            break
        pairs.append(max(counts, key=counts.get))
        words[:] = _merge(words, pairs[-1])
    return pairs


def printed_not_returned(words, n):
    print(_learn(words, n))


def no_return(words, n):
    pairs = _learn(words, n)
    pairs.sort()


def signature(words):
    return _learn(words, 5)


def signature__exchange(n, words, tie):
    return _learn(words, n)


def counts_not_asked(words, n):
    return _learn(words, n, best=max)


def least_frequent__end_of_the_ranking(words, n):
    return _learn(
        words, n, best=lambda c: sorted(c, key=c.get, reverse=True)[-1]
    )
