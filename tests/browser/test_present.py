"""A page as slides: every one holds what it shows, and the page comes back."""

import contextlib

import pytest
from built import HTML, built_pages, of_each_kind, stands
from conftest import two_frames

WORDS = 15  # pixels of 720 that no words on a slide may fall below
LETTERS = 10  # in a drawing and in glosses, which are set smaller
AIM = range(15, 46)  # slides of a lesson; some 30 are the aim
PAGES = [p for p in built_pages() if p.startswith(("chap", "book/lab"))]
LESSON = "chapters/08_masks.html"
COVERED = "chapters/04_why_the_square_root.html"
STARTED = (
    "window.Present.on && document.querySelector('.present-slide.current')"
)

# Of the slide that is shown, in pixels of 1280 x 720: what sticks out of it,
# and its smallest letters (not those of formulas, indices and page numbers).
MEASURE = """([words, letters]) => {
    const slide = Present.all[Present.now];
    const page = slide.section.getBoundingClientRect();
    const k = page.width / 1280;
    const seen = e => e.checkVisibility({visibilityProperty: true});
    const out = [...slide.section.querySelectorAll('*')].filter(e => {
        const box = e.getBoundingClientRect();
        return box.width > 1 && seen(e)
            && !e.closest('mjx-container, svg, .live, .explorer-letters')
            && (box.bottom > page.top + 716 * k
                || box.right > page.left + 1262 * k);
    });
    const small = [];
    const texts = document.createTreeWalker(
        slide.section, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const e = text.parentElement, svg = e.closest('svg');
        if (!text.data.trim() || !seen(e) || e.closest('mjx-container, ' +
            'style, script, sub, sup, .x-sup, .live, .explorer-letters'))
            continue;
        const scale = svg ? svg.getScreenCTM().a / k
            : slide.body.contains(e) ? slide.scale : 1;
        const size = parseFloat(getComputedStyle(e).fontSize) * scale;
        if (size < (e.closest('svg, .interlinear') ? letters : words))
            small.push(Math.round(size) + ' px: ' + text.data.trim());
    }
    return [...out.map(e => e.outerHTML.slice(0, 80)), ...small];
}"""
GRAVE = """axe.run({include: [['.present-stage'], ['.present-notes']]},
    {preload: false, resultTypes: ['violations']}).then(found =>
    found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
        .map(v => v.id + ': ' + v.nodes[0].html.slice(0, 120)))"""
# Every interactive figure begins once it is near the window.
ALL_BEGUN = """() => [...document.querySelectorAll('.explorer')]
    .every(e => 'ready' in e.dataset)"""
CARD_BEGUN = "document.querySelector('.train-card').face.frames?.length"
SETTLED = "() => new Promise(done => setTimeout(done, 400))"
# All nodes of the article; attributes are sorted, as a figure that takes one
# away and sets it again changes their order.
ARTICLE = """() => {
    const nodes = document.createTreeWalker(document.querySelector('article'));
    const found = [];
    for (let node; (node = nodes.nextNode());)
        found.push([node.nodeName, node.data ?? '',
            [...node.attributes ?? []].map(a => a.name + '=' + a.value).sort()
        ].join());
    return found;
}"""
NOW = "Present.now"
STEPS = "Present.all[Present.now].steps.map(step => step.shown())"


def pages():
    """Each page; those of each kind stand for all."""
    sample = of_each_kind(PAGES)
    return [pytest.param(p, marks=stands(p, sample)) for p in PAGES]


@contextlib.contextmanager
def presented(visit, name, **options):
    """Open a page at 1280 x 720 and press p, unless its address says so."""
    options.setdefault("viewport", {"width": 1280, "height": 720})
    with visit(name, base=HTML.as_uri(), **options) as page:
        page.add_style_tag(content="* {transition: none !important}")
        if "#" not in name:
            page.keyboard.press("p")
        page.wait_for_function(STARTED)
        yield page


@pytest.mark.parametrize("name", pages())
def test_a_slide_holds_what_it_shows_in_large_type(visit, name):
    with presented(visit, name) as page:
        count = page.evaluate("Present.all.length")
        if name.startswith("chapters/"):
            assert (
                page.evaluate(
                    "Present.all.filter(slide => !slide.second).length"
                )
                in AIM
            )
        faults = {}
        for number in range(count):
            page.evaluate("n => Present.show(n, Infinity)", number)
            two_frames(page)  # an interactive figure is fitted anew
            if found := page.evaluate(MEASURE, [WORDS, LETTERS]):
                faults[number + 1] = found[:3]
        assert faults == {}
        assert page.complaints == []


FADED = """() => [...document.querySelectorAll('span.math.goes-on')]
    .filter(e => e.firstElementChild.getBoundingClientRect().width
                 <= e.getBoundingClientRect().width + 1)
    .map(e => e.textContent.slice(0, 40))"""


def test_a_formula_that_fits_a_slide_does_not_fade(visit):
    name = "book/laboratory/16_what_is_each_part_worth.html"
    with presented(visit, name) as page:
        for number in range(page.evaluate("Present.all.length")):
            page.evaluate("n => Present.show(n, Infinity)", number)
            two_frames(page)
            assert page.evaluate(FADED) == []


