"""The files of a run that goes on: in another place, or changed."""

import hashlib
import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformer_lib.training_data import Line, TrainingData, fingerprint

__all__ = ["difference", "marks", "moved", "read_again"]

# The fields of `TrainingData` that name a file, and their options.
FILES = {
    name: "--" + name.replace("_", "-")
    for name in ("source", "target", "valid_source", "valid_target", "pairs")
}
BLOCKS = 64  # of a file's lines, each with a checksum of its own
DIGITS = 8  # of such a checksum


def moved(
    data: TrainingData, files: Mapping[str, str | Path | None], folder: Path
) -> TrainingData:
    """Return a run's data with its files in other places.

    Args:
        data: of the run.
        files: the places, by the names of `FILES`; None where none is given.
        folder: of the run, for the message.

    Returns:
        The data; what came if no place is given.

    Raises:
        ValueError: the run has other files, or none.
    """
    given = {name: path for name, path in files.items() if path is not None}
    wanted = [name for name in FILES if getattr(data, name) is not None]
    if not given:
        return data
    came = " ".join(FILES[name] for name in given)
    if not wanted:
        raise ValueError(
            f"{folder} trains on the toy corpus ({data.preset}), which is in "
            f"no file; leave out {came}"
        )
    if set(given) != set(wanted):
        raise ValueError(
            f"{folder} trains on the files of "
            f"{' '.join(FILES[name] for name in wanted)}; give the new place "
            f"of each of these and of no other (came: {came})"
        )
    places: dict[str, Any] = {
        name: str(Path(path).absolute()) for name, path in given.items()
    }
    return replace(data, **places)


def read_again(
    data: TrainingData,
    went: bool,
    folder: Path,
    digest: str,
    before: Sequence[dict] | None,
    note: Callable[[str], object],
) -> tuple[list[Line], list[Line]]:
    """Read the data of a run that goes on.

    Args:
        data: where they are now.
        went: whether this is another place than before.
        folder: of the run, for the message.
        digest: their fingerprint when the run began.
        before: their marks; None for a run of an earlier release.
        note: told what a user should know about the files.

    Returns:
        The pairs to train on and those to validate on, as they were.

    Raises:
        OSError: a file cannot be read.
        ValueError: they have changed.
    """
    try:
        lines = data.read(note)
    except OSError as error:
        if went:
            raise
        raise type(error)(f"{error}; {_how_to_move(data, folder)}") from None
    if fingerprint(lines) == digest:
        return lines
    what = difference(before, lines)
    if went:
        raise ValueError(f"{folder} began with other files than these: {what}")
    raise ValueError(
        f"the data of {folder} has changed since the run began: {what}; "
        "restore it, or start a new run"
    )


def _how_to_move(data: TrainingData, folder: Path) -> str:
    new = [f"{FILES[x]} NEW" for x in FILES if getattr(data, x) is not None]
    return (
        "if the files have moved, name their new places: python -m "
        f"transformer_lib train --out {shlex.quote(str(folder))} --resume "
        f"{' '.join(new)}"
    )


def marks(parts: Sequence[Sequence[Line]]) -> list[dict]:
    """Return what tells later where files have changed.

    Args:
        parts: the lines to train on, and those to validate on.

    Returns:
        For each pair of files the number of lines and, for each side, a
        checksum of each of at most 64 blocks of lines, one behind the other.
    """
    return [_mark(lines, _size(len(lines))) for lines in _files(parts)]


def difference(
    before: Sequence[dict] | None, parts: Sequence[Sequence[Line]]
) -> str:
    """Say in what files differ from those that a run began with.

    Args:
        before: their marks; None for a run of an earlier release.
        parts: the lines that were read now.

    Returns:
        A clause without a full stop.
    """
    files = _files(parts)
    if before is None or len(before) != len(files):
        count = sum(map(len, files))
        return f"{count} lines were read, and the text is not the same"
    for old, lines in zip(before, files, strict=True):
        size = _size(old["lines"])
        new = _mark(lines, size)
        if (old["source"], old["target"]) == (new["target"], new["source"]):
            return f"{lines[0].origin}: source and target are exchanged"
        if old != new:
            return f"{lines[0].origin}: {_first(old, new, lines, size)}"
    return "the same lines are held out in another way"


def _first(old: dict, new: dict, lines: list[Line], size: int) -> str:
    """Name the number of lines, and where the first difference is."""
    count = f"{new['lines']} lines"
    if old["lines"] != new["lines"]:
        count = f"{old['lines']} lines then, {new['lines']} now"
    for block in range(math.ceil(len(lines) / size)):
        here = slice(block * DIGITS, (block + 1) * DIGITS)
        sides = [
            side
            for side in ("source", "target")
            if old[side][here] != new[side][here]
        ]
        if sides:
            some = lines[block * size : (block + 1) * size]
            first, last = some[0].number, some[-1].number
            where = f"line {first}"
            if last > first:
                where = f"among lines {first} to {last}"
            return (
                f"{count}, the first that differs is {where} of the "
                f"{' and the '.join(sides)}"
            )
    return f"{count}, which are the same"


def _files(parts: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Return the lines of each pair of files, in their order there."""
    files: dict[str, list[Line]] = {}
    for line in (line for part in parts for line in part):
        files.setdefault(line.origin, []).append(line)
    return [sorted(x, key=lambda line: line.number) for x in files.values()]


def _size(n_lines: int) -> int:
    return max(1, math.ceil(n_lines / BLOCKS))


def _mark(lines: Sequence[Line], size: int) -> dict:
    sides = {
        "source": [line.source for line in lines],
        "target": [line.target for line in lines],
    }
    return {"lines": len(lines)} | {
        side: "".join(
            hashlib.sha256(
                "".join(f"{x}\n" for x in texts[i : i + size]).encode()
            ).hexdigest()[:DIGITS]
            for i in range(0, len(texts), size)
        )
        for side, texts in sides.items()
    }
