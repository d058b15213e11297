"""The exercise `bpe_merge(words, pairs)` and the wrong answers it knows."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import Probe
from transformer_lib.course.checks.engine.reading import ARRAY, RAISED
from transformer_lib.course.checks.engine.symbols_coded import (
    decoded,
    in_numbers,
    in_words,
    is_nested,
    said,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "bpe_merge", "solution"]


def bpe_merge(function: Any) -> Verdict:
    """Check a function `bpe_merge(words, pairs)`.

    For each pair (left, right) in turn, every place in a word where left
    stands directly before right becomes the one symbol left + right, from
    left to right.

    Args:
        function: takes a list of words, each a list of symbols, and a list
            of pairs in the order in which they were learned; returns the
            words as lists (or tuples) of symbols and leaves its inputs as
            they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 18.
    """
    return judge(EXERCISE, function)


def solution(words, pairs):
    done = [list(word) for word in words]
    for left, right in pairs:
        new = []
        for word in done:
            cut, i = [], 0
            while i < len(word):
                if word[i : i + 2] == [left, right]:
                    cut.append(left + right)
                    i += 2
                else:
                    cut.append(word[i])
                    i += 1
            new.append(cut)
        done = new
    return done


def until_one_is_missing(word, pairs):
    for pair in pairs:
        if pair not in pairwise(word):
            break
        (word,) = solution([word], [pair])
    return word


def longest_first(word, pairs):
    pieces = sorted((left + right for left, right in pairs), key=len)
    return re.findall("|".join([*pieces[::-1], "."]), "".join(word))


def _case(name, words, pairs, basic=True):
    """Words are cut into letters, or where there are `|`; pairs have a `+`."""
    cut = [word.split("|") if "|" in word else list(word) for word in words]
    return Case(name, (cut, [tuple(pair.split("+")) for pair in pairs]), basic)


CASES = (
    _case("three merges", ["wheat_", "thing_", "eating_", "spin_", "seating_"],
          ["i+n", "in+g", "ing+_"]),
    _case("one word twice", ["tea_", "seat_", "tea_", "heat_", "treat_"],
          ["e+a", "ea+t", "a+_", "ea+_"]),
    _case("order decides", ["tested_", "nest_", "west_", "strong_"],
          ["s+t", "e+st", "e+s", "st+_", "est+_"]),
    _case("a short pair last", ["rings_", "dogs_", "legs_", "things_"],
          ["i+n", "in+g", "g+s"]),
    _case("twice in a word", ["banana_", "anna_", "singing_", "none_"],
          ["a+n", "an+a", "n+g", "i+ng"]),
    _case("the same letter", ["aaaaa", "aaa", "baaa"], ["a+a"]),
    _case("already begun", ["i|ng", "in|g", "s|in|g"], ["in+g"]),
    _case("a symbol inside others", ["e|st|a|te", "s|t|a|t|e"],
          ["t+a", "s+t", "ta+t"]),
    _case("a pair that is missing", ["rain_", "train_"],
          ["x+y", "a+i", "ai+n"]),
    _case("Korean", ["고양이는_", "고양이를_", "이고_"],
          ["고+양", "고양+이", "는+_"]),
    _case("no merge yet", ["sea_", "see_"], [], basic=False),
    _case("an empty word", ["", "a", "ab"], ["a+b"], basic=False),
)  # fmt: skip


def _show(args: tuple) -> str:
    words, pairs = args
    merges = ", ".join(f"{left}+{right}" for left, right in pairs)
    return f"words  {said(words)}\npairs  {merges or 'none'}"


def _nested(probe: Probe) -> str | None:
    """The answer is a list of words, each a list of symbols."""
    if probe.got.kind != ARRAY:
        return None
    got = decoded(probe.got.array)
    if is_nested(got):
        return None
    return (
        "The form is the first thing that breaks: a list of words is wanted, "
        f"each a list of symbols, and yours is {said(got)}."
    )


def _same_letters(probe: Probe) -> str | None:
    """Merging neither loses nor adds a letter."""
    if probe.got.kind != ARRAY:
        return None
    got, words = decoded(probe.got.array), probe.args[0]
    if len(got) != len(words):
        return (
            f"The first thing that breaks: {len(words)} words went in, "
            f"{len(got)} came out."
        )
    for word, pieces in zip(words, got, strict=True):
        if "".join(pieces) != "".join(word):
            return (
                "The first thing that breaks: merging glues symbols together "
                "and loses none. From "
                f"`{'|'.join(word)}` you made `{'|'.join(pieces)}`."
            )
    return None


def _first_word(probe: Probe) -> str | None:
    """Say which word is cut in another way than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    pairs = zip(
        decoded(probe.got.array), decoded(probe.want.array), strict=False
    )
    for got, want in pairs:
        if got != want:
            return (
                "The form is right, the cuts are not: the first word that "
                f"differs is `{'|'.join(got)}` instead of "
                f"`{'|'.join(want)}`."
            )
    return None


