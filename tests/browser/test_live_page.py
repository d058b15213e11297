"""The live translator under a reader's hands: keys, mouse, finger, link."""

import json

import pytest
from built import HTML, ROOT
from conftest import PHONE, turn_to
from live_page import (
    FACE,
    SILENT,
    SMALL,
    WHOLE,
    ask,
    heard,
    selected,
    settle,
    shown,
    translate,
    unfold,
    until_ready,
    written,
)

CALM = {"reduced_motion": "reduce"}
TYPED = ROOT / "benchmarks" / "results" / "typed_sentences.json"


@pytest.fixture(scope="module")
def tab(visit):
    """A tab in which the whole translator is opened, without motion."""
    with visit(WHOLE, formulas=False, **CALM) as opened:
        yield opened


@pytest.fixture
def page(tab, address):
    """The whole translator, opened anew."""
    turn_to(tab, "about:blank")  # another fragment alone would load nothing
    turn_to(tab, f"{address}/{WHOLE}")
    until_ready(tab)
    yield tab
    assert tab.complaints == []
    assert tab.outside == []


@pytest.fixture
def sentences(page):
    """Sentences that the translator knows."""
    return page.evaluate(f"{FACE}.translator.texts.sentences")


def highlights(page):
    """Return how deeply each English word is colored."""
    return page.locator(".live-word").evaluate_all(
        "all => all.map(one => Number(one.style.getPropertyValue('--w')))"
    )


def test_typing_translates(page, sentences):
    for text in sentences[:3]:
        ask(page, text)
        assert written(page) == translate(page, text)
        assert "".join(shown(page)[:-1]) == written(page).replace(" ", "")


def test_a_missing_end_mark_is_added_where_one_sees_it(page, sentences):
    text = next(text for text in sentences if text.endswith("."))
    ask(page, text[:-1])
    assert written(page) == translate(page, text)
    assert page.locator(".live-word").last.inner_text() == "."


def test_each_piece_has_its_sound_and_its_meaning(page, sentences):
    ask(page, sentences[0])
    for part in (".live-latin", ".live-gloss"):
        texts = page.locator(f".live-piece {part}").all_inner_texts()
        assert sum(map(bool, texts)) >= len(texts) - 2  # marks have no sound


def test_buttons_and_chance_bring_sentences(page, sentences):
    samples = page.evaluate(f"{FACE}.translator.texts.samples")
    chips = page.locator(".live-chip")
    assert chips.count() == len(samples) + 1
    for place, (kind, text) in list(enumerate(samples))[::4]:
        chips.nth(place).click()
        settle(page)
        assert chips.nth(place).inner_text() == kind.replace("-", " ")
        assert page.locator(".live-input").input_value() == text
    chips.last.click()
    settle(page)
    assert page.locator(".live-input").input_value() in sentences


def test_unknown_words_are_marked_and_named(page, sentences):
    ask(page, "zyzzyva " + sentences[0])
    assert "zyzzyva" in page.locator(".live-unknown").inner_text()
    assert "zyzzyva" in page.locator(".live-sure").inner_text()


def verdict(page):
    """Return the step of the verdict, and its words."""
    shown = page.locator(".live-sure")
    step = shown.get_attribute("class").split("live-")[-1]
    return step, shown.inner_text()


@pytest.mark.parametrize(
    "trust, step, words",
    [
        ("sure", "yes", "Sure: right with probability "),
        ("perhaps", "maybe", "Perhaps: right with probability "),
        ("doubtful", "no", "Doubtful: right with probability "),
    ],
)
def test_words_and_number_of_the_verdict_agree(page, trust, step, words):
    rows = json.loads(TYPED.read_text("utf-8"))["free"]["rows"]
    some = [r for r in rows if r["trust"] == trust and r["translation"]]
    some.sort(key=lambda row: not row["lost_words"])
    for row in some[:3]:
        ask(page, row["source"])
        p = page.evaluate(f"{FACE}.verdict.confidence().p")
        found_step, found = verdict(page)
        assert found_step == step
        assert found.startswith(words) and "✓" not in found
        number = float(found.split(" %")[0].split()[-1])
        assert number == pytest.approx(100 * p, abs=0.51)
        assert ("may have got lost" in found) == bool(row["lost_words"])
        assert all(f"“{word}”" in found for word in row["lost_words"])


