"""What the reader trained, kept beside the file of their Transformer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer_course.checks import parts
from transformer_course.workbook import on_disk
from transformer_course.workbook.complete import library_names, own_names
from transformer_lib.files import atomic_write

if TYPE_CHECKING:
    from torch import Tensor

    from transformer_course.workbook.learner import Learner
    from transformer_lib.model_config import TransformerConfig

__all__ = ["FOLDER", "Trained", "folder", "keep", "trained"]

FOLDER = "my_translator"
_WHOSE = "whose.json"


class Trained(NamedTuple):
    """Weights under the names of the reader's model, and what they are of.

    Attributes:
        weights: by name.
        sizes: of the model.
        tokenizer: path of its tokenizer.json.
        said: what they are, in words.
        own: whether the reader trained them.
    """

    weights: dict[str, Tensor]
    sizes: TransformerConfig
    tokenizer: Path
    said: str
    own: bool


def folder() -> Path:
    """Find the folder `keep` writes: beside the reader's file."""
    return on_disk.file().with_name(FOLDER)


def keep(learner: Learner) -> Path:
    """Write what a Transformer of yours has learned.

    The folder is one that `transformer_lib.Translator.load` reads, and
    ``python -m transformer_lib translate --model``. What it held is replaced.

    Args:
        learner: a `workbook.Learner` that has made updates.

    Returns:
        The folder, `my_translator` beside your file.

    Raises:
        OSError: it cannot be written.
        ValueError: it has learned nothing yet, or a weight is no number, or
            your file has changed since its training began.
    """
    from transformer_lib.model import Transformer
    from transformer_lib.train_state import TrainState

    if not learner.step:
        raise ValueError("it has made no update yet; run learner.learn() first")
    if learner.text != on_disk.read():
        raise ValueError(
            f"{on_disk.file().name} has changed since this training began. "
            "Run the cell that makes the Learner again, and train the model "
            "of the file as it is now."
        )
    model = Transformer(learner.sizes)
    trained = learner.model.state_dict()
    names = library_names(model)
    model.load_state_dict(
        {library: trained[own].cpu() for own, library in names.items()},
        strict=False,  # a shared matrix has one name
    )
    there = folder()
    there.mkdir(parents=True, exist_ok=True)
    state = TrainState.begin(model, learner.config)
    state.step = learner.step
    state.save_model(there)
    whose = {"updates": learner.step, "lent": learner.lent}
    for name, text in (
        ("tokenizer.json", learner.tokenizer.to_json()),
        (_WHOSE, json.dumps(whose)),
    ):
        atomic_write(there / name, text.encode())
    print(f"Kept in {there}: {said_of(whose)}.")
    if on_disk.is_lost_with_the_session():
        print(
            "It is gone when this Colab session ends, unless your Drive is "
            "mounted before you save your first part."
        )
    return there


def said_of(whose: dict[str, Any]) -> str:
    """Say whose weights are."""
    lent = set(whose["lent"])
    if lent >= set(parts.PARTS):
        owner = "the book's Transformer"
    else:
        owner = "your Transformer"
    return f"what {owner} learned in {whose['updates']} updates"


def trained() -> Trained | None:
    """Read what was kept.

    Returns:
        It, or None if there is nothing.

    Raises:
        ValueError: a file of the folder is damaged.
    """
    from transformer_lib.translator import Translator

    there = folder()
    if not (there / "model.json").exists():
        return None
    kept = Translator.load(there)
    try:
        said = said_of(json.loads((there / _WHOSE).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        said = f"what {there} holds"
    return Trained(
        own_names(kept.model.state_dict()),
        kept.model.config,
        there / "tokenizer.json",
        said,
        own=True,
    )
