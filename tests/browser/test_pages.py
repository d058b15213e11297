"""Each page: quiet, self-contained, readable on a phone, and in words.

A page is opened once, from its folder, as whoever has downloaded the book
does (what works there works from a server, too). Every page is looked at as
narrow as a phone; pages that have together each kind of element are looked at
in the light and in the dark, too, and by axe (`make test-all`: every page).
"""

import pytest
from built import HTML, built_pages, of_each_kind, stands
from conftest import AXE_RULES, PHONE, turn_to, two_frames

DESK = {"width": 1440, "height": 900}
LOOKS = {
    "light": ("light", DESK),
    "dark": ("dark", DESK),
    "390px": ("light", PHONE["viewport"]),
    "390px dark": ("dark", PHONE["viewport"]),
}

PAGES = built_pages()
LESSONS = [page for page in PAGES if page.startswith("chapters/")]
LABORATORIES = [page for page in PAGES if page.startswith("book/laboratory/")]
SAMPLE = of_each_kind(PAGES)


def looked_at(*looks, always=("390px",), pages=PAGES):
    """Look at pages: always in these looks, in others at the sample."""
    return pytest.mark.parametrize(
        "page",
        [
            pytest.param(
                (name, look),
                marks=stands(name, pages if look in always else SAMPLE),
                id=f"{name} {look}",
            )
            for name in pages
            for look in looks
        ],
        indirect=True,
        scope="module",  # all that looks at a page comes one after the other
    )


# The page takes the color scheme of the reader.
FOLLOWS = "scheme => document.documentElement.dataset.theme === scheme"
# The theme looks for what scrolls 300 ms after the window has another size; who
# asks for the same time later comes later.
MEASURED = "() => new Promise(done => setTimeout(done, 300))"

# How far the page can be scrolled sideways, and what sticks out. Tables and
# formulas may scroll inside a box of their own.
SIDEWAYS = """() => {
    const page = document.documentElement;
    const boxed = e => {
        for (let box = e; box.tagName !== 'ARTICLE'; box = box.parentElement)
            if (getComputedStyle(box).overflowX !== 'visible') return true;
        return e.closest('mjx-assistive-mml') !== null;
    };
    return {
        excess: page.scrollWidth - page.clientWidth,
        wide: [...document.querySelectorAll('article *')]
            .filter(e => e.getBoundingClientRect().right
                         > page.clientWidth + 1)
            .filter(e => !boxed(e))
            .map(e => e.outerHTML.slice(0, 90)).slice(0, 5),
    };
}"""
WORDLESS = """() => [...document.querySelectorAll('article img')]
    .filter(i => !i.alt.trim() || (i.complete && i.naturalWidth === 0))
    .map(i => i.src)"""

# What axe looks for. Whoever speaks to the computer says what he sees, and axe
# has a rule for that, which it does not yet switch on by itself.
SEEN = "{rules: {'label-content-name-mismatch': {enabled: true}}}"
RULES = {
    "light": SEEN, "390px": SEEN,
    "dark": AXE_RULES["dark"], "390px dark": AXE_RULES["dark"],
}  # fmt: skip
# The thousand colored words of code and signatures, and what formulas are made
# of, cost most of the time and are alike on all pages: two pages are looked at
# whole, the others without them.
SKIPPED = "[['.highlight pre > *'], ['dt.sig > *'], ['mjx-container > *']]"
ALL_CODE = ("chapters/09_positions.html", "book/api/batches.html")
GRAVE = """axe.run(
    {include: [['html']], exclude: SKIPPED},
    {preload: false, resultTypes: ['violations'], ...RULES}
).then(found =>
    found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
        .map(v => v.id + ': ' + v.nodes[0].html.slice(0, 120)))"""
SCROLLING_LINES = """() => [...document.querySelectorAll('.in-lines pre')]
    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
    .map(e => e.textContent.slice(0, 60))"""
