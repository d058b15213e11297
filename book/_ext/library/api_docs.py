"""The library's pages: what autodoc reads, made fit for the book.

Docstrings are written for `help()`: Markdown's `code` and $$formulas$$, and
shapes in the signatures. Here they become links, formulas and signatures as
they stand in the source. Each entry links to its file on GitHub if the book has
an address there, and to the chapters that use it (`used_in`) or that it names.
`{command-help} transformer_lib train` prints what
`python -m transformer_lib train --help` prints.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import sys
import textwrap
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path

import used_in
from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = "transformer_lib"
COURSE = "transformer_course."  # its docstrings name the chapters they serve

SETTINGS = {
    "autodoc_default_options": {"members": True, "member-order": "bysource"},
    "autodoc_preserve_defaults": True,
    "napoleon_attr_annotations": False,
    "napoleon_use_ivar": True,
    "napoleon_use_rtype": False,
    "python_maximum_signature_line_length": 60,
    "add_module_names": False,
    "toc_object_entries_show_parents": "hide",
}


# ------------------------------------------------------------------ signatures


@cache
def parsed(path: str) -> tuple[str, ast.Module]:
    """Return a file's text and its syntax tree."""
    text = Path(path).read_text(encoding="utf-8")
    return text, ast.parse(text)


def definition(obj: object) -> tuple[str, ast.AST] | None:
    """Return the text of the file that defines an object, and its node."""
    obj = inspect.unwrap(getattr(obj, "__func__", obj))
    try:
        text, node = parsed(inspect.getsourcefile(obj))
    except (TypeError, OSError):
        return None
    for part in obj.__qualname__.split("."):
        body = getattr(node, "body", [])
        node = next((n for n in body if getattr(n, "name", "") == part), None)
    return None if node is None else (text, node)


def written(text: str, node: ast.AST) -> str:
    """Return a piece of the source on one line."""
    return " ".join(ast.get_source_segment(text, node).split())


def arguments(text: str, args: ast.arguments, drop_first: bool) -> list[str]:
    """Return a function's parameters as the source writes them."""
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    found = list(zip(plain, defaults, strict=True))[int(drop_first) :]
    pieces = [with_default(text, a, d) for a, d in found]
    if args.vararg:
        pieces.append("*" + written(text, args.vararg))
    elif args.kwonlyargs:
        pieces.append("*")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        pieces.append(with_default(text, arg, default))
    if args.kwarg:
        pieces.append("**" + written(text, args.kwarg))
    return pieces


def with_default(text: str, arg: ast.AST, default: ast.AST | None) -> str:
    piece = written(text, arg)
    if default is None:
        return piece
    return f"{piece} = {written(text, default)}"


def unquoted(piece: str) -> str:
    """Take a class that is named before it exists out of its quotes."""
    return re.sub(r"\"(\w+)\"(?=\s*(?:$|=|\||\]|,))", r"\1", piece)


def fields(text: str, node: ast.ClassDef) -> list[str]:
    """Return the fields of a dataclass or a NamedTuple as parameters."""
    found = [child for child in node.body if isinstance(child, ast.AnnAssign)]
    by_name = any("kw_only" in ast.unparse(d) for d in node.decorator_list)
    return ["*"] * by_name + [written(text, child) for child in found]


def inherited_fields(kind: type) -> list[str]:
    """Return the fields of a dataclass that has none of its own."""
    found = (definition(base) for base in kind.__mro__ if is_dataclass(base))
    return next(filter(None, (fields(*base) for base in found if base)), [])


def signature(obj: object, is_method: bool) -> tuple[str, str] | None:
    """Return parameters and result as the source writes them."""
    found = definition(obj)
    if found is None:
        return None
    text, node = found
    if isinstance(node, ast.ClassDef):
        made = [n for n in node.body if getattr(n, "name", "") == "__init__"]
        if made:
            pieces = arguments(text, made[0].args, drop_first=True)
        else:
            pieces = fields(text, node) or inherited_fields(obj)
        return "(" + ", ".join(map(unquoted, pieces)) + ")", ""
    if not isinstance(node, ast.FunctionDef):
        return None
    static = any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
    pieces = arguments(text, node.args, is_method and not static)
    result = "" if node.returns is None else written(text, node.returns)
    shown = [unquoted(p) for p in pieces]
    return "(" + ", ".join(shown) + ")", unquoted(result)


