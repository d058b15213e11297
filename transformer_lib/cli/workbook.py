"""The command ``workbook``."""

import os
from argparse import Namespace

from transformer_lib.course import workbook as own

__all__ = ["workbook"]


def workbook(args: Namespace) -> int:
    """Print what the reader's file has, or check one part of it.

    Args:
        args: what the parser made of the command line.

    Returns:
        0 if all that was asked for is right, 1 if something is wrong or
        missing.

    Raises:
        OSError: the file cannot be read or written.
        ValueError: the file does not run, or there is no such part.
    """
    if args.file is not None:
        os.environ["TRANSFORMER_WORKBOOK"] = args.file
    if args.init:
        own.init()
    found = own.progress()
    if args.check is not None:
        rows = tuple(row for row in found.rows if row.name == args.check)
        if not rows:
            names = ", ".join(row.name for row in found.rows)
            raise ValueError(
                f"--check {args.check}: no such part; the parts are {names}"
            )
        found = own.Progress(rows)
    print(found)
    return 0 if found.complete else 1
