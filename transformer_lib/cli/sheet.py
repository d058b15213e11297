"""The command ``sheet``: exercises on paper, for an exam."""

from argparse import Namespace
from pathlib import Path

from transformer_lib.course.grading import exam_sheet
from transformer_lib.files import atomic_write

__all__ = ["sheet"]


def sheet(args: Namespace) -> int:
    """Write the exercises on paper of some chapters.

    Args:
        args: what the parser made of the command line.

    Returns:
        0.

    Raises:
        OSError: the file cannot be written.
        ValueError: there is no such chapter, or it asks nothing on paper.
    """
    text = exam_sheet(args.chapters)
    if args.out is None:
        print(text, end="")
    else:
        atomic_write(Path(args.out), text.encode("utf-8"))
        print(f"The sheet is written:  {args.out}")
    return 0
