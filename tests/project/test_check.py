"""`make check`: what each kind of change has to prove, and how it is found."""

import json
import shutil
import subprocess

import check
import pytest
import reach
from reach import ROOT, Change, plan

LESSON = "chapters/05_residual_connections.ipynb"


def notebook(*, sentence="a", code="1", output="1", tags=()):
    """A notebook with a sentence, the set-up, and a cell."""
    out = {"output_type": "stream", "name": "stdout", "text": [output]}
    setup = {"cell_type": "code", "source": ["set up"], "metadata": {}}
    cell = {"cell_type": "code", "source": [code], "outputs": [out]}
    cell["metadata"] = {"tags": list(tags)}
    text = {"cell_type": "markdown", "source": [sentence], "metadata": {}}
    return json.dumps({"metadata": {}, "cells": [text, setup, cell]})


def planned(name, old="old", new="new"):
    return plan([Change(name, old, new)])


def test_a_sentence_of_a_lesson_runs_no_notebook():
    found = planned(LESSON, notebook(), notebook(sentence="b"))
    assert found.pages == {LESSON} and found.notebooks == set()
    titles = [title for title, _ in found.commands()]
    assert titles == ["the pages' rules"]


@pytest.mark.parametrize(
    "change", [{"code": "2"}, {"output": "2"}, {"tags": ["hide-output"]}]
)
def test_a_cell_of_a_lesson_runs_it(change):
    found = planned(LESSON, notebook(), notebook(**change))
    assert found.pages == {LESSON} == found.notebooks
    assert not found.tests and not found.everything


def test_a_cell_that_the_solutions_take_over_runs_them():
    solutions = "book/solutions/05_residual_connections.ipynb"
    taken = reach.cells((ROOT / solutions).read_text(encoding="utf-8"))[1]
    found = planned(LESSON, notebook(code=taken), notebook())
    assert solutions in found.notebooks


