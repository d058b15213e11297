"""What the guide for teachers and the rubrics say of a chapter is so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chapter_numbers import COURSE

from .chapter import whole
from .guide import hours, part, section
from .pages import Page
from .rules import Complaint, rule

GUIDE, RUBRICS = "book/teaching.md", "book/rubrics.md"
AT_HOME = 10  # minutes that exercises at home may differ from their headings
# It is a paragraph to write: explored there, fit for paper.
ALSO_ON_PAPER = "4.5"
# Here the chapter's own list stands in the rubrics.
OWN_LISTS = ("4.5", "16.2")


def of_chapter(page: Page) -> tuple[str, str]:
    """Return a chapter's section of the guide, and its own Markdown."""
    text = "\n\n".join(one.flat for one in (page, whole(page)[0]))
    guide = page.other(GUIDE).text
    return section(guide, f"### {page.number}. "), text


@rule("lesson")
def home_is_counted(page: Page) -> Iterator[str]:
    """What is not done in class is counted as work at home."""
    from minutes import minutes_of

    here, text = of_chapter(page)
    rows = hours(page.other(GUIDE).text)
    row = next((one for one in rows if one.chapter == page.number), None)
    if row is None and page.number in COURSE:
        raise Complaint(f"book/teaching.md: no row for chapter {page.number}")
    placed = part(here, "Exercises")
    groups = {
        name: set(re.findall(r"\d+\.\d+", listed))
        for name, listed in re.findall(r"(\w+): (.*?)(?=\. [A-Z]|$)", placed)
    }
    in_class = set(re.findall(r"Exercise (\d+\.\d+)", part(here, "In class")))
    if groups.get("Class", set()) != in_class:
        yield (
            "book/teaching.md: in class are the exercises "
            f"{sorted(in_class)}, listed {sorted(groups.get('Class', []))}"
        )
    if row is None:
        return
    asked = re.findall(
        r"^### Exercise ([\d.]+) \(\w+, (\d+) min", text, flags=re.M
    )
    given = groups.get("Home", set())
    minutes = sum(int(some) for name, some in asked if name in given)
    reading, exercises = row.home
    if abs(exercises - minutes) > AT_HOME:
        yield f"book/teaching.md: exercises at home take {minutes} minutes"
    if reading != minutes_of(page.path).reading:
        yield (
            f"book/teaching.md: {reading} minutes to read it; "
            "book/_tools/minutes.py --write counts them"
        )


@rule("lesson")
def guide_names_what_is_there(page: Page) -> Iterator[str]:
    """The guide names all exercises of a chapter, its figures, experiments."""
    here, text = of_chapter(page)
    kinds = dict(re.findall(r"^### Exercise (\d+\.\d+) \((\w+)", text, re.M))
    number, placed = page.number, part(here, "Exercises")
    named = set(re.findall(rf"\b{number}\.\d+", placed))
    if named:  # a section may also speak of its exercises without numbers
        for one in sorted(named ^ kinds.keys()):
            yield f"book/teaching.md: Exercise {one} is here or there alone"
        exam = re.search(r"Paper exam: (.*?)\. (?=[A-Z])", placed)
        if not exam:
            yield 'book/teaching.md: say which are for a "Paper exam: ..."'
        for one in re.findall(r"\d+\.\d+", exam[1] if exam else ""):
            on_paper = kinds.get(one) in ("paper", "prove", None)
            if not on_paper and one != ALSO_ON_PAPER:
                yield f"book/teaching.md: Exercise {one} is not on paper"
    for one in re.findall(rf"Exercise ({number}\.\d+)", here):
        if one not in kinds:
            yield f"book/teaching.md: there is no Exercise {one}"
    for one in re.findall(rf"\b{number}\.\d+", part(here, "Show")):
        if not re.search(rf"^\*Figure {re.escape(one)}\b", text, re.M):
            yield f"book/teaching.md: there is no Figure {one}"
    for one in re.findall(r"Experiment (\d+)", here):
        if f"### Experiment {one}: " not in text:
            yield f"book/teaching.md: there is no Experiment {one}"


@rule("lesson")
def what_no_check_judges_has_its_points(page: Page) -> Iterator[str]:
    """The rubrics have each exercise to explore or prove, with its points."""
    _, text = of_chapter(page)
    pattern = r"^### Exercise ([\d.]+) \((?:explore|prove).*?\): (.*)"
    asked = re.findall(pattern, text, re.M)
    asked.sort(key=lambda one: [int(n) for n in one[0].split(".")])
    rubrics = f"{page.other(RUBRICS).text}\n## "
    below = rubrics.partition(f"\n## Chapter {page.number}\n")[2]
    found = below.split("\n## ")[0]
    entries = re.findall(r"^\*\*([\d.]+) (.*?)\*\*((?:.+\n)+)", found, re.M)
    titles = [(name, title.rstrip(".")) for name, title, _ in entries]
    if titles != asked:
        differ = [" ".join(one) for one in sorted({*titles} ^ {*asked})]
        yield f"book/rubrics.md: not as in the chapter, {differ or 'the order'}"
    for name, _, points in entries:
        numbers = [*map(int, re.findall(r"\((\d)\)", points))]
        in_order = numbers == [*range(1, len(numbers) + 1)]
        if name not in OWN_LISTS and not (in_order and 3 <= len(numbers) <= 5):
            yield f"book/rubrics.md, {name}: points (1) to (3), (4) or (5)"
