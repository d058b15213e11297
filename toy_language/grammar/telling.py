"""One clause about a subject that is given: what it is like, does, can do.

`tell` is what sentences of two clauses are made of: the same subject may be
taken up by a pronoun, and the ending says how the clause is joined. Chapter
15 uses it.
"""

from collections.abc import Sequence

from toy_language.grammar.being import describe, identify, locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import (
    add_manner,
    often,
    place_of,
)
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.nouns import is_person
from toy_language.grammar.phrases import NounPhrase, Phrase, Word
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import add_objects
from toy_language.grammar.states import degree_of
from toy_language.grammar.tenses import UNWANTED, time_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = ["FORMS", "doing", "tell"]

# What can be told; a name with "not" in it is a negative one.
FORMS = ("like", "not like", "is", "is not", "can", "can not", "wants",
         "does not want", "does", "does not", "did", "did not", "is doing",
         "has to", "will", "is there")  # fmt: skip
MOODS = {"can": "can", "can not": "can", "wants": "want",
         "does not want": "want", "has to": "have"}  # fmt: skip
TENSES = {"did": "past", "did not": "past", "will": "future"}


def tell(
    scene: Scene,
    subject: NounPhrase,
    form: str,
    ending: str,
    cue: Sequence[Word] = (),
    mark: str = "",
    degree: str | None = None,
) -> Phrase:
    """Say something about a subject.

    Args:
        scene: the `Scene`.
        subject: a `NounPhrase`; one without Korean is left unsaid there.
        form: one of `FORMS`.
        ending, cue, mark: as in `clause`.
        degree: of an adjective; None for a random one.

    Returns:
        A `Phrase`.
    """
    negative = "not" if "not" in form else ""
    if form in ("like", "not like"):
        adjective = quality(scene, subject)
        if degree is None:
            degree = "" if negative else degree_of(scene)
        return describe(
            subject, adjective, "present", ending, cue, mark, negative, degree
        )
    if form in ("is", "is not"):
        what = _what(scene, subject, negative)
        return identify(subject, what, "present", ending, cue, mark, negative)
    if form == "is there":
        place = place_of(scene, subject, "에")
        return locate(subject, place, "present", ending, cue, mark)
    verb = doing(scene, subject, form)
    verb.negative = negative
    return clause(subject, verb, ending, cue, mark)


def quality(scene: Scene, subject: NounPhrase) -> Entry:
    """Choose an adjective for a subject."""
    if subject.noun:
        return scene.adjective(subject.noun)
    person = subject.english[0].text != "it"
    of = {"person", "adult"} if person else {"animal"}
    of |= {"feeling"} if subject.person == 1 else set()
    return scene.choose(
        [
            one
            for one in scene.words.adjectives
            if of & set(one.features["of"]) and one.get("use") != "before"
        ]
    )


def _what(scene: Scene, subject: NounPhrase, no: str) -> NounPhrase:
    """Choose what somebody is: a doctor, my friend; an animal, a bird."""
    if not is_person(subject):
        kinds = subject.noun.kinds if subject.noun else {"animal"}
        if "animal" not in kinds:
            raise DeadEnd
        what = _beast(scene, subject, no)
    elif subject.generic:
        raise DeadEnd
    else:
        what = scene.pick(["job", "teacher"], "other", (subject.noun,))
        if subject.person == 3 and not subject.plural and scene.chance(0.3):
            kin = scene.pick(["kin", "friend"], "other", (subject.noun,))
            says = subject.noun.get("says") if subject.noun else ""
            if kin.get("says") and kin.get("says") != says:
                raise DeadEnd
            return scene.owned(kin)
    adjectives = [scene.adjective(what, before=True)] * scene.chance(0.25)
    if subject.plural:
        return noun_phrase(what, "", adjectives, plural=True)
    return noun_phrase(what, "a", adjectives)


def _beast(scene: Scene, subject: NounPhrase, no: str) -> Entry:
    """Choose what an animal is, or is not: an animal, a fish, a bird."""
    if no:
        return scene.pick(group("beast"), "other", (subject.noun,))
    kinds = subject.noun.kinds if subject.noun else frozenset()
    name = "bird" if kinds & {"raptor", "duck"} else "animal"
    return word_named(scene, name)


def doing(scene: Scene, subject: NounPhrase, form: str) -> Verb:
    """Choose what a subject does, can do, wants to do.

    Args:
        scene: the `Scene`.
        subject: a `NounPhrase`.
        form: one of `FORMS`, or "any" for the present of any verb.

    Returns:
        A `Verb`, with its object and perhaps an adverb; not negated yet.
    """
    doer = subject.noun or next(
        noun
        for noun in scene.words.nouns
        if noun.english
        == ("person" if subject.english[0].text != "it" else "animal")
    )
    frame = "going" if scene.chance(0.2) else "transitive"
    if frame == "going":
        entries = [
            verb
            for verb in scene.words.frames["going"]
            if doer.is_one_of(verb.features["subject"])
        ]
    else:
        entries = scene.words.takers(doer, "subject")
        if form == "can not" and scene.chance(0.15):
            entries = scene.words.frames["intransitive"]  # i can not fly
        if "person" not in doer.kinds and scene.chance(0.1):
            entries = [  # a pig that can read
                verb
                for verb in scene.words.frames["transitive"]
                if "person" in verb.features["subject"]
            ]
    entry = scene.choose(entries)
    state = bool(entry.get("state"))
    verb = Verb(entry, TENSES.get(form, "present"), mood=MOODS.get(form, ""))
    habit = entry.get("habit") or state
    unfit = {
        "does": not habit, "does not": not habit,
        "is doing": not entry.get("ing") or bool(entry.get("trip")),
        "any": bool(entry.get("trip")),
    }.get(form, state)  # fmt: skip
    if unfit or (verb.mood and entry.english in UNWANTED):
        raise DeadEnd
    past = entry.form("past") == entry.form("base")
    if form in ("does", "any") and (past or entry.english in group("once")):
        raise DeadEnd  # "i read books" is told of the past
    wishes = {"person", "animal"} & doer.kinds and subject.person != 2
    if verb.mood == "want" and not wishes:
        raise DeadEnd
    verb.progressive = form == "is doing"
    intransitive = entry.features["object"] == ["none"]
    add_objects(
        scene, verb, subject, "intransitive" if intransitive else frame, True
    )
    if verb.object and verb.object.english[0].text in ("no", "some"):
        raise DeadEnd
    if scene.chance(0.25):
        add_manner(scene, verb, subject)
    if form == "does" and not (state or verb.manner):
        if scene.chance(0.5):
            verb.often = often(scene)
        elif not subject.generic:
            verb.time = [time_of(scene, "habit")]
    return verb
