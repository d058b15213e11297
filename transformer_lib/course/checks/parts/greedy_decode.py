"""Part 10 of the reader's own Transformer: from scores to sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.parts.elsewhere import Elsewhere, lies_here
from transformer_lib.course.checks.parts.padding_mask import padding_mask
from transformer_lib.course.checks.parts.scripted import Scripted

__all__ = ["EXERCISE", "greedy_decode"]

PAD, BOS, EOS = 0, 1, 2


def greedy_decode(model, source, max_length):
    """Write the likeliest token, again and again, until all write <eos>.

    source (B, n), returned (B, L), L <= max_length: ids without <bos>, with
    <eos>, and <pad> behind it.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(source)
        memory = model.encode(source, mask)
        target = source.new_full((len(source), 1), BOS)
        done = source.new_zeros(len(source), dtype=torch.bool)
        for _ in range(max_length):
            logits = model.decode(target, memory, mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(done, PAD)
            target = torch.cat([target, token.unsqueeze(1)], dim=1)
            done = done | (token == EOS)
            if done.all():
                break
    model.train(was_training)
    return target[:, 1:]


# ------------------------------------------------------------ what is asked

INPUTS = ("model", "source", "max_length")
SAID = {
    "ids": "asked are the ids",
    "afterwards": "asked is what holds afterwards, 1 or 0: the model is in "
    "train(); its weights can be trained; gradients are recorded",
    "gradients": "asked is 1 if gradients are recorded while it runs",
    "other device": "asked are the ids, with the source on another device "
    "than the processor",
}


def play(
    function: Callable,
    say: str,
    ask: str,
    source: np.ndarray,
    max_length: int,
    training: bool,
) -> Any:
    """Let a search translate with a model by a fixed rule.

    Args:
        function: the search.
        say: what is done, in words, for the example of a verdict.
        ask: a key of `SAID`.
        source: ids (B, n).
        max_length: the most tokens of a sentence.
        training: whether the model comes in training mode.

    Returns:
        Numbers, as `SAID` has them.

    Raises:
        RuntimeError: the ids lie on another device than the source.
    """
    model = Scripted().train(training)
    args = (model, torch.from_numpy(source), max_length)
    with torch.enable_grad():  # and as it was before, whatever happens inside
        if ask == "other device":
            with Elsewhere():
                ids = call_by_position_or_name(function, args, INPUTS)
            if lies_here(ids):
                raise RuntimeError("the result lies on the processor")
            return ids
        ids = call_by_position_or_name(function, args, INPUTS)
        if ask == "afterwards":
            trained = model.weight.requires_grad
            after = (model.training, trained, torch.is_grad_enabled())
            return [float(holds) for holds in after]
        return float(model.recorded > 0) if ask == "gradients" else ids


def _case(name: str, rows: list, max_length: int, *, ask="ids",
          training=False, basic=True) -> Case:  # fmt: skip
    width = max(map(len, rows))
    source = np.array([row + [PAD] * (width - len(row)) for row in rows])
    mode = "train()" if training else "eval()"
    say = (
        f"source = {source.tolist()}, max_length = {max_length}; the model is "
        "one of the check's own, a fixed rule on the source and the whole "
        f"prefix, and comes in {mode}; {SAID[ask]}"
    )
    return Case(name, (say, ask, source, max_length, training), basic)


_THREE = [[4, 5], [6, 7, 8, 9, 5], [8, 3, 4]]
_TWO = [[5, 7, 4], [6, 3]]
CASES = (
    _case("one sentence", [[5, 7, 4]], 5),
    _case("three lengths", _THREE, 7),
    _case("long first", [[6, 9, 4, 10], [4, 8], [7, 5, 3, 9]], 6),
    _case("cut", [[4, 5], [6, 7, 8, 9, 10], [8, 3, 7]], 3),
    _case("all cut", [[4, 5, 9, 9, 7], [9, 7, 8, 9, 4]], 2),
    _case("<eos> at once", [[9]], 5),
    _case("in training mode", _THREE, 6, training=True, basic=False),
    _case("after training", _TWO, 4, ask="afterwards", training=True,
          basic=False),
    _case("after an evaluation", _TWO, 4, ask="afterwards", basic=False),
    _case("gradients", _TWO, 4, ask="gradients", basic=False),
    _case("other device", _TWO, 4, ask="other device", basic=False),
)  # fmt: skip

# --------------------------------------------------------- what goes wrong

MISTAKES = r"""
no_stop_at_eos
- .masked_fill(done, PAD)
+
- if done.all():
+ if False:
or
- .masked_fill(done, PAD)
+
@ three lengths
A sentence that has written <eos> keeps talking: row {row} of your result goes
on with real tokens. What stands behind <eos> is <pad>, whatever the model says.
? Keep one mark for each sentence: has it written <eos> yet? What should marked
rows get instead of the best token?

nobody_is_marked
- .masked_fill(done, PAD)
+
- done = done | (token == EOS)
+ done = token == EOS
@ three lengths
No sentence is marked as over. Row {row} of your result goes on with real tokens
behind its <eos>, and the loop ends only if all sentences write <eos> in the
same step.
? Keep one mark for each sentence: has it written <eos> yet? It is never taken
back, and what is written to a marked row is <pad>.

stops_for_one_step_only
- .masked_fill(done, PAD)
+ .masked_fill(target[:, -1] == EOS, PAD)
@ three lengths
After <eos> comes one <pad>, and then the sentence wakes up again. Whether a
sentence is over cannot be seen from its newest token: once over, always over.
? Is the mark of a sentence ever taken back?

one_token_after_eos
- .masked_fill(done, PAD)
+ .masked_fill((target[:, :-1] == EOS).any(dim=1), PAD)
@ three lengths
One token too many stands behind <eos>: the mark is set one step too late. The
token that is <eos> ends its sentence in this very step.
? Do you look at the new token itself before the next round begins, or at what
was written before it?

filled_with_eos
- .masked_fill(done, PAD)
+ .masked_fill(done, EOS)
@ three lengths
You fill up with <eos> where <pad> belongs. Each sentence has one <eos>, and who
counts them counts sentences.
? Which of the three ids stands for nothing at all?

filled_with_bos
- .masked_fill(done, PAD)
+ .masked_fill(done, BOS)
@ three lengths
You fill up with <bos>. What stands behind <eos> is <pad>.
? Which of the three ids stands for nothing at all?

stops_when_one_is_done
- done.all()
+ done.any()
@ three lengths
The loop ends as soon as *one* sentence has written <eos>, and the others are
cut off. It may end when all have.
? What is the difference between `any` and `all`?

stops_with_the_first_sentence
- done.all()
+ done[0]
@ long first
The loop ends when the first sentence is over. The others may be longer.
? How many sentences does your condition look at?

stops_with_the_last_sentence
- done.all()
+ done[-1]
@ three lengths
The loop ends when the last sentence of the batch is over. The others may be
longer.
? How many sentences does your condition look at?

waits_for_all_at_once
- done.all()
+ (token == EOS).all()
@ three lengths
The loop ends only if all sentences write <eos> in the same step. They end at
different times: ask whether each *has* written it, not whether each is writing
it now.
? Does your condition look at the newest tokens or at the marks?

one_round_too_many
- done.all()
+ (target[:, :-1] == EOS).any(dim=1).all()
@ three lengths
When all sentences are over, the loop runs once more and adds a column of
padding: {columns} columns came. It should end in the step that writes the last
<eos>.
? Is the end tested before or after the new marks are set?

left_before_storing
- target = torch.cat(
+ if (done | (token == EOS)).all():
+             break
+         target = torch.cat(
@ three lengths
The loop is left before its last tokens are stored, so the longest sentence
lacks its <eos>. A search that max_length ends is not cut.
? In which order come `break` and the line that joins the new token?

pad_for_those_still_writing
- .masked_fill(done, PAD)
+ .masked_fill(~done, PAD)
@ three lengths
Sentences that are still writing get <pad>, as if the two cases were exchanged.
<pad> is for those that have written <eos>.
? Of the two things you choose between, which one goes where the mark is True?

max_len_ignored
- range(max_length)
+ range(max_length + 20)
or
- range(max_length)
+ range(source.shape[1])
@ cut
max_length has no effect: here it is {max_length}, and {columns} columns came.
Without this rule a model that never says <eos> keeps the loop running for ever.
? Search your code for max_length.

never_stops_early
- if done.all():
+ if False:
@ three lengths
The tokens are right, but the result always has max_length columns, the rest
padding: {columns} came. The loop should end when every sentence has written
<eos>; each further round is work for nothing.
? Which condition could leave the loop, and when is it true?

added_not_joined
- target = torch.cat([target, token.unsqueeze(1)], dim=1)
+ target += token.unsqueeze(1)
or
- target = torch.cat([target, token.unsqueeze(1)], dim=1)
+ target = target + token.unsqueeze(1)
The ids of the new tokens are added to those of the prefix, number by number, so
the prefix never grows: without <bos>, no column is left. The new tokens are one
more column.
? Which function of PyTorch puts two tensors side by side?

one_round_only
- if done.all():
-             break
+ return target[:, 1:]
or
- if done.all():
-             break
+ model.train(was_training)
+         return target[:, 1:]
or
- if done.all():
-             break
+ break
The loop runs only once, whatever max_length says: one column came. A `return`
or a `break` that stands inside the loop, and under no `if`, ends it in the
first round.
? How far are the lines below your loop indented?

one_token_too_few
- range(max_length)
+ range(max_length - 1)
@ cut
A sentence that reaches the limit is cut one token too early: max_length =
{max_length} tokens may be written, <eos> counted and <bos> not.
? How often does the loop run, and how many tokens does it add?

one_token_too_many
- range(max_length)
+ range(max_length + 1)
@ cut
A sentence that reaches the limit gets one token too many: max_length =
{max_length} tokens may be written, <bos> not counted.
? How often does the loop run, and how many tokens does it add?

only_the_newest_token
- model.decode(target,
+ model.decode(target[:, -1:],
or
- model.decode(target,
+ model.decode(target[:, -2:],
The decoder gets only the newest tokens. It has no memory of its own: without a
cache it must be given the whole prefix in each step, and one token alone looks
to it like the first of a sentence.
? Print the shape of the target that you hand to `decode`. It has to grow by one
column a step.

bos_lost
- model.decode(target,
+ model.decode(target[:, 1:] if target.shape[1] > 1 else target,
From the second step on the prefix comes without <bos>. In training every target
began with it, and so it must here.
? Print the target that you hand to `decode`: what stands in column 0?

prefix_reversed
- model.decode(target,
+ model.decode(target.flip(1),
or
- torch.cat([target, token.unsqueeze(1)], dim=1)
+ torch.cat([token.unsqueeze(1), target], dim=1)
or
- torch.cat([target, token.unsqueeze(1)], dim=1)
+ torch.cat([token.unsqueeze(1), target], dim=1)
- return target[:, 1:]
+ return target[:, :-1]
The new token is put in front of the prefix, so the model reads the sentence
backward. It belongs at the end.
? On which side do you join?

one_source_for_all
- model.decode(target, memory, mask)
+ model.decode(target, memory[:1].expand_as(memory), mask[:1].expand_as(mask))
or
- model.decode(target, memory, mask)
+ model.decode(target, memory[:1].expand_as(memory), mask)
or
- logits.argmax(dim=-1)
+ logits[:1].argmax(dim=-1).repeat(len(source))
@ three lengths
All rows get the tokens of the first sentence: its source, or its row of logits,
is used for all of them.
? How many rows of the memory does the decoder get, and of how many rows do you
look for the best token?

starts_with_eos
- 1), BOS)
+ 1), EOS)
The prefix starts with <eos>. Some toolkits do that, but it must be the symbol
with which training began, and here that is <bos>.
? What stands in column 0 of the target?

starts_with_pad
- 1), BOS)
+ 1), PAD)
The prefix starts with <pad>; in training it began with <bos>. A tensor of zeros
is often the reason.
? What stands in column 0 of the target?

starts_with_the_source
- source.new_full((len(source), 1), BOS)
+ source[:, :1]
The prefix starts with the first id of each source. It starts with <bos>, as it
did in training.
? What stands in column 0 of the target?

scores_of_the_first_position
- [:, -1]
+ [:, 0]
or
- model.decode(target,
+ model.decode(target[:, :1],
The answer is the same in every step: you read the logits behind <bos>, the
first position, or pass <bos> alone. What comes next stands behind the last
token of the prefix.
? Does your loop join the new token to the prefix? And which position of the
logits speaks about the next token?

scores_one_position_early
- [:, -1]
+ [:, max(target.shape[1] - 2, 0)]
% IndexError: index -2 is out of bounds
You read the logits one position too early, so each token is predicted again.
The last position speaks about what comes next.
? Count positions from the end.

scores_of_all_positions
- [:, -1]
+ .sum(dim=1)
or
- [:, -1]
+ .amax(dim=1)
You mix the logits of all positions. Only the last one speaks about the next
token.
? The logits are (B, T, V). Which of the T rows is wanted?

worst_token
- argmax(
+ argmin(
You take the token with the *lowest* logit.
? Perhaps a sort that starts at the other end?

second_best_token
- logits.argmax(dim=-1)
+ logits.topk(2).indices[:, 1]
You take the second best token. Greedy takes the best one.
? Which place of the sorted logits do you read, counted from 0?

one_token_for_all_rows
- logits.argmax(dim=-1)
+ logits.sum(dim=0).argmax().repeat(len(source))
or
- logits.argmax(dim=-1)
+ (logits.argmax() % logits.shape[-1]).repeat(len(source))
@ three lengths
All sentences get the same token. Each row of logits has a best token of its
own.
? Along which axis do you look for the largest logit? The last one is the
vocabulary.

softmax_over_the_batch
- logits.argmax(dim=-1)
+ logits.softmax(dim=0).argmax(dim=-1)
@ three lengths
You take a softmax over the sentences before you look for the best token, so the
sentences change each other. No softmax is needed: it does not change which
token of a row is the best.
? What does your result say if the batch holds one sentence alone?

bos_in_the_result
- return target[:, 1:]
+ return target
or
- return target[:, 1:]
+ return target[:, :-1]
Your rows begin with <bos>. The task asks for what was written, and <bos> was
given.
? Which column of the target did the model not write?

eos_missing
- return target[:, 1:]
+ return target[:, 1:].masked_fill(target[:, 1:] == EOS, PAD)
or
- token.unsqueeze(1)]
+ token.masked_fill(token == EOS, PAD).unsqueeze(1)]
You erase <eos>. It belongs to what was written: without it nobody can tell a
sentence that ended from one that was cut.
? Is <eos> replaced before or after it is stored?

last_column_cut
- return target[:, 1:]
+ return target[:, 1:-1]
You cut off the last column, as if <eos> stood there. It does so only in the
longest row, and a row that reached max_length has none.
? Does anything have to be cut at the end?

eos_forced
- return target[:, 1:]
+ return with_eos(target[:, 1:], done)
@ cut
You write <eos> at the end of a sentence that max_length has cut. Only the model
says <eos>: a cut sentence can be told from one that ended by that.
? What should the last column hold for a sentence that is not over?

only_the_last_tokens
- return target[:, 1:]
+ return target[:, -1:]
You return the tokens of the last step alone.
? Which variable holds all that was written?

only_the_first_sentence
- return target[:, 1:]
+ return target[0, 1:]
or
- return target[:, 1:]
+ return target[:1, 1:]
@ three lengths
You return the first sentence alone; the batch has more, and the result needs a
row for each.
? Look for an index 0 in the last line.

rows_and_columns_exchanged
- return target[:, 1:]
+ return target[:, 1:].T
@ three lengths
Rows and columns are exchanged: one row for each sentence is wanted, one column
for each step.
? When you stack the tokens of each step, along which axis do they lie?

returned_lengths
- return target[:, 1:]
+ return (target[:, 1:] != PAD).sum(dim=1)
You return how long each sentence is. The task asks for the tokens.
? Which variable holds all that was written?

mask_missing
- encode(source, mask)
+ encode(source, None)
- (target, memory, mask)
+ (target, memory, None)
or
- padding_mask(source)
+ torch.ones_like(padding_mask(source))
@ three lengths
Neither the encoder nor the decoder gets a mask, or one that hides nothing: the
padding of the short sentences is read like words.
? Which mask did `forward` of your Transformer make in training?

mask_missing_in_decode
- (target, memory, mask)
+ (target, memory, None)
% TypeError: .*missing 1 required positional argument: 'memory_mask'
@ three lengths
The decoder gets no mask, so its cross-attention looks at the padding of the
source, too. It needs the same mask as the encoder.
? What does `decode` of your Transformer take besides the target and the memory?

mask_missing_in_encode
- encode(source, mask)
+ encode(source, None)
% TypeError: .*encode\(\) missing 1 required positional argument: 'mask'
@ three lengths
The encoder gets no mask, so the words of a short sentence look at its padding.
? What does `encode` of your Transformer take besides the source?

mask_reversed
- padding_mask(source)
+ ~padding_mask(source)
Your mask is reversed: it shows the padding and hides the words. True means that
a place may be looked at.
? What stands in the mask where the source has a word?

eval_forgotten
- model.eval()
+
or
- model.eval()
+
- model.train(was_training)
+
@ in training mode
With a model that comes in eval() mode all is right. In training mode your
search runs with dropout, so the tokens are those of a damaged model.
? Which call switches dropout off, and when does it have to come?

encoded_in_training_mode
- model.eval()
+
- target = source.new_full(
+ model.eval()
+     target = source.new_full(
@ in training mode
The decoder runs in eval() mode, but the encoder has run before that, with
dropout.
? Which of your lines calls the model for the first time?

mode_not_put_back
- model.train(was_training)
+
or
- model.train(was_training)
+ model.eval()
@ after training
The ids are right, but a model that comes in training mode leaves in eval(): the
training that goes on afterwards would run without dropout.
? What did `model.training` say when your function began, and what in the end?

always_trains_afterwards
- model.train(was_training)
+ model.train()
@ after an evaluation
The ids are right, but a model that comes in eval() mode leaves in training
mode: whoever evaluates next has dropout in the results.
? What did `model.training` say when your function began, and what in the end?

gradients_recorded
- with torch.no_grad():
+ if True:
@ gradients
The ids are right, but PyTorch records each step for a `backward` that never
comes: that costs memory and time, the more the longer the sentence is.
? Which block, or line above `def`, says that no gradients are needed?

weights_frozen
- model.eval()
+ model.eval()
+ model.requires_grad_(False)
or
- with torch.no_grad():
+ model.requires_grad_(False)
+ if True:
@ after training
The ids are right, but afterwards the weights of the model can no longer be
trained: their `requires_grad` is switched off for good. Gradients have to be
off while your function runs, and not longer.
? What is the difference between `requires_grad_(False)` and a `with` block?

gradients_stay_off
- with torch.no_grad():
+ torch.set_grad_enabled(False)
+ if True:
@ after training
The ids are right, but gradients are switched off for the whole program, and
nobody switches them on again: the next `backward` would fail.
? Where does the effect of your `set_grad_enabled(False)` end?

memory_and_target_exchanged
% RuntimeError: Expected tensor for argument #1 'indices'.*DoubleTensor
The decoder gets the memory in the place of the ids. It is `decode(target,
memory, memory_mask)`, the target first.
? Read the first line of your Transformer's `decode`.

ids_with_decimals
% RuntimeError: Expected tensor for argument #1 'indices'.*FloatTensor
The target holds numbers with decimals, as `torch.ones` and `torch.zeros` make
them. Ids are whole numbers.
? Print the dtype of the target before the first step.

source_in_place_of_memory
% RuntimeError: memory of shape
The decoder gets something in the place of the memory that `encode` did not
return, such as the source itself, which is made of ids.
? What does `encode` return, and where do you use it?

mask_of_another_shape
% RuntimeError: mask of shape
The mask that you pass has another shape than (B, 1, n), with n the length
of the source. `padding_mask(source)` has this shape; the causal mask of the
target is made inside `decode`.
? Print the shape of your mask, and that of the source.

mask_of_numbers
% TypeError: mask of torch\.\w+; True and False
Your mask is made of numbers. All masks of this Transformer are made of True and
False, True where a place may be looked at.
? Print the dtype of your mask.

on_the_processor
! other device
On the processor everything is right. On a GPU it stops: a tensor that your
function makes lies on the processor, and the source does not.
? Which lines of your function create a tensor, and which of them say on which
device?
"""


def with_eos(written, done):
    """Put <eos> into the last column of sentences that are not over."""
    last = written[:, -1:].masked_fill(~done.unsqueeze(1), EOS)
    return torch.cat([written[:, :-1], last], dim=1)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages."""
    facts = {"max_length": case.args[3], "row": 0}
    facts["columns"] = got.shape[1] if got.ndim == 2 else "other"
    if got.ndim == want.ndim == 2 and len(got) == len(want):
        width = min(got.shape[1], want.shape[1])
        wrong = np.argwhere(got[:, :width] != want[:, :width])
        if len(wrong):
            facts["row"] = int(wrong[0][0])
        else:
            longer = (got[:, width:] != PAD).any(axis=1)
            facts["row"] = int(longer.argmax())
    return facts


def _whole(probe: Probe) -> str | None:
    """Ids are whole numbers."""
    if probe.got.kind != ARRAY or probe.got.whole:
        return None
    return (
        "The first thing that breaks: ids are whole numbers, and yours are "
        "not. Did you return logits?"
    )


def _once(probe: Probe) -> str | None:
    """Behind <eos> there is only <pad>."""
    if probe.got.kind != ARRAY or probe.got.array.ndim != 2:
        return None
    for i, row in enumerate(probe.got.array.tolist()):
        behind = row[row.index(EOS) + 1 :] if EOS in row else []
        if any(token != PAD for token in behind):
            return (
                f"The first thing that breaks: in row {i} something other "
                "than <pad> stands behind <eos>."
            )
    return None


def _alone(probe: Probe) -> str | None:
    """A sentence gets the same tokens in a batch and by itself."""
    say, ask, source, *more = probe.args
    got, want = probe.got, probe.want
    if ask != "ids" or got.kind != ARRAY or got.array.shape != want.array.shape:
        return None
    for i, row in enumerate(source):
        one = probe.call((say, ask, row[None], *more))
        if one.kind != ARRAY or one.array.ndim != 2 or not len(one.array):
            return None
        pair = [
            [number(token) for token in ids if token != PAD]
            for ids in (got.array[i], one.array[0])
        ]
        if pair[0] != pair[1]:
            return (
                f"The first thing that breaks: by itself sentence {i} becomes "
                f"{', '.join(pair[1])}, and in the batch {', '.join(pair[0])}."
            )
    return None


torch.tensor(0)  # the first tensor is slow; do not let an answer wait

EXERCISE = Exercise(
    name="greedy_decode",
    inputs=INPUTS,
    asked="`greedy_decode(model, source, max_length)` encodes the source once "
    "with its padding mask and lets the decoder write for each sentence the "
    "likeliest next token, again and again, beginning after <bos> (1). "
    "Returned are the ids written, (B, L): without <bos>, with <eos> (2), "
    "<pad> (0) behind it. It ends when all sentences have <eos>, or after "
    "max_length tokens. It runs in eval() mode without gradients, and the "
    "model leaves in the mode in which it came.",
    praise="Your tokens agree with the reference for one sentence and for "
    "several, for sentences that end early, late, at once and not at all, "
    "and the model is as it was before.",
    cases=CASES,
    solve=Reference(greedy_decode),
    catalogue=MISTAKES,
    properties=(shape, finite, _whole, _once, _alone),
    hints=(
        "Four things a step: ask the decoder with the whole prefix, take the "
        "logits behind the last position, find the best token of each row, "
        "join it to the prefix.",
        "A mark for each sentence says whether it has written <eos>. Before "
        "joining, the new tokens of marked sentences become <pad>; after it, "
        "new marks are set; if all are set, the loop ends. The column with "
        "<bos> is left out of the result.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    handed_over=("say", "ask", "source", "max_length", "training"),
)
