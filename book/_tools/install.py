"""Install the library beside what is there, and move into chapters/.

The set-up cell of a notebook runs this file in the notebook's own process,
from the copy of the book that it has just fetched. PyTorch and NumPy stay as
they are: pip is told to keep their versions, and stops where it cannot.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2]
WANTED = f"{BOOK}[course,fetch]"


def install() -> None:
    """Install the library of this copy with pip."""
    here = filter(importlib.util.find_spec, ["torch", "numpy"])
    keep = BOOK / "keep.txt"
    lines = [f"{name}=={version(name)}\n" for name in here]
    keep.write_text("".join(lines), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "-q", "-c", keep, WANTED]
    if subprocess.run(pip).returncode:
        stop = ImportError(
            "pip could not install the book's library; its last lines, above, "
            "say why: mend that and run this cell again."
        )
        stop._render_traceback_ = lambda: [str(stop)]
        raise stop
    importlib.invalidate_caches()


if importlib.util.find_spec("transformer_lib") is None:
    install()
os.chdir(BOOK / "chapters")
