"""Half an answer: the reference, ended early.

Whoever runs a check half-way returns an input as it came, or a value from the
middle of the calculation. Such an answer is an edit of the reference like any
mistake, only that nobody has to write it down: a line becomes a `return`.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from transformer_course.checks.engine.edits import Edits, Reference
from transformer_course.checks.engine.source import parsed

__all__ = ["Half", "left_out", "halves", "told_of"]

_STEPS = {  # what a reader calls a node, a function or a method
    ast.Add: "an addition", ast.Sub: "a subtraction",
    ast.Mult: "a multiplication", ast.Div: "a division",
    ast.MatMult: "a matrix product", ast.Pow: "a power",
    ast.USub: "a change of sign",
    "exp": "an exponential", "log": "a logarithm", "sqrt": "a square root",
    "sum": "a sum", "mean": "a mean", "var": "a variance",
    "max": "a maximum", "amax": "a maximum", "min": "a minimum",
    "softmax": "a softmax",
    "relu": "a ReLU", "sin": "a sine", "cos": "a cosine", "where": "a mask",
    "masked_fill": "a mask", "einsum": "a sum of products", "T": "a transpose",
    "mT": "a transpose", "scaled_dot_product_attention": "the attention",
}  # fmt: skip
_VALUES = {  # what they give
    ast.Add: "a sum", ast.Sub: "a difference", ast.Mult: "a product",
    ast.Div: "a quotient", ast.MatMult: "a matrix product",
}  # fmt: skip
_MOST = 4  # steps that are told
_NO_NUMBERS = {"shape", "dtype", "device", "ndim", "inf"}
_KINDS = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Attribute)
_LOOPS = (ast.For, ast.While)
_BLOCKS = (*_LOOPS, ast.If, ast.With, ast.Try)
_INNER = (
    ast.Lambda, ast.FunctionDef, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip


@dataclass(frozen=True)
class Half:
    """A value that an unfinished answer may return.

    Attributes:
        value: its name in the reference, or else the expression.
        edits: what makes the reference return it.
        is_input: whether it is what the function is called with.
        missing: the steps from there to the result, in words.
    """

    value: str
    edits: Edits
    is_input: bool = False
    missing: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def halves(reference: Reference) -> tuple[Half, ...]:
    """Return the inputs, the named values and the other ones on the way.

    Args:
        reference: the right answer.
    """
    found: dict[tuple[str, str], Half] = {}
    for function in _functions(reference):
        for half in _of_function(reference, function):
            found.setdefault((function.name, half.value), half)
    plain = [h for h in found.values() if not h.value.isidentifier()]
    named = [h for h in found.values() if h.value.isidentifier()]
    named.sort(key=lambda half: not half.is_input)
    return (*named, *plain)


@lru_cache(maxsize=256)
def left_out(reference: Reference) -> tuple[Edits, ...]:
    """Return what leaves a step out: a part of an expression in its place.

    Args:
        reference: the right answer.
    """
    made = []
    for function in _functions(reference):
        for line in function.body:
            value = _value(line)
            for part in _parts(value, (*_KINDS, ast.Name)) if value else ():
                if part is not value:
                    whole, piece = ast.unparse(value), ast.unparse(part)
                    new = ast.unparse(line).replace(whole, f"({piece})")
                    made.append(_replaced(reference, line, new))
    return tuple(edits for edits in made if edits)


def told_of(half: Half, words: Mapping[str, str]) -> str:
    """Return what to say to whoever returns this value.

    Args:
        half: the value.
        words: what readers call the named values of the reference.
    """
    if half.is_input:
        return (
            f"You return `{half.value}` as it came. What is asked for is "
            "still to be computed from it."
        )
    what = words.get(half.value) or _kind_of(half.value)
    said = f"You return {what}: right so far, but not the result yet."
    if not half.missing or len(half.missing) > _MOST:
        return said
    *first, last = half.missing
    steps = f"{', '.join(first)} and {last}" if first else last
    verb = "are" if first else "is"
    return f"{said} {steps[0].upper()}{steps[1:]} {verb} still missing."


def _kind_of(value: str) -> str:
    """What to call a value that has no words."""
    node = parsed(value).body[0].value
    if isinstance(node, ast.Attribute):
        return f"`{node.attr}`"
    kind = type(node.op) if isinstance(node, ast.BinOp) else None
    return f"{_VALUES.get(kind, 'a value')} on the way to the result"


# ----------------------------------------------------------- the reference


def _functions(reference: Reference) -> Iterator[ast.FunctionDef]:
    """The function, or the methods that give a result."""
    (thing,) = parsed(reference.source({})).body
    inner = thing.body if isinstance(thing, ast.ClassDef) else [thing]
    for function in inner:
        is_function = isinstance(function, ast.FunctionDef)
        if not is_function or function.name == "__init__":
            continue
        if isinstance(function.body[-1], ast.Return):
            yield function


def _value(line: ast.stmt) -> ast.expr | None:
    """The expression whose value a line names, or returns."""
    if isinstance(line, (ast.Assign, ast.AugAssign, ast.Return)):
        return line.value
    return None


def _parts(value: ast.AST, kinds: tuple = _KINDS) -> Iterator[ast.expr]:
    """An expression and all in it, but constants and shapes."""
    if isinstance(value, _INNER) or _is_no_number(value):
        return
    if isinstance(value, kinds):
        yield value
    for child in ast.iter_child_nodes(value):
        if child is getattr(value, "func", None):  # not `x.max`, but `x`
            child = getattr(child, "value", child)
        yield from _parts(child, kinds)


def _is_no_number(value: ast.AST) -> bool:
    """True for a constant, with or without a sign, and for a shape."""
    inner = getattr(value, "operand", value)
    if isinstance(value, ast.Subscript):
        inner = value.value
    return (
        isinstance(inner, ast.Constant)
        or getattr(inner, "attr", "") in _NO_NUMBERS
    )


def _of_function(
    reference: Reference, function: ast.FunctionDef
) -> Iterator[Half]:
    lines = function.body
    lines = lines[isinstance(lines[0], ast.Expr) :]  # the docstring
    inputs = [a.arg for a in function.args.args if a.arg != "self"]
    known = {name: name for name in (*inputs, *_layers(reference))}
    for line in lines:
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Name):
            known |= dict.fromkeys(_targets(line), line.value.id)
    for name in inputs:
        edits = _replaced(reference, lines[0], f"return {name}")
        if edits:
            yield Half(name, edits, is_input=True)
    for place, line in enumerate(lines):
        value = _value(line)
        for part in _parts(value) if value is not None else ():
            if part is value and isinstance(line, ast.Return):
                continue
            name = _target(line) if part is value else ""
            text = name or ast.unparse(part)
            end = lines[place + 1] if name else line  # mistakes stay in it
            edits = _replaced(reference, end, f"return {text}")
            if edits and text not in inputs:
                missing = _missing(lines[place:], part, known)
                yield Half(text, edits, missing=missing)
    for name in _names_in_blocks(lines):
        edits = _replaced(reference, lines[-1], f"return {name}")
        if edits and name not in inputs:
            yield Half(name, edits)


def _target(line: ast.stmt) -> str:
    if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
        return line.targets[0].id
    return ""


def _names_in_blocks(lines: list[ast.stmt]) -> dict[str, None]:
    """What gets a value in a loop or behind a condition, but no counter."""
    blocks = [line for line in lines if isinstance(line, _BLOCKS)]
    inner = [node for line in blocks for node in ast.walk(line)]
    counters = {
        name
        for node in inner
        if isinstance(node, ast.For)
        for name in _names(node.target)
    }
    return {
        node.id: None
        for node in inner
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and node.id not in counters
    }


def _replaced(reference: Reference, line: ast.stmt, new: str) -> Edits:
    """The edit that puts another line in place of one; none if it cannot.

    Lines above are taken along until the text stands once.
    """
    text = reference.source({}).split("\n")
    head = reference.source({}).count("\n") - reference.body.count("\n")
    body = reference.body.split("\n")
    first, last = line.lineno - 1 - head, line.end_lineno - head
    if textwrap.dedent(text[line.lineno - 1]) != textwrap.dedent(body[first]):
        return {}
    indent = " " * (len(body[first]) - len(body[first].lstrip()))
    for start in range(first, -1, -1):
        old = "\n".join(body[start:last])
        if reference.body.count(old) == 1:
            above = body[start:first]
            return {old: "\n".join([*above, indent + new])}
    return {}


# ---------------------------------------------------- what is still missing


def _layers(reference: Reference) -> set[str]:
    """What `__init__` makes; methods are the reference's own affair."""
    (thing,) = parsed(reference.source({})).body
    return {
        node.attr
        for node in ast.walk(thing)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }


