"""Part 4 of the reader's own Transformer: which tokens are no padding."""

from __future__ import annotations

import numpy as np
import torch

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import (
    Probe,
    finite,
    shape,
)
from transformer_course.checks.engine.reading import ARRAY, show
from transformer_course.checks.parts.functions import SAID, play
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


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    ids = draw.integers(4, 30, size=(3, 7))
    ids[np.arange(7) >= draw.integers(1, 8, size=(3, 1))] = PAD
    return _case("one more", *ids.tolist())


EXERCISE = Exercise(
    name="padding_mask",
    inputs=("ids",),
    asked="`padding_mask(ids)` takes ids (B, n), each sentence filled up with "
    "PAD = 0, and returns a mask (B, 1, n): True at the tokens, which may be "
    "looked at, False at the padding.",
    praise="Your mask is right for every length, on both sides, and stays on "
    "the device of the ids. Its axis of length 1 fits any number of queries.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(padding_mask),
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
