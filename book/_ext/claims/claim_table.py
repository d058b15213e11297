"""The table of claims (book/claims.toml), and what pages make of it.

Everything here is plain Markdown, which reads alike on the page, in Colab and
on GitHub. The directive of `claims.py` puts it on a page; `claims.py --write`
of book/_tools writes it into the laboratories.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "book" / "claims.toml"
VERDICTS = (
    "right",
    "incomplete",
    "imprecise",
    "wrong",
    "contested",
    "open",
    "damaged",
)
SMALLER = "smaller-points"
LISTS = ("slips-of-the-paper", "damage-on-the-way")
DIRECTIVE = re.compile(r"^```\{claims\} (\S+)\n```$", re.M)


@dataclass(frozen=True)
class Wording:
    """A wording in one of the documents."""

    document: str
    line: int
    original: str
    translation: str


@dataclass(frozen=True)
class Claim:
    """What is claimed, in which words, and what the book says of it."""

    id: str
    chapter: int
    entry: str
    origin: str
    wordings: tuple[Wording, ...]
    said: str
    verdict: str
    better: str
    fair: str
    cells: tuple[str, ...]
    source: str


def joined(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


@cache
def raw_table() -> dict:
    """Return what the file says."""
    with TABLE.open("rb") as file:
        return tomllib.load(file)


def wordings_of(row: dict) -> Iterator[Wording]:
    """Yield the wordings of a claim: its own, and those it has elsewhere."""
    for one in (row, *row.get("also", [])):
        if one["document"]:
            yield Wording(
                one["document"],
                one["line"],
                joined(one["original"]),
                joined(one.get("translation", "")),
            )


@cache
def claims() -> tuple[Claim, ...]:
    """Return all claims, in the order of the file."""
    return claims_in(raw_table())


def claims_in(table: dict) -> tuple[Claim, ...]:
    """Return the claims of a table."""
    return tuple(
        Claim(
            row["id"],
            row["chapter"],
            row.get("entry", SMALLER),
            row.get("origin", ""),
            tuple(wordings_of(row)),
            joined(row["said"]),
            row["verdict"],
            joined(row["better"]),
            joined(row.get("fair", "")),
            tuple(row["cell"]),
            row.get("source", ""),
        )
        for row in table["claim"]
    )


def of_entry(entry: str) -> list[Claim]:
    """Return the claims of a place on the page of common errors."""
    return [claim for claim in claims() if claim.entry == entry]


# ----------------------------------------------------------- where it is shown


@dataclass(frozen=True)
class Place:
    """A cell, and the last heading at or above it."""

    path: Path
    heading: str
    anchor: str


def slug(heading: str) -> str:
    """Return the anchor that MyST and GitHub make of a heading."""
    words = re.sub(r"\$[^$]*\$|[*`]", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", words.replace(" ", "-"))


@cache
def places_of(path: Path) -> dict[str, Place]:
    """Return the places of the cells of a notebook by their ids."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    found: dict[str, Place] = {}
    seen: dict[str, int] = {}
    heading = anchor = ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            for heading in re.findall(r"^#{1,4} (.+?)\s*$", text, re.M):
                name = slug(heading)
                again = seen[name] = seen.get(name, -1) + 1
                anchor = f"{name}-{again}" if again else name
        found[cell["id"]] = Place(path, heading, anchor)
    return found


FOLDERS = ROOT / "chapters", ROOT / "book" / "laboratory"


def rooms(chapter: str) -> list[Path]:
    """Return the notebooks that a cell of a chapter may stand in."""
    return [p for folder in FOLDERS for p in folder.glob(f"{chapter}_*.ipynb")]


def find(cell: str) -> Place | None:
    """Return where a cell stands: "03 code-067"."""
    chapter, _, name = cell.partition(" ")
    for path in rooms(chapter):
        if name in places_of(path):
            return places_of(path)[name]
    return None


def link(cell: str, page: Path) -> str:
    """Return a link from a page to the heading above a cell.

    Where the laboratory is left out (the edition for a class), words alone.

    Raises:
        LookupError: no cell of that name is there.
    """
    place, chapter = find(cell), cell.split()[0]
    if place is None and len(rooms(chapter)) == 1:
        return f"the laboratory of chapter {int(chapter)}"
    if place is None:
        raise LookupError(f"book/claims.toml: no cell {cell}")
    target = f"#{place.anchor}"
    if place.path != page:
        relative = os.path.relpath(place.path, page.parent).replace(os.sep, "/")
        target = relative + target
    return f"[{words_for(cell, place)}]({target})"


def words_for(cell: str, place: Place) -> str:
    """Return the words of a link: the chapter, and what stands there."""
    words = f"chapter {int(cell.split()[0])}"
    numbered = re.match(r"(?:Experiment|Exercise) [\d.]+", place.heading)
    if numbered:
        return f"{words}, {numbered[0]}"
    title = re.sub(r"[*\"]", "", place.heading)
    if title.startswith("What the lecture notes"):
        return words
    return f'{words}, "{title}"'


