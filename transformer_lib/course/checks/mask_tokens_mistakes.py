"""Known wrong answers to `mask_tokens(ids, p)`.

The words in braces are filled in by `about_mask_tokens` from the report.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_WHO = (
    Mistake(
        "padding_chosen",
        "Padding is chosen as well: {pad} of it did not stay what it was. "
        "Nobody has written it, so there is nothing to guess; and the loss "
        "does not even count it.",
        "Which ids belong to words of the sentence?",
        (
            {"among": "all"},
            {"among": "words and pad"},
            {"among": "words, pad and mask"},
        ),
    ),
    Mistake(
        "special_tokens_chosen",
        "Some of <bos>, <eos> and <unk> are chosen: {specials}. They are no "
        "words; only ids above 4 may be masked.",
        "Make a condition that is true at words and nowhere else, and join "
        "it to the draw.",
        (
            {"among": "not pad"},
            {"among": "not pad, not bos"},
            {"among": "not pad, not eos"},
            {"among": "words and unk"},
        ),
    ),
    Mistake(
        "condition_turned_around",
        "You choose among the special tokens and leave the words alone.",
        "Read your condition aloud: for which ids is it true?",
        ({"among": "specials"}, {"among": "specials and mask"}),
    ),
    Mistake(
        "mask_chosen_again",
        "A place that holds <mask> already is chosen again, and its target "
        "is then 4: the model learns to write <mask>. Ids 0 to 4 are never "
        "chosen.",
        "Is 4 a word? Look at the sign of your comparison.",
        ({"among": "words and mask"},),
        on="everything",
    ),
    Mistake(
        "first_word_spared",
        "The word with id 5 is never chosen. Words begin at 5.",
        "Which is the smallest id that your condition lets through?",
        ({"among": "words but the first"},),
        on="everything",
    ),
    Mistake(
        "or_in_place_of_and",
        "All words are hidden, and some other tokens as well: your two "
        "conditions are joined by *or*. A place is chosen if it holds a word "
        "*and* the draw says so.",
        "What does `|` mean between two tables of True and False, and what "
        "does `&` mean?",
        ({"join": "or"},),
        on="a quarter",
    ),
)

_HOW_MANY = (
    Mistake(
        "nothing_is_chosen",
        "Nothing is ever hidden, whatever p is. If your line reads "
        "`(... < p) & ids > 4`: `&` binds more tightly than `<` and `>`, so "
        "each of the two comparisons needs brackets of its own.",
        "Let p be 1 and print your table of True and False. Is anything True?",
        ({"draw": "none"},),
        on="everything",
    ),
    Mistake(
        "one_draw_for_all",
        "One draw decides about the whole table: all words are hidden, or "
        "none. Draw for each place.",
        "What shape must the random numbers have?",
        (
            {"draw": "one of torch"},
            {"draw": "one of numpy"},
            {"draw": "one of python"},
        ),
        on="a quarter",
    ),
    Mistake(
        "share_of_the_rest",
        "You mask the share 1 - p: with p = {p} the share {masked} of the "
        "words is gone.",
        "Of numbers between 0 and 1, evenly drawn, how many lie below p?",
        ({"share": "the others"},),
        on="a quarter",
    ),
    Mistake(
        "drawn_from_the_bell",
        "With p = {p} the share {masked} of the words is masked. That is "
        "what comes out when numbers of a normal distribution (randn) are "
        "compared with p: half of them are negative.",
        "Which generator draws evenly between 0 and 1?",
        ({"share": "bell"},),
        on="a quarter",
    ),
    Mistake(
        "taken_as_percent",
        "You divide p by 100. It is a share already: 0.15 means fifteen of a "
        "hundred.",
        "What should happen if p is 1?",
        ({"share": "percent"},),
        on="a quarter",
    ),
    Mistake(
        "p_not_used",
        "With p = {p} the share {masked} of the words is masked, as if p were "
        "0.15. Use the p that is handed over.",
        "Search the body for a number that should be a name.",
        ({"share": "always 15"},),
        on="a quarter",
    ),
    Mistake(
        "drawn_twice",
        "The share {masked} of the words is masked where p = {p} was asked: "
        "about p times p. Are there two draws, both of which must succeed?",
        "Draw once, keep the result under a name, and use it twice.",
        ({"share": "squared"},),
        on="a half",
    ),
    Mistake(
        "one_in_each_sentence",
        "Exactly one word of each sentence is masked, whatever p is.",
        "What should happen if p is 0, and if p is 1?",
        ({"draw": "one a row"},),
        on="a quarter",
    ),
)

_WHICH = (
    Mistake(
        "same_columns_in_all_rows",
        "In every sentence the same places are masked: one draw for each "
        "column. Draw for each place of each sentence.",
        "What shape must the random numbers have?",
        ({"draw": "columns"},),
        on="a quarter",
    ),
    Mistake(
        "whole_sentences",
        "Sentences are masked as a whole or not at all: one draw for each "
        "row. Then nothing is left to guess from.",
        "What shape must the random numbers have?",
        ({"draw": "rows"},),
        on="a quarter",
    ),
    Mistake(
        "same_mask_every_time",
        "Called three times, your function masks the same places. Is a seed "
        "set inside it? Then a sentence asks the same question in each epoch.",
        "Where does the generator start, and how often?",
        ({"draw": "fixed"},),
        on="a quarter",
    ),
    Mistake(
        "drawn_for_the_word",
        "A word is masked everywhere or nowhere: the draw belongs to the "
        "vocabulary. It must belong to the place.",
        "Two places with the same word: how many draws?",
        ({"draw": "types"},),
        on="a quarter",
    ),
    Mistake(
        "the_first_ones",
        "You mask the first words of each sentence, as many as p asks for. "
        "Which ones is to be left to chance.",
        "Nothing is drawn in your function, or is it?",
        ({"draw": "the first"},),
        on="a quarter",
    ),
    Mistake(
        "the_last_ones",
        "You mask the last words of each sentence, as many as p asks for. "
        "Which ones is to be left to chance.",
        "Nothing is drawn in your function, or is it?",
        ({"draw": "the last"},),
        on="a quarter",
    ),
    Mistake(
        "side_by_side",
        "The masked words of a sentence stand side by side. There are models "
        "that are trained so (SpanBERT, T5); here each word has a draw of "
        "its own.",
        "How many random numbers do you draw for a sentence of ten words?",
        ({"draw": "span"},),
        on="a quarter",
    ),
)

_WHICH += (
    Mistake(
        "evenly_spaced",
        "The masked words stand at equal distances, never side by side. Each "
        "word is to have a draw of its own, whatever its neighbors had.",
        "How many random numbers do you draw for a sentence of ten words?",
        ({"draw": "spaced"}, {"draw": "spaced alike"}),
        on="a quarter",
    ),
)

_WHAT = (
    Mistake(
        "tilde_forgotten",
        "Your targets hold the words that can be seen, and 0 where a word is "
        "hidden. It has to be the other way around.",
        "In the targets, which places are to be overwritten with 0?",
        ({"asks": "the others"}, {"asks": "other words"}),
        on="a quarter",
    ),
    Mistake(
        "all_others_hidden",
        "The chosen words stand, and everything else became 4, also <bos> "
        "and the padding. Hide the chosen ones.",
        "A tilde turns a table around. In which of your two lines does it "
        "belong?",
        ({"layout": "others hidden"},),
        on="a quarter",
    ),
    Mistake(
        "wrong_sign",
        "In the place of a masked word stands {sign}. The sign for a masked "
        "word is 4, a token of its own: the model has to see that something "
        "is missing, and where.",
        "Of 0, 1, 2, 3 and 4, which one means that a word is hidden?",
        (
            {"sign": "pad"},
            {"sign": "unk"},
            {"sign": "minus one"},
            {"sign": "ignored"},
        ),
        on="a quarter",
    ),
    Mistake(
        "other_words_in_their_place",
        "The chosen words are exchanged for other words. BERT does so with "
        "one in ten of them; here each becomes 4.",
        "What does the model see at a chosen place?",
        ({"sign": "random"},),
        on="a quarter",
    ),
    Mistake(
        "the_whole_recipe",
        "That looks like BERT's recipe: eight of ten chosen words masked, one "
        "exchanged, one kept. It is right for BERT; asked for is the plain "
        "form, in which each chosen word becomes 4.",
        "Leave out the second draw.",
        ({"sign": "recipe"},),
        on="a quarter",
    ),
    Mistake(
        "nothing_is_hidden",
        "The words that are asked for still stand in the first table: the "
        "model can copy them, and its loss falls to 0.",
        "Which of the two tables does the model read?",
        ({"sign": "nothing"}, {"layout": "the ids"}),
        on="everything",
    ),
    Mistake(
        "two_draws",
        "The two tables come from two draws: words are hidden that nobody "
        "asks for, and words are asked for that can be seen. Draw once and "
        "use the result in both tables.",
        "How often does your function draw, and what does it do with each?",
        ({"asks": "another draw"},),
        on="a quarter",
    ),
    Mistake(
        "targets_everywhere",
        "Your targets hold all words, not only the masked ones. Most of the "
        "loss is then about copying what can be seen.",
        "What should stand in the targets where nothing was masked?",
        ({"quiet": "word"},),
        on="a quarter",
    ),
    Mistake(
        "another_sign_for_nothing",
        "Where nothing was masked your targets hold {quiet}. This book's loss "
        "passes over 0, the id of <pad>; torch's own passes over -100 unless "
        "it is told otherwise.",
        "Which number do the targets of chapter 12 hold behind a sentence?",
        ({"quiet": "ignored"}, {"quiet": "minus one"}),
        on="a quarter",
    ),
    Mistake(
        "mask_as_target",
        "The sign 4 stands in your targets, so the model learns to write "
        "<mask>. The target of a masked place is the word that was there.",
        "Were the targets made before or after the words were hidden?",
        (
            {"asks": "mask"},
            {"asks": "every mask"},
            {"quiet": "mask"},
        ),
        on="a quarter",
    ),
    Mistake(
        "tables_exchanged",
        "The two tables have changed places: first what the model reads, then "
        "what it is asked for.",
        "In which order does the exercise name them?",
        ({"layout": "exchanged"},),
        on="a quarter",
    ),
    Mistake(
        "marks_in_place_of_words",
        "Your targets say *where* a word is hidden (True and False). They "
        "have to say *which* word it was.",
        "What has the loss to compare the scores with?",
        ({"layout": "marks"},),
        on="a quarter",
    ),
    Mistake(
        "one_table_only",
        "One table came back. Two are wanted: what the model reads, and what "
        "it is asked for.",
        "Which of the two is missing?",
        ({"layout": "one"},),
        on="a quarter",
    ),
    Mistake(
        "three_tables",
        "Three tables came back; two are wanted: what the model reads, and "
        "what it is asked for.",
        "Which of the three can the caller work out alone?",
        ({"layout": "three"},),
        on="a quarter",
    ),
)

MISTAKES = _WHO + _HOW_MANY + _WHICH + _WHAT
