"""An exercise on paper as text: NAME.txt.

A file is a list of blocks, an empty line between two. The first block is the
exercise in words, then come its numbers, its mistakes, and where to look:

    walk_by_hand(numbers)
    How far {speed} km/h take you in {hours} hours, in km, and how much of the
    way is left after one: two numbers, such as `(1, 2)`.
    count: two numbers
    given: {speed} km/h, {hours} hours
    expected: two lengths
    tolerance: 0.01
    praise: Both are right.
    hint: In one hour you come {speed} km far.
    hint: Multiply by the number of hours.
    check: two ways, worked out on paper
    value: two numbers, as a tuple, list, array or tensor
    source: worked by hand in chapter 0

    givens
    speed = 4   kilometers an hour
    hours = 2.5   how long you walk

    solution
    whole = speed * hours   the whole way
    rest = whole - speed   the rest of the way: how far have you come?

    divided
    whole => speed / hours
    You divided. Each hour adds {speed} km.

    not_subtracted
    rest = whole + speed
    or
    rest = whole
    The first is right. After one hour {speed} km of it are behind you.

    exchanged
    = right[::-1]
    Both are right, but they have changed places.

    look if whole is right
    The first is right. For the second take away the way of one hour.

`given` and `hint` may come more than once: two hints, and a line of the given
each. `tolerance` is 0.002 if it is not named. `check`, `value` and, if there
are any, `about` and `source` are what `help` says of the check.

Three lines more are for exercises that compare in a way of their own. With
`compare: differences` a number may be added to all of an answer: only how far
each is above the last one counts. With `loose: 0.01` a mistake whose numbers
are off by at most 1 % is named before a `look`. Numbers that `either: NAME,
NAME` names may be 0 or 1; both are right.

`givens` are values with a name and, after two spaces, what they are. The
exercise can be set with others (`Paper.with_givens`), so a text names them in
braces; what it says in words (a minus sign, the longer one) has to hold of
the others, too.

`solution` works the numbers out, line by line. A line with words is a number
that is asked for, and the words are its label; after `: ` what to do about it.
It may be a row or a table; names for the places of a row stand behind the
label in brackets, as in `the first product (rows, columns)`. A line `way: ...`
in the first block is for all labels that say nothing of their own.

A mistake is a name, the values that it leads to, and the sentence.
`name => formula` is a value in place of the right one, with which the
solution goes on; `name = formula` is one number that is asked for, while the
others stay right; `= formula` are all numbers, and `= each of formula` are
several ways. Lines in a row belong together, and `or` begins another way to
make the mistake. `more NAME` opens further ways, with a sentence of their
own. The first mistake whose numbers came is named. A line that begins with
`# ` is for whoever edits the file.

`look if ...` says where to look if no mistake fits: `NAME is right`,
`nothing is right`, `outside LOW to HIGH` (some number is), or a formula; a
`look` alone is said in any case. Without one it is "2 of 5 are right. Look
again at LABEL."

A formula is a Python expression. It may use the givens, the lines of the
solution, the functions in NAMES and those that NAME.py, if there is one, names
in `__all__`; in a
mistake also `right`, all the right numbers, and after `or` `it`, the value of
the way above. A list of numbers is an array. A formula goes on in the next
line while a bracket is open. In a text, braces hold a formula, and after `:`
how to write the number (`{V:,.0f}`); `{ways["NAME"]}` is what a label says.

In a `look` there are `got` and `want`; `fits`, true where a number is right;
`good` numbers (rows, tables) with a label are right, `known` says which, and
`wrong` are the labels of the others. Of the first wrong one: `place`, from 0;
`label` and `way`; `mine` and `wanted`; in a row or table `at`, the place of
its first wrong number, from 1; `said` has the ways of all. `{begin}` is "2 of 5
are right. Look again at LABEL".
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from transformer_course.checks.engine.catalogue import CatalogueError
from transformer_course.checks.engine.formula import (
    BRACES,
    NAMES,
    Formula,
    Text,
    compiled,
)

__all__ = ["Change", "Definition", "Look", "Sheet", "Slip", "parse"]


_CALL = re.compile(r"[A-Za-z]\w*\(.+\)")
_LOOK_NAMES = (
    "at begin fits good got it known label mine place right said want wanted "
    "way ways wrong"
).split()
_WORDS = "count given expected praise check value".split()
_OTHERS = "way about source".split()  # need not be there
_KEY = re.compile(
    rf"({'|'.join((*_WORDS, *_OTHERS))}|tolerance|hint|compare|loose|either): "
    "(.+)"
)
_DEFINITION = re.compile(
    r"(?P<name>[A-Za-z]\w*) = (?P<formula>\S.*?)(?: {2,}(?P<words>\S.*))?"
)
_CHANGE = re.compile(
    r"(?:(?P<name>[A-Za-z]\w*) )?(?P<sign>=>?) (?P<each>each of )?"
    r"(?P<formula>\S.*)"
)
_NAME = re.compile(r"[A-Za-z]\w*")
_OUTSIDE = re.compile(r"outside (?P<low>.+) to (?P<high>.+)")
_IS_RIGHT = re.compile(r"(?P<name>\w+) is right")


class _Line(NamedTuple):
    text: str
    place: str  # file:line

    def error(self, why: str) -> CatalogueError:
        return CatalogueError(f"{self.place}: {why}")


class Definition(NamedTuple):
    """One line of the givens or of the solution; a step has no words."""

    name: str
    formula: Formula
    words: Text


class Change(NamedTuple):
    """What is not right.

    Attributes:
        name: of a value; empty for all the numbers.
        sign: "=>" if the solution goes on with it, else "=".
        formula: the wrong value.
        each: the formula gives several ways.
    """

    name: str
    sign: str
    formula: Formula
    each: bool = False


class Slip(NamedTuple):
    """A known wrong answer: its name, the ways to it, the sentence."""

    id: str
    ways: tuple[tuple[Change, ...], ...]
    message: Text


class Look(NamedTuple):
    """Where to look, and when.

    Attributes:
        kind: "right" (that one number is), "nothing" (is right), "outside"
            (of two bounds some number is), "formula" or "always".
        name: of the number that is right.
        formulas: the two bounds, or the condition.
        message: what is said.
    """

    kind: str
    name: str
    formulas: tuple[Formula, ...]
    message: Text


@dataclass(frozen=True)
class Sheet:
    """All that NAME.txt says; nothing is worked out yet.

    Attributes:
        call: the exercise as the chapter calls it.
        texts: asked, count, given, expected, praise, check and value; way,
            about and source, if they are there.
        hints: the two hints.
        tolerance: how far a number may be from the right one.
        differences: only the differences of the numbers count.
        loose: a part by which the numbers of a mistake may be off, to be named
            where nothing else is known; 0 for none.
        either: names of the numbers that may be 0 or 1.
        givens, solution: the lines, in order.
        slips: the known wrong answers.
        looks: what is said of unknown ones.
    """

    call: str
    texts: Mapping[str, Text]
    hints: tuple[Text, Text]
    tolerance: float
    differences: bool
    loose: float
    either: tuple[str, ...]
    givens: tuple[Definition, ...]
    solution: tuple[Definition, ...]
    slips: tuple[Slip, ...]
    looks: tuple[Look, ...]


def parse(text: str, where: str = "exercise") -> Sheet:
    """Read an exercise.

    Args:
        text: blocks as above.
        where: the file's name, for errors.

    Raises:
        CatalogueError: a block cannot be read; file and line come first.
    """
    blocks = list(_blocks(textwrap.dedent(text), where))
    if not blocks:
        raise CatalogueError(f"{where}:1: the file is empty")
    head, *blocks = blocks
    tables: dict[str, tuple[Definition, ...]] = {}
    slips: list[Slip] = []
    looks: list[Look] = []
    for first, *lines in blocks:
        kind, _, rest = first.text.partition(" ")
        if first.text in ("givens", "solution"):
            if first.text in tables:
                raise first.error(f"`{first.text}` stands twice")
            tables[first.text] = _definitions(lines)
        elif kind == "look" and (not rest or rest.startswith("if ")):
            looks.append(_look(first, rest.removeprefix("if "), lines))
        else:
            slips.append(_slip(first, lines, {slip.id for slip in slips}))
    givens = tables.get("givens", ())
    solution = tables.get("solution", ())
    _names_stand_once((*givens, *solution))
    for given in givens:
        if not given.words.text:
            raise CatalogueError(
                f"{given.formula.place}: say after two spaces what "
                f"{given.name} is"
            )
    if not any(line.words.text for line in solution):
        raise head[0].error(
            "no number is asked for: `solution` needs lines of the form "
            "`name = formula   label`"
        )
    _known_names_only(slips, looks, givens, solution)
    return _sheet(head, givens, solution, tuple(slips), tuple(looks))


def _blocks(text: str, where: str) -> Iterator[list[_Line]]:
    lines: list[_Line] = []
    for count, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            if not line.startswith("# "):
                lines.append(_Line(line, f"{where}:{count}"))
        elif lines:
            yield lines
            lines = []


def _sheet(
    head: list[_Line],
    givens: tuple[Definition, ...],
    solution: tuple[Definition, ...],
    slips: tuple[Slip, ...],
    looks: tuple[Look, ...],
) -> Sheet:
    """Put the first block, the exercise in words, together with the rest."""
    first = head[0]
    found = _by_key(head)
    hints = found.get("hint", [])
    if len(hints) != 2:
        raise first.error(f"two hints are wanted, and {len(hints)} came")
    for line in found.get("compare", []):
        if line.text != "differences":
            raise line.error(
                f"`compare: {line.text}` came; the only word is `differences`"
            )
    return Sheet(
        call=first.text,
        texts={
            key: _text(found[key], "\n")
            for key in ("asked", *_WORDS, *_OTHERS)
            if key in found
        },
        hints=(_text(hints[:1]), _text(hints[1:])),
        tolerance=_number(found, "tolerance", "0.002"),
        differences="compare" in found,
        loose=_number(found, "loose", "0"),
        either=_either(found.get("either", []), solution),
        givens=givens,
        solution=solution,
        slips=slips,
        looks=looks,
    )


def _by_key(head: list[_Line]) -> dict[str, list[_Line]]:
    """Sort the lines of the first block by what they begin with."""
    first, *lines = head
    if not _CALL.fullmatch(first.text):
        raise first.error(
            f"`{first.text}` came; the file begins with the call, such as "
            "`walk_by_hand(numbers)`"
        )
    found: dict[str, list[_Line]] = {"asked": []}
    key = "asked"
    for line in lines:
        new = _KEY.fullmatch(line.text)
        if new:
            key = new[1]
            found.setdefault(key, []).append(_Line(new[2], line.place))
        elif not found[key]:
            found[key].append(line)
        else:
            before = found[key].pop()
            joined = f"{before.text} {line.text.strip()}"
            found[key].append(_Line(joined, before.place))
    for key in ("asked", *_WORDS):
        if not found.get(key):
            raise first.error(f"`{key}` is missing")
    for key, lines in found.items():
        if len(lines) > 1 and key not in ("given", "hint"):
            raise lines[1].error(f"`{key}` stands twice")
    return found


def _number(found: Mapping[str, list[_Line]], key: str, usual: str) -> float:
    line = found.get(key, [_Line(usual, "")])[0]
    try:
        return float(line.text)
    except ValueError:
        raise line.error(
            f"`{key}` is a number, and `{line.text}` came"
        ) from None


def _either(
    lines: list[_Line], solution: tuple[Definition, ...]
) -> tuple[str, ...]:
    """Return the names after `either`, each that of a number asked for."""
    known = [line.name for line in solution if line.words.text]
    names = [name for line in lines for name in line.text.split(", ")]
    for name in names:
        if name not in known:
            raise lines[0].error(
                f"{name} came; `either` names some of {', '.join(known)}"
            )
    return tuple(names)


def _definitions(lines: list[_Line]) -> tuple[Definition, ...]:
    found: list[Definition] = []
    for line in _whole(lines):
        if line.text.startswith("  ") and found:
            name, formula, words = found.pop()
            more = f"{words.text} {line.text.strip()}".strip()
            words = Text(more, words.place)
        else:
            match = _DEFINITION.fullmatch(line.text)
            if not match:
                raise line.error(
                    f"`{line.text}` came, and `name = value   words` is wanted"
                )
            name = match["name"]
            formula = _formula(match["formula"], line)
            words = Text(match["words"] or "", line.place)
        found.append(Definition(name, formula, words))
    return tuple(found)


def _slip(first: _Line, lines: list[_Line], known: set[str]) -> Slip:
    kind, _, name = first.text.partition(" ")
    name = name if kind == "more" else first.text
    if not _NAME.fullmatch(name):
        raise first.error(f"`{first.text}` is no name of a mistake")
    if (name in known) != (kind == "more"):
        raise first.error(
            f"no {name} above of which these are more"
            if kind == "more"
            else f"{name} stands twice; `more {name}` opens further ways"
        )
    ways: list[list[Change]] = [[]]
    lines = _whole(lines)
    while lines:
        line = lines[0]
        match = _CHANGE.fullmatch(line.text)
        if line.text == "or":
            if not ways[-1]:
                raise line.error("`or` stands between two ways")
            ways.append([])
        elif match and (match["name"] or match["sign"] == "="):
            formula = _formula(match["formula"], line)
            each = bool(match["each"])
            if each and (match["name"] or ways[-1]):
                raise line.error("`= each of ...` is a way of its own")
            ways[-1].append(
                Change(match["name"] or "", match["sign"], formula, each)
            )
        else:
            break
        lines = lines[1:]
    if not ways[-1]:
        raise first.error(
            f"{name} needs a value: `name => formula`, `name = formula` or "
            "`= formula`"
        )
    if not lines:
        raise first.error(f"{name} needs a sentence")
    return Slip(name, tuple(map(tuple, ways)), _text(lines))


def _look(first: _Line, condition: str, lines: list[_Line]) -> Look:
    if not lines:
        raise first.error("a `look` needs a sentence")
    message = _text(lines)
    if not condition:
        return Look("always", "", (), message)
    if condition == "nothing is right":
        return Look("nothing", "", (), message)
    match = _IS_RIGHT.fullmatch(condition)
    if match:
        return Look("right", match["name"], (), message)
    match = _OUTSIDE.fullmatch(condition)
    if match:
        bounds = _formula(match["low"], first), _formula(match["high"], first)
        return Look("outside", "", bounds, message)
    return Look("formula", "", (_formula(condition, first),), message)


def _names_stand_once(lines: Sequence[Definition]) -> None:
    seen: set[str] = set()
    for line in lines:
        if line.name in {*seen, *NAMES, *_LOOK_NAMES}:
            raise CatalogueError(
                f"{line.formula.place}: the name {line.name} is taken"
            )
        seen.add(line.name)


def _known_names_only(
    slips: list[Slip],
    looks: list[Look],
    givens: tuple[Definition, ...],
    solution: tuple[Definition, ...],
) -> None:
    """Refuse a change of what is not there."""
    numbers = [line.name for line in solution if line.words.text]
    names = [line.name for line in (*givens, *solution)]
    for slip in slips:
        for change in (change for way in slip.ways for change in way):
            known = numbers if change.sign == "=" else names
            if change.name and change.name not in known:
                raise CatalogueError(
                    f"{change.formula.place}: {change.name} came; with "
                    f"`{change.sign}` it is one of {', '.join(known)}"
                )
    for look in looks:
        if look.name and look.name not in numbers:
            raise CatalogueError(
                f"{look.message.place}: {look.name} came; one of "
                f"{', '.join(numbers)} can be right"
            )


def _whole(lines: list[_Line]) -> list[_Line]:
    """Lines, each with those in which its brackets are closed."""
    found: list[_Line] = []
    is_open = False
    for line in lines:
        if is_open:
            text = f"{found[-1].text} {line.text.strip()}"
            found[-1] = _Line(text, found[-1].place)
        else:
            found.append(line)
        text = found[-1].text
        formula = _CHANGE.match(text) is not None
        is_open = formula and _depth(text) > 0
    return found


def _depth(text: str) -> int:
    """How many brackets are open at the end of a line of code."""
    plain = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
    return sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))


def _formula(text: str, line: _Line) -> Formula:
    try:
        compiled(text)
    except SyntaxError as error:
        raise line.error(f"`{text}` is no formula ({error.msg})") from None
    return Formula(text, line.place)


def _text(lines: list[_Line], between: str = " ") -> Text:
    joined = Text(
        between.join(line.text.strip() for line in lines), lines[0].place
    )
    for found in BRACES.finditer(joined.text):
        _formula(found["formula"], lines[0])
    if re.search(r"[{}]", BRACES.sub("", joined.text)):
        raise lines[0].error("a brace is open, or it is empty")
    return joined
