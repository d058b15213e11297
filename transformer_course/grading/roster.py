"""Who is in the class, how much an exercise counts, and what is late."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = [
    "Person",
    "Rules",
    "people_in",
    "read_roster",
    "read_rules",
    "sent_by",
    "ticket_of",
]

# Heads of columns, as this book, Canvas and Moodle call them.
_IDS = ("id", "sis user id", "id number", "student id", "username", "login")
_NAMES = ("name", "full name", "student", "student name")
_FIRST, _LAST = ("first name",), ("last name", "surname")
_MAIL = ("email address", "email")
_MOODLE = r"(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)"
_CANVAS = r"([^\W\d_]+)_(?:LATE_)?(\d{2,})_(\d{2,})_"


@dataclass(frozen=True)
class Person:
    """A student of the roster.

    Attributes:
        id: number or name by which the school knows the student.
        name: in full; "" where the roster has none.
        row: all that the roster says, by the heads of its columns.
    """

    id: str
    name: str = ""
    row: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Rules:
    """What a teacher has decided.

    Attributes:
        points: by number or name of an exercise; 1 where there is none.
        due: by chapter, when it has to be there.
        per_day: per cent of the points that each day begun costs after that.
        floor: per cent that are left, however late it is.
    """

    points: Mapping[str, float] = field(default_factory=dict)
    due: Mapping[int, datetime] = field(default_factory=dict)
    per_day: float = 0.0
    floor: float = 0.0

    def worth(self, title: str) -> float:
        """Return the points of an exercise.

        Args:
            title: number and name, such as "2.1 softmax".
        """
        number, _, name = title.partition(" ")
        return self.points.get(number, self.points.get(name, 1.0))

    def minutes_late(self, chapter: int, time: float | None) -> int:
        """Return how late a file is, 0 if it is not, or nobody knows.

        Args:
            chapter: its number.
            time: seconds since 1970, when the file was changed.
        """
        due = self.due.get(chapter)
        if due is None or time is None:
            return 0
        return max(0, -int((due.timestamp() - time) // 60))

    def share(self, minutes: int) -> float:
        """Return which part of the points is left.

        Args:
            minutes: by which it is late.
        """
        days = -(-minutes // (24 * 60))
        return min(1.0, max(self.floor, 100 - days * self.per_day) / 100)


def read_roster(path: Path) -> list[Person]:
    """Read a CSV file of a class, such as Canvas and Moodle give.

    Args:
        path: of the file, with a column for numbers ("ID", "SIS User ID",
            "ID number"), and one for names ("Name", "Student", "Full name")
            if it likes, or two ("First name", "Last name").

    Returns:
        The people, in its order. Who has no number is known by the name;
        where several have that, by the address of email.

    Raises:
        OSError: it cannot be read.
        ValueError: no column has numbers or names, or two people have one.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: save it as CSV in UTF-8") from None
    head = text.partition("\n")[0]
    mark = ";" if head.count(";") > head.count(",") else ","
    people = []
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=mark):
        plain = {str(k): str(v or "").strip() for k, v in row.items()}
        found = {key.strip().lower(): value for key, value in plain.items()}
        names = _first(found, _FIRST), _first(found, _LAST)
        name = _first(found, _NAMES) or " ".join(filter(None, names))
        number = _first(found, _IDS) or name
        if number and "points possible" not in name.lower():
            people.append(Person(number, name, tuple(plain.items())))
    named = Counter(person.id for person in people)
    people = [p if named[p.id] == 1 else _by_mail(p) for p in people]
    ids = [person.id for person in people]
    if not ids:
        raise ValueError(f'{path}: a column "ID" or "Name" is wanted')
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise ValueError(f"{path}: {min(twice)} is there twice")
    return people


def _first(found: Mapping[str, str], heads: Sequence[str]) -> str:
    """What a row has below the first of some heads; "" if nothing."""
    return next((found[head] for head in heads if found.get(head)), "")


