"""Fetch the files that run Python in the page, or describe a folder of them.

    python book/_tools/fetch_pyodide.py fetch [FOLDER]     into data/pyodide
    python book/_tools/fetch_pyodide.py manifest FOLDER    writes manifest.json

`fetch` takes what book/_ext/exercises/pyodide.json names, keeps what came
whole, and refuses a file with another SHA-256; the folder gets its manifest.
Then `make book PYODIDE=FOLDER` puts the files beside the book, and its pages
ask no other host for them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "_ext/exercises"))

from pyodide_files import MANIFEST, make_manifest, read

FOLDER = Path(__file__).resolve().parents[2] / "data" / "pyodide"


def fetch(folder: Path) -> None:
    """Fetch what is not there yet, and check all of it.

    Args:
        folder: for the files.

    Raises:
        ValueError: a file has another hash.
        OSError: an address does not answer.
    """
    import pooch

    for entry in read()["files"]:
        pooch.retrieve(
            entry["address"],
            known_hash=f"sha256:{entry['sha256']}",
            fname=entry["name"],
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=60),
        )


def write_manifest(folder: Path) -> None:
    """Describe a folder in its own manifest.

    Args:
        folder: that holds the files.

    Raises:
        FileNotFoundError: a file is missing.
    """
    told = json.dumps(make_manifest(folder), indent=2)
    (folder / MANIFEST).write_text(f"{told}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    match arguments:
        case ["fetch", *where] if len(where) < 2:
            folder = Path(where[0]) if where else FOLDER
            fetch(folder)
        case ["manifest", where]:
            folder = Path(where)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    write_manifest(folder)
    print(f"Python for the page is in  {folder}")
    print(f"Now:  make book PYODIDE={folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
