"""An exercise on paper as plain data, so that a page can judge it alone.

All of it comes from the catalogue (`Paper`): what is asked for, the right
numbers, every known wrong answer with its sentence, the hints, and where to
look. book/_static/exercises/judge.js compares as `judge_paper` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from formula_data import formula, plain, text

from transformer_course.checks.engine.paper import (
    ROUNDED,
    Paper,
    Part,
)
from transformer_course.checks.engine.paper_text import Look
from transformer_course.checks.engine.sealed import is_sealed
from transformer_course.checks.paper import FOLDER, exercises, paper_of

__all__ = ["data", "exercises", "in_sealed_catalogue", "paper_of"]


def in_sealed_catalogue(name: str) -> bool:
    """Tell whether this is an edition whose catalogue is not to be read."""
    return is_sealed(FOLDER / f"{name}.txt")


def data(paper: Paper) -> dict[str, Any]:
    """All that a page must know of an exercise."""
    known = paper.names | {"want": paper.answer}
    return {
        "name": paper.name,
        "count": paper.count,
        "praise": paper.praise,
        "rounded": ROUNDED,
        "hints": list(paper.hints),
        "near": paper.near,
        "right": plain(paper.answer),
        "parts": [part_data(part) for part in paper.parts],
        "mistakes": mistakes(paper),
        "looks": [look(rule, paper, known) for rule in paper.sheet.looks],
    } | {key: plain(value) for key, value in paper.in_page().items()}


def part_data(part: Part) -> dict[str, Any]:
    """What is asked for under one label."""
    return {
        "label": part.label,
        "places": list(part.places),
        "shape": list(part.shape),
        "way": part.way,
    }


def mistakes(paper: Paper) -> list[list[Any]]:
    """Each known wrong answer: its name, its sentence, its values.

    Those of another shape than the answer are left out: the fields of a page
    leave no room for them.
    """
    found: list[list[Any]] = []
    for known in paper.misconceptions:
        if np.shape(known.value) != paper.answer.shape:
            continue
        if not found or found[-1][:2] != [known.id, known.message]:
            found.append([known.id, known.message, []])
        found[-1][2].append(plain(known.value))
    return found


def look(rule: Look, paper: Paper, known: dict[str, Any]) -> list[Any]:
    """Where to look, and when: a condition and a text."""
    names = [part.name for part in paper.parts]
    condition: Any = {
        "always": True,
        "nothing": ["nothing"],
        "right": ["right", rule.name and names.index(rule.name)],
        "outside": ["outside", *(formula(f, known) for f in rule.formulas)],
    }.get(rule.kind) if rule.kind != "formula" else [
        "formula", formula(rule.formulas[0], known)
    ]  # fmt: skip
    return [condition, text(rule.message, known)]
