"""Weight averaging: a run keeps the weights of its last checks.

The weights of the last few checks scatter around a point that is often
better than each of them. A run that averages keeps the last N checks as the
checkpoints "snapshot0" to "snapshot{N-1}", which take turns.
"""

import math
from dataclasses import replace
from pathlib import Path

from transformer_lib import checkpoint
from transformer_lib.train_state import TrainState, load_model


def keep(state: TrainState, folder: Path, every: int, n: int) -> None:
    """Write the weights of a check in place of those n checks ago.

    Args:
        state: as it is at the check.
        folder: of the run.
        every: steps between two checks.
        n: how many to keep.

    Raises:
        OSError: a file cannot be written.
    """
    number = math.ceil(state.step / every) - 1  # of the check, from 0
    state.save_model(folder, f"snapshot{number % n}")


def averaged(state: TrainState, folder: Path, every: int, n: int) -> TrainState:
    """Return the state with the mean of the weights that are kept.

    Args:
        state: as it is after the last step; not changed.
        folder, every, n: as for `keep`; of fewer checks, all are taken.

    Returns:
        A state with another model; the optimizer is shared.

    Raises:
        OSError, ValueError: a snapshot is missing or damaged.

    Source: Vaswani et al. 2017, section 6.1. Chapter 15.
    """
    device = next(state.model.parameters()).device
    n = min(n, math.ceil(state.step / every))
    found = [checkpoint.load(folder, f"snapshot{i}") for i in range(n)]
    mean = checkpoint.average([tensors for tensors, _ in found])
    model = load_model(mean, found[0][1], folder).to(device)
    return replace(state, model=model)
