"""The guide for teachers: its minutes add up, and it names what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from chapter_numbers import CHAPTERS, COURSE

from .pages import ROOT, Page
from .rules import Complaint, rule

WEEKS, A_WEEK = range(1, 13), 120  # minutes
DAYS, A_DAY = range(1, 6), (240, 330)
SESSIONS, A_SESSION = 6, 90
BLOCKS, ONE_DAY = 4, 345


class Row(NamedTuple):
    """Of the table of hours; chapter is None for a review."""

    chapter: int | None
    minutes: int
    weeks: dict[int, int]
    day: int
    home: tuple[int, ...]


def section(text: str, heading: str) -> str:
    """Return what stands below a heading, up to the next of its level."""
    level = heading.split(" ")[0]
    start = re.search(rf"^{re.escape(heading)}", text, flags=re.M)
    if not start:
        raise Complaint(f"no heading {heading}")
    rest = text[start.end() :]
    end = re.search(rf"^#{{2,{len(level)}}} ", rest, flags=re.M)
    return rest[: end.start()] if end else rest


def part(text: str, name: str) -> str:
    """Return the paragraph that a bold name opens, as one line."""
    found = re.search(rf"^\*\*{name}.*?(?=\n\n|\Z)", text, flags=re.M | re.S)
    if not found:
        raise Complaint(f"no part **{name}**")
    return " ".join(found[0].split())


def hours(text: str) -> list[Row]:
    """Return the rows of the table of hours."""
    rows = []
    table, _, _ = section(text, "## The hours").partition("In six")
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == "chapter":
            continue
        chapter = re.match(r"\[(\d+) ", cells[0])
        minutes = int(cells[1])
        weeks = {
            int(week): int(some or minutes)
            for week, some in re.findall(r"(\d+)(?: \((\d+)\))?", cells[3])
        }
        home = tuple(map(int, cells[2].split(" + ")))
        number = int(chapter[1]) if chapter else None
        rows.append(Row(number, minutes, weeks, int(cells[4]), home))
    return rows


# ------------------------------------------------------------------- the guide


@rule("teaching.md")
def hours_list_every_chapter(page: Page) -> Iterator[str]:
    """Every chapter has a section, and those of the course have hours."""
    listed = [one.chapter for one in hours(page.text)]
    listed = [number for number in listed if number is not None]
    if listed != [*COURSE]:
        yield f"the hours list the chapters {listed}"
    for path in sorted((page.root / "chapters").glob("*.ipynb")):
        if f"](../chapters/{path.name})" not in page.text:
            yield f"no link to {path.name}"
    for number in CHAPTERS:
        section(page.text, f"### {number}. ")


@rule("teaching.md")
def hours_add_up(page: Page) -> Iterator[str]:
    """Twelve weeks of two hours, five days, and what is said of home."""
    rows = hours(page.text)
    weeks, days = dict.fromkeys(WEEKS, 0), dict.fromkeys(DAYS, 0)
    for row in rows:
        if sum(row.weeks.values()) != row.minutes:
            yield f"chapter {row.chapter}: its weeks are not its minutes"
        days[row.day] = days.get(row.day, 0) + row.minutes
        for week, some in row.weeks.items():
            weeks[week] = weeks.get(week, 0) + some
    for week, minutes in weeks.items():
        if week not in WEEKS or minutes != A_WEEK:
            yield f"week {week} has {minutes} minutes, wanted {A_WEEK}"
    least, most = A_DAY
    for day, minutes in days.items():
        if day not in DAYS or not least <= minutes <= most:
            yield f"day {day} has {minutes} minutes, wanted {least} to {most}"
    home = sum(sum(row.home) for row in rows) / 60
    said = re.search(r"together (\d+) hours", " ".join(page.text.split()))
    if not said or abs(home - int(said[1])) >= 1:
        yield f'home is {home:.1f} hours; say "together {home:.0f} hours"'


@rule("teaching.md")
def class_fills_its_minutes(page: Page) -> Iterator[str]:
    """What is done in class takes the minutes of the table."""
    for row in hours(page.text):
        heading = "### Review"
        if row.chapter is not None:
            heading = f"### {row.chapter}."
        done = part(section(page.text, heading), "In class")
        found = re.match(r"\*\*In class \((\d+)\)\.\*\* (.*)", done)
        if not found:
            yield f"{heading}: wanted **In class (minutes).** and a plan"
            continue
        pieces = minutes_in(found[2])
        if int(found[1]) != row.minutes or pieces != row.minutes:
            yield (
                f"{heading}: {row.minutes} minutes in the table, {found[1]} in "
                f"brackets, {pieces} in the plan"
            )


def minutes_in(plan: str) -> int:
    """Add up the minutes that the pieces of a plan begin with."""
    found = [re.match(r"\d+", piece) for piece in plan.split("; ")]
    if None in found:
        raise Complaint(f"a piece of a plan begins with its minutes: {plan}")
    return sum(int(one[0]) for one in found)


@rule("teaching.md")
def short_plans_fill_their_minutes(page: Page) -> Iterator[str]:
    """Six sessions and one day have their minutes and name what there is."""
    below = section(page.text, "## The hours").partition("(six-sessions)=")[2]
    six, _, day = below.partition("**In one day.**")
    rows = re.findall(r"^\| \d \| (.*)", six, re.M)
    plans = [(A_SESSION, row) for row in rows]
    rows = re.findall(r"^\| [a-z ]+\((\d+)\) \| (.*)", day, re.M)
    plans += [(int(minutes), row) for minutes, row in rows]
    if len(plans) != SESSIONS + BLOCKS:
        yield f"wanted {SESSIONS} sessions and {BLOCKS} blocks of a day"
    if sum(int(minutes) for minutes, _ in rows) != ONE_DAY:
        yield f"the blocks of one day are not {ONE_DAY} minutes"
    for minutes, row in plans:
        plan = row.partition(" | ")[0]
        if minutes_in(plan) != minutes:
            yield f"{minutes_in(plan)} minutes, wanted {minutes}: {plan[:40]}"
        for name in re.findall(r"((?:Exercise|Figure) \d+\.\d+)", row):
            if not is_there(name, page):
                yield f"there is no {name}: {plan[:40]}"


def is_there(name: str, page: Page) -> bool:
    """Tell whether a lesson or a laboratory has a figure or an exercise."""
    from .links import named_in

    kind, number = name.split(" ")
    return (kind, number) in named_in(page.root)


@cache
def names_in_the_checks() -> set[str]:
    """Return what stands in quotes, or alone in a line, in all checks."""
    found = set()
    for path in (ROOT / "transformer_course" / "checks").rglob("*.*"):
        if path.suffix in (".py", ".txt"):
            text = path.read_text(encoding="utf-8")
            found.update(re.findall(r'"(\w+)"', text))
            found.update(re.findall(r"^(\w+)$", text, re.M))
    return found


@rule("teaching.md")
def stumbling_blocks_have_their_names(page: Page) -> Iterator[str]:
    """Where students stumble, a name is that of a mistake or of a check."""
    from transformer_course import checks
    from transformer_course.checks import parts

    known = {*checks.__all__, *parts.PARTS} | names_in_the_checks()
    for number in CHAPTERS:
        here = section(page.text, f"### {number}. ")
        told = part(here, "Where students stumble")
        for name in re.findall(r"`(\w+)`", told):
            if name not in known and f"`{name}(" not in page.text:
                yield f"chapter {number}: no check knows the mistake {name}"
