"""What earlier runs have found, and the secret of all of them.

It is believed where no student's code can have written it. Where files are open
to that, everything is judged again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["Journal"]


class Journal:
    """A file to which results are added, a line each; first comes the secret.

    Args:
        path: of the file; None for none.
        is_safe: whether files are closed to the students' code.
        stamp: of the package that judges; what another one has found does
            not count.

    Attributes:
        secret: what one more case is drawn from; new where there is no file.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path | None, is_safe: bool, stamp: str):
        self._path, self._is_safe, self._stamp = path, is_safe, stamp
        self._known: dict[str, Any] = {}
        self.secret = ""
        for secret, found_by, name, found in _lines(path):
            self.secret = self.secret or str(secret)
            if is_safe and found_by == stamp:
                self._known[name] = found
        if not self.secret:
            self._begin(secrets.token_hex(16))

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
        if self._is_safe:
            self._write("", self._stamp, name, found)

    def close(self) -> None:
        """Leave nothing but the secret where a student can have written.

        Raises:
            OSError: the file cannot be written.
        """
        if not self._is_safe:
            self._begin(self.secret)

    def _begin(self, secret: str) -> None:
        self.secret = secret
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self._write(secret, "", "", None)

    def _write(self, *line: Any) -> None:
        if self._path is None:
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with open(os.open(self._path, flags, 0o600), "ab") as file:
            file.write(json.dumps(line).encode() + b"\n")


def _lines(path: Path | None) -> list[list[Any]]:
    """The lines that are whole; the last one of a killed run may not be.

    A file that is another user's may be what a student's code has put here.
    """
    found = []
    if path is not None and path.is_file() and _is_own(path):
        for line in path.read_bytes().splitlines():
            with contextlib.suppress(ValueError, TypeError):
                secret, stamp, name, what = json.loads(line)
                found.append([secret, stamp, name, what])
    return found


def _is_own(path: Path) -> bool:
    return not hasattr(os, "geteuid") or path.stat().st_uid == os.geteuid()


def _name(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
