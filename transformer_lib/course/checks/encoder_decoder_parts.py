"""Layers that the check of `encoder_decoder` hands over, and their masks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

import numpy as np

__all__ = ["Layer", "causal", "learned_layers", "simple_layers"]


ENCODER = ("x", "source_mask")
DECODER = ("y", "memory", "target_mask", "source_mask")


@dataclass(frozen=True)
class Layer:
    """A finished layer that can say in words what it does.

    Attributes:
        words: what it does.
        compute: the same as a function of arrays.
        names: what its inputs are called, in order.
    """

    words: str
    compute: Callable[..., np.ndarray]
    names: tuple[str, ...] = ENCODER

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run the layer; a tensor comes, a tensor goes.

        Raises:
            TypeError: if the inputs are not those of `names`.
        """
        x, *rest = _in_order(self.names, given, named)
        given = [_array(part) for part in rest]
        if hasattr(x, "detach"):
            made = self.compute(_array(x), *given)
            return x.new_tensor(made.copy())
        return self.compute(np.asarray(x, dtype=np.float64), *given)


def _in_order(names: tuple, given: tuple, named: dict) -> list:
    """Inputs by position or by name, as a list; masks may be left away."""
    wanted = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    free = [
        part.replace(default=None) if part.name.endswith("_mask") else part
        for part in wanted
    ]
    bound = Signature(free).bind(*given, **named)
    if named:
        bound.apply_defaults()
    return list(bound.arguments.values())


def _array(part: Any) -> Any:
    if part is None:
        return None
    if hasattr(part, "detach"):
        part = part.detach().cpu().numpy()
    part = np.asarray(part)
    return part if part.dtype == bool else part.astype(np.float64)


def causal(m: int) -> np.ndarray:
    """The mask of the target: True on the diagonal and to its left.

    Args:
        m: number of tokens.

    Returns:
        (m, m).
    """
    return np.tril(np.ones((m, m), dtype=bool))


def _allowed(mask: np.ndarray | None, n_q: int, n_k: int) -> np.ndarray:
    """The mask as (n_q, n_k); refuses a mask of another sentence."""
    if mask is None:
        return np.ones((n_q, n_k), dtype=bool)
    mask = np.asarray(mask, dtype=bool)
    if mask.ndim != 2 or mask.shape not in {(1, n_k), (n_q, n_k)}:
        raise ValueError(
            f"a mask of shape {mask.shape} came for {n_q} queries and "
            f"{n_k} keys"
        )
    return np.broadcast_to(mask, (n_q, n_k))


def _shares(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Softmax over what is allowed; a row that may see nothing gets 0."""
    risen = np.exp(scores - scores.max()) * mask
    total = risen.sum(axis=1, keepdims=True)
    return risen / np.where(total > 0, total, 1.0)


def _seen(x: np.ndarray, read: np.ndarray, mask: Any) -> np.ndarray:
    """For each row of x the mean of the rows that it may read."""
    allowed = _allowed(mask, len(x), len(read))
    return _shares(np.zeros(allowed.shape), allowed) @ read


def simple_layers(
    n_encoder: int, n_decoder: int
) -> tuple[list[Layer], list[Layer]]:
    """Layers whose work can be followed on paper.

    Args:
        n_encoder: how many layers the encoder has.
        n_decoder: how many layers the decoder has.

    Returns:
        The encoder's layers and the decoder's.
    """

    def encoder(k: int) -> Layer:
        return Layer(
            f"max(0, {k} x + the mean of the rows of x that the mask allows)",
            lambda x, mask=None: np.maximum(0.0, k * x + _seen(x, x, mask)),
        )

    def decoder(k: int) -> Layer:
        return Layer(
            f"max(0, y + the mean of the allowed rows of y) + {k} times the "
            "mean of the allowed rows of memory",
            lambda y, memory, target=None, source=None: (
                np.maximum(0.0, y + _seen(y, y, target))
                + k * _seen(y, memory, source)
            ),
            DECODER,
        )

    return (
        [encoder(k + 1) for k in range(n_encoder)],
        [decoder(k + 1) for k in range(n_decoder)],
    )


def _standard(x: np.ndarray) -> np.ndarray:
    away = x - x.mean(axis=-1, keepdims=True)
    return away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + 1e-5)


def learned_layers(
    seed: int, n_encoder: int, n_decoder: int, d: int
) -> tuple[list[Layer], list[Layer]]:
    """Post-norm layers with matrices drawn once.

    Args:
        seed: of the draw.
        n_encoder: how many layers the encoder has.
        n_decoder: how many layers the decoder has.
        d: width.

    Returns:
        The encoder's layers and the decoder's.
    """
    draw = np.random.default_rng(seed)

    def attend(x: np.ndarray, read: np.ndarray, mask: Any, w: Any) -> Any:
        allowed = _allowed(mask, len(x), len(read))
        return _shares(x @ read.T / d**0.5, allowed) @ read @ w

    def encoder(i: int) -> Layer:
        w, first, bias = draw.normal(size=(d, d)), *draw.normal(size=(2, d))

        def compute(x: Any, mask: Any = None) -> np.ndarray:
            z = _standard(x + attend(x, x, mask, w))
            return _standard(z + np.maximum(0.0, z * first)) + bias

        return Layer(f"encoder layer {i + 1} with matrices", compute)

    def decoder(i: int) -> Layer:
        w, cross = draw.normal(size=(2, d, d))
        first, bias = draw.normal(size=(2, d))

        def compute(
            y: Any, memory: Any, target: Any = None, source: Any = None
        ) -> np.ndarray:
            z = _standard(y + attend(y, y, target, w))
            z = _standard(z + attend(z, memory, source, cross))
            return _standard(z + np.maximum(0.0, z * first)) + bias

        return Layer(f"decoder layer {i + 1} with matrices", compute, DECODER)

    return (
        [encoder(i) for i in range(n_encoder)],
        [decoder(i) for i in range(n_decoder)],
    )
