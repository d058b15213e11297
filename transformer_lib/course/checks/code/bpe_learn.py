"""The exercise `bpe_learn(words, n)` and the wrong answers it knows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from transformer_lib.course.checks.code.bpe_merge import EXERCISE as MERGE
from transformer_lib.course.checks.code.bpe_merge import solution as merge
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

__all__ = ["EXERCISE", "bpe_learn", "solution"]


def bpe_learn(function: Any) -> Verdict:
    """Check a function `bpe_learn(words, n)`.

    n times: count all pairs of neighbors in all words, every word as often
    as it comes; take the most frequent pair, of equally frequent ones the
    one that is met first; write it down; merge it everywhere.

    Args:
        function: takes a list of words, each a list of symbols, and a whole
            number; returns the list of pairs (left, right) in the order in
            which they were merged, fewer than n if no pair is left, and
            leaves its inputs as they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 18.
    """
    return judge(EXERCISE, function)


def solution(words, n):
    pairs = []
    for _ in range(n):
        counts = {}
        for word in words:
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        pairs.append(best)
        words = merge(words, [best])
    return pairs


def apart(word):
    found = []
    for pair in pairwise(word):
        found.append(None if found and found[-1] == pair else pair)
    return filter(None, found)


def second(counts):
    times = sorted(set(counts.values()))[-2:][0]
    return next(pair for pair in counts if counts[pair] == times)


def slip(name):
    known = {mistake.id: mistake for mistake in MERGE.mistakes}
    return MERGE.variant(known[name].edits[0])


def _case(name, text, n, basic=True):
    """Words are cut into letters, or where there are `|`."""
    words = [w.split("|") if "|" in w else list(w) for w in text.split()]
    return Case(name, (words, n), basic)


CASES = (
    _case("ten words", "wheat_ thing_ eating_ treat_ spin_ things_ eating_ "
          "thing_ teas_ ringer_", 5),
    _case("repeated words", "tea_ low_ tea_ lower_ tea_ tea_", 4),
    _case("a tie", "to_ we_ go_ we_ to_", 3),
    _case("the same letter", "bc bc aaaaa", 3),
    _case("twice in a word", "banana_ nan_ bab_ bob_", 4),
    _case("word ends", "xa bx ab xa bx cab", 2),
    _case("a symbol inside others", "t|a t|a t|a xt|a|b xt|a|b", 2),
    _case("already begun", "i|ng s|i|ng in|g", 2),
    _case("rare", "ab cde fg", 4),
    _case("nothing left", "ab ab", 5, basic=False),
    _case("none", "ab ab", 0, basic=False),
)  # fmt: skip


def _show(args: tuple) -> str:
    words, n = args
    return f"words  {said(words)}\nn  {n}"


def _pairs_of(probe: Probe) -> Any:
    return decoded(probe.got.array) if probe.got.kind == ARRAY else None


def _list_of_pairs(probe: Probe) -> str | None:
    """The answer is a list of pairs of symbols."""
    got = _pairs_of(probe)
    if got is None or is_nested(got) and all(len(pair) == 2 for pair in got):
        return None
    return (
        "The form is the first thing that breaks: a list of pairs is wanted, "
        f"such as [('i', 'n'), ('in', 'g')], and yours is {said(got)}."
    )


def _made_before(probe: Probe) -> str | None:
    """Each half of a pair is a symbol of the words, or was made before."""
    got = _pairs_of(probe)
    known = {symbol for word in probe.args[0] for symbol in word}
    for left, right in got or []:
        for half in (left, right):
            if half not in known:
                return (
                    "The first thing that breaks: each half of a pair is a "
                    "symbol of the words or was made by an earlier merge, "
                    f"and `{half}` in {left}+{right} is neither."
                )
        known.add(left + right)
    return None


def _first_pair(probe: Probe) -> str | None:
    """Say which merge is another than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    got, want = decoded(probe.got.array), decoded(probe.want.array)
    for turn, (mine, right) in enumerate(zip(got, want, strict=False), 1):
        if mine != right:
            return (
                f"The first thing that breaks: merge {turn} is "
                f"{'+'.join(mine)} instead of {'+'.join(right)}."
            )
    if len(got) != len(want):
        return (
            f"The first thing that breaks: {len(got)} pairs came, "
            f"{len(want)} are wanted."
        )
    return None


STOPS = (
    Mistake(
        "no_pair_left",
        "When every word is a single symbol, no pair is left, and your "
        "function stops with an error. Return the pairs found so far.",
        "What is the largest of no numbers?",
        matches=lambda answers: answers["nothing left"].kind == RAISED,
        on="nothing left",
    ),
)

