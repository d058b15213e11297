"""The command ``grade``: mark what a class has handed in."""

from __future__ import annotations

import contextlib
import signal
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from transformer_course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    NOT_HANDED_IN,
    NOT_JUDGED,
    RIGHT,
    WRONG,
)
from transformer_course.grading import Class, Row
from transformer_course.grading import grade as grade_folder
from transformer_course.grading.given import read_given, with_given
from transformer_course.grading.pages import Places
from transformer_course.grading.roster import (
    Rules,
    read_roster,
    read_rules,
)
from transformer_course.grading.running.guarding import protect, told
from transformer_course.grading.running.process import Limits
from transformer_course.grading.writing.table import cell

__all__ = ["grade"]

_SHORT = {NOT_ATTEMPTED: "-", NOT_HANDED_IN: "absent", NOT_JUDGED: "?"}
_HOME = Path(__file__).resolve().parents[2]  # of the book


def grade(args: Namespace) -> int:
    """Judge a folder of submissions, and show what came out.

    Args:
        args: what the parser made of the command line.

    Returns:
        0 if every student has got all verdicts, else 1.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: there is no such chapter or exercise, nothing in the
            folder, a file of the teacher's is not as it should be, or the
            package that judges has changed during the run.
    """
    _not_among(Path(args.folder))
    sys.dont_write_bytecode = True  # so that nothing changes but by others
    files = "csv feedback explore canvas moodle overview moodle_zip".split()
    names = [getattr(args, name) for name in files]
    paths = [Path(name) if name else None for name in names]
    places = Places(*paths, zeros=args.zeros)
    places.check(Path(args.folder))
    roster = read_roster(Path(args.roster)) if args.roster else []
    rules = read_rules(Path(args.rules)) if args.rules else Rules()
    given = read_given(Path(args.points)) if args.points else []
    limits = protect(args.as_root)
    with (
        _ended_like_by_a_key(),
        tqdm(unit=" students", disable=None) as bar,
    ):
        found = grade_folder(
            args.folder,
            args.chapter,
            limits,
            roster,
            rules,
            args.again,
            places.journal,
            _Progress(bar, limits),
            args.rooms,
        )
    if given:
        found = with_given(found, given, rules)
    places.write(found)
    if any(row.results for row in found.rows):
        _show(found.rows)
    else:
        print(
            "Nothing here is of a chapter that a check can judge. With "
            "--explore FILE explorations and proofs come on a page."
        )
    _show_files(found)
    if found.ended:
        raise KeyboardInterrupt(
            "interrupted; what was judged by then is written"
        )
    return 0 if all(row.is_finished for row in found.rows) else 1


@contextlib.contextmanager
def _ended_like_by_a_key() -> Iterator[None]:
    """Take the signal that ends a command for Ctrl-C: tables are written."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _not_among(folder: Path) -> None:
    """Refuse to run where a student's file could stand for one of Python's.

    Raises:
        ValueError: Python looks for modules among the submissions.
    """
    here, folder = Path.cwd(), folder.resolve()
    looks = sys.argv[0].endswith("__main__.py") or not {
        *("", str(here))
    }.isdisjoint(sys.path)
    if looks and here != _HOME and here.is_relative_to(folder):
        raise ValueError(
            f"Python looks for modules in {here}, where students' files are: "
            "go to another folder, or run transformer-course grade"
        )


class _Progress:
    """Counts students; says first what confines their code.

    Where a student can end this, it says who is being judged, too.
    """

    def __init__(self, bar: tqdm, limits: Limits) -> None:
        self.bar, self.limits = bar, limits
        self.begun = False

    def __call__(self, name: str) -> None:
        if not self.begun:
            self.begun = True
            print(told(self.limits), file=sys.stderr)
        self.bar.update()
        if not self.limits.closes_signals:
            print(f"judging {cell(name)}", file=sys.stderr, flush=True)


def _show(rows: list[Row]) -> None:
    """Print the table, then the mistakes, the most frequent first."""
    titles = [result.exercise for result in rows[0].results]
    widest = max(len(cell(row.name)) for row in rows)
    print(" " * widest, "points", *titles, sep="  ")
    for row in rows:
        marks = [
            f"{_SHORT.get(result.status, result.status)}"
            f"{f' ({result.follows})' if result.follows else ''}"
            for result in row.results
        ]
        each = [f"{m:{len(t)}}" for m, t in zip(marks, titles, strict=True)]
        count = f"{row.points():g}/{row.most():g}"
        line = "  ".join([f"{cell(row.name):{widest}}", f"{count:6}", *each])
        late = [f"{n} minutes late" for n in row.late.values() if n]
        said = "; ".join([*late, *map(cell, row.notes)])
        print(f"{line}  {said}".rstrip())
    each_right = zip(*(row.results for row in rows), strict=True)
    right = [sum(one.status == RIGHT for one in col) for col in each_right]
    counts = [
        f"{f'{some} of {len(rows)}':{len(title)}}"
        for some, title in zip(right, titles, strict=True)
    ]
    print(f"{'right':{widest}}", " " * 6, *counts, sep="  ")
    if not all(row.is_finished for row in rows):
        print("? could not be judged; the points are of those judged.")
    found = Counter(
        f"{result.exercise}: {result.mistake or 'a mistake without a name'}"
        for row in rows
        for result in row.results
        if result.status == WRONG
    )
    if found:
        print("\nThe mistakes:")
    for mistake, times in found.most_common():
        print(f"{times:4}  {mistake}")


def _show_files(found: Class) -> None:
    """Print the files that nobody is shown with, and who is no student."""
    if any(row.person for row in found.rows):
        strange = [row.name for row in found.rows if row.person is None]
        if strange:
            print("\nNot on the roster, so in no gradebook:")
        for name in strange:
            print(f"  {cell(name)}")
    rest = [file for file in found.files if not file.student]
    if rest:
        print("\nOther files:")
    for file in rest:
        print(f"  {cell(file.name)}: {file.became}")
