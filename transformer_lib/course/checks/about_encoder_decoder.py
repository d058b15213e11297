"""The exercise `encoder_decoder(...)`: two stacks from finished layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.encoder_decoder_mistakes import MISTAKES
from transformer_lib.course.checks.encoder_decoder_parts import (
    causal,
    learned_layers,
    simple_layers,
)
from transformer_lib.course.checks.encoder_decoder_wiring import assembled
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.reading import apart, show
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "encoder_decoder"]


def encoder_decoder(function: Any) -> Verdict:
    """Check a function that puts an encoder and a decoder together.

    `encoder_decoder(x, y, encoder_layers, decoder_layers, source_mask,
    target_mask)` sends the source x through all encoder layers, each called
    as `layer(x, source_mask)`. Then it sends the target y through all decoder
    layers, each called as `layer(y, memory, target_mask, source_mask)` with
    the output of the last encoder layer as memory.

    Args:
        function: takes x (n, d), y (m, d), two lists of functions, and masks
            of shape (1, n) and (m, m); returns (m, d). Lists and tensors are
            accepted as results.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Vaswani et al., 2017, section 3.1. Chapter 11.
    """
    return judge(EXERCISE, function)


def _random(seed: int, *size: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.integers(-15, 16, size=size) / 10


def _case(
    name: str,
    seed: int,
    sizes: tuple[int, int, int],
    layers: tuple[list, list],
    real: int | None = None,
) -> Case:
    """A case of n source tokens, m target tokens, width d.

    Only the first `real` source tokens are real, the others are padding.
    """
    n, m, d = sizes
    source_mask = np.arange(n)[None] < (n if real is None else real)
    x, y = _random(seed, n, d), _random(seed + 1, m, d)
    return Case(name, (x, y, *layers, source_mask, causal(m)))


_CASES = (
    _case("on paper", 1, (3, 2, 2), simple_layers(2, 2), 2),
    _case("as long", 3, (3, 3, 2), simple_layers(2, 2), 2),
    _case("three layers", 5, (4, 3, 4), learned_layers(6, 3, 3, 4), 3),
    _case("all as long", 7, (4, 4, 3), learned_layers(8, 3, 3, 3), 3),
    _case("one layer", 9, (3, 2, 3), learned_layers(10, 1, 1, 3)),
    _case("a short encoder", 11, (5, 3, 3), learned_layers(12, 2, 3, 3), 4),
    _case("a short decoder", 13, (4, 5, 3), learned_layers(14, 3, 2, 3), 3),
    _case("one token", 15, (1, 1, 3), learned_layers(16, 2, 2, 3)),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Numbers for the messages: the first wrong entry."""
    n, m = len(case.args[0]), len(case.args[1])
    facts = {"n": str(n), "m": str(m)}
    if got.shape != want.shape:
        return facts
    wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
    if not len(wrong):
        return facts
    place = tuple(int(i) for i in wrong[0])
    came, wanted = apart(got[place], want[place])
    return facts | {"came": came, "wanted": wanted}


def _show(args: tuple) -> str:
    x, y, encoder_layers, decoder_layers, source_mask, target_mask = args
    lines = [show(x, "x = "), show(y, "y = ")]
    for name, layers in (
        ("encoder_layers", encoder_layers),
        ("decoder_layers", decoder_layers),
    ):
        words = "; ".join(layer.words for layer in layers)
        lines.append(f"{name}: {words}")
    lines.append(f"source_mask = {source_mask.astype(int).tolist()}")
    lines.append(f"target_mask = {target_mask.astype(int).tolist()}")
    return "\n".join(lines)


EXERCISE = Exercise(
    name="encoder_decoder",
    inputs=(
        "x",
        "y",
        "encoder_layers",
        "decoder_layers",
        "source_mask",
        "target_mask",
    ),
    asked="`encoder_decoder(x, y, encoder_layers, decoder_layers, "
    "source_mask, target_mask)` returns what the last decoder layer makes. "
    "An encoder layer is called as `layer(x, source_mask)`, a decoder layer "
    "as `layer(y, memory, target_mask, source_mask)`.",
    praise="All layers run, in order, each decoder layer reads what the last "
    "encoder layer made, and every mask is where it belongs, also where the "
    "two stacks or the two sentences are not of the same size.",
    cases=_CASES,
    solve=assembled,
    catalogue=MISTAKES,
    properties=(shape, finite),
    hints=(
        "Two loops, one after the other. The first is over the encoder "
        "layers and gives x new values. What do you call x when the first "
        "loop is over?",
        "When the first loop is over, x is the memory. The second loop gives "
        "y new values and never changes the memory; every decoder layer gets "
        "the same one. Each mask goes with the sentence that is looked at.",
    ),
    facts=_facts,
    show_inputs=_show,
)
