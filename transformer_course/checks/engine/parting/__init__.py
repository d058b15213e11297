"""Say where the numbers of an answer part from the right ones.

What was heard of an answer (`steps`) is laid beside what was heard of the
reference: the `calls` of its layers, or of functions that it was handed, in
`pairs`, and the arrays that got `names`; `relations` compares two arrays. Only
facts about numbers are told: what agrees, what does not, and what it is equal
to instead. Where an answer goes another way than the reference, so that nothing
can be laid beside anything, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from transformer_course.checks.engine.parting.calls import Calls
from transformer_course.checks.engine.parting.names import TOLD, Names, joined
from transformer_course.checks.engine.parting.pairs import telling_calls
from transformer_course.checks.engine.parting.relations import relation_of
from transformer_course.checks.engine.steps import CALL, Step

__all__ = ["arrays_in", "parting"]


def parting(
    ours: Sequence[Step],
    theirs: Sequence[Step],
    given: dict[str, np.ndarray],
    want: np.ndarray,
    got: np.ndarray,
    is_module: bool = False,
) -> str:
    """Return what can be said of the way to a wrong result, or "".

    Args:
        ours: the steps of the reference.
        theirs: those of the answer.
        given: the inputs of a function by name.
        want: the right result.
        got: the answer's.
        is_module: whether the steps are those of layers, whose weights may
            be used without calling them.
    """
    for step in ours:
        if step.kind == CALL and not step.name:  # the module itself
            given = {
                name: x
                for name, x in zip(step.given, step.inputs, strict=False)
                if isinstance(x, np.ndarray)
            }
    names = Names(ours, theirs, given)
    if telling_calls(ours):
        return Calls(names, want, got, is_module).said()
    said = names.said(len(ours))
    if any(words in said for words in TOLD):
        return said
    return joined(said, _of_result(want, got))


def _of_result(want: np.ndarray, got: np.ndarray) -> str:
    """A relation between the results, if there is one."""
    relation = relation_of(want, got) if want.shape == got.shape else ""
    return f"In the result of this example, {relation}" if relation else ""


def arrays_in(named: Iterable[tuple[str, object]]) -> Iterator:
    """Yield the arrays among these inputs, and those in lists, by name."""
    for name, value in named:
        if isinstance(value, (np.ndarray, float)):
            yield name, np.asarray(value)
        elif isinstance(value, (list, tuple)):
            parts = ((f"{name}[{n}]", part) for n, part in enumerate(value))
            yield from arrays_in(parts)
