"""What the output of a notebook's cell depends on, read from the code.

A cell needs the cells above it that make or change a name which it uses, and
what these need in turn. A name changes where it is bound, where something is
stored in it, where one of its methods is called, and where it is passed to a
function, unless that is one of Python's own that change nothing; what it was
made from may then change with it. A function uses and changes what its body
does, whenever another cell names it. That is more than really happens, so a
cell may be thought to need one that it doesn't need.

What a cell does without a name can't be read: a file that one writes and
another reads counts as a name of its own, a module's settings as one that all
cells use, and where code is made while it runs, nothing is known (`is_unsure`).
Who runs the notebook sees which cells draw from the global random state.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["Cell", "Notebook", "code_needed", "is_unsure", "needs"]

FILES = "<files>"
SETTINGS = "<settings>"  # of a module, such as np.set_printoptions
TOUCH_FILES = {
    "open", "load", "save", "read", "write", "read_text", "write_text",
    "read_bytes", "write_bytes", "unlink", "mkdir", "keep", "use", "export",
    "resume", "start", "fetch", "tofile", "fromfile", "savez", "take",
}  # fmt: skip
CHANGE_NOTHING = {
    "abs", "all", "any", "bool", "dict", "enumerate", "float", "format",
    "frozenset", "getattr", "hasattr", "id", "int", "isinstance", "iter",
    "len", "list", "map", "max", "min", "print", "range", "repr", "reversed",
    "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
}  # fmt: skip
SEED = {"manual_seed", "seed"}  # seen where the random state is seen
UNSURE = {"exec", "eval", "compile", "globals", "locals", "vars", "setattr",
          "__import__", "get_ipython"}  # fmt: skip
MAGIC = re.compile(r"^\s*[%!]", re.MULTILINE)
IMPORTS = (ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
DEFINED = (*DEFINITIONS, ast.ExceptHandler)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_unsure(source: str) -> bool:
    """Tell whether a cell does what its code doesn't show."""
    if MAGIC.search(source):
        return True
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return True
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    return not UNSURE.isdisjoint(names)


def needs(sources: Sequence[str]) -> list[set[int]]:
    """Return for each cell the numbers of the cells above that it needs.

    Args:
        sources: the code of all cells, in order. None may be unsure.
    """
    found, cells = [], Notebook()
    for number, source in enumerate(sources):
        cell = Cell.of(source)
        found.append(cells.needed_by(cell))
        cells.add(number, cell)
    return found


def code_needed(sources: Sequence[str]) -> str:
    """Return the code of some cells, with only the imports that it uses."""
    trees = [ast.parse(source) for source in sources]
    used = set().union(*map(_reads, trees))
    lines = []
    for node in (node for tree in trees for node in tree.body):
        if isinstance(node, IMPORTS):
            node.names = [one for one in node.names if _imported(one) in used]
            if not node.names:
                continue
        lines.append(ast.unparse(node))
    return "\n".join(lines)


# ------------------------------------------------------------ a whole notebook


@dataclass
class Notebook:
    """What the cells so far have done with each name.

    Attributes:
        makers: the cells that made a name's value what it is.
        imported: names of modules, and of what they offer.
        bodies: what the body of a function uses.
        effects: what the body of a function changes.
        origins: what a name's value was made from.
        found: the cells that each cell needs, by its number.
    """

    imported: set[str] = field(default_factory=set)
    makers: dict[str, set[int]] = field(default_factory=dict)
    bodies: dict[str, set[str]] = field(default_factory=dict)
    effects: dict[str, set[str]] = field(default_factory=dict)
    origins: dict[str, set[str]] = field(default_factory=dict)
    found: dict[int, set[int]] = field(default_factory=dict)

    def needed_by(self, cell: Cell) -> set[int]:
        """Return the numbers of the cells that one more cell needs."""
        bodies = self.bodies | cell.bodies
        used = _closure({*cell.uses, SETTINGS}, bodies)
        direct = set().union(*(self.makers.get(name, ()) for name in used))
        return direct.union(*(self.found[one] for one in direct))

    def add(self, number: int, cell: Cell, firmly: bool = False) -> None:
        """Take one more cell into account.

        Args:
            number: of the cell.
            cell: what it does.
            firmly: to hand something to a function is no change to it.
        """
        self.found[number] = self.needed_by(cell)
        self.imported |= cell.imported
        self.bodies |= cell.bodies
        self.effects |= cell.effects
        self.origins |= cell.origins
        for name in self._changed_by(cell, firmly):
            self.makers[name] = {*self.makers.get(name, ()), number}
        self.makers |= {name: {number} for name in cell.makes}

    def _changed_by(self, cell: Cell, firmly: bool) -> set[str]:
        """Return what a cell changes: by itself, and in functions it uses."""
        found = cell.stored if firmly else _closure(cell.changes, self.origins)
        if firmly:
            return found - (self.imported | self.bodies.keys())
        for name in _closure(cell.reads, self.bodies):
            found |= self.effects.get(name, set())
        # To call a function or to pass it on doesn't change it.
        found -= (self.imported | self.bodies.keys()) - cell.sets
        return found | ({SETTINGS} if cell.sets & self.imported else set())


