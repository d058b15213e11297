"""Known wrong answers to the exercise `encoder_layer(x, attn, ffn, ln)`.

The words in braces are filled in by `about_encoder_layer` from the shown
example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]


_SKIPS = (
    Mistake(
        "no_skip_at_all",
        "Nothing is added: each sub-layer replaces what it reads, so its "
        "output has to hold the whole sentence again and not only what "
        "should change. {came} came in place of {wanted}.",
        "Where is the vector that the sub-layer read? It has to be added to "
        "what the sub-layer made of it.",
        ({"around_attention": "nothing", "around_feed_forward": "nothing"},),
    ),
    Mistake(
        "no_skip_around_attention",
        "The feed-forward network has its skip, the attention has none: "
        "after it the words know their neighbors but no longer themselves.",
        "Compare your two lines. In which of them does the vector come back "
        "that the sub-layer read?",
        ({"around_attention": "nothing"},),
    ),
    Mistake(
        "no_skip_around_feed_forward",
        "The attention has its skip, the feed-forward network has none: "
        "its output replaces z and should be added to it.",
        "Compare your two lines. In which of them does the vector come back "
        "that the sub-layer read?",
        ({"around_feed_forward": "nothing"},),
    ),
    Mistake(
        "one_skip_around_everything",
        "There is one skip, from the beginning of the layer to its end. The "
        "paper has two, one around each sub-layer.",
        "After the attention its change is added at once, before the "
        "feed-forward network sees anything.",
        ({"plan": "one skip"}, {"plan": "one skip, two norms"}),
    ),
    Mistake(
        "layer_input_added_after_feed_forward",
        "The second skip starts in the wrong place: you add x, the input of "
        "the layer, to what the feed-forward network made. So the change "
        "that the attention made gets lost on the straight way.",
        "A skip adds what the sub-layer read. What did the feed-forward "
        "network read?",
        ({"plan": "x added at the end"},),
    ),
    Mistake(
        "feed_forward_reads_the_layer_input",
        "The feed-forward network reads x, the input of the layer. It should "
        "read z, what the first half of the layer made of it.",
        "The second line mentions z twice and x not at all.",
        ({"plan": "feed-forward of x"},),
    ),
    Mistake(
        "attention_result_lost",
        "Both lines start from x, so the second one forgets the first: the "
        "attention has no effect, and the norm is applied twice.",
        "The second line must start from the result of the first.",
        ({"plan": "both from x"},),
    ),
    Mistake(
        "side_by_side",
        "The two sub-layers stand side by side and both read x. There are "
        "models built like that, but in the paper one follows the other: "
        "the feed-forward network reads what the attention has mixed.",
        "Finish the first half, with its norm, and give it a name. Then "
        "begin the second half with it.",
        ({"plan": "side by side"}, {"plan": "side by side, twice"}),
    ),
    Mistake(
        "input_added_twice",
        "The vector that the sub-layer read is added twice: {came} came in "
        "place of {wanted}. Perhaps you add it and then call something that "
        "adds it too.",
        "attn and ffn give the change alone; the plus sign is yours, once.",
        (
            {
                "around_attention": "input twice",
                "around_feed_forward": "input twice",
            },
            {"around_attention": "input twice"},
            {"around_feed_forward": "input twice"},
        ),
    ),
    Mistake(
        "change_added_twice",
        "The change is added twice: {came} came in place of {wanted}.",
        "Count how often the result of the sub-layer stands in your sum.",
        (
            {
                "around_attention": "change twice",
                "around_feed_forward": "change twice",
            },
            {"around_attention": "change twice"},
            {"around_feed_forward": "change twice"},
        ),
    ),
    Mistake(
        "multiplied",
        "You multiply where you should add. A sub-layer with nothing to say "
        "gives zeros: added, they leave x as it is; multiplied, they wipe "
        "it out.",
        "Which calculation with 0 changes nothing?",
        (
            {"around_attention": "product", "around_feed_forward": "product"},
            {"around_attention": "product"},
            {"around_feed_forward": "product"},
        ),
    ),
    Mistake(
        "subtracted",
        "You subtract where you should add: {came} came in place of "
        "{wanted}. F(x) = H(x) - x is what a sub-layer has to learn; the "
        "layer itself adds x again.",
        "A sub-layer gives the change. What do you do with a change to "
        "have it made?",
        (
            {
                "around_attention": "difference",
                "around_feed_forward": "difference",
            },
            {
                "around_attention": "difference, turned",
                "around_feed_forward": "difference, turned",
            },
            {"around_attention": "difference"},
            {"around_feed_forward": "difference"},
        ),
    ),
    Mistake(
        "averaged",
        "You take the mean of x and the change; the paper takes the sum. "
        "With a norm that brings everything to one size the halves would "
        "not show, but other norms tell them apart.",
        "Leave the division away.",
        (
            {"around_attention": "mean", "around_feed_forward": "mean"},
            {"around_attention": "mean"},
            {"around_feed_forward": "mean"},
        ),
    ),
)
_NORMS = (
    Mistake(
        "pre_norm",
        "This is pre-norm: the norm comes before each sub-layer, and the sum "
        "is not normalized. It is a good design, and most later models use "
        "it. Here the paper's order is wanted, post-norm: first the sum, "
        "then the norm.",
        "Post-norm means that the last thing that happens to each sum is "
        "the norm.",
        ({"norm": "before"},),
    ),
    Mistake(
        "two_orders_mixed",
        "One half of your layer is post-norm and the other pre-norm. Each "
        "order works by itself; here post-norm is wanted in both halves: "
        "first the sum, then the norm.",
        "Compare the places of ln in your two lines.",
        ({"norm": "before, then after"}, {"norm": "after, then before"}),
    ),
    Mistake(
        "pre_norm_and_one_at_the_end",
        "This is pre-norm with one more norm at the end, as whole pre-norm "
        "models have it. Here the paper's order is wanted, post-norm: each "
        "of the two sums is normalized, and the sub-layers read what they "
        "get.",
        "Post-norm means that the last thing that happens to each sum is "
        "the norm.",
        ({"plan": "before, and one at the end"},),
    ),
    Mistake(
        "norm_before_the_addition",
        "You normalize the change and then add x. The norm belongs around "
        "the sum: here the sum itself is never normalized, so its size "
        "grows from layer to layer.",
        "Move one closing bracket: the plus sign stands inside ln(...).",
        (
            {"norm": "on the change"},
            {"norm": "on the first change"},
            {"norm": "on the last change"},
        ),
    ),
    Mistake(
        "change_normalized_too",
        "You normalize the change, add it, and normalize the sum as well. "
        "The paper adds the change as the sub-layer made it, so that a small "
        "change stays small: {came} came in place of {wanted}.",
        "One norm for each sub-layer, after the sum. Which one is too many?",
        ({"norm": "on the change and after"},),
    ),
    Mistake(
        "sum_of_two_norms",
        "You normalize x and the change each for itself and add them "
        "afterwards. The norm of a sum is not the sum of the norms: "
        "{came} came in place of {wanted}.",
        "First the sum, then one norm.",
        ({"norm": "on both"},),
    ),
    Mistake(
        "skip_starts_after_the_norm",
        "You normalize first and then use the normalized vector twice, for "
        "the sub-layer and for the skip. So x itself is never carried on, "
        "and the sum leaves without a norm.",
        "The skip takes what came in. In post-norm nothing is normalized "
        "before the sum.",
        ({"norm": "from the norm"},),
    ),
    Mistake(
        "sub_layers_read_the_norm",
        "There is a norm before the sub-layer as well as after the sum. In "
        "the paper each sub-layer reads its input as it is, so {wanted} is "
        "wanted in place of {came}.",
        "One norm for each sub-layer, after the sum. Which one is too many?",
        ({"norm": "before and after"}, {"norm": "before and after attention"}),
    ),
    Mistake(
        "norm_applied_twice",
        "Each sum is normalized twice. With a learned gain and bias the "
        "second norm changes the numbers again: {came} in place of "
        "{wanted}.",
        "One norm for each sum.",
        ({"norm": "twice"},),
    ),
    Mistake(
        "no_norm",
        "Both skips are there, but no norm: ln is never called. Without it "
        "the vectors grow from layer to layer.",
        "Each of the two sums goes through ln.",
        ({"norm": "none"},),
    ),
    Mistake(
        "norm_after_attention_only",
        "The first sum is normalized, the second is not. A layer has two "
        "sub-layers and two norms.",
        "What happens to the sum in your last line?",
        ({"norm": "first only"},),
    ),
    Mistake(
        "norm_at_the_end_only",
        "There is one norm, at the end of the layer. The paper normalizes "
        "after each sub-layer, so the feed-forward network should read "
        "normalized vectors.",
        "What happens to the sum in your first line?",
        ({"norm": "last only"},),
    ),
)
_PARTS = (
    Mistake(
        "order_exchanged",
        "The feed-forward network comes first and the attention second. In "
        "the paper the words first look around, then each thinks for "
        "itself.",
        "Exchange attn and ffn.",
        ({"parts": "feed-forward, attention"},),
    ),
    Mistake(
        "feed_forward_skipped",
        "Your layer ends after the attention: ffn has no effect. This is "
        "the output of the first sub-layer, z.",
        "Do you return the result of the second line or of the first?",
        ({"parts": "attention"},),
    ),
    Mistake(
        "attention_skipped",
        "Your layer has only the feed-forward half: attn has no effect, and "
        "no word hears anything of the others.",
        "The first line makes z from x with attn.",
        ({"parts": "feed-forward"},),
    ),
    Mistake(
        "attention_twice",
        "Both halves use attn, and ffn is never used: the words look around "
        "twice and never think.",
        "Look at the second line, which was perhaps copied from the first.",
        ({"parts": "attention, attention"},),
    ),
    Mistake(
        "feed_forward_twice",
        "Both halves use ffn, and attn is never used: no word hears anything "
        "of the others.",
        "Look at the first line: which sub-layer comes first in a layer?",
        ({"parts": "feed-forward, feed-forward"},),
    ),
    Mistake(
        "change_only",
        "You return what the feed-forward network made, without z and "
        "without the norm. That is the change, not the output of the layer.",
        "The last line is not finished: add z, then normalize.",
        ({"plan": "change only"},),
    ),
    Mistake(
        "input_returned",
        "Your function returns x as it came. A layer whose sub-layers do "
        "nothing would do that without norms; these sub-layers do "
        "something.",
        "Which name do you return in the last line?",
        ({"plan": "x"},),
    ),
    Mistake(
        "token_by_token",
        "You call attn for one token at a time, so no token sees another. "
        "attn wants the whole array x.",
        "Take the loop away: all three functions work on the whole array.",
        ({"alone": True},),
    ),
    Mistake(
        "whole_numbers_cut",
        "For whole numbers in x your result has whole numbers only: the "
        "array you write into has an integer type and cuts off what follows "
        "the point.",
        "Make no empty copy of x to write into; the sum is a new array anyway.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = _SKIPS + _NORMS + _PARTS
