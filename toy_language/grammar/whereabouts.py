"""Questions about where: where is the dog? where are you from?

Each function takes a `Scene` and an ending, and returns a `Phrase`. Chapter 15
uses them.
"""

from toy_language.grammar.adjuncts import position
from toy_language.grammar.being import locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.inquiries import asked_for, verb_of, wh_clause
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import (
    END_MARK,
    Loose,
    NounPhrase,
    Phrase,
    Token,
    Word,
    with_particle,
    words,
)
from toy_language.grammar.places import thing_place
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import action
from toy_language.grammar.tenses import held_at_any_time
from toy_language.grammar.verbs import Verb, be

__all__ = ["where", "where_from", "who_or_what_is_there"]


def where(scene: Scene, ending: str) -> Phrase:
    """Where is the dog? Where did he go? Where do you live?"""
    where = Word("where")
    asked = NounPhrase([], [("어디", (where,))], (where,), adverb=True)
    draw = scene.rng.random()
    if draw < 0.5:
        if scene.chance(0.5):
            subject = scene.definite(["thing", "fits"])
        else:
            subject = scene.definite(["person", "animal"])
        tense = "present" if scene.chance(0.7) else "past"
        place = Phrase([where], [("어디", (where,)), ("+에", (Loose(where),))])
        made = locate(subject, place, tense, ending, scene.tail, subject.mark,
                      question=True)  # fmt: skip
        made.english.remove(where)
    elif draw < 0.8:
        entry = scene.choose(scene.words.frames["going"])
        if entry.english not in ("go to", "live in", "stay at"):
            raise DeadEnd
        verb = verb_of(scene, entry)
        subject = scene.somebody(entry.features["subject"], True, known=True)
        if subject.generic and not held_at_any_time(verb):
            raise DeadEnd
        verb.object = asked
        made = wh_clause(scene, subject, verb, ending)
    else:
        made = _doing_where(scene, ending, where)
    made.english.insert(0, where)
    return made


def where_from(scene: Scene, ending: str) -> Phrase:
    """Where are you from? -> 너는 어디에서 왔니?"""
    where, preposition = words("where from")
    come = word_named(scene, "come from", "verb")
    subject = scene.definite(["person"])
    verb = Verb(come, object=asked_for("where", "어디"))
    made = wh_clause(scene, subject, verb, ending)
    is_, kept = Word(be(subject, "present")), (*scene.tail, END_MARK)
    korean: list[Token] = [
        (token, [Loose(is_), *(one for one in links if one in kept)])
        for token, links in made.korean[made.topic :]
    ]
    korean[:2] = [("어디", (where,)), ("+에서", (preposition,))]
    made.korean[made.topic :] = korean
    made.english = [where, is_, *subject.english, preposition]
    return made


def _doing_where(scene: Scene, ending: str, where: Word) -> Phrase:
    """(Where) did the dog sleep? -> 개가 어디에서 잤니?"""
    frame = scene.rng.choice(("transitive", "intransitive"))
    subject, verb = action(scene, frame, plain=True)
    if not verb.entry.get("where"):
        raise DeadEnd
    verb.negative, verb.time, verb.manner, verb.often = "", [], [], None
    korean: list[Token] = [("어디", (where,)), ("+에서", (Loose(where),))]
    verb.place = [Phrase([], korean)]
    return wh_clause(scene, subject, verb, ending)


def who_or_what_is_there(scene: Scene, ending: str) -> Phrase:
    """What is in the box? Who is in the room? -> 방에 누가 있니?"""
    person = scene.chance(0.4)
    word = Word("who" if person else "what")
    asked = NounPhrase(
        [word], [("누구" if person else "무엇", (word,))], (word,)
    )
    asked.mark = "이"
    if person:
        noun = scene.pick(["scene", "building"], "other")
        place = position(noun.get("at", "in"), noun_phrase(noun), "에")
    else:
        place = thing_place(scene, scene.pick(["fits"], "other"))
    tense = "present" if scene.chance(0.7) else "past"
    made = locate(asked, place, tense, ending, scene.tail)
    made.korean = made.korean[made.topic :]
    here = len(place.korean)
    made.korean[here:here] = with_particle(asked, "이")
    return made
