"""The files of MathJax that the book uses, and the SHA-256 of each.

They come from the package sphinx-mathjax-offline, or from the folder that
BOOK_MATHJAX names (`make book MATHJAX=folder`), such as the `es5` of MathJax's
own npm package. Both have the same bytes: those of `mathjax.json` beside this
file, which is written by

    cd book/_ext/reading; python mathjax_files.py FOLDER > mathjax.json
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

__all__ = [
    "another_way",
    "check",
    "copy_files",
    "describe",
    "folder",
    "read",
]

MANIFEST = Path(__file__).with_name("mathjax.json")
PACKAGE = "sphinx-mathjax-offline"
# Of MathJax's 24 MB a page in English uses these.
PATTERNS = (
    "tex-chtml.js",
    "input/tex/extensions/*.js",
    "output/chtml/fonts/woff-v2/*",
    "a11y/*.js",
    "sre/mathmaps/base.json",
    "sre/mathmaps/en.json",
)
UNUSED = "all-packages.js"
ANOTHER_WAY = (
    "npm pack mathjax@{version} gives the same files: unpack it, and then "
    "make book MATHJAX=package/es5"
)
NOTICE = (
    "MathJax {version}, copyright The MathJax Consortium.\nApache License, "
    "Version 2.0: https://www.apache.org/licenses/LICENSE-2.0\n"
)


def read() -> dict:
    """Return the manifest: a version, and the SHA-256 of each file by name."""
    return json.loads(MANIFEST.read_text(encoding="utf-8"))


def another_way() -> str:
    """Say what replaces the package."""
    return ANOTHER_WAY.format(version=read()["version"])


def folder() -> Path:
    """Return the folder that has MathJax's files.

    Raises:
        FileNotFoundError: there is none; it says how to get one.
    """
    if named := os.environ.get("BOOK_MATHJAX"):
        return Path(named)
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is missing; {another_way()}")
    return Path(spec.origin).parent / "static" / "mathjax"


def describe(source: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a folder that the book uses."""
    return {
        path.relative_to(source).as_posix(): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for pattern in PATTERNS
        for path in sorted(source.glob(pattern))
        if path.name != UNUSED
    }


def check(source: Path) -> list[str]:
    """Return the names of the files that a folder lacks or has otherwise."""
    wanted, found = read()["files"], describe(source)
    return sorted(
        name
        for name in wanted.keys() | found.keys()
        if wanted.get(name) != found.get(name)
    )


def copy_files(target: Path) -> None:
    """Put MathJax into the built book, with whose it is.

    Args:
        target: the folder in the book.

    Raises:
        FileNotFoundError: there is no MathJax.
        ValueError: a file is missing, or is not what the manifest says.
    """
    source = folder()
    if wrong := check(source):
        raise ValueError(
            f"{source}: not as {MANIFEST.name} says: {', '.join(wrong)}; "
            + another_way()
        )
    for name in read()["files"]:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    notice = NOTICE.format(version=read()["version"])
    (target / "NOTICE.txt").write_text(notice, encoding="utf-8")


if __name__ == "__main__":
    own = Path(sys.argv[1])
    told = json.loads((own.parent / "package.json").read_text("utf-8"))
    manifest = {"version": told["version"], "files": describe(own)}
    print(json.dumps(manifest, indent=2))
