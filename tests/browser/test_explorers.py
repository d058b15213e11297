"""Interactive figures move without a kernel: keys, mouse, touch, buttons.

Every figure is moved to all its places on a phone: there frames, words and
room are those of each. How it is moved is looked at on pages that have together
each kind of figure (`make test-all`: on every page).
"""

import re

import pytest
from built import HTML, built_pages, of_each_kind, stands
from conftest import NARROW, PHONE, WIDE, set_in, turn_to

DESK = {"width": 1440, "height": 900}
OPINIONS = "One token, several heads"
PAGES = built_pages(holding='class="explorer')
MOST = 4  # choices that become buttons
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


def kinds_of_explorers(name):
    """Return what a page's figures have: sliders of a kind, parts to touch."""
    page = HTML / name
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    figures = text.split('<div class="explorer ')[1:]
    found = {"more than one"} if len(figures) > 1 else set()
    for figure in figures:
        sliders = re.findall(r'<input type="range"[^>]*>', figure)
        found.add(f"{len(sliders)} sliders")
        for slider in sliders:
            labels = re.search('data-labels="([^"]*)"', slider)[1].split("|")
            few = len(labels) if len(labels) <= MOST else "many"
            listed = "listed" if "data-list" in slider else ""
            found.add(f"{few} choices {listed}")
        found |= set(re.findall("data-(?:drag|place|slider)=", figure))
    return found


SAMPLE = of_each_kind(PAGES, kinds_of_explorers)


def on_pages(fixture, sample=PAGES):
    """Look at each page, or at a sample that stands for the others."""
    return pytest.mark.parametrize(
        fixture,
        [pytest.param(name, marks=stands(name, sample)) for name in PAGES],
        indirect=True,
        scope="module",  # all that looks at a page comes one after the other
    )


@pytest.fixture(scope="module")
def tabs(visit):
    """Two tabs in which one page after the other is opened, without formulas.

    On a desk from a folder, on a phone from a server.
    """
    home, quick = HTML.as_uri(), {"formulas": False}
    with (
        visit(PAGES[0], base=home, viewport=DESK, **quick) as desk,
        visit(PAGES[0], **quick, **PHONE) as phone,
    ):
        yield {"desk": desk, "phone": phone}


@pytest.fixture(scope="module")
def desk(request, tabs):
    """A page with interactive figures on a desk, for who was never here."""
    tabs["desk"].evaluate("localStorage.clear()")
    turn_to(tabs["desk"], f"{HTML.as_uri()}/{request.param}")
    return tabs["desk"]


@pytest.fixture(scope="module")
def phone(request, tabs, address):
    """A page with interactive figures on a phone, for who was never here."""
    tabs["phone"].evaluate("localStorage.clear()")
    turn_to(tabs["phone"], f"{address}/{request.param}")
    return tabs["phone"]


def explorers(page):
    found = page.locator(".explorer").all()
    assert found, "no interactive figure: was the book built anew?"
    return found


# Go to all places of all sliders: how high the explorer is at each, which
# frames are seen there, and which words stand below.
WALK = """explorer => {
    const sliders = [...explorer.querySelectorAll('input')];
    const frames = [...explorer.querySelectorAll('.explorer-frame')];
    const readout = explorer.querySelector('.explorer-readout');
    const found = [];
    const go = (slider, place) => {
        slider.value = place;
        slider.dispatchEvent(new Event('input', {bubbles: true}));
    };
    const walk = (rest) => {
        if (!rest.length) return found.push({
            places: sliders.map(slider => +slider.value),
            high: explorer.offsetHeight,
            shown: frames.flatMap((frame, n) =>
                getComputedStyle(frame).display === 'none' ? [] : [n]),
            words: readout.textContent,
        });
        const kept = rest[0].value;
        for (let place = 0; place <= +rest[0].max; place++) {
            go(rest[0], place);
            walk(rest.slice(1));
        }
        go(rest[0], kept);
    };
    walk(sliders);
    return found;
}"""


# How many choices stand in each row of each group of an explorer.
ROWS = """explorer => [...explorer.querySelectorAll('[role=radiogroup]')].map(
    group => {
        const rows = new Map();
        for (const { offsetTop } of group.children)
            rows.set(offsetTop, (rows.get(offsetTop) || 0) + 1);
        return [...rows.values()];
    })"""


# How large each choice of a group is.
SIZES = """group => [...group.children]
    .map(choice => [choice.offsetWidth, choice.offsetHeight]).join(' ')"""


