"""Answers to `beam(logp, bos, eos, k, max_len, alpha)`.

Each is named after the mistake that the check must name; what follows a
double underscore tells several of the same kind apart. `right__...` must be
accepted.
"""

import heapq

import numpy as np

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
    return _search(logp, bos, eos, k, max_len, alpha, done=lambda over: False)


# ------------------------------------------------ one loop with weak places


def _gnmt(length, alpha):
    return ((5 + length) / 6) ** alpha


def _search(
    logp,
    bos,
    eos,
    k,
    max_len,
    alpha,
    ask=lambda logp, bos, tokens: logp([bos, *tokens]),
    add=lambda total, more, n: total + more,
    penalty=_gnmt,
    length=len,
    inside=True,
    outside=True,
    each=None,
    width=None,
    done=all,
    answer=lambda tokens, total: (tokens, total),
    choose=max,
    begin=1,
):
    def score(one, use=True):
        tokens, total = one
        return total / penalty(length(tokens), alpha) if use else total

    pool = [((), 0.0)] * begin
    for _ in range(max_len):
        rivals = []
        for tokens, total in pool:
            if tokens[-1:] == (eos,):
                rivals.append((tokens, total))
                continue
            every = ask(logp, bos, tokens)
            own = [
                ((*tokens, token), add(total, more, len(tokens)))
                for token, more in enumerate(every)
                if more > -np.inf
            ]
            own.sort(key=lambda one: score(one, inside), reverse=True)
            rivals += own[:each]
        rivals.sort(key=lambda one: score(one, inside), reverse=True)
        pool = rivals[: width or k]
        if done([tokens[-1:] == (eos,) for tokens, _ in pool]):
            break
    return answer(*choose(pool, key=lambda one: score(one, outside)))


def _using(**changes):
    def beam(logp, bos, eos, k, max_len, alpha):
        return _search(logp, bos, eos, k, max_len, alpha, **changes)

    return beam


# -------------------------------------------------------------------- pool


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


def finished_go_on__and_never_stop(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, -1, k, max_len, alpha)


def finished_go_on__until_all_end_with_eos(logp, bos, eos, k, max_len, alpha):
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
        if all(tokens[-1] == eos for tokens, _ in pool):
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


def finished_set_aside__all_compared(logp, bos, eos, k, max_len, alpha):
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
    return max(aside + pool, key=score)


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


def k_greedy_searches(logp, bos, eos, k, max_len, alpha):
    return _using(each=1)(logp, bos, eos, k, max_len, alpha)


def k_greedy_searches__k_ignored(logp, bos, eos, k, max_len, alpha):
    return _using(width=1)(logp, bos, eos, k, max_len, alpha)


def k_greedy_searches__same_beginning(logp, bos, eos, k, max_len, alpha):
    return _using(begin=k)(logp, bos, eos, k, max_len, alpha)


def k_for_each_hypothesis(logp, bos, eos, k, max_len, alpha):
    return _using(each=k, width=10**6)(logp, bos, eos, k, max_len, alpha)


def beam_too_wide(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k + 1, max_len, alpha)


def beam_too_wide__doubled(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, 2 * k, max_len, alpha)


def lowest_first(logp, bos, eos, k, max_len, alpha):
    def upside_down(length, alpha):
        return -_gnmt(length, alpha)

    return _using(penalty=upside_down)(logp, bos, eos, k, max_len, alpha)


# ------------------------------------------------------------------- stops


