"""The book from a ZIP, in a folder and on a system that make it hard.

The path has a space and letters that are not ASCII, and the system's encoding
is not UTF-8, as on many computers with Windows.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from bare_machine import ROOT
from pack import book_files, pack

SOLUTION = "book/solutions/02_self_attention_by_hand.ipynb"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("Mein Büch 강")
    pack(folder / "book.zip", "the book", ROOT, book_files())
    shutil.unpack_archive(folder / "book.zip", folder)
    return folder / "the book"


@pytest.fixture
def environment(book):
    hard = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    easy = ("PYTHONIOENCODING", "LANG", "LC_CTYPE")
    mine = {key: val for key, val in os.environ.items() if key not in easy}
    return mine | hard | {"PYTHONPATH": str(book)}


@pytest.fixture
def python(book, environment):
    def run(*words):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=book,
            env=environment,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_system_is_as_hard_as_it_should_be(python):
    ask = "import locale, transformer_lib as t; print(ascii(t.__file__))"
    said = python("-c", f"{ask}; print(locale.getpreferredencoding(False))")
    path, encoding = said.decode("ascii").split("\n")[:2]
    assert "the book" in path and "\\" in path
    assert "UTF-8" not in encoding.upper()


@pytest.mark.slow
def test_it_translates(python):
    said = python("-m", "transformer_lib", "translate", "the dog slept .")
    assert re.fullmatch(r"[가-힣 .]+\n", said.decode("utf-8"))


@pytest.mark.slow
def test_a_notebook_runs_and_keeps_its_outputs(book, python):
    before = (book / SOLUTION).read_bytes()
    python("book/_tools/run_notebooks.py", SOLUTION)
    assert (book / SOLUTION).read_bytes() == before


@pytest.mark.slow
def test_jupyterlab_opens_a_chapter(book, environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = ["--no-browser", "--allow-root", "--IdentityProvider.token=x"]
    settings += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    log = (book.parent / "lab.log").open("wb")
    lab = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *settings],
        cwd=book,
        env=environment,
        stdout=log,
        stderr=log,
    )
    address = f"http://127.0.0.1:{port}/api/contents/{SOLUTION}?token=x"
    try:
        given = json.loads(wait_for(address, lab))
    finally:
        lab.terminate()
        lab.wait()
        log.close()
    assert given["type"] == "notebook" and given["writable"]
    stored = json.loads((book / SOLUTION).read_text(encoding="utf-8"))
    assert len(given["content"]["cells"]) == len(stored["cells"])


def wait_for(address, process, seconds=300):
    """Return what an address gives as soon as its server answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            return urllib.request.urlopen(address, timeout=10).read()
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"no answer; the server's state is {process.poll()}")
