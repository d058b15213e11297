"""What the benchmarks have measured and stored, for the chapters to read."""

import json
from pathlib import Path

__all__ = ["stored_results"]


def stored_results(name: str) -> dict:
    """Read a stored result of the book, such as "ablations".

    The folder benchmarks/results is looked for where a notebook of the book
    runs and above, and beside the library.

    Args:
        name: the file's name without ".json".

    Returns:
        What benchmarks/NAME.py stored: the figures, and with them the
        command, the commit, the date and the machine.

    Raises:
        FileNotFoundError: there is no such result, or no such folder.

    Chapters 1 and 8 to 19.
    """
    here, library = Path.cwd(), Path(__file__).resolve().parents[1]
    for folder in (here, *here.parents, library):
        results = folder / "benchmarks" / "results"
        if not results.is_dir():
            continue
        path = results / f"{name}.json"
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
        there = ", ".join(sorted(file.stem for file in results.glob("*.json")))
        raise FileNotFoundError(f"no result {name!r} in {results}: {there}")
    raise FileNotFoundError(
        f"no folder benchmarks/results above {here}: open the notebook in the "
        "book's folder"
    )
