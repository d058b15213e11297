"""What must agree across files: version, packages, commands, README."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from transformer_course import PACKAGES
from transformer_lib.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "book" / "_tools"
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


# ------------------------------------------------------- versions and packages


def version():
    text = (ROOT / "transformer_lib" / "__init__.py").read_text("utf-8")
    return re.search(r'^__version__ = "([\d.]+)"$', text, flags=re.M)[1]


def test_one_version_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == version()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+) - (\S+)$", changes, flags=re.M)
    assert newest[1] == version() or newest[2] == "unreleased"


def pins():
    """Return requirements.txt as {name: version}."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([A-Za-z0-9_.-]+)==(\S+)$", lines, flags=re.M)
    rest = re.sub(r"^(#.*|[\w.-]+==\S+|)$", "", lines, flags=re.M).strip()
    assert rest == "", "requirements.txt holds exact versions only"
    return dict(found)


def as_numbers(text):
    return tuple(int(part) for part in re.findall(r"\d+", text))


def of_the_library():
    """What the library needs, and what its extras do."""
    extras = PROJECT["project"]["optional-dependencies"]
    return [*declared(), *extras["course"], *extras["fetch"]]


def declared():
    """What the library alone needs."""
    return PROJECT["project"]["dependencies"]


def test_the_tested_set_holds_what_the_library_needs():
    for wanted in of_the_library():
        name, lowest = re.fullmatch(r"([\w-]+)>=([\d.]+)", wanted).groups()
        assert as_numbers(pins()[name]) >= as_numbers(lowest)


def imported(path):
    """The packages that a module imports: at once, and anywhere in it."""
    at_once, anywhere = set(), set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = [a.name for a in getattr(node, "names", []) if a.name]
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        elif not isinstance(node, ast.Import):
            continue
        tops = {name.split(".")[0] for name in names}
        anywhere |= tops
        if node in tree.body:
            at_once |= tops
    ours = {*sys.stdlib_module_names, *PACKAGES}
    return at_once - ours, anywhere - ours


def test_the_library_imports_what_it_declares():
    """Without its extras, everything but the course can be loaded."""
    alone = {re.match(r"[\w-]+", wanted)[0] for wanted in declared()}
    either = {re.match(r"[\w-]+", wanted)[0] for wanted in of_the_library()}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            at_once, anywhere = imported(path)
            assert anywhere <= either, path
            assert at_once <= alone or package == "transformer_course", path


def test_what_an_extra_brings_is_asked_for_by_its_name():
    extras = PROJECT["project"]["optional-dependencies"]
    assert {
        re.match(r"[\w-]+", wanted)[0]: extra
        for extra in ("course", "fetch")
        for wanted in extras[extra]
    } == EXTRAS


def test_colab_has_what_the_library_needs():
    """Colab's versions are what `make test-colab` runs with on GitHub."""
    github = ROOT / ".github"
    has = dict(
        line.split("==")
        for line in (github / "colab.txt").read_text("utf-8").splitlines()
        if "==" in line
    )
    tests = (github / "workflows" / "tests.yml").read_text(encoding="utf-8")
    has["torch"] = re.search(r"make test-colab.* TORCH=(\S+)", tests)[1]
    compared = set()
    for wanted in of_the_library():
        name, lowest = wanted.split(">=")
        if name in has:
            assert as_numbers(has[name]) >= as_numbers(lowest), name
            compared.add(name)
    assert compared == {"torch", "numpy", "matplotlib", "ipywidgets"}


def test_torch_is_pinned_first():
    assert next(iter(pins())) == "torch"


def test_ci_lints_runs_the_tests_and_then_looks_at_the_pages():
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    made = re.findall(r"(?m)^make (?:-j2 )?(.*)", "\n".join(lines))
    asked = "install, lint html, test, test-slow, test-browser"
    assert made == asked.split(", ")
    assert "set -e" in lines


def test_make_test_and_test_slow_run_every_test_and_every_notebook():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"(?m)^([\w-]+):.*\n((?:\t.*\n)+)", makefile))
    both = recipes["lessons"] + recipes["test-slow"]
    assert "$(PROVE) tests" in recipes["test"]  # all but the slow ones
    assert "$(MAKE)" in recipes["test"] and " lessons" in recipes["test"]
    assert '-m "slow$(if $(ALL),, and not whole)"' in recipes["test-slow"]
    folders = {p.parent for p in ROOT.glob("*/*.ipynb")}
    folders |= {p.parent for p in ROOT.glob("book/*/*.ipynb")}
    proved = re.findall(r"\$\(PROVE\) notebooks ([^-\n]+) --", both)
    assert {ROOT / name for some in proved for name in some.split()} == folders


def test_what_a_sample_stands_for_runs_in_test_all():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"(?m)^([\w-]+):.*\n((?:\t.*\n)+)", makefile))
    # prove.py leaves them out unless it is told ALL (test_page_proofs.py).
    assert "$(PROVE) pages -- " in recipes["test-browser"]
    assert re.search(r"(?m)^PROVE := .*\$\(if \$\(ALL\),--all\)$", makefile)
    made = recipes["test-all"].split()
    assert made[-5:] == ["lint", "test", "test-slow", "test-browser", "ALL=1"]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_packs_what_is_no_python(package):
    patterns = PROJECT["tool"]["setuptools"]["package-data"][package]
    folder = ROOT / package
    packed = {path for p in patterns for path in folder.glob(p)}
    files = {path for path in folder.rglob("*") if path.is_file()}
    files -= {folder / "README.md", folder / "checks" / "README.md"}
    others = {x for x in files if x.suffix not in (".py", ".pyc")}
    assert others != set()
    assert others - packed == set()


