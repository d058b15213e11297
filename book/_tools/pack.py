"""Pack the book: its built pages for reading offline, or all of its files.

    python book/_tools/pack.py          writes _build/zips/NAME-VERSION.zip

Unpacked, it is a folder of the same name whose index.html opens the book. The
edition for students (make student) is put beside it, for the same release.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from set_address import ROOT, version_of

NAME = "transformer-step-by-step-offline"
STUDENT = "transformer-step-by-step-student"
# What .gitignore names, and what an editor or git keeps for itself.
NOT_OURS = re.compile(
    r"(^|/)(\.(?!github/|ci/|gitignore)|__pycache__/|build/|[^/]*\.egg-info/)"
    r"|^(_build|data|dist|runs)/|(^|/)transformer-book/|(^|/)my_transformer"
)


def as_it_is(name: str, content: bytes) -> bytes:
    """Return the content of a file unchanged."""
    return content


def book_files(root: Path = ROOT) -> list[str]:
    """Return the files of the book, whether they came by git or as a ZIP."""
    ours = []
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        within = [(here / name).as_posix() for name in names]
        ours += [name for name in within if not NOT_OURS.search(name)]
        folders[:] = [
            name
            for name in folders
            if not NOT_OURS.search(f"{(here / name).as_posix()}/")
        ]
    return sorted(ours)


def pack(
    target: Path,
    top: str,
    root: Path,
    names: Iterable[str],
    edit: Callable[[str, bytes], bytes] = as_it_is,
) -> None:
    """Write a ZIP with everything in one folder, as GitHub packs a release."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            content = edit(name, (root / name).read_bytes())
            packed.writestr(f"{top}/{name}", content)


def main(build: Path = ROOT / "_build") -> int:
    """Pack the built pages, and put the edition for students beside them."""
    book, student = build / "html", build / "student.zip"
    for wanted, command in (book / "index.html", "book"), (student, "student"):
        if not wanted.exists():
            print(f"{wanted} is missing: make {command}", file=sys.stderr)
            return 1
    names = sorted(
        path.relative_to(book).as_posix()
        for path in book.rglob("*")
        if path.is_file()
    )
    target = build / "zips" / f"{NAME}-{version_of()}.zip"
    pack(target, target.stem, book, names)
    shutil.copy(student, target.with_name(f"{STUDENT}-{version_of()}.zip"))
    for packed in sorted(target.parent.glob("*.zip")):
        print(f"{packed}: {packed.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
