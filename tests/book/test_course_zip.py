"""Python in the page has the course's ZIP and NumPy, and nothing else."""

import io
import json
import os
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import numpy
import pytest
from code_cells import IN_PAGE, cells_of, to_run
from course_zip import pack_course
from page_cells import FOLDERS, ROOT

from transformer_course import PACKAGES, checks, plots

# No site-packages: the standard library, NumPy, and the files of the ZIP.
PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
from importlib import import_module
from transformer_course import PACKAGES, checks
from transformer_course.checks.paper import exercises, paper_of
import page_answer

def answers(exercise):
    if hasattr(exercise, "answer"):
        wrong = exercise.misconceptions[0]
        return exercise.answer.tolist(), wrong.value.tolist(), wrong.id
    wrong = next(mistake for mistake in exercise.mistakes if mistake.edits)
    return exercise.variant({}), exercise.variant(wrong.edits[0]), wrong.id

for name in sys.argv[3:]:
    try:
        check = getattr(checks, name)
        if name in exercises():
            exercise = paper_of(name)
        else:
            module = f"transformer_course.checks.code.{name}"
            exercise = import_module(module).EXERCISE
        right, wrong, mistake = answers(exercise)
        said = check(right), check(wrong), check(0.5), check(...)
        if not said[0].ok or said[1].mistake != mistake:
            print(name, said, mistake)
        [verdict._repr_html_() for verdict in said]
    except BaseException as error:
        print(name, repr(error))
print("torch" in sys.modules)
"""


@pytest.fixture(scope="module")
def packed():
    return pack_course()


@pytest.fixture(scope="module")
def names():
    return sorted(set(checks.__all__) - checks.TOOLS.keys())


@pytest.fixture(scope="module")
def numpy_alone(tmp_path_factory):
    """A folder with NumPy and its own libraries."""
    folder = tmp_path_factory.mktemp("numpy")
    site = Path(numpy.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (folder / name).symlink_to(site / name)
    return folder


def run(folder, numpy_alone, names, program=PROGRAM, given=None):
    return subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            program,
            folder,
            numpy_alone,
            *names,
        ],
        input=given,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=600,
    )


@pytest.mark.slow
def test_every_check_of_the_page_runs_from_the_zip_alone(
    packed, names, numpy_alone, tmp_path
):
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    done = run(tmp_path, numpy_alone, names)
    assert done.stdout == "False\n", done.stdout + done.stderr


@pytest.mark.parametrize(
    ("lacking", "exercise"),
    [
        ("transformer_course/checks/code/softmax.txt", "softmax"),
        ("toy_language/data/nouns.tsv", "only"),
        ("transformer_course/checks/engine/parting/calls.py", "matmul"),
        ("transformer_course/checks/paper/loop_order.txt",
         "loop_order"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_packed_is_missed(
    packed, numpy_alone, tmp_path, lacking, exercise
):
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    (tmp_path / lacking).unlink()
    done = run(tmp_path, numpy_alone, [exercise])
    assert done.stdout != "False\n" or done.returncode


def test_the_zip_is_small_and_holds_no_more_than_is_opened(packed):
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert len(packed) < 700_000
    assert "transformer_course/checks/code/softmax.py" in names
    assert not [
        name for name in names if name.endswith((".pyc", ".safetensors", ".xz"))
    ]
    assert not [name for name in names if "/checks/parts/" in name]
    others = {name.split("/")[0] for name in names} - {*PACKAGES}
    # No module of other people.
    assert others == {"page_answer.py", "page_cell.py"}


def test_two_builds_pack_the_same_bytes(packed):
    assert pack_course() == packed


# ------------------------------------------------------ the page's own Python


def judged(source, call="checks.softmax(softmax)", before=()):
    judge = import_module("page_answer").judge
    return json.loads(
        judge(json.dumps({"source": source, "call": call, "before": before}))
    )


RIGHT = """def softmax(x, axis):
    votes = np.exp(x - x.max(axis, keepdims=True))
    return votes / votes.sum(axis, keepdims=True)
