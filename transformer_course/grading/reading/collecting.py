"""Every file that lies in a folder of submissions, read before any is run.

ZIPs are opened in memory. What cannot be read, or is of no use, is in the list
as well, with the reason.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

__all__ = ["LARGEST", "NOTEBOOK", "PYTHON", "File", "collect", "file_at"]

LARGEST = 64 * 2**20  # bytes of a file
_LARGEST_ZIP = 256 * 2**20  # bytes of all files in a ZIP, and in ZIPs in it
_MOST, _DEEPEST = 2000, 3  # files in a ZIP and in ZIPs in it, ZIPs in ZIPs
_LONGEST = 1000  # characters of a name
NOTEBOOK, PYTHON = "notebook", "Python"
_OF_SYSTEMS = ("__MACOSX", "Thumbs.db", "desktop.ini")
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, NotImplementedError, ValueError, MemoryError, IndexError),
)


@dataclass(frozen=True)
class File:
    """A file that was handed in.

    Attributes:
        name: below the folder, with / between; in a ZIP, below that.
        data: its bytes.
        why: why it is not looked into; "" where it is.
        time: seconds since 1970, when it was changed; None if unknown.
        of_no_use: SHA-256 of the bytes of a file that is of no use, and of
            which they are not kept.
    """

    name: str
    data: bytes = b""
    why: str = ""
    time: float | None = None
    of_no_use: str = ""

    @cached_property
    def kind(self) -> str:
        """`NOTEBOOK` or `PYTHON`, by what is in it; else ""."""
        lower = self.name.lower()
        head = self.data[:64].replace(b"\0", b"")
        if head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] == b"{":
            return NOTEBOOK
        if lower.endswith((".py", ".py.txt")):
            return PYTHON
        return NOTEBOOK if ".ipynb" in lower else ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hexadecimal digits; "" if there are none."""
        return (
            self.of_no_use
            or (self.data and hashlib.sha256(self.data).hexdigest())
            or ""
        )


@dataclass
class _Room:
    """How much may still come out of a ZIP, and out of the ZIPs in it."""

    bytes: int = _LARGEST_ZIP
    files: int = _MOST


