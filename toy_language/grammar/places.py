"""Sentences about where something is, and what there is somewhere.

Each function takes a `Scene` and returns a `Phrase`; those whose names begin
with "say" build statements and questions alike. Chapter 15 uses it.
"""

from toy_language.grammar.adjuncts import position
from toy_language.grammar.being import exists, locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import place_of
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.nouns import is_person
from toy_language.grammar.phrases import NounPhrase, Phrase, pronoun
from toy_language.grammar.scene import Scene
from toy_language.grammar.states import timed
from toy_language.tables import group

__all__ = ["existence", "location", "say_existence", "say_location",
           "thing_place"]  # fmt: skip


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
    return timed(scene, said, tense) if is_person(subject) else said


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
    if scene.chance(0.3):
        noun = scene.pick(["animal", "person", "fits", "food"], "other")
        place = place_of(scene, pronoun("it"), "에")
        if place.english[0].text in ("with", "by"):
            raise DeadEnd
    elif scene.chance(0.4):
        noun = scene.pick(["fits", "food", "furniture", "vehicle", "drink"],
                          "other")  # fmt: skip
        place = thing_place(scene, noun)
        if noun.english in group("off the street"):
            raise DeadEnd
        if noun.kinds & {"vehicle", "furniture"}:
            large = "vehicle" in noun.kinds
            places = group("place for cars" if large else "place for tables")
            where = scene.pick(places, "other")
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
