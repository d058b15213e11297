"""Known wrong answers to the exercise `mha(x, WQ, WK, WV, WO, h)`.

The words in braces are filled in by `about_mha` from the shown example.
"""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same
from transformer_lib.course.checks.mha_cases import CASES, attended_in_heads

__all__ = ["MISTAKES"]

_VIEW = {"split": "view"}
_FLAT = {"merge": "view"}
_SPLITS = (
    Mistake(
        "split_and_merge_by_view",
        "You reshape straight to (B, h, T, d_k) and straight back. A reshape "
        're-reads memory in order, so a "head" holds a *piece of the '
        "sentence*, not a block of columns, and far tokens never meet. The "
        "shapes are all right, which is why this mistake is so common.",
        "First cut the last axis in two, then let two axes change places. "
        "The same holds on the way back.",
        (_VIEW | _FLAT,),
    ),
    Mistake(
        "split_by_view",
        "On the way in you reshape straight to (B, h, T, d_k). That re-reads "
        'memory in order, so each row of a "head" holds numbers of the '
        "wrong token. Your way back is right.",
        "First cut the last axis in two, then let two axes change places.",
        (_VIEW,),
    ),
    Mistake(
        "one_of_three_by_view",
        "Two of queries, keys and values are split right; the third is "
        "reshaped straight to (B, h, T, width), so its rows hold numbers of "
        "other tokens.",
        "Compare the three lines that split: all three need both steps.",
        (
            {"split": "view of q"},
            {"split": "view of k"},
            {"split": "view of v"},
        ),
    ),
    Mistake(
        "keys_reshaped_not_turned",
        "You reshape the keys to (..., d_k, T). That is the shape of the "
        "turned keys with the numbers in the wrong order: a reshape does not "
        "turn a matrix on its side.",
        "Two axes of the keys must *change places* before the product.",
        ({"turn": "reshaped"},),
    ),
    Mistake(
        "merge_by_view",
        "The heads are right; on the way back you reshape them straight to "
        "(B, T, h d_v). Each row then holds results of several tokens from "
        "one head, in place of one token's from all heads.",
        "Before the numbers of a token can be read in a row, the axis of the "
        "tokens must stand before that of the heads again.",
        (_FLAT, {"merge": "stacked"}),
    ),
    Mistake(
        "wrong_axes_change_places",
        "The heads are right; on the way back you exchange the axes of "
        "tokens and numbers, inside each head, before you join.",
        "(B, h, T, d_v) has to become (B, T, h, d_v): which two axes move?",
        ({"merge": "tokens last"},),
    ),
    Mistake(
        "heads_look_at_heads",
        "You cut the vectors into heads but leave the axis of the tokens in "
        "front. The attention then runs over the {h} heads *inside* each "
        "token, and no token looks at another.",
        "Print the shape of your scores: it must end in (T, T), here "
        "({T}, {T}).",
        ({"split": "not turned", "merge": "as x"},),
    ),
    Mistake(
        "every_hth_column",
        "Your head g takes the columns g, g + h, g + 2h ... A head owns a "
        "*block* of neighboring columns. (A model trained from the start "
        "would not care, but weights of others would fit no more.)",
        "When you cut the last axis in two: which of the two lengths has to "
        "come first, h or d_k?",
        (
            {"split": "every h-th"},
            {"split": "every h-th", "merge": "interleaved"},
        ),
    ),
    Mistake(
        "merged_in_another_order",
        "The heads are right, but you mesh their numbers: first the first "
        "number of every head, then the second of every head. WO expects all "
        "numbers of head 1, then all of head 2.",
        "Which of the two axes stands last before you reshape?",
        ({"merge": "interleaved"},),
    ),
    Mistake(
        "blocks_overlap",
        "The blocks of your heads overlap: head 1 begins one column after "
        "head 0, and not d_k columns after it.",
        "Where does the block of head g begin if each is d_k wide?",
        ({"split": "overlapping"},),
    ),
    Mistake(
        "each_head_sees_a_part_of_x",
        "You cut x before the matrices, so each head sees only its own part "
        "of x. Every head reads the *whole* vector of a token; its block of "
        "columns makes it narrow.",
        "Which is cut, x or the columns of WQ, WK and WV?",
        ({"sees": "own part of x"},),
    ),
    Mistake(
        "always_two_heads",
        "You make two heads, whatever h is. Here {h} are asked for.",
        "Is there a 2 in your code where h should stand?",
        ({"count": "always 2"},),
    ),
    Mistake(
        "h_taken_for_the_width",
        "You made heads that are h = {h} numbers wide. h is *how many* heads "
        "there are; each is {d_k} wide.",
        "Exchange two of the four lengths in your reshape.",
        ({"split": "h wide"},),
    ),
    Mistake(
        "tokens_split_among_heads",
        "You gave each head some of the *tokens*. A head sees all tokens, "
        "and of each a part of its numbers.",
        "Which axis do you cut: the one of the tokens or the last?",
        (
            {"split": "over tokens", "merge": "as x"},
            {"split": "over tokens", "merge": "as x", "scale": "root of all"},
        ),
    ),
    Mistake(
        "sentences_look_at_each_other",
        "The first axis of x counts the sentences. In your program tokens of "
        "*different sentences* look at each other.",
        "Print the shape of your scores: (B, h, T, T) is wanted, and nothing "
        "is summed over B.",
        (
            {"split": "time first", "merge": "time first"},
            {"split": "all sentences", "merge": "sentences apart"},
        ),
    ),
    Mistake(
        "not_split",
        "The vectors are never split: one head of full width does all the "
        "work, whatever h is.",
        "Where does h occur in your code?",
        ({"split": "not at all"},),
    ),
)
_SCALES = (
    Mistake(
        "no_scale",
        "The scores are not divided by the root of d_k, here the root of "
        "{d_k}.",
        "Chapter 4: each score is a sum of d_k products.",
        ({"scale": "none"},),
    ),
    Mistake(
        "root_of_the_full_width",
        "You divide by the root of the full width. Inside a head a score is "
        "a sum of only {d_k} products; the full width makes the weights too "
        "equal, by an extra root of h.",
        "How many numbers has a query *inside one head*?",
        ({"scale": "root of d"}, {"scale": "root of all"}),
    ),
    Mistake(
        "root_of_h",
        "You divide by the root of h, the number of heads. A score is a sum "
        "of d_k = {d_k} products inside one head.",
        "Read the width from the last axis of a query, after the split.",
        ({"scale": "root of h"},),
    ),
    Mistake(
        "divided_by_d_k",
        "You divide the scores by d_k and not by its root.",
        "A root is missing.",
        ({"scale": "d_k"},),
    ),
    Mistake(
        "root_of_the_number_of_tokens",
        "You divide by the root of the number of tokens, T = {T}. A score "
        "does not grow with the length of the sentence.",
        "Which axis of your query counts its numbers? It is the last one.",
        ({"scale": "root of tokens"},),
    ),
    Mistake(
        "multiplied_by_the_root",
        "You multiply the scores by the root of d_k in place of dividing.",
        "The root stands below the fraction bar.",
        ({"scale": "times"},),
    ),
    Mistake(
        "fixed_divisor",
        "You divide by 8, whatever comes. That is right for the 64 numbers "
        "of the paper's heads; here a head is {d_k} wide.",
        "Read the width from the last axis of a query, after the split.",
        ({"scale": "always 8"},),
    ),
    Mistake(
        "scaled_after_the_softmax",
        "You divide after the softmax, so the weights of a query no longer "
        "sum to 1. The division belongs to the scores.",
        "In which order do the four stages of chapter 3 come?",
        ({"scale": "after the softmax"},),
    ),
)
_WEIGHTS = (
    Mistake(
        "softmax_over_queries",
        "Softmax runs over the queries. Each query has a budget of 1 in each "
        "head: it runs over the keys, the last axis of the scores.",
        "Sum your weights along the last axis. Are all sums 1?",
        ({"share": "queries"},),
    ),
    Mistake(
        "softmax_over_heads",
        "Softmax runs over the axis of the heads, so the heads compete. Each "
        "head shares out a whole of its own, over the keys.",
        "The axes of the scores are sentence, head, query, key. Which of "
        "them is summed to 1?",
        ({"share": "heads"}, {"share": "all heads"}),
    ),
    Mistake(
        "softmax_over_a_whole_head",
        "One softmax runs over all scores of a head, so its queries share a "
        "single 1. Each row needs a softmax of its own.",
        "Along how many axes does your softmax run?",
        ({"share": "each head"},),
    ),
    Mistake(
        "no_softmax",
        "The softmax is missing: you mix the values with the raw scores.",
        "Between scores and mixture one stage is missing.",
        ({"share": "scores"},),
    ),
    Mistake(
        "votes_not_divided",
        "Your weights are the exponentials alone; they are not divided by "
        "their sum, so the weights of a query do not sum to 1.",
        "Sum your weights along the last axis. Are all sums 1?",
        ({"share": "not divided"},),
    ),
    Mistake(
        "softmax_twice",
        "The softmax is applied twice, which makes the weights nearly equal.",
        "Does the function that you call for the weights end with a softmax "
        "already?",
        ({"share": "twice"},),
    ),
    Mistake(
        "all_alike",
        "Every token gets the plain mean of the values: your scores do not "
        "reach the weights.",
        "Print the scores of one head. Do they differ?",
        ({"share": "all alike"},),
    ),
    Mistake(
        "the_largest_takes_all",
        "Each query takes the one value with the largest score. Softmax "
        "shares: the others get something, too.",
        "Between scores and mixture stands a softmax.",
        ({"share": "the largest"},),
    ),
    Mistake(
        "weights_averaged_over_heads",
        "You average the weights (or add the scores) over the heads, so all "
        "heads look at the same places. Then the heads are of no use.",
        "Is there a mean or a sum over the axis of the heads?",
        (
            {"share": "mean of the heads"},
            {"share": "sum of the scores"},
            {"share": "mean of the scores"},
        ),
    ),
    Mistake(
        "weights_turned",
        "The weights are turned on their side before they mix the values, so "
        "token i gets what others give to it.",
        "Row i of the weights belongs to query i.",
        ({"heads": "weights turned"},),
    ),
    Mistake(
        "looks_only_back",
        "Token i sees only the tokens up to itself. That is the mask of the "
        "next chapter; here every token sees every token.",
        "Is there a triangle in your code?",
        ({"look": "back"},),
    ),
)
_LOOKS = (
    Mistake(
        "looks_at_others_only",
        "No token looks at itself. Here every token sees every token, itself "
        "among them.",
        "What do you do to the diagonal of the scores?",
        ({"look": "others"},),
    ),
)
_HEADS = (
    Mistake(
        "same_head_again",
        "All your heads are copies of one and the same head. Each head has "
        "its own block of columns in WQ, WK and WV.",
        "Does the number of the head occur inside your loop, or in your "
        "slices?",
        ({"heads": "the first, again"}, {"heads": "the last, again"}),
    ),
    Mistake(
        "one_head_only",
        "Only one head reaches the result; the places of the others are empty.",
        "Is an array overwritten in the loop, or does `return` stand inside?",
        ({"heads": "the first alone"}, {"heads": "the last alone"}),
    ),
    Mistake(
        "heads_pile_up",
        "The heads pile up: each one still holds what the heads before it "
        "found.",
        "The array you add to must begin with zeros for *each head*.",
        ({"heads": "piled up"},),
    ),
    Mistake(
        "heads_averaged",
        "You average (or add up) the heads. They stand side by side, so that "
        "WO can treat them differently.",
        "The joined vector of a token has {joined} numbers, d_v from each "
        "head.",
        ({"heads": "the mean"}, {"heads": "the sum"}),
    ),
    Mistake(
        "one_block_of_wo_for_all",
        "All heads are multiplied by the same block of WO, its first rows. "
        "Each head has a block of d_v rows of its own.",
        "Does the number of the head occur where you take rows of WO?",
        ({"heads": "the sum in front"},),
    ),
    Mistake(
        "divided_by_h",
        "You divide the result by the number of heads. The heads are no "
        "average; they stand side by side, and WO does the rest.",
        "Look for a division that has no place among the four stages.",
        ({"heads": "divided by h"},),
    ),
    Mistake(
        "heads_backwards",
        "The heads stand in the wrong order: the first block of WO's rows "
        "meets the last head.",
        "In which order are your heads put into the list?",
        ({"heads": "backwards"},),
    ),
    Mistake(
        "nobody_looks",
        "Each token gets its own value back: scores and weights are never "
        "used.",
        "What do you multiply by the values?",
        ({"heads": "values alone"},),
    ),
)
_MAPS = (
    Mistake(
        "wo_forgotten",
        "WO is missing. Without it each head writes into its own fixed block "
        "of the result, and the heads are never mixed.",
        "The joined heads are multiplied by one more matrix.",
        ({"out": "not mixed"},),
    ),
    Mistake(
        "wo_twice",
        "You multiply by WO twice. It is square here, so no shape complains.",
        "Once is enough, after the heads are joined.",
        ({"out": "twice"},),
    ),
    Mistake(
        "wo_turned",
        "WO is turned on its side. It has one *row* for each number of the "
        "joined heads, so it stands on the right as it is. This runs only "
        "because WO is a square here.",
        "Row vectors: the joined heads on the left, WO on the right.",
        ({"out": "on its side"},),
    ),
    Mistake(
        "maps_turned",
        "WQ, WK and WV are turned on their sides. PyTorch's `nn.Linear` "
        "stores its matrix that way; here they stand on the right as they "
        "are. It runs only because they are squares here.",
        "Row vectors: x on the left, the matrix on the right.",
        (
            {"project": "on their sides"},
            {"project": "on their sides", "out": "on its side"},
        ),
    ),
    Mistake(
        "query_and_key_exchanged",
        "Queries are made with WK and keys with WQ (or the scores are turned "
        "on their side).",
        "The rows of the scores belong to the queries.",
        ({"project": "q and k exchanged"},),
    ),
    Mistake(
        "one_map_for_queries_and_keys",
        "Queries and keys are made by the same matrix, so the scores are "
        "their own mirror image.",
        "Three matrices, three lines: which name stands there twice?",
        (
            {"project": "q for keys"},
            {"project": "k for queries"},
        ),
    ),
    Mistake(
        "values_by_the_wrong_map",
        "Keys or values are made by the wrong matrix. WK makes the keys, WV "
        "makes the values.",
        "Three matrices, three lines: which name stands there twice?",
        (
            {"project": "k for values"},
            {"project": "q for values"},
            {"project": "v for keys"},
        ),
    ),
    Mistake(
        "values_are_the_tokens",
        "The values are the tokens themselves; WV is never used.",
        "Where does WV occur in your code?",
        ({"project": "values are tokens"},),
    ),
    Mistake(
        "not_projected",
        "Queries, keys and values are the tokens themselves; the three "
        "matrices are never used.",
        "Where do WQ, WK and WV occur in your code?",
        ({"project": "none"},),
    ),
    Mistake(
        "maps_in_a_chain",
        "You make the keys out of the queries, or the values out of the "
        "keys. All three are made from x.",
        "A name is overwritten: x must still be x in the next line.",
        ({"project": "chained"},),
    ),
    Mistake(
        "input_added",
        "You add x to the result. That is the residual connection of chapter "
        "5, which stands outside of attention.",
        "Take the plus sign away.",
        ({"out": "x added"},),
    ),
    Mistake(
        "first_sentence_only",
        "You return the result of the first sentence and lose the others.",
        "Is there an index 0, or a `return` inside the loop over the batch?",
        ({"out": "first sentence"},),
    ),
    Mistake(
        "one_vector_for_a_sentence",
        "You return one vector for each sentence. Each *token* gets one.",
        "The axis of the tokens must still be there at the end.",
        ({"out": "mean token"}, {"out": "last token"}),
    ),
)
_WANTED = {case.name: attended_in_heads(*case.args) for case in CASES}


