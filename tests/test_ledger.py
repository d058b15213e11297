"""Nothing of the undivided chapters is lost: book/_tools/ledger.tsv."""

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "book" / "_tools"
sys.path.append(str(TOOLS))

import ledger  # noqa: E402


def test_each_cell_is_in_a_room_or_there_is_a_reason(capsys):
    assert ledger.main([]) == 0, capsys.readouterr().out


def test_a_reason_is_given_for_what_is_gone_only():
    there = ledger.cells()
    for row in ledger.entries():
        if (row["chapter"], row["cell"]) in there:
            assert not row["why it is gone"], row


@pytest.mark.parametrize(
    "change, state",
    [
        ({}, "as it was"),
        ({"digest": "0"}, "reworded"),
        ({"room": "elsewhere"}, "in the other room"),
        ({"cell": "nowhere"}, "lost"),
        ({"cell": "nowhere", "why it is gone": "told twice"}, "gone"),
    ],
)
def test_what_becomes_of_a_cell(monkeypatch, change, state):
    row = next(row for row, said in ledger.states() if said == "as it was")
    monkeypatch.setattr(ledger, "entries", lambda: [row | change])
    assert [said for _, said in ledger.states()] == [state]
