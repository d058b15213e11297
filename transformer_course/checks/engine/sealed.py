"""Sealed files: the checks of an edition in which nobody is to read ahead.

In the edition for students NAME.py and NAME.txt are NAME.py.sealed and
NAME.txt.sealed: the same text, compressed and written in letters. It is no
compiled code, so any Python opens it, and a module is imported from it as
from its source. A seal keeps from reading by accident and in a hurry. It
protects nothing: this very file opens it.
"""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Sequence
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = [
    "SEALED", "install", "is_sealed", "modules", "seal", "text_of", "texts",
]  # fmt: skip

SEALED = ".sealed"


def seal(text: str) -> str:
    """Return a text compressed (zlib) and written in letters (base64)."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode()


def _sealed(path: Path) -> Path:
    return path.with_name(path.name + SEALED)


def is_sealed(path: Path) -> bool:
    """Tell whether a file is here, and sealed."""
    return _sealed(path).is_file()


def text_of(path: Path) -> str:
    """Read a file, sealed or not.

    Args:
        path: of the file as it is called where nothing is sealed.

    Raises:
        OSError: there is neither.
    """
    if not is_sealed(path):
        return path.read_text(encoding="utf-8")
    packed = _sealed(path).read_text(encoding="ascii")
    return zlib.decompress(base64.b64decode(packed)).decode("utf-8")


def modules(folder: Path) -> list[str]:
    """Return the names of the modules of a folder, sealed or not, in order."""
    return _named(folder, ".py")


def texts(folder: Path) -> list[str]:
    """Return the names of the texts of a folder, sealed or not, in order."""
    return _named(folder, ".txt")


def _named(folder: Path, ending: str) -> list[str]:
    names = (path.name.removesuffix(SEALED) for path in folder.iterdir())
    return sorted(
        name.removesuffix(ending)
        for name in names
        if name.endswith(ending) and not name.startswith("_")
    )


class _Loader(ExecutionLoader):
    """Runs the source of a sealed module, and shows it to `inspect`."""

    def __init__(self, path: Path):
        self.path = path

    def get_filename(self, fullname: str) -> str:
        """Where the source would lie."""
        return str(self.path)

    def get_source(self, fullname: str) -> str:
        """The source."""
        return text_of(self.path)


class _Finder(MetaPathFinder):
    """Finds the sealed modules of a package and its sub-packages."""

    def __init__(self, package: str):
        self.package = package

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how to load a module, if it is a sealed one of the package."""
        if not fullname.startswith(f"{self.package}."):
            return None
        for folder in path or ():
            file = Path(folder) / f"{fullname.rpartition('.')[2]}.py"
            if is_sealed(file):
                return spec_from_file_location(
                    fullname, file, loader=_Loader(file)
                )
        return None


def install(package: str) -> None:
    """Let Python import the sealed modules of a package.

    Args:
        package: its full name.
    """
    finders = (one for one in sys.meta_path if isinstance(one, _Finder))
    if package not in (finder.package for finder in finders):
        sys.meta_path.append(_Finder(package))
