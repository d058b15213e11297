"""Part 6 of the reader's own Transformer: `class TokenEmbedding`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import first_difference
from transformer_course.checks.engine.foreign import inputs_of, takes
from transformer_course.checks.engine.preconditions import Precondition
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.reading import show
from transformer_course.checks.parts.drive import (
    SAID,
    names_in_words,
    play_module,
    right_names,
)
from transformer_course.checks.parts.look import look_at_module, module_code

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


def _one_more(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    table = draw.integers(-20, 21, size=(6, 4)) / 10
    if seed % 2:
        return _case("one more", "forward", draw.integers(0, 6, 5), table)
    x = draw.integers(-15, 16, size=(3, 4)) / 10
    return _case("one more", "logits", x, table)


EXERCISE = Exercise(
    name="TokenEmbedding",
    inputs=("vocab_size", "d_model"),
    written="class TokenEmbedding(vocab_size, d_model)",
    asked="`TokenEmbedding(vocab_size, d_model)` holds one matrix, the "
    "parameter `weight` of shape (vocab_size, d_model), drawn from a normal "
    "distribution with mean 0 and variance 1/d_model. `forward(ids)` gives "
    "each id's row times the root of d_model; `logits(x)` gives the dot "
    "product of each vector with every row.",
    praise="Your class reads and writes with one table: values and gradients "
    "are those of torch.nn.Embedding and torch.nn.Linear, for single "
    "ids, sentences and batches, in 32 and 64 bits.",
    cases=CASES,
    draw=_one_more,
    solve=Reference(TokenEmbedding),
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
