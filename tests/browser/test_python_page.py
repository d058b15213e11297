"""Exercises in code are done in the page, by Python in a sandboxed frame."""

import re

import pytest
from python_page import (
    check,
    exercises,
    in_notebook,
    named_mistakes,
    plain,
    put_all,
    pyodide_files,
    serve,
    solution,
    words_of,
)

PAGE = "chapters/02_self_attention_by_hand.html"
RIGHT = """def softmax(x, axis):
    votes = np.exp(x - x.max(axis, keepdims=True))
    return votes / votes.sum(axis, keepdims=True)
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = pyodide_files(tmp_path_factory.mktemp("pyodide"))
    with serve(folder) as served:
        yield served


@pytest.fixture(scope="module")
def page(visit, book):
    """One page with the exercises of all pages, and one Python."""
    with visit(PAGE, base=book[0], formulas=False) as opened:
        put_all(opened)
        yield opened


def test_every_exercise_in_code_has_its_place():
    assert len(exercises()) == 24


@pytest.mark.parametrize("most", [1, pytest.param(3, marks=pytest.mark.whole)])
def test_right_answers_and_named_mistakes_get_the_verdict_of_the_notebook(
    page, most
):
    different = []
    for name, about in exercises().items():
        played = [(None, solution(name)), *named_mistakes(name, most)]
        assert len(played) == 1 + most, name
        for mistake, source in played:
            wanted = in_notebook(name, about, source)
            if wanted.mistake != mistake or wanted.ok == bool(mistake):
                different.append((name, mistake, "notebook", wanted))
            said = check(page, name, source)
            kind = f"verdict verdict-{wanted.status}"
            shown = plain(said["text"], wanted)
            if said["kind"] != kind or shown != words_of(wanted):
                different.append((name, mistake, shown, words_of(wanted)))
            if not wanted.ok and said["more"].count("Hint") < 2:
                different.append((name, mistake, "hints", said["more"]))
    assert different == []


def test_errors_printing_and_syntax(page):
    said = check(page, "softmax", RIGHT + "print('seen', 1 < 2)\n")
    assert said["text"].endswith("Printedseen True\n")
    assert "verdict-right" in said["kind"]
    said = check(page, "softmax", "def softmax(x axis):\n    return x\n")
    assert said["text"].startswith("An error · SyntaxError: invalid syntax")
    said = check(page, "softmax", RIGHT + "\nraise ValueError('mine')\n")
    assert said["text"].startswith("An error · ValueError: mine")
    assert "line 5: raise ValueError('mine')" in said["text"]
    said = check(page, "softmax", RIGHT.replace("votes.sum", "vote.sum"))
    assert "in the line return votes / vote.sum(axis" in said["text"]
    said = check(page, "softmax", exercises()["softmax"]["start"])
    assert said["text"].startswith("Not attempted yet")
    with_own = "def self_attention(X):\n    return softmax(X @ X.T, -1) @ X\n"
    check(page, "softmax", RIGHT)
    said = check(page, "self_attention", with_own)
    assert "verdict-right" in said["kind"], said


# Two seconds stand for the ten that an answer has; over() says how often.
HURRY = """() => {
    const slowly = window.setTimeout;
    let times = 0;
    window.setTimeout = (go, wait, ...rest) => {
        times += wait === 10_000;
        return slowly(go, wait === 10_000 ? 2_000 : wait, ...rest);
    };
    window.hurry = {over: () => { window.setTimeout = slowly; return times; }};
}"""


@pytest.mark.parametrize(
    "loop",
    ["def softmax(x, axis):\n    while True:\n        pass\n",
     "while True:\n    pass\n"],
)  # fmt: skip
def test_an_endless_loop_is_ended_and_the_next_check_runs(page, loop):
    page.evaluate(HURRY)
    said = check(page, "softmax", loop)
    assert page.evaluate("hurry.over()") > 0
    assert said["text"].startswith("EndedYour code was still running after 10")
    assert "verdict-right" in check(page, "softmax", RIGHT)["kind"]
    for _ in range(50):  # a browser tells of an end afterwards
        if len(page.workers) == 1:
            break
        page.wait_for_timeout(100)
    assert len(page.workers) == 1  # the one that looped is gone


COUNTING = RIGHT + (
    "large = np.ones(500_000)\n"  # 4 MB that a leak would keep
    "import gc, pyodide_js\n"
    "gc.collect()\n"
    "print(pyodide_js._module.HEAP8.length, len(gc.get_objects()))\n"
)


def test_twenty_checks_in_a_row_leave_nothing_behind(page):
    sizes = []
    for _ in range(22):
        said = check(page, "softmax", COUNTING)
        sizes.append([int(n) for n in re.findall(r"\d+", said["text"])[-2:]])
    (memory, objects), (later_memory, later_objects) = sizes[1], sizes[-1]
    # The heap grows by fifths, and what went before may leave it nearly full:
    # one such step says nothing, two are what twenty checks have left.
    assert 1_000_000 < memory <= later_memory <= 1.25 * memory
    assert later_objects - objects < 60, sizes


LEAKS = """
import js
for name, go in {
    "fetch": lambda: js.fetch(HOME + "/leak-fetch"),
    "XMLHttpRequest": lambda: (
        x := js.XMLHttpRequest.new(), x.open("GET", HOME + "/leak-xhr", False),
        x.send()),
    "WebSocket": lambda: js.WebSocket.new(HOME.replace("http", "ws") + "/leak"),
    "EventSource": lambda: js.EventSource.new(HOME + "/leak-events"),
    "importScripts": lambda: js.importScripts(HOME + "/leak-import.js"),
    "Worker": lambda: js.Worker.new(HOME + "/leak-worker.js"),
    "eval": lambda: js.eval("1"),
    "indexedDB": lambda: js.indexedDB.open("book"),
    "caches": lambda: js.caches.open("book"),
    "localStorage": lambda: js.localStorage.getItem("book.code"),
    "parent": lambda: js.parent.document,
}.items():
    try:
        print(name, "made", go())
    except BaseException as error:
        print(name, "refused", type(error).__name__)