def test_an_unknown_word_is_never_trusted(page, sentences):
    ask(page, sentences[0])
    page.evaluate(
        f"{FACE}.translator.confidence.of = () => ({{p: 0.9, step: 'yes', "
        "lost: []})"
    )
    ask(page, sentences[0])
    assert verdict(page)[1] == "Sure: right with probability 90 %"
    ask(page, "zyzzyva " + sentences[0])
    assert verdict(page)[0] == "no"
    assert "%" not in verdict(page)[1]


def silent(page):
    """Type a sentence for which the translator writes nothing."""
    for text in SILENT:
        ask(page, text)
        if page.evaluate(f"{FACE}.written.tokens.length") == 0:
            return
    pytest.fail("it translates all of SILENT: look for another sentence")


@pytest.mark.parametrize("name", [SMALL, WHOLE])
def test_a_silent_translator_says_so_and_offers_a_sentence(visit, name):
    with visit(name, formulas=False, **CALM) as page:
        until_ready(page)
        silent(page)
        step, words = verdict(page)
        unknown = page.locator(".live-unknown").first.inner_text()
        assert step == "no"
        assert words.startswith(
            "Doubtful: it wrote nothing, since it does not know “"
        )
        assert unknown.split()[0] in words
        white = page.evaluate(
            """() => {
                const box = name => document.querySelector(name)
                    .getBoundingClientRect();
                return box('.live-sure').top - box('.live-source').bottom;
            }"""
        )
        assert white < 60 or name == WHOLE  # there it draws the end
        said = heard(page, words)
        assert said.startswith(words) and "A sentence that it knows" in said
        offered = page.locator(".live-offer button")
        text = offered.inner_text()
        known = page.locator(".live-word:not(.live-unknown)")
        assert any(
            word in text.lower().rstrip(".").split()
            for word in known.all_inner_texts()
        )
        offered.click()
        settle(page)
        assert page.locator(".live-input").input_value() == text
        assert verdict(page)[0] == "yes"
        assert page.locator(".live-offer").is_hidden()
        assert page.complaints == []


@pytest.mark.parametrize("name", [SMALL, WHOLE])
def test_what_visitors_type_is_answered(visit, name):
    """In words, with a sentence to take that it is sure of."""
    with visit(name, formulas=False, **CALM) as page:
        until_ready(page)
        for text, words in {
            "Attention is all you need.": "does not know “attention”, “all”",
            "Hello": "no greetings",
            "고양이는 물을 마신다": "This is Korean",
            "The cat slept. I am happy.": "These are two sentences",
            "word " * 500: "Too long: 500 words",
            "": "nothing to translate",
        }.items():
            ask(page, text)
            answer = page.locator(".live-note, .live-offer, .live-sure")
            said = " ".join(
                one.inner_text() for one in answer.all() if one.is_visible()
            )
            assert words in said
            heard(page, words)
            offered = page.locator(
                ".live-note button:visible, .live-offer button:visible"
            )
            assert offered.count() == 1
            taken = offered.inner_text()
            offered.click()
            settle(page)
            assert page.locator(".live-input").input_value() == taken
            assert verdict(page)[0] == "yes"
            assert page.locator(".live-note").is_hidden()
        assert page.complaints == []


def test_of_two_sentences_the_first_is_translated(page):
    ask(page, "The cat slept. I am happy.")
    assert written(page) == translate(page, "The cat slept.")
    assert page.locator(".live-note button").inner_text() == "I am happy."


