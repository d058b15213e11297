"""Checkpoints that survive a crash: tensors, JSON and a checksum.

A checkpoint NAME in a folder is two files: ``NAME.json``, which says what
was saved and names the weights file and its SHA-256, and that weights file
(safetensors). Both are written aside, synced and renamed; the JSON last. The
name of the weights file holds the step and the first digits of its SHA-256,
so no save ever writes over the file that NAME.json speaks of: that one is
complete whenever the process is killed.
Nothing is ever unpickled: a checkpoint cannot run code.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor

from transformer_lib.files import atomic_write, read_json, write_json
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.wrapping import own_name

__all__ = [
    "average",
    "check_fit",
    "copy_into",
    "load",
    "load_model",
    "move",
    "save",
    "weights_of",
]

FORMAT = 2


def _seal(info: dict) -> str:
    """Return a checksum of all that a checkpoint's JSON says."""
    text = json.dumps(info, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def save(
    folder: Path, name: str, tensors: dict[str, Tensor], info: dict
) -> None:
    """Save tensors and what there is to say about them.

    Args:
        folder: where; it must exist.
        name: the checkpoint's name, such as "last".
        tensors: on any device.
        info: JSON content; ``info["step"]`` is a part of the file's name.

    Raises:
        OSError: a file could not be written; the checkpoint that was there
            is still whole.
    """
    data = tensors_to_bytes(
        {key: value.detach().contiguous() for key, value in tensors.items()}
    )
    digest = hashlib.sha256(data).hexdigest()
    path = folder / f"{name}-{info['step']:06d}-{digest[:8]}.safetensors"
    existed = path.exists()
    own = {"format": FORMAT, "weights": path.name, "sha256": digest}
    head = own | info | own  # also if info comes from `load`
    try:
        atomic_write(path, data)
        write_json(folder / f"{name}.json", head | {"seal": _seal(head)})
    except OSError:  # the disk is full: give back what was taken
        if not existed:
            path.unlink(missing_ok=True)
        raise
    earlier = re.escape(name) + r"-\d{6,}-[0-9a-f]{8}\.safetensors(\.part)?"
    for old in folder.iterdir():
        if old != path and re.fullmatch(earlier, old.name):
            old.unlink(missing_ok=True)


def load(
    folder: Path, name: str, device: torch.device | str = "cpu"
) -> tuple[dict[str, Tensor], dict]:
    """Load what `save` saved.

    Args:
        folder: where `save` wrote.
        name: the checkpoint's name, such as "last".
        device: where the tensors shall be.

    Returns:
        The tensors by name, without wrappers such as that of
        `torch.compile`, and what was said about them.

    Raises:
        OSError: there is no such checkpoint.
        ValueError: a file is truncated, changed, or of an unknown format.
    """
    info = read_json(folder / f"{name}.json")
    _check_format(info.get("format"), folder / f"{name}.json")
    seal = info.pop("seal", None)
    if seal != _seal(info):
        raise ValueError(
            f"{folder / name}.json was changed or damaged: it does not match "
            "its own checksum; restore the file or train again"
        )
    step, weights = info.get("step"), info.get("weights")
    if not isinstance(step, int) or isinstance(step, bool) or step < 0:
        raise ValueError(
            f"{folder / name}.json is damaged: {step!r} is no step; restore "
            "the file or train again"
        )
    if not isinstance(weights, str) or Path(weights).name != weights:
        raise ValueError(
            f"{folder / name}.json is damaged: {weights!r} is no file of its "
            "folder; train again"
        )
    path = folder / weights
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != info.get("sha256"):
        raise ValueError(
            f"{path} is damaged: its {len(data)} bytes do not match the "
            f"checksum in {name}.json; restore the file or train again"
        )
    try:
        tensors = tensors_from_bytes(data)
    except SafetensorError as error:
        raise ValueError(
            f"{path} is damaged: it holds no tensors ({error}); train again"
        ) from None
    found = {own_name(key): x.to(device) for key, x in tensors.items()}
    return found, info


def move(folder: Path, name: str, new: str) -> None:
    """Give a checkpoint another name, in place of one that has it.

    Args:
        folder: where it is.
        name: its name.
        new: the name that it shall have.

    Raises:
        OSError: there is no such checkpoint, or no room.
        ValueError: it is damaged.
    """
    tensors, info = load(folder, name)
    save(folder, new, tensors, info)
    (folder / f"{name}.json").unlink()
    (folder / info["weights"]).unlink()


def _check_format(found: object, path: Path) -> None:
    if found == 1:
        raise ValueError(
            f"{path} was written by an earlier release, in which the "
            "parameters had other names; train the model again"
        )
    if found != FORMAT:
        raise ValueError(
            f"{path} has format {found!r}; this release reads format {FORMAT}"
        )


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
    copy_into(dict(model.named_parameters()), weights_of(tensors), str(where))
    return model


def weights_of(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return a checkpoint's weights by the names that the model has for them.

    Args:
        tensors: of a checkpoint, by name.

    Returns:
        Those of the model alone.
    """
    return {
        key.removeprefix("model."): value
        for key, value in tensors.items()
        if key.startswith("model.")
    }


def average(weights: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    r"""Return the mean of several checkpoints' tensors, name by name.

    $$\bar\theta = \frac{1}{N} \sum_{i=1}^{N} \theta_i$$

    Args:
        weights: at least one; all with the same names and shapes.

    Returns:
        The means, computed in float64, in the dtypes of the first.

    Raises:
        ValueError: none came, or their names or shapes differ.

    Source: Vaswani et al. 2017, section 6.1 (the last 5 or 20 checkpoints).
    """
    if not weights:
        raise ValueError("nothing to average; give at least one checkpoint")
    first = weights[0]
    for number, other in enumerate(weights, start=1):
        wrong = sorted(first.keys() ^ other.keys()) or [
            key for key in first if first[key].shape != other[key].shape
        ]
        if wrong:
            raise ValueError(
                f"checkpoint {number} differs from the first in the name or "
                f"shape of {wrong[0]}; average checkpoints of one model"
            )
    return {
        key: torch.stack([other[key].double() for other in weights])
        .mean(dim=0)
        .to(value.dtype)
        for key, value in first.items()
    }


def copy_into(
    parameters: dict[str, Tensor], tensors: dict[str, Tensor], where: str
) -> None:
    """Copy loaded tensors into parameters of the same names and shapes.

    Wrappers, such as that of `torch.compile`, do not count in a name.

    Args:
        parameters: by name; changed in place.
        tensors: by name.
        where: what to call their origin in an error.

    Raises:
        ValueError: the names or shapes are those of another configuration.
    """
    parameters = {own_name(key): x for key, x in parameters.items()}
    tensors = {own_name(key): x for key, x in tensors.items()}
    check_fit(parameters, tensors, where)
    with torch.no_grad():
        for key, parameter in parameters.items():
            parameter.copy_(tensors[key])


def check_fit(
    parameters: dict[str, Tensor], tensors: dict[str, Tensor], where: str
) -> None:
    """Refuse tensors that are not those of a model.

    Args:
        parameters: of the model, by name.
        tensors: by name.
        where: what to call their origin in an error.

    Raises:
        ValueError: the names or shapes are those of another configuration.
    """
    names = set(parameters) ^ set(tensors)
    shapes = {
        key
        for key in set(parameters) & set(tensors)
        if parameters[key].shape != tensors[key].shape
    }
    if names or shapes:
        first = min(names | shapes)
        raise ValueError(
            f"{where} belongs to another configuration: {len(names)} tensors "
            f"missing or unexpected, {len(shapes)} of another shape, the "
            f"first is {first}"
        )