# A file, and what at least has to run for it.
KINDS = {
    "book/glossary.md": {"book/glossary.md"},
    "book/_ext/README.md": {"tests/project/test_repository.py"},
    "transformer_course/checks/code/softmax.txt": {
        "tests/course/test_every_exercise.py",
        "tests/course/test_checks_catalogue.py",
        "chapters/02_self_attention_by_hand.ipynb",
    },
    "transformer_course/checks/paper/step_by_hand.txt": {
        "tests/course/test_checks_paper.py", "tests/book/test_paper_in_page.py",
        "chapters/00_before_we_start.ipynb",
    },
    "transformer_course/checks/parts/LayerNorm.txt": {
        "tests/course/test_every_exercise.py",
        "chapters/06_batch_and_layer_norm.ipynb",
    },
    "transformer_course/checks/engine/matching.py": {
        "tests/course/test_checks_engine.py", "tests/course/test_checks.py",
    },
    "transformer_course/exams/numbers/step_by_hand.txt": {
        "tests/course/test_exams.py",
    },
    "transformer_course/plots/weights.py": {"tests/course/test_plots.py"},
    "transformer_course/explorers/query.py": {
        "tests/course/test_explorer_query.py",
        "chapters/03_query_key_value.ipynb",
    },
    "transformer_lib/attention.py": {
        "tests/library/test_attention.py", "tests/library/test_laws.py",
        "tests/project/test_architecture.py",
        "chapters/11_the_whole_model.ipynb",
    },
    "toy_language/korean.py": {
        "tests/toy/test_korean.py", "tests/toy/test_corpus.py",
        "chapters/15_toy_translator.ipynb",
    },
    "toy_language/data/nouns.tsv": {"tests/toy/test_tables.py"},
    "benchmarks/results/goats.json": {
        "tests/project/test_benchmarks.py", "chapters/01_why_attention.ipynb",
    },
    "benchmarks/results/goats.md": {
        "tests/project/test_result_tables.py",
        "tests/book/test_results_page.py",
    },
    "benchmarks/ladder.py": {"tests/project/test_benchmarks.py"},
    "benchmarks/tables/toy.py": {"tests/project/test_result_tables.py"},
    "benchmarks/bugs/masks.diff": {"tests/project/test_planted_bugs.py"},
    "tests/library/test_masks.py": {"tests/library/test_masks.py"},
    "tests/npm_package.py": {"tests/project/test_mathjax_files.py"},
    "tests/course/student.py": {"tests/course/test_own_transformer.py"},
    "book/_ext/reading/folds.py": {"tests/book/test_page_grammar.py", "pages"},
    "book/_static/live/board.js": {"live_page", "tests/book/test_live.py"},
    "book/_static/book.css": {"pages", "print"},
    "book/_tools/depends.py": {"tests/project/test_prove.py"},
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_what_a_change_reaches_runs(name):
    found = planned(name)
    run = {*found.pages, *found.notebooks, *found.tests, *found.cases}
    assert KINDS[name] <= run | (found.html or set())
    assert found.everything == []


@pytest.mark.parametrize(
    "name, left",
    {
        "transformer_course/checks/code/softmax.txt":
            "chapters/09_positions.ipynb",
        "transformer_course/checks/parts/LayerNorm.txt":
            "chapters/02_self_attention_by_hand.ipynb",
        "transformer_course/explorers/query.py":
            "chapters/00_before_we_start.ipynb",
        "benchmarks/results/goats.json": "chapters/16_what_is_each_part_worth"
            ".ipynb",
    }.items(),
)  # fmt: skip
def test_what_a_change_does_not_reach_is_left(name, left):
    assert (ROOT / left).exists() and left not in planned(name).notebooks


@pytest.mark.parametrize(
    "name",
    ["conftest.py", "tests/conftest.py", "Makefile", "requirements.txt",
     "pyproject.toml", "_config.yml", "_toc.yml", "book/new.thing",
     ".github/workflows/tests.yml"],
)  # fmt: skip
def test_what_no_rule_can_judge_runs_make_test(name):
    found = planned(name)
    assert found.everything == [name]
    assert found.commands()[-1] == ("make test", ["make", "test"])
    assert name in str(found)


def test_each_file_of_the_repository_has_a_rule_or_runs_everything():
    """A name that a rule trips over would stop `make check`."""
    said = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    names = said.stdout.split() or ["README.md"]
    cheap = [n for n in names if not n.endswith((".ipynb", ".py", ".txt"))]
    for name in cheap:
        planned(name)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository of its own, with one commit."""
    for module in (check, reach):
        monkeypatch.setattr(module, "ROOT", tmp_path)

    def git(*words):
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(
            ["git", *name, *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return done.stdout.strip()

    git("init", "-q", "-b", "main")
    for name in ("kept.md", "changed.md", "gone.md"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "one")
    return tmp_path, git


def names(found):
    return [change.name for change in found]


def test_what_differs_is_found_new_files_among_it(repository):
    place, _ = repository
    assert check.changes(check.begin()) == []
    (place / "changed.md").write_text("new", encoding="utf-8")
    (place / "new.md").write_text("new", encoding="utf-8")
    (place / "gone.md").unlink()
    assert check.changes(check.begin()) == [
        Change("changed.md", "old", "new"),
        Change("gone.md", "old", ""),
        Change("new.md", "", "new"),
    ]


def test_on_a_branch_its_commits_count_on_the_default_branch_they_do_not(
    repository,
):
    place, git = repository
    first = git("rev-parse", "HEAD")
    git("checkout", "-qb", "own")
    (place / "changed.md").write_text("new", encoding="utf-8")
    git("commit", "-qam", "two")
    assert check.begin() == first
    assert names(check.changes(check.begin())) == ["changed.md"]
    git("checkout", "-q", "main")
    git("merge", "-q", "own")
    assert check.changes(check.begin()) == []
    assert names(check.changes(first)) == ["changed.md"]


def test_a_commit_that_is_not_there_is_told(repository, capsys):
    assert check.main(["--since", "nowhere"]) == 2
    assert "no commit 'nowhere'" in capsys.readouterr().err


def test_a_proof_that_fails_is_named_and_the_others_run(monkeypatch, capsys):
    ran = []

    class Done:
        def __init__(self, code):
            self.returncode = code

    def runs(command, cwd):
        ran.append(command[-1])
        return Done(command[-1] == "bad")

    what = reach.Plan()
    both = [("one", ["x", "bad"]), ("two", ["x", "good"])]
    monkeypatch.setattr(reach.Plan, "commands", lambda self: both)
    monkeypatch.setattr(check.subprocess, "run", runs)
    assert check.run(what) == 1 and ran == ["bad", "good"]
    said = capsys.readouterr().out
    assert "FAILED: one" in said and "FAILED: two" not in said


@pytest.fixture
def with_hook(repository, monkeypatch):
    """The repository after `make hooks`, in which ruff and Python note what
    they are asked for and refuse it where REFUSE names them.
    """
    place, git = repository
    for name in (".ci/pre-commit", "Makefile"):
        (place / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    tools = place / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("ruff", "python"):
        says = f'echo {name} "$@" >> .venv/asked; [ "$REFUSE" != {name} ]'
        (tools / name).write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    (place / ".gitignore").write_text(".venv\n", encoding="utf-8")
    for name in ("requirements.txt", "pyproject.toml", ".venv/.installed"):
        (place / name).touch()
    for name in ("GIT_DIR", "GIT_WORK_TREE", "REFUSE"):
        monkeypatch.delenv(name, raising=False)
    subprocess.run(["make", "-s", "hooks"], cwd=place, check=True)
    return place, git


def test_the_hook_asks_the_linters_and_the_rules_for_the_pages(
    with_hook, monkeypatch
):
    place, git = with_hook
    git("add", ".")
    git("commit", "-qm", "no page")
    asked = place / ".venv" / "asked"
    linters = ["ruff check --quiet .", "ruff format --check --quiet ."]
    assert asked.read_text().splitlines() == linters
    asked.unlink()
    for name in ("book/api/one.md", "chapters/2.ipynb", "book/_ext/README.md"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).touch()
    git("add", ".")
    for name in ("ruff", "python"):
        monkeypatch.setenv("REFUSE", name)
        with pytest.raises(subprocess.CalledProcessError):
            git("commit", "-qm", "refused")
    monkeypatch.delenv("REFUSE")
    asked.unlink()
    git("commit", "-qm", "pages")
    rules = "python book/_tools/page_rules book/api/one.md chapters/2.ipynb"
    assert asked.read_text().splitlines() == [*linters, rules]


def test_a_hook_that_is_there_already_stays(with_hook):
    place, _ = with_hook
    make = ["make", "-s", "hooks"]
    assert subprocess.run(make, cwd=place).returncode == 0  # ours
    hook = place / ".git" / "hooks" / "pre-commit"
    hook.write_text("of someone", encoding="utf-8")
    assert subprocess.run(make, cwd=place).returncode != 0
    assert hook.read_text("utf-8") == "of someone"
