"""The reader's file made whole: the book's part where one is not there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk

if TYPE_CHECKING:
    from torch import nn

__all__ = ["complete", "library_names", "own_names"]


def complete(text: str) -> tuple[str, dict[str, str]]:
    """Put the book's version where a part is missing or wrong.

    Part by part, in the order in which they use each other: the parts that
    stand on a wrong one are judged when it has been replaced.

    Args:
        text: of the reader's file.

    Returns:
        The text with all parts, and {name: message} of those that were wrong.

    Raises:
        ValueError: the file does not run.
    """
    own, known, wrong = on_disk.run(text), list(parts.PARTS), {}
    for place, name in enumerate(known):
        if name in source_file.definitions(text):
            verdict = parts.judged(name, getattr(own, name), parts.MASKS)
            if verdict.ok:
                continue
            wrong[name] = verdict.message
        source = inspect.getsource(getattr(parts.part(name), name))
        source = source_file.MARK + source
        text = source_file.put(text, name, source, known[place + 1 :])
        own = on_disk.run(text)
    return text, wrong


T = TypeVar("T")  # a tensor, or anything that stands for one
_TWICE = ("target_embedding", "output_embedding")


def own_names(weights: Mapping[str, T]) -> dict[str, T]:
    """Give the library's weights the names of the reader's model.

    Args:
        weights: the state_dict of a Transformer of the library, with tied
            embeddings. The reader's model has no class for a stack.
    """
    from transformer_lib.wrapping import own_name

    plain = {own_name(name): value for name, value in weights.items()}
    return {
        re.sub(r"source_|\.layers", "", name).replace(
            "coder.norm", "coder_norm"
        ): value
        for name, value in plain.items()
        if not name.startswith(_TWICE)
    }


def library_names(model: nn.Module) -> dict[str, str]:
    """Return the library's name of each weight of the reader's model.

    Args:
        model: a Transformer of the library, of the same kind.
    """
    return own_names({name: name for name in model.state_dict()})
