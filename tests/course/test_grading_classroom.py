"""Two classes: one in which many mean harm, and one on its first Monday."""

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import student_edition
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
    "poisons": "open(library + '/checks/engine/judge.py', 'a').write('#')",
    "bytecode": "import importlib.util as u\n"
    "p = u.cache_from_source(library + '/checks/engine/judge.py')\n"
    "os.makedirs(os.path.dirname(p), exist_ok=True)\nopen(p, 'wb').write(b'x')",
    "startup": "import numpy\n"
    "p = os.path.dirname(os.path.dirname(numpy.__file__))\n"
    "open(p + '/evil_of_a_test.pth', 'w').write('import os')",
    "journal": "open(place + '/../marks.csv.journal', 'a').write('x y\\n')",
    "table": "open(place + '/../marks.csv', 'w').write('student\\nme')",
    "secret": "raise ValueError(open(place + '/../marks.csv.journal').read())",
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
    return filled(chapter_files(number)[room].read_bytes(), answers)


def filled(notebook, answers):
    content = json.loads(notebook)
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
    first = (tmp_path / "marks.csv.journal").read_text().splitlines()[0]
    secret, *_ = json.loads(first)
    pages = (tmp_path / "pages").iterdir()
    assert not any(secret in page.read_text("utf-8") for page in pages)


# ------------------------------------------------------- the first Monday

PEOPLE = [
    f"{first} {last}"
    for last in ("Lee", "Kim", "Costa", "Ek")
    for first in "Anna Bo Chen Dora Eun Finn Gil Hana Ines Jun".split()
]
MOODLE, CANVAS, MAIL = PEOPLE[:16], PEOPLE[16:30], PEOPLE[30:]
BLOCK = "if True:\n    " + RIGHT.replace("\n", "\n    ")
STUB = "def softmax(x, axis):\n    ..."
FEW = "name it"  # a chapter that one has sent
# By student, what is different, and the points for the lesson: None for an
# empty cell in the gradebook.
ODD = {
    "Anna Lee": ({"softmax": BLOCK}, 3),
    "Bo Lee": ({"softmax": STUB}, 2),
    "Chen Lee": ({"softmax": RIGHT.replace("def softmax", "def mine")}, None),
    "Dora Lee": ({"softmax": STUB.replace("...", "return x")}, 1),
    "Eun Lee": (None, None),  # nothing
    "Finn Kim": (b"%PDF", None),
    "Gil Kim": ({"points_by_hand": "points = (0, 1, 0)"}, 2),
    "Hana Kim": (FEW, None),
    "Jun Costa": (None, None),
    "Anna Ek": ({"softmax": "from my_part import softmax"}, 3),
}


def work_of(name, edition):
    """The notebook of a student, as one who has read the book writes it."""
    what, _ = ODD.get(name, ({}, 3))
    if what is None or isinstance(what, bytes):
        return what
    lesson = edition[
        f"chapters/{chapter_files(3 if what == FEW else 2)[0].name}"
    ]
    answers = {key: f"{text}  # {name}" for key, text in ANSWERS.items()}
    return filled(lesson, answers | ({} if what == FEW else what))


@pytest.fixture(scope="module")
def monday(tmp_path_factory):
    """What forty students send, in three ways, of their class's edition."""
    home = tmp_path_factory.mktemp("monday")
    student_edition.pack(home / "e.zip", "0-4", "https://github.com/who/class")
    with zipfile.ZipFile(home / "e.zip") as archive:
        edition = {
            name.partition("/")[2]: archive.read(name)
            for name in archive.namelist()
            if "chapters/0" in name
        }
    files = {}
    for n, name in enumerate(MOODLE, 31):
        ending = "pdf" if name == "Finn Kim" else "ipynb"
        folder = f"{name}_{n}_assignsubmission_file"
        files[f"moodle/{folder}/02.{ending}"] = work_of(name, edition)
    both = f"moodle/Bo Kim_{MOODLE.index('Bo Kim') + 31}_assignsubmission_file"
    files[f"{both}/02.ipynb"], work = None, files[f"{both}/02.ipynb"]
    files[f"{both}/Bo Kim and Anna Lee.ipynb"] = work  # a pair
    for n, name in enumerate(CANVAS, 501):
        last, first = reversed(name.lower().split())
        work = work_of(name, edition)
        late = "LATE_" * (n % 5 == 0)
        if n % 3:
            files[f"canvas/{last}{first}_{late}{n}_90{n}_02.ipynb"] = work
        else:
            forged = {"leeanna_501_1_02.ipynb": work} if work else {}
            files[f"canvas/{last}{first}_{n}_90{n}_hw.zip"] = zipped(forged)
    for name in MAIL:
        files[f"mail/{name}.ipynb"] = work_of(name, edition)
    files["mail/Anna Ek/02.ipynb"] = files.pop("mail/Anna Ek.ipynb")
    part = f"import numpy as np\n{RIGHT}".encode()
    files["mail/Anna Ek/my_part.py"] = part
    files = {name: data for name, data in files.items() if data}
    assert len(files) >= 38
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    return home


