"""The text of chapter 18: there everywhere, each paragraph once."""

import re
import sys

import pytest

from transformer_course import real_text


def without_reference(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)


@pytest.mark.parametrize("missing", [False, True])
def test_the_text_is_long_enough_and_repeats_no_paragraph(
    missing, monkeypatch, capsys
):
    if missing:
        without_reference(monkeypatch)
    found = real_text.paragraphs()
    assert ("pydoc_data" in capsys.readouterr().out) == missing
    assert found == real_text.paragraphs()
    assert len(set(found)) == len(found) > 1500 and all(found)
    words = re.findall("[a-z]+", " ".join(found).lower())
    assert 0.9 * len(words) > 32_000  # Experiment 1 reads 30,000