"""


def test_a_right_answer_is_right_and_its_printing_is_told():
    said = judged(RIGHT + "print('a', 1)\nsoftmax(np.zeros((1, 2)), 1)\n")
    assert said["status"] == "right" and said["more"] == []
    assert said["printed"] == "a 1\narray([[0.5, 0.5]])\n"


def test_a_wrong_answer_gets_the_sentence_and_the_hints_of_the_notebook():
    wrong = RIGHT.replace("votes /", "votes if x.ndim else votes /")
    said = judged(wrong)
    scope = {"np": numpy}
    exec(wrong, scope)
    verdict = checks.softmax(scope["softmax"])
    assert said["mistake"] == verdict.mistake is not None
    assert verdict.message[:30] in said["html"]
    hints = [html for label, html in said["more"] if label.startswith("Hint")]
    assert hints == [verdict.hint(n)._repr_html_() for n in (1, 2)]


def test_an_error_is_told_with_its_last_line_first():
    said = judged("def softmax(x axis):\n    return x\n")
    assert said["error"].startswith("SyntaxError") and "html" not in said
    assert said["trace"].splitlines()[:2] == [
        "line 1",
        "    def softmax(x axis):",
    ]
    said = judged("import numpy\n\ndef f():\n    return nothing\nf()\n")
    assert said["error"] == "NameError: name 'nothing' is not defined"
    assert said["trace"] == "line 5: f()\nline 4: return nothing"
    assert judged("exit()")["error"].startswith("SystemExit")
    gone = judged("def soft_max(x, axis): ...\n")
    assert gone["error"] == "NameError: name 'softmax' is not defined"


def test_earlier_answers_may_be_used_and_do_no_harm():
    before = ["raise ValueError", "print('quiet')", RIGHT]
    source = "def self_attention(X):\n    return softmax(X @ X.T, 1) @ X\n"
    said = judged(source, "checks.self_attention(self_attention)", before)
    assert said["status"] == "right" and said["printed"] == ""
    assert "error" in judged(source.replace("softmax", "nobody") + "nobody()")


def test_the_page_hears_whose_time_it_counts():
    heard = []
    judge = import_module("page_answer").judge
    job = {"source": RIGHT, "call": "checks.softmax(softmax)", "before": []}
    judge(json.dumps(job), heard.append)
    assert heard[:3] == ["answer", "answer", "check"] and heard[-1] == "check"
    assert len(heard) > 20
    heard.clear()
    assert judged(RIGHT)["status"] == "right" and heard == []


def test_endless_printing_is_cut():
    said = judged("for n in range(100_000): print(n)\n" + RIGHT)
    assert said["status"] == "right"
    assert len(said["printed"]) < 21_000 and "(cut)" in said["printed"]


# ------------------------------------------------------------ cells in the page


# Runs each line of standard input, a job, and prints what is said.
RUN_CELLS = """
import sys
sys.path[:0] = sys.argv[1:3]
import page_cell
for line in sys.stdin:
    print(page_cell.run(line))