def test_nothing_is_drawn_where_nothing_is_read(page):
    for text in ("고양이", "", " "):
        ask(page, text)
        assert page.locator(".live-stage").is_hidden()
        assert page.locator(".live-sure").is_hidden()


@pytest.mark.parametrize("name", [SMALL, WHOLE])
def test_its_words_are_within_reach(visit, name):
    with visit(name, formulas=False, **CALM) as page:
        until_ready(page)
        summary = page.locator(".live-lexicon summary")
        assert summary.inner_text() == (
            "English to Korean, some 550 words: see them"
        )
        summary.click()
        words = page.locator(".live-words > *")
        words.first.wait_for()  # a browser tells of the opening afterwards
        words = words.all_inner_texts()
        known = page.evaluate(
            f"all => all.every(one => {FACE}.translator.tokenizer.knows(one))",
            words,
        )
        assert known and {"cat", "river", "went"} <= set(words)
        assert len(words) > 1000
        page.locator(".live-words button[tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        settle(page)
        word = page.evaluate("document.activeElement.textContent")
        assert word in page.locator(".live-word").all_inner_texts()
        page.keyboard.press("Tab")  # one step, and one is out of the list
        assert page.evaluate("!document.activeElement.closest('.live-words')")


def test_glosses_follow_the_sentence_and_are_explained(page):
    for text, token, gloss in (
        ("The girl crossed the river.", "강", "river"),
        ("My mother sees the river.", "신", "HON.PRS"),
        ("I know that the cat is old.", "는", "ADN"),
    ):
        ask(page, text)
        pieces = page.locator(".live-piece", has_text=token)
        assert gloss in pieces.last.locator(".live-gloss").inner_text()
        glosses = page.locator(".live-piece .live-gloss").all_inner_texts()
        used = {
            part
            for one in glosses
            for part in one.split(".")
            if part.isupper() and part != "I"
        }
        labels = page.locator(".live-labels b").all_inner_texts()
        assert set(labels) == used


def test_what_is_cut_is_said(page, sentences):
    note = page.locator(".live-note")
    assert note.is_hidden()
    ask(page, "cat " * 70)  # few letters, too many words
    assert "64 words" in note.inner_text()
    assert page.locator(".live-word").count() == 64
    ask(page, "wonderfully " * 40)  # few words, too many letters
    assert "400 letters" in note.inner_text()
    assert len(page.locator(".live-input").input_value()) == 400
    heard(page, note.inner_text())
    ask(page, sentences[0])
    assert note.is_hidden()


def test_nonsense_is_not_trusted_and_a_sentence_is(page):
    sentence = "The dog did not drink the milk."
    ask(page, sentence)
    assert "live-yes" in page.locator(".live-sure").get_attribute("class")
    ask(page, " ".join(reversed(sentence[:-1].split())) + ".")
    assert "Doubtful" in page.locator(".live-sure").inner_text()


def test_pointing_shows_where_the_decoder_looked(page):
    wanted = page.evaluate(
        f"Live.mapOf({FACE}.written.maps, {FACE}.look).map(row => [...row])"
    )
    for place in (0, 2, 1):
        page.locator(".live-piece").nth(place).hover()
        assert selected(page) == place
        assert highlights(page) == pytest.approx(wanted[place], abs=1e-6)
        assert page.locator(".live-stage path").count() == sum(
            weight >= 0.04 for weight in wanted[place]
        )


def test_a_new_sentence_lights_the_piece_that_means_what_it_saw(page):
    """A word, and not the mark or the particle that had its place."""
    page.locator(".live-piece").last.hover()
    for text, piece, word in (
        ("The cat did not cross the river because it was too deep.",
         "강", "river"),
        ("The cat did not cross the river because it was too tired.",
         "고양이", "cat"),
        ("I love you.", "사랑", "love"),
    ):  # fmt: skip
        ask(page, text)
        lit = page.locator(".live-piece[aria-checked=true] .live-hangul")
        assert lit.inner_text() == piece
        assert f"“{word}”" in page.locator(".live-looks").first.inner_text()
    mark = page.locator(".live-piece", has_text=".").last
    mark.hover()
    assert mark.locator(".live-gloss").inner_text() == ""
    page.locator(".live-word").first.click()  # hidden: the place is kept
    settle(page)
    assert selected(page) > 3


def test_arrow_keys_move_among_the_pieces(page):
    page.locator(".live-piece").first.focus()
    before = page.locator(".live-looks").first.inner_text()
    page.keyboard.press("ArrowRight")
    assert selected(page) == 1
    assert page.locator(".live-looks").first.inner_text() != before
    page.keyboard.press("End")
    assert selected(page) == len(shown(page)) - 1
    page.keyboard.press("Tab")
    inside = page.evaluate("document.activeElement.closest('.live-target')")
    assert inside is None


def test_a_finger_selects_at_390_px(visit):
    with visit(WHOLE, formulas=False, **PHONE, **CALM) as phone:
        until_ready(phone)
        phone.locator(".live-piece").nth(2).tap()
        assert selected(phone) == 2
        for box in phone.locator(".live-piece, .live-chip").all():
            assert box.bounding_box()["height"] >= 24
        assert phone.evaluate(
            "document.documentElement.scrollWidth <= innerWidth"
        )


def test_another_token_is_chosen_and_taken_back(page):
    unfold(page, "five best")
    page.locator(".live-piece").nth(0).click()
    before = written(page)
    bars = page.locator(".live-bar")
    assert bars.count() == 5
    assert bars.nth(0).get_attribute("aria-pressed") == "true"
    token = bars.nth(1).locator("span").first.inner_text()
    bars.nth(1).click()
    settle(page)
    assert shown(page)[0] == token.removeprefix("+")
    assert before in page.locator(".live-changed").inner_text()
    page.get_by_text("Undo all").click()
    settle(page)
    assert written(page) == before


def test_a_hidden_word_gets_no_attention(page):
    word = page.locator(".live-word").nth(1)
    word.click()
    settle(page)
    assert word.get_attribute("aria-pressed") == "true"
    for place in range(3):
        page.locator(".live-piece").nth(place).hover()
        assert highlights(page)[1] == 0
    word.click()
    settle(page)
    assert page.locator(".live-changed").is_hidden()


def test_a_new_sentence_forgets_the_hidden_word(page, sentences):
    page.locator(".live-word").nth(1).click()
    settle(page)
    ask(page, sentences[0])
    assert page.locator(".live-changed").is_hidden()
    assert written(page) == translate(page, sentences[0])


def test_the_end_mark_is_exchanged(page):
    unfold(page, "Change something")
    before = page.locator(".live-input").input_value()
    page.locator(".live-choice label", has_text="?").click()
    settle(page)
    question = page.locator(".live-input").input_value()
    assert question == before[:-1] + "?"
    assert written(page) == translate(page, question)
    page.locator(".live-choice label", has_text="none").click()
    settle(page)
    assert written(page) == translate(page, before[:-1])


def test_every_map_is_drawn_and_read_out(page):
    unfold(page, "Every attention map")
    model = page.evaluate(f"{FACE}.translator.model.config")
    heads = page.locator(".live-head")
    assert heads.count() == model["n_layers"] * (model["n_heads"] + 1)
    n = page.locator(".live-word").count()
    for kind, rows in ((1, n), (2, len(shown(page))), (0, len(shown(page)))):
        page.locator(".live-fold .live-choice label").nth(kind).click()
        heads.nth(2).click()
        assert page.locator(".live-row").count() == rows
        assert page.locator(".live-thumb rect").count() > model["n_heads"]
    page.locator(".live-row[aria-pressed=true]").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    said = page.locator(".live-fold .live-looks").inner_text()
    assert said.startswith(f"“{shown(page)[1]}” looks at “")
    assert selected(page) == 1


def test_a_head_is_switched_off_and_on(page):
    unfold(page, "Every attention map")
    page.locator(".live-head").nth(1).click()
    box = page.get_by_label("This head is switched on")
    box.uncheck()
    settle(page)
    (name,) = page.evaluate(f"{FACE}.state.headsOff")
    assert name == "decoder.layers.0.cross_attention.0"
    assert "cross 1.1 off" in page.locator(".live-changed").inner_text()
    box.check()
    settle(page)
    assert page.evaluate(f"{FACE}.state.headsOff") == []


@pytest.mark.parametrize("part", ["positions", "causal", "scaled"])
def test_what_is_taken_away_changes_the_scores(page, sentences, part):
    unfold(page, "Change something")
    words = {"positions": "positions", "causal": "mask", "scaled": "scaling"}
    page.locator(".live-away label", has_text=words[part]).click()
    for text in sentences[:4]:
        ask(page, text)
        how = f"{{changes: {{{part}: false}}}}"
        assert written(page) == translate(page, text, how)
        assert page.evaluate(
            f"""{FACE}.written.logP[1].some((value, id) =>
                Math.abs(value - {FACE}.unchanged.logP[1][id]) > 0.001)"""
        )


def test_beam_search_shows_its_beams(page):
    unfold(page, "Change something")
    page.locator(".live-choice label", has_text="beam").click()
    settle(page)
    beams = page.locator(".live-others li").all_inner_texts()
    assert len(beams) == page.evaluate(f"{FACE}.state.beam")
    assert beams[0].startswith(written(page))


def test_chance_draws_again_and_repeats_itself(page):
    unfold(page, "Change something")
    page.locator(".live-choice label", has_text="random").click()
    page.evaluate(f"{FACE}.change({{temperature: 2}})")
    settle(page)
    first = written(page)
    page.get_by_text("Draw again").click()
    settle(page)
    assert written(page) != first
    page.evaluate(f"{FACE}.change({{seed: 1}})")
    settle(page)
    assert written(page) == first
    page.evaluate(f"{FACE}.change({{temperature: 0.1}})")
    settle(page)
    text = page.locator(".live-input").input_value()
    assert written(page) == translate(page, text)


def test_the_board_keeps_sentences_by_construction(page):
    samples = page.evaluate(f"{FACE}.translator.texts.samples")
    unfold(page, "Break it")
    for _, text in samples[:3]:
        ask(page, text)
        page.get_by_text("Keep this sentence").click()
        page.get_by_text("Keep this sentence").click()  # once is enough
    kept = page.locator(".live-board li")
    assert kept.count() == 3
    kinds = [kind.replace("-", " ") for kind, _ in samples[:3]]
    for item, kind in zip(kept.all_inner_texts(), kinds, strict=True):
        assert kind in item
    kept.nth(0).locator(".live-kept").click()
    settle(page)
    assert page.locator(".live-input").input_value() == samples[0][1]
    kept.nth(0).locator(".live-remove").click()
    assert kept.count() == 2
    stored = page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}])"
    )
    assert all(sentence not in stored for _, sentence in samples)


