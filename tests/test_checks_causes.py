"""What an error means: true for the error and the line, and silent else."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as G

from transformer_lib.course import checks
from transformer_lib.course.checks.engine import guard

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

    def forward(self, query, key, mask=None):
        return query + key

    def adds(self, x):
        return x + self.weight

    def scales(self, x):
        return x * self.wieght


KEEPS = Keeps()


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
        (KEEPS.adds, "`self.weight` has the shape (3,)"),
        (lambda x: x.view(5, 5), "A shape (5, 5) holds 25 numbers, and the "
         "tensor has 24"),
        (lambda x: x.view(5, -1), "hold 5 numbers, and the tensor has 24, "
         "which is no multiple"),
        (lambda x: A.reshape(5, 5), "(5, 5) holds 25 numbers, and the tensor "
         "has 12"),
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
        (lambda x: x.gather(1, IDS), "`index.unsqueeze(-1)`"),
        (lambda x: x.permute(0, 1), "there are 3, and 2 came"),
        (lambda x: torch.einsum("ij,jk->ik", x, x), "operand 0, counted from "
         "0, has 3 axes and 2 letters"),
        (lambda x: G.cross_entropy(x, torch.zeros(2, 3).long()), "targets of "
         "shape (2, 4); they have (2, 3)"),
        # axes and indices
        (lambda x: x.softmax(dim=3), "no axis 3: this line may name 0 to 2, or "
         "from the end -1 to -3. Here `x`"),
        (lambda x: A.sum(axis=2), "There is no axis 2: the array has 2"),
        (lambda x: x[0, 5], "Axis 1 has 3 entries"),
        (lambda x: x[0, 0, 0, 0], "than there are axes"),
        (lambda x: nn.Embedding(2, 3)(IDS), "of n rows the first is 0"),
        # types
        (lambda x: x @ torch.ones(4, 4), "Two kinds of numbers meet"),
        (lambda x: nn.Linear(4, 4)(x), "does not know, since it stands in a "
         "plain list or is made in `forward`. Here `x` has the dtype "
         "torch.float64."),
        (lambda x: nn.Embedding(9, 3)(x), "these are decimals"),
        (lambda x: x.masked_fill(x, 0.0), "stand in the order"),
        (lambda x: IDS.softmax(dim=0), "not made for whole numbers"),
        (lambda x: IDS.mean(), "not made for whole numbers"),
        (lambda x: ~x, "turns True and False around"),
        # gradients and devices
        (lambda x: P.add_(1.0), "as in `x = x + y`"),
        (lambda x: P.view(3).add_(1.0), "as in `x = x + y`"),
        (lambda x: np.sqrt(P), "NumPy cannot follow gradients"),
        (lambda x: x.sum().backward(), "cut the connection"),
        (lambda x: x.to("meta") + x, "Two devices meet"),
        (lambda x: np.sqrt(x.to("meta")), "NumPy works on the processor"),
        # inputs and attributes
        (lambda x: x if not MANY else 0, "`is not None`"),
        (lambda x: math.sqrt(x), "want one number, and here are many"),
        (lambda x: torch.cat(x, x), "`torch.cat([a, b], dim=-1)`"),
        (lambda x: x.transpose(1), "needs both, as in `x.transpose(-2, -1)`"),
        (lambda x: torch.softmax(x), "also needs `dim`"),
        (lambda x: torch.softmax(x, x), "`dim` of `softmax` has to be of the "
         "type int; here it is of the type Tensor"),
        (lambda x: torch.sqrt(2), "here comes a number"),
        (lambda x: torch.exp(A), "here comes a NumPy array"),
        (lambda x: x.sum(dimension=1), "`sum` gets (dimension=int), and takes"),
        (lambda x: KEEPS(x), "`KEEPS` takes `query`, `key`, `mask`."),
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
        (lambda x: [x, x].shape, "`torch.stack` joins"),
        (masks, "`mask` is None here. It is an input that may be left out"),
        (lambda x: x.T(), "that is a Tensor"),
        (lambda x: x.size[0], "a method stands here that is not called"),
        (lambda x: x.mean.sqrt(), "a method stands here that is not called"),
        (KEEPS.scales, "`wieght` in this module. Did you mean `weight`"),
        (lambda x: x.reshpae(6, 4), "Did you mean `reshape`?"),
        (lambda x: torch.sofmax(x, dim=-1), "Did you mean `softmax`?"),
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
    ],
)
def test_of_what_is_not_certain_nothing_is_said(line):
    answer = guard.call(line, (X,), ("x",))
    assert answer.kind == "raised" and answer.cause == ""


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
