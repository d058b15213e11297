"""Answers to `bpe_merge(words, pairs)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""
# ruff: noqa: B905

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


def one_pair_only__index(words, pairs):
    if not pairs:
        return words
    left, right = pairs[0]
    return [_once(word, left, right) for word in words]


def each_from_the_start(words, pairs):
    done = words
    for left, right in pairs:
        done = [_once(word, left, right) for word in words]
    return done


def last_pair_forgotten(words, pairs):
    for k in range(len(pairs) - 1):
        words = [_once(word, *pairs[k]) for word in words]
    return words


def pairs_backward(words, pairs):
    for left, right in reversed(pairs):
        words = [_once(word, left, right) for word in words]
    return words


def pairs_sorted(words, pairs):
    for left, right in sorted(pairs):
        words = [_once(word, left, right) for word in words]
    return words


def pairs_sorted__shortest_first(words, pairs):
    for left, right in sorted(pairs, key=lambda pair: len("".join(pair))):
        words = [_once(word, left, right) for word in words]
    return words


def order_of_the_pairs_ignored(words, pairs):
    """Once through each word, whatever pair is met."""
    done = []
    for word in words:
        new, i = [], 0
        while i < len(word):
            if tuple(word[i : i + 2]) in pairs:
                new.append(word[i] + word[i + 1])
                i += 2
            else:
                new.append(word[i])
                i += 1
        done.append(new)
    return done


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


def stops_at_a_missing_pair(words, pairs):
    for left, right in pairs:
        done = [_once(word, left, right) for word in words]
        if done == words:
            break
        words = done
    return words


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


def right_part_stays(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done = []
            for i in range(len(word)):
                if word[i : i + 2] == [left, right]:
                    done.append(left + right)
                else:
                    done.append(word[i])
            new.append(done)
        words = new
    return words


def next_symbol_skipped(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word):
                if word[i : i + 2] == [left, right]:
                    done.append(left + right)
                    i += 3
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def last_symbol_lost(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word) - 1:
                if word[i] == left and word[i + 1] == right:
                    done.append(left + right)
                    i += 2
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def parts_of_symbols(words, pairs):
    done = [" ".join(word) for word in words]
    for left, right in pairs:
        done = [text.replace(f"{left} {right}", left + right) for text in done]
    return [text.split() for text in done]


def joined_text_compared(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word):
                if i < len(word) - 1 and word[i] + word[i + 1] == left + right:
                    done.append(left + right)
                    i += 2
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def either_order(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word):
                if set(word[i : i + 2]) == {left, right} and i + 1 < len(word):
                    done.append(left + right)
                    i += 2
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def left_half_only(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word):
                if word[i] == left and i + 1 < len(word):
                    done.append(left + right)
                    i += 2
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def cut_into_letters_again(words, pairs):
    return right__three_loops([list("".join(word)) for word in words], pairs)


def sign_between(words, pairs):
    for left, right in pairs:
        new = []
        for word in words:
            done, i = [], 0
            while i < len(word):
                if word[i : i + 2] == [left, right]:
                    done.append(left + "+" + right)
                    i += 2
                else:
                    done.append(word[i])
                    i += 1
            new.append(done)
        words = new
    return words


def texts_returned(words, pairs):
    return [" ".join(word) for word in right__three_loops(words, pairs)]


def glued_again(words, pairs):
    return ["".join(word) for word in right__three_loops(words, pairs)]


def one_flat_list(words, pairs):
    done = []
    for word in right__three_loops(words, pairs):
        done.extend(word)
    return done


def merged_across_words(words, pairs):
    row = [symbol for word in words for symbol in word]
    return right__three_loops([row], pairs)[0]


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


def unchanged_words_lost(words, pairs):
    done = right__three_loops(words, pairs)
    return [new for new, old in zip(done, words) if new != old]


def repeated_words_lost(words, pairs):
    done = right__three_loops(words, pairs)
    return list(dict.fromkeys(map(tuple, done)))


def repeated_words_lost__text_as_key(words, pairs):
    done = {"".join(word): word for word in words}
    for text, word in done.items():
        done[text] = right__three_loops([word], pairs)[0]
    return list(done.values())


def only_merged_symbols(words, pairs):
    done = right__three_loops(words, pairs)
    return [[s for s in new if s not in old] for new, old in zip(done, words)]


def vocabulary_returned(words, pairs):
    return {s for word in right__three_loops(words, pairs) for s in word}


def lengths_returned(words, pairs):
    return [len(word) for word in right__three_loops(words, pairs)]


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
