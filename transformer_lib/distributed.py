"""The little that torchrun needs: several processes train as one.

    torchrun --nproc-per-node 2 -m transformer_lib train ...

torchrun starts the processes and tells each, by environment variables, who
it is: ``RANK`` of ``WORLD_SIZE``. Each holds the whole model and sees the
same batch, computes with its shard of the sentences, and adds its sums to
those of the others: together they do what one process does. Without torchrun
there is one process, and everything here gives back what came.

Each call of `all_reduce`, `all_reduce_gradients` and `any_rank` waits until
all processes have made it.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

Rows = TypeVar("Rows", Tensor, Sequence)

PATIENCE = timedelta(minutes=10)  # with a process that does not answer


def start(device: str = "cpu") -> str:
    """Meet the other processes, if torchrun started this one.

    Args:
        device: "cpu", "cuda" or "mps".

    Returns:
        The device of this process; under torchrun, a GPU of its own.

    Raises:
        ValueError: there are fewer GPUs than processes, or the device is
            "mps", where processes cannot meet.
    """
    if "WORLD_SIZE" not in os.environ or dist.is_initialized():
        return device
    if device == "mps":
        raise ValueError(
            "processes cannot train together on mps; start one without "
            "torchrun, or several with --device cpu"
        )
    backend = "gloo"
    if device == "cuda":  # flags stay on the CPU, so no GPU is waited for
        backend = "cpu:gloo,cuda:nccl"
        local, found = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
        if local >= found:
            raise ValueError(
                f"process {local} of this machine finds {found} GPUs; start "
                "at most one process for each (--nproc-per-node)"
            )
        device = f"cuda:{local}"
        torch.cuda.set_device(local)
    dist.init_process_group(backend, timeout=PATIENCE)
    return device


def stop() -> None:
    """Leave the others, at the end."""
    if dist.is_available() and dist.is_initialized():
        dist.destroy_process_group()


def rank() -> int:
    """Return which process this is; the first, 0, is the one that writes.

    Returns:
        From 0 to `world_size` - 1; 0 without torchrun.
    """
    return dist.get_rank() if world_size() > 1 else 0


def world_size() -> int:
    """Return how many processes train together.

    Returns:
        1 without torchrun.
    """
    together = dist.is_available() and dist.is_initialized()
    return dist.get_world_size() if together else 1


def shard(rows: Rows) -> Rows:
    """Return this process's rows: every `world_size`-th, from `rank` on.

    Where there are fewer rows than processes, the last ones get none.

    Args:
        rows: a tensor or a sequence, the same in every process.

    Returns:
        The rows of this process.
    """
    return rows if world_size() == 1 else rows[rank() :: world_size()]


def all_reduce(*numbers: float) -> list[float]:
    """Return the sums of numbers over all processes, in float64.

    Args:
        numbers: this process's part of each sum.

    Returns:
        The sums, the same in every process.
    """
    if world_size() == 1:
        return list(numbers)
    sums = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(sums)
    return sums.tolist()


def any_rank(flag: bool) -> bool:
    """Return whether the flag is up in any process, the same in all.

    Args:
        flag: of this process.

    Returns:
        True if it is up anywhere.
    """
    return all_reduce(flag)[0] > 0


def all_reduce_gradients(
    parameters: Iterable[nn.Parameter], loss: Tensor
) -> Tensor:
    """Add up the gradients of all processes, in place, and their losses.

    Args:
        parameters: the same in every process; no gradient counts as zero.
        loss: a scalar, this process's part.

    Returns:
        The sum of the losses.
    """
    if world_size() == 1:
        return loss
    parameters = list(parameters)
    gradients = [
        torch.zeros_like(p) if p.grad is None else p.grad for p in parameters
    ]
    message = torch.cat([part.flatten() for part in (loss, *gradients)])
    dist.all_reduce(message)
    sums = message.split([1, *(p.numel() for p in parameters)])
    for p, total in zip(parameters, sums[1:], strict=True):
        p.grad = total.view_as(p)
    return sums[0].squeeze()
