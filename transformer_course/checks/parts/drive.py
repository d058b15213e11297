"""Drive a part of the reader's own Transformer: plain data in, numbers out.

A case names what is asked of a module (`ASKED`), so that values, gradients,
parameters, types and devices are cases like any other, and a mistake is known
by all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import nn

from transformer_course.checks.engine.properties import Probe
from transformer_course.checks.engine.reading import ARRAY, number
from transformer_course.checks.engine.symbols_coded import coded, decoded
from transformer_course.checks.parts.elsewhere import THERE, call_elsewhere

__all__ = [
    "SAID",
    "names_in_words",
    "play_module",
    "right_names",
    "tensor",
    "weights_like",
]


def tensor(value: Any) -> Any:
    """Arrays as tensors, a copy each; anything else as it is."""
    return torch.tensor(value) if isinstance(value, np.ndarray) else value


def weights_like(make: Callable, *sizes: Any, seed: int = 0) -> dict:
    """Return random weights with one decimal for a module of these sizes.

    Args:
        make: the reference class.
        sizes: the inputs of its constructor.
        seed: of the numbers.

    Returns:
        Arrays by name, in the order of the `state_dict`.
    """
    draw = np.random.default_rng(seed)
    return {
        name: draw.integers(-9, 10, size=tuple(value.shape)) / 10
        for name, value in make(*sizes).state_dict().items()
    }


def play_module(
    make: Callable,
    say: str,
    ask: str,
    sizes: tuple,
    weights: dict,
    *inputs: Any,
    again: bool = False,
) -> Any:
    """Make a module, give it weights, and answer one question about it.

    Args:
        make: the class.
        say: what is done, in words, for the example of a verdict.
        ask: a key of `ASKED`.
        sizes: the inputs of the constructor.
        weights: arrays by the names of the `state_dict`; those that the
            module does not have are left out.
        inputs: of `forward`: arrays, and whatever else it takes.
        again: whether the second call is compared with the first; for
            modules whose catalogue has `KEPT`.

    Returns:
        Numbers.
    """
    torch.default_generator.manual_seed(0)  # of the processor only: quick
    module = make(*sizes)
    if _is_blank(module):
        return module
    module = module.double().eval()
    _set(module, weights)
    module.register_forward_hook(_one_tensor)
    given = tuple(map(tensor, inputs))
    if again and ask in _CALLS_AGAIN:
        _same_again(module, given)
    try:
        return ASKED[ask](module, given, weights)
    except _NothingReturned:
        return None


def _same_again(module: nn.Module, inputs: tuple) -> None:
    """Refuse a module whose second call differs from its first.

    A copy is called once; the module is called with other numbers before.
    All calls draw the same random numbers.

    Args:
        module: to be called twice.
        inputs: of `forward`; they are not changed.

    Raises:
        RuntimeError: what comes second are other numbers, or an error.
    """
    state = torch.default_generator.get_state()

    def numbers(one: nn.Module, times: float) -> torch.Tensor | None:
        torch.default_generator.set_state(state)
        given = (times * x if _is_float(x) else deepcopy(x) for x in inputs)
        try:
            return one(*given).detach().nan_to_num()
        except Exception:
            return None

    try:
        fresh = deepcopy(module)
    except Exception:  # it keeps something that cannot be copied
        return
    first, _, second = (
        numbers(fresh, 1.0), numbers(module, -0.5), numbers(module, 1.0)
    )  # fmt: skip
    torch.default_generator.set_state(state)
    if first is not None and (second is None or not first.equal(second)):
        raise RuntimeError(
            "the second call of the same module differs from the first"
        )


def _set(module: nn.Module, weights: dict) -> None:
    """Give the weights their values; unknown ones get a row of steps.

    Then nothing that a module answers depends on a draw, whatever the names
    of its weights are. With none given, a module keeps those that it made.
    """
    if not weights:
        return
    own = module.state_dict()
    given = {n for n, w in weights.items() if n in own and _fits(own[n], w)}
    with torch.no_grad():
        for name, value in module.named_parameters():
            if name not in given:
                steps = torch.linspace(-1, 1, value.numel())
                value.copy_(steps.reshape(value.shape))
        for name in (name for name in weights if name in given):
            own[name].copy_(torch.tensor(weights[name]))


def _fits(own: torch.Tensor, array: np.ndarray) -> bool:
    return tuple(own.shape) == array.shape


class _NothingReturned(Exception):
    """`forward` has no `return`."""


def _one_tensor(module: nn.Module, inputs: tuple, result: Any) -> None:
    """Refuse a result that is no tensor; called after each `forward`."""
    if result is None or result is Ellipsis:
        raise _NothingReturned
    if isinstance(result, (tuple, list)):
        raise TypeError(f"forward returned {len(result)} things, not a tensor")


def _names(module: nn.Module, inputs: tuple, weights: dict) -> list[float]:
    """1 for each name that is there, -1 in a wrong shape, 0 if missing.

    The last number counts the names that nobody asked for. A module that
    returns nothing yet answers nothing here, too.
    """
    try:
        module(*inputs)  # only to see that something is returned
    except _NothingReturned:
        raise
    except Exception:
        pass
    own = module.state_dict()
    found = []
    for name, array in weights.items():
        right = name in own and _fits(own[name], array)
        found.append(float(right) if right or name not in own else -1.0)
    return [*found, float(len(set(own) - set(weights)))]


def _names_besides(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """The names that nobody asked for, as a row of numbers."""
    own = module.state_dict()
    return coded([name for name in own if name not in weights])


def _shapes(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """The name and the shape of each weight, as a row of numbers."""
    own = module.state_dict()
    return coded([f"{name} {tuple(x.shape)}" for name, x in own.items()])


def _output(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    return module(*inputs)


def _gradients(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """Gradients of the inputs, then of the weights, in one row."""
    floats = [x for x in inputs if _is_float(x)]
    for x in floats:
        x.requires_grad_()
    result = module(*inputs)
    if _is_blank(result):
        return result
    ramp = torch.arange(1.0, result.numel() + 1, dtype=result.dtype)
    (result.flatten() * ramp / result.numel()).sum().backward()
    own = dict(module.named_parameters(remove_duplicate=False))
    parts = [x.grad for x in floats]
    for name, array in weights.items():
        found = own[name].grad if name in own else None
        parts.append(torch.zeros(array.shape) if found is None else found)
    return torch.cat(
        [torch.zeros(1) if p is None else p.flatten() for p in parts]
    )


def _is_blank(x: Any) -> bool:
    return x is None or x is Ellipsis


def _is_float(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_floating_point()


def _float32(module: nn.Module, inputs: tuple, weights: dict) -> float:
    """The bits of a number of the result, where all that comes has 32."""
    inputs = tuple(x.float() if _is_float(x) else x for x in inputs)
    return float(torch.finfo(module.float()(*inputs).dtype).bits)


def _float64(module: nn.Module, inputs: tuple, weights: dict) -> float:
    """The bits of a number of the result, where all that comes has 64."""
    return float(torch.finfo(module(*inputs).dtype).bits)


def _digits(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """The later digits of what the inputs add to the result, as a sine.

    A number that was cut to 32 bits on the way has other ones there; the
    order of a sum moves them by much less than the check accepts. A table
    that a module keeps, perhaps with 32 bits, cancels where it is added. All
    are 0 in a result that has not 64 bits, which is another mistake.
    """
    zeros = (0 * x if _is_float(x) else x for x in inputs)
    moved = module(*inputs) - module(*zeros)
    return torch.sin(1e6 * moved * (moved.dtype == torch.float64))


def _other_device(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """The shape of the result on another device.

    Whatever the module made for itself on the processor cannot be joined
    with what moved along.
    """

    def moved(*there: Any) -> Any:
        return module.to(THERE)(*there)

    return list(call_elsewhere(moved, *inputs).shape)


def _inputs_stay(module: nn.Module, inputs: tuple, weights: dict) -> list:
    """How far each input has moved during the call."""
    given = [x for x in inputs if torch.is_tensor(x)]
    before = [x.clone() for x in given]
    with torch.no_grad():
        module(*inputs)
    return [
        float((x.double() - old.double()).abs().nan_to_num().max())
        for x, old in zip(given, before, strict=True)
    ]


def _twice(module: nn.Module, inputs: tuple, weights: dict) -> float:
    """1 if a second call in eval() gives the same numbers."""
    return float(torch.equal(module(*inputs), module(*inputs)))


def _training(module: nn.Module, inputs: tuple, weights: dict) -> float:
    """1 if two calls in train() give different numbers."""
    module.train()
    return float(not torch.equal(module(*inputs), module(*inputs)))


def _dropped(module: nn.Module, inputs: tuple, weights: dict) -> Any:
    """The result in train(): where dropout is 1, no number depends on luck."""
    return module.train()(*inputs)


def _of(method: str) -> Callable:
    """What another method than `forward` gives."""

    def ask(module: nn.Module, inputs: tuple, weights: dict) -> Any:
        return getattr(module, method)(*inputs)

    return ask


def right_names(probe: Probe) -> str | None:
    """The weights have the names and the shapes that are asked for."""
    if probe.args[1] != "names" or probe.got.kind != ARRAY:
        return None
    weights, got = probe.args[3], probe.got.array
    missing, other = (
        [f"`{n}`" for n, g in zip(weights, got, strict=False) if g == bad]
        for bad in (0, -1)
    )
    if missing:
        return (
            f"Your module has no weight {' and no '.join(missing[:4])}. The "
            "names are those of the attributes in `self`; trained weights "
            "are found by them."
        )
    if other:
        say, _, *more = probe.args
        own = probe.call((say, "shapes of weights", *more))
        shapes = decoded(own.array) if own.kind == ARRAY else []
        known = dict(line.split(" ", 1) for line in shapes)
        name = other[0].strip("`")
        came = f" {known[name]}" if name in known else ""
        return (
            f"The weight {other[0]} has the shape{came}; "
            f"{weights[name].shape} is asked for."
        )
    if got[-1] > 0:
        more = "one weight" if got[-1] == 1 else f"{number(got[-1])} weights"
        return (
            f"Your module keeps {more} more than are asked for: "
            f"{', '.join(f'`{n}`' for n in weights)}."
        )
    return None


def names_in_words(probe: Probe) -> str | None:
    """Say which weights there are, which are missing, and which besides."""
    say, ask, sizes, weights, *inputs = probe.args
    if ask != "names":
        return None
    if probe.got is probe.want:
        return _listed(list(weights))
    found = dict(zip(weights, probe.got.array, strict=False))
    besides = probe.call((say, "names besides", sizes, weights, *inputs))
    lines = [
        ("right", [name for name, g in found.items() if g == 1]),
        ("missing", [name for name, g in found.items() if g == 0]),
        ("of another shape", [name for name, g in found.items() if g == -1]),
        ("besides", decoded(besides.array) if besides.kind == ARRAY else []),
    ]
    return "\n".join(f"{what}: {_listed(n)}" for what, n in lines if n)


def _listed(names: list[str], most: int = 6) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


SAID = {
    "names": "the names of its weights",
    "output": "the result",
    "gradients": "gradients of the inputs and of the weights",
    "float32": "bits of a number of the result, for 32-bit inputs",
    "float64": "bits of a number of the result, for 64-bit inputs",
    "digits": "the digits after the sixth decimal of the result, as a sine",
    "other device": "shape of the result on another device",
    "inputs stay": "how far the inputs were changed",
    "twice": "1 if two calls in eval() agree",
    "training": "1 if two calls in train() differ",
    "dropped": "the result in train()",
    "encode": "the result of `encode`",
    "decode": "the result of `decode`",
}
_CALLS_AGAIN = {"digits", "other device", "training"}
ASKED = {
    "names": _names,
    "names besides": _names_besides,
    "shapes of weights": _shapes,
    "output": _output,
    "gradients": _gradients,
    "float32": _float32,
    "float64": _float64,
    "digits": _digits,
    "other device": _other_device,
    "inputs stay": _inputs_stay,
    "twice": _twice,
    "training": _training,
    "dropped": _dropped,
    "encode": _of("encode"),
    "decode": _of("decode"),
}
