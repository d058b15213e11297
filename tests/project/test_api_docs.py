"""What a reader is told about each public name: help(), pydoc, API pages.

A module's public names are those of its `__all__`, or else the functions and
classes that it defines without an underscore.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import api_docs
import pytest
import used_in

import transformer_lib
from transformer_course import PACKAGES
from transformer_course.checks.paper import exercises

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(
    found.name
    for package in PACKAGES
    for found in pkgutil.walk_packages([ROOT / package], f"{package}.")
    if not found.name.split(".")[-1].startswith("_")
)
# Public names stand in the modules of the library and at the packages of the
# course; what lies deeper is public as far as a package's `__all__` says so.
DOORS = [
    name
    for name in NAMES
    if re.fullmatch(r"\w+\.\w+", name)
    or re.fullmatch(r"transformer_lib\.confidence\.(training|trust)", name)
]


def short(name):
    return name.removeprefix("transformer_lib.")


def path_of(name):
    return Path(importlib.import_module(name).__file__)


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def definitions(path):
    """Return the functions and classes of a file by name."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {n.name: n for n in tree_of(path).body if isinstance(n, kinds)}


def public_names(name):
    """Return a module's public functions and classes."""
    module = importlib.import_module(name)
    if hasattr(module, "__all__"):
        listed = [n for n in module.__all__ if callable(getattr(module, n))]
        return sorted(n for n in listed if not is_alias(getattr(module, n)))
    found = definitions(Path(module.__file__))
    return sorted(n for n in found if not n.startswith("_"))


def is_alias(value):
    """Tell a type such as tuple[int, int] from a class."""
    return not (inspect.isclass(value) or inspect.isroutine(value)) or (
        hasattr(value, "__origin__")
    )


def home(name, thing):
    """Return the file and the definition of a public name."""
    module = importlib.import_module(name)
    value = inspect.unwrap(getattr(module, thing))
    path = Path(importlib.import_module(value.__module__).__file__)
    return path, definitions(path)[value.__name__]


PUBLIC = [
    (name, thing)
    for name in DOORS
    for thing in public_names(name)
    if thing
    not in exercises()  # theirs is made from a text (test_checks_paper)
]


def each(things):
    return pytest.mark.parametrize(
        "name, thing", things, ids=[f"{short(n)}.{t}" for n, t in things]
    )


# ------------------------------------------------------- what a docstring says


def sections(text):
    """Return {"Args": {names}, ...} of a docstring."""
    found, current = {}, None
    for line in inspect.cleandoc(text).splitlines():
        head = re.fullmatch(r"(Args|Attributes|Returns|Yields|Raises):", line)
        same = re.fullmatch(r"Args( and Raises)?: as for `.+`\.", line)
        entry = re.match(r"    (\w+(?:, \w+)*):", line)
        if head:
            current = found.setdefault(head[1], set())
        elif same:
            found |= {"same": {line}}
        elif line and not line.startswith(" "):
            current = None
        elif entry and current is not None:
            current.update(entry[1].split(", "))
    return found


def text_of(node):
    return ast.get_docstring(node) or ""


def decorators(node):
    return {ast.unparse(d).split("(")[0] for d in node.decorator_list}


def methods_of(node):
    """Return a class's public methods and properties."""
    return [
        child
        for child in node.body
        if isinstance(child, ast.FunctionDef) and not child.name.startswith("_")
    ]


def constructor(node):
    made = [c for c in node.body if isinstance(c, ast.FunctionDef)]
    for name in ("__init__", "__post_init__"):
        for child in made:
            if child.name == name:
                return child
    return None


def parameters(node):
    """Return what a caller can give to a function or a class."""
    if isinstance(node, ast.ClassDef):
        made = constructor(node)
        if made is not None and made.name == "__init__":
            return parameters(made)
        is_record = "dataclass" in decorators(node) or "NamedTuple" in {
            ast.unparse(base) for base in node.bases
        }
        if not is_record:
            return []
        fields = [c for c in node.body if isinstance(c, ast.AnnAssign)]
        names = [ast.unparse(field.target) for field in fields]
        return [name for name in names if not name.startswith("_")]
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    given += [a for a in (node.args.vararg, node.args.kwarg) if a]
    return [a.arg for a in given if a.arg not in ("self", "cls")]