"""


def job(path, name):
    """What the page sends to run a cell that nobody has changed."""
    cells = to_run(path)
    before = []
    for need in cells[name]["needs"].split():
        above, _, numbers = need.partition(":")
        statements = [int(n) for n in numbers.split(",")] if numbers else None
        before.append({"text": cells[above]["text"], "statements": statements,
                       "optional": False})  # fmt: skip
    return {"text": cells[name]["text"], "before": before}


def said_of(text, *above, optional=False):
    run_cell = import_module("page_cell").run
    before = [
        {"text": one, "statements": None, "optional": optional} for one in above
    ]
    return json.loads(run_cell(json.dumps({"text": text, "before": before})))


def words_of(parts):
    """The words of what the page shows, tables in rows."""
    texts = [
        part["text"]
        if "text" in part
        else repr(plots.ResultTable(part["head"], part["rows"]))
        for part in parts
    ]
    return " ".join(texts).split()


def stored_words(cell):
    """The words of the outputs that a notebook stores."""
    texts = [
        "".join(output.get("text") or output["data"]["text/plain"])
        for output in cell["outputs"]
    ]
    return " ".join(texts).split()


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_what_the_page_runs_gives_the_stored_outputs(
    packed, numpy_alone, tmp_path, folder
):
    """From the ZIP and NumPy alone, each cell after what it needs."""
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    places = [
        (path, cell)
        for path in sorted((ROOT / folder).glob("*.ipynb"))
        for cell in cells_of(path)
        if "needs" in cell["metadata"].get(IN_PAGE, {})
    ]
    given = [json.dumps(job(path, cell["id"])) for path, cell in places]
    done = run(tmp_path, numpy_alone, [], RUN_CELLS, "\n".join(given))
    lines = done.stdout.splitlines()
    assert len(lines) == len(places) > 100, done.stderr
    different = []
    for (path, cell), said in zip(places, map(json.loads, lines), strict=True):
        if words_of(said["parts"]) != stored_words(cell) or "error" in said:
            different.append((path.name, cell["id"], said))
    assert different == []


def test_a_cell_shows_what_it_prints_and_its_last_value():
    assert said_of("print('a')\n[1]") == {
        "parts": [{"text": "a\n"}, {"text": "[1]"}]
    }
    assert said_of("x = 1") == {"parts": []}


def test_a_table_comes_as_its_rows_and_html_as_text():
    above = "from transformer_course import plots"
    said = said_of("plots.table(['', 'n'], [['<b>', 1]])", above)
    assert said["parts"] == [
        {"head": ["", "n"], "rows": [["<b>", "1"]], "numbers": [False, True]}
    ]
    own = "class A:\n    def _repr_html_(self): return '<script>'\n"
    own += "    def __repr__(self): return 'plain'\nA()"
    assert said_of(own)["parts"] == [{"text": "plain"}]


def test_each_run_begins_anew():
    assert said_of("np.exp = abs\nnp.set_printoptions(precision=1)\nx = 1")
    assert said_of("np.exp(0.0), x")["error"].startswith("NameError")
    said = said_of("print(np.exp(0.0), np.array([1 / 3]))")
    assert said["parts"] == [{"text": "1.0 [0.33333333]\n"}]


def test_a_module_that_is_lacking_hinders_nobody_until_it_is_used():
    imports = "import not_here, math\nfrom not_here.a import nn as own\n"
    imports += "from transformer_course import not_packed, plots"
    assert said_of("math.pi > 3", imports)["parts"] == [{"text": "True"}]
    for use in ("not_here.x", "own.Linear(3)", "own(3)"):
        said = said_of(use, imports)
        assert said["error"].startswith("ModuleNotFoundError: not_here is not")
    said = said_of("plots and not_packed.x", imports)
    assert "Error: not_packed is not in the page" in said["error"]
    assert said_of("import not_here")["error"].startswith("ModuleNotFound")


def test_where_a_cell_above_fails_the_cell_does_not_run():
    said = said_of("print(1)", "x = 1", "x / 0")
    assert said["above"] == 1 and said["parts"] == []
    assert said["error"] == "ZeroDivisionError: division by zero"
    said = said_of("print(1)", "x / 0", optional=True)
    assert said == {"parts": [{"text": "1\n"}]}


def test_an_error_keeps_what_was_printed_before_it():
    said = said_of("print('seen')\n1 / 0")
    assert said["parts"] == [{"text": "seen\n"}]
    assert said["trace"] == "line 2: 1 / 0"


def test_the_clock_of_the_page_starts_anew_with_each_cell():
    heard = []
    before = [{"text": "x = 1", "statements": [0], "optional": False}] * 2
    import_module("page_cell").run(
        json.dumps({"text": "x", "before": before}), heard.append
    )
    assert heard == ["answer"] * 3