def walked(page):
    """Move each explorer to all its places, in a narrow and a wide font.

    Return for each its family, its name, what `WALK` found, and how many
    choices stand in each row of its groups.
    """
    found = []
    for family in (NARROW, WIDE):
        set_in(page, family, ".explorer")
        for explorer in map(ready, explorers(page)):
            name = explorer.get_attribute("aria-label")
            walk = explorer.evaluate(WALK)
            found.append((family, name, walk, explorer.evaluate(ROWS)))
    return found


@pytest.fixture(scope="module")
def on_desk(desk):
    return walked(desk)


@pytest.fixture(scope="module")
def on_phone(phone):
    return walked(phone)


def keep_their_heights(found):
    for family, name, walk, _ in found:
        heights = {at["high"] for at in walk}
        assert max(heights) - min(heights) <= 1, (family, name, heights)


def four_stand_two_and_two(found):
    for family, name, _, groups in found:
        for rows in groups:
            assert sum(rows) != 4 or rows in ([4], [2, 2]), (family, name, rows)


def ready(explorer):
    """Bring an explorer to the screen; the page's script then dresses it."""
    explorer.scroll_into_view_if_needed()
    explorer.and_(explorer.page.locator("[data-ready]")).wait_for()
    return explorer


def controls(page):
    """Yield (explorer, slider, previous button, next button)."""
    for explorer in map(ready, explorers(page)):
        for control in explorer.locator(
            ".explorer-control:not(.explorer-chosen)"
        ).all():
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


@on_pages("phone")
def test_each_place_has_a_frame_and_words_follow(on_phone, phone):
    frames = [e.evaluate(STATE)["frames"] for e in explorers(phone)]
    for (_, name, walk, _), count in zip(on_phone, frames * 2, strict=True):
        assert name
        shown = [at["shown"] for at in walk]
        assert sorted(shown) == [[n] for n in range(count)], name
        assert count > 1, name
        words = {tuple(at["places"]): at["words"] for at in walk}
        start, last = min(words), max(words)
        for which in range(len(start)):
            end = (*start[:which], last[which], *start[which + 1 :])
            assert words[end] != words[start], (name, which)


@on_pages("desk", SAMPLE)
def test_explorers_of_one_page_move_apart(desk):
    found = explorers(desk)
    before = [shown(explorer) for explorer in found]
    move = """slider => {
        slider.value = +slider.value ? 0 : 1;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    }"""
    found[0].locator("input[type=range]").first.evaluate(move)
    after = [shown(explorer) for explorer in found]
    assert after[0] != before[0]
    assert after[1:] == before[1:]


@on_pages("desk", SAMPLE)
def test_a_few_choices_are_buttons(desk):
    for explorer in map(ready, explorers(desk)):
        for group in explorer.get_by_role("radiogroup").all():
            choices = group.get_by_role("radio").all()
            seen, sizes = set(), set()
            for choice in choices:
                choice.click()
                assert choice.get_attribute("aria-checked") == "true"
                seen.add(shown(explorer))
                sizes.add(group.evaluate(SIZES))
            assert len(seen) == len(choices)
            assert len(sizes) == 1, sizes  # bold words take no more room
            desk.keyboard.press("ArrowLeft")
            assert choices[-2].get_attribute("aria-checked") == "true"
            assert group.locator("[aria-checked='true']").count() == 1


@on_pages("desk", SAMPLE)
def test_an_explorer_keeps_its_height_while_it_moves(on_desk, desk):
    keep_their_heights(on_desk)


@on_pages("phone")
def test_an_explorer_keeps_its_height_on_a_phone(on_phone, phone):
    keep_their_heights(on_phone)


def test_a_word_of_the_drawing_can_be_picked(visit):
    with visit("chapters/07_multi_head_attention.html", formulas=False) as page:
        explorer = ready(page.get_by_role("group", name=OPINIONS))
        words = ".explorer-shown .explorer-pick"
        for place in (0, 1):
            explorer.locator(words).nth(place).click()
            slider = explorer.locator("input[type=range]").first
            label = slider.get_attribute("data-labels").split("|")[place]
            assert slider.get_attribute("aria-valuetext") == label


@on_pages("desk", SAMPLE)
def test_four_choices_stand_in_one_row_or_two_and_two(on_desk, desk):
    four_stand_two_and_two(on_desk)


