"""The live translator for everybody: axe finds nothing, in any look."""

import pytest
from conftest import AXE_RULES, PHONE
from live_page import SILENT, SMALL, WHOLE, ask, settle, until_ready

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "390px": PHONE,
}
# A thousand words to choose from are alike, so a few of them are looked at.
RUN = """axe.run(
    {include: [['.live']], exclude: [['.live-words > :nth-child(n + 20)']]},
    {preload: false, resultTypes: ['violations'], ...RULES}
).then(found => found.violations)"""


def open_all(page):
    for summary in page.locator(".live summary").all():
        summary.click()


def complaints(page, look):
    rules = AXE_RULES.get(look, "{}")  # on a phone all of them
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in page.evaluate(RUN.replace("RULES", rules))
    ]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", [SMALL, WHOLE])
def test_axe_finds_nothing(visit, axe, shots, name, look):
    with visit(
        name, reduced_motion="reduce", formulas=False, **LOOKS[look]
    ) as page:
        until_ready(page)
        open_all(page)
        page.evaluate(axe)
        assert complaints(page, look) == []
        if shots is not None:
            stem = name.removesuffix(".html").replace("/", "-")
            page.locator(".live").screenshot(
                path=shots / f"live-{stem}.{look}.png"
            )


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_in_an_altered_state(visit, axe, look):
    with visit(
        WHOLE, reduced_motion="reduce", formulas=False, **LOOKS[look]
    ) as page:
        until_ready(page)
        open_all(page)
        ask(page, "zyzzyva " + page.locator(".live-input").input_value())
        page.locator(".live-word").nth(1).click()
        page.locator(".live-head").nth(1).click()
        page.get_by_label("This head is switched on").uncheck()
        page.locator(".live-choice label", has_text="beam").click()
        page.get_by_text("Keep this sentence").click()
        settle(page)
        page.evaluate(axe)
        assert complaints(page, look) == []
        excess = page.evaluate(
            "document.documentElement.scrollWidth"
            " - document.documentElement.clientWidth"
        )
        assert excess <= 0
        ask(page, SILENT[0] + " and" * 70)  # nothing written, cut
        ask(page, SILENT[0])
        assert complaints(page, look) == []


def test_everything_is_reached_by_tab_and_seen_in_focus(visit):
    with visit(WHOLE, reduced_motion="reduce", formulas=False) as page:
        until_ready(page)
        open_all(page)
        page.locator(".live-input").focus()
        reached = set()
        for _ in range(120):
            page.keyboard.press("Tab")
            inside, kind, ring = page.evaluate(
                """() => {
                    const one = document.activeElement;
                    const seen = one.type === 'radio'
                        ? one.nextElementSibling : one;
                    const style = getComputedStyle(seen);
                    return [one.closest('.live') !== null, one.className
                        || one.type || one.tagName, style.outlineStyle];
                }"""
            )
            if not inside:
                break
            assert ring != "none", kind
            reached.add(kind.split()[0])
        assert not inside
        assert reached >= {
            "live-word", "live-piece", "live-bar", "live-head", "live-row",
            "live-button", "radio", "checkbox", "SUMMARY",
        }  # fmt: skip
