"""What a change of a file can break: the rules of `make check`.

`plan` takes changes and returns a `Plan`: pages to read over, notebooks to run,
test files, linters, the built book. Each rule of RULES takes one kind of file;
the first that knows a file decides. Nothing is imported or run here.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import depends
from depends import PACKAGES, ROOT
from prove import code_part

LAWS = ["tests/library/test_laws.py", "tests/project/test_architecture.py"]
ROOMS = ("chapters", "book/laboratory", "book/solutions")
# Of a folder of book/_static, the tests of the built pages that look at it;
# "" is for the files beside the folders.
PAGE_TESTS = {
    "": "pages grammar print search poster formula_card explorers",
    "exercises": "paper pages guesses",
    "live": "live_page live_numbers live_access own_file",
    "python": "python_page python_offer python_cells",
    "present": "present",
    "train": "train_page",
    "way": "way",
}


class Change(NamedTuple):
    """A file that differs.

    Attributes:
        name: of the file, from the root of the repository on.
        old: its text before; "" where it is new.
        new: its text now; "" where it is gone.
    """

    name: str
    old: str
    new: str


@dataclass
class Plan:
    """What has to be proved.

    Attributes:
        pages: to be read over by the rules for pages.
        notebooks: to be run.
        tests: files of tests, to be run.
        cases: of a file of tests, the words that choose among its cases.
        sources: Python files, for the linters.
        html: whether the book is built, and which tests look at it.
        everything: why `make test` has to run, if it has.
        left: what needs no proof.
    """

    pages: set[str] = field(default_factory=set)
    notebooks: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    cases: dict[str, set[str]] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)
    html: set[str] | None = None
    everything: list[str] = field(default_factory=list)
    left: set[str] = field(default_factory=set)

    def choose(self, file: str, words: str) -> None:
        """Run those cases of a file of tests that are named so."""
        self.cases.setdefault(file, set()).add(words)

    def look_at_pages(self, *tests: str) -> None:
        """Build the book, and run these tests over it."""
        self.html = (self.html or set()).union(tests)

    def commands(self) -> list[tuple[str, list[str]]]:
        """Return what to run: a title and a command each."""
        python, tools = sys.executable, "book/_tools"
        test = [python, "-m", "pytest", "-q", "-p", "no:nbval"]
        found = []
        if self.sources:
            files = sorted(self.sources)
            ruff = [str(Path(python).with_name("ruff"))]
            found += [("ruff", [*ruff, "check", "-q", *files])]
            found += [("the form", [*ruff, "format", "--check", "-q", *files])]
            if any(f.startswith(PACKAGES[:2]) for f in files):
                found += [("types", [str(Path(python).with_name("mypy"))])]
        if self.everything:
            return [*found, ("make test", ["make", "test"])]
        if self.pages:
            # All pages: a heading that is gone leaves another page's link.
            found += [("the pages' rules", [python, f"{tools}/page_rules"])]
        whole = sorted(self.tests)
        if whole:
            marks = ["-m", "not slow and not whole"]
            found += [("tests", [*test, *marks, *whole])]
        for file, words in sorted(self.cases.items()):
            if file not in self.tests:
                chosen = " or ".join(sorted(words))
                found += [(f"{file}: {chosen}", [*test, file, "-k", chosen])]
        if self.notebooks:
            run = [python, f"{tools}/prove.py", "notebooks"]
            found += [("notebooks", [*run, *sorted(self.notebooks)])]
        if self.html is not None:
            found += [("the book", ["make", "html"])]
            if self.html:
                files = [
                    f"tests/browser/test_{n}.py" for n in sorted(self.html)
                ]
                found += [("the pages", [*test, "-m", "not whole", *files])]
        return found

    def __str__(self) -> str:
        rows = {
            "read over": self.pages,
            "notebooks": self.notebooks,
            "tests": {*self.tests, *self.cases},
            "built pages": self.html or (),
            "left alone": self.left,
        }
        said = [
            f"  {what}: {len(names)} ({listed(names)})"
            for what, names in rows.items()
            if names
        ]
        if self.everything:
            why = listed(self.everything)
            said = [f"  make test runs, because of {why}"]
        return "\n".join(said) or "  nothing to prove"


def listed(names, most: int = 4) -> str:
    """Name a few things, and say how many more there are."""
    names = sorted(names)
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" * (more > 0))


def plan(changes: list[Change]) -> Plan:
    """Return what some changes have to prove."""
    found = Plan()
    for change in changes:
        if change.name.endswith(".py"):
            found.sources |= {change.name} if change.new else set()
        for pattern, rule in RULES:
            if re.fullmatch(pattern, change.name):
                rule(change, found)
                break
        else:
            found.everything.append(change.name)
    return found


# -------------------------------------------------------------------- the rules


def notebook(change: Change, found: Plan) -> None:
    """A sentence is read over; a cell runs, where it was taken over, too."""
    if not change.new:
        found.everything.append(change.name)
        return
    found.pages.add(change.name)
    if change.old and code_part(change.old) == code_part(change.new):
        return
    found.notebooks.add(change.name)
    before, now = set(cells(change.old)), set(cells(change.new))
    name = PurePosixPath(change.name).name
    for room in ROOMS:
        other = ROOT / room / name
        if other.exists() and f"{room}/{name}" != change.name:
            taken = set(cells(other.read_text(encoding="utf-8")))
            if taken & (before ^ now):
                found.notebooks.add(f"{room}/{name}")


def cells(text: str) -> list[str]:
    """Return the code of a notebook's cells, the set-up cell aside."""
    codes = [one["source"] for one in code_part(text)["cells"]] if text else []
    return ["".join(code) for code in codes[1:]]


