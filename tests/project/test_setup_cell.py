"""The set-up cell does what it says, on a machine without the library."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from bare_machine import ROOT, RUNNER, found, make_machine
from local_server import served
from pack import as_it_is, book_files, pack

CELL = (ROOT / "book" / "_tools" / "setup_cell.py").read_text("utf-8")
NOWHERE = "file:///nowhere/at/all"
PACKED = (
    "transformer_lib/",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "book/_tools/install.py",
)


def publish(folder, ref, edit=as_it_is):
    """Put a small copy of the book where GitHub has its ZIP files."""
    names = [name for name in book_files() if name.startswith(PACKED)]
    target = folder / "archive" / f"{ref}.zip"
    top = f"the-book-{ref.removeprefix('v')}"
    pack(target, top, ROOT, names, edit)
    with zipfile.ZipFile(target, "a") as packed:
        packed.writestr(f"{top}/chapters/here.txt", ref)
    return folder


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    ref = f"v{version_in_the_cell()}"
    return publish(tmp_path_factory.mktemp("home"), ref).as_uri()


def version_in_the_cell():
    return CELL.split('"TRANSFORMER_BOOK_REF", "v')[1].split('"')[0]


@pytest.fixture
def machine(tmp_path):
    return make_machine(tmp_path)


@pytest.mark.slow
def test_it_fetches_and_installs_the_library_and_nothing_else(
    machine, released
):
    first = found(machine.run([CELL], released))
    chapters = Path(first["cwd"])
    assert chapters.parts[-3::2] == ("transformer-book", "chapters")
    assert (chapters / "here.txt").exists()
    # installed, not used from the copy
    assert "site-packages" in first["library"]
    assert {name.split("-")[0] for name in machine.installed()} == {
        "transformer_lib"
    }
    assert "packages" in first["torch"]
    kept = (chapters.parent / "keep.txt").read_text(encoding="utf-8")
    assert kept.split() == [
        f"torch=={version('torch')}",
        f"numpy=={version('numpy')}",
    ]

    # A restarted kernel runs it again, and again: nothing to fetch, same
    # folder.
    again = found(machine.run([CELL, CELL], NOWHERE))
    assert again == first


@pytest.mark.slow
def test_a_version_that_is_not_there_gives_way_to_the_newest(machine, tmp_path):
    with served(publish(tmp_path / "home", "HEAD")) as (home, asked):
        done = machine.run([CELL], home, TRANSFORMER_BOOK_REF="v9.9")
    where = Path(found(done)["cwd"])
    assert asked == ["/archive/v9.9.zip", "/archive/HEAD.zip"]
    assert (where / "here.txt").read_text(encoding="utf-8") == "HEAD"


def test_it_does_not_touch_numpy_even_if_asked(machine, tmp_path):
    def greedy(name, content):
        if name == "pyproject.toml":
            assert b'"numpy>=' in content
            return content.replace(b'"numpy>=', b'"numpy>=99", "numpy>=')
        return content

    home = publish(tmp_path / "home", "HEAD", greedy).as_uri()
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels, "numpy", "99.0")
    done = machine.run([CELL], home, PIP_FIND_LINKS=str(wheels))
    assert done.returncode != 0
    assert "conflicting dependencies" in done.stderr
    assert machine.installed() == set()
    assert done.stdout.strip().startswith("pip could not install the book")
    assert len(done.stdout.strip().splitlines()) == 1


def make_wheel(folder, name, number):
    """Write the smallest wheel that pip installs."""
    info = f"{name}-{number}.dist-info"
    with zipfile.ZipFile(
        folder / f"{name}-{number}-py3-none-any.whl", "w"
    ) as wheel:
        wheel.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n",
        )
        wheel.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\n"
            "Root-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{info}/RECORD", "")


def test_at_home_it_does_nothing(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    cells = tmp_path / "cells.json"
    cells.write_text(json.dumps([CELL]), encoding="utf-8")
    environment = os.environ | {
        "TRANSFORMER_BOOK_REPOSITORY": NOWHERE,
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, cells],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert Path(found(done)["cwd"]) == work.resolve()
    assert done.stdout.count("\n") == 1 and done.stderr == ""
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("home", ["any address yet", NOWHERE])
def test_without_a_book_to_fetch_it_says_so_in_one_sentence(machine, home):
    done = machine.run([CELL, "print('next cell')"], home)
    assert done.returncode != 0
    assert done.stdout.strip() == (
        f"The book is not at {home}: open this notebook in the book's folder."
    )
    assert done.stderr == ""
    assert list(machine.work.iterdir()) == []
