"""A machine like Colab's: everything is installed, but not the library.

The machine is a bare virtual environment that sees this one's packages, all
but transformer_lib. The book that it fetches is a folder with ZIP files, named
as GitHub names them; pip may ask no index, and there is no git.
"""

import json
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Runs the cells of a notebook one after the other, as a kernel does, then says
# where it is and what it finds.
RUNNER = """
import json, os, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
for source in json.load(open(sys.argv[1], encoding="utf-8")):
    if not shell.run_cell(source, store_history=True).success:
        sys.exit(1)
import importlib.metadata as packages
import transformer_lib
print(json.dumps({
    "cwd": os.getcwd(),
    "library": transformer_lib.__file__,
    "version": transformer_lib.__version__,
    "torch": str(packages.distribution("torch")._path),
    "numpy": packages.version("numpy"),
}))
"""


needs_git = pytest.mark.skipif(
    shutil.which("git") is None, reason="made with git"
)


def make_machine(folder):
    """Make the machine; return how to run cells, and what was installed."""
    venv.create(folder / "machine", with_pip=False, symlinks=True)
    python = folder / "machine" / "bin" / "python"
    if not python.exists():
        pytest.skip("written for systems with bin/python")
    site = next((folder / "machine").glob("lib/python*/site-packages"))
    seen = folder / "packages"
    seen.mkdir()
    for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
        name = entry.name.lower().replace("-", "_")
        if "transformer_lib" not in name and not name.endswith(".pth"):
            (seen / entry.name).symlink_to(entry)
    (site / "seen.pth").write_text(f"{seen}\n", encoding="utf-8")
    work = folder / "content"
    work.mkdir()
    before = {entry.name for entry in site.iterdir()}

    def run(cells, home, **more):
        hidden = ("PYTHON", "PIP_", "TRANSFORMER_")
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(hidden)
        }
        environment |= {
            "PATH": str(python.parent),  # no git
            "IPYTHONDIR": str(folder / "ipython"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: without it
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **more,
        }
        if home is not None:
            environment["TRANSFORMER_BOOK_REPOSITORY"] = home
        (folder / "cells.json").write_text(json.dumps(cells), "utf-8")
        return subprocess.run(
            [python, "-c", RUNNER, folder / "cells.json"],
            cwd=work,
            env=environment,
            capture_output=True,
            encoding="utf-8",
        )

    return SimpleNamespace(
        run=run,
        work=work,
        installed=lambda: {e.name for e in site.iterdir()} - before,
    )


def found(done):
    """Return what a run that came to its end has found."""
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])
