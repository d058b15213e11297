"""A page that passed isn't opened again until something it depends on changes.

A small book, with the plugin of the page tests, is proved by pytest again and
again: what runs each time is what the change can break.
"""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from bare_machine import ROOT

TESTS = """
import pytest
from built import HTML, built_pages, of_each_kind, stands

PAGES = built_pages()
SAMPLE = of_each_kind(PAGES)

@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=stands(name, PAGES)) for name in PAGES])
def test_quiet(name):
    assert "loud" not in (HTML / name).read_text()

@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=stands(name, SAMPLE)) for name in PAGES])
def test_dark(name):
    pass
"""
OTHER = """
import os
import pytest

def test_search():
    if "SKIP" in os.environ:
        pytest.skip("nothing to search with")
"""
FILES = {
    "tests/browser/conftest.py": "from proofs import pytest_addoption\n"
    "from proofs import pytest_configure\n\n\n"
    "def executable():\n    return None\n",
    "tests/browser/test_it.py": TESTS,
    "tests/browser/test_other.py": OTHER,
    "pyproject.toml": "[tool.pytest.ini_options]\n"
    'pythonpath = ["book/_tools"]\nmarkers = ["page", "whole"]\n',
    "library.py": "",
    ".gitignore": "_build/\n__pycache__/\n",
    "_build/html/_static/page.js": "1",
    "_build/html/_sources/a.md": "",
    "_build/html/chapters/a.html": '<article><p class="x y"></p></article>',
    "_build/html/chapters/b.html": '<article><p class="x"></p></article>',
}
COPIED = ("tests/browser/built.py", "tests/browser/proofs.py",
          "book/_tools/prove.py", "book/_tools/depends.py")  # fmt: skip
A, B = "chapters/a.html", "chapters/b.html"
EVERY = {f"test_quiet[{A}]", f"test_quiet[{B}]", f"test_dark[{A}]"}
OF_A = {f"test_quiet[{A}]", f"test_dark[{A}]"}
SEARCH = {"test_search"}


class Book:
    """A small repository with a built book, and what pytest runs in it."""

    def __init__(self, root):
        self.root = root
        for name, text in FILES.items():
            self.write(name, text)
        for name in COPIED:
            self.root.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, self.root / name)
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def page(self, name, body):
        self.write(f"_build/html/{name}", f"<article>{body}</article>")

    def run(self, *arguments, command=("pages",), **variables):
        """Prove the pages; return the cases that ran."""
        done = subprocess.run(
            [sys.executable, "book/_tools/prove.py", *command, "--",
             "-p", "no:cacheprovider", "-p", "no:nbval",
             "-p", "no:hypothesispytest", "-rA", *arguments],
            cwd=self.root,
            capture_output=True,
            text=True,
            env={**os.environ, **variables},
        )  # fmt: skip
        said, self.status = done.stdout, done.returncode
        told = re.search(
            r"\b(passed|failed|skipped|deselected|no tests ran)\b", said
        )
        assert told, said + done.stderr
        return set(re.findall(r"(?m)^(?:PASSED|FAILED) .*?::(\S+)", said))


@pytest.fixture
def book(tmp_path):
    return Book(tmp_path)


@pytest.mark.slow
def test_what_has_not_changed_is_proved(book):
    assert book.run() == EVERY | SEARCH
    assert book.run() == set() and book.status == 0
    # Not what a page is made of, nor what it shows.
    book.write("_build/html/_sources/a.md", "new")
    assert book.run() == SEARCH
    book.page(A, '<p class="x y"></p><script src="page.js?v=012345ab">')
    assert book.run() == OF_A | SEARCH
    book.page(A, '<p class="x y"></p><script src="page.js">')
    assert book.run() == SEARCH
    book.write("library.py", "new")
    assert book.run() == SEARCH
    book.page(A, '<p class="x y">new</p>')
    assert book.run() == OF_A | SEARCH
    for name in ("_build/html/_static/page.js", "tests/browser/helper.py",
                 "pyproject.toml"):  # fmt: skip
        old = FILES.get(name, "")
        book.write(name, old + "\n")
        assert book.run() == EVERY | SEARCH, name


def test_what_failed_or_was_left_out_is_not_proved(book):
    book.page(A, '<p class="x y">loud</p>')
    assert book.run() == EVERY | SEARCH and book.status == 1
    assert book.run() == OF_A and book.status == 1
    book.page(A, '<p class="x y"></p>')
    assert book.run("-k", "dark") == {f"test_dark[{A}]"}
    assert book.run() == OF_A | SEARCH
    book.write("library.py", "2")
    assert book.run(SKIP="1") == set()
    assert book.run() == SEARCH


def test_what_failed_meanwhile_is_forgotten(book):
    assert book.run() == EVERY | SEARCH
    book.page(A, '<p class="x y">loud</p>')
    assert book.run() == OF_A | SEARCH and book.status == 1
    book.write("_build/html/chapters/a.html", FILES[f"_build/html/{A}"])
    assert book.run() >= OF_A


def test_who_stands_for_the_others_now_is_looked_at_anew(book):
    assert book.run() == EVERY | SEARCH
    # The page with fewer elements stands for both, and B is as it was.
    book.page(A, '<p class="x"></p><p class="x"></p>')
    assert book.run() == SEARCH | {
        f"test_quiet[{A}]", f"test_quiet[{B}]", f"test_dark[{B}]",
    }  # fmt: skip


def test_all_believes_nothing_and_a_failure_there_is_not_forgotten(book):
    proved = book.root / "_build" / "proved" / "pages.json"
    assert book.run() == EVERY | SEARCH
    known = json.loads(proved.read_text())
    assert set(known) == {A, B, "tests/browser/test_other.py"}
    every = ("--all", "pages")
    assert book.run(command=every) == EVERY | SEARCH | {f"test_dark[{B}]"}
    assert json.loads(proved.read_text()) == known
    broken = TESTS.replace("    pass", '    assert name != "chapters/b.html"')
    book.write("tests/browser/test_it.py", broken)
    book.run(command=every)
    assert B not in json.loads(proved.read_text())


@pytest.mark.slow
def test_several_workers_note_the_same(book):
    assert book.run("-n", "2") == EVERY | SEARCH
    assert book.run("-n", "2") == set()
