"""Clauses in both languages: subject-verb-object and subject-object-verb.

`clause` lines up what the module `phrases` built. English says subject, verb,
object, place, time; Korean says subject, time, place, person, object, verb.
Chapter 15 uses it.
"""

from collections.abc import Sequence

from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    noun_phrase,
    with_particle,
)
from transformer_lib.grammar.verbs import (
    EnglishVerb,
    Verb,
    close,
    copula,
    english_verb,
    korean_predicate,
)

__all__ = [
    "adjunct",
    "clause",
    "describe",
    "exists",
    "identify",
    "with_relative",
]

DEGREES = {"very": "아주", "too": "너무"}


def adjunct(text: str, korean: str, particle_word: int = 0) -> Phrase:
    """Build a phrase such as "on monday" -> 월요일 +에.

    Args:
        text: the English words; the first is a preposition if the Korean
            ends in a particle.
        korean: the Korean tokens.
        particle_word: the index of the English word the particle renders.

    Returns:
        A `Phrase`.
    """
    english = [Word(part) for part in text.split()]
    tokens = korean.split()
    last = tokens[-1].startswith("+") and len(english) > 1
    prepositions = ("on", "in", "at", "by", "with")
    marked = last and english[particle_word].text in prepositions
    content = tuple(english[1:] if marked else english)
    marker = (english[particle_word],) if marked else content
    linked: list[Token] = [(token, content) for token in tokens]
    if last:
        linked[-1] = (tokens[-1], marker)
    return Phrase(english, linked)


def _english_objects(
    verb: Verb, rest: list[Word], with_object: bool
) -> list[Word]:
    """Order object and recipient: gave the girl a book / a book to her."""
    words = list(rest)
    target = verb.object.english if verb.object and with_object else []
    if verb.recipient is None:
        return words + target
    if verb.recipient_first:
        return words + verb.recipient.english + target
    return words + target + [Word("to")] + verb.recipient.english


def _korean_object(
    entry: Entry, target: NounPhrase, rest: list[Word]
) -> list[Token]:
    """Mark the object; the particle of "go to" translates the "to"."""
    name = entry.get("particle")
    marked = with_particle(target, name or "을")
    if name and rest and target.english:  # not for "where"
        marked[-1] = (marked[-1][0], tuple(rest))
    return marked


def _korean_middle(
    verb: Verb, rest: list[Word], with_object: bool
) -> list[Token]:
    """Everything between subject and predicate, in Korean order."""
    tokens: list[Token] = []
    for part in verb.time + verb.place:
        tokens += part.korean
    if verb.recipient:
        tokens += with_particle(verb.recipient, "에게")
    if verb.object and with_object:
        tokens += _korean_object(verb.entry, verb.object, rest)
    for part in verb.manner:
        tokens += part.korean
    return tokens


def clause(
    subject: NounPhrase,
    verb: Verb,
    ending: str,
    cue: Sequence[Word] = (),
    mark: str = "",
    gap: str = "",
    question: bool = False,
) -> Phrase:
    """Say who does what in both languages.

    Args:
        subject: a `NounPhrase`.
        verb: a `Verb` with object, place and time.
        ending: the Korean ending, see `phrases.korean_predicate`.
        cue: the English Words that call for the ending.
        mark: the particle of the Korean subject; "" for its own.
        gap: "subject" or "object", left unsaid in a relative clause.
        question: whether English puts the auxiliary first.

    Returns:
        A `Phrase`.
    """
    said = english_verb(verb, subject, question)
    english = [] if gap == "subject" else list(subject.english)
    if question:
        english = said.auxiliary + english + said.negation
        english.append(said.main)
    else:
        english += said.auxiliary + said.negation + [said.main]
    english += _english_objects(verb, said.rest, gap != "object")
    for part in verb.manner + verb.place + verb.time:
        english += part.english
    korean = (
        [] if gap == "subject" else with_particle(subject, mark or subject.mark)
    )
    korean += _korean_middle(verb, said.rest, gap != "object")
    korean += korean_predicate(verb, said, ending, cue)
    return Phrase(english, korean)


