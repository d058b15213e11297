"""Measure everything that waits for a GPU, one job after the other.

    python benchmarks/gpu.py --list
    python benchmarks/gpu.py
    python benchmarks/gpu.py --only translator multi30k --minutes 9
    python benchmarks/gpu.py --smoke

Each job is a script of this folder in a process of its own, and stores its
figures as it goes, with the command, the commit, the device, and the versions
of torch and CUDA: in benchmarks/results, or in the folder that
BENCHMARK_RESULTS names (BENCHMARK_COMMIT tells the commit to a copy of the
files without git). A job that fails, or takes longer than its limit, does
not stop the others; the last lines say how each one ended, and the status is 1
unless all ended well. Given again, the command goes on where a training was
stopped (``--anew`` does not), and repeats the jobs that take minutes.

Multi30k has to be there as plain text; packed files become that by `python -m
transformer_lib fetch multi30k --from FOLDER`. No job changes the translator
that is shipped. ``--smoke`` does all of it on a CPU in miniature, but for the
notebooks, which are run whole, within about five minutes. It stores the figures
for good only where BENCHMARK_RESULTS says.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import common
import torch

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent


@dataclass(frozen=True)
class Job:
    """Something to measure.

    Attributes:
        name: for --only.
        text: what it measures, in words.
        minutes: how long it may take, unless --minutes says otherwise.
        result: the name under which its script stores the figures.
        command: the script and its options, without --device.
    """

    name: str
    text: str
    minutes: float
    result: str
    command: tuple[str, ...]

    @property
    def goes_on(self) -> bool:
        """Whether it keeps the figures of an earlier call."""
        return common.MISSING in self.command


JOBS = (
    Job(
        "tests",
        "the GPU's numbers beside the CPU's",
        5,
        "device_tests",
        ("device_tests.py",),
    ),
    Job(
        "notebooks",
        "the notebooks that train on a GPU; every assertion has to hold",
        15,
        "notebooks_gpu",
        ("notebooks.py",),
    ),
    Job(
        "throughput",
        "training steps beside nn.Transformer and a textbook, compiled or not",
        20,
        "throughput_gpu",
        ("throughput.py", "--preset", "gpu", "--bfloat16"),
    ),
    Job(
        "decoding",
        "decoding with the cache and without it",
        20,
        "decoding_gpu",
        ("decoding.py", "--preset", "gpu"),
    ),
    Job(
        "translator",
        "the toy translator with three seeds, in bfloat16",
        30,
        "toy_translator_gpu",
        ("toy_translator.py", "--preset", "full", "--curve", "valid",
         "--name", "toy_translator_gpu", common.MISSING),
    ),
    Job(
        "ablations",
        "the toy translator with one thing changed at a time",
        60,
        "ablations_gpu",
        ("ablations.py", "--steps", "800", "--name", "ablations_gpu",
         common.MISSING),
    ),
    Job(
        "multi30k",
        "English and German in both directions, and with parts taken away",
        240,
        "multi30k_gpu",
        ("multi30k.py", "--recipe", "gpu", "--directions", "en-de", "de-en",
         "--seeds", "0", "1", "2", "--eval-interval", "300", "--ablations",
         common.MISSING),
    ),
)  # fmt: skip


def command_of(job: Job, args: argparse.Namespace) -> list[str]:
    """Return the command line of a job."""
    script, *options = job.command
    if args.anew and job.goes_on:
        options.remove(common.MISSING)
    if script == "multi30k.py":
        options += ["--data", str(args.data), "--runs", str(args.runs)]
    options += ["--smoke"] if args.smoke else ["--device", "cuda"]
    return [sys.executable, str(FOLDER / script), *options]


def environment(results: Path, scratch: str) -> dict[str, str]:
    """Return a job's environment: the library, the kept corpus, folders.

    Args:
        results: where figures are stored.
        scratch: where files may lie until all jobs have ended.
    """
    path = os.pathsep.join(filter(None, [str(ROOT), os.getenv("PYTHONPATH")]))
    return {
        "TOY_SPLITS": str(ROOT / "_build" / "toy_splits"),
        **os.environ,
        "PYTHONPATH": path,
        "BENCHMARK_RESULTS": str(results),
        "TMPDIR": scratch,
    }


def end(process: subprocess.Popen) -> None:
    """End a process, and what it started, if it still runs.

    It cannot tidy up; what it has stored is whole at any moment.
    """
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def perform(command: Sequence[str], env: dict[str, str], limit: float) -> str:
    """Run a job; return how it ended: "done", or what went wrong.

    Args:
        command: its command line.
        env: its environment.
        limit: how many seconds it may take.
    """
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, start_new_session=True
    )
    try:
        status = process.wait(limit)
    except subprocess.TimeoutExpired:
        return f"stopped after {limit / 60:.3g} minutes"
    finally:
        end(process)
    return f"failed with status {status}" if status else "done"


def measure(job: Job, args, results: Path, scratch: str) -> str:
    """Do one job; return how it ended, see `perform`."""
    minutes = job.minutes if args.minutes is None else args.minutes
    print(f"{job.name}: {job.text}; at most {minutes:g} minutes", flush=True)
    began = time.monotonic()
    env = environment(results, scratch)
    ending = perform(command_of(job, args), env, 60 * minutes)
    path = results / f"{job.result}.json"
    if ending == "done" and not path.exists():
        ending = f"left no {path}"
    seconds = time.monotonic() - began
    print(f"{job.name}: {ending}, {seconds:.0f} s\n", flush=True)
    return ending


def arguments() -> argparse.Namespace:
    names = [job.name for job in JOBS]
    parser = common.parser(__doc__)
    parser.add_argument("--list", action="store_true", help="name the jobs")
    parser.add_argument("--only", nargs="+", choices=names, metavar="JOB")
    parser.add_argument("--minutes", type=float, help="that each job may take")
    parser.add_argument("--anew", action="store_true", help="keep no figures")
    parser.add_argument("--data", type=Path, default=Path("data/multi30k"),
                        help="the folder of Multi30k")  # fmt: skip
    parser.add_argument("--runs", type=Path, default=Path("runs/multi30k"),
                        help="where its trainings go on")  # fmt: skip
    return parser.parse_args()


def main() -> None:
    args = arguments()
    jobs = [job for job in JOBS if not args.only or job.name in args.only]
    if args.list:
        for job in jobs:
            print(f"{job.name}: {job.text} ({job.result}.json)")
        return
    if not args.smoke and not torch.cuda.is_available():
        raise SystemExit(
            "torch finds no GPU here, so nothing was measured; "
            "--smoke does all of it in miniature on a CPU"
        )
    with tempfile.TemporaryDirectory() as scratch:
        results = common.RESULTS.resolve()
        if not common.keeps(args.smoke):
            results = Path(scratch) / "results"
        endings = {
            job.name: measure(job, args, results, scratch) for job in jobs
        }
    for name, ending in endings.items():
        print(f"{name}: {ending}")
    if set(endings.values()) != {"done"}:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
