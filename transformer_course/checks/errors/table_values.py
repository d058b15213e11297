"""The known errors about types, gradients, devices and inputs."""

from __future__ import annotations

from functools import partial

from transformer_course.checks.errors.arrays import two_dtypes, with_dtypes
from transformer_course.checks.errors.calls import (
    arguments,
    missing_of_torch,
    one_number,
    wrong_input,
)
from transformer_course.checks.errors.kinds import (
    ROUTINES,
    TUPLE,
    count_to,
    is_none,
    not_a_function,
    not_run,
    of_kind,
    operands,
)
from transformer_course.checks.errors.line import Known

__all__ = ["VALUES"]

_WHOLE = (
    "This operation is not made for whole numbers: turn them into decimals "
    "first, `x.double()`."
)
_DECIMALS = (
    "Numbers that pick a row or an entry have to be whole, as `x.long()` "
    "makes them; these are decimals."
)
_TRUE_AND_FALSE = (
    "This operation is made for numbers, and here are True and False, as in "
    "a mask."
)
_IN_PLACE = (
    "`+=`, `x[...] = ...` and methods whose name ends in `_` write into a "
    "tensor that is still needed as it was, for its gradient. Write the "
    "result into a new one, as in `x = x + y`."
)
_DEVICES = (
    "Two devices meet. A tensor that your code makes lies on the processor "
    "unless it is told otherwise, as in `torch.zeros(3, device=x.device)`."
)
_TRUTH = (
    "`if`, `and`, `or` and `not` want one True or False, and here are many. "
    "Entry by entry it is `&`, `|`, `~` and `torch.where`; whether something "
    "was handed over asks `is not None`."
)
_RUN = "|".join(ROUTINES)
VALUES: tuple[Known, ...] = (
    # types
    (
        r"same dtype|must share same datatype|expected scalar type \w+ but "
        r"found|does not match weight dtype",
        two_dtypes,
    ),
    (
        r"^arrays used as indices must be",
        partial(with_dtypes, _DECIMALS.replace("x.long()", "x.astype(int)")),
    ),
    (
        r"argument #1 'indices'|used as indices must be|Expected dtype "
        r"int32/int64|Expected dtype int64|only applicable to index tensor",
        partial(with_dtypes, _DECIMALS),
    ),
    (
        r"target dtype to be Long",
        partial(with_dtypes, "The targets are ids: `targets.long()`."),
    ),
    (
        r"only supports boolean masks|condition to be a boolean tensor",
        partial(
            with_dtypes,
            "What says which entries are meant has to be True or False, and "
            "here are numbers. Look whether the inputs stand in the order "
            "that the function wants; a comparison such as `mask == 0` makes "
            "True and False.",
        ),
    ),
    (
        r"not implemented for '(Long|Int)'|could not infer output dtype",
        partial(with_dtypes, _WHOLE),
    ),
    (r"not implemented for 'Bool'", partial(with_dtypes, _TRUE_AND_FALSE)),
    (
        r"`~`|operator.invert\) is only implemented",
        partial(
            with_dtypes,
            "`~` turns True and False around: `~mask`, with a mask "
            "that holds True and False.",
        ),
    ),
    # gradients
    (
        r"leaf Variable that requires grad|modified by an inplace operation",
        _IN_PLACE,
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients. torch has the same functions: "
        "`torch.sqrt`, `torch.exp`, `torch.maximum`.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "No weight and no input that learns is connected with the result. "
        "`.detach()`, `.item()`, `.numpy()`, `torch.tensor(...)` and "
        "`torch.no_grad()` cut the connection.",
    ),
    (
        r"device (?:type )?tensor to numpy",
        "NumPy works on the processor alone, and this tensor lies on another "
        "device. torch has the same functions.",
    ),
    (r"same device|expected device|two devices meet", _DEVICES),
    # the inputs of a function
    (
        r"torch\.return_types\.(max|min|sort|topk|median|mode|cummax|cummin)",
        r"`\1` with an axis returns two things, the values and their places: "
        "take `.values` or `.indices`.",
    ),
    (rf"'({_RUN})' object (?:is not [^c]|does not support)", not_run),
    (rf"type '({_RUN})' has no len|between .*'({_RUN})'", not_run),
    (rf"must be .* not '?({_RUN})'?$", not_run),
    (r"truth value of an array|Boolean value of Tensor with more", _TRUTH),
    (
        r"only one element tensors|only 0-dimensional arrays|only "
        r"(?:length-1|size-1) arrays|integer tensors of a single element",
        lambda found, line: one_number(found, line) + line.arrays("shape"),
    ),
    (
        r"(\w+)\(\): argument '(\w+)' (?:\(position \d+\) )?must be "
        r"([\w ]+), (?:not|but found element of type) ([\w.]+)",
        wrong_input,
    ),
    (
        r"(\w+)\(\) missing \d+ required positional arguments: \"(\w+)\"",
        missing_of_torch,
    ),
    (
        r"([\w.<>]+)\(\) (?:missing \d+ required|takes .* positional "
        r"arguments? but|got an unexpected keyword|got multiple values)"
        r".*",
        arguments,
    ),
    (
        r"(\w+)\(\) received an invalid combination of arguments - got "
        r"\((.*?),? ?\), but expected (?:one of:)?\s*\*? ?\((.*?)\)\n",
        lambda found, line: (
            f"`{found[1]}` gets ({found[2]}), and takes, for "
            f"example, ({found[3]})."
        ),
    ),
    (
        r"unsupported operand type\(s\) for .*: '([\w.]+)' and '([\w.]+)'",
        operands,
    ),
    (r"can only concatenate (tuple) \(not \"Tensor\"\)", TUPLE),
    (r"'([\w.]+)' object is not callable", not_a_function),
    (r"'(NoneType)' object", is_none),
    (r"'int' object is not iterable", count_to),
    (r"'([\w.]+)' object has no attribute '(\w+)'$", of_kind),
    (
        r"assign (?:module|parameter)s? before Module.__init__",
        "The first line of `__init__` has to be `super().__init__()`.",
    ),
)
