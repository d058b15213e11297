"""Interactive figures move without a kernel: keys, mouse, touch, buttons."""

import pytest
from conftest import HTML, PHONE, built_pages

PAGES = built_pages(holding='class="explorer')
# What an explorer shows: the place of its frame, and the words below it.
STATE = """explorer => {
    const frames = [...explorer.querySelectorAll('.explorer-frame')];
    const seen = frames.filter(f => f.getClientRects().length > 0);
    return {
        shown: seen.map(f => frames.indexOf(f)),
        frames: frames.length,
        words: explorer.querySelector('.explorer-readout').textContent,
    };
}"""


@pytest.fixture(scope="module", params=PAGES)
def desk(request, visit):
    """A page with interactive figures, on a desk."""
    with visit(request.param) as page:
        yield page


@pytest.fixture(scope="module", params=PAGES)
def phone(request, visit):
    """The same page on a phone."""
    with visit(request.param, **PHONE) as page:
        yield page


def explorers(page):
    found = page.locator(".explorer").all()
    assert found, "no interactive figure: was the book built anew?"
    return found


def controls(page):
    """Yield (explorer, slider, previous button, next button)."""
    for explorer in explorers(page):
        for control in explorer.locator(".explorer-control").all():
            first, second = control.locator("button").all()
            slider = control.locator("input[type=range]")
            yield explorer, slider, first, second


def shown(explorer):
    """Return the place of the one frame that is seen."""
    state = explorer.evaluate(STATE)
    assert len(state["shown"]) == 1, state
    return state["shown"][0]


def ends(slider):
    """Return two points on the slider: its left end and its right end."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    return (box["x"] + 3, middle), (box["x"] + box["width"] - 3, middle)


def value(slider):
    return int(slider.input_value())


def last(slider):
    return int(slider.get_attribute("max"))


def test_one_frame_is_shown_and_more_are_there(desk):
    for explorer in explorers(desk):
        shown(explorer)
        assert explorer.evaluate(STATE)["frames"] > 1
        assert explorer.locator("input[type=range]").count() > 0
        assert explorer.get_attribute("aria-label")


def test_explorers_of_one_page_move_apart(desk):
    found = explorers(desk)
    before = [shown(explorer) for explorer in found]
    slider = found[0].locator("input[type=range]").first
    slider.focus()
    desk.keyboard.press("ArrowLeft" if value(slider) else "ArrowRight")
    after = [shown(explorer) for explorer in found]
    assert after[0] != before[0]
    assert after[1:] == before[1:]


def test_keys_move_the_frame(desk):
    for explorer, slider, _, _ in controls(desk):
        slider.focus()
        desk.keyboard.press("Home")
        seen = [shown(explorer)]
        for _ in range(last(slider)):
            desk.keyboard.press("ArrowRight")
            seen.append(shown(explorer))
        assert len(set(seen)) == last(slider) + 1
        desk.keyboard.press("ArrowLeft")
        assert shown(explorer) == seen[-2]
        desk.keyboard.press("End")
        assert shown(explorer) == seen[-1]


def test_the_words_follow_the_frame(desk):
    for explorer, slider, _, _ in controls(desk):
        slider.focus()
        desk.keyboard.press("Home")
        words = explorer.evaluate(STATE)["words"]
        desk.keyboard.press("End")
        assert explorer.evaluate(STATE)["words"] != words


def test_buttons_move_the_frame_and_stop_at_the_ends(desk):
    for explorer, slider, previous, following in controls(desk):
        for _ in range(value(slider)):
            previous.click()
        assert value(slider) == 0
        first = shown(explorer)
        previous.click(force=True)  # force: it says that it is disabled
        assert shown(explorer) == first
        following.click()
        assert value(slider) == 1
        assert shown(explorer) != first
        previous.click()
        assert shown(explorer) == first


def test_a_mouse_moves_the_frame(desk):
    for explorer, slider, _, _ in controls(desk):
        left, right = ends(slider)
        desk.mouse.click(*left)
        assert value(slider) == 0
        first = shown(explorer)
        desk.mouse.move(*left)
        desk.mouse.down()
        desk.mouse.move(*right, steps=5)
        desk.mouse.up()
        assert value(slider) == last(slider)
        assert shown(explorer) != first


def test_a_finger_moves_the_frame_at_390_px(phone):
    for explorer, slider, _, following in controls(phone):
        left, right = ends(slider)
        phone.touchscreen.tap(*left)
        assert value(slider) == 0
        first = shown(explorer)
        following.tap()
        assert shown(explorer) != first
        phone.touchscreen.tap(*right)
        assert value(slider) == last(slider)
        size = following.bounding_box()
        assert min(size["width"], size["height"]) >= 24


def test_an_explorer_fits_a_phone(phone):
    for explorer in explorers(phone):
        box = explorer.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


@pytest.mark.parametrize("name", PAGES)
def test_explorers_move_in_a_page_opened_from_a_folder(visit, name):
    with visit(name, base=HTML.as_uri()) as page:
        for explorer, slider, _, _ in controls(page):
            slider.focus()
            page.keyboard.press("Home")
            first = shown(explorer)
            page.keyboard.press("End")
            assert shown(explorer) != first