def where(claim: Claim, page: Path) -> str:
    """Return the links to the cells of a claim, each place once."""
    links = dict.fromkeys(link(cell, page) for cell in claim.cells)
    return ", ".join(links)


# -------------------------------------------------------------------- Markdown


def document_words(name: str) -> str:
    """Return how a text names a document: "the note in Chinese"."""
    return raw_table()["documents"][name]["words"]


def judged(claim: Claim) -> str:
    """Return the verdict and the sentences that belong to it."""
    said = f"*{claim.verdict.capitalize()}.* {claim.better} {claim.fair}"
    return said.rstrip()


def fold(wording: Wording) -> str:
    """Return the original as a fold, or "" where the page shows it anyway."""
    if not wording.translation:
        return ""
    return (
        f"<details><summary>In the original, line {wording.line}</summary>\n\n"
        f"{wording.original}\n\n</details>"
    )


def quoted(wording: Wording, verdict: str = "") -> str:
    """Return a wording in English, the original folded below it."""
    shown = wording.translation or wording.original
    place = f"From {document_words(wording.document)}"
    place += "." if wording.translation else f", line {wording.line}."
    place += f" *{verdict.capitalize()}.*" if verdict else ""
    original = fold(wording)
    text = f"> {shown}\n>\n> {place}"
    return f"{text}\n\n{original}" if original else text


def entry(name: str) -> str:
    """Return what the notes say on an entry, with a verdict on the wording."""
    parts = []
    for claim in of_entry(name):
        parts += [quoted(one, claim.verdict) for one in claim.wordings]
        if claim.wordings and claim.fair:
            parts.append(claim.fair)
    return "\n\n".join(parts)


def remark(claim: Claim, page: Path) -> str:
    """Return a claim as a laboratory tells it."""
    parts = [quoted(wording) for wording in claim.wordings]
    said = judged(claim)
    if not claim.wordings:
        said = f"{claim.origin.capitalize()}: {claim.said}. {said}"
    if claim.cells:
        said += f" See {where(claim, page)}."
    if claim.source:
        said += f" Source: {claim.source}."
    return "\n\n".join([*parts, said])


FIVE = (
    "This book grew from "
    "[five documents](../references.md#the-notes-this-book-grew-from), four in "
    "Korean and one in Chinese."
)
QUOTED = (
    "Here is what they say on the subject of this chapter, in translation; the "
    "original unfolds below each sentence, with the line of the copy that we "
    "read, and [...] marks a cut."
)
NOT_QUOTED = "What begins with *{}* stands in none of them."
NONE_QUOTED = "What is said here stands in none of them in these words."
VERDICT = (
    "The verdict is on a wording and not on a person: most of these wordings "
    "stand in many good texts. All chapters together are on the page of "
    "[the five notes](../the_five_notes.md), and "
    "[a map](../the_five_notes.md#if-you-come-from-these-notes) leads from "
    "each section of the five documents to its lesson."
)


def introduction(told: list[Claim]) -> str:
    """Return what stands above the claims: who says them, and who does not."""
    others = dict.fromkeys(c.origin.capitalize() for c in told if c.origin)
    if all(claim.origin for claim in told):
        return f"{FIVE} {NONE_QUOTED} {VERDICT}"
    parts = [FIVE, QUOTED]
    if others:
        parts.append(NOT_QUOTED.format("* or *".join(others)))
    return " ".join([*parts, VERDICT])


def section(chapter: int, page: Path) -> str:
    """Return the section of a laboratory on the notes, "" if it has none."""
    told = [
        claim
        for claim in claims()
        if claim.chapter == chapter and claim.entry not in LISTS
    ]
    if not told:
        return ""
    head = "## What the lecture notes say"
    remarks = (remark(claim, page) for claim in told)
    return "\n\n".join([head, introduction(told), *remarks])


# ------------------------------------------------------ the page of all claims


def row(claim: Claim, page: Path) -> tuple[str, str, str]:
    """Return the cells of a smaller point: said, better, where."""
    return claim.said, judged(claim), where(claim, page)


def bullet(claim: Claim, page: Path) -> str:
    """Return a claim as a point of a list."""
    told = f"**{claim.said}.** {claim.better}"
    if claim.cells:
        told += f" See {where(claim, page)}."
    return told


def as_text(name: str, page: Path) -> str:
    """Return in Markdown what the directive shows (for tests and readers)."""
    if name == SMALLER:
        rows = ["| What is written | Verdict | Where |", "|---|---|---|"]
        for claim in of_entry(name):
            cells = (text.replace("|", "\\|") for text in row(claim, page))
            rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(rows)
    if name in LISTS:
        return "\n".join(f"- {bullet(c, page)}" for c in of_entry(name))
    return entry(name)


def filled(text: str, page: Path) -> str:
    """Return a page with its directives carried out."""
    return DIRECTIVE.sub(lambda found: as_text(found[1], page), text)
