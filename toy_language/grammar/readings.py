"""What a Korean token can mean: tables made from lexicon and morphology.

A predicate token is known by itself and the token after it (가 +았 ...): for
every stem and every ending of `korean.ENDINGS` the tables hold what comes
out. Words that are not conjugated are known by themselves. Which reading
fits is decided in `glosses`. Chapter 15 uses it.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from toy_language import JOINER
from toy_language.grammar.function_words import COUNTERS, VESSELS
from toy_language.grammar.lexicon import Entry, load_lexicon
from toy_language.korean import ENDINGS, attach
from toy_language.tables import read_table

__all__ = ["LOOSE", "Reading", "counters", "predicates", "times", "words"]

PREDICATES = ("verb", "give", "put", "weather", "adjective")
TIMES = ("time", "frequency", "month", "day")
LOOSE = "(word)"  # stands for: the next token is not glued on

# Stems that constructions add, some of them for honored subjects only.
STEMS = read_table("glosses.tsv", "stem, class, gloss", "stems")
# What can follow a form that is one token.
_PAST = ("+다", "+습니다", "+습니까", "+어요", "+고", "+지만", "+니", "+을",
         "+던", "+으니까", "+는")  # fmt: skip
_FOLLOWERS = {
    "": ("+다", "+지만", "+던", "+면"),  # +다 first: see `Reading.moves`
    "았": _PAST,
    "아": (LOOSE,),
    "은": (LOOSE,),
    "을": (LOOSE,),
}
_ALSO = {"+니다": ("+니까", "+시오"), "+습니다": ("+습니까",),
         "+까": ("+까요",)}  # fmt: skip
# What a stem means more, once it has melted with an ending.
_LABELS = {"았": ".PST", "을": ".FUT", "은": ".ADN", "는다": ".PRS",
           "을까": ".FUT"}  # fmt: skip
_PROPER = {"person", "town", "nation", "language"}  # written with a capital


class Reading(NamedTuple):
    """One meaning of a predicate token.

    Attributes:
        gloss: the English under it.
        entry: its lexicon entry, None for a helping verb.
        action: whether it is a verb rather than an adjective.
    """

    gloss: str
    entry: Entry | None
    action: bool

    @property
    def moves(self) -> bool:
        """Whether it never has a bare -다, as 먹다 never has: 먹는다."""
        entry = self.entry
        return bool(entry and self.action and not entry.get("conjugates"))


@cache
def predicates() -> dict[tuple[str, str], list[Reading]]:
    """(token, next token) -> readings; helping verbs come first."""
    table: dict[tuple[str, str], list[Reading]] = {}
    for stem, irregular, reading in _stems():
        for ending in ENDINGS:
            forms = attach(stem, ending, irregular)
            gloss = reading.gloss + _label(forms, ending, reading.action)
            for follower in _followers(forms, ending, reading):
                readings = table.setdefault((forms[0], follower), [])
                readings.append(reading._replace(gloss=gloss))
    for token, gloss in _honored():
        for follower in _honorifics("+시") | _honorifics("+으시"):
            readings = table.setdefault((token, follower), [])
            readings.append(Reading(gloss, None, True))
    return table


@cache
def _honorifics(suffix: str) -> frozenset[str]:
    """The forms of -시-: +시, +셨, +신, +실, +십, +세, +셔."""
    return frozenset(attach(suffix, ending)[0] for ending in ENDINGS)


def _stems() -> Iterator[tuple[str, str, Reading]]:
    """Yield the last token of each stem, its class, and what it means."""
    for row in STEMS:
        if row["class"] != "honored":
            yield row["stem"], row["class"], Reading(row["gloss"], None, True)
    for entry in load_lexicon():
        if entry.word_class in PREDICATES and not _unstemmed(entry):
            action = entry.word_class != "adjective"
            gloss = glosses_of(entry)[-1]
            yield entry.stem[-1], entry.irregular, Reading(gloss, entry, action)
        humble = entry.get("humble").removesuffix("다")
        if humble:
            yield humble, "", Reading(glosses_of(entry)[-1], entry, True)


def _unstemmed(entry: Entry) -> bool:
    """Say whether a predicate has no stem of its own: 새, 초록색 +이다."""
    return (
        not entry.korean.endswith("다") or entry.get("conjugates") == "copula"
    )


def _honored() -> Iterator[tuple[str, str]]:
    """Yield the tokens before -시- that only honored subjects have."""
    for row in STEMS:
        if row["class"] == "honored":
            yield row["stem"], row["gloss"]
    for entry in load_lexicon():
        if entry.get("honor") and entry.word_class in PREDICATES:
            last = entry.get("honor").split()[-1]
            if not last.startswith(JOINER):
                stem = last.removesuffix("시다").removesuffix("으")
                yield stem, glosses_of(entry)[-1]


def _followers(
    forms: tuple[str, ...], ending: str, reading: Reading
) -> tuple[str, ...]:
    """The tokens that can come after the first of these forms."""
    if len(forms) == 1:
        followers = _FOLLOWERS[ending]
        return followers[reading.moves :] if ending == "" else followers
    if ending == "으시" and forms[-1] == forms[1]:
        return tuple(sorted(_honorifics(forms[1])))
    return (forms[1], *_ALSO.get(forms[1], ()))


def _label(forms: tuple[str, ...], ending: str, action: bool) -> str:
    """The grammatical label that a melted first form carries."""
    tail = {"는다": "+다", "을까": "+까"}.get(ending)
    if forms[1:2] != ((tail,) if tail else ()):
        return ""
    past = ".PST" if ending == "은" and action else ""
    return past + _LABELS.get(ending, "")


def glosses_of(entry: Entry) -> list[str]:
    """List the English under each Korean word of an entry."""
    tokens = [t for t in entry.korean.split() if not t.startswith(JOINER)]
    given = entry.features.get("gloss", [])
    if len(given) == len(tokens):
        return given
    english = _shown(entry)
    if len(tokens) == 1:
        return [english]
    raise ValueError(f"{entry!r} needs gloss= for its {len(tokens)} words")


def _shown(entry: Entry) -> str:
    """The English of an entry as it stands in a gloss."""
    first, *rest = entry.english.split()
    if entry.word_class in PREDICATES:
        return first
    if entry.word_class == "time" and first in ("on", "in", "at"):
        shown = " ".join(rest).removeprefix("the ")
        return shown.capitalize() if first == "on" else shown
    shown = entry.english.replace(" ", ".")
    proper = entry.word_class == "month" or entry.kinds & _PROPER
    if proper and entry.word_class != "noun":
        return shown.capitalize()
    return shown


@cache
def words() -> dict[str, str]:
    """Korean token -> English, for nouns and others that never change."""
    table: dict[str, str] = {}
    for entry in load_lexicon():
        if entry.word_class not in TIMES:
            _add(table, entry)
    return table


@cache
def times() -> dict[str, str]:
    """Korean token -> English, for the words of time."""
    table: dict[str, str] = {}
    for entry in load_lexicon():
        if entry.word_class in TIMES:
            _add(table, entry)
    return table


def _add(table: dict[str, str], entry: Entry) -> None:
    """Put the words of an entry in a table, not the verb at its end."""
    tokens = [t for t in entry.korean.split() if not t.startswith(JOINER)]
    if entry.word_class in PREDICATES and tokens[-1].endswith("다"):
        tokens = tokens[:-1]
    for token, gloss in zip(tokens, glosses_of(entry), strict=False):
        table.setdefault(token, gloss)
    for token in entry.get("honor").split()[:-1]:  # 말씀 in 말씀 +하시다
        table.setdefault(token, glosses_of(entry)[-1])
    if entry.get("before"):
        table.setdefault(entry.get("before"), entry.english)


@cache
def counters() -> frozenset[str]:
    """The words that count: 개, 명, 마리, ..."""
    given = {entry.get("counter") for entry in load_lexicon()}
    for row in COUNTERS:
        given |= {row["Korean"], row["honored"]}
    return frozenset(given.union(VESSELS.values()) - {""})
