"""Python in the page has the course's ZIP and NumPy, and nothing else."""

import io
import json
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import numpy
import pytest
from course_zip import pack_course

from transformer_course import PACKAGES, checks

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


def run(folder, numpy_alone, names):
    return subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            PROGRAM,
            folder,
            numpy_alone,
            *names,
        ],
        capture_output=True,
        text=True,
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
    assert len(packed) < 550_000
    assert "transformer_course/checks/code/softmax.py" in names
    assert not [
        name for name in names if name.endswith((".pyc", ".safetensors", ".xz"))
    ]
    assert not [name for name in names if "/checks/parts/" in name]
    others = {name.split("/")[0] for name in names} - {*PACKAGES}
    assert others == {"page_answer.py"}  # no module of other people


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