def page(change: Change, found: Plan) -> None:
    """A page in Markdown is read over."""
    if change.new:
        found.pages.add(change.name)
    else:
        found.everything.append(change.name)


def at_top(change: Change, found: Plan) -> None:
    """README and its like agree with the code."""
    found.tests |= {test_file("repository"), test_file("mathjax_files")}


def exercise(change: Change, found: Plan) -> None:
    """A check's text or answer: its own tests, and who calls it."""
    kind, name = change.name.split("/")[2], PurePosixPath(change.name).stem
    files = {
        "paper": ["checks_paper", "paper_in_page"],
        "code": ["every_exercise"],
        "parts": ["every_exercise"],
    }[kind]
    for file in files:
        found.choose(test_file(file), name)
    found.tests.add(test_file("checks_catalogue"))
    found.notebooks |= notebooks_that(rf"(checks\.|build\(\s*){name}\b")
    if change.name.endswith(".py"):
        found.tests |= tests_that_import(change.name)


def exam(change: Change, found: Plan) -> None:
    """Numbers for an exam."""
    found.tests.add("tests/course/test_exams.py")


def module(change: Change, found: Plan) -> None:
    """A module: its tests, the laws, and what imports it."""
    name = PurePosixPath(change.name)
    own = f"test_{name.stem}.py"
    found.tests |= {as_name(p) for p in ROOT.glob(f"tests/[!b]*/{own}")}
    found.tests |= set(LAWS) | tests_that_import(change.name)
    found.notebooks |= {
        as_name(path) for path in all_notebooks() if ROOT / name in needs(path)
    }
    if change.name.startswith("transformer_course/checks/engine"):
        found.tests |= {
            as_name(p) for p in ROOT.glob("tests/course/test_ch*.py")
        }
    if not change.new:
        found.everything.append(change.name)


def language(change: Change, found: Plan) -> None:
    """The toy language, its tables among it."""
    found.tests |= {as_name(p) for p in ROOT.glob("tests/toy/test_*.py")}
    module(change, found)


def result(change: Change, found: Plan) -> None:
    """A stored result: its table, its chart, the page, and who asks for it."""
    tests = ("result_tables", "results_page", "charts", "benchmarks")
    found.tests |= set(map(test_file, tests))
    path = ROOT / change.name
    found.notebooks |= {
        as_name(one) for one in all_notebooks() if path in asked_for(one)
    }


def bench(change: Change, found: Plan) -> None:
    """A script that measures, or what it writes its table with."""
    tests = ("benchmarks", "gpu_jobs", "result_tables")
    found.tests |= set(map(test_file, tests))
    found.tests |= tests_that_import(change.name)


def bugs(change: Change, found: Plan) -> None:
    """A planted bug."""
    found.tests.add(test_file("planted_bugs"))


def a_test(change: Change, found: Plan) -> None:
    """A file of tests; a helper runs those that import it."""
    if PurePosixPath(change.name).name == "conftest.py":
        found.everything.append(change.name)
    elif "/test_" not in change.name:
        users = tests_that_import(change.name)
        if users:
            found.tests |= users
        else:
            found.everything.append(change.name)
    elif change.new and "/browser/" in change.name:
        found.look_at_pages(PurePosixPath(change.name).stem[5:])
    elif change.new:
        found.tests.add(change.name)


def answer(change: Change, found: Plan) -> None:
    """A stored answer to an exercise."""
    name = PurePosixPath(change.name).stem
    found.choose(test_file("every_exercise"), name)


