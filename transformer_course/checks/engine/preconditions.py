"""What can be said of a function before its values matter.

Not a function, the wrong inputs, nothing written yet, nothing returned,
no end, an exit: these are named the same way in every exercise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transformer_course import checks
from transformer_course.checks.engine.foreign import (
    inputs_of,
    is_function,
    signature,
    takes,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    ELLIPSIS,
    HALF_TOLERANCES,
    NOTHING,
    OUT_OF_TIME,
    RAISED,
    Answer,
    same,
)

__all__ = [
    "AskedHere",
    "NOTHING_YET",
    "Precondition",
    "after_calling",
    "call_of",
    "explain_failure",
    "rough_on_the_way",
    "too_rough",
    "look",
    "without_self",
]

NOTHING_YET = (
    "Nothing to check yet. Replace the `...` with your own code and run "
    "this cell again."
)


class AskedHere(Exception):
    """An answer called the function that it is asked to write."""


@dataclass(frozen=True)
class Precondition:
    """Why the values cannot be judged."""

    message: str
    id: str = ""
    hint: str = ""
    attempted: bool = True


def call_of(name: str) -> str:
    """Return how a check is called; parts are asked for by `build`."""
    return f"checks.{name if name in checks.__all__ else 'build'}({name})"


def look(function: Any, exercise: Any) -> Precondition | None:
    """Look at a function without calling it."""
    if function is None or function is Ellipsis:
        return Precondition(NOTHING_YET, attempted=False)
    name, inputs = exercise.name, exercise.inputs
    if not callable(function):
        return Precondition(
            f"This check wants the function itself, not a result: write its "
            f"name without calling it, `{call_of(name)}`.",
            "not_a_function",
            "A name followed by brackets calls the function; the name alone "
            "stands for the function itself.",
        )
    if takes(function, exercise.inputs):
        return None
    count = f"{len(inputs)} input" + ("s" if len(inputs) > 1 else "")
    return Precondition(
        f"The check calls `{exercise.signature}` with {count}, but your "
        f"function takes {inputs_of(function)}. Change its first line.",
        "signature",
        f"The first line of your function lists its inputs. It should list "
        f"{' and '.join(inputs)}, in this order.",
    )


def without_self(method: Any, inputs: tuple[str, ...]) -> str:
    """Say that the first line of a method lists its inputs without `self`.

    Args:
        method: as the class holds it.
        inputs: what it is called with, beside the object.

    Returns:
        A sentence; empty if the inputs do not fit, or `self` is there.
    """
    found = signature(method) if is_function(method) else None
    names = tuple(found.parameters) if found is not None else ()
    if "self" in names or not names or not takes(method, inputs):
        return ""
    listed = ", ".join(("self", *names))
    return f"`self` is missing: `def {method.__name__}({listed})`."


def after_calling(answer: Answer) -> Precondition | None:
    """Precondition so great that no further call is made."""
    if answer.kind == OUT_OF_TIME:
        return Precondition(
            f"Your function has {answer.text}, so the check stopped waiting. "
            "A loop may never reach its end.",
            "never_ends",
            "Look at each `while`: what in its body makes the condition "
            "false one day?",
        )
    if "RecursionError" in answer.groups:
        return Precondition(
            "Your function calls itself again and again and never comes "
            "back. Perhaps it has the same name as the function that it "
            "wants to call.",
            "calls_itself_forever",
            "Search the body for your function's own name.",
        )
    if "AskedHere" in answer.groups:
        return Precondition(
            f"{answer.text.partition(': ')[2]}. Write it with NumPy, torch or "
            "plain Python; afterwards compare the two.",
            "uses_the_reference",
            "Which steps does the chapter take by hand?",
        )
    if {"SystemExit", "KeyboardInterrupt"} & set(answer.groups):
        return Precondition(
            f"Your function ends the program ({answer.text}) instead of "
            "returning a value.",
            "calls_exit",
            "A function hands its result back with the word `return`; "
            "nothing has to be quit.",
        )
    return None


def explain_failure(
    does_nothing: Callable[[], bool], every: list[Answer]
) -> Precondition | None:
    """Stubs, and functions that never return anything."""
    if any(_is_stub_error(answer) for answer in every):
        return Precondition(
            "There is still a `...` or a blank in your code. " + NOTHING_YET,
            attempted=False,
        )
    if all(answer.kind == ELLIPSIS for answer in every):
        return Precondition(NOTHING_YET, attempted=False)
    if not all(answer.kind == NOTHING for answer in every):
        return None
    if does_nothing():
        return Precondition(NOTHING_YET, attempted=False)
    if any(answer.printed for answer in every):
        return Precondition(
            "Your function prints its result but returns None. Printing "
            "shows a value to you; `return` hands it to whoever called.",
            "printed_not_returned",
            "Which variable did you print? Hand that one back in the last "
            "line.",
        )
    return Precondition(
        "Your function works and then returns None: the result is lost when "
        "it ends. The last line has to hand the result back with `return`.",
        "no_return",
        "Read the last line of your function aloud. Does it say what comes "
        "out?",
    )


def too_rough(got: Answer, want: Answer) -> Precondition | None:
    """A result in half precision, where something is wrong."""
    if got.kind != ARRAY or not got.is_rough or want.kind != ARRAY:
        return None
    if got.array.shape != want.array.shape:
        return None
    return Precondition(
        "Not right yet, and your numbers have 16 bits, two or three digits "
        "each: too few to tell rounding from a slip. Compute with 32 or 64 "
        "bits and run the check again.",
        "half_precision",
        "Look for `float16`, `bfloat16` and `half`.",
    )


def rough_on_the_way(
    pairs: Sequence[tuple[Answer, Answer]],
) -> Precondition | None:
    """Results that are wrong by no more than 16 bits round away.

    Args:
        pairs: of a wrong result and the right one, each.
    """
    tolerance = HALF_TOLERANCES["float16"]
    for got, want in pairs:
        if got.kind != ARRAY or want.kind != ARRAY:
            return None
        if not same(got.array, want.array, tolerance):
            return None
    return Precondition(
        "Your numbers are right to the third digit or so, and wrong after it, "
        "as if something on the way had 16 bits. Does a line of yours, or a "
        "function that you call, make `float16`, or round?",
        "half_on_the_way",
        "Look for `float16`, `bfloat16` and `half`, also in the functions of "
        "earlier exercises. Compute with 32 or 64 bits.",
    )


def _is_stub_error(answer: Answer) -> bool:
    """An error that only an unfinished stub makes."""
    if answer.kind != RAISED:
        return False
    if "NotImplementedError" in answer.groups:  # torch has such errors too
        return answer.own_raise
    if answer.error == "NameError":
        return re.search(r"name '_+' ", answer.text) is not None
    text = answer.text.lower()
    return answer.error in ("TypeError", "AttributeError") and (
        "ellipsis" in text and "indices must be" not in text
    )