@on_pages("phone")
def test_four_choices_stand_two_and_two_on_a_phone(on_phone, phone):
    four_stand_two_and_two(on_phone)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("chapters/11_the_whole_model.html", "A walk through the model"),
        ("chapters/14_decoding.html", "A beam search, step by step"),
        ("book/laboratory/08_masks.html", "A mask over nine scores"),
        ("book/laboratory/15_toy_translator.html", "Five test sets"),
    ],
)
def test_a_part_of_the_drawing_can_be_clicked(name, title, visit):
    with visit(name, formulas=False, viewport=DESK) as page:
        explorer = ready(page.get_by_role("group", name=title))
        slider = explorer.locator("input[type=range]").first
        parts = explorer.locator(".explorer-shown [data-place]")
        frames = set()
        for number in range(parts.count()):
            place = int(parts.nth(number).get_attribute("data-place"))
            parts.nth(number).click()
            assert value(slider) == place
            frames.add(shown(explorer))
        assert len(frames) > 1


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("chapters/02_self_attention_by_hand.html", "Eight votes"),
        ("chapters/13_training_loop.html", "The learning rate over the steps"),
    ],
)
def test_a_knob_is_dragged_to_the_place_that_is_nearest(name, title, visit):
    with visit(name, formulas=False, viewport=DESK) as page:
        explorer = ready(page.get_by_role("group", name=title))
        knob = explorer.locator(".explorer-shown [data-drag]")
        which = int(knob.get_attribute("data-drag"))
        slider = explorer.locator("input[type=range]").nth(which)
        knobs = {}
        page.emulate_media(reduced_motion="reduce")  # or they are on their way
        for place in range(last(slider) + 1):
            slider.fill(str(place))
            knobs[place] = center(knob)
        page.emulate_media(reduced_motion="no-preference")
        for start, end in ((last(slider), 0), (0, 3), (3, last(slider))):
            assert value(slider) == start
            page.mouse.move(*knobs[start])
            page.mouse.down()
            x, y = knobs[end]
            page.mouse.move(x + 2, y - 2, steps=5)
            page.mouse.up()
            assert value(slider) == end
            page.mouse.move(*knobs[start], steps=2)  # let go, it stays
            assert value(slider) == end


def center(element):
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_name_is_chosen_from_a_list(visit):
    with visit(
        "chapters/16_what_is_each_part_worth.html",
        formulas=False,
        viewport=DESK,
    ) as page:
        explorer = ready(page.get_by_role("group", name="Take one part away"))
        slider = explorer.locator("input[type=range]")
        names = explorer.get_by_role("combobox")
        labels = slider.get_attribute("data-labels").split("|")
        assert names.locator("option").all_inner_texts() == labels
        names.select_option(index=3)
        assert value(slider) == 3 == shown(explorer)
        explorer.get_by_role("button", name="next").click()
        assert names.input_value() == "4"


@on_pages("desk", SAMPLE)
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


@on_pages("desk", SAMPLE)
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


@on_pages("desk", SAMPLE)
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


@on_pages("phone", SAMPLE)
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


@on_pages("phone")
def test_an_explorer_fits_a_phone(phone):
    for explorer in explorers(phone):
        box = explorer.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


# Move a slider by one place: are the numbers of the new picture its own at
# once, and are they after a while?
GLIDE = """async explorer => {
    const numbers = frame => [...frame.querySelectorAll("*")].map(
        part => [...part.attributes].map(a => a.value).join()).join("|");
    const slider = explorer.querySelector("input");
    const next = [...explorer.querySelectorAll(".explorer-frame")][
        (+slider.value + 1) * slider.dataset.stride
        + explorer.querySelectorAll("input")[1].value * 1];
    const own = numbers(next);
    slider.value = +slider.value + 1;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    const seen = numbers(next);
    await new Promise(done => setTimeout(done, 1500));
    return [seen === own, numbers(next) === own];
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_parts_of_a_figure_glide_and_arrive(motion, visit):
    with visit("chapters/09_positions.html", formulas=False) as page:
        page.emulate_media(reduced_motion=motion)
        clock = ready(page.get_by_role("group", name="Two clock hands"))
        assert clock.evaluate(GLIDE) == [motion == "reduce", True]


def test_a_story_is_played_to_its_end_or_stopped(visit):
    with visit("chapters/14_decoding.html", formulas=False) as page:
        beam = ready(page.get_by_role("group", name="A beam search"))
        slider = beam.locator("input[type=range]").first
        beam.get_by_role("button", name="Play: step").click()
        assert value(slider) == 0  # it stood at its end
        beam.get_by_role("button", name="Pause: step").click()
        page.wait_for_timeout(1500)
        assert value(slider) == 0
        beam.get_by_role("button", name="Play: step").click()
        beam.get_by_role("button", name="Play: step").wait_for()
        assert value(slider) == last(slider)
