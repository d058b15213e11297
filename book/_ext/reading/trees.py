"""Small questions about the trees that docutils and myst-nb make of a page."""

from __future__ import annotations

from docutils import nodes

LINES_OF_A_CELL = 10_000  # myst-nb counts so: cell 3 begins at 40,001


def solid(node: nodes.Node) -> list[nodes.Node]:
    """Return the children, without the empty texts that myst leaves."""
    return [
        child
        for child in node.children
        if not isinstance(child, nodes.Text) or child.astext()
    ]


def opening(node: nodes.Node) -> str:
    """Return the bold words that open a paragraph, or ""."""
    if not isinstance(node, nodes.paragraph):
        return ""
    first = next(iter(solid(node)), None)
    return first.astext() if isinstance(first, nodes.strong) else ""


def is_cell(node: nodes.Node) -> bool:
    """Say whether a node is a code cell."""
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
    )


def source_of(node: nodes.Node) -> str:
    """Return the code of a cell, or ""."""
    if isinstance(node, nodes.container):
        for inner in node.findall(nodes.container):
            if inner.get("nb_element") == "cell_code_source":
                return inner.astext()
    return ""


def inside(node: nodes.Node | None, kinds: tuple[type, ...]) -> bool:
    """Say whether a node is one of these kinds or stands in one."""
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False
