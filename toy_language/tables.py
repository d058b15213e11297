"""Tables of words: text files with tabs between their columns, in data/.

A file holds one table, or several that belong together, each below its name in
brackets:

    # How much: very deep.
    [degrees]
    English	Korean
    very	아주

The first row of a table names its columns. - is a cell that holds nothing;
empty lines, and those that begin with #, are for readers. Words are added or
mended there, and no code with them.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from unicodedata import normalize

__all__ = ["Row", "by_key", "group", "read_table"]

DATA = Path(__file__).parent / "data"


class Row(dict[str, str]):
    """One row of a table: what stands in each column, "" for nothing.

    Args:
        cells: column -> what stands there.
        where: the file and the line, for messages.
    """

    def __init__(self, cells: dict[str, str], where: str) -> None:
        super().__init__(cells)
        self.where = where

    def words(self, column: str) -> tuple[str, ...]:
        """Return the words of a cell: "go_to cry" -> ("go to", "cry")."""
        return tuple(one.replace("_", " ") for one in self[column].split())

    def number(self, column: str) -> int:
        """Return the whole number in a cell."""
        if not self[column].isdecimal():
            raise self.wrong(f"{column} is {self[column]!r}, no number")
        return int(self[column])

    def wrong(self, fault: str) -> ValueError:
        """Make the error that says where the fault is."""
        return ValueError(f"{self.where}: {fault}")


def read_table(
    path: str | Path, columns: str, name: str = ""
) -> tuple[Row, ...]:
    """Read one table of a file; its letters are composed (NFC).

    Args:
        path: the file; a bare name is one of data/.
        columns: the names of the columns, with ", " between them.
        name: of the table; "" in a file that holds one without a name.

    Returns:
        A tuple of `Row`, in the order of the file.

    Raises:
        OSError: the file cannot be read.
        ValueError: there is no such table, or two; its first row does not
            name these columns, or a row has more cells or fewer. The message
            has the file and the line.
    """
    path = DATA / path
    wanted = columns.split(", ")
    rows: list[Row] = []
    found, headed, inside = not name, False, not name
    text = normalize("NFC", path.read_text(encoding="utf-8"))
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        where = f"{path.name}, line {number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            inside = line == f"[{name}]"
            if inside and found:
                raise ValueError(f"{where}: a second table {line}")
            found |= inside
        elif inside:
            cells = line.split("\t")
            if not headed and cells != wanted:
                raise ValueError(
                    f"{where}: the columns are {', '.join(cells)}; "
                    f"wanted are {columns}, with tabs between them"
                )
            if len(cells) != len(wanted):
                raise ValueError(
                    f"{where}: {len(cells)} columns found, {len(wanted)} "
                    f"wanted ({columns}, with tabs between them)"
                )
            if headed:
                full = ("" if cell == "-" else cell for cell in cells)
                rows.append(Row(dict(zip(wanted, full, strict=True)), where))
            headed = True
    if not headed:
        table = f"table [{name}]" if name else "row with the columns"
        raise ValueError(f"{path.name}: no {table} found ({columns})")
    return tuple(rows)


def by_key(rows: Iterable[Row], column: str) -> dict[str, Row]:
    """Index rows by what stands in a column.

    Args:
        rows: of one table.
        column: whose cells are all different.

    Returns:
        A dict from cell to row, in the order of the rows.

    Raises:
        ValueError: two rows have the same cell there, or one has none.
    """
    found: dict[str, Row] = {}
    for row in rows:
        key = row[column]
        if not key:
            raise row.wrong(f"nothing stands under {column}")
        if key in found:
            raise row.wrong(f"{key!r} again; it is in {found[key].where}")
        found[key] = row
    return found


@cache
def group(name: str) -> tuple[str, ...]:
    """Return the words of a group of data/groups.tsv, in its order.

    Args:
        name: of the group.

    Returns:
        A tuple of words; some stand there twice.

    Raises:
        ValueError: there is no such group.
    """
    if name not in _groups():
        raise ValueError(f"groups.tsv has no group {name!r}")
    return _groups()[name].words("words")


@cache
def _groups() -> dict[str, Row]:
    return by_key(read_table("groups.tsv", "group, words"), "group")
