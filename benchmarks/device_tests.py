"""Run the tests that hold a GPU to the CPU's numbers; store what they said.

    python benchmarks/device_tests.py --device cuda

They are the tests with the mark `gpu`: scores, gradients, loss and decoding as
on a CPU, a run that resumes, training in bfloat16, rows in which everything is
masked. The result is benchmarks/results/device_tests.json. ``--smoke`` runs
the same tests on the CPU, where they hold float32 to the same tolerances, and
stores nothing.
"""

import argparse
from pathlib import Path

import common
import pytest

NAME = "device_tests"
TESTS = Path(__file__).resolve().parents[1] / "tests" / "library"
FILES = ("test_devices.py",)  # those with the mark


class Seen:
    """A plugin of pytest that writes down how each test ended."""

    def __init__(self):
        self.tests: dict[str, dict] = {}

    def pytest_runtest_logreport(self, report) -> None:
        """Keep the outcome; of its three parts one that is not "passed"."""
        name = report.nodeid.rpartition("/")[2]
        test = self.tests.setdefault(name, {"outcome": "passed", "seconds": 0})
        test["seconds"] = round(test["seconds"] + report.duration, 3)
        if test["outcome"] == "passed":
            test["outcome"] = report.outcome


def run(paths: list[Path], mark: str) -> tuple[int, dict]:
    """Run the tests of some files; return pytest's status and the figures.

    Without conftest.py, which checks shapes by a package that a machine for
    training may lack.
    """
    seen = Seen()
    options = ["-q", "--noconftest", "-p", "no:cacheprovider", "-m", mark]
    status = pytest.main([*options, *map(str, paths)], plugins=[seen])
    outcomes = [test["outcome"] for test in seen.tests.values()]
    figures = {
        "passed": outcomes.count("passed"),
        "of": len(outcomes),
        "tests": seen.tests,
    }
    return int(status), figures


def arguments() -> argparse.Namespace:
    return common.parser(__doc__, devices=True).parse_args()


def main() -> None:
    args = arguments()
    mark = "gpu" if args.device == "cuda" else "not gpu"
    status, figures = run([TESTS / name for name in FILES], mark)
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)
    if status:  # also where no test was found
        raise SystemExit(status)


if __name__ == "__main__":
    main()
