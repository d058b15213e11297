"""Before the click, and where Python cannot run: the page goes on."""

import json
import re

import pytest
from bare_machine import ROOT, found, make_machine
from built import HTML
from conftest import AXE_RULES, PHONE
from local_server import served
from pack import book_files, pack
from python_page import FILES, exercises, put_all, solution

from transformer_course import PACKAGES

PAGE = "chapters/02_self_attention_by_hand.html"
SOFTMAX = '.exercise-work[data-exercise="softmax"]'
ANSWER = "def softmax(x, axis):\n    return np.exp(x)\n"


def manifest():
    text = (HTML / PAGE).read_text(encoding="utf-8")
    return json.loads(FILES.search(text)[1])["files"]


def type_and_check(page):
    work = page.locator(SOFTMAX)
    work.locator("textarea").fill(ANSWER)
    work.get_by_role("button", name="Check").click()
    verdict = work.locator(".verdict")
    verdict.filter(has_text="Not checked").wait_for()
    return verdict.inner_text()


def test_nobody_is_asked_before_the_click_and_the_size_is_said(visit):
    with visit(PAGE, formulas=False) as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload(wait_until="load")
        work = page.locator(SOFTMAX)
        work.locator("textarea").fill(ANSWER)
        page.wait_for_timeout(300)
        heavy = [u for u in asked if re.search(r"pyodide|\.zip|\.whl", u)]
        assert heavy == [] and page.outside == []
        said = work.locator(".python-size").inner_text()
        mb = round(sum(entry["size"] for entry in manifest()) / 1e6)
        assert f"loads Python and NumPy ({mb} MB" in said and 15 < mb < 20
        outside = [e for e in manifest() if e["address"].startswith("http")]
        assert not outside or "from cdn.jsdelivr.net" in said
        described = work.get_by_role("button", name="Check").get_attribute(
            "aria-describedby"
        )
        assert page.locator(f"#{described}").inner_text() == said


def test_an_untouched_answer_loads_nothing(visit):
    with visit(PAGE, formulas=False) as page:
        work = page.locator(SOFTMAX)
        page.on("request", lambda request: page.missing.append(request.url))
        work.get_by_role("button", name="Check").click()
        assert "Nothing to check yet" in work.locator(".verdict").inner_text()
        assert page.missing == []


def answering(page, answer):
    """Answer for each file of Python; return the addresses asked for."""
    asked = []
    wanted = {entry["address"].split("/")[-1] for entry in manifest()}

    def handle(route):
        asked.append(route.request.url)
        answer(route)

    page.route(lambda url: url.split("/")[-1] in wanted, handle)
    return asked


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda route: route.abort(), "could not be fetched; is there a"),
        (
            lambda route: route.fulfill(
                status=404, headers={"Access-Control-Allow-Origin": "*"}
            ),
            "is not where it should be (answer 404)",
        ),
        (
            lambda route: route.fulfill(
                body="other bytes", headers={"Access-Control-Allow-Origin": "*"}
            ),
            "is not the file that this book was tried with",
        ),
    ],
    ids=["no connection", "missing", "other bytes"],
)
def test_what_goes_wrong_on_the_way_is_said_in_a_sentence(visit, answer, said):
    with visit(PAGE, formulas=False) as page:
        asked = answering(page, answer)
        assert said in type_and_check(page)
        addresses = {entry["address"] for entry in manifest()}
        outside = {a for a in addresses if a.startswith("http")}
        assert {url for url in asked if "//127." not in url} <= outside
        assert page.locator("iframe").count() == 0
        # The page goes on: the button works again, and so does the quiz.
        assert said in type_and_check(page)


def test_without_webassembly_or_as_a_file_the_cells_stay(visit):
    with visit(PAGE, formulas=False) as page:
        page.add_init_script("delete globalThis.WebAssembly")
        page.reload(wait_until="load")
        work = page.locator(SOFTMAX)
        assert "has no WebAssembly" in work.inner_text()
        assert "checks.softmax(softmax)" in work.inner_text()
        assert work.locator("textarea").count() == 0
        assert "Not attempted yet" not in work.inner_text()
    with visit(PAGE, base=HTML.as_uri(), formulas=False) as page:
        work = page.locator(SOFTMAX)
        assert "opened as a file" in work.inner_text()
        assert "def softmax(x, axis):" in work.inner_text()
        assert page.complaints == []


def test_without_scripts_the_exercise_is_the_notebooks(visit):
    with visit(PAGE, formulas=False, java_script_enabled=False) as page:
        work = page.locator(SOFTMAX)
        assert "checks.softmax(softmax)" in work.inner_text()
        assert work.locator("textarea").count() == 0


# ------------------------------------------------------------------ the editor


