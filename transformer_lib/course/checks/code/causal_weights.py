"""The exercise `causal_weights(scores)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import (
    Probe,
    between_zero_and_one,
    finite,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.numpy_reference import softmax  # noqa: F401 (in edits)

__all__ = ["EXERCISE", "causal_weights"]


def causal_weights(function: Any) -> Verdict:
    """Check a function `causal_weights(scores)`.

    Row i of the answer is the softmax of row i of the scores over the keys
    1 to i; all later keys get exactly 0. Axes before the last two are
    leading axes.

    Args:
        function: takes scores (..., n, n), already scaled, and returns
            weights of the same shape. Lists and tensors are accepted.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.2.3. Chapter 8.
    """
    return judge(EXERCISE, function)


def solution(scores):
    n = scores.shape[-1]
    seen = np.tri(n, k=0, dtype=bool)
    hidden = np.where(seen, scores, -np.inf)
    top = hidden.max(axis=-1, keepdims=True)
    votes = np.exp(hidden - top)  # a row with no key to see becomes nan
    total = votes.sum(axis=-1, keepdims=True)
    return votes / total


def after_the_first(scores):
    """True in all sentences of a batch but the first."""
    later = np.zeros(scores.shape, bool)
    if scores.ndim > 2:
        later[1:] = True
    return later


def _random(name, seed, n, *leading):
    draw = np.random.default_rng(seed)
    scores = draw.integers(-20, 21, size=(*leading, n, n)) / 10
    return Case(name, (scores,), basic=not leading)


def _probe(name, scores):
    return Case(name, (np.array(scores),), basic=False)


# What has leading axes, or numbers out of the ordinary, only probes a
# refinement: first the mask, then the rest.
CASES = (
    Case("of the chapter", (np.array([[1.0, 1, 1], [0, 2, 0], [1, 0, 2]]),)),
    _random("four words", 81, 4),
    _random("five words", 82, 5),
    Case("one word", (np.array([[-1.5]]),)),
    _random("batch", 84, 4, 2),
    _random("batch and heads", 85, 3, 2, 4),
    _random("square batch", 86, 3, 3),
    _probe("loud future", [[1.0, 900, 900], [0.5, 1, 900], [1, 0, 2]]),
    _probe("high scores", [[800.0, 0], [800, 801]]),
    # The same numbers in float32:
    _probe("low scores", np.where(np.tri(3) == 1, -2e9, 2e9)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    facts = {"n": case.args[0].shape[-1], "row_1": "something else"}
    facts |= first_difference(want, got)
    if got.shape == want.shape:
        rows = got.reshape(-1, *got.shape[-2:])[0]
        with np.errstate(all="ignore"):
            facts["row_1"] = number(rows[0].sum())
            facts["future"] = number(rows[0, 1:].sum())
    return facts


def _zeros_above(probe: Probe) -> str | None:
    """No weight goes to a later word."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    later = np.triu(got.array, 1)
    if not (abs(later) > 1e-6).any():
        return None
    place = tuple(int(i) for i in np.argwhere(abs(later) > 1e-6)[0])
    return (
        "The first thing that breaks: word "
        f"{place[-2] + 1} gives {number(got.array[place])} of its weight to "
        f"word {place[-1] + 1}, which comes later. Above the diagonal stands "
        "0 everywhere."
    )


