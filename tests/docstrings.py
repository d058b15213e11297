"""What a module says about itself: its docstrings, and pydoc.

`complaints` names what is left out, a sentence each.
"""

import ast
import importlib
import inspect
import re

import used_in
from public_names import (
    DOORS,
    bound,
    definitions,
    home,
    is_package,
    path_of,
    public_names,
    short,
    tree_of,
)

from transformer_course import PACKAGES
from transformer_course.checks.paper import exercises

# Modules whose functions and classes are formulas or steps of the way.
FORMULAS = (
    "batching masks attention multi_head positional normalization "
    "feed_forward embedding layers model label_smoothing schedule decoding "
    "evaluation"
).split()
PAPERS = set(exercises())
# What a NamedTuple documents as its own, underscore and all.
NAMED_TUPLE = {"_asdict", "_make", "_replace", "_fields", "_field_defaults"}


def complaints(name, page):
    """Say what a module leaves out.

    Args:
        name: of the module.
        page: what pydoc shows of it.
    """
    return [
        *(docstrings(name) if name in DOORS else []),
        *(sources(name) if short(name) in FORMULAS else []),
        *chapters_in(name, path_of(name).read_text(encoding="utf-8")),
        *shown_by_pydoc(name, page),
    ]


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


def docstrings(name):
    """`help` is enough to use each public name."""
    for thing in public_names(name):
        if thing in PAPERS:
            continue  # made from a text; test_checks_paper reads what it says
        path, node = home(name, thing)
        yield from (f"{thing}: {what}" for what in missing(node, path))
        methods = methods_of(node) if isinstance(node, ast.ClassDef) else []
        for method in methods:
            for what in missing(method, path, is_method=True):
                yield f"{thing}.{method.name}: {what}"


def sources(name):
    """A formula names its source, or a chapter uses it."""
    for thing in public_names(name):
        _, node = home(name, thing)
        record = isinstance(node, ast.ClassDef) and constructor(node) is None
        if thing.startswith("check_") or record:
            continue  # a guard; or made by those that say where they come from
        has_source = re.search(r"^Source: ", text_of(node), flags=re.M)
        if not has_source and (name, thing) not in used_in.table():
            yield f"{thing}: a line Source:, or a chapter that uses it"


def chapters_in(name, text):
    """The book is renumbered without the library; pages say who uses what."""
    if not name.startswith(("transformer_course", "toy_language")):
        for found in re.findall(r"\bchapters? \d+", text, flags=re.I):
            yield f"no number of a chapter, such as {found}"


# ------------------------------------------------------------------------ pydoc


def shown_by_pydoc(name, page):
    """pydoc shows what a module makes and nothing else."""
    own = bound(path_of(name))
    if is_package(name):
        own = set(importlib.import_module(name).__all__)
    yield from faults_of(page, own, public_names(name))


def faults_of(page, own, public):
    """Say what a page of pydoc shows and should not, and the reverse."""
    for thing in sorted(shown(page) - own):
        yield f"an __all__: pydoc shows {thing}, which is made elsewhere"
    for thing in sorted(set(public) - shown(page)):
        yield f"{thing}: pydoc does not show it"
    private = re.findall(r"^     \|  (_(?!_)\w+)", page, flags=re.M)
    for thing in sorted(set(private) - NAMED_TUPLE):
        yield f"pydoc shows {thing}, which is private"


def shown(page):
    """Return the classes, functions and data that a page of pydoc lists."""
    found = set(re.findall(r"^    class (\w+)(?:\(|$)", page, flags=re.M))
    for part in re.findall(
        r"^(?:FUNCTIONS|DATA)\n(.*?)(?=^\S|\Z)", page, flags=re.M | re.S
    ):
        found.update(re.findall(r"^    (\w+)(?:\(|:| = )", part, flags=re.M))
    return found - {"__all__", "__annotations__"}
