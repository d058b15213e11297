"""Sentences about what something is, what it is like and where it is.

Each function takes a `Scene` and returns a `Phrase`; those whose names begin
with "say" build statements and questions alike. Chapter 15 uses it.
"""

from transformer_lib.grammar.adjuncts import adjunct, position
from transformer_lib.grammar.being import describe, exists, locate
from transformer_lib.grammar.chance import DeadEnd
from transformer_lib.grammar.circumstances import (
    often,
    place_of,
)
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.noun_phrases import (
    noun_phrase,
)
from transformer_lib.grammar.nouns import is_person
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Phrase,
    pointing,
    pronoun,
)
from transformer_lib.grammar.scene import Scene
from transformer_lib.grammar.tenses import time_of

__all__ = [
    "PASSING",
    "degree_of",
    "description",
    "existence",
    "location",
    "say_location",
    "say_quality",
]

DESCRIBED = ["person", "animal", "thing", "place", "food", "vehicle", "climb",
             "drink", "text", "flower", "dish", "weather", "heaven", "idea",
             "infant", "opens", "beverage", "event", "subject",
             "sport", "wind"]  # fmt: skip
# What "it" can be like without telling what it is.
OF_IT = ("big", "small", "fast", "slow", "strong", "dangerous", "long",
         "short", "high", "deep", "old", "heavy", "light", "expensive",
         "cheap", "difficult", "easy", "dirty", "clean", "beautiful", "pretty",
         "cute", "red", "blue", "yellow", "white", "black", "good", "bad",
         "important", "interesting", "boring", "strange", "delicious",
         "sweet", "safe")  # fmt: skip
# What one may be today and not tomorrow.
PASSING = set(
    "tired hungry thirsty sick sleepy busy free angry sad happy lonely quiet "
    "cold hot".split()
)
# What holds for a time only: nobody says "elephants are tired".
TEMPORARY = set(
    "tired hungry thirsty sick sleepy old young dirty clean cold hot warm "
    "cool busy free angry sad happy lonely poor rich new good bad dark "
    "expensive cheap healthy weak red blue yellow white black green "
    "strange".split()
)


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
    if scene.rich and draw < 0.3:
        subject, adjective = _nameless(scene)
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
    elif scene.rich and not question and adjective.english != "green":
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
    return _timed(scene, said, tense) if passing else said


def _timed(scene: Scene, said: Phrase, tense: str) -> Phrase:
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
    if scene.chance(0.2) and scene.counted(noun):
        lasting = adjective.english not in TEMPORARY
        determiner = "" if lasting and scene.chance(0.6) else "the"
        return noun_phrase(noun, determiner, plural=True)
    if scene.chance(0.1) and scene.counted(noun):
        determiner = scene.rng.choice(("this", "that", "these", "those"))
        return noun_phrase(noun, determiner)
    return scene.phrase(noun, plain=True, known=True, bare=True)


def _nameless(scene: Scene) -> tuple[NounPhrase, Entry]:
    """Choose a pronoun, or this or that, with an adjective for it."""
    adjectives = scene.words.adjectives
    if scene.chance(0.7):
        about = [
            one
            for one in adjectives
            if {"person", "adult", "elder"} & set(one.features["of"])
            and one.get("use") != "before"
        ]
        return scene.pronoun(), scene.choose(about)
    named = {one.english: one for one in adjectives if not one.get("weather")}
    adjective = named[scene.choose(OF_IT)]
    if scene.chance(0.6):
        return pronoun("it"), adjective
    return pointing(scene.rng.choice(("this", "that"))), adjective


# --------------------------------------------------------------- where it is


def location(scene: Scene) -> Phrase:
    """The dog is in the garden. -> 개는 정원에 있다."""
    return say_location(scene, scene.style)


