"""Part 6 of the reader's own Transformer: `class TokenEmbedding`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.facts import first_difference
from transformer_lib.course.checks.engine.foreign import inputs_of, takes
from transformer_lib.course.checks.engine.preconditions import Precondition
from transformer_lib.course.checks.engine.properties import finite, shape
from transformer_lib.course.checks.engine.reading import show
from transformer_lib.course.checks.parts.drive import (
    NUMPY,
    SAID,
    names_in_words,
    play_module,
    right_names,
)
from transformer_lib.course.checks.parts.look import look_at_module, module_code

__all__ = ["EXERCISE", "TokenEmbedding"]


class TokenEmbedding(nn.Module):
    """Turn ids into vectors, and vectors into scores, with one table.

    weight: (vocab_size, d_model), one row for each token.
    """

    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(self, ids):
        """Look up the rows of ids (B, n), scaled: (B, n, d_model)."""
        return self.weight[ids] * math.sqrt(self.weight.shape[1])

    def logits(self, x):
        """Score every token for x (B, n, d_model): (B, n, vocab_size)."""
        return x @ self.weight.T


class NotTied(RuntimeError):
    """A method gives the same numbers whatever is in `weight`."""


def play(make: Callable, say: str, ask: str, sizes: tuple, weights: dict,
         methods: tuple, x: Any) -> Any:  # fmt: skip
    """Make a module, call its methods in turn, answer one question.

    Args:
        make: the class.
        say: what is done, in words.
        ask: "spread", "middle", or a question of `drive.ASKED`.
        sizes: vocab_size and d_model.
        weights: the table, as `weight`.
        methods: names; the last one gets x.
        x: ids or vectors, an array.

    Returns:
        Numbers.

    Raises:
        LookupError: an output is asked of a module without the table.
        NotTied: the table has no part in the output.
        TypeError: `logits` returns nothing, and `forward` something.
    """

    def made(*sizes: int) -> Any:
        module = make(*sizes)
        if isinstance(module, nn.Module):
            _fill_what_nobody_asked_for(module, weights)
            vars(module)["forward"] = _in_turn(module, methods)
        return module

    if ask in _START:
        torch.manual_seed(0)
        module = make(*sizes)
        if module is None or module is Ellipsis:
            return module
        return _START[ask](module.weight.detach().double(), sizes[1])
    result = play_module(made, say, ask, sizes, weights, x)
    if ask == "output" and result is not None and result is not Ellipsis:
        _insist_on_the_table(made, sizes, weights, x, result)
    return result


def _fill_what_nobody_asked_for(module: nn.Module, weights: dict) -> None:
    """Set all other entries of the state_dict to 1, so that they show."""
    with torch.no_grad():
        for name, value in module.state_dict().items():
            if name not in weights:
                value.fill_(1)


def _in_turn(module: nn.Module, methods: tuple) -> Callable:
    """One function for several methods; those before the last get id 1."""
    own = {name: getattr(module, name) for name in ("forward", *methods)}

    def last(x: Any) -> Any:
        for name in methods[:-1]:
            own[name](torch.tensor([1]))
        result = own[methods[-1]](x)
        if result is None and own["forward"](torch.tensor([1])) is not None:
            raise TypeError("`logits` returns None")
        return result

    return last


def _insist_on_the_table(made: Callable, sizes: tuple, weights: dict, x: Any,
                         result: Any) -> None:  # fmt: skip
    state, table = made(*sizes).state_dict(), weights["weight"]
    if "weight" not in state:
        raise LookupError("your module keeps no `weight`")
    shape = tuple(state["weight"].shape)
    if shape != table.shape:
        raise LookupError(
            f"`weight` has the shape {shape}, and {table.shape} is wanted"
        )
    other = {"weight": 0.7 - table[::-1]}
    again = play_module(made, "", "output", sizes, other, x)
    if torch.is_tensor(result) and torch.equal(result, again):
        name = "forward" if x.dtype == int else "logits"
        raise NotTied(f"{name} gives the same after `weight` has changed")


def _spread(table: torch.Tensor, d: int) -> float:
    """How often the deviation is twice the root of 1/d; 0 is right."""
    deviation = float(table.std(dim=0).mean())
    return round(math.log2(max(deviation, 1e-9) * math.sqrt(d)))


def _middle(table: torch.Tensor, d: int) -> float:
    """The mean, in standard deviations."""
    return round(float(table.mean() / table.std(dim=0).mean().clamp(1e-9)), 1)


_START = {"spread": _spread, "middle": _middle}
_SAYS = SAID | {
    "spread": "the standard deviation of a new table times the root of "
    "d_model: as a power of 2, rounded",
    "middle": "the mean of a new table, in standard deviations, rounded",
}


def _case(name: str, methods: str, x, table, ask: str = "output",
          basic: bool = True) -> Case:  # fmt: skip
    """A case; a table may be a pair of sizes."""
    x, way = np.array(x), tuple(methods.split(", "))
    whole = not isinstance(table, tuple)
    sizes = table.shape if whole else table
    weights = {"weight": np.array(table)} if whole else {}
    lines = [f"m = TokenEmbedding{sizes}"]
    if whole and ask not in _START:
        lines.append(show(table, "m.weight = "))
        inner = {"forward": "m(ids)", "logits": "m.logits(x)"}
        lines.append(show(x, "ids = " if way[-1] == "forward" else "x = "))
        lines += [f"m.{before}(tensor([1]))" for before in way[:-1]]
        lines.append(inner[way[-1]])
    if ask != "output":
        lines.append(f"asked: {_SAYS[ask]}")
    args = ("\n".join(lines), ask, sizes, weights, way, x)
    return Case(name, args, basic)


def _refined(ask: str, methods: str) -> Case:
    x = _BATCH if methods == "forward" else np.stack([_X, -_X])
    name = f"{ask} of {methods}"
    return _case(name, methods, x, _TABLE, ask, basic=False)


_IDS, _BATCH = np.array([2, 0, 4, 2]), np.array([[1, 2, 2], [0, 4, 3]])
_TABLE = np.array([
    [0.5, -1.0, 1.0], [2.0, 0.5, 0.0], [1.0, 1.0, -2.0],
    [0.0, -0.5, 1.5], [-1.0, 2.0, 1.0],
])  # fmt: skip
_X = np.array([[1.0, 0.125, 2.0], [-1.0, 1.0, 0.5]])
_SQUARE = np.array([[1.0, 2, 0, -1], [0, 1, 1, 1], [3, -1, 0, 2], [0, 0, 2, 1]])
CASES = (
    _case("names", "forward", _IDS, _TABLE, "names"),
    _case("forward", "forward", _IDS, _TABLE),
    _case("logits", "logits", _X, _TABLE),
    _case("one id", "forward", 3, _TABLE),
    _case("batch", "forward", _BATCH, _TABLE),
    _case("one vector", "logits", _X[0], _TABLE),
    _case("batch of vectors", "logits", np.stack([_X, -_X]), _TABLE),
    _case("square forward", "forward", [0, 3, 1], _SQUARE),
    _case("square logits", "logits", _SQUARE[:2] + 1, _SQUARE),
    _case("forward twice", "forward, forward", _IDS, _TABLE),
    _case("logits after forward", "forward, logits", _X, _TABLE),
    _case("spread", "forward", 0, (400, 64), "spread", basic=False),
    _case("narrow spread", "forward", 0, (400, 16), "spread", basic=False),
    _case("middle", "forward", 0, (400, 64), "middle", basic=False),
    *(
        _refined(ask, method)
        for ask in ("gradients", "float32", "float64", "other device",
                    "inputs stay", "twice")
        for method in ("forward", "logits")
    ),
)  # fmt: skip


def _look(made: Any, exercise: Exercise) -> Precondition | None:
    said = look_at_module("ids")(made, exercise)
    if said is not None:
        return said
    if not hasattr(made, "logits"):
        return Precondition(
            "Your class has no method `logits`.",
            "signature",
            "Besides `__init__` the class has two methods: forward, which "
            "takes ids, and logits, which takes x.",
        )
    if takes(made.logits, ("self", "x")):
        return None
    return Precondition(
        "The check calls `logits(x)`, but yours takes other inputs: "
        f"{inputs_of(made.logits)}. Change its first line.",
        "signature",
        "The names may be others; the number and the order count.",
    )


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    facts = first_difference(want, got)
    return facts | {"wanted_shape": want.shape}


def unit(rows):
    return F.normalize(rows, dim=-1)


MISTAKES = r"""
super_forgotten
- super().__init__()
+ pass
% AttributeError: (cannot assign \w+ before|.* attribute '_(mod|backw|param))
PyTorch's own `__init__` has not run: without it a module cannot keep weights.
? What is the first line of `__init__` in every module of the book?

logits_returns_nothing
- return x
+ x
% TypeError: `logits` returns None
`forward` gives numbers, `logits` returns None.
? Does the last line of `logits` say `return`?

fixed_type
% RuntimeError: .*have the same dtype, but got:?
Tensors of two types meet in `logits`. When a module changes its type, its
parameters do; a plain tensor in `self` stays as it is, be it a copy of
`weight` or `weight` transposed in `__init__`, and so does what is made of one
fixed type.
? What does `logits` multiply by, and is it made of `self.weight` at each call?

forward_does_not_read_the_table
- self.weight[ids]
+ self.first[ids]
- super().__init__()
+ super().__init__()
+     self.first = torch.randn(vocab_size, d_model)
% NotTied: forward
`forward` gives the same vectors after other numbers are written into `weight`.
It must read `self.weight` each time it is called; the class may hold no second
table.
? Which tensor do the rows come from, and is it self.weight itself?

logits_do_not_read_the_table
- x @ self.weight.T
+ x @ self.first.T
- super().__init__()
+ super().__init__()
+     first = torch.randn(vocab_size, d_model)
+     self.register_buffer("first", first, persistent=False)
or
- x @ self.weight.T
+ self.out(x)
- super().__init__()
+ super().__init__()
+     self.out = nn.Linear(d_model, vocab_size, bias=False)
or
- x @ self.weight.T
+ self.out(x)
- super().__init__()
+ super().__init__()
+     self.out = nn.Linear(d_model, vocab_size)
% NotTied: logits
`logits` gives the same scores after other numbers are written into `weight`:
reading and writing are *not tied*. That is allowed in a network, but it is
another one, with vocab_size times d_model parameters more.
? A matrix of its own, or a copy made in `__init__`, does not learn along.
Which table does `logits` use?

other_name
- self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
+ self.table = nn.Parameter(torch.empty(vocab_size, d_model))
- nn.init.normal_(self.weight
+ nn.init.normal_(self.table
- self.weight[ids]
+ self.table[ids]
- self.weight.shape[1]
+ self.table.shape[1]
- self.weight.T
+ self.table.T
@ names
Your module keeps one weight, but not under the name `weight`. Trained weights
are found by their names; a layer inside of your module gives its weight a
longer name, such as `embedding.weight`.
? What do you read in `list(TokenEmbedding(5, 3).state_dict())`?

no_parameter
- nn.Parameter(torch.empty(vocab_size, d_model))
+ torch.empty(vocab_size, d_model)
@ names
Your module keeps no weights: its `state_dict()` is empty. A plain tensor is no
parameter, wherever it is made.
? What turns a tensor into something that a module keeps and trains?

two_tables
- self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
+ self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
+     self.out = nn.Linear(d_model, vocab_size, bias=False)
+     self.out.weight = self.weight
@ names
The values are right, but your module has one more entry in its `state_dict`
than `weight`: the same table under a second name, or something that is not
used.
? What do you read in `list(TokenEmbedding(5, 3).state_dict())`?

sizes_exchanged
- torch.empty(vocab_size, d_model)
+ torch.empty(d_model, vocab_size)
or
- torch.empty(vocab_size, d_model)
+ torch.empty(d_model, vocab_size)
- self.weight[ids]
+ self.weight.T[ids]
- self.weight.shape[1]
+ self.weight.shape[0]
- self.weight.T
+ self.weight
@ names
`weight` has not the shape (vocab_size, d_model). It should have one row for
each of the vocab_size tokens, of length d_model.
? What is `TokenEmbedding(5, 3).weight.shape`?

bias_at_the_exit
- x @ self.weight.T
+ x @ self.weight.T + self.bias
- super().__init__()
+ super().__init__()
+     self.bias = nn.Parameter(torch.zeros(vocab_size))
@ logits
`logits` adds a bias to the dot products. Many models have one there; this
one has none: {came} came instead of {wanted}.
? What should a vector of zeros score?

scale_forgotten
-  * math.sqrt(self.weight.shape[1])
+
@ forward
`forward` gives the row as it is. Asked is the row times the root of d_model:
without it a token of length 1 stands beside a position of length 16 (for
d_model = 512). {came} came instead of {wanted}.
? What is done to the row before it is returned?

scaled_by_d
- math.sqrt(self.weight.shape[1])
+ self.weight.shape[1]
@ forward
`forward` multiplies by d_model; its root is wanted: {came} came instead of
{wanted}.
? For d_model = 3 the factor is about 1.73. What is yours?

divided_by_the_root
- * math.sqrt
+ / math.sqrt
@ forward
`forward` divides by the root of d_model, as attention does with its scores.
Here it is multiplied: {came} came instead of {wanted}.
? The rows are short. Shall they become shorter or longer?

scaled_by_the_vocabulary
- self.weight.shape[1]
+ self.weight.shape[0]
@ forward
`forward` multiplies by the root of vocab_size, the number of rows. The root of
d_model, the length of a row, is wanted: {came} came instead of {wanted}.
? Which axis of the table has the length that you need?

scaled_by_a_fixed_number
- self.weight.shape[1]
+ 2
or
- self.weight.shape[1]
+ 512
@ forward
`forward` multiplies by the same number whatever d_model is: {came} came instead
of {wanted}.
? From what do you take the root?

scaled_in_both_ways
-  * math.sqrt(self.weight.shape[1])
+
- x @ self.weight.T
+ x @ self.weight.T * math.sqrt(self.weight.shape[1])
@ forward
The factor stands in the wrong method: `forward` gives the rows as they are,
and `logits` multiplies by the root of d_model. {came} came instead of
{wanted}.
? In which of the two methods does the factor belong?

factor_in_the_table
-  * math.sqrt(self.weight.shape[1])
+
- x @ self.weight.T
+ x @ self.weight.T / math.sqrt(self.weight.shape[1])
@ forward
The factor sits at the wrong end: `forward` returns the rows as they are, and
`logits` divides. With long rows the first results look alike, but asked is a
table of short rows that only `forward` makes longer: {came} came instead of
{wanted}.
? In which of the two methods does the factor belong?

rows_made_equally_long
- self.weight[ids]
+ unit(self.weight[ids])
or
- self.weight[ids] * math.sqrt(self.weight.shape[1])
+ unit(self.weight[ids])
@ forward
`forward` gives every row the same length. A row's length is learned and stays
as it is: {came} came instead of {wanted}.
? What is done to the row besides the factor?

scale_written_into_the_table
- return self.weight[ids] * math.sqrt(self.weight.shape[1])
+ self.weight.data *= math.sqrt(self.weight.shape[1])
+     return self.weight[ids]
@ forward twice
`forward` changes the table: at each call all rows grow by the root of d_model,
also those that `logits` uses. {came} came instead of {wanted}.
? Do you multiply what you return, or what you keep? Look for `*=`.

columns_in_place_of_rows
- self.weight[ids]
+ self.weight[:, ids]
or
- self.weight[ids]
+ self.weight.T[ids]
@ square forward
`forward` takes columns of the table. Each *row* belongs to a token; a column
holds one feature of all tokens. Where the table is not square the shape is
wrong as well.
? Which axis of the table counts the tokens?

counted_from_one
- self.weight[ids]
+ self.weight[ids - 1]
@ forward
`forward` takes the row before the asked one. Ids count from 0, as rows do:
{came} came instead of {wanted}.
? Which row belongs to id 0?

first_id_only
- self.weight[ids]
+ self.weight[ids.flatten()[0]]
or
- self.weight[ids]
+ self.weight[ids[0] if ids.ndim else ids]
@ forward
`forward` looks up the first id only: shape {shape} came, {wanted_shape} is
wanted, one row for each id.
? What does a tensor of ids in square brackets give? (A `return` inside a loop
ends the method in the first round.)

ids_run_together
- self.weight[ids]
+ self.weight[ids.flatten()]
@ batch
`forward` gives one long list of rows, whatever the shape of the ids: shape
{shape} came, {wanted_shape} is wanted. A batch of sentences stays a batch of
sentences.
? Which shape has `self.weight[ids]` by itself?

first_rows_of_the_table
- self.weight[ids]
+ self.weight[: len(ids) if ids.ndim else 1]
or
- self.weight[ids]
+ (self.weight[: ids.shape[-1]] if ids.ndim else self.weight[ids])
@ forward
`forward` gives the first rows of the table, whatever the ids are: {came} came
instead of {wanted}.
? Do the ids say which rows, or how many?

one_vector_for_the_sentence
- math.sqrt(self.weight.shape[1])
+ math.sqrt(self.weight.shape[1])
+     if ids.ndim:
+         rows = rows.mean(dim=-2)
+     return rows
- return self.weight[ids]
+ rows = self.weight[ids]
or
- math.sqrt(self.weight.shape[1])
+ math.sqrt(self.weight.shape[1])
+     if ids.ndim:
+         rows = rows.sum(dim=-2)
+     return rows
- return self.weight[ids]
+ rows = self.weight[ids]
@ forward
`forward` adds up or averages the tokens of the sentence. Each token keeps a
vector of its own: shape {shape} came, {wanted_shape} is wanted.
? How many vectors does attention need for n tokens?

padding_set_to_zero
- self.weight[ids]
+ (ids != 0)[..., None] * self.weight[ids]
@ forward
`forward` gives zeros for id 0. Some libraries do that for padding if they are
asked; here 0 is a row like any other, and padding is the task of the mask:
{came} came instead of {wanted}.
? Is there an `if`, a comparison with 0, or a `padding_idx`?

logits_scaled_too
- x @ self.weight.T
+ x @ self.weight.T * math.sqrt(self.weight.shape[1])
@ logits
`logits` multiplies by the root of d_model as well. The paper scales in the
embedding only; scaled scores make the first loss huge: {came} came instead of
{wanted}.
? In which of the two methods does the factor belong?

logits_divided
- x @ self.weight.T
+ x @ self.weight.T / math.sqrt(self.weight.shape[1])
@ logits
`logits` divides by the root of d_model. Some models do that (T5 is one); asked
is the plain dot product: {came} came instead of {wanted}.
? In which of the two methods does the factor belong?

softmax_inside
- x @ self.weight.T
+ (x @ self.weight.T).softmax(-1)
or
- x @ self.weight.T
+ (x @ self.weight.T).log_softmax(-1)
@ logits
`logits` returns probabilities, or their logarithms. Logits are the scores
*before* the softmax; the loss takes the softmax itself: {came} came instead of
{wanted}.
? What happens to the dot products in your last line?

bent_scores
- x @ self.weight.T
+ (x @ self.weight.T).relu()
or
- x @ self.weight.T
+ (x @ self.weight.T).sigmoid()
or
- x @ self.weight.T
+ (x @ self.weight.T).tanh()
@ logits
`logits` sends the scores through an activation. A score may be negative and of
any size: {came} came instead of {wanted}.
? What happens to the dot products in your last line?

best_word_only
- x @ self.weight.T
+ (x @ self.weight.T).argmax(-1)
or
- x @ self.weight.T
+ (x @ self.weight.T).amax(-1)
@ logits
`logits` returns one number for each vector, the best token or its score. All
vocab_size scores are wanted: shape {shape} came, {wanted_shape} is wanted.
? Which step of decoding chooses a token?

table_not_turned
- x @ self.weight.T
+ x @ self.weight
@ square logits
`logits` multiplies with the table as it stands, which runs only where
vocab_size equals d_model, and takes columns for tokens: {came} came instead of
{wanted}.
? A matrix product takes columns from its second factor. What should each
vector meet?

distance_in_place_of_dot_product
- x @ self.weight.T
+ -(x[..., None, :] - self.weight).square().sum(-1)
or
- x @ self.weight.T
+ -(x[..., None, :] - self.weight).norm(dim=-1)
@ logits
`logits` gives minus the distance between the vector and each row, or its
square. Asked is the dot product: {came} came instead of {wanted}.
? What is multiplied, and what is added up, in a dot product?

cosine_in_place_of_dot_product
- x @ self.weight.T
+ x @ unit(self.weight).T
or
- x @ self.weight.T
+ unit(x) @ unit(self.weight).T
@ logits
`logits` brings the rows (or both sides) to length 1. A long row may score
high; its length is learned: {came} came instead of {wanted}.
? What is done to the rows before the product?

last_token_only
- x @ self.weight.T
+ (x[-1] if x.ndim > 1 else x) @ self.weight.T
or
- x @ self.weight.T
+ (x[..., -1, :] if x.ndim > 1 else x) @ self.weight.T
@ logits
`logits` scores the last vector only. While training, every position predicts
its next token: shape {shape} came, {wanted_shape} is wanted.
? Which index picks the vector, and is it needed?

scores_turned
- x @ self.weight.T
+ self.weight @ x.mT
or
- x @ self.weight.T
+ self.weight @ (x.mT if x.ndim > 1 else x)
@ logits
The scores are transposed. One row for each vector, one column for
each token of the vocabulary: shape {shape} came, {wanted_shape} is wanted.
? Which of the two factors stands on the left of the product?

rounded
- return self.weight[ids] * math.sqrt(self.weight.shape[1])
+ rows = self.weight[ids] * math.sqrt(self.weight.shape[1])
+     return rows.round(decimals=2)
or
- x @ self.weight.T
+ (x @ self.weight.T).round(decimals=2)
Your numbers are rounded: {came} instead of {wanted}. Round when you print,
not when you compute.
? Is there a `round` on the way out?

all_rows_alike
- nn.init.normal_(self.weight, std=d_model**-0.5)
+ nn.init.zeros_(self.weight)
or
- nn.init.normal_(self.weight, std=d_model**-0.5)
+ nn.init.constant_(self.weight, d_model**-0.5)
@ spread
All tokens start with the same row (zeros, or one row copied). Then all tokens
score alike, and the network has nothing to tell them apart by.
? How many numbers are drawn for the table?

starts_above_zero
- nn.init.normal_(self.weight, std=d_model**-0.5)
+ nn.init.uniform_(self.weight)
or
- nn.init.normal_(self.weight, std=d_model**-0.5)
+ nn.init.uniform_(self.weight, 0, d_model**-0.5)
! middle
The mean of your new table is not 0, so that its rows point in similar
directions. Asked are normal numbers with the mean 0.
? `torch.rand` draws between 0 and 1. Around which number does `randn` draw?

starts_with_deviation_one
- std=d_model**-0.5
+ std=1.0
@ spread
Your table starts with the standard deviation 1 (the default of `nn.Embedding`
as well). Tied to the output, that gives scores as large as the root of
d_model, and a first loss of about 89 for d_model = 512 instead of about 10.
? By what must numbers with the deviation 1 be divided?

starts_with_one_over_d
- std=d_model**-0.5
+ std=1 / d_model
@ spread
The *variance* shall be 1/d_model, and with you the standard deviation is. So
the rows start far too short.
? How does the standard deviation follow from the variance?

starts_too_long
- std=d_model**-0.5
+ std=d_model**0.5
@ spread
Your table starts *multiplied* by the root of d_model. The rows would be as
long as d_model; they shall be about 1 long.
? Is the sign of your exponent right?

starts_a_little_off
- std=d_model**-0.5
+ std=0.5 * d_model**-0.5
or
- std=d_model**-0.5
+ std=2 * d_model**-0.5
@ spread
Your table starts with about half, or about twice, the wanted standard
deviation. (Numbers drawn evenly between -1 and 1 have the deviation 0.58, not
1.) Asked are normal numbers with the variance 1/d_model.
? By what is divided what you draw?

starts_with_another_spread
- std=d_model**-0.5
+ std=0.02
or
- std=d_model**-0.5
+ std=0.01
or
- std=d_model**-0.5
+ std=vocab_size**-0.5
or
- nn.init.normal_(self.weight, std=d_model**-0.5)
+ nn.init.xavier_uniform_(self.weight)
! narrow spread
Your table does not start with the variance 1/d_model. A fixed number such as
0.02 does not follow from d_model, and some ways to start depend on vocab_size,
too.
? Where d_model is 64 the deviation is 1/8, where it is 16 it is 1/4. What is
yours?

changes_its_input
- return x @ self.weight.T
+ scores = x @ self.weight.T
+     x.mul_(2)
+     return scores
! inputs stay of logits
`logits` writes into x: whoever called it now holds other numbers than before.
? Look for `*=`, `/=`, or a method that ends in `_`.

changes_the_ids
- return self.weight[ids] * math.sqrt(self.weight.shape[1])
+ rows = self.weight[ids] * math.sqrt(self.weight.shape[1])
+     ids += 1
+     return rows
! inputs stay of forward
`forward` writes into the ids: whoever called it now holds others than before.
? Look for `+=`, an assignment to a part of `ids`, or a method that ends in `_`.

weight_not_trained
- self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
+ self.register_buffer("weight", torch.empty(vocab_size, d_model))
or
- torch.empty(vocab_size, d_model))
+ torch.empty(vocab_size, d_model), requires_grad=False)
or
- self.weight[ids]
+ self.weight.detach()[ids]
- self.weight.T
+ self.weight.detach().T
! gradients of forward, gradients of logits
The values are right, but the gradients do not reach `weight` as they should,
neither from `forward` nor from `logits`. A buffer gets none, nor does
`requires_grad=False`, `.detach()` or `.data`.
? Is `weight` an `nn.Parameter`, and used as it is?

padding_not_trained
- self.weight[ids]
+ F.embedding(ids, self.weight, padding_idx=0)
@ gradients of forward
The values are right, but row 0 gets no gradient from `forward`. Some libraries
do that for padding if they are asked; here every row learns alike.
? Is there a `padding_idx`?

forward_without_gradient
- self.weight[ids]
+ self.weight.data[ids]
! gradients of forward
The values are right, but in `forward` the gradient does not reach `weight` as
it should.
? Look for `detach`, `.data`, `no_grad`, or a new tensor made from the rows.

logits_without_gradient
- x @ self.weight.T
+ x @ self.weight.detach().T
or
- x @ self.weight.T
+ x.detach() @ self.weight.T
! gradients of logits
The values are right, but in `logits` the gradient does not reach x and
`weight` as it should.
? Look for `detach`, `.data`, `no_grad`, or a new tensor made from x or from
`weight`.

forward_of_64_bits
- return self.weight[ids] *
+ return self.weight[ids].double() *
! float32 of forward
In a 32-bit module `forward` does not give a 32-bit result. The type is that of
`weight`; a factor of 64 bits changes it only if it is a tensor with axes.
? Look for `double`, `float64`, or an array of NumPy.

logits_of_64_bits
- x @ self.weight.T
+ (x @ self.weight.T).double()
! float32 of logits
In a 32-bit module `logits` does not give a 32-bit result for 32-bit vectors.
? Look for `double`, `float64`, or an array of NumPy.

forward_of_32_bits
- return self.weight[ids] *
+ return self.weight[ids].float() *
! float64 of forward
In a 64-bit module `forward` does not give a 64-bit result. The type is that of
`weight`.
? Look for `float()`, `float32`, or a new tensor made without a type.

logits_of_32_bits
- x @ self.weight.T
+ (x @ self.weight.T).float()
! float64 of logits
In a 64-bit module `logits` does not give a 64-bit result for 64-bit vectors.
? Look for `float()`, `float32`, or a new tensor made without a type.

forward_tied_to_the_processor
- self.weight[ids]
+ torch.eye(len(self.weight), dtype=self.weight.dtype)[ids] @ self.weight
! other device of forward
The values are right, but only on the processor: on another device a tensor of
`forward` stays behind. A tensor that a method makes lies on the processor
unless it is told otherwise.
? Which tensors does `forward` make for itself?

logits_tied_to_the_processor
- x @ self.weight.T
+ x @ self.weight.T + torch.zeros(len(self.weight), dtype=x.dtype)
! other device of logits
The values are right, but only on the processor: on another device a tensor of
`logits` stays behind. A tensor that a method makes lies on the processor
unless it is told otherwise.
? Which tensors does `logits` make for itself?

not_the_same_twice
- self.weight[ids]
+ F.dropout(self.weight[ids], 1e-4)
! twice of forward
Two calls of `forward` with the same ids give different vectors, also in
eval(). This module draws no random numbers after `__init__`.
? What changes from one call to the next?
"""

EXERCISE = Exercise(
    name="TokenEmbedding",
    inputs=("vocab_size", "d_model"),
    written="class TokenEmbedding(vocab_size, d_model)",
    asked="`TokenEmbedding(vocab_size, d_model)` holds one table, the "
    "parameter `weight` of shape (vocab_size, d_model), drawn from a normal "
    "distribution with mean 0 and variance 1/d_model. `forward(ids)` gives "
    "each id's row times the root of d_model; `logits(x)` gives the dot "
    "product of each vector with every row.",
    praise="Your class reads and writes with one table: values and gradients "
    "are those of torch.nn.Embedding and torch.nn.Linear, for single "
    "ids, sentences and batches, in 32 and 64 bits.",
    cases=CASES,
    solve=Reference(TokenEmbedding),
    catalogue=NUMPY + MISTAKES,
    properties=(right_names, shape, finite),
    hints=(
        "One thing is kept in `self`: the table, an `nn.Parameter`. Normal "
        "numbers have the standard deviation 1; divide them by the root of "
        "d_model.",
        "A tensor of ids in square brackets picks a row for each of them, "
        "whatever its shape. For the scores, each vector meets every row: "
        "that is one matrix product, with the matrix transposed.",
    ),
    facts=_facts,
    show_inputs=lambda args: args[0],
    play=play,
    words=names_in_words,
    look=_look,
    lines_of=module_code,
    handed_over=("say", "ask", "sizes", "weights", "methods", "x"),
)