def test_a_finger_leads_back_to_the_page(visit):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with visit(LESSON, base=HTML.as_uri(), is_mobile=True, **phone) as page:
        page.locator(".present-button").tap()
        page.wait_for_function(STARTED)
        page.locator(".present-close").tap()
        assert not page.evaluate("Present.on")
        assert page.locator(".present-close").count() == 0


def begin_all(page):
    """Let every interactive figure of the page begin."""
    for figure in page.locator(".explorer").all():
        figure.scroll_into_view_if_needed()
        figure.and_(page.locator("[data-ready]")).wait_for()
    for card in page.locator(".train-card").all():
        card.scroll_into_view_if_needed()
        page.wait_for_function(CARD_BEGUN)
    page.wait_for_function(ALL_BEGUN)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(SETTLED)


@pytest.mark.parametrize("name", [LESSON, COVERED])
def test_the_page_comes_back_as_it_was(visit, name):
    with visit(name, viewport={"width": 1280, "height": 720}) as page:
        begin_all(page)
        page.locator("#summary").scroll_into_view_if_needed()
        box = page.locator(".reading-mark input")
        box.focus()
        page.evaluate(SETTLED)
        before, place = page.evaluate(ARTICLE), page.evaluate("scrollY")
        page.keyboard.press("p")
        page.wait_for_function(STARTED)
        title = page.locator(".present-slide.current .present-title")
        assert title.inner_text() in ("Summary", "Check yourself", "Words")
        assert page.evaluate("document.activeElement.className") == (
            "present-stage"
        )
        for number in range(page.evaluate("Present.all.length")):
            page.evaluate("n => Present.show(n, Infinity)", number)
        page.evaluate("n => Present.show(n)", 0)
        page.keyboard.press("Escape")
        page.keyboard.press("p")  # and once more, from the first slide
        page.wait_for_function(STARTED)
        page.keyboard.press("Escape")
        page.evaluate(SETTLED)
        assert page.evaluate(ARTICLE) == before
        assert page.locator("[inert], .present-stage").count() == 0
        assert page.evaluate("localStorage.getItem('book.quiz')") in (
            None, "{}",
        )  # fmt: skip
        box.focus()
        page.evaluate("y => scrollTo(0, y)", place)
        page.keyboard.press("p")
        page.wait_for_function(STARTED)
        page.keyboard.press("Escape")
        page.evaluate(SETTLED)
        assert abs(page.evaluate("scrollY") - place) < 2
        assert box.evaluate("e => e === document.activeElement")


def test_the_keys(visit):
    with presented(visit, LESSON + "#slide-2", formulas=False) as page:
        press, now = page.keyboard.press, lambda: page.evaluate(NOW)
        page.wait_for_function("Present.now === 1")
        moves = page.evaluate(
            "Present.all.findIndex(s => s.kinds.has('explorer'))"
        )
        page.evaluate("n => Present.show(n)", moves)
        readout = page.locator(".present-slide.current .explorer-readout")
        said = readout.inner_text()
        page.locator(".present-slide.current input[type=range]").last.focus()
        press("ArrowLeft")  # the slider's own
        assert now() == moves and readout.inner_text() != said
        press("PageDown")
        assert now() == moves + 1
        assert page.evaluate("location.hash") == f"#slide-{moves + 2}"
        status = page.locator(".present-status")
        assert f"{moves + 2} / " in status.text_content()
        asked = page.evaluate(
            "Present.all.findIndex(s => s.kinds.has('answered'))"
        )
        page.evaluate("n => Present.show(n)", asked)
        assert page.evaluate(STEPS) == [False]
        for key, where, shown in (
            (" ", asked, True), ("ArrowLeft", asked, False),
            ("ArrowRight", asked, True), ("PageUp", asked, False),
            ("Backspace", asked - 1, None),
        ):  # fmt: skip
            press(key)
            assert now() == where
            assert shown is None or page.evaluate(STEPS) == [shown]
        press("b")
        assert page.locator(".present-slide.current").is_hidden()
        press("ArrowRight")  # lights the screen and does no more
        assert now() == asked - 1
        assert page.locator(".present-slide.current").is_visible()
        press("n")
        notes = page.locator(".present-notes")
        assert notes.is_visible() and len(notes.inner_text()) > 200
        press("n")
        press("c")
        assert page.locator(".present-code pre").count()
        press("c")
        page.evaluate(
            "Present.show(Present.all.findIndex(slide => slide.clock))"
        )
        clock = page.locator(".present-slide.current .present-clock")
        assert clock.inner_text() == "5:00"  # Exercise 8.1, 5 min
        press("t")
        page.wait_for_function(
            "!document.querySelector('.present-clock').textContent"
            ".startsWith('5')"
        )
        press("End")
        last = now()
        with page.context.expect_page() as opened:
            press("N")
        window = opened.value
        assert "The last slide" in window.locator("main").inner_text()
        window.keyboard.press("ArrowUp")
        page.wait_for_function(
            "([n, shown]) => Present.now !== n || "
            "!Present.all[n].steps.every(s => s.shown()) || !shown",
            arg=[last, page.evaluate(STEPS)],
        )
        press("Home")
        assert now() == 0