def glue(change: Change, found: Plan) -> None:
    """What makes the pages: its tests, and the book."""
    found.tests |= tests_that_import(change.name)
    found.tests.add(test_file("page_grammar"))
    found.look_at_pages("pages")


def script(change: Change, found: Plan) -> None:
    """What moves on a page, and its looks."""
    folder = PurePosixPath(change.name).parts[2:-1]
    found.look_at_pages(*PAGE_TESTS[folder[0] if folder else ""].split())
    if folder and folder[0] in ("exercises", "live"):
        found.tests |= {test_file("paper_in_page"), test_file("live")}


def tool(change: Change, found: Plan) -> None:
    """A program for those who write the book."""
    users = tests_that_import(change.name)
    if users:
        found.tests |= users
    else:
        found.everything.append(change.name)


def nothing(change: Change, found: Plan) -> None:
    """No test reads it."""
    found.left.add(change.name)


Rule = Callable[[Change, Plan], None]
CHECKS = (
    r"transformer_course/checks/(code|paper|parts)/(?!__init__)\w+\.(py|txt)"
)
RULES: list[tuple[str, Rule]] = [
    (r"(chapters|book|book/laboratory|book/solutions)/\w+\.ipynb", notebook),
    (r"book/(api/)?\w+\.md", page),
    (r"(CHANGELOG\.md|LICENSE.*|CITATION\.cff|\.gitignore)", nothing),
    (r"(.*/)?(README|CONTRIBUTING)\.md", at_top),
    (CHECKS, exercise),
    (r"transformer_course/exams/numbers/\w+\.txt", exam),
    (r"toy_language/.*\.(py|tsv|xz)", language),
    (r"(transformer_lib|transformer_course)/.*\.pyi?", module),
    (r"benchmarks/results/\w+\.(json|md)", result),
    (r"benchmarks/bugs/.*\.diff", bugs),
    (r"benchmarks/(tables/)?\w+\.py", bench),
    (r"tests/course/(wrong|part)_answers/\w+\.py", answer),
    (r"tests/.*\.py", a_test),
    (r"book/_ext/\w+/\w+\.py", glue),
    (r"book/_static/(\w+/)?\w+\.(js|css)", script),
    (r"book/_tools/\w+\.py", tool),
]


# --------------------------------------------------------------- who uses what


def as_name(path: Path) -> str:
    """Return a path from the root of the repository on."""
    return path.relative_to(ROOT).as_posix()


def test_file(name: str) -> str:
    """Return the file of some tests, in whichever folder it is."""
    (path,) = ROOT.glob(f"tests/*/test_{name}.py")
    return as_name(path)


@cache
def all_notebooks() -> tuple[Path, ...]:
    """Return the lessons, laboratories and solutions."""
    return tuple(
        p for room in ROOMS for p in sorted((ROOT / room).glob("*.ipynb"))
    )


@cache
def needs(notebook: Path) -> frozenset[Path]:
    """Return all files that a notebook depends on."""
    return frozenset(depends.needed(code(notebook)))


@cache
def code(notebook: Path) -> str:
    """Return all code of a notebook."""
    return depends.code_of(notebook)


@cache
def asked_for(notebook: Path) -> frozenset[Path]:
    """Return the stored results that a notebook asks for."""
    return frozenset(depends.results(code(notebook)))


def notebooks_that(pattern: str) -> set[str]:
    """Return the notebooks whose code has some words."""
    return {
        as_name(path)
        for path in all_notebooks()
        if re.search(pattern, code(path))
    }


@cache
def imports(path: Path) -> tuple[frozenset[Path], frozenset[str]]:
    """Return what of ours a file imports, and other names and texts in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {f"{alias.name}.py" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(f"{node.module}.py")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value.rpartition("/")[2])
    return frozenset(depends.places(ast.unparse(tree))), frozenset(names)


def uses(test: Path, file: Path) -> bool:
    """Tell whether a file of tests imports another file, or names it."""
    ours, names = imports(test)
    if as_name(file).startswith(PACKAGES):
        return any(file == one or one in file.parents for one in ours)
    return file.name in names


def tests_that_import(name: str) -> set[str]:
    """Return the files of tests that use a file, or a helper that does."""
    users: set[Path] = set()
    new = {ROOT / name}
    while new:
        found = {
            test
            for test in ROOT.glob("tests/**/*.py")
            if test.name != "conftest.py"
            and any(uses(test, one) for one in new)
        }
        new = {one for one in found - users if not one.stem.startswith("test_")}
        users |= found
    return {
        as_name(one)
        for one in users
        if one.stem.startswith("test_") and "browser" not in one.parts
    }
