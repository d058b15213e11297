"""An exercise on paper: right numbers, known wrong ones, what is said.

All of it is read from a text (`paper_text`). A mistake is recognized by the
numbers it leads to, so whoever makes it is told, whichever way the numbers
were found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.catalogue import CatalogueError
from transformer_course.checks.engine.foreign import safely
from transformer_course.checks.engine.formula import Text, as_array, verb
from transformer_course.checks.engine.paper_text import (
    Definition,
    Look,
    Sheet,
    Slip,
    parse,
)
from transformer_course.checks.engine.reading import (
    ARRAY,
    ELLIPSIS,
    NOTHING,
    Answer,
)
from transformer_course.checks.engine.sealed import text_of
from transformer_course.checks.engine.verdict import (
    NOT_ATTEMPTED,
    RIGHT,
    WRONG,
    Example,
    Verdict,
)

__all__ = ["Given", "Misconception", "Paper", "Part", "judge_paper"]

ROUNDED = (
    "This is right as far as it goes, but rounded to two decimals. Give at "
    "least three."
)


class Misconception(NamedTuple):
    """A wrong answer that people give.

    Attributes:
        id: short name, stable, used by tests and teachers.
        value: the numbers that the misconception leads to.
        message: what went wrong, in one or two sentences.
    """

    id: str
    value: np.ndarray
    message: str


class Given(NamedTuple):
    """A value that the exercise begins with, and what it is."""

    value: Any
    words: str


@dataclass(frozen=True)
class Part:
    """What is asked for under one label: a number, a row or a table.

    Attributes:
        name: in formulas.
        label: in sentences, with its article, such as "the new loss".
        places: names of the places of a row; may be empty.
        way: what to do to find it; may be empty.
        shape: of the part; () for a number.
        start: place of its first number among all, from 0.
    """

    name: str
    label: str
    places: tuple[str, ...]
    way: str
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))

    def of(self, array: np.ndarray) -> np.ndarray:
        """This part of all the numbers."""
        flat = array.ravel()[self.start : self.start + self.size]
        return flat.reshape(self.shape)

    def labels(self) -> list[str]:
        """A label for each of its numbers."""
        if not self.shape:
            return [self.label]
        if self.places:
            return [f"{self.label}, {place}" for place in self.places]
        if len(self.shape) == 1:
            return [f"{self.label}, number {i + 1}" for i in range(self.size)]
        return [
            f"{self.label}, row {row + 1}, column {column + 1}"
            for row, column in np.ndindex(self.shape)
        ]


class Paper:
    """All that a check knows about one exercise on paper.

    Args:
        sheet: the text.
        functions: what its formulas may call, by name.
        others: values in place of some of the givens.

    Attributes:
        name: the call as the chapter writes it.
        asked: what the exercise wants, with an example of the form.
        count: what to give, such as "two numbers".
        given: the numbers of the exercise, as shown beside a wrong answer.
        expected: what is wanted, in words and never in numbers.
        praise: said to a right answer.
        help: the docstring of the check.
        hints: what `hint(1)` and `hint(2)` say.
        tolerance: how far a number may be from the right one.
        givens: what the exercise begins with, by name.
        answer: the right numbers, float64.
        parts: what is asked for, label by label.
    """

    def __init__(
        self,
        sheet: Sheet,
        functions: Mapping[str, Callable] | None = None,
        others: Mapping[str, Any] | None = None,
    ):
        self.sheet, self.functions = sheet, dict(functions or {})
        self.others = {
            name: as_array(value) for name, value in (others or {}).items()
        }
        known = {line.name for line in sheet.givens}
        for name in self.others:
            if name not in known:
                raise ValueError(
                    f"{name} is no given of {sheet.call}; its givens are "
                    f"{', '.join(sorted(known)) or 'none'}"
                )
        self._names = self._worked({})
        self.givens = {
            line.name: Given(
                self._names[line.name], line.words.filled(self._names)
            )
            for line in sheet.givens
        }
        self.parts = self._parts()
        self.answer = self._numbers(self._names)
        self._names["right"] = self.answer
        self._names["ways"] = {part.name: part.way for part in self.parts}
        texts = {
            key: text.filled(self._names) for key, text in sheet.texts.items()
        }
        self.name, self.tolerance = sheet.call, sheet.tolerance
        self.asked, self.count = texts["asked"], texts["count"]
        self.given, self.expected = texts["given"], texts["expected"]
        self.praise = texts["praise"]
        self.help = _help(texts)
        self.hints = (
            sheet.hints[0].filled(self._names),
            sheet.hints[1].filled(self._names),
        )

    @classmethod
    def read(cls, path: Path, *functions: Callable) -> Self:
        """Read NAME.txt, sealed or not.

        Args:
            path: of NAME.txt.
            functions: what the formulas may call.

        Raises:
            CatalogueError: the text cannot be read.
        """
        sheet = parse(text_of(path), path.name)
        return cls(sheet, {each.__name__: each for each in functions})

    def with_givens(self, **others: Any) -> Self:
        """The same exercise with other numbers; all values follow.

        Args:
            others: values in place of some of the givens.

        Raises:
            ValueError: there is no given of this name.
        """
        return type(self)(self.sheet, self.functions, self.others | others)

    @property
    def labels(self) -> tuple[str, ...]:
        """A label for each number that is asked for, row by row."""
        return tuple(label for part in self.parts for label in part.labels())

    @cached_property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The known wrong answers; the first that fits is named."""
        return tuple(
            Misconception(slip.id, value, slip.message.filled(self._names))
            for slip in self.sheet.slips
            for value in self._values(slip)
        )

    def judge(self, value: Any) -> Verdict:
        """Say what is right or wrong with an answer."""
        return judge_paper(self, value)

    @property
    def near(self) -> float:
        """How far a number may be off: the tolerance, and a little."""
        return self.tolerance * 1.05  # three decimals, rounded

    def agrees(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if numbers on paper agree: same shape, nearly same value."""
        value = self._compared(np.asarray(value, dtype=np.float64))
        got = self._compared(got)
        return got.shape == value.shape and bool(
            np.all(abs(got - value) <= self.near)
        )

    def rounds_to(self, got: np.ndarray, value: ArrayLike) -> bool:
        """True if these are the numbers of value, some with two decimals."""
        value = np.asarray(value, dtype=np.float64)
        if got.shape != value.shape:
            return False
        two = got == np.round(got, 2)
        near = np.where(two, 0.005 + 1e-9, self.near)
        return bool(np.all(abs(got - value) <= near))

    def accepted(self, got: np.ndarray) -> np.ndarray:
        """Take a 0 or a 1 as right where the text takes either."""
        if not self.either or got.shape != self.answer.shape:
            return got
        free = np.zeros(got.shape, dtype=bool)
        free.flat[self.either] = True
        return np.where(free & np.isin(got, (0, 1)), self.answer, got)

    @property
    def either(self) -> list[int]:
        """The places, from 0, of the numbers that may be 0 or 1."""
        return [
            place
            for part in self.parts
            if part.name in self.sheet.either
            for place in range(part.start, part.start + part.size)
        ]

    @property
    def close(self) -> str:
        """What is added to the sentence on a mistake that is only near."""
        return f"(Yours are within {100 * self.sheet.loose:g} % of that.)"

    def look(self, got: np.ndarray) -> str:
        """Say where to look in numbers that no mistake explains.

        Args:
            got: finite numbers in the shape of the answer, not all right.
        """
        if self.sheet.loose:
            for known in self.misconceptions:
                if self._is_near(got, known.value):
                    return f"{known.message} {self.close}"
        fits = abs(got - self.answer) <= self.near
        right = [bool(part.of(fits).all()) for part in self.parts]
        first = right.index(False)
        part = self.parts[first]
        n, m = sum(right), len(right)
        way = part.way and part.way + "." * (part.way[-1] not in ".?")
        labels = [part.label for part in self.parts]
        begin = (
            f"{n} of {m} {verb(n)} right. Look again at {part.label}"
            if n
            else f"None of the {m} is right yet. Begin with {part.label}"
        )
        names = self._names | {
            "got": got, "want": self.answer, "fits": fits, "place": first,
            "mine": part.of(got), "wanted": part.of(self.answer),
            "at": np.argwhere(~part.of(fits))[0] + 1, "good": n,
            "label": part.label, "way": way, "begin": begin,
            "said": [each.way for each in self.parts],
            "known": ", ".join(
                label.removeprefix("the ")
                for label, good in zip(labels, right, strict=True)
                if good
            ),
            "wrong": [
                label
                for label, good in zip(labels, right, strict=True)
                if not good
            ],
        }  # fmt: skip
        for rule in self.sheet.looks:
            if self._holds(rule, right, names):
                return rule.message.filled(names)
        if m == 1:
            return "Go through your steps once more, or ask for a hint."
        return f"{begin}: {way}" if way else f"{begin}."

    def in_page(self) -> dict[str, Any]:
        """What a page that judges without Python must know besides.

        Returns:
            Nothing for numbers that are compared one by one; what a text
            says on how else they are compared; a subclass that judges in a
            way of its own says how. All of it plain data.
        """
        sheet = self.sheet
        return {
            **({"differences": True} if sheet.differences else {}),
            **({"either": self.either} if sheet.either else {}),
            **(
                {"loose": sheet.loose, "close": self.close}
                if sheet.loose
                else {}
            ),
        }

    @property
    def names(self) -> Mapping[str, Any]:
        """What its formulas may use, each with its value."""
        return dict(self._names)

    def wrong(self, message: str, mistake: str | None, came: str) -> Verdict:
        """A verdict "wrong" with this exercise's words around it."""
        example = Example(self.given, self.expected, came)
        return Verdict(
            WRONG,
            self.name,
            self.asked,
            message,
            mistake,
            example,
            hints=self.hints,
        )

    def _compared(self, numbers: np.ndarray) -> np.ndarray:
        """The numbers, or how far each is above the last one."""
        ahead = self.sheet.differences and numbers.ndim
        if ahead and np.isfinite(numbers).all():
            return numbers - numbers[-1:]
        return numbers

    def _is_near(self, got: np.ndarray, value: np.ndarray) -> bool:
        """True if numbers are those of a mistake but for `loose`."""
        return got.shape == value.shape and np.allclose(
            got, value, rtol=self.sheet.loose, atol=0.002
        )

    def _worked(self, instead: Mapping[str, Any]) -> dict[str, Any]:
        """Givens and solution, line by line; some values are given."""
        names: dict[str, Any] = dict(self.functions)
        instead = self.others | instead
        for line in (*self.sheet.givens, *self.sheet.solution):
            names[line.name] = (
                instead[line.name]
                if line.name in instead
                else line.formula.value(names)
            )
        return names

    def _asked_for(self) -> list[Definition]:
        return [line for line in self.sheet.solution if line.words.text]

    def _parts(self) -> tuple[Part, ...]:
        found: list[Part] = []
        start = 0
        general = self.sheet.texts.get("way", Text("", ""))
        for line in self._asked_for():
            shape = np.shape(self._names[line.name])
            words, _, way = line.words.filled(self._names).partition(": ")
            label, bracket, places = words.partition(" (")
            each = tuple(
                places.removesuffix(")").split(", ") if bracket else ()
            )
            way = way or general.filled(self._names)
            part = Part(line.name, label, each, way, shape, start)
            if each and len(each) != part.size:
                raise CatalogueError(
                    f"{line.words.place}: {len(each)} places are named, and "
                    f"{line.name} has {part.size}"
                )
            found.append(part)
            start += part.size
        return tuple(found)

    def _numbers(self, names: Mapping[str, Any]) -> np.ndarray:
        """All numbers asked for: a row; of rows a table; or one part."""
        values = [
            np.asarray(names[line.name], dtype=np.float64)
            for line in self._asked_for()
        ]
        if len(values) == 1:
            return values[0]
        if len({value.shape for value in values}) == 1:
            return np.stack(values)
        return np.concatenate([value.ravel() for value in values])

    def _values(self, slip: Slip) -> list[np.ndarray]:
        """The numbers that each way of a mistake leads to."""
        found: list[np.ndarray] = []
        for way in slip.ways:
            names = self._names | ({"it": found[-1]} if found else {})
            made = {
                sign: {
                    change.name: change.formula.value(names)
                    for change in way
                    if change.sign == sign
                }
                for sign in ("=>", "=")
            }
            if "" in made["="]:
                value = np.asarray(made["="][""], dtype=np.float64)
                found += list(value) if way[0].each else [value]
                continue
            wrong = self._worked(made["=>"]) if made["=>"] else self._names
            found.append(self._numbers({**wrong, **made["="]}))
        return found

    def _holds(
        self, rule: Look, right: Sequence[bool], names: Mapping[str, Any]
    ) -> bool:
        if rule.kind == "right":
            place = [part.name for part in self.parts].index(rule.name)
            return right[place]
        if rule.kind == "nothing":
            return not any(right)
        values = [formula.value(names) for formula in rule.formulas]
        if rule.kind == "outside":
            low, high = values
            return bool(((names["got"] < low) | (names["got"] > high)).any())
        return all(map(bool, values))


def _filled(text: str, **indent: str) -> str:
    return fill(
        text, 72, **indent, break_on_hyphens=False, break_long_words=False
    )


def _help(texts: Mapping[str, str]) -> str:
    """What Python's `help` says of the check."""
    about = f"{_filled(texts['about'])}\n\n" if "about" in texts else ""
    value = f"value: {texts['value']}."
    indent = {"initial_indent": " " * 4, "subsequent_indent": " " * 8}
    return "".join([
        f"Check {texts['check']}.\n\n{about}",
        f"Args:\n{_filled(value, **indent)}\n\n",
        "Returns:\n    The verdict; no exception, no output, 5 seconds at the "
        "most.\n",
        f"\n{_filled('Source: ' + texts['source'])}.\n"
        if "source" in texts
        else "",
    ])  # fmt: skip


def judge_paper(paper: Paper, value: Any) -> Verdict:
    """Compare numbers worked out on paper; never raise, never print.

    Args:
        paper: the exercise.
        value: numbers as a tuple, list, array or tensor, or one number.

    Returns:
        The verdict.
    """
    try:
        return _judge(paper, value)
    except Exception as error:
        return paper.wrong(
            f"The check could not read this ({type(error).__name__}). Give "
            f"{paper.count} in brackets.",
            "not_checkable",
            "?",
        )


def _judge(paper: Paper, value: Any) -> Verdict:
    blanks = safely(lambda: _blanks(value), "none")
    if paper.answer.ndim == 1 and paper.parts[0].shape:
        value = safely(lambda: _in_one_row(paper, value), value)
    answer = guard.call(lambda: value, (), ())  # foreign objects may misbehave
    if blanks == "all" or answer.kind in (NOTHING, ELLIPSIS):
        message = (
            f"Nothing to check yet. Put your {paper.count} in place of `...` "
            "and run this cell again."
        )
        return Verdict(
            NOT_ATTEMPTED, paper.name, paper.asked, message, hints=paper.hints
        )
    if blanks == "some":
        return paper.wrong(
            f"Some are still missing: this exercise wants {paper.count}.",
            "half_filled",
            answer.text,
        )
    if answer.kind == ARRAY:
        return _judge_numbers(paper, answer)
    if callable(value):
        return paper.wrong(
            f"This exercise wants {paper.count}, not a function.",
            "a_function",
            "a function",
        )
    return paper.wrong(
        f"Wanted: {paper.count}; this is {answer.text}. Write plain numbers, "
        "in the same brackets as the example in what is asked.",
        "not_numbers",
        answer.text,
    )


def _blanks(value: Any) -> str:
    """Are all, some or none of the places in (nested) lists empty?"""
    if not isinstance(value, (tuple, list)):
        empty = value is None or value is Ellipsis
        return "all" if empty else "none"
    states = {_blanks(item) for item in value}
    if not states:
        return "all"
    return states.pop() if len(states) == 1 else "some"


def _in_one_row(paper: Paper, value: Any) -> Any:
    """Rows of several lengths, in brackets of their own, in one row."""
    if len(value) != len(paper.parts) or not all(
        isinstance(part, (tuple, list, np.ndarray)) for part in value
    ):
        return value
    return [number for part in value for number in part]


def _judge_numbers(paper: Paper, answer: Answer) -> Verdict:
    got, want = answer.array, paper.answer
    if got.size == want.size and got.ndim != want.ndim and want.ndim < 2:
        got = got.reshape(want.shape)  # ((1, 2)) is meant as (1, 2)
    got = paper.accepted(got)
    if paper.agrees(got, want):
        return Verdict(RIGHT, paper.name, paper.asked, paper.praise)
    for known in paper.misconceptions:
        if paper.agrees(got, known.value):
            return paper.wrong(known.message, known.id, answer.text)
    if paper.rounds_to(got, want):
        return paper.wrong(ROUNDED, "rounded", answer.text)
    for known in paper.misconceptions:
        if paper.rounds_to(got, known.value):
            return paper.wrong(known.message, known.id, answer.text)
    return paper.wrong(_difference(paper, got, want), None, answer.text)


def _difference(paper: Paper, got: np.ndarray, want: np.ndarray) -> str:
    if got.shape != want.shape:
        count = f"{got.size} number" + ("s" if got.size != 1 else "")
        came = f"{count} came" if got.ndim < 2 else f"shape {got.shape} came"
        return f"{paper.count.capitalize()} are wanted, and {came}."
    if not np.isfinite(got).all():
        return "One of your numbers is not a finite number."
    return paper.look(got)
