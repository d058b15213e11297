"""Clauses in both languages: subject-verb-object and subject-object-verb.

`clause` lines up what the module `phrases` built. English says subject,
often, verb, object, manner, place, time; Korean says subject, time, often,
place, person, object, manner, verb. Chapter 15 uses it.

The dog in "the dog is fast" is 그 개: where a statement in the present could
be meant of all dogs, 그 says that it is not. Elsewhere "the" shows in the
particle alone (개는), as "a" does (개가).
"""

from collections.abc import Sequence
from dataclasses import replace

from toy_language import JOINER
from toy_language.grammar.adjuncts import placed
from toy_language.grammar.endings import EMBEDDED, STATEMENTS
from toy_language.grammar.function_words import DEGREES, NEGATING
from toy_language.grammar.lexicon import load_lexicon
from toy_language.grammar.noun_phrases import specific
from toy_language.grammar.orders import korean_order
from toy_language.grammar.phrases import (
    END_MARK,
    Link,
    NounPhrase,
    Phrase,
    Token,
    Word,
    best_particle,
    loose,
    pronoun,
    with_particle,
)
from toy_language.grammar.predicates import korean_predicate
from toy_language.grammar.reflexive import to_oneself
from toy_language.grammar.verbs import EnglishVerb, Verb, english_verb