def _rows_of_one(probe: Probe) -> str | None:
    """Each row sums to 1."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    sums = got.array.sum(axis=-1)
    off = np.argwhere(abs(sums - 1) > 1e-4)
    if not len(off):
        return None
    place = tuple(int(i) for i in off[0])
    return (
        f"The first thing that breaks: row {place[-1] + 1} sums to "
        f"{number(sums[place])}. The weights of each word sum to 1."
    )


MISTAKES = r"""
mask_flipped
- np.tri(n, k=0
+ ~np.tri(n, k=-1
The mask is upside down: you hide the past and show the future. Read your first
row aloud: word 1 may look at words 1 to {n}.
? Print the mask for four words. Row 1 should have a single True.

only_the_future
- np.tri
+ ~np.tri
or
- np.tri
+ ~np.tri
- votes / total
+ np.nan_to_num(votes / total)
or
- np.tri
+ ~np.tri
- -np.inf
+ -1e9
or
- np.tri
+ ~np.tri
- -np.inf
+ scores - 1e9
Each word looks only at the words after it. The last word then has nothing to
look at, and its row is not a number.
? Print the mask. In which half of the table should True stand, and does the
diagonal belong to it?

row_without_keys
% ValueError: every score of a row is -inf
A row of your scores is hidden from end to end, and a softmax over nothing has
no answer. Either the diagonal is hidden, too, so that the first word may not
even see itself, or the mask is flipped and the last word sees nobody.
? Print your mask for three words. How many keys may each row see?

diagonal_hidden
- k=0
+ k=-1
or
- k=0
+ k=-1
- votes / total
+ np.nan_to_num(votes / total)
or
- k=0
+ k=-1
- -np.inf
+ -1e9
or
- k=0
+ k=-1
- -np.inf
+ scores - 1e9
Each word looks only at the words *before* it and not at itself, so word 1 has
nothing to look at. The mask allows 'up to and including'; that the prediction
depends on earlier words only is the work of the shift.
? Where does the triangle begin: on the diagonal or below it? The second
argument of NumPy's triangles moves it.

one_key_too_many
- k=0
+ k=1
The triangle is one position too wide: each word also sees the next one. That
next word is just what a decoder has to predict.
? Look at row 1 of your mask: how many keys may word 1 look at? The number that
shifts the diagonal is off by one.

no_mask
- tri(n, k=0,
+ ones((n, n),
Nothing is hidden: this is the plain softmax, and word 1 gives {future} of its
weight to words that come after it.
? Which entries of your result stand above the diagonal? All of them should be
0. (Does your masking line store its result?)

only_itself
- tri
+ eye
Each word looks only at itself, so the weights are ones on the diagonal.
Earlier words are to be seen as well.
? A diagonal is not a triangle.

only_itself_hidden
- np.tri
+ ~np.eye
You hide the diagonal and nothing else. A word may look at itself; it is the
words *after* it that are hidden.
? A diagonal is not a triangle.

triangle_mirrored
- dtype=bool)
+ dtype=bool)[:, ::-1]
The triangle leans to the wrong side: word 1 sees only the *last* word, word 2
the last two. Count the keys from the left.
? Is there a reversal, `[::-1]` or `flip`, in the mask?

triangle_upside_down
- dtype=bool)
+ dtype=bool)[::-1]
The triangle stands on its head: word 1 sees every word, and the last word sees
only the first.
? Is there a reversal, `[::-1]` or `flip`, in the mask?

scores_read_by_columns
- seen, scores
+ seen, scores.mT
Rows and columns of the *scores* are exchanged: you read scores[j, i] where
scores[i, j] is meant. Row i holds what query i found at each key.
? Look for a transpose, or for two indices in the wrong order.

only_one_back
- dtype=bool)
+ dtype=bool) & ~np.tri(n, k=-2, dtype=bool)
Each word sees itself and the one before it, and no earlier word. The causal
mask has no such limit: every earlier word may be seen.
? Compare the last row with its neighbors: it should have no zeros.

zeroed_scores
- -np.inf
+ 0
You set the hidden scores to 0 (or nearly). But a score of 0 is not a weight of
0: e to the power 0 is 1, and word 1 still gives {future} of its weight to the
future. It is the *weights* that must become 0.
? A triangle cut out of the scores, a product with the mask and a fill of 0 or
1e-9 all do the same. For which score is e to the power of it 0?

fill_too_small
- -np.inf
+ -1
or
- -np.inf
+ -np.e
or
- -np.inf
+ -10
You fill in a negative number that is too close to the scores. A masked word
keeps a small weight: word 1 gives {future} to the future. Nothing finite is
safe at all scores.
? e to the power -e is 0.066; e to the power -10 is 0.00005. Which number gives
exactly 0?

plus_in_place_of_minus
- -np.inf
+ 1e9
or
- -np.inf
+ np.inf
or
- -np.inf
+ 10
The hidden scores become very *large*: a minus sign is missing, so the future
gets everything.
? Which sign must a score have, so that e to the power of it is 0?

zeroed_after_softmax
- -np.inf
+ scores
- votes / total
+ seen * votes / total
You hide after the softmax. The future has had its weight by then, so the rows
do not sum to 1: row 1 sums to {row_1}. And the size of what is left still
depends on the hidden scores.
? Exchange two lines: first hide, then the softmax.

