"""What something is, what it is like, where it is: the verb to be.

Korean has a word for each: 이다 after a noun, 있다 for being somewhere, and
an adjective is a verb of its own (크다, is big). Chapter 15 uses it.
"""

from collections.abc import Sequence
from dataclasses import replace

from toy_language.grammar.clauses import (
    ending_links,
    in_order,
    korean_subject,
    predicate,
)
from toy_language.grammar.endings import STATEMENTS
from toy_language.grammar.function_words import DEGREES, NEGATING
from toy_language.grammar.lexicon import Entry, brought
from toy_language.grammar.noun_phrases import specific
from toy_language.grammar.phrases import (
    Loose,
    NounPhrase,
    Phrase,
    Word,
    loose,
    with_particle,
    words,
)
from toy_language.grammar.predicates import Chain
from toy_language.grammar.verbs import EnglishVerb, Verb, be

__all__ = ["describe", "exists", "identify", "locate"]

# "There is" and "is in the garden": 있다. Honored people are 계시다.
(_THERE,), (_MANY,) = brought("there"), brought("many")


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
    often: Phrase | None = None,
    gap: str = "",
) -> Phrase:
    """Say what something is like: the river was not very deep.

    Args:
        subject: a `NounPhrase`.
        adjective: a lexicon entry.
        tense: past, present or future.
        ending, cue, mark, gap, question: as in `clause`.
        negative: "", "not" or "n't".
        degree: "" or a key of `DEGREES`.
        often: always, often or sometimes.

    Returns:
        A `Phrase`.
    """
    how = words(degree)
    main = Word(adjective.english)
    shown = None if gap == "subject" else subject
    said, english = _say_be(
        shown, subject, tense, negative, often, [*how, main], question
    )
    if tense == "present" and ending in STATEMENTS:
        subject = specific(subject)
    if question:  # 강은 깊니?
        mark = mark or subject.mark
    korean = korean_subject(subject, ending, mark) if shown else []
    topic = len(korean)
    korean += often.korean if often else []
    korean += [(DEGREES[word.text], (word,)) for word in how]
    korean += predicate(
        Verb(adjective, tense, negative), said, subject, ending, cue
    )
    return Phrase(english, korean, topic=topic)


def _say_be(
    shown: NounPhrase | None,
    subject: NounPhrase,
    tense: str,
    negative: str,
    often: Phrase | None,
    complement: list[Word],
    question: bool,
) -> tuple[EnglishVerb, list[Word]]:
    """Put the forms of to be between a subject and what it is."""
    auxiliary, *helper = words(be(subject, tense))
    if negative == "n't":
        auxiliary.text += negative
    no = [Word("not")] if negative == "not" else []
    *others, main = complement
    said = EnglishVerb([auxiliary], no, helper + others, main, [])
    before = [often] if often else []
    return said, in_order(shown, said, before, [], question)


def identify(
    subject: NounPhrase,
    noun: NounPhrase,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
    mark: str = "",
    negative: str = "",
    question: bool = False,
) -> Phrase:
    """Say who somebody is: minsu is a student -> 민수는 학생이다.

    Args:
        subject, tense, ending, cue, mark, negative, question: as in
            `describe`; but not in the future, which is "become".
        noun: the `NounPhrase` after the verb.

    Returns:
        A `Phrase`.
    """
    said, english = _say_be(
        subject, subject, tense, negative, None, noun.english, question
    )
    if tense == "present" and ending in STATEMENTS:
        subject = specific(subject)
    korean = korean_subject(subject, ending, mark)
    topic = len(korean)
    is_ = tuple(said.auxiliary)
    what = [one for one in noun.korean if one[0] != "+들"]  # 학생이다
    chain = Chain(["+이"], "", "copula", is_, korean + what)
    if negative:
        chain.negate(tuple(said.negation) or is_)
    if subject.honored:
        chain.honor()
    closed = chain.close(
        tense, ending, is_, ending_links(ending, cue) or loose(is_)
    )
    return Phrase(english, closed, topic=topic)


def locate(
    subject: NounPhrase,
    place: Phrase,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
    mark: str = "",
    negative: str = "",
    gap: str = "",
    question: bool = False,
) -> Phrase:
    """Say where something is: the dog is in the garden.

    Args:
        subject, tense, ending, cue, mark, negative, gap, question: as in
            `clause` and `describe`.
        place: a `Phrase` whose Korean ends in 에.

    Returns:
        A `Phrase`.
    """
    shown = None if gap == "subject" else subject
    said, english = _say_be(
        shown, subject, tense, negative, None, place.english, question
    )
    said.main = said.auxiliary[0]
    korean = korean_subject(subject, ending, mark) if shown else []
    topic = len(korean)
    korean += place.korean
    korean += predicate(
        Verb(_THERE, tense, negative), said, subject, ending, cue
    )
    return Phrase(english, korean, topic=topic)


def exists(
    noun: NounPhrase,
    place: Phrase,
    tense: str,
    ending: str,
    cue: Sequence[Word] = (),
    negative: str = "",
    question: bool = False,
) -> Phrase:
    """Say that something is somewhere: 정원에 고양이 두 마리가 있다.

    "Many" and "no" are said by the verb: 책이 많다, 책이 없다.

    Args:
        noun: the `NounPhrase` that is there.
        place: a `Phrase` whose Korean ends in 에.
        tense, ending, cue, question: as in `describe`.
        negative: "" or "not".

    Returns:
        A `Phrase`.
    """
    there = Word("there")
    subject = NounPhrase([there], [], (there,), plural=noun.plural)
    quantity = noun.english[0]
    complement = noun.english + place.english
    said, english = _say_be(
        subject, subject, tense, negative, None, complement, question
    )
    said.main = said.auxiliary[0]
    verb = Verb(_THERE, tense, negative)
    thing = noun.korean
    if quantity.text == "many":
        thing = thing[1:]
        verb.entry, said.main = _MANY, quantity
    elif quantity.text in NEGATING:
        verb.negative, said.negation = "not", [quantity]
    marked = with_particle(replace(noun, korean=thing), "이")
    (token, links), *rest = predicate(verb, said, noun, ending, cue)
    korean = [*place.korean, *marked, (token, (*links, Loose(there))), *rest]
    return Phrase(english, korean)
