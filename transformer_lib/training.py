"""Training: one update, the loop around it, and the state that resumes."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib import checkpoint, distributed
from transformer_lib.arguments import (
    check_flag,
    check_positive,
    check_share,
    check_whole,
)
from transformer_lib.batching import Batch, BatchPlan, IdPair
from transformer_lib.label_smoothing import token_loss
from transformer_lib.model import Transformer, TransformerConfig
from transformer_lib.schedule import cosine_rate, noam_rate
from transformer_lib.tokenizer import PAD

__all__ = [
    "Record",
    "TrainConfig",
    "TrainState",
    "evaluate",
    "load_model",
    "train",
    "update",
]


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
        TypeError, ValueError: a value of another kind or outside its range;
            the message says which.
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
            check_whole(name, getattr(self, name))
        check_whole("seed", self.seed, least=0)
        if self.seed >= 2**32:
            raise ValueError(f"seed={self.seed}; choose 0 to 2**32 - 1")
        if self.peak_rate is not None:
            check_positive("peak_rate", self.peak_rate)
        check_positive("clip", self.clip)
        check_share("smoothing", self.smoothing)
        check_flag("bfloat16", self.bfloat16)

    def rate(self, step: int, d_model: int) -> float:
        """Return the learning rate of an update, counted from 1.

        Args:
            step: the update, counted from 1.
            d_model: width of the model.

        Returns:
            The learning rate.
        """
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

    Learning rate, batches and dropout are functions of (seed, step, rank),
    so this is all that a checkpoint needs. ``note`` is JSON that a caller
    wants to keep with it.

    Attributes:
        model: the weights.
        optimizer: Adam and its memory.
        config: how to train.
        step: number of updates made.
        note: JSON that a caller wants to keep.

    Chapter 13.
    """

    model: Transformer
    optimizer: torch.optim.Adam
    config: TrainConfig
    step: int = 0
    note: dict = field(default_factory=dict)

    @classmethod
    def create(
        cls,
        model_config: TransformerConfig,
        config: TrainConfig,
        device: torch.device | str = "cpu",
    ) -> "TrainState":
        """Return a new model with an optimizer that has done nothing.

        Args:
            model_config: sizes and choices of the model.
            config: how to train; its seed decides the first weights.
            device: where to train.

        Returns:
            The state before the first update.
        """
        torch.manual_seed(config.seed)
        model = Transformer(model_config).to(device)
        return cls(model, _adam(model), config)

    def is_finite(self) -> bool:
        """Return whether all weights and all of Adam's memory are numbers."""
        return all(bool(x.isfinite().all()) for x in self._tensors().values())

    def _tensors(self) -> dict[str, Tensor]:
        tensors = {f"model.{k}": v for k, v in _parameters(self.model)}
        for key, parameter in _parameters(self.model):
            for kind, value in self.optimizer.state[parameter].items():
                tensors[f"adam.{key}.{kind}"] = value
        return tensors

    def save(self, folder: str | Path, name: str = "last") -> None:
        """Write a checkpoint from which `load` continues exactly.

        Args:
            folder: where; it must exist.
            name: of the checkpoint.

        Raises:
            ValueError: a weight is no longer a number; nothing is written.
            OSError: a file cannot be written; the old checkpoint is whole.
        """
        if not self.is_finite():
            raise ValueError(
                f"the weights of step {self.step} hold NaN or infinity; they "
                f"are not saved, and {folder} keeps what it has"
            )
        info = self._info() | {"note": self.note}
        checkpoint.save(Path(folder), name, self._tensors(), info)

    def save_model(self, folder: str | Path, name: str = "model") -> None:
        """Write the weights alone, for translating.

        Args:
            folder: where; it must exist.
            name: of the checkpoint.
        """
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

        Args:
            folder: where `save` wrote.
            device: where to go on.
            name: of the checkpoint.

        Returns:
            The state as it was saved.

        Raises:
            OSError: there is none.
            ValueError: it is damaged or of another configuration.
        """
        tensors, info = checkpoint.load(Path(folder), name, device)
        model = load_model(tensors, info, folder).to(device)
        optimizer = _adam(model)
        for key, parameter in _parameters(model):
            optimizer.state[parameter] = _memory(
                tensors, key, parameter, folder
            )
        try:
            config, step = TrainConfig(**info["train"]), int(info["step"])
        except (TypeError, KeyError) as error:
            raise ValueError(
                f"{folder} belongs to another release: {error}"
            ) from None
        return cls(model, optimizer, config, step, info.get("note", {}))


def _parameters(model: nn.Module) -> list[tuple[str, nn.Parameter]]:
    return list(model.named_parameters())


def _adam(model: nn.Module) -> torch.optim.Adam:
    """Adam as in Vaswani et al. 2017, section 5.3."""
    return torch.optim.Adam(
        model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
    )


def _memory(
    tensors: dict[str, Tensor], key: str, parameter: Tensor, where: str | Path
) -> dict[str, Tensor]:
    """Return what Adam remembers of a parameter, of the right shapes."""
    head = f"adam.{key}."
    memory = {
        full.removeprefix(head): value
        for full, value in tensors.items()
        if full.startswith(head)
    }
    shapes = {"step": (), "exp_avg": parameter.shape}
    shapes["exp_avg_sq"] = parameter.shape
    found = {kind: value.shape for kind, value in memory.items()}
    if found not in ({}, shapes):
        raise ValueError(
            f"{where} belongs to another configuration: Adam's memory of "
            f"{key} has the shapes {found}"
        )
    return memory


def load_model(
    tensors: dict[str, Tensor], info: dict, where: str | Path
) -> Transformer:
    """Build the model that a checkpoint describes, with its weights.

    Args:
        tensors: of a checkpoint, by name.
        info: what it says about them.
        where: what to call it in an error.

    Returns:
        The model, in train() mode.

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
