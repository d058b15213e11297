"""Known wrong answers to the exercise `train_step`.

The words in braces are filled in by `about_train_step` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_ORDER = (
    Mistake(
        "gradients_never_emptied",
        "The gradients of all steps pile up: `backward` adds to what is "
        "there. The first step is right, and from the second on each step "
        "walks along a sum of old directions too.",
        "Which call sets the gradients back before a new batch?",
        ({"zero": "never"},),
        on="two steps",
    ),
    Mistake(
        "weights_never_move",
        "The weights never move, and no error says so. Three usual reasons: "
        "`backward` is missing, and there is no gradient; the gradient is "
        "emptied after `backward` and before the step; or the step is "
        "missing, and nobody walks along it.",
        "Two calls make a model learn: one finds the direction, one walks. "
        "Between them the gradient must not be emptied.",
        (
            {"zero": "after backward"},
            {"back": "never"},
            {"step": "never"},
        ),
    ),
    Mistake(
        "step_before_backward",
        "The step is made before this batch has been looked at, with the "
        "gradient of the batch before; the first step does nothing at all.",
        "Where does the step find its direction? That line has to come first.",
        ({"step": "before"}, {"step": "before", "zero": "never"}),
        on="two steps",
    ),
    Mistake(
        "two_steps",
        "The optimizer walks twice along one gradient: the weights move "
        "twice as far.",
        "How often is the step called in your function?",
        ({"step": "twice"},),
    ),
    Mistake(
        "backward_twice",
        "The gradient is twice as long as it should be. Most often `backward` "
        "runs twice, and it adds; or a factor of 2 has come in.",
        "How often is `backward` called in your function, and on what?",
        ({"back": "twice"},),
    ),
    Mistake(
        "uphill",
        "The weights go uphill: the loss grows from step to step. A minus "
        "stands where none belongs; the optimizer subtracts by itself.",
        "Which sign has the number whose `backward` you call?",
        ({"back": "uphill"},),
    ),
)
_CLIPPING = (
    Mistake(
        "not_clipped",
        "The gradient is not clipped. In this example it is longer than "
        "{clip}, so all of its numbers have to be made smaller together. "
        "(Or it is clipped before `backward`, or after the step: then it is "
        "too early or too late.)",
        "Where does the input clip come in, and where does it have to stand "
        "between `backward` and the step?",
        ({"clip": "none"}, {"clip": "before backward"}),
        on="clipped",
    ),
    Mistake(
        "each_parameter_clipped_by_itself",
        "You clip the gradient of each parameter by itself. They are parts "
        "of one long vector: clipped one by one they change their "
        "proportions, and so the direction.",
        "The length is taken of all gradients together.",
        ({"clip": "each by itself"}, {"clip": "each group"}),
        on="clipped",
    ),
    Mistake(
        "each_number_clipped",
        "You cut each number of the gradient at {clip}. Clipping by length "
        "keeps the direction: all numbers shrink by the same factor.",
        "Two functions that clip are at hand. One speaks of values and one of "
        "a norm.",
        ({"clip": "each number"},),
        on="clipped",
    ),
    Mistake(
        "another_length",
        "You measure the gradient in another way: by the sum of the sizes of "
        "its numbers, or by the largest of them. Its length is the root of "
        "the sum of the squares, as for (3, 4): the length is 5.",
        "Which norm does the clipping function take if you do not say?",
        ({"clip": "sum of sizes"}, {"clip": "largest number"}),
        on="clipped",
    ),
    Mistake(
        "short_gradients_stretched",
        "You bring every gradient to the length {clip}, also one that is "
        "shorter. Clipping only shortens.",
        "What should happen to a gradient that is short enough?",
        ({"clip": "always to this length"}, {"clip": "inverse"}),
    ),
    Mistake(
        "fixed_clip",
        "You clip at 1, whatever the input clip says; here it is {clip}.",
        "Is there a number in your function where an input should stand?",
        ({"clip": "one"},),
    ),
)
_LOSS = (
    Mistake(
        "not_divided",
        "You learn from the total loss of the batch. Divided by the number "
        "of real tokens, a long batch does not count for more than a short "
        "one. Your loss is {came} in place of {wanted}.",
        "loss_fn gives two numbers. Where is the second one used?",
        ({"divide": "nothing"}, {"back": "the total"}),
        on="padding",
    ),
    Mistake(
        "upside_down",
        "You divide the number of tokens by the loss: {came} in place of "
        "{wanted}. loss_fn gives the total loss first, then the number.",
        "In which order do the two numbers come?",
        ({"divide": "upside down"},),
        on="padding",
    ),
    Mistake(
        "softmax_before_the_loss",
        "You take the softmax before the loss, and loss_fn takes it again: "
        "{came} in place of {wanted}. It wants the logits as they are.",
        "What does the model return, and what is done to it before the loss?",
        ({"logits": "softmax"},),
    ),
    Mistake(
        "padding_counted",
        "You divide by the number of cells, filled up with padding or not: "
        "{came} in place of {wanted}. Only real tokens count.",
        "loss_fn has counted the real tokens for you.",
        ({"divide": "cells"},),
        on="padding",
    ),
    Mistake(
        "divided_by_sentences",
        "You divide by the number of sentences (or by their length): {came} "
        "in place of {wanted}. The loss is one of a *token*.",
        "loss_fn has counted the real tokens for you.",
        ({"divide": "sentences"}, {"divide": "length"}),
        on="padding",
    ),
    Mistake(
        "divided_twice",
        "You divide by the number of tokens twice, so the gradients become "
        "tiny: {came} in place of {wanted}.",
        "Sum, count, divide once.",
        ({"divide": "twice"},),
        on="padding",
    ),
    Mistake(
        "mean_of_the_sentence_means",
        "You average the losses of the sentences, so a word of a short "
        "sentence weighs more: {came} in place of {wanted}. Each real token "
        "counts alike.",
        "One sum over all tokens, one division.",
        ({"divide": "mean of sentences"},),
        on="padding",
    ),
)
_DATA = (
    Mistake(
        "answer_shown",
        "The decoder reads target_out, the very words that it should say. "
        "It will learn to copy them, and the loss will look wonderful.",
        "What the decoder reads begins with the beginning-of-sentence mark.",
        ({"feeds": "target_out"},),
    ),
    Mistake(
        "asked_for_the_input",
        "The loss compares with target_in, the words that the decoder has "
        "just read. Wanted is the next word of each.",
        "Which of the two ends with the end-of-sentence mark?",
        ({"asks": "target_in"},),
    ),
    Mistake(
        "targets_exchanged",
        "target_in and target_out have changed places: the decoder reads "
        "what it should say, and is asked for what came before.",
        "Which of the two begins with the beginning-of-sentence mark?",
        ({"feeds": "target_out", "asks": "target_in"},),
    ),
    Mistake(
        "not_in_training_mode",
        "Somebody has looked at the model in eval() mode, and your function "
        "trains it so: dropout is off. The first line should put it into "
        "training mode.",
        "Whoever comes before you may leave the model in either mode.",
        ({"mode": "as it came"}, {"mode": "eval"}),
        on="after an evaluation",
    ),
)
_RATE = (
    Mistake(
        "not_with_this_optimizer",
        "The step is not made by the optimizer that came in: you make a new "
        "one in each call, or move the weights yourself. Adam's averages "
        "are in the old one; a new one begins again at step 1 each time.",
        "The input optimizer remembers what came before. Whose step do you "
        "call?",
        ({"optimizer": "new Adam"}, {"optimizer": "new SGD"}),
        on="Adam",
    ),
    Mistake(
        "rate_never_set",
        "The input rate is not used: the optimizer walks with the rate that "
        "it was made with.",
        "An optimizer keeps its rate under the name lr in each of its "
        "param_groups.",
        ({"rate": "never"},),
    ),
    Mistake(
        "rate_one_step_late",
        "The rate is written into the optimizer after the step, so each step "
        "walks with the rate of the one before.",
        "The rate is that of *this* step. Which line has to see it?",
        ({"rate": "after the step"},),
    ),
    Mistake(
        "one_group_only",
        "An optimizer may hold several groups of parameters, each with a "
        "rate of its own, and you set one of them.",
        "param_groups is a list. Go through all of it.",
        ({"rate": "first group"}, {"rate": "last group"}),
    ),
    Mistake(
        "rate_multiplied_into_the_old_one",
        "You multiply the rate into the one that is there (or add it), so "
        "the rates of all steps pile up.",
        "Assign the rate; what was there before does not matter.",
        ({"rate": "times the old"}, {"rate": "added"}),
    ),
)
_RESULT = (
    Mistake(
        "returned_the_total",
        "The weights are right. You return the total loss of the batch, "
        "{came}; wanted is the loss of one token, {wanted}.",
        "Return the number whose `backward` you called.",
        ({"result": "total"},),
        on="padding",
    ),
    Mistake(
        "returned_the_loss_after_the_step",
        "The weights are right. You return the loss after the step, {came}. "
        "Wanted is the loss of this batch before the model has learned from "
        "it, {wanted}.",
        "A second forward pass is not needed.",
        ({"result": "after"},),
    ),
    Mistake(
        "returned_something_else",
        "The weights are right, but {came} comes back where the loss of one "
        "token, {wanted}, is wanted: the number of tokens, the length of the "
        "gradient, the rate or the perplexity.",
        "Return the number whose `backward` you called.",
        tuple(
            {"result": name}
            for name in ("count", "length", "rate", "perplexity")
        ),
    ),
    Mistake(
        "total_and_count_taken_for_the_loss",
        "`loss_fn` returns two values, the total loss and the number of "
        "tokens. You put the pair into one name and use it as the loss.",
        "Give the two values two names. The loss of one token is made from "
        "both.",
        raises="AttributeError: 'tuple' object has no attribute 'backward'",
    ),
)
MISTAKES = (*_ORDER, *_CLIPPING, *_LOSS, *_DATA, *_RATE, *_RESULT)
