"""Known wrong answers to the exercise `causal_weights(scores)`.

The words in braces are filled in by `about_causal_weights` from the example.
"""

from __future__ import annotations

import numpy as np

from transformer_lib.course.checks.causal_weights_cases import (
    LEADING,
    softmax,
    wrong_there,
)
from transformer_lib.course.checks.engine.exercise import Mistake
from transformer_lib.course.checks.engine.reading import ARRAY, Answer, same

__all__ = ["MISTAKES"]


def _hidden_by(**knobs: str) -> tuple[dict, ...]:
    """A mistake that leaves a word with no key, in four programs."""
    ways = ("minus infinity, zeros", "very low", "very low, added")
    return knobs, *(knobs | {"hide": way} for way in ways)


_WHO = (
    Mistake(
        "mask_flipped",
        "The mask is upside down: you hide the past and show the future. "
        "Read your first row aloud: word 1 may look at words 1 to {n}.",
        "Print the mask for four words. Row 1 should have a single True.",
        ({"see": "from i on"},),
    ),
    Mistake(
        "only_the_future",
        "Each word looks only at the words after it. The last word then has "
        "nothing to look at, and its row is not a number.",
        "Print the mask. In which half of the table should True stand, and "
        "does the diagonal belong to it?",
        _hidden_by(see="after i"),
    ),
    Mistake(
        "diagonal_hidden",
        "Each word looks only at the words *before* it and not at itself, so "
        "word 1 has nothing to look at. The mask allows 'up to and "
        "including'; that the prediction depends on earlier words only is "
        "the work of the shift.",
        "Where does the triangle begin: on the diagonal or below it? The "
        "second argument of NumPy's triangles moves it.",
        _hidden_by(see="before i"),
    ),
    Mistake(
        "one_key_too_many",
        "The triangle is one place too wide: each word also sees the next "
        "one. That next word is just what a decoder has to predict.",
        "Look at row 1 of your mask: how many keys may word 1 look at? The "
        "number that shifts the diagonal is off by one.",
        ({"see": "up to i + 1"},),
    ),
    Mistake(
        "no_mask",
        "Nothing is hidden: this is the plain softmax, and word 1 gives "
        "{future} of its weight to words that come after it.",
        "Which entries of your result stand above the diagonal? All of them "
        "should be 0. (Does your masking line store its result?)",
        ({"see": "all"},),
    ),
    Mistake(
        "only_itself",
        "Each word looks only at itself, so the weights are ones on the "
        "diagonal. Earlier words are to be seen as well.",
        "A diagonal is not a triangle.",
        ({"see": "itself"},),
    ),
    Mistake(
        "only_itself_hidden",
        "You hide the diagonal and nothing else. A word may look at itself; "
        "it is the words *after* it that are hidden.",
        "A diagonal is not a triangle.",
        ({"see": "all but itself"},),
    ),
    Mistake(
        "triangle_mirrored",
        "The triangle leans to the wrong side: word 1 sees only the *last* "
        "word, word 2 the last two. Count the keys from the left.",
        "Is there a reversal, `[::-1]` or `flip`, in the mask?",
        ({"see": "from the end"},),
    ),
    Mistake(
        "triangle_upside_down",
        "The triangle stands on its head: word 1 sees every word, and the "
        "last word sees only the first.",
        "Is there a reversal, `[::-1]` or `flip`, in the mask?",
        ({"see": "last row first"},),
    ),
    Mistake(
        "scores_read_by_columns",
        "Rows and columns of the *scores* are exchanged: you read "
        "scores[j, i] where scores[i, j] is meant. Row i holds what query i "
        "found at each key.",
        "Look for a transpose, or for two indices in the wrong order.",
        ({"ask": "columns"},),
    ),
    Mistake(
        "only_one_back",
        "Each word sees itself and the one before it, and no earlier word. "
        "The causal mask has no such limit: every earlier word may be seen.",
        "Compare the last row with its neighbors: it should have no zeros.",
        ({"see": "two back"},),
    ),
)
_HOW = (
    Mistake(
        "zeroed_scores",
        "You set the hidden scores to 0 (or nearly). But e to the power 0 is "
        "1, a vote like any other: word 1 still gives {future} of its weight "
        "to the future. It is the *weights* that must become 0.",
        "A triangle cut out of the scores, a product with the mask and a "
        "fill of 0 or 1e-9 all do the same. Which score has no vote at all?",
        ({"hide": "zero"},),
    ),
    Mistake(
        "fill_too_small",
        "You fill in a negative number that is too close to the scores. A "
        "masked word keeps a small vote: word 1 gives {future} to the "
        "future. Nothing finite is safe at all scores.",
        "e to the power -e is 0.066; e to the power -10 is 0.00005. Which "
        "number gives exactly 0?",
        ({"hide": "minus e"}, {"hide": "minus one"}, {"hide": "minus ten"}),
    ),
    Mistake(
        "plus_in_place_of_minus",
        "The hidden scores become very *large*: a minus sign is missing, so "
        "the future gets everything.",
        "Which sign must a score have, so that its vote is 0?",
        (
            {"hide": "plus very much"},
            {"hide": "plus infinity"},
            {"hide": "plus ten"},
        ),
    ),
    Mistake(
        "zeroed_after_softmax",
        "You hide after the softmax. The future has had its share by then, "
        "so the rows do not sum to 1: row 1 sums to {row_1}. And the size "
        "of what is left still depends on the hidden scores.",
        "Exchange two lines: first hide, then share.",
        ({"hide": "after the softmax"},),
    ),
    Mistake(
        "mask_times_infinity",
        "You multiply the mask by infinity. Where the mask is 0, that is 0 "
        "times infinity, which is not a number (nan).",
        "Do not compute with infinity; choose. NumPy has a function that "
        "takes one of two values, by a mask.",
        ({"hide": "mask times infinity"},),
    ),
    Mistake(
        "mask_added",
        "You add the mask itself, its ones and zeros, to the scores. That "
        "raises some scores by 1 and hides nothing.",
        "A mask that is added has to hold 0 where a key may be seen, and "
        "what elsewhere?",
        ({"hide": "mask added"},),
    ),
    Mistake(
        "score_times_minus_infinity",
        "You multiply the hidden scores by a very low number. That makes a "
        "score above 0 very low, but a score below 0 very *high*, and a "
        "score of 0 stays 0 or becomes nan.",
        "Do not compute with the score that is to be hidden; replace it.",
        ({"hide": "times minus infinity"}, {"hide": "times very low"}),
    ),
    Mistake(
        "masked_between_two_softmaxes",
        "Softmax runs twice: once on the plain scores, and again after "
        "hiding. The second takes shares for scores, and shares lie so close "
        "together that the weights come out nearly equal.",
        "Hide the scores, not the shares; then one softmax.",
        ({"hide": "between two softmaxes"},),
    ),
)
_SHARES = (
    Mistake(
        "softmax_over_queries",
        "Softmax runs down the columns. Each *row* belongs to a query and "
        "sums to 1; your row 1 sums to {row_1}.",
        "The keys lie along the last axis.",
        ({"share": "column softmax"},),
    ),
    Mistake(
        "softmax_over_everything",
        "All words share one budget of 1. Each row needs a softmax of its "
        "own; your row 1 sums to {row_1}.",
        "Name the axis, and keep the sums as a column.",
        ({"share": "one softmax"},),
    ),
    Mistake(
        "returned_hidden_scores",
        "You return the hidden scores. They are right; the softmax over each "
        "row is still missing.",
        "Which function turns a row of scores into shares?",
        ({"share": "nothing"}, {"out": "hidden scores"}),
    ),
    Mistake(
        "no_exponential",
        "You divide the visible scores by their sum. Shares come from "
        "*votes*, e to the power of the score; a negative score must not "
        "become a negative share.",
        "Use the softmax of chapter 2.",
        ({"share": "divided"},),
    ),
    Mistake(
        "not_divided",
        "You take e to the power of the scores and do not divide: row 1 sums "
        "to {row_1}.",
        "What should each row sum to?",
        ({"share": "exponential"}, {"share": "exponential from the top"}),
    ),
    Mistake(
        "sums_not_kept_as_column",
        "Your votes are divided by the sums of the wrong rows: the sums lie "
        "flat, and broadcasting lays them along the *columns*. Your row 1 "
        "sums to {row_1}.",
        "A sum along the last axis loses that axis. `keepdims=True` keeps it "
        "as a column.",
        (
            {"share": "no keepdims"},
            {"share": "no keepdims, from the top"},
            {"share": "no keepdims, twice"},
        ),
    ),
    Mistake(
        "sum_never_reset",
        "Row 1 is right, and after it the rows sum to less and less: the sum "
        "of the votes still contains the rows before.",
        "Where does the sum become 0? It has to, once for each word.",
        ({"share": "never reset"},),
    ),
    Mistake(
        "divided_by_the_count",
        "You divide the votes by how *many* keys may be seen. A share is a "
        "vote divided by the sum of the votes: row 1 sums to {row_1}.",
        "What should each row sum to?",
        ({"share": "by count"},),
    ),
    Mistake(
        "base_two",
        "You raise 2 to the scores, as in the game with votes. Softmax "
        "raises e = 2.718: {wanted} is wanted in place of {came}.",
        "Only the base is wrong.",
        ({"share": "base two"},),
    ),
    Mistake(
        "sigmoid",
        "You use the sigmoid, which looks at each score alone. Softmax lets "
        "the visible keys compete for a budget of 1.",
        "Use the softmax of chapter 2.",
        ({"share": "sigmoid"},),
    ),
    Mistake(
        "softmax_twice",
        "Softmax is applied twice. The second time the hidden words come "
        "with a share of 0, and 0 is a score like any other: they get a "
        "vote of e to the power 0.",
        "Find the second call.",
        ({"share": "twice"},),
    ),
    Mistake(
        "winner_takes_all",
        "Each word looks only at its best key. Softmax gives every visible "
        "key a share.",
        "No comparison is needed.",
        ({"share": "winner"},),
    ),
    Mistake(
        "equal_shares",
        "Every visible word gets the same share. You normalize the mask; the "
        "scores play no part.",
        "Do the scores stand in your last line?",
        ({"share": "equal"},),
    ),
    Mistake(
        "scaled_again",
        "You divide the scores once more, by the number of words or its "
        "root. They come in ready: the root of d_k has been divided out, "
        "and the length of a sentence is no width.",
        "Remove the division.",
        ({"scale": "root of n"}, {"scale": "n"}),
    ),
    Mistake(
        "negative_scores",
        "The smallest score gets the largest share: a minus sign stands "
        "before the scores.",
        "Where is the minus sign, and what was it meant for?",
        ({"scale": "minus"},),
    ),
    Mistake(
        "returned_mask",
        "You return the mask, its ones and zeros, and not the weights.",
        "The mask says who may look; how much, the scores say.",
        ({"out": "mask"},),
    ),
    Mistake(
        "transposed",
        "Rows and columns are exchanged on the way out: your column 1 holds "
        "the weights of word 1.",
        "Look for a transpose. Or do your loops name the query second?",
        ({"out": "turned"},),
    ),
    Mistake(
        "one_row_only",
        "Only one row came back. There is a row of weights for each word.",
        "Does `return` stand inside the loop?",
        ({"out": "first row"}, {"out": "last row"}),
    ),
    Mistake(
        "running_sums",
        "Your rows hold running sums: each share contains those before it, "
        "and the last one is 1.",
        "Look for `cumsum`, or a sum that is never set back to 0.",
        ({"out": "running"},),
    ),
    Mistake(
        "returned_row_sums",
        "You return the sum of each row and not the row.",
        "The sum belongs below the fraction bar.",
        ({"out": "row sums"},),
    ),
)