STOPS = (
    Mistake(
        "no_pairs",
        "Without any pair your function stops. Nothing is merged then, and "
        "the words come back as they are.",
        "Which variable is made only inside the loop over the pairs?",
        matches=lambda answers: answers["no merge yet"].kind == RAISED,
        on="no merge yet",
    ),
    Mistake(
        "empty_word",
        "A word without symbols stops your function. It comes back empty.",
        "What is the last symbol of an empty list?",
        matches=lambda answers: answers["an empty word"].kind == RAISED,
        on="an empty word",
    ),
)

MISTAKES = r"""
nothing_merged
- in pairs
+ in pairs[:0]
@ three merges
No pair is merged: every word comes back as it came. (Do you compare two
symbols of a word with the pair? The one is a list, the other a tuple, and in
Python these are never equal.)
? What does `['i', 'n'] == ('i', 'n')` give?

one_pair_only
- in pairs
+ in pairs[:1]
@ three merges
Only the first pair is merged. Does `return` stand inside the loop over the
pairs?
? How often does your outer loop run?

each_from_the_start
- for word in done
+ for word in words
@ three merges
Each merge begins with the words as they came, so only the last pair is left in
the result. The second merge works on what the first one made.
? Which variable does the loop over the pairs read, and which does it write?

last_pair_forgotten
- in pairs
+ in pairs[:-1]
@ three merges
The last pair of the list is never merged.
? Where does your loop over the pairs end?

pairs_backward
- in pairs
+ in pairs[::-1]
@ three merges
You go through the pairs from the last to the first. But `in`, of which the
second pair is made, exists only after the first merge.
? In what order were the pairs learned?

pairs_sorted
- in pairs
+ in sorted(pairs)
or
- in pairs
+ in sorted(pairs, key=lambda pair: len("".join(pair)))
or
- in pairs
+ in sorted(pairs, key=lambda pair: -len("".join(pair)))
You put the pairs into another order. They are merged in the order in which
they were learned, whatever their letters are.
? Where do you sort, or use a `set`?

stops_at_a_missing_pair
- done = new
+ if new == done: break
+     done = new
or
- return done
+ return [until_one_is_missing(word, pairs) for word in words]
@ a pair that is missing
When a pair occurs nowhere you stop, and the pairs after it are lost. A pair
that is missing changes nothing; go on with the next.
? Is there a `break` or a `return` where nothing was found?

order_of_the_pairs_ignored
- for left, right in pairs
+ for _ in pairs[:1]
- word[i : i + 2] == [left, right]
+ tuple(word[i : i + 2]) in pairs
- left + right
+ word[i] + word[i + 1]
or
- for left, right in pairs
+ for _ in pairs[:1]
- word[i : i + 2] == [left, right]
+ tuple(word[i : i + 2]) in pairs
- left + right
+ word[i] + word[i + 1]
- i += 2
+ word, cut, i = cut + word[i + 2 :], [], 0
or
- for left, right in pairs
+ for _ in pairs[:1]
- word[i : i + 2] == [left, right]
+ tuple(word[i : i + 2]) in pairs
- cut.append(left + right)
+ word = [*word[:i], word[i] + word[i + 1], *word[i + 2 :]]
- i += 2
+ pass
@ order decides
You walk through a word and merge whatever pair of the list you meet. The list
has an order: first every place of the first pair in every word, then every
place of the second, and so on.
? Which loop is the outer one, that over the pairs or that over the places?

longest_piece_first
- return done
+ return [longest_first(word, pairs) for word in words]
@ order decides
You cut off the longest known piece from the left. Byte-pair encoding does not
look for pieces: it repeats the merges in the order in which they were learned,
and an early merge can stand in the way of a longer piece.
? Do you use the pairs one after the other, or the set of pieces that they
make?

first_place_only
- i += 2
+ cut += word[i + 2 :]
+                 break
@ twice in a word
Only the first place in each word is merged. `singing` has two.
? What happens in your loop after a place was found? (`list.index` finds the
first place only.)

even_places_only
- if word
+ if i % 2 == 0 and word
@ three merges
You cut the word into twos and look at the places 0, 2, 4 only. A pair can
begin anywhere.
? By how much does the index grow where no pair was found?

from_the_right
- for word in done
+ for word in (word[::-1] for word in done)
- [left, right]
+ [right, left]
- new.append(cut)
+ new.append(cut[::-1])
@ the same letter
You merge from right to left. In `a a a` the pair a+a is found at two places
that share a letter; from the left the result is `aa a`.
? Where does your index begin?

right_part_stays
- i += 2
+ i += 1
@ three merges
The right half of a pair is used twice: once in the joined symbol and once
alone. Both halves are used up by a merge.
? By how much does the index grow after a merge?

next_symbol_skipped
- i += 2
+ i += 3
@ three merges
The symbol behind a merged pair is lost: `thing_` comes back without a letter.
? By how much does the index grow after a merge? Count the symbols that the
merge used up.

last_symbol_lost
- i < len(word)
+ i < len(word) - 1
@ one word twice
The last symbol of a word is lost where it is not part of a merge: your loop
ends one too early, since a pair needs two symbols.
? What becomes of the last symbol when the loop has looked at the last pair of
neighbors?

last_symbol_twice
- i < len(word)
+ i < len(word) - 1
- new.append(cut)
+ new.append(cut + word[-1:])
@ three merges
You append the last symbol of every word, also where a merge has used it up:
`thing_` ends in `ing_` and `_`.
? When is the last symbol left over, and when is it not?

parts_of_symbols
- new.append(cut)
+ text = " ".join(word).replace(f"{left} {right}", left + right)
+         new.append(text.split())
@ a symbol inside others
You replace in the text of the word, so a pair is also found where a symbol
only *ends* in the first half or only begins with the second: in `e st a te`
the pair t+a seems to occur, and it does not. Compare whole symbols.
? What does `' '.join(word).replace('t a', 'ta')` find in `e st a te`?

joined_text_compared
- word[i : i + 2] == [left, right]
+ "".join(word[i : i + 2]) == left + right
@ already begun
You compare the joined text of two neighbors with the joined pair, so `i|ng`
passes for the pair in+g. Compare the two halves one by one.
? Which two symbols does the pair name?

either_order
- == [left, right]
+ in ([left, right], [right, left])
@ twice in a word
You also merge the pair the other way around. The first symbol of a pair stands
on the left.
? Is `n a` the pair a+n?

left_half_only
- word[i : i + 2] == [left, right]
+ word[i] == left and i + 1 < len(word)
or
- word[i : i + 2] == [left, right]
+ word[i] == left
@ three merges
You merge wherever the first half of the pair stands, whatever follows it.
? Which two comparisons does a pair need?

cut_into_letters_again
- list(word)
+ list("".join(word))
@ already begun
You cut the words into letters before you begin, and the merges that they had
already are lost. A word comes as a list of symbols, and a symbol may be longer
than a letter.
? What is `['in', 'g']` after your first line?

sign_between
- left + right
+ left + "+" + right
or
- left + right
+ left + " " + right
or
- left + right
+ left + "_" + right
or
- left + right
+ left + "-" + right
@ three merges
The two halves are joined with a sign between them. The new symbol is the two
halves and nothing else: `i` and `n` make `in`.
? What do you join the halves with?

texts_returned
- return done
+ return [" ".join(word) for word in done]
@ three merges
You return each word as a text with spaces. The task asks for a list of symbols
for each word, so that the next step can go on with it.
? Which line joins the symbols of a word?

glued_again
- return done
+ return ["".join(word) for word in done]
@ three merges
You return each word as one text: all its symbols are joined, and the cuts are
lost.
? Which line joins the symbols of a word?

one_flat_list
- return done
+ return sum(done, [])
@ three merges
You return one long list of symbols, and nobody can tell where a word ends.
The task asks for a list for each word.
? `extend` pours a list out; `append` keeps it together.

merged_across_words
- [list(word) for word in words]
+ [sum(words, [])]
- return done
+ return done[0]
You put all words into one row before you merge, so the last symbol of a word
meets the first of the next. Words stay apart.
? How long is the list that you walk through?

one_word_only
- return done
+ return done[-1:]
or
- return done
+ return done[:1]
or
- return done
+ return done[0]
or
- return done
+ return done[-1]
@ three merges
Only one of the words comes back. Does `return` stand inside the loop over the
words, or is the result overwritten?
? Which variable collects the finished words?

unchanged_words_lost
- return done
+ return [new for new, old in zip(done, words) if new != old]
or
- new.append(cut)
+ if cut != word: new.append(cut)
Words in which nothing was merged are missing. They come back as they were.
? What do you append when no pair was found?

repeated_words_lost
- return done
+ return list(dict.fromkeys(map(tuple, done)))
or
- return done
+ return list({"".join(word): word for word in done}.values())
@ one word twice
A word that occurs twice comes back once. The words of a text come back all, in
their order.
? Do you use a `set`, or a dictionary with words as keys?

only_merged_symbols
- return done
+ return [[s for s in new if s not in old] for new, old in zip(done, words)]
or
- cut.append(word[i])
+ pass
@ three merges
You return only the symbols that a merge made. The others belong to the word
too.
? What do you append when the two symbols are not the pair?

vocabulary_returned
- return done
+ return {symbol for word in done for symbol in word}
or
- return done
+ return sorted({symbol for word in done for symbol in word})
@ three merges
You return the set of symbols that occur. The task asks for the words, cut into
these symbols.
? What is asked: which symbols there are, or how each word is cut?

lengths_returned
- return done
+ return [len(word) for word in done]
@ three merges
You return how many symbols each word has. The task asks for the symbols.
? Is there a `len` on the way out?

& no_pairs

unmerged_words_changed
! no merge yet
All merges are right, but with an empty list of pairs the words do not come
back as they were.
? What does your function return when its outer loop never runs?

& empty_word

empty_word_changed
! an empty word
All merges are right, but a word without symbols does not come back as an empty
list.
? `''.split(' ')` is not an empty list.
"""

EXERCISE = Exercise(
    name="bpe_merge",
    inputs=("words", "pairs"),
    asked="`bpe_merge(words, pairs)` takes a list of words, each a list of "
    "symbols, and a list of pairs in the order in which they were learned. "
    "For each pair in turn it replaces, in every word and from left to "
    "right, every place where the first symbol stands directly before the "
    "second by one symbol, the two joined. It returns the new list of words "
    "and leaves its inputs as they are.",
    praise="Your cuts agree with the reference, also where the order of the "
    "merges decides, where one symbol occurs inside another, and in Korean.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    made_here=STOPS,
    properties=(_nested, _same_letters, _first_word),
    hints=(
        "Two loops around a third: for each pair, for each word, walk through "
        "the word with an index i. Look at two symbols at a time.",
        "If the symbols at i and i + 1 are the pair, append the joined "
        "symbol to a new list and go on at i + 2; if not, append the symbol "
        "at i and go on at i + 1. The word for the next pair is the new list.",
    ),
    show_inputs=_show,
    show_answer=in_words,
    play=in_numbers("words", "pairs"),
)
