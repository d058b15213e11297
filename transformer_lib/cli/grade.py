"""The command ``grade``: mark what a class has handed in."""

from argparse import Namespace
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from transformer_lib.course.checks.engine.verdict import RIGHT, WRONG
from transformer_lib.course.grading import Row
from transformer_lib.course.grading import grade as grade_folder
from transformer_lib.course.grading.exercises import read_chapter
from transformer_lib.course.grading.explored import explored
from transformer_lib.course.grading.guarding import protect
from transformer_lib.course.grading.students import students
from transformer_lib.files import atomic_write

__all__ = ["grade"]

_SHORT = {
    "not attempted": "-",
    "not handed in": "absent",
    "unfinished": "?",
}


def grade(args: Namespace) -> int:
    """Judge a folder of notebooks, and show what came out.

    Args:
        args: what the parser made of the command line.

    Returns:
        0 if every file has got its verdicts, else 1.

    Raises:
        OSError: a file cannot be written.
        ValueError: there is no such chapter, nothing in the folder, or the
            table is another one.
    """
    chapter = read_chapter(args.chapter)
    if args.feedback is not None:
        place = Path(args.feedback)
        if place.exists() and not place.is_dir():
            raise ValueError(f"--feedback {place}: give a folder, not a file")
    found = students(Path(args.folder), chapter)
    if args.explore is not None:
        named = {
            paths[0].relative_to(args.folder).as_posix(): paths
            for paths in found
        }
        text = explored(args.chapter, named)
        atomic_write(Path(args.explore), text.encode("utf-8"))
    limits = protect()
    graded = grade_folder(
        args.folder, args.chapter, args.csv, args.feedback, limits
    )
    rows = list(tqdm(graded, total=len(found), unit=" students", disable=None))
    rows.sort(key=lambda row: row.name)
    if any(row.results for row in rows):
        _show(rows)
    else:
        _show_nothing(args.chapter, rows)
    return 0 if all(row.is_finished for row in rows) else 1


def _show_nothing(chapter: int, rows: list[Row]) -> None:
    """Say that there is no table, and what there is to say of the files."""
    for row in rows:
        if row.note:
            print(f"{row.name}  {row.note}")
    print(
        f"Chapter {chapter} asks nothing that a check can judge. With "
        "--explore FILE its explore exercises come on one page."
    )


def _show(rows: list[Row]) -> None:
    """Print the table, then the mistakes, the most frequent first."""
    titles = [result.exercise for result in rows[0].results]
    widest = max(len(row.name) for row in rows)
    print(" " * widest, "right", *titles, sep="  ")
    for row in rows:
        marks = [
            f"{_SHORT.get(status, status):{len(title)}}"
            for title, status, _ in row.results
        ]
        count = f"{row.right}/{len(row.results)}"
        line = "  ".join([f"{row.name:{widest}}", f"{count:5}", *marks])
        print(f"{line}  {row.note}".rstrip())
    each = zip(*(row.results for row in rows), strict=True)
    right = [sum(one.status == RIGHT for one in column) for column in each]
    counts = [
        f"{f'{some} of {len(rows)}':{len(title)}}"
        for some, title in zip(right, titles, strict=True)
    ]
    print(f"{'right':{widest}}", " " * 5, *counts, sep="  ")
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
