"""The formula card: every chapter with a formula, and formulas that hold."""

import json
import math
import re
from pathlib import Path

import torch

from transformer_lib.positional import PositionalEncoding

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "in_short.md").read_text(encoding="utf-8")
TABLES = [
    [
        [cell.strip() for cell in row.split("|")]
        for row in re.findall(r"^\| (.+) \|$", part, flags=re.M)
    ][1:]
    for part in re.split(r"^## ", PAGE, flags=re.M)
    if "{container} formula-card" in part
]
ROWS = TABLES[0]
SECTION = re.compile(
    r"3\.[1-5](\.[1-3])?|5\.[34]|6\.1|Table 3|eq\. (1|2|3|14)|note 4|Unicode"
    r"|[A-Z]\S+( et al\.| and [A-Z]\w+)? \d{4}"
)


def test_a_row_has_formula_shapes_section_and_chapter():
    for row in ROWS:
        name, formula, shapes, section, chapter = row
        assert name and shapes and ("$" in formula or name == "batch norm")
        assert re.fullmatch(r"\d+(, \d+)*", chapter), row
        for part in filter(None, re.split(r", |; ", section)):
            assert SECTION.fullmatch(part), part


def test_every_chapter_with_a_displayed_formula_is_on_the_card():
    there = {int(n) for row in ROWS for n in row[4].split(", ")}
    chapters = (ROOT / "chapters").glob("*.ipynb")
    for path in (*chapters, *(ROOT / "book" / "laboratory").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "".join(
            "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
        )
        assert "$$" not in text or int(path.name[:2]) in there, path.name


def test_the_count_of_the_matrices_is_that_of_the_library():
    path = ROOT / "benchmarks" / "results" / "table_3.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    d, d_ff, n, v = 512, 2048, 6, result["vocab_size"]
    count = n * (12 * d**2 + 4 * d * d_ff) + v * d
    assert count == result["rows"][0]["counts"]["matrices"]


def test_a_product_of_two_positions_is_a_sum_of_cosines():
    d, a, b = 16, 11, 4
    table = PositionalEncoding(d, max_length=20, dropout=0.0)
    rows = table(torch.zeros(1, 20, d))[0].double()
    frequencies = [10000 ** (-2 * i / d) for i in range(d // 2)]
    wanted = sum(math.cos((a - b) * w) for w in frequencies)
    assert math.isclose(rows[a] @ rows[b], wanted, abs_tol=1e-5)


def test_the_card_has_the_same_formulas_in_each_language():
    assert len(TABLES) == 3
    for table in TABLES[1:]:
        for row, english in zip(table, ROWS, strict=True):
            for cell, wanted in zip(row[1:], english[1:], strict=True):
                what = r"\$[^$]+\$|[A-Z]\S+ .*\d{4}|\d[\d.]*"
                assert sorted(re.findall(what, cell)) == sorted(
                    re.findall(what, wanted)
                ), row
