"""Which pages have passed as they are: `--proved=FILE` leaves them out.

A case with the mark `page` looks at one built page and nothing else. Such a
page is proved when all its cases have passed, for as long as these stay as they
were: its HTML; whatever the book has that is no page (`_static`); the code of
these tests; which cases there are, since what is left to a sample depends on
all pages; Python, packages, Chromium and fonts.

Every other case looks at several pages, or compares a page with Python. A file
of these is proved only for as long as the whole book and the whole repository
are as they were. What was skipped proves nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from built import HTML, ROOT
from prove import (
    files_of_the_repository,
    fingerprint,
    read_note,
    write_note,
)

# Of what is no page, no page reads these: sources, and the search's own.
UNREAD = ("_sources", "searchindex.js", "objects.inv", ".buildinfo")
JUDGES = (
    "tests/browser/*.py", "tests/conftest.py", "conftest.py", "pyproject.toml",
    "book/_tools/prove.py", "book/_tools/no_gpu.py",
)  # fmt: skip
VERSION = re.compile(r"\?v=[0-9a-f]{8}(?=\")")
FONTS = Path("/usr/share/fonts")


def pytest_addoption(parser):
    parser.addoption(
        "--proved", default=None, help="file with the proofs of earlier runs"
    )


def pytest_configure(config):
    named = config.getoption("--proved")
    if named is not None:
        config.pluginmanager.register(Proofs(Path(named)))


def subject(item) -> str:
    """Return what a case can prove: a page, or its own file."""
    mark = item.get_closest_marker("page")
    return mark.args[0] if mark else item.path.relative_to(ROOT).as_posix()


def assets() -> list[Path]:
    """Return what the built book has beside its pages."""
    return [
        file
        for file in HTML.rglob("*")
        if file.is_file()
        and file.relative_to(HTML).parts[0] not in UNREAD
        and (file.suffix != ".html" or "_static" in file.parts)
    ]


def named_and_sized(folder: Path) -> list[str]:
    """Return the files of a folder as words; their bytes are not read."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return sorted(f"{file.name} {file.stat().st_size}" for file in files)


def browser() -> str:
    """Return which Chromium there is; nothing if there is none."""
    from conftest import executable

    found = executable()
    if found is None:
        return ""
    asked = [found, "--version"]
    return subprocess.run(asked, capture_output=True, text=True).stdout


def of_pages() -> str:
    """Return the fingerprint of all that every page has in common."""
    judges = [file for pattern in JUDGES for file in ROOT.glob(pattern)]
    return fingerprint([*assets(), *judges], browser(), *named_and_sized(FONTS))


def of_everything() -> str | None:
    """Return that of the whole book and the repository; None without git."""
    names = files_of_the_repository()
    book = [file for file in HTML.rglob("*") if file.is_file()]
    python = os.environ.get("PYODIDE")
    more = named_and_sized(ROOT / python) if python else []
    files = [*book, *(ROOT / name for name in names)]
    return fingerprint(files, of_pages(), *more) if names else None


class Proofs:
    """What was proved before, and what this run proves.

    With xdist each worker leaves cases out, and the process that collects the
    reports writes the file.
    """

    def __init__(self, note: Path) -> None:
        self.note = note
        self.passed: dict[tuple[str, str, int], set[str]] = defaultdict(set)
        self.spoiled: set[str] = set()

    # First: what a command line leaves out isn't proved by the others.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config, items):
        cases = defaultdict(list)
        for item in items:
            if not item.get_closest_marker("whole"):
                cases[subject(item)].append(item)
        before = read_note(self.note)
        now = fingerprints(
            {name: [one.nodeid for one in own] for name, own in cases.items()}
        )
        known = {name for name in now if now[name] == before.get(name)}
        gone = {item for name in known for item in cases[name]}
        config.hook.pytest_deselected(items=list(gone))
        for item in items:
            name = subject(item)
            count = len(cases[name]) if item in cases[name] else 0
            proof = [name, now.get(name, ""), count]
            item.user_properties.append(("proof", proof))
        items[:] = [item for item in items if item not in gone]

    def pytest_runtest_logreport(self, report):
        told = dict(report.user_properties).get("proof")
        if told is None:
            return
        name, proof, count = told
        if not report.passed:
            self.spoiled.add(name)
        elif report.when == "call" and count and proof:
            self.passed[name, proof, count].add(report.nodeid)

    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workerinput"):
            return
        new = {
            name: proof
            for (name, proof, count), ids in self.passed.items()
            if len(ids) == count
        }
        write_note(self.note, new, self.spoiled)


def fingerprints(cases: dict[str, list[str]]) -> dict[str, str]:
    """Return that of each page and file that has cases.

    Args:
        cases: the names of its cases, for each.
    """
    common, whole = of_pages(), of_everything()
    found = {}
    for name, ids in cases.items():
        page = HTML / name
        words = sorted(ids)
        if page.suffix == ".html" and page.exists():
            # Whether an address says of which bytes a file is, which count
            # anyway, depends on what an earlier build has left.
            text = VERSION.sub("", page.read_text(encoding="utf-8"))
            found[name] = fingerprint([], name, text, common, *words)
        elif whole is not None:
            found[name] = fingerprint([], whole, *words)
    return found
