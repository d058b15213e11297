"""What kind of answer a question of a notebook waits for.

It is read from the words of the question and from the stored result:

    choice    "whether ...", or "..., the river or the cat": one answer
    pick      "which ...": some of those that it lists, or of the groups that
              the rows of the result are called by
    each      "for each ...": a field for each of these groups
    number    "how many ..." and no second question
    line      everything else: a line of text, which nobody judges

Where that cannot be told, an author says it in the metadata of the cell that
asks; `result` are the words before the one number that a guess is compared
with:

    "guess": {"kind": "pick", "groups": ["A", "B"]}
    "guess": {"kind": "number", "result": "together"}

Questions with lettered answers (quiz.py), tables to cover (covers.py) and
"Find out", which a figure answers, get no field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import questions
from lxml import html
from questions import Question

CHOSEN = ("choice", "pick", "each")  # among groups, or for each of them
KINDS = (*CHOSEN, "number", "line")
NO_FIELD = re.compile(r"Find out\b|(?:Take a pencil, c|C)over the\b")
ASKS = re.compile(
    r"\b(?:how|which|whether|what|where|who|whose|when|why)\b", re.I
)
NUMBER = re.compile(r"\b(?:how (?:many|much|far|large|often))\b", re.I)
SEVERAL = re.compile(r"\band\b|\beach\b|\bthey\b")
WHICH = re.compile(r"\bwhich\b", re.I)
LISTED = re.compile(r"\bwhich [^:]*: (\w[\w ]*(?:, \w[\w ]*)+)\.")
EACH = re.compile(r"\bfor each\b|\beach of\b", re.I)
WHETHER = re.compile(r"(?:Predict|Guess):? whether\b", re.I)
ONE = r"(?:the|an?|other) [\w \-]+?"
OR = re.compile(rf"[,:] ({ONE}(?:, {ONE})*),? or ({ONE})[.?]")
LINE: tuple[str, tuple[str, ...]] = ("line", ())
FEW, MANY = 2, 9  # groups that a reader can choose from
LABEL = re.compile(r"([^\W\d_].*?)[:,]?\s+[-+\[\d(]")
ONE_NUMBER = re.compile(r"(?<![\w.])[-\u2212]?\d[\d,]*(?:\.\d+)?(?![\w.])")


@dataclass(frozen=True)
class Guess:
    """How a question is answered, and where its result stands.

    `groups` are the answers of a choice or the groups of the result;
    `result` is the cell whose output answers, or -1; `number` is the one
    number that it holds, as it is written, or "".
    """

    question: Question
    kind: str
    groups: tuple[str, ...] = ()
    result: int = -1
    number: str = ""


def in_notebook(cells: list[dict[str, Any]]) -> list[Guess]:
    """Return what can be guessed in a notebook, in the order of reading."""
    asked = questions.in_notebook(cells)
    return [
        guess_of(one, cells, result_of(one, asked, cells))
        for one in asked
        if not one.has_choices and not NO_FIELD.match(one.words)
    ]


def result_of(
    question: Question, asked: list[Question], cells: list[dict[str, Any]]
) -> int:
    """Return the cell whose output follows a question and answers it.

    Args:
        question: one of them.
        asked: all questions of the notebook.
        cells: the notebook's.

    Returns:
        Its number; -1 if a heading or another question comes first.
    """
    if any(
        other.cell == question.cell and other.nth > question.nth
        for other in asked
    ):
        return -1
    asking = {other.cell for other in asked}
    for number in range(question.cell + 1, len(cells)):
        cell = cells[number]
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            if number in asking or re.search(r"(?m)^#+ ", text):
                return -1
        elif cell["outputs"]:
            return number
    return -1


def guess_of(
    question: Question, cells: list[dict[str, Any]], result: int
) -> Guess:
    """Tell how a question is answered."""
    output = cells[result]["outputs"] if result >= 0 else []
    said = hint(cells[question.cell])
    groups = tuple(said.get("groups", ()))
    kind = said.get("kind", "")
    if not kind:
        kind, groups = read(question.words, groups or groups_of(output))
    elif kind in ("pick", "each") and not groups:
        groups = groups_of(output)
    number = ""
    if kind == "number":
        number = one_number(output, said.get("result", ""))
    return Guess(question, kind, groups, result, number)


def hint(cell: dict[str, Any]) -> dict[str, Any]:
    """Return what the metadata of a cell say of its last question."""
    return cell["metadata"].get("guess", {})


def read(words: str, groups: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a question and its answers or groups.

    Args:
        words: the question.
        groups: of the result that follows.
    """
    words = re.sub(r" \([^)]*\)", "", words)
    first, *rest = re.split(r"(?<=[.?]) ", words)
    asked = " ".join([first, *(one for one in rest if one.endswith("?"))])
    if len(ASKS.findall(asked)) > 1:
        return ("each", groups) if groups and EACH.search(asked) else LINE
    if either := OR.search(first):
        return "choice", (*either[1].split(", "), either[2])
    if WHETHER.match(first) and not SEVERAL.search(first):
        return "choice", ("Yes", "No")
    if listed := LISTED.search(first):
        return "pick", tuple(listed[1].split(", "))
    if groups and EACH.search(asked):
        return "each", groups
    if NUMBER.search(first) and not SEVERAL.search(first):
        return "number", ()
    if groups and WHICH.search(first):
        return "pick", groups
    return LINE


def groups_of(outputs: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the groups of a result: what its rows are called.

    Args:
        outputs: of a cell. Numbers are no names, and a list of which two
            are the same, or that is long, is none to choose from.
    """
    found: list[str] = []
    for output in outputs:
        found += rows_of(output)
    names = all(re.search(r"[^\W\d_]", one) for one in found)
    once = len({*found}) == len(found)
    fits = FEW <= len(found) <= MANY
    return tuple(found) if names and once and fits else ()


def rows_of(output: dict[str, Any]) -> list[str]:
    """Return the first cells of a table, or the words that open each line."""
    page = "".join(output.get("data", {}).get("text/html", ""))
    if "<table" in page:
        rows = html.fromstring(page).xpath("//table//tr[td]")
        return [" ".join(row[0].text_content().split()) for row in rows]
    if output["output_type"] != "stream":
        return []
    lines = "".join(output["text"]).strip().splitlines()
    found = [LABEL.match(line.strip()) for line in lines]
    if not all(found):
        return []
    return [" ".join(one[1].split()) for one in found if one]


def one_number(outputs: list[dict[str, Any]], before: str = "") -> str:
    """Return the one number of a result, or "" if there is any doubt.

    Args:
        outputs: of a cell, which holds one number and no other,
        before: or these words before it.
    """
    if any("data" in output for output in outputs):
        return ""
    text = "".join("".join(output["text"]) for output in outputs)
    if before:
        _, found, text = text.partition(before)
        text = text.split("\n")[0] if found else ""
    numbers = ONE_NUMBER.findall(text)
    return numbers[0].replace(",", "") if len(numbers) == 1 else ""
