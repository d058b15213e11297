"""Listen to an answer at work: the numbers on its way to the result.

Heard are the calls of the layers that a module has, or of the functions that
an answer was handed, with what goes in and what comes out, and the arrays
that get a name in the answer's own lines. The reference is heard in the same
way, and `parting` compares the two. Whatever cannot be heard is left out.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

from transformer_course.checks.engine.foreign import code_of, is_class

__all__ = ["CALL", "MOST", "NAMED", "SHARED", "UNUSED", "Step", "recorder"]

CALL = "call"  # of a layer, or of a function that was handed over
NAMED = "named"  # an array got a name
UNUSED = "unused"  # the result does not depend on the weights of a layer
SHARED = "shared"  # a layer with weights is there under two names
MOST = 300  # steps; of an answer that takes more nothing is told
_LARGEST = 20_000  # numbers of an array


@dataclass(eq=False)
class Step:
    """One thing that happened on the way.

    Attributes:
        kind: one of the constants above.
        name: of the layer, the function or the array; "" for the module
            itself.
        inputs: of a call, in order: an array, None, or `...` for anything
            else.
        result: the array; None where there is none.
        given: what the first line calls the inputs; of a shared layer, its
            other name.
    """

    kind: str
    name: str
    inputs: tuple = ()
    result: np.ndarray | None = None
    given: tuple[str, ...] = ()


def recorder(
    play: Callable[..., Any], lines_of: Any, names: tuple[str, ...]
) -> tuple[Callable[..., Any], list[Step]]:
    """Return what plays an answer and listens, and what it will have heard.

    Args:
        play: how the exercise drives an answer: `play(answer, *args)`.
        lines_of: gives the function whose lines count.
        names: of the inputs of a function.
    """
    steps: list[Step] = []

    def played(answer: Any, *args: Any) -> Any:
        heard = _module(answer, steps)
        if not is_class(answer):
            heard = _function(answer, names, steps)
        with _lines(_codes(answer, lines_of), steps):
            return play(heard, *args)

    return played, steps


# ----------------------------------------------------------------- calls


def _module(make: Any, steps: list[Step]) -> Callable[..., Any]:
    """The same class; what it makes is listened to."""

    def made(*args: Any, **named: Any) -> Any:
        module = make(*args, **named)
        if hasattr(module, "register_forward_hook"):
            _listen(module, steps)
        return module

    return made


def _listen(module: Any, steps: list[Step]) -> None:
    layers: dict[Any, str] = {}
    for name, layer in _layers(module):
        first = layers.setdefault(layer, name)
        if first != name and any(True for _ in layer.parameters()):
            steps.append(Step(SHARED, name, given=(first,)))
    for layer, name in [(module, ""), *layers.items()]:
        _listen_to(layer, name, steps)

    def last(module: Any, inputs: tuple, result: Any) -> None:
        with contextlib.suppress(Exception):
            _note_unused(layers, result, steps)

    module.register_forward_hook(last)


def _layers(module: Any) -> Iterator[tuple[str, Any]]:
    """The layers of a module, and those of its lists, by name."""
    lists = set()
    for name, layer in module.named_modules(remove_duplicate=False):
        parent, _, own = name.rpartition(".")
        if parent and parent not in lists:
            continue
        if type(layer).__name__ in ("ModuleList", "ModuleDict"):
            lists.add(name)
        elif name:
            yield f"{parent}[{own}]" if parent else own, layer


def _listen_to(layer: Any, name: str, steps: list[Step]) -> None:
    open_calls: list[Step] = []

    def before(layer: Any, args: tuple, named: dict) -> None:
        step = _call(name, layer.forward, args, named)
        open_calls.append(step)
        steps.append(step)

    def after(layer: Any, args: tuple, named: dict, result: Any) -> None:
        if open_calls:
            open_calls.pop().result = _array(result)

    layer.register_forward_pre_hook(before, with_kwargs=True)
    layer.register_forward_hook(after, with_kwargs=True)


def _call(name: str, function: Callable, args: tuple, named: dict) -> Step:
    """A call, with its inputs in the order of the first line."""
    given: tuple[str, ...] = ()
    try:
        bound = inspect.signature(function).bind(*args, **named)
        bound.apply_defaults()
        args, given = bound.args, tuple(bound.arguments)
    except (TypeError, ValueError):
        args = (*args, *named.values())
    return Step(CALL, name, tuple(map(_plain, args)), None, given)


def _note_unused(
    layers: dict[Any, str], result: Any, steps: list[Step]
) -> None:
    """Name the layers whose weights the result does not depend on."""
    torch = sys.modules["torch"]
    for layer, name in layers.items():
        weights = list(layer.parameters())
        if not weights:
            continue
        found = torch.autograd.grad(
            result.sum(), weights, retain_graph=True, allow_unused=True
        )
        if all(gradient is None for gradient in found):
            steps.append(Step(UNUSED, name))


def _function(
    answer: Any, names: tuple[str, ...], steps: list[Step]
) -> Callable[..., Any]:
    """The same function; those that it is handed are listened to."""

    @wraps(answer)
    def called(*args: Any, **named: Any) -> Any:
        given = [
            _heard(name, value, steps) if callable(value) else value
            for name, value in zip(names, args, strict=False)
        ]
        for name, value in named.items():
            if callable(value):
                named[name] = _heard(name, value, steps)
        return answer(*given, *args[len(given) :], **named)

    return called


def _heard(name: str, function: Callable, steps: list[Step]) -> Callable:
    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        step = _call(name, function, args, named)
        steps.append(step)
        result = function(*args, **named)
        step.result = _array(result)
        return result

    return called


# ---------------------------------------------------------- names of arrays


def _codes(answer: Any, lines_of: Any) -> set[CodeType]:
    """The code whose names are looked at."""
    if not is_class(answer):
        code = code_of(lines_of(answer))
        return {code} if code is not None else set()
    own = vars(answer).values()
    return {f.__code__ for f in own if isinstance(f, FunctionType)}


@contextlib.contextmanager
def _lines(codes: set[CodeType], steps: list[Step]) -> Iterator[None]:
    """Look at the names in these lines of code, after each of them."""
    before = sys.gettrace()

    def enter(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code not in codes or len(steps) > MOST:
            return None
        inputs = tuple(frame.f_locals.values())
        seen = {name: _array(x) for name, x in frame.f_locals.items()}

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            if event in ("line", "return") and len(steps) <= MOST:
                _note_changes(frame, inputs, seen, steps)
            return line

        return line

    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def _note_changes(
    frame: FrameType,
    inputs: tuple,
    seen: dict[str, np.ndarray | None],
    steps: list[Step],
) -> None:
    """Note arrays that are new; an input that was written into is not."""
    for name, value in frame.f_locals.items():
        if any(value is x for x in inputs):
            continue
        array, old = _array(value), seen.get(name)
        if array is None:
            continue
        if old is None or not np.array_equal(old, array, equal_nan=True):
            seen[name] = array
            steps.append(Step(NAMED, name, (), array))


def _plain(value: Any) -> Any:
    if value is None:
        return None
    array = _array(value)
    return ... if array is None else array


def _array(value: Any) -> np.ndarray | None:
    """A copy of the numbers of an array or a tensor; None of anything else.

    A decimal is an array without axes.
    """
    if isinstance(value, float):
        return np.array(float(value))
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.numel() > _LARGEST or value.is_complex():
            return None
        return np.array(value.detach().cpu().double().numpy())
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiub":
        return None
    return value.astype(np.float64) if value.size <= _LARGEST else None
