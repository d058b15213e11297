"""What every benchmark shares: how a result is described and stored."""

import datetime
import functools
import json
import platform
import shlex
import subprocess
import sys
from pathlib import Path

import torch

RESULTS = Path(__file__).parent / "results"
STORED = "benchmarks/results"


@functools.cache
def commit() -> str:
    """Return the commit that is measured, with a + if files have changed.

    Stored results do not count: they are not what is measured.
    """
    here = Path(__file__).parent
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=here,
        capture_output=True,
        text=True,
    )
    dirty = subprocess.run(
        ["git", "status", "--porcelain", ":/", ":(top,exclude)" + STORED],
        cwd=here,
        capture_output=True,
        text=True,
    )
    if head.returncode:
        return "unknown"
    return head.stdout.strip() + ("+" if dirty.stdout.strip() else "")


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
    arguments = command or [Path(sys.argv[0]).name, *sys.argv[1:]]
    return {
        "command": "python benchmarks/" + shlex.join(arguments),
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
        "device": device_name(device),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
    }


def write(
    name: str, device: str, figures: dict, command: list[str] | None = None
) -> Path:
    """Store a benchmark's figures and where they come from."""
    result = origin(device, command) | figures
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    text = json.dumps(result, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path