def _closure(names: Iterable[str], leads_to: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += leads_to.get(name, ())
    return found


# ------------------------------------------------------------------ one cell


@dataclass
class Cell:
    """What one cell does with names.

    Attributes:
        reads: names that it reads.
        uses: those of them that have their value from above.
        makes: names that it binds in any case; what they were is lost.
        changes: names that may be something else afterwards.
        stored: those of them for sure: bound, a part of them replaced, or a
            method of them called.
        sets: names of which a part is replaced, and modules of others that
            are told something: ``np.set_printoptions(...)``.
        imported, bodies, effects, origins: as those of a notebook.
    """

    reads: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    bodies: dict[str, set[str]] = field(default_factory=dict)
    effects: dict[str, set[str]] = field(default_factory=dict)
    origins: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str) -> Cell:
        """Read the code of a cell."""
        cell = cls()
        cell.read(ast.parse(source).body)
        return cell

    def read(self, statements: Sequence[ast.AST]) -> None:
        """Read statements in order."""
        for node in statements:
            if isinstance(node, DEFINITIONS):
                self._define(node)
            elif blocks := _blocks(node):
                self._compound(node, blocks)
            else:
                self._plain(node)

    def _define(self, node: ast.AST) -> None:
        reads = _reads(node)
        effects = _changed(node) & {*reads, FILES} | _declared(node)
        self.bodies[node.name] = reads | (effects & {FILES})
        self.effects[node.name] = effects
        self.makes.add(node.name)
        self.stored.add(node.name)
        self.reads |= reads
        self.uses |= reads - self.makes  # where the cell calls it itself

    def _plain(self, *nodes: ast.AST) -> None:
        reads = set().union(*map(_reads, nodes))
        bound = set().union(*map(_bound, nodes))
        changed = set().union(*map(_changed, nodes))
        self.reads |= reads
        self.uses |= reads - self.makes | (changed & {FILES})
        self.changes |= changed | bound
        self.stored |= bound.union(*map(_stored, nodes))
        self.makes |= bound
        self.origins |= {name: reads - {name} for name in bound}
        for node in nodes:
            self.sets |= _set(node)
            if isinstance(node, IMPORTS):
                self.imported |= bound

    def _compound(self, node: ast.AST, blocks: list[list[ast.AST]]) -> None:
        """Read a loop, a branch, a `with`; a block may not run."""
        inner = {id(part) for block in blocks for part in block}
        parts = ast.iter_child_nodes(node)
        self._plain(*(part for part in parts if id(part) not in inner))
        before = set(self.makes)
        for block in blocks:
            self.read(block)
            if not isinstance(node, ast.With):
                self.makes = set(before)


def _blocks(node: ast.AST) -> list[list[ast.AST]]:
    """Return the blocks of statements of a compound statement."""
    names = ("body", "handlers", "orelse", "finalbody", "cases")
    blocks = (getattr(node, name, []) for name in names)
    return [block for block in blocks if isinstance(block, list) and block]


def _reads(node: ast.AST, local: frozenset[str] = frozenset()) -> set[str]:
    """Return the global names that some code reads, functions' among them."""
    if isinstance(node, ast.Name):
        return {node.id} - local if isinstance(node.ctx, ast.Load) else set()
    found = set()
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found = {node.target.id} - local
    elif isinstance(node, FUNCTIONS):
        found = _reads(node.args, local)  # the defaults
        arguments = {
            one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)
        }
        local |= arguments | _bound(node) - _declared(node)
    elif isinstance(node, COMPREHENSIONS):
        found = _reads(node.generators[0].iter, local)
        local |= _bound(node)
    return found.union(
        *(_reads(part, local) for part in ast.iter_child_nodes(node))
    )


def _bound(node: ast.AST) -> set[str]:
    """Return the names that some code binds, below it all."""
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.alias):
            found.add(_imported(one))
        elif isinstance(one, DEFINED) and one is not node and one.name:
            found.add(one.name)
    return found


def _imported(name: ast.alias) -> str:
    return name.asname or name.name.split(".")[0]


def _declared(node: ast.AST) -> set[str]:
    """Return the names that functions declare global."""
    kinds = (ast.Global, ast.Nonlocal)
    found = [one.names for one in ast.walk(node) if isinstance(one, kinds)]
    return set().union(*found)


def _changed(node: ast.AST) -> set[str]:
    """Return the names whose values some code may change in place."""
    found = _stored_in(node)
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id == "subprocess":
            found.add(FILES)
        if isinstance(one, ast.Call):
            name = _last_name(one)
            if name in TOUCH_FILES:
                found.add(FILES)
            if name in SEED or name in CHANGE_NOTHING:
                continue
            found |= _roots(one.func)
            for given in (*one.args, *(word.value for word in one.keywords)):
                found |= _roots(given)
    return found


def _stored_in(node: ast.AST) -> set[str]:
    """Return the names of what gets a new attribute or element."""
    return set().union(
        *(
            _roots(one)
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute | ast.Subscript)
            and not isinstance(one.ctx, ast.Load)
        )
    )


def _stored(node: ast.AST) -> set[str]:
    """Return the names of what is stored in, or has a method called."""
    called = (
        _roots(one.func)
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
    )
    return _stored_in(node).union(*called)


def _set(node: ast.AST) -> set[str]:
    """Return the names that a statement changes, whatever they are."""
    found = _stored_in(node)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and _last_name(call).startswith("set_"):
        found |= _roots(call.func)
    return found


def _roots(node: ast.AST) -> set[str]:
    """Return the names of what an expression gives, or is a part of."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return set().union(*map(_roots, node.elts))
    if isinstance(node, ast.Dict):
        return set().union(*map(_roots, node.values))
    return {node.id} if isinstance(node, ast.Name) else set()


def _last_name(call: ast.Call) -> str:
    """Return the name of a called function, without what it belongs to."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))
