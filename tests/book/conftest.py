"""A small book without a fault, for the tests of the rules for pages."""

import claim_table
import minutes
import pytest
from page_rules import errors, guide, taught
from small_book import SmallBook, words


@pytest.fixture
def book(in_the_folder, tmp_path):
    """Not yet written: a test plants a fault first."""
    made = SmallBook(tmp_path)
    made.write()
    title = made.lesson["title"]
    title["source"] = minutes.HEADER.sub(
        minutes.header(made.path("lesson")), title["source"]
    )
    reading = minutes.minutes_of(made.path("lesson")).reading
    made.pages["teaching"] = made.pages["teaching"].replace(
        "READING", f"{reading}"
    )
    told = claim_table.section(1, made.path("laboratory"))
    made.laboratory["lecture-notes"] = words("lecture-notes", told)
    forget_claims()
    return made


# What the rules want of a book of one chapter, taught in two weeks.
ONE_CHAPTER = {
    (guide, "CHAPTERS"): [1],
    (guide, "COURSE"): [1],
    (taught, "COURSE"): [1],
    (guide, "WEEKS"): [1, 2],
    (guide, "A_WEEK"): 40,
    (guide, "DAYS"): [1],
    (guide, "A_DAY"): (60, 90),
    (guide, "SESSIONS"): 1,
    (guide, "A_SESSION"): 40,
    (guide, "BLOCKS"): 1,
    (guide, "ONE_DAY"): 30,
    (errors, "AT_LEAST"): 1,
    (errors, "POINTS"): 1,
    (errors, "LED_TO"): [1],
}


@pytest.fixture
def in_the_folder(tmp_path, monkeypatch):
    """The tools of the book look into a folder of a test."""
    for (module, name), value in ONE_CHAPTER.items():
        monkeypatch.setattr(module, name, value)
    laboratory = tmp_path / "book" / "laboratory"
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    monkeypatch.setattr(minutes, "LABORATORY", laboratory)
    folders = tmp_path / "chapters", laboratory
    monkeypatch.setattr(claim_table, "FOLDERS", folders)
    monkeypatch.setattr(claim_table, "TABLE", tmp_path / "book/claims.toml")
    forget_claims()
    yield
    forget_claims()


def forget_claims():
    for read in ("raw_table", "claims", "places_of"):
        getattr(claim_table, read).cache_clear()
