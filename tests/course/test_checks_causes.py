"""What an error means: true for the error and the line, and silent else."""

import math
import re

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as G

from transformer_course import checks
from transformer_course.checks.engine import guard
from transformer_course.checks.errors import modules, names
from transformer_course.checks.parts import part

X = torch.arange(24.0, dtype=torch.float64).reshape(2, 3, 4)
Y = torch.ones(5, 6, dtype=torch.float64)
A = np.ones((3, 4))
P = nn.Parameter(torch.ones(3))
IDS = torch.arange(3)
MANY = torch.ones(2, 3, 4, dtype=torch.bool)
LINEAR = nn.Linear(4, 4).double()
LSTM = nn.LSTM(4, 4, batch_first=True).double()


class Keeps(nn.Module):
    """A module with a weight, a method of two inputs and nothing else."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, dtype=torch.float64))
        self.register_buffer("table", torch.ones(7, dtype=torch.float64))

    def forward(self, query, key, mask=None):
        return query + key

    def adds(self, x):
        return x + self.weight

    def adds_a_row(self, x):
        return x + self.table

    def scales(self, x):
        return x * self.wieght


KEEPS = Keeps()


class Slips(nn.Module):
    """A module whose methods each have one slip."""

    def __init__(self, d_model, dropout=0.1, width=4):
        super().__init__()
        self.linear_1 = nn.Linear(d_model, d_model).double()
        self.dropout = dropout
        self.norm = nn.Identity
        hidden = 2 * d_model
        self.inner = nn.Linear(d_model, hidden).double()

    def forward(self, query, key, mask=None):
        return query + key

    def of_init(self, x):
        return x * d_model

    def kept(self, x):
        return inner(x)

    def method(self, x):
        return forward(x, x)

    def of_another(self, x):
        own = x
        return own + query

    def unkept(self, x):
        return x * self.width

    def not_like_every_module(self, x):
        return self.add_modul(x)

    def number(self, x):
        return self.dropout(x)

    def keeps_a_class(self, x):
        return self.linear_1(self.norm(x))


class NoInit(nn.Module):
    def _init_(self, d_model):
        self.d_model = d_model


class NoInitAtAll(nn.Module):
    def init_weights(self, d_model):
        self.d_model = d_model


class PassesOn(nn.Module):
    def __init__(self, d_model):
        super().__init__(d_model)


class NoSuper(nn.Module):
    def __init__(self, part):
        self.part = part


class Dropout(nn.Module):
    """It has the name of a class of `torch.nn`, and takes a tensor."""

    def __init__(self, x):
        super().__init__()
        self.kept = x @ Y


class Plain:
    """An object whose methods read what nobody has kept."""

    def __init__(self, width, rate=0.5):
        total = width  # noqa: F841
        self.running_mena = 0.0
        if width < 0:
            self.seldom = width

    def reset(self):
        self.count = 0
        self.both = 0

    def again(self):
        self.both = 0

    def helps(self, other):
        other.given_away = 0

    def local(self, x):
        return x * self.total

    def without_self(self, x):
        return x * total

    def typo(self, x):
        return x * self.running_mean

    def of_init(self, x):
        return x * self.rate

    def of_another(self, x):
        self.count = self.count + 1

    def too_early(self, x):
        self.zzqx = self.zzqx + x

    def misspelled(self, x):
        self.running_menna = self.running_menna + x

    def of_two(self, x):
        return self.both

    def of_another_object(self, x):
        return self.given_away

    def of_its_input(self, x):
        return x.zzqx

    def under_a_condition(self, x):
        return self.seldom


class LocalLayer(nn.Module):
    def __init__(self):
        super().__init__()
        inner = nn.Linear(4, 4)  # noqa: F841

    def forward(self, x):
        return self.inner(x)


SLIPS, PLAIN, LOCAL_LAYER = Slips(4), Plain(3), LocalLayer()
EMPTY, FLAT, NOTHING = X[:, :, :0], np.ones(0), []


def opens(x):
    with torch.no_grad:
        return x


def loops(x):
    return [x for _ in WIDTH]


def reads_an_entry(x):
    for group in GROUPS:
        group.lr = 0.1


# As in another cell: the error ends in a file that is not this one's.
OTHER = {}
CELL = """
N = 0.5
def calls(x):
    N(x)
