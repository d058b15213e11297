"""How a command is run, and what is said where it cannot go on.

Bad input ends with a line on standard error and exit code 2, and so does a
package that is not installed.
"""

import argparse
import io
import os
import sys
from importlib import import_module

from transformer_lib.cli.streams import patient
from transformer_lib.extras import how_to_install

__all__ = ["obey"]


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


def obey(
    parser: argparse.ArgumentParser, arguments: list[str] | None, package: str
) -> int:
    """Run the command that a command line asks for.

    Args:
        parser: of all commands; its `command` names the chosen one.
        arguments: the command and its options; None takes those that Python
            was started with.
        package: where each command has a module and in it a function, both
            of its name; the function takes what the parser made of the
            command line and returns an exit code, or None for 0.

    Returns:
        The exit code: the command's; 2 after bad input; 130 after Ctrl-C.

    Raises:
        RuntimeError: a fault of this package.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that is not in the encoding of the system goes out as it came.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    with patient():
        return _run(parser.parse_args(arguments), package)


def _run(args: argparse.Namespace, package: str) -> int:
    """Run a command that was understood."""
    together = "WORLD_SIZE" in os.environ
    who = args.command
    if together:
        who += f" (process {os.environ.get('RANK')})"
    try:
        module = import_module(f"{package}.{args.command}")
        code = getattr(module, args.command)(args) or 0
        sys.stdout.flush()
        return code
    except (ValueError, OSError, RuntimeError, MemoryError) as error:
        said = f"{who}: {_escaped(_reason(error, args.command))}"
        print(said, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        how = how_to_install(error)
        if not how:
            raise
        print(f"{who} needs {how}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as error:
        print(f"{who}: {error or 'interrupted'}", file=sys.stderr)
        return 130
    finally:
        if together:
            from transformer_lib import distributed

            distributed.stop()
