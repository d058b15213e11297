"""Who is in the class, how much an exercise counts, and what is late."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = ["Person", "Rules", "person_in", "read_roster", "read_rules"]

# Heads of columns, as this book, Canvas and Moodle call them.
_IDS = ("id", "sis user id", "id number", "student id", "username", "login")
_NAMES = ("name", "full name", "student", "student name")


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
    """

    points: Mapping[str, float] = field(default_factory=dict)
    due: Mapping[int, datetime] = field(default_factory=dict)

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


def read_roster(path: Path) -> list[Person]:
    """Read a CSV file of a class, such as Canvas and Moodle give.

    Args:
        path: of the file, with a column for numbers ("ID", "SIS User ID",
            "ID number"), and one for names ("Name", "Student", "Full name")
            if it likes.

    Returns:
        The people, in its order.

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
        name = next((found[k] for k in _NAMES if found.get(k)), "")
        number = next((found[k] for k in _IDS if found.get(k)), name)
        if number and "points possible" not in name.lower():
            people.append(Person(number, name, tuple(plain.items())))
    ids = [person.id for person in people]
    if not ids:
        raise ValueError(f'{path}: a column "ID" or "Name" is wanted')
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise ValueError(f"{path}: {min(twice)} is there twice")
    return people


def person_in(roster: Sequence[Person], path: str) -> Person | None:
    """Find the one person of a roster whom a path names.

    Args:
        roster: the class.
        path: of a file, below the folder of submissions.

    Returns:
        Whoever's number or whose whole name stands in it, as words of their
        own or, as Canvas writes names, in one; None if that is nobody, or
        more than one.
    """
    text = _plain(path)
    words = re.findall(r"[^\W_]+", text)
    found = [p for p in roster if _stands(_plain(p.id), text)]
    found = found or [p for p in roster if p.name and _named(p.name, words)]
    return found[0] if len(found) == 1 else None


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
    """Read a TOML file with the tables `points` and `due`.

    Args:
        path: of the file.

    Returns:
        What it says: points by the number or name of an exercise, and when a
        chapter is due, with or without a time zone.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if unknown := set(content) - {"points", "due"}:
        raise ValueError(
            f"{path}: there is no table [{min(unknown)}], but [points] and "
            "[due]"
        )
    points, due = content.get("points", {}), content.get("due", {})
    try:
        return Rules(
            {str(key): _number(value) for key, value in points.items()},
            {int(key): _moment(value) for key, value in due.items()},
        )
    except (ValueError, TypeError, AttributeError):
        raise ValueError(
            f'{path}: write "2.1" = 3 below [points], and 2 = '
            "2026-03-01T18:00:00 below [due]"
        ) from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not 0 <= value < 1e6:
        raise ValueError
    return value


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise TypeError
    return value
