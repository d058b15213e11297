"""Cells of a lesson run in the page, in a Python that judges no exercise."""

import json
import re

import pytest
from built import HTML, ROOT
from conftest import AXE_RULES, PHONE
from python_page import check, pyodide_files, serve

PAGE = "chapters/02_self_attention_by_hand.html"
LESSON = ROOT / "chapters" / "02_self_attention_by_hand.ipynb"
RIGHT = """def softmax(x, axis):
    votes = np.exp(x - x.max(axis, keepdims=True))
    return votes / votes.sum(axis, keepdims=True)
"""
# What a click on Run says and does, in the order of the page's own promises.
RUN = """async ([name, text]) => {
    const { cell } = document.querySelector(`[data-cell="${name}"]`);
    if (text !== null) {
        cell.edit();
        cell.editor.area.value = text;
        cell.editor.area.dispatchEvent(new Event("input"));
    }
    await cell.run();
    const [said, ...parts] = cell.result.children;
    return { said: said.textContent, wrong: cell.result.matches(".is-wrong"),
        text: parts.map(part => part.innerText).join("\\n") };
}"""
AGREE = "() => Python.consent.give()"


def run_cell(page, name, text=None):
    return page.evaluate(RUN, [name, text])


def cells():
    """The cells of the lesson that a reader can run, with their outputs."""
    found = json.loads(LESSON.read_text("utf-8"))["cells"]
    return {
        cell["id"]: cell
        for cell in found
        if "needs" in cell["metadata"].get("page", {})
    }


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = pyodide_files(tmp_path_factory.mktemp("pyodide"))
    with serve(folder) as served:
        yield served


@pytest.fixture(scope="module")
def opened(visit, book):
    with visit(PAGE, base=book[0], formulas=False) as page:
        yield page


@pytest.fixture
def page(opened):
    """One page, one Python; each cell as the book has it."""
    opened.evaluate(
        """() => document.querySelectorAll(".cell-run").forEach(
            place => place.cell.reset())"""
    )
    return opened


def shown(page, name):
    """Whether code, stored output and the reader's output are seen."""
    return page.evaluate(
        """name => {
          const cell = document.querySelector(`[data-cell="${name}"]`)
            .closest(".cell");
          return [".cell_input", ".cell_output", ".cell-result"].map(one =>
            cell.querySelector(one)?.checkVisibility() ?? null);
        }""",
        name,
    )


# ------------------------------------------------------- with Python's files


def test_the_cells_of_a_lesson_give_in_the_page_what_is_stored(page):
    places = page.locator(".cell-run").evaluate_all(
        "all => all.map(place => place.dataset.cell)"
    )
    assert len(places) >= 15
    different = []
    for name in places:
        outputs = cells()[name]["outputs"]
        texts = [
            "".join(one.get("text") or one["data"]["text/plain"])
            for one in outputs
        ]
        said = run_cell(page, name)
        wanted = " ".join(texts).split()
        told = said["text"].split() if outputs else []
        if told != wanted or said["wrong"]:
            different.append((name, said, wanted))
        if not said["said"].startswith("The book's code, run here"):
            different.append((name, said["said"]))
        assert shown(page, name)[1] in (None, False)
    assert different == []


def with_result(kind):
    """A cell whose output has this type."""
    return next(
        name
        for name, cell in cells().items()
        if any(kind in one.get("data", {}) for one in cell["outputs"])
        and "answer" not in str(cell["metadata"])
        and "checks." not in "".join(cell["source"])
    )


def test_a_table_is_made_anew_and_html_is_text(page):
    name = with_result("text/html")
    own = page.locator(f'.cell:has([data-cell="{name}"]) .cell-result')
    run_cell(page, name)
    assert own.locator("table.results th[scope=col]").count() > 1
    assert own.locator("table.results th[scope=row]").count() > 1
    made = (
        "class A:\n    def _repr_html_(self): return '<img src=x>'\n"
        "    def __repr__(self): return '<img src=y>'\nA()"
    )
    assert run_cell(page, name, made)["text"] == "<img src=y>"
    assert own.locator("img").count() == 0


