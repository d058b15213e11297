"""The tests of tests/unit.txt run on Windows and macOS as well.

The workflow runs them there; here they are held to what can be read from them.
"""

import ast
import re

import pytest
from bare_machine import ROOT

TESTS = ROOT / "tests"
LIBRARY = ROOT / "transformer_lib"
LISTED = (TESTS / "unit.txt").read_text(encoding="utf-8").split()
NOT_ON_WINDOWS = {"fcntl", "grp", "pty", "pwd", "resource", "termios"}
PROCESSES = {"run", "Popen", "check_output"}
# How many arguments read_text and write_text have before the encoding.
BEFORE = {"read_text": 0, "write_text": 1}


def what_runs():
    """Return the listed tests, the tests' modules they take, the library."""
    paths = [ROOT / name for name in LISTED]
    for path in paths:
        said = re.findall(r"^from (\w+) import", path.read_text("utf-8"), re.M)
        others = [
            folder / f"{name}.py"
            for name in said
            for folder in (TESTS, path.parent)
        ]
        paths += [new for new in others if new.exists() and new not in paths]
    return [*paths, TESTS / "conftest.py", *LIBRARY.rglob("*.py")]


def faults(source):
    """Yield what would fail on Windows, and where it stands."""
    tree = ast.parse(source)
    for node in tree.body:  # a function may import them where they are
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if (names | {getattr(node, "module", "")}) & NOT_ON_WINDOWS:
                yield f"line {node.lineno}: not on Windows"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", "")
            keywords = {keyword.arg for keyword in node.keywords}
            unsaid = len(node.args) <= BEFORE.get(name, -1)
            if unsaid and "encoding" not in keywords:
                yield f"line {node.lineno}: the encoding is not said"
            if name in PROCESSES and keywords & {"text", "universal_newlines"}:
                yield f"line {node.lineno}: the encoding is not said"


def test_they_are_those_of_the_library():
    """A test named after a module of the library, or of its toy language."""
    folders = (LIBRARY, ROOT / "toy_language")
    modules = {path.stem for folder in folders for path in folder.iterdir()}
    there = {
        path.stem[5:]: path.relative_to(ROOT).as_posix()
        for folder in ("library", "toy")
        for path in (TESTS / folder).glob("test_*.py")
    }
    forked = {"distributed"}  # starts its processes as no Windows can
    found = sorted(there[name] for name in modules & there.keys() - forked)
    assert found == LISTED, "these lines are wanted in tests/unit.txt"


def test_they_ask_for_nothing_that_windows_lacks():
    found = {
        path.name: list(faults(path.read_text(encoding="utf-8")))
        for path in what_runs()
    }
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("import os, resource", 1),
        ("from fcntl import flock", 1),
        ("path.read_text()", 1),
        ("path.write_text('a')", 1),
        ("run(a)\nsubprocess.run(a, text=True)", 1),
        ("path.write_text('a', 'utf-8')\npath.read_text('utf-8')", 0),
        ("from os import path\npath.read_text(encoding='utf-8')", 0),
        ("def limit():\n    import resource", 0),
    ],
)
def test_a_fault_would_be_found(source, count):
    assert len(list(faults(source))) == count
