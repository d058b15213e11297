"""Reading real text: lines of UTF-8, and pairs that translate each other.

What gzip has packed is unpacked on the way. Its first two bytes tell it from
UTF-8, whatever the file is called.
"""

import gzip
import unicodedata
import zlib
from pathlib import Path
from typing import NamedTuple

from transformer_lib.corpus_notes import as_seen, is_blank, some

__all__ = [
    "Text",
    "clean_line",
    "columns",
    "lines_of",
    "pair_up",
    "read_lines",
    "read_pairs",
    "read_parallel",
    "read_text",
]

MARK = "\ufeff"  # a byte order mark, as a character
_PACKED = {
    b"\x1f\x8b": "packed twice",
    b"PK\x03\x04": "a zip archive, as a .docx or .xlsx is",
    b"BZh": "packed by bzip2",
    b"\xfd7zXZ\x00": "packed by xz",
    b"\x28\xb5\x2f\xfd": "packed by zstd",
}


class Text(NamedTuple):
    """A file, or a column of one, as lines.

    Attributes:
        origin: the file.
        lines: cleaned by `clean_line`.
        marked: numbers of the lines from which byte order marks were
            removed, as after ``cat a b``; that of the file does not count.
    """

    origin: str
    lines: list[str]
    marked: list[int]


def clean_line(line: str) -> str:
    """Remove byte order marks and a trailing carriage return; compose (NFC).

    Args:
        line: a line of text without its newline.

    Returns:
        The line, ready for a tokenizer.
    """
    return _composed(line).replace(MARK, "")


def _composed(line: str) -> str:
    return unicodedata.normalize("NFC", line.removesuffix("\r"))


def read_lines(path: str | Path) -> list[str]:
    """Read a UTF-8 file, split at newlines and nowhere else.

    Byte order marks and carriage returns before newlines are removed; a file
    packed by gzip is unpacked.

    Args:
        path: the file.

    Returns:
        Its lines, each cleaned by `clean_line`.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is empty, or as for `lines_of`.
    """
    return read_text(path).lines


def read_text(path: str | Path, as_is: bool = False) -> Text:
    """Read a file as `read_lines` does, and note where marks stood.

    Args:
        path: the file.
        as_is: keep byte order marks inside, and NULs.

    Returns:
        Its lines.

    Raises:
        OSError, ValueError: as for `read_lines`.
    """
    text = _text_of(Path(path).read_bytes(), str(path), as_is)
    if not text.lines:
        raise ValueError(f"{path} is empty; give a file with a text a line")
    return text


def lines_of(data: bytes, origin: str) -> list[str]:
    """Decode UTF-8 and split it at newlines, as `read_lines` does.

    Args:
        data: what was read; empty bytes give no line.
        origin: what to call it in an error.

    Returns:
        The lines, each cleaned by `clean_line`.

    Raises:
        ValueError: the data is not UTF-8 or holds a NUL (with line and
            byte), its lines end with carriage returns alone, or it is
            packed and damaged, or packed by another program than gzip.
    """
    return _text_of(data, origin).lines


def _text_of(data: bytes, origin: str, as_is: bool = False) -> Text:
    data = _unpacked(data, origin)
    text = _decoded(data, origin)
    nul = data.find(b"\0")
    if nul >= 0 and not as_is:
        raise ValueError(
            f"{origin} is no text: {_place(data, nul)} is NUL; is it UTF-16? "
            "save it as UTF-8"
        )
    inner = text.rstrip("\r\n")
    if "\r" in inner and "\n" not in inner:
        raise ValueError(
            f"{origin} has no newline between its lines, only carriage "
            "returns, as on old Macs; save it with newlines (LF)"
        )
    lines = text.removesuffix("\n").split("\n") if text else []
    if as_is:
        return Text(origin, [_composed(line) for line in lines], [])
    marked = [n for n, line in enumerate(lines, 1) if MARK in line]
    return Text(origin, [clean_line(line) for line in lines], marked)


def _unpacked(data: bytes, origin: str) -> bytes:
    """Undo gzip, and name what other programs have packed."""
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(
                f"{origin} is packed by gzip, but damaged or not whole: "
                f"{error}; fetch it again, or pack it again"
            ) from None
    kinds = [kind for start, kind in _PACKED.items() if data.startswith(start)]
    if data[257:262] == b"ustar":
        kinds.append("a tar archive")
    if kinds and not _is_utf_8(data):
        raise ValueError(f"{origin} is {kinds[0]}; unpack it first")
    return data