def _missing(
    lines: list[ast.stmt], part: ast.expr, known: dict[str, str]
) -> tuple[str, ...]:
    """The steps from a part of the first line to the result.

    None are told where a loop lies between.
    """
    if any(isinstance(line, _LOOPS) for line in lines):
        return ()
    needed = _needed(lines)
    made: set[str] = set()  # names that hold what was made of the part
    steps: dict[str, None] = {}
    for line in lines:
        value = _value(line)
        if value is None or line not in needed:
            continue
        if _walk(value, part, made, known, steps):
            made |= _targets(line)
    return tuple(steps)


def _needed(lines: list[ast.stmt]) -> list[ast.stmt]:
    """The lines that the last one depends on, and that one."""
    names: set[str] = set()
    needed = []
    for line in reversed(lines):
        if isinstance(line, ast.Return) or _targets(line) & names:
            needed.append(line)
            names |= _names(line)
    return needed


def _targets(line: ast.stmt) -> set[str]:
    targets = getattr(line, "targets", ())
    return {name for target in targets for name in _names(target)}


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _walk(
    node: ast.AST,
    part: ast.expr,
    made: set[str],
    known: dict[str, str],
    steps: dict[str, None],
) -> bool:
    """Note the steps above the part, or what was made of it, in order."""
    if node is part or (isinstance(node, ast.Name) and node.id in made):
        return True
    if getattr(node, "attr", "") in _NO_NUMBERS:
        return False
    below = [
        _walk(child, part, made, known, steps)
        for child in ast.iter_child_nodes(node)
    ]
    if not any(below):
        return False
    words = _in_words(node, known)
    if words:
        steps.setdefault(words)
    return True


def _in_words(node: ast.AST, known: dict[str, str]) -> str:
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return _STEPS.get(type(node.op), "")
    if isinstance(node, ast.Attribute):
        return _STEPS.get(node.attr, "") if node.attr in ("T", "mT") else ""
    if not isinstance(node, ast.Call):
        return ""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return f"`{known[name]}`" if name in known else _STEPS.get(name, "")
