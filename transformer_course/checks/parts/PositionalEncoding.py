"""Part 5 of the reader's own Transformer: `class PositionalEncoding`."""

from __future__ import annotations

import math  # noqa: F401  (some of the mistakes below need it)
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: F401  (as above)

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.properties import Probe, finite, shape
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.parts.drive import (
    SAID,
    play_module,
)
from transformer_course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "PositionalEncoding"]


class PositionalEncoding(nn.Module):
    """Add sines and cosines of its position to each token.

    pe: (max_length, d_model), a buffer that is not in the state_dict.
    """

    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_length).unsqueeze(1)
        pair = torch.arange(0, d_model, 2)
        angle = position / 10000 ** (pair / d_model)
        pe = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
        self.register_buffer("pe", pe, persistent=False)

    def forward(self, x):
        """Return dropout(x + positions) for x of shape (B, n, d_model)."""
        return self.dropout(x + self.pe[: x.shape[1]])


def play(make: Callable, say: str, ask: str, sizes: tuple, x: Any) -> Any:
    """Make a module, and answer one question about it.

    Args:
        make: the class.
        say: what is done, in words.
        ask: a key of `_OWN`, or a question of `drive.ASKED`.
        sizes: the inputs of the constructor.
        x: the tokens, an array.

    Returns:
        Numbers.
    """
    if ask not in _OWN:
        return play_module(make, say, ask, sizes, {}, x)
    torch.manual_seed(0)
    module = make(*sizes)
    x = torch.tensor(x, dtype=torch.float32)
    result = module(x.clone())
    if result is None or result is Ellipsis:
        return result
    return _OWN[ask](module, x, sizes)


def _kept(module: nn.Module, x: torch.Tensor, sizes: tuple) -> Any:
    """Entries of the state_dict, and of the parameters."""
    return [len(module.state_dict()), len(list(module.parameters()))]


def _dropped(module: nn.Module, x: torch.Tensor, sizes: tuple) -> Any:
    """What train() makes of the entries, as rounded shares."""
    rate = sizes[2] if len(sizes) > 2 else 0.1
    whole = module.eval()(x.clone()).float()
    after = module.train()(x.clone()).float()
    kinds = (0 * x, whole / (1 - rate), whole, whole - x, x)
    return [
        round(float(torch.isclose(after, kind, atol=1e-4).float().mean()), 1)
        for kind in kinds
    ]


def _long(module: nn.Module, x: torch.Tensor, sizes: tuple) -> Any:
    return list(module(x).shape)


def _shape(module: nn.Module, x: torch.Tensor, sizes: tuple) -> Any:
    """The shape of the table, (0,) where there is none."""
    pe = getattr(module, "pe", None)
    return list(pe.shape) if torch.is_tensor(pe) else [0]


_OWN = {"kept": _kept, "dropped": _dropped, "long": _long, "table": _shape}
_SAYS = SAID | {
    "kept": "how many entries its state_dict has, and how many parameters",
    "dropped": "the shares of the results in train() that are 0, (x + pe) / "
    "(1 - p), x + pe, pe, and x",
    "long": "the shape of the result",
    "table": "the shape of the table `pe`",
}


def _case(name: str, x, *sizes, ask: str = "output", basic=True) -> Case:
    """A case; sizes are what follows d_model, and x is an array or a shape."""
    zeros = isinstance(x, tuple)
    x = np.zeros(x) if zeros else x
    sizes = (x.shape[-1], *sizes)
    what = "zeros" if zeros else "numbers"
    say = (
        f"m = PositionalEncoding({', '.join(map(str, sizes))}); x: {what} of "
        f"shape {x.shape}; {_SAYS[ask]}"
    )
    return Case(name, (say, ask, sizes, x), basic)


def _refined(name: str, *sizes, x=None, ask: str = "") -> Case:
    x = _TOKENS if x is None else x
    return _case(name, x, *sizes, ask=ask or name, basic=False)