def _fits(answers: dict[str, Answer], name: str) -> bool:
    got = answers[name]
    return got.kind == ARRAY and same(got.array, _WANTED[name], got.tolerance)


_REFINEMENTS = (
    Mistake(
        "one_token_lost",
        "A sentence of a single token comes out in another shape or value: "
        "an axis of length 1 got lost, perhaps by a `squeeze`.",
        "Leave all axes where they are, also those of length 1.",
        matches=lambda a: not _fits(a, "one token"),
        on="one token",
    ),
    Mistake(
        "no_maximum_subtracted",
        "Your results are right for moderate scores. Here the scores are so "
        "large that the exponential overflows. Subtract each row's largest "
        "score first; it changes no weight.",
        "Use your softmax of chapter 2, or the book's.",
        matches=lambda a: a["loud"].broken,
        on="loud",
    ),
    Mistake(
        "whole_numbers_cut",
        "When the inputs hold whole numbers, what follows the point gets "
        "lost: the array that you write into has a type for whole numbers.",
        "A fresh array of zeros holds numbers with decimals, unless you give "
        "it the type of an input.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
    Mistake(
        "width_of_a_head_from_d",
        "You take d / h for the width of a head. That is the usual choice, "
        "but a choice: here d is 4, there are 2 heads, and each is 5 wide.",
        "Ask WQ how many columns it has.",
        matches=lambda a: not _fits(a, "other widths"),
        on="other widths",
    ),
    Mistake(
        "values_as_wide_as_keys",
        "You cut the values into heads of width d_k. A value may have a "
        "width of its own: here d_k is 3 and d_v is 5.",
        "Ask WV how many columns it has; or leave one length of the reshape "
        "to NumPy.",
        matches=lambda a: not _fits(a, "other values"),
        on="other values",
    ),
    Mistake(
        "view_after_the_axes_changed",
        "`view` cannot join the heads here: the axes have changed places, so "
        "the numbers of one token no longer lie side by side in memory, and "
        "`view` moves no number.",
        "Tensors have another method that gives the same shape and copies "
        "the numbers where it has to. Or make the tensor contiguous first.",
        raises="RuntimeError: view size is not compatible",
    ),
)
MISTAKES = (
    *_SPLITS,
    *_SCALES,
    *_WEIGHTS,
    *_LOOKS,
    *_HEADS,
    *_MAPS,
    *_REFINEMENTS,
)
