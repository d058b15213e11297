"""The lines of a notebook that an answer needs, and no others.

A notebook trains, draws and measures for minutes, and may never end. An
answer needs the cell that it stands in, the imports, and whatever defines the
names that these use; so that is all that is run, in the notebook's order.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Statement", "needed", "parsed", "statements_of", "unknown"]

_BUILTIN = frozenset(dir(builtins))
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
# Lines for IPython, and what they do here: `%time f()` runs f, `x = !ls` makes
# an x. A blank is no \s, which would go over many lines for each of them.
_MAGIC = (
    (r"(?m)^([^\S\n]*)%time[^\S\n]+(?=\w)", r"\1"),
    (r"(?m)^([^\S\n]*\w+[^\S\n]*=[^\S\n]*)[%!].*$", r"\1None"),
    (r"(?m)^([^\S\n]*)(?:[%!?].*|[\w.]+\?{1,2}[^\S\n]*)$", r"\1pass"),
)
_DEFINITION = (*_FUNCTION, ast.ClassDef)


@dataclass(frozen=True, eq=False)
class Statement:
    """A line of a cell, or a block of lines.

    Attributes:
        node: its syntax.
        bound: names that it defines, or changes the content of.
        used: names that it needs at once.
        later: names that its functions need when they are called.
        creates: names that it defines in any case, whatever they were.
    """

    node: ast.stmt
    bound: frozenset[str]
    used: frozenset[str]
    later: frozenset[str]
    creates: frozenset[str]


def parsed(text: str) -> ast.Module:
    """Read a cell.

    Args:
        text: of the cell; lines for IPython, such as `%time` and `!ls`, do
            nothing.

    Returns:
        Its syntax.

    Raises:
        SyntaxError: it is no Python.
    """
    try:
        return ast.parse(text)
    except SyntaxError:
        for magic, python in _MAGIC:
            text = re.sub(magic, python, text)
        return ast.parse(text)


def statements_of(text: str) -> list[Statement]:
    """Take a cell apart.

    Args:
        text: of the cell, as for `parsed`.

    Returns:
        Its statements.

    Raises:
        SyntaxError: it is no Python.
    """
    return [_statement(node) for node in parsed(text).body]


def needed(
    cells: Sequence[Sequence[Statement]], end: int, names: Iterable[str]
) -> list[tuple[int, Statement]]:
    """Choose what has to run before some names can be used.

    Args:
        cells: the statements of each cell.
        end: the place of the cell after which the names are used.
        names: what is wanted.

    Returns:
        The cell and the statement, in the order of the notebook. A name that
        is defined nowhere up to there is looked for below.
    """
    lines = [(n, s) for n, cell in enumerate(cells) for s in cell]
    last = sum(n <= end for n, _ in lines)
    chosen: set[int] = set()
    todo = [(name, last) for name in names]
    asked = set(todo)
    while todo:
        name, place = todo.pop()
        for found in _origins(lines, name, place):
            if found in chosen:
                continue
            chosen.add(found)
            line = lines[found][1]
            wanted = {(other, found) for other in line.used}
            wanted |= {(other, max(last, found)) for other in line.later}
            todo += wanted - asked
            asked |= wanted
    return [lines[n] for n in sorted(chosen)]


def unknown(lines: Iterable[tuple[int, Statement]]) -> set[str]:
    """Find the names that some lines use and none of them defines.

    Args:
        lines: as `needed` chooses them.

    Returns:
        The names; none where an import brings names that nobody can know.
    """
    taken = [line for _, line in lines]
    bound = frozenset().union(*(line.bound for line in taken))
    if "*" in bound:
        return set()
    return set().union(*(line.used | line.later for line in taken)) - bound


def _origins(
    lines: list[tuple[int, Statement]], name: str, place: int
) -> list[int]:
    """The last line above a place that creates a name, and what changes it.

    What an import brings is nobody's to change.
    """
    found: list[int] = []
    for n in range(place - 1, -1, -1):
        if name in lines[n][1].bound:
            found.append(n)
            if name in lines[n][1].creates:
                return found[-1:] if _imports(lines[n][1]) else found
    below = range(place, len(lines))
    found += [n for n in below if name in lines[n][1].creates][:1]
    return found or [n for n in range(place) if "*" in lines[n][1].bound]


def _imports(line: Statement) -> bool:
    return isinstance(line.node, ast.Import | ast.ImportFrom)


def _statement(node: ast.stmt) -> Statement:
    """What a statement defines and needs; a block, line by line."""
    branches = _branches(node)
    if not branches:
        return _line(node)
    bound, used, later = set(), set(), set()
    created = []
    for branch in branches:
        made: set[str] = set()
        for line in map(_statement, branch):
            bound |= line.bound
            used |= line.used - made
            later |= line.later
            made |= line.creates
        created.append(made)
    creates = set.intersection(*created) - used
    return Statement(node, *map(frozenset, (bound, used, later, creates)))


def _branches(node: ast.stmt) -> list[list[ast.stmt]]:
    """What may run in a block; none if it is no block.

    A loop may run never, and an `if` without `else` may do nothing.
    """
    match node:
        case ast.For() | ast.AsyncFor():
            begin = [_assigned(node.target, node.iter)]
            return [[*begin, *node.body, *node.orelse], [ast.Expr(node.iter)]]
        case ast.While() | ast.If():
            begin = [ast.Expr(node.test)]
            return [[*begin, *node.body], [*begin, *node.orelse]]
        case ast.With() | ast.AsyncWith():
            begin = [
                _assigned(item.optional_vars, item.context_expr)
                if item.optional_vars
                else ast.Expr(item.context_expr)
                for item in node.items
            ]
            return [[*begin, *node.body]]
        case ast.Try():
            caught = [ast.Expr(h.type) for h in node.handlers if h.type]
            end = [*caught, *node.orelse, *node.finalbody]
            return [[*node.body, *end]] + [
                [*node.body, *handler.body] for handler in node.handlers
            ]
    return []


def _assigned(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([target], value, lineno=value.lineno)


def _line(node: ast.stmt) -> Statement:
    top = symtable.symtable(ast.unparse(node), "cell", "exec")
    symbols = top.get_symbols()
    made = {
        s.get_name()
        for s in symbols
        if s.is_assigned() or s.is_imported() or s.is_namespace()
    }
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
        made.add("*")
    used = {s.get_name() for s in symbols if s.is_referenced()}
    later: set[str] = set()
    tables = list(top.get_children())
    while tables:
        table = tables.pop()
        tables += table.get_children()
        later |= {
            s.get_name()
            for s in table.get_symbols()
            if s.is_global() and s.is_referenced()
        }
    if not isinstance(node, _FUNCTION):
        used |= later  # a comprehension, a lambda, the body of a class
    changed = _changed(node)
    creates = made if isinstance(node, _DEFINITION) else made - used - changed
    return Statement(
        node,
        frozenset(made | changed),
        frozenset((used | changed) - _BUILTIN),
        frozenset(later - _BUILTIN),
        frozenset(creates),
    )


def _changed(node: ast.stmt) -> set[str]:
    """Names that a statement changes: `x += 1`, `x[0] = 1`, `x.append(1)`."""
    if isinstance(node, _DEFINITION):
        return set()
    owners: list[ast.expr] = []
    for part in ast.walk(node):
        match part:
            case ast.AugAssign(target=target):
                owners.append(target)
            case (
                ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store())
            ):
                owners.append(part.value)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
                owners.append(owner)
    return {name for owner in owners if (name := _name_of(owner))}


def _name_of(part: ast.expr) -> str:
    """The x of `x.a[0]`; "" where there is no such name."""
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return part.id if isinstance(part, ast.Name) else ""