def with_relative(
    head: NounPhrase, subject: NounPhrase, verb: Verb, gap: str
) -> NounPhrase:
    """Add a relative clause: the dog that chased the cat.

    Korean puts it before the noun: 고양이를 쫓은 개.

    Args:
        head: the `NounPhrase` it describes.
        subject: the subject inside, `head` itself if that is the gap.
        verb: the `Verb` inside.
        gap: "subject" or "object".

    Returns:
        A `NounPhrase`.
    """
    person = head.noun is not None and "person" in head.noun.kinds
    link = Word("who" if person and gap == "subject" else "that")
    inner = clause(subject, verb, "adnominal", (link,), "이", gap)
    return NounPhrase(
        head.english + [link] + inner.english,
        inner.korean + head.korean,
        head.head,
        head.noun,
        head.plural,
        head.person,
    )


def _be(subject: NounPhrase, tense: str) -> Word:
    """The English words of a form of to be that agrees with the subject."""
    if tense == "past":
        return Word("were" if subject.plural else "was")
    if subject.plural:
        return Word("are")
    return Word("am" if subject.person == 1 else "is")


def describe(
    subject: NounPhrase,
    adjective: Entry,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
    mark: str = "",
    negative: str = "",
    degree: str = "",
    question: bool = False,
) -> Phrase:
    """Say what something is like: the river was not very deep.

    Args:
        subject: a `NounPhrase`.
        adjective: a lexicon entry.
        tense: past or present.
        ending, cue, mark, question: as in `clause`.
        negative: "" or "not".
        degree: "", "very" (아주) or "too" (너무).

    Returns:
        A `Phrase`.
    """
    be = _be(subject, tense)
    negation = [Word("not")] if negative else []
    main = Word(adjective.english)
    how = [Word(degree)] if degree else []
    korean = with_particle(subject, mark or subject.mark)
    korean += [(DEGREES[word.text], (word,)) for word in how]
    said = EnglishVerb([be], negation, main, [])
    verb = Verb(adjective, tense, negative)
    korean += korean_predicate(verb, said, ending, cue or [be])
    first = [be, *subject.english] if question else [*subject.english, be]
    return Phrase(first + negation + how + [main], korean)


def identify(
    subject: NounPhrase,
    noun: NounPhrase,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
) -> Phrase:
    """Say who somebody is: minsu is a student -> 민수는 학생이다.

    Args:
        subject, tense, ending, cue: as in `describe`.
        noun: the `NounPhrase` after the verb.

    Returns:
        A `Phrase`.
    """
    be = _be(subject, tense)
    korean = with_particle(subject, subject.mark) + noun.korean
    for token, part in copula(noun.korean[-1][0], tense, ending):
        korean.append((token, cue if part == "end" and cue else (be,)))
    return Phrase([*subject.english, be, *noun.english], korean)


def exists(
    noun: NounPhrase,
    place: Entry,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
) -> Phrase:
    """Say that something is somewhere: 정원에 고양이 두 마리가 있다.

    Args:
        noun: the `NounPhrase` that is there.
        place: the lexicon entry of the place; it knows in, on or at.
        tense, ending, cue: as in `describe`.

    Returns:
        A `Phrase`.
    """
    there, be = Word("there"), _be(noun, tense)
    at, where = Word(place.get("at", "in")), noun_phrase(place)
    korean = with_particle(where, "에")
    korean[-1] = (korean[-1][0], (at,))
    korean += with_particle(noun, "이")
    for token, part in close("있", "", "exist", tense, ending):
        korean.append((token, cue if part == "end" and cue else (there, be)))
    english = [there, be, *noun.english, at, *where.english]
    return Phrase(english, korean)
