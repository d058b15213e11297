"""Part 5 of the reader's own Transformer: `class PositionalEncoding`."""

from __future__ import annotations

import math  # noqa: F401  (some of the mistakes below need it)
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: F401  (as above)

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.properties import Probe, finite, shape
from transformer_lib.course.checks.engine.reading import ARRAY, number
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    play_module,
)
from transformer_lib.course.checks.parts.look import look_at_module, module_code

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


MISTAKES = r"""
super_forgotten
- super().__init__()
+ pass
% AttributeError: (cannot assign \w+ before|.* attribute '_(mod|backw))
PyTorch's own `__init__` has not run: without it a module cannot keep a buffer
or a layer.
? What is the first line of `__init__` in every module of the book?

base_1000
- 10000 **
+ 1000 **
The base is 1000 instead of 10000: {came} instead of {wanted} in row {row},
column {column}. Training would hardly tell you, because such a table works
nearly as well. Only a test of values finds it.
? How many zeros has the base?

another_base
- 10000 **
+ 10 **
or
- 10000 **
+ 100000 **
The base is not 10000 (four zeros). It decides how slow the slow pairs are:
{came} instead of {wanted} in row {row}, column {column}.
? Which number is raised to the power 2i/d?

base_e
- 10000 **
+ math.e **
The exponential function has the base 2.718..., and yours stands where 10000
should. Through the exponential, a power of 10000 needs the natural logarithm
of 10000 as a factor.
? 10000 to the power p is the exponential of p times something. Of what?

another_logarithm
- 10000 **
+ math.exp(4) **
or
- 10000 **
+ math.exp(math.log2(10000)) **
You write the power through the exponential function, and the logarithm beside
it has another base. Exponential function and *natural* logarithm belong
together.
? Which of PyTorch's logarithms undoes `exp`?

size_as_base
- 10000 **
+ d_model **
or
- 10000 **
+ max_length **
You raise a size of the table to the power instead of 10000. The base is a
fixed number: the same position gets the same angles in every table of this
width.
? Which number stands in the formula in the place of your size?

exponent_halved
- pair / d_model
+ pair / 2 / d_model
Your i counts pairs (0, 1, 2, ...), and then the exponent is 2i/d; with i/d it
stops near a half, and the slow pairs are much too fast: {came} instead of
{wanted} in row {row}, column {column}. (A base of 100 gives the same numbers.)
? With eight columns, what is the largest value of your exponent? It should be
6/8.

exponent_doubled
- pair / d_model
+ 2 * pair / d_model
Your i steps over the columns (0, 2, 4, ...), so it is 2i already, and you
double it once more. That is reading *i is the dimension* literally: the
exponents grow to nearly 2.
? With eight columns, what is the largest value of your exponent? It should be
6/8.

each_column_its_own_speed
- angle.cos()
+ (position / 10000 ** ((pair + 1) / d_model)).cos()
Sine and cosine of a pair must share one angle, and yours do not: column
{column} has a speed of its own. Columns 2i and 2i + 1 both use 2i.
? Which exponent do you give to columns 0 and 1? It is the same one.

doubled_and_own_speed
- pair / d_model
+ 2 * pair / d_model
- angle.cos()
+ (position / 10000 ** (2 * (pair + 1) / d_model)).cos()
Two slips that go together in much public code: the column number is doubled
although it is 2i already, and the cosine gets a speed of its own, one step
further than its sine.
? Write down the exponents of a table of four columns. They should be 0, 0,
1/2, 1/2.

cosine_one_pair_further
- angle.cos()
+ (position / 10000 ** ((pair + 2) / d_model)).cos()
Your cosines belong to the next pair: column 1 has the angle that columns 2 and
3 should share. Sine and cosine of a pair share one angle.
? Which i do you use in the line of the cosine?

pairs_counted_from_one
- pair / d_model
+ (pair + 2) / d_model
Your pairs are counted from 1. Then even the fastest pair is slowed down:
{came} instead of {wanted} in row {row}, column {column}. The first pair has
the exponent 0 and turns by 1 a position.
? What is i for the columns 0 and 1?

stretched_to_10000
- pair / d_model
+ pair / (d_model - 2)
or
- pair / d_model
+ pair / max(d_model - 2, 1)
or
- pair / d_model
+ pair / (d_model - 1)
Your exponents run to 1, or nearly, because you divide by less than d. The
paper's own early code does that, its formula does not: divide 2i by d, so that
the last exponent stays below 1.
? With four columns the two exponents are 0 and 1/2. What are yours?

all_pairs_alike
- pair / d_model
+ pair // d_model
All your pairs turn at the same speed, so columns 2 and 3 repeat columns 0 and
1. Does the exponent lose its decimals, or is the power missing?
? Print the exponents. In Python, two strokes divide and drop the decimals.

odd_exponents
- pair / d_model
+ (pair + 1) / d_model
Your exponents are 1/d, 3/d, 5/d, ...: each one is 1/d too large, so every pair
is too slow. 2i + 1 is the number of the cosine's *column*; in the exponent
stands 2i for both columns of a pair.
? For the first pair the exponent is 0. What is yours?

not_divided_by_d
- pair / d_model
+ pair
or
- 10000 ** (pair / d_model)
+ 10000.0 ** pair
The exponent is 2i, not divided by d. From the second pair on hardly anything
moves any more: {came} instead of {wanted} in row {row}, column {column}.
? The exponent must stay below 1. How large does yours become?

divided_by_n
- pair / d_model
+ pair / max_length
You divide 2i by the number of positions. The exponent knows the width d_model,
never the length: a position has the same code in a short and in a long table.
? Which of the two sizes belongs into the exponent?

slow_pairs_first
- pair / d_model
+ (d_model - 2 - pair) / d_model
Your pairs stand in the opposite order. The first pair is the fast one, the
last the slow one.
? The first power is 1, so the first pair turns by 1 a position. Does yours?

exponent_upside_down
- pair / d_model
+ d_model / pair
Your exponent is d/2i, the fraction upside down.
? For the first pair the exponent is 0. What is yours?

multiplied
- position / 10000
+ position * 10000
or
- position / 10000 ** (pair / d_model)
+ position * torch.exp(pair * (math.log(10000.0) / d_model))
or
- position / 10000 ** (pair / d_model)
+ position * 10000 ** (pair / d_model)
You multiply by the power instead of dividing (a lost minus sign does the
same). Then the angles grow up to nearly 10000 times the position, and
neighboring positions look random.
? Which pair should be slower than the first: do its angles grow or shrink?

whole_fraction_raised
- position / 10000 **
+ (position / 10000) **
You raise the whole fraction to the power. Only the 10000 is raised; the
position stays outside.
? Which comes first, the power or the division?

position_raised
- position / 10000 ** (pair / d_model)
+ position ** (pair / d_model) / 10000
You raise the position to the power and divide by 10000. It is the other way
round: the 10000 is raised.
? Which number does the exponent stand on?

base_and_exponent_exchanged
- 10000 ** (pair / d_model)
+ (pair / d_model) ** 10000
or
- / 10000 ** (pair / d_model)
+ * (pair / d_model) ** (1 / 10000)
Base and exponent have changed places. The fixed 10000 is the number below, the
exponent 2i/d stands on it.
? In Python, which side of the two stars is the base?

product_not_power
- 10000 ** (pair / d_model)
+ (10000 * (pair / d_model))
You multiply 10000 by the exponent instead of raising it, and for the first
pair that is a division by zero. One star multiplies, two raise to a power.
? For the first pair you should divide by 1. By what do you divide?

brackets_around_the_exponent
- 10000 ** (pair / d_model)
+ 10000 ** pair / d_model
or
- 10000 ** (pair / d_model)
+ (10000 ** pair / d_model)
or
- 10000 ** (pair / d_model)
+ 10000**2 * (pair / 2) / d_model
or
- 10000 ** (pair / d_model)
+ (10000**2 * (pair / 2) / d_model)
Brackets are missing around the exponent. Python raises to a power first, so
that d_model, and what else stands behind the power, is no part of it.
? Which brackets make the whole fraction 2i/d the exponent?

divided_by_10000_alone
- 10000 ** (pair / d_model)
+ 10000 + 0 * pair
You divide every position by 10000 itself. The power is missing, so all pairs
are alike, and all are slow.
? The first pair divides by 1, and each later pair by more. By what do yours?

added_to_the_angle
- position / 10000 ** (pair / d_model)
+ position + 10000 ** (-pair / d_model)
You add the speed of the pair to the position. The angle is the position
*times* the speed (or divided by the power).
? At position 0 all angles are 0. Are yours?

positions_from_one
- torch.arange(max_length)
+ torch.arange(1, max_length + 1)
or
- self.pe[: x.shape[1]]
+ self.pe[1 : x.shape[1] + 1]
The first token gets the row of position 1. The book counts from 0, and row 0
reads 0, 1, 0, 1, ...
? What are sine and cosine of 0?

positions_backward
- torch.arange(max_length)
+ torch.arange(max_length).flip(0)
or
- self.pe[: x.shape[1]]
+ self.pe[: x.shape[1]].flip(0)
Your positions run backward: the first token does not get position 0.
? Row 0 reads 0, 1, 0, 1, ... Which token gets it?

share_of_the_length
- position / 10000
+ position / max_length / 10000
or
- position / 10000
+ position / (max_length - 1) / 10000
You divide the position by the length of the table. Then the same position gets
another code in a longer table, and neighbors move together. Positions are
whole numbers.
? Compare row 1 of two tables of different length.

same_row_everywhere
- torch.arange(max_length)
+ torch.full((max_length,), max_length)
All rows are the same. You put max_length into the formula, where the position
of the row belongs.
? Which variable changes from row to row?

one_row_n_times
- "pe", pe
+ "pe", pe[-1:].expand_as(pe)
Every row of your table is that of the last position.
? Change one number of your empty table, print it, and look at the other rows.

degrees
- angle = position
+ angle = math.pi / 180 * position
You turn the angle into degrees. Sine and cosine take radians, and so does the
paper: one full turn is 6.28.
? Which conversion stands in your angle?

angle_in_turns
- angle = position
+ angle = 2 * math.pi * position
or
- angle = position
+ angle = math.pi * position
or
- angle = position
+ angle = 0.5 / math.pi * position
A factor with pi stands in your angle. The formula has none: the first pair
turns by 1 radian a position, not by a whole or a half turn.
? Sine and cosine take the fraction as it is. What do you give them?

sine_and_cosine_exchanged
- angle.sin(), angle.cos()
+ angle.cos(), angle.sin()
Sine and cosine have changed places. Position 0 must read 0, 1, 0, 1, ..., and
yours reads 1, 0, 1, 0, ...
? Which of the two is 0 at the angle 0?

sines_then_cosines
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ torch.cat([angle.sin(), angle.cos()], dim=-1)
or
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ torch.cat([angle.cos(), angle.sin()], dim=-1)
The numbers are right, the columns are not: all sines stand in one half and all
cosines in the other. Much code does that, and a model learns just as well from
it; but the formula, and this book, weave them.
? Columns 0, 2, 4, ... are sines. How do you address every second column?

flattened_along_the_wrong_axis
- , dim=-1).flatten(1)
+ ).reshape(max_length, d_model)
or
- , dim=-1).flatten(1)
+ , dim=1).flatten(1).reshape(d_model, max_length).T
The numbers of your table are right, and they stand in the wrong order: joining
the sines and the cosines has mixed positions or columns. `reshape` keeps the
order in memory and moves nothing.
? Along which axis do sine and cosine of one angle lie beside each other?

sine_in_the_first_half
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ twice(angle); half = d_model // 2
+     pe = torch.cat([pe[:, :half].sin(), pe[:, half:].cos()], dim=-1)
The left half of your columns gets the sine and the right half the cosine, each
of its own angle. So a pair is torn apart. Sine and cosine take turns, column
by column.
? Which columns are even numbers?

half_the_width
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ angle.sin()
@ one pair
Your table has d_model / 2 columns, so it fits x only where d_model is 2. There
are d_model / 2 *pairs*, and each pair has two columns.
? Where do the cosines go?

sine_everywhere
- angle.cos()
+ angle.sin()
All columns are sines. The columns 1, 3, 5, ... must be cosines.
? The row of position 0 tells the two apart: what is in column 1?

cosine_everywhere
- angle.sin()
+ angle.cos()
All columns are cosines. The columns 0, 2, 4, ... must be sines.
? The row of position 0 tells the two apart: what is in column 0?

by_even_and_odd_positions
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ twice(torch.where(position % 2 == 0, angle.sin(), angle.cos()))
You choose between sine and cosine by the *position*. The choice belongs to the
column: each row has both.
? Which of your two loop variables do you test for being even?

cosines_missing
- angle.cos()
+ 0 * angle
The columns 1, 3, 5, ... get nothing added. They belong to the cosines.
? A sine alone cannot tell an angle below a quarter turn from one above. What
fills the odd columns?

sines_missing
- angle.sin()
+ 0 * angle
The columns 0, 2, 4, ... get nothing added. They belong to the sines.
? What fills the even columns?

sine_negative
- angle.sin()
+ -angle.sin()
Your sines have the opposite sign: {came} instead of {wanted} in row {row},
column {column}.
? Where does a minus come into your angle?

cosine_negative
- angle.cos()
+ -angle.cos()
Your cosines have the opposite sign: {came} instead of {wanted} in row {row},
column {column}. (A sine moved by a quarter turn gives the cosine if the
quarter is *added*.)
? What is the cosine of 0, and what stands in column 1 of row 0?

tiled_not_repeated
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ woven(angle.repeat(1, 2).sin(), angle.repeat(1, 2).cos())
The angles do not stand side by side. You wrote the list of all pairs twice,
one behind the other (a, b, a, b), and each angle is wanted twice in a row (a,
a, b, b).
? Print the angles of one row for four columns. What should the first two be?

pairs_written_over
- torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
+ written_over(angle)
Your pairs overwrite each other: pair i is put into the columns i and i + 1, so
the cosine of one pair is lost under the sine of the next. Pair i belongs into
the columns 2i and 2i + 1.
? In which columns does pair 1 stand?

angles_not_waves
- angle.sin(), angle.cos()
+ angle, angle
You add the angles themselves. They grow with the position without end; sine
and cosine keep them between -1 and 1.
? What has to be done with an angle?

table_left_empty
- "pe", pe
+ "pe", 0 * pe
or
- x + self.pe[: x.shape[1]]
+ x
x comes back as it is: nothing is added, or nothing but zeros. Either `forward`
leaves the table out, or the lines that fill it are missing, fill another
tensor, or fill its last row only.
? Print `PositionalEncoding(4).pe[:3]`. Is it what you want to add?

tangent
- angle.sin(), angle.cos()
+ angle.tan(), angle.tan()
You use tangents. They run to infinity at every quarter turn.
? Which two functions does the formula name?

sine_plus_cosine
- angle.sin(), angle.cos()
+ angle.sin() + angle.cos(), angle.sin() + angle.cos()
You add sine and cosine into one number. Each of them gets a column of its own.
? How many columns has a pair?

on_its_side
- "pe", pe
+ "pe", pe.mT.contiguous()
@ as long as wide
Your table lies on its side: a *row* belongs to a position. It runs only where
max_length and d_model are equal.
? What is the shape of the table that you keep?

pairs_on_an_axis
- .flatten(1)
+
@ one pair
Sines and cosines are right but not yet in one table: it has three axes, and
(max_length, d_model) is wanted.
? Which two axes have to become one?

only_row_0_filled
- "pe", pe
+ "pe", pe.trunc()
or
- "pe", pe
+ "pe", pe * (position == 0)
Position 0 is right, and at all others 0 is added. Either your empty table is
made of whole numbers, and cuts off the decimals of what is put into it, or
only its first row is filled.
? Which type has the empty table that you fill, and how often does the body of
your loop run?

rounded
- "pe", pe
+ "pe", pe.round(decimals=2)
or
- "pe", pe
+ "pe", pe.round(decimals=4)
or
- "pe", pe
+ "pe", pe.round(decimals=3)
The numbers are right but rounded. The slow pairs move by less than that from
one position to the next, and after rounding they stand still.
? Is there a `round` in your code? Round when you print, not when you compute.

position_zero_left_out
- "pe", pe
+ "pe", pe * (position > 0)
Row 0 is all zeros. Some programs keep that row for padding; here position 0 is
a position like any other, and its cosines are 1.
? What are sine and cosine of 0?

last_pair_missing
- "pe", pe
+ "pe", pe * (torch.arange(d_model) < d_model - 2)
The last two columns are still 0. There are d/2 pairs, i = 0 to d/2 - 1, and
your loop stops one pair too early.
? `range(m)` ends with m - 1. What is your m?

rescaled
- "pe", pe
+ "pe", pe / math.sqrt(d_model / 2)
or
- "pe", pe
+ "pe", pe * math.sqrt(d_model)
or
- "pe", pe
+ "pe", pe / math.sqrt(d_model)
Every number of the table is multiplied by the same factor. Sines and cosines
stay as they are; a factor belongs to the word vectors, which chapter 10
explains.
? Compare the largest number of your table with 1.

between_zero_and_one
- "pe", pe
+ "pe", (pe + 1) / 2
You moved the waves between 0 and 1. They swing between -1 and 1.
? What happens to the table after sine and cosine?

words_scaled_here
- x + self.pe
+ x * math.sqrt(x.shape[2]) + self.pe
@ sentences
You multiply x by the root of d_model before the positions are added. That
factor belongs to the embedding, which comes before this module: {came} came in
place of {wanted}.
? What should `forward` do with x besides adding?

multiplied_with_x
- x + self
+ x * self
@ book
You multiply x by the positions; they are added. Here 0 times anything is 0.
? Which sign stands between x and pe?

positions_subtracted
- x + self
+ x - self
@ sentences
You subtract the positions; they are added: {came} came instead of {wanted}.
? Which sign stands between x and pe?

x_left_out
- x + self.pe[: x.shape[1]]
+ self.pe[: x.shape[1]] + 0 * x
or
- x + self.pe[: x.shape[1]]
+ self.pe[: x.shape[1]]
or
- x + self.pe[: x.shape[1]]
+ self.pe[: x.shape[1]].unsqueeze(0)
@ sentences
You return the positions alone: what x holds is lost. The result is the sum of
both, in the shape of x.
? Which two things go into the dropout?

joined_not_added
- x + self.pe[: x.shape[1]]
+ torch.cat([x, self.pe[: x.shape[1]].expand_as(x)], dim=-1)
You put the positions behind the features of x, so the vectors become twice as
long: shape {shape} came. The positions are *added*, and the shape stays.
? Which operation keeps the width d_model?

first_axis_taken_for_the_tokens
- self.pe[: x.shape[1]]
+ self.pe[: x.shape[0]]
or
- self.pe[: x.shape[1]]
+ self.pe[: x.size(0)].unsqueeze(1)
or
- self.pe[: x.shape[1]]
+ self.pe[: len(x), None]
You cut the table to the length of the first axis, and that axis counts the
sentences here: x is (B, n, d_model). Older code of PyTorch has the tokens
first, and a sentence alone then gets position 0 everywhere.
? Which axis of x counts the tokens?

one_row_for_all
- : x.shape[1]
+ x.shape[1] - 1
or
- : x.shape[1]
+ x.shape[1]
All tokens get the same position: `pe[n]` is a single row, and `pe[:n]` are the
first n.
? How many rows do you add, and how many tokens are there?

table_not_cut
- [: x.shape[1]]
+
@ one position
You add the whole table, all max_length rows of it. A sentence of n tokens
needs the first n only; with a single token the result gets max_length tokens,
with more it is an error.
? Which rows belong to the n tokens of x?

in_the_state_dict
- , persistent=False
+
@ kept
Your table is in the `state_dict`, as buffers usually are. It can be computed
at any time, so it is not stored with the trained weights.
? What does `register_buffer` take besides the name and the tensor?

table_is_a_parameter
- self.register_buffer("pe", pe, persistent=False)
+ self.pe = nn.Parameter(pe)
@ kept
Your table is a parameter: it is stored with the trained weights, and an
optimizer gets it, too. These positions are computed, not learned.
? What does a module keep that moves along with it and is not trained?

drops_while_evaluating
- self.dropout(x + self.pe[: x.shape[1]])
+ F.dropout(x + self.pe[: x.shape[1]], self.dropout.p)
! evaluation
In eval() entries are still dropped or scaled; only training drops anything.
`F.dropout` does not know in which mode your module is, and a layer of dropout
that `forward` makes is new, and so always in training mode.
? Which layers does `eval()` reach? Only those that `__init__` keeps in `self`.

changes_its_input
- x + self.pe[: x.shape[1]]
+ x.add_(self.pe[: x.shape[1]])
! inputs stay
Your `forward` writes into x: whoever called it now holds other numbers than
before.
? Look for `+=`, or a method that ends in `_`.

dropout_missing
- self.dropout(x + self.pe[: x.shape[1]])
+ x + self.pe[: x.shape[1]]
@ dropped
Nothing is dropped in training. The sum of word and position goes through the
dropout: with p = 0.3 three in ten of the results are 0.
? What does `forward` do with the sum?

dropout_before_the_sum
- self.dropout(x + self.pe[: x.shape[1]])
+ self.dropout(x) + self.pe[: x.shape[1]]
or
- self.dropout(x + self.pe[: x.shape[1]])
+ x + self.dropout(self.pe[: x.shape[1]])
@ dropped
You drop entries of one of the two terms. The dropout comes after the sum, so
that word and position fall out together.
? What stands in the brackets behind `dropout`?

dropped_without_scaling
- return self.dropout(x + self.pe[: x.shape[1]])
+ y = x + self.pe[: x.shape[1]]
+     return y * (torch.rand_like(y) > self.dropout.p) if self.training else y
@ dropped
Entries are dropped in training, but the others are not divided by 1 - p. With
`nn.Dropout` the average stays the same in train() and in eval().
? What does `nn.Dropout` do to the entries that stay?

rate_not_used
- nn.Dropout(dropout)
+ nn.Dropout(0.1)
or
- nn.Dropout(dropout)
+ nn.Dropout()
! dropped
In training the wrong share of the entries is dropped. The third input,
`dropout`, is the probability, here 0.3.
? Where does `dropout` go after the first line of `__init__`?

another_default_rate
- dropout=0.1
+ dropout=0.5
or
- dropout=0.1
+ dropout=0.0
! dropped by default
Without a third input the rate is not 0.1.
? What stands behind `dropout=` in the first line?

one_row_too_few
- torch.arange(max_length)
+ torch.arange(max_length - 1)
! full
A sentence of max_length tokens does not work. The table has a row for each
position from 0 to max_length - 1.
? How many rows has your table?

shorter_by_default
- max_length=512
+ max_length=100
! 512 tokens
A sentence of 512 tokens does not work where no max_length is given.
? What stands behind `max_length=` in the first line?

input_without_gradient
- x + self
+ x.detach() + self
! gradients
The values are right, but the gradient does not come back to x as it should, so
no embedding can be learned.
? Look for `detach`, `.data`, `no_grad`, or a new tensor made from x.

always_64_bits
- return self.dropout(x + self.pe[: x.shape[1]])
+ return self.dropout(x + self.pe[: x.shape[1]]).double()
! float32
For 32-bit inputs your module does not give a 32-bit result. A table of 64 bits
makes the sum 64 bits wide, unless it is a buffer, which changes its type with
the module.
? Look for `double`, `float64`, or an array of NumPy.

always_32_bits
- return self.dropout(x + self.pe[: x.shape[1]])
+ return self.dropout(x + self.pe[: x.shape[1]]).float()
! float64
For 64-bit inputs your module does not give a 64-bit result. The type of the
result is that of x.
? Look for `float()`, or `float32`.

cut_to_32_bits
- return self.dropout(x + self.pe[: x.shape[1]])
+ return self.dropout(x.float() + self.pe[: x.shape[1]].float()).to(x.dtype)
! digits
@ digits
The result has 64 bits, but only the digits of 32: on the way something is cut
to 32 bits and widened again, and the digits that were lost do not come back.
? Look for `.float()`, `float32`, and a softmax with a `dtype=`. The type of the
inputs is the right one for every step.

no_buffer
- self.register_buffer("pe", pe, persistent=False)
+ self.table = pe
- self.pe[
+ self.table[
@ table
The values are right, but there is no buffer `pe`: what `forward` adds has
another name, or is made anew at each call, and stays on the processor when the
module moves to another device.
? Which method of a module registers a buffer, and in which of your two methods
is it called?

table_stays_behind
- self.register_buffer("pe", pe, persistent=False)
+ self.pe = pe
! other device
The values are right, but only on the processor: on another device the table,
or a part of it, stays behind. A plain tensor in `self` does not move along
with the module.
? What moves along with a module besides its parameters?

no_table
- self.register_buffer("pe", pe, persistent=False)
+ self.register_buffer("table", pe, persistent=False)
- self.pe[
+ self.table[
@ table
The sums are right, but your module keeps no tensor under the name `pe`, and the
chapter reads the table by this name.
? Which name stands first in the brackets of `register_buffer`?

table_of_another_shape
! table
The sums are right, but your table `pe` has the shape {came}. Wanted is
(max_length, d_model), here {wanted}: the chapter reads `pe` by its rows, one
for each position.
? Does a line of `__init__` add an axis to the table, or turn it? `forward` can
add (n, d_model) to (B, n, d_model) as they are.
"""

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
    solve=Reference(PositionalEncoding),
    catalogue=NUMPY + MISTAKES,
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
        "holds sine and cosine of 1, then sine and cosine of 1/100. Which "
        "row and which column of your table differs first?",
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
)
