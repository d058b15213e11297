"""Which call of an answer stands beside which one of the reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transformer_course.checks.engine.parting.relations import agree
from transformer_course.checks.engine.reading import same
from transformer_course.checks.engine.steps import CALL, Step

__all__ = [
    "best_of",
    "input_agrees",
    "inputs_agree",
    "is_mask",
    "of_another_form",
    "telling_calls",
]


def telling_calls(steps: Sequence[Step]) -> list[Step]:
    """The calls of layers that change what they get."""
    calls = [
        step
        for step in steps
        if step.kind == CALL
        and step.name
        and step.result is not None
        and any(isinstance(x, np.ndarray) and x.ndim for x in step.inputs)
    ]
    names = {step.name for step in calls}
    idle = {
        name
        for name in names
        if all(
            step.inputs and agree(step.inputs[0], step.result)
            for step in calls
            if step.name == name
        )
    }
    return [step for step in calls if step.name not in idle]


def of_another_form(ours: list[Step], theirs: list[Step], name: str) -> bool:
    """True for a layer that is called in pieces, or for several at once."""
    left, right = (
        [step for step in steps if step.name == name]
        for steps in (ours, theirs)
    )
    shapes = [{_shape(step) for step in steps} for steps in (left, right)]
    return len(left) != len(right) > 0 and not shapes[1] <= shapes[0]


def _shape(step: Step) -> tuple | None:
    first = step.inputs[0] if step.inputs else None
    return first.shape if isinstance(first, np.ndarray) else None


def best_of(step: Step, left: list[Step]) -> Step | None:
    """The call of the same name that agrees most."""
    same_name = [other for other in left if other.name == step.name]
    fits = [other for other in same_name if inputs_agree(step, other)]
    gives = [other for other in fits if agree(step.result, other.result)]
    return (gives or fits or same_name or [None])[0]


def inputs_agree(one: Step, other: Step) -> bool:
    """True if two calls get the same."""
    pairs = zip(one.inputs, other.inputs, strict=False)
    return all(input_agrees(one, n, *pair) for n, pair in enumerate(pairs))


def input_agrees(step: Step, place: int, wanted: object, came: object) -> bool:
    """True if one input of a call is the same."""
    if is_mask(step, place):
        return _masks_agree(wanted, came)
    return agree(wanted, came)


def is_mask(step: Step, place: int) -> bool:
    """True for an input that is called a mask."""
    return place < len(step.given) and "mask" in step.given[place]


def _masks_agree(wanted: object, came: object) -> bool:
    """True also where it cannot be told."""
    if wanted is ... or came is ...:
        return True
    if wanted is None or came is None:
        mask = came if wanted is None else wanted
        return mask is None or bool(np.all(mask == 1))
    if not set(np.unique(came)) <= {0.0, 1.0}:
        return True
    try:
        return same(*np.broadcast_arrays(wanted, came))
    except ValueError:
        return True
