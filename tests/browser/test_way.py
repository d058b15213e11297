"""One sentence's whole way, under a reader's hands and without scripts."""

import re
from math import exp

import pytest
from built import HTML, ROOT
from conftest import AXE_RULES, PHONE, turn_to
from live_page import FACE, ask, settle

PAGE = "book/whole_way.html"
SOURCE = (ROOT / "book" / "whole_way.md").read_text(encoding="utf-8")
ORDER = re.findall(r"^```{way-station} (\w+)$", SOURCE, re.M)
CALM = {"reduced_motion": "reduce"}
SENTENCE = "The old teacher gave the letter to the child."
RUN = """axe.run('.bd-article',
    {preload: false, resultTypes: ['violations'], ...RULES}
).then(found => found.violations)"""
EXCESS = (
    "document.documentElement.scrollWidth"
    " - document.documentElement.clientWidth"
)


# Wait until a page that scrolls, or was about to, has stood for five frames.
STILL = """() => new Promise(done => {
    let place = scrollY, frames = 0;
    const look = () => {
        frames = scrollY === place ? frames + 1 : 0;
        place = scrollY;
        if (frames < 5) requestAnimationFrame(look);
        else done();
    };
    look();
})"""


def until_ready(page):
    """Wait until the first sentence is on its way."""
    page.wait_for_function("window.Live?.way?.text")
    page.evaluate(f"{FACE}.stop()")
    settle(page)


def here(page):
    """Return the name of the station where the page is."""
    page.evaluate(STILL)
    return page.evaluate("Live.way.name")


def go(page, name):
    """Go to a station at once; return its place."""
    page.evaluate("name => Live.way.travel.go(Live.way.station(name))", name)
    place = page.locator(f"[data-station={name}]")
    place.locator(":scope > *").first.wait_for()
    page.wait_for_function(
        "name => !Live.way.stale.has(Live.way.places[Live.way.station(name)])",
        arg=name,
    )
    return place


@pytest.fixture
def page(visit):
    """The page, all stations one below the other."""
    with visit(PAGE, formulas=False) as opened:
        until_ready(opened)
        opened.evaluate("document.body.style.scrollBehavior = 'auto'")
        yield opened
        assert opened.complaints == []
        assert opened.outside == []


@pytest.fixture(scope="module")
def tab(visit):
    """A tab in which the page is opened for who wants no motion."""
    with visit(PAGE, formulas=False, **CALM) as opened:
        yield opened


@pytest.fixture
def calm(tab, address):
    """The page for who wants no motion, opened anew: a station at a time."""
    turn_to(tab, "about:blank")  # another fragment alone would load nothing
    turn_to(tab, f"{address}/{PAGE}")
    tab.emulate_media(media="screen")
    until_ready(tab)
    yield tab
    assert tab.complaints == []


def test_scrolling_meets_the_stations_in_their_order(page):
    met = []
    for _ in range(200):
        name = here(page)
        if name and name not in met:
            met.append(name)
        if name == ORDER[-1]:
            break
        page.mouse.wheel(0, 250)
    assert met == ORDER


def test_keys_go_on_and_skip_nothing_below_the_window(visit):
    height = 560  # less than most stations need
    seen, bottoms = [], {}
    look = {"viewport": {"width": 1280, "height": height}}
    with visit(PAGE, formulas=False, **look) as page:
        until_ready(page)
        for _ in range(40):
            page.keyboard.press("ArrowRight")
            name = here(page)
            if name not in seen:
                if seen:  # what was left had been seen to its end
                    assert bottoms[seen[-1]] <= height + 1
                seen.append(name)
            bottoms[name] = page.evaluate(
                "Live.way.travel.sections[Live.way.travel.now]"
                ".getBoundingClientRect().bottom"
            )
            if name == ORDER[3]:
                break
        assert seen == ORDER[:4]
        page.keyboard.press("ArrowLeft")
        assert here(page) == ORDER[2]


def test_a_typed_sentence_goes_through_all_stations(calm):
    ask(calm, SENTENCE)
    words = calm.evaluate(f"{FACE}.words")
    korean = calm.evaluate(f"{FACE}.translation")
    assert go(calm, "pieces").locator("li span").all_inner_texts() == words
    for name in ORDER:
        assert go(calm, name).locator("[role=img]:has(figcaption)").count() == 0
    rounds = go(calm, "again").locator(".way-bars .way-label > span")
    told = rounds.all_inner_texts()
    assert "".join(told[:-1]) == korean.replace(" ", "")
    assert told[-1] == "end"
    sure = calm.locator(".live .live-sure").inner_text()
    assert go(calm, "again").locator(".live-sure").inner_text() == sure


