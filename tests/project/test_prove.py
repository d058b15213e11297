"""What a change can break runs again, and nothing else."""

import ast
import json
import subprocess
import sys

import depends
import prove
import pytest

LOADED = """
import sys
{imports}
print(*(m.__file__ for n, m in sys.modules.items()
        if n.split(".")[0] in {packages} and getattr(m, "__file__", None)),
      sep="\\n")
"""


@pytest.mark.parametrize(
    "name",
    [
        "chapters/15_toy_translator.ipynb",
        "book/laboratory/13_training_loop.ipynb",
        "book/laboratory/18_real_text.ipynb",
    ],
)
def test_a_notebook_depends_on_each_module_that_its_imports_load(name):
    code = depends.code_of(depends.ROOT / name)
    imports = "\n".join(
        ast.unparse(node)
        for node in ast.parse(code).body
        if type(node).__name__ in ("Import", "ImportFrom")
    )
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            LOADED.format(imports=imports, packages=depends.PACKAGES),
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=depends.ROOT,
    )
    loaded = set(said.stdout.split())
    found = set(map(str, depends.needed(code)))
    assert len(loaded) > 20 and loaded <= found


def test_a_notebook_depends_on_the_checks_that_it_calls_and_no_others():
    code = depends.code_of(
        depends.ROOT / "chapters/19_half_a_transformer.ipynb"
    )
    names = {file.stem for file in depends.needed(code)}
    assert {"masking_by_hand", "families", "judge"} <= names
    assert not names & {"mask_tokens", "beam", "bpe_learn", "votes"}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A repository with two modules and three notebooks; one of them fails."""
    for folder in ("transformer_lib", "chapters", "tests", "_build"):
        (tmp_path / folder).mkdir()
    write = tmp_path.joinpath
    write("transformer_lib/__init__.py").write_text("")
    write("transformer_lib/attention.py").write_text("one = 1")
    write("transformer_lib/other.py").write_text("")
    write("tests/test_it.py").write_text("")
    for name, code in (
        ("plain", "1"),
        ("imports", "from transformer_lib.attention import one"),
        ("broken", "1 / 0"),
    ):
        cell = {"cell_type": "code", "source": [code]}
        path = write(f"chapters/{name}.ipynb")
        path.write_text(json.dumps({"cells": [cell]}))
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    write(".gitignore").write_text("_build/\n")
    for module in (prove, depends):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    build = tmp_path / "_build"
    monkeypatch.setattr(prove, "NOTE", build / "proved_tests.json")
    monkeypatch.setattr(prove, "NOTEBOOKS", build / "proved/notebooks.json")
    monkeypatch.setattr(prove, "REPORT", build / "proof.xml")
    monkeypatch.setattr(depends, "DATA", ())
    ran, fails = [], {"broken"}

    def failed(name):
        return name.endswith(".ipynb") and name[9:-6] in fails

    def pytest_runs(arguments):
        ran.append(arguments)
        cases = [
            f'<testcase classname="{name.replace("/", ".")}">'
            + ("<failure/>" if failed(name) else "")
            + "</testcase>"
            for name in arguments
            if name.endswith(".ipynb")
        ]
        prove.REPORT.write_text(f"<s>{''.join(cases)}</s>")
        return any(map(failed, arguments))

    monkeypatch.setattr(prove, "pytest", pytest_runs)
    depends.files_below.cache_clear()
    yield write, ran, fails
    depends.files_below.cache_clear()


def names(arguments):
    return [one[9:-6] for one in arguments if one.endswith(".ipynb")]


def test_a_notebook_runs_again_when_it_or_what_it_imports_has_changed(house):
    write, ran, fails = house

    def run(*options):
        ran.clear()
        prove.main(["notebooks", "chapters", *options])
        return names(ran[0]) if ran else []

    assert run() == ["broken", "imports", "plain"]
    assert run() == ["broken"]
    write("transformer_lib/attention.py").write_text("one = 2")
    assert run() == ["broken", "imports"]
    write("transformer_lib/other.py").write_text("two = 2")
    assert run("--", "-n", "2") == ["broken"] and "2" in ran[0]
    plain = write("chapters/plain.ipynb")
    plain.write_text(plain.read_text().replace("1", "2"))
    assert run() == ["broken", "plain"]
    assert run("--all") == ["broken", "imports", "plain"]
    fails.add("plain")  # though nothing has changed
    assert run("--all") == ["broken", "imports", "plain"]
    fails.remove("plain")
    assert run() == ["broken", "plain"]


def test_where_only_texts_changed_the_tests_that_read_texts_run(house):
    write, ran, _ = house

    def run(*options):
        ran.clear()
        prove.main(["tests", *options])
        return ran[0][1] if ran else "none"

    assert run() == "not slow and not whole"
    assert run() == "none"
    plain = write("chapters/plain.ipynb")
    plain.write_text(plain.read_text() + " ")
    assert run() == "not slow and not whole and texts"
    write("README.md").write_text("new")
    assert run() == "not slow and not whole and texts"
    write("tests/test_it.py").write_text("new")
    assert run() == "not slow and not whole"
    assert run("--all") == "not slow"


def test_without_git_all_tests_run_each_time(house, monkeypatch):
    _, ran, _ = house
    monkeypatch.setenv("PATH", "")
    for _ in range(2):
        assert not prove.main(["tests"])
    assert [one[1] for one in ran] == ["not slow and not whole"] * 2
