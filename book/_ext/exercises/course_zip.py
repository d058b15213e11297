"""Pack what Python in the page needs of the course into one ZIP.

What that is, nobody writes down: where torch cannot be loaded, every check
judges answers once, and what the cells import that run in a page is imported;
what is opened on the way is packed (course_opened.py). Of
other people's modules nothing is: NumPy is Pyodide's own.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from code_cells import imported_to_run

from transformer_course import PACKAGES

__all__ = ["course_files", "pack_course"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAM = "course_opened.py"


def course_files(root: Path = ROOT) -> dict[str, Path]:
    """Return what a check may need: its name in the ZIP, and where it lies.

    Args:
        root: of the book; of its packages it is packed.

    Raises:
        RuntimeError: a check failed, or refused a right answer.
    """
    home = root.resolve()
    packed: dict[str, Path] = {}
    for line in opened(root):
        path = Path(line).resolve()
        if not path.is_file():
            continue
        if any(path.is_relative_to(home / name) for name in PACKAGES):
            packed[path.relative_to(home).as_posix()] = path
        elif path.parent == HERE and path.name != PROGRAM:
            packed[path.name] = path
    return dict(sorted(packed.items()))


def opened(root: Path) -> list[str]:
    """Run the checks in another process; return the files that it opened."""
    with tempfile.TemporaryDirectory() as compiled:
        done = subprocess.run(
            [sys.executable, HERE / PROGRAM],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, (root, HERE))),
                "PYTHONPYCACHEPREFIX": compiled,
                "PYTHONUTF8": "1",
            },
            cwd=root,
            input="\n".join(imported_to_run(root)),
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode:
        raise RuntimeError(f"the checks do not run: {done.stderr[-2000:]}")
    return done.stdout.splitlines()


def pack_course(root: Path = ROOT) -> bytes:
    """Return the ZIP; two runs return the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in course_files(root).items():
            archive.writestr(
                zipfile.ZipInfo(name),
                path.read_bytes(),
                zipfile.ZIP_DEFLATED,
                compresslevel=9,
            )
    return content.getvalue()
