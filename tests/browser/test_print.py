"""A page on paper: folds are open, cards whole, and all is as it was after."""

import pytest
from built import HTML
from test_pages import PAPER

PAGE = "chapters/02_self_attention_by_hand.html"
FOLDS = "[...document.querySelectorAll('article details')].map(d => d.open)"
HIDDEN = (
    "#jb-print-toc, .bd-header-article, .python-buttons, .exercise-actions,"
    " .reading-mark, label:has([type=checkbox]):not(.guess-chip)"
)
# Cards that a page would hold and that may nevertheless be torn.
TORN = """high => [...document.querySelectorAll(
        '.exercise-card, .exercise-title, p.predict, .statement, .quiz, ' +
        '.goals-frame, figure')]
    .filter(e => e.checkVisibility() && e.offsetHeight < high)
    .filter(e => !getComputedStyle(e).breakInside.startsWith('avoid'))
    .map(e => e.outerHTML.slice(0, 90))"""
# Code, results, proofs and answers; the set-up stays folded.
UNSEEN = """() => [...document.querySelectorAll('article ' +
        'details:not(.set-up) > :is(.cell_input, .cell_output, .fold-body)')]
    .filter(e => !e.checkVisibility()).map(e => e.outerHTML.slice(0, 90))"""
SCROLLS = """() => [...document.querySelectorAll(
        'article :is(.pst-scrollable-table-container, pre)')]
    .filter(e => e.checkVisibility()
        && getComputedStyle(e).overflowX !== 'visible')
    .map(e => e.outerHTML.slice(0, 90))"""


# Wait until each fold has told that it moved, and print.js waits no more.
TOLD = "() => new Promise(done => setTimeout(done, 100))"


@pytest.fixture(scope="module")
def page(visit):
    with visit(PAGE, base=HTML.as_uri(), formulas=False) as opened:
        yield opened


def test_paper_shows_what_is_folded_and_keeps_cards_whole(page):
    page.locator("article details.fold-hint").first.evaluate(
        "fold => (fold.open = true)"
    )
    before = page.evaluate(FOLDS)
    assert len(set(before)) == 2  # some are open, some are not
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(UNSEEN) == []
    assert page.evaluate(TORN, PAPER["height"]) == []
    assert page.evaluate(SCROLLS) == []
    shown = page.locator(HIDDEN).all()
    assert shown and not any(one.is_visible() for one in shown)
    work = page.locator(".exercise-work").all()
    assert work and all(one.is_visible() for one in work)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.evaluate(TOLD)
    assert page.evaluate(FOLDS) == before
    assert page.locator(".quiz .chosen").count() == 0


def test_the_reader_answers_again_after_printing(page):
    answer = page.locator(".quiz details[data-choice]").first
    page.emulate_media(media="screen")
    answer.locator("summary").click()
    page.evaluate(TOLD)
    assert "chosen" in answer.get_attribute("class").split()
