"""Thirty-six submissions for three chapters, and sixteen of them mean harm."""

import csv
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import RIGHT, wrong, zipped

from transformer_course.grading.reading.exercises import (
    TAG,
    chapter_files,
    read_chapter,
)

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "transformer_course"
ANSWERS = {
    "softmax": RIGHT,
    "self_attention": "def self_attention(X):\n"
    "    return softmax(X @ X.T, -1) @ X",
    "points_by_hand": "points = (1, 0, 0)",
    "context_vector_by_hand": "c_2 = (0.738, 0.766)",
    "attention": "def attention(Q, K, V):\n    s = Q @ np.swapaxes(K, -1, -2)\n"
    "    e = np.exp((s - s.max(-1, keepdims=True)) / np.sqrt(K.shape[-1]))\n"
    "    return e / e.sum(-1, keepdims=True) @ V",
    "stable_softmax": "def stable_softmax(x):\n"
    "    e = np.exp(x - x.max(-1, keepdims=True))\n"
    "    return e / e.sum(-1, keepdims=True)",
    "scaled_dot_product_attention": "def scaled_dot_product_attention("
    "query, key, value, mask=None):\n    d = key.shape[-1] ** 0.5\n"
    "    return (query @ key.mT / d).softmax(-1) @ value",
}
# What an answer to 2.1 does before it returns wrong numbers. `place` is the
# folder of the class, `library` that of the package.
HARM = {
    "closes": "for p, _, f in os.walk(place):\n"
    "    for n in f:\n        os.chmod(os.path.join(p, n), 0)",
    "backdates": "os.utime(place + '/h01.ipynb', (0, 0))",
    "deletes": "os.remove(place + '/h01.ipynb')",
    "appends": "open(place + '/h01.ipynb', 'a').write('x')",
    "poisons": "open(library + '/course/checks/engine/judge.py', 'a')"
    ".write('#')",
    "bytecode": "import importlib.util as u\n"
    "p = u.cache_from_source(library + '/course/checks/engine/judge.py')\n"
    "os.makedirs(os.path.dirname(p), exist_ok=True)\nopen(p, 'wb').write(b'x')",
    "startup": "import numpy\n"
    "p = os.path.dirname(os.path.dirname(numpy.__file__))\n"
    "open(p + '/evil_of_a_test.pth', 'w').write('import os')",
    "journal": "open(place + '/../marks.csv.journal', 'a').write('x y\\n')",
    "table": "open(place + '/../marks.csv', 'w').write('student\\nme')",
    "key": "raise ValueError(open(place + "
    "'/../state/transformer-lib/grading.key').read())",
    "memory": "raise ValueError(open(f'/proc/{os.getppid()}/mem', 'rb'))",
    "signal": "import fcntl\nr, w = os.pipe()\n"
    "fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())\nos.kill(-1, 9)",
    "init": "os.kill(1, 9)\nos.kill(os.getppid(), 9)",
    "hidden": "fs = [os.memfd_create(str(n)) for n in range(99)]\n"
    "[os.write(f, bytes(2**24)) for f in fs]",
    "swarm": "for n in range(500):\n    if os.fork() == 0:\n"
    "        os.setsid()\n        while True:\n            pass",
}


THREE, FOUR = (
    next(a.number for a in read_chapter(chapter).asked if a.name == name)
    for chapter, name in ((3, "attention"), (4, "scaled_dot_product_attention"))
)


