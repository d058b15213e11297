"""A look at a corpus before it is trained on: a few notes with line numbers.

What looks wrong is told, and trained on all the same: whether it is wrong,
only somebody who knows the text can say.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

__all__ = [
    "as_seen",
    "is_blank",
    "overlap_notes",
    "pair_notes",
    "some",
    "text_notes",
]

LONG = 2000  # characters; sentences have fewer
# What a reader does not see: Unicode's Default_Ignorable_Code_Point and
# interlinear annotations, control characters that are no white space, and the
# letter of Braille without a dot.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4"
    "\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_SIGNS = frozenset("&\\=~+")
_CODE = re.compile(  # HTML, JSON, quoted-printable, HZ, UTF-7
    r"&(?:#\d+|#[xX][\da-fA-F]+|[a-zA-Z]{2,8});|\\u[\da-fA-F]{4}"
    r"|(?:=[\dA-F]{2}){2,}|~\{[!-}]+~\}|\+[A-Za-z\d+/]{3,}-"
)
_OVER_AND_OVER = re.compile(r"(\S{1,4}?)\1{99}")
# Bytes above 127 as Windows-1252 or Latin-1 reads them.
_BYTE = {chr(byte): byte for byte in range(128, 256)} | {
    bytes([byte]).decode("cp1252", "replace"): byte for byte in range(128, 160)
}
_BYTE.pop("\ufffd")  # five bytes mean nothing in Windows-1252
_HIGH = re.compile(f"[{re.escape(''.join(_BYTE))}]{{2,}}")
_ABROAD = re.compile(r"[^\x00-\x7f]{6,}")
# Beside a letter with an accent they are themselves: „MENÜ“, Úžasný, olé…»
_AT_HOME = set("\xa0«»‹›‘’‚“”„…–—ŠšŽžŒœŸ")


def as_seen(text: str) -> str:
    """Return what a reader sees of a text, to compare it with another.

    Args:
        text: anything.

    Returns:
        The text without characters that show nothing, with single spaces.
    """
    return " ".join(_UNSEEN.sub("", text).split())


def is_blank(text: str) -> bool:
    """Return whether a text shows nothing.

    Args:
        text: a line.

    Returns:
        True for spaces of all kinds, zero-width and other format
        characters, Hangul fillers and the like.
    """
    return not as_seen(text)


def some(numbers: Sequence[int]) -> str:
    """Name lines by number, the first ten of them.

    Args:
        numbers: at least one.

    Returns:
        "line 3", "lines 3, 7", or ten of them and how many more there are.
    """
    shown = "line " if len(numbers) == 1 else "lines "
    shown += ", ".join(map(str, numbers[:10]))
    if len(numbers) > 10:
        shown += f" and {len(numbers) - 10} more"
    return shown


def _control(line: str) -> str | None:
    found = _CONTROL.search(line)
    return f"U+{ord(found[0]):04X}" if found else None


def _lost(line: str) -> str | None:
    return "U+FFFD" if "\ufffd" in line else None


def _misread(line: str) -> str | None:
    """Find bytes of UTF-8 or of another encoding, read as letters."""
    if line.isascii():
        return None
    for run in _HIGH.findall(line):
        strange = [letter for letter in run if letter not in _AT_HOME]
        n_letters = sum(map(str.isalpha, strange))
        many = len(strange) > 3 and len(set(strange)) > 2 and n_letters > 1
        if many or (
            _is_utf_8(bytes(_BYTE[letter] for letter in run))
            and (run[0] in "ÂÃ" or not _AT_HOME.issuperset(run[1:]))
        ):
            return repr(run[:12])
    for run in _ABROAD.findall(line):
        if _is_utf_8(run.encode("cp1251", "backslashreplace")):
            return repr(run[:12])
    return None


def _is_utf_8(data: bytes) -> bool:
    try:
        return not data.decode("utf-8").isascii()
    except UnicodeDecodeError:
        return False


def _codes(line: str) -> str | None:
    if _SIGNS.isdisjoint(line):
        return None
    for code in _CODE.findall(line):
        if not code.startswith("+"):
            return repr(code[:12])
        read = code.encode().decode("utf-7", "replace")
        if read.isalpha() and not read.isascii():
            return repr(code[:12])
    return None


def _endless(line: str) -> str | None:
    if len(line) > LONG or (len(line) > 99 and _OVER_AND_OVER.search(line)):
        return f"{len(line):,} characters"
    return None


_LOOKS: dict[str, Callable[[str], str | None]] = {
    "control characters": _control,
    "a replacement character, where a letter was lost": _lost,
    "what looks like text read in the wrong encoding": _misread,
    "what looks like escaped characters": _codes,
    f"more than {LONG:,} characters, or the same 100 times in a row": _endless,
}


def text_notes(
    origin: str, lines: Sequence[str], marked: Sequence[int] = ()
) -> list[str]:
    """Look for what is no text: each kind makes one note.

    Args:
        origin: the file.
        lines: of the file.
        marked: numbers of the lines in which byte order marks stood.

    Returns:
        At most a note for each kind, with the numbers of the lines.
    """
    found: dict[str, list[int]] = {kind: [] for kind in _LOOKS}
    example: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        for kind, look in _LOOKS.items():
            shown = look(line)
            if shown is not None:
                found[kind].append(number)
                example.setdefault(kind, shown)
    notes = [
        f"{origin}: {_have(numbers)} {kind} ({some(numbers)}; such as "
        f"{example[kind]})"
        for kind, numbers in found.items()
        if numbers
    ]
    if marked:
        notes.append(
            f"{origin}: {_have(marked)} a byte order mark inside, as `cat` "
            f"puts it there ({some(marked)}); it is left out"
        )
    return notes


def _have(numbers: Sequence[int]) -> str:
    n = len(numbers)
    return "1 line has" if n == 1 else f"{n} lines have"


def pair_notes(origin: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Look for pairs that repeat another, and for sides that are equal.

    Args:
        origin: the file.
        pairs: of all lines; those with a blank side are passed over.

    Returns:
        A note about repeats, and one about equal sides if a tenth of the
        pairs has them.
    """
    before: set[tuple[str, str]] = set()
    repeats, equal = [], []
    for number, pair in enumerate(pairs, 1):
        if "" not in pair:
            if pair in before:
                repeats.append(number)
            if pair[0] == pair[1]:
                equal.append(number)
            before.add(pair)
    notes = []
    if repeats:
        repeat = "repeats" if len(repeats) == 1 else "repeat"
        notes.append(
            f"{origin}: {len(repeats)} of {len(pairs)} lines {repeat} another "
            f"({some(repeats)})"
        )
    if equal and 10 * len(equal) >= len(pairs):
        has = "has" if len(equal) == 1 else "have"
        notes.append(
            f"{origin}: {len(equal)} of {len(pairs)} lines {has} the same text "
            f"on both sides ({some(equal)})"
        )
    return notes


def overlap_notes(
    origin: str,
    valid: Mapping[int, tuple[str, str]],
    train: Collection[tuple[str, str]],
) -> list[str]:
    """Look for validation pairs that are trained on, too.

    Args:
        origin: the file of the validation pairs.
        valid: pairs to validate on, by line.
        train: pairs to train on.

    Returns:
        A note about whole pairs, and one about sentences that are trained
        on with another translation.
    """
    pairs, sources = set(train), {source for source, _ in train}
    whole = [n for n, pair in valid.items() if pair in pairs]
    half = [
        n
        for n, pair in valid.items()
        if pair[0] in sources and pair not in pairs
    ]
    notes = []
    for numbers, what in (
        (whole, "trained on, too"),
        (half, "trained on with another translation of the source"),
    ):
        if numbers:
            is_ = "is" if len(numbers) == 1 else "are"
            notes.append(
                f"{origin}: {len(numbers)} of {len(valid)} pairs to validate "
                f"on {is_} {what} ({some(numbers)})"
            )
    return notes
