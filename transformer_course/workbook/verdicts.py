"""Is what the reader's file holds right, as it stands there?"""

from __future__ import annotations

import html
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk
from transformer_course.workbook.names import Along, Refused

__all__ = ["Progress", "Row", "lent", "look_again", "progress"]


class Row(NamedTuple):
    """One part of the file.

    Attributes:
        number: of the part, 1 to 10.
        chapter: where it is written.
        name: of the class or function.
        status: "right", "wrong", "missing", "the book's", or "incomplete":
            right, but it uses a part that the file lacks.
        message: what is wrong, or what is lacking.
    """

    number: int
    chapter: int
    name: str
    status: str
    message: str


@dataclass(frozen=True, repr=False)
class Progress:
    """The parts of the reader's file.

    Args:
        rows: one for each part.
    """

    rows: tuple[Row, ...]

    @property
    def complete(self) -> bool:
        """True if no part is missing, wrong or incomplete."""
        return all(row.status in ("right", "the book's") for row in self.rows)

    def __repr__(self) -> str:
        lines = ["part  chapter  status      name"]
        for row in self.rows:
            head = f"{row.number:>4}  {row.chapter:>7}  {row.status:<10}"
            lines.append(f"{head}  {row.name}")
            if row.message:
                lines.append(f"{'':27}{row.message}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row)
            + "</tr>"
            for row in self.rows
        )
        head = "".join(
            f"<th>{name}</th>"
            for name in ("part", "chapter", "name", "status", "")
        )
        return f"<table><tr>{head}</tr>{cells}</table>"


def progress() -> Progress:
    """Look the reader's file through.

    Returns:
        What it has: each part right, wrong or missing.

    Raises:
        ValueError: the file does not run.
    """
    text = on_disk.read()
    found = source_file.definitions(text)
    own = on_disk.load() if text != on_disk.HEADER else None
    now = parts.MASKS if "padding_mask" in found else 0
    rows, wrong = [], set()
    for name, (number, chapter) in parts.PARTS.items():
        status, message = "missing", ""
        if name in found:
            status, message = _status(own, text, name, now)
        if status == "wrong":
            inside = source_file.inside(text, name)
            for other in sorted(inside & wrong, key=list(parts.PARTS).index):
                message = f"It calls your {other}: mend that first. {message}"
                break
            wrong.add(name)
        rows.append(Row(number, chapter, name, status, message))
    return Progress(tuple(rows))


def _status(
    own: ModuleType, text: str, name: str, chapter: int
) -> tuple[str, str]:
    """Status and message of a part that the file has."""
    verdict = parts.build(getattr(own, name), chapter)
    if not verdict.ok:
        return "wrong", verdict.message
    if names := lent(text, name):
        return "incomplete", (
            f"Right with the book's {', '.join(names)}; without, it does not "
            "run."
        )
    return "the book's" if source_file.is_marked(text, name) else "right", ""


def look_again(old: str, new: str, name: str, along: Along) -> str:
    """Judge a part as it will stand in the file, and what it may spoil.

    Args:
        old: text of the file.
        new: the text with the part.
        name: of the part.
        along: what goes along with it.

    Returns:
        What is to be said of a part that is right, and calls one in the file
        that is wrong.

    Raises:
        Refused: the part, or another one, would be wrong in the file.
        ValueError: the file would not run.
    """
    if old == new:
        return ""
    try:
        own, note = on_disk.run(new), ""
    except on_disk.BrokenFile as error:
        on_disk.run(old)  # tells if the fault is an older one
        raise Refused(
            f"with this {name} the file would not run: {error.why}"
        ) from None
    verdict = parts.judged(name, getattr(own, name))
    if not verdict.ok:
        if not _alone(new, name, 0):
            raise Refused(
                f"this {name} is right in your notebook and wrong in the "
                f"file, with what the file has beside it. {verdict.message}"
            )
        note = _wrong_inside(own, new, name)
    elif name in parts.GETS_A_MASK and _alone(new, name, parts.MASKS):
        note = _wrong_inside(own, new, name)
    earlier = source_file.definitions(old)
    if (
        name in earlier
        and parts.PARTS[name][1] < parts.MASKS
        and not _alone(new, name, parts.MASKS)
        and _alone(old, name, parts.MASKS)
    ):
        raise Refused(
            f"the {name} in {on_disk.file().name} obeys its mask, as chapter "
            f"{parts.MASKS} asks; this one does not. Yours of chapter "
            f"{parts.MASKS} stays. To replace it all the same, delete it in "
            "the file first."
        )
    for other in set(earlier) & set(parts.PARTS) - {name}:
        if not source_file.inside(old, other) & set(along.names):
            continue
        if not parts.judged(other, getattr(own, other)).ok and _alone(
            old, other, 0
        ):
            raise Refused(
                f"your {other} in the file uses one of "
                f"{', '.join(along.names)} too, and would be wrong with the "
                "new version. Give the new one another name."
            )
    return note


def _alone(text: str, name: str, chapter: int) -> bool:
    """Whether a part of a file is right beside the book's other parts."""
    own = on_disk.run(text)
    for other in set(parts.PARTS) - {name}:
        setattr(own, other, getattr(parts.part(other), other))
    return parts.judged(name, getattr(own, name), chapter).ok


def _wrong_inside(own: ModuleType, text: str, name: str) -> str:
    """Say which part of the file a part calls in vain."""
    inside = source_file.inside(text, name) - {name}
    for other in parts.PARTS:
        if other in inside & set(source_file.definitions(text)):
            verdict = parts.judged(other, getattr(own, other), parts.MASKS)
            if not verdict.ok:
                return (
                    f"It calls the {other} of your file, which is wrong there: "
                    f"{verdict.message}"
                )
    return ""


def lent(text: str, name: str) -> list[str]:
    """Return the parts that a part needs and the file does not have.

    Args:
        text: of the file.
        name: of the part.
    """
    there = source_file.assigned(text)
    inside = source_file.inside(text, name)
    return [one for one in parts.PARTS if one in inside and one not in there]
