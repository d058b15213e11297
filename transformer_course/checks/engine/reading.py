"""Read what a student's code returned, and compare it with what is wanted.

NumPy arrays, numbers, nested lists and tuples, and torch tensors on any
device are read alike. Single precision is accepted: two numbers agree when
they differ by less than 1e-6 + 1e-5 times the wanted one. Half precision is
accepted as far as its digits reach, and no slip of 1 % hides behind them.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import errstate

from transformer_course.checks.engine.box import cut, without_addresses

TOLERANCE = 1e-5
HALF_TOLERANCES = {  # two to four roundings, and one
    "float16": 2e-3,
    "bfloat16": 4e-3,
}
LARGEST = 1_000_000
MOST_SHOWN = 8  # numbers of an array in the small table of a verdict
_briefly: ContextVar[bool] = ContextVar("_briefly", default=False)

ARRAY = "array"
NOTHING = "nothing"
ELLIPSIS = "ellipsis"
UNREADABLE = "unreadable"
RAISED = "raised"
OUT_OF_TIME = "out of time"


@dataclass(frozen=True)
class Answer:
    """What one call gave: an array, or the reason why there is none.

    Attributes:
        kind: one of the constants above.
        array: float64 copy of the returned numbers (kind ARRAY only).
        text: the answer in words or numbers, as shown to the student.
        error: name of the exception (kind RAISED only).
        groups: names of the exception's class and of its bases.
        place: the student's own line that failed, if it can be found.
        own_raise: True if the student's own code says `raise`.
        cause: what the error means, in words, where that is certain.
        changed: names of the inputs that the call changed.
        printed: what the call printed, cut.
        seconds: the time that the call used.
        tolerance: relative tolerance that suits the returned precision.
    """

    kind: str
    array: np.ndarray | None = None
    text: str = ""
    error: str = ""
    groups: tuple[str, ...] = ()
    place: str = ""
    own_raise: bool = False
    cause: str = ""
    changed: tuple[str, ...] = ()
    printed: str = ""
    seconds: float = 0.0
    tolerance: float = TOLERANCE

    @property
    def broken(self) -> bool:
        """True for a number that is not finite, or an arithmetic error."""
        if self.kind == ARRAY:
            return not np.isfinite(self.array).all()
        return "ArithmeticError" in self.groups

    @property
    def is_rough(self) -> bool:
        """True for numbers in half precision."""
        return self.tolerance > TOLERANCE

    @property
    def whole(self) -> bool:
        """True for whole numbers only: decimals may have been cut off."""
        return self.kind == ARRAY and bool(
            np.all(self.array == np.round(self.array))
        )


def read(value: Any) -> Answer:
    """Turn any returned object into an `Answer`; refuse what is no number."""
    if value is None:
        return Answer(NOTHING, text="None")
    if value is Ellipsis:
        return Answer(ELLIPSIS, text="...")
    try:
        raw = _unwrap(value)
        if isinstance(raw, np.ndarray) and raw.size > LARGEST:
            return _unreadable(f"an array of shape {raw.shape}")
        tolerance = _tolerance(value)
        array = np.array(raw, dtype=_real_dtype(raw))
    except Exception:
        return _unreadable(describe(value))
    return Answer(
        ARRAY,
        array=array,
        text=show(array),
        tolerance=tolerance,
    )


def _unreadable(text: str) -> Answer:
    return Answer(UNREADABLE, text=text)


def _unwrap(value: Any, depth: int = 0) -> Any:
    """Replace tensors by arrays, also inside lists and tuples."""
    if depth > 6:
        raise ValueError("nested too deeply")
    if isinstance(value, (str, bytes, dict, set)):
        raise TypeError("not numbers")
    if isinstance(value, (list, tuple)):
        return [_unwrap(item, depth + 1) for item in value]
    if _is_tensor(value):
        return value.detach().cpu().double().numpy()
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def _is_tensor(value: Any) -> bool:
    module = type(value).__module__ or ""
    return module.split(".")[0] == "torch" and hasattr(value, "detach")


def _real_dtype(raw: Any) -> type:
    """float64; complex numbers, texts and general objects are refused."""
    array = np.asarray(raw)
    if array.dtype.kind not in "fiubO":
        raise TypeError("not real numbers")
    return np.float64


def _tolerance(value: Any) -> float:
    """The tolerance that the most precise number of an answer can meet."""
    if isinstance(value, (list, tuple)):
        return min(map(_tolerance, value), default=TOLERANCE)
    name = str(getattr(value, "dtype", "")).rpartition(".")[2]
    return HALF_TOLERANCES.get(name, TOLERANCE)


def same(
    left: np.ndarray, right: np.ndarray, tolerance: float = TOLERANCE
) -> bool:
    """True if shapes and values agree; nan equals nan, inf equals inf.

    Operators only: a student's code may have replaced `np.allclose`.
    """
    if left.shape != right.shape:
        return False
    return bool(_alike(left, right, tolerance).all())


def _alike(left: np.ndarray, right: np.ndarray, tolerance: float) -> np.ndarray:
    """Where two arrays of one shape agree.

    Rounding to 16 bits on the way is as large as the largest numbers make it.
    """
    with errstate(all="ignore"):
        size, least = abs(right), tolerance / 10
        if tolerance in HALF_TOLERANCES.values():
            known = size[size < math.inf]
            least = tolerance / 2 * known.max(initial=0.0)
        near = abs(left - right) <= least + tolerance * size
        both_nan = (left != left) & (right != right)
        agree = near & (size < math.inf) | (left == right) | both_nan
    return agree


def first_unlike(left: Answer, right: Answer) -> tuple[int, ...] | None:
    """The place of the first number that differs; nan and inf go before.

    Args:
        left: numbers.
        right: anything.

    Returns:
        The place; None where nothing differs, or nothing can be compared.
    """
    if right.kind != ARRAY or left.array.shape != right.array.shape:
        return None
    tolerance = max(left.tolerance, right.tolerance)
    unlike = ~_alike(left.array, right.array, tolerance)
    broken = unlike & ~(np.isfinite(left.array) & np.isfinite(right.array))
    places = np.argwhere(broken if broken.any() else unlike)
    return tuple(int(i) for i in places[0]) if len(places) else None


def describe(value: Any) -> str:
    """Name an unreadable answer in a few words, without trusting it."""
    kind = cut(type(value).__name__, 60)
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    if isinstance(value, (list, tuple)):
        return f"a {kind} whose parts are not numbers of one shape: " + (
            shorten(value)
        )
    if isinstance(value, (str, bytes, dict, set)):
        return f"{article} {kind}: {shorten(value)}"
    return f"{article} {kind}"


def shorten(value: Any, limit: int = 80) -> str:
    """`repr` on one line, cut, without memory addresses; never raises."""
    try:
        text = value if isinstance(value, str) else repr(value)
        text = without_addresses(" ".join(text.split()))
    except Exception:
        text = f"<{type(value).__name__}>"
    return cut(text, limit)


def show(array: np.ndarray, prefix: str = "") -> str:
    """Numbers with four decimals at the most, after a prefix."""
    array = np.asarray(array, dtype=np.float64)
    if array.ndim == 0:
        return prefix + number(float(array))
    if _briefly.get() and array.size > MOST_SHOWN:
        return prefix + part(array).replace("\n", "\n" + " " * len(prefix))
    one, width = _format(array)
    width = width if array.ndim > 1 else 0
    return prefix + np.array2string(
        array,
        prefix=prefix,
        separator=", ",
        max_line_width=72,
        threshold=60,
        formatter={"float_kind": lambda entry: one(entry).rjust(width)},
    )


def _format(array: np.ndarray) -> tuple[Callable[[float], str], int]:
    """How to write each number of an array, and how wide it becomes."""
    texts = [number(entry) for entry in array.flat[:1000]]
    plain = [text for text in texts if "e" not in text]  # no 1e-09
    decimals = max((len(t.partition(".")[2]) for t in plain), default=0)

    def one(entry: float) -> str:
        text = number(entry)
        if "e" in text or not np.isfinite(entry):
            return text
        return f"{entry + 0.0:.{decimals}f}"  # + 0.0 turns -0 into 0

    width = max((len(one(entry)) for entry in array.flat[:1000]), default=0)
    return one, width


@contextlib.contextmanager
def briefly() -> Iterator[None]:
    """Let `show` write a few numbers of a large array, and its shape."""
    before = _briefly.set(True)
    try:
        yield
    finally:
        _briefly.reset(before)


def part(array: np.ndarray, place: tuple[int, ...] | None = None) -> str:
    """Write a few numbers of a large array, around a place.

    Args:
        array: with one axis at least.
        place: of the number to mark with `>`; None for the first rows.

    Returns:
        Which part it is, and its numbers below that.
    """
    array = np.asarray(array, dtype=np.float64)
    at = place or (0,) * array.ndim
    columns = _around(at[-1], array.shape[-1], MOST_SHOWN)
    many = len(range(*columns))
    if array.ndim == 1:
        rows, table = (0, 1), array[None, slice(*columns)]
    else:
        rows = _around(at[-2], array.shape[-2], min(MOST_SHOWN // many, 4))
        table = array[at[:-2]][slice(*rows), slice(*columns)]
    one, width = _format(table)
    lines = []
    for row, entries in enumerate(table, rows[0]):
        texts = [one(entry).rjust(width) for entry in entries]
        if place is not None:
            here = at[-1] - columns[0]
            if row == (at[-2] if array.ndim > 1 else 0):
                texts[here] = (">" + texts[here].lstrip()).rjust(width + 1)
            texts = [text.rjust(width + 1) for text in texts]
        lines.append("[" + ", ".join(texts) + "]")
    where = [str(i) for i in at[:-2]]
    if array.ndim > 1:
        where.append(_slice(rows, array.shape[-2]))
    where.append(_slice(columns, array.shape[-1]))
    head = f"[{', '.join(where)}] of the shape {array.shape}:\n"
    return head + "\n".join(lines)


def _around(index: int, length: int, most: int) -> tuple[int, int]:
    """The first and the last place, plus 1, of so many around one."""
    first = max(min(index - most // 2, length - most), 0)
    return first, min(first + most, length)


def _slice(places: tuple[int, int], length: int) -> str:
    first, last = places
    if places == (0, length):
        return ":"
    return str(first) if last == first + 1 else f"{first}:{last}"


def number(value: float, decimals: int = 4) -> str:
    """One number with four decimals at the most and no needless zeros."""
    value = float(value)
    if value != value:
        return "nan"
    if value != 0 and (abs(value) < 5e-5 or abs(value) >= 1e6):
        return f"{value:.3g}"
    text = f"{round(value, decimals) + 0.0:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def apart(left: float, right: float) -> tuple[str, str]:
    """Two numbers with as many decimals as it takes to tell them apart."""
    for decimals in (4, 6, 8):
        pair = number(left, decimals), number(right, decimals)
        if pair[0] != pair[1]:
            break
    return pair
