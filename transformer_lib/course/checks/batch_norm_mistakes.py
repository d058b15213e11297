"""Known wrong answers to the exercise `class BatchNorm`.

The words in braces are filled in by `about_batch_norm` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_TRAINING = (
    Mistake(
        "over_the_features",
        "You average along axis 1, over the features of one row. That is "
        "layer norm; batch norm takes one mean for each feature, over the "
        "rows. {came} came in place of {wanted}.",
        "A table of 5 rows with 3 features has 3 means.",
        ({"over": "features"}, {"over": "features, axis lost"}),
    ),
    Mistake(
        "over_all_entries",
        "One mean for the whole batch: every feature is moved by the same "
        "number. Batch norm has one mean for each feature. {came} came in "
        "place of {wanted}.",
        "Which axis do you name in `mean`? None at all means every entry.",
        ({"over": "all entries"},),
    ),
    Mistake(
        "divided_by_n_minus_one",
        "While training you divide by a variance that counts n - 1 rows. The "
        "batch is normalized with the plain mean of the squares, which "
        "counts n; only the *running* variance counts n - 1. {came} came in "
        "place of {wanted}.",
        "Two variances are needed: one to divide by, one to keep.",
        ({"spread": "n - 1"},),
    ),
    Mistake(
        "no_eps",
        "You do not use eps. A feature that is the same in all rows has the "
        "variance 0, and 0 divided by 0 is not a number (nan).",
        "Add 1e-5 to the variance before you take the root.",
        ({"eps": "none"},),
        on="constant",
    ),
    Mistake(
        "eps_outside_the_root",
        "You add eps to the standard deviation; the formula adds it to the "
        "variance, before the root. Where the spread is small it shows: "
        "{came} came in place of {wanted}.",
        "Below the line: first variance plus eps, then the root of the sum.",
        ({"eps": "outside"},),
        on="more rows",
    ),
    Mistake(
        "another_eps",
        "Your eps is not 1e-5. Where the spread is small it shows: {came} "
        "came in place of {wanted}.",
        "Compare the small number in your code with the one that is asked.",
        tuple({"eps": e} for e in ("1e-3", "1e-6", "1e-8", "1e-12")),
        on="more rows",
    ),
    Mistake(
        "root_forgotten",
        "You divide by the variance itself; its root is wanted. {came} came "
        "in place of {wanted}.",
        "Numbers twice as far apart must come out the same.",
        ({"eps": "no root"},),
    ),
    Mistake(
        "mean_not_subtracted",
        "You divide by the spread but subtract no mean: {came} came in place "
        "of {wanted}.",
        "What stands above the line? x minus the mean of its feature.",
        ({"center": "nothing"},),
    ),
    Mistake(
        "trains_with_the_running_ones",
        "While training you normalize with the running mean and variance. "
        "They serve evaluation; a training call uses the batch's own. {came} "
        "came in place of {wanted}.",
        "After a training call the mean of each feature must be 0.",
        ({"train": "running"}, {"train": "running, before the update"}),
    ),
)
_EVALUATION = (
    Mistake(
        "evaluates_with_the_batch",
        "With training = False you still use the mean and the variance of "
        "the rows that came in. Then a row's result depends on its "
        "companions, and a single row always gives 0: {came} came in place "
        "of {wanted}. (Does the word training appear in your code?)",
        "Which two numbers for each feature did the training leave behind?",
        ({"evaluate": "batch"},),
        on="one row",
    ),
    Mistake(
        "runs_only_the_mean",
        "With training = False you use the running mean, but the variance of "
        "the rows that came in: {came} came in place of {wanted}.",
        "Both the mean and the variance have a running version.",
        ({"evaluate": "running mean only"},),
        on="trained once",
    ),
    Mistake(
        "runs_only_the_variance",
        "With training = False you use the running variance, but the mean of "
        "the rows that came in: {came} came in place of {wanted}.",
        "Both the mean and the variance have a running version.",
        ({"evaluate": "running variance only"},),
        on="trained once",
    ),
    Mistake(
        "evaluation_does_nothing",
        "With training = False you return x without normalizing it: {came} "
        "came in place of {wanted}. The formula is the same; only the mean "
        "and the variance come from elsewhere.",
        "Normalize with what the training left behind.",
        ({"evaluate": "nothing"},),
        on="trained once",
    ),
    Mistake(
        "never_updated",
        "The running mean and variance never change, so evaluation knows "
        "nothing of the training: {came} came in place of {wanted}. (A local "
        "variable is forgotten when the call ends; `self.` keeps it.)",
        "Each training call has to write into the object.",
        ({"update": "never"},),
        on="trained once",
    ),
    Mistake(
        "updated_while_evaluating",
        "A call with training = False also moves the running mean and "
        "variance. Looking must not change what is looked at: {came} came in "
        "place of {wanted}.",
        "Put the update inside the branch for training.",
        ({"update": "always"},),
        on="in between",
    ),
    Mistake(
        "only_the_mean_is_kept",
        "The running mean moves, the running variance stays where it began: "
        "{came} came in place of {wanted}.",
        "Two lines are needed for the update.",
        ({"moves": "mean"},),
        on="trained once",
    ),
    Mistake(
        "only_the_variance_is_kept",
        "The running variance moves, the running mean stays where it began: "
        "{came} came in place of {wanted}.",
        "Two lines are needed for the update.",
        ({"moves": "spread"},),
        on="trained once",
    ),
    Mistake(
        "training_flag_reversed",
        "The two branches are exchanged: you use the running numbers when "
        "training is True. {came} came in place of {wanted}.",
        "Read your `if` aloud.",
        ({"flag": "reversed"},),
    ),
)
_MEMORY = (
    Mistake(
        "momentum_reversed",
        "Your memory keeps a tenth of the old value and takes nine tenths of "
        "the new one; it remembers little more than the last batch. Asked "
        "is the other way around: {came} came in place of {wanted}. (Here, as "
        "in PyTorch, momentum 0.1 is the share of the *new* value; "
        "TensorFlow's momentum is the share of the old one.)",
        "After one batch, nine tenths of the start must still be there.",
        ({"rate": 0.9},),
        on="trained once",
    ),
    Mistake(
        "only_the_last_batch",
        "You keep the numbers of the last batch and forget all before: "
        "{came} came in place of {wanted}.",
        "Nine tenths of the old value stay.",
        ({"rate": 1.0},),
        on="trained twice",
    ),
    Mistake(
        "another_momentum",
        "The running numbers move, but not by a tenth of the way: {came} "
        "came in place of {wanted}.",
        "The share of the newest batch is 0.1.",
        ({"rate": 0.01}, {"rate": 0.5}, {"rate": 0.001}, {"rate": 0.99}),
        on="trained once",
    ),
    Mistake(
        "mean_of_all_batches",
        "You keep the plain mean over all batches so far. That can be done, "
        "but asked is a moving average, which forgets old batches slowly: "
        "{came} came in place of {wanted}.",
        "No counter is needed: nine tenths of the old, one tenth of the new.",
        ({"rate": "mean of all"},),
        on="trained twice",
    ),
    Mistake(
        "starts_with_the_first_batch",
        "Your running numbers begin as those of the first batch. Asked is a "
        "start at 0 and 1, from which the first batch moves them a tenth of "
        "the way: {came} came in place of {wanted}.",
        "The first batch is treated like every other.",
        ({"rate": "first batch, then a tenth"},),
        on="trained once",
    ),
    Mistake(
        "added_without_forgetting",
        "You add a tenth of the new value but keep all of the old one, so "
        "the running numbers grow without end: {came} came in place of "
        "{wanted}.",
        "Multiply the old value by 0.9 first.",
        ({"rate": "added up"},),
        on="trained once",
    ),
    Mistake(
        "keeps_the_biased_variance",
        "The running variance takes in a variance that counts n rows. It "
        "should count n - 1, because it is an estimate for rows not yet "
        "seen: {came} came in place of {wanted}. With batches of 5 that "
        "makes a quarter of what each batch adds.",
        "Two variances are needed: one to divide by, one to keep.",
        ({"keeps": "variance, n"},),
        on="trained once",
    ),
    Mistake(
        "keeps_the_deviation",
        "You keep a running standard deviation. The mean of roots is not the "
        "root of the mean: {came} came in place of {wanted}.",
        "Keep the variance, and take the root when you divide.",
        ({"keeps": "deviation"}, {"keeps": "deviation, n"}),
        on="trained twice",
    ),
    Mistake(
        "variance_starts_at_zero",
        "Your running variance starts at 0. It should start at 1, so that a "
        "new object changes nothing much: {came} came in place of {wanted}.",
        "Zeros for the mean, ones for the variance.",
        ({"start": "zeros"},),
        on="new object",
    ),
    Mistake(
        "shared_by_all_objects",
        "Two objects of your class share one memory: what one is trained on "
        "changes the answers of the other. A network has many such layers, "
        "and each needs numbers of its own.",
        "What is written in the class, or as a default value, exists once "
        "for all objects. Create the running mean and variance inside "
        "`__init__`, as part of self.",
        ({"state": "shared"}, {"state": "shared, new each time"}),
        on="two objects",
    ),
)
_GAIN = (
    Mistake(
        "gain_and_shift_forgotten",
        "After `bn.gamma = ...` and `bn.beta = ...` your result is the same "
        "as before. Keep the gain and the shift under these names, and use "
        "them in the last step: {came} came in place of {wanted}.",
        "Multiply by gamma, add beta, for training and evaluation alike.",
        ({"gain": "none"},),
        on="gain",
    ),
    Mistake(
        "gain_while_training_only",
        "gamma and beta are used while training only. What is learned must "
        "also hold afterwards: {came} came in place of {wanted}.",
        "The last step belongs behind the `if`, for both branches.",
        ({"gain": "training only"},),
        on="gain later",
    ),
    Mistake(
        "shift_forgotten",
        "beta is not used: {came} came in place of {wanted}.",
        "Multiply by gamma, add beta.",
        ({"gain": "no shift"},),
        on="gain",
    ),
    Mistake(
        "gain_forgotten",
        "gamma is not used: {came} came in place of {wanted}.",
        "Multiply by gamma, add beta.",
        ({"gain": "no gain"},),
        on="gain",
    ),
    Mistake(
        "gain_and_shift_exchanged",
        "gamma and beta have changed places: gamma multiplies, beta is "
        "added. {came} came in place of {wanted}.",
        "At first gamma is all ones and beta all zeros.",
        ({"gain": "exchanged"},),
    ),
    Mistake(
        "rounded",
        "Your result is rounded: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Is there a `round` on the way out?",
        ({"gain": "rounded"},),
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers your result consists of whole numbers too. You "
        "write into an array that was made like x, and an array of whole "
        "numbers cuts off all decimals.",
        "Make the result a new array of decimal numbers, or let the formula "
        "create it.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_TRAINING, *_EVALUATION, *_MEMORY, *_GAIN)
