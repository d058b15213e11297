"""The mistakes that an exercise knows, as text: NAME.txt beside NAME.py.

A file is a list of blocks, an empty line between two. A block is a mistake:

    no_scale
    ` / Q.shape[-1] ** 0.5` => ``
    The scores are not scaled. Divide them by the root of d_k ...
    ? What stands below the fraction line?

A name; edits of the reference, `` `old` => `new` ``, where the old text stands
once; the message; after `? `, the hint. Several edits in a row belong
together; `each` below them says that one alone makes the mistake, too, and
`or` begins another way to make it. Text of several lines is written `- old`
and `+ new`, a sign before each line.
`{words}` are facts of the example. More lines that a block may hold:

    @ case          the case to show
    ! case, case    no edit is needed: who gets these cases wrong has made it
    % pattern       nor here: every wrong answer ends with this error
    # remark        for whoever edits the file

Three more kinds of blocks:

    & name          stands for the mistake that NAME.py makes in Python

    include code/attention: Q = query, K = key, V = value
    no_scale divided_by_d_k

    more no_scale
    `math.sqrt(query.shape[-1])` => `1.0`

`include` takes mistakes of another file of the checks, these or, without
names, all of them, in the order that is written here. Words, or texts such
as `K.mT = key.mT`, are replaced, in edits, messages and hints; outside of
backquotes in a sentence a new name is put in backquotes. (After a comma or a
colon the first line goes on in the next.) Of a mistake that was included,
`more` adds ways to make it, with `each` further places for its first way, and
`instead` replaces those that it has: it keeps the sentence alone. Both may
name other cases.

    include parts/scaled_dot_product_attention in attention: query = q

takes mistakes that are made *in* a function, `attention`, which this
reference calls: with them it calls `edited({...})` in its place. The file of
the reference has `edited = Reference(attention).edited`.

    first: no_scale mask_flipped

Mistakes stand in the order of the file, the most common first, for the first
that fits is named; those of `first` stand before all others.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from transformer_course.checks.engine.edits import Edits
from transformer_course.checks.engine.mistake import Mistake
from transformer_course.checks.engine.sealed import is_sealed, text_of

__all__ = ["CatalogueError", "parse", "read"]

_CHECKS = Path(__file__).parents[1]
_NAME = re.compile(r"[A-Za-z]\w*")
_EDIT = re.compile(r"`(?P<old>.+)` => `(?P<new>.*)`")
_SIGNED = re.compile(r"[-+]( |$)")
_INCLUDE = re.compile(
    r"include (?P<file>[\w/]+)(?: in (?P<called>\w+))?(?:: (?P<words>.+))?"
)
_WORD = re.compile(r"(?P<old>[^=]+) = (?P<new>.+)")
_NEXT_WORD = re.compile(r", (?=[^,=]+ = )")


class CatalogueError(ValueError):
    """A catalogue cannot be read; the message begins with file and line."""


class _Block(NamedTuple):
    lines: list[str]
    place: str  # file:line

    def error(self, why: str) -> CatalogueError:
        return CatalogueError(f"{self.place}: {why}")


@lru_cache(maxsize=256)
def read(
    path: Path, made_here: tuple[Mistake, ...] = ()
) -> tuple[Mistake, ...]:
    """Read the catalogue of a file; kept, for the files do not change.

    Args:
        path: of the text file.
        made_here: mistakes that the text refers to by `& name`.

    Raises:
        CatalogueError: a block cannot be read.
        OSError: the file cannot be read.
    """
    return parse(text_of(path), made_here, path.name)


def parse(
    text: str, made_here: Sequence[Mistake] = (), where: str = "catalogue"
) -> tuple[Mistake, ...]:
    """Read a catalogue.

    Args:
        text: blocks as above.
        made_here: mistakes that the text refers to by `& name`.
        where: the file's name, for errors.

    Raises:
        CatalogueError: a block cannot be read, or a name stands twice.
    """
    made = {mistake.id: mistake for mistake in made_here}
    found: dict[str, Mistake] = {}
    common: dict[str, _Block] = {}
    for block in _blocks(textwrap.dedent(text), where):
        kind, _, name = block.lines[0].partition(" ")
        if kind == "first:":
            common |= dict.fromkeys(" ".join(block.lines).split()[1:], block)
            continue
        if kind in ("more", "instead") and name:
            if name not in found:
                raise block.error(f"no {name} above that can be made otherwise")
            found[name] = _changed(found[name], block)
            continue
        for mistake in _read(block, made):
            if mistake.id in found:
                raise block.error(f"{mistake.id} stands twice")
            found[mistake.id] = mistake
    for name, block in common.items():
        if name not in found:
            raise block.error(f"no {name} in this file to stand first")
    return tuple(found[name] for name in {**common, **found})


def _blocks(text: str, where: str) -> Iterator[_Block]:
    lines: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            if not line.startswith("# "):
                lines.append(line)
                first = number if len(lines) == 1 else first
        elif lines:
            yield _Block(lines, f"{where}:{first}")
            lines = []


def _read(block: _Block, made: dict[str, Mistake]) -> Sequence[Mistake]:
    kind, _, name = block.lines[0].partition(" ")
    if kind == "&":
        if name not in made:
            raise block.error(f"{name} is not made in Python")
        return [made[name]]
    if kind == "include":
        return _included(block)
    return [_mistake(block, block.lines[0])]


def _included(block: _Block) -> list[Mistake]:
    """Read the mistakes of another file, with other words."""
    first, *rest = block.lines
    while first.endswith((",", ":")) and rest:
        first = f"{first} {rest.pop(0)}"
    head = _INCLUDE.fullmatch(first)
    path = _CHECKS / f"{head['file']}.txt" if head else None
    if path is None or not (path.is_file() or is_sealed(path)):
        raise block.error("`include folder/file` or `include ...: old = new`")
    words = {}
    for pair in _NEXT_WORD.split(head["words"]) if head["words"] else ():
        word = _WORD.fullmatch(pair)
        if not word:
            raise block.error(f"{pair!r} is not of the form `old = new`")
        words[word["old"]] = word["new"]
    known = {mistake.id: mistake for mistake in read(path)}
    names = " ".join(rest).split() or list(known)
    for name in names:
        if name not in known:
            raise block.error(f"{head['file']} has no {name}")
    taken = [_with_words(known[name], words) for name in names]
    if head["called"]:
        old = f"{head['called']}("
        taken = [
            replace(made, edits=_made_in(old, known[made.id].edits))
            for made in taken
        ]
    return taken


def _changed(old: Mistake, block: _Block) -> Mistake:
    """Read other ways to make a mistake that was included."""
    new = _mistake(block, old.id)
    if new.message or new.hint or new.raises:
        raise block.error("only edits and cases are read here")
    kept, ways = list(old.edits), new.edits
    if block.lines[0].startswith("instead"):
        kept = []
    elif "each" in block.lines:
        kept[0], ways = kept[0] | ways[0], ways[1:]
    return replace(
        old,
        edits=(*kept, *ways),
        fails=new.fails or old.fails,
        on=new.on or old.on,
    )


def _made_in(old: str, ways: tuple[Edits, ...]) -> tuple[Edits, ...]:
    """Call an edited function in place of the one that the reference calls."""
    return tuple({old: f"edited({way!r})("} for way in ways)


def _with_words(mistake: Mistake, words: dict[str, str]) -> Mistake:
    if not words:
        return mistake
    longest_first = sorted(words, key=len, reverse=True)
    texts = "|".join(map(re.escape, longest_first))
    any_word = re.compile(rf"(?<![\w.{{])({texts})(?!\w)")

    def code(text: str) -> str:
        return any_word.sub(lambda found: words[found[0]], text)

    def said(text: str) -> str:
        spans = text.split("`")
        spans[1::2] = map(code, spans[1::2])
        spans[::2] = [
            any_word.sub(lambda found: f"`{words[found[0]]}`", span)
            for span in spans[::2]
        ]
        return "`".join(spans)

    return replace(
        mistake,
        message=said(mistake.message),
        hint=said(mistake.hint),
        edits=tuple(
            {code(old): code(new) for old, new in way.items()}
            for way in mistake.edits
        ),
    )


def _mistake(block: _Block, name: str) -> Mistake:
    """Read one block: a name, edits, the message, the hint."""
    if not _NAME.fullmatch(name):
        raise block.error(f"{name!r} is no name of a mistake")
    lines, ways = block.lines[1:], []
    while lines and (_edit(lines[0]) or lines[0] == "or"):
        if lines[0] == "or":
            if not ways or not lines[1:] or not _edit(lines[1]):
                raise block.error("`or` stands between two edits")
            lines = lines[1:]
        lines, way = _way(lines, block)
        ways.append(way)
        if lines[:1] == ["each"]:
            lines = lines[1:]
            ways += [{old: new} for old, new in way.items()]
    parts: dict[str, list[str]] = {"": [], "?": [], "@": [], "!": [], "%": []}
    sign = ""
    for line in lines:
        found = re.match(r"[?@!%](?= )", line)
        sign = found[0] if found else sign if sign == "?" else ""
        parts[sign].append(line.removeprefix(f"{sign} "))
    return Mistake(
        id=name,
        message=" ".join(parts[""]),
        hint=" ".join(parts["?"]),
        edits=tuple(ways),
        fails=tuple(", ".join(parts["!"]).split(", ")) if parts["!"] else (),
        raises=" ".join(parts["%"]),
        on=" ".join(parts["@"]),
    )


def _edit(line: str) -> bool:
    return bool(_EDIT.fullmatch(line) or _SIGNED.match(line))


def _way(lines: list[str], block: _Block) -> tuple[list[str], Edits]:
    """Read the edits of one way; return the other lines, and the way."""
    pairs: list[tuple[list[str], list[str]]] = []
    before = "+"
    while lines and _edit(lines[0]):
        found = _EDIT.fullmatch(lines[0])
        if found:
            pairs.append(([found["old"]], [found["new"]]))
            before, lines = "+", lines[1:]
            continue
        sign, text = lines[0][0], lines[0][2:]
        if sign == "-" and before == "+":
            pairs.append(([], []))
        if not pairs:
            raise block.error("`+ new` stands before any `- old`")
        pairs[-1][sign == "+"].append(text)
        before, lines = sign, lines[1:]
    return lines, {"\n".join(old): "\n".join(new) for old, new in pairs}
