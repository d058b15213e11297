"""A small book without a fault, for the tests of the rules for pages."""

import minutes
import pytest
from small_book import SmallBook


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Not yet written: a test plants a fault first."""
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    monkeypatch.setattr(minutes, "LABORATORY", tmp_path / "book/laboratory")
    made = SmallBook(tmp_path)
    made.write()
    title = made.lesson["title"]
    title["source"] = minutes.HEADER.sub(
        minutes.header(made.path("lesson")), title["source"]
    )
    return made
