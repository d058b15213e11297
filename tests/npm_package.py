"""A package of npm, fetched by its name."""

import shutil
import subprocess
import tarfile

import pytest


def files_of(package, names, folder):
    """Return files of a package by name, or skip and say why.

    Args:
        package: name and version, such as "pyodide@0.27.7".
        names: the files, as the package has them.
        folder: where the package is put.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    done = subprocess.run(
        [npm, "pack", package, "--silent"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        pytest.skip(f"npm does not give {package}: {done.stderr[-300:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        return {
            name: packed.extractfile(f"package/{name}").read() for name in names
        }
