"""Known wrong answers to `bpe_merge(words, pairs)`."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same
from transformer_lib.course.checks.engine.symbols_coded import coded

__all__ = ["MISTAKES"]


def _no_merge_fails(answers: dict[str, Answer]) -> bool:
    return answers["no merge yet"].kind != ARRAY


def _no_merge_differs(answers: dict[str, Answer]) -> bool:
    got = answers["no merge yet"]
    want = coded([list(word) for word in ("sea_", "see_")])
    return got.kind == ARRAY and not same(got.array, want)


def _empty_fails(answers: dict[str, Answer]) -> bool:
    return answers["an empty word"].kind != ARRAY


def _empty_differs(answers: dict[str, Answer]) -> bool:
    return answers["an empty word"].kind == ARRAY


_WHICH = (
    Mistake(
        "one_pair_only",
        "Only the first pair is merged. Does `return` stand inside the loop "
        "over the pairs?",
        "How often does your outer loop run?",
        ({"pick": "first only"},),
        on="three merges",
    ),
    Mistake(
        "each_from_the_start",
        "Each merge begins with the words as they came, so only the last "
        "pair is left in the result. The second merge works on what the "
        "first one made.",
        "Which variable does the loop over the pairs read, and which does it "
        "write?",
        ({"pick": "each from the start"},),
        on="three merges",
    ),
    Mistake(
        "last_pair_forgotten",
        "The last pair of the list is never merged.",
        "Where does your loop over the pairs end?",
        ({"pick": "all but the last"},),
        on="three merges",
    ),
    Mistake(
        "pairs_backward",
        "You go through the pairs from the last to the first. But `in`, of "
        "which the second pair is made, exists only after the first merge.",
        "In what order were the pairs learned?",
        ({"pick": "backward"},),
        on="three merges",
    ),
    Mistake(
        "pairs_sorted",
        "You put the pairs into another order. They are merged in the order "
        "in which they were learned, whatever their letters are.",
        "Where do you sort, or use a `set`?",
        (
            {"pick": "sorted"},
            {"pick": "shortest first"},
            {"pick": "longest first"},
        ),
    ),
    Mistake(
        "stops_at_a_missing_pair",
        "When a pair occurs nowhere you stop, and the pairs after it are "
        "lost. A pair that is missing changes nothing; go on with the next.",
        "Is there a `break` or a `return` where nothing was found?",
        ({"pick": "stop when missing"},),
        on="a pair that is missing",
    ),
    Mistake(
        "order_of_the_pairs_ignored",
        "You walk through a word and merge whatever pair of the list you "
        "meet. The list has an order: first every place of the first pair in "
        "every word, then every place of the second, and so on.",
        "Which loop is the outer one, that over the pairs or that over the "
        "places?",
        ({"pick": "one pass"}, {"pick": "leftmost"}),
        on="order decides",
    ),
    Mistake(
        "longest_piece_first",
        "You cut off the longest known piece from the left. Byte-pair "
        "encoding does not look for pieces: it repeats the merges in the "
        "order in which they were learned, and an early merge can stand in "
        "the way of a longer piece.",
        "Do you use the pairs one after the other, or the set of pieces that "
        "they make?",
        ({"pick": "longest piece"},),
        on="order decides",
    ),
)
_WHERE = (
    Mistake(
        "first_place_only",
        "Only the first place in each word is merged. `singing` has two.",
        "What happens in your loop after a place was found? (`list.index` "
        "finds the first place only.)",
        ({"scan": "first place"},),
        on="twice in a word",
    ),
    Mistake(
        "even_places_only",
        "You cut the word into twos and look at the places 0, 2, 4 only. A "
        "pair can begin anywhere.",
        "By how much does the index grow where no pair was found?",
        ({"scan": "even places"},),
        on="three merges",
    ),
    Mistake(
        "from_the_right",
        "You merge from right to left. In `a a a` the pair a+a is found at "
        "two places that share a letter; from the left the result is `aa a`.",
        "Where does your index begin?",
        ({"scan": "right to left"},),
        on="the same letter",
    ),
    Mistake(
        "right_part_stays",
        "The right half of a pair is used twice: once in the joined symbol "
        "and once alone. Both halves are used up by a merge.",
        "By how much does the index grow after a merge?",
        ({"scan": "right part stays"},),
        on="three merges",
    ),
    Mistake(
        "next_symbol_skipped",
        "The symbol behind a merged pair is lost: `thing_` comes back without "
        "a letter.",
        "By how much does the index grow after a merge? Count the symbols "
        "that the merge used up.",
        ({"scan": "skips the next"},),
        on="three merges",
    ),
    Mistake(
        "last_symbol_lost",
        "The last symbol of a word is lost where it is not part of a merge: "
        "your loop ends one too early, since a pair needs two symbols.",
        "What becomes of the last symbol when the loop has looked at the last "
        "pair of neighbors?",
        ({"scan": "last symbol lost"},),
        on="one word twice",
    ),
    Mistake(
        "parts_of_symbols",
        "You replace in the text of the word, so a pair is also found where "
        "a symbol only *ends* in the first half or only begins with the "
        "second: in `e st a te` the pair t+a seems to occur, and it does not. "
        "Compare whole symbols.",
        "What does `' '.join(word).replace('t a', 'ta')` find in `e st a te`?",
        ({"scan": "text"},),
        on="a symbol inside others",
    ),
    Mistake(
        "joined_text_compared",
        "You compare the joined text of two neighbors with the joined pair, "
        "so `i|ng` passes for the pair in+g. Compare the two halves one by "
        "one.",
        "Which two symbols does the pair name?",
        ({"test": "joined"},),
        on="already begun",
    ),
    Mistake(
        "either_order",
        "You also merge the pair the other way around. The first symbol of a "
        "pair stands on the left.",
        "Is `n a` the pair a+n?",
        ({"test": "either way"},),
        on="twice in a word",
    ),
    Mistake(
        "left_half_only",
        "You merge wherever the first half of the pair stands, whatever "
        "follows it.",
        "Which two comparisons does a pair need?",
        ({"test": "left only"},),
        on="three merges",
    ),
    Mistake(
        "cut_into_letters_again",
        "You cut the words into letters before you begin, and the merges that "
        "they had already are lost. A word comes as a list of symbols, and a "
        "symbol may be longer than a letter.",
        "What is `['in', 'g']` after your first line?",
        ({"start": "letters"},),
        on="already begun",
    ),
)
_WHAT = (
    Mistake(
        "sign_between",
        "The two halves are joined with a sign between them. The new symbol "
        "is the two halves and nothing else: `i` and `n` make `in`.",
        "What do you join the halves with?",
        ({"glue": "+"}, {"glue": " "}, {"glue": "_"}, {"glue": "-"}),
        on="three merges",
    ),
    Mistake(
        "texts_returned",
        "You return each word as a text with spaces. Wanted is a list of "
        "symbols for each word, so that the next step can go on with it.",
        "Which line joins the symbols of a word?",
        ({"out": "texts"},),
        on="three merges",
    ),
    Mistake(
        "glued_again",
        "You return each word as one text: all its symbols are joined, and "
        "the cuts are lost.",
        "Which line joins the symbols of a word?",
        ({"out": "glued"},),
        on="three merges",
    ),
    Mistake(
        "one_flat_list",
        "You return one long list of symbols, and nobody can tell where a "
        "word ends. Wanted is a list for each word.",
        "`extend` pours a list out; `append` keeps it together.",
        ({"out": "flat"},),
        on="three merges",
    ),
    Mistake(
        "merged_across_words",
        "You put all words into one row before you merge, so the last symbol "
        "of a word meets the first of the next. Words stay apart.",
        "How long is the list that you walk through?",
        ({"out": "one row"},),
    ),
    Mistake(
        "one_word_only",
        "Only one of the words comes back. Does `return` stand inside the "
        "loop over the words, or is the result overwritten?",
        "Which variable collects the finished words?",
        (
            {"keep": "last word"},
            {"keep": "first word"},
            {"out": "first"},
            {"out": "last"},
        ),
        on="three merges",
    ),
    Mistake(
        "unchanged_words_lost",
        "Words in which nothing was merged are missing. They come back as "
        "they were.",
        "What do you append when no pair was found?",
        ({"keep": "changed"},),
    ),
    Mistake(
        "repeated_words_lost",
        "A word that occurs twice comes back once. The words of a text come "
        "back all, in their order.",
        "Do you use a `set`, or a dictionary with words as keys?",
        ({"keep": "distinct"}, {"keep": "one a text"}),
        on="one word twice",
    ),
    Mistake(
        "only_merged_symbols",
        "You return only the symbols that a merge made. The others belong to "
        "the word too.",
        "What do you append when the two symbols are not the pair?",
        ({"keep": "merged symbols"},),
        on="three merges",
    ),
    Mistake(
        "vocabulary_returned",
        "You return the set of symbols that occur. Wanted are the words, cut "
        "into these symbols.",
        "What is asked: which symbols there are, or how each word is cut?",
        ({"out": "vocabulary"},),
        on="three merges",
    ),
    Mistake(
        "lengths_returned",
        "You return how many symbols each word has. Wanted are the symbols.",
        "Is there a `len` on the way out?",
        ({"out": "lengths"},),
        on="three merges",
    ),
)
_EDGES = (
    Mistake(
        "no_pairs",
        "Without any pair your function stops. Nothing is merged then, and "
        "the words come back as they are.",
        "Which variable is made only inside the loop over the pairs?",
        matches=_no_merge_fails,
        on="no merge yet",
    ),
    Mistake(
        "unmerged_words_changed",
        "All merges are right, but with an empty list of pairs the words do "
        "not come back as they were.",
        "What does your function return when its outer loop never runs?",
        matches=_no_merge_differs,
        on="no merge yet",
    ),
    Mistake(
        "empty_word",
        "A word without symbols stops your function. It comes back empty.",
        "What is the last symbol of an empty list?",
        matches=_empty_fails,
        on="an empty word",
    ),
    Mistake(
        "empty_word_changed",
        "All merges are right, but a word without symbols does not come back "
        "as an empty list.",
        "`''.split(' ')` is not an empty list.",
        matches=_empty_differs,
        on="an empty word",
    ),
)
MISTAKES = (*_WHICH, *_WHERE, *_WHAT, *_EDGES)
