"""What earlier runs have found, where no student can have written it.

Each line is signed with a key that lies in a folder of the grader's own. It is
kept only where a student's code cannot read files; where it can, the key is
thrown away, and everything is judged again.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["Journal"]


class Journal:
    """A file to which results are added, a line each.

    Args:
        path: of the file; None for none.
        is_safe: whether files are closed to the students' code.
        stamp: of the package that judges; what another one has found does
            not count.
    """

    def __init__(self, path: Path | None, is_safe: bool, stamp: str):
        self._path, self._stamp = path, stamp
        self._key = _key(is_safe) if path is not None else b""
        self._known: dict[str, Any] = {}
        if path is None or not self._key:
            return
        with contextlib.suppress(OSError):
            for line in path.read_bytes().splitlines():
                self._read(line)

    def get(self, *parts: str) -> Any:
        """Return what is known of some files, None if nothing.

        Args:
            parts: what decides on the result: hashes, and the chapter.
        """
        return self._known.get(_name(parts))

    def add(self, parts: Sequence[str], found: Any) -> None:
        """Note a result.

        Args:
            parts: as for `get`.
            found: plain data.

        Raises:
            OSError: the file cannot be written.
        """
        name = _name(parts)
        self._known[name] = found
        if self._path is None or not self._key:
            return
        text = json.dumps([self._stamp, name, found]).encode()
        with open(self._path, "ab") as file:
            file.write(self._sign(text) + b" " + text + b"\n")

    def _read(self, line: bytes) -> None:
        sign, _, text = line.partition(b" ")
        if hmac.compare_digest(sign, self._sign(text)):
            stamp, name, found = json.loads(text)
            if stamp == self._stamp:
                self._known[name] = found

    def _sign(self, text: bytes) -> bytes:
        return hmac.new(self._key, text, hashlib.sha256).hexdigest().encode()


def _name(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _key(is_safe: bool) -> bytes:
    """The key, made when it is first needed; none where none can be kept."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    place = Path(home, "transformer-lib", "grading.key")
    with contextlib.suppress(OSError):
        if not is_safe:
            place.unlink(missing_ok=True)
            return b""
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):
            made = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(made, secrets.token_hex(32).encode())
            os.close(made)
        return place.read_bytes()
    return b""
