"""The exercise `epoch_loss(losses, masks)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import (
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "epoch_loss"]


def epoch_loss(function: Any) -> Verdict:
    """Check a function `epoch_loss(losses, masks)`: the loss per token.

    The sum of the losses of all real tokens of all batches, divided once by
    the number of these tokens.

    Args:
        function: takes two lists with an array (B, T) for each batch, B and
            T different from batch to batch: the loss at each place, and
            True where a real token stands; returns one number.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: the chapter on the loss (chapter 12).
    """
    return judge(EXERCISE, function)


def solution(losses, masks):
    total = 0
    tokens = 0
    for loss, mask in zip(losses, masks, strict=True):
        total += (loss * mask).sum()
        tokens += mask.sum()
    average = total / tokens
    return average


def mean(loss, mask, axis=None):
    return (loss * mask).sum(axis) / mask.sum(axis)


def _batch(seed, *lengths):
    """Losses with one decimal, also where padding stands, and the mask."""
    size = len(lengths), max(lengths)
    losses = np.random.default_rng(seed).integers(1, 60, size=size) / 10
    return losses, np.arange(size[1]) < np.array(lengths)[:, None]


def _case(name, *batches, basic=True):
    losses, masks = zip(*batches, strict=True)
    return Case(name, (list(losses), list(masks)), basic)


CASES = (
    _case("two batches", _batch(1, 2, 4), _batch(2, 5, 1, 3)),
    _case("one batch", _batch(3, 1, 4, 2)),
    _case("three batches", _batch(4, 6), _batch(5, 2, 2, 1), _batch(6, 3, 7)),
    _case("no padding", _batch(7, 3, 3), _batch(8, 2), _batch(9, 4, 4, 4)),
    _case(
        "a loss of zero",
        (np.array([[0.0, 2.0], [1.5, 3.0]]), np.array([[1, 1], [1, 0]]) > 0),
        _batch(10, 3, 1),
    ),
    _case(
        "a batch of padding",
        _batch(11, 2, 3),
        (np.array([[4.0, 1.0]]), np.zeros((1, 2), bool)),
        basic=False,
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    losses, masks = case.args
    tokens = sum(int(mask.sum()) for mask in masks)
    return first_difference(want, got) | {
        "tokens": tokens,
        "cells": sum(mask.size for mask in masks),
        "batches": len(masks),
        "sentences": sum(map(len, masks)),
        "total": number(tokens * float(want)),
    }


def _turned(args: tuple) -> tuple:
    losses, masks = args
    return losses[::-1], masks[::-1]


def _other_padding(args: tuple) -> tuple:
    losses, masks = args
    pairs = zip(losses, masks, strict=True)
    return [np.where(m, a, 50.0) for a, m in pairs], masks


def _show(args: tuple) -> str:
    losses, masks = args
    lines = []
    for i, (a, m) in enumerate(zip(losses, masks, strict=True)):
        lines += [show(a, f"losses[{i}] = "), show(m, f"masks[{i}]  = ")]
    return "\n".join(lines) + "\n(1 is True: a real token)"


def _stumbles(answers: dict) -> bool:
    answer = answers["a batch of padding"]
    return answer.kind != ARRAY or answer.broken


BATCH_OF_PADDING = Mistake(
    "batch_of_padding",
    "A batch that holds nothing but padding makes your function stumble: "
    "0 divided by 0. With sums and one division at the end it costs "
    "nothing.",
    "Which division happens once a batch?",
    matches=_stumbles,
    on="a batch of padding",
)

MISTAKES = r"""
per_cell
- mask.sum()
+ mask.size
@ two batches
You divide by all {cells} places, padding included, so the number falls when
short sentences share a batch with long ones: {came} instead of {wanted}. Only
{tokens} of them hold a real token.
? How many real tokens are there? A mask can count them.

