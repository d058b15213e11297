"""Known wrong answers to `bpe_learn(words, n)`."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same
from transformer_lib.course.checks.engine.symbols_coded import coded

__all__ = ["MISTAKES"]


def _ends_badly(answers: dict[str, Answer]) -> bool:
    return answers["nothing left"].kind != ARRAY


def _goes_on(answers: dict[str, Answer]) -> bool:
    got = answers["nothing left"]
    return got.kind == ARRAY and not same(got.array, coded([("a", "b")]))


def _none_is_something(answers: dict[str, Answer]) -> bool:
    got = answers["none"]
    return got.kind != ARRAY or not same(got.array, coded([]))


_COUNTING = (
    Mistake(
        "each_word_once",
        "You count each word once, however often it comes. Frequent words "
        "are what a vocabulary should serve best: count every occurrence.",
        "Do you use a `set` of words, or a dictionary without its counts?",
        ({"text": "distinct"},),
        on="repeated words",
    ),
    Mistake(
        "once_a_word",
        "You count a pair once for each word that has it. `banana` has a+n "
        "twice: count every place.",
        "What does a `set` of pairs, or the word `in`, forget?",
        ({"count": "once a word"},),
        on="twice in a word",
    ),
    Mistake(
        "without_overlap",
        "You count places that share a symbol only once: in `a a a a a` you "
        "see a+a twice. Here every place counts, which makes four.",
        "How many pairs of neighbors does a row of five have?",
        ({"count": "without overlap"},),
        on="the same letter",
    ),
    Mistake(
        "even_places_only",
        "You cut each word into twos and miss every other pair.",
        "By how much does your index grow?",
        ({"count": "even places"},),
        on="ten words",
    ),
    Mistake(
        "last_pair_of_a_word_missed",
        "You never count the last pair of a word. A word of five symbols has "
        "four pairs.",
        "Where does your loop over a word end?",
        ({"count": "without the end"},),
        on="ten words",
    ),
    Mistake(
        "across_words",
        "You count the last symbol of a word with the first symbol of the "
        "next. Words are kept apart; no merge may join them.",
        "How long is the list that you walk through?",
        ({"count": "across words"},),
        on="word ends",
    ),
    Mistake(
        "weighted_by_length",
        "You weigh a pair by how many letters it has. What counts is how "
        "often it occurs.",
        "By how much does the count of a pair grow at each place?",
        ({"count": "letter length"},),
        on="ten words",
    ),
    Mistake(
        "counter_never_emptied",
        "You add each round's counts to those of the rounds before, so the "
        "pairs of the first round keep their lead. After a merge count anew, "
        "from nothing.",
        "Where do you make your counter: in the loop, or before it?",
        ({"count": "adds up"},),
        on="ten words",
    ),
    Mistake(
        "first_word_only",
        "Only the pairs of the first word are counted. Does something stand "
        "inside a loop that belongs behind it?",
        "When does your counter begin anew?",
        ({"text": "first word"},),
        on="ten words",
    ),
    Mistake(
        "cut_into_letters_again",
        "You cut the words into letters first. A word comes as a list of "
        "symbols, and a symbol may be longer than a letter.",
        "What is `['i', 'ng']` after your first line?",
        ({"text": "letters"},),
        on="already begun",
    ),
)
_CHOOSING = (
    Mistake(
        "least_frequent",
        "You take the rarest pair. A vocabulary saves most where a pair is "
        "frequent.",
        "Which of `min` and `max` do you call?",
        ({"take": "least"},),
        on="ten words",
    ),
    Mistake(
        "second_most_frequent",
        "You take the second pair of the ranking, not the first.",
        "Lists begin at 0.",
        ({"take": "second"},),
        on="ten words",
    ),
    Mistake(
        "tie_last_met",
        "Of equally frequent pairs you take the one that was met last. Asked "
        "is the first, so that everybody gets the same list.",
        "`>` or `>=`? Or do you sort and take the end?",
        ({"tie": "last met"},),
        on="a tie",
    ),
    Mistake(
        "tie_by_the_alphabet",
        "Of equally frequent pairs you take one by the alphabet. Asked is "
        "the one that is met first.",
        "`max` over tuples (count, pair) compares the pairs when the counts "
        "are equal.",
        ({"tie": "alphabet"}, {"tie": "alphabet backward"}),
        on="a tie",
    ),
    Mistake(
        "tie_by_length",
        "Of equally frequent pairs you choose by their length. Asked is the "
        "one that is met first.",
        "What besides the count does your ranking look at?",
        ({"tie": "longest"}, {"tie": "shortest"}),
    ),
)
_MERGING = (
    Mistake(
        "never_merged",
        "You count the same words every time, so every pair of your list is "
        "the same. Merge the pair before you count again.",
        "Which line changes the words between two rounds?",
        ({"merge": "nowhere"},),
        on="ten words",
    ),
    Mistake(
        "counted_once",
        "You count once and take the n most frequent pairs of letters. After "
        "each merge there are new symbols, and the counts change.",
        "Can your list contain a pair such as in+g?",
        ({"merge": "no recount"},),
        on="ten words",
    ),
    Mistake(
        "first_place_merged_only",
        "You merge only the first place in each word before you count again.",
        "How often does a+n occur in `banana`?",
        ({"merge": "first place"},),
        on="twice in a word",
    ),
    Mistake(
        "first_word_merged_only",
        "You merge the pair in the first word that has it, and in no other.",
        "Is there a `break` in the loop that merges?",
        ({"merge": "first word only"},),
        on="ten words",
    ),
    Mistake(
        "merged_from_the_right",
        "You merge from right to left. From `a a a a a` with a+a comes, from "
        "the left, `aa aa a`; and the next pair that is met is another.",
        "Where does the index of your merge begin?",
        ({"merge": "right to left"},),
        on="the same letter",
    ),
    Mistake(
        "parts_of_symbols_merged",
        "You merge by replacing in the text of a word, and that also hits "
        "places where a symbol only ends in the first half of the pair.",
        "What does `.replace('t a', 'ta')` do to `xt a b`?",
        ({"merge": "text"},),
        on="a symbol inside others",
    ),
)
_COUNT_OF_ROUNDS = (
    Mistake(
        "one_round_only",
        "Only one pair comes back. Does `return` stand inside the loop?",
        "How often does your loop run?",
        ({"rounds": "one"},),
        on="ten words",
    ),
    Mistake(
        "one_too_many",
        "Your list has one pair too many: n are asked.",
        "How many numbers are in `range(n + 1)`?",
        ({"rounds": "one more"},),
        on="ten words",
    ),
    Mistake(
        "one_too_few",
        "Your list has one pair too few: n are asked.",
        "How many numbers are in `range(1, n)`?",
        ({"rounds": "one less"},),
        on="ten words",
    ),
    Mistake(
        "rare_pairs_left_out",
        "You stop when the best pair occurs only once. That is a sensible "
        "rule, and some programs have it; here n pairs are asked as long as "
        "there are any.",
        "Which condition ends your loop?",
        ({"rounds": "frequent only"},),
        on="rare",
    ),
)
_WHAT = (
    Mistake(
        "joined_symbols",
        "You return the new symbols, such as `in`, and not the pairs. From "
        "`ing` nobody can tell whether in+g or i+ng was merged.",
        "What do you append to the list?",
        ({"out": "joined"},),
        on="ten words",
    ),
    Mistake(
        "counts_added",
        "You return the counts beside the pairs. Wanted are the pairs alone.",
        "`most_common` gives pairs of a key and its count.",
        ({"out": "with counts"}, {"out": "dict"}),
        on="ten words",
    ),
    Mistake(
        "counts_only",
        "You return how often the pairs occur. Wanted are the pairs.",
        "What do you append to the list?",
        ({"out": "counts"},),
        on="ten words",
    ),
    Mistake(
        "words_returned",
        "You return the merged words. Wanted are the merges, so that they "
        "can be repeated on other words.",
        "Which of the two variables comes out at the end?",
        ({"out": "words"},),
        on="ten words",
    ),
    Mistake(
        "both_returned",
        "You return two things, the pairs and the merged words. Wanted are "
        "the pairs alone.",
        "What stands behind `return`?",
        ({"out": "both"},),
        on="ten words",
    ),
    Mistake(
        "order_lost",
        "The pairs are right, but not in the order in which they were "
        "merged, and the order decides how a new word is cut.",
        "Do you sort, turn the list around, or use a `set`?",
        ({"out": "backward"}, {"out": "set"}, {"out": "sorted"}),
        on="ten words",
    ),
    Mistake(
        "last_pair_only",
        "You return the last pair alone. Wanted are all of them.",
        "Which variable collects the pairs?",
        ({"out": "last"},),
        on="ten words",
    ),
    Mistake(
        "halves_exchanged",
        "The halves of your pairs have changed places: left comes first.",
        "In what order do the two symbols stand in the word?",
        ({"out": "turned"},),
        on="ten words",
    ),
    Mistake(
        "vocabulary_returned",
        "You return the symbols that occur in the end. Wanted is the list of "
        "merges.",
        "Which of the two can be repeated on a new word?",
        ({"out": "vocabulary"},),
        on="ten words",
    ),
)
_EDGES = (
    Mistake(
        "no_pair_left",
        "When every word is a single symbol, no pair is left, and your "
        "function stops with an error. Return the pairs found so far.",
        "What is the largest of no numbers?",
        matches=_ends_badly,
        on="nothing left",
    ),
    Mistake(
        "goes_on_without_pairs",
        "When no pair is left your list still grows, or comes out otherwise "
        "than the pairs found so far.",
        "What ends your loop when there is nothing to count?",
        matches=_goes_on,
        on="nothing left",
    ),
    Mistake(
        "no_merge_asked",
        "With n = 0 nothing is merged, and the list of pairs is empty.",
        "How often does a loop of 0 rounds run?",
        matches=_none_is_something,
        on="none",
    ),
)
MISTAKES = (
    *_COUNTING,
    *_CHOOSING,
    *_MERGING,
    *_COUNT_OF_ROUNDS,
    *_WHAT,
    *_EDGES,
)
