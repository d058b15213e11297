"""Answers to `beam(logp, bos, eos, k, max_len, alpha)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import dataclasses
import heapq
import math
import operator

import numpy as np
import torch


def _gnmt(length, alpha):
    return ((5 + length) / 6) ** alpha


# ------------------------------------------------------------------- right


def right__short(logp, bos, eos, k, max_len, alpha):
    def score(one):
        tokens, total = one
        return total / ((5 + len(tokens)) / 6) ** alpha

    pool = [([], 0.0)]
    for _ in range(max_len):
        rivals = []
        for tokens, total in pool:
            if tokens[-1:] == [eos]:
                rivals.append((tokens, total))
                continue
            for token, more in enumerate(logp([bos, *tokens])):
                rivals.append(([*tokens, token], total + more))
        pool = sorted(rivals, key=score, reverse=True)[:k]
        if all(tokens[-1] == eos for tokens, _ in pool):
            break
    return max(pool, key=score)


def right__arrays(logp, bos, eos, k, max_len, alpha):
    tokens, total, over = [[bos]], np.zeros(1), np.array([False])
    for _ in range(max_len):
        size = len(logp([bos]))
        table = np.full((len(tokens), size), -np.inf)
        lengths = np.zeros((len(tokens), size))
        for i, words in enumerate(tokens):
            lengths[i] = len(words) - 1 + (not over[i])
            if over[i]:
                table[i, 0] = total[i]
            else:
                table[i] = total[i] + logp(words)
        ranked = table / ((5 + lengths) / 6) ** alpha
        best = np.argsort(-ranked, axis=None, kind="stable")[:k]
        best = [b for b in best if np.isfinite(ranked.flat[b])]
        parents = [b // size for b in best]
        words = [
            tokens[p] if over[p] else [*tokens[p], int(b % size)]
            for p, b in zip(parents, best, strict=True)
        ]
        tokens, total = words, table.flatten()[best]
        over = np.array([w[-1] == eos for w in tokens])
        if over.all():
            break
    return tokens[0][1:], float(total[0])


def right__heap(logp, bos, eos, k, max_len, alpha):
    pool = [(0.0, 0.0, (), False)]
    for _ in range(max_len):
        heap = []
        for rank, total, words, over in pool:
            if over:
                heap.append((rank, total, words, True))
                continue
            for token, more in enumerate(logp((bos, *words))):
                longer = (*words, token)
                penalty = ((5 + len(longer)) / 6) ** alpha
                entry = ((total + more) / penalty, total + more, longer)
                heap.append((*entry, token == eos))
        pool = heapq.nlargest(k, heap, key=lambda one: one[0])
        if all(one[3] for one in pool):
            break
    return list(pool[0][2]), pool[0][1]


def right__never_leaves_early(logp, bos, eos, k, max_len, alpha):
    pool = {(): 0.0}
    for _ in range(max_len):
        rivals = {}
        for words, total in pool.items():
            if words[-1:] == (eos,):
                rivals[words] = total
                continue
            for token, more in enumerate(logp([bos, *words])):
                rivals[*words, token] = total + more
        best = sorted(rivals, key=lambda w: -rivals[w] / _gnmt(len(w), alpha))
        pool = {words: rivals[words] for words in best[:k]}
    return next(iter(pool.items()))


# ------------------------------------------------------------ other styles


def finished_go_on(logp, bos, eos, k, max_len, alpha):
    pool = [([], 0.0)]
    for _ in range(max_len):
        rivals = [
            ([*tokens, token], total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        rivals.sort(
            key=lambda one: one[1] / _gnmt(len(one[0]), alpha), reverse=True
        )
        pool = rivals[:k]
        if all(eos in tokens for tokens, _ in pool):
            break
    return pool[0]


def finished_are_dropped(logp, bos, eos, k, max_len, alpha):
    pool, last = [([], 0.0)], None
    for _ in range(max_len):
        rivals = [
            ([*tokens, token], total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        rivals.sort(
            key=lambda one: one[1] / _gnmt(len(one[0]), alpha), reverse=True
        )
        ended = [one for one in rivals[:k] if one[0][-1] == eos]
        last = ended[-1] if ended else last
        pool = [one for one in rivals[:k] if one[0][-1] != eos]
        if not pool:
            return last
    return pool[0]


def rules_of_other_programs__fairseq(logp, bos, eos, k, max_len, alpha):
    live, done = [([], 0.0)], []
    for _ in range(max_len):
        rivals = [
            ([*tokens, token], total + more)
            for tokens, total in live
            for token, more in enumerate(logp([bos, *tokens]))
        ]
        rivals.sort(key=lambda one: -one[1] / _gnmt(len(one[0]), alpha))
        live = []
        for one in rivals[: 2 * k]:
            (done if one[0][-1] == eos else live).append(one)
            if len(live) == k:
                break
        if len(done) >= k or not live:
            break
    ended = done or live
    return max(ended, key=lambda one: one[1] / _gnmt(len(one[0]), alpha))


def finished_set_aside(logp, bos, eos, k, max_len, alpha):
    def score(one):
        return one[1] / _gnmt(len(one[0]), alpha)

    pool, aside = [([], 0.0)], []
    for _ in range(max_len):
        rivals = [
            ([*tokens, token], total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        best = sorted(rivals, key=score, reverse=True)[:k]
        aside += [one for one in best if one[0][-1] == eos]
        pool = [one for one in best if one[0][-1] != eos]
        if not pool:
            break
    return max(aside or pool, key=score)


def beam_shrinks(logp, bos, eos, k, max_len, alpha):
    def score(one):
        return one[1] / _gnmt(len(one[0]), alpha)

    pool, done = [([], 0.0)], []
    for _ in range(max_len):
        rivals = [
            ([*tokens, token], total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        best = sorted(rivals, key=score, reverse=True)[: k - len(done)]
        done += [one for one in best if one[0][-1] == eos]
        pool = [one for one in best if one[0][-1] != eos]
        if not pool:
            break
    return max(done + pool, key=score)


def finished_are_dropped__continue(logp, bos, eos, k, max_len, alpha):
    pool = [(0.0, (bos,))]
    for _ in range(max_len):
        rivals = []
        for total, words in pool:
            if words[-1] == eos:
                continue
            row = logp(words)
            rivals += [(total + row[i], (*words, i)) for i in range(len(row))]
        if not rivals:
            break
        rivals.sort(key=lambda one: -one[0] / _gnmt(len(one[1]) - 1, alpha))
        pool = rivals[:k]
    return pool[0][1][1:], pool[0][0]


def k_greedy_searches__argmax(logp, bos, eos, k, max_len, alpha):
    pool = [[[], 0.0] for _ in range(k)]
    for one in pool:
        while eos not in one[0] and len(one[0]) < max_len:
            row = logp([bos] + one[0])
            one[0].append(int(np.argmax(row)))
            one[1] += float(np.max(row))
    return max(pool, key=lambda one: one[1] / _gnmt(len(one[0]), alpha))


def lowest_first__not_reversed(logp, bos, eos, k, max_len, alpha):
    pool = [([], 0.0)]
    for _ in range(max_len):
        rivals = []
        for tokens, total in pool:
            if tokens and tokens[-1] == eos:
                rivals.append((tokens, total))
            else:
                for token, more in enumerate(logp([bos] + tokens)):
                    rivals.append((tokens + [token], total + more))
        rivals.sort(key=lambda one: one[1] / _gnmt(len(one[0]), alpha))
        pool = rivals[:k]
        if all(tokens[-1] == eos for tokens, _ in pool):
            break
    return pool[0]


def lowest_first__without_the_impossible(logp, bos, eos, k, max_len, alpha):
    def score(one):
        return one[1] / _gnmt(len(one[0]), alpha)

    beam = [([], 0.0)]
    for _ in range(max_len):
        found = [one for one in beam if eos in one[0]]
        for tokens, total in beam:
            if eos not in tokens:
                for token, more in enumerate(logp([bos, *tokens])):
                    if more > -math.inf:
                        found.append(([*tokens, token], total + more))
        beam = sorted(found, key=score)[:k]
        if all(eos in tokens for tokens, _ in beam):
            break
    return max(beam, key=score)


def stops_at_the_first_eos__while(logp, bos, eos, k, max_len, alpha):
    pool, steps = [([], 0.0)], 0
    while steps < max_len and not any(eos in tokens for tokens, _ in pool):
        rivals = [
            (tokens + [token], total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos] + tokens))
        ]
        pool = heapq.nlargest(
            k, rivals, key=lambda one: one[1] / _gnmt(len(one[0]), alpha)
        )
        steps += 1
    return pool[0]


def one_step_too_few__recursion(logp, bos, eos, k, max_len, alpha):
    def grown(pool, left):
        if left == 0 or all(one[0][-1:] == [eos] for one in pool):
            return pool[0]
        rivals = [one for one in pool if one[0][-1:] == [eos]]
        for tokens, total in pool:
            if tokens[-1:] != [eos]:
                row = logp([bos, *tokens])
                rivals += [([*tokens, t], total + p) for t, p in enumerate(row)]
        rivals.sort(key=lambda one: -one[1] / _gnmt(len(one[0]), alpha))
        return grown(rivals[:k], left - 1)

    return grown([([], 0.0)], max_len - 1)


def probabilities_multiplied__prod(logp, bos, eos, k, max_len, alpha):
    def score(factors_of, tokens):
        return math.prod(factors_of[tokens]) / _gnmt(len(tokens), alpha)

    factors = {(): ()}
    for _ in range(max_len):
        rivals = {}
        for tokens, before in factors.items():
            if eos in tokens:
                rivals[tokens] = before
                continue
            for token, more in enumerate(logp([bos, *tokens])):
                rivals[*tokens, token] = (*before, math.exp(more))
        best = sorted(rivals, key=lambda one: -score(rivals, one))
        factors = {tokens: rivals[tokens] for tokens in best[:k]}
    return best[0], math.prod(factors[best[0]])


def penalty_accumulates__heap_of_scores(logp, bos, eos, k, max_len, alpha):
    pool = [(0.0, [])]
    for _ in range(max_len):
        heap = []
        for score, tokens in pool:
            if eos in tokens:
                heapq.heappush(heap, (-score, tokens))
                continue
            for token, more in enumerate(logp([bos] + tokens)):
                longer = tokens + [token]
                new = (score + more) / ((5 + len(longer)) / 6) ** alpha
                heapq.heappush(heap, (-new, longer))
        best = [heapq.heappop(heap) for _ in range(k)]
        pool = [(-score, tokens) for score, tokens in best]
    return pool[0][1], pool[0][0]


def length_one_short__counted_too_early(logp, bos, eos, k, max_len, alpha):
    pool = [{"ids": [], "sum": 0.0, "rank": 0.0}]
    for _ in range(max_len):
        rivals = [one for one in pool if eos in one["ids"]]
        for one in pool:
            if eos in one["ids"]:
                continue
            penalty = ((5 + len(one["ids"])) / 6) ** alpha
            for token, more in enumerate(logp([bos] + one["ids"])):
                total = one["sum"] + more
                rivals.append(
                    {
                        "ids": one["ids"] + [token],
                        "sum": total,
                        "rank": total / penalty,
                    }
                )
        pool = sorted(rivals, key=operator.itemgetter("rank"))[: -k - 1 : -1]
        if all(eos in one["ids"] for one in pool):
            break
    return pool[0]["ids"], pool[0]["sum"]


def length_with_bos__objects(logp, bos, eos, k, max_len, alpha):
    @dataclasses.dataclass
    class Hypothesis:
        words: list
        total: float = 0.0

        @property
        def finished(self):
            return self.words[-1] == eos

        @property
        def score(self):
            return self.total / ((5 + len(self.words)) / 6) ** alpha

        def extended(self):
            if self.finished:
                return [self]
            return [
                Hypothesis([*self.words, token], self.total + more)
                for token, more in enumerate(logp(self.words))
            ]

    pool = [Hypothesis([bos])]
    for _ in range(max_len):
        rivals = sum((one.extended() for one in pool), [])
        pool = sorted(rivals, key=lambda one: one.score, reverse=True)[:k]
        if all(one.finished for one in pool):
            break
    return pool[0].words[1:], pool[0].total


def no_length_penalty__topk(logp, bos, eos, k, max_len, alpha):
    tokens, totals = [[bos]], torch.zeros(1, dtype=torch.float64)
    for _ in range(max_len):
        rows = []
        for words in tokens:
            row = torch.from_numpy(logp(words))
            if words[-1] == eos:
                row = torch.full_like(row, -torch.inf)
                row[eos] = 0.0
            rows.append(row)
        table = totals[:, None] + torch.stack(rows)
        totals, places = table.flatten().topk(k)
        parents, ids = places // table.shape[1], places % table.shape[1]
        tokens = [
            tokens[p] + [i] * (tokens[p][-1] != eos)
            for p, i in zip(parents.tolist(), ids.tolist(), strict=True)
        ]
        if all(words[-1] == eos for words in tokens):
            break
    return tokens[0][1:], totals[0]


def mean_per_word__list_of_numbers(logp, bos, eos, k, max_len, alpha):
    pool = [([], [])]
    for _ in range(max_len):
        rivals = []
        for tokens, numbers in pool:
            if eos in tokens:
                rivals.append((tokens, numbers))
                continue
            for token, more in enumerate(logp([bos, *tokens])):
                rivals.append(([*tokens, token], [*numbers, float(more)]))
        rivals.sort(key=lambda one: -np.mean(one[1]))
        pool = rivals[:k]
        if all(eos in tokens for tokens, _ in pool):
            break
    return pool[0][0], sum(pool[0][1])


def bos_not_handed_over__empty_prefix(logp, bos, eos, k, max_len, alpha):
    return right__short(
        lambda prefix: logp(prefix[1:]), bos, eos, k, max_len, alpha
    )


def eos_missing__cut_at_eos(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__arrays(logp, bos, eos, k, max_len, alpha)
    if eos in tokens:
        tokens = tokens[: tokens.index(eos)]
    return np.array(tokens), total


def bos_in_the_result__arrays(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__heap(logp, bos, eos, k, max_len, alpha)
    return torch.tensor([bos, *tokens]), torch.tensor(total)


# ------------------------------------------------- the same in all exercises


def changes_its_input(logp, bos, eos, k, max_len, alpha):
    result = right__short(logp, bos, eos, k, max_len, alpha)
    object.__setattr__(logp, vars(logp).copy().popitem()[0], 7)
    return result


def printed_not_returned(logp, bos, eos, k, max_len, alpha):
    print(right__short(logp, bos, eos, k, max_len, alpha))


def no_return(logp, bos, eos, k, max_len, alpha):
    result = right__short(logp, bos, eos, k, max_len, alpha)
    str(result)


def signature(logp, k):
    return [], 0.0


def signature__alpha_forgotten(logp, bos, eos, k, max_len):
    return [], 0.0


def product_underflows(logp, bos, eos, k, max_len, alpha):
    def value(one):
        tokens, p = one
        log_p = math.log(p) if p > 0 else -math.inf
        return log_p / ((5 + len(tokens)) / 6) ** alpha

    pool = [([], 1.0)]
    for _ in range(max_len):
        rivals = []
        for tokens, p in pool:
            if tokens and tokens[-1] == eos:
                rivals.append((tokens, p))
                continue
            row = np.exp(logp([bos, *tokens]))
            rivals += [([*tokens, i], p * q) for i, q in enumerate(row)]
        pool = sorted(rivals, key=value, reverse=True)[:k]
        if all(tokens[-1] == eos for tokens, _ in pool):
            break
    tokens, p = max(pool, key=value)
    return tokens, math.log(p) if p > 0 else -math.inf
