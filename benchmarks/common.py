"""What every benchmark shares: its options, how a result is stored.

Results go to benchmarks/results, or to the folder that BENCHMARK_RESULTS names:
the figures as JSON, and beside them the table that a page of the book includes.
"""

import argparse
import datetime
import functools
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import Pool
from pathlib import Path

import tables
import torch

HOME = Path(__file__).parent / "results"
RESULTS = Path(os.environ.get("BENCHMARK_RESULTS") or HOME)
STORED = "benchmarks/results"
MISSING = "--missing"


def parser(text: str, devices: bool = False) -> argparse.ArgumentParser:
    """Return a parser that knows --smoke and --table.

    Args:
        text: what the script does, its docstring.
        devices: whether it knows --device, too.
    """
    made = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawTextHelpFormatter
    )
    made.add_argument("--smoke", action="store_true", help="in miniature")
    made.add_argument("--table", nargs=0, action=WriteTables,
                      help="measure nothing, write the table anew")  # fmt: skip
    if devices:
        made.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    return made


class WriteTables(argparse.Action):
    """The option --table: write the tables of what a script has stored."""

    def __call__(self, parser, namespace, values, option_string=None) -> None:
        script, found = Path(sys.argv[0]).stem, 0
        for path in sorted(RESULTS.glob("*.json")):
            result = stored(path.stem)
            if tables.script(result) == script:
                print(write_table(path.stem, result))
                found += 1
        if not found:
            parser.error(f"{RESULTS} has no figures of {script}.py")
        parser.exit()


def call_each(function: Callable, tasks: Sequence[tuple], jobs: int) -> list:
    """Return what a function returns for each task, several at a time.

    Args:
        function: of a module, so that another process finds it.
        tasks: the arguments of each call.
        jobs: how many processes; 1 makes none.
    """
    if jobs == 1:
        return [function(*task) for task in tasks]
    with Pool(jobs) as pool:
        return pool.starmap(function, tasks, chunksize=1)


@functools.cache
def commit() -> str:
    """Return the commit that is measured, with a + if files have changed.

    Stored results do not count: they are not what is measured. Where git or
    its history is missing, BENCHMARK_COMMIT says what lies there.
    """
    head = _git("rev-parse", "--short", "HEAD")
    if not head:
        return os.environ.get("BENCHMARK_COMMIT") or "unknown"
    changed = _git("status", "--porcelain", ":/", ":(top,exclude)" + STORED)
    return head + ("+" if changed else "")


def _git(*words: str) -> str:
    """Return what git says, or nothing where it knows nothing."""
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(
        ["git", *words],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    return "" if done.returncode else done.stdout.strip()


def device_name(device: str) -> str:
    """Return what the numbers were measured on."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    return f"CPU ({processor()}), {torch.get_num_threads()} thread(s)"


def processor() -> str:
    """Return the processor's name, or its kind where Linux tells no name."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def origin(device: str, command: list[str] | None = None) -> dict:
    """Return what is needed to repeat a measurement.

    The command is the one that was given, unless another repeats the whole.
    """
    given = [one for one in sys.argv[1:] if one != MISSING]
    arguments = command or [Path(sys.argv[0]).name, *given]
    return {
        "command": "python benchmarks/" + shlex.join(arguments),
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
        "device": device_name(device),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
    }


def stored(name: str) -> dict:
    """Return a stored result, or nothing where there is none."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(
    name: str, device: str, figures: dict, command: list[str] | None = None
) -> Path:
    """Store a benchmark's figures, where they come from, and their table."""
    path = RESULTS / f"{name}.json"
    rewrite(name, origin(device, command) | figures)
    return path


def rewrite(name: str, result: dict) -> None:
    """Store a whole result under a name, and its table."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    _write(RESULTS / f"{name}.json", text + "\n")
    write_table(name, result)


def write_table(name: str, result: dict) -> Path:
    """Store the table of a result."""
    path = RESULTS / f"{name}.md"
    _write(path, tables.markdown(result))
    return path


def _write(path: Path, text: str) -> None:
    from transformer_lib.files import atomic_write  # gpu.py has no library

    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, text.encode())


def keeps(smoke: bool) -> bool:
    """Say whether to store: what is in miniature goes only elsewhere."""
    return not smoke or RESULTS != HOME


def keep(
    args: argparse.Namespace,
    name: str,
    figures: dict,
    command: list[str] | None = None,
) -> None:
    """Store what was measured so far, if it is to be stored."""
    if keeps(args.smoke):
        write(name, getattr(args, "device", "cpu"), figures, command)


def tell(args: argparse.Namespace, name: str, figures: dict) -> None:
    """Say where the figures are stored, or print them."""
    if keeps(args.smoke):
        print(RESULTS / f"{name}.json")
    else:
        print(json.dumps(figures))
