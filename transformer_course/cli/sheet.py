"""The command ``sheet``: exercises on paper, for an exam."""

import sys
from argparse import Namespace
from pathlib import Path

from transformer_course.exams import exam_sheet
from transformer_course.exams.varied import is_edition_for_students
from transformer_lib.cli.streams import tell
from transformer_lib.files import atomic_write

__all__ = ["sheet"]


def sheet(args: Namespace) -> int:
    """Write exercises on paper as a sheet for an exam, and its key.

    Args:
        args: what the parser made of the command line.

    Returns:
        0.

    Raises:
        OSError: the file cannot be written.
        ValueError: there is no such chapter or exercise on paper; or a key
            is wanted in the edition for students.
    """
    if args.key is not None and is_edition_for_students():
        raise ValueError("--key: a key is made with the book, not with this")
    exam = exam_sheet(args.wanted, seed=args.seed, short=args.short)
    if args.out is None:
        print(exam.sheet, end="")
    else:
        atomic_write(Path(args.out), exam.sheet.encode("utf-8"))
        tell(f"The sheet is written:  {args.out}")
    if args.key is not None:
        atomic_write(Path(args.key), exam.key.encode("utf-8"))
        print(f"The key is written:  {args.key}", file=sys.stderr)
    if exam.fixed:
        numbers = ", ".join(exam.fixed)
        print(f"With the numbers of the book: {numbers}", file=sys.stderr)
    return 0