def collect(folder: Path) -> list[File]:
    """Read all that lies in a folder.

    Args:
        folder: with files of students, however deep.

    Returns:
        The files, in the order of their names; those in ZIPs, too, and what
        cannot be read. Of several with one name (composed or not, or twice
        in a ZIP) the second is called "name (2)".

    Raises:
        OSError: the folder cannot be listed.
        ValueError: there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder}: a folder of submissions is wanted")
    found = list(_below(folder, folder))
    if not found:
        raise ValueError(f"{folder}: there is nothing in it")
    return _told_apart(sorted(found, key=lambda file: file.name))


def _told_apart(files: list[File]) -> list[File]:
    taken = {file.name for file in files}
    seen: set[str] = set()
    apart = []
    for file in files:
        name, number = file.name, 1
        while name in seen or (number > 1 and name in taken):
            number += 1
            name = f"{file.name} ({number})"
        seen.add(name)
        apart.append(replace(file, name=name))
    return apart


def file_at(path: Path, name: str = "") -> File:
    """Read a file, or say why not; a link is not followed.

    Args:
        path: of the file.
        name: what tables call it.
    """
    name = name or path.name
    try:
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            return File(name, why="a link, which is not followed")
        if not stat.S_ISREG(about.st_mode):
            return File(name, why="no regular file")
        if about.st_size > LARGEST and zipfile.is_zipfile(path):
            most = _LARGEST_ZIP
        else:
            most = LARGEST
        if about.st_size > most:
            return File(name, why=_too_large(about.st_size, most))
        return File(name, path.read_bytes(), time=about.st_mtime)
    except OSError as error:
        return File(name, why=error.strerror or str(error))


def _below(place: Path, folder: Path) -> Iterator[File]:
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError as error:
        if place == folder:
            raise
        why = f"a folder that cannot be looked into: {error.strerror}"
        yield File(_name(place, folder), why=why)
        return
    for entry in entries:
        path = Path(entry.path)
        name = _name(path, folder)
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name[0] == "." or entry.name in _OF_SYSTEMS:
            kind = "folder" if is_folder else "file"
            yield File(name, why=f"a hidden {kind}, which is not looked into")
        elif is_folder:
            yield from _below(path, folder)
        else:
            yield from _opened(file_at(path, name), 1, _Room())


def _name(path: Path, folder: Path) -> str:
    return unicodedata.normalize("NFC", path.relative_to(folder).as_posix())


def _opened(file: File, depth: int, room: _Room) -> Iterator[File]:
    """A file, or the files in it and itself, where it is a ZIP."""
    if file.why or file.kind:
        yield file
    elif not file.data.startswith((b"PK\x03\x04", b"PK\x05\x06")) or (
        ".zip" not in file.name.lower()
    ):
        why, digest = _of_no_use(file), file.digest
        yield File(file.name, b"", why, file.time, digest)
    elif depth > _DEEPEST:
        yield File(file.name, why="a ZIP in a ZIP in a ZIP")
    else:
        yield from _members(file, depth, room)


def _members(file: File, depth: int, room: _Room) -> Iterator[File]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
        members = [m for m in archive.infolist() if not m.is_dir()]
        size = sum(member.file_size for member in members)
    except _DAMAGED:
        yield File(file.name, why="a ZIP that is damaged")
        return
    around = ", with what lies around it" if depth > 1 else ""
    if len(members) > room.files:
        why = f"a ZIP with more than {_MOST} files{around}"
        yield File(file.name, why=why)
    elif size > room.bytes:
        yield File(file.name, why=_too_large(size, _LARGEST_ZIP) + around)
    else:
        room.bytes -= size
        room.files -= len(members)
        count = f"{len(members)} file{'s' * (len(members) != 1)}"
        yield File(file.name, why=f"a ZIP, opened: {count}")
        for member in members:
            yield from _opened(_member(archive, member, file), depth + 1, room)


def _member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: File
) -> File:
    parts = [p for p in _text(member).split("/") if p not in ("", ".", "..")]
    name = "/".join([file.name, *parts])
    if len(name) > _LONGEST:
        return File(name[:_LONGEST], why="a name that is too long")
    if any(part[0] == "." or part in _OF_SYSTEMS for part in parts):
        return File(name, why="a hidden file, which is not looked into")
    if stat.S_ISLNK(member.external_attr >> 16):
        return File(name, why="a link, which is not followed")
    if member.flag_bits & 1:
        return File(name, why="locked by a password")
    if member.file_size > LARGEST:
        return File(name, why=_too_large(member.file_size, LARGEST))
    try:
        with archive.open(member) as content:
            data = content.read(LARGEST + 1)
    except _DAMAGED:
        return File(name, why="damaged, in a ZIP")
    time = None
    with contextlib.suppress(ValueError, OverflowError, OSError):
        time = datetime(*member.date_time).timestamp()
    return File(name, data, time=time)


def _text(member: zipfile.ZipInfo) -> str:
    """The name of a file in a ZIP; Windows in Korea does not write UTF-8."""
    name = member.filename[: 2 * _LONGEST].replace("\\", "/")
    if not member.flag_bits & 0x800:
        for encoding in ("utf-8", "cp949"):
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode(encoding)
                break
    return unicodedata.normalize("NFC", name)


def _too_large(size: int, most: int) -> str:
    return f"the file has {size >> 20} MiB; {most >> 20} at the most are read"


def _of_no_use(file: File) -> str:
    if not file.data:
        return "an empty file"
    ending = Path(file.name).suffix.lower()
    said = f"a {ending} file" if ending else "a file without an ending"
    return f"{said}: no notebook and no Python"
