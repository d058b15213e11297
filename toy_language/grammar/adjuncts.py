"""When, where, how, with whom: the phrases around a verb.

Each has a Korean particle of its own; the English preposition is what it
translates (in the park, 공원에서). Chapter 15 uses it.
"""

from collections.abc import Sequence

from toy_language.grammar.function_words import COMPANY, NUMBERS, SIDES
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    loose,
    with_particle,
    words,
)

__all__ = ["adjunct", "bare_place", "date", "hour", "placed", "position",
           "with_word"]  # fmt: skip

_PREPOSITIONS = ("on", "in", "at", "by", "with")


def adjunct(text: str, korean: str) -> Phrase:
    """Build a phrase such as "on monday" -> 월요일 +에.

    Args:
        text: the English words.
        korean: the Korean tokens; a particle at the end translates the
            preposition at the beginning.

    Returns:
        A `Phrase`.
    """
    english = words(text)
    tokens = korean.split()
    marked = tokens[-1].startswith("+") and english[0].text in _PREPOSITIONS
    content = [
        word for word in english[marked:] if word.text not in ("the", "at")
    ]
    linked: list[Token] = [(token, tuple(content)) for token in tokens]
    if marked:
        linked[-1] = (tokens[-1], (english[0], *loose(content)))
    elif tokens[-1].startswith("+"):
        linked[-1] = (tokens[-1], loose(content))
    return Phrase(english, linked)


def position(preposition: str, place: NounPhrase, mark: str) -> Phrase:
    """Build a place: in the park 공원에서, under the tree 나무 아래에서.

    Args:
        preposition: English; "on", "in" and "at" are the particle alone
            where one is simply there (on the street, on the bus).
        place: a `NounPhrase`.
        mark: 에 for being and going there, 에서 for doing, 으로 by means of.

    Returns:
        A `Phrase`.
    """
    english = words(preposition)
    return Phrase(english + place.english, placed(english, place, mark))


def placed(
    preposition: Sequence[Word], place: NounPhrase, mark: str
) -> list[Token]:
    """Return the Korean of a place, linked to the given preposition."""
    links = (*preposition, *loose(place.head))
    side = _side(" ".join(word.text for word in preposition), place)
    if side:
        return [*place.korean, (side, preposition), ("+" + mark, links)]
    korean = with_particle(place, mark)
    korean[-1] = (korean[-1][0], links)
    return korean


def _side(preposition: str, place: NounPhrase) -> str:
    """Return the Korean noun for a preposition, if it needs one."""
    kinds = place.noun.kinds if place.noun else frozenset()
    if preposition == "in":
        return SIDES["in"] if "container" in kinds else ""
    if preposition == "on" and kinds & {"place", "vehicle", "ride"}:
        return ""
    return SIDES.get(preposition, "")


def with_word(preposition: str, person: NounPhrase) -> Phrase:
    """Build with my friend -> 내 친구와 함께, for him -> 그를 위해."""
    mark, word = COMPANY[preposition]
    english = Word(preposition)
    korean = [*with_particle(person, mark), (word, (english,))]
    return Phrase([english, *person.english], korean)


def bare_place(where: Entry, mark: str, at: bool = False) -> Phrase:
    """Build here -> 여기에서, at home -> 집에서."""
    english = [Word("at")] * at + words(where.english)
    links = tuple(english[-1:])
    particle = ("+" + mark, (*english[:-1], *loose(links)))
    return Phrase(english, [(where.korean, links), particle])


def hour(number: str, full: bool) -> Phrase:
    """Build at three o'clock, or at three -> 세 시에."""
    at, count, clock = words(f"at {number} o'clock")
    korean: list[Token] = [
        (NUMBERS[number], (count,)),
        ("시", (clock,) if full else loose([count])),
        ("+에", (at,)),
    ]
    return Phrase([at, count, clock] if full else [at, count], korean)


def date(month: Entry, day: Entry) -> Phrase:
    """Build on may 5th -> 5월 5일에."""
    on, first, second = words(f"on {month.english} {day.english}")
    korean: list[Token] = [
        (month.korean, (first,)),
        (day.korean, (second,)),
        ("+에", (on,)),
    ]
    return Phrase([on, first, second], korean)
