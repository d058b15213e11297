"""Where the two notebooks of a chapter lie: the lesson and the laboratory."""

from __future__ import annotations

from pathlib import Path

__all__ = ["laboratories", "lessons"]

_LABORATORY = ("book", "laboratory")


def lessons() -> Path:
    """Find the folder in which lessons run.

    Returns:
        From `book/laboratory`, the folder `chapters` of the same book; from
        anywhere else, the current folder.
    """
    here = Path().resolve()
    there = here.parent.parent / "chapters"
    is_laboratory = here.parts[-2:] == _LABORATORY and there.is_dir()
    return there if is_laboratory else here


def laboratories(folder: Path) -> Path:
    """Find the folder of the laboratories.

    Args:
        folder: that holds the lessons.

    Returns:
        `book/laboratory` beside it where its name is `chapters`, else
        `laboratory` in it, whether there is one or not.
    """
    folder = folder.resolve()
    if folder.name == "chapters":
        return folder.parent.joinpath(*_LABORATORY)
    return folder / "laboratory"
