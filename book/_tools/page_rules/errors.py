"""The common errors, on the page of the five notes, keep what they promise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .guide import part, section
from .pages import Page
from .rules import Complaint, rule

MAP = "\n## If you come from these notes\n"
HOME = r"\]\((\.\./chapters/|laboratory/)"
PARTS = ("Often written", "Better", "Measured", "Source")
LED_TO = range(16)  # the chapters
MOST_WORDS = 25  # of a quotation
AT_LEAST = 21  # entries
POINTS = 40  # smaller points, or more


def filled(page: Page) -> str:
    """Return the page with the claims that it shows."""
    import claim_table

    return claim_table.filled(errors_of(page), page.path)


def errors_of(page: Page) -> str:
    """Return the page without the map of the notes at its end."""
    return page.text.split(MAP)[0]


@rule("the_five_notes.md")
def entries_have_their_parts(page: Page) -> Iterator[str]:
    """Every entry has its four parts in order, and leads to a chapter."""
    text = filled(page)
    for title in re.findall(r"^### (.+)$", text, flags=re.M):
        here = section(text, f"### {title}")
        places = [here.find(f"**{name}.**") for name in PARTS]
        if -1 in places or places != sorted(places):
            yield f"{title}: wanted {', '.join(PARTS)}, in this order"
            continue
        leads = re.search(HOME, part(here, "Measured"))
        if not leads and "Not in this book" not in here:
            yield f"{title}: Measured leads to no chapter"


@rule("the_five_notes.md")
def promised_errors_are_there(page: Page) -> Iterator[str]:
    """21 entries or more, and something on each of the chapters 0 to 15."""
    text = filled(page)
    entries = re.findall(r"^### (.+)$", text, flags=re.M)
    if len(entries) < AT_LEAST:
        yield f"{len(entries)} entries, at least {AT_LEAST}"
    for chapter in LED_TO:
        link = rf"(chapters|laboratory)/{chapter:02}_\w+\.ipynb#"
        if not re.search(link, text):
            yield f"nothing leads to chapter {chapter}"


@rule("the_five_notes.md")
def smaller_points_lead_to_a_chapter(page: Page) -> Iterator[str]:
    """A row of the smaller points has three cells, and a link in the last."""
    table = section(filled(page), "## Smaller points")
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    if len(rows) <= POINTS:
        raise Complaint(f"{len(rows)} smaller points, more than {POINTS}")
    for row in rows:
        cells = re.split(r"(?<!\\)\|", row.strip("|"))
        if len(cells) != 3 or not re.search(HOME, cells[2]):
            yield f"wanted three cells and a link to a chapter: {row[:60]}"


@rule("the_five_notes.md")
def quotations_are_short(page: Page) -> Iterator[str]:
    """A quotation has fewer than 25 words."""
    text = " ".join(re.sub(r"\]\([^)]*\)", "]", filled(page)).split())
    for words in re.findall(r'"([^"]{1,400}?)"', text):
        if len(words.split()) >= MOST_WORDS:
            yield f"{len(words.split())} words in a quotation: {words[:40]}"