def called(node):
    """Return the names of the functions and methods that a body calls."""
    calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]
    names = {f.id for f in calls if isinstance(f, ast.Name)}
    mine = {f.attr for f in calls if isinstance(f, ast.Attribute)}
    return names | {name for name in mine if name.startswith("_")}


def helpers(path):
    """Return the private functions and methods of a file, and its checks.

    A check (check_...) may also come from another file of the library.
    """
    found = {
        node.name: node
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef)
        and re.match(r"_(?!_)|check_", node.name)
    }
    for node in tree_of(path).body:
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] in PACKAGES
        ):
            for alias in node.names:
                if alias.name.startswith("check_"):
                    there = definitions(path_of(node.module))
                    found[alias.name] = there[alias.name]
    return found


def raised(node, path, seen=()):
    """Return the exceptions that a body raises, itself or by a helper."""
    found = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Raise) and isinstance(child.exc, ast.Call):
            found.add(ast.unparse(child.exc.func))
    for name, helper in helpers(path).items():
        if name in called(node) and name not in seen:
            found |= raised(helper, path, (*seen, name))
    return {name for name in found if name.endswith("Error")}


def returns_nothing(node):
    if node.returns is not None:
        return ast.unparse(node.returns) in ("None", "NoReturn")
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
    return not any(n.value is not None for n in returns)


def missing(node, path, is_method=False):
    """Say what a docstring leaves out."""
    text = text_of(node)
    if not text:
        return ["a docstring"]
    first, said = text.splitlines()[0], sections(text)
    lacks = [] if first.endswith(".") else ["a first line with a period"]
    wanted = parameters(node)
    told = said.get("Args", set()) | said.get("Attributes", set())
    if "same" not in said and not (is_method and len(wanted) < 2):
        unknown = sorted(told - set(wanted)) if wanted else []
        if isinstance(node, ast.ClassDef):
            unknown = []  # it may have more attributes than parameters
        lacks += [f"Args: {name}" for name in wanted if name not in told]
        lacks += [f"no Args: {name}" for name in unknown]
    body = node
    if isinstance(node, ast.ClassDef):
        body = constructor(node)
    elif not is_method and not returns_nothing(node):
        lacks += [] if {"Returns", "Yields"} & set(said) else ["Returns"]
    if body is not None and "and Raises" not in "".join(said.get("same", "")):
        errors = raised(body, path) - said.get("Raises", set())
        lacks += [f"Raises: {name}" for name in sorted(errors)]
    return lacks


@each(PUBLIC)
def test_help_is_enough_to_use(name, thing):
    path, node = home(name, thing)
    lacks = [f"{thing}: {what}" for what in missing(node, path)]
    if isinstance(node, ast.ClassDef):
        for method in methods_of(node):
            called_so = f"{thing}.{method.name}"
            lacks += [
                f"{called_so}: {what}"
                for what in missing(method, path, is_method=True)
            ]
    assert lacks == []


# Modules whose functions and classes are formulas or steps of the way.
FORMULAS = (
    "batching masks attention multi_head positional normalization "
    "feed_forward embedding layers model label_smoothing schedule decoding "
    "evaluation"
).split()


@each([(n, t) for n, t in PUBLIC if short(n) in FORMULAS])
def test_a_formula_names_its_source_or_a_chapter_uses_it(name, thing):
    if thing.startswith("check_"):
        return  # a guard, not a formula
    _, node = home(name, thing)
    if isinstance(node, ast.ClassDef) and constructor(node) is None:
        return  # a record, made by those that say where they come from
    has_source = re.search(r"^Source: ", text_of(node), flags=re.M)
    assert has_source or (name, thing) in used_in.table()


@pytest.mark.parametrize("name", NAMES)
def test_the_library_knows_no_number_of_a_chapter(name):
    """The book is renumbered without it; the pages say who uses what."""
    if not name.startswith(("transformer_course", "toy_language")):
        text = path_of(name).read_text(encoding="utf-8")
        assert not re.search(r"\bchapters? \d", text, flags=re.I)


