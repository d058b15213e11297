"""Whose file is whose: all that a student has handed in becomes one row.

What a file is, its cells say. Whose it is, is read off its path: the folders
and names that Moodle and Canvas give, a roster, a folder of the student's own,
or a name that differs from another in the chapter's title only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from transformer_course.grading.reading.collecting import File
from transformer_course.grading.reading.exercises import chapter_file
from transformer_course.grading.reading.owners import (
    Owner,
    is_zip,
    owners_of,
    without_zip,
)
from transformer_course.grading.reading.submissions import Code, text_of
from transformer_course.grading.roster import Person

OWN, USELESS, MODULE = -1, -2, -3  # in place of the number of a chapter

__all__ = ["MODULE", "OWN", "USELESS", "Piece", "Student", "sorted_by_student"]

# Words of a path that tell notebooks apart, or copies, but no students.
_WORDS = frozenset(
    "assignment book chapter chapters ch copy homework hw lab laboratory "
    "lesson lessons of submission submissions week zip".split()
)
_OF_FILES = frozenset(["my", "transformer"])
_IMPORTED = r"^[^\S\n]*(?:from|import)[^\S\n]+(\w+)"
_COPY = r"\(\d+\)|copy\d+"


@dataclass(frozen=True, eq=False)
class Piece:
    """A file of a student's.

    Attributes:
        file: it.
        chapter: its number; `OWN` for a file of the own Transformer,
            `MODULE` for one that a notebook beside it imports, `USELESS` for
            what nobody can judge.
        rooms: those that it is, one or two; none for such a file.
        code: of a notebook.
    """

    file: File
    chapter: int
    rooms: frozenset[str] = frozenset()
    code: Code = field(default_factory=list)

    @cached_property
    def imports(self) -> frozenset[str]:
        """The first names of what a notebook seems to import."""
        words = (re.findall(_IMPORTED, text, re.M) for text, _ in self.code)
        return frozenset(word for found in words for word in found)

    def is_imported_by(self, other: Piece) -> bool:
        """Tell whether a notebook in the same folder asks for this file.

        Args:
            other: the notebook.
        """
        own, its = (PurePosixPath(p.file.name) for p in (self, other))
        return own.parent == its.parent and own.stem in other.imports


@dataclass
class Student:
    """What one student has handed in.

    Attributes:
        name: what the table calls him or her.
        person: of the roster, if there is one.
        pieces: those that count.
        older: those that a later one takes the place of.
        doubts: why nobody of the roster is it, where a name was read.
    """

    name: str
    person: Person | None
    pieces: list[Piece]
    older: list[Piece]
    doubts: list[str] = field(default_factory=list)

    def of(self, chapter: int) -> dict[str, Piece]:
        """Return the notebooks of a chapter, by their rooms."""
        here = [p for p in self.pieces if p.chapter == chapter]
        return {room: p for p in here for room in p.rooms}

    @property
    def modules(self) -> dict[str, str]:
        """The Python files that the notebooks can import, by their names."""
        return {
            PurePosixPath(p.file.name).stem: text_of(p.file.data)
            for p in self.pieces
            if p.chapter in (OWN, MODULE)
        }

    @property
    def own_file(self) -> Piece | None:
        """The file of the own Transformer, if there is one."""
        return next((p for p in self.pieces if p.chapter == OWN), None)


def sorted_by_student(
    pieces: Sequence[Piece], roster: Sequence[Person] = ()
) -> list[Student]:
    """Sort what was handed in by students.

    Files whose paths name a person of the roster, or have a form that Moodle
    or Canvas gives them, are that student's, as `owners` reads them; where
    there are two of a kind, the later one counts. Other files are one
    student's where a folder of their own holds them and no two of a kind, or
    where their paths are the same but for the titles of chapters, words such
    as "lab", and marks of a copy; and again no two are of a kind. A module is
    its notebook's, where one student's notebooks alone import it.

    Args:
        pieces: what was handed in.
        roster: the class, if it is known.

    Returns:
        The students, in the order of their names; people of the roster who
        have handed in nothing, too.
    """
    found: dict[Hashable, list[Piece]] = defaultdict(list)
    rest: list[Piece] = []
    owned = owners_of([piece.file.name for piece in pieces], roster)
    owners = dict(zip(pieces, owned, strict=True))
    for piece, owner in owners.items():
        if owner.is_known:
            found["owner", owner.person or owner.sent].append(piece)
        else:
            rest.append(piece)
    modules = [piece for piece in rest if piece.chapter == MODULE]
    rest = [piece for piece in rest if piece.chapter != MODULE]
    for key in (_by_zip(pieces), _by_folder, _by_name):
        for name, group in _groups(rest, key):
            if _no_two_of_a_kind(group) and len(group) > 1:
                found[key, name] += group
        taken = {p for group in found.values() for p in group}
        rest = [p for p in rest if p not in taken]
    for piece in rest:
        found["alone", piece].append(piece)
    for piece in modules:
        asking = [
            g for g in found.values() if any(map(piece.is_imported_by, g))
        ]
        group = asking[0] if len(asking) == 1 else found["alone", piece]
        group.append(piece)
    students = []
    for group in found.values():
        now, older = _latest(group)
        owner = owners[group[0]]
        why = dict.fromkeys(owners[piece].why for piece in group)
        doubts = [said for said in why if said]
        name = _called(now, owner)
        students.append(Student(name, owner.person, now, older, doubts))
    seen = {s.person for s in students}
    students += [Student(p.id, p, [], []) for p in roster if p not in seen]
    _tell_apart(students)
    return sorted(students, key=lambda student: student.name)


def _by_zip(pieces: Sequence[Piece]) -> Callable[[Piece], Hashable]:
    """The ZIP that a student has sent; not that of a whole class."""
    tops = {PurePosixPath(piece.file.name).parts[0] for piece in pieces}

    def key(piece: Piece) -> Hashable:
        parts = PurePosixPath(piece.file.name).parts[:-1]
        zips = [n for n, part in enumerate(parts, 1) if is_zip(part)]
        if not zips or (zips[-1] == 1 and len(tops) == 1):
            return None
        return parts[: zips[-1]]

    return key


def _by_folder(piece: Piece) -> Hashable:
    """The folder that is the student's own, if there is one."""
    names = [without_zip(p) for p in PurePosixPath(piece.file.name).parts[:-1]]
    while names and not set(_words(names[-1])) - _WORDS:
        names.pop()
    return tuple(names) or None


