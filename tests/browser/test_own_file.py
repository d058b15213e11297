"""The last page of the course translates with a reader's own file."""

import json

import pytest
from conftest import AXE_RULES, PHONE
from live_page import FACE, ask, settle, shown, until_ready, written
from own_files import a_file, spoilt

from transformer_course import workbook
from transformer_lib.translator import Translator

PAGE = "book/what_you_have_built.html"
CALM = {"reduced_motion": "reduce"}
CHOICE = ".live-own input"
BACK = ".live-own button"
TIRED = "The cat did not cross the river because it was too tired."
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "390px": PHONE,
}
DROP = """([name, text]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], name));
    for (const kind of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, {
            dataTransfer: carried, bubbles: true, cancelable: true }));
    }
}"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The file of a Transformer with the book's weights, as a text."""
    folder = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER_WORKBOOK", str(folder / "my_transformer.py"))
        script = workbook.export(folder / "out", weights="book")
    return script.with_name("my_translator.json").read_text("utf-8")


@pytest.fixture
def page(visit):
    with visit(PAGE, formulas=False, **CALM) as opened:
        until_ready(opened)
        yield opened
        assert opened.complaints == []
        assert opened.outside == []


def give(page, text, name="my_translator.json"):
    """Choose a file; return what is said of it."""
    data = text.encode() if isinstance(text, str) else text
    before = page.locator(".live-own-said").inner_text()
    page.locator(CHOICE).set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": data}
    )
    page.wait_for_function(
        "old => document.querySelector('.live-own-said').innerText !== old",
        arg=before,
    )
    settle(page)
    return page.locator(".live-own-said").inner_text()


def test_it_translates_with_the_file_and_goes_back(page, exported):
    book = page.locator(".live-verdict").inner_text()
    assert "Sure: right with probability" in book
    asked = page.evaluate("performance.getEntriesByType('resource').length")
    said = give(page, exported)
    assert said.startswith("Here is what the book's Transformer learned in")
    assert "Its parts are the book’s." in said
    assert "without a probability" in said
    ask(page, TIRED)
    assert written(page) == Translator.shipped().translate([TIRED])[0]
    told = page.locator(".live-verdict").inner_text()
    assert "probability" not in told and "Sure" not in told
    assert "learned in 8,000 updates, computed in your browser" in told
    assert page.locator(".live-verdict a").count() == 0
    ask(page, "the zyzzyva slept")
    told = page.locator(".live-sure").inner_text()
    assert told == "Doubtful: it does not know “zyzzyva”."
    ask(page, TIRED)
    page.locator(BACK).click()
    settle(page)
    assert page.locator(BACK).is_hidden()
    assert page.locator(".live-input").input_value() == TIRED
    assert "probability" in page.locator(".live-verdict").inner_text()
    assert page.evaluate("document.activeElement.type") == "file"
    assert asked == page.evaluate(
        "performance.getEntriesByType('resource').length"
    )
    kept = "Object.values({...localStorage, ...sessionStorage}).join()"
    assert "encoder" not in page.evaluate(kept)


def test_what_is_unfit_gets_a_sentence_and_nothing_else_happens(page):
    before = page.locator(".live-stage").inner_text()
    for text, words in {
        b"\x00" * 5_000_001: "5 MB are read at most",
        b"\xff\xfe{": "not JSON",
        spoilt("sizes d_model", 10**9): "d_model has to be a whole number",
        spoilt("tokens", ["<pad>"]): "has 1 tokens",
        spoilt("weights x", "<img src=x>"): "does not have: 1 of them",
    }.items():
        said = give(page, text)
        assert words in said and said.endswith("Nothing has changed.")
        assert page.locator(BACK).is_hidden()
    assert page.locator(".live-stage").inner_text() == before
    assert page.evaluate(f"{FACE}.translator.measured")


def test_a_file_may_be_dropped_anywhere(page, exported):
    page.evaluate(DROP, ["my_translator.json", exported])
    page.locator(BACK).wait_for()
    settle(page)
    assert page.evaluate(f"{FACE}.translator.confidence") is None
    assert not page.locator(".live-let-go").count()


def test_tokens_are_text_and_few_words_are_enough(page):
    """Every word of this model is markup, or a name that objects have."""
    data = a_file()
    data["tokens"][4:] = ["<img/src=x/onerror=hit=1>", "__proto__", "toString"]
    data["trained"] = "<b>what</b> it learned"
    give(page, json.dumps(data))
    for text in ("toString __proto__ zyzzyva", "toString", "Hello", TIRED):
        ask(page, text)
    assert len(shown(page)) >= 1
    assert page.evaluate("window.hit") is None
    assert page.locator(".live img, .live b b, .live-own b").count() == 0
    assert (
        "<b>what</b> it learned" in page.locator(".live-own-said").inner_text()
    )
    page.locator(".live-lexicon summary").click()
    page.locator(".live-words > *").first.wait_for()
    page.locator(".live-any").click()
    settle(page)
    assert page.locator(".live-input").input_value()


def test_the_dialog_opens_by_key(page, exported):
    with page.expect_file_chooser() as opened:  # before a key is pressed
        page.locator(".live-lexicon summary").focus()
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.type") == "file":
                break
        ring = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(ring) != "none"
        page.keyboard.press("Enter")
    opened.value.set_files(
        {
            "name": "my_translator.json",
            "mimeType": "application/json",
            "buffer": exported.encode(),
        }
    )
    page.locator(BACK).wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(
        f"document.querySelector('{BACK}').hidden && {FACE}.translator.measured"
    )


@pytest.mark.parametrize("look", LOOKS)
def test_it_fits_every_look(visit, axe, shots, exported, look):
    with visit(PAGE, formulas=False, **CALM, **LOOKS[look]) as page:
        until_ready(page)
        give(page, exported)
        page.evaluate(axe)
        rules = AXE_RULES.get(look, "{}")
        found = page.evaluate(
            "axe.run({include: [['.live'], ['.live-own']]}, {preload: false,"
            f" resultTypes: ['violations'], ...{rules}}}).then(found =>"
            " found.violations.map(one => one.id))"
        )
        assert found == []
        wide = "document.documentElement.scrollWidth - innerWidth"
        assert page.evaluate(wide) <= 0
        letters = f"getComputedStyle(document.querySelector('{CHOICE}'))"
        assert float(page.evaluate(f"{letters}.fontSize")[:-2]) >= 16
        if shots is not None:
            page.locator(".live-own").scroll_into_view_if_needed()
            page.screenshot(path=shots / f"own-file.{look}.png")