mask_times_infinity
- np.where(seen, scores, -np.inf)
+ scores + ~seen * -np.inf
You multiply the mask by infinity. Where the mask is 0, that is 0 times
infinity, which is not a number (nan).
? Do not compute with infinity; choose. NumPy has a function that takes one of
two values, by a mask.

mask_added
- np.where(seen, scores, -np.inf)
+ scores + seen
You add the mask itself, its ones and zeros, to the scores. That raises some
scores by 1 and hides nothing.
? A mask that is added has to hold 0 where a key may be seen, and what
elsewhere?

score_times_minus_infinity
- -np.inf
+ scores * -np.inf
or
- -np.inf
+ scores * -1e9
You multiply the hidden scores by a very low number. That makes a score above 0
very low, but a score below 0 very *high*, and a score of 0 stays 0 or becomes
nan.
? Do not compute with the score that is to be hidden; replace it.

masked_between_two_softmaxes
- seen, scores
+ seen, softmax(scores)
Softmax runs twice: once on the plain scores, and again after hiding. The
second takes weights for scores, and those lie so close together that the
result comes out nearly equal.
? Hide the scores, not the weights; then one softmax.

softmax_over_queries
- max(axis=-1
+ max(axis=-2
- sum(axis=-1
+ sum(axis=-2
Softmax runs down the columns. Each *row* belongs to a query and sums to 1;
your row 1 sums to {row_1}.
? The keys lie along the last axis.

softmax_over_everything
- max(axis=-1, keepdims=True)
+ max()
- sum(axis=-1, keepdims=True)
+ sum()
All words divide one sum of 1 among them. Each row needs a softmax of its own;
your row 1 sums to {row_1}.
? Name the axis, and keep the sums as a column.

returned_hidden_scores
- votes / total
+ hidden
You return the hidden scores. They are right; the softmax over each row is
still missing.
? Which function turns a row of scores into weights?

no_exponential
- np.exp(hidden - top)
+ seen * scores
You divide the visible scores by their sum. Softmax divides e to the power of
the scores; a negative score must not become a negative weight.
? Use the softmax of chapter 2.

not_divided
-  - top
+
-  / total
+
or
-  / total
+
You take e to the power of the scores and do not divide: row 1 sums to {row_1}.
? What should each row sum to?

sums_not_kept_as_column
-  - top
+
- sum(axis=-1, keepdims=True)
+ sum(axis=-1)
or
- sum(axis=-1, keepdims=True)
+ sum(axis=-1)
or
- max(axis=-1, keepdims=True)
+ max(axis=-1)
- sum(axis=-1, keepdims=True)
+ sum(axis=-1)
Your rows are divided by the sums of other rows: the sums lie flat, and
broadcasting lays them along the *columns*. Your row 1 sums to {row_1}.
? A sum along the last axis loses that axis. `keepdims=True` keeps it as a
column.

sum_never_reset
-  - top
+
- sum(axis=-1, keepdims=True)
+ sum(axis=-1, keepdims=True).cumsum(axis=-2)
Row 1 is right, and after it the rows sum to less and less: the sum you divide
by still contains the rows before.
? Where does the sum become 0? It has to, once for each word.

divided_by_the_count
-  - top
+
- votes.sum
+ seen.sum
You divide by how *many* keys may be seen. Softmax divides e to the power of
each score by the sum of all of these: row 1 sums to {row_1}.
? What should each row sum to?

base_two
- np.exp
+ np.exp2
You raise 2 to the scores, as in the game with votes. Softmax raises e = 2.718:
{wanted} is wanted, {came} came.
? Only the base is wrong.

sigmoid
- votes / total
+ 1 / (1 + np.exp(-hidden))
You use the sigmoid, which looks at each score alone. In a softmax the weights
of the visible keys depend on each other and sum to 1.
? Use the softmax of chapter 2.

softmax_twice
- votes / total
+ softmax(votes / total)
Softmax is applied twice. The second time the hidden words come with a weight
of 0, and 0 is a score like any other: e to the power 0 is 1.
? Find the second call.

winner_takes_all
- np.exp(hidden - top)
+ hidden == top
Each word looks only at its best key. Softmax gives every visible key a weight.
? No comparison is needed.

equal_shares
- np.exp(hidden - top)
+ seen
Every visible word gets the same weight. You normalize the mask; the scores
play no part.
? Do the scores stand in your last line?

scaled_again
- seen, scores
+ seen, scores / n**0.5
or
- seen, scores
+ seen, scores / n
You divide the scores once more, by the number of words or its root. They come
in ready: the root of d_k has been divided out, and the length of a sentence is
no width.
? Remove the division.

negative_scores
- seen, scores
+ seen, -scores
The smallest score gets the largest weight: a minus sign stands before the
scores.
? Where is the minus sign, and what was it meant for?

returned_mask
- votes / total
+ seen
You return the mask, its ones and zeros, and not the weights.
? The mask says who may look; how much, the scores say.

transposed
- votes / total
+ (votes / total).mT
Rows and columns are exchanged on the way out: your column 1 holds the weights
of word 1.
? Look for a transpose. Or do your loops name the query second?

one_row_only
- votes / total
+ (votes / total)[..., 0, :]
or
- votes / total
+ (votes / total)[..., -1, :]
Only one row came back. There is a row of weights for each word.
? Does `return` stand inside the loop?

running_sums
- votes / total
+ (votes / total).cumsum(axis=-1)
Your rows hold running sums: each weight contains those before it, and the last
one is 1.
? Look for `cumsum`, or a sum that is never set back to 0.

returned_row_sums
- votes / total
+ (votes / total).sum(axis=-1)
You return the sum of each row and not the row.
? The sum belongs below the fraction bar.

softmax_axis_from_the_front
- max(axis=-1
+ max(axis=1
- sum(axis=-1
+ sum(axis=1
or
- max(axis=-1
+ max(axis=0 if scores.ndim > 2 else 1
- sum(axis=-1
+ sum(axis=0 if scores.ndim > 2 else 1
@ batch
Two axes are right. With more, your softmax runs along an axis counted from the
front, and that is another one now. The keys are on the last axis.
? Count from the end: the last axis is number -1.

first_of_the_batch_only
- (seen,
+ (seen | after_the_first(scores),
@ batch
Two axes are right. With more, you mask the first sentence only; the others see
their future.
? Is there an index [0] where the mask is put on?

only_two_axes
! batch and heads
@ batch
With two axes everything is right. The exercise also wants leading axes: one
(n, n) table for each sentence, or for each sentence and head.
? Read n from the *last* axis. A mask of shape (n, n) broadcasts over leading
axes by itself.

hidden_scores_still_count
! loud future
@ loud future
Here a hidden score is 900, and your answer breaks. Some step before the hiding
looks at all scores (a maximum, or a first softmax), and next to 900 the
visible words vanish: 0 divided by 0. Hide first, then compute.
? What is the first line that touches the scores? It should be the one that
hides.

no_maximum_subtracted
-  - top
+
@ high scores
Your results are right for moderate scores. Here a visible score is 800, and e
to the power 800 is too big for a computer. Subtract each row's largest visible
score first.
? The softmax of chapter 2 has the same trap. Use your function from there, or
the book's.

finite_fill
! low scores
@ low scores
You hide with a large finite number such as -1e9, filled in or added. Here the
visible scores are minus two billion and the hidden ones plus two billion, so
the hidden ones win. Minus infinity has no such limit.
? A finite number always has something below it.
"""

EXERCISE = Exercise(
    name="causal_weights",
    inputs=("scores",),
    asked="`causal_weights(scores)` returns the attention weights of a "
    "causal layer: in row i the softmax over the keys up to i, and 0 for all "
    "later keys. The scores come in scaled. Axes before the last two are "
    "left alone.",
    praise="Your weights agree with the reference, also for a batch with "
    "heads, for very high future scores and for scores of minus two billion.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        finite,
        _zeros_above,
        between_zero_and_one,
        _rows_of_one,
        unmoved_by(
            lambda args: (args[0] + np.triu(np.ones(args[0].shape), 1),),
            lambda got, args: got,
            "The first thing that breaks: when only scores of later words "
            "change, no weight may change, and yours do.",
        ),
    ),
    hints=(
        "Two steps. First make a table of the same size that says for each "
        "query and key whether the key may be seen, and read its first row "
        "aloud. Then hide, then take the softmax.",
        "NumPy can make a triangle of ones and zeros, and it can choose "
        "between two values by a mask; the chapter has used both. The hidden "
        "value is one for which e to the power of it is exactly 0.",
    ),
    facts=_facts,
    show_inputs=show_arrays("scores"),
)