def _by_name(piece: Piece) -> Hashable:
    """The words of a path that may be somebody's name."""
    own = _without_title(piece)
    folders = " ".join(PurePosixPath(piece.file.name).parts[:-1])
    known = _WORDS | _OF_FILES if piece.chapter == OWN else _WORDS
    said = [w for w in _words(f"{folders} {own}") if w not in known]
    return tuple(said)


def _without_title(piece: Piece) -> str:
    """The name of a file without endings and the title of its chapter."""
    name = PurePosixPath(piece.file.name).name
    text = re.sub(r"(?i)\.(ipynb|py|txt|json)\b", "", name)
    if piece.rooms:
        number = piece.chapter
        title = re.escape(chapter_file(number).stem)
        text = re.sub(f"(?i){title}", " ", text)
        text = re.sub(rf"(?i)(ch|chapter)[ _-]?0?{number}(?!\d)", " ", text)
    return re.sub(_COPY, " ", text)


def _words(text: str) -> list[str]:
    text = re.sub(_COPY, " ", text.lower())
    found = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=\d)", " ", text))
    return [word for word in found if not re.fullmatch(r"0\d", word)]


def _groups(
    pieces: Iterable[Piece], key: Callable[[Piece], Hashable]
) -> list[tuple[Hashable, list[Piece]]]:
    """The pieces that have a key in common."""
    found: dict[Hashable, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if (name := key(piece)) is not None:
            found[name].append(piece)
    return list(found.items())


def _kinds(piece: Piece) -> list[tuple[int, str]]:
    """What a student hands in once; of what is of no use, all is different."""
    other = piece.file.name if piece.chapter in (USELESS, MODULE) else ""
    rooms = sorted(piece.rooms) or [other]
    return [(piece.chapter, room) for room in rooms]


def _no_two_of_a_kind(group: Iterable[Piece]) -> bool:
    kinds = [kind for piece in group for kind in _kinds(piece)]
    return len(kinds) == len(set(kinds))


def _latest(group: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Of two of a kind, the later one; of one age, the one named last."""
    now: list[Piece] = []
    older: list[Piece] = []
    seen: set[tuple[int, str]] = set()
    by_age = sorted(group, key=lambda p: (p.file.time or 0, p.file.name))
    for piece in reversed(by_age):
        if seen.isdisjoint(_kinds(piece)):
            now.append(piece)
            seen.update(_kinds(piece))
        else:
            older.append(piece)
    return sorted(now, key=lambda p: p.file.name), older


def _called(group: Sequence[Piece], owner: Owner) -> str:
    """What the table calls a student."""
    if owner.person is not None:
        return owner.person.id
    if owner.sent:
        return owner.sent
    first = group[0]
    home = _common(group)
    if len(group) > 1 and set(_words(" ".join(home))) - _WORDS:
        return "/".join(home)
    parts = PurePosixPath(first.file.name).parts
    text = _without_title(first)
    words = [w for w in re.split(r"[\s_-]+", text) if w]
    words = [w for w in words if w.lower() not in _WORDS]
    own = (" " if " " in text.strip() else "_").join(words)
    if not _by_name(first):
        return first.file.name
    folders = [without_zip(p) for p in parts[:-1] if set(_words(p)) - _WORDS]
    is_named = bool(set(_words(own)) - _OF_FILES) or not folders
    return "/".join([*folders, own] if is_named else folders)


def _common(group: Sequence[Piece]) -> list[str]:
    """The folders in which all files lie, but for those of laboratories."""
    each = [PurePosixPath(p.file.name).parts[:-1] for p in group]
    found: list[str] = []
    for parts in zip(*each, strict=False):
        if len(set(parts)) > 1:
            break
        found.append(without_zip(parts[0]))
    while found and not set(_words(found[-1])) - _WORDS:
        found.pop()
    return found


def _tell_apart(students: Sequence[Student]) -> None:
    """Name those whose names are the same by their files."""
    found: dict[str, list[Student]] = defaultdict(list)
    for student in students:
        found[student.name].append(student)
    for group in found.values():
        for student in group if len(group) > 1 else ():
            if student.pieces:
                student.name = student.pieces[0].file.name
