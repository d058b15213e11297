"""Part 9 of the reader's own Transformer: the learning rate of an update."""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, apart, number

__all__ = ["EXERCISE", "learning_rate"]


def learning_rate(step, d_model, warmup):
    """Return the rate of an update, a float; step counts from 1.

    Up in a line for warmup steps, then down like one over a root.
    """
    falling = step**-0.5
    rising = step * warmup**-1.5
    return d_model**-0.5 * min(falling, rising)


_PLACES = (
    ("rising", 1, 4, 4),
    ("just before the top", 3, 4, 4),
    ("at the top", 4, 4, 4),
    ("falling", 5, 4, 4),
    ("far down", 16, 4, 4),
    ("early", 2, 16, 25),
    ("middle", 10, 16, 25),
    ("late", 64, 16, 25),
    ("no warm-up", 3, 9, 1),
    ("paper, first", 1, 512, 4000),
    ("paper, top", 4000, 512, 4000),
    ("paper, last", 100_000, 512, 4000),
)
CASES = tuple(Case(name, tuple(args)) for name, *args in _PLACES)

MISTAKES = r"""
one_step_ahead
- falling = step**-0.5
+ step = step + 1
+ falling = step**-0.5
You add 1 to the step. Here the steps already count from 1, so at step {step}
you give the rate of the next one: {came} instead of {wanted}. (Adding 1 is
right where a scheduler counts from 0.)
? What is the number of the first update here, 0 or 1?

one_step_behind
- falling = step**-0.5
+ step = step - 1
+ falling = step**-0.5
or
- step * warmup
+ (step - 1) * warmup
You subtract 1 from the step, so at step {step} you give {came} instead of
{wanted}. And step 1 has no step before it.
? What is the number of the first update here, 0 or 1?

inputs_exchanged
- falling = step**-0.5
+ d_model, warmup = warmup, d_model
+ falling = step**-0.5
or
- falling = step**-0.5
+ d_model, step = step, d_model
+ falling = step**-0.5
or
- falling = step**-0.5
+ warmup, step = step, warmup
+ falling = step**-0.5
Two of your three inputs have changed places: {came} instead of {wanted}. They
come as step, d_model, warmup.
? In which order does the first line of your function name them?

numbers_of_the_paper
- falling = step**-0.5
+ d_model = 512
+ falling = step**-0.5
or
- falling = step**-0.5
+ warmup = 4000
+ falling = step**-0.5
or
- falling = step**-0.5
+ d_model, warmup = 512, 4000
+ falling = step**-0.5
You have written a number of the paper, 512 or 4000, where an input belongs:
{came} instead of {wanted}. Here d_model = {d} and warmup = {warmup}.
? Which of the three inputs is never used in your function?

width_left_out
- d_model**-0.5 * min(
+ min(
The width of the model is missing: {came} instead of {wanted}. A model four
times as wide gets half the rate.
? Which of the three inputs does your result not depend on?

multiplied_by_the_root_of_the_width
- d_model**-0.5
+ d_model**0.5
You multiply by the root of d_model; it belongs below the fraction bar. {came}
came instead of {wanted}.
? A wide model needs smaller steps. Look at the sign of the exponent.

divided_by_the_width
- d_model**-0.5
+ d_model**-1
or
- d_model**-0.5
+ d_model**-2.0
You divide by d_model = {d}, or by its square, and not by its root: {came} in
place of {wanted}.
? The exponent of the width is one half, with a minus.

brackets_lost
- d_model**-0.5
+ d_model**-1 / 2
or
- step**-0.5
+ step**-1 / 2
or
- step**-0.5
+ step**-1 / 2
- d_model**-0.5
+ d_model**-1 / 2
or
- step**-0.5
+ step**-1 / 2
- warmup**-1.5
+ warmup**-3 / 2
- d_model**-0.5
+ d_model**-1 / 2
or
- step**-0.5
+ step**-1 / 2
- warmup**-1.5
+ warmup**-3 / 2
A power went wrong: Python reads `d ** -1 / 2` as `(d ** -1) / 2`, which is half
of 1 / d. {came} came instead of {wanted}.
? Brackets around the -1 / 2, or the decimal number.

width_in_one_branch_only
- d_model**-0.5 * min(falling, rising)
+ min(d_model**-0.5 * falling, rising)
or
- d_model**-0.5 * min(falling, rising)
+ min(falling, d_model**-0.5 * rising)
The width stands inside the brackets of the minimum and scales one of the two
curves only, so they no longer cross at the step called warmup. {came} came in
place of {wanted}.
? The width multiplies the result of the minimum.

larger_in_place_of_smaller
- min(falling, rising)
+ max(falling, rising)
or
- min(falling, rising)
+ (falling if step <= warmup else rising)
You take the larger of the two curves: the rate begins high, falls until the end
of the warm-up and then climbs for ever. {came} came instead of {wanted}.
? At step 1 one of the two is tiny. That one counts.

never_falls
- min(falling, rising)
+ rising
Your rate rises for ever: only the straight line is there. After the warm-up the
falling curve takes over. {came} came instead of {wanted}.
? Two curves are given. Where is the other one, and which counts when?

minus_lost_twice
- step**-0.5
+ step**0.5
- warmup**-1.5
+ warmup**1.5
or
- step**-0.5
+ step**0.5
- warmup**-1.5
+ warmup**1.5
- d_model**-0.5
+ d_model**0.5
More than one exponent has lost its minus: {came} came instead of {wanted}. The
falling curve grows, and the rising one is far too steep.
? 1 over a root is a power with a negative exponent. Which of your exponents
stand for something below a fraction bar?

no_warm_up
- min(falling, rising)
+ falling
or
- warmup**-1.5
+ warmup**1.5
Your rate only falls: at step 1 it is at its highest, which the warm-up is there
to prevent. Either the rising line is missing, or it is far too steep, because
the warm-up is multiplied and not divided by.
? Two curves are given. Where is the other one, and which counts when?

stays_at_the_peak
- min(falling, rising)
+ min(warmup**-0.5, rising)
Your rate climbs to {peak} and stays there. After the warm-up it falls with the
root of the step.
? What happens at a step that is four times the warm-up?

falls_in_a_line
- min(falling, rising)
+ min(rising, max(2 * warmup - step, 0) * warmup**-1.5)
Your rate goes down as it went up, in a straight line, and reaches 0 at twice
the warm-up. It should fall like 1 over a root.
? What happens at a step that is four times the warm-up?

multiplied_the_curves
- min(falling, rising)
+ falling * rising
You multiply the two curves. Only one of them counts at a time, the smaller.
{came} came instead of {wanted}.
? Which word stands before the bracket in the formula?

added_the_curves
- min(falling, rising)
+ (falling + rising)
You add the two curves. Only one of them counts at a time, the smaller. {came}
came instead of {wanted}.
? Which word stands before the bracket in the formula?

grows_with_the_root
- step**-0.5
+ step**0.5
The falling curve grows in your function: its exponent has lost the minus.
{came} came instead of {wanted}.
? 1 over a root is a power with a negative exponent.

divided_by_the_step
- step**-0.5
+ 1 / step
Your falling curve is 1 / step; 1 over the *root* of the step is wanted. {came}
came instead of {wanted}.
? Which power is the root?

decay_restarts
- min(falling, rising)
+ (rising if step <= warmup else (step - warmup) ** -0.5)
or
- min(falling, rising)
+ (rising if step < warmup else (step - warmup + 1) ** -0.5)
or
- min(falling, rising)
+ min((max(step - warmup, 0) + 1) ** -0.5, rising)
Your fall is counted from the end of the warm-up. It is counted from step 0, so
that it meets the straight line at the peak. {came} came instead of {wanted}.
? Put in the step right after the warm-up. Is it a little below the peak?

fall_relative_to_the_warm_up
- step**-0.5
+ (step / warmup) ** -0.5
Your falling curve is a share of the peak, (step / warmup) to the power -1/2,
and the other one is not. {came} came instead of {wanted}: both must be in the
same unit.
? At the step called warmup the two curves must have the same value.

wrong_power_of_the_warm_up
- warmup**-1.5
+ warmup**-0.5
or
- warmup**-1.5
+ warmup**-1
or
- warmup**-1.5
+ warmup**-2.0
The power of the warm-up is not right: {came} came instead of {wanted}. It is
3/2, below the fraction bar, so that the two curves cross at the step called
warmup.
? Where the step equals the warm-up, both curves must be 1 over the root of the
warm-up.

powers_exchanged
- step**-0.5
+ step**-1.5
- warmup**-1.5
+ warmup**-0.5
The powers -1/2 and -3/2 have changed places: {came} came instead of {wanted}.
The step alone has -1/2, the warm-up -3/2.
? Where the step equals the warm-up, both curves must be 1 over the root of the
warm-up.

step_and_warm_up_exchanged_in_the_rise
- step * warmup**-1.5
+ warmup * step**-1.5
In your second curve the step has the power -3/2 and the warm-up none, so it
falls: {came} came instead of {wanted}.
? A straight line upward has the step as it is, without a power.

rises_with_the_root
- step * warmup
+ step**0.5 * warmup
Your warm-up rises like a root. It should be a straight line, twice as high at
step 2 as at step 1: {wanted} instead of {came}.
? The step stands without an exponent there.

step_missing_in_the_rise
- step * warmup
+ warmup
In your second curve the step is missing, so it does not rise at all: {came}
came instead of {wanted}.
? A line that rises needs the step as a factor.

power_of_the_whole_product
- step * warmup**-1.5
+ (step * warmup) ** -1.5
You raise the whole product step * warmup to the power -3/2. Only the warm-up
has that power. {came} came instead of {wanted}.
? Powers come before products, if no bracket says otherwise.

multiplied_into_a_base_rate
BASE RATES
You multiply the schedule into a base rate: {came} instead of {wanted}. The
schedule is the whole learning rate. (A scheduler that multiplies, as torch's
LambdaLR does, needs the base rate 1.)
? Is there a constant in your function that the formula does not have?

negative
- d_model**-0.5
+ -(d_model**-0.5)
Your rate has a minus sign. The minus of a step downhill belongs to the update,
not to the rate.
? Size right, sign wrong.

rounded
- d_model**-0.5 * min(falling, rising)
+ round(d_model**-0.5 * min(falling, rising), 4)
or
- d_model**-0.5 * min(falling, rising)
+ round(d_model**-0.5 * min(falling, rising), 3)
or
- d_model**-0.5 * min(falling, rising)
+ round(d_model**-0.5 * min(falling, rising), 2)
Your rate is rounded, and the paper's rates are so small that little is left of
them: {came} instead of {wanted}.
? Round when you print, not when you compute.

integer_division
- step * warmup**-1.5
+ step // warmup * warmup**-0.5
or
- step * warmup**-1.5
+ step // warmup**1.5
@ just before the top
You divide with `//`, which cuts off everything behind the decimal point: {came}
instead of {wanted}. During the warm-up that leaves 0.
? Which sign divides numbers that may be broken?

flat_before_the_fall
- min(falling, rising)
+ max(step, warmup) ** -0.5
Your rate stands at its peak until the warm-up ends, and falls then. (T5 is
trained so.) Here it climbs in a straight line first: {wanted} instead of
{came}.
? What should step 1 have, compared with step 2?

peak_is_one
- d_model**-0.5 * min(falling, rising)
+ min(step / warmup, (warmup / step) ** 0.5)
Your rates are shares of the peak: they climb to 1. The peak itself is 1 over
the root of d_model * warmup, {peak} here.
? What comes out of your function at the step called warmup?

peak_without_the_warm_up
- d_model**-0.5 * min(falling, rising)
+ d_model**-0.5 * min(step / warmup, (warmup / step) ** 0.5)
Your peak is 1 over the root of d_model. It also has the root of the warm-up
below the fraction bar: {peak} is wanted there.
? Where the step equals the warm-up, what is 1 over the root of the step?

rises_in_a_curve
- step * warmup**-1.5
+ step**2 * warmup**-2.5
Your warm-up rises with the square of the step. It should be a straight line,
twice as high at step 2 as at step 1.
? The step stands without an exponent there.

line_below_the_bar
- step * warmup**-1.5
+ 1 / (step * warmup**1.5)
In your second curve the step stands below the fraction bar, so it falls. The
step stands above, and the warm-up below: {wanted} instead of {came}.
? Does your second curve grow when the step grows?

root_added_to_the_warm_up
- step * warmup**-1.5
+ step * (warmup**0.5 + warmup) ** -1
Below the fraction bar you add the root of the warm-up to the warm-up. A product
of the two is wanted: {wanted} instead of {came}.
? Write the power 3/2 as a product of two powers.

root_of_the_minimum
- d_model**-0.5 * min(falling, rising)
+ d_model**-0.5 * min(falling, rising) ** 0.5
or
- d_model**-0.5 * min(falling, rising)
+ d_model**-0.5 * min(1 / step, rising) ** 0.5
or
- d_model**-0.5 * min(falling, rising)
+ (d_model**-1 * min(falling, rising)) ** 0.5
Your root is taken of the minimum as a whole, so that the rising line is bent.
The root of the step belongs to the falling curve alone.
? What stands under the root, and what should?

both_curves
- d_model**-0.5 * min(falling, rising)
+ [falling, rising]
or
- d_model**-0.5 * min(falling, rising)
+ [d_model**-0.5 * falling, d_model**-0.5 * rising]
You return both curves. One number is wanted: the smaller of the two, times 1
over the root of the width.
? Which word stands before the bracket in the formula?

always_the_peak
- min(falling, rising)
+ warmup**-0.5
Your rate is the same in every step: {came}, the peak. It should depend on the
step.
? Where does your function use `step`?

capped
CAPS
@ at the top
Your rate is capped: {came} instead of {wanted}. The formula has no upper limit
besides the two curves.
? Which number in your `min` does not stand in the formula?

sign_of_the_power
- step**-0.5
+ -(step**0.5)
You write a minus in front of the root. 1 over a root is meant: the minus stands
in the exponent, `step ** -0.5`.
? What is 4 to the power -1/2, 0.5 or -2?

caret_for_power
% TypeError: unsupported operand type\(s\) for \^:
In Python `^` is not a power: it compares bits, and only whole numbers have
them. A power is written with two stars.
? Which sign stands before your exponents?
"""


