"""Train one yourself, under a reader's hands, on paper and without scripts."""

import pytest
from built import HTML
from conftest import AXE_RULES, PHONE, turn_to
from playwright.sync_api import expect

PAGE, LESSON = "book/train.html", "chapters/09_positions.html"
FACE = "document.querySelector('.train').face"
DONE = f"{FACE}.losses.length"
SERIOUS = """axe.run('.bd-article',
    {preload: false, resultTypes: ['violations'], ...RULES}
).then(found => found.violations)"""


@pytest.fixture
def page(visit):
    """The page as it is opened from a folder."""
    with visit(PAGE, base=HTML.as_uri(), formulas=False) as opened:
        opened.wait_for_function(f"{FACE}?.frames.length")
        yield opened
        assert opened.complaints == opened.outside == opened.missing == []


def press(page, words):
    page.locator(".train button", has_text=words).first.click()


def shorten(page, updates=3):
    """Let a run be over soon."""
    page.evaluate(
        """updates => {
            const whole = Train.settingOf;
            Train.settingOf = (...given) => ({ ...whole(...given), updates });
        }""",
        updates,
    )
    press(page, "New start")
    page.wait_for_function(f"{FACE}.frames.length")


def finish(page):
    page.wait_for_function(f"{FACE}.over")


def test_it_trains_at_a_press_and_stops_at_once(page):
    assert page.evaluate(DONE) == 0
    press(page, "One step")
    page.wait_for_function(f"{DONE} === 1")
    press(page, "Go on")
    page.wait_for_function(f"{DONE} > 2")
    press(page, "Stop")
    # The worker answers the stop with a frame, and tells nothing after it.
    page.wait_for_function(f"!{FACE}.trainer.running")
    page.evaluate("() => new Promise(done => setTimeout(done, 600))")
    stopped = page.evaluate(DONE)
    page.evaluate("() => new Promise(done => setTimeout(done, 600))")
    assert page.evaluate(DONE) == stopped
    assert page.locator(".train-go").inner_text() == "Go on"
    assert page.evaluate(f"{FACE}.chart.svg.querySelector('.train-now')"
                         ".points.length") == stopped  # fmt: skip


def test_the_second_run_waits_for_a_guess_and_the_table_keeps_it(page):
    shorten(page)
    press(page, "Train")
    finish(page)
    press(page, "Take the positions away")
    press(page, "Guess first")  # leads to the question, and trains nothing
    expect(page.locator(".train-guess")).to_be_in_viewport()
    assert page.evaluate(f"{FACE}.trainer.running") is False
    page.locator(".train-choices button").nth(1).click()
    finish(page)
    rows = page.locator(".train-results tbody tr").all_inner_texts()
    assert "Positions, positions off" in rows[0]
    assert "\tB\t" in rows[0]
    # Three updates teach nothing, with or without: no claim is made.
    assert "don't show it" in page.locator(".train-why").first.inner_text()
    page.reload()
    page.wait_for_function(f"{FACE}?.frames.length")
    assert page.locator(".train-results tbody tr").count() == 2
    press(page, "Forget them")
    assert not page.locator(".train-results").is_visible()


def test_three_starts_are_three_runs(page):
    shorten(page, 2)
    press(page, "Three starts")
    page.wait_for_function(f"{FACE}.over && {FACE}.queue === 0")
    starts = page.evaluate(f"{FACE}.results.runs.map(run => run.seed)")
    assert len(starts) == 3
    assert len(set(starts)) == 3


def test_it_answers_a_line_of_the_readers_as_text(page):
    field, said = page.locator(".train-input"), page.locator(".train-problem")
    field.fill("<b>abcd")
    field.press("Enter")
    assert "“<” is none of them" in said.inner_text()
    field.fill("abc")
    field.press("Enter")
    assert "this one has 3" in said.inner_text()
    field.fill("J A B, c d e".replace(",", ""))
    field.press("Enter")
    page.wait_for_function(f"{FACE}.frames.at(-1).look.asked[0] === 9")
    given = page.locator(".train-line .train-given").all_inner_texts()
    assert given == list("jabcde")
    assert said.inner_text() == ""


def test_an_address_holds_a_setting_and_nothing_that_is_not_offered(page):
    where = (HTML / PAGE).as_uri()
    turn_to(page, f"{where}#experiment=mask&causal=false&heads=2&start=7")
    page.reload()
    page.wait_for_function(f"{FACE}?.frames.length")
    setting = page.evaluate(f"{FACE}.setting")
    assert (setting["task"], setting["causal"]) == ("sort", False)
    assert setting["heads"] == 2
    assert page.evaluate(f"{FACE}.seed") == 7
    read = page.evaluate(
        "Train.fromAddress('#experiment=dice&heads=3&rate=9&start=-1"
        "&positions=maybe&__proto__=1')"
    )
    assert read == {"name": "dice", "changes": {}, "seed": 0}
    for other in ("#experiment=constructor", "#x", ""):
        assert page.evaluate(f"Train.fromAddress('{other}')") is None


def test_a_look_back_shows_what_was_written_then(page):
    shorten(page, 4)
    for _ in range(3):
        press(page, "One step")
        page.wait_for_function(f"!{FACE}.single")
    written = page.evaluate(f"{FACE}.frames.map(one => one.look.written)")
    slider = page.locator(".train input[type=range]")
    slider.focus()
    slider.press("Home")
    line = page.locator(".train-line .train-letter").all_inner_texts()
    assert line[6:] == ["abcdefghij→"[one] for one in written[0]]
    assert page.locator(".train output").inner_text() == "0"


