"""The pages of the book as the rules see them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = {
    "chapters": "lesson",
    "book/laboratory": "laboratory",
    "book/solutions": "solutions",
}
NOTEBOOKS = tuple(FOLDERS.values())
NEWLINE = "\n"
FENCE = re.compile(r"^(```+|~~~+).*?^\1", re.M | re.S)


@dataclass(frozen=True)
class Cell:
    """A cell; its number counts from 1, as a reader does."""

    number: int
    name: str
    kind: str
    text: str
    tags: list[str]
    metadata: dict[str, Any]
    count: int | None
    outputs: list[dict[str, Any]]

    def __str__(self) -> str:
        """Say where it is, for a complaint."""
        return f"cell {self.number}"


class Page:
    """A page: its text, and what a notebook or a page in Markdown has.

    Attributes:
        path: of the page.
        root: of its book.
        kind: lesson, laboratory, solutions, markdown, claims; "" for a file
            that is no page.
        text: of the file.
        data: what it holds as JSON or TOML.
        error: what is wrong with the file, if it cannot be read.
    """

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.path, self.root = path, root
        self.kind = kind_of(self.name)
        self.text = path.read_text(encoding="utf-8")
        self.error, self.data = "", {}
        readers = {".ipynb": json.loads, ".toml": tomllib.loads}
        if path.suffix in readers:
            try:
                self.data = readers[path.suffix](self.text)
            except ValueError as error:
                self.error = f"this cannot be read: {error}"

    @property
    def name(self) -> str:
        """Return the path in the book, such as book/glossary.md."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def number(self) -> int:
        """Return the number of the chapter of a notebook."""
        return int(self.path.name.split("_")[0])

    @property
    def metadata(self) -> dict[str, Any]:
        """Return those of the whole notebook."""
        return self.data["metadata"]

    @cached_property
    def cells(self) -> list[Cell]:
        """Return the cells of a notebook, none of another page."""
        return [
            Cell(
                number,
                cell.get("id", ""),
                cell["cell_type"],
                "".join(cell["source"]),
                cell["metadata"].get("tags", []),
                cell["metadata"],
                cell.get("execution_count"),
                cell.get("outputs", []),
            )
            for number, cell in enumerate(self.data.get("cells", []), 1)
        ]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "code"]

    @property
    def markdown(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "markdown"]

    def outputs(self, *kinds: str) -> Iterator[tuple[Cell, str, str]]:
        """Yield (cell, kind, text) for each stored output of these kinds."""
        for cell in self.code:
            for output in cell.outputs:
                for kind in kinds:
                    if kind in output.get("data", {}):
                        yield cell, kind, "".join(output["data"][kind])

    @cached_property
    def passages(self) -> list[tuple[str, str]]:
        """Return the prose, without code blocks, and where each piece is.

        A piece is a cell of a notebook or a paragraph of a page.
        """
        if self.path.suffix == ".ipynb":
            return [(f"{c}", FENCE.sub("", c.text)) for c in self.markdown]
        text = FENCE.sub(lambda found: "\n" * found[0].count("\n"), self.text)
        pieces = re.finditer(r"(?:.*\S.*\n?)+", text)
        return [
            (f"line {1 + text[: one.start()].count(NEWLINE)}", one[0])
            for one in pieces
        ]

    @cached_property
    def prose(self) -> str:
        """Return all of the prose, without code blocks."""
        if self.path.suffix == ".ipynb":
            return "\n\n".join(text for _, text in self.passages)
        return FENCE.sub("", self.text)

    @cached_property
    def flat(self) -> str:
        """Return the Markdown of a notebook, code blocks too."""
        return "\n\n".join(cell.text for cell in self.markdown)

    # ------------------------------------------------- other pages of the book

    def of_chapter(self, kind: str) -> Page | None:
        """Return the lesson, laboratory or solutions of the same chapter."""
        folder = next(f for f, one in FOLDERS.items() if one == kind)
        path = self.root / folder / self.path.name
        return page_at(path, self.root) if path.exists() else None

    def other(self, name: str) -> Page:
        """Return another page by its path in the book."""
        return page_at(self.root / name, self.root)


@cache
def page_at(path: Path, root: Path = ROOT) -> Page:
    """Return a page, which is read once."""
    return Page(path, root)


def kind_of(name: str) -> str:
    """Return the kind of a page by its path in the book, "" if it is none."""
    folder, _, file = name.rpartition("/")
    if file.endswith(".ipynb"):
        return FOLDERS.get(folder, "")
    if name == "book/claims.toml":
        return "claims"
    in_book = re.fullmatch(r"book(/(?!_)[^/]+)*/[^/]+\.md", name)
    return "markdown" if in_book else ""


def all_pages(root: Path = ROOT) -> list[Path]:
    """Return the paths of all pages that have rules."""
    found = [
        path for folder in FOLDERS for path in (root / folder).glob("*.ipynb")
    ]
    found += (root / "book").rglob("*.md")
    found.append(root / "book" / "claims.toml")
    return sorted(
        path
        for path in found
        if kind_of(path.relative_to(root).as_posix()) and path.exists()
    )