def test_the_chapters_that_use_a_name_are_found_in_their_code(
    tmp_path, monkeypatch
):
    cells = [
        "!pip install nothing",
        "from transformer_lib import masks as hiding, numpy_reference\n"
        "from transformer_lib.layers import EncoderLayer",
        "hiding.causal_mask(3)\nnumpy_reference.softmax(x)\nx.padding_mask()",
    ]
    cells = [{"cell_type": "code", "source": [cell]} for cell in cells]
    cells += [{"cell_type": "markdown", "source": ["DecoderLayer"]}]
    text = json.dumps({"cells": cells})
    for number in ("04", "12"):
        (tmp_path / f"{number}_x.ipynb").write_text(text, encoding="utf-8")
    monkeypatch.setattr(used_in, "ROOMS", (tmp_path,))
    used_in.table.cache_clear()
    try:
        assert used_in.table() == {
            ("transformer_lib.masks", "causal_mask"): [4, 12],
            ("transformer_lib.numpy_reference.probability", "softmax"): [4, 12],
            ("transformer_lib.layers", "EncoderLayer"): [4, 12],
        }
        from transformer_lib import masks

        assert used_in.said(masks.causal_mask) == "Chapters 4 and 12."
        assert used_in.said(masks.padding_mask) == ""
    finally:
        used_in.table.cache_clear()


# ------------------------------------------------------------------------ pydoc

RENDER = """
import importlib, json, pydoc, sys
pages = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    pages[name] = pydoc.plain(pydoc.render_doc(module))
print(json.dumps(pages))
"""


@pytest.fixture(scope="module")
def pages():
    """What `python -m pydoc` says about each module, shape checks off."""
    command = [sys.executable, "-c", RENDER, "transformer_lib", *NAMES]
    run = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=ROOT
    )
    return json.loads(run.stdout)


def shown(page):
    """Return the classes, functions and data that a page of pydoc lists."""
    found = set(re.findall(r"^    class (\w+)(?:\(|$)", page, flags=re.M))
    for part in re.findall(
        r"^(?:FUNCTIONS|DATA)\n(.*?)(?=^\S|\Z)", page, flags=re.M | re.S
    ):
        found.update(re.findall(r"^    (\w+)(?:\(|:| = )", part, flags=re.M))
    return found - {"__all__", "__annotations__"}


def bound(path):
    """Return the names that a file binds itself, imports aside."""
    found = set(definitions(path))
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = getattr(node, "targets", None) or [node.target]
            names = [n for t in targets for n in ast.walk(t)]
            found.update(n.id for n in names if isinstance(n, ast.Name))
    return {name for name in found if not name.startswith("_")}


def is_package(name):
    return path_of(name).name == "__init__.py"


@pytest.mark.parametrize("name", NAMES)
def test_pydoc_shows_what_a_module_makes_and_nothing_else(name, pages):
    own = bound(path_of(name))
    if is_package(name):
        own = set(importlib.import_module(name).__all__)
    assert shown(pages[name]) - own == set(), "give the module an __all__"
    assert set(public_names(name)) <= shown(pages[name])


# What a NamedTuple documents as its own, underscore and all.
NAMED_TUPLE = {"_asdict", "_make", "_replace", "_fields", "_field_defaults"}


@pytest.mark.parametrize("name", NAMES)
def test_pydoc_shows_no_private_name(name, pages):
    private = re.findall(r"^     \|  (_(?!_)\w+)", pages[name], flags=re.M)
    assert set(private) <= NAMED_TUPLE


def test_pydoc_of_the_library_lists_all_public_names_at_the_top(pages):
    page = pages["transformer_lib"]
    assert shown(page) == set(transformer_lib.__all__)
    top = page.split("PACKAGE CONTENTS")[0]
    words = set(re.findall(r"\w+", top))
    assert set(transformer_lib.__all__) - words == set()


# -------------------------------------------------------------------- API pages

