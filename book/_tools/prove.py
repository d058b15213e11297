"""Run the tests and the notebooks that a change can break.

    python book/_tools/prove.py tests
    python book/_tools/prove.py notebooks chapters -- -n 2 --dist loadfile
    python book/_tools/prove.py pages

What passed is noted in _build/proved, with a fingerprint of all that it
depended on, and runs again when that has changed: a notebook depends on its
cells and outputs, not on its prose, and on the modules that it imports
(depends.py); one that starts another process always runs. A built page depends
on its HTML and on all files that pages share (tests/browser/proofs.py). The
tests depend on all files of the repository. Where texts alone have changed
(chapters, their laboratories and solutions, pages), the tests that read texts
run, which tests/conftest.py marks `texts`. Every proof is of these versions of
Python and of the packages. None is committed; GitHub keeps those of notebooks
and pages from one run to the next. ``--all`` believes nothing and runs
everything; what comes after ``--`` goes to pytest.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from depends import ROOT, code_of, needed, starts_a_process

# The tests' own note stays here; the others' may come from another machine.
NOTE = ROOT / "_build" / "proved_tests.json"
NOTEBOOKS = ROOT / "_build" / "proved" / "notebooks.json"
PAGES = ROOT / "_build" / "proved" / "pages.json"
REPORT = ROOT / "_build" / "proof.xml"
# How a notebook's outputs are compared.
JUDGES = ("conftest.py", "pyproject.toml", "book/_tools/prove.py",
          "book/_tools/depends.py", "book/_tools/no_gpu.py")  # fmt: skip
TEXTS = ("chapters/", "book/laboratory/", "book/solutions/")
LEFT_OUT = "not slow and not whole"
EVERYTHING = "not slow"


def is_text(path: str) -> bool:
    """Tell whether a path of the repository is a text that people read."""
    in_book = path.startswith("book/") and path.endswith((".md", ".bib"))
    at_top = path.endswith(".md") and "/" not in path
    beside_code = path.startswith("book/_")
    return path.startswith(TEXTS) or (in_book and not beside_code) or at_top


def fingerprint(files: Iterable[Path], *more: str) -> str:
    """Return one number for the names and the contents of files."""
    number = hashlib.sha256()
    for word in (*more, *environment()):
        number.update(word.encode())
    for file in sorted(files):
        number.update(file.relative_to(ROOT).as_posix().encode())
        number.update(hashlib.sha256(file.read_bytes()).digest())
    return number.hexdigest()


def code_part(text: str) -> dict[str, Any]:
    """Return what of a notebook can run or be compared: all but its prose."""
    notebook = json.loads(text)
    kept = ("source", "metadata", "outputs")
    return {
        "metadata": notebook.get("metadata"),
        "cells": [
            {key: cell.get(key) for key in kept}
            for cell in notebook["cells"]
            if cell["cell_type"] == "code"
        ],
    }


@functools.cache
def environment() -> list[str]:
    """Return Python's version and those of all packages."""
    packages = {
        f"{one.name}=={one.version}" for one in metadata.distributions()
    }
    return [sys.version, *sorted(packages)]


def files_of_the_repository() -> list[str]:
    """Return all files that git knows or would add; none without git."""
    asked = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"]
    try:
        said = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    names = said.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def read_note(note: Path) -> dict[str, str]:
    return json.loads(note.read_text("utf-8")) if note.exists() else {}


def write_note(
    note: Path, passed: dict[str, str], failed: Iterable[str] = ()
) -> None:
    """Note what has passed; what has failed is no longer believed."""
    note.parent.mkdir(parents=True, exist_ok=True)
    known = read_note(note) | passed
    for name in failed:
        known.pop(name, None)
    note.write_text(json.dumps(known, indent=1, sort_keys=True), "utf-8")


def pytest(arguments: list[str]) -> int:
    """Run pytest and return its status; no test found is no fault."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    status = subprocess.run(command, cwd=ROOT).returncode
    return 0 if status == 5 else status


def tests(everything: bool, arguments: list[str]) -> int:
    """Run the unit tests, all of them or those that read texts."""
    names = files_of_the_repository()
    texts = {
        ROOT / name
        for name in names
        if is_text(name) or name.endswith("/README.md")
    }
    code = {ROOT / name for name in names} - texts
    # From before the run: who changes a file meanwhile proves it again.
    now = {"code": fingerprint(code), "texts": fingerprint(texts)}
    before = read_note(NOTE) if names and not everything else {}
    if all(before.get(part) == number for part, number in now.items()):
        print("The tests passed here as they are.")
        return 0
    chosen = EVERYTHING if everything else LEFT_OUT
    if before.get("code") == now["code"]:
        print("Only texts have changed: the tests that read texts run.")
        chosen += " and texts"
    status = pytest(["-m", chosen, *arguments])
    if names and not status:
        write_note(NOTE, now)
    return status


def notebooks(places: list[str], everything: bool, arguments: list[str]) -> int:
    """Run the notebooks of some folders, and note each that passes."""
    found = [
        file
        for place in places
        for file in (
            [ROOT / place]
            if place.endswith(".ipynb")
            else sorted((ROOT / place).glob("*.ipynb"))
        )
    ]
    judges = {ROOT / name for name in JUDGES if (ROOT / name).exists()}
    now = {
        file.relative_to(ROOT).as_posix(): fingerprint(
            needed(code_of(file)) | judges,
            json.dumps(code_part(file.read_text(encoding="utf-8"))),
        )
        for file in found
    }
    before = {} if everything else read_note(NOTEBOOKS)
    changed = [
        name
        for name in now
        if before.get(name) != now[name] or asks_others(ROOT / name)
    ]
    print(f"{len(changed)} of {len(now)} notebooks to run")
    if not changed:
        return 0
    REPORT.unlink(missing_ok=True)
    status = pytest(
        ["--nbval", "-p", "no:cacheprovider", f"--junitxml={REPORT}"]
        + [*arguments, *changed]
    )
    failed = failures() if REPORT.exists() else set(changed)
    passed = {name: now[name] for name in changed if name not in failed}
    write_note(NOTEBOOKS, passed, failed)
    return status


def asks_others(notebook: Path) -> bool:
    """Tell whether a notebook starts a process, whose needs are not known."""
    cells = code_part(notebook.read_text(encoding="utf-8"))["cells"]
    return starts_a_process("\n".join("".join(one["source"]) for one in cells))


def failures() -> set[str]:
    """Return the notebooks with a cell that did not pass."""
    return {
        case.get("classname", "").removesuffix(".ipynb").replace(".", "/")
        + ".ipynb"
        for case in ET.parse(REPORT).iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    }


def pages(everything: bool, arguments: list[str]) -> int:
    """Run the tests of the built pages; these note what passes themselves."""
    if everything:
        PAGES.unlink(missing_ok=True)
    chosen = [] if everything else ["-m", "not whole"]
    note = f"--proved={PAGES}"
    return pytest(["tests/browser", note, *chosen, *arguments])


def main(given: list[str]) -> int:
    ours, arguments = given, []
    if "--" in given:
        at = given.index("--")
        ours, arguments = given[:at], given[at + 1 :]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["tests", "notebooks", "pages"])
    parser.add_argument("places", nargs="*", help="folders or notebooks")
    parser.add_argument("--all", action="store_true", dest="everything")
    args = parser.parse_args(ours)
    if args.what == "tests":
        return tests(args.everything, arguments)
    if args.what == "pages":
        return pages(args.everything, arguments)
    return notebooks(args.places, args.everything, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
