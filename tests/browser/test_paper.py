"""Exercises on paper, done in the page as a reader does: typed, by keyboard."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from built import HTML, built_pages
from conftest import AXE_RULES, PHONE
from test_pages import GRAVE

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from paper_replay import SCRIPTS, data, exercises, paper_of, played
from paper_replay import flat as flattened

from transformer_course.checks.engine.sealed import seal

STEP = "chapters/00_before_we_start.html"
PAPER_WORK = ".exercise-work[data-kind='paper']"
FORM = '[data-exercise="step_by_hand"]'
WEIGHT = 75_000  # bytes that a page without Python may grow by


@pytest.fixture
def phone(visit):
    """A page from a folder, as narrow as a phone; tap and type in it."""
    with visit(STEP, base=HTML.as_uri(), formulas=False, **PHONE) as page:
        yield page


def fill(page, texts, form=FORM):
    """Type into the fields of an exercise, one after the other, by keyboard."""
    page.locator(f"{form} input").first.focus()
    for text in texts:
        page.keyboard.press("Control+A")
        page.keyboard.type(text)
        page.keyboard.press("Tab")


def verdict(page, form=FORM):
    """Return the verdict as it is read out."""
    return page.locator(f"{form} [role=status]").inner_text()


def enter(page, texts):
    """Fill the fields in and press Enter in the last one."""
    fill(page, texts)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    return verdict(page)


def test_by_keyboard_wrong_then_a_hint_then_right_and_it_stays(phone):
    uphill = next(
        m
        for m in paper_of("step_by_hand").misconceptions
        if m.id == "walked_uphill"
    )
    said = enter(phone, ["9", "18", "2 + 0.05 * 18", "(3 * 2.9 - 3)^2"])
    assert "Not yet" in said
    assert uphill.message in said
    hints = data(paper_of("step_by_hand"))["hints"]
    for hint in hints:
        phone.locator(f"{FORM} .exercise-more button").focus()
        phone.keyboard.press("Enter")
        assert hint.replace("`", "").replace("*", "") in verdict(phone)
    assert phone.locator(f"{FORM} .exercise-more button").count() == 0

    assert "Right" in enter(phone, ["9", "18", "11/10", "0,09"])
    title = phone.locator(f".exercise-card:has({FORM})").locator("xpath=..")
    assert "Done" in title.locator(".exercise-head").inner_text()
    assert "1 of 2 on paper" in phone.locator(".chapter-count").inner_text()
    phone.reload()
    assert phone.locator(f"{FORM} input").nth(2).input_value() == "11/10"
    assert "Done" in title.locator(".exercise-head").inner_text()
    assert "1 of 2 on paper" in phone.locator(".chapter-count").inner_text()


@pytest.fixture
def sealed_phone(visit):
    """The same page as the edition for a class has it, with sealed data."""
    known = re.compile(
        r'(data-exercise="step_by_hand">)<script type="application/json">'
        r"(.*?)</script>",
        re.DOTALL,
    )
    page = (HTML / STEP).read_text(encoding="utf-8")
    page, count = known.subn(
        lambda found: (
            f'{found[1]}<script type="text/plain">{seal(found[2])}</script>'
        ),
        page,
    )
    assert count == 1
    copy = (HTML / STEP).with_name("sealed.html")
    copy.write_text(page, encoding="utf-8")
    try:
        with visit(
            "chapters/sealed.html",
            base=HTML.as_uri(),
            formulas=False,
            **PHONE,
        ) as page:
            yield page
    finally:
        copy.unlink()


def test_sealed_data_is_opened_in_the_page(sealed_phone):
    said = enter(sealed_phone, ["9", "18", "2.9", "32.49"])
    assert "You went uphill" in said
    assert "Right" in enter(sealed_phone, ["9", "18", "1.1", "0.09"])


def test_what_could_be_two_things_is_asked_and_nonsense_is_told(phone):
    assert "Nothing to check yet" in enter(phone, ["", "", "", ""])
    assert "still missing" in enter(phone, ["9", "", "1.1", "0.09"])
    focused = "document.activeElement.labels[0].textContent"
    assert phone.evaluate(focused) == "Derivative"
    said = enter(phone, ["9", "eighteen", "1.1", "0.09"])
    assert "Derivative: eighteen is not a number" in said
    said = enter(phone, ["9", "18", "1,1", "0.09"])
    assert "New w: Is 1,1 one number" in said
    phone.get_by_role("button", name="It is 1.1").tap()
    assert "Right" in verdict(phone)
    assert "Right" in enter(phone, ["9", "18", "1,1", "0,09"])
    assert "1,018" in enter(phone, ["9", "1,018", "1,1", "0,09"])
    assert phone.get_by_role("button", name="It is 1018").is_visible()


def test_each_exercise_on_paper_can_be_done_in_its_page(visit):
    left = set(exercises())
    with visit(STEP, base=HTML.as_uri(), formulas=False, **PHONE) as page:
        for name in built_pages(holding='data-kind="paper"'):
            page.goto(f"{HTML.as_uri()}/{name}")
            for work in page.locator(PAPER_WORK).all():
                left.discard(work.get_attribute("data-exercise"))
                check_fields(work)
        assert page.complaints == []
    assert left == set()


def check_fields(work):
    """Give the right numbers, as many as there are fields."""
    name = work.get_attribute("data-exercise")
    known = data(paper_of(name))
    values = known.get("shapes") or flattened(known["right"])
    fields = work.locator("input").all()
    assert len(fields) == len(values), name
    for field, value in zip(fields, values, strict=True):
        field.fill(str(value))
        assert field.evaluate(
            "e => (e.getAttribute('aria-label') || e.labels[0].textContent)"
            ".length > 0"
        ), name
        box, room = field.bounding_box(), PHONE["viewport"]["width"]
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= room, name
    work.get_by_role("button", name="Check").click()
    assert work.locator("[role=status]").inner_text().startswith("Right"), name


@pytest.mark.skipif(
    shutil.which("node") is not None, reason="tests/ has played it in Node"
)
def test_chromium_gives_the_verdicts_of_python(visit):
    answers = played()
    with visit(STEP, formulas=False) as page:
        for path in SCRIPTS:
            page.add_script_tag(path=path)
        for name, one in answers.items():
            told = page.evaluate(
                "([data, given]) => given.map(g => Exercises.judge(data, g))"
                ".map(v => [v.status, v.mistake, v.message])",
                [one["data"], one["given"]],
            )
            assert told == one["said"], name


def test_without_scripts_the_exercise_is_as_in_the_notebook(visit):
    with visit(STEP, java_script_enabled=False) as page:
        cells = page.locator(f".exercise-card:has({FORM}) .exercise-cells")
        assert cells.count() == 2
        assert "step = (" in cells.first.inner_text()
        assert cells.first.is_visible()
        assert page.locator(f"{FORM} >> visible=true").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_a_verdict(visit, axe, scheme):
    with visit(STEP, formulas=False, color_scheme=scheme) as page:
        page.add_style_tag(content="* {transition: none !important}")
        enter(page, ["9", "18", "2.9", "32.49"])
        page.locator(f"{FORM} .exercise-more button").click()
        page.evaluate(axe)
        grave = GRAVE.replace("SKIPPED", "[]")
        grave = grave.replace("RULES", AXE_RULES[scheme])
        assert page.evaluate(grave.replace("[['html']]", f"['{FORM}']")) == []


def test_pages_grow_little():
    for name in built_pages(holding="_static/exercises/"):
        text = (HTML / name).read_text(encoding="utf-8")
        files = set(re.findall(r"_static/exercises/([\w.]+)", text))
        loaded = sum(
            (HTML / "_static" / "exercises" / file).stat().st_size
            for file in files
        )
        _, *places = text.split('<div class="exercise-work"')
        own = sum(
            len(one.split("</div>")[0].encode())
            for one in places
            if 'data-kind="code"' not in one[:120]
        )
        assert loaded > 5000
        assert loaded + own < WEIGHT, (name, loaded, own)


def test_no_page_says_that_nothing_was_attempted():
    for name in built_pages(holding='class="exercise-card'):
        text = (HTML / name).read_text(encoding="utf-8")
        outputs = text.split('<div class="cell_output')[1:]
        for output in outputs:
            printed = output.split("</pre>")[0]
            assert "Not attempted yet" not in printed, name
            assert "Not saved: this" not in printed, name


def test_parts_and_other_exercises_say_where_and_take_a_mark(visit):
    name = "chapters/04_why_the_square_root.html"
    with visit(name, base=HTML.as_uri(), formulas=False, **PHONE) as page:
        bar = page.locator('[data-kind="build"]')
        assert "in Colab or JupyterLab" in bar.inner_text()
        to = bar.locator("a").evaluate("a => a.href")
        assert to.endswith(".ipynb")
        if to.startswith("file:"):
            assert Path(to.removeprefix("file://")).exists()
        bar.get_by_label("I have done it").check()
        page.reload()
        assert bar.get_by_label("I have done it").is_checked()
        assert "1 of 1 to build" in page.locator(".chapter-count").inner_text()
        other = page.locator('[data-kind="other"]').first.inner_text()
        assert "paper and pencil" in other or "notebook" in other


OLD = {  # what browsers hold already
    "book.read": {
        "chapters/00_before_we_start": 1, "chapters/01_why_attention": 1,
    },
    "book.quiz": {"chapters/01_why_attention": {"1": "1A", "2": "2B"}},
}  # fmt: skip


def test_the_cover_goes_on_where_a_reader_stopped_and_takes_it_along(
    visit, tmp_path
):
    home = HTML.as_uri()
    with visit("book/index.html", base=home, formulas=False) as page:
        start = page.locator(".ways a").first
        assert start.inner_text() == "Start"
        page.evaluate(
            "old => Object.entries(old).forEach(([key, value]) =>"
            " localStorage.setItem(key, JSON.stringify(value)))",
            OLD,
        )
        page.reload()
        assert start.inner_text() == "Continue with 2"
        page.goto(f"{home}/chapters/07_multi_head_attention.html")
        page.goto(f"{home}/book/index.html")
        assert start.inner_text() == "Continue with 7"
        page.locator(".book-progress summary").click()
        told = page.locator(".book-done").inner_text()
        assert "Chapter 1: 2 of " in told
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as a file").click()
        path = tmp_path / "progress.json"
        saved.value.save_as(path)
        assert path.stat().st_size < 10_000
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"book": []}), encoding="utf-8")
    with visit("book/index.html", base=home, formulas=False) as page:
        page.locator(".book-progress summary").click()
        file = page.locator(".book-progress [type=file]")
        status = page.locator(".book-progress [role=status]")
        file.set_input_files(bad)
        page.wait_for_function(
            "document.querySelector('.book-progress [role=status]').textContent"
        )
        assert "not a progress file of this book" in status.inner_text()
        file.set_input_files(path)
        page.wait_for_function(
            "document.querySelector('.ways a').textContent !== 'Start'"
        )
        assert page.locator(".ways a").first.inner_text() == "Continue with 7"
        assert "Chapter 1: 2 of " in page.locator(".book-done").inner_text()
        assert page.outside == []
