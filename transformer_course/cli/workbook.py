"""The command ``workbook``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import Namespace

from transformer_course import workbook as own
from transformer_course.checks.parts import PARTS
from transformer_course.workbook import on_disk
from transformer_lib.cli.streams import tell

__all__ = ["workbook"]

SECONDS = 600.0  # until the file has been looked through
_LOOK = "from transformer_course.cli.workbook import look; look()"


def workbook(args: Namespace) -> int:
    """Print what the reader's file has, check a part of it, or export it.

    Args:
        args: what the parser made of the command line.

    Returns:
        0 if all that was asked for is right or done, or a new file begun;
        1 if something is wrong, incomplete or missing.

    Raises:
        OSError: the file cannot be read or written.
        ValueError: the file does not run, or there is no such part.
        FileNotFoundError: there is no file to export.
    """
    if args.file is not None:
        os.environ["TRANSFORMER_WORKBOOK"] = args.file
    if args.action == "export":
        if args.init:
            own.init()
        elif not own.file().exists():
            said = [on_disk.none(), on_disk.others()]
            said.append("workbook.save writes it, and --init begins one.")
            raise FileNotFoundError(" ".join(filter(None, said)))
        script = own.export(args.out, args.weights)
        tell(f'Try: python {script} "the cat slept ."')
        return 0
    begun = args.init and not own.file().exists()
    if args.init:
        own.init()
    if args.init and not begun:
        print(f"{own.file()} is there already.")
    if args.check not in (None, *PARTS):
        raise ValueError(
            f"--check {args.check}: no such part; the parts are "
            f"{', '.join(PARTS)}"
        )
    found = own.progress() if begun else _looked_through()
    if args.check is not None:
        rows = tuple(row for row in found.rows if row.name == args.check)
        found = own.Progress(rows)
    print(found)
    return 0 if begun or found.complete else 1


def look() -> None:
    """Look the file through and print what was found, as JSON."""
    try:
        found = {"rows": own.progress().rows}
    except (ValueError, OSError) as error:
        found = {"error": str(error)}
    print(f"\n{json.dumps(found)}", flush=True)
    os._exit(0)  # whatever the file has left running


def _looked_through() -> own.Progress:
    """Look through in another process, which the file may end or block."""
    if not own.file().exists():
        return own.progress()
    places = os.pathsep.join(filter(None, sys.path))
    try:
        run = subprocess.run(
            [sys.executable, "-c", _LOOK],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": places},
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(
            f"{own.file()}: no end after {SECONDS:g} seconds"
        ) from None
    try:
        found = json.loads(run.stdout.splitlines()[-1])
        if "error" in found:
            raise own.BrokenFile(found["error"])
        return own.Progress(tuple(own.Row(*row) for row in found["rows"]))
    except (IndexError, KeyError, TypeError, json.JSONDecodeError):
        raise ValueError(
            f"{own.file()}: Python came to its end while this file ran, with "
            f"exit status {run.returncode}. Does it call something like "
            "os._exit?"
        ) from None
