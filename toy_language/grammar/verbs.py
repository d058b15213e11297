"""Verbs as they are meant, and what English says of them.

English puts tense, mood and negation before the verb (did not cross, can
cross, wants to cross), Korean after it; the Korean half is in `predicates`.
Chapter 15 uses it.
"""

from dataclasses import dataclass, field

from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import NounPhrase, Phrase, Word, words

__all__ = ["EnglishVerb", "Verb", "be", "english_verb"]


@dataclass(slots=True)
class Verb:
    """How a verb is used: its entry, tense, and what goes with it.

    Attributes:
        entry: the lexicon entry.
        tense: past, present or future.
        negative: "", "not" or "n't".
        mood: "", "can", "must", "want", "have", "need" or "like" (to), or
            "going" (to), which is a future.
        progressive: is crossing, 건너고 있다.
        planned: "am going ... tomorrow", which is a present in Korean.
        perfect: has crossed, which is a past in Korean.
        able: False where "did not" means that it could not be done.
        object, recipient, recipient_first: gave the girl a book.
        goal: where a thing is put.
        often: always, often, sometimes.
        degree: "really" before a verb such as like.
        manner, place, time: what follows the object, in English order.
    """

    entry: Entry
    tense: str = "past"
    negative: str = ""
    mood: str = ""
    progressive: bool = False
    planned: bool = False
    perfect: bool = False
    able: bool = True
    object: NounPhrase | None = None
    recipient: NounPhrase | None = None
    recipient_first: bool = False
    goal: NounPhrase | None = None
    often: Phrase | None = None
    degree: Phrase | None = None
    manner: list[Phrase] = field(default_factory=list)
    place: list[Phrase] = field(default_factory=list)
    time: list[Phrase] = field(default_factory=list)


@dataclass(slots=True)
class EnglishVerb:
    """The English words of a verb, in the order of a statement.

    Attributes:
        auxiliary: what changes places with the subject in a question.
        negation: not.
        helper: want, have or going, and the word to after it.
        main: the verb itself.
        rest: its other words: to, up, on.
    """

    auxiliary: list[Word]
    negation: list[Word]
    helper: list[Word]
    main: Word
    rest: list[Word]


def english_verb(
    verb: Verb, subject: NounPhrase, question: bool = False
) -> EnglishVerb:
    """Inflect the English verb: did not cross, is going, wants to go.

    Args:
        verb: a `Verb`.
        subject: the `NounPhrase` it agrees with.
        question: whether an auxiliary is needed in any case.

    Returns:
        An `EnglishVerb`.
    """
    entry = verb.entry
    third = subject.person == 3 and not subject.plural
    support = bool(verb.negative) or question
    form = finite = _form(verb.tense, third, support)
    auxiliary, helper = "", ""
    if verb.mood in ("can", "must"):
        auxiliary, form = verb.mood, "base"
        if verb.mood == "can" and verb.tense == "past":
            auxiliary = "could"
    elif verb.mood == "going":
        auxiliary, helper, form = be(subject, "present"), "going to", "base"
    elif verb.progressive:
        auxiliary, form = be(subject, verb.tense), "ing"
    elif verb.perfect:
        auxiliary, form = "has" if third else "have", "done"
    elif verb.tense == "future":
        auxiliary, form = "will", "base"
    elif support:
        auxiliary = "did" if verb.tense == "past" else "do"
        if verb.tense == "present" and third:
            auxiliary = "does"
    if verb.mood in _HELPERS:
        helper, form = _HELPERS[verb.mood][finite] + " to", "base"
    if verb.negative == "n't":
        auxiliary += "n't"
    main, *rest = entry.english.split()
    return EnglishVerb(
        words(auxiliary),
        [Word("not")] if verb.negative == "not" else [],
        words(helper),
        Word((form == "ing" and entry.get("posture")) or entry.form(form)),
        words(" ".join(rest)),
    )


# Verbs with "to": mood -> form -> word.
_HELPERS = {
    "want": {"base": "want", "third": "wants", "past": "wanted"},
    "have": {"base": "have", "third": "has", "past": "had"},
    "need": {"base": "need", "third": "needs", "past": "needed"},
    "like": {"base": "like", "third": "likes", "past": "liked"},
}


def _form(tense: str, third: bool, support: bool) -> str:
    """Name the form of the first verb that is no auxiliary."""
    if support or tense == "future":
        return "base"
    if tense == "past":
        return "past"
    return "third" if third else "base"


def be(subject: NounPhrase, tense: str) -> str:
    """Return am, is, are, was, were or will be."""
    if tense == "future":
        return "will be"
    if tense == "past":
        return "were" if subject.plural else "was"
    if subject.plural:
        return "are"
    return "am" if subject.person == 1 else "is"
