"""The word list of the toy corpus: data/lexicon.tsv, read and indexed.

The first lines of the file explain the columns and how to add a word. The
grammar that strings the words together is in `toy_language.grammar`;
words that it brings along are in data/constructions.tsv. Chapter 15.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from toy_language.tables import Row, read_table

LEVELS = ("small", "full")
CLASSES = ("noun", "name", "verb", "give", "put", "weather", "adjective",
           "time", "month", "day", "frequency", "manner", "where")  # fmt: skip


class Entry:
    """One line of the lexicon: an English word, its Korean word, features.

    Attributes:
        english: the base form, for example "go to".
        korean: the dictionary form, for example 가다.
        word_class: one of `CLASSES`.
        level: "small" (in both presets) or "full".
        irregular: the class of an irregular stem ("ㅂ", "르", ...), or "".
        features: name -> list of values, as the last column gives them.
    """

    __slots__ = ("english", "korean", "word_class", "level", "irregular",
                 "features", "kinds")  # fmt: skip

    def __init__(
        self,
        english: str,
        korean: str,
        word_class: str,
        level: str,
        features: dict[str, list[str]],
    ) -> None:
        self.english = english
        self.korean, _, self.irregular = korean.partition("/")
        self.word_class = word_class
        self.level = level
        self.features = features
        self.kinds = frozenset(features.get("kind", ())) | {english}

    def __repr__(self) -> str:
        return f"Entry({self.english!r}, {self.korean!r}, {self.word_class!r})"

    def get(self, feature: str, default: str = "") -> str:
        """Return the first value of a feature, or the default."""
        values = self.features.get(feature)
        return values[0] if values else default

    def is_one_of(self, selectors: Iterable[str]) -> bool:
        """Say whether a noun is meant by one of the selectors.

        A selector is a kind ("animal"), the English word itself
        ("street"), or kinds joined by & that must all hold.
        """
        return any(_kinds(one) <= self.kinds for one in selectors)

    @property
    def stem(self) -> list[str]:
        """The Korean stem: the dictionary form without 다, as tokens."""
        return self.korean.removesuffix("다").split()

    @property
    def plural(self) -> str:
        """The English plural of a noun; glasses are plural already."""
        if "plural" in self.kinds:
            return self.english
        return self.get("plural") or _with_s(self.english)

    def form(self, name: str) -> str:
        """Return an English verb form: base, past, done, ing or third.

        Only the first word of an entry such as "go to" is inflected.
        """
        base = self.english.split()[0]
        if name == "base":
            return base
        given = self.get(name)
        if given:
            return given
        if name == "third":
            return _with_s(base)
        if name == "done":
            return self.form("past")
        suffix = "ed" if name == "past" else "ing"
        return base.removesuffix("e") + suffix


@cache
def _kinds(selector: str) -> frozenset[str]:
    """Return the kinds that a selector names."""
    return frozenset(selector.split("&"))


def _with_s(word: str) -> str:
    """Add the regular -s, -es or -ies."""
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def entry_of(row: Row, level: str) -> Entry:
    """Read a row of words with their features.

    Args:
        row: with the columns English, Korean, class and features.
        level: one of `LEVELS`.

    Returns:
        An `Entry`.

    Raises:
        ValueError: if a column holds an unknown value.
    """
    if row["class"] not in CLASSES:
        raise row.wrong(f"class {row['class']!r}; use one of {CLASSES}")
    if level not in LEVELS:
        raise row.wrong(f"level {level!r}; use one of {LEVELS}")
    pairs = {}
    for item in row["features"].split():
        name, equals, values = item.partition("=")
        if not equals or not values:
            raise row.wrong(f"feature {item!r}; write name=value")
        pairs[name] = values.replace("_", " ").split(",")
    return Entry(row["English"], row["Korean"], row["class"], level, pairs)


@cache
def load_lexicon(path: str | Path = "lexicon.tsv") -> tuple[Entry, ...]:
    """Read a lexicon file.

    Args:
        path: the file; by default the one that comes with the package.

    Returns:
        A tuple of `Entry`, in the order of the file.

    Raises:
        ValueError: if a row cannot be read.
    """
    rows = read_table(path, "English, Korean, class, level, features")
    return tuple(entry_of(row, row["level"]) for row in rows)


@cache
def brought(name: str) -> tuple[Entry, ...]:
    """Return the words that a construction brings along.

    Args:
        name: what data/constructions.tsv calls them.

    Returns:
        A tuple of `Entry`.

    Raises:
        ValueError: if there is none, or a row cannot be read.
    """
    columns = "name, English, Korean, class, features"
    rows = read_table("constructions.tsv", columns)
    found = tuple(entry_of(row, "full") for row in rows if row["name"] == name)
    if not found:
        raise ValueError(f"constructions.tsv has no row {name!r}")
    return found