# What the tab key stops at although it is no control and nothing scrolls.
IDLE_STOPS = """() => [...document.querySelectorAll(
        '.bd-article [tabindex="0"]'
        + ':not(a, button, input, summary, [role=slider])')]
    .filter(e => e.checkVisibility())
    .filter(e => !/auto|scroll/.test(getComputedStyle(e).overflowX)
                 || e.scrollWidth <= e.clientWidth)
    .map(e => e.outerHTML.slice(0, 90))"""

# What can be scrolled but not by keyboard: no tab stop, and none in it.
UNREACHED = """() => [...document.querySelectorAll('.bd-article *')]
    .filter(e => e.scrollWidth > e.clientWidth
                 && /auto|scroll/.test(getComputedStyle(e).overflowX)
                 && e.checkVisibility() && e.tabIndex < 0
                 && !e.querySelector('a, button, input, summary, [tabindex]'))
    .map(e => e.outerHTML.slice(0, 90))"""

# An interactive figure, a translator, an exercise done in the page, a question
# with answers to choose: no links, no folds, no drawing of the model.
TOUCHED = (
    '.explorer, .live, .exercise-work:is([data-kind="paper"], '
    '[data-kind="code"]), .quiz, .guess, .predict ~ details.fold'
)
SCREENS = 2  # within which a lesson has one, or an answer to unfold
# How far down the first of them begins, in screens.
FIRST = """touched => Math.min(...[...document.querySelectorAll(touched)]
    .filter(element => element.getClientRects().length > 0)
    .map(element => element.getBoundingClientRect().top + scrollY)
) / innerHeight"""

# Marks that begin a line although they belong to the formula above.
LOST_MARKS = """() => [...document.querySelectorAll('article .math')]
    .filter(e => e.checkVisibility()
        && /^[.,;:!?)]/.test(e.nextSibling?.textContent ?? ''))
    .filter(e => {
        const mark = document.createRange();
        mark.setStart(e.nextSibling, 0);
        mark.setEnd(e.nextSibling, 1);
        const box = e.getBoundingClientRect();
        return mark.getBoundingClientRect().top > box.bottom;
    })
    .map(e => e.parentNode.textContent.slice(-60))"""

# Formulas that end before they are over, and cannot be moved; and letters of
# formulas in the font of a text around them.
CUT_FORMULAS = """() => [...document.querySelectorAll('article .math')]
    .filter(e => e.clientWidth > 0 && e.querySelector('mjx-container')
        ?.getBoundingClientRect().width > e.clientWidth + 1)
    .filter(e => getComputedStyle(e).overflowX !== 'auto'
                 || e.tabIndex !== 0)
    .map(e => e.textContent.slice(0, 60))"""
OTHER_LETTERS = """() => [...document.querySelectorAll('article mjx-c')]
    .filter(e => !getComputedStyle(e).fontFamily.startsWith('MJX'))
    .map(e => e.parentNode.outerHTML.slice(0, 90))"""