def test_a_hidden_page_waits(page):
    press(page, "Train")
    page.wait_for_function(f"{DONE} > 1")
    hide = "state => { Object.defineProperty(document, 'hidden', " \
           "{configurable: true, get: () => state}); document" \
           ".dispatchEvent(new Event('visibilitychange')); }"  # fmt: skip
    page.evaluate(hide, True)
    assert page.evaluate(f"{FACE}.trainer.running") is False
    page.evaluate(hide, False)
    assert page.evaluate(f"{FACE}.trainer.running") is True
    press(page, "Stop")


def test_a_slow_device_is_offered_a_stored_run_and_told_whose(page):
    page.evaluate(f"{FACE}.offer.weigh('positions', "
                  "{ done: 3, spent: 3000 }, 240)")  # fmt: skip
    press(page, "Show a stored run")
    assert "not yours" in page.locator(".train-status[aria-live]").inner_text()
    drawn = page.locator(".train-chart .train-now:visible").first
    assert drawn.evaluate("line => line.points.length") == 240
    press(page, "New start")
    page.wait_for_function(f"{FACE}.frames.length")
    page.evaluate(f"{FACE}.offer.weigh('positions', "
                  "{ done: 3, spent: 300 }, 240)")  # fmt: skip
    assert page.locator(".train-offer button").count() == 0


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing(page, axe, look):
    page.emulate_media(color_scheme=look)
    shorten(page)
    press(page, "Train")
    finish(page)
    press(page, "Take the positions away")
    page.evaluate(axe)
    found = page.evaluate(SERIOUS.replace("RULES", AXE_RULES[look]))
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_a_phone_folds_the_machine_and_its_letters_are_large_enough(visit):
    with visit(PAGE, formulas=False, **PHONE) as page:
        page.wait_for_function(f"{FACE}?.frames.length")
        assert not page.locator(".train-layer").is_visible()
        page.locator(".train-machine summary").click()
        assert page.locator(".train-layer").is_visible()
        small = page.evaluate(
            """() => [...document.querySelectorAll('.train *')]
            .filter(e => e.checkVisibility() && !e.closest('svg') &&
                [...e.childNodes].some(n => n.nodeType === 3
                    && n.data.trim()))
            .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11)
            .map(e => e.outerHTML)"""
        )
        assert small == []
        field = page.locator(".train-input")
        assert field.evaluate("e => getComputedStyle(e).fontSize") == "16px"
        excess = page.evaluate(
            "document.documentElement.scrollWidth"
            " - document.documentElement.clientWidth"
        )
        assert excess == 0


def test_without_scripts_and_on_paper_two_stored_runs_stand_there(visit, page):
    with visit(PAGE, java_script_enabled=False) as still:
        pictures = still.locator(".train-still [role=img]")
        assert pictures.count() == 4
        assert all(one.is_visible() for one in pictures.all())
        assert still.locator(".train").locator("button, input").count() == 0
    assert not page.locator(".train-stored").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".train-stored").is_visible()
    assert not page.locator(".train-go").is_visible()


def test_the_large_map_is_of_the_last_layer(page):
    for name, layers in (("mask", 2), ("positions", 1), ("mask", 2)):
        page.evaluate(f"{FACE}.choose('{name}')")
        page.wait_for_function(
            f"{FACE}.frames.at(-1)?.look.maps.length === {layers}"
        )
        assert page.evaluate(f"{FACE}.looks.layer") == layers - 1


def test_a_lesson_has_one_experiment_with_its_switch_and_its_guess(visit):
    with visit(LESSON, base=HTML.as_uri(), formulas=False) as page:
        # Until it is seen it computes nothing.
        assert page.evaluate(f"{FACE}.frames") is None
        page.locator(".train-card").scroll_into_view_if_needed()
        page.wait_for_function(f"{FACE}.frames?.length")
        assert not page.locator(".train-machine, .train-results").count()
        shorten(page)
        press(page, "Train")
        finish(page)
        press(page, "Take the positions away")
        assert page.locator(".train-go").inner_text() == "Guess first"
        page.locator(".train-choices button").first.click()
        finish(page)
        assert page.evaluate(f"{FACE}.lastRun.guess") == "A"
        assert page.locator(".train-why a").count() == 0  # it is this lesson
        assert page.evaluate("location.hash") == ""
        link = page.locator("p > a", has_text="Train one yourself: Positions")
        assert link.get_attribute("href").endswith(
            "book/train.html#experiment=positions"
        )
        assert page.complaints == page.outside == page.missing == []


def test_the_card_works_on_a_slide(visit):
    with visit(LESSON, formulas=False) as page:
        page.keyboard.press("p")
        page.wait_for_function(
            "document.body.matches('.presenting')"
            " || document.querySelector('.present-stage')"
        )
        for _ in range(60):
            if page.locator(".present-stage .train-card").is_visible():
                break
            page.keyboard.press("ArrowRight")
        page.wait_for_function(f"{FACE}.frames?.length")
        shorten(page)
        press(page, "Train")
        finish(page)
        assert page.locator(".present-stage .train-card").is_visible()


@pytest.mark.parametrize("script", [True, False])
def test_a_lesson_on_paper_and_without_scripts_has_the_stored_runs(
    visit, script
):
    with visit(LESSON, formulas=False, java_script_enabled=script) as page:
        if script:
            assert not page.locator(".train-stored").is_visible()
            page.emulate_media(media="print")
        assert page.locator(".train-stored").is_visible()
        buttons = page.locator(".train-card button")
        assert not any(one.is_visible() for one in buttons.all())
