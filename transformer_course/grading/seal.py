"""Whether the packages that judge are those that began to judge."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from transformer_course import PACKAGES
from transformer_course.grading.exercises import chapter_files

__all__ = ["Seal"]

_BOOK = Path(__file__).parents[2]
_HOMES = tuple(_BOOK / name for name in PACKAGES)
_MADE = "__pycache__"


class Seal:
    """The files that decide on verdicts, as they are now.

    Args:
        chapters: whose notebooks say what is asked.
        bytecode: whether to look at what Python has made of the files, too;
            another Python that runs meanwhile may write some.
        homes: the folders of the packages.

    Raises:
        ValueError: a package was installed, and is not as it was then.
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
        if odd := _unlike_its_record(homes, self._files):
            raise ValueError(
                f"{odd[0]}: not as it was installed; install the package anew"
            )

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
        found = [path for home in self._homes for path in home.rglob("*")]
        found += self._notebooks
        return {
            str(path): _digest(path)
            for path in found
            if path.is_file() and (self._bytecode or _MADE not in path.parts)
        }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _unlike_its_record(
    homes: Sequence[Path], files: dict[str, str]
) -> list[str]:
    """The files that are other ones than the installer has noted."""
    try:
        found = metadata.distribution("transformer-lib")
        record = found.read_text("RECORD") or ""
    except metadata.PackageNotFoundError:
        return []
    odd = []
    for name, noted, *_ in csv.reader(io.StringIO(record)):
        path = Path(str(found.locate_file(name)))
        kind, _, said = noted.partition("=")
        if kind != "sha256" or not any(map(path.is_relative_to, homes)):
            continue
        there = bytes.fromhex(files.get(str(path), ""))
        if base64.urlsafe_b64encode(there).rstrip(b"=").decode() != said:
            odd.append(str(path))
    return odd
