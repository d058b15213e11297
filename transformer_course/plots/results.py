"""A table of results: as HTML in the book, in columns in a terminal."""

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["ResultTable", "table"]

_NUMBER = re.compile(r"[-+−]?[\d.,]*\d(?!\w)")
_CELL = "padding: 0.3em 0.9em; border-bottom: 1px solid #8885"


class ResultTable:
    """Rows below heads; the first column names the rows.

    Notebooks and the book show a table; the terminal gets aligned columns.

    Attributes:
        head: the heads of the columns.
        rows: the cells as text, as many in each row as there are heads.
    """

    def __init__(self, head: list[str], rows: list[list[str]]) -> None:
        self.head = head
        self.rows = rows

    def _numbers(self) -> list[bool]:
        """Say which columns hold numbers, which are set to the right."""
        return [
            all(_NUMBER.match(cell) or not cell for cell in column)
            for column in zip(*self.rows, strict=True)
        ]

    def __repr__(self) -> str:
        right = self._numbers()
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if at_right else cell.ljust(width)
                for cell, width, at_right in zip(
                    line, widths, right, strict=True
                )
            ).rstrip()
            for line in lines
        )

    def _repr_html_(self) -> str:
        sides = ["right" if number else "left" for number in self._numbers()]

        def line(cells: list[str], tags: list[str]) -> str:
            made = (
                f'<{tag} style="text-align: {side}; {_CELL}">'
                f"{html.escape(cell)}</{tag[:2]}>"
                for cell, side, tag in zip(cells, sides, tags, strict=True)
            )
            return f"<tr>{''.join(made)}</tr>"

        others = len(self.head) - 1
        body = "".join(
            line(row, ['th scope="row"', *["td"] * others]) for row in self.rows
        )
        head = line(self.head, ['th scope="col"'] * (others + 1))
        return (
            '<table class="results" style="border-collapse: collapse">'
            f"<thead>{head}</thead><tbody>{body}</tbody></table>"
        )


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> ResultTable:
    """Set results in rows and columns.

    Args:
        head: what stands above each column; "" above the names is fine.
        rows: for each row its name and its cells; numbers are written as
            they come, so round them first.

    Returns:
        A ResultTable.

    Raises:
        ValueError: no rows, or one with another number of cells than heads.

    Chapter 16.
    """
    made = [[str(cell) for cell in row] for row in rows]
    if not made:
        raise ValueError("the table has no rows; give at least one")
    for row in made:
        if len(row) != len(head):
            raise ValueError(
                f"{len(row)} cells came for {len(head)} heads: {row}; give "
                "each row its name and a cell for each other head"
            )
    return ResultTable([str(cell) for cell in head], made)
