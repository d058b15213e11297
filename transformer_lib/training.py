"""Training: one step, the loop around it, and evaluation."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib import distributed
from transformer_lib.batching import Batch, BatchPlan, IdPair
from transformer_lib.label_smoothing import token_loss
from transformer_lib.special_tokens import PAD
from transformer_lib.train_config import TrainConfig
from transformer_lib.train_state import TrainState

__all__ = ["LossMeter", "StepStats", "evaluate", "train", "train_step"]


class StepStats(NamedTuple):
    """What one training step did; tensors, so that a GPU need not wait.

    Attributes:
        step: the update, counted from 1.
        lr: its learning rate.
        tokens: number of target tokens in its batch.
        loss: smoothed per-token loss, in nats, before the update.
        grad_norm: norm of the gradient, before clipping.
    """

    step: int
    lr: float
    tokens: int
    loss: Float[Tensor, ""]
    grad_norm: Float[Tensor, ""]


def train_step(state: TrainState, batch: Batch) -> StepStats:
    """Learn from one batch: forward, loss, backward, clip, step.

    Under torchrun each process takes its shard of the sentences, and all
    make the same step.

    Args:
        state: changed in place.
        batch: on any device; the same in every process.

    Returns:
        What happened.

    Source: Vaswani et al. 2017, section 5.3; Pascanu et al. 2013, algorithm 1
    (clipping).
    """
    model, config = state.model, state.config
    tokens = int((batch.target_out != PAD).sum())
    step = state.step + 1
    _seed_dropout(model, _dropout_seed(config.seed, step, distributed.rank()))
    model.train()
    state.optimizer.zero_grad()
    loss = _loss_and_backward(model, _shard(batch), config, tokens)
    loss = distributed.all_reduce_gradients(model.parameters(), loss)
    norm = nn.utils.clip_grad_norm_(model.parameters(), config.max_grad_norm)
    lr = config.lr(step, state.model_config.d_model)
    for group in state.optimizer.param_groups:
        group["lr"] = lr
    state.optimizer.step()
    state.step = step
    return StepStats(step, lr, tokens, loss, norm.detach())


def _seed_dropout(model: nn.Module, seed: int) -> None:
    """Seed where the model's dropout draws.

    `torch.manual_seed` does so for all devices, and for those that are not in
    use it takes down a stack trace: a twentieth of a small model's step.
    """
    if next(model.parameters()).device.type == "cpu":
        torch.default_generator.manual_seed(seed)
    else:
        torch.manual_seed(seed)


def _dropout_seed(seed: int, step: int, rank: int) -> int:
    """A CPU uses the last 32 bits; the odd factor keeps ranks apart."""
    return seed * 1_000_003 + step + rank * 2_654_435_761


def _shard(batch: Batch) -> Batch:
    shard = distributed.shard
    return Batch(
        shard(batch.source), shard(batch.target_in), shard(batch.target_out)
    )


def _loss_and_backward(
    model: nn.Module, batch: Batch, config: TrainConfig, tokens: int
) -> Float[Tensor, ""]:
    """Add the gradients of the total loss over ``tokens``; return it."""
    device = next(model.parameters()).device
    if len(batch.source) == 0:  # more processes than sentences
        return torch.zeros((), device=device)
    batch = batch.to(device)
    with _precision(device, config.bfloat16):
        logits = model(batch.source, batch.target_in)
    epsilon = config.label_smoothing
    total, _ = token_loss(logits.float(), batch.target_out, epsilon)
    loss = total / tokens
    loss.backward()
    return loss.detach()


def _precision(
    device: torch.device, bfloat16: bool
) -> contextlib.AbstractContextManager:
    if not bfloat16:
        return contextlib.nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def train(state: TrainState, pairs: Sequence[IdPair]) -> Iterator[StepStats]:
    """Train until ``state.config.steps``, one `StepStats` for each step.

    Stop whenever you like: the state is whole between two steps, and
    calling `train` again goes on where it stopped.

    Args:
        state: where training starts or goes on; changed in place.
        pairs: the corpus as ids.

    Yields:
        What each step did.
    """
    config = state.config
    plan = BatchPlan(pairs, config.tokens_per_batch, config.seed)
    while state.step < config.steps:
        yield train_step(state, plan.batch(state.step))


class LossMeter:
    """The per-token loss over several steps.

    The steps are kept as they come and summed when somebody asks: until then
    no GPU is waited for.

    Args:
        total: summed loss of earlier steps, in nats.
        count: their number of tokens.

    Attributes:
        steps: those that were added.
    """

    def __init__(self, total: float = 0.0, count: int = 0):
        self._total, self._count = total, count
        self.steps: list[StepStats] = []

    def add(self, step: StepStats) -> None:
        """Take one more step into the mean."""
        self.steps.append(step)

    def sums(self) -> tuple[float, int]:
        """Return the summed loss and the number of tokens."""
        total, count = self._total, self._count
        for step in self.steps:
            total += float(step.loss) * step.tokens
            count += step.tokens
        return total, count


@torch.no_grad()
def evaluate(
    model: nn.Module,
    pairs: Sequence[IdPair],
    tokens_per_batch: int = 4000,
) -> float:
    """Return the per-token loss, unsmoothed, in nats.

    Its exponential is the perplexity. The model's mode is left as it was.
    Under torchrun all processes must call this; each gets the whole loss.

    Args:
        model: any Transformer, compiled or not.
        pairs: the corpus as ids.
        tokens_per_batch: see `BatchPlan`.

    Returns:
        The mean over all target tokens, <eos> included.
    """
    was_training = model.training
    model.eval()
    device = next(model.parameters()).device
    plan = BatchPlan(pairs, tokens_per_batch)
    total, count = 0.0, 0.0
    for step in distributed.shard(range(len(plan))):
        batch = plan.batch(step).to(device)
        logits = model(batch.source, batch.target_in)
        loss, n = token_loss(logits.float(), batch.target_out)
        total, count = total + float(loss), count + int(n)
    model.train(was_training)
    total, count = distributed.all_reduce(total, count)
    return total / count
