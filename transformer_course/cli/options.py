"""The options of the commands for students and teachers."""

import argparse
from pathlib import Path

__all__ = ["parser"]

CHAPTERS = Path(__file__).parents[2] / "chapters"


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Returns:
        A parser for workbook, grade and sheet.
    """
    parser = argparse.ArgumentParser(
        prog="python -m transformer_course",
        description="Check your own Transformer; mark a class; write an exam.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    workbook = commands.add_parser(
        "workbook",
        help="check the parts of your own Transformer",
        description="Run your file in a process of its own and check its "
        "parts. Exit code 0: all are right, or --init began a new file; 1: "
        "one is wrong, incomplete or missing; 2: the file does not run, or "
        "there is none to export.",
    )
    grade = commands.add_parser(
        "grade",
        help="mark what a class has handed in",
        description="Judge notebooks, and files of the students' own "
        "Transformer, with the checks of their chapters. Run again, it goes "
        "on with what is new. Exit code 1: something could not be judged.",
    )
    sheet = commands.add_parser(
        "sheet",
        help="collect the exercises on paper, for an exam",
        description="Write exercises on paper as a sheet for an exam, with "
        "points and space to write, without hints, as Markdown.",
    )
    _add_workbook(workbook)
    _add_grade(grade)
    _add_sheet(sheet)
    return parser


def _add_workbook(workbook: argparse.ArgumentParser) -> None:
    workbook.add_argument(
        "action",
        nargs="?",
        choices=("export",),
        help="write a folder in which your Transformer translates without "
        "this library",
    )
    workbook.add_argument(
        "--out",
        metavar="FOLDER",
        help="where to export (my_transformer, beside your file)",
    )
    workbook.add_argument(
        "--weights",
        choices=("yours", "book"),
        default="yours",
        help="which to export: what you trained and kept in chapter 15 "
        "(default; the book's where there is nothing), or the book's",
    )
    workbook.add_argument(
        "--file", help="your file (my_transformer.py in this folder)"
    )
    workbook.add_argument(
        "--init", action="store_true", help="begin the file if there is none"
    )
    workbook.add_argument("--check", metavar="PART", help="this part only")


def _numbers() -> str:
    """Say which chapters there are, such as ", 0 to 9"; "" without the book."""
    for folder in (CHAPTERS, Path("chapters")):
        found = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
        if found:
            return f", {int(found[0].name[:2])} to {int(found[-1].name[:2])}"
    return ""


def _add_grade(grade: argparse.ArgumentParser) -> None:
    grade.add_argument("folder", help="with all that the class has sent")
    grade.add_argument(
        "--chapter",
        type=int,
        nargs="+",
        default=(),
        help=f"numbers{_numbers()} "
        "(default: all that a tenth of the class sent)",
    )
    grade.add_argument(
        "--rooms",
        choices=("lesson", "laboratory"),
        nargs="+",
        default=("lesson", "laboratory"),
        help="whose exercises count (both)",
    )
    grade.add_argument("--csv", metavar="FILE", help="table of the results")
    grade.add_argument(
        "--feedback", metavar="FOLDER", help="a page for each student"
    )
    grade.add_argument(
        "--moodle-zip",
        metavar="FILE",
        help="these pages as Moodle takes them back, feedback for each student",
    )
    grade.add_argument(
        "--explore",
        metavar="FILE",
        help="a page to read: everybody's explorations and proofs",
    )
    grade.add_argument(
        "--overview", metavar="FILE", help="the class as one picture, in HTML"
    )
    grade.add_argument(
        "--roster", metavar="FILE", help="CSV of the class, with IDs and names"
    )
    grade.add_argument(
        "--rules",
        metavar="FILE",
        help="TOML: points, when it is due, what being late costs",
    )
    grade.add_argument(
        "--points",
        metavar="FILE",
        help="CSV: your own points, by student and exercise, with a comment",
    )
    for name in ("Canvas", "Moodle"):
        grade.add_argument(
            f"--{name.lower()}",
            metavar="FILE",
            help=f"table for the gradebook of {name}",
        )
    grade.add_argument(
        "--zeros",
        action="store_true",
        help="in these, 0 for what was not handed in, and not an empty cell",
    )
    grade.add_argument(
        "--again",
        metavar="EXERCISE",
        nargs="+",
        default=(),
        help="judge these anew, such as 2.1, and keep what else is known",
    )
    grade.add_argument(
        "--as-root",
        action="store_true",
        help="as root, run students' code though nothing confines it",
    )


def _add_sheet(sheet: argparse.ArgumentParser) -> None:
    sheet.add_argument(
        "wanted",
        nargs="+",
        metavar="NUMBER",
        help=f"chapters{_numbers()}, or exercises, such as 7.1",
    )
    sheet.add_argument(
        "--out", metavar="FILE", help="where to write (default: stdout)"
    )
    sheet.add_argument("--key", metavar="FILE", help="for the teacher")
    sheet.add_argument(
        "--seed", type=int, metavar="N", help="other numbers, where there are"
    )
    sheet.add_argument(
        "--short",
        type=int,
        default=0,
        metavar="N",
        help="so many short questions on sentences of the sources",
    )
