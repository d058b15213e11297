"""How the tests reach into a page with a live translator."""

from built import built_pages

SMALL = built_pages(holding="live-small")[0]
WHOLE = built_pages(holding="live-whole")[0]
SILENT = ("x was", "x arrived", "x eight", "was x")
FACE = "document.querySelector('.live').face"


def until_ready(page):
    """Wait until the translator has come and has written its sentence."""
    page.locator(".live").scroll_into_view_if_needed()
    page.wait_for_selector(".live-piece[role=radio]")
    page.evaluate(f"{FACE}.stop()")


def ask(page, text):
    """Type a sentence as people do, and wait for its translation."""
    page.locator(".live-input").fill(text)
    settle(page)


def settle(page):
    """Wait until nothing is being typed or translated any more."""
    page.wait_for_function(f"!{FACE}.entry.typing && !{FACE}.busy")


def heard(page, words):
    """Wait until a screen reader is told some words; return all it is told."""
    page.wait_for_function(
        "words => document.querySelector('.live-said')"
        ".innerText.includes(words)",
        arg=words,
    )
    return page.locator(".live-said").inner_text()


def written(page):
    """Return the translation that is shown."""
    return page.evaluate(f"{FACE}.translation")


def shown(page):
    """Return the Korean of the pieces that are drawn."""
    return page.locator(".live-hangul").all_inner_texts()


def selected(page):
    """Return the place of the piece that is looked at."""
    checked = page.locator(".live-piece").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-checked'))"
    )
    assert checked.count("true") == 1
    return checked.index("true")


def unfold(page, words):
    """Open a part by words of its title."""
    page.locator(".live summary", has_text=words).click()


def translate(page, text, how="undefined"):
    """Return what the same translator says when nothing is changed."""
    return page.evaluate(
        f"async text => (await Live.ready).translate(text, {how})", text
    )