def _by_mail(person: Person) -> Person:
    """A person without a number of his or her own, known by the address."""
    found = {key.strip().lower(): value for key, value in person.row}
    mail = _first(found, _MAIL)
    is_named = person.id == person.name and mail
    return replace(person, id=mail) if is_named else person


def people_in(roster: Sequence[Person], part: str) -> list[Person]:
    """Find the people of a roster whom a folder or a file names.

    Args:
        roster: the class.
        part: the name of one folder, ZIP or file.

    Returns:
        Those whose number or whose whole name stands in it, as words of their
        own or, as Canvas writes names, in one. Where Moodle or Canvas has
        written the name, what follows it is the student's, and is not read.
    """
    if moodle := re.match(_MOODLE, part):
        ticket = ("Identifier", f"Participant {moodle[2]}")
        if found := [p for p in roster if ticket in p.row]:
            return found
        part = moodle[1]
    elif canvas := re.match(_CANVAS, part):
        part = f"{canvas[1]} {canvas[2]}"
    text = _plain(part)
    words = re.findall(r"[^\W_]+", text)
    found = [p for p in roster if _stands(_plain(p.id), text)]
    return found or [p for p in roster if p.name and _named(p.name, words)]


def sent_by(part: str) -> str:
    """Read who has sent a file, where Moodle or Canvas has written it.

    Args:
        part: the name of one folder, ZIP or file.

    Returns:
        Name and number; "" if it has another form.
    """
    form = re.match(_MOODLE, part) or re.match(_CANVAS, part)
    return f"{form[1]} {form[2]}" if form else ""


def ticket_of(path: str) -> str:
    """Read name and number of whom Moodle says has sent a file.

    Args:
        path: of the file, below the folder of submissions.

    Returns:
        Both with an underscore between, as Moodle reads it again; "" if a
        path has no part of that form.
    """
    forms = (re.match(_MOODLE, part) for part in path.split("/"))
    form = next(filter(None, forms), None)
    return f"{form[1].replace('_', ' ')}_{form[2]}" if form else ""


def _stands(number: str, text: str) -> bool:
    return bool(re.search(rf"(?<![^\W_]){re.escape(number)}(?![^\W_])", text))


def _named(name: str, words: list[str]) -> bool:
    own = re.findall(r"[^\W_]+", _plain(name))
    turned = re.findall(r"[^\W_]+", _plain(" ".join(name.split(",")[::-1])))
    for one in (own, turned, own[::-1]):
        size = len(one)
        at = range(len(words) - size + 1)
        if any(words[n : n + size] == one for n in at):
            return True
        if "".join(one) in words:
            return True
    return False


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def read_rules(path: Path) -> Rules:
    """Read a TOML file with the tables `points`, `due` and `late`.

    Args:
        path: of the file.

    Returns:
        What it says: points by the number or name of an exercise, when a
        chapter is due, with or without a time zone, and what being late
        costs.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if unknown := set(content) - {"points", "due", "late"}:
        raise ValueError(
            f"{path}: there is no table [{min(unknown)}], but [points], [due] "
            "and [late]"
        )
    points, due = content.get("points", {}), content.get("due", {})
    late = content.get("late", {})
    try:
        return Rules(
            {str(key): _number(value) for key, value in points.items()},
            {int(key): _moment(value) for key, value in due.items()},
            **{_cost(key): _per_cent(value) for key, value in late.items()},
        )
    except (ValueError, TypeError, AttributeError):
        raise ValueError(
            f'{path}: write "2.1" = 3 below [points], 2 = '
            "2026-03-01T18:00:00 below [due], and per_day = 10 and floor = 50, "
            "in per cent, below [late]"
        ) from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not 0 <= value < 1e6:
        raise ValueError
    return value


def _cost(key: str) -> str:
    if key not in ("per_day", "floor"):
        raise ValueError
    return key


def _per_cent(value: Any) -> float:
    if _number(value) > 100:
        raise ValueError
    return value


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise TypeError
    return value
