"""The set-up cell does what it says, on a machine without the library.

The machine is a bare virtual environment that sees this one's packages, all
but transformer_lib; the repository is a local one; pip may ask no index.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]
CELL = ROOT / "book" / "_tools" / "setup_cell.py"
PACKED = (
    "transformer_lib",
    "chapters",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
NOWHERE = "/nowhere/at/all"

# Runs the cell, then says where it is and what it finds.
RUNNER = """
import json, os, sys
exec(compile(open(sys.argv[1]).read(), "cell", "exec"), {})
import importlib.metadata as packages
import transformer_lib
print(json.dumps({
    "cwd": os.getcwd(),
    "library": transformer_lib.__file__,
    "torch": str(packages.distribution("torch")._path),
    "numpy": packages.version("numpy"),
}))
"""


def git(*words, cwd):
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *who, *words], cwd=cwd, check=True)


def make_repository(folder, edit=lambda text: text):
    """Make a repository of the working tree, tagged as the release."""
    folder.mkdir()
    skip = shutil.ignore_patterns("__pycache__", "*.pyc", ".ipynb_checkpoints")
    for name in PACKED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=skip)
        else:
            text = source.read_text(encoding="utf-8")
            if name == "pyproject.toml":
                text = edit(text)
            (folder / name).write_text(text, encoding="utf-8")
    (folder / "chapters").mkdir(exist_ok=True)
    (folder / "chapters" / "here.txt").write_text("a chapter", "utf-8")
    git("init", "-q", "-b", "main", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "release", cwd=folder)
    tag = f"v{json.loads(subprocess.check_output([sys.executable, '-c', TAG]))}"
    git("tag", tag, cwd=folder)
    return folder


TAG = (
    "import json, re; print(json.dumps(re.search(r'__version__ = \"(.*)\"', "
    f"open({str(ROOT / 'transformer_lib' / '__init__.py')!r}).read())[1]))"
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return make_repository(tmp_path_factory.mktemp("home") / "repository")


@pytest.fixture
def machine(tmp_path):
    """Make a Python that has everything but the library."""
    venv.create(tmp_path / "machine", with_pip=False, symlinks=True)
    python = tmp_path / "machine" / "bin" / "python"
    if not python.exists():
        pytest.skip("written for systems with bin/python")
    site = next((tmp_path / "machine").glob("lib/python*/site-packages"))
    seen = tmp_path / "packages"
    seen.mkdir()
    for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
        name = entry.name.lower().replace("-", "_")
        if "transformer_lib" not in name and not name.endswith(".pth"):
            (seen / entry.name).symlink_to(entry)
    (site / "seen.pth").write_text(f"{seen}\n", encoding="utf-8")
    work = tmp_path / "content"
    work.mkdir()
    before = {entry.name for entry in site.iterdir()}

    def run(repository, **more):
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("PYTHON", "PIP_"))
        }
        environment |= {
            "TRANSFORMER_BOOK_REPOSITORY": str(repository),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: without it
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **more,
        }
        return subprocess.run(
            [python, "-c", RUNNER, CELL],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
        )

    return SimpleNamespace(
        run=run,
        work=work,
        installed=lambda: {e.name for e in site.iterdir()} - before,
    )


def found(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_it_fetches_and_installs_the_library_and_nothing_else(
    machine, repository
):
    first = found(machine.run(repository))
    chapters = machine.work / "transformer-book" / "chapters"
    assert Path(first["cwd"]) == chapters.resolve()
    assert (chapters / "here.txt").exists()
    # installed, not used from the clone
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

    # A restarted kernel runs it again: nothing to fetch, same folder.
    again = found(machine.run(NOWHERE))
    assert again == first


def test_it_does_not_touch_numpy_even_if_asked(machine, tmp_path):
    def greedy(text):
        assert '"numpy>=' in text
        return text.replace('"numpy>=', '"numpy>=99", "numpy>=')

    repository = make_repository(tmp_path / "repository", greedy)
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels, "numpy", "99.0")
    done = machine.run(repository, PIP_FIND_LINKS=str(wheels))
    assert done.returncode != 0
    assert "numpy" in done.stderr
    assert machine.installed() == set()


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
    environment = os.environ | {
        "TRANSFORMER_BOOK_REPOSITORY": NOWHERE,
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, CELL],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert Path(found(done)["cwd"]) == tmp_path.resolve()
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_a_repository_that_is_not_there_stops_with_its_name(machine):
    done = machine.run(NOWHERE)
    assert done.returncode != 0
    assert NOWHERE in done.stderr
    assert not (machine.work / "transformer-book").exists()