def process_signature(app, what, name, obj, options, args, result):
    """Show `Float[Tensor, "B L D"]` as the source does."""
    if not used_in.is_ours(getattr(obj, "__module__", "") or ""):
        return None  # a newer Sphinx asks of what a module imports, too
    if what in ("function", "method", "class"):
        return signature(obj, what == "method")
    return None


def as_in_source(app, doctree) -> None:
    """Write strings in signatures, and a heading, as the source does."""
    for node in doctree.findall(nodes.field_name):
        if node.astext() == "Variables":
            node.clear()
            node += nodes.Text("Attributes")
    for node in doctree.findall(addnodes.desc_sig_literal_string):
        words = node.astext()
        if re.fullmatch(r"'[^'\"]*'", words):
            node.clear()
            node += nodes.Text(f'"{words[1:-1]}"')


# ------------------------------------------------------------------ docstrings


def as_math(lines: list[str]) -> list[str]:
    """Turn $$ ... $$ that stands by itself into a math directive."""
    text = "\n".join(lines)

    def block(found: re.Match) -> str:
        formula = textwrap.dedent(found[1]).strip()
        return ".. math::\n\n" + textwrap.indent(formula, "   ")

    text = re.sub(r"^\$\$(.+?)\$\$$", block, text, flags=re.M | re.S)
    return text.split("\n")


def as_literal(lines: list[str]) -> list[str]:
    """Mark the indented block after a paragraph as code."""
    made: list[str] = []
    for number, line in enumerate(lines):
        before = made[-2] if len(made) > 1 else ""
        starts = (
            line.startswith("    ")
            and number > 1
            and not lines[number - 1].strip()
            and re.match(r"[^\s.]", before)
        )
        if starts:
            made += ["::", ""]
        made.append(line)
    return made


def link(name: str) -> str:
    """Return code that becomes a link where the book has an entry for it."""
    if re.fullmatch(r"[A-Za-z][\w.]*", name):
        return f":py:obj:`{name}`"
    return f"``{name}``"


def linked_chapters(text: str, chapters: dict[int, str]) -> str:
    """Link the chapters that a docstring names, if the book has them."""

    def one(found: re.Match) -> str:
        page = chapters.get(int(found[0]))
        return f":doc:`{found[0]} <{page}>`" if page else found[0]

    def all_of_them(found: re.Match) -> str:
        return re.sub(r"\d+", one, found[0])

    return re.sub(r"\bChapters? \d[\d ,()a-z-]*\.?", all_of_them, text)


def as_inline(line: str, chapters: dict[int, str]) -> str:
    """Turn Markdown's code and formulas into their Sphinx forms."""
    bullet = re.match(r"\s*(?:\* )?", line)[0]
    line = line.removeprefix(bullet)
    pieces = re.split(r"(``[^`]+``|`[^`]+`|\$[^$]+\$)", line)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            piece = re.sub(r"([|*])", r"\\\1", piece)
            piece = re.sub(r"\\\*(\w[^*]*?)\\\*", r"*\1*", piece)
            piece = re.sub(r"(?<=\w)_(?!\w)", r"\\_", piece)
            piece = linked_chapters(piece, chapters)
        elif piece.startswith("$"):
            piece = f":math:`{piece[1:-1]}`"
        elif not piece.startswith("``"):
            piece = link(piece[1:-1])
        pieces[number] = piece
    return bullet + "".join(pieces)


def process_docstring(app, what, name, obj, options, lines) -> None:
    """Turn a docstring for `help()` into one for Sphinx."""
    made, inside = [], None
    for line in as_literal(as_math(lines)):
        indent = len(line) - len(line.lstrip())
        if inside is not None and line.strip() and indent <= inside:
            inside = None
        if inside is not None:
            made.append(line)
        elif line.strip() in ("::", ".. math::"):
            inside = indent
            made.append(line)
        else:
            made.append(as_inline(line, app.config.api_chapters))
    if what in ("function", "class") and is_exported(obj):
        made += ["", f"Import: ``from {LIBRARY} import {obj.__name__}``"]
    if what in ("function", "class") and not name.startswith(COURSE):
        where = used_in.said(obj)
        made += ["", as_inline(where, app.config.api_chapters)] * bool(where)
    lines[:] = made


