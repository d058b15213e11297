"""The files of Pyodide: where each lies, its size and its SHA-256.

`pyodide.json` beside this file names them. The core comes from the public
mirror of the npm package, whose bytes are those that the tests run; NumPy from
Pyodide's own distribution, with the hash in the package's lock file, which
names no size: that of NumPy is rounded, and what counts is the hash. A folder
that holds the files has a manifest of the same form, whose addresses are names
in the folder; book/_tools/fetch_pyodide.py writes it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any
from zipfile import ZipFile

__all__ = ["CORE", "MANIFEST", "check", "copy_files", "make_manifest", "read"]

MANIFEST = "manifest.json"  # of a folder
OURS = Path(__file__).with_name("pyodide.json")
CORE = (
    "pyodide.js",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
NOTICE = """Python in the page
==================

The files beside this one run Python in a browser. They are unchanged.

Pyodide {version} (pyodide.js, pyodide.asm.js, pyodide.asm.wasm)
    Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/
    Source: https://github.com/pyodide/pyodide/tree/{version}
CPython {python} (in pyodide.asm.wasm, python_stdlib.zip)
    Python Software Foundation License Version 2,
    https://docs.python.org/3.12/license.html
    Copyright (c) 2001-2024 Python Software Foundation. All Rights Reserved.
    Source: https://github.com/python/cpython/tree/v{python}
Emscripten's run time (in pyodide.asm.js and pyodide.asm.wasm)
    MIT License, https://github.com/emscripten-core/emscripten
NumPy ({wheel})
    Modified BSD License; its own text and those of what it includes follow.

"""

Manifest = dict[str, Any]


def read(folder: Path | None = None) -> Manifest:
    """Return a manifest.

    Args:
        folder: that holds the files; None for the addresses on the web.

    Raises:
        FileNotFoundError: the folder has none; it says how to make one.
    """
    path = OURS if folder is None else folder / MANIFEST
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing: python book/_tools/fetch_pyodide.py manifest "
            f"{path.parent}"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def describe(path: Path) -> Manifest:
    """Return the entry of a file in its folder's manifest."""
    data = path.read_bytes()
    return {
        "name": path.name,
        "address": path.name,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def make_manifest(folder: Path) -> Manifest:
    """Describe the files of a folder: Pyodide's core, and one NumPy.

    Args:
        folder: that holds them.

    Raises:
        FileNotFoundError: one is missing, or there are several of NumPy.
    """
    wheels = sorted(folder.glob("numpy-*.whl"))
    if len(wheels) != 1:
        raise FileNotFoundError(f"{folder} must hold one numpy-*.whl")
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    return {
        "version": lock["info"]["version"],
        "python": lock["info"]["python"],
        "files": [describe(folder / name) for name in CORE]
        + [describe(wheels[0])],
    }


def check(folder: Path, manifest: Manifest) -> list[str]:
    """Return the names of the files that a folder lacks or has otherwise.

    Args:
        folder: that holds them.
        manifest: what they have to be.
    """
    return [
        entry["name"]
        for entry in manifest["files"]
        if not (folder / entry["name"]).exists()
        or describe(folder / entry["name"])["sha256"] != entry["sha256"]
    ]


def copy_files(source: Path, target: Path) -> None:
    """Put the files of a folder, and their licences, into the built book.

    Args:
        source: a folder with a manifest.
        target: the folder in the book.

    Raises:
        ValueError: a file is not what the manifest says.
    """
    manifest = read(source)
    if wrong := check(source, manifest):
        raise ValueError(f"{source}: not as the manifest says: {wrong}")
    target.mkdir(parents=True, exist_ok=True)
    for entry in manifest["files"]:
        shutil.copyfile(source / entry["name"], target / entry["name"])
    shutil.copyfile(source / MANIFEST, target / MANIFEST)
    (target / "LICENSES.txt").write_text(licenses(source, manifest), "utf-8")


def licenses(folder: Path, manifest: Manifest) -> str:
    """Return who made the files, under which terms, and where the source is."""
    wheel = manifest["files"][-1]["name"]
    notice = NOTICE.format(**manifest, wheel=wheel)
    with ZipFile(folder / wheel) as opened:
        texts = [
            f"{name}\n{'-' * len(name)}\n\n{opened.read(name).decode('utf-8')}"
            for name in opened.namelist()
            if "LICENSE" in name.rpartition("/")[2].upper()
        ]
    return notice + "\n\n".join(texts)
