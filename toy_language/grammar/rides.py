"""Going somewhere on something: he took the bus to the zoo. Chapter 15."""

from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import brought
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.objects import BARE_GOALS
from toy_language.grammar.phrases import (
    Phrase,
    Token,
    loose,
    with_particle,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.tenses import time_of
from toy_language.grammar.verbs import Verb

__all__ = ["ride_to"]


def ride_to(scene: Scene) -> Phrase:
    """We took the bus to the zoo. -> 우리는 버스를 타고 동물원에 갔다."""
    subject = scene.definite(["person", "monkey", "bear", "cat"])
    public = scene.chance(0.5)
    kinds = ["public&vehicle", "ride"] if public else ["mount", "bike"]
    noun = scene.pick(kinds, "object")
    mount = scene.phrase(noun, plain=True)
    scene.pairs.add(("verb", "take" if public else "ride", noun.english))
    place = scene.pick(["goal"], "other", (subject.noun,))
    bare = bool(place.kinds & BARE_GOALS) and scene.chance(0.6)
    goal = noun_phrase(place, "") if bare else scene.the(place)
    if mount.plural or mount.noun is subject.noun:
        raise DeadEnd
    (go,) = brought("take" if public else "ride")
    verb = Verb(go, "past", object=goal)
    draw = scene.rng.random()
    if draw < 0.2:
        verb.tense = "future"
    elif draw < 0.4:
        verb.tense, verb.mood = "present", "want" if draw < 0.3 else "can"
    if verb.tense != "present" and scene.chance(0.4):
        verb.time = [time_of(scene, verb.tense)]
    made = clause(subject, verb, scene.style, scene.tail)
    to = made.english.index(goal.english[0]) - 1
    ride = made.english[to - 1]
    made.english[to:to] = mount.english
    riding: list[Token] = [("타", (ride,)), ("+고", loose([ride]))]
    at = made.korean.index(goal.korean[0])
    made.korean[at:at] = with_particle(mount, "을") + riding
    return made