def test_the_editor_indents_undoes_and_lets_the_keyboard_leave(visit):
    with visit(PAGE, formulas=False) as page:
        area = page.locator(SOFTMAX).locator("textarea")
        start = area.input_value()
        assert start.startswith("def softmax(x, axis):\n    ...")
        area.fill("")
        area.press_sequentially("def f(x):")
        area.press("Enter")
        area.press_sequentially("if x:")
        area.press("Enter")
        area.press("Backspace")
        area.press_sequentially("y = 1")
        area.press("Enter")
        area.press("Tab")
        area.press_sequentially("y")
        wanted = "def f(x):\n    if x:\n    y = 1\n        y"
        assert area.input_value() == wanted
        area.press("Control+a")
        area.press("Shift+Tab")
        area.press("Tab")
        assert area.input_value() == (
            "    def f(x):\n    if x:\n    y = 1\n        y"
        )
        for _ in range(2):
            area.press("Control+z")
        assert area.input_value() == wanted
        focused = "() => document.activeElement.tagName"
        area.press("Tab")
        assert page.evaluate(focused) == "TEXTAREA"
        area.press("Escape")
        page.keyboard.press("Tab")
        assert page.evaluate(focused) == "BUTTON"
        assert area.get_attribute("aria-describedby")
        assert "monospace" in area.evaluate(
            "e => getComputedStyle(e).fontFamily"
        ).lower().replace(" mono", "monospace")


def test_answers_are_kept_reset_and_downloaded(visit):
    with visit(PAGE, formulas=False) as page:
        work = page.locator(SOFTMAX)
        start = work.locator("textarea").input_value()
        work.locator("textarea").fill(ANSWER)
        page.reload(wait_until="load")
        assert work.locator("textarea").input_value() == ANSWER
        with page.expect_download() as saved:
            work.get_by_role("button", name="Download my answers").click()
        notebook = json.loads(saved.value.path().read_text("utf-8"))
        cells = ["".join(cell["source"]) for cell in notebook["cells"]]
        assert saved.value.suggested_filename == "my_answers.ipynb"
        assert cells[1].startswith("# Set-up.")
        assert cells[-2:] == [ANSWER, "checks.softmax(softmax)"]
        assert cells[3] == "### Exercise 2.1: softmax"
        tags = notebook["cells"][-2]["metadata"]["tags"]
        assert tags == ["answer:softmax"]
        work.get_by_role("button", name="Start over").click()
        assert work.locator("textarea").input_value() == start
        assert page.evaluate("() => localStorage['book.code']") == "{}"
        work.locator("textarea").press("Control+z")
        assert work.locator("textarea").input_value() == ANSWER


def publish(folder):
    """Put the packages where GitHub has the book's ZIP."""
    wanted = (
        *PACKAGES,
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "book/_tools/install.py",
        "chapters/00_before_we_start.ipynb",
    )
    names = [n for n in book_files() if n.startswith(wanted)]
    pack(folder / "archive" / "HEAD.zip", "the-book-HEAD", ROOT, names)


def test_the_notebook_of_all_answers_runs_where_nothing_is_installed(
    visit, tmp_path
):
    """Colab: the set-up cell fetches the book, and all checks pass."""
    with visit(PAGE, formulas=False) as page:
        put_all(page)
        for name in exercises():
            page.evaluate(
                """([name, text]) => {
                  const { area } = document.querySelector(
                    `.all[data-exercise="${name}"]`).exercise.editor;
                  area.value = text;
                  area.dispatchEvent(new Event("input"));
                }""",
                [name, solution(name)],
            )
        with page.expect_download() as saved:
            page.locator(SOFTMAX).first.get_by_role(
                "button", name="Download my answers"
            ).click()
        notebook = json.loads(saved.value.path().read_text("utf-8"))
    cells = [
        "".join(cell["source"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    checks = [n for n, text in enumerate(cells) if text.startswith("checks.")]
    assert len(checks) == 24
    for n in checks:
        cells[n] = f"verdict = {cells[n]}\nassert verdict.ok, verdict"
    publish(tmp_path / "home")
    (tmp_path / "machine").mkdir()
    machine = make_machine(tmp_path / "machine")
    with served(tmp_path / "home") as (home, _):
        done = machine.run(cells, home, TRANSFORMER_BOOK_REF="HEAD")
    assert "site-packages" in found(done)["library"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_stands_in_the_way_of_a_screen_reader(
    visit, axe, theme
):
    with visit(PAGE, formulas=False, color_scheme=theme) as page:
        page.locator(SOFTMAX).get_by_role("button", name="Check").click()
        page.evaluate(axe)
        found = page.evaluate(
            "selector => axe.run(selector, {preload: false, "
            f"resultTypes: ['violations'], ...{AXE_RULES[theme]}}})"
            ".then(r => r.violations)",
            SOFTMAX,
        )
        bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
        assert bad == []


def test_on_a_phone_nothing_scrolls_sideways(visit):
    with visit(PAGE, formulas=False, **PHONE) as page:
        work = page.locator(SOFTMAX)
        work.get_by_role("button", name="Check").click()
        box = work.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 391
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 391
        for button in work.get_by_role("button").all():
            assert button.bounding_box()["height"] >= 39
