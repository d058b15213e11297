"""Keep stored outputs that a new execution needn't replace.

What a trained network printed or drew differs in its last digits from one
processor to the next; such cells have the tag `nbval-ignore-output`. When
nothing that such a cell needs has changed since the last commit, it keeps the
output that is stored there: its own code, the cells above that it needs
(cell_needs.py), the modules and data that these import (depends.py), and what
was drawn from the global random state. Where that can't be told, the output
is new.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import depends
from cell_needs import code_needed, is_unsure, needs

TAG = "nbval-ignore-output"
UNTOUCHED, DRAWN = "untouched", "drawn"


@dataclass
class Cells:
    """The code cells of a notebook.

    Attributes:
        ids: of the cells.
        sources: the code of each; of the set-up only what it imports.
        outputs: of each.
        needed: the numbers of the cells above that each needs; None from the
            first cell on of which that can't be told.
    """

    ids: list[str]
    sources: list[str]
    outputs: list[list]
    needed: list[set[int] | None]

    @classmethod
    def of(cls, notebook: dict) -> Cells:
        """Read the code cells of a notebook."""
        cells = [one for one in notebook["cells"] if one["cell_type"] == "code"]
        sources = ["".join(one["source"]) for one in cells]
        for number, cell in enumerate(cells):
            if "setup" in cell["metadata"].get("tags", []):
                sources[number] = _imports(sources[number])
        unsure = map(is_unsure, sources)
        sure = next((i for i, one in enumerate(unsure) if one), len(cells))
        return cls(
            [one.get("id", "") for one in cells],
            sources,
            [one["outputs"] for one in cells],
            [*needs(sources[:sure]), *[None] * (len(cells) - sure)],
        )

    def number_of(self, name: str, source: str) -> int | None:
        """Return the number of the cell with this id and this code."""
        for number, one in enumerate(zip(self.ids, self.sources, strict=True)):
            if one == (name, source):
                return number
        return None


def _imports(source: str) -> str:
    kinds = (ast.Import, ast.ImportFrom)
    body = ast.parse(source).body
    return "\n".join(ast.unparse(x) for x in body if isinstance(x, kinds))


def keep(notebook: dict, path: Path, random_states: Sequence[str]) -> list[str]:
    """Put back the stored outputs for which nothing has changed.

    Args:
        notebook: as it has just been executed; its outputs are replaced.
        path: its file; that of the last commit is compared.
        random_states: what watch_random.py noted of each cell with code.

    Returns:
        The ids of the cells that keep their outputs.
    """
    stored, changed = committed(path), changed_files()
    if stored is None or changed is None:
        return []
    new, old = Cells.of(notebook), Cells.of(stored)
    blank = (not source.strip() for source in new.sources)
    noted = iter(random_states)
    states = [UNTOUCHED if one else next(noted, DRAWN) for one in blank]
    cells = [one for one in notebook["cells"] if one["cell_type"] == "code"]
    kept = []
    for number, cell in enumerate(cells):
        before = old.number_of(new.ids[number], new.sources[number])
        if (
            TAG in cell["metadata"].get("tags", [])
            and before is not None
            and _is_as_before(new, number, old, before, states)
            and not changed & _files(new, number)
        ):
            cell["outputs"] = old.outputs[before]
            kept.append(new.ids[number])
    return kept


def _is_as_before(
    new: Cells, number: int, old: Cells, before: int, states: list[str]
) -> bool:
    """Tell whether all that a cell needs is as it was."""
    now, then = new.needed[number], old.needed[before]
    if now is None or then is None:
        return False
    code = [new.sources[one] for one in sorted(now)]
    if code != [old.sources[one] for one in sorted(then)]:
        return False
    draws = [one for one in {*now, number} if states[one] == DRAWN]
    return all(_drew_the_same(new, one, old, states) for one in draws)


def _drew_the_same(
    new: Cells, number: int, old: Cells, states: list[str]
) -> bool:
    """Tell whether what was drawn before a cell is what it was.

    Cells may have come that touch no random state, but none may have gone:
    nobody knows what it drew.
    """
    before = old.number_of(new.ids[number], new.sources[number])
    if before is None:
        return False
    left = old.sources[:before]
    for source, state in zip(new.sources[:number], states, strict=False):
        if left and source == left[0]:
            left = left[1:]
        elif state != UNTOUCHED:
            return False
    return not left


def _files(cells: Cells, number: int) -> set[Path]:
    """Return the files that a cell depends on, with those it needs."""
    wanted = sorted({*cells.needed[number], number})
    code = code_needed([cells.sources[one] for one in wanted])
    return {*depends.needed(code), depends.ROOT / "requirements.txt"}


def committed(path: Path) -> dict | None:
    """Return a notebook as the last commit has it, if it does."""
    name = path.relative_to(depends.ROOT).as_posix()
    said = _git("show", f"HEAD:{name}")
    return None if said is None else json.loads(said)


def changed_files() -> set[Path] | None:
    """Return the files that aren't as in the last commit; None without git."""
    changed = _git("diff", "--name-only", "-z", "HEAD")
    added = _git("ls-files", "-z", "--others", "--exclude-standard")
    if changed is None or added is None:
        return None
    names = f"{changed}\0{added}".split("\0")
    return {depends.ROOT / name for name in names if name}


def _git(*words: str) -> str | None:
    command = ["git", "-c", "core.quotepath=off", *words]
    try:
        said = subprocess.run(
            command, cwd=depends.ROOT, capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.decode("utf-8")
