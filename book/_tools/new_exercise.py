"""Write what is mechanical of a new exercise.

    make exercise NAME=two_walks CHAPTER=5 KIND=paper

The exercise gets the next number of its chapter, so that no other changes its
own, and stands at the end of the laboratory. What is written works and asks for
something else: the files of the check, the cells of the laboratory and of the
solutions, its number and its name in book/teaching.md, and, for code, answers
to test the check with. Nothing is executed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

from notebook_file import dumped

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from transformer_course.checks.engine import paper_text  # noqa: E402
from transformer_course.checks.engine.paper import Paper  # noqa: E402
from transformer_course.checks.engine.paper_text import parse  # noqa: E402

KINDS = ("paper", "code")
HOME = "## Exercises for home"
IMPORT = "from transformer_course import checks\n\n"
NUMBER = r"(?m)^### (?:Exercise|Solution) {}\.(\d+) "

CODE = '''\
"""The exercise `{name}(x)` and the wrong answers it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.facts import (
    first_difference,
    show_arrays,
)
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import finite, shape
from transformer_course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "{name}"]


def {name}(function: Any) -> Verdict:
    """Check a function `{name}(x)`: each number doubled, plus one.

    Args:
        function: takes an array x and returns an array of its shape.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: chapter {chapter}.
    """
    return judge(EXERCISE, function)


def solution(x):
    doubled = 2 * x
    return doubled + 1


EXERCISE = Exercise(
    name="{name}",
    inputs=("x",),
    asked="`{name}(x)` doubles each number of x and adds 1.",
    praise="Your results agree with the reference for a row and for a table.",
    cases=(
        Case("row", (np.array([1.0, 3.0, -2.0]),)),
        Case("table", (np.arange(6.0).reshape(2, 3) - 1,)),
    ),
    solve=Reference(solution),
    properties=(shape, finite),
    hints=(
        "Two steps: the double of each number, and one more.",
        "NumPy does both to all numbers at once; no loop is needed.",
    ),
    facts=lambda case, want, got: first_difference(want, got),
    show_inputs=show_arrays("x"),
    on_the_way={{"doubled": "the doubles"}},
)
'''
MISTAKES = """\
squared
`2 * x` => `x**2`
You square each number; its double is wanted.
? What does the formula do to a 3?

one_taken_away
`doubled + 1` => `doubled - 1`
You take 1 away from the double, and it is to be added: {wanted} is wanted
instead of {came}.
? Look at the sign before the 1.
"""
ANSWERS = '''\
"""Answers to `{name}(x)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""


def right__one_line(x):
    return 2 * x + 1


def squared__product(x):
    return x * x + 1


def one_taken_away__one_line(x):
    return x + x - 1
'''


class New(NamedTuple):
    """A new exercise: the name of its check, its kind, its place, its title."""

    name: str
    kind: str
    chapter: int
    number: str
    title: str


def add(
    name: str, chapter: int, kind: str, title: str = "", root: Path = ROOT
) -> list[Path]:
    """Write an exercise.

    Args:
        name: of its check, a name in Python.
        chapter: the number of its chapter.
        kind: "paper" or "code".
        title: of its heading; the name in words if there is none.
        root: of the book.

    Returns:
        The files that were written.

    Raises:
        ValueError: the name is taken or no name, or the chapter is not there.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise ValueError(f"NAME is a name in Python, and {name!r} came")
    if kind not in KINDS:
        raise ValueError(f"KIND is paper or code, and {kind!r} came")
    if taken := sorted(root.glob(f"transformer_course/checks/*/{name}.*")):
        raise ValueError(f"{name} is taken: {taken[0].relative_to(root)}")
    rooms = [
        root / "chapters",
        root / "book/laboratory",
        root / "book/solutions",
    ]
    found = [path for room in rooms for path in room.glob(f"{chapter:02}_*")]
    if len(found) != len(rooms):
        raise ValueError(
            f"chapter {chapter} needs a lesson, a laboratory and solutions; "
            f"{len(found)} of them are there"
        )
    number = f"{chapter}.{last_number(found, chapter) + 1}"
    new = New(name, kind, chapter, number, title or name.replace("_", " "))
    written = files(new)
    above, below = cells(new, written)
    _, laboratory, solutions = (
        path.relative_to(root).as_posix() for path in found
    )
    for place, more in ((laboratory, above), (solutions, below)):
        text = (root / place).read_text(encoding="utf-8")
        written[place] = with_cells(text, more, place == laboratory)
    teaching = (root / "book/teaching.md").read_text(encoding="utf-8")
    written["book/teaching.md"] = with_name(with_row(teaching, new), new)
    for place, text in written.items():
        (root / place).write_text(text, encoding="utf-8", newline="\n")
    return [root / place for place in written]


def last_number(notebooks: list[Path], chapter: int) -> int:
    """Return the largest number of an exercise in the rooms of a chapter."""
    found = [
        int(number)
        for path in notebooks
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        for number in re.findall(
            NUMBER.format(chapter), "".join(cell["source"])
        )
    ]
    return max(found, default=0)


def files(new: New) -> dict[str, str]:
    """Return the files of the check, by their names."""
    home = f"transformer_course/checks/{new.kind}/{new.name}"
    if new.kind == "paper":
        example = (paper_text.__doc__ or "").split("\n\n    ", 1)[1]
        lines = example.split("\n`given` and", 1)[0]
        text = textwrap.dedent("    " + lines).strip() + "\n"
        return {f"{home}.txt": text.replace("walk_by_hand", new.name)}
    named = {"name": new.name, "chapter": new.chapter}
    return {
        f"{home}.py": CODE.format(**named),
        f"{home}.txt": MISTAKES,
        f"tests/course/wrong_answers/{new.name}.py": ANSWERS.format(**named),
    }


