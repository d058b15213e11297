"""A picture of the library's modules and the imports between them.

The directive `{module-map}` draws it while the book is built, from the
imports in the source. The same picture as a file:

    python book/_ext/library/module_map.py > modules.svg

A row holds the modules that import only rows above it. An arrow is left out
where a longer way says the same (transitive reduction), and so are the three
modules that nearly all others import.
"""

from __future__ import annotations

import ast
import sys
from graphlib import TopologicalSorter
from html import escape
from itertools import combinations
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[3] / "transformer_lib"
EVERYWHERE = {"special_tokens", "validation", "shapes"}
GROUPS = {
    "texts": "corpus_notes parallel_text corpora opus_mt",
    "model": "tokenizer batching masks attention multi_head normalization "
    "positional feed_forward embedding model_config layers model",
    "training": "label_smoothing schedule train_config files checkpoint "
    "distributed train_state training training_data presets run_folder runs "
    "wrapping pretrained run_data longer_run stored_run",
    "decoding": "decoding search evaluation confidence pieces published "
    "translator",
}
WIDTH, BOX, ROW, GAP, LETTER = 860, 26, 74, 10, 6.6

Graph = dict[str, set[str]]


def imports() -> Graph:
    """Return for each module of the library those that it imports."""
    graph: Graph = {}
    for path in sorted(LIBRARY.iterdir()):
        package = (path / "__init__.py").exists()
        if path.suffix == ".py" or package:
            graph[path.stem] = set()
            for file in sorted(path.rglob("*.py")) if package else [path]:
                graph[path.stem] |= imported(file)
    for name in ("__init__", "__main__"):
        graph.pop(name)
    return {
        name: (found & graph.keys()) - {name} - EVERYWHERE
        for name, found in graph.items()
        if name not in EVERYWHERE
    }


def imported(path: Path) -> set[str]:
    """Return the modules of the library that a file names in imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {
                name.split(".")[1]
                for name in (node.module, *names)
                if name.startswith("transformer_lib.")
            }
    return found


def levels(graph: Graph) -> dict[str, int]:
    """Return the row of each module, as near as may be to those that use it."""
    first: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        first[name] = max((first[one] + 1 for one in graph[name]), default=0)
    found: dict[str, int] = {}
    for name in reversed(list(TopologicalSorter(graph).static_order())):
        users = [found[other] for other in graph if name in graph[other]]
        found[name] = min(users, default=first[name] + 1) - 1
    return found


def reduced(graph: Graph) -> Graph:
    """Leave out an arrow where a longer way leads to the same module."""

    def reach(name: str) -> set[str]:
        return graph[name].union(*map(reach, graph[name]))

    return {
        name: {
            one
            for one in found
            if not any(one in reach(other) for other in found - {one})
        }
        for name, found in graph.items()
    }


def rows(graph: Graph) -> list[list[str]]:
    """Return the modules row by row, ordered so that arrows are short."""
    level = levels(graph)
    table: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name in graph:
        table[level[name]].append(name)

    def length() -> float:
        middle = {n: left + w / 2 for n, (left, _, w) in boxes(table).items()}
        return sum(
            abs(middle[name] - middle[other])
            for name, found in graph.items()
            for other in found
        )

    best, before = length(), float("inf")
    while best < before:
        before = best
        for row in table:
            for i, j in combinations(range(len(row)), 2):
                row[i], row[j] = row[j], row[i]
                if length() < best:
                    best = length()
                else:
                    row[i], row[j] = row[j], row[i]
    return table


def group_of(name: str) -> str:
    """Return the group that gives a module its color."""
    for group, names in GROUPS.items():
        if name in names.split():
            return group
    return "beside"


def boxes(table: list[list[str]]) -> dict[str, tuple[float, float, float]]:
    """Return (left, top, width) of each module's box."""
    found = {}
    for number, row in enumerate(table):
        widths = [LETTER * len(name) + 18 for name in row]
        gap = max(GAP, (WIDTH - sum(widths)) / (len(row) + 1))
        left = (WIDTH - sum(widths) - gap * (len(row) - 1)) / 2
        for name, width in zip(row, widths, strict=True):
            found[name] = (left, number * ROW + 8, width)
            left += width + gap
    return found


def svg() -> str:
    """Return the picture."""
    graph = imports()
    arrows, table = reduced(graph), rows(reduced(graph))
    box = boxes(table)
    parts = []
    for name, found in arrows.items():
        left, top, width = box[name]
        for other in sorted(found):
            its_left, its_top, its_width = box[other]
            x, end = left + width / 2, its_left + its_width / 2
            bottom = its_top + BOX
            bend = (top - bottom) / 2
            parts.append(
                f'<path d="M{x:.0f} {top:.0f}C{x:.0f} {top - bend:.0f} '
                f'{end:.0f} {bottom + bend:.0f} {end:.0f} {bottom + 5:.0f}" '
                f'class="module-arrow" marker-end="url(#module-tip)"/>'
            )
    for name, (left, top, width) in box.items():
        parts.append(
            f'<g class="module-{group_of(name)}"><rect x="{left:.0f}" '
            f'y="{top:.0f}" width="{width:.0f}" height="{BOX}" rx="5"/>'
            f'<text x="{left + width / 2:.0f}" y="{top + 17:.0f}">'
            f"{escape(name)}</text></g>"
        )
    height = len(table) * ROW - (ROW - BOX) + 16
    count = sum(map(len, arrows.values()))
    return (
        f'<svg class="module-map" role="img" viewBox="0 0 {WIDTH} {height}" '
        'xmlns="http://www.w3.org/2000/svg"><title>The modules of '
        f"transformer_lib in {len(table)} rows, with {count} arrows from each "
        f"module up to those it imports</title>{STYLE}{''.join(parts)}</svg>"
    )


STYLE = """\
<style>
.module-map { max-width: 100%; font: 12px ui-monospace, monospace }
.module-map text { text-anchor: middle; fill: #1b1b1b }
.module-arrow { fill: none; stroke: #8a8a8a; stroke-width: 1 }
.module-tip { fill: #8a8a8a }
.module-map rect { stroke: #8a8a8a; fill: #ececec }
.module-texts rect { fill: #fde3c4 }
.module-model rect { fill: #cfe2f7 }
.module-training rect { fill: #d3efd6 }
.module-decoding rect { fill: #eed7f3 }
</style>
<defs><marker id="module-tip" viewBox="0 0 8 8" refX="4" refY="4"
markerWidth="6" markerHeight="6" orient="auto"><path class="module-tip"
d="M0 0L8 4L0 8Z"/></marker></defs>"""


def setup(app) -> dict:
    """Add the directive (called by Sphinx)."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class ModuleMap(SphinxDirective):
        """The picture, inline, so that it follows the page's colors."""

        def run(self) -> list[nodes.Node]:
            for path in LIBRARY.rglob("*.py"):
                self.env.note_dependency(str(path))
            return [nodes.raw("", svg(), format="html")]

    app.add_directive("module-map", ModuleMap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    sys.stdout.write(svg() + "\n")