def answered(number, room, answers):
    """A notebook of a chapter with some answers in it."""
    path = chapter_files(number)[room]
    content = json.loads(path.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        for tag in cell["metadata"].get("tags", []):
            known = answers.get(tag.removeprefix(TAG))
            cell["source"] = known or cell["source"]
    return json.dumps(content).encode()


def classroom(place):
    """Write the submissions.

    Returns:
        By student, the verdicts that are due by the exercises' numbers, and
        how many files there are.
    """
    two = ["2.1", "2.2", "2.3"]
    lesson, lab = answered(2, 0, ANSWERS), answered(2, 1, ANSWERS)
    three, four = answered(3, 0, ANSWERS), answered(4, 0, ANSWERS)
    right = dict.fromkeys(two, "right")
    due, files = {}, {}
    for number in range(1, 9):
        files[f"h{number:02}.ipynb"] = lesson
        due[f"h{number:02}"] = right | {"2.4": "not handed in"}
    files["kim/02.ipynb"], files["kim/lab/02.ipynb"] = lesson, lab
    files["kim/03.ipynb"], files["kim/04.ipynb"] = three, four
    attention = {THREE: "right", FOUR: "right"}
    due["kim"] = right | {"2.4": "right"} | attention
    both = {"2장.ipynb.txt": lesson, "x/3장.ipynb": three}
    files["김민수.zip"] = zipped(both)
    due["김민수"] = right | {THREE: "right", FOUR: "not handed in"}
    files["Lee Min_17_assignsubmission_file/x.ipynb"] = four
    due["Lee Min 17"] = {FOUR: "right", "2.1": "not handed in"}
    files["parkjin_LATE_31_4711_02.ipynb"] = lesson
    due["parkjin 31"] = right
    for number in range(1, 6):
        files[f"t{number}.ipynb"] = four
        due[f"t{number}"] = {FOUR: "right"}
    files["report.pdf"] = b"%PDF"
    due["report.pdf"] = {"2.1": "not judged", FOUR: "not judged"}
    files["no.ipynb"] = b"no notebook"
    due["no"] = {THREE: "not judged"}
    files["own/my_transformer.py"] = b"import os\nos.kill(1, 9)\n" + (
        b"def scaled_dot_product_attention(query, key, value, mask=None):\n"
        b"    os._exit(0)\n"
    )
    due["own"] = {FOUR: "wrong"}
    head = f"import os\nplace, library = {str(place)!r}, {str(COURSE)!r}\n"
    for name, body in HARM.items():
        harm = wrong(f"{head}{body}")
        answers = ANSWERS | {"softmax": harm}
        files[f"x_{name}.ipynb"] = answered(2, 0, answers)
        due[f"x_{name}"] = {"2.1": "wrong", "2.3": "right"}
    files["x;=1+cmd.ipynb"] = lesson
    due["x;'=1+cmd"] = right
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return due, len(files) + 2  # the ZIP has two


def state_of(place):
    """All files below a folder, with what is in them and what may read them."""
    return {
        str(path): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mode,
            path.stat().st_mtime_ns,
        )
        for path in sorted(place.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
def test_thirty_six_submissions_get_what_is_due(tmp_path):
    place, table = tmp_path / "in", tmp_path / "marks.csv"
    due, count = classroom(place)
    assert len(due) >= 36 and len(HARM) >= 12
    before = state_of(place), state_of(COURSE)
    done = subprocess.run(
        [sys.executable, "-m", "transformer_course", "grade", str(place)]
        + ["--csv", str(table), "--feedback", str(tmp_path / "pages")]
        + ["--chapter", "2", "3", "4"],  # few have sent 3
        cwd=ROOT,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 1, done.stderr  # two files are no notebooks
    assert (state_of(place), state_of(COURSE)) == before
    with open(table, encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert set(rows) == set(due)
    for student, wanted in due.items():
        for head, said in rows[student].items():
            number, _, rest = head.partition(" ")
            if number in wanted and rest.endswith("verdict"):
                status = said.partition(":")[0]
                assert status == wanted[number], (student, head, said)
    with open(tmp_path / "marks_files.csv", encoding="utf-8-sig") as file:
        assert len([*csv.DictReader(file)]) == count
    assert len([*(tmp_path / "pages").iterdir()]) == len(due)
    key = (tmp_path / "state/transformer-lib/grading.key").read_text()
    pages = (tmp_path / "pages").iterdir()
    assert not any(key in page.read_text("utf-8") for page in pages)