def _ways(old: str, *new: str) -> str:
    """A block's edits: one place, several things in its place."""
    return "\nor\n".join(f"- {old}\n+ {text}" for text in new)


_BASES = ("1e-3", "1e-4", "5e-4", "2e-4", "3e-4", "0.1", "0.01", "5e-3", "2.0")
_CAPS = ("1e-3", "1e-4", "5e-4", "0.1", "0.01")
MISTAKES = MISTAKES.replace(
    "BASE RATES",
    _ways("d_model**-0.5", *(f"{base} * d_model**-0.5" for base in _BASES)),
).replace(
    "CAPS",
    _ways(
        "d_model**-0.5 * min(falling, rising)",
        *(f"min({cap}, d_model**-0.5 * min(falling, rising))" for cap in _CAPS),
    ),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: what came and what is wanted."""
    if got.shape != want.shape:
        return {}
    step, d_model, warmup = case.args
    came, wanted = apart(float(got), float(want))
    return {
        "came": came,
        "wanted": wanted,
        "step": str(step),
        "d": str(d_model),
        "warmup": str(warmup),
        "peak": number((d_model * warmup) ** -0.5),
    }


def _positive(probe: Probe) -> str | None:
    """A learning rate is above 0."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != () or got.array > 0:
        return None
    return (
        "The first thing that breaks: a learning rate is above 0, and yours "
        f"at step {probe.args[0]} is {number(float(got.array))}."
    )


EXERCISE = Exercise(
    name="learning_rate",
    inputs=("step", "d_model", "warmup"),
    asked="`learning_rate(step, d_model, warmup)` returns the learning rate "
    "of a step, counted from 1: the root of d_model below the fraction bar, "
    "times the smaller of two numbers, 1 / root of step and "
    "step / (warmup * root of warmup).",
    praise="Your rates agree with the reference before, at and after the "
    "peak, from step 1 to step 100,000, for four pairs of width and warm-up.",
    cases=CASES,
    solve=Reference(learning_rate),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _positive,
        unmoved_by(
            lambda args: (args[0], 4 * args[1], args[2]),
            lambda got, args: got / 2,
            "The first thing that breaks: a model four times as wide gets "
            "half the rate, at every step, and yours does not.",
        ),
        unmoved_by(
            lambda args: (4 * max(args[0], args[2]), args[1], args[2]),
            lambda got, args: np.asarray(
                (4 * args[1] * max(args[0], args[2])) ** -0.5
            ),
            "The first thing that breaks: after the warm-up the rate falls "
            "with the root of the step, counted from the first step of all.",
        ),
    ),
    hints=(
        "Work out three rates by hand for a width of 4 and a warm-up of 4: "
        "at step 1, at step 4 and at step 16. They are 1/16, 1/4 and 1/8. "
        "Which of them does your function miss?",
        "Two curves, one rising in a straight line and one falling like 1 "
        "over a root. They cross at the step called warmup. The smaller of "
        "the two always counts, and the width of the model scales both.",
    ),
    facts=_facts,
    show_inputs=lambda args: (
        f"step = {args[0]}, d_model = {args[1]}, warmup = {args[2]}"
    ),
)