# Write down what is laid over the page for a moment.
GHOSTS = """() => {
    window.ghosts = [];
    new MutationObserver(list => list.forEach(({ addedNodes }) =>
        addedNodes.forEach(one => one.classList?.contains('way-ghost')
            && ghosts.push(one.textContent)))
    ).observe(document.body, { childList: true });
}"""


def test_three_stations_have_a_moment_that_moves(page):
    """Rows slide into the mix, lights go out, the new piece flies back."""
    page.evaluate(GHOSTS)
    piece = page.evaluate("Live.way.pieces[Live.way.step].text")
    for name, moved in (("heads", 4), ("forward", 4), ("again", 1)):
        page.evaluate("ghosts.length = 0")
        go(page, name)
        page.wait_for_function("n => ghosts.length >= n", arg=moved)
        assert here(page) == name
        page.wait_for_function("!document.querySelector('.way-ghost')")
    assert page.evaluate("ghosts.at(-1)") == piece
    page.locator(".way-chip").nth(0).click()  # and at each change
    page.wait_for_function("ghosts.length > 1")


def test_nothing_moves_for_who_wants_no_motion(calm):
    calm.evaluate(GHOSTS)
    for name in ("heads", "forward", "again"):
        go(calm, name)
        calm.locator(".way-chip").nth(1).click()
    assert calm.evaluate("ghosts") == []


# The smallest letters of the drawing that can be seen, in pixels.
LETTERS = """() => {
    const drawing = document.querySelector('.way-drawing .machine');
    const frame = drawing.getBoundingClientRect();
    const inside = box => box.right > frame.left && box.left < frame.right
        && box.bottom > frame.top && box.top < frame.bottom;
    return Math.min(...[...drawing.querySelectorAll('text')]
        .filter(one => one.checkVisibility()
                && inside(one.getBoundingClientRect()))
        .map(one => parseFloat(getComputedStyle(one).fontSize)
                    * drawing.getScreenCTM().a));
}"""


def test_the_words_of_the_drawing_can_be_read_at_each_station(calm):
    for name in ORDER:
        go(calm, name)
        assert 10.99 <= calm.evaluate(LETTERS) < 20, name
    calm.evaluate("Live.way.travel.aim([])")  # the whole machine: numbers
    assert 10.99 <= calm.evaluate(LETTERS) < 20


def test_it_starts_with_a_noun_and_its_word(calm):
    for text, korean, english in (
        (SENTENCE, "선생님", "teacher"),
        ("The student read the book in the library.", "도서관", "library"),
        ("The cat did not cross the river because it was too deep.",
         "고양이", "cat"),
    ):  # fmt: skip
        ask(calm, text)
        assert calm.evaluate("Live.way.word") == english
        assert calm.evaluate("Live.way.pieces[Live.way.step].text") == korean


def numbers(text):
    """Return the numbers of a text."""
    return [
        float(one.replace("−", "-")) for one in re.findall(r"−?\d[\d.]*", text)
    ]


def test_the_shares_can_be_computed_again_from_what_is_shown(calm):
    """q . k, its quarter, and softmax over the scores of the list."""
    place = go(calm, "head")
    rows = place.locator("button.way-score")
    scores = [
        numbers(row.locator(".way-number").first.inner_text())[0]
        for row in rows.all()
    ]
    total = sum(map(exp, scores))
    for n, row in enumerate(rows.all()):
        row.click()
        line = go(calm, "head").locator(".way-sum").inner_text()
        product, root, score, share = numbers(line)[-4:]
        assert score == scores[n] == pytest.approx(product / root, abs=0.011)
        assert share == pytest.approx(100 * exp(score) / total, abs=1.5)


def test_the_piece_that_is_followed_is_followed_everywhere(calm):
    chips = calm.locator(".way-chip")
    go(calm, "pieces")
    chips.nth(4).click()
    word = chips.nth(4).inner_text()
    for name in ("pieces", "embedding", "head", "add", "forward"):
        assert word in go(calm, name).inner_text()
    assert (
        f"q\u00a0{word}" in go(calm, "head").locator(".way-asks").inner_text()
    )
    chips.nth(4).focus()
    calm.keyboard.press("ArrowRight")
    assert calm.evaluate("Live.way.follow") == 5
    assert chips.nth(5).evaluate("it => it === document.activeElement")


def test_the_korean_piece_is_chosen_in_the_decoder(calm):
    go(calm, "next")
    chips = calm.locator(".way-chip")
    for n, name in ((0, "next"), (3, "cross"), (3, "next")):
        chips.nth(n).click()
        place = go(calm, name)
        assert calm.evaluate("Live.way.step") == n
        if name == "next":
            best = place.locator(".way-strong .way-label > span").first
            assert best.inner_text() == chips.nth(n).inner_text()


