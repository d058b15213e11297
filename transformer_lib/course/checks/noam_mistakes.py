"""Known wrong answers to the exercise `noam(step, d_model, warmup)`.

The words in braces are filled in by `about_noam` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_COUNTING = (
    Mistake(
        "one_step_ahead",
        "You add 1 to the step. Here the steps already count from 1, so at "
        "step {step} you give the rate of the next one: {came} in place of "
        "{wanted}. (Adding 1 is right where a scheduler counts from 0.)",
        "What is the number of the first update here, 0 or 1?",
        ({"count": 1},),
    ),
    Mistake(
        "one_step_behind",
        "You subtract 1 from the step, so at step {step} you give the rate "
        "of the step before: {came} in place of {wanted}. And step 1 has no "
        "step before it.",
        "What is the number of the first update here, 0 or 1?",
        ({"count": -1}, {"rise": "minus one"}),
    ),
)
_WIDTH = (
    Mistake(
        "inputs_exchanged",
        "Two of your three inputs have changed places: {came} in place of "
        "{wanted}. They come as step, d_model, warmup.",
        "In which order does the first line of your function name them?",
        (
            {"take": "width and warm-up"},
            {"take": "step and width"},
            {"take": "step and warm-up"},
        ),
    ),
    Mistake(
        "numbers_of_the_paper",
        "You have written a number of the paper, 512 or 4000, where an input "
        "belongs: {came} in place of {wanted}. Here d_model = {d} and "
        "warmup = {warmup}.",
        "Which of the three inputs is never used in your function?",
        ({"take": "512"}, {"take": "4000"}, {"take": "both"}),
    ),
    Mistake(
        "width_left_out",
        "The width of the model is missing: {came} in place of {wanted}. A "
        "model four times as wide gets half the rate.",
        "Which of the three inputs does your result not depend on?",
        ({"width": "left out"},),
    ),
    Mistake(
        "multiplied_by_the_root_of_the_width",
        "You multiply by the root of d_model; it belongs below the fraction "
        "bar. {came} came in place of {wanted}.",
        "A wide model needs smaller steps. Look at the sign of the exponent.",
        ({"width": "root"},),
    ),
    Mistake(
        "divided_by_the_width",
        "You divide by d_model = {d} and not by its root: {came} in place of "
        "{wanted}.",
        "The exponent of the width is one half, with a minus.",
        ({"width": "below"}, {"width": "square"}),
    ),
    Mistake(
        "brackets_lost",
        "A power went wrong: Python reads `d ** -1 / 2` as `(d ** -1) / 2`, "
        "which is half of 1 / d. {came} came in place of {wanted}.",
        "Brackets around the -1 / 2, or the decimal number.",
        (
            {"width": "brackets lost"},
            {"fall": "brackets lost"},
            {"width": "brackets lost", "fall": "brackets lost"},
        ),
    ),
    Mistake(
        "width_in_one_branch_only",
        "The width stands inside the brackets of the minimum and scales one "
        "of the two curves only, so they no longer cross at the step called "
        "warmup. {came} came in place of {wanted}.",
        "The width multiplies the result of the minimum.",
        ({"width": "inside, falling"}, {"width": "inside, rising"}),
    ),
)
_CHOICE = (
    Mistake(
        "larger_in_place_of_smaller",
        "You take the larger of the two curves: the rate begins high, falls "
        "until the end of the warm-up and then climbs for ever. {came} came "
        "in place of {wanted}.",
        "At step 1 one of the two is tiny. That one counts.",
        ({"choose": "larger"}, {"choose": "swapped"}),
    ),
    Mistake(
        "never_falls",
        "Your rate rises for ever: only the straight line is there. After "
        "the warm-up the falling curve takes over. {came} came in place of "
        "{wanted}.",
        "Two curves are given. Where is the other one, and which counts when?",
        ({"choose": "rising"},),
    ),
    Mistake(
        "no_warm_up",
        "Your rate only falls: at step 1 it is at its highest, which the "
        "warm-up is there to prevent. {came} came in place of {wanted}. "
        "Either the rising line is missing, or it is far too steep, because "
        "the warm-up is multiplied and not divided by.",
        "Two curves are given. Where is the other one, and which counts when?",
        ({"choose": "falling"}, {"rise": "plus"}),
    ),
    Mistake(
        "stays_at_the_peak",
        "Your rate climbs to {peak} and stays there. After the warm-up it "
        "falls with the root of the step.",
        "What happens at a step that is four times the warm-up?",
        ({"choose": "flat"},),
    ),
    Mistake(
        "falls_in_a_line",
        "Your rate goes down as it went up, in a straight line, and reaches "
        "0 at twice the warm-up. It should fall like 1 over a root.",
        "What happens at a step that is four times the warm-up?",
        ({"choose": "line down"},),
    ),
    Mistake(
        "multiplied_the_curves",
        "You multiply the two curves. Only one of them counts at a time, the "
        "smaller. {came} came in place of {wanted}.",
        "Which word stands before the bracket in the formula?",
        ({"choose": "product"},),
    ),
    Mistake(
        "added_the_curves",
        "You add the two curves. Only one of them counts at a time, the "
        "smaller. {came} came in place of {wanted}.",
        "Which word stands before the bracket in the formula?",
        ({"choose": "sum"},),
    ),
)
_FALLING = (
    Mistake(
        "grows_with_the_root",
        "The falling curve grows in your function: its exponent has lost the "
        "minus. {came} came in place of {wanted}.",
        "1 over a root is a power with a negative exponent.",
        ({"fall": "root"},),
    ),
    Mistake(
        "divided_by_the_step",
        "Your falling curve is 1 / step; 1 over the *root* of the step is "
        "wanted. {came} came in place of {wanted}.",
        "Which power is the root?",
        ({"fall": "below"},),
    ),
    Mistake(
        "decay_restarts",
        "Your fall is counted from the end of the warm-up. It is counted "
        "from step 0: otherwise the rate jumps to many times its peak there. "
        "{came} came in place of {wanted}.",
        "Put in the step right after the warm-up. Is it a little below the "
        "peak?",
        ({"choose": "restart"},),
    ),
    Mistake(
        "fall_relative_to_the_warm_up",
        "Your falling curve is a share of the peak, (step / warmup) to the "
        "power -1/2, and the other one is not. {came} came in place of "
        "{wanted}: both must be in the same unit.",
        "At the step called warmup the two curves must have the same value.",
        ({"fall": "relative"},),
    ),
)
_RISING = (
    Mistake(
        "wrong_power_of_the_warm_up",
        "The power of the warm-up is not right: {came} came in place of "
        "{wanted}. It is 3/2, below the fraction bar, so that the two curves "
        "cross at the step called warmup.",
        "Where the step equals the warm-up, both curves must be 1 over the "
        "root of the warm-up.",
        ({"rise": "root"}, {"rise": "below"}, {"rise": "two"}),
    ),
    Mistake(
        "powers_exchanged",
        "The powers -1/2 and -3/2 have changed places: {came} came in place "
        "of {wanted}. The step alone has -1/2, the warm-up -3/2.",
        "Where the step equals the warm-up, both curves must be 1 over the "
        "root of the warm-up.",
        ({"fall": "three halves", "rise": "root"},),
    ),
    Mistake(
        "step_and_warm_up_exchanged_in_the_rise",
        "In your second curve the step has the power -3/2 and the warm-up "
        "none, so it falls: {came} came in place of {wanted}.",
        "A straight line upward has the step as it is, without a power.",
        ({"rise": "exchanged"},),
    ),
    Mistake(
        "rises_with_the_root",
        "Your warm-up rises like a root. It should be a straight line, twice "
        "as high at step 2 as at step 1: {wanted} in place of {came}.",
        "The step stands without an exponent there.",
        ({"rise": "half"},),
    ),
    Mistake(
        "step_missing_in_the_rise",
        "In your second curve the step is missing, so it does not rise at "
        "all: {came} came in place of {wanted}.",
        "A line that rises needs the step as a factor.",
        ({"rise": "no step"},),
    ),
    Mistake(
        "power_of_the_whole_product",
        "You raise the whole product step * warmup to the power -3/2. Only "
        "the warm-up has that power. {came} came in place of {wanted}.",
        "Powers come before products, if no bracket says otherwise.",
        ({"rise": "whole bracket"},),
    ),
)
_RESULT = (
    Mistake(
        "multiplied_into_a_base_rate",
        "You multiply the schedule into a base rate: {came} in place of "
        "{wanted}. The schedule is the whole learning rate. (A scheduler that "
        "multiplies, as torch's LambdaLR does, needs the base rate 1.)",
        "Is there a constant in your function that the formula does not have?",
        tuple(
            {"times": base}
            for base in (1e-3, 1e-4, 5e-4, 2e-4, 3e-4, 0.1, 0.01, 5e-3, 2.0)
        ),
    ),
    Mistake(
        "negative",
        "Your rate has a minus sign. The minus of a step downhill belongs to "
        "the update, not to the rate.",
        "Size right, sign wrong.",
        ({"result": "minus"},),
    ),
    Mistake(
        "rounded",
        "Your rate is rounded, and the paper's rates are so small that "
        "nothing is left of them: {came} in place of {wanted}.",
        "Round when you print, not when you compute.",
        (
            {"result": "rounded"},
            {"result": "rounded to 3"},
            {"result": "rounded to 2"},
        ),
    ),
)
MISTAKES = (*_COUNTING, *_WIDTH, *_CHOICE, *_FALLING, *_RISING, *_RESULT)
