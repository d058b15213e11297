"""Checkpoints that survive a crash: tensors, JSON and a checksum.

A checkpoint NAME in a folder is two files: ``NAME.json``, which says what
was saved and names the weights file and its SHA-256, and that weights file
(safetensors). Both are written aside, synced and renamed; the JSON last. So
NAME.json always speaks of a complete file, whenever the process is killed.
Nothing is ever unpickled: a checkpoint cannot run code.
"""

import hashlib
import json
import os
from pathlib import Path

import torch
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor

FORMAT = 1


def write_aside(path: Path, data: bytes) -> None:
    """Write a file so that at any moment it is the old or the new one.

    Raises:
        OSError: the file could not be written; the old one is still there.
    """
    aside = path.with_name(path.name + ".part")
    try:
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def write_json(path: Path, content: dict) -> None:
    """Write JSON aside, sync and rename."""
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    write_aside(path, text.encode())


def read_json(path: Path) -> dict:
    """Read a JSON object.

    Raises:
        OSError: there is no such file.
        ValueError: the file is damaged.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # JSON and UTF-8 errors are ValueErrors
        raise ValueError(f"{path} is damaged: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} is damaged: it holds no JSON object")
    return content


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
        info: JSON content; ``info["step"]`` names the weights file.
    """
    data = tensors_to_bytes(
        {key: value.detach().contiguous() for key, value in tensors.items()}
    )
    weights = f"{name}-{info['step']:06d}.safetensors"
    write_aside(folder / weights, data)
    digest = hashlib.sha256(data).hexdigest()
    head = {"format": FORMAT, "weights": weights, "sha256": digest} | info
    write_json(folder / f"{name}.json", head | {"seal": _seal(head)})
    for old in folder.glob(f"{name}-*.safetensors*"):
        if old.name != weights:
            old.unlink(missing_ok=True)


def load(
    folder: Path, name: str, device: torch.device | str = "cpu"
) -> tuple[dict[str, Tensor], dict]:
    """Load what `save` saved.

    Raises:
        OSError: there is no such checkpoint.
        ValueError: a file is truncated, changed, or of an unknown format.
    """
    info = read_json(folder / f"{name}.json")
    if info.get("format") != FORMAT:
        raise ValueError(
            f"{folder / name}.json has format {info.get('format')!r}; this "
            f"release reads format {FORMAT}"
        )
    seal = info.pop("seal", None)
    if seal != _seal(info):
        raise ValueError(
            f"{folder / name}.json was changed or damaged: it does not match "
            "its own checksum; restore the file or train again"
        )
    path = folder / Path(info["weights"]).name
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != info["sha256"]:
        raise ValueError(
            f"{path} is damaged: its {len(data)} bytes do not match the "
            f"checksum in {name}.json; restore the file or train again"
        )
    tensors = tensors_from_bytes(data)
    return {key: value.to(device) for key, value in tensors.items()}, info


def copy_into(
    parameters: dict[str, Tensor], tensors: dict[str, Tensor], where: str
) -> None:
    """Copy loaded tensors into parameters of the same names and shapes.

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
    with torch.no_grad():
        for key, parameter in parameters.items():
            parameter.copy_(tensors[key])
