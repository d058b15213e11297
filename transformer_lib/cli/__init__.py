"""The command line: ``python -m transformer_lib COMMAND``.

The commands are fetch, train, confidence, translate, evaluate, workbook, grade
and sheet, a module each, which is loaded when its command is given: help comes
without torch. Bad input ends with a line on standard error and exit code 2.
"""

import io
import os
import sys
from argparse import Namespace
from importlib import import_module

from transformer_lib.cli.options import parser
from transformer_lib.cli.streams import patient

__all__ = ["main"]

# What pyproject.toml leaves to those who want it, as far as commands need it.
EXTRAS = {"pooch", "requests", "sacrebleu"}


def _reason(error: Exception, command: str) -> str:
    """Say in one line what a user can do something about.

    Any other error of torch is a fault of this package: it goes on, with
    its traceback.
    """
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    import torch

    text = str(error).strip().split("\n")[0]
    said = f" ({text})" if text else ""
    # A CPU without memory, a GPU that others have filled and gloo, by which
    # processes on CPUs talk, raise plain RuntimeErrors: their words must tell.
    full = ("DefaultCPUAllocator", "CUDA error: out of memory")
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(
        words in text for words in full
    ):
        smaller = (
            "; train with a smaller --batch-tokens or a smaller model"
            if command == "train"
            else ""
        )
        return f"not enough memory{said}{smaller}"
    if isinstance(error, torch.distributed.DistError) or "gloo" in text:
        return f"lost another process{said}"
    raise error


def _escaped(text: str) -> str:
    """Return a text in which a terminal finds nothing to obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def main(arguments: list[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the command and its options; None takes those that Python
            was started with.

    Returns:
        The exit code: 0; 1 if a part of a workbook is wrong or missing, a
        file cannot be graded, or a sentence cannot be translated; 2 after
        bad input; 130 after Ctrl-C.

    Raises:
        RuntimeError: a fault of this package.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that is not in the encoding of the system goes out as it came.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    with patient():
        return _run(parser().parse_args(arguments))


def _run(args: Namespace) -> int:
    """Run a command that was understood."""
    together = "WORLD_SIZE" in os.environ
    who = args.command
    if together:
        who += f" (process {os.environ.get('RANK')})"
    try:
        module = import_module(f"{__name__}.{args.command}")
        code = getattr(module, args.command)(args) or 0
        sys.stdout.flush()
        return code
    except (ValueError, OSError, RuntimeError, MemoryError) as error:
        said = f"{who}: {_escaped(_reason(error, args.command))}"
        print(said, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        said = f"{who} needs {package}: pip install {package}"
        print(said, file=sys.stderr)
        return 2
    except KeyboardInterrupt as error:
        print(f"{who}: {error or 'interrupted'}", file=sys.stderr)
        return 130
    finally:
        if together:
            from transformer_lib import distributed

            distributed.stop()
