"""The folder of a run: whether one may start there, and its log.

A log is JSON, a line for each evaluation. It is written anew as a whole,
without the lines of steps that are made again because the run was killed.
"""

import json
import re
from pathlib import Path

from transformer_lib.files import atomic_write


def is_free(folder: Path) -> bool:
    """Return whether a run may start here.

    It may in a new or empty folder, and where a start was killed before it
    wrote ``run.json``: then there is its checkpoint of step 0, and nothing
    that is not its own.

    Args:
        folder: where a run wants to live.

    Returns:
        True if a new run may start there.
    """
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    first = r"last-000000-[0-9a-f]{8}\.safetensors(\.part)?"
    rest = r"last\.json(\.part)?|tokenizer\.json(\.part)?|run\.json\.part"
    return not names or (
        all(re.fullmatch(f"{first}|{rest}", name) for name in names)
        and any(re.fullmatch(first, name) for name in names)
    )


def read_log(folder: Path, step: int) -> list[dict]:
    """Return the lines of a run's log, up to a step.

    Args:
        folder: of the run.
        step: the last step to return.

    Returns:
        The log's lines, oldest first.

    Raises:
        ValueError: it is damaged.
    """
    path = folder / "log.jsonl"
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        lines = [json.loads(x) for x in text.splitlines()]
        return [x for x in lines if x["step"] <= step]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def add_to_log(folder: Path, step: int, entry: dict) -> None:
    """Write the log up to a step, and one more line.

    Args:
        folder: of the run.
        step: the last step whose lines are kept.
        entry: the new line.

    Raises:
        OSError: it cannot be written; the old one is whole.
    """
    log = [*read_log(folder, step), entry]
    text = "".join(json.dumps(line) + "\n" for line in log)
    atomic_write(folder / "log.jsonl", text.encode())