def _is_utf_8(data: bytes) -> bool:
    """Return whether this may be a text: UTF-8 without a NUL."""
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _decoded(data: bytes, origin: str) -> str:
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        return data[mark:].decode("utf-8")
    except UnicodeDecodeError as error:
        start = mark + error.start
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data
        asked = "is it UTF-16? " if wide else ""
        raise ValueError(
            f"{origin} is not UTF-8: {_place(data, start)} is "
            f"0x{data[start]:02x}; {asked}save it as UTF-8"
        ) from None


def _place(data: bytes, start: int) -> str:
    line = data.count(b"\n", 0, start) + 1
    byte = start - data.rfind(b"\n", 0, start)
    return f"line {line}, byte {byte}"


def read_parallel(
    source: str | Path, target: str | Path
) -> list[tuple[str, str]]:
    """Read two files whose lines translate each other.

    Args:
        source: a UTF-8 file, a sentence a line.
        target: its translation, line by line.

    Returns:
        A (source, target) pair for each line; a side of it may be blank.

    Raises:
        OSError: a file cannot be read.
        ValueError: as for `read_lines`, the files differ in length, or both
            hold the same text.
    """
    return pair_up(read_text(source), read_text(target))


def pair_up(
    source: Text, target: Text, as_is: bool = False
) -> list[tuple[str, str]]:
    """Lay two texts side by side, as `read_parallel` does.

    Args:
        source: a text.
        target: its translation, line by line.
        as_is: let both be the same.

    Returns:
        A (source, target) pair for each line; a side of it may be blank.

    Raises:
        ValueError: as for `read_parallel`.
    """
    for path, lines, _ in (source, target):
        if all(map(is_blank, lines)):
            raise ValueError(f"{path} is empty: it has only blank lines")
    if len(source.lines) != len(target.lines):
        raise ValueError(
            f"lines of {source.origin}: {len(source.lines)}, of "
            f"{target.origin}: {len(target.lines)}; "
            "line n of one must translate line n of the other"
        )
    pairs = list(zip(source.lines, target.lines, strict=True))
    if not as_is and all(as_seen(a) == as_seen(b) for a, b in pairs):
        raise ValueError(
            f"source and target hold the same text (from {source.origin} and "
            f"{target.origin}); line n of one must translate line n of the "
            "other"
        )
    return pairs


def read_pairs(path: str | Path) -> list[tuple[str, str]]:
    """Read a file of sentences and their translations.

    Args:
        path: a UTF-8 file, a sentence, a tab and its translation a line.

    Returns:
        A (source, target) pair for each line; a side of it may be blank.

    Raises:
        OSError: the file cannot be read.
        ValueError: as for `read_lines` or `columns`, or both columns hold
            the same text.
    """
    return pair_up(*columns(read_text(path)))


def columns(text: Text) -> tuple[Text, Text]:
    """Cut each line at its tab.

    Args:
        text: a sentence, a tab and its translation a line. Blank lines at
            the end are left out.

    Returns:
        The column before the tab and the one after it.

    Raises:
        ValueError: a line has no tab, or more than one.
    """
    lines = text.lines.copy()
    while lines and "\t" not in lines[-1] and is_blank(lines[-1]):
        lines.pop()
    if not lines:
        raise ValueError(f"{text.origin} is empty: it has only blank lines")
    wrong = [n for n, line in enumerate(lines, 1) if line.count("\t") != 1]
    if wrong:
        count = "1 line has" if len(wrong) == 1 else f"{len(wrong)} lines have"
        n_tabs = lines[wrong[0] - 1].count("\t")
        raise ValueError(
            f"{text.origin}: {count} not exactly one tab ({some(wrong)}; "
            f"tabs of line {wrong[0]}: {n_tabs}); give two columns, a "
            "sentence, a tab and its translation a line"
        )
    sides = zip(*(line.split("\t") for line in lines), strict=True)
    first, second = map(list, sides)
    return (
        Text(text.origin, first, text.marked),
        Text(text.origin, second, text.marked),
    )