def test_a_finger_turns_the_slides(visit):
    touch = {"viewport": {"width": 844, "height": 390}, "has_touch": True}
    with presented(visit, LESSON, formulas=False, **touch) as page:
        page.evaluate("Present.show(0)")
        session = page.context.new_cdp_session(page)
        for way, there in ((-200, 1), (200, 0)):
            at = {"x": 400, "y": 300}
            for kind, points in (
                ("touchStart", [at]),
                # As slowly as a browser looks for its own swipe, back a page.
                *(
                    ("touchMove", [{**at, "x": 400 + way * k / 8}])
                    for k in range(1, 9)
                ),
                ("touchEnd", []),
            ):
                session.send(
                    "Input.dispatchTouchEvent",
                    {"type": kind, "touchPoints": points},
                )
            page.wait_for_function("n => Present.now === n", arg=there)


HANDS = "Present.all.findIndex(s => s.section.querySelector('.present-hands'))"
# Slides that only a notebook needs: long tables, and what was printed without
# the line that made it.
PLUMBING = """() => Present.all.filter(({ body, items }) =>
    [...body.querySelectorAll('.cell table')].some(table =>
        table.tBodies[0]?.rows.length > 9) ||
    items.some(item => item.kind === 'output' &&
        !item.nodes[0].querySelector('.cell_input')) ||
    /workbook\\.|The book.s version/.test(body.textContent))
    .map(slide => slide.title)"""


def test_hands_are_counted_and_stay_beside_the_answer(visit):
    with presented(visit, COVERED, formulas=False) as page:
        page.evaluate(f"Present.show({HANDS})")
        counts = page.locator(".present-slide.current .present-hands output")
        for digit in "1131":
            page.keyboard.press(digit)
        assert counts.all_inner_texts()[:3] == ["3", "0", "1"]
        page.keyboard.press("PageDown")  # the result
        shown = ".present-slide.current details[open]"
        assert page.locator(shown).count() == 1
        assert counts.first.is_visible() and counts.first.inner_text() == "3"
        page.keyboard.press("0")
        assert set(counts.all_inner_texts()) == {"0"}


def test_the_keys_are_listed_on_request(visit):
    with presented(visit, COVERED, formulas=False) as page:
        listed = page.locator(".present-help")
        page.keyboard.press("?")
        assert "one hand more" in listed.inner_text()
        page.keyboard.press("?")
        assert listed.count() == 0


@pytest.mark.parametrize("name", ["chapters/07_multi_head_attention.html"])
def test_no_slide_shows_what_only_a_notebook_needs(visit, name):
    with presented(visit, name, formulas=False) as page:
        assert page.evaluate(PLUMBING) == []


def test_a_cover_hides_the_answers_of_a_table(visit):
    with presented(visit, COVERED, formulas=False) as page:
        page.evaluate(
            "Present.show(Present.all.findIndex(slide => slide.items.some("
            "one => one.cover)))"
        )
        covered = page.locator(".present-slide.current td.present-covered")
        assert covered.count() == 18  # three columns of six rows
        page.keyboard.press("PageDown")
        assert covered.count() == 0


@pytest.mark.parametrize(
    "scheme", [pytest.param("light", marks=pytest.mark.whole), "dark"]
)
def test_axe_finds_nothing_grave_on_slides(visit, axe, scheme):
    look = {"formulas": False, "color_scheme": scheme}
    with presented(visit, LESSON, **look) as page:
        page.evaluate(axe)
        page.keyboard.press("n")
        seen = set()
        for number in range(page.evaluate("Present.all.length")):
            kind = page.evaluate(
                "n => Present.all[n].section.dataset.kind", number
            )
            if kind in seen:
                continue
            seen.add(kind)
            page.evaluate("n => Present.show(n, Infinity)", number)
            assert page.evaluate(GRAVE) == [], kind
        assert len(seen) > 6


def test_on_paper_each_slide_has_its_notes(visit):
    with presented(visit, LESSON) as page:
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        count = page.evaluate("Present.all.length")
        slides = page.locator(".present-slide")
        notes = page.locator(".present-slide + .present-handout")
        assert slides.count() == notes.count() == count
        assert all(one.is_visible() for one in slides.all())
        assert (
            page.evaluate(
                "[...document.querySelectorAll('.present-handout')]"
                ".filter(one => one.textContent.length > 100).length"
            )
            > count / 3
        )
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert notes.count() == 0


def test_a_page_that_does_not_present_carries_the_button_alone(visit):
    loaded = "performance.getEntriesByType('resource').map(r => r.name)"
    with visit(LESSON, formulas=False) as page:
        names = [n for n in page.evaluate(loaded) if "/present/" in n]
        assert [n.rpartition("/")[2].partition("?")[0] for n in names] == [
            "offer.js"
        ]
        page.get_by_role("button", name="Present").click()
        page.wait_for_function(STARTED)
    with visit("book/glossary.html", formulas=False) as page:
        assert page.get_by_role("button", name="Present").count() == 0
