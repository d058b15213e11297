"""The reader's file on the disk: where it is, what it says, what it said.

What a change would lose is kept beside the file: my_transformer_before_1.py,
my_transformer_before_2.py, and so on. Whatever is wrong with a file is told in
one sentence, a `BrokenFile`.
"""

from __future__ import annotations

import glob
import linecache
import os
import re
import sys
from pathlib import Path
from types import ModuleType

from transformer_course.checks import parts
from transformer_course.checks.engine.box import contained
from transformer_course.checks.parts import source_file
from transformer_course.workbook.folders import lessons
from transformer_lib.files import atomic_write

__all__ = [
    "HEADER",
    "BrokenFile",
    "backups",
    "file",
    "is_lost_with_the_session",
    "load",
    "none",
    "others",
    "read",
    "run",
    "write",
]

HEADER = '''"""My own Transformer, part by part."""

import math

import torch
from torch import nn
from torch.nn import functional as F

PAD, BOS, EOS = 0, 1, 2
'''
KEPT = 20  # earlier versions
SECONDS = 20.0  # of computing, until a file has run
_COLAB = Path("/content")  # where its sessions live
_DRIVE = Path("/content/drive/MyDrive")  # where Colab mounts it


class BrokenFile(ValueError):
    """What is wrong with the reader's file; a notebook shows the sentence.

    Args:
        sentence: all of it.
        why: the part of it that says why the file does not run.
    """

    def __init__(self, sentence: str, why: str = ""):
        super().__init__(sentence)
        self.why = why

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def file() -> Path:
    """Find the reader's file.

    Returns:
        Where it is, or will be, in full: beside the lessons, for their
        laboratories too.
    """
    named = os.environ.get("TRANSFORMER_WORKBOOK")
    if named:
        return Path(named).resolve()
    folder = _DRIVE if _DRIVE.is_dir() else lessons()
    return (folder / "my_transformer.py").resolve()


def is_lost_with_the_session() -> bool:
    """True in Colab, unless the file is in the reader's Drive."""
    there = file()
    return there.is_relative_to(_COLAB.resolve()) and not there.is_relative_to(
        _DRIVE.parent.resolve()
    )


def backups() -> list[Path]:
    """List the earlier versions that were kept.

    Returns:
        Their files, the oldest first.
    """
    here = file()
    name = re.compile(
        rf"{re.escape(here.stem)}_before_(\d+){re.escape(here.suffix)}"
    )
    found = here.parent.glob(f"{glob.escape(here.stem)}_before_*")
    numbers = {one: name.fullmatch(one.name) for one in found}
    numbers = {one: int(match[1]) for one, match in numbers.items() if match}
    return sorted(numbers, key=numbers.__getitem__)


def none() -> str:
    """Say that there is no file, and where it would be."""
    return f"There is no {file().name} in {file().parent}."


def others() -> str:
    """Say where another file is with which the reader may want to go on.

    Returns:
        One that lies where the reader may have worked, and what is kept of
        the file; or "".
    """
    here, before = file(), backups()
    near = {*here.parent.glob(f"{glob.escape(here.stem)}*{here.suffix}")}
    for folder in (Path(), here.parent.parent, here.parent / "chapters"):
        near.add((folder / here.name).resolve())
    said = [
        f"Another one is {one}: copy it over to go on with it."
        for one in sorted(near - {here, *before})
        if one.is_file()
    ]
    if before:
        longest = max(before, key=lambda one: one.stat().st_size)
        also = f", {longest.name} is the longest"
        said.append(
            f"{before[-1].name}, beside it, is the last earlier version"
            f"{also if longest != before[-1] else ''}."
        )
    return " ".join(said)


def read() -> str:
    """Read the file.

    Returns:
        Its text, which is Python; only the imports if there is no file.

    Raises:
        BrokenFile: it is no text, or no Python.
        OSError: it cannot be read.
    """
    here = file()
    if not here.exists():
        return HEADER
    data = here.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BrokenFile(
            f"{here}, line {line}: the byte {data[error.start]:#04x} is no "
            "UTF-8. Save the file as UTF-8 in your editor."
        ) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise BrokenFile(
            f"{here}, line {line}: a NUL byte, which no Python file has. "
            + _way_out("Remove it")
        )
    try:
        source_file.definitions(text)
        source_file.assigned(text)
    except SyntaxError as error:
        raise BrokenFile(
            f"{here}, line {error.lineno}: this is no Python ({error.msg}). "
            + _way_out("Mend that line")
        ) from None
    except (RecursionError, MemoryError):
        lines = text.split("\n")
        longest = max(lines, key=len)
        raise BrokenFile(
            f"{here}: this is too deeply nested for Python. Its longest line, "
            f"line {lines.index(longest) + 1}, has {len(longest):,} "
            f"characters. {_way_out('Shorten it')}"
        ) from None
    return text