PAPER = {"width": 718, "height": 1050}  # A4 with the margins of a browser
# What paper would not show: code that sticks out of its box, hidden figures.
CUT = """() => [
    ...[...document.querySelectorAll('article pre')]
        .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1),
    ...[...document.querySelectorAll('article .cell_output img, .explorer')]
        .filter(e => !e.checkVisibility()),
].map(e => e.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
def tab(visit):
    """A tab in which one page after the other is opened."""
    with visit("search.html", base=HTML.as_uri()) as page:
        page.name = None
        yield page


@pytest.fixture(scope="module")
def page(request, tab, shots):
    """One page in one look, opened anew unless the tab has it."""
    name, look = request.param
    scheme, size = LOOKS[look]
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size(size)
    if tab.name != name:
        tab.evaluate("localStorage.clear()")  # nobody was here before
        tab.name = name
        turn_to(tab, f"{HTML.as_uri()}/{name}")
        tab.add_style_tag(content="* {transition: none !important}")
        tab.look = None
    if tab.look != look:
        tab.wait_for_function(FOLLOWS, arg=scheme)
        two_frames(tab)
        if tab.look is not None:
            tab.evaluate(MEASURED)
        if shots is not None:
            stem = name.removesuffix(".html").replace("/", "-")
            tab.screenshot(path=shots / f"{stem}.{look}.png", full_page=True)
    tab.look = look
    return tab


@looked_at(*LOOKS)
def test_the_page_is_quiet_and_asks_nobody(page):
    assert page.complaints == []
    assert page.outside == []


@pytest.mark.parametrize("name", ["book/index.html", "book/api/model.html"])
def test_a_server_has_all_that_a_page_asks_for(visit, name):
    with visit(name, color_scheme="dark") as page:
        assert page.complaints == []
        assert page.outside == []
        assert page.missing == []
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@looked_at("390px")
def test_no_answer_of_a_quiz_shows_its_markup(page):
    answers = page.locator(".quiz summary").all_inner_texts()
    assert answers or not page.name.startswith("chapters/")
    for words in answers:
        assert "$" not in words and "`" not in words


@looked_at("light", "390px")
def test_nothing_pushes_the_page_sideways(page):
    found = page.evaluate(SIDEWAYS)
    assert found["wide"] == []
    assert found["excess"] <= 0


@looked_at("light", "390px")
def test_printed_lines_go_on_below(page):
    assert page.evaluate(SCROLLING_LINES) == []


@looked_at(*LOOKS, always=())
def test_axe_finds_nothing_grave(page, axe):
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    without_code = page.name not in ALL_CODE
    skipped = SKIPPED if without_code else "[]"
    grave = GRAVE.replace("SKIPPED", skipped)
    assert page.evaluate(grave.replace("RULES", RULES[page.look])) == []


@looked_at("390px")
def test_formulas_are_drawn(page):
    formulas = page.locator("article .math").count()
    drawn = page.locator("article .math mjx-container").count()
    assert drawn >= formulas
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0


@looked_at("light", "390px")
def test_a_tab_stop_scrolls_or_does_something(page):
    assert page.evaluate(IDLE_STOPS) == []


@looked_at("390px")
def test_what_scrolls_can_be_reached(page):
    assert page.evaluate(UNREACHED) == []


@looked_at("light", "390px", pages=LESSONS)
def test_a_lesson_can_be_touched_early(page):
    first = page.evaluate(FIRST, TOUCHED)
    print(f"{first:.1f} screens", end=" ")  # pytest -s shows how far
    assert first < SCREENS, f"the first begins {first:.1f} screens down"


@looked_at("light", pages=LABORATORIES)
def test_a_laboratory_can_be_touched(page):
    assert page.evaluate(FIRST, f"{TOUCHED}, .cover") < 2 * SCREENS


@looked_at("390px")
def test_a_mark_stays_with_its_formula(page):
    assert page.evaluate(LOST_MARKS) == []


@looked_at("390px")
def test_a_formula_is_whole_in_its_own_letters(page):
    assert page.evaluate(CUT_FORMULAS) == []
    assert page.evaluate(OTHER_LETTERS) == []


@looked_at("390px")
def test_pictures_load_and_have_words(page):
    assert page.evaluate(WORDLESS) == []


@looked_at("390px")
def test_the_page_describes_itself(page):
    assert page.locator("h1").count() >= 1
    for name in ('name="description"', 'property="og:description"'):
        words = page.locator(f"meta[{name}]")
        assert words.count() == 1
        assert len(words.get_attribute("content")) > 40


@looked_at("dark")
def test_on_paper_the_page_is_light_and_whole(page):
    """A dark page is the hard one."""
    folds = page.locator("details.cell-fold:not(.set-up, [open])")
    screen, folded = page.viewport_size, folds.count()
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    ink = page.locator("article p").first.evaluate(
        "e => getComputedStyle(e).color.match(/\\d+/g).slice(0, 3)"
    )
    assert max(map(int, ink)) < 100
    assert page.evaluate(CUT) == []
    assert folds.count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folds.count() == folded
    page.emulate_media(media="screen")
    page.set_viewport_size(screen)
    theme = page.evaluate("document.documentElement.dataset.theme")
    assert theme == "dark"


# How far what is seen jumps while a page loads: layout shift, all of it.
SHIFT = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => list.getEntries().forEach(one => {
        if (!one.hadRecentInput) sum += one.value;
    })).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(sum), 200);
})"""
# Pages on which it was most: a translator, a card of formulas, a lesson.
JUMPY = (
    "book/index.html",
    "book/in_short.html",
    "chapters/00_before_we_start.html",
)