def test_a_link_holds_the_state(page, visit):
    state = {
        "text": page.evaluate(f"{FACE}.translator.texts.samples[1][1]"),
        "bare": True,
        "hidden": [1],
        "headsOff": ["decoder.layers.0.cross_attention.0"],
        "scaled": False,
        "search": "beam",
        "beam": 3,
    }
    page.evaluate(f"state => {FACE}.change(state)", state)
    settle(page)
    page.get_by_text("Link to this").click()
    link = page.evaluate("location.hash")
    assert link.startswith("#s=")
    for base in (None, HTML.as_uri()):
        with visit(WHOLE + link, base, formulas=False, **CALM) as other:
            until_ready(other)
            settle(other)
            assert written(other) == written(page)
            found = other.evaluate(f"{FACE}.state")
            assert {name: found[name] for name in state} == state
            assert other.complaints == []


def test_a_strange_link_does_no_harm(visit):
    strange = "#s=%3Cimg%20src=x%3E&hide=9+x&off=a.b&beam=99&say=%2B%2B"
    with visit(WHOLE + strange, formulas=False, **CALM) as page:
        until_ready(page)
        assert page.complaints == []
        assert page.locator(".live img").count() == 0
        assert page.locator(".live-input").input_value() == "<img src=x>"


# Translate while a clock goes 5 ms a token and stands otherwise; count how many
# tokens are computed between two looks at the reader, and how many in all.
STEPS = """async text => {
    const app = document.querySelector('.live').face;
    const { model } = app.translator;
    const next = model.next;
    const { port1, port2 } = new MessageChannel();
    let clock = 0, steps = 0, most = 0, all = 0, done = false;
    performance.now = () => clock;
    model.next = (...rest) => {
        clock += 5;
        most = Math.max(most, ++steps);
        all += 1;
        return next.apply(model, rest);
    };
    port1.onmessage = () => {
        steps = 0;
        if (!done) port2.postMessage(null);
    };
    port2.postMessage(null);
    await app.change({ text });
    done = true;
    return [most, all];
}"""


