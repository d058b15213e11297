"""The formula card: a sheet of A4 for each language, by day and by night."""

import re

import pytest

PAGE = "book/formulas.html"


@pytest.mark.parametrize(
    "scheme", ["light", pytest.param("dark", marks=pytest.mark.whole)]
)
def test_the_card_prints_on_a_sheet_in_each_language(visit, shots, scheme):
    with visit(PAGE, color_scheme=scheme) as page:
        pdf = page.pdf(prefer_css_page_size=True)
        if shots is not None:
            (shots / f"formula-card.{scheme}.pdf").write_bytes(pdf)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 3
    width, height = map(
        float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)", pdf).groups()
    )
    assert (round(width), round(height)) == (595, 842)
