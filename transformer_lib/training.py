"""Training: one update, the loop around it, and the state that resumes."""

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib import checkpoint
from transformer_lib.batching import Batch, BatchPlan, IdPair
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.schedule import cosine_rate, noam_rate


@dataclass(frozen=True)
class TrainConfig:
    """How to train.

    Args:
        steps: number of updates.
        tokens_per_batch: see `BatchPlan`.
        peak_rate: highest learning rate of `cosine_rate`; None takes the
            paper's schedule, `noam_rate`.
        warmup: steps until the highest rate.
        smoothing: epsilon of label smoothing.
        clip: longest gradient allowed; a longer one is scaled down.
        seed: decides the first weights, the batches and the dropout.
        bfloat16: compute matrix products in bfloat16 (for a GPU).

    Raises:
        ValueError: a number outside its range; the message says which.
    """

    steps: int = 1000
    tokens_per_batch: int = 1500
    peak_rate: float | None = 5e-3
    warmup: int = 100
    smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 0
    bfloat16: bool = False

    def __post_init__(self):
        for name in ("steps", "warmup", "tokens_per_batch"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name}={getattr(self, name)}; choose 1 or more"
                )
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"seed={self.seed}; choose 0 to 2**32 - 1")
        for name in ("peak_rate", "clip"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name}={value}; choose a number above 0")
        if not 0 <= self.smoothing < 1:
            raise ValueError(
                f"smoothing={self.smoothing}; choose 0 <= smoothing < 1"
            )

    def rate(self, step: int, d_model: int) -> float:
        """Return the learning rate of an update, counted from 1."""
        if self.peak_rate is None:
            return noam_rate(step, d_model, self.warmup)
        return cosine_rate(step, self.peak_rate, self.warmup, self.steps)


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


@dataclass
class TrainState:
    """Everything that training changes: weights, Adam's memory, the step.

    Learning rate, batches and dropout are functions of (seed, step), so
    this is all that a checkpoint needs.
    """

    model: Transformer
    optimizer: torch.optim.Adam
    config: TrainConfig
    step: int = 0

    @classmethod
    def create(
        cls,
        model_config: TransformerConfig,
        config: TrainConfig,
        device: torch.device | str = "cpu",
    ) -> "TrainState":
        """Return a new model with an optimizer that has done nothing."""
        torch.manual_seed(config.seed)
        model = Transformer(model_config).to(device)
        return cls(model, _adam(model), config)

    def save(self, folder: str | Path, name: str = "last") -> None:
        """Write a checkpoint from which `load` continues exactly."""
        tensors = {f"model.{k}": v for k, v in _parameters(self.model)}
        for key, parameter in _parameters(self.model):
            for kind, value in self.optimizer.state[parameter].items():
                tensors[f"adam.{key}.{kind}"] = value
        checkpoint.save(Path(folder), name, tensors, self._info())

    def save_model(self, folder: str | Path, name: str = "model") -> None:
        """Write the weights alone, for translating."""
        tensors = {f"model.{k}": v for k, v in _parameters(self.model)}
        checkpoint.save(Path(folder), name, tensors, self._info())

    def _info(self) -> dict:
        return {
            "step": self.step,
            "model": asdict(self.model.config),
            "train": asdict(self.config),
        }

    @classmethod
    def load(
        cls,
        folder: str | Path,
        device: torch.device | str = "cpu",
        name: str = "last",
    ) -> "TrainState":
        """Read a checkpoint.

        Raises:
            OSError: there is none.
            ValueError: it is damaged or of another configuration.
        """
        tensors, info = checkpoint.load(Path(folder), name, device)
        model = load_model(tensors, info, folder).to(device)
        optimizer = _adam(model)
        for key, parameter in _parameters(model):
            head = f"adam.{key}."
            optimizer.state[parameter] = {
                full.removeprefix(head): value
                for full, value in tensors.items()
                if full.startswith(head)
            }
        try:
            config = TrainConfig(**info["train"])
        except (TypeError, KeyError) as error:
            raise ValueError(
                f"{folder} belongs to another release: {error}"
            ) from None
        return cls(model, optimizer, config, info["step"])


def _parameters(model: nn.Module) -> list[tuple[str, nn.Parameter]]:
    return list(model.named_parameters())


def _adam(model: nn.Module) -> torch.optim.Adam:
    """Adam as in Vaswani et al. 2017, section 5.3."""
    return torch.optim.Adam(
        model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
    )


def load_model(
    tensors: dict[str, Tensor], info: dict, where: str | Path
) -> Transformer:
    """Build the model that a checkpoint describes, with its weights.

    Raises:
        ValueError: the checkpoint is of another configuration.
    """
    try:
        model = Transformer(TransformerConfig(**info["model"]))
    except (TypeError, KeyError) as error:
        raise ValueError(
            f"{where} belongs to another configuration: {error}"
        ) from None
    weights = {
        key.removeprefix("model."): value
        for key, value in tensors.items()
        if key.startswith("model.")
    }
    checkpoint.copy_into(dict(_parameters(model)), weights, str(where))
    return model


def update(state: TrainState, batch: Batch) -> Record:
    """Learn from one batch: forward, loss, backward, clip, step.

    Args:
        state: changed in place.
        batch: on any device.

    Returns:
        What happened.

    Chapter 13.
    """
    model, config = state.model, state.config
    device = next(model.parameters()).device
    tokens = int((batch.target_out != 0).sum())
    batch = batch.to(device)
    step = state.step + 1
    torch.manual_seed(config.seed * 1_000_003 + step)  # dropout
    model.train()
    with _precision(device, config.bfloat16):
        logits = model(batch.source, batch.target_in)
    total, _ = token_loss(logits.float(), batch.target_out, config.smoothing)
    loss = total / tokens
    state.optimizer.zero_grad()
    loss.backward()
    length = nn.utils.clip_grad_norm_(model.parameters(), config.clip)
    rate = config.rate(step, model.config.d_model)
    for group in state.optimizer.param_groups:
        group["lr"] = rate
    state.optimizer.step()
    state.step = step
    return Record(step, rate, tokens, loss.detach(), length.detach())


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
    """
    was_training = model.training
    model.eval()
    device = next(model.parameters()).device
    total, count = 0.0, 0
    for batch in BatchPlan(pairs, tokens_per_batch).once():
        batch = batch.to(device)
        logits = model(batch.source, batch.target_in)
        loss, n = token_loss(logits.float(), batch.target_out)
        total, count = total + float(loss), count + int(n)
    model.train(was_training)
    return total / count