_TOKENS = np.random.default_rng(1).integers(-15, 16, size=(2, 3, 4)) / 10
_MANY = np.full((1, 50, 40), 3.0)
CASES = (
    _case("kept", _TOKENS, 6, ask="kept"),
    _case("book", (1, 4, 4), 6, 0.0),
    _case("wide", (1, 5, 8), 9, 0.0),
    _case("one pair", (1, 3, 2), 5, 0.0),
    _case("long", (1, 12, 16), 20, 0.0),
    _case("uneven", (1, 7, 6), 8, 0.0),
    _case("one position", (1, 1, 6), 4, 0.0),
    _case("as long as wide", (1, 3, 4), 4, 0.0),
    _case("sentences", _TOKENS, 6, 0.0),
    _case("as many as tokens", np.concatenate([_TOKENS, -_TOKENS[:1]]), 7, 0.0),
    _refined("full", 3, 0.0, ask="output"),
    _refined("evaluation", ask="output"),
    _refined("dropped", 60, 0.3, x=_MANY),
    _refined("dropped by default", x=_MANY, ask="dropped"),
    _refined("512 tokens", x=(1, 512, 4), ask="long"),
    _refined("table", 6),
    _refined("gradients", 6, 0.0),
    _refined("float32", 6),
    _refined("float64", 6),
    _refined("digits", 6),
    _refined("other device", 6),
    _refined("inputs stay", 6),
    _refined("twice", 6),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    if case.name == "table":
        shapes = (tuple(map(int, array)) for array in (got, want))
        return dict(zip(("came", "wanted"), map(str, shapes), strict=True))
    facts = first_difference(want, got)
    if "came" in facts and got.ndim > 1:
        wrong = np.argwhere(~np.isclose(got, want, rtol=1e-5, atol=1e-6))
        facts["column"] = int(wrong[0][-1])
    return facts


def _keeps_nothing(probe: Probe) -> str | None:
    """Positions are computed: nothing to store, nothing to train."""
    if probe.args[1] != "kept" or probe.got.kind != ARRAY:
        return None
    if not probe.got.array.any():
        return None
    return (
        f"Parameters of your module: {number(probe.got.array[1])}; entries in "
        f"its state_dict: {number(probe.got.array[0])}. The "
        "positions of this chapter are computed, so there is nothing to "
        "train and nothing to store."
    )


def _table(probe: Probe) -> np.ndarray | None:
    """What was added to the first sentence."""
    _, ask, _, x = probe.args
    if ask != "output" or probe.got.kind != ARRAY:
        return None
    got = probe.got.array
    return (got - x)[0] if got.shape == x.shape else None


def _first_row(probe: Probe) -> str | None:
    """Position 0: every angle is 0."""
    table = _table(probe)
    for column, entry in enumerate([] if table is None else table[0]):
        if not np.isclose(entry, column % 2, atol=1e-4):
            return (
                "The first thing that breaks: at position 0 all angles are "
                "0, so 0, 1, 0, 1, ... is added to the first token. Yours "
                f"adds {number(entry)} in column {column}."
            )
    return None


def _on_circles(probe: Probe) -> str | None:
    """Sine and cosine of one angle: the squares sum to 1."""
    table = _table(probe)
    if table is None:
        return None
    squares = table[:, 0::2] ** 2 + table[:, 1::2] ** 2
    wrong = np.argwhere(~np.isclose(squares, 1, atol=1e-3))
    if not len(wrong):
        return None
    row, pair = (int(index) for index in wrong[0])
    return (
        f"The first thing that breaks: columns {2 * pair} and {2 * pair + 1} "
        "must be sine and cosine of the same angle, so their squares sum to "
        f"1. At position {row} the sum of yours is "
        f"{number(squares[row, pair])}."
    )


def _speeds(probe: Probe) -> str | None:
    """At position 1 the angles are the speeds themselves."""
    table = _table(probe)
    if table is None or len(table) < 2:
        return None
    d = table.shape[1]
    angles = np.arctan2(table[1, 0::2], table[1, 1::2])
    wanted = 10000.0 ** (-np.arange(0, d, 2) / d)
    wrong = np.flatnonzero(~np.isclose(angles, wanted, rtol=1e-3, atol=1e-6))
    if not len(wrong):
        return None
    pair = int(wrong[0])
    return (
        "The first thing that breaks: from one position to the next, pair "
        f"{pair} of {d // 2} turns by {number(angles[pair], 6)}. It should "
        f"turn by 1 divided by 10000 to the power {2 * pair}/{d}."
    )


def written_over(angle):
    """Pair i in the columns i and i + 1."""
    table = torch.zeros(len(angle), 2 * angle.shape[1])
    for i, one in enumerate(angle.T):
        table[:, i], table[:, i + 1] = one.sin(), one.cos()
    return table


def woven(first, then):
    """Columns of two tables in turn."""
    even = torch.arange(first.shape[1]) % 2 == 0
    return torch.where(even, first, then)


def twice(angle):
    """Each angle in two columns, side by side."""
    return angle.repeat_interleave(2, dim=1)


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    x = draw.integers(-15, 16, size=(2, 3, 2 * draw.integers(2, 9))) / 10
    return _case("one more", x, 7, 0.0)


EXERCISE = Exercise(
    name="PositionalEncoding",
    inputs=("d_model", "max_length", "dropout"),
    written="class PositionalEncoding(d_model, max_length=512, dropout=0.1)",
    asked="`PositionalEncoding(d_model, max_length=512, dropout=0.1)` keeps a "
    "table `pe` of shape (max_length, d_model), a buffer that is not in the "
    "state_dict. Columns 2i and 2i + 1 hold the sine and the cosine of the "
    "position divided by 10000 to the power 2i/d_model. `forward(x)` adds the "
    "first n rows to x of shape (B, n, d_model); the sum goes through the "
    "dropout.",
    praise="Your positions agree with the reference for one pair and for "
    "many, for one sentence and for several; the table moves along with the "
    "module and is not stored, and only training drops anything.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(PositionalEncoding),
    properties=(
        _keeps_nothing,
        shape,
        finite,
        _first_row,
        _on_circles,
        _speeds,
    ),
    hints=(
        "Do it on paper for two rows of four: row 0 is 0, 1, 0, 1, and row 1 "
        "holds sine and cosine of 1, then sine and cosine of 1/100. Compare "
        "the first rows of your table with them.",
        "Make the angles first: one for each position and each *pair*, a "
        "table of shape (max_length, d_model / 2). Its sines go into the "
        "columns 0, 2, 4, ..., its cosines into 1, 3, 5, ...",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    look=look_at_module("x"),
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "x"),
    on_the_way={
        "self.pe[:x.shape[1]]": "the rows of the table",
        "x + self.pe[:x.shape[1]]": "the sums of token and position",
    },
)
