"""Known wrong answers to `epoch_loss(losses, masks)`.

The words in braces are filled in by `about_epoch_loss` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer

__all__ = ["MISTAKES"]


def _stumbles(answers: dict[str, Answer]) -> bool:
    answer = answers["a batch of padding"]
    return answer.kind != ARRAY or answer.broken


_PER = (
    Mistake(
        "per_cell",
        "You divide by all {cells} places, padding included, so the number "
        "falls when short sentences share a batch with long ones: {came} in "
        "place of {wanted}. Only {tokens} of them hold a real token.",
        "How many real tokens are there? A mask can count them.",
        ({"mean": "cells"},),
        on="two batches",
    ),
    Mistake(
        "padding_counted",
        "You average over all places and never ask the masks: padding counts "
        "as if it were language, {came} in place of {wanted}.",
        "Where does your code use `masks`?",
        (
            {"mask": "ignored"},
            {"mask": "ignored", "mean": "batches"},
            {"mask": "ignored", "mean": "sentences"},
        ),
        on="two batches",
    ),
    Mistake(
        "padding_in_the_sum",
        "You divide by the number of real tokens, but the sum above it holds "
        "the losses of the padding too: {came} in place of {wanted}.",
        "The mask is needed twice, above and below the line.",
        ({"mask": "padding in the sum"},),
        on="two batches",
    ),
    Mistake(
        "mask_reversed",
        "You keep exactly the places of the padding. In this book True means "
        "that a place counts.",
        "Turn no mask around.",
        ({"mask": "other way"}, {"mask": "other way", "mean": "tokens, or 1"}),
        on="two batches",
    ),
    Mistake(
        "per_sentence",
        "You average the means of the {sentences} sentences, so a word in a "
        "short sentence weighs more than one in a long sentence: {came} in "
        "place of {wanted}. A legitimate choice, but not the loss per token.",
        "How often do you divide?",
        ({"mean": "sentences"},),
        on="two batches",
    ),
    Mistake(
        "mean_of_batch_means",
        "You average the means of the {batches} batches, so a small batch "
        "weighs as much as a large one, and the number depends on how the "
        "sentences are cut into batches: {came} in place of {wanted}.",
        "Inside the loop only sums are kept. How often do you divide?",
        (
            {"mean": "batches"},
            {"mean": "batches by sentences"},
            {"mean": "batches by cells"},
        ),
        on="two batches",
    ),
    Mistake(
        "mean_of_batch_means_per_cell",
        "Two things at once: each batch is divided by all its places, padding "
        "included, and then the means are averaged, so that a small batch "
        "weighs as much as a large one.",
        "Divide once, at the end, by the number of real tokens.",
        ({"mean": "batch cells"},),
        on="two batches",
    ),
    Mistake(
        "per_batch",
        "You divide the total by the number of batches, {batches}: larger "
        "batches, larger loss. Divide by the number of real tokens, {tokens}.",
        "What does your number mean if the batch size doubles?",
        ({"mean": "a batch"},),
        on="two batches",
    ),
    Mistake(
        "total_per_sentence",
        "You divide the total by the number of sentences, {sentences}: long "
        "sentences, large loss. Divide by the number of real tokens, "
        "{tokens}.",
        "What is counted below the line?",
        ({"mean": "a sentence"},),
        on="two batches",
    ),
    Mistake(
        "per_place_in_the_row",
        "You divide by the lengths of the rows and forget that a batch has "
        "several rows: {came} in place of {wanted}.",
        "What is counted below the line?",
        ({"mean": "a place"},),
        on="two batches",
    ),
    Mistake(
        "zeros_left_out",
        "You count the places whose loss is not 0. A real token that the "
        "model was sure of has the loss 0 and counts as well: ask the mask.",
        "How do you find out how many real tokens there are?",
        ({"mean": "zeros left out"},),
        on="a loss of zero",
    ),
)
_DIVIDED = (
    Mistake(
        "not_divided",
        "You return the total, {total}. Divided by the number of real tokens, "
        "{tokens}, it becomes the loss per token.",
        "One division is missing.",
        ({"mean": "total"},),
        on="two batches",
    ),
    Mistake(
        "divided_twice",
        "You divide twice: {came} in place of {wanted}. In training that "
        "makes the gradients tiny. Sum first, divide once.",
        "Follow one loss through your function and count the divisions.",
        (
            {"mean": "twice"},
            {"mean": "twice, batches"},
            {"mean": "means by tokens"},
        ),
        on="two batches",
    ),
    Mistake(
        "sum_of_means",
        "You add up the means of the batches, and the sum grows with their "
        "number: {came} in place of {wanted}.",
        "Keep sums inside the loop, and divide once after it.",
        ({"mean": "sum of means"},),
        on="two batches",
    ),
    Mistake(
        "several_numbers",
        "You return several numbers, shape {shape}. The epoch has one loss.",
        "What is to be done with the batches after the loop?",
        (
            {"mean": "list of means"},
            {"mean": "list of sentences"},
            {"mean": "total and count"},
        ),
        on="two batches",
    ),
)
_BATCHES = (
    Mistake(
        "set_to_zero_in_the_loop",
        "One of your two sums holds the last batch alone, the other one all "
        "batches: {came} in place of {wanted}.",
        "Which sum is set to 0 inside the loop?",
        ({"mean": "last total"}, {"mean": "last count"}),
        on="two batches",
    ),
    Mistake(
        "only_the_last_batch",
        "Your number is that of the last batch alone: {came} in place of "
        "{wanted}. The variable is overwritten in each round of the loop.",
        "What is remembered from the first batch?",
        ({"take": "last"},),
        on="two batches",
    ),
    Mistake(
        "only_the_first_batch",
        "Your number is that of the first batch alone: {came} in place of "
        "{wanted}. Does `return` stand inside the loop?",
        "How often does your loop run?",
        ({"take": "first"},),
        on="two batches",
    ),
    Mistake(
        "last_batch_lost",
        "The last batch is missing: {came} in place of {wanted}.",
        "How often does your loop run?",
        ({"take": "all but the last"},),
        on="two batches",
    ),
    Mistake(
        "a_place_lost",
        "The first or the last place of each row is missing: {came} in place "
        "of {wanted}. The shift by one is done already, when the losses come.",
        "Look for a cut such as `1:` or `:-1`.",
        ({"mask": "last place lost"}, {"mask": "first place lost"}),
        on="two batches",
    ),
)
_AFTER = (
    Mistake(
        "perplexity",
        "You return the perplexity, e to the power of the loss: {came}. "
        "Wanted is the loss itself, {wanted}.",
        "Which step comes after the division?",
        ({"then": "perplexity"},),
        on="two batches",
    ),
    Mistake(
        "in_bits",
        "You return bits, {came}. This book counts in nats: {wanted}.",
        "Which step comes after the division?",
        ({"then": "bits"},),
        on="two batches",
    ),
    Mistake(
        "negative",
        "Your loss is negative, {came}. The losses that come in are minus "
        "the logarithm already.",
        "Where does the minus come from?",
        ({"then": "negative"},),
        on="two batches",
    ),
    Mistake(
        "upside_down",
        "You divide the number of tokens by the total. Loss per token: the "
        "loss stands above, the tokens below.",
        "Read the name aloud: loss per token.",
        ({"then": "inverted"},),
        on="two batches",
    ),
    Mistake(
        "largest_loss",
        "You return the largest loss, {came}. Wanted is the mean of all.",
        "What do you do with the small ones?",
        ({"mean": "largest"},),
        on="two batches",
    ),
    Mistake(
        "median",
        "You return the loss in the middle (the median), {came}. Wanted is "
        "the mean, {wanted}.",
        "Both are averages. Which one is a sum, divided?",
        ({"mean": "middle"},),
        on="two batches",
    ),
    Mistake(
        "rounded",
        "You round the loss: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Look for a rounding on the way out.",
        ({"then": "rounded"}, {"then": "rounded a little"}),
    ),
    Mistake(
        "batch_of_padding",
        "A batch that holds nothing but padding makes your function stumble: "
        "0 divided by 0. With sums and one division at the end it costs "
        "nothing.",
        "Which division happens once a batch?",
        matches=_stumbles,
        on="a batch of padding",
    ),
)

MISTAKES = _PER + _DIVIDED + _BATCHES + _AFTER
