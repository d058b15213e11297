r"""The numbers of an exercise on paper, drawn anew from a seed.

What an exercise needs for it is `exams/numbers/NAME.txt`, beside its catalogue
`checks/paper/NAME.txt`, whose givens it fills:

    choose
    w = [1, 2, 3]
    a = range(2, 6)

    givens
    x = [a, a + 1]

    only if
    w * a != 6
    right[0] < right[1]

    text
    The weight is $w = @{w}$, and $x = @{x}$. How long is ... ?

`choose` holds the values that a seed chooses from, one a line; a name that is
a given of the catalogue is one. `givens` works out the others. `only if` are
conditions on the exercise as it comes out. A `title` stands first where that of
the book names its numbers. `text` is the exercise as it is
printed, to the end of the file; after an @ braces hold a formula on givens and
solution (`engine/formula.py`), and so the same values fill the text, the right
answer and the known wrong ones. `tex` writes a fraction,
`rows` a matrix, `below` an index.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from transformer_course.checks.engine.formula import Formula, Text
from transformer_course.checks.engine.paper import Paper
from transformer_course.checks.engine.sealed import is_sealed
from transformer_course.checks.paper import FOLDER as PAPERS
from transformer_course.checks.paper import paper_of

__all__ = [
    "BLOCK",
    "Variants",
    "can_vary",
    "is_edition_for_students",
    "text_with",
    "varied",
    "variants_of",
]

FOLDER = Path(__file__).parent / "numbers"
BLOCK = 20  # so many seeds in a row have answers that all differ
_TRIES = 3000
_HOLE = re.compile(r"@(\{[^{}]+\})")


@dataclass(frozen=True)
class Variants:
    """How an exercise may vary.

    Attributes:
        choices: the values of each name, to choose from.
        givens: formulas for givens that are made of them.
        conditions: what has to hold of the exercise.
        title: in place of the book's; empty where that holds of all.
        text: the exercise, with formulas in @{...}.
    """

    choices: dict[str, tuple[Any, ...]]
    givens: tuple[tuple[str, Formula], ...]
    conditions: tuple[Formula, ...]
    title: str
    text: str

    @property
    def count(self) -> int:
        """In how many ways one can choose."""
        return math.prod(map(len, self.choices.values()))

    def chosen(self, number: int) -> dict[str, Any]:
        """Return the choice of this number, from 0."""
        names: dict[str, Any] = {}
        for name, values in self.choices.items():
            number, place = divmod(number, len(values))
            names[name] = values[place]
        return names


def is_edition_for_students() -> bool:
    """Tell whether what the checks know is sealed here.

    Returns:
        True in the edition for a class.
    """
    return is_sealed(PAPERS / "step_by_hand.txt")


def can_vary(name: str) -> bool:
    """Tell whether an exercise on paper has other numbers."""
    return (FOLDER / f"{name}.txt").is_file()


@lru_cache(maxsize=64)
def variants_of(name: str) -> Variants:
    """Read how an exercise may vary.

    Raises:
        OSError: it cannot.
        CatalogueError: a formula cannot be worked out.
    """
    path = FOLDER / f"{name}.txt"
    head, _, text = path.read_text(encoding="utf-8").partition("\ntext\n")
    lines: dict[str, list[tuple[str, str]]] = {
        "title": [],
        "choose": [], "givens": [], "only if": []
    }  # fmt: skip
    for number, line in enumerate(head.split("\n"), 1):
        if line in lines:
            into = lines[line]
        elif line.strip():
            into.append((line, f"{path.name}:{number}"))
    defined = {
        kind: [
            (line.partition(" = ")[0], Formula(line.partition(" = ")[2], at))
            for line, at in lines[kind]
        ]
        for kind in ("choose", "givens")
    }
    return Variants(
        {name: tuple(one.value({})) for name, one in defined["choose"]},
        tuple(defined["givens"]),
        tuple(Formula(*line) for line in lines["only if"]),
        "".join(line for line, _ in lines["title"]),
        text.strip(),
    )


def varied(name: str, seed: int) -> Paper:
    """Return an exercise with the numbers of a seed.

    Args:
        name: of the check; `can_vary`.
        seed: a whole number. Seeds 0 to 19 give answers that all differ, and
            so do 20 to 39, and so on.

    Raises:
        OSError: the exercise has no other numbers.
        ValueError: there are too few numbers that fit.
    """
    block, wanted = divmod(seed, BLOCK)
    found, others = _begun(name, block)
    while len(found) <= wanted:
        paper = next(others, None)
        if paper is None:
            raise ValueError(
                f"{name} has {len(found)} sets of numbers, not {BLOCK}"
            )
        found.append(paper)
    return found[wanted]


@lru_cache(maxsize=64)
def _begun(name: str, block: int) -> tuple[list[Paper], Iterator[Paper]]:
    """The papers of a block that have been drawn, and those to come."""
    found: list[Paper] = []
    return found, _drawn(name, block, found)


def _drawn(name: str, block: int, found: list[Paper]) -> Iterator[Paper]:
    """Yield papers with other answers than those that were found."""
    variants, base = variants_of(name), paper_of(name)
    draw = random.Random(f"{name} {block}")
    tries = min(variants.count, _TRIES)
    for number in draw.sample(range(variants.count), tries):
        paper = _made(variants, base, variants.chosen(number))
        if paper and not any(_agree(paper, other) for other in found):
            yield paper


def _made(
    variants: Variants, base: Paper, names: dict[str, Any]
) -> Paper | None:
    """The exercise with these numbers, if it is one to be set."""
    names = dict(names)
    for name, formula in variants.givens:
        names[name] = formula.value(names)
    known = {name: names[name] for name in base.givens if name in names}
    with np.errstate(all="ignore"):  # numbers that do not fit
        paper = base.with_givens(**known)
        named = {**names, **paper.names}
        fits = all(bool(one.value(named)) for one in variants.conditions)
        if fits and not _agree(paper, base) and _is_sound(paper):
            return paper
    return None


def _agree(paper: Paper, other: Paper) -> bool:
    return paper.agrees(other.answer, paper.answer)


def _is_sound(paper: Paper) -> bool:
    """True if no mistake gives right numbers, or those of another mistake."""
    known = paper.misconceptions
    return not any(
        paper.agrees(one.value, paper.answer)
        or any(
            other.id != one.id and paper.agrees(one.value, other.value)
            for other in known[:place]
        )
        for place, one in enumerate(known)
    )


def text_with(name: str, paper: Paper) -> str:
    """Return the text of an exercise with the numbers of `paper`."""
    names = {**paper.names, "tex": tex, "rows": rows, "below": below}
    names |= {given: one.value for given, one in paper.givens.items()}

    def filled(found: re.Match[str]) -> str:
        return Text(found[1], f"{name}.txt").filled(names)

    return _HOLE.sub(filled, variants_of(name).text)


def tex(value: float) -> str:
    r"""A number in a formula: 2, -3, \frac12, -\frac{3}{10}."""
    number = Fraction(float(value)).limit_denominator(1000)
    if number.denominator == 1:
        return str(number)
    parts = [str(abs(number.numerator)), str(number.denominator)]
    if any(len(part) > 1 for part in parts):
        parts = [f"{{{part}}}" for part in parts]
    return ("-" if number < 0 else "") + r"\frac" + "".join(parts)


def below(index: float) -> str:
    """A whole number as an index in a formula: 7, {10}."""
    text = f"{index:.0f}"
    return text if len(text) == 1 else f"{{{text}}}"


def rows(matrix: np.ndarray) -> str:
    r"""The inside of a matrix in a formula: 1 & 0 \\ 1 & -1."""
    return r" \\ ".join(" & ".join(map(tex, row)) for row in matrix)
