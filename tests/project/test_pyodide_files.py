"""Pyodide's files: what the manifest says of them, and what fetches them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import zipfile

import fetch_pyodide
import pyodide_files
import pytest
import yaml
from bare_machine import ROOT
from local_server import served
from npm_package import files_of
from pyodide_files import CORE, MANIFEST, check, copy_files, make_manifest

WHEEL = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path):
    """Files of the right names, with little in them."""
    source = tmp_path / "source"
    source.mkdir()
    for name in CORE:
        (source / name).write_text(name, encoding="utf-8")
    lock = {"info": {"version": "0.27.7", "python": "3.12.7"}}
    (source / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    with zipfile.ZipFile(source / WHEEL, "w") as wheel:
        wheel.writestr("numpy/LICENSE.txt", "terms of NumPy")
    return source


def test_the_manifest_is_that_of_the_npm_package(tmp_path):
    ours = pyodide_files.read()
    package = f"pyodide@{ours['version']}"
    content = files_of(package, CORE, tmp_path)
    *core, wheel = ours["files"]
    assert [entry["name"] for entry in core] == list(CORE)
    for entry in core:
        data = content[entry["name"]]
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        assert entry["size"] == len(data)
        mirror = f"https://cdn.jsdelivr.net/npm/{package}/"
        assert entry["address"] == mirror + entry["name"]
    lock = json.loads(content["pyodide-lock.json"])
    assert ours["version"] == lock["info"]["version"]
    assert ours["python"] == lock["info"]["python"]
    numpy = lock["packages"]["numpy"]
    assert wheel["name"] == numpy["file_name"]
    assert wheel["sha256"] == numpy["sha256"]
    assert wheel["address"].endswith(f"/v{ours['version']}/full/{WHEEL}")


@pytest.fixture
def manifest(folder, monkeypatch):
    """Let the manifest name the addresses of a server of our own."""
    told = make_manifest(folder)
    monkeypatch.setattr(fetch_pyodide, "read", lambda: told)
    with served(folder) as (home, asked):
        for entry in told["files"]:
            entry["address"] = f"{home}/{entry['name']}"
        yield told, asked


def test_what_came_whole_is_kept_and_the_rest_is_fetched(manifest, tmp_path):
    told, asked = manifest
    target = tmp_path / "target"
    assert fetch_pyodide.main(["fetch", str(target)]) == 0
    assert len(asked) == len(told["files"]) == 6
    own = pyodide_files.read(target)
    assert [entry["address"] for entry in own["files"]] == [*CORE, WHEEL]
    assert check(target, own) == check(target, told) == []
    asked.clear()
    (target / "pyodide.js").write_text("cut short", encoding="utf-8")
    assert fetch_pyodide.main(["fetch", str(target)]) == 0
    assert asked == ["/pyodide.js"] and check(target, told) == []


def test_other_bytes_and_a_missing_file_are_refused(manifest, tmp_path):
    told, _ = manifest
    told["files"][0]["sha256"] = "0" * 64
    with pytest.raises(ValueError, match=r"pyodide\.js"):
        fetch_pyodide.fetch(tmp_path / "other")
    told["files"][0]["address"] += "-gone"
    with pytest.raises(OSError, match="404"):
        fetch_pyodide.fetch(tmp_path / "gone")


def test_a_folder_gets_its_own_manifest_by_a_command(folder, capsys):
    assert fetch_pyodide.main(["manifest", str(folder)]) == 0
    assert f"make book PYODIDE={folder}" in capsys.readouterr().out
    told = json.loads((folder / MANIFEST).read_text("utf-8"))
    assert told["version"] == "0.27.7" and len(told["files"]) == 6
    (folder / WHEEL).unlink()
    with pytest.raises(FileNotFoundError, match=r"numpy-\*\.whl"):
        fetch_pyodide.main(["manifest", str(folder)])
    assert fetch_pyodide.main([]) == 2


def test_the_book_gets_the_files_with_their_licences(folder, tmp_path):
    book = tmp_path / "book"
    with pytest.raises(FileNotFoundError, match=r"fetch_pyodide\.py manifest"):
        copy_files(folder, book)
    fetch_pyodide.write_manifest(folder)
    copy_files(folder, book)
    names = {path.name for path in book.iterdir()}
    assert names == {*CORE, WHEEL, MANIFEST, "LICENSES.txt"}
    told = (book / "LICENSES.txt").read_text(encoding="utf-8")
    for words in (
        "Mozilla Public License 2.0",
        "Python Software Foundation License",
        "terms of NumPy",
        "pyodide/tree/0.27.7",
    ):
        assert words in told
    (folder / "pyodide.js").write_text("another", encoding="utf-8")
    with pytest.raises(ValueError, match=r"pyodide\.js"):
        copy_files(folder, book)


def make(*arguments, **environment):
    done = subprocess.run(
        ["make", "-n", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return re.search(r'BOOK_PYODIDE="([^"]*)"', done.stdout)[1]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_only_the_command_line_puts_files_beside_the_book():
    assert make("html", "PYODIDE=/a/folder") == "/a/folder"
    assert make("html", "PYODIDE=some") == str(ROOT / "some")
    assert make("html", PYODIDE="/of/the/tests") == ""


def test_the_workflows_publish_the_files_and_ask_for_them_weekly():
    folder = ROOT / ".github" / "workflows"
    publish = (folder / "publish.yml").read_text("utf-8")
    assert publish.index("run: make pyodide") < publish.index(
        "run: make book PYTHON=python PYODIDE=data/pyodide"
    )
    tests = yaml.safe_load((folder / "tests.yml").read_text("utf-8"))
    job = tests["jobs"]["pyodide"]
    assert "schedule" in job["if"]
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert runs[0] == "make pyodide PYTHON=python"
    assert runs[-1] == "make test-browser PYTHON=python"
    assert job["steps"][-1]["env"] == {"PYODIDE": "data/pyodide"}
    assert fetch_pyodide.FOLDER == ROOT / "data" / "pyodide"
