"""Known wrong answers to the exercise `ffn(x, W1, b1, W2, b2)`.

The words in braces are filled in by `about_ffn` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_BEND = (
    Mistake(
        "no_activation",
        "Nothing happens between the two maps. Two linear maps in a row are "
        "one linear map, so the inner vector buys nothing, however wide it "
        "is: {came} came in place of {wanted}.",
        "What becomes of the negative numbers after the first map?",
        ({"bend": "nothing"},),
    ),
    Mistake(
        "activation_before_the_first_map",
        "You cut off the negative numbers of x, before the first map, and "
        "not those of the inner vector. That throws away a part of the input "
        "and leaves the rest linear: {came} came in place of {wanted}.",
        "First the first map, then the cut.",
        ({"bend": "before"},),
    ),
    Mistake(
        "activation_at_the_end",
        "You cut off the negative numbers at the very end, after the second "
        "map. Then no feature can ever be lowered, and the two maps before "
        "are one: {came} came in place of {wanted}.",
        "The cut stands between the two maps.",
        ({"bend": "at the end"},),
    ),
    Mistake(
        "activation_twice",
        "You cut off negative numbers after *both* maps. The second map has "
        "no such cut: the network must be able to lower a feature. {came} "
        "came in place of {wanted}.",
        "How many times does max stand in the formula?",
        ({"bend": "between and at the end"},),
    ),
    Mistake(
        "activation_before_and_between",
        "You also cut off the negative numbers of x before the first map. "
        "Half of the input is lost that way: {came} came in place of "
        "{wanted}.",
        "The first map reads x as it is.",
        ({"bend": "before and between"},),
    ),
    Mistake(
        "bias_after_the_cut",
        "You cut first and add b1 afterwards. Then every unit bends at the "
        "same place, and negative numbers come back: {came} came in place of "
        "{wanted}.",
        "b1 decides *where* a unit bends. So it belongs inside the brackets "
        "of max.",
        ({"bend": "bias after"},),
    ),
    Mistake(
        "softmax_as_activation",
        "You took softmax as the activation. It makes the units compete for "
        "a budget of 1; here each unit decides for itself: {came} came in "
        "place of {wanted}.",
        "max(0, z) looks at one number at a time.",
        ({"bend": "softmax"}, {"bend": "softmax over tokens"}),
    ),
    Mistake(
        "sigmoid_as_activation",
        "Your activation is the sigmoid, which squeezes every number between "
        "0 and 1. Asked is max(0, z), which leaves positive numbers as they "
        "are: {came} came in place of {wanted}.",
        "What should become of 3? And of -3?",
        ({"bend": "sigmoid"},),
    ),
    Mistake(
        "tanh_as_activation",
        "Your activation is tanh, which squeezes every number between -1 and "
        "1. Asked is max(0, z): {came} came in place of {wanted}.",
        "What should become of 3? And of -3?",
        ({"bend": "tanh"},),
    ),
    Mistake(
        "gelu_as_activation",
        "Your activation is GELU. Later models use it (chapter 18); the "
        "formula here has max(0, z), and the two differ near zero: {came} "
        "came in place of {wanted}.",
        "Which of the two lets small negative numbers through?",
        ({"bend": "gelu"}, {"bend": "exact gelu"}),
    ),
    Mistake(
        "another_smooth_activation",
        "Your activation is a smooth relative of max(0, z), such as SiLU, "
        "softplus or ELU. The formula has the one with the corner: {came} "
        "came in place of {wanted}.",
        "What shall come out for -1? Exactly 0.",
        ({"bend": "silu"}, {"bend": "softplus"}, {"bend": "elu"}),
    ),
    Mistake(
        "leaky",
        "Your activation lets a part of each negative number through. That "
        "exists, under the name leaky ReLU; the formula here lets nothing "
        "through: {came} came in place of {wanted}.",
        "Below zero means zero.",
        (
            {"bend": "leaky"},
            {"bend": "leaky, a tenth"},
            {"bend": "leaky, a fifth"},
        ),
    ),
    Mistake(
        "size_as_activation",
        "Your activation turns -2 into 2. Negative numbers shall become 0, "
        "not positive: {came} came in place of {wanted}.",
        "Which of the two numbers in max(0, -2) is the larger?",
        ({"bend": "size"},),
    ),
    Mistake(
        "square_as_activation",
        "You square the numbers. The formula cuts negative ones off and "
        "leaves positive ones as they are: {came} came in place of {wanted}.",
        "A positive number goes through unchanged.",
        ({"bend": "square"}, {"bend": "squared relu"}),
    ),
    Mistake(
        "keeps_the_negative_ones",
        "You keep the negative numbers and set the positive ones to zero, "
        "which is min(0, z): {came} came in place of {wanted}.",
        "max(0, 3) is 3, and max(0, -3) is 0.",
        ({"bend": "below zero"},),
    ),
    Mistake(
        "only_on_or_off",
        "Your inner vector consists of zeros and ones: it says *whether* a "
        "number is positive and forgets how large it is. {came} came in "
        "place of {wanted}.",
        "A comparison gives True or False. What shall stand where it is True?",
        ({"bend": "step"},),
    ),
    Mistake(
        "clipped_above",
        "You cut off above as well as below. A unit may become as large as "
        "it likes: {came} came in place of {wanted}.",
        "There is only one limit in max(0, z).",
        ({"bend": "clipped at 1"}, {"bend": "clipped at 6"}),
        on="one token",
    ),
    Mistake(
        "at_least_one",
        "Your inner vector has nothing below 1. The limit is 0: {came} came "
        "in place of {wanted}.",
        "Which two numbers do you compare?",
        ({"bend": "at least 1"},),
    ),
    Mistake(
        "vectorize_cuts_decimals",
        "Where the first unit is cut to 0, all decimals of the inner vector "
        "are lost: {came} came in place of {wanted}. `np.vectorize` looks at "
        "the first result only, sees the whole number 0, and makes whole "
        "numbers of all others.",
        "The chapter's own cell cuts entry by entry and keeps the decimals: "
        "which NumPy function does it use?",
        ({"bend": "whole if the first is cut"},),
        on="wider",
    ),
    Mistake(
        "only_the_largest_unit",
        "Only the largest unit of each token survives. max(0, z) is taken "
        "for each unit by itself, against zero, not among the units: {came} "
        "came in place of {wanted}.",
        "Several units may be positive at the same time.",
        ({"bend": "largest only"},),
    ),
)
_BIASES = (
    Mistake(
        "first_bias_forgotten",
        "b1 is not used: all units then bend at zero. {came} came in place "
        "of {wanted}.",
        "The formula has two biases.",
        ({"first": "forgotten"},),
    ),
    Mistake(
        "second_bias_forgotten",
        "b2 is not used: {came} came in place of {wanted}.",
        "The formula has two biases.",
        ({"last": "forgotten"},),
    ),
    Mistake(
        "first_bias_subtracted",
        "b1 is subtracted; it must be added: {came} came in place of {wanted}.",
        "Look at the sign in front of b1.",
        ({"first": "subtracted"},),
    ),
    Mistake(
        "second_bias_subtracted",
        "b2 is subtracted; it must be added: {came} came in place of {wanted}.",
        "Look at the sign in front of b2.",
        ({"last": "subtracted"},),
    ),
    Mistake(
        "bias_added_twice",
        "A bias is added twice: {came} came in place of {wanted}. (Does a "
        "linear layer add it, and then you once more?)",
        "Each bias has one plus.",
        ({"first": "twice"}, {"last": "twice"}),
    ),
    Mistake(
        "one_number_of_a_bias",
        "Only the first number of a bias is used, for all features alike. "
        "A bias has one number for each: {came} came in place of {wanted}.",
        "NumPy lays a bias along the features by itself; no index is needed.",
        ({"first": "its first number"}, {"last": "its first number"}),
        on="wider",
    ),
    Mistake(
        "biases_exchanged",
        "A bias stands in the place of the other one, which runs only where "
        "d_ff equals d. b1 has a number for each unit, b2 one for each "
        "feature of the result. {came} came in place of {wanted}.",
        "Which bias stands inside the brackets of max?",
        (
            {"first": "the other one", "last": "the other one"},
            {"first": "the other one"},
            {"last": "the other one"},
        ),
        on="square",
    ),
    Mistake(
        "second_bias_too_early",
        "b2 is added before the second map, where it happens to fit only if "
        "the inner vector is as long as the outer one. {came} came in place "
        "of {wanted}.",
        "b2 has one number for each feature of the *result*.",
        ({"last": "before the second map"},),
        on="square",
    ),
    Mistake(
        "bias_for_each_token",
        "You turned b2 into a column, one number for each token. It holds "
        "one number for each *feature*, and NumPy lays a row along the "
        "features by itself. {came} came in place of {wanted}.",
        "A bias needs no reshaping.",
        ({"last": "as a column"},),
        on="square",
    ),
)
_MAPS = (
    Mistake(
        "stops_after_the_first_map",
        "You return the inner vector: the second map is missing. Shape "
        "{shape} came, {wanted_shape} is wanted.",
        "The result has the length d again, not d_ff.",
        ({"maps": "first only"},),
        on="wider",
    ),
    Mistake(
        "first_matrix_turned",
        "W1 is turned on its side. A vector is a row here and stands on the "
        "left of the matrix; W1 has the shape (d, d_ff) already. {came} came "
        "in place of {wanted}.",
        "PyTorch's Linear stores its matrix turned; this exercise does not.",
        ({"maps": "first turned"}, {"maps": "both turned"}),
        on="square",
    ),
    Mistake(
        "second_matrix_turned",
        "W2 is turned on its side. It has the shape (d_ff, d) already. "
        "{came} came in place of {wanted}.",
        "PyTorch's Linear stores its matrix turned; this exercise does not.",
        ({"maps": "second turned"},),
        on="square",
    ),
    Mistake(
        "matrix_on_the_left",
        "The matrices stand on the left of x. In this book a token is a "
        "*row*, so the matrix stands on the right; on the left it mixes the "
        "tokens, and runs only where the sizes happen to fit. {came} came in "
        "place of {wanted}.",
        "Read the formula from left to right: x comes first.",
        ({"maps": "on the left"},),
        on="square",
    ),
    Mistake(
        "numbers_of_the_page",
        "Your function computes with the weights of the page, whatever it is "
        "given. Inside a function use its own inputs W1, b1, W2 and b2: "
        "{came} came in place of {wanted}.",
        "Does it call another function that knows only the page's weights?",
        ({"maps": "of the page"},),
        on="easy",
    ),
    Mistake(
        "matrices_exchanged",
        "W1 and W2 have changed places, which runs only where d_ff equals d. "
        "{came} came in place of {wanted}.",
        "The first map reads x.",
        ({"maps": "exchanged"},),
        on="square",
    ),
    Mistake(
        "second_matrix_not_used",
        "W2 is not used; you go back with W1 turned on its side. Going out "
        "and coming back are learned apart: {came} came in place of "
        "{wanted}.",
        "Each of the five inputs occurs once in the formula.",
        ({"maps": "second is the first, turned"},),
    ),
    Mistake(
        "inner_width_not_used",
        "Your inner vector has too few units (as many as x has features, or "
        "the three of the page); the others are left out: {came} came in "
        "place of {wanted}.",
        "How many columns has W1, and how many of them do you use?",
        ({"maps": "narrow"}, {"maps": "three units"}),
    ),
)
_TOKENS = (
    Mistake(
        "tokens_averaged_before",
        "Every token gets the same result: you average over the tokens "
        "first. This network looks at one token at a time; mixing is the "
        "task of attention. {came} came in place of {wanted}.",
        "The last axis is the token's own. No other axis is touched.",
        ({"reads": "the mean of all tokens"},),
    ),
    Mistake(
        "first_token_for_all",
        "Every token gets the result of the first one: {came} came in place "
        "of {wanted}.",
        "Is there an index that never moves?",
        ({"reads": "the first token"},),
    ),
    Mistake(
        "earlier_tokens_added",
        "A token's result also depends on the tokens before it. This network "
        "looks at one token at a time: {came} came in place of {wanted}.",
        "Does a loop add to a variable that it should set anew?",
        ({"reads": "all tokens before it"},),
    ),
    Mistake(
        "one_token_only",
        "Only one token's result comes back (or only one sentence's): shape "
        "{shape} came, {wanted_shape} is wanted.",
        "A `return` inside a loop ends the function in the first round. "
        "Collect the results, and return after the loop.",
        ({"then": "first token"}, {"then": "last token"}),
        on="easy",
    ),
    Mistake(
        "one_long_list_of_tokens",
        "All tokens come back in one long list: shape {shape} came, "
        "{wanted_shape} is wanted. The result has the axes of x.",
        "Matrix products need no reshape before; if you use one, undo it.",
        ({"then": "flat"},),
        on="batch",
    ),
    Mistake(
        "summed_over_the_tokens",
        "You add up (or average) the tokens at the end. Each token keeps its "
        "own result: shape {shape} came, {wanted_shape} is wanted.",
        "As many tokens come out as went in.",
        ({"then": "sum over tokens"}, {"then": "mean over tokens"}),
    ),
)
_AROUND = (
    Mistake(
        "skip_added",
        "You add x at the end. The skip belongs to the layer *around* the "
        "network (chapter 5); asked is the network alone: {came} came in "
        "place of {wanted}.",
        "x occurs once in the formula.",
        ({"then": "skip"},),
    ),
    Mistake(
        "skip_and_norm_added",
        "You add x and normalize. Both belong to the layer *around* the "
        "network (chapters 5 and 6); asked is the network alone: {came} came "
        "in place of {wanted}.",
        "Return what the second map gives.",
        ({"then": "skip and norm"}, {"then": "norm"}),
    ),
    Mistake(
        "normalized_before",
        "You normalize the tokens before the first map. In a pre-norm layer "
        "something does, but it is not this network: {came} came in place of "
        "{wanted}.",
        "The first map reads x as it is.",
        ({"reads": "the norm of the token"},),
    ),
    Mistake(
        "scaled",
        "Your result is divided by the root of the width. That belongs to "
        "the scores of attention; here nothing is scaled: {came} came in "
        "place of {wanted}.",
        "There is no root in the formula.",
        ({"then": "scaled"},),
    ),
    Mistake(
        "softmax_at_the_end",
        "You turn the result into shares. Softmax belongs to attention and "
        "to the choice of the next word, not here: {came} came in place of "
        "{wanted}.",
        "Return what the second map gives.",
        ({"then": "softmax"},),
    ),
    Mistake(
        "rounded",
        "Your result is rounded: {came} in place of {wanted}. Round when you "
        "print, not when you compute.",
        "Is there a `round` on the way out?",
        ({"then": "rounded"},),
        on="wider",
    ),
    Mistake(
        "transposed",
        "Your result is turned on its side: tokens are rows, in the result "
        "as in x.",
        "Leave out the `.T` at the end.",
        ({"then": "turned"},),
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
MISTAKES = (*_BEND, *_BIASES, *_MAPS, *_TOKENS, *_AROUND)
