"""A GPU changes no notebook: a device is handed on and decides nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .pages import NOTEBOOKS, Page
from .rules import rule

# Whoever is given the device computes there and does nothing else with it.
MOVES = {"to", "create", "load", "autocast", "Learner"}
OTHERS = ("mps", "xpu", "torch.accelerator")


@rule(*NOTEBOOKS)
def a_device_decides_nothing(page: Page) -> Iterator[str]:
    """A device is handed on to what computes there; `if` may ask for it."""
    for line in decided([cell.text for cell in page.code]):
        yield f"the device decides something: {line}"


@rule(*NOTEBOOKS)
def no_other_device(page: Page) -> Iterator[str]:
    """No notebook speaks of devices but of the CPU and CUDA."""
    for cell in page.code:
        for word in OTHERS:
            if f"{word}." in cell.text or f'"{word}"' in cell.text:
                yield f"{cell}: {word}, which no lesson was run on"


def decided(cells: list[str]) -> list[str]:
    """Return each line that lets a device decide something.

    A device may be asked for, handed on to what computes there, and asked in
    an `if` of a cell; what this sets serves no other line.
    """
    from transformer_course.grading.reading.program import statements_of

    lines = [line for text in cells for line in statements_of(text)]
    calls = MOVES.union(
        *(
            line.bound
            for line in lines
            if isinstance(line.node, ast.FunctionDef)
        )
    )
    found = []
    for line in lines:
        above = {
            child: node
            for node in ast.walk(line.node)
            for child in ast.iter_child_nodes(node)
        }
        read = [
            node
            for node in filter(is_device, above)
            if not is_handed_on(node, above, calls)
            and not is_asked_for(node, line.node)
        ]
        if not read:
            continue
        others = {
            name
            for other in lines
            if other is not line
            for name in other.used | other.later
        }
        found += [
            ast.unparse(line.node)
            for node in read
            if not is_asked(node, above, line.node)
            or not line.bound.isdisjoint(others)
        ]
    return found


def is_device(node: ast.AST) -> bool:
    """Tell whether a node reads the device, or asks whether there is one."""
    if isinstance(node, ast.Name):
        return node.id == "device" and isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Attribute) and node.attr == "is_available"


def is_handed_on(node: ast.AST, above: dict, calls: set[str]) -> bool:
    """Tell whether it is the argument of a call that computes there."""
    if getattr(above[node], "attr", "") == "type":
        node = above[node]
    call = above[node]
    if isinstance(call, ast.keyword):
        call = above[call]
    if not isinstance(call, ast.Call) or node is call.func:
        return False
    return getattr(call.func, "attr", getattr(call.func, "id", "")) in calls


def is_asked_for(node: ast.AST, line: ast.stmt) -> bool:
    """Tell whether a line asks for a GPU to say what `device` is."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(line, ast.Assign)
        and [ast.unparse(target) for target in line.targets] == ["device"]
    )


def is_asked(node: ast.AST, above: dict, line: ast.stmt) -> bool:
    """Tell whether it is asked in an `if` that is a line of the cell."""
    while not isinstance(node, ast.stmt):
        node = above[node]
    return isinstance(line, ast.If) and isinstance(node, ast.If)
