"""Where a page asks, it can be told: guesses, choices, covered tables."""

import pytest
import reading_counts
from built import HTML, ROOT, built_pages

ASKED = built_pages(holding='<form class="guess"')
QUIZ = "chapters/04_why_the_square_root.html"  # with a guess by letters, too
LESSON = "chapters/02_self_attention_by_hand.html"
NUMBER = "book/laboratory/08_masks.html"
PHONE = {"viewport": {"width": 390, "height": 844}}
HIDDEN = "e => getComputedStyle(e).visibility === 'hidden'"
LEFT = """() => [...document.querySelectorAll('.quiz')].filter(quiz =>
    !quiz.querySelector('.chosen')).length"""


def guess(page, key):
    return page.locator(f"form.guess[data-key='{key}']")


def test_the_cover_counts_what_each_page_offers():
    for name, known in reading_counts.counts(ROOT).items():
        text = (HTML / f"{name}.html").read_text(encoding="utf-8")
        fields = text.count('<form class="guess"')
        questions = text.count('<div class="quiz ')
        assert (fields, questions) == (known["guess"], known["quiz"]), name
    assert len(ASKED) > 40


@pytest.mark.parametrize("base", [HTML.as_uri()])
def test_whoever_answers_everything_has_answered_everything(visit, base):
    known = reading_counts.counts(ROOT)
    page_name = QUIZ.removesuffix(".html")
    n, m = (known[page_name][kind] for kind in ("quiz", "guess"))
    with visit(QUIZ, base=base, formulas=False) as page:
        for form in page.locator("form.guess").all():
            first = form.locator("input").first
            if first.get_attribute("type") == "text":
                first.fill("3")
            else:
                first.check()
            form.get_by_role("button").click()
        for quiz in page.locator(".quiz").all():
            quiz.locator("summary").first.click()
        page.wait_for_function(f"({LEFT})() === 0")
        done = f"{n} of {n} questions, {m} of {m} predictions."
        assert done in page.locator(".chapter-count").inner_text()
        page.reload()
        assert done in page.locator(".chapter-count").inner_text()
        page.goto(f"{base}/book/index.html")
        page.locator(".book-progress summary").click()
        told = page.locator(".book-done").inner_text()
        of = sum(
            sum(known[name].values())
            for name in (page_name, page_name.replace(
                "chapters", "book/laboratory"))
        )  # fmt: skip
        assert f"Chapter 4: {n + m} of {of} " in told


@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark", **PHONE}])
def test_a_guess_is_kept_and_stands_above_the_result(visit, look):
    with visit(LESSON, formulas=False, **look) as page:
        form = guess(page, "softmax-two")
        answer = page.locator(f"#{form.get_attribute('data-answer')}")
        fold = answer.locator("details.guess")
        said = answer.locator(".guess-said")
        form.get_by_role("button").click()
        assert "Write something" in form.get_by_role("status").inner_text()
        assert fold.get_attribute("open") is None
        form.get_by_label("Your guess").fill("0.7, 0.1, 0.2")
        page.keyboard.press("Enter")
        assert said.inner_text() == "You said 0.7, 0.1, 0.2."
        assert said.evaluate(
            "e => e.nextElementSibling.matches('.cell_output')"
        )
        box = said.bounding_box()
        assert 0 < box["y"] < page.viewport_size["height"]
        page.reload()
        assert form.get_by_label("Your guess").input_value().startswith("0.7")
        fold.locator("summary").click()
        assert said.is_visible()
        assert page.complaints == []


def test_a_number_stands_beside_the_result(visit):
    with visit(NUMBER, formulas=False) as page:
        form = guess(page, "note-122")
        field = form.get_by_label("Your guess")
        result = form.get_attribute("data-number")
        said = page.locator(".guess-said")
        for typed, words in (
            ("30,5", f"You said 30,5; the result is {result}."),
            (result, f"You said {result}, and so it is."),
        ):
            field.fill(typed)
            field.press("Enter")
            assert said.inner_text() == words


def test_a_covered_cell_opens_when_it_is_right_or_on_request(visit):
    with visit(LESSON, formulas=False, **PHONE) as page:
        frame = page.locator(".covered-table").first
        lids = frame.locator(".cover")
        shown = lids.first.locator("p")
        field = lids.first.get_by_role("textbox", name="votes, 0")
        assert shown.evaluate(HIDDEN)
        field.fill("2")
        field.press("Enter")
        status = frame.get_by_role("status")
        assert "isn't it yet" in status.inner_text()
        assert field.get_attribute("aria-invalid") is not None
        assert shown.evaluate(HIDDEN)
        field.fill("1")
        field.press("Enter")
        assert "is right" in status.inner_text()
        assert not shown.evaluate(HIDDEN)
        thirds = frame.get_by_role("textbox", name="weights, 1, 0")
        for typed in ("0.67", "0.67, 0.33"):
            thirds.fill(typed)
            thirds.press("Enter")
        assert frame.locator(".cover.right").count() == 2
        frame.get_by_role("button", name="Open this cell").click()
        assert frame.locator(".cover.open").count() == 3
        page.reload()
        assert frame.locator(".cover.open").count() == 3
        assert frame.locator(".cover.right").count() == 2
        frame.get_by_role("button", name="Open all").click()
        assert frame.locator(".cover:not(.open)").count() == 0
        assert page.complaints == []


def test_without_scripts_the_page_is_as_the_notebook(visit):
    with visit(LESSON, formulas=False, java_script_enabled=False) as page:
        assert page.locator("form.guess:visible").count() == 0
        hidden = page.locator(".cover p")
        assert hidden.count() > 9
        assert not any(p.evaluate(HIDDEN) for p in hidden.all()[:3])
