"""Training: one update, the loop around it, and what it has learned."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib import distributed
from transformer_lib.batching import Batch, BatchPlan, IdPair
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import Transformer
from transformer_lib.tokenizer import PAD
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState

__all__ = ["Record", "evaluate", "train", "update"]


class Record(NamedTuple):
    """What one update did; tensors, so that a GPU need not wait.

    Attributes:
        step: the update, counted from 1.
        rate: its learning rate.
        tokens: number of target tokens it learned from.
        loss: smoothed loss a token, in nats, before the update.
        gradient: length of the gradient before clipping.
    """

    step: int
    rate: float
    tokens: int
    loss: Float[Tensor, ""]
    gradient: Float[Tensor, ""]


def update(state: TrainState, batch: Batch) -> Record:
    """Learn from one batch: forward, loss, backward, clip, step.

    Under torchrun each process learns from its share of the sentences, and
    all make the same step.

    Args:
        state: changed in place.
        batch: on any device; the same in every process.

    Returns:
        What happened.

    Chapter 13.
    """
    model, config = state.model, state.config
    tokens = int((batch.target_out != PAD).sum())
    step = state.step + 1
    torch.manual_seed(_dropout_seed(config.seed, step, distributed.rank()))
    model.train()
    state.optimizer.zero_grad()
    loss = _add_loss(model, _share(batch), config, tokens)
    loss = distributed.add_gradients(model.parameters(), loss)
    length = nn.utils.clip_grad_norm_(model.parameters(), config.clip)
    rate = config.rate(step, model.config.d_model)
    for group in state.optimizer.param_groups:
        group["lr"] = rate
    state.optimizer.step()
    state.step = step
    return Record(step, rate, tokens, loss, length.detach())


def _dropout_seed(seed: int, step: int, rank: int) -> int:
    """A CPU uses the last 32 bits; the odd factor keeps ranks apart."""
    return seed * 1_000_003 + step + rank * 2_654_435_761


def _share(batch: Batch) -> Batch:
    share = distributed.share
    return Batch(
        share(batch.source), share(batch.target_in), share(batch.target_out)
    )


def _add_loss(
    model: Transformer, batch: Batch, config: TrainConfig, tokens: int
) -> Float[Tensor, ""]:
    """Backward from the batch's total loss, divided by ``tokens``."""
    device = next(model.parameters()).device
    if len(batch.source) == 0:  # more processes than sentences
        return torch.zeros((), device=device)
    batch = batch.to(device)
    with _precision(device, config.bfloat16):
        logits = model(batch.source, batch.target_in)
    total, _ = token_loss(logits.float(), batch.target_out, config.smoothing)
    loss = total / tokens
    loss.backward()
    return loss.detach()


def _precision(device: torch.device, bfloat16: bool):
    if not bfloat16:
        return contextlib.nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def train(state: TrainState, pairs: Sequence[IdPair]) -> Iterator[Record]:
    """Update until ``state.config.steps``, one record for each update.

    Stop whenever you like: the state is whole between two records, and
    calling `train` again goes on where it stopped.

    Args:
        state: where training starts or goes on; changed in place.
        pairs: the corpus as ids.

    Yields:
        A `Record` after each update.

    Chapter 13.
    """
    config = state.config
    plan = BatchPlan(pairs, config.tokens_per_batch, config.seed)
    while state.step < config.steps:
        yield update(state, plan.batch(state.step))


@torch.no_grad()
def evaluate(
    model: Transformer,
    pairs: Sequence[IdPair],
    tokens_per_batch: int = 4000,
) -> float:
    """Return the loss a target token, unsmoothed, in nats.

    Its exponential is the perplexity. The model's mode is left as it was.
    Under torchrun all processes must call this; each gets the whole loss.

    Args:
        model: any Transformer.
        pairs: the corpus as ids.
        tokens_per_batch: see `BatchPlan`.

    Returns:
        The mean over all target tokens, <eos> included.

    Chapter 13.
    """
    was_training = model.training
    model.eval()
    device = next(model.parameters()).device
    plan = BatchPlan(pairs, tokens_per_batch)
    total, count = 0.0, 0
    for step in distributed.share(range(len(plan))):
        batch = plan.batch(step).to(device)
        logits = model(batch.source, batch.target_in)
        loss, n = token_loss(logits.float(), batch.target_out)
        total, count = total + float(loss), count + int(n)
    model.train(was_training)
    total, count = distributed.add(total, count)
    return total / count
