"""Sentences about what something is like; where it is is in `places`.

Each function takes a `Scene` and returns a `Phrase`; those whose names begin
with "say" build statements and questions alike. Chapter 15 uses it.
"""

from dataclasses import replace

from toy_language.grammar.adjuncts import adjunct
from toy_language.grammar.being import describe
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import often
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
    pointing,
    pronoun,
    with_particle,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.tenses import time_of
from toy_language.tables import group

__all__ = [
    "PASSING",
    "degree_of",
    "description",
    "say_quality",
    "timed",
]

DESCRIBED, PASSING = group("described"), group("passing")


def degree_of(scene: Scene) -> str:
    """Choose "", very, so, too or (in full) really."""
    draw = scene.rng.random()
    if draw < 0.55:
        return ""
    if draw < 0.75:
        return "very"
    if draw < 0.95 or not scene.rich:
        return "so" if draw < 0.87 else "too"
    return "really"


# -------------------------------------------------------- what it is like


def description(scene: Scene) -> Phrase:
    """The river is very deep. -> 그 강은 아주 깊다."""
    return say_quality(scene, scene.style)


def say_quality(scene: Scene, ending: str, question: bool = False) -> Phrase:
    """Say or ask what somebody or something is like."""
    draw = scene.rng.random()
    if scene.rich and scene.chance(0.04):
        return _for_whom(scene, ending, question)
    if scene.rich and not question and scene.chance(0.05):
        return _today(scene, ending)
    if scene.rich and draw < 0.3:
        subject, adjective = _nameless(scene, question)
    else:
        noun = scene.pick(DESCRIBED, "subject")
        adjective = scene.adjective(noun)
        subject = _described(scene, noun, adjective)
    negative = "" if question or not scene.chance(0.2) else "not"
    if negative and scene.rich and subject.person != 1 and scene.chance(0.25):
        negative = "n't"
    degree = "" if negative else degree_of(scene)
    if question and degree in ("so", "really"):
        degree = ""
    tense = "present" if scene.chance(0.6) else "past"
    generic = not subject.article and subject.plural and subject.mark == "은"
    if generic and len(subject.english) == 1 and not subject.pronoun:
        tense = "present"
    elif scene.rich and not question and not _copula(adjective):
        tense = "future" if scene.chance(0.05) else tense
    if tense == "future" and negative:
        negative = "not"
    repeated = scene.rich and not negative and not degree and tense != "future"
    repeated = repeated and scene.chance(0.08)
    said = describe(
        subject, adjective, tense, ending, scene.tail, "", negative, degree,
        question, often(scene) if repeated else None,
    )  # fmt: skip
    passing = adjective.english in PASSING and not repeated
    return timed(scene, said, tense) if passing else said


def _copula(adjective: Entry) -> bool:
    """Say whether it is a noun in Korean, with 이다: green."""
    return adjective.get("conjugates") == "copula"


def _today(scene: Scene, ending: str) -> Phrase:
    """The wind is strong today. -> 오늘 바람이 강하다."""
    noun = scene.pick(["weather", "element", "heaven", "sea", "beach", "park",
                       "room", "market"], "other")  # fmt: skip
    subject = replace(scene.the(noun), article=())  # 오늘 바람이, no 그
    adjective = scene.adjective(noun)
    tense = scene.rng.choice(("past", "present"))
    said = describe(
        subject, adjective, tense, ending, scene.tail, "이",
        degree=degree_of(scene),
    )  # fmt: skip
    names = ("today", "tonight") if tense == "present" else ("yesterday",)
    name = scene.choose((*names, "today"))
    entry = word_named(scene, name, "time")
    time = adjunct(entry.english, entry.korean)
    return Phrase(said.english + time.english, time.korean + said.korean)


def _for_whom(scene: Scene, ending: str, question: bool) -> Phrase:
    """It is too difficult for me. -> 그것은 나에게 너무 어렵다."""
    named = {one.english: one for one in scene.words.adjectives}
    if scene.chance(0.4):
        subject, adjective = pronoun("it"), named[scene.choose(group("for me"))]
    else:
        noun = scene.pick(
            [
                "text",
                "clothes",
                "task",
                "subject",
                "game",
                "class",
                "bag",
                "machine",
                "sport",
            ],
            "subject",
        )
        adjective = scene.adjective(noun)
        if adjective.english not in group("for me"):
            raise DeadEnd
        subject = scene.phrase(noun, plain=True, known=True)
    whom = scene.him()
    if scene.chance(0.4):
        whom = scene.the(scene.pick(["person"], "other"))
    if whom.honored:
        raise DeadEnd
    preposition = Word("for")
    tense = "present" if scene.chance(0.7) else "past"
    degree = "too" if scene.chance(0.5) and not question else ""
    said = describe(
        subject, adjective, tense, ending, scene.tail, degree=degree,
        question=question,
    )  # fmt: skip
    *korean, (mark, links) = with_particle(whom, "에게")
    told = [*korean, (mark, (preposition, *links))]
    said.english += [preposition, *whom.english]
    said.korean[said.topic : said.topic] = told
    return said


def timed(scene: Scene, said: Phrase, tense: str) -> Phrase:
    """Say when, now and then: i was sick yesterday, i am busy today."""
    if not scene.rich or scene.chance(0.75):
        return said
    if tense == "present":
        today = [
            one
            for one in scene.words.by_class["time"]
            if one.english in ("now", "today")
        ]
        entry = scene.choose(today)
        time = adjunct(entry.english, entry.korean)
    else:
        time = time_of(scene, tense)
    said.english += time.english
    said.korean[said.topic : said.topic] = time.korean
    return said


def _described(scene: Scene, noun: Entry, adjective: Entry) -> NounPhrase:
    """Build the noun phrase that is described; "a" would mean all."""
    if not scene.rich:
        plural = scene.chance(0.1) and scene.counted(noun)
        names = ("the", "the", "the", "this", "my")
        name = scene.rng.choice(names)
        if plural or (name == "my" and not scene.ownable(noun)):
            name = "the"
        return noun_phrase(noun, name, plural=plural, humble=scene.humble)
    if scene.chance(0.1) and not (
        noun.word_class == "name" or noun.kinds & {"kin", "meal", "unique"}
    ):
        return scene.special(noun)
    if scene.chance(0.2) and scene.counted(noun):
        lasting = adjective.english not in group("temporary")
        determiner = "" if lasting and scene.chance(0.6) else "the"
        return noun_phrase(noun, determiner, plural=True)
    if scene.chance(0.1) and scene.counted(noun):
        determiner = scene.rng.choice(("this", "that", "these", "those"))
        return noun_phrase(noun, determiner)
    return scene.phrase(noun, plain=True, known=True, bare=True)


def _nameless(scene: Scene, question: bool) -> tuple[NounPhrase, Entry]:
    """Choose a pronoun, or this or that, with an adjective for it."""
    adjectives = scene.words.adjectives
    if scene.chance(0.7):
        subject, of = scene.pronoun(), {"person", "adult", "elder"}
        if subject.person == 1 or question and subject.person == 2:
            of.add("feeling")  # i am cold, are you cold?
        about = [
            one
            for one in adjectives
            if of & {*one.features["of"]} and one.get("use") != "before"
        ]
        return subject, scene.choose(about)
    named = {one.english: one for one in adjectives if not one.get("weather")}
    adjective = named[scene.choose(group("of it"))]
    if scene.chance(0.6):
        return pronoun("it"), adjective
    return pointing(scene.rng.choice(("this", "that"))), adjective
