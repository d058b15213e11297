"""Part 4 of the reader's own Transformer: which tokens are no padding."""

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
from transformer_lib.course.checks.engine.reading import ARRAY, show
from transformer_lib.course.checks.parts.functions import SAID, play
from transformer_lib.special_tokens import BOS, EOS, PAD

__all__ = ["EXERCISE", "padding_mask"]


def padding_mask(ids):
    """Tell every query which keys are real tokens.

    ids (B, n), each sentence filled up with PAD, give (B, 1, n).
    """
    return (ids != PAD).unsqueeze(1)


def places(ids):
    """0, 1, 2 and so on, one number a column."""
    return torch.arange(ids.shape[1], device=ids.device)


def words(ids):
    """How many tokens of each sentence are no padding, as a column."""
    return (ids != PAD).sum(1, keepdim=True)


def back(ids):
    """True where the key is not later than the query."""
    n = ids.shape[1]
    return torch.ones(n, n, dtype=torch.bool, device=ids.device).tril()


def _case(name, *sentences, ask="output", basic=True):
    return Case(name, (SAID[ask], ask, np.array(sentences)), basic)


CASES = (
    _case("two sentences", [1, 5, 7, 2, 0, 0], [1, 4, 2, 0, 0, 0]),
    _case("nothing filled up", [1, 6, 2], [1, 5, 2]),
    _case("three of three", [5, 2, 0], [4, 0, 0], [6, 7, 2]),
    _case("one sentence", [1, 7, 3, 2, 0]),
    _case("one token", [5]),
    _case("true or false", [1, 7, 2, 0], [1, 2, 0, 0], ask="true or false"),
    _case("padding on the left", [0, 0, 4], [0, 2, 3], basic=False),
    _case("only padding", [5, 3, 0], [0, 0, 0], basic=False),
    _case("other device", [5, 3, 0], [6, 0, 0], ask="other device",
          basic=False),
)  # fmt: skip


def _at_the_tokens(probe: Probe) -> str | None:
    """True at each token and False at each padding."""
    _, ask, ids = probe.args
    got, want = probe.got, probe.want
    if ask != "output" or got.kind != ARRAY:
        return None
    if got.array.shape != want.array.shape:
        return None
    wrong = np.argwhere(got.array != want.array)
    if not len(wrong):
        return None
    row, _, column = (int(i) for i in wrong[0])
    wanted = "False" if ids[row, column] == PAD else "True"
    return (
        f"The first thing that breaks: sentence {row + 1} has the id "
        f"{ids[row, column]} at position {column + 1}, where {wanted} is "
        "wanted."
    )


