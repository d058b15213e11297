"""The table of claims is whole and fair, and pages show what it says.

Whether an original stands in its document so is in tests/book/test_claims.py:
the documents are not part of the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chapter_numbers import CHAPTERS

from .errors import errors_of
from .links import references
from .pages import Page
from .rules import rule

if TYPE_CHECKING:
    from claim_table import Claim

FIELDS = {"id", "chapter", "document", "said", "verdict", "better", "cell"}
ALLOWED = FIELDS | {"line", "original", "translation", "also", "fair", "source"}
ALLOWED |= {"entry", "origin"}
FOREIGN = re.compile(r"[\u4e00-\u9fff\uac00-\ud7a3]")
HAN = re.compile(r"[\u4e00-\u9fff]")
MOST_WORDS = 25  # of an original
MOST_FOREIGN = 2  # lines of the page with a term's name in its language
CELL = "lecture-notes"


def claims_of(page: Page) -> tuple[Claim, ...]:
    """Return the claims of the table, but for those that lack a field."""
    from claim_table import claims_in

    rows = [row for row in page.data["claim"] if not faults_of(row)]
    return claims_in({"claim": rows})


def faults_of(row: dict[str, Any]) -> list[str]:
    """Say which fields of a claim are missing, and which are too many."""
    faults = [f"it lacks {name}" for name in sorted(FIELDS - row.keys())]
    faults += [f"it has {name}" for name in sorted(row.keys() - ALLOWED)]
    named = {"line", "original"} <= row.keys()
    if not faults and (
        named != bool(row["document"]) or named == ("origin" in row)
    ):
        faults.append("wanted a document with line and original, or an origin")
    return faults


# ------------------------------------------------------------------- the table


@rule("claims")
def claims_have_their_fields(page: Page) -> Iterator[str]:
    """Each claim has what it needs, once, in the order of the chapters."""
    rows, seen = page.data["claim"], set()
    for row in rows:
        name = row.get("id", "a claim without id")
        yield from (f"{name}: {fault}" for fault in faults_of(row))
        if name in seen:
            yield f"{name}: two claims have this id"
        seen.add(name)
    chapters = [row.get("chapter", 0) for row in rows]
    for row, before in zip(rows[1:], chapters, strict=False):
        if not before <= row.get("chapter", before) <= max(CHAPTERS):
            yield f"{row['id']}: the claims of a chapter stand together"


@rule("claims")
def claims_are_told_briefly(page: Page) -> Iterator[str]:
    """A claim is told in a few plain sentences."""
    from claim_table import LISTS, VERDICTS

    for claim in claims_of(page):
        if not re.fullmatch(r"[a-z0-9-]+", claim.id):
            yield f"{claim.id}: an id has small letters, digits and hyphens"
        if claim.verdict not in VERDICTS:
            yield f"{claim.id}: a verdict is one of {', '.join(VERDICTS)}"
        if not claim.said or claim.said.endswith("."):
            yield f"{claim.id}: wanted what is said, without a period"
        if claim.better[-1:] not in (".", "?"):
            yield f"{claim.id}: what is better is a sentence, with its period"
        if "!" in claim.better + claim.fair:
            yield f"{claim.id}: no exclamation mark"
        limit = 6 if claim.entry in LISTS else 3
        plain = re.sub(r"\b\d\.", "", claim.better)
        sentences = len(re.findall(r"[.?](?: |$)", plain))
        if sentences > limit:
            yield f"{claim.id}: {sentences} sentences, at most {limit}"


@rule("claims")
def claims_are_measured(page: Page) -> Iterator[str]:
    """A claim names a cell that is there, below a heading with words."""
    from claim_table import find

    for claim in claims_of(page):
        if not claim.cells and claim.verdict != "damaged":
            yield f"{claim.id}: name the cell where it is measured"
        for cell in claim.cells:
            place = find(cell)
            if not place:
                yield f"{claim.id}: there is no cell {cell}"
            elif not re.search(r"[a-z]", place.anchor):
                yield f"{claim.id}: no heading with words above cell {cell}"


@rule("claims")
def claims_name_known_papers(page: Page) -> Iterator[str]:
    """The papers that a claim names are in the list of references."""
    from papers import LIKE

    pattern = references(page.root).pattern
    for claim in claims_of(page):
        for found in LIKE.finditer(f"{claim.better} {claim.source}"):
            if not pattern.search(found[0]):
                yield f"{claim.id}: no {found[0]} in book/references.bib"


def words_in(text: str) -> int:
    """Count words; a formula is one, and so are two characters of Chinese."""
    text = re.sub(r"\$[^$]*\$", " formula ", text.replace("[...]", " "))
    chinese = len(HAN.findall(text))
    return len(re.sub(rf"{HAN.pattern}|[，。、；]", " ", text).split()) + (
        (chinese + 1) // 2
    )


@rule("claims")
def originals_are_short(page: Page) -> Iterator[str]:
    """An original has at most 25 words, in whole clauses."""
    for claim in claims_of(page):
        for wording in claim.wordings:
            number = words_in(wording.original)
            if number > MOST_WORDS:
                yield f"{claim.id}: {number} words, at most {MOST_WORDS}"
            pieces = wording.original.split("[...]")
            if not all(piece.strip() for piece in pieces):
                yield f"{claim.id}: a cut [...] at an end of the original"
            # What is cut is told: in brackets, or the pieces are a list.
            cut = len(pieces) > 1 and wording.translation
            if cut and "[" not in cut and "," not in wording.original:
                yield f"{claim.id}: say in [brackets] what the cut held"


@rule("claims")
def originals_are_translated(page: Page) -> Iterator[str]:
    """What is not English has a translation, without Chinese in it."""
    for claim in claims_of(page):
        for wording in claim.wordings:
            plain = re.sub(r"\$[^$]*\$", "", wording.original)
            if claim.verdict == "damaged" or not FOREIGN.search(plain):
                continue
            if not wording.translation or HAN.search(wording.translation):
                yield f"{claim.id}: wanted a translation into English"


# ------------------------------------------------------------ where it is shown


@rule("laboratory")
def notes_are_told_as_in_the_table(page: Page) -> Iterator[str]:
    """The cell on the lecture notes is what the table of claims says."""
    from claim_table import section

    told = section(page.number, page.path)
    found = [cell.text for cell in page.cells if cell.name == CELL]
    if any(text != told for text in found) or (told and not found):
        yield (
            f"the cell {CELL} is not what book/claims.toml says: "
            "book/_tools/claims.py --write"
        )


@rule("the_five_notes.md")
def every_claim_is_shown_once(page: Page) -> Iterator[str]:
    """The page asks for each entry of the table, below its heading."""
    from claim_table import DIRECTIVE, slug

    table = claims_of(page.other("book/claims.toml"))
    asked = [found[1] for found in DIRECTIVE.finditer(page.text)]
    wanted = sorted({claim.entry for claim in table})
    if sorted(asked) != wanted:
        differ = sorted({*asked} ^ {*wanted}) or sorted(asked)
        yield f"each entry of the table once, see {', '.join(differ)}"
    if len(asked) != page.text.count("```{claims}"):
        yield "a directive {claims} that is not ```{claims} name and ```"
    for name in asked:
        above = page.text.split(f"```{{claims}} {name}\n")[0]
        heading = re.findall(r"(?:\n\(([\w-]+)\)=)?\n#{2,3} (.+)", above)
        target, title = heading[-1] if heading else ("", "")
        if name not in (target, slug(title)):
            yield f"{name}: it stands below another heading"


@rule("the_five_notes.md")
def notes_are_quoted_by_the_table(page: Page) -> Iterator[str]:
    """Korean and Chinese stand in the table, but for two names of terms."""
    found = [
        number
        for number, line in enumerate(errors_of(page).splitlines(), 1)
        if FOREIGN.search(line)
    ]
    if len(found) > MOST_FOREIGN:
        yield f"line {found[-1]}: quote a note in book/claims.toml"
