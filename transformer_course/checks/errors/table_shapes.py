"""The known errors about shapes, axes and indices."""

from __future__ import annotations

from functools import partial

from transformer_course.checks.errors.arrays import (
    batched,
    meet,
    no_axis,
    numpy_shapes,
    product,
    reshaped,
    with_shapes,
    with_the_empty,
)
from transformer_course.checks.errors.line import Known

__all__ = ["SHAPES"]

_NO_LARGEST = (
    "What has no entries has no largest, no smallest and no first one. A "
    "slice `x[:i]` ends before entry i, so it is empty where i is 0."
)
_NOTHING_TO_JOIN = "The list of what is to be joined is empty."
_ROWS = (
    "A number that picks a row is negative or too large: of n rows the first "
    "is 0 and the last n - 1."
)
SHAPES: tuple[Known, ...] = (
    # shapes
    (
        r"shapes cannot be multiplied \(\d+x(\d+) and (\d+)x",
        partial(product, 1, 2),
    ),
    (r"batch2 tensor to be: \[(\d+, \d+)\] but got: \[(\d+, \d+)\]", batched),
    (
        r"Input operand 1 has a mismatch.*size (\d+) is different from (\d+)",
        partial(product, 2, 1),
    ),
    (r"not aligned: (\d+) \(dim \d+\) != (\d+)", partial(product, 1, 2)),
    (
        r"size of tensor a \((\d+)\) must match.*tensor b \((\d+)\).*"
        r"dimension (\d+)",
        lambda found, line: meet(found[1], found[2], found[3], line),
    ),
    (
        r"broadcast together with (?:remapped )?shapes "
        r"\(([\d,]+)\) \(([\d,]+)\)",
        numpy_shapes,
    ),
    (
        r"expanded size of the tensor \((\d+)\) must match the existing size "
        r"\((\d+)\).*dimension (\d+)",
        partial(
            with_shapes,
            r"On axis \3 a length of \2 cannot become \1; only a length of 1 "
            "can be spread.",
        ),
    ),
    (
        r"shape '(?P<shape>[^']*)' is invalid for input of size (?P<size>\d+)",
        reshaped,
    ),
    (
        r"cannot reshape array of size (?P<size>\d+) into shape (?P<shape>.*)",
        reshaped,
    ),
    (
        r"view size is not compatible",
        "`view` wants the numbers in memory in the order of the axes, which "
        "`transpose` and `permute` change. `reshape` copies them where that "
        "is needed.",
    ),
    (
        r"Sizes of tensors must match except in dimension",
        partial(
            with_shapes,
            "Tensors are joined along one axis, `dim`, and on every other "
            "axis they must have the same length; here they do not.",
        ),
    ),
    (
        r"except for the concatenation axis must match exactly",
        partial(
            with_shapes,
            "Arrays are joined along one axis, `axis`, and on every other "
            "axis they must have the same length; here they do not.",
        ),
    ),
    (
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        partial(
            with_shapes,
            r"Tensors that are joined must have the same number of axes; one "
            r"has \1, the other \2.",
        ),
    ),
    (
        r"stack expects each tensor to be equal size",
        partial(with_shapes, "`stack` wants tensors of one shape."),
    ),
    (
        r"normalized_shape=\[(\d+)\], expected .* got input of size\[(?:\d+, )*"
        r"(\d+)\]",
        partial(
            with_shapes,
            r"This norm was made for \1 features, and the last axis has \2.",
        ),
    ),
    (
        r"not enough values to unpack \(expected (\d+), got (\d+)\)",
        partial(
            with_shapes,
            r"\1 names stand before the `=`, and \2 values come.",
        ),
    ),
    (
        r"too many values to unpack \(expected (\d+)",
        partial(
            with_shapes,
            r"\1 names stand before the `=`, and more values come.",
        ),
    ),
    (
        r"[Ii]ndex tensor must have the same number of dimensions as",
        partial(
            with_shapes,
            "The index must have as many axes as the tensor that it reads; "
            "`index.unsqueeze(-1)` adds one at the end.",
        ),
    ),
    (
        r"length of the desired ordering of dimensions.*= (\d+) is not equal "
        r"to len\(dims\) = (\d+)",
        partial(
            with_shapes,
            r"`permute` wants every axis once; there are \1, and \2 came.",
        ),
    ),
    (
        r"number of subscripts in the equation \((\d+)\) does not match the "
        r"number of dimensions \((\d+)\) for operand (\d+)",
        partial(
            with_shapes,
            r"`einsum` wants a letter for each axis: operand \3, counted from "
            r"0, has \2 axes and \1 letters.",
        ),
    ),
    (
        r"Expected input batch_size \((\d+)\) to match target batch_size "
        r"\((\d+)\)",
        partial(
            with_shapes,
            r"There are \1 rows of scores and \2 targets; each row needs one.",
        ),
    ),
    (
        r"Expected target size \[([\d, ]+)\], got \[([\d, ]+)\]",
        partial(
            with_shapes,
            r"`cross_entropy` takes the classes from axis 1, so it wants "
            r"targets of shape (\1); they have (\2). Flatten both: scores "
            "(rows, classes), targets (rows,).",
        ),
    ),
    # axes and indices
    (
        r"expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)",
        no_axis,
    ),
    (
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        partial(
            with_shapes,
            r"There is no axis \1: the array has \2, counted from 0.",
        ),
    ),
    (
        r"zero-size array to reduction|argm\w+ of an empty sequence|"
        r"m(?:ax|in)\(\) (?:arg|iterable argument) is an? ?empty|"
        r"reduction dim (?:-?\d+ )?to (?:have non-zero size|be specified for "
        r"input.numel\(\) == 0)|over an empty dimension|of empty iterable|"
        r"input tensor must be non-empty|out of bounds for \w+ \d+ with size 0|"
        r"pop from empty",
        partial(with_the_empty, _NO_LARGEST),
    ),
    (
        r"non-empty (?:TensorList|list of Tensors)|need at least one array to",
        partial(with_the_empty, _NOTHING_TO_JOIN),
    ),
    (
        r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with "
        r"size (\d+)",
        partial(
            with_shapes,
            r"Axis \2 has \3 entries, counted from 0; there is no entry \1.",
        ),
    ),
    (
        r"too many indices for (?:tensor|array)",
        partial(
            with_shapes,
            "More places are named in the brackets than there are axes.",
        ),
    ),
    (r"index out of range in self", _ROWS),
)
