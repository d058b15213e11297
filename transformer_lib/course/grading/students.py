"""Whose file is whose: the two notebooks of a student become one row.

What a file is, its cells say. That two files are one student's is read off
their paths, and only where one is a lesson and the other a laboratory: two
lessons are never put together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable
from pathlib import Path

from transformer_lib.course.grading.exercises import (
    ROOMS,
    Chapter,
    chapter_file,
)
from transformer_lib.course.grading.submissions import (
    Unreadable,
    check_file,
    files_in,
    rooms_of,
)

__all__ = ["students"]

# Words of a path that tell notebooks apart, or copies, but no students.
_WORDS = frozenset(
    ["book", "chapters", "copy", "lab", "laboratory", "lesson", "lessons", "of"]
)


def students(folder: Path, chapter: Chapter) -> list[tuple[Path, ...]]:
    """Sort what was handed in by students.

    A lesson and a laboratory are one student's where a folder below this one
    holds these two and no other notebook of the chapter, or where their paths
    are the same but for the title of the chapter, words such as "lab", and
    marks of a copy. Folders that are named with such words do not count.

    Args:
        folder: with a file for each student, or a folder for each.
        chapter: what was handed out.

    Returns:
        Lesson and laboratory where they belong together; each other file
        alone; in order.

    Raises:
        OSError: the folder cannot be listed.
        ValueError: there is no such folder, or nothing in it.
    """
    files = files_in(folder)
    rooms = {path: _room(path, chapter) for path in files}
    title = chapter_file(chapter.number).stem.lower()

    def by_name(path: Path) -> Hashable:
        text = path.with_suffix("").as_posix().lower().replace(title, " ")
        words = re.findall(r"[^\W_]+", re.sub(r"\(\d+\)|copy\d+", " ", text))
        return tuple(word for word in words if word not in _WORDS)

    pairs: dict[Path, tuple[Path, ...]] = {}
    for key in (_by_folder, by_name):
        left = [path for path in files if path not in pairs and rooms[path]]
        for group in _groups(left, folder, key):
            group.sort(key=lambda path: ROOMS.index(rooms[path]))
            if [rooms[path] for path in group] == [*ROOMS]:
                pairs |= dict.fromkeys(group, tuple(group))
    found = [pairs.get(path, (path,)) for path in files]
    return sorted(set(found))


def _room(path: Path, chapter: Chapter) -> str:
    """What a file is, if it is one thing."""
    try:
        check_file(path)
        rooms = rooms_of(path, chapter)
    except Unreadable:
        return ""
    return next(iter(rooms)) if len(rooms) == 1 else ""


def _by_folder(path: Path) -> Hashable:
    """The folder that is the student's own, if there is one."""
    names = list(path.parts[:-1])
    while names and names[-1].lower() in _WORDS:
        names.pop()
    return tuple(names) or None


def _groups(
    files: list[Path], folder: Path, key: Callable[[Path], Hashable]
) -> list[list[Path]]:
    """The files that have a key in common."""
    found: dict[Hashable, list[Path]] = defaultdict(list)
    for path in files:
        found[key(path.relative_to(folder))].append(path)
    return [group for key, group in found.items() if key is not None]
