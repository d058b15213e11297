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
from pathlib import PurePosixPath

from transformer_course.grading.reading.collecting import File
from transformer_course.grading.reading.exercises import chapter_file
from transformer_course.grading.reading.submissions import Code
from transformer_course.grading.roster import Person, person_in

OWN, USELESS = -1, -2  # in place of the number of a chapter

__all__ = ["OWN", "USELESS", "Piece", "Student", "sorted_by_student"]

# Words of a path that tell notebooks apart, or copies, but no students.
_WORDS = frozenset(
    "assignment book chapter chapters ch copy homework hw lab laboratory "
    "lesson lessons of submission submissions week zip".split()
)
_OF_FILES = frozenset(["my", "transformer"])
_COPY = r"\(\d+\)|copy\d+"
_MOODLE = r"(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)"
_CANVAS = r"([^\W\d_]+)_(?:LATE_)?(\d{2,})_(\d{2,})_"


@dataclass(frozen=True, eq=False)
class Piece:
    """A file of a student's.

    Attributes:
        file: it.
        chapter: its number; `OWN` for a file of the own Transformer,
            `USELESS` for what nobody can judge.
        rooms: those that it is, one or two; none for such a file.
        code: of a notebook.
    """

    file: File
    chapter: int
    rooms: frozenset[str] = frozenset()
    code: Code = field(default_factory=list)


@dataclass
class Student:
    """What one student has handed in.

    Attributes:
        name: what the table calls him or her.
        person: of the roster, if there is one.
        pieces: those that count.
        older: those that a later one takes the place of.
    """

    name: str
    person: Person | None
    pieces: list[Piece]
    older: list[Piece]

    def of(self, chapter: int) -> dict[str, Piece]:
        """Return the notebooks of a chapter, by their rooms."""
        here = [p for p in self.pieces if p.chapter == chapter]
        return {room: p for p in here for room in p.rooms}

    @property
    def own_file(self) -> Piece | None:
        """The file of the own Transformer, if there is one."""
        return next((p for p in self.pieces if p.chapter == OWN), None)


def sorted_by_student(
    pieces: Sequence[Piece], roster: Sequence[Person] = ()
) -> list[Student]:
    """Sort what was handed in by students.

    Files whose paths name a person of the roster, or have a form that Moodle
    or Canvas gives them, are that student's; where there are two of a kind,
    the later one counts. Other files are one student's where a folder of
    their own holds them and no two of a kind, or where their paths are the
    same but for the titles of chapters, words such as "lab", and marks of a
    copy; and again no two are of a kind.

    Args:
        pieces: what was handed in.
        roster: the class, if it is known.

    Returns:
        The students, in the order of their names; people of the roster who
        have handed in nothing, too.
    """
    people = {p: person_in(roster, p.file.name) for p in pieces}
    found: dict[Hashable, list[Piece]] = defaultdict(list)
    rest = []
    for piece in pieces:
        if (person := people[piece]) is not None:
            found["roster", person].append(piece)
        elif sent := _sent(piece.file.name):
            found["sent", sent].append(piece)
        else:
            rest.append(piece)
    for key in (_by_zip(pieces), _by_folder, _by_name):
        for name, group in _groups(rest, key):
            if _no_two_of_a_kind(group) and len(group) > 1:
                found[key, name] += group
        taken = {p for group in found.values() for p in group}
        rest = [p for p in rest if p not in taken]
    for piece in rest:
        found["alone", piece].append(piece)
    students = []
    for group in found.values():
        now, older = _latest(group)
        person = people[group[0]]
        students.append(Student(_called(now, person), person, now, older))
    seen = {s.person for s in students}
    students += [Student(p.id, p, [], []) for p in roster if p not in seen]
    _tell_apart(students)
    return sorted(students, key=lambda student: student.name)


def _sent(name: str) -> str:
    """Who has sent a file, if the path has a form of Moodle's or Canvas's."""
    for part in PurePosixPath(name).parts:
        if moodle := re.match(_MOODLE, part):
            return f"{moodle[1]} {moodle[2]}"
    if canvas := re.match(_CANVAS, PurePosixPath(name).name):
        return f"{canvas[1]} {canvas[2]}"
    return ""


def _by_zip(pieces: Sequence[Piece]) -> Callable[[Piece], Hashable]:
    """The ZIP that a student has sent; not that of a whole class."""
    tops = {PurePosixPath(piece.file.name).parts[0] for piece in pieces}

    def key(piece: Piece) -> Hashable:
        parts = PurePosixPath(piece.file.name).parts[:-1]
        zips = [n for n, part in enumerate(parts, 1) if _home(part) != part]
        if not zips or (zips[-1] == 1 and len(tops) == 1):
            return None
        return parts[: zips[-1]]

    return key


def _by_folder(piece: Piece) -> Hashable:
    """The folder that is the student's own, if there is one."""
    names = [_home(p) for p in PurePosixPath(piece.file.name).parts[:-1]]
    while names and not set(_words(names[-1])) - _WORDS:
        names.pop()
    return tuple(names) or None


def _home(part: str) -> str:
    """A folder, or a ZIP in its place."""
    return re.sub(r"(?i)\.zip$", "", part)


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
    other = piece.file.name if piece.chapter == USELESS else ""
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


def _called(group: Sequence[Piece], person: Person | None) -> str:
    """What the table calls a student."""
    if person is not None:
        return person.id
    first = group[0]
    if sent := _sent(first.file.name):
        return sent
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
    folders = [_home(p) for p in parts[:-1] if set(_words(p)) - _WORDS]
    is_named = bool(set(_words(own)) - _OF_FILES) or not folders
    return "/".join([*folders, own] if is_named else folders)


def _common(group: Sequence[Piece]) -> list[str]:
    """The folders in which all files lie, but for those of laboratories."""
    each = [PurePosixPath(p.file.name).parts[:-1] for p in group]
    found: list[str] = []
    for parts in zip(*each, strict=False):
        if len(set(parts)) > 1:
            break
        found.append(_home(parts[0]))
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