def _leading_wrong(answers: dict[str, Answer]) -> bool:
    return any(wrong_there(answers, case.name) for case in LEADING)


def _along(axis: int, answers: dict[str, Answer]) -> bool:
    """Softmax along an axis that was counted from the front."""
    told = 0
    for case in LEADING:
        (scores,) = case.args
        seen = np.tri(scores.shape[-1], dtype=bool)
        hidden = np.where(seen, scores, -np.inf)
        with np.errstate(all="ignore"):
            made = softmax(hidden, axis)
        got = answers[case.name]
        if got.kind != ARRAY or not same(got.array, made, got.tolerance):
            return False
        told += wrong_there(answers, case.name)
    return told > 0


def _first_only(answers: dict[str, Answer]) -> bool:
    """Only the first sentence is masked."""
    for case in LEADING:
        got = answers[case.name]
        scores = case.args[0].copy()
        n = scores.shape[-1]
        scores[0] = np.where(np.tri(n, dtype=bool), scores[0], -np.inf)
        made = softmax(scores)
        if got.kind != ARRAY or not same(got.array, made, got.tolerance):
            return False
    return True


_REFINEMENTS = (
    Mistake(
        "softmax_axis_from_the_front",
        "Two axes are right. With more, your softmax runs along an axis "
        "counted from the front, and that is another one now. The keys are "
        "on the last axis.",
        "Count from the end: the last axis is number -1.",
        matches=lambda a: _along(1, a) or _along(0, a),
        on="batch",
    ),
    Mistake(
        "first_of_the_batch_only",
        "Two axes are right. With more, you mask the first sentence only; "
        "the others see their future.",
        "Is there an index [0] where the mask is put on?",
        matches=_first_only,
        on="batch",
    ),
    Mistake(
        "only_two_axes",
        "With two axes everything is right. The exercise also wants leading "
        "axes: one (n, n) table for each sentence, or for each sentence and "
        "head.",
        "Read n from the *last* axis. A mask of shape (n, n) stretches over "
        "leading axes by itself.",
        matches=_leading_wrong,
        on="batch",
    ),
    Mistake(
        "hidden_scores_still_count",
        "Here a hidden score is 900, and your answer breaks. Some step "
        "before the hiding looks at all scores (a maximum, or a first "
        "softmax), and next to 900 the visible words vanish: 0 divided by 0. "
        "Hide first, then compute.",
        "What is the first line that touches the scores? It should be the "
        "one that hides.",
        matches=lambda a: wrong_there(a, "loud future"),
        on="loud future",
    ),
    Mistake(
        "no_maximum_subtracted",
        "Your results are right for moderate scores. Here a visible score is "
        "800, and e to the power 800 is too big for a computer. Subtract "
        "each row's largest visible score first.",
        "The softmax of chapter 2 has the same trap. Use your function from "
        "there, or the book's.",
        matches=lambda a: a["high scores"].broken,
        on="high scores",
    ),
    Mistake(
        "finite_fill",
        "You hide with a large finite number such as -1e9, filled in or "
        "added. Here the visible scores are minus two billion and the hidden "
        "ones plus two billion, so the hidden ones win. Minus infinity has "
        "no such limit.",
        "A finite number always has something below it.",
        matches=lambda a: wrong_there(a, "low scores"),
        on="low scores",
    ),
    Mistake(
        "whole_numbers_cut",
        "When the scores are whole numbers, what follows the point gets "
        "lost: you write into an array made for whole numbers.",
        "A fresh array of zeros holds decimals, unless you give it the type "
        "of an input; `zeros_like` and `copy` take that type over.",
        matches=lambda a: a["whole numbers"].whole,
        on="whole numbers",
    ),
)
MISTAKES = (*_WHO, *_HOW, *_SHARES, *_REFINEMENTS)