def say_location(scene: Scene, ending: str, question: bool = False) -> Phrase:
    """Say or ask whether somebody or something is somewhere."""
    draw = scene.rng.random()
    if draw < 0.4:
        noun = scene.pick(["fits", "thing"], "subject")
        it = scene.chance(0.12)
        subject = pronoun("it") if it else scene.phrase(noun, known=True)
        place = thing_place(scene, noun)
    elif draw < 0.5:
        buildings = ["public&building", "house", "castle"]
        noun = scene.pick(buildings, "other")
        other = scene.pick([*buildings, "park", "river"], "other", (noun,))
        own = noun.get("our") and scene.chance(0.5)
        subject = scene.owned(noun) if own else noun_phrase(noun)
        side = scene.rng.choice(("near", "next to", "behind", "in front of"))
        place = position(side, noun_phrase(other), "에")
    else:
        subject = scene.somebody(["person", "animal"])
        place = place_of(scene, subject, "에")
    tense = scene.rng.choice(("present", "present", "present", "past"))
    negative = "not" if scene.chance(0.15) and not question else ""
    said = locate(
        subject, place, tense, ending, scene.tail, "", negative, "", question
    )
    return _timed(scene, said, tense) if is_person(subject) else said


def thing_place(scene: Scene, noun: Entry) -> Phrase:
    """Build on the table, under the bed, in the box, next to the lamp."""
    preposition = scene.rng.choice(
        ("on", "on", "in", "in", "under", "next to", "behind", "near",
         "in front of")
    )  # fmt: skip
    kinds = ["furniture"]
    if preposition == "in":
        small = "fits" in noun.kinds
        kinds = ["container", "room"] if small else ["room", "house", "garden"]
    elif preposition in ("next to", "behind", "near", "in front of"):
        kinds = ["furniture", "opens", "lamp", "tree"]
    place = scene.pick(kinds, "other", (noun,))
    return position(preposition, noun_phrase(place), "에")


def existence(scene: Scene) -> Phrase:
    """There are two cats in the garden. -> 정원에 고양이 두 마리가 있다."""
    return say_existence(scene, scene.style)


def say_existence(scene: Scene, ending: str, question: bool = False) -> Phrase:
    """Say or ask whether there is something somewhere."""
    if scene.chance(0.4):
        noun = scene.pick(["fits", "food", "furniture", "vehicle", "drink"],
                          "other")  # fmt: skip
        place = thing_place(scene, noun)
        if noun.english in ("ship", "plane", "train", "subway"):
            raise DeadEnd
        if noun.kinds & {"vehicle", "furniture"}:
            indoors = ["room", "classroom", "office", "house", "kitchen"]
            outdoors = ["street", "park", "school", "hospital", "station"]
            large = "vehicle" in noun.kinds
            where = scene.pick(outdoors if large else indoors, "other")
            at = where.get("at", "in")
            place = position(at, noun_phrase(where), "에")
    else:
        where = scene.pick(["scene", "tree", "water"], "other")
        inside = where.kinds & {"building", "shop"}
        kinds = ["person"] if inside else ["land", "bird", "flower"]
        if "water" in where.kinds:
            kinds = ["sea animal", "duck"]
        noun = scene.pick(kinds, "other")
        side = "under" if "tree" in where.kinds else where.get("at", "in")
        if scene.chance(0.2) and "water" not in where.kinds:
            side = scene.rng.choice(("near", "behind", "in front of"))
        place = position(side, noun_phrase(where), "에")
    thing = _indefinite(scene, noun, question)
    if scene.chance(0.1):  # there is no milk
        place = Phrase([], [])
    tense = "past" if scene.chance(0.3) else "present"
    return exists(thing, place, tense, ending, scene.tail, "", question)


def _indefinite(scene: Scene, noun: Entry, question: bool) -> NounPhrase:
    """Build a cat, two cats, many cats, some cats, no cats."""
    if noun.word_class == "name" or noun.kinds & {"kin", "unique"}:
        raise DeadEnd
    draw = scene.rng.random()
    adjectives = [scene.adjective(noun, before=True)] * scene.chance(0.12)
    if noun.kinds & {"mass", "plural"}:
        name = "no" if draw < 0.25 and not question else "some"
        if "plural" in noun.kinds:
            name = "no" if name == "no" else ""
        return noun_phrase(noun, name, adjectives)
    if draw < 0.35 or question:
        return noun_phrase(noun, "a", adjectives)
    if draw < 0.65:
        number = scene.rng.randint(1, 10)
        return noun_phrase(noun, "", adjectives, number)
    if draw < 0.9:
        name = "many" if draw < 0.8 else "some"
        return noun_phrase(noun, name, adjectives)
    return noun_phrase(noun, "no", adjectives, plural=True)