def is_exported(obj: object) -> bool:
    """Tell whether the library itself gives this object."""
    top = importlib.import_module(LIBRARY)
    name = getattr(obj, "__name__", "")
    return name in top.__all__ and getattr(top, name) is obj


def skip_member(app, what, name, obj, skip, options):
    """Leave out what a NamedTuple says about the number of a field."""
    return True if type(obj).__name__ == "_tuplegetter" else None


# ----------------------------------------------------------------------- links


def full_name(module: str, target: str) -> str | None:
    """Return the name under which the pages list what a module calls so."""
    first = target.split(".")[0]
    value = getattr(importlib.import_module(module), first, None)
    if value is None and first in importlib.import_module(LIBRARY).__all__:
        value = getattr(importlib.import_module(LIBRARY), first)
    home = getattr(value, "__module__", None) or ""
    if not used_in.is_ours(home):
        return None
    # a package lists the names of the modules inside it
    listed = re.match(r"\w+\.\w+", home)
    return f"{listed[0]}.{target}"


def name_fully(app, doctree) -> None:
    """Give each reference to the library the full name of what it means."""
    for node in doctree.findall(addnodes.pending_xref):
        if node.get("refdomain") == "py" and node.get("reftype") != "mod":
            module = node.get("py:module") or LIBRARY
            found = full_name(module, node["reftarget"])
            if found is not None:
                node["reftarget"] = found
                node["refspecific"] = False


def missing_reference(app, env, node, contnode):
    """Leave foreign names (Tensor, int) and what has no entry plain."""
    return contnode if node.get("refdomain") == "py" else None


def source_link(domain: str, info: dict) -> str | None:
    """Return the address of the lines that define a name."""
    if not source_link.address or domain != "py":
        return None
    if not used_in.is_ours(info["module"]):
        return None
    obj = importlib.import_module(info["module"])
    for part in info["fullname"].split("."):
        obj = inspect.getattr_static(obj, part, None)
        obj = getattr(obj, "fget", None) or obj
    found = definition(obj)
    if found is None:
        return None
    obj = inspect.unwrap(getattr(obj, "__func__", obj))
    path = Path(inspect.getsourcefile(obj)).relative_to(ROOT).as_posix()
    first, last = found[1].lineno, found[1].end_lineno
    return f"{source_link.address}/{path}#L{first}-L{last}"


# ---------------------------------------------------------------- command line


def help_of(package: str, command: str) -> str:
    """Return what a package's command line says about one of its commands."""
    parser = importlib.import_module(f"{package}.cli.options").parser()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        if not command:
            return parser.format_help()
        commands = next(a for a in parser._actions if a.dest == "command")
        return commands.choices[command].format_help()
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before


class CommandHelp(SphinxDirective):
    """What `python -m package [command] --help` prints."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        package, command, *_ = [*self.arguments, ""]
        module = importlib.import_module(f"{package}.cli.options")
        self.env.note_dependency(module.__file__)
        text = help_of(package, command)
        return [nodes.literal_block(text, text, language="text")]


# ----------------------------------------------------------------------- set-up


def configure(app, config) -> None:
    """Set what the extensions of Sphinx need to know."""
    for name, value in SETTINGS.items():
        config[name] = value
    theme = config.html_theme_options
    address = theme.get("repository_url", "").rstrip("/")
    branch = theme.get("repository_branch", "main")
    source_link.address = f"{address}/blob/{branch}" if address else ""
    config["linkcode_resolve"] = source_link


def find_chapters(app, env, docnames) -> None:
    """Note which chapters the book has."""
    pages = sorted(env.found_docs)
    app.config["api_chapters"] = {
        int(found[1]): f"/{page}"
        for page in pages
        if (found := re.fullmatch(r"chapters/(\d+)_\w+", page))
    }


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    sys.path.insert(0, str(ROOT))
    app.add_config_value("api_chapters", {}, "")
    for name in ("autodoc", "napoleon", "linkcode"):
        app.setup_extension(f"sphinx.ext.{name}")
    app.add_directive("command-help", CommandHelp)
    app.connect("config-inited", configure, priority=900)
    app.connect("env-before-read-docs", find_chapters)
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-docstring", process_docstring, priority=400)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("doctree-read", as_in_source)
    app.connect("doctree-read", name_fully)
    app.connect("missing-reference", missing_reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
