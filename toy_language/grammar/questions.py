"""Questions.

A question keeps the order of the words in Korean: what one asks for stands
where the answer would. Each function takes a `Scene` and returns a `Phrase`.
Chapter 15 uses it.
"""

from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.characters import who_is_described
from toy_language.grammar.choices import (
    can_i,
    either_or,
    how_many_there,
    how_much,
    how_there,
    where_put,
    why_so,
)
from toy_language.grammar.clauses import clause
from toy_language.grammar.function_words import DEGREES
from toy_language.grammar.habits import perfect_asked
from toy_language.grammar.identities import say_identity
from toy_language.grammar.inquiries import (
    asked_for,
    front,
    how,
    verb_of,
    wh_clause,
    who_or_what_is,
)
from toy_language.grammar.lexicon import brought
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
)
from toy_language.grammar.places import say_existence, say_location
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import action
from toy_language.grammar.states import PASSING, say_quality
from toy_language.grammar.tenses import (
    held_at_any_time,
    time_of,
)
from toy_language.grammar.verbs import Verb
from toy_language.grammar.weather import weather_asked
from toy_language.grammar.whereabouts import (
    where,
    where_from,
    who_or_what_is_there,
)
from toy_language.tables import group

__all__ = ["question"]


def question(scene: Scene) -> Phrase:
    """Ask: did the boy read? who read? where is the dog? why did he cry?"""
    scene.end = "?"
    ask = scene.rng.choices(*zip(*_ASKED, strict=True))[0]
    return ask(scene, "ask-" + scene.style)


# ------------------------------------------------------------------ yes or no


def _yes_or_no(scene: Scene, ending: str) -> Phrase:
    """Did the boy read the book? -> 소년이 책을 읽었니?"""
    frame = scene.rng.choice(("transitive", "intransitive", "going", "giving"))
    subject, verb = action(scene, frame)
    verb.negative = ""
    if subject.person == 1 and verb.mood == "want":
        raise DeadEnd
    return clause(subject, verb, ending, scene.tail, question=True)


def _is_it(scene: Scene, ending: str) -> Phrase:
    """Is the river deep? Is he a doctor? Is there a cat in the room?"""
    draw = scene.rng.random()
    if draw < 0.4:
        return say_quality(scene, ending, question=True)
    if draw < 0.6:
        return say_identity(scene, ending, question=True)
    if draw < 0.75:
        return say_location(scene, ending, question=True)
    if draw < 0.85:
        return weather_asked(scene, ending)
    return say_existence(scene, ending, question=True)


# -------------------------------------------------------------- w-questions


def _who(scene: Scene, ending: str) -> Phrase:
    """Who read the book? -> 누가 책을 읽었니?"""
    word = Word("who")
    subject = NounPhrase([word], [("누구", (word,))], (word,))
    frame = scene.rng.choice(("transitive", "transitive", "intransitive"))
    entry = scene.choose(
        [
            verb
            for verb in scene.words.frames[frame]
            if "person" in verb.features["subject"]
        ]
    )
    verb = verb_of(scene, entry)
    if verb.mood == "want":
        raise DeadEnd
    if frame == "transitive":
        verb.object = scene.something(entry, subject, plain=True)
    return clause(subject, verb, ending, scene.tail)


def _whom_or_what(scene: Scene, ending: str) -> Phrase:
    """What did the boy read? Who do you like?"""
    entry = scene.choose(scene.words.frames["transitive"])
    unclear = scene.words.unclear[entry.english]
    nouns = scene.words.members(entry.features["object"], "object")
    person = "person" in nouns[0].kinds
    if nouns[0].kinds & {"animal", "infant", "group"}:
        raise DeadEnd
    what = "person" if person else "it"
    if what in unclear or entry.english in group("not what"):
        raise DeadEnd
    asked = asked_for("who", "누구") if person else asked_for("what", "무엇")
    verb = verb_of(scene, entry)
    subject = scene.somebody(entry.features["subject"], plain=True, known=True)
    if subject.generic and not held_at_any_time(verb):
        raise DeadEnd
    verb.object = asked
    made = wh_clause(scene, subject, verb, ending)
    return front(asked, made)


def _what_done(scene: Scene, ending: str) -> Phrase:
    """What are you doing? -> 너는 무엇을 하고 있니?"""
    (entry,) = brought("do")
    what = asked_for("what", "무엇")
    verb = Verb(entry, object=what)
    verb.tense = scene.rng.choice(("past", "present", "future"))
    verb.progressive = verb.tense == "present"
    subject = scene.somebody(["person"], plain=True)
    if verb.tense != "present" and scene.chance(0.5):
        verb.time = [time_of(scene, verb.tense)]
    made = wh_clause(scene, subject, verb, ending)
    return front(what, made)


def _when_or_why(scene: Scene, ending: str) -> Phrase:
    """When did she come? Why are you sad?"""
    why = scene.chance(0.55)
    asked = Word("why" if why else "when")
    token: Token = ("왜" if why else "언제", (asked,))
    if why and scene.chance(0.5):
        made = say_quality(scene, ending, question=True)
        if made.english[-1].text not in PASSING or any(
            word.text in DEGREES for word in made.english
        ):
            raise DeadEnd
    else:
        frame = scene.rng.choice(("transitive", "intransitive", "going"))
        subject, verb = action(scene, frame, plain=True)
        verb.negative, verb.time, verb.often = "", [], None
        if not why and (verb.entry.get("state") or verb.progressive):
            raise DeadEnd
        made = wh_clause(scene, subject, verb, ending)
    made.english.insert(0, asked)
    made.korean.insert(made.topic, token)
    return made


_ASKED = (
    (_yes_or_no, 30), (_is_it, 22), (_who, 8), (_whom_or_what, 9),
    (_what_done, 4), (where, 12), (_when_or_why, 9), (who_or_what_is, 7),
    (who_or_what_is_there, 4), (where_from, 1),
    (how, 9), (either_or, 3), (how_there, 4), (why_so, 3), (where_put, 2),
    (can_i, 4), (how_many_there, 2), (how_much, 2), (who_is_described, 3),
    (perfect_asked, 3),
)  # fmt: skip