def one(a):
    return a
def two(x):
    one()
"""
exec(compile(CELL, "<other>", "exec"), OTHER)
CALLS_A_NUMBER, CALLS_WRONGLY = OTHER["calls"], OTHER["two"]
WIDTH, GROUPS, NUMBER, METHODS = 3, [{"lr": 0.5}], 0.5, [X.sum]
_secretly, OPTIONS = 0, {"a": 1}


def nothing():
    return 0


def by_name(x, *, mask=None):
    return mask.unsqueeze(0)


def shadows(x):
    Y = x[0]
    return x @ Y


def joins(x):
    a, b, c, d, e = x, x[:, :2], x, x, x
    return torch.cat([a, b, c, d, e], dim=-1)


def too_few(x):
    a, b, c, d = x.shape


def calls_a_helper(x):
    def helper(a):
        return a

    return helper(x, x)


def writes_too_early(x):
    y = P.exp()
    y.add_(1.0)
    y.sum().backward()


def asks_an_array(x):
    if A > 0:
        return x


def masks(x, mask=None):
    return mask.unsqueeze(0)


def local(x):
    y = y + x
    return y


def unpacks(x):
    b, n = x.shape
    return b


# The name of the student's function is `line`; its input is `x`, X above.
@pytest.mark.parametrize(
    ("line", "says"),
    [
        # names
        (lambda x: F.relu(x), "`from torch.nn import functional as F`"),
        (lambda x: x.masked_fill(MANY, PAD), "special_tokens import PAD`"),
        (lambda x: reference.softmax(x), "import numpy_reference as"),
        (lambda x: torch.sqrt(LINAER(x)), "Did you mean `LINEAR`?"),
        (lambda x: zzqx(x), "No cell that ran has defined `zzqx`."),
        (local, "read before it has one"),
        (lambda x: math.sqr(4.0), "Did you mean `sqrt`?"),
        (lambda x: np.maximun(A, A), "Did you mean `np.maximum`?"),
        (lambda x: torch.pad(x, (1, 1)), "Did you mean `F.pad`?"),
        # shapes
        (lambda x: x @ Y, "the last axis of A (4) must be as long as the last "
         "but one of B (5). Here `x` has the shape (2, 3, 4), `Y` has the "
         "shape (5, 6)."),
        (lambda x: x @ x, "last axis of A (4) must be as long as the last but "
         "one of B (3)"),
        (lambda x: A @ A, "of A (4) must be as long as the last but one of B "
         "(3). Here `A` has the shape (3, 4)."),
        (lambda x: np.dot(A, A), "of A (4) must be as long as the last but "),
        (lambda x: nn.Linear(3, 2).double()(x), "this `nn.Linear` takes 3"),
        (lambda x: x + Y, "On axis 2 one has the length 4 and the other 6"),
        (lambda x: A + np.ones(3), "axis 1 one has the length 4 and"),
        (lambda x: np.ones((3, 1)) + np.ones((2, 5)), "On axis 0 one has the "
         "length 3 and the other 2"),
        (lambda x: torch.bmm(x, torch.ones(5, 4, 6).double()), "On axis 0 one "
         "has the length 2 and the other 5"),
        (KEEPS.adds, "`self.weight` has the shape (3,)"),
        (KEEPS.adds_a_row, "`self.table` has the shape (7,)"),
        (shadows, "`Y` has the shape (3, 4)"),
        (lambda x: Dropout(x), "the last axis of A (4) must be as long as"),
        (lambda x: ("éö", x @ Y, P)[1], "`Y` has the shape (5, 6)."),
        (lambda x: x.view(5, 5), "A shape (5, 5) holds 25 numbers, and the "
         "tensor has 24"),
        (lambda x: x.view(5, -1), "hold 5 numbers, and the tensor has 24, "
         "which is no multiple"),
        (lambda x: A.reshape(5, 5), "(5, 5) holds 25 numbers, and the array "
         "has 12"),
        (lambda x: A.reshape(5, -1), "hold 5 numbers, and the array has 12, "
         "which is no multiple"),
        (lambda x: x.transpose(0, 1).view(6, 4), "`reshape` copies them"),
        (lambda x: torch.cat([x, Y]), "one has 3, the other 2"),
        (lambda x: torch.cat([x, x[:, :2]], dim=-1), "on every other axis"),
        (lambda x: np.concatenate([A, np.ones((2, 2))]), "on every other axis"),
        (lambda x: torch.stack([x, Y]), "tensors of one shape"),
        (lambda x: x.expand(2, 3, 5), "a length of 4 cannot become 5"),
        (lambda x: nn.LayerNorm(8).double()(x), "made for 8 features, and the "
         "last axis has 4"),
        (unpacks, "2 names stand before the `=`, and more values come. Here "
         "`x` has"),
        (too_few, "4 names stand before the `=`, and 3 values come."),
        (lambda x: x.gather(1, IDS), "`index.unsqueeze(-1)`"),
        (lambda x: x.permute(0, 1), "there are 3, and 2 came"),
        (lambda x: torch.einsum("ij,jk->ik", x, x), "operand 0, counted from "
         "0, has 3 axes and 2 letters"),
        (lambda x: G.cross_entropy(x[0], IDS[:2]), "There are 3 rows of "
         "scores and 2 targets"),
        (lambda x: G.cross_entropy(x, torch.zeros(2, 3).long()), "targets of "
         "shape (2, 4); they have (2, 3)"),
        # axes and indices
        (lambda x: x.softmax(dim=3), "no axis 3: this line may name 0 to 2, or "
         "from the end -1 to -3. Here `x`"),
        (lambda x: x.sum().softmax(dim=3), "There is no axis 3. Here `x`"),
        (lambda x: A.sum(axis=5), "There is no axis 5: the array has 2"),
        (lambda x: x[0, 5], "Axis 1 has 3 entries"),
        (lambda x: x[0, 0, 0, 0], "than there are axes"),
        (lambda x: A[0, 0, 0], "than there are axes"),
        (lambda x: nn.Embedding(2, 3)(IDS), "of n rows the first is 0"),
        # types
        (lambda x: x @ torch.ones(4, 4), "Two kinds of numbers meet"),
        (lambda x: nn.Linear(4, 4)(x), "does not know, since it stands in a "
         "plain list or is made in `forward`. Here `x` has the dtype "
         "torch.float64."),
        (lambda x: nn.Embedding(9, 3)(x), "these are decimals"),
        (lambda x: x.masked_fill(x, 0.0), "stand in the order"),
        (lambda x: IDS.softmax(dim=0), "not made for whole numbers"),
        (lambda x: IDS.int().softmax(dim=0), "not made for whole numbers"),
        (lambda x: IDS.mean(), "not made for whole numbers"),
        (lambda x: G.cross_entropy(x[0], IDS.int()), "`targets.long()`"),
        (lambda x: torch.where(IDS, x, x), "a comparison such as `mask == 0`"),
        (lambda x: ~x, "turns True and False around"),
        # gradients and devices
        (lambda x: P.add_(1.0), "as in `x = x + y`"),
        (lambda x: P.view(3).add_(1.0), "as in `x = x + y`"),
        (writes_too_early, "as in `x = x + y`"),
        (lambda x: np.sqrt(P), "NumPy cannot follow gradients"),
        (lambda x: x.sum().backward(), "cut the connection"),
        (lambda x: x.to("meta") + x, "Two devices meet"),
        (lambda x: np.sqrt(x.to("meta")), "NumPy works on the processor"),
        # inputs and attributes
        (lambda x: x if not MANY else 0, "`is not None`"),
        (asks_an_array, "`is not None`"),
        (lambda x: math.sqrt(x), "`math.sqrt` wants one number, and here are "
         "many"),
        (lambda x: math.sqrt(A), "`math.sqrt` wants one number"),
        (lambda x: range(IDS), "One number is wanted here"),
        (lambda x: torch.cat(x, x), "`torch.cat([a, b], dim=-1)`"),
        (lambda x: x.transpose(1), "needs both, as in `x.transpose(-2, -1)`"),
        (lambda x: torch.softmax(x), "also needs `dim`"),
        (lambda x: torch.softmax(x, x), "`dim` of `softmax` has to be of the "
         "type int; here it is of the type Tensor"),
        (lambda x: x.softmax(dim=x), "`dim` of `softmax` has to be of the "
         "type int"),
        (lambda x: x.index_select(0), "`index_select` also needs `index`."),
        (lambda x: x.swapaxes(1), "as in `x.swapaxes(-2, -1)`"),
        (lambda x: torch.sqrt(2), "here comes a number"),
        (lambda x: torch.sqrt(2.5), "here comes a number"),
        (lambda x: torch.sqrt((x, x)), "A tuple stands where a tensor"),
        (lambda x: torch.exp(A), "here comes a NumPy array"),
        (lambda x: x.sum(dimension=1), "`sum` gets (dimension=int), and takes"),
        (lambda x: KEEPS(x), "`KEEPS` takes `query`, `key`, `mask`."),
        (lambda x: nothing(x), "`nothing` takes no inputs."),
        (lambda x: KEEPS.adds(x, x), "`KEEPS.adds` takes `x`. Of a method, "
         "Python counts `self`, too."),
        (lambda x: LINEAR(nn.ReLU(x)), "`nn.ReLU(...)` makes a module and "
         "computes nothing yet. The function is `torch.relu(x)`."),
        (lambda x: nn.ReLU(x) @ x, "The function is `torch.relu(x)`."),
        (lambda x: nn.Softmax(x).shape, "`torch.softmax(x, dim=-1)`"),
        (lambda x: nn.ReLU(x), "The function is `torch.relu(x)`."),
        (lambda x: nn.Dropout(x), "call what you made"),
        (lambda x: nn.LayerNorm(x), "call what you made"),
        (lambda x: LINEAR(LSTM(x)), "as `nn.LSTM`, `nn.MultiheadAttention`"),
        (lambda x: LSTM(x) + x, "take the one that you need"),
        (lambda x: LSTM(x).shape, "take the one that you need"),
        (lambda x: (1, 2) / x, "take the one that you need"),
        (lambda x: LSTM(x).softmax(-1), "take the one that you need"),
        (lambda x: [x, x].shape, "`torch.stack` joins"),
        (masks, "`mask` is None here. It is an input that may be left out"),
        (by_name, "`mask` is None here. It is an input that may be left out"),
        (lambda x: x.T(), "that is a Tensor"),
        (lambda x: x.size[0], "`x.size` without brackets"),
        (lambda x: x.mean.sqrt(), "`x.mean` without brackets"),
        (lambda x: METHODS[0].sqrt(), "this method is not "
         "called"),
        # a class and its methods
        (lambda x: Slips(4, 0.1, 4, 9), "`Slips` takes `d_model`, `dropout`, "
         "`width`. Of a method"),
        (lambda x: NoInit(4), "Your class has `_init_`, an ordinary method, "
         "and no `__init__`: Python calls the one with two underscores"),
        (lambda x: NoSuper(LINEAR), "has to be `super().__init__()`"),
        (lambda x: NoSuper(P), "has to be `super().__init__()`"),
        (SLIPS.of_init, "It is an input of `__init__`: keep it there, "
         "`self.d_model = d_model`, and write `self.d_model` here."),
        (SLIPS.kept, "Your module keeps it: write `self.inner` here."),
        (SLIPS.method, "a method of your class: `self.forward(...)`"),
        (SLIPS.of_another, "an input of `forward`; this method, `of_another`, "
         "has `self`, `x`."),
        (SLIPS.unkept, "kept as `width` in this module. It is an input of "
         "`__init__`: keep it there, `self.width = width`."),
        (SLIPS.number, "`self.dropout` is the number 0.1. A layer is made in "
         "`__init__`, by `nn.Dropout(...)`."),
        (SLIPS.keeps_a_class, "`self.norm` is the class `Identity` itself"),
        (PLAIN.local, "kept as `total` in this object. In `__init__` it is a "
         "variable, which is gone when `__init__` ends: `self.` has to stand "
         "before it, `self.total = ...`."),
        (PLAIN.without_self, "In `__init__` it is a variable, which is gone "
         "when `__init__` ends: `self.total = ...` there, and `self.total` "
         "here."),
        (LOCAL_LAYER.forward, "kept as `inner` in this module. In `__init__` "
         "it is a variable"),
        (PLAIN.typo, "in this object. Did you mean `running_mena`?"),
        (PLAIN.of_init, "keep it there, `self.rate = rate`."),
        (PLAIN.of_another, "`reset` keeps it, and has not done so by now."),
        (PLAIN.too_early, "`too_early` keeps it, but not before this line"),
        (PLAIN.misspelled, "Did you mean `running_mena`?"),
        # nothing to work with
        (lambda x: FLAT.max(), "no largest, no smallest and no first one. A "
         "slice `x[:i]` ends before entry i, so it is empty where i is 0. "
         "Here `FLAT` has the shape (0,)."),
        (lambda x: EMPTY.amax(-1), "Here `EMPTY` has the shape (2, 3, 0)."),
        (lambda x: EMPTY.max(), "`EMPTY` has the shape"),
        (lambda x: np.min(FLAT), "`FLAT` has the shape"),
        (lambda x: FLAT.argmax(), "`FLAT` has the shape"),
        (lambda x: EMPTY.argmin(-1), "`EMPTY` has the shape"),
        (lambda x: max(NOTHING), "`NOTHING` is empty"),
        (lambda x: min(FLAT), "`FLAT` has the shape"),
        (lambda x: x[:, :0].max(), "it is empty where i is 0"),
        (lambda x: FLAT[0], "no first one. A"),
        (lambda x: EMPTY[0, 0, -1], "`EMPTY` has the shape"),
        (lambda x: NOTHING.pop(), "`NOTHING` is empty"),
        (lambda x: torch.stack(NOTHING), "to be joined is empty. Here "
         "`NOTHING` is empty."),
        (lambda x: torch.cat([]), "to be joined is empty"),
        (lambda x: np.concatenate(NOTHING), "to be joined is empty"),
        (lambda x: A[np.ones(2)], "as `x.astype(int)` makes them"),
        # what stands without its brackets
        (opens, "`torch.no_grad` without brackets names it and does not run"),
        (lambda x: list(LINEAR.parameters), "`LINEAR.parameters` without "
         "brackets names it and does not run it: `LINEAR.parameters(...)`"),
        (lambda x: x + x.sum, "`x.sum` without brackets"),
        (lambda x: x.sum > 1, "`x.sum` without brackets"),
        (lambda x: len(x.size), "`x.size` without brackets"),
        (lambda x: LINEAR(nn.Identity), "`nn.Identity` without brackets"),
        (lambda x: nn.Identity.forward(LINEAR, x) + nn.ReLU,
         "`nn.ReLU` without brackets"),
        (lambda x: x.sum + x.mean, "This method is not called"),
        (lambda x: math.sqrt(x.mean), "`x.mean` without brackets"),
        # names of other libraries and of other kinds
        (lambda x: nn.Dense(4), "In PyTorch it is `nn.Linear`."),
        (lambda x: torch.ReLU(x), "Did you mean `torch.relu`?"),
        (lambda x: torch.one_hot(IDS), "Did you mean `F.one_hot`?"),
        (lambda x: G.Relu(x), "Did you mean `F.relu`?"),
        (lambda x: x.append(x), "`torch.cat` joins several to a new one"),
        (lambda x: x.astype(float), "a tensor has `x.to(dtype)`"),
        (lambda x: x.copy(), "a tensor has `x.clone()`"),
        (lambda x: x.max(-1).sqrt(), "`max` with an axis returns two things"),
        (lambda x: x.min(-1).sqrt(), "`min` with an axis returns two things"),
        (lambda x: LINEAR(x.max(-1)), "take `.values` or `.indices`"),
        (loops, "`WIDTH` is the number 3, and a loop wants what it can go "
         "through: `range(WIDTH)`."),
        (reads_an_entry, '`group` is a dictionary: `group["lr"]`.'),
        (lambda x: NUMBER(x), "`NUMBER` is the number 0.5."),
        (lambda x: x(0), "Square brackets take an entry of it: `x[...]`."),
        (lambda x: torch.tensor([x, x]), "`torch.stack` joins tensors of one "
         "shape and keeps their gradient"),
        (lambda x: MANY[0, 0].softmax(0), "here are True and False"),
        (lambda x: LINEAR(MANY), "A tensor of True and False, as a mask is "
         "one, meets numbers; this operation wants numbers alone."),
        (lambda x: x @ torch.ones(4, 4).long(), "Whole numbers meet decimals"),
        (lambda x: x @ torch.ones(4, 4).int(), "Whole numbers meet decimals"),
        (KEEPS.scales, "`wieght` in this module. Did you mean `weight`"),
        (lambda x: x.reshpae(6, 4), "Did you mean `reshape`?"),
        (lambda x: softmax(x), "PyTorch's is `torch.softmax`"),
        (lambda x: torch.tri(3), "it is `torch.ones(n, n).tril()`"),
        (
            lambda x: np.ones((2, 3)) + np.ones((5, 6)),
            "On axis 1 one has the length 3 and the other 6",
        ),
        (lambda x: torch.sofmax(x, dim=-1), "Did you mean `torch.softmax`?"),
    ],
)  # fmt: skip
def test_the_error_is_told_with_its_cause(line, says):
    answer = guard.call(line, (X,), ("x",))
    assert says.lower() in answer.cause.lower(), (answer.text, answer.cause)


@pytest.mark.parametrize(
    "line",
    [
        lambda x: {}["key"],
        lambda x: 1 / 0,
        lambda x: (1, 2).append(3),
        lambda x: [1] / 2,
        lambda x: int("seven"),
        lambda x: None + 1,
        lambda x: (_ for _ in ()).throw(ValueError("shape, axis, Double")),
        lambda x: iter(x.shape).shape_of,
        lambda x: nn.Zzqx(x),
        lambda x: torch.sqrt(x).zzqx,
        lambda x: {"a": 1}.lr,
        lambda x: OPTIONS.lr,
        lambda x: (lambda: x).sqrt(),
    ],
)
def test_of_what_is_not_certain_nothing_is_said(line):
    answer = guard.call(line, (X,), ("x",))
    assert answer.kind == "raised" and answer.cause == ""


@pytest.mark.parametrize(
    ("line", "never"),
    [
        (PLAIN.under_a_condition, "keeps it"),
        (PLAIN.local, "Did you mean"),
        (SLIPS.not_like_every_module, "Did you mean"),
        (lambda x: torch.cat([x, Y]), "unsqueeze"),
        (lambda x: LINEAR(MANY), "32 bits"),
        (lambda x: Slips(), "`self`, `d_model`"),
        (lambda x: NoInitAtAll(4), "init_weights"),
        (lambda x: nothing(x, x), "`self`"),
        (calls_a_helper, "`self`"),
        (lambda x: PassesOn(4), "ordinary method"),
        (lambda x: PLAIN(x), "Square brackets"),
        (lambda x: CALLS_WRONGLY(x), "takes"),
        (PLAIN.of_its_input, "kept as"),
        (lambda x: Dropout(x), "nn.Dropout"),
        (lambda x: P.astype(int), "nn.Parameter"),
        (PLAIN.of_two, "keeps it"),
        (PLAIN.of_another_object, "keeps it"),
        (lambda x: secretly(x), "Did you mean"),
        (lambda x: ("éö", x @ Y, P)[1], "`P`"),
        (joins, "`e`"),
        (lambda x: masks(x, nn.Linear), "takes"),
        (lambda x: torch.tensor([x, x]), "`math`"),
        (lambda x: CALLS_A_NUMBER(x), "CALLS_A_NUMBER"),
    ],
)
def test_what_is_not_true_of_the_line_is_not_said(line, never):
    answer = guard.call(line, (X,), ("x",))
    assert answer.kind == "raised" and never not in answer.cause, answer.cause


@pytest.mark.parametrize("name", names.IMPORTS)
def test_the_line_that_is_offered_imports_the_name(name):
    made = {}
    exec(names.IMPORTS[name], made)
    assert name in made


@pytest.mark.parametrize("name", modules.FUNCTIONS)
def test_the_function_that_is_offered_does_what_the_module_does(name):
    kind = getattr(nn, name)
    module = kind(dim=-1) if "Softmax" in name else kind()
    said = eval(modules.FUNCTIONS[name], {"torch": torch, "F": G, "x": X - 5})
    assert torch.equal(said, module(X - 5))


class Touchy:
    """An object that answers no question about itself."""

    def __dir__(self):
        raise SystemExit

    def __getattr__(self, name):
        raise AttributeError(name)


def test_a_cause_that_cannot_be_found_ends_no_check():
    answer = guard.call(lambda x: Touchy().anything, (X,), ("x",))
    assert answer.error == "AttributeError"


def test_a_verdict_says_the_error_the_line_and_the_cause():
    def softmax(x, axis):
        e = np.exp(x)
        return e / e.sum(axis=axis + 7, keepdims=True)

    verdict = checks.softmax(softmax)
    assert verdict.message.startswith(
        "Your function stops with an error, in the line "
        "`return e / e.sum(axis=axis + 7, keepdims=True)`: AxisError:"
    )
    assert "There is no axis" in verdict.message
    assert "usual mistakes" not in verdict.message


def test_a_module_in_place_of_numbers_is_named():
    def softmax(x, axis):
        return nn.Softmax(axis)

    message = checks.softmax(softmax).message
    assert "returns a Softmax. `nn.Softmax(...)` makes a module" in message


def test_a_line_that_does_nothing_is_told_after_the_verdict():
    def train_step(model, batch, optimizer, lr):
        source, target_in, target_out = batch
        logits = model(source, target_in)
        loss = G.cross_entropy(logits.flatten(0, 1), target_out.flatten())
        loss.backward  # noqa: B018
        optimizer.step()
        return loss.item()

    said = "The line `loss.backward` does nothing: brackets are missing, "
    message = checks.build(train_step).message
    assert message.endswith(f"{said}`loss.backward()`.")

    def softmax(x, axis):
        x.real  # noqa: B018
        return x

    assert "does nothing" not in checks.softmax(softmax).message


def test_a_first_line_without_self_is_told_as_it_should_be():
    class FeedForward(nn.Module):
        def __init__(self, d_model, d_ff):
            super().__init__()

        def forward(x):
            return x

    message = checks.build(FeedForward).message
    assert message == "`self` is missing: `def forward(self, x)`."

    class FeedForward(nn.Module):
        def __init__(d_model, d_ff):
            super().__init__()

        def forward(self, x):
            return x

    message = checks.build(FeedForward).message
    assert message == "`self` is missing: `def __init__(self, d_model, d_ff)`."


def test_a_mask_among_numbers_is_not_told_as_numbers_of_two_types():
    class EncoderLayer(nn.Module):
        def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=0):
            super().__init__()
            self.linear = nn.Linear(d_model, d_model)

        def forward(self, x, mask=None):
            return self.linear(x > 0)

    verdict = checks.build(EncoderLayer)
    assert verdict.mistake is None
    assert "A tensor of True and False" in verdict.message
    assert "32 bits" not in verdict.message


@pytest.mark.parametrize(
    "name",
    ["EncoderLayer", "DecoderLayer", "Transformer",
     "scaled_dot_product_attention"],
)  # fmt: skip
def test_two_types_of_numbers_are_named_for_numbers_alone(name):
    known = [m for m in part(name).EXERCISE.mistakes if "32 bits" in m.message]
    (mistake,) = (m for m in known if "dtype" in m.raises)
    text = "RuntimeError: expected m1 and m2 to have the same dtype, but got: "
    assert re.match(mistake.raises, text + "double != float")
    assert not re.match(mistake.raises, text + "double != bool")