MISTAKES = r"""
mask_flipped
- !=
+ ==
Your mask is True at the padding and False at the tokens. True means *may be
looked at*, so it belongs to the tokens. (Some modules of PyTorch want it the
other way around; read what each asks for.)
? Print your mask for the first sentence: at which tokens is it True?

bos_taken_for_padding
- != PAD
+ != BOS
You hide the tokens with the id {bos}, which is <bos>. The padding has the id
{pad}.
? Which of the three constants `PAD`, `BOS` and `EOS` fills the sentences up?

eos_taken_for_padding
- != PAD
+ != EOS
You hide the tokens with the id {eos}, which is <eos>. The padding has the id
{pad}.
? Which of the three constants `PAD`, `BOS` and `EOS` fills the sentences up?

eos_hidden
- ids != PAD
+ (ids != PAD) & (ids != EOS)
The padding is hidden, and <eos>, {eos}, as well. The end of a sentence is a
token like any other, and says something.
? Which ids does your comparison let through?

bos_hidden
- ids != PAD
+ ids > BOS
The padding is hidden, and <bos>, {bos}, as well. The beginning of a sentence
is a token like any other.
? Which ids does your comparison let through?

special_tokens_hidden
- ids != PAD
+ ids > EOS
The padding is hidden, and <bos> and <eos> as well. Beginning and end of a
sentence are tokens like any other.
? Which ids does your comparison let through?

returned_ids
- ids != PAD
+ ids
You return the ids themselves, with one axis more. A mask says True or False
for each of them.
? Which comparison gives True for every token and False for the padding?

mask_of_the_first_sentence
- ids != PAD
+ (ids[:1] != PAD).expand_as(ids)
or
- ids != PAD
+ ids[:1] != PAD
or
- (ids != PAD).unsqueeze(1)
+ ids[0] != PAD
The first sentence decides for all of them. Each sentence has its own length,
and needs its own row.
? Is there an index [0]? Which shape has your mask?

first_sentence_only
- ids != PAD
+ torch.cat([ids[:1] != PAD, torch.ones_like(ids[1:], dtype=torch.bool)])
Only the first sentence is masked; in the others the padding counts as a token.
? Is there an index [0] on the left of an assignment, or a `return` inside the
loop?

hidden_wherever_any_is_padded
- ids != PAD
+ (ids != PAD).all(0).expand_as(ids)
or
- ids != PAD
+ (ids != PAD).all(0, keepdim=True)
You hide a position in *all* sentences as soon as one of them has padding
there, so the longer sentences lose words.
? Over which axis do you take `all`, a minimum or a product?

hidden_only_where_all_are_padded
- ids != PAD
+ (ids != PAD).any(0).expand_as(ids)
or
- ids != PAD
+ (ids != PAD).any(0, keepdim=True)
You hide a position only if *all* sentences have padding there, so the shorter
ones keep theirs.
? Over which axis do you take `any`, or the longest length?

only_the_last_place
- ids != PAD
+ places(ids).expand_as(ids) < ids.shape[1] - 1
You hide the last position of each sentence, whatever stands there. How much
padding there is, the ids say.
? Which comparison looks at every id?

counted_one_wrong
- ids != PAD
+ places(ids) <= words(ids)
or
- ids != PAD
+ places(ids) < words(ids) - 1
The number of tokens is off by one: you show one padded position as well, or
hide the last token.
? Is position 3, counted from 0, a token in a sentence of 3 tokens?

first_padding_searched
- ids != PAD
+ places(ids) < (ids == PAD).int().argmax(1, keepdim=True)
@ nothing filled up
A sentence without any padding is hidden as a whole. The position of the first
padding is 0 where there is none, if you ask `argmax`.
? Is the position of the padding needed at all? What does a comparison say at
every position?

no_mask
- ids != PAD
+ torch.ones_like(ids, dtype=torch.bool)
Your mask is True everywhere, so nothing is hidden.
? At which positions of the example should False stand? (`is` and `is not` ask
whether two things are the same object; an entry of a tensor is never the same
object as `PAD`.)

everything_hidden
- ids != PAD
+ torch.zeros_like(ids, dtype=torch.bool)
Your mask is False everywhere, so no token may look at anything.
? At which positions of the example should True stand?

queries_masked
- unsqueeze(1)
+ unsqueeze(2)
Your mask has the shape {shape}: the ids run down the axis of the *queries*.
The padded *keys* are to be hidden from every query; keys are the last axis.
? Where must the axis of length 1 stand, so that n is the last one?

queries_masked_too
- (ids != PAD).unsqueeze(1)
+ (ids != PAD)[:, None] & (ids != PAD)[:, :, None]
Your mask has the shape {shape} and hides the rows of the padded queries as
well. They then have nothing to look at, and with other queries, as in a
decoder, the shape does not fit.
? One new axis is enough. Of which of the two axes does the mask speak, queries
or keys?

or_in_place_of_and
- (ids != PAD).unsqueeze(1)
+ (ids != PAD)[:, None] | (ids != PAD)[:, :, None]
You join two masks with `or`: a real token may then look at everything, the
padding included.
? Is a second mask needed here? The new axis stands for all queries at once.

a_row_for_each_query
- unsqueeze(1)
+ unsqueeze(1).expand(-1, ids.shape[1], -1)
The values are right, but the mask has a row for each query, {shape}. In a
decoder the queries are of another sentence, and there may be more or fewer of
them; an axis of length 1 fits any number.
? What does broadcasting do with an axis of length 1?

sentences_taken_for_queries
- .unsqueeze(1)
+
Your mask has the shape {shape}, and scores have (B, n_q, n_k). Broadcasting
aligns shapes from the right, so sentences would be taken for queries. The mask
needs one axis more.
? Which axis of the scores is missing in your mask, and where does it stand?

axis_in_front
- unsqueeze(1)
+ unsqueeze(0)
Your mask has the shape {shape}: the new axis stands in front. There it lines
up with the sentences of the scores (B, n_q, n_k), and the sentences with the
queries.
? Between which two axes of the ids do the queries stand?

an_axis_for_the_heads
- .unsqueeze(1)
+ [:, None, None]
Your mask has the shape {shape}, one axis too many. (B, 1, n) is asked for; the
axis of the heads is added where the heads are.
? How many axes have scores (B, n_q, n_k)?

turned
- (ids != PAD).unsqueeze(1)
+ (ids != PAD).T.unsqueeze(1)
or
- (ids != PAD).unsqueeze(1)
+ (ids != PAD).unsqueeze(1).permute(2, 1, 0)
Sentences and positions are exchanged: your mask has the shape {shape}. The
ids are (B, n), and the mask is (B, 1, n).
? Look for a transpose.

causal_in_place_of_padding
- (ids != PAD).unsqueeze(1)
+ back(ids)
or
- (ids != PAD).unsqueeze(1)
+ back(ids).expand(len(ids), -1, -1)
You hide the later tokens and not the padding. That is the other mask of this
chapter, and it needs no ids.
? This mask asks each id one question. Which?

causal_too
- unsqueeze(1)
+ unsqueeze(1) & back(ids)
Your mask has the shape {shape}: the padding is hidden, and the later tokens as
well. Here the padding alone is asked for; a decoder joins two masks, an
encoder reads in both directions.
? Is there a triangle in your code?

returned_lengths
- (ids != PAD).unsqueeze(1)
+ words(ids)
or
- (ids != PAD).unsqueeze(1)
+ words(ids)[:, 0]
You return how many tokens each sentence has. A mask says for each position
whether a token stands there.
? Which shape is asked for, and which is yours?

one_answer_for_all
- (ids != PAD).unsqueeze(1)
+ ids is not PAD
A single True came back for the whole table. `is` asks whether two names stand
for the same object, and never looks at the numbers.
? Which operator compares a tensor with a number, entry by entry?

added_mask
- (ids != PAD).unsqueeze(1)
+ torch.where(ids != PAD, 0.0, float("-inf")).unsqueeze(1)
or
- (ids != PAD).unsqueeze(1)
+ torch.where(ids != PAD, 0.0, -1e9).unsqueeze(1)
Your mask holds 0 and a very low number, to be added to the scores. Here a mask
holds True and False; `scaled_dot_product_attention` does the rest.
? What does `ids != ...` give by itself?

mask_times_infinity
- (ids != PAD).unsqueeze(1)
+ ((ids == PAD) * float("-inf")).unsqueeze(1)
Your mask holds nan: 0 times infinity is no number. A mask of True and False is
asked for, without infinity.
? What does `ids != ...` give by itself?

not_boolean
- unsqueeze(1)
+ unsqueeze(1).int()
@ true or false
The values are right, but they are the numbers 1 and 0. For numbers `~mask`
means something else than *not*, or nothing at all, and `masked_fill` refuses
them.
? Of which type is the result of a comparison, and which line changes it?

not_a_tensor
% TypeError: a tensor is wanted
The values are right, but they do not come as a tensor. The scores that are to
be masked are one.
? Of which type is your result? A comparison of a tensor gives a tensor.

one_sentence_expected
% IndexError: Dimension out of range .*got 2
You ask for an axis that the ids do not have. They come as (B, n), a row for
each sentence; axes count from 0.
? Which numbers have the two axes of the ids?

padding_only_on_the_right
- ids != PAD
+ places(ids) < words(ids)
or
- ids != PAD
+ (ids != PAD).cumprod(1).bool()
@ padding on the left
Padding on the right is hidden, but with padding on the left the answer is
wrong. You count tokens, or stop at the first padding.
? Which comparison asks each id by itself, wherever the padding stands?

fixed_to_the_processor
% (\w+): (Tensor on device|Cannot copy|can't convert meta|the result)
Your function works on the processor only. Something that it creates lies
there, and ids of a model on a GPU do not.
? Where do you create a tensor? A comparison of the ids needs none;
`device=ids.device` puts a new one where they are.
"""

EXERCISE = Exercise(
    name="padding_mask",
    inputs=("ids",),
    asked="`padding_mask(ids)` takes ids (B, n), each sentence filled up with "
    "PAD = 0, and returns a mask (B, 1, n): True at the tokens, which may be "
    "looked at, False at the padding.",
    praise="Your mask is right for every length, on both sides, and stays on "
    "the device of the ids. Its axis of length 1 fits any number of queries.",
    cases=CASES,
    solve=Reference(padding_mask),
    catalogue=MISTAKES,
    properties=(shape, finite, _at_the_tokens),
    hints=(
        "Ask each id one question that is answered by True or False. A "
        "comparison of a tensor with a number does that for all at once.",
        "The answers have the shape (B, n), the scores (B, n_q, n_k). "
        "`unsqueeze` gives the mask the axis that is missing; which number "
        "has it?",
    ),
    facts=lambda case, want, got: (
        {"pad": PAD, "bos": BOS, "eos": EOS} | first_difference(want, got)
    ),
    show_inputs=lambda args: f"{show(args[2], 'ids = ')}\n{args[0]}",
    play=play,
    handed_over=("say", "ask", "ids"),
)