padding_counted
- strict=True):
+ strict=True):
+     mask = np.ones_like(mask)
or
- strict=True):
+ strict=True):
+     mask = np.ones_like(mask)
- (loss * mask).sum()
+ mean(loss, mask)
- mask.sum()
+ 1
or
- strict=True):
+ strict=True):
+     mask = np.ones_like(mask)
- (loss * mask).sum()
+ mean(loss, mask, axis=1).sum()
- mask.sum()
+ len(mask)
@ two batches
You average over all places and never ask the masks: padding counts as if it
were language, {came} instead of {wanted}.
? Where does your code use `masks`?

padding_in_the_sum
- (loss * mask).sum()
+ loss.sum()
@ two batches
You divide by the number of real tokens, but the sum above it holds the losses
of the padding too: {came} instead of {wanted}.
? The mask is needed twice, above and below the line.

mask_reversed
- strict=True):
+ strict=True):
+     mask = ~mask
or
- strict=True):
+ strict=True):
+     mask = ~mask
- total / tokens
+ total / max(tokens, 1)
@ two batches
You keep exactly the places of the padding. In this book True means that a
place counts.
? Turn no mask around.

per_sentence
- (loss * mask).sum()
+ mean(loss, mask, axis=1).sum()
- mask.sum()
+ len(mask)
@ two batches
You average the means of the {sentences} sentences, so a word in a short
sentence weighs more than one in a long sentence: {came} instead of {wanted}.
A legitimate choice, but not the loss per token.
? How often do you divide?

mean_of_batch_means
- (loss * mask).sum()
+ mean(loss, mask)
- mask.sum()
+ 1
or
- (loss * mask).sum()
+ mean(loss, mask) * len(mask)
- mask.sum()
+ len(mask)
or
- (loss * mask).sum()
+ mean(loss, mask) * mask.size
- mask.sum()
+ mask.size
@ two batches
You take the mean of each of the {batches} batches and average these, so a batch
weighs as one, or by its sentences or places. It has to weigh by its real
tokens; otherwise the number depends on how the sentences are cut into batches:
{came} instead of {wanted}.
? Inside the loop only sums are kept. How often do you divide?

mean_of_batch_means_per_cell
- (loss * mask).sum()
+ (loss * mask).mean()
- mask.sum()
+ 1
@ two batches
Two things at once: each batch is divided by all its places, padding included,
and then the means are averaged, so that a small batch weighs as much as a
large one.
? Divide once, at the end, by the number of real tokens.

per_batch
- mask.sum()
+ 1
@ two batches
You divide the total by the number of batches, {batches}: larger batches,
larger loss. Divide by the number of real tokens, {tokens}.
? What does your number mean if the batch size doubles?

total_per_sentence
- mask.sum()
+ len(mask)
@ two batches
You divide the total by the number of sentences, {sentences}: long sentences,
large loss. Divide by the number of real tokens, {tokens}.
? What is counted below the line?

per_place_in_the_row
- mask.sum()
+ len(mask[0])
@ two batches
You divide by the lengths of the rows and forget that a batch has several rows:
{came} instead of {wanted}.
? What is counted below the line?

zeros_left_out
- mask.sum()
+ np.count_nonzero(loss * mask)
@ a loss of zero
You count the places whose loss is not 0. A real token that the model was sure
of has the loss 0 and counts as well: ask the mask.
? How do you find out how many real tokens there are?

not_divided
- total / tokens
+ total
@ two batches
You return the total, {total}. Divided by the number of real tokens, {tokens},
it becomes the loss per token.
? One division is missing.

divided_twice
- total / tokens
+ total / tokens / tokens
or
- total / tokens
+ total / tokens / len(losses)
or
- (loss * mask).sum()
+ mean(loss, mask)
@ two batches
You divide twice: {came} instead of {wanted}. In training that makes the
gradients tiny. Sum first, divide once.
? Follow one loss through your function and count the divisions.

sum_of_means
- (loss * mask).sum()
+ mean(loss, mask)
- total / tokens
+ total
@ two batches
You add up the means of the batches, and the sum grows with their number:
{came} instead of {wanted}.
? Keep sums inside the loop, and divide once after it.

several_numbers
- total / tokens
+ [mean(*batch) for batch in zip(losses, masks)]
or
- total / tokens
+ np.concatenate([mean(*b, axis=1) for b in zip(losses, masks)])
or
- total / tokens
+ (total, tokens)
@ two batches
You return several numbers, shape {shape}. The epoch has one loss.
? What is to be done with the batches after the loop?

