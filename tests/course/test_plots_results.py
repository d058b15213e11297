"""The table of results: what stands where, in a terminal and on a page."""

from xml.etree import ElementTree

import pytest

from transformer_course import plots

TABLE = plots.table(
    ["", "test", "a < b"],
    [["GRU, one vector", "87 (86-89)", "-3.5"], ["Transformer", "98", "12"]],
)


def test_the_terminal_gets_aligned_columns():
    assert repr(TABLE).splitlines() == [
        "                       test  a < b",
        "GRU, one vector  87 (86-89)   -3.5",
        "Transformer              98     12",
    ]


def test_the_page_gets_a_table_with_heads_for_rows_and_columns():
    made = ElementTree.fromstring(TABLE._repr_html_())
    heads = [cell.get("scope") for cell in made.iter("th")]
    assert heads == ["col"] * 3 + ["row"] * 2
    cells = ["".join(cell.itertext()) for cell in made.iter("td")]
    assert cells == ["87 (86-89)", "-3.5", "98", "12"]
    sides = {cell.get("style").split(";")[0] for cell in made.iter("td")}
    assert sides == {"text-align: right"}
    assert "text-align: left" in next(made.iter("th")).get("style")


@pytest.mark.parametrize(
    "rows, words", [([], "no rows"), ([["a", 1]], "2 cells came for 3")]
)
def test_a_table_that_does_not_fit_is_refused(rows, words):
    with pytest.raises(ValueError, match=words):
        plots.table(["", "x", "y"], rows)