def test_typing_never_waits(page, sentences):
    """A slice of 8 ms is two tokens then, though a step has eight."""
    page.evaluate(f"{FACE}.change({{search: 'beam', beam: 8}})")
    settle(page)
    long = " and ".join(text.rstrip(".?") for text in sentences[:6])
    most, every = page.evaluate(STEPS, long)
    assert every > 50
    assert most <= 4  # two slices, if a look comes late


# Write down which pieces were ever to come later.
WATCH = """() => {
    window.later = new Set();
    new MutationObserver(() => document.querySelectorAll('.live-later')
        .forEach(piece => later.add(piece))
    ).observe(document.querySelector('.live'), {
        subtree: true, attributeFilter: ['class'],
    });
}"""


def test_a_sentence_is_played_and_motion_can_be_refused(visit):
    for wish, pieces in (("no-preference", True), ("reduce", False)):
        with visit(SMALL, formulas=False, reduced_motion=wish) as page:
            page.locator(".live").scroll_into_view_if_needed()
            page.wait_for_selector(".live-piece[role=radio]")
            page.evaluate(WATCH)
            page.locator(".live-chip").first.click()
            settle(page)
            assert page.evaluate("later.size > 0") == pieces
            page.wait_for_function(
                "!document.querySelector('.live-later')", timeout=20_000
            )
            # It ends on the word that the sentence is about.
            lit = page.locator(".live-piece[aria-checked=true]", has_text="강")
            lit.wait_for(timeout=20_000)


