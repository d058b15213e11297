"""A small book without a fault, for the tests of the rules for pages."""

import claim_table
import minutes
import pytest
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
    told = claim_table.section(1, made.path("laboratory"))
    made.laboratory["lecture-notes"] = words("lecture-notes", told)
    forget_claims()
    return made


@pytest.fixture
def in_the_folder(tmp_path, monkeypatch):
    """The tools of the book look into a folder of a test."""
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