def test_what_a_cell_overwrites_changes_no_verdict_and_no_other_cell(page):
    first, second = list(cells())[:2]
    spoil = (
        "import numpy\nfrom transformer_course import checks\n"
        "numpy.exp = abs\nchecks.softmax = lambda answer: 'right'\n"
        "numpy.exp(-3.0)"
    )
    assert run_cell(page, first, spoil)["text"] == "3.0"
    wrong = RIGHT.replace("votes /", "1 + votes /")
    assert "verdict-right" in check(page, "softmax", RIGHT)["kind"]
    assert "verdict-wrong" in check(page, "softmax", wrong)["kind"]
    page.evaluate(
        "name => document.querySelector(`[data-cell='${name}']`).cell.reset()",
        first,
    )
    # The other cell needs the first one, as the book has it.
    assert run_cell(page, second, "np.exp(0.0)")["text"] == "np.float64(1.0)"


def test_a_change_counts_below_and_is_taken_back(page):
    name = next(n for n, c in cells().items() if "def weighted_sum" in
                "".join(c["source"]))  # fmt: skip
    below = next(n for n, c in cells().items()
                 if name in c["metadata"]["page"]["needs"])  # fmt: skip
    before = run_cell(page, below)
    doubled = "".join(cells()[name]["source"]) + "\nold = weighted_sum\n"
    doubled += "weighted_sum = lambda *given: 2 * old(*given)"
    run_cell(page, name, doubled)
    assert shown(page, name)[0] is False
    after = run_cell(page, below)
    assert after["text"] != before["text"] and "1 with your" in after["said"]
    broken = run_cell(page, name, "1 / 0")
    assert "ZeroDivisionError" in broken["text"] and broken["wrong"]
    told = run_cell(page, below)
    assert told["text"].startswith("A cell above that this one needs has")
    reset = f'[data-cell="{name}"] button:text-is("Reset")'
    page.locator(reset).click()
    assert shown(page, name)[0] is True
    assert shown(page, name)[2] is False
    assert run_cell(page, below)["text"] == before["text"]


HURRY = """() => {
    const slowly = window.setTimeout;
    window.setTimeout = (go, wait, ...rest) =>
        slowly(go, wait === 30_000 ? 1_500 : wait, ...rest);
}"""


def test_an_endless_loop_ends_with_a_sentence_and_the_next_run_says_so(
    visit, book
):
    with visit(PAGE, base=book[0], formulas=False) as page:
        page.evaluate(AGREE)
        first, second = list(cells())[:2]
        run_cell(page, first)
        page.evaluate(HURRY)
        ended = run_cell(page, first, "while True:\n    pass")
        assert ended["said"] == "Ended." and ended["wrong"]
        assert "still running after 30 seconds" in ended["text"]
        assert "the next Run starts Python again" in ended["text"]
        page.locator(f'[data-cell="{first}"]').get_by_role(
            "button", name="Reset"
        ).click()
        again = run_cell(page, second)
        assert again["said"].endswith("Python was started again for it.")
        assert not again["wrong"]
        assert "again" not in run_cell(page, second)["said"]
        # And who does not want to wait stops it.
        work = page.locator(f'[data-cell="{first}"]')
        page.evaluate("() => { window.setTimeout = () => {}; }")
        work.get_by_role("button", name="Edit").click()
        page.locator(".cell-editor textarea").fill("while True:\n    pass")
        work.get_by_role("button", name="Run").click()
        work.get_by_role("button", name="Stop").click()
        said = page.locator(f'.cell:has([data-cell="{first}"]) .cell-result')
        said.filter(has_text="You have stopped it").wait_for()


def test_once_agreed_python_starts_with_the_focus(visit, book):
    with visit(PAGE, base=book[0], formulas=False) as page:
        work = page.locator(".cell-run").first
        work.get_by_role("button", name="Edit").click()
        page.wait_for_timeout(500)
        assert page.locator("iframe").count() == 0
        work.get_by_role("button", name="Reset").click()
        page.evaluate(AGREE)
        work.get_by_role("button", name="Edit").click()
        page.locator("iframe").wait_for(state="attached")


# ---------------------------------------------------- without Python's files


def test_nothing_is_fetched_before_the_click_that_says_what(visit):
    with visit(PAGE, formulas=False) as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        work = page.locator(".cell-run").first
        work.get_by_role("button", name="Run").click()
        question = work.locator(".cell-question")
        assert re.search(r"\b1\d MB", question.inner_text())
        assert "six seconds" in question.inner_text()
        assert page.evaluate("() => document.activeElement.textContent") == (
            "Load and run"
        )
        work.get_by_role("button", name="Not now").click()
        assert not question.is_visible() and asked == []
        work.get_by_role("button", name="Run").click()
        page.route(re.compile("pyodide|course.zip"), lambda way: way.abort())
        work.get_by_role("button", name="Load and run").click()
        result = page.locator(".cell-result").first
        result.filter(has_text="could not be fetched").wait_for()
        assert asked


