"""Whether the packages that judge are those that began to judge."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from transformer_course import PACKAGES
from transformer_course.grading.reading.exercises import chapter_files

__all__ = ["Seal"]

_ALL = Path(__file__).parents[2]
_HOMES = tuple(_ALL / name for name in PACKAGES)
_MADE = "__pycache__"


class Seal:
    """The files that decide on verdicts, as they are now.

    Args:
        chapters: whose notebooks say what is asked.
        bytecode: whether to look at what Python has made of the files, too;
            another Python that runs meanwhile may write some.
        homes: of the packages.
    """

    def __init__(
        self,
        chapters: Sequence[int],
        bytecode: bool,
        homes: Sequence[Path] = _HOMES,
    ):
        self._homes, self._bytecode = homes, bytecode
        self._notebooks = [f for n in chapters for f in chapter_files(n)]
        self._files = self._now()

    @property
    def digest(self) -> str:
        """All of it as one number, in hexadecimal digits."""
        text = "\n".join(f"{k} {v}" for k, v in sorted(self._files.items()))
        return hashlib.sha256(text.encode()).hexdigest()

    def check(self) -> None:
        """Look again.

        Raises:
            ValueError: a file has changed; the message says which.
        """
        now = self._now()
        for name in sorted({*now, *self._files}):
            if now.get(name) != self._files.get(name):
                raise ValueError(
                    f"{name} has changed during the run, so no verdict can be "
                    "believed and nothing was written; find out by whom, put "
                    "the file back, and run again"
                )

    def _now(self) -> dict[str, str]:
        ours = (path for home in self._homes for path in home.rglob("*"))
        found = [*ours, *self._notebooks]
        return {
            str(path): _digest(path)
            for path in found
            if path.is_file() and (self._bytecode or _MADE not in path.parts)
        }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
