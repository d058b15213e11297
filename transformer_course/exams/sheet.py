"""Sheets for an exam: what is done on paper or proved, and the key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from transformer_course.checks.engine.paper import Paper, Part
from transformer_course.checks.paper import paper_of
from transformer_course.exams.short import short_questions
from transformer_course.exams.varied import (
    can_vary,
    text_with,
    variants_of,
    varied,
)
from transformer_course.grading.reading.exercises import chapter_files, in_order

__all__ = ["Exam", "exam_sheet"]

_EXERCISE = (
    r"(?ms)^### Exercise ([\d.]+) \((paper|prove), (\d+) min.*?\): (.*?)$(.*)"
)
_NEXT = r"(?m)^(?=#{1,3} )"
_FOLDED = r"(?s)<details>.*?</details>\s*|\*\*Goal:\*\*.*?\n\n"
_LINK = r"(?<!!)\[([^\]]*)\]\([^)]*\)"
_CHECK = r"\bchecks\.(\w+)\("
_BLANK = 8 * "\\_"
_MOST_BLANKS = 24  # above that one writes the numbers down as a table


@dataclass(frozen=True)
class Exam:
    """A paper and what belongs to it, in Markdown.

    Attributes:
        sheet: for students.
        key: for the teacher: right numbers, known mistakes, proofs.
        minutes: that it takes, and as many points.
        fixed: the numbers of exercises that are as in the book although a
            seed was given.
    """

    sheet: str
    key: str
    minutes: int
    fixed: tuple[str, ...]


@dataclass(frozen=True)
class _Asked:
    """An exercise of the book on paper."""

    number: str
    minutes: int
    title: str
    text: str
    check: str  # the name of its check, or ""
    solution: str  # what the solutions say, or ""

    @property
    def paper(self) -> Paper | None:
        """What its check knows, with the numbers of the book."""
        return paper_of(self.check) if self.check else None


def exam_sheet(
    wanted: Sequence[str],
    folder: Path | None = None,
    seed: int | None = None,
    short: int = 0,
) -> Exam:
    """Put exercises on paper, and some to prove, on a sheet for an exam.

    Args:
        wanted: chapters ("7") or exercises ("7.1"), in the order of the sheet.
        folder: that holds the lessons; if None, that of the book.
        seed: changes the numbers of the exercises that can vary; if None,
            they are those of the book.
        short: how many short questions on sentences of the sources.

    Returns:
        The sheet, without hints and links, with points, blanks and space to
        write; and the key.

    Raises:
        ValueError: there is no such chapter or exercise, or not as many short
            questions.
    """
    asked = [one for name in wanted for one in _named(name, folder)]
    chapters = dict.fromkeys(int(name.partition(".")[0]) for name in wanted)
    questions = short_questions(list(chapters), short, seed, folder)
    minutes = sum(one.minutes for one in (*asked, *questions))
    papers = [_with_seed(one, seed) for one in asked]
    sheet, key = [_head(minutes)], [_key_head(wanted, seed, minutes)]
    for one, paper in zip(asked, papers, strict=True):
        text = text_with(one.check, paper) if _varies(one) else one.text
        title = _title(one)
        space = one.minutes * ["&nbsp;"]
        sheet += [title, text, *_blanks(paper), *space]
        key += [title, *(_numbers(paper) if paper else ()), one.solution]
        if paper is None and not one.solution:
            key.append("The solutions of the book have it.")
    for place, question in enumerate(questions, 1):
        title = f"## Short question {place} ({_points(question.minutes)})"
        sheet += [title, question.text, "&nbsp;", "&nbsp;"]
        key += [title, question.text, question.answer]
    fixed = [one.number for one in asked if one.paper and not _varies(one)]
    return Exam(
        "\n\n".join(sheet) + "\n",
        "\n\n".join(filter(None, key)) + "\n",
        minutes,
        () if seed is None else tuple(fixed),
    )


def _named(name: str, folder: Path | None) -> list[_Asked]:
    """The exercises of a chapter, or the one of this number."""
    if not re.fullmatch(r"\d+(\.\d+)?", name):
        raise ValueError(f"{name!r} is no chapter, such as 7, and no exercise")
    chapter = int(name.partition(".")[0])
    asked = [
        one
        for path in chapter_files(chapter, folder)
        for one in _on_paper(path)
    ]
    asked.sort(key=lambda one: in_order(one.number))
    if "." in name:
        asked = [one for one in asked if one.number == name]
    if not asked:
        what = f"exercise {name} is not" if "." in name else "asks nothing"
        raise ValueError(f"chapter {chapter}: {what} on paper")
    return asked


def _on_paper(path: Path) -> Iterator[_Asked]:
    """Yield the exercises on paper of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    solutions = _solutions(path)
    below = ""  # the code up to the next heading
    found: list[_Asked] = []
    for cell in reversed(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            below = source + "\n" + below
            continue
        for part in reversed(re.split(_NEXT, source)):
            if asked := re.match(_EXERCISE, part):
                number, kind, minutes, title, text = asked.groups()
                text = re.sub(_LINK, r"\1", re.sub(_FOLDED, "", text)).strip()
                check = re.search(_CHECK, below) if kind == "paper" else None
                name = check[1] if check and check[1] != "answered" else ""
                found.append(
                    _Asked(
                        number, int(minutes), title.strip(), text, name,
                        "" if name else solutions.get(number, ""),
                    )
                )  # fmt: skip
            if part.startswith("#"):
                below = ""
    yield from reversed(found)


def _solutions(path: Path) -> dict[str, str]:
    """What the notebook of solutions says to each exercise of a chapter."""
    folder = path.parent.parent.name == "book" and path.parents[2]
    home = (folder or path.parent.parent) / "book" / "solutions" / path.name
    if not home.exists():
        return {}
    cells = json.loads(home.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join(
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "markdown"
    )
    heads = [*re.finditer(r"(?m)^#{2,3} (?:Solution ([\d.]+))?.*$", text), None]
    return {
        head[1]: text[head.end() : after.start() if after else None].strip()
        for head, after in pairwise(heads)
        if head and head[1]
    }


def _varies(one: _Asked) -> bool:
    return bool(one.check) and can_vary(one.check)


def _with_seed(one: _Asked, seed: int | None) -> Paper | None:
    if seed is None or not _varies(one):
        return one.paper
    return varied(one.check, seed)


def _title(one: _Asked) -> str:
    words = _varies(one) and variants_of(one.check).title
    return f"## {one.number} {words or one.title} ({_points(one.minutes)})"


def _points(number: int) -> str:
    return f"{number} point" + "s" * (number != 1)


def _head(minutes: int) -> str:
    blank = 4 * _BLANK
    return f"Name: {blank} {minutes} minutes, {_BLANK} of {_points(minutes)}"


def _key_head(wanted: Sequence[str], seed: int | None, minutes: int) -> str:
    numbers = "the numbers of the book" if seed is None else f"seed {seed}"
    return (
        f"# Key: {', '.join(wanted)} ({numbers}), {_points(minutes)}\n\n"
        "A point for each minute. A number that belongs to a known mistake, "
        "with the way to it, is worth part of them."
    )


# ------------------------------------------------------- numbers on the sheet


def _blanks(paper: Paper | None) -> list[str]:
    """A blank for each number, behind its label."""
    if paper is None or paper.answer.size > _MOST_BLANKS:
        return []
    return ["\n".join(map(_blank, paper.parts))]


def _blank(part: Part) -> str:
    count = part.size if part.shape else 1
    places = f" ({', '.join(part.places)})" if part.places else ""
    return f"- {part.label}{places}: {', '.join(count * [_BLANK])}"


def _listed(values: np.ndarray) -> str:
    """Numbers in a line, whole ones to the last digit."""
    return ", ".join(
        f"{value:.0f}" if value == round(value) else f"{value:.4f}"
        for value in map(float, values.ravel())
    )


def _numbers(paper: Paper) -> Iterator[str]:
    """The right numbers, and those of the known mistakes."""
    yield "\n".join(
        f"- {part.label}: {_listed(part.of(paper.answer))}"
        for part in paper.parts
    )
    yield f"Each may be off by {paper.tolerance}. Wanted: {paper.expected}."
    rows = ["| numbers | mistake |", "|---|---|"]
    told = set()
    for known in paper.misconceptions:
        if known.message not in told:
            told.add(known.message)
            words = known.message.replace("\n", " ").replace("|", "\\|")
            rows.append(f"| {_listed(known.value)} | {words} |")
    yield "\n".join(rows)