set_to_zero_in_the_loop
- total +=
+ total =
or
- tokens +=
+ tokens =
@ two batches
One of your two sums holds the last batch alone, the other one all batches:
{came} instead of {wanted}.
? Which sum is set to 0 inside the loop?

only_the_last_batch
- total = 0
+ losses, masks = losses[-1:], masks[-1:]
+ total = 0
@ two batches
Your number is that of the last batch alone: {came} instead of {wanted}. The
variable is overwritten in each round of the loop.
? What is remembered from the first batch?

only_the_first_batch
- total = 0
+ losses, masks = losses[:1], masks[:1]
+ total = 0
@ two batches
Your number is that of the first batch alone: {came} instead of {wanted}. Does
`return` stand inside the loop?
? How often does your loop run?

last_batch_lost
- total = 0
+ losses, masks = losses[:-1] or losses, masks[:-1] or masks
+ total = 0
@ two batches
The last batch is missing: {came} instead of {wanted}.
? How often does your loop run?

a_place_lost
- strict=True):
+ strict=True):
+     loss, mask = loss[:, :-1], mask[:, :-1]
or
- strict=True):
+ strict=True):
+     loss, mask = loss[:, 1:], mask[:, 1:]
@ two batches
The first or the last place of each row is missing: {came} instead of
{wanted}. The shift by one is done already, when the losses come.
? Look for a cut such as `1:` or `:-1`.

perplexity
- return average
+ return np.exp(average)
@ two batches
You return the perplexity, e to the power of the loss: {came}. The task asks for
the loss itself, {wanted}.
? Which step comes after the division?

in_bits
- return average
+ return average / np.log(2)
@ two batches
You return bits, {came}. This book counts in nats: {wanted}.
? Which step comes after the division?

negative
- return average
+ return -average
@ two batches
Your loss is negative, {came}. The losses that come in are minus the logarithm
already.
? Where does the minus come from?

upside_down
- return average
+ return 1 / average
@ two batches
You divide the number of tokens by the total. Loss per token: the loss stands
above, the tokens below.
? Read the name aloud: loss per token.

largest_loss
- total / tokens
+ max((loss * mask).max() for loss, mask in zip(losses, masks))
@ two batches
You return the largest loss, {came}. The task asks for the mean of all.
? What do you do with the small ones?

median
- total / tokens
+ np.median(np.concatenate([a[m] for a, m in zip(losses, masks)]))
@ two batches
You return the loss in the middle (the median), {came}. The task asks for the
mean, {wanted}.
? Both are averages. Which one is a sum, divided?

rounded
- return average
+ return np.round(average, 2)
or
- return average
+ return np.round(average, 3)
You round the loss: {came} instead of {wanted}. Round when you print, not when
you compute.
? Look for a rounding on the way out.

& batch_of_padding
"""

EXERCISE = Exercise(
    name="epoch_loss",
    inputs=("losses", "masks"),
    asked="`epoch_loss(losses, masks)` gets two lists with an array for each "
    "batch: the loss at each place, and True where a real token stands. It "
    "returns the loss per real token over all batches: one number.",
    praise="Your number agrees with the reference, however the sentences are "
    "cut into batches and whatever stands where the padding is.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        unmoved_by(
            _other_padding,
            lambda got, args: got,
            "The first thing that breaks: what stands at a place of padding "
            "must not matter, and it changes your number.",
        ),
        unmoved_by(
            _turned,
            lambda got, args: got,
            "The first thing that breaks: the order of the batches must not "
            "matter, and it changes your number.",
        ),
    ),
    hints=(
        "Two running numbers are enough: how much surprise there was so far, "
        "and over how many real tokens.",
        "Inside the loop over the batches nothing is divided. Multiplied by "
        "a mask, padding counts 0, and a mask adds up to the number of its "
        "True places.",
    ),
    made_here=(BATCH_OF_PADDING,),
    facts=_facts,
    show_inputs=_show,
)
