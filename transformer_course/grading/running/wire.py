"""Plain data as a line of JSON, between the grader and a student's process.

None of it can run code when it is read, which is why it is no pickle.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import numpy as np

__all__ = ["LONGEST", "Garbled", "from_line", "to_line"]

LONGEST = 16 * 2**20  # bytes of a line; a million numbers fit
_DTYPES = ("bool", "int64", "int32", "float64", "float32")
_KIND, _VALUE = "kind", "value"


class Garbled(ValueError):
    """A line that nobody wrote who keeps to this format."""


def to_line(value: Any) -> bytes:
    """Write a value as one line.

    Args:
        value: numbers, texts, None, `...`, arrays, and lists, tuples, sets
            and dicts of them.

    Returns:
        ASCII text with a newline at its end.

    Raises:
        TypeError: there is something else in it.
    """
    return json.dumps(_packed(value)).encode("ascii") + b"\n"


def from_line(line: bytes) -> Any:
    """Read a line that `to_line` has written, or that somebody has forged.

    Args:
        line: bytes from a process that is not trusted.

    Returns:
        The value.

    Raises:
        Garbled: it is nothing of the kind.
    """
    try:
        return _unpacked(json.loads(line))
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError):
        raise Garbled("a line of plain data is wanted") from None


def _packed(value: Any) -> Any:
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return [_packed(member) for member in value]
    if value is ...:
        return {_KIND: "ellipsis"}
    if type(value) in (tuple, set):
        members = [_packed(member) for member in value]
        return {_KIND: type(value).__name__, _VALUE: members}
    if type(value) is dict:
        pairs = [[_packed(key), _packed(v)] for key, v in value.items()]
        return {_KIND: "dict", _VALUE: pairs}
    if type(value) is np.ndarray and value.dtype.name in _DTYPES:
        data = base64.b64encode(value.tobytes()).decode("ascii")
        shape = list(value.shape)
        return {_KIND: value.dtype.name, "shape": shape, _VALUE: data}
    raise TypeError(f"plain data is wanted, {type(value).__name__} came")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(member) for member in value]
    if isinstance(value, str):  # half a surrogate pair cannot be written
        return value.encode("utf-8", "replace").decode("utf-8")
    if not isinstance(value, dict):
        return value
    kind = value[_KIND]
    if kind == "ellipsis":
        return ...
    if kind == "tuple":
        return tuple(_unpacked(value[_VALUE]))
    if kind == "set":
        return set(_unpacked(value[_VALUE]))
    if kind == "dict":
        return {_unpacked(k): _unpacked(v) for k, v in value[_VALUE]}
    return _array(kind, value["shape"], value[_VALUE])


def _array(dtype: Any, shape: Any, text: Any) -> np.ndarray:
    if dtype not in _DTYPES or not all(
        type(n) is int and n >= 0 for n in shape
    ):
        raise Garbled("an array of numbers is wanted")
    data = base64.b64decode(text, validate=True)
    array = np.frombuffer(data, dtype=dtype)
    if math.prod(shape) != array.size:
        raise Garbled("the numbers do not fill the shape")
    return array.reshape(shape).copy()
