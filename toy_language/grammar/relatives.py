"""Relative clauses: the cat that the dog chased, 개가 쫓은 고양이.

Korean puts the clause before the noun and needs no word for "that".
Chapters 15 and 17 use it.
"""

from toy_language.grammar.being import describe, locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import (
    place_of,
)
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import (
    noun_phrase,
)
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.states import PASSING, degree_of
from toy_language.grammar.tenses import (
    choose_tense,
)
from toy_language.grammar.verbs import Verb

__all__ = ["related", "relative", "with_relative"]


def with_relative(
    head: NounPhrase, subject: NounPhrase, verb: Verb, gap: str
) -> NounPhrase:
    """Add a relative clause: the dog that chased the cat.

    Args:
        head: the `NounPhrase` it describes.
        subject: the subject inside, `head` itself if that is the gap.
        verb: the `Verb` inside.
        gap: "subject" or "object".

    Returns:
        A `NounPhrase`.
    """
    link = _link(head, gap)
    inner = clause(subject, verb, "adnominal", (link,), gap=gap)
    return _attach(head, link, inner)


def _link(head: NounPhrase, gap: str) -> Word:
    """Choose who or that."""
    person = head.noun is not None and "person" in head.noun.kinds
    return Word("who" if person and gap == "subject" else "that")


def _attach(head: NounPhrase, link: Word, inner: Phrase) -> NounPhrase:
    """Put the clause behind the English noun, before the Korean one."""
    return NounPhrase(
        head.english + [link] + inner.english,
        inner.korean + head.korean,
        head.head,
        head.noun,
        head.plural,
        head.person,
    )


def related(
    scene: Scene, noun: Entry, without: Entry | None, depth: int = 0
) -> NounPhrase:
    """Put a relative clause on a noun: the cat that the dog chased.

    Args:
        scene: the `Scene`.
        noun: the lexicon entry to describe.
        without: the verb of the main clause, not to be used again.
        depth: how many more relative clauses are nested inside.

    Returns:
        A `NounPhrase`.
    """
    if noun.word_class == "name" or "kin" in noun.kinds:
        raise DeadEnd
    head = noun_phrase(noun)
    draw = scene.rng.random()
    if scene.rich and not depth and draw < 0.12:
        return _being(scene, noun, head)
    if not depth and draw < 0.5:
        subject, verb = _object_relative(scene, noun, without)
        gap = "object"
    else:
        subject, gap = head, "subject"
        verb = _subject_relative(scene, noun, head, without, depth)
    if verb.entry.get("state"):
        verb.tense = "present"
    elif scene.rich and verb.tense == "past":
        _vary(scene, verb)
    if not verb.progressive and scene.chance(0.1):
        verb.negative = "not"
    return with_relative(head, subject, verb, gap)


def _vary(scene: Scene, verb: Verb) -> None:
    """Make it was sleeping, is sleeping or will sleep now and then."""
    draw = scene.rng.random()
    if draw < 0.12 and verb.entry.get("ing"):
        verb.progressive = True
        verb.tense = "present" if draw < 0.06 else "past"
    elif draw < 0.2:
        verb.tense = "future"


def _being(scene: Scene, noun: Entry, head: NounPhrase) -> NounPhrase:
    """Build the man who was tired, the book that is on the table."""
    link = _link(head, "subject")
    tense = "present" if scene.chance(0.5) else "past"
    if scene.chance(0.5):
        adjective = scene.adjective(noun)
        if adjective.english not in PASSING:
            tense = "present"  # 강했던 would be: not any more
        inner = describe(
            head, adjective, tense, "adnominal", (link,),
            degree=degree_of(scene) if scene.chance(0.4) else "", gap="subject",
        )  # fmt: skip
    else:
        place = place_of(scene, head, "에")
        inner = locate(head, place, tense, "adnominal", (link,), gap="subject")
    return _attach(head, link, inner)


def _subject_relative(
    scene: Scene,
    noun: Entry,
    head: NounPhrase,
    without: Entry | None,
    depth: int,
) -> Verb:
    """Choose what a noun did: the dog that chased the cat."""
    entries = scene.words.takers(noun, "subject")
    if depth:
        entries = [one for one in entries if _has_living(scene, one)]
    entry = scene.choose(entries)
    if entry is without or entry.get("inside") == "no":
        raise DeadEnd
    verb = Verb(entry)
    if depth:
        living = [one for one in _has_living(scene, entry) if one is not noun]
        inner = scene.choose(living)
        scene.pairs.add(("verb", entry.english, inner.english))
        verb.object = related(scene, inner, entry, depth - 1)
    elif entry.features["object"] != ["none"]:
        verb.object = scene.something(entry, head, plain=True)
    return verb


def _has_living(scene: Scene, verb: Entry) -> list[Entry]:
    """List the objects of a verb that can do something themselves."""
    nouns = scene.words.members(verb.features["object"], "object")
    return [
        noun
        for noun in nouns
        if noun.kinds & {"person", "animal"}
        and noun.word_class == "noun"
        and "kin" not in noun.kinds
    ]


def _object_relative(
    scene: Scene, noun: Entry, without: Entry | None
) -> tuple[NounPhrase, Verb]:
    """Choose who did what to a noun: the cat that the dog chased."""
    if noun.get("only") == "subject":
        raise DeadEnd
    entry = scene.choose(scene.words.takers(noun, "object"))
    if entry is without:
        raise DeadEnd
    if entry.get("humble") and noun.get("honor"):
        raise DeadEnd  # 여쭤본 선생님 is too rare to learn
    scene.pairs.add(("verb", entry.english, noun.english))
    selectors = entry.features["subject"]
    if "person" in selectors and scene.chance(0.35):
        return scene.pronoun(), Verb(entry)
    subject = scene.pick(selectors, "subject", (noun,))
    if noun.kinds & scene.words.avoided(subject):
        raise DeadEnd
    return scene.phrase(subject, plain=True), Verb(entry)


def relative(scene: Scene, depth: int = 0) -> Phrase:
    """The boy saw the dog that ... / The dog that ... slept / is white."""
    if not depth and scene.chance(0.3):
        return _relative_and_be(scene)
    frame = scene.rng.choice(("transitive", "transitive", "intransitive"))
    entry = scene.choose(scene.words.frames[frame])
    selectors = entry.features["subject"]
    verb = Verb(entry)
    if frame == "intransitive" or scene.chance(0.5):
        noun = scene.pick(selectors, "subject" if depth == 0 else "other")
        subject = related(scene, noun, entry, depth)
        if frame == "transitive":
            verb.object = scene.something(entry, subject, plain=True)
    else:
        subject = scene.somebody(selectors, plain=True)
        without = (subject.noun,)
        noun = scene.pick(entry.features["object"], "other", without)
        if noun.kinds & scene.words.avoided(subject.noun):
            raise DeadEnd
        scene.pairs.add(("verb", entry.english, noun.english))
        verb.object = related(scene, noun, entry, depth)
    choose_tense(scene, verb, simple=True)
    return clause(subject, verb, scene.style, scene.tail)


def _relative_and_be(scene: Scene) -> Phrase:
    """The cat that I saw is white. The book on the table is red."""
    noun = scene.pick(["animal", "person", "thing", "food", "vehicle"], "other")
    tense = "present" if scene.chance(0.6) else "past"
    subject = related(scene, noun, None)
    adjective = scene.adjective(noun)
    negative = "not" if scene.chance(0.15) else ""
    degree = "" if negative else degree_of(scene)
    return describe(
        subject, adjective, tense, scene.style, scene.tail, "", negative, degree
    )
