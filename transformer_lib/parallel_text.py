"""Reading real text: lines of UTF-8, and two files that belong together."""

import unicodedata
from pathlib import Path


def clean_line(line: str) -> str:
    """Remove a trailing carriage return; compose characters (NFC).

    Args:
        line: a line of text without its newline.

    Returns:
        The line, ready for a tokenizer.
    """
    return unicodedata.normalize("NFC", line.removesuffix("\r"))


def read_lines(path: str | Path) -> list[str]:
    """Read a UTF-8 file, split at newlines and nowhere else.

    A byte order mark and carriage returns before newlines are removed.

    Args:
        path: the file.

    Returns:
        Its lines, each cleaned by `clean_line`.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is empty, not UTF-8 (with line and byte), or
            its lines end with carriage returns alone.
    """
    lines = lines_of(Path(path).read_bytes(), str(path))
    if not lines:
        raise ValueError(f"{path} is empty; give a file with a text a line")
    return lines


def lines_of(data: bytes, origin: str) -> list[str]:
    """Decode UTF-8 and split it at newlines, as `read_lines` does.

    Args:
        data: what was read; empty bytes give no line.
        origin: what to call it in an error.

    Returns:
        The lines, each cleaned by `clean_line`.

    Raises:
        ValueError: the data is not UTF-8 (with line and byte), or its
            lines end with carriage returns alone.
    """
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        text = data[mark:].decode("utf-8")
    except UnicodeDecodeError as error:
        start = mark + error.start
        line = data.count(b"\n", 0, start) + 1
        byte = start - data.rfind(b"\n", 0, start)
        raise ValueError(
            f"{origin} is not UTF-8: line {line}, byte {byte} is "
            f"0x{data[start]:02x}; save it as UTF-8"
        ) from None
    inner = text.rstrip("\r\n")
    if "\r" in inner and "\n" not in inner:
        raise ValueError(
            f"{origin} has no newline between its lines, only carriage "
            "returns, as on old Macs; save it with newlines (LF)"
        )
    lines = text.removesuffix("\n").split("\n") if text else []
    return [clean_line(line) for line in lines]


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
        ValueError: as for `read_lines`, or the files differ in length.
    """
    ours, theirs = read_lines(source), read_lines(target)
    for path, lines in ((source, ours), (target, theirs)):
        if not any(line.strip() for line in lines):
            raise ValueError(f"{path} is empty: it has only blank lines")
    if len(ours) != len(theirs):
        raise ValueError(
            f"lines of {source}: {len(ours)}, of {target}: {len(theirs)}; "
            "line n of one must translate line n of the other"
        )
    return list(zip(ours, theirs, strict=True))
