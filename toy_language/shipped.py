"""The corpus that comes with the package: `small` of seed 0, in data/.

To draw it takes a reader ten seconds, to read it less than one. The file has a
fingerprint of the sources that it was drawn from, grammar and tables. Where
one of them has changed since, the corpus is drawn all the same. This writes
the file anew:

    python -m toy_language
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from toy_language.tables import DATA

__all__ = ["shipped"]

Rows = dict[str, list[tuple[Any, ...]]]  # split -> the fields of its pairs
Links = tuple[tuple[int, int], ...]

FILE = DATA / "small.json.xz"
HOME = Path(__file__).parent
# No sentence depends on these.
OTHERS = {"__main__.py", "baselines.py", "kept.py", "shipped.py", "typed.py",
          "data/free.tsv"}  # fmt: skip


def shipped(preset: str, seed: int) -> Rows | None:
    """Read the corpus that comes with the package.

    Args:
        preset: of the corpus that is asked for.
        seed: of that corpus.

    Returns:
        For each split the fields of its pairs. None where another corpus is
        asked for, and where the file is absent, damaged, or drawn from other
        sources than these.
    """
    if f"{preset}-{seed}" != "small-0":
        return None
    try:
        from lzma import LZMAError, decompress
    except ImportError:  # some Pythons lack it, also the one in a page
        return None
    try:
        stored = json.loads(decompress(FILE.read_bytes()))
    except (OSError, LZMAError):  # xz has a checksum
        return None
    if stored["fingerprint"] != fingerprint():
        return None
    links = cache(_links)  # most sentences share them with others
    return {
        name: [
            (source, target, links(alignment), kind, links(possible))
            for source, target, alignment, kind, possible in rows
        ]
        for name, rows in stored["splits"].items()
    }


def packed(splits: Mapping[str, Iterable[tuple[Any, ...]]]) -> bytes:
    """Write a corpus as the file that `shipped` reads.

    Args:
        splits: for each the fields of its pairs.

    Returns:
        JSON, compressed by xz; links are written as in 0-0 1-2. The
        fingerprint is last: where it alone is new, the bytes before are not.
    """
    from lzma import PRESET_EXTREME, compress

    rows = {
        name: [
            (source, target, _written(alignment), kind, _written(possible))
            for source, target, alignment, kind, possible in pairs
        ]
        for name, pairs in splits.items()
    }
    text = json.dumps(
        {"splits": rows, "fingerprint": fingerprint()},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return compress(text.encode(), preset=6 | PRESET_EXTREME)


def fingerprint() -> str:
    """Hash the sources; how their lines end does not matter."""
    found = hashlib.sha256()
    for name in sources():
        text = (HOME / name).read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()


def sources() -> list[str]:
    """Return the files that decide what is drawn: grammar and tables."""
    paths = [*HOME.rglob("*.py"), *HOME.rglob("*.tsv")]
    names = {path.relative_to(HOME).as_posix() for path in paths}
    return sorted(names - OTHERS)


def _links(text: str) -> Links:
    """Read links: "0-0 1-2" -> ((0, 0), (1, 2))."""
    pairs = (link.split("-") for link in text.split())
    return tuple((int(first), int(second)) for first, second in pairs)


def _written(links: Links) -> str:
    """Write links: ((0, 0), (1, 2)) -> "0-0 1-2"."""
    return " ".join(f"{first}-{second}" for first, second in links)