def stops_at_the_first_eos(logp, bos, eos, k, max_len, alpha):
    pool = [((), 0.0)]
    for _ in range(max_len):
        rivals = [
            ((*tokens, token), total + more)
            for tokens, total in pool
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        rivals.sort(
            key=lambda one: one[1] / _gnmt(len(one[0]), alpha), reverse=True
        )
        pool = rivals[:k]
        for one in pool:
            if one[0][-1] == eos:
                return one
    return pool[0]


def stops_when_the_best_is_finished(logp, bos, eos, k, max_len, alpha):
    return _using(done=lambda over: over[0])(logp, bos, eos, k, max_len, alpha)


def one_step_too_few(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len - 1, alpha)


def one_step_too_many(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len + 1, alpha)


# ------------------------------------------------------------------ scores


def score_of_the_newest_token(logp, bos, eos, k, max_len, alpha):
    return _using(add=lambda total, more, n: more)(
        logp, bos, eos, k, max_len, alpha
    )


def mean_in_place_of_sum(logp, bos, eos, k, max_len, alpha):
    def mean(total, more, n):
        return (total * n + more) / (n + 1)

    return _using(add=mean)(logp, bos, eos, k, max_len, alpha)


def probabilities_multiplied(logp, bos, eos, k, max_len, alpha):
    def product(total, more, n):
        return (total if n else 1.0) * np.exp(more)

    return _using(add=product)(logp, bos, eos, k, max_len, alpha)


def probabilities_added(logp, bos, eos, k, max_len, alpha):
    return _using(add=lambda total, more, n: total + np.exp(more))(
        logp, bos, eos, k, max_len, alpha
    )


def penalty_accumulates(logp, bos, eos, k, max_len, alpha):
    def divided(total, more, n):
        return (total + more) / _gnmt(n + 1, alpha)

    return _using(add=divided, penalty=lambda n, alpha: 1.0)(
        logp, bos, eos, k, max_len, alpha
    )


def penalty_accumulates__token_by_token(logp, bos, eos, k, max_len, alpha):
    def divided(total, more, n):
        return total + more / _gnmt(n + 1, alpha)

    return _using(add=divided, penalty=lambda n, alpha: 1.0)(
        logp, bos, eos, k, max_len, alpha
    )


def penalty_for_finished_only(logp, bos, eos, k, max_len, alpha):
    def length(tokens):  # a length of 1 divides by 1
        return len(tokens) if tokens[-1:] == (eos,) else 1

    return _using(length=length)(logp, bos, eos, k, max_len, alpha)


def brackets_moved(logp, bos, eos, k, max_len, alpha):
    return _using(penalty=lambda n, alpha: (5 + n / 6) ** alpha)(
        logp, bos, eos, k, max_len, alpha
    )


def length_one_short(logp, bos, eos, k, max_len, alpha):
    return _using(length=lambda tokens: len(tokens) - 1)(
        logp, bos, eos, k, max_len, alpha
    )


def no_length_penalty(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len, 0.0)


def penalty_only_at_the_end(logp, bos, eos, k, max_len, alpha):
    return _using(inside=False)(logp, bos, eos, k, max_len, alpha)


def penalty_only_on_the_way(logp, bos, eos, k, max_len, alpha):
    return _using(outside=False)(logp, bos, eos, k, max_len, alpha)


def mean_per_word(logp, bos, eos, k, max_len, alpha):
    return _using(penalty=lambda n, alpha: max(n, 1))(
        logp, bos, eos, k, max_len, alpha
    )


def five_and_six_forgotten(logp, bos, eos, k, max_len, alpha):
    return _using(penalty=lambda n, alpha: max(n, 1) ** alpha)(
        logp, bos, eos, k, max_len, alpha
    )


def penalty_turned_over(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len, -alpha)


def alpha_as_a_factor(logp, bos, eos, k, max_len, alpha):
    def factor(length, alpha):
        return (alpha or 1) * (5 + length) / 6

    return _using(penalty=factor)(logp, bos, eos, k, max_len, alpha)


def alpha_as_a_factor__always_one(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len, 1.0)


def alpha_as_a_bonus(logp, bos, eos, k, max_len, alpha):
    def reward(one):
        return one[1] + alpha * len(one[0])

    pool = [((), 0.0)]
    for _ in range(max_len):
        rivals = [one for one in pool if one[0][-1:] == (eos,)]
        rivals += [
            ((*tokens, token), total + more)
            for tokens, total in pool
            if tokens[-1:] != (eos,)
            for token, more in enumerate(logp([bos, *tokens]))
            if more > -np.inf
        ]
        pool = sorted(rivals, key=reward, reverse=True)[:k]
        if all(tokens[-1] == eos for tokens, _ in pool):
            break
    return pool[0]


def alpha_fixed(logp, bos, eos, k, max_len, alpha):
    return _search(logp, bos, eos, k, max_len, 0.6)


def length_without_eos(logp, bos, eos, k, max_len, alpha):
    def length(tokens):
        return sum(token != eos for token in tokens)

    return _using(length=length)(logp, bos, eos, k, max_len, alpha)


def length_with_bos(logp, bos, eos, k, max_len, alpha):
    return _using(length=lambda tokens: len(tokens) + 1)(
        logp, bos, eos, k, max_len, alpha
    )


# ----------------------------------------------------------------- feeding


def only_the_newest_token(logp, bos, eos, k, max_len, alpha):
    def ask(logp, bos, tokens):
        return logp([tokens[-1] if tokens else bos])

    return _using(ask=ask)(logp, bos, eos, k, max_len, alpha)


def bos_not_handed_over(logp, bos, eos, k, max_len, alpha):
    def ask(logp, bos, tokens):
        return logp(list(tokens) or [bos])

    return _using(ask=ask)(logp, bos, eos, k, max_len, alpha)


def starts_with_eos(logp, bos, eos, k, max_len, alpha):
    def ask(logp, bos, tokens):
        return logp([eos, *tokens])

    return _using(ask=ask)(logp, bos, eos, k, max_len, alpha)


def fixed_ids(logp, bos, eos, k, max_len, alpha):
    return _search(logp, 1, 2, k, max_len, alpha)


# ----------------------------------------------------------------- results


def returned_the_worst(logp, bos, eos, k, max_len, alpha):
    return _using(choose=min)(logp, bos, eos, k, max_len, alpha)


def only_finished_win(logp, bos, eos, k, max_len, alpha):
    def finished(pool, key):
        return max([o for o in pool if o[0][-1] == eos] or pool, key=key)

    return _using(choose=finished)(logp, bos, eos, k, max_len, alpha)


def returned_the_penalized_score(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return tokens, total / _gnmt(len(tokens), alpha)


def returned_a_probability(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return tokens, np.exp(total)


def sign_turned(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return tokens, -total


def returned_the_mean(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return tokens, total / len(tokens)


def bos_in_the_result(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return [bos, *tokens], total


def eos_missing(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return [token for token in tokens if token != eos], total


def last_token_cut(logp, bos, eos, k, max_len, alpha):
    tokens, total = right__short(logp, bos, eos, k, max_len, alpha)
    return tokens[:-1], total


def log_probability_missing(logp, bos, eos, k, max_len, alpha):
    return right__short(logp, bos, eos, k, max_len, alpha)[0]


def tokens_missing(logp, bos, eos, k, max_len, alpha):
    return right__short(logp, bos, eos, k, max_len, alpha)[1]


def pair_exchanged(logp, bos, eos, k, max_len, alpha):
    return right__short(logp, bos, eos, k, max_len, alpha)[::-1]


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
