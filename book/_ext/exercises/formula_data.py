"""Formulas of a catalogue as plain data, for a page that has no Python.

What can be worked out when the book is built is. The rest, a formula over the
numbers that a reader gives, becomes a list: what to do, and with what.

    abs(got[0] - got[1]) > 0.0042
    ["gt", ["call", "abs", [["sub", ["at", ["got"], 0], ...]]], 0.0042]

`["got"]` is a value by its name, `["is", x]` the list x itself; numbers and
texts stand for themselves. book/_static/exercises/formula.js works it out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_course.checks.engine.formula import (
    BRACES,
    Formula,
    Text,
)

__all__ = ["GIVEN", "formula", "plain", "text"]

GIVEN = {  # known only when a reader has given numbers
    "at", "begin", "fits", "good", "got", "known", "label", "mine", "place",
    "said", "wanted", "way", "wrong",
}  # fmt: skip
FUNCTIONS = {
    "abs", "all", "any", "count", "first_true", "isin", "last_true", "len",
    "max", "min", "round", "sum", "verb",
}  # fmt: skip
SYMBOLS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div",
    ast.MatMult: "matmul", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt",
    ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.And: "and",
    ast.Or: "or", ast.Not: "not", ast.USub: "neg", ast.Invert: "not",
}  # fmt: skip


def plain(value: Any) -> Any:
    """Arrays and tuples as lists; what is not finite as None."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if not np.isfinite(value):
            return None
        return int(value) if value == int(value) else value
    return value


def formula(source: Formula, names: Mapping[str, Any]) -> Any:
    """A formula as data.

    Args:
        source: Python, with names of `GIVEN` and others.
        names: the value of each other name.

    Raises:
        ValueError: it says something that a page cannot do.
    """

    def read(node: ast.AST) -> Any:
        used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if not used & GIVEN:
            value = Formula(ast.unparse(node), source.place).value(names)
            value = plain(value)
            return ["is", value] if isinstance(value, list) else value
        match node:
            case ast.Name(name):
                return [name]
            case ast.UnaryOp(op, operand):
                return [SYMBOLS[type(op)], read(operand)]
            case ast.BinOp(left, op, right):
                return [SYMBOLS[type(op)], read(left), read(right)]
            case ast.BoolOp(op, values):
                return [SYMBOLS[type(op)], *map(read, values)]
            case ast.Compare(left, [op], [right]):
                return [SYMBOLS[type(op)], read(left), read(right)]
            case ast.IfExp(test, yes, no):
                return ["if", read(test), read(yes), read(no)]
            case ast.Subscript(whole, ast.Slice(low, high, None)):
                ends = [end and read(end) for end in (low, high)]
                return ["part", read(whole), *ends]
            case ast.Subscript(whole, ast.Slice(None, None, ast.UnaryOp())):
                return ["reversed", read(whole)]
            case ast.Subscript(whole, index):
                return ["at", read(whole), read(index)]
            case ast.Call(ast.Name(name), given, named) if name in FUNCTIONS:
                return ["call", name, [*map(read, given)], *axis(named)]
            case ast.Call(ast.Attribute(ast.Constant(between), "join"), [one]):
                return ["join", between, read(one)]
            case ast.Call(ast.Attribute(whole, name), [], named):
                if name in FUNCTIONS | {"mean"}:
                    return ["call", name, [read(whole)], *axis(named)]
        raise ValueError(
            f"{source.place}: `{ast.unparse(node)}` is more than a page can "
            "work out; say it with what formula_data.py lists"
        )

    return read(ast.parse(source.text.strip(), mode="eval").body)


def axis(named: list[ast.keyword]) -> list[int]:
    """The axis of a call, if it has one."""
    return [one.value.value for one in named if one.arg == "axis"]


def text(source: Text, names: Mapping[str, Any]) -> Any:
    """A text as one string, or as a list of strings and formulas.

    A formula in it is a list with the formula and how to write the number.
    """
    pieces: list[Any] = []
    place = 0
    for found in BRACES.finditer(source.text):
        pieces.append(source.text[place : found.start()])
        place = found.end()
        done = formula(Formula(found["formula"], source.place), names)
        if isinstance(done, list) and done[0] != "is":
            pieces.append([done, found["form"] or ""])
        else:
            pieces.append(Text(found[0], source.place).filled(names))
    pieces.append(source.text[place:])
    joined: list[Any] = []
    for piece in filter(None, pieces):
        if joined and isinstance(piece, str) and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    only = joined[0] if len(joined) == 1 else joined
    return only if isinstance(only, str) else joined
