"""Numbers worked out on paper: how many words a masked model is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["MASKING", "masking_by_hand"]

SENTENCES, WORDS, WIDTH, P = 40, 25, 30, 0.15


def masking_by_hand(value: Any) -> Verdict:
    """Check five counts of a batch under BERT's recipe.

    40 sentences of 25 words, with <bos> and <eos>, padded to 30; each word
    is chosen with p = 0.15, of the chosen ones 80 % become <mask>, 10 %
    another word, 10 % stay.

    Args:
        value: five numbers, on average: places that hold <mask>, places that
            hold another word, places that are asked for but stay, places
            that count in the loss, and places that count in the loss of a
            causal model on the same batch.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: Devlin et al. 2019, section 3.1 (Task 1). Chapter 19.
    """
    return judge_paper(MASKING, value)


def _counts(
    places: float = WORDS,
    p: float = P,
    kinds: tuple = (0.8, 0.1, 0.1),
    loss: float | None = None,
    causal: float = WORDS + 1,
) -> list[float]:
    """Masked, exchanged, kept, counted, counted by a causal model."""
    chosen = SENTENCES * places * p
    counted = chosen if loss is None else chosen * loss
    return [*(k * chosen for k in kinds), counted, SENTENCES * causal]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    right = _counts()
    pick = [
        ("bos_and_eos_counted", _counts(WORDS + 2),
         "You took 27 tokens a sentence. <bos> and <eos> are never chosen: "
         "25 words."),
        ("bos_and_eos_counted", np.round(_counts(WORDS + 2)),
         "You took 27 tokens a sentence. <bos> and <eos> are never chosen: "
         "25 words."),
        ("bos_and_eos_counted", _counts(WORDS + 2, causal=WORDS + 2),
         "You took 27 tokens a sentence. <bos> and <eos> are never chosen: "
         "25 words. And nobody is asked for <bos>: 26 answers a sentence."),
        ("eos_chosen", _counts(WORDS + 1),
         "You took 26 tokens a sentence. <eos> is never chosen: 25 words."),
        ("padding_counted", _counts(WIDTH - 2),
         "You took 28 tokens a sentence: 30 without <bos> and <eos>. The "
         "padding is never chosen: 25 words."),
        ("padding_counted", _counts(WIDTH, causal=WIDTH),
         "You took all 30 columns. Padding is never chosen or asked for, nor "
         "is <bos>; <eos> is asked for only by the causal model."),
        ("padding_counted", _counts(WIDTH),
         "You took all 30 columns. Padding is never chosen, nor are <bos> "
         "and <eos>: 25 words."),
        ("share_forgotten", _counts(p=1.0),
         "You took all words as chosen. First 15 percent, then 80, 10 and 10 "
         "percent of these."),
        ("kept_not_counted", _counts(loss=0.9),
         "The last but one is too small. Words that stay are asked for as "
         "well: the model cannot know that they are the right ones."),
        ("kept_forgotten", [*right[:2], 0.0, *right[3:]],
         "The third is not 0. Ten percent of the chosen words stay as they "
         "are, and are asked for all the same."),
        ("kept_forgotten", [*right[:2], 0.0, 0.9 * right[3], right[4]],
         "The third is not 0. Ten percent of the chosen words stay as they "
         "are, and are asked for all the same. They count in the fourth."),
        ("never_chosen_taken_for_kept",
         [*right[:2], SENTENCES * WORDS - right[3], *right[3:]],
         "The third is too large: most words that stay are not asked for. "
         "It is ten percent of the *chosen* words."),
        ("never_chosen_taken_for_kept",
         [*right[:2], SENTENCES * WORDS - 0.9 * right[3], *right[3:]],
         "The third is too large: most words that stay are not asked for. "
         "It is ten percent of the *chosen* words."),
        ("only_masks_counted", _counts(loss=0.8),
         "The last but one is too small. All chosen words are asked for, not "
         "only those that became <mask>."),
        ("all_words_counted", _counts(loss=1 / P),
         "The last but one is too large. A masked model is asked for the "
         "chosen words only, not for all of them."),
        ("chosen_taken_for_masked", [right[3], *right[1:]],
         "150 are chosen. 80 percent of these become <mask>."),
        ("of_the_rest", _counts(kinds=(0.8, 0.02, 0.18)),
         "You took ten percent of what was left. It is ten percent of the "
         "chosen words."),
        ("of_all_words", _counts(kinds=(0.8 / P, 0.1 / P, 0.1 / P)),
         "The 80, 10 and 10 percent are of the chosen words, not of all."),
        ("eos_not_counted", _counts(causal=WORDS),
         "The first four are right. A causal model is also asked for <eos>: "
         "26 answers a sentence."),
        ("bos_asked_for", _counts(causal=WORDS + 2),
         "The first four are right. Nobody is asked for <bos>; it is given: "
         "26 answers a sentence."),
        ("padding_asked_for", _counts(causal=WIDTH),
         "The first four are right. A causal model is not asked for padding: "
         "26 answers a sentence."),
        ("first_word_given", _counts(causal=WORDS - 1),
         "The first four are right. The first word is asked for as well, "
         "behind <bos>, and so is <eos>: 26 answers a sentence."),
        ("padding_asked_for", _counts(causal=WIDTH - 1),
         "The first four are right. The rows are one shorter than 30, but a "
         "causal model is not asked for padding: 26 answers a sentence."),
        ("causal_asked_for_the_hidden", [*right[:4], right[3]],
         "The first four are right. A causal model hides nothing by chance: "
         "it is asked for every next token."),
        ("causal_masked_too", [*right[:4], (WORDS + 1) * SENTENCES * P],
         "The first four are right. A causal model hides nothing by chance: "
         "it is asked for every next token."),
        ("one_sentence", [one / SENTENCES for one in right],
         "Those are the numbers of one sentence. There are 40."),
        ("exchanged_and_kept_forgotten",
         [right[3], 0.0, 0.0, right[3], right[4]],
         "That is the plain form, all chosen words masked. BERT masks 80 "
         "percent of them."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.01
    names = (
        "the places with <mask>",
        "the places with another word",
        "the places that stay",
        "the count of the masked loss",
        "the count of the causal loss",
    )
    return (
        f"{int(fits.sum())} of the 5 are right. Look again at "
        f"{names[int(np.argmin(fits))]}."
    )


MASKING = Paper(
    name="masking_by_hand(numbers)",
    asked="Five counts for 40 sentences of 25 words, p = 0.15, on average: "
    "places with <mask>, with another word, asked for but unchanged; places "
    "in the loss; places in the loss of a causal model. Such as `(1, 2, 3, "
    "4, 5)`.",
    count="five numbers",
    given="40 sentences of 25 words, <bos>, <eos>, padded to 30; p = 0.15; "
    "80 %, 10 %, 10 %",
    expected="masked, exchanged, unchanged, counted, counted if causal",
    want=_counts,
    misconceptions=_misconceptions,
    praise="All five are right. From the same batch a causal model gets "
    "about seven times as many answers to learn from. That is one reason why "
    "masked models need more steps.",
    hints=(
        "First the words: how many are there in the batch? Which of them are "
        "chosen? The three kinds share the chosen ones.",
        "There are 40 times 25 words, and 15 percent of 1000 are chosen. For "
        "the last number write one sentence as in chapter 12: what is read, "
        "and below it what is to be said.",
    ),
    look=_look,
)
