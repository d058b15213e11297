"""Arrays that do not go together: their shapes, their axes, their types.

Each function gets what a pattern has found in the text of an error, and the
line that stopped; some get a sentence of the table before that.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from transformer_course.checks.errors.line import Line, is_array

__all__ = [
    "batched",
    "meet",
    "no_axis",
    "numpy_shapes",
    "product",
    "reshaped",
    "two_dtypes",
    "with_dtypes",
    "with_shapes",
    "with_the_empty",
]

_BOTH_DTYPES = (
    "Two kinds of numbers meet, and this operation wants one. A tensor that "
    "your code makes has 32 bits unless it is told otherwise, as in "
    "`torch.zeros(3, dtype=x.dtype)`; so has a layer that the module does "
    "not know, since it stands in a plain list or is made in `forward`."
)
_MASK_AND_NUMBERS = (
    "A tensor of True and False, as a mask is one, meets numbers; this "
    "operation wants numbers alone. Look whether the inputs stand in the "
    "order that the function wants."
)
_WHOLE_AND_DECIMALS = (
    "Whole numbers meet decimals, and this operation wants one kind: "
    "`a.to(b.dtype)` turns a into the kind of b."
)


def product(left: int, right: int, found: re.Match, line: Line) -> str:
    """A product of matrices whose inner axes differ."""
    sizes = f"({found[left]})", f"({found[right]})"
    return (
        f"In a product `A @ B` the last axis of A {sizes[0]} must be as long "
        f"as the last but one of B {sizes[1]}"
        f"{_linear(line.error, found[right])}.{line.arrays('shape')}"
    )


def _linear(error: BaseException, takes: str) -> str:
    """What B is, if the product is that of a linear layer."""
    step, last = error.__traceback__, ""
    while step is not None:
        last, step = step.tb_frame.f_code.co_filename, step.tb_next
    own = last.replace("\\", "/").endswith("torch/nn/modules/linear.py")
    return f"; this `nn.Linear` takes {takes} features" if own else ""


def batched(found: re.Match, line: Line) -> str:
    """A product of piles of matrices: the piles differ, or inner axes do."""
    wanted, came = found[1].split(", "), found[2].split(", ")
    if wanted[0] == came[0]:
        pair = re.match("(.*) (.*)", f"{wanted[1]} {came[1]}")
        return product(1, 2, pair, line)
    return meet(f"{wanted[0]}", f"{came[0]}", "0", line)


def meet(left: str, right: str, axis: str, line: Line) -> str:
    """Two shapes of which one is not spread to the other."""
    return (
        f"Shapes are compared from their last axis on. On axis {axis} one has "
        f"the length {left} and the other {right}; only equal lengths, or a "
        f"length of 1, go together.{line.arrays('shape')}"
    )


def numpy_shapes(found: re.Match, line: Line) -> str:
    """The same for NumPy, whose errors name no axis."""
    shapes = [
        [int(n) for n in text.split(",") if n] for text in found.group(1, 2)
    ]
    longest = max(map(len, shapes))
    pairs = zip(*([1] * (longest - len(s)) + s for s in shapes), strict=True)
    for axis, (left, right) in reversed(list(enumerate(pairs))):
        if left != right and 1 not in (left, right):
            return meet(str(left), str(right), str(axis), line)
    return ""


def reshaped(found: re.Match, line: Line) -> str:
    """A shape that holds more numbers, or fewer, than there are."""
    shape = found["shape"].replace("newaxis", "-1")  # as NumPy calls it
    sizes = [int(n) for n in re.findall(r"-?\d+", shape)]
    fills = int(np.prod([n for n in sizes if n >= 0]))
    holds = f"A shape {tuple(sizes)} holds {fills} numbers"
    if -1 in sizes:
        holds = f"The other axes of {tuple(sizes)} hold {fills} numbers"
    many = "" if -1 not in sizes else ", which is no multiple of that"
    what = "array" if "reshape array" in found[0] else "tensor"
    return (
        f"{holds}, and the {what} has {found['size']}{many}."
        f"{line.arrays('shape')}"
    )


def no_axis(found: re.Match, line: Line) -> str:
    """An axis that a tensor does not have."""
    lowest, highest, axis = (int(n) for n in found.groups())
    count = highest + 1
    axes = f"0 to {highest}" if highest > 0 else "0 alone"
    return (
        f"There is no axis {axis}: this line may name {axes}, or from the "
        f"end -1 to {-count}.{line.arrays('shape')}"
        if lowest < -1
        else f"There is no axis {axis}.{line.arrays('shape')}"
    )


def with_shapes(sentence: str, found: re.Match, line: Line) -> str:
    """A sentence, with groups of the pattern in it, and the shapes."""
    return found.expand(sentence) + line.arrays("shape")


def with_dtypes(sentence: str, found: re.Match, line: Line) -> str:
    """A sentence, with groups of the pattern in it, and the dtypes."""
    return found.expand(sentence) + line.arrays("dtype")


def two_dtypes(found: re.Match, line: Line) -> str:
    """Two dtypes meet; the text of the error says which."""
    kinds = r"\b(bool|long|int|half|float|double)\d*\b"
    names = re.findall(kinds, found.string.lower())
    said = _BOTH_DTYPES
    if "bool" in names:
        said = _MASK_AND_NUMBERS
    elif {"long", "int"} & set(names):
        said = _WHOLE_AND_DECIMALS
    return said + line.arrays("dtype")


def with_the_empty(sentence: str, found: re.Match, line: Line) -> str:
    """A sentence, and what is empty in the line."""

    def say(name: str, value: Any) -> str:
        if isinstance(value, list | tuple | str | dict) and not value:
            return f"`{name}` is empty"
        if is_array(value) and 0 in value.shape:
            return f"`{name}` has the shape {tuple(value.shape)}"
        return ""

    return sentence + line.here(say)
