"""Known wrong answers to `teacher_forcing(sentences, bos, eos, pad)`.

The words in braces are filled in by `about_teacher_forcing` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer

__all__ = ["MISTAKES"]


def _stumbles(answers: dict[str, Answer]) -> bool:
    return answers["no words"].kind != ARRAY


def _odd(answers: dict[str, Answer]) -> bool:
    return answers["no words"].kind == ARRAY


_SHIFT = (
    Mistake(
        "no_shift",
        "You read {reads} and say {says}: at each place the answer is the "
        "word that was just read. A model learns to copy and its loss falls "
        "to 0. (Or is there one list with two names?)",
        "Which of the two rows begins with bos, and which ends with eos?",
        (
            {"reads": "words eos"},
            {"says": "bos words"},
            {"reads": "bos words eos", "says": "bos words eos"},
            {"reads": "words", "says": "words"},
        ),
        on="three",
    ),
    Mistake(
        "shifted_by_two",
        "You read {reads} and say {says}: each target is the word after the "
        "next. One step at a time: what is said at one place is read at the "
        "next.",
        "What is the model asked for after bos?",
        (
            {"says": "later words eos"},
            {"reads": "words", "says": "later words eos"},
            {"says": "later words eos eos"},
        ),
        on="three",
    ),
    Mistake(
        "tables_exchanged",
        "The two tables have changed places: what you call inputs ends with "
        "eos and what you call targets begins with bos. A model that reads "
        "a word and is asked for the one *before* it can look it up.",
        "Which of the two does the decoder read?",
        ({"layout": "exchanged"},),
        on="three",
    ),
    Mistake(
        "bos_forgotten",
        "Your inputs begin with the first word, so nobody is asked for it: "
        "there is nothing to predict it from. Put bos in front.",
        "From what does a model predict the first word of a sentence?",
        (
            {"reads": "words"},
            {"reads": "words", "says": "words eos eos"},
        ),
        on="three",
    ),
    Mistake(
        "eos_forgotten",
        "Your targets end with the last word, so the model is never told to "
        "stop. Its last lesson is eos.",
        "What should a model say after the last word?",
        ({"says": "words"}, {"reads": "bos words, last lost", "says": "words"}),
        on="three",
    ),
    Mistake(
        "eos_in_the_input",
        "Your inputs hold eos as well, and after it nothing is to be "
        "predicted. Public code often has that, by cutting one column off "
        "bos words eos, and a loss that skips padding forgives it. Wanted "
        "here: as many real places in both rows.",
        "How many real places has each row of the shortest sentence?",
        ({"reads": "bos words eos"}, {"reads": "all but the last column"}),
        on="three",
    ),
    Mistake(
        "bos_in_the_target",
        "Your targets hold bos. Bos is given, nobody has to predict it: "
        "targets are the words and eos.",
        "What is the model asked for first?",
        ({"says": "bos words eos"},),
        on="three",
    ),
    Mistake(
        "eos_for_bos",
        "Your inputs begin with eos, {eos}, in place of bos, {bos}. (Some "
        "libraries do use one token for both; here there are two.)",
        "Which of the three special ids opens a sentence?",
        ({"reads": "eos words"},),
    ),
    Mistake(
        "bos_for_eos",
        "Your targets end with bos, {bos}, in place of eos, {eos}, or the two "
        "have changed places everywhere.",
        "Which of the three special ids ends a sentence?",
        ({"ids": "bos for eos"}, {"ids": "exchanged"}),
    ),
    Mistake(
        "eos_twice",
        "Your targets end with two eos. One is enough: after it nothing is "
        "to be said.",
        "How many targets has a sentence of three words?",
        ({"says": "words eos eos"},),
        on="one",
    ),
    Mistake(
        "last_word_not_read",
        "Your inputs lose the last word, so eos has to be predicted without "
        "having read it.",
        "From which words is eos predicted?",
        ({"reads": "bos words, last lost"},),
        on="three",
    ),
)
_FILL = (
    Mistake(
        "not_padded",
        "Your rows have different lengths (the places that are missing are "
        "shown as nan). A table needs equal rows: fill up with pad, {pad}.",
        "How long is the longest row?",
        ({"fill": "nothing"}, {"fill": "targets not"}),
        on="three",
    ),
    Mistake(
        "padded_on_the_left",
        "You fill up on the left. In this book padding stands on the right, "
        "so that the causal mask alone hides it from every real word.",
        "On which side of the words does pad stand?",
        ({"fill": "left"}, {"fill": "after bos"}),
        on="three",
    ),
    Mistake(
        "padded_with_eos",
        "You fill up with eos, {eos}, so the model is asked to say it again "
        "and again. Fill up with pad, {pad}.",
        "Which of the three special ids means nothing at all?",
        ({"fill": "with eos"}, {"fill": "targets with eos"}),
        on="three",
    ),
    Mistake(
        "padded_with_bos",
        "You fill up with bos, {bos}. Fill up with pad, {pad}.",
        "Which of the three special ids means nothing at all?",
        ({"fill": "with bos"},),
        on="three",
    ),
    Mistake(
        "eos_after_padding",
        "You fill up first and add eos after that, so it stands behind the "
        "padding: {says}. The end of a sentence comes right after its last "
        "word.",
        "In which order do you do the two things?",
        ({"fill": "words first"},),
        on="three",
    ),
    Mistake(
        "cut_to_the_shortest",
        "Your rows are cut to the length of the shortest sentence, and words "
        "are lost. Lengthen the short rows in place of that.",
        "Which sentence decides the length?",
        ({"fill": "cut"},),
        on="three",
    ),
    Mistake(
        "one_column_too_many",
        "Your tables have a last column that holds nothing but padding: the "
        "shape is {shape}, wanted is {wanted_shape}.",
        "How many real places has the longest row?",
        ({"fill": "one more"},),
        on="three",
    ),
)
_REST = (
    Mistake(
        "own_ids",
        "You use numbers of your own for bos, eos or pad. They come with the "
        "call: here {bos}, {eos} and {pad}.",
        "Search your code for 0, 1 and 2.",
        ({"ids": "own"}, {"ids": "own pad"}),
        on="other ids",
    ),
    Mistake(
        "sentences_reordered",
        "The sentences come back in another order. Row 0 of both tables "
        "belongs to the first sentence that came; its source stands in row 0 "
        "of another table.",
        "Does your code sort the sentences?",
        ({"order": "short first"}, {"order": "long first"}),
        on="three",
    ),
    Mistake(
        "only_the_first_sentence",
        "Only the first sentence is there, shape {shape} in place of "
        "{wanted_shape}.",
        "Does `return` stand inside the loop?",
        ({"order": "only the first"},),
        on="three",
    ),
    Mistake(
        "pairs_of_rows",
        "You return a pair of rows for each sentence, shape {shape}. Wanted "
        "are two whole tables, first all inputs, then all targets: "
        "{wanted_shape}.",
        "What is the first thing that you return?",
        ({"layout": "pairs"},),
        on="three",
    ),
    Mistake(
        "rows_and_columns_exchanged",
        "Each sentence stands in a column, shape {shape}. In this book a "
        "sentence is a row: {wanted_shape}.",
        "Which of the two lengths counts the sentences?",
        ({"layout": "columns"},),
        on="three",
    ),
    Mistake(
        "one_table_only",
        "One table comes back, of shape {shape}. Two are wanted, the inputs "
        "and the targets.",
        "What does the decoder read, and what should it say?",
        (
            {"layout": "inputs"},
            {"layout": "targets"},
            {"layout": "side by side"},
        ),
        on="three",
    ),
    Mistake(
        "reversed",
        "The words of a sentence come in reverse order: {reads}.",
        "Where does your code turn a list around?",
        ({"words": "reversed"},),
        on="three",
    ),
    Mistake(
        "words_lost_or_sorted",
        "Words are put into another order, or a word that occurs twice is "
        "kept once: {words} became {reads}. A sentence is a list, not a set.",
        "What does your code do with a word that it has seen before?",
        ({"words": "distinct"}, {"words": "sorted"}),
        on="repeated",
    ),
    Mistake(
        "no_words",
        "A sentence without words makes your function stumble. It is short, "
        "but real: bos is read, eos is said.",
        "Which line needs a first or a last word?",
        matches=_stumbles,
        on="no words",
    ),
    Mistake(
        "no_words_skipped",
        "A sentence without words comes out wrong. It is short, but real: "
        "bos is read, eos is said, and its row stays in both tables.",
        "Follow an empty list through your function.",
        matches=_odd,
        on="no words",
    ),
)

MISTAKES = _SHIFT + _FILL + _REST
