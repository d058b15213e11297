"""The command line: ``python -m transformer_lib COMMAND``.

The commands are fetch, train, confidence, translate and evaluate, a module
each, which is loaded when its command is given: help comes without torch.
"""

import sys

from transformer_lib.cli.command import obey
from transformer_lib.cli.options import parser

__all__ = ["main"]

MOVED = ("grade", "sheet", "workbook")  # commands of the course


def main(arguments: list[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the command and its options; None takes those that Python
            was started with.

    Returns:
        The exit code: 0; 1 if a sentence cannot be translated; 2 after bad
        input; 130 after Ctrl-C.

    Raises:
        RuntimeError: a fault of this package.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if (name := "".join(given[:1])) in MOVED:
        said = f"{name}: call it as python -m transformer_course {name}"
        print(said, file=sys.stderr)
        return 2
    return obey(parser(), arguments, __name__)