def run(text: str, name: str = "") -> ModuleType:
    """Run the text of a file, for a limited time.

    Args:
        text: of the file.
        name: of the file it is in; of none if empty.

    Returns:
        The module. Parts that it lacks are the book's.

    Raises:
        BrokenFile: it does not run; the message says why.
    """
    if not name:
        name = f"<{file().name}>"
        lines = text.splitlines(keepends=True)
        linecache.cache[name] = (len(text), None, lines, name)
    module = ModuleType("my_transformer")
    module.__file__ = name
    for part in parts.PARTS:
        setattr(module, part, getattr(parts.part(part), part))
    errors: list[BaseException] = []

    def work() -> None:
        try:
            code = compile(text, name, "exec", dont_inherit=True)
            exec(code, vars(module))
        except BaseException as error:  # sys.exit, too
            errors.append(error)

    if not contained(work, SECONDS).finished:
        why = (
            f"it has no end after {SECONDS:g} seconds. A loop outside of all "
            "functions may never reach its end."
        )
    elif errors:
        said = f": {errors[0]}" if str(errors[0]) else ""
        why = f"{type(errors[0]).__name__}{said}{_line(errors[0], name)}."
    else:
        return module
    raise BrokenFile(f"{file()} does not run: {why}", why)


def load() -> ModuleType:
    """Run the reader's file, and let `import my_transformer` find it.

    Returns:
        The module. Parts that the file lacks are the book's.

    Raises:
        FileNotFoundError: there is no such file.
        BrokenFile: it does not run; the message says why.
        OSError: it cannot be read.
    """
    here = file()
    if not here.exists():
        raise FileNotFoundError(
            f"{here}: no such file yet; workbook.save writes it"
        )
    linecache.checkcache(str(here))
    module = run(read(), str(here))
    sys.modules["my_transformer"] = module
    return module


def write(text: str) -> Path | None:
    """Write the file, and keep what the new text does not have.

    Args:
        text: all of the file.

    Returns:
        Where the file as it was is, if something of it is gone.

    Raises:
        BrokenFile: what is there is no Python.
        OSError: it cannot be written.
    """
    here, kept = file(), None
    if here.exists():
        old = read()
        if _loses(old, text):
            kept = _kept(here.read_bytes())
    atomic_write(here, text.encode())
    return kept


def _loses(old: str, new: str) -> bool:
    """Whether a definition, or a line outside, is not in the new text."""
    now = source_file.definitions(new)
    for name, source in source_file.definitions(old).items():
        if now.get(name, "").strip() != source.strip():
            return True
    after = iter(new.split("\n"))
    return not all(line in after for line in filter(None, old.split("\n")))


def _kept(data: bytes) -> Path:
    """Keep a version: the newest stay, and the longest of all."""
    before, here = backups(), file()
    for one in before:
        if one.read_bytes() == data:
            return one
    last = re.search(r"\d+$", before[-1].stem)[0] if before else 0
    new = here.with_name(f"{here.stem}_before_{int(last) + 1}{here.suffix}")
    atomic_write(new, data)
    before.append(new)
    longest = max(before, key=lambda one: one.stat().st_size)
    for one in [one for one in before if one != longest][: -KEPT + 1]:
        one.unlink()
    return new


def _line(error: BaseException, name: str) -> str:
    """Where in the file an error comes from."""
    line, step = getattr(error, "lineno", None), error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            line = step.tb_lineno
        step = step.tb_next
    return f" (line {line})" if line else ""


def _way_out(mend: str) -> str:
    """How to go on: mend the file, or begin another."""
    said = f"{mend}, or move the file away: the next save begins a new one."
    names = [one.name for one in backups()[:-4:-1]]
    if names:
        said += f" Earlier versions lie beside it: {', '.join(names)}."
    return said