def test_an_address_brings_back_sentence_and_choices(visit, calm):
    ask(calm, SENTENCE)
    go(calm, "head")
    calm.locator(".way-chip").nth(2).click()
    calm.locator("[data-station=head] .live-choice label").nth(3).click()
    go(calm, "cross")
    link = calm.evaluate("location.hash")
    chosen = "[Live.way.text, Live.way.name, Live.way.follow, Live.way.head]"
    wanted = calm.evaluate(chosen)
    assert wanted == [SENTENCE, "cross", 2, 3]
    with visit(PAGE + link, formulas=False, **CALM) as other:
        until_ready(other)
        assert other.evaluate(chosen) == wanted


def test_the_cover_leads_to_the_way_of_its_sentence(visit):
    with visit("book/index.html", formulas=False, **CALM) as cover:
        cover.locator(".live").scroll_into_view_if_needed()
        link = cover.get_by_role("link", name="See how it did that")
        link.wait_for()
        ask(cover, "I love you.")
        text = cover.evaluate(f"{FACE}.state.text")
        link.click()  # there is one: the tile takes the sentence along
        cover.wait_for_url("**/whole_way.html*")
        until_ready(cover)
        assert cover.evaluate("Live.way.text") == text


def test_without_motion_one_station_is_there_at_a_time(calm):
    sections = calm.locator("section:has(> .way-station)")
    for n in range(3):
        shown = [one.is_visible() for one in sections.all()]
        assert shown == [i == n for i in range(len(ORDER))]
        calm.get_by_role("button", name="Next").click()
    calm.get_by_label("one station at a time").uncheck()
    assert all(one.is_visible() for one in sections.all())


def test_what_is_not_touched_is_not_drawn_again(calm):
    calm.get_by_label("one station at a time").uncheck()
    calm.evaluate("Live.way.draw(Live.way.places)")
    calm.evaluate(
        "Live.way.places.forEach(place => place.firstChild.kept = true)"
    )
    calm.evaluate("Live.way.change({head: (Live.way.head + 1) % 4})")
    calm.evaluate("Live.way.draw(Live.way.places)")
    kept = calm.evaluate(
        "Live.way.places.filter(place => !place.firstChild.kept)"
        ".map(place => place.dataset.station)"
    )
    assert kept == ["head", "heads"]


@pytest.mark.parametrize(  # colors push nothing out; `make test-all` draws both
    "scheme", ["light", pytest.param("dark", marks=pytest.mark.whole)]
)
def test_on_a_phone_nothing_sticks_out(visit, shots, scheme):
    with visit(PAGE, formulas=False, color_scheme=scheme, **PHONE) as page:
        until_ready(page)
        for name in ORDER:
            go(page, name)
            page.evaluate(STILL)
            assert page.evaluate(EXCESS) <= 0, name
            assert page.evaluate(LETTERS) >= 10.99, name
            if shots is not None:
                page.screenshot(path=shots / f"way.{name}.{scheme}.390.png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, axe, scheme):
    with visit(PAGE, formulas=False, color_scheme=scheme, **CALM) as page:
        until_ready(page)
        page.get_by_label("one station at a time").uncheck()
        page.evaluate("Live.way.draw(Live.way.places)")
        page.evaluate(axe)
        found = [
            f"{one['id']}: {one['nodes'][0]['html'][:120]}"
            for one in page.evaluate(RUN.replace("RULES", AXE_RULES[scheme]))
        ]
        assert found == []


def test_without_scripts_each_station_has_a_picture_with_words(visit):
    with visit(PAGE, java_script_enabled=False) as page:
        pictures = page.locator("[data-station]")
        assert pictures.count() == len(ORDER)
        for n, name in enumerate(ORDER):
            figure = pictures.nth(n).locator("[role=img], ol").first
            assert figure.is_visible()
            if name != "pieces":
                assert figure.get_attribute("aria-label")
        offered = page.locator(".bd-article").locator("input, button")
        assert offered.count() == 0  # nothing that would do nothing


def test_on_paper_all_stations_stand_with_the_sentence(calm):
    ask(calm, SENTENCE)
    calm.evaluate("dispatchEvent(new Event('beforeprint'))")
    calm.emulate_media(media="print")
    for one in calm.locator("section:has(> .way-station)").all():
        assert one.is_visible()
    pieces = calm.locator("[data-station=pieces] li span")
    assert pieces.all_inner_texts() == calm.evaluate(f"{FACE}.words")


def test_it_weighs_no_more_than_the_cover_and_60_kb():
    """Page, scripts and style; the weights are the same file."""

    def weight(name):
        text = (HTML / name).read_text(encoding="utf-8")
        own = re.findall(
            r'(?:src|href)="(\.\./_static/[^"?]+\.(?:js|css))', text
        )
        files = {(HTML / name).parent / one for one in own}
        return len(text.encode()) + sum(f.stat().st_size for f in files)

    assert weight(PAGE) <= weight("book/index.html") + 60_000