ROSTERS = {
    "moodle": (
        "First name,Last name,ID number,Institution,Department,Email address",
        lambda n, first, last: f"{first},{last},,,,{first}.{last}@x",
    ),
    "canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Chapter 2 (77)\n"
        "    Points Possible,,,,,3",
        lambda n, first, last: f'"{last}, {first}",{n + 501},s{n},l{n},A,',
    ),
    "mail": ("Name", lambda n, first, last: f"{first} {last}"),
}


def lines_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
@pytest.mark.parametrize(
    ("channel", "people"),
    [("moodle", MOODLE), ("canvas", CANVAS), ("mail", MAIL)],
)
def test_a_class_on_its_first_monday(channel, people, monday, tmp_path):
    head, line = ROSTERS[channel]
    lines = [line(n, *name.split()) for n, name in enumerate(people)]
    if channel == "canvas":
        lines.append('"Student, Test",999,,,A,')
    roster = tmp_path / "roster.csv"
    roster.write_text("\n".join([head, *lines]), encoding="utf-8-sig")
    options = ["--rooms", "lesson", "--feedback", str(tmp_path / "pages")]
    for name in ("csv", "roster", "moodle", "canvas"):
        options += [f"--{name}", str(tmp_path / f"{name}.csv")]
    done = subprocess.run(
        [Path(sys.executable).with_name("transformer-course"), "grade"]
        + [str(monday / channel), *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == (1 if channel == "moodle" else 0), done.stderr
    due = {name: ODD.get(name, (None, 3))[1] for name in people}
    due = {name: "" if n is None else str(n) for name, n in due.items()}

    # The table accuses nobody, and says why where it says nothing.
    head, *rows = lines_of(tmp_path / "csv.csv")
    rows = [dict(zip(head, row, strict=True)) for row in rows]
    for row in rows:
        row["name"] = " ".join(reversed(row["name"].split(", ")))
    assert not any("2.4" in column or "hapter 3" in column for column in head)
    noted = {row["name"]: row["notes"] for row in rows if row["notes"]}
    assert set(noted) <= {"Finn Kim", "Hana Kim"}, noted
    assert "--chapter 3" in noted.get("Hana Kim", "--chapter 3")
    for row in rows:
        if due.get(row["name"]):
            assert row["points"] == due[row["name"]], row
    if channel == "moodle":
        (unsure,) = (row for row in rows if row["name"] == "Chen Lee")
        assert (unsure["points"], unsure["of those judged"]) == ("2", "2")
        assert unsure["2.1 softmax"] == "?"

    # Moodle: https://docs.moodle.org/en/Grade_import maps by a column such as
    # the email address, and an empty cell leaves a grade as it is.
    head, *rows = lines_of(tmp_path / "moodle.csv")
    rows = [dict(zip(head, row, strict=True)) for row in rows]
    if channel == "moodle":
        found = {row["Email address"]: row["Chapter 2"] for row in rows}
        wanted = {name.replace(" ", ".") + "@x": n for name, n in due.items()}
        assert found == wanted and len(rows) == len(people)

    # Canvas: the first columns as exported, then assignments; the second line
    # has the points possible.
    head, most, *rows = lines_of(tmp_path / "canvas.csv")
    if channel == "canvas":
        columns = ROSTERS["canvas"][0].split("\n")[0].split(",")
        assert head == columns
        assert most[0].strip() == "Points Possible" and most[5] == "3"
        found = {int(row[1]): (row[0], row[5]) for row in rows}
        wanted = {
            n: (", ".join(reversed(name.split())), due[name])
            for n, name in enumerate(people, 501)
        }
        assert found == wanted | {999: ("Student, Test", "")}

    # The pages say what a student can believe.
    pages = [p.read_text("utf-8") for p in (tmp_path / "pages").iterdir()]
    assert len(pages) == len(people) + (channel == "canvas")
    for page in pages:
        assert str(ROOT) not in page and str(Path.home()) not in page
        files = page.partition("<h2>Your files</h2>")[2]
        if "3 of 3 right" in page:
            assert "Not judged" not in page and "Not handed" not in page
            assert "read as chapter 2, lesson</li>" in files
            assert re.findall("unreadable|not |Next:", files) == []
    assert sum("3 of 3 right" in page for page in pages) == sum(
        points == "3" for points in due.values()
    )