MISTAKES = r"""
each_word_once
- for word in words
+ for word in dict.fromkeys(map(tuple, words))
@ repeated words
You count each word once, however often it comes. Frequent words are what a
vocabulary should serve best: count every occurrence.
? Do you use a `set` of words, or a dictionary without its counts?

once_a_word
- pairwise(word)
+ dict.fromkeys(pairwise(word))
@ twice in a word
You count a pair once for each word that has it. `banana` has a+n twice: count
every place.
? What does a `set` of pairs, or the word `in`, forget?

without_overlap
- pairwise(word)
+ apart(word)
@ the same letter
You count places that share a symbol only once: in `a a a a a` you see a+a
twice. Here every place counts, which makes four.
? How many pairs of neighbors does a row of five have?

even_places_only
- pairwise(word)
+ list(pairwise(word))[::2]
@ ten words
You cut each word into twos and miss every other pair.
? By how much does your index grow?

last_pair_of_a_word_missed
- pairwise(word)
+ pairwise(word[:-1])
@ ten words
You never count the last pair of a word. A word of five symbols has four pairs.
? Where does your loop over a word end?

across_words
- for word in words
+ for word in [sum(words, [])]
@ word ends
You count the last symbol of a word with the first symbol of the next. Words
are kept apart; no merge may join them.
? How long is the list that you walk through?

weighted_by_length
- + 1
+ + len("".join(pair))
@ ten words
You weigh a pair by how many letters it has. What counts is how often it
occurs.
? By how much does the count of a pair grow at each place?

counter_never_emptied
- pairs = []
+ pairs, counts = [], {}
- counts = {}
+ pass
@ ten words
You add each round's counts to those of the rounds before, so the pairs of the
first round keep their lead. After a merge count anew, from nothing.
? Where do you make your counter: in the loop, or before it?

first_word_only
- for word in words
+ for word in words[:1]
@ ten words
Only the pairs of the first word are counted. Does something stand inside a
loop that belongs behind it?
? When does your counter begin anew?

cut_into_letters_again
- pairs = []
+ pairs, words = [], [list("".join(word)) for word in words]
@ already begun
You cut the words into letters first. A word comes as a list of symbols, and a
symbol may be longer than a letter.
? What is `['i', 'ng']` after your first line?

least_frequent
- max
+ min
or
- max(counts
+ min(reversed(counts)
@ ten words
You take the rarest pair. A vocabulary saves most where a pair is frequent.
? Which of `min` and `max` do you call?

counts_not_asked
- max(counts, key=counts.get)
+ max(counts)
@ ten words
You take the pair that is last in the alphabet, however often it comes: `max`
of a dictionary compares its keys.
? `max(counts, key=...)` says what is compared.

second_most_frequent
- max(counts, key=counts.get)
+ second(counts)
or
- max(counts, key=counts.get)
+ sorted(counts, key=counts.get, reverse=True)[:2][-1]
@ ten words
You take the second pair of the ranking, not the first.
? Lists begin at 0.

tie_last_met
- max(counts
+ max(reversed(counts)
@ a tie
Of equally frequent pairs you take the one that was met last. Asked is the
first, so that everybody gets the same list.
? `>` or `>=`? Or do you sort and take the end?

tie_by_the_alphabet
- max(counts
+ max(sorted(counts)
or
- max(counts
+ max(sorted(counts, reverse=True)
@ a tie
Of equally frequent pairs you take one by the alphabet. Asked is the one that
is met first.
? `max` over tuples (count, pair) compares the pairs when the counts are equal.

tie_by_length
- key=counts.get
+ key=lambda pair: (counts[pair], len("".join(pair)))
or
- key=counts.get
+ key=lambda pair: (counts[pair], -len("".join(pair)))
Of equally frequent pairs you choose by their length. Asked is the one that is
met first.
? What besides the count does your ranking look at?

never_merged
- words = merge(words, [best])
+ pass
@ ten words
You count the same words every time, so every pair of your list is the same.
Merge the pair before you count again.
? Which line changes the words between two rounds?

counted_once
- words = merge(words, [best])
+ return sorted(counts, key=counts.get, reverse=True)[:n]
@ ten words
You count once and take the n most frequent pairs of letters. After each merge
there are new symbols, and the counts change.
? Can your list contain a pair such as in+g?

first_place_merged_only
- merge(words
+ slip("first_place_only")(words
@ twice in a word
You merge only the first place in each word before you count again.
? How often does a+n occur in `banana`?

first_word_merged_only
- words = merge(words, [best])
+ k = [best in pairwise(word) for word in words].index(True)
+     words = words[:k] + merge(words[k : k + 1], [best]) + words[k + 1 :]
@ ten words
You merge the pair in the first word that has it, and in no other.
? Is there a `break` in the loop that merges?

merged_from_the_right
- merge(words
+ slip("from_the_right")(words
@ the same letter
You merge from right to left. From `a a a a a` with a+a comes, from the left,
`aa aa a`; and the next pair that is met is another.
? Where does the index of your merge begin?

parts_of_symbols_merged
- merge(words
+ slip("parts_of_symbols")(words
@ a symbol inside others
You merge by replacing in the text of a word, and that also hits places where a
symbol only ends in the first half of the pair.
? What does `.replace('t a', 'ta')` do to `xt a b`?

one_round_only
- range(n)
+ range(min(n, 1))
@ ten words
Only one pair comes back. Does `return` stand inside the loop?
? How often does your loop run?

one_too_many
- range(n)
+ range(n + 1)
@ ten words
Your list has one pair too many: n are asked.
? How many numbers are in `range(n + 1)`?

one_too_few
- range(n)
+ range(n - 1)
@ ten words
Your list has one pair too few: n are asked.
? How many numbers are in `range(1, n)`?

rare_pairs_left_out
- not counts
+ max(counts.values(), default=0) < 2
@ rare
You stop when the best pair occurs only once. That is a sensible rule, and some
programs have it; here n pairs are asked as long as there are any.
? Which condition ends your loop?

joined_symbols
- return pairs
+ return ["".join(pair) for pair in pairs]
@ ten words
You return the new symbols, such as `in`, and not the pairs. From `ing` nobody
can tell whether in+g or i+ng was merged.
? What do you append to the list?

counts_added
- append(best)
+ append((best, counts[best]))
or
- append(best)
+ append((best, counts[best]))
- return pairs
+ return dict(pairs)
@ ten words
You return the counts beside the pairs. The task asks for the pairs alone.
? `most_common` gives pairs of a key and its count.

counts_only
- append(best)
+ append(counts[best])
@ ten words
You return how often the pairs occur. The task asks for the pairs.
? What do you append to the list?

words_returned
- return pairs
+ return words
@ ten words
You return the merged words. The task asks for the merges, so that they can be
repeated on other words.
? Which of the two variables comes out at the end?

both_returned
- return pairs
+ return pairs, words
@ ten words
You return two things, the pairs and the merged words. The task asks for the
pairs alone.
? What stands behind `return`?

order_lost
- return pairs
+ return pairs[::-1]
or
- return pairs
+ return set(pairs)
or
- return pairs
+ return sorted(pairs)
@ ten words
The pairs are right, but not in the order in which they were merged, and the
order decides how a new word is cut.
? Do you sort, turn the list around, or use a `set`?

last_pair_only
- return pairs
+ return pairs[-1]
@ ten words
You return the last pair alone. The task asks for all of them.
? Which variable collects the pairs?

halves_exchanged
- return pairs
+ return [(right, left) for left, right in pairs]
@ ten words
The halves of your pairs have changed places: left comes first.
? In what order do the two symbols stand in the word?

vocabulary_returned
- return pairs
+ return sorted({symbol for word in words for symbol in word})
or
- return pairs
+ return {symbol for word in words for symbol in word}
@ ten words
You return the symbols that occur in the end. The task asks for the list of
merges.
? Which of the two can be repeated on a new word?

& no_pair_left

goes_on_without_pairs
! nothing left
When no pair is left your list still grows, or comes out otherwise than the
pairs found so far.
? What ends your loop when there is nothing to count?

no_merge_asked
! none
With n = 0 nothing is merged, and the list of pairs is empty.
? How often does a loop of 0 rounds run?
"""

EXERCISE = Exercise(
    name="bpe_learn",
    inputs=("words", "n"),
    asked="`bpe_learn(words, n)` takes a list of words, each a list of "
    "symbols, and returns a list of n pairs. For each of them it counts all "
    "pairs of neighbors inside the words (every word as often as it comes, "
    "every place in it), takes the most frequent pair, or of equally "
    "frequent ones the one that is met first when the words are read from "
    "the first to the last, and merges it in all words before it counts "
    "again. If no pair is left, the list is shorter. The inputs stay as they "
    "are.",
    praise="Your merges agree with the reference, with ties, repeated words, "
    "repeated letters, and where no pair is left.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    made_here=STOPS,
    properties=(_list_of_pairs, _made_before, _first_pair),
    hints=(
        "`Counter` counts whatever you feed it: here the pairs "
        "`zip(word, word[1:])` of every word. A dictionary keeps the order "
        "in which its keys came, and `max(counts, key=counts.get)` gives the "
        "first of equals.",
        "Four lines in a loop: count, stop if there is nothing, take the "
        "best pair, and let `bpe_merge(words, [pair])` give you the words "
        "for the next round.",
    ),
    show_inputs=_show,
    show_answer=in_words,
    play=in_numbers("words", "n"),
)
