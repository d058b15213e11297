"""What training changes: the weights, the optimizer's state, the step."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from transformer_lib import checkpoint
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.train_config import TrainConfig
from transformer_lib.wrapping import own_name, unwrapped

__all__ = ["TrainState"]


@dataclass
class TrainState:
    """Everything that training changes: weights, optimizer state, the step.

    Learning rate, batches and dropout are functions of (seed, step, rank),
    so this is all that a checkpoint needs.

    Attributes:
        model: the weights; `torch.compile` may have wrapped it, or a part
            of it.
        optimizer: Adam with its moments.
        config: how to train.
        step: number of updates made.
        extra: extra state of the caller, as JSON, saved with the rest.
    """

    model: nn.Module
    optimizer: torch.optim.Adam
    config: TrainConfig
    step: int = 0
    extra: dict = field(default_factory=dict)

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
        return cls.begin(Transformer(model_config).to(device), config)

    @classmethod
    def begin(cls, model: Transformer, config: TrainConfig) -> "TrainState":
        """Return a model that is there, with an optimizer that is new.

        Args:
            model: with weights to begin from, on its device.
            config: how to train.

        Returns:
            The state before the first update.
        """
        return cls(model, _adam(model), config)

    @property
    def model_config(self) -> TransformerConfig:
        """The sizes and choices of the model, whatever wraps it."""
        return unwrapped(self.model).config

    def is_finite(self) -> bool:
        """Return whether all weights and all of Adam's moments are numbers."""
        return all(bool(x.isfinite().all()) for x in self._tensors().values())

    def _weights(self) -> dict[str, Tensor]:
        return {f"model.{k}": v for k, v in _parameters(self.model)}

    def _tensors(self) -> dict[str, Tensor]:
        tensors = self._weights()
        for key, parameter in _parameters(self.model):
            for kind, value in self.optimizer.state.get(parameter, {}).items():
                tensors[f"adam.{key}.{kind}"] = value
        return tensors

    def save(self, folder: str | Path, name: str = "last") -> None:
        """Write a checkpoint from which `load` continues exactly.

        Args:
            folder: where; it must exist.
            name: of the checkpoint.

        Raises:
            ValueError: a weight is no longer a number, or `load` could not
                read the model or the optimizer; nothing is written.
            OSError: a file cannot be written; the old checkpoint is whole.
        """
        if not self.is_finite():
            raise ValueError(
                f"the weights of step {self.step} hold NaN or infinity; they "
                f"are not saved, and {folder} keeps what it has"
            )
        tensors = self._tensors()
        self._check(tensors)
        info = self._info() | {"extra": self.extra}
        checkpoint.save(Path(folder), name, tensors, info)

    def save_model(self, folder: str | Path, name: str = "model") -> None:
        """Write the weights alone, for translating.

        Args:
            folder: where; it must exist.
            name: of the checkpoint.

        Raises:
            ValueError: nothing could read the model; nothing is written.
            OSError: a file cannot be written; the old checkpoint is whole.
        """
        weights = self._weights()
        self._check(weights)
        checkpoint.save(Path(folder), name, weights, self._info())

    def _info(self) -> dict:
        return {
            "step": self.step,
            "model": asdict(self.model_config),
            "train": asdict(self.config),
        }

    def _check(self, tensors: dict[str, Tensor]) -> None:
        """Refuse to write what `load` would refuse to read."""
        with torch.device("meta"):
            model = Transformer(self.model_config)
        wanted, weights = _parameters(model), checkpoint.weights_of(tensors)
        try:
            checkpoint.check_fit(dict(wanted), weights, "this training")
            for key, parameter in wanted:
                _moments(tensors, key, parameter, "this training")
        except ValueError as error:
            raise ValueError(
                f"{error}; nothing could load it, so it is not saved: keep "
                "the model as its config says, and the Adam it began with"
            ) from None

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
        model = checkpoint.load_model(tensors, info, folder).to(device)
        optimizer = _adam(model)
        for key, parameter in _parameters(model):
            optimizer.state[parameter] = _moments(
                tensors, key, parameter, folder
            )
        try:
            config = TrainConfig(**info["train"])
        except (TypeError, KeyError) as error:
            raise ValueError(
                f"{folder} belongs to another release: {error}"
            ) from None
        return cls(
            model, optimizer, config, info["step"], info.get("extra", {})
        )


def _parameters(model: nn.Module) -> list[tuple[str, nn.Parameter]]:
    return [(own_name(key), value) for key, value in model.named_parameters()]


def _adam(model: nn.Module) -> torch.optim.Adam:
    """Adam as in Vaswani et al. 2017, section 5.3."""
    return torch.optim.Adam(
        model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
    )


def _moments(
    tensors: dict[str, Tensor], key: str, parameter: Tensor, where: str | Path
) -> dict[str, Tensor]:
    """Return the step and moments Adam keeps of a parameter."""
    head = f"adam.{key}."
    moments = {
        full.removeprefix(head): value
        for full, value in tensors.items()
        if full.startswith(head)
    }
    shapes = {"step": (), "exp_avg": parameter.shape}
    shapes["exp_avg_sq"] = parameter.shape
    found = {kind: value.shape for kind, value in moments.items()}
    if found not in ({}, shapes):
        raise ValueError(
            f"{where} belongs to another configuration: Adam's state of "
            f"{key} has the shapes {found}"
        )
    return moments