def test_the_small_one_leads_to_the_whole_one_with_its_sentence(visit):
    with visit(SMALL, formulas=False, **CALM) as page:
        until_ready(page)
        assert page.locator(".live summary").count() == 1  # its words
        page.locator(".live-chip").nth(1).click()
        settle(page)
        text = page.locator(".live-input").input_value()
        page.get_by_text("Look inside").click()
        until_ready(page)
        assert page.locator(".live-input").input_value() == text
        assert page.locator(".live summary").count() == 6


def test_a_screen_reader_hears_the_translation(page, sentences):
    ask(page, sentences[0])
    said = heard(page, written(page))
    assert page.locator(".live-sure").inner_text() in said
    page.locator(".live-piece").nth(1).focus()
    described = (
        page.locator(".live-piece").nth(1).get_attribute("aria-describedby")
    )
    looks = page.locator(f"#{described}").inner_text()
    assert looks.startswith(shown(page)[1])


@pytest.mark.parametrize("name", [SMALL, WHOLE])
def test_without_scripts_there_is_a_still_picture(visit, name):
    with visit(name, java_script_enabled=False) as page:
        assert page.locator(".live-hangul").count() > 3
        assert page.locator(".live button").count() == 0
        assert "scripts" in page.locator(".live-looks").inner_text()
