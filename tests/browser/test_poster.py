"""The machine on one page: one sheet of A3, and nothing sticks out."""

import re

import pytest
from conftest import PHONE

PAGE = "book/poster.html"
# Parts with something that is wider than they are.
TORN = """() => [...document.querySelectorAll('.poster li')].filter(part =>
    [...part.querySelectorAll('p, code, .p-formula span')].some(e =>
        e.getBoundingClientRect().right
        > part.getBoundingClientRect().right + 1))
    .map(part => part.dataset.part)"""


@pytest.mark.parametrize(
    "scheme", ["light", pytest.param("dark", marks=pytest.mark.whole)]
)
def test_it_prints_on_one_sheet_of_a3(visit, shots, scheme):
    with visit(PAGE, color_scheme=scheme) as page:
        book = page.locator(".p-book").text_content()
        pdf = page.pdf(prefer_css_page_size=True)
        if shots is not None:
            (shots / f"poster.{scheme}.pdf").write_bytes(pdf)
    assert book == "The Transformer, Step by Step"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    assert not re.search(rb"/Subtype\s*/Image", pdf)
    width, height = map(
        float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)", pdf).groups()
    )
    assert (round(width), round(height)) == (1191, 842)


@pytest.mark.parametrize(
    "look",
    [
        {"viewport": {"width": 1280, "height": 900}},
        {"viewport": {"width": 1527, "height": 1062}, "media": "print"},
        PHONE,
    ],
    ids=["desk", "paper", "phone"],
)
def test_a_part_keeps_to_its_place(visit, look):
    look = dict(look)
    media = look.pop("media", "screen")
    with visit(PAGE, **look) as page:
        page.emulate_media(media=media)
        assert page.evaluate(TORN) == []