@pytest.mark.parametrize("size", ["desk", "phone"])
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=stands(one, JUMPY)) for one in PAGES]
)
def test_nothing_jumps_while_a_page_loads(visit, name, size):
    look = PHONE if size == "phone" else {"viewport": DESK}
    with visit(name, **look) as page:
        if name == "book/index.html":  # near the window at once
            page.wait_for_selector(".live-piece[role=radio]")
        assert page.evaluate(SHIFT) < 0.1


def test_the_first_page_leads_to_the_cover(visit):
    with visit("index.html") as page:
        page.wait_for_url("**/book/index.html")
        assert "Transformer" in page.title()


def test_the_index_of_names_fits_a_phone(visit):
    with visit("genindex.html", **PHONE) as page:
        assert page.evaluate(SIDEWAYS)["excess"] <= 0


def test_the_lens_does_not_cover_the_words_of_the_search(visit):
    with visit("search.html") as page:
        form = page.locator(".bd-search-container form")
        lens = form.locator(".fa-magnifying-glass").bounding_box()
        words = form.locator("input").evaluate(
            "e => e.getBoundingClientRect().x"
            " + parseFloat(getComputedStyle(e).paddingLeft)"
        )
        assert lens["x"] + lens["width"] <= words


def test_a_table_that_is_drawn_above_is_folded(visit):
    """Its numbers are a click away; a table without a chart lies open."""
    with visit("book/results.html", formulas=False) as page:
        charts = page.locator("figure.chart").count()
        folds = page.locator("figure.chart + details.fold")
        assert charts == folds.count() > 0
        for fold in folds.all():
            assert fold.locator("table").first.is_hidden()
        folds.first.locator("summary").click()
        assert folds.first.locator("table").first.is_visible()
        assert page.locator(".measured table:visible").count() > charts


def test_the_glossary_is_filtered(visit):
    """By English, Korean, Chinese, meaning; and in words where none is."""
    with visit("book/glossary.html", formulas=False) as page:
        rows = page.locator("table.words tbody tr")
        seen = page.locator("table.words tbody tr:visible")
        status = page.locator(".words-filter [role=status]")
        every = rows.count()
        assert status.inner_text() == f"{every} rows"
        for typed, term in {
            "SOFTMAX": "softmax", "전치": "transpose", "轉置": "transpose",
            "rows become columns": "transpose",
        }.items():  # fmt: skip
            page.get_by_label("Show the rows with").fill(typed)
            found = seen.all_inner_texts()
            assert 0 < len(found) < every / 4
            assert all(typed.lower() in one.lower() for one in found)
            assert any(term in one for one in found)
            assert status.inner_text() == f"{len(found)} of {every} rows"
        page.get_by_label("Show the rows with").fill("zyzzyva")
        assert seen.count() == 0 and "No row has that" in status.inner_text()
        page.evaluate("location.hash = 'term-vector'")  # a link to a row
        page.wait_for_function("!document.querySelector('tr[hidden]')")
    with visit("book/glossary.html", java_script_enabled=False) as page:
        assert page.locator(".words-filter").count() == 0
        assert page.locator("table.words tbody tr:visible").count() == every