API = sorted((ROOT / "book" / "api").glob("*.md"))


def listed():
    """Yield (module, name) for each entry of the API pages."""
    for page in API:
        text = page.read_text(encoding="utf-8")
        for name, names in re.findall(
            r"^\.\. automodule:: (\w+(?:\.\w+)+)\n"
            r"   :members: ((?:.+\n)(?:      .+\n)*)",
            text,
            flags=re.M,
        ):
            for thing in names.replace("\n", " ").split(","):
                yield name, thing.strip()


def test_the_pages_list_each_public_name_once():
    entries = sorted(listed())
    assert entries == sorted(set(entries))
    assert sorted(set(PUBLIC) - set(entries)) == [], "add it to book/api/"
    assert sorted(set(entries) - set(PUBLIC)) == [], "take it off book/api/"


def test_what_the_library_gives_is_listed_where_it_lives():
    entries = set(listed())
    for thing in transformer_lib.__all__:
        value = getattr(transformer_lib, thing)
        assert (value.__module__, thing) in entries


def test_the_pages_list_each_command_of_the_command_line():
    page = (ROOT / "book" / "api" / "command_line.md").read_text("utf-8")
    for package in ("transformer_lib", "transformer_course"):
        fence = rf"^```\{{command-help\}} {package} (\w+)$"
        shown = re.findall(fence, page, flags=re.M)
        options = importlib.import_module(f"{package}.cli.options")
        assert f"{{{','.join(shown)}}}" in options.parser().format_help()


# -------------------------------------------------- from docstring to web page


def test_a_signature_is_shown_as_the_source_writes_it():
    from transformer_lib import attention, batching, decoding

    given, result = api_docs.signature(attention.attention_weights, False)
    assert given == (
        '(query: Float[Tensor, "*B Lq K"], key: Float[Tensor, "*B Lk K"], '
        'mask: Bool[Tensor, "*#B #Lq Lk"] | None = None)'
    )
    assert result == 'Float[Tensor, "*B Lq Lk"]'
    given, _ = api_docs.signature(batching.Batch, False)
    assert given.startswith('(source: Int[Tensor, "B S"], target_in: ')
    _, result = api_docs.signature(batching.Batch.to, True)
    assert result == "Batch"
    given, _ = api_docs.signature(decoding.greedy, False)
    assert given.startswith("(model: Transformer, source: Int[")


def test_markdown_becomes_what_sphinx_reads():
    lines = [
        "Show `name` and ``code`` of |x| and b_ in $x_i$, *not* **k.",
        "",
        r"$$a_{ij} =",
        r"  b$$",
        "",
        "    print(*args)",
        "",
        "Chapters 2-4, 8 and 15.",
    ]
    app = SimpleNamespace(
        config=SimpleNamespace(api_chapters={2: "/chapters/02_x", 8: "/c/08"})
    )
    api_docs.process_docstring(app, "module", "m", api_docs, None, lines)
    assert lines == [
        r"Show :py:obj:`name` and ``code`` of \|x\| and b\_ in :math:`x_i`, "
        r"*not* \*\*k.",
        "",
        ".. math::",
        "",
        "   a_{ij} =",
        "     b",
        "",
        "    print(*args)",
        "",
        "Chapters :doc:`2 </chapters/02_x>`-4, :doc:`8 </c/08>` and 15.",
    ]


def test_an_entry_links_to_the_lines_that_define_it():
    info = {"module": "transformer_lib.batching", "fullname": "Batch.to"}
    api_docs.source_link.address = ""  # no repository to link to
    assert api_docs.source_link("py", info) is None
    api_docs.source_link.address = "https://example.org/blob/v1"
    address = api_docs.source_link("py", info)
    head, _, lines = address.partition("#")
    assert head == "https://example.org/blob/v1/transformer_lib/batching.py"
    first, last = map(int, re.findall(r"\d+", lines))
    text = path_of(info["module"]).read_text(encoding="utf-8").splitlines()
    assert text[first - 1].strip().startswith("def to(self")
    assert text[last - 1].strip() == ")" and text[last].strip() == ""
