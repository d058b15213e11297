"""Part 4 of the reader's own Transformer: which keys are not later."""

from __future__ import annotations

import numpy as np
import torch

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.parts.functions import SAID, play

__all__ = ["EXERCISE", "causal_mask"]


def causal_mask(n):
    """Let each query look at itself and at what came before.

    (n, n), True where query i may look at key j: for j up to i.
    """
    return torch.ones(n, n, dtype=torch.bool).tril()


def _case(n, ask="output"):
    name = f"n = {n}" if ask == "output" else ask
    return Case(name, (SAID[ask], ask, n))


CASES = (_case(4), _case(3), _case(5), _case(1), _case(4, "true or false"))


def _row_by_row(probe: Probe) -> str | None:
    """Name the first entry that is wrong, in words."""
    got, want = probe.got, probe.want
    if probe.args[1] != "output" or got.kind != ARRAY:
        return None
    if got.array.shape != want.array.shape:
        return None
    wrong = np.argwhere(got.array != want.array)
    if not len(wrong):
        return None
    query, key = (int(i) + 1 for i in wrong[0])
    may = "may" if key <= query else "may not"
    return (
        f"The first thing that breaks: query {query} {may} look at key {key}, "
        f"and your mask says otherwise (row {query}, column {key})."
    )


MISTAKES = r"""
no_mask
- .tril()
+
Your mask is True everywhere, so every query sees the whole sentence.
? How many keys may query 1 look at? Does the line with the triangle store its
result?

mask_flipped
- tril()
+ triu()
Your triangle is the other half: query 1 may look at all keys, and the last
query at itself only. A query may look at itself and at *earlier* keys.
? Print the mask for n = 4. Row 1 should have a single True.

only_the_future
- tril()
+ triu(1)
Your mask is True at the later keys, which are the ones to be hidden. True
means *may be looked at*. (Some modules of PyTorch want it the other way
around.)
? Which operator turns True into False and False into True?

diagonal_hidden
- tril()
+ tril(-1)
Each query looks only at the keys *before* it, and query 1 at nothing. The mask
allows 'up to and including'.
? Where does your triangle begin, on the diagonal or below it? In a comparison,
which of < and <= counts the position itself?

one_key_too_many
- tril()
+ tril(1)
The triangle is one position too wide: each query also sees the next key, which
a decoder has to predict.
? Look at row 1 of your mask: how many keys may query 1 look at?

only_itself
- tril()
+ logical_and(torch.eye(n))
Each query looks only at itself. Earlier keys are to be seen as well.
? Which keys may the last query look at?

only_itself_hidden
- torch.ones(n, n, dtype=torch.bool).tril()
+ ~torch.eye(n, dtype=torch.bool)
You hide the diagonal and nothing else. A query may look at itself; the keys
*after* it are hidden.
? Which keys may query 1 look at?

triangle_mirrored
- tril()
+ tril().flip(1)
The triangle leans to the wrong side: query 1 sees only the *last* key, query 2
the last two.
? Is there a `flip`, or a count from the right?

triangle_upside_down
- tril()
+ tril().flip(0)
The rows stand in reverse order: query 1 sees every key, and the last query
only key 1.
? Is there a `flip`, or a loop that counts down?

only_one_back
- tril()
+ tril().triu(-1)
Each query sees itself and the key before it, and none that is earlier. The
causal mask has no such limit.
? Which keys may the last query look at?

nothing_may_be_seen
- ones
+ zeros
Your mask is False everywhere. A triangle cut out of zeros is zeros; there has
to be something to cut out.
? What stands in the matrix before the triangle is taken?

one_row_only
- tril()
+ tril()[-1]
or
- tril()
+ tril()[0]
or
- tril()
+ tril()[-1:]
or
- tril()
+ tril()[:1]
Your mask has the shape {shape}, a single row. Each of the n queries has its
own.
? Does `return` stand inside the loop, or is a list overwritten?

an_axis_too_many
- tril()
+ tril()[None]
or
- tril()
+ tril()[None, None]
The values are right, but your mask has the shape {shape}. Asked is (n, n),
which broadcasts to a batch, with heads or without.
? Where is an axis of length 1 added?

one_too_small
- ones(n, n
+ ones(n - 1, n - 1
@ n = 4
Your mask has the shape {shape}; for n = 4 it should be (4, 4). The sentence is
shortened where the decoder's input is made, not here.
? Which number stands between the brackets of your matrix?

one_too_large
- ones(n, n
+ ones(n + 1, n + 1
@ n = 4
Your mask has the shape {shape}; for n = 4 it should be (4, 4).
? Which number stands between the brackets of your matrix?

always_the_same_size
- ones(n, n
+ ones(4, 4
or
- ones(n, n
+ ones(3, 3
or
- ones(n, n
+ ones(5, 5
Your mask has the same size for every n: {shape}.
? Where does n stand in your code?

returned_indices
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.tril_indices(n, n)
or
- tril()
+ tril().nonzero()
You return the indices of the triangle, a list of row and column numbers. A
mask has True or False in every entry.
? What do the rows of your result mean?

returned_counts
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.arange(1, n + 1)
or
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.arange(1, n + 1)[:, None]
You return how many keys each query may see. A mask says which, with True or
False for each of them.
? Compare the number of each query with the number of each key. Which shapes
must the two have, to give a table?

added_mask
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.full((n, n), float("-inf")).triu(1)
or
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.full((n, n), -1e9).triu(1)
Your mask holds 0 and a very low number, to be added to the scores. Here a mask
holds True and False; `scaled_dot_product_attention` does the rest.
? Which `dtype` has a matrix of True and False?

mask_times_infinity
- torch.ones(n, n, dtype=torch.bool).tril()
+ torch.ones(n, n).triu(1) * float("-inf")
Your mask holds nan: 0 times infinity is no number. A mask of True and False is
asked for, without infinity.
? Which `dtype` has a matrix of True and False?

not_boolean
- torch.bool
+ torch.float
@ true or false
The values are right, but they are the numbers 1 and 0. For numbers `~mask`
means something else than *not*, or nothing at all, and `masked_fill` refuses
them.
? What is the `dtype` of `torch.ones(2, 2)`, and which one is wanted?

not_a_tensor
% TypeError: a tensor is wanted
The values are right, but they do not come as a tensor. The scores that are to
be masked are one.
? Of which type is your result, and which function of PyTorch makes such a
table?

size_expected_as_tensor
% AttributeError: 'int' object has no attribute
You treat n as a tensor. It is a plain number: how many tokens the sentence
has.
? With which numbers does `torch.ones` make a square matrix?

triangle_of_a_number
% TypeError: tri[lu]\(\)
You take a triangle of a number. `torch.tril` cuts the triangle out of a
matrix, and there has to be one.
? Which function makes a matrix of n rows and n columns?

not_of_numbers
% TypeError: ~ \(operator.invert\)
`~` turns True into False; your matrix holds the numbers 1 and 0 with decimals.
? With which `dtype` does a matrix hold True and False?

mask_subtracted
% RuntimeError: (Negation|Subtraction), the `-` operator
PyTorch does not compute with True and False: `1 - mask` and `-mask` are
refused.
? Which operator turns True into False? And which triangle needs no turning?
"""

EXERCISE = Exercise(
    name="causal_mask",
    inputs=("n",),
    asked="`causal_mask(n)` returns a mask (n, n): True where query i may look "
    "at key j, which is for j up to i, and False for all later keys.",
    praise="Your mask is right for every length: row i has i times True, and "
    "then False.",
    cases=CASES,
    solve=Reference(causal_mask),
    catalogue=MISTAKES,
    properties=(shape, finite, _row_by_row),
    hints=(
        "Write the mask for n = 3 on paper, True and False, a row for each "
        "query. Row 1 has one True; how many has row 3?",
        "`torch.tril` and `torch.triu` keep one triangle of a matrix, with "
        "the diagonal or without. Or compare the numbers of the queries, as a "
        "column, with those of the keys, as a row.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=lambda args: f"n = {args[2]}; {args[0]}",
    play=play,
    handed_over=("say", "ask", "n"),
)
