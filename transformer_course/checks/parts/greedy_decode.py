"""Part 10 of the reader's own Transformer: from scores to sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.guard import (
    call_by_position_or_name,
)
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.parts.elsewhere import THERE, call_elsewhere
from transformer_course.checks.parts.padding_mask import padding_mask
from transformer_course.checks.parts.scripted import Scripted

__all__ = ["EXERCISE", "greedy_decode"]

PAD, BOS, EOS = 0, 1, 2


def greedy_decode(model, source, max_length):
    """Write the likeliest token, again and again, until all write <eos>.

    source (B, n), returned (B, L), L <= max_length: ids without <bos>, with
    <eos>, and <pad> after it.
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
            return call_elsewhere(
                lambda *there: call_by_position_or_name(
                    function, (model.to(THERE), *there), INPUTS
                ),
                *args[1:],
            )
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
                "than <pad> stands after <eos>."
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


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    rows = [draw.integers(3, 11, size=n).tolist() for n in (3, 5, 2)]
    return _case("one more", rows, 7)


EXERCISE = Exercise(
    name="greedy_decode",
    inputs=INPUTS,
    asked="`greedy_decode(model, source, max_length)` encodes the source once "
    "with its padding mask and lets the decoder write for each sentence the "
    "likeliest next token, again and again, beginning after <bos> (1). "
    "Returned are the ids written, (B, L): without <bos>, with <eos> (2), "
    "<pad> (0) after it. It ends when all sentences have <eos>, or after "
    "max_length tokens. It runs in eval() mode without gradients, and the "
    "model leaves in the mode in which it came.",
    praise="Your tokens agree with the reference for one sentence and for "
    "several, for sentences that end early, late, at once and not at all, "
    "and the model is as it was before.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(greedy_decode),
    properties=(shape, finite, _whole, _once, _alone),
    hints=(
        "Four things a step: ask the decoder with the whole prefix, take the "
        "logits at the last position, find the best token of each row, "
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
