"""A translator while it learns: what it writes, stop by stop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from transformer_course.explorers.frame import Explorer, Frame, Slider
from transformer_course.explorers.svg import fixed, label, text_width
from transformer_course.plots.interlinear import interlinear

WIDTH = 360.0
_LINE, _GAP = 18.0, 16.0
_MOST = 40  # pieces that are drawn of an answer without an end

Column = tuple[str, str, str]


def learning(answers: Sequence[Any]) -> Explorer:
    """Walk through the answers of a model that is being trained.

    Args:
        answers: what `workbook.Learner` was answered, in order: each with
            ``step``, ``loss``, ``english``, ``pieces``, ``korean``, ``who``
            and ``ended``. Answers of the same step share a frame.

    Returns:
        An Explorer with a slider for the stop; it opens at the last one.

    Chapter 15.
    """
    stops = [list(group) for _, group in groupby(answers, lambda a: a.step)]
    blocks = [[_Block(answer) for answer in stop] for stop in stops]
    high = max(
        (sum(block.height for block in stop) for stop in blocks), default=0.0
    )
    names = tuple(str(stop[0].step) for stop in stops) or ("0",)

    def draw(place: int) -> Frame:
        if not stops:
            return Frame(WIDTH, 40, label(0, 22, NOTHING, "x-dim"), NOTHING)
        return _frame(blocks[place], high)

    return Explorer(
        "Your Transformer learns Korean",
        [Slider("updates", names, len(names) - 1)],
        draw,
    )


NOTHING = "Nothing has been asked yet."


class _Block:
    """One answer, laid out in columns that wrap."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        columns = _columns(answer)
        self.rows = _wrapped(columns)
        self.height = 58 + len(self.rows) * (3 * _LINE + _GAP) + _LINE

    @property
    def verdict(self) -> str:
        """Who is too deep, or too tired."""
        adjective = self.answer.english.rstrip(" .").rsplit(" ", 1)[-1]
        noun = f"the {self.answer.who}" if self.answer.who else "nobody"
        return f"too {adjective}: {noun}"

    def drawn(self, y: float) -> str:
        """Draw it with its top at y."""
        parts = [
            label(0, y + 14, self._asked(), "x-dim"),
            label(0, y + 36, self.verdict, "x-strong"),
        ]
        y += 48
        for row in self.rows:
            for x, column in row:
                looks = ("", "x-dim", "x-dim")
                for line, (words, look) in enumerate(
                    zip(column, looks, strict=True)
                ):
                    parts.append(label(x, y + (line + 1) * _LINE, words, look))
            y += 3 * _LINE + _GAP
        return "".join(parts)

    def words(self) -> str:
        """Say it."""
        answer = self.answer
        said = f"{self.verdict[0].upper()}{self.verdict[1:]}."
        if not answer.pieces:
            return f"{said} It writes nothing."
        sound = " ".join(sound for _, sound, _ in _columns(answer))
        cut = "" if answer.ended else " It has not come to an end."
        return f"{said} It writes {answer.korean} ({sound.strip(' .')}).{cut}"

    def _asked(self) -> str:
        """The end of the English sentence, which is what differs."""
        words = self.answer.english.rstrip(" .").split()
        return (
            f"... {' '.join(words[-5:])}"
            if len(words) > 5
            else (self.answer.english)
        )


def _columns(answer: Any) -> list[Column]:
    """The printed words of an answer: form, sound, meaning."""
    pieces = list(answer.pieces[:_MOST])
    if not pieces:
        return [("(nothing)", "", "")]
    words = list(interlinear(pieces).words)
    if not answer.ended:
        words.append(("...", "", ""))
    return words


def _wrapped(columns: Sequence[Column]) -> list[list[tuple[float, Column]]]:
    """Set columns side by side, as many as fit into a row."""
    rows: list[list[tuple[float, Column]]] = [[]]
    x = 0.0
    for column in columns:
        wide = max(map(text_width, column))
        if rows[-1] and x + wide > WIDTH:
            rows.append([])
            x = 0.0
        rows[-1].append((x, column))
        x += wide + _GAP
    return rows


def _frame(blocks: Sequence[_Block], high: float) -> Frame:
    """One stop."""
    loss = blocks[0].answer.loss
    drawn, y = [], 0.0
    for block in blocks:
        drawn.append(block.drawn(y))
        y += block.height
    told = f"After {blocks[0].answer.step} updates"
    if loss is not None:
        told += f", loss {fixed(loss, 2)}"
    said = " ".join(block.words() for block in blocks)
    return Frame(WIDTH, high, "".join(drawn), f"{told}. {said}")
