"""The Transformer in short: its sheets on paper, by day and by night."""

import re

import pytest

PAGE = "book/in_short.html"
A4, A3 = (595, 842), (1191, 842)


@pytest.mark.parametrize(
    "scheme", ["light", pytest.param("dark", marks=pytest.mark.whole)]
)
def test_poster_and_cards_print_on_sheets_of_their_own(visit, shots, scheme):
    """The sentences, a sheet of A3, and one of A4 in each language."""
    with visit(PAGE, color_scheme=scheme) as page:
        book = page.locator(".p-book").text_content()
        pdf = page.pdf(prefer_css_page_size=True, format="A4")
        if shots is not None:
            (shots / f"in-short.{scheme}.pdf").write_bytes(pdf)
    assert book == "The Transformer, Step by Step"
    sheets = [
        (round(float(width)), round(float(height)))
        for width, height in re.findall(
            rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)", pdf
        )
    ]
    *sentences, poster, one, two, three = sheets
    assert poster == A3
    assert one == two == three == A4
    assert 1 <= len(sentences) <= 4 and A3 not in sentences
    assert not re.search(rb"/Subtype\s*/Image", pdf)
