"""Answers to `bpe_merge(words, pairs)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

import functools
import itertools
import re


def _once(word, left, right):
    done, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and word[i] == left and word[i + 1] == right:
            done.append(left + right)
            i += 2
        else:
            done.append(word[i])
            i += 1
    return done


def right__three_loops(words, pairs):
    for left, right in pairs:
        words = [_once(word, left, right) for word in words]
    return words


def right__tuples(words, pairs):
    done = []
    for word in words:
        for left, right in pairs:
            word = _once(word, left, right)
        done.append(tuple(word))
    return done


def right__delete_in_a_copy(words, pairs):
    words = [list(word) for word in words]
    for word in words:
        for left, right in pairs:
            i = 0
            while i < len(word) - 1:
                if word[i : i + 2] == [left, right]:
                    word[i : i + 2] = [left + right]
                i += 1
    return words


def right__regular_expression(words, pairs):
    """As in the paper: whole symbols only."""
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        pattern = re.escape(left) + " " + re.escape(right)
        pattern = re.compile(r"(?<!\S)" + pattern + r"(?!\S)")
        joined = left + right
        done = [pattern.sub(joined, text) for text in done]
    return [text.split() for text in done]


def right__on_a_stack(words, pairs):
    done = []
    for word in words:
        for pair in pairs:
            stack = []
            for symbol in word:
                if stack and (stack[-1], symbol) == pair:
                    stack[-1] += symbol
                else:
                    stack.append(symbol)
            word = stack
        done.append(list(word))
    return done


def right__by_recursion(words, pairs):
    if not pairs:
        return [list(word) for word in words]
    (left, right), *rest = pairs

    def cut(word):
        if len(word) < 2:
            return list(word)
        if word[0] == left and word[1] == right:
            return [left + right, *cut(word[2:])]
        return [word[0], *cut(word[1:])]

    return right__by_recursion([cut(word) for word in words], rest)


def right__by_rank(words, pairs):
    """As GPT-2 does it: always the pair that was learned first."""
    ranks = {pair: rank for rank, pair in reversed(list(enumerate(pairs)))}
    done = []
    for word in map(list, words):
        while True:
            here = [ranks.get(pair, 10**9) for pair in zip(word, word[1:])]
            if not here or min(here) == 10**9:
                break
            i = here.index(min(here))
            word[i : i + 2] = [word[i] + word[i + 1]]
        done.append(word)
    return done


def one_pair_only(words, pairs):
    for left, right in pairs:
        return [_once(word, left, right) for word in words]
    return words


def order_of_the_pairs_ignored__until_none_is_left(words, pairs):
    done = []
    for word in map(list, words):
        i = 0
        while i < len(word) - 1:
            if (word[i], word[i + 1]) in pairs:
                word[i : i + 2] = [word[i] + word[i + 1]]
                i = 0
            else:
                i += 1
        done.append(word)
    return done


def longest_piece_first(words, pairs):
    known = {left + right for left, right in pairs}
    done = []
    for word in words:
        text, pieces = "".join(word), []
        while text:
            end = len(text)
            while end > 1 and text[:end] not in known:
                end -= 1
            pieces.append(text[:end])
            text = text[end:]
        done.append(pieces)
    return done


def first_place_only(words, pairs):
    done = [list(word) for word in words]
    for left, right in pairs:
        for word in done:
            for i in range(len(word) - 1):
                if word[i] == left and word[i + 1] == right:
                    word[i : i + 2] = [left + right]
                    break
    return done


def first_place_only__index(words, pairs):
    done = [list(word) for word in words]
    for left, right in pairs:
        for word in done:
            if left in word:
                i = word.index(left)
                if word[i : i + 2] == [left, right]:
                    word[i : i + 2] = [left + right]
    return done


def even_places_only(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done = []
            for i in range(0, len(word), 2):
                if word[i : i + 2] == [left, right]:
                    done.append(left + right)
                else:
                    done += word[i : i + 2]
            new.append(done)
        words = new
    return words


def from_the_right(words, pairs):
    done = [list(word) for word in words]
    for left, right in pairs:
        for word in done:
            i = len(word) - 2
            while i >= 0:
                if word[i : i + 2] == [left, right]:
                    word[i : i + 2] = [left + right]
                    i -= 1
                i -= 1
    return done


def parts_of_symbols(words, pairs):
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = [text.replace(f"{left} {right}", left + right) for text in done]
    return [text.split() for text in done]


def one_flat_list(words, pairs):
    done = []
    for word in right__three_loops(words, pairs):
        done.extend(word)
    return done


def one_word_only(words, pairs):
    for word in words:
        for left, right in pairs:
            word = _once(word, left, right)
        return [word]


def one_word_only__overwritten(words, pairs):
    for word in words:
        for left, right in pairs:
            word = _once(word, left, right)
        done = [word]
    return done


def one_word_only__not_in_a_list(words, pairs):
    for word in words:
        for left, right in pairs:
            word = _once(word, left, right)
    return word


def no_pairs(words, pairs):
    for left, right in pairs:
        done = [_once(word, left, right) for word in words]
        words = done
    return done


def unmerged_words_changed(words, pairs):
    return right__three_loops(words, pairs) if pairs else []


def empty_word(words, pairs):
    for word in words:
        assert word[0]
    return right__three_loops(words, pairs)


def empty_word_changed(words, pairs):
    done = right__three_loops(words, pairs)
    return [" ".join(word).split(" ") for word in done]


# ------------------------------------------------------------ other styles


def _replaced(texts, left, right, new, count=0):
    """As in the paper: symbols with spaces between them."""
    both = re.escape(f"{left} {right}")
    return [
        re.sub(rf"(?<!\S){both}(?!\S)", new, text, count=count)
        for text in texts
    ]


def each_from_the_start__texts(words, pairs):
    texts = done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = _replaced(texts, left, right, left + right)
    return [text.split() for text in done]


def last_pair_forgotten__recursion(words, pairs):
    if len(pairs) <= 1:
        return words
    words = [_once(word, *pairs[0]) for word in words]
    return last_pair_forgotten__recursion(words, pairs[1:])


def pairs_backward__popped(words, pairs):
    left_over = list(pairs)
    while left_over:
        pair = left_over.pop()
        words = [_once(word, *pair) for word in words]
    return words


def stops_at_a_missing_pair__in_each_word(words, pairs):
    done = []
    for word in words:
        for pair in pairs:
            if pair not in itertools.pairwise(word):
                break
            word = _once(word, *pair)
        done.append(word)
    return done


def order_of_the_pairs_ignored__on_a_stack(words, pairs):
    done = []
    for word in words:
        stack = []
        for symbol in word:
            if stack and (stack[-1], symbol) in pairs:
                symbol = stack.pop() + symbol
            stack.append(symbol)
        done.append(stack)
    return done


def first_place_only__regular_expression(words, pairs):
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = _replaced(done, left, right, left + right, count=1)
    return [text.split() for text in done]


def from_the_right__range(words, pairs):
    done = [list(word) for word in words]
    for word, (left, right) in itertools.product(done, pairs):
        for i in range(len(word) - 2, -1, -1):
            if word[i : i + 2] == [left, right]:
                word[i : i + 2] = [left + right]
    return done


def right_part_stays__neighbors(words, pairs):
    for pair in pairs:
        words = [
            [
                a + b if (a, b) == pair else a
                for a, b in itertools.zip_longest(word, word[1:])
            ]
            for word in words
        ]
    return words


def last_symbol_lost__neighbors(words, pairs):
    for pair in pairs:
        new = []
        for word in words:
            done, skip = [], False
            for a, b in itertools.pairwise(word):
                if skip:
                    skip = False
                elif (a, b) == pair:
                    done.append(a + b)
                    skip = True
                else:
                    done.append(a)
            new.append(done)
        words = new
    return words


def parts_of_symbols__reduce(words, pairs):
    def merge(text, pair):
        return text.replace(" ".join(pair), "".join(pair))

    texts = map(" ".join, words)
    return [functools.reduce(merge, pairs, text).split() for text in texts]


def either_order__as_a_set(words, pairs):
    done = [list(word) for word in words]
    for pair in pairs:
        for word in done:
            i = 0
            while i < len(word) - 1:
                if set(word[i : i + 2]) == set(pair):
                    word[i : i + 2] = ["".join(pair)]
                i += 1
    return done


def left_half_only__at_the_end_too(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, rest = [], iter(word)
            for symbol in rest:
                if symbol == left:
                    done.append(left + right)
                    next(rest, None)
                else:
                    done.append(symbol)
            new.append(done)
        words = new
    return words


def sign_between__regular_expression(words, pairs):
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = _replaced(done, left, right, f"{left}-{right}")
    return [text.split() for text in done]


def texts_returned__regular_expression(words, pairs):
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = _replaced(done, left, right, left + right)
    return done


def merged_across_words__one_text(words, pairs):
    text = " ".join(itertools.chain.from_iterable(words))
    for left, right in pairs:
        (text,) = _replaced([text], left, right, left + right)
    return text.split()


def unchanged_words_lost__after_each_pair(words, pairs):
    for pair in pairs:
        new = []
        for word in words:
            if pair in itertools.pairwise(word):
                new.append(_once(word, *pair))
        words = new
    return words


def vocabulary_returned__sorted(words, pairs):
    return sorted({s for word in right__by_rank(words, pairs) for s in word})


def unmerged_words_changed__nothing_comes_back(words, pairs):
    for k, (left, right) in enumerate(pairs):
        words = [_once(word, left, right) for word in words]
        if k + 1 == len(pairs):
            return words


# ------------------------------------------------- the same in all exercises


def changes_its_input(words, pairs):
    for left, right in pairs:
        for k, word in enumerate(words):
            words[k] = _once(word, left, right)
    return words


def changes_its_input__inside(words, pairs):
    for left, right in pairs:
        for word in words:
            word[:] = _once(word, left, right)
    return words


def printed_not_returned(words, pairs):
    print(right__three_loops(words, pairs))


def no_return(words, pairs):
    for left, right in pairs:
        words = [_once(word, left, right) for word in words]


def signature(words):
    return words


def signature__one_pair(words, left, right):
    return [_once(word, left, right) for word in words]


def nothing_merged__list_and_tuple(words, pairs):
    for pair in pairs:
        done = []
        for word in words:
            new, i = [], 0
            while i < len(word):
                if word[i : i + 2] == pair:  # never: a list and a tuple
                    new.append("".join(pair))
                    i += 2
                else:
                    new.append(word[i])
                    i += 1
            done.append(new)
        words = done
    return words


def last_symbol_twice(words, pairs):
    for left, right in pairs:
        done = []
        for word in words:
            new, i = [], 0
            while i < len(word) - 1:
                if word[i] == left and word[i + 1] == right:
                    new.append(left + right)
                    i += 2
                else:
                    new.append(word[i])
                    i += 1
            done.append([*new, word[-1]])
        words = done
    return words