__all__ = [
    "clause",
    "ending_links",
    "in_order",
    "korean_subject",
    "order",
    "predicate",
]


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
        ending: the Korean ending, a name from `endings`.
        cue: the English Words that call for the ending.
        mark: the particle of the Korean subject; "" for the usual one.
        gap: "subject" or "object", left unsaid in a relative clause.
        question: whether English puts the auxiliary first.

    Returns:
        A `Phrase`.
    """
    verb = to_oneself(subject, verb)
    said = english_verb(verb, subject, question)
    thing = None if gap == "object" else verb.object
    before = [part for part in (verb.often, verb.degree) if part]
    after = _english_objects(verb, said.rest, thing)
    for part in verb.manner + verb.place + verb.time:
        after += part.english
    shown = None if gap == "subject" else subject
    english = in_order(shown, said, before, after, question)
    if thing and thing.english and thing.english[0].text in NEGATING:
        verb = replace(verb, negative="not")  # have no money: 돈이 없다
        said.negation = thing.english[:1]
    timeless = verb.tense == "present" and not verb.progressive
    if timeless and verb.mood != "going" and ending in STATEMENTS:
        subject = specific(subject)
        if thing and verb.entry.get("particle", "이") == "이":
            thing = specific(thing)
    if verb.entry.get("particle") == "이" and question and not gap:
        mark = mark or "은"  # 학생은 개가 있니? not 이 ... 가
    korean = korean_subject(subject, ending, mark) if shown else []
    topic = len(korean)
    korean += _korean_middle(verb, said.rest, thing)
    korean += predicate(verb, said, subject, ending, cue)
    return Phrase(english, _well_done(verb, korean), topic=topic)


def _well_done(verb: Verb, korean: list[Token]) -> list[Token]:
    """Say 수영을 잘하다 and 춤을 잘 추다, not 잘 수영하다."""
    if not any(part.korean[-1][0] in _CLOSE for part in verb.manner):
        return korean
    to_something = verb.object is not None
    at = next(i for i, one in enumerate(korean) if one[0] in _CLOSE)
    start = at - (korean[at - 1][0] in (*DEGREES.values(), "그렇게"))
    how, ((token, links), *rest) = korean[start : at + 1], korean[at + 1 :]
    if token[0] in _DO and to_something:  # 한국어를 잘한다
        return [*korean[:start], *how, (JOINER + token, links), *rest]
    if rest and rest[0][0] in ("+을", "+를"):  # 춤을 잘 춘다
        return [*korean[:start], (token, links), rest[0], *how, *rest[1:]]
    whole = to_something or verb.entry.get("whole")
    if rest and rest[0][0][1:2] in _DO and not whole:
        mark = (JOINER + best_particle(token, "을"), loose(links))
        return [*korean[:start], (token, links), mark, *how, *rest]
    return korean


_CLOSE = {one.korean for one in load_lexicon() if one.get("close")}
_DO = tuple("하한할합해했")


def order(
    verb: Verb, style: str, cue: Sequence[Word] = (), please: bool = False
) -> Phrase:
    """Tell somebody to do something: Do not open the door.

    Args:
        verb: a `Verb` with object and place.
        style, cue: as `ending` and `cue` in `clause`, for statements.
        please: whether English says so.

    Returns:
        A `Phrase`.
    """
    you = pronoun("you")
    said = english_verb(verb, you)
    asking = [Word("please")] * please
    after = _english_objects(verb, said.rest, verb.object)
    for part in verb.manner + verb.place + verb.time:
        after += part.english
    english = asking + in_order(None, said, [], after, False)
    korean = _korean_middle(verb, said.rest, verb.object)
    korean += korean_order(verb, said, style, cue, asking)
    return Phrase(english, _well_done(verb, korean))


def in_order(
    subject: NounPhrase | None,
    said: EnglishVerb,
    before: Sequence[Phrase],
    after: list[Word],
    question: bool,
) -> list[Word]:
    """Put an English clause in order."""
    english = list(subject.english) if subject else []
    if question:
        english = [*said.auxiliary[:1], *english, *said.auxiliary[1:]]
    else:
        english += said.auxiliary
    english += said.negation
    for part in before:
        english += part.english
    return [*english, *said.helper, said.main, *after]


def _english_objects(
    verb: Verb, rest: list[Word], thing: NounPhrase | None
) -> list[Word]:
    """Order object and recipient: gave the girl a book / a book to her."""
    if verb.goal:  # put the book on the table
        return [*(thing.english if thing else []), *rest, *verb.goal.english]
    english = [] if thing and thing.adverb else list(rest)
    target = thing.english if thing else []
    if verb.recipient is None:
        return english + target
    if verb.recipient_first:
        return english + verb.recipient.english + target
    return english + target + [Word("to")] + verb.recipient.english


def korean_subject(subject: NounPhrase, ending: str, mark: str) -> list[Token]:
    """Mark the subject: 은/는 in statements, 이/가 in questions and inside.

    In a question a pronoun stays the topic (너는, 그는), but not 내가.
    """
    if not subject.korean:  # it is cold
        return []
    if not mark:
        mark = subject.mark
        asked = ending.startswith(("ask", "guess"))
        topic = subject.pronoun and subject.person > 1
        if ending in EMBEDDED or (asked and not topic):
            mark = "이"
    return with_particle(subject, mark)


def predicate(
    verb: Verb,
    said: EnglishVerb,
    subject: NounPhrase,
    ending: str,
    cue: Sequence[Word],
) -> list[Token]:
    """Conjugate the Korean verb; its ending depends on the subject, too.

    About what will be, one asks 읽을 거니 of you, but 읽을까 of others, and of
    what one can or must do oneself.
    """
    tense = "future" if verb.mood == "going" else verb.tense
    unsure = tense == "future" and subject.person != 2
    unsure |= verb.mood in ("can", "must") and subject.person == 1
    if unsure and tense != "past" and ending.startswith("ask"):
        ending = ending.replace("ask", "guess")
    return korean_predicate(
        verb, said, ending, ending_links(ending, cue), subject.honored,
        subject.person,
    )  # fmt: skip


def ending_links(ending: str, cue: Sequence[Word]) -> tuple[Link, ...]:
    """Say what an ending is linked to besides the verb."""
    if ending == "adnominal":  # who and that have no word in Korean
        return loose(cue)
    inside = ending in EMBEDDED or ending in ("and", "both", "but")
    return tuple(cue) if inside else (*cue, END_MARK)


def _korean_object(
    verb: Verb, thing: NounPhrase, rest: list[Word]
) -> list[Token]:
    """Mark the object; the particle of "go to" translates the "to"."""
    name = verb.entry.get("particle")
    marked = with_particle(thing, name or "을")
    if name and rest and thing.english and not thing.adverb:
        marked[-1] = (marked[-1][0], (*rest, *loose(thing.head)))
    return marked


def _korean_middle(
    verb: Verb, rest: list[Word], thing: NounPhrase | None
) -> list[Token]:
    """Everything between subject and predicate, in Korean order."""
    tokens: list[Token] = []
    often = [verb.often] if verb.often else []
    for part in verb.time + often + verb.place:
        tokens += part.korean
    if verb.recipient:
        tokens += with_particle(verb.recipient, "에게")
    if thing and thing.korean:
        tokens += _korean_object(verb, thing, rest)
    if verb.goal:
        tokens += placed(rest, verb.goal, "에")
    if verb.degree:
        tokens += verb.degree.korean
    for part in verb.manner:  # 너무 빨리, but 그렇게 빨리 달리지 않았다
        said = {DEGREES["too"]: "그렇게"} if verb.negative else {}
        tokens += [(said.get(one, one), links) for one, links in part.korean]
    return tokens