def test_what_lacks_torch_says_where_it_runs(visit):
    with visit(PAGE, formulas=False) as page:
        said = page.locator(".cell-lacks").all_inner_texts()
        assert "Needs torch: in Colab or JupyterLab." in said
        both = page.locator(".cell:has(.cell-lacks):has(.cell-run)")
        assert both.count() == 0
        # Where an exercise is done in the page there is no second place.
        assert page.locator(".exercise-work .cell-run").count() == 0


def test_as_a_file_without_scripts_on_paper_and_on_slides(visit):
    with visit(PAGE, base=HTML.as_uri(), formulas=False) as page:
        told = page.locator(".cell-lacks").first.inner_text()
        assert told.startswith("The cells of this page cannot run here. Python")
        assert "opened as a file" in told
        assert page.locator(".cell-run").count() == 0
        assert page.complaints == []
    with visit(PAGE, formulas=False, java_script_enabled=False) as page:
        assert not page.locator(".cell-run").first.is_visible()
    with visit(PAGE, formulas=False) as page:
        name = page.locator(".cell-run").first.get_attribute("data-cell")
        page.locator(".cell-run").first.get_by_role(
            "button", name="Edit"
        ).click()
        page.emulate_media(media="print")
        assert page.locator(".cell-run:visible, .cell-editor:visible,"
                            " .cell-lacks:visible").count() == 0  # fmt: skip
        assert shown(page, name)[0] is True
        page.emulate_media(media="screen")
        page.get_by_role("button", name="Present").click()
        page.locator(".present-body").first.wait_for(state="attached")
        assert page.locator(
            ".present-body :is(.cell-run, .cell-lacks):visible"
        ).count() == 0  # fmt: skip


def test_what_runs_before_a_cell(visit):
    """`a` and `b` are needed, `c` is not; `imports` in part."""
    told = """changes => {
      const cells = new Map([["imports", {text: "i"}],
        ["a", {text: "a", needs: "imports:0,2"}],
        ["b", {text: "b", needs: "imports:1 a:0"}],
        ["c", {text: "c", needs: "imports"}],
        ["d", {text: "d", needs: "imports:1 b"}]]);
      for (const [name, more] of Object.entries(changes))
        Object.assign(cells.get(name), more);
      return Python.plan("d", cells).map(({name, text, statements, optional}) =>
        `${name} ${text} ${statements} ${optional}`);
    }"""
    with visit(PAGE, formulas=False) as page:
        plan = lambda **changes: page.evaluate(told, changes)  # noqa: E731
        assert plan() == ["imports i 1 false", "b b null false"]
        assert plan(b={"changed": "B"}) == [
            "imports i 1 false", "a a 0 false", "b B null false"
        ]  # fmt: skip
        # What isn't needed counts once it has run; what is needed, at once.
        assert plan(c={"changed": "C"}) == plan()
        assert plan(c={"changed": "C", "works": True}) == [
            "imports i null false", "b b null false", "c C null true"
        ]  # fmt: skip
        # Who writes a cell anew may use any name above.
        assert plan(d={"changed": "D"}) == [
            "imports i null false", "a a null true", "b b null false",
            "c c null true",
        ]  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_and_for_a_screen_reader(visit, axe, theme):
    with visit(PAGE, formulas=False, color_scheme=theme, **PHONE) as page:
        work = page.locator(".cell-run").first
        work.get_by_role("button", name="Run").click()
        page.locator(".cell-run").nth(1).get_by_role(
            "button", name="Edit"
        ).click()
        page.evaluate(
            "() => document.querySelector('.cell-run').cell.show('Yours.',"
            " Python.output({parts: [{text: 'x'.repeat(200)}, {head: ['', 'n'],"
            " rows: [['a', '1']], numbers: [false, true]}], error: 'E'}), true)"
        )
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 391
        for button in page.locator(".cell-button:visible").all():
            assert button.bounding_box()["height"] >= 39
        page.evaluate(axe)
        found = page.evaluate(
            "() => axe.run({include: [['.cell:has(.cell-run)'],"
            " ['.cell-lacks']]}, {preload: false,"
            f" resultTypes: ['violations'], ...{AXE_RULES[theme]}}})"
            ".then(r => r.violations)"
        )
        bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
        assert bad == []
