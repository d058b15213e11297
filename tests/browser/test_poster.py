"""The machine on one page: nothing sticks out of its parts."""

import pytest
from conftest import PHONE

PAGE = "book/in_short.html"
# Parts with something that is wider than they are.
TORN = """() => [...document.querySelectorAll('.poster li')].filter(part =>
    [...part.querySelectorAll('p, code, .p-formula span')].some(e =>
        e.getBoundingClientRect().right
        > part.getBoundingClientRect().right + 1))
    .map(part => part.dataset.part)"""


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
