"""Known wrong answers to `exact_match(hypotheses, references)`.

The words in braces are filled in by `about_exact_match` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import RAISED, Answer

__all__ = ["MISTAKES"]

_UNEQUAL = ("one too few", "one too many")


def _accepts_unequal(answers: dict[str, Answer]) -> bool:
    return any(answers[name].kind != RAISED for name in _UNEQUAL)


def _wrong_error(answers: dict[str, Answer]) -> bool:
    return any("ValueError" not in answers[name].groups for name in _UNEQUAL)


def _accepts_empty(answers: dict[str, Answer]) -> bool:
    return "ValueError" not in answers["empty"].groups


_COUNTED = (
    Mistake(
        "percent",
        "You return a percentage, {came}; wanted is the share {wanted}. A "
        "share of 1 means that every sentence is right.",
        "By what do you multiply at the end?",
        ({"result": "percent"},),
    ),
    Mistake(
        "count",
        "You return how many sentences are right, {came}. Divided by the "
        "number of sentences, {n}, it becomes the share {wanted}.",
        "One division is missing.",
        ({"result": "count"},),
    ),
    Mistake(
        "share_of_misses",
        "You return the share of sentences that are wrong, {came}; wanted is "
        "the share that is right, {wanted}.",
        "Which of the two cases do you count: equal or different?",
        ({"result": "misses"},),
    ),
    Mistake(
        "rounded",
        "You round the share: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Is there a `round` on the way out?",
        (
            {"result": "rounded"},
            {"result": "two decimals"},
            {"result": "one decimal"},
        ),
    ),
    Mistake(
        "all_or_nothing",
        "One wrong sentence makes your result {came} in place of {wanted}. "
        "Either you ask whether the whole lists are equal, or a whole-number "
        "division (`//`, `int`) cuts off what follows the point.",
        "How many questions do you ask for a list of three sentences, and "
        "with which sign do you divide?",
        ({"result": "all or nothing"}, {"result": "whole division"}),
    ),
    Mistake(
        "one_is_enough",
        "A single right sentence makes your result 1. Wanted is how large "
        "the share of right ones is: {wanted}.",
        "Count in place of asking whether there is any.",
        ({"result": "any"},),
    ),
    Mistake(
        "list_of_answers",
        "You return one answer for each sentence, {n} in all. Their mean is "
        "the share that is wanted.",
        "In Python True counts as 1 and False as 0.",
        ({"result": "list"},),
    ),
    Mistake(
        "one_sentence_only",
        "Your result depends on one sentence only: {came} in place of "
        "{wanted}. Does `return` stand inside the loop, or is the count "
        "overwritten each time?",
        "Follow your loop by hand over two sentences. What is remembered "
        "from the first?",
        ({"result": "first"}, {"result": "last"}),
    ),
    Mistake(
        "divided_by_one_less",
        "You divide by the number of sentences minus 1, so {hits} of {n} "
        "becomes {came}. The share is {wanted}.",
        "How many sentences are there?",
        ({"result": "one less"},),
    ),
    Mistake(
        "divided_by_distinct_references",
        "You divide by the number of different references. A reference that "
        "occurs twice counts twice: {hits} of {n} is {wanted}.",
        "A `set` forgets repeated sentences.",
        ({"result": "distinct"},),
    ),
    Mistake(
        "divided_by_tokens",
        "You divide the right sentences by the number of words. The share of "
        "sentences is {hits} of {n}, so {wanted}.",
        "Both numbers of a share must count the same things.",
        ({"result": "by tokens"},),
    ),
    Mistake(
        "right_by_wrong",
        "You divide the right sentences by the wrong ones, which is a ratio. "
        "A share is a part of the whole: {hits} of {n}, so {wanted}.",
        "How many sentences are there in all?",
        ({"result": "by misses"},),
    ),
)
_COMPARED = (
    Mistake(
        "share_of_words",
        "You count words that are right, so a sentence with one wrong word "
        "still earns most of a point: {came} in place of {wanted}. Here a "
        "sentence is right as a whole or not at all.",
        "Compare the two texts with one question, not word by word.",
        ({"hit": "tokens"}, {"result": "tokens in all"}),
    ),
    Mistake(
        "share_of_characters",
        "You count characters that are right: {came} in place of {wanted}. "
        "Here a sentence is right as a whole or not at all.",
        "Compare the two texts with one question, not letter by letter.",
        ({"hit": "characters"},),
    ),
    Mistake(
        "word_overlap",
        "You count how many words the two sentences share: {came} in place "
        "of {wanted}. Here a sentence is right as a whole or not at all.",
        "Compare the two texts with one question.",
        ({"hit": "word overlap"},),
    ),
    Mistake(
        "word_order_ignored",
        "You compare the words without their order, so `the dog bites the "
        "man` passes for `the man bites the dog`.",
        "Compare the texts as they stand, without sorting and without sets.",
        ({"hit": "bag"}, {"hit": "set"}),
    ),
    Mistake(
        "part_is_enough",
        "A part of a sentence counts as right: `the cat` passes for "
        "`the cat sleeps .`, or the other way around. Equal means equal from "
        "end to end.",
        "For texts, the word `in` asks whether one lies inside the other.",
        (
            {"hit": "inside"},
            {"hit": "contains"},
            {"hit": "either inside"},
            {"hit": "begins"},
            {"hit": "ends"},
        ),
    ),
    Mistake(
        "same_length_is_enough",
        "You compare how many words the sentences have, not which ones: "
        "{came} in place of {wanted}.",
        "Where do you use the texts themselves?",
        ({"hit": "same length"},),
    ),
    Mistake(
        "capitals_ignored",
        "You make all letters small, so `The cat` passes for `the cat`. "
        "Exact match forgives nothing but spaces at the ends: {wanted}, not "
        "{came}.",
        "Which step changes letters?",
        ({"clean": "small letters"},),
    ),
    Mistake(
        "inner_spaces_ignored",
        "You also forgive spaces inside a sentence, so `the  cat` with two "
        "spaces passes for `the cat`. Only spaces before and after do not "
        "count. (In Korean a space inside changes the words.)",
        "Cutting into words and joining them again loses the spaces.",
        ({"clean": "inner spaces"}, {"clean": "all spaces"}),
    ),
    Mistake(
        "spaces_around_counted",
        "A space at an end of a sentence makes you count it as wrong: {came} "
        "in place of {wanted}. Take the spaces away first, at both ends and "
        "in both lists.",
        "Texts have a method that takes away spaces at both ends. The "
        "references may have spaces too.",
        (
            {"clean": "nothing"},
            {"clean": "end only"},
            {"clean": "beginning only"},
            {"side": "hypotheses"},
            {"side": "references"},
        ),
    ),
    Mistake(
        "punctuation_ignored",
        "You drop the punctuation, so a sentence without its period passes: "
        "{came} in place of {wanted}.",
        "Exact match forgives nothing but spaces at the ends.",
        (
            {"clean": "letters only"},
            {"clean": "no period"},
            {"clean": "period cut off"},
        ),
    ),
    Mistake(
        "found_anywhere",
        "You look for each sentence anywhere among the references. It has to "
        "equal the one at its own place: {wanted}, not {came}.",
        "Go through the two lists side by side.",
        ({"pair": "anywhere"}, {"pair": "sets"}),
    ),
    Mistake(
        "sorted_first",
        "You sort both lists before comparing, so sentences meet that do not "
        "belong together: {came} in place of {wanted}.",
        "The order of the lists says which sentence belongs to which.",
        ({"pair": "sorted"},),
    ),
)
_REFUSED = (
    Mistake(
        "unequal_lengths_accepted",
        "Two sentences against three references get a result, because the "
        "lists are cut to the shorter one (or padded). A lost line would "
        "then go unnoticed: refuse lists of different lengths with a "
        "ValueError that names both lengths.",
        "`zip` stops silently at the shorter list.",
        matches=_accepts_unequal,
    ),
    Mistake(
        "wrong_error",
        "Lists of different lengths do stop your function, but not with a "
        "ValueError. Look at the lengths first and raise a ValueError that "
        "names both; an error by accident, or an `assert`, tells the caller "
        "less.",
        "Compare the two lengths in the first line.",
        matches=_wrong_error,
    ),
    Mistake(
        "empty_input",
        "Two empty lists have no share: there is nothing to divide by. "
        "Refuse them with a ValueError that says so.",
        "What is the share of nothing? Neither 0 nor 1 would be honest.",
        matches=_accepts_empty,
    ),
)
MISTAKES = (*_COUNTED, *_COMPARED, *_REFUSED)
