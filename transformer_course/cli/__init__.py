"""The course's command line: ``python -m transformer_course COMMAND``.

The commands are workbook, for students, and grade and sheet, for teachers, a
module each, which is loaded when its command is given.
"""

from transformer_course.cli.options import parser
from transformer_lib.cli.command import obey

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the command and its options; None takes those that Python
            was started with.

    Returns:
        The exit code: 0; 1 if a part of a workbook is wrong or missing, or a
        file cannot be graded; 2 after bad input; 130 after Ctrl-C.

    Raises:
        RuntimeError: a fault of this package.
    """
    return obey(parser(), arguments, __name__)