"""


def test_what_is_typed_reaches_no_address_and_no_store(page, book):
    home, asked = book
    before = len(asked)
    source = RIGHT + f"HOME = {home!r}" + LEAKS
    said = check(page, "softmax", source)["text"]
    lines = re.findall(r"(\w+) (made|refused)", said.split("Printed")[1])
    told = dict(lines)
    assert len(told) == 11
    # These three begin, and fail when the policy is asked.
    late = {"fetch", "WebSocket", "EventSource", "Worker", "caches"}
    assert {name for name, how in lines if how == "made"} <= late, said
    page.wait_for_timeout(500)
    assert [path for path in asked[before:] if "leak" in path] == []
    assert page.outside == []


HOSTILE = "<img src=x onerror='window.hacked = 1'><script>hacked = 1</script>"
FORGED = f"""
from transformer_course.checks.engine.verdict import Verdict
kept = Verdict._repr_html_
def forged(verdict):
    Verdict._repr_html_ = kept
    return "<p onclick=1>forged</p>" + {HOSTILE!r}
Verdict._repr_html_ = forged
"""


def test_no_markup_of_an_answer_reaches_the_page(page):
    raising = f"raise ValueError({HOSTILE!r})"
    for source, seen in (
        (RIGHT + f"print({HOSTILE!r})", "onerror"),
        (RIGHT + raising, "onerror"),
        (f"def softmax(x, axis):\n    {raising}", "onerror"),
        (RIGHT + FORGED, "forged"),
    ):
        said = check(page, "softmax", source)
        assert seen in said["text"]
        inside = page.evaluate(
            "() => [...document.querySelectorAll('.all .verdict *, "
            ".all .verdict-more *')].map(e => e.cloneNode().outerHTML)"
        )
        wild = re.compile("<img|<script|=x| on")
        assert inside and not [tag for tag in inside if wild.search(tag)]
    assert page.evaluate("() => window.hacked") is None
