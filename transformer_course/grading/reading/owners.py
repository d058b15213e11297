"""Who has sent a file: the outermost name in its path decides.

A path is read from the outside, as the files have come: first what the
lecturer, Moodle or Canvas has called a folder, a ZIP or a file. What a student
has called the things in it is not looked at any more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from transformer_course.grading.roster import Person, people_in, sent_by

__all__ = ["Owner", "is_zip", "owners_of", "without_zip"]


class Owner(NamedTuple):
    """Whose a file is.

    Attributes:
        person: of the roster, if it has one.
        sent: name and number, as Moodle or Canvas writes them, or "".
        zips: how many ZIPs of nobody's it lies in.
        why: why it is nobody's, where there is a name; else "".
    """

    person: Person | None = None
    sent: str = ""
    zips: int = 0
    why: str = ""

    @property
    def is_known(self) -> bool:
        """Whether somebody has sent it."""
        return self.person is not None or bool(self.sent)


def owners_of(names: Sequence[str], roster: Sequence[Person]) -> list[Owner]:
    """Tell who has sent each of some files.

    Whoever packs a ZIP can give the files in it any name. So a name in a ZIP
    that is nobody's counts only if the same student has sent nothing under it
    outside: the ZIP may be that of a class.

    Args:
        names: of the files, below the folder of submissions.
        roster: the class, if it is known.

    Returns:
        Their owners, in the same order.
    """
    paths = [PurePosixPath(name).parts for name in names]
    named = cache(lambda part: people_in(roster, part))
    beside: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for parts in set(paths):
        for n, part in enumerate(parts):
            beside[parts[:n]].add(sent_by(part))
    is_alone = len({parts[0] for parts in paths}) == 1
    found = [_owner(parts, named, beside, is_alone) for parts in paths]
    least: dict[object, int] = {}
    for one in found:
        who = one.person or one.sent
        least[who] = min(one.zips, least.get(who, one.zips))
    return [
        one if one.zips == least[one.person or one.sent] else _doubted(one)
        for one in found
    ]


def _owner(
    parts: tuple[str, ...],
    named: Callable[[str], list[Person]],
    beside: Mapping[tuple[str, ...], set[str]],
    is_alone: bool,
) -> Owner:
    """The first name of a path.

    Folders of a term, such as spring_2026_03, look as if Canvas had named
    them. They do not count where all beside them are of one name.
    """
    zips = 0
    for n, part in enumerate(parts):
        people = named(part)
        if len(people) == 1:
            return Owner(people[0], zips=zips)
        if len(people) > 1:
            both = " and ".join(person.name or person.id for person in people)
            return Owner(zips=zips, why=f"names {both}, and counts for neither")
        is_sure = "_assignsubmission_" in part or part == parts[-1]
        if (sent := sent_by(part)) and (
            is_sure or len(beside[parts[:n]] - {""}) > 1
        ):
            return Owner(sent=sent, zips=zips)
        if is_zip(part) and not (is_alone and n == 0):
            zips += 1
    return Owner(zips=zips)


def _doubted(one: Owner) -> Owner:
    if not one.is_known:
        return one
    who = one.sent if one.person is None else one.person.name or one.person.id
    why = f"names {who} in a ZIP that is nobody's, and does not count for them"
    return Owner(zips=one.zips, why=why)


def is_zip(part: str) -> bool:
    """Tell whether a part of a path is a ZIP.

    Args:
        part: the name of one folder, ZIP or file.
    """
    return without_zip(part) != part


def without_zip(part: str) -> str:
    """Return the name of a folder, or of a ZIP in its place.

    Args:
        part: the name of one folder, ZIP or file.
    """
    return re.sub(r"(?i)\.zip$", "", part)