def cells(
    new: New, written: dict[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the cells for the laboratory, and those for the solutions."""
    name, kind = new.name, new.kind
    if kind == "paper":
        paper = Paper(
            parse(written[f"transformer_course/checks/paper/{name}.txt"])
        )
        right = ", ".join(f"{x:g}" for x in paper.answer.ravel())
        blanks = ", ".join("..." for _ in range(paper.answer.size))
        task, given = paper.asked, "numbers"
        answer, solved = f"numbers = ({blanks})", f"numbers = ({right})"
    else:
        task = f"Write `{name}(x)`, which doubles each number of x and adds 1."
        given = name
        answer = f"def {name}(x):\n    ...  # your code"
        solved = f"def {name}(x):\n    return 2 * x + 1"
    gap = "\n" if kind == "paper" else "\n\n\n"
    key = f"exercise-{new.number.replace('.', '-')}"
    tag, call = [f"answer:{name}"], f"checks.{name}({given})"
    asked = (
        f"### Exercise {new.number} ({kind}, 10 min, easy): {new.title}\n\n"
        f"**Goal:** say in a sentence what it is good for.\n\n{task}"
    )
    told = (
        f"### Solution {new.number} ({kind}): {new.title}\n\n"
        "The way, and what to take away from it."
    )
    verdict = f"verdict = {call}\nassert verdict.ok\nverdict"
    return (
        [cell(key, asked), cell(f"{key}-answer", answer, tag)]
        + [cell(f"{key}-check", call, [])],
        [cell(key, told), cell(f"{key}-answer", solved + gap + verdict, tag)],
    )


def cell(key: str, text: str, tags: list[str] | None = None) -> dict[str, Any]:
    """Return a cell: of text, or with tags, even none, of code."""
    made: dict[str, Any] = {
        "id": key,
        "cell_type": "markdown" if tags is None else "code",
        "metadata": {"tags": tags} if tags else {},
        "source": text.splitlines(keepends=True),
    }
    return made if tags is None else made | {
        "execution_count": None, "outputs": []
    }  # fmt: skip


def with_cells(text: str, more: list[dict[str, Any]], at_home: bool) -> str:
    """Return a notebook with cells at its end.

    Args:
        text: of the notebook.
        more: the cells.
        at_home: they go to the end of "Exercises for home", which is opened
            where it is not there.
    """
    notebook = json.loads(text)
    there = notebook["cells"]
    texts = ["".join(one["source"]) for one in there]
    place = len(there)
    if at_home:
        begin = [n for n, one in enumerate(texts) if f"{HOME}\n" in f"{one}\n"]
        if begin:
            place = next(
                (n for n in range(begin[0] + 1, place)
                 if there[n]["cell_type"] == "markdown"
                 and texts[n].startswith("## ")),
                place,
            )  # fmt: skip
        else:
            more[0]["source"] = [f"{HOME}\n", "\n", *more[0]["source"]]
    if not any("import checks" in one for one in texts):
        code = next(one for one in more if one["cell_type"] == "code")
        code["source"] = [*IMPORT.splitlines(keepends=True), *code["source"]]
    there[place:place] = more
    return dumped(notebook)


def with_row(text: str, new: New) -> str:
    """Return the page for teachers with the number among those for home."""
    row = re.compile(
        rf"(?ms)(^### {new.chapter}\. (?:(?!^### ).)*?^\*\*Exercises\.\*\*.*?)"
        r"(?=\n\n|\Z)"
    )
    found = row.search(text)
    if not found:
        raise ValueError(
            f"book/teaching.md has no row **Exercises.** for chapter "
            f"{new.chapter}"
        )
    before, begun, listed = found[1].rpartition("Home:")
    if "**Exercises.**" in before:
        numbers = re.match(r"(?:[\s,]+\d+\.\d+)+", listed)
        end = numbers.end() if numbers else 0
        row_now = f"{before}{begun}{listed[:end]}, {new.number}{listed[end:]}"
    else:
        row_now = f"{found[1]} Home: {new.number}."
    return text[: found.start()] + row_now + text[found.end() :]


def with_name(text: str, new: New) -> str:
    """Return the page for teachers with the name in the list of all checks."""
    start = text.index("\n## Exchanging banks of answers\n")
    row = re.compile(rf"(?m)^\| {new.chapter} \| (.*?) \| (.*?) \|$")
    found = row.search(text, start)
    if not found:
        raise ValueError(
            f"book/teaching.md lists no checks of chapter {new.chapter}"
        )
    columns = list(found.groups())
    here = KINDS[::-1].index(new.kind)
    name = f"`{new.name}`" if new.kind == "paper" else f"`{new.name}(x)`"
    listed = [columns[here], name] if "`" in columns[here] else [name]
    columns[here] = ", ".join(listed)
    now = f"| {new.chapter} | {' | '.join(columns)} |"
    return text[: found.start()] + now + text[found.end() :]


def main() -> None:
    """Write what the command line asks for; say what is left to do."""
    parser = argparse.ArgumentParser(description="Add an exercise.")
    parser.add_argument("name")
    parser.add_argument("chapter", type=int)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    try:
        written = add(
            options.name, options.chapter, options.kind, options.title
        )
    except ValueError as error:
        parser.error(str(error))
    print("Written, each with an example to be replaced by your own:")
    for path in written:
        print(f"  {path.relative_to(ROOT).as_posix()}")
    print("Then say in the lesson that it waits in the laboratory: make check")


if __name__ == "__main__":
    main()