# ----------------------------------------------------------- the Sphinx glue


def test_a_picture_without_words_is_found():
    from book_pages import wordless_pictures

    drawing = "<svg viewBox='0 0 1 1'>{}<path d=''/></svg>"
    assert wordless_pictures(drawing.format("")) != []
    assert wordless_pictures(drawing.format("<title> </title>")) != []
    assert wordless_pictures(drawing.format("<title>A line</title>")) == []
    assert wordless_pictures("<svg aria-hidden='true'></svg>") == []
    assert wordless_pictures("<img src='x.png'>") != []
    assert wordless_pictures("<img src='x.png' alt=''>") != []
    assert wordless_pictures("<img src='x.png' alt='A cat'>") == []


def test_the_build_gives_pictures_their_words_or_fails(tmp_path):
    def svg(name, title):
        (tmp_path / name).write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
            f"{title}</svg>",
            encoding="utf-8",
        )

    svg("named.svg", "<title>Four arrows &amp; a dot</title>")
    svg("silent.svg", "")
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'book/_ext/reading')!r})\n"
        "extensions = ['book_pages']\n",
        encoding="utf-8",
    )
    index = tmp_path / "index.rst"
    build = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html"]
    build += [str(tmp_path), str(tmp_path / "out")]

    index.write_text("Title\n=====\n\n.. image:: named.svg\n", "utf-8")
    subprocess.run(build, check=True, capture_output=True)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'alt="Four arrows &amp; a dot"' in page

    index.write_text("Title\n=====\n\n.. image:: silent.svg\n", "utf-8")
    failed = subprocess.run(build, capture_output=True, text=True)
    assert failed.returncode != 0
    assert "without alternative text" in failed.stderr


# ----------------------------------------------------------- the front door

FRONT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_one_screen_with_a_small_picture_that_speaks():
    assert len(FRONT.split()) <= 850
    ((said, path),) = re.findall(r"!\[(.*?)\]\((.*?)\)", FRONT)
    assert len(said.split()) > 20
    assert (ROOT / path).stat().st_size < 100_000


def test_no_reader_is_told_to_push_and_no_page_promises_every_claim():
    assert not re.search(r"\bpush", FRONT)
    for path in (ROOT / "README.md", *(ROOT / "book").glob("*.md")):
        text = " ".join(path.read_text(encoding="utf-8").split())
        boast = re.search(r"(?i)\bevery claim\b", text)
        assert not boast, path.name


# --------------------------------------------------------------- the READMEs

LIBRARY = ROOT / "transformer_lib"
README = (LIBRARY / "README.md").read_text(encoding="utf-8")


def table(heading):
    """Return the rows of the library's table below a header, as cells."""
    lines = README.split(f"\n{heading}\n")[1].split("\n\n")[0].splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines[1:]
    ]


def in_backticks(text):
    return re.findall(r"`([\w./]+)`", text)


def test_the_readme_names_modules_that_their_chapters_use():
    for title, modules in table("| chapter | modules |")[:-1]:
        first, last = re.match(r"(\d+)(?: to (\d+))?", title).groups()
        for number in range(int(first), int(last or first) + 1):
            (path,) = ROOT.glob(f"chapters/{number:02}_*.ipynb")
            rooms = (path, ROOT / "book" / "laboratory" / path.name)
            code = "\n".join(
                "".join(cell["source"])
                for room in rooms
                for cell in json.loads(room.read_text("utf-8"))["cells"]
                if cell["cell_type"] == "code"
            )
            for name in in_backticks(modules):
                used = (
                    rf"(transformer_lib|toy_language)(\.| import .*\b){name}\b"
                )
                assert re.search(used, code), (number, name)


def test_the_lines_of_python_in_the_readme_run(capsys):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", readme, flags=re.S)
    exec(block, {})
    said, shape = capsys.readouterr().out.splitlines()
    assert "개" in said and re.findall(r"\d+", shape) == ["1", "4", "6", "6"]


def test_the_readme_lists_every_module_of_the_library():
    listed = in_backticks(str(table("| on the way | modules |")))
    modules = {
        path.stem
        for path in LIBRARY.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    beside = {"__init__", "__main__", "cli", "numpy_reference", "_old_names"}
    assert sorted(listed) == sorted(modules - beside)


def test_the_picture_of_the_modules_shows_them_all():
    import module_map

    picture = module_map.svg()
    for name in in_backticks(str(table("| on the way | modules |"))):
        assert (f">{name}<" in picture) == (name not in module_map.EVERYWHERE)
    graph = module_map.imports()
    fewer = module_map.reduced(graph)
    assert (
        "attention" not in fewer["model"] and "attention" in graph["multi_head"]
    )
