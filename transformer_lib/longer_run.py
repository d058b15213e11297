"""A run that is given more steps: as if it had had them from the beginning.

At its last step a run evaluates, averages, and may choose other weights to
translate with; a longer run would not have done so there. What it does then
is done so that it can be taken back.
"""

import contextlib
from pathlib import Path

from transformer_lib import checkpoint
from transformer_lib.files import read_json
from transformer_lib.run_folder import read_log, write_log
from transformer_lib.train_config import TrainConfig

__all__ = ["check_longer", "keep_model", "take_back"]

EARLIER = "earlier"  # the checkpoint "model" before the end of a run


def check_longer(folder: Path, config: TrainConfig, steps: int) -> None:
    """Refuse a number of steps that a run cannot have any more.

    Args:
        folder: of the run, for the message.
        config: how it trains.
        steps: the number that it shall have.

    Raises:
        ValueError: it is smaller than it was, or the learning rate has
            depended on it.
    """
    if steps < config.steps:
        raise ValueError(
            f"--steps {steps}: the run in {folder} has {config.steps}; give "
            "this number or a larger one"
        )
    if steps > config.steps and config.schedule != "noam":
        raise ValueError(
            f"--steps {steps}: the learning rate of the run in {folder} has "
            f"followed a cosine that ends at step {config.steps}, and no "
            "longer run has that rate; begin a new one from its weights: "
            f"train --from {folder}"
        )


def keep_model(folder: Path, config: TrainConfig) -> None:
    """Keep the weights to translate with, before the end chooses others.

    Args:
        folder: of the run.
        config: how it trains; a cosine cannot be made longer.

    Raises:
        OSError: there is no room.
    """
    found = (folder / "model.json").exists()
    if found and config.schedule == "noam" and not _has(folder, EARLIER):
        with contextlib.suppress(ValueError):  # damaged: nothing to keep
            tensors, info = checkpoint.load(folder, "model")
            checkpoint.save(folder, EARLIER, tensors, info)


def take_back(folder: Path, eval_interval: int, steps: int) -> None:
    """Take back what only the end of a run does, for it has more steps now.

    Given again after it was killed, it does the rest.

    Args:
        folder: of the run.
        eval_interval: steps between two evaluations.
        steps: the number of its steps from now on.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: one is damaged.
    """
    if _has(folder, EARLIER):
        checkpoint.move(folder, EARLIER, "model")
    log = [
        line
        for line in read_log(folder, steps)
        if line["step"] % eval_interval == 0 and "average" not in line
    ]
    write_log(folder, log)
    for path in [folder / "model.json", *folder.glob("snapshot*.json")]:
        if path.exists() and read_json(path)["train"]["steps"] != steps:
            tensors, info = checkpoint.load(folder, path.stem)
            train = info["train"] | {"steps": steps}
            checkpoint.save(folder, path.stem, tensors, info | {"train": train})


def _has(folder: Path, name: str) -> bool:
    return (folder / f"{name}.json").exists()
