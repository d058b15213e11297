"""The questions of a notebook: the paragraphs that get a card (cards.py).

They are found in the Markdown, before there is a page, so that the cover can
count what a page offers. In the page a question is known again by its place,
the number of its cell and its own number in that cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

QUESTION = re.compile(
    r"(Predict|Guess|Before you|Find out|Take a pencil|On paper|Vote|Cover the"
    r"|Compute it|Which|Will|Make a guess|Answer it|Write down|Do the same"
    r"|Work out|Count on paper|Try one|Look for)\b"
)
LETTERED = re.compile(r"<summary>[A-Z]\. ")
ENDS = ".?!:)"  # of a sentence before a question
FOLD = re.compile(r"<(/?)details")


@dataclass(frozen=True)
class Question:
    """A question: its place, its words, and whether choices follow it."""

    cell: int
    nth: int  # in its cell, from 0
    words: str
    has_choices: bool


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    return parser.use(dollarmath_plugin)


def text_of(tokens: list[Token]) -> str:
    """Return the words of a line of Markdown, without its marks."""
    breaks = ("softbreak", "hardbreak")
    return "".join(" " if t.type in breaks else t.content for t in tokens)


def split(tokens: list[Token]) -> list[str]:
    """Return the questions of a paragraph: each goes up to the next.

    Args:
        tokens: of its line, as markdown-it gives them.
    """
    starts = []
    for i, token in enumerate(tokens):
        before = text_of(tokens[:i]).rstrip()
        opens = not before or before[-1] in ENDS
        if token.type == "strong_open" and opens:
            bold = takewhile(lambda t: t.type != "strong_close", tokens[i:])
            if QUESTION.match(text_of([*bold])):
                starts.append(i)
    return [
        text_of(tokens[start:end]).strip()
        for start, end in pairwise([*starts, len(tokens)])
    ]


def paragraphs(source: str) -> Iterator[tuple[list[Token], bool]]:
    """Yield the lines that may ask, and whether lettered answers follow.

    Args:
        source: Markdown. Lists, tables and what is folded ask nothing.
    """
    tokens = _parser().parse(source)
    lists = folds = 0
    for i, token in enumerate(tokens):
        if token.type in ("list_item_open", "list_item_close"):
            lists += token.nesting
        elif token.type == "html_block":
            folds += sum(
                1 if not end else -1 for end in FOLD.findall(token.content)
            )
        elif token.type == "inline" and tokens[i - 1].type == "paragraph_open":
            after = tokens[i + 2] if i + 2 < len(tokens) else None
            chosen = after is not None and after.type == "html_block"
            if not lists and not folds:
                yield (
                    token.children or [],
                    chosen and bool(LETTERED.search(after.content)),
                )


def in_notebook(cells: list[dict[str, Any]]) -> list[Question]:
    """Return the questions of a notebook, in the order of reading."""
    found: list[Question] = []
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "markdown":
            continue
        nth = 0
        for tokens, has_choices in paragraphs("".join(cell["source"])):
            asked = split(tokens)
            for words in asked:
                found.append(Question(number, nth, words, has_choices))
                nth += 1
    return found
