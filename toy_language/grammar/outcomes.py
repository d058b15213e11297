"""So, and more reasons: what follows from what something is like.

    I was hungry, so I ate.                   나는 배고파서 먹었다.
    I cried because the movie was so sad.     영화가 무척 슬퍼서 나는 울었다.
    I am too tired to study.                  나는 너무 피곤해서 공부할 수 없다.

The Korean of "so" is that of "because". Chapter 15 uses this module.
"""

from dataclasses import replace

from toy_language.grammar.because import hinders, rows
from toy_language.grammar.being import describe
from toy_language.grammar.causes import (
    because,
    degree_of_reason,
    refer,
    resumed,
)
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import add_manner
from toy_language.grammar.clauses import clause
from toy_language.grammar.conditions import (
    FEELINGS,
    IF_SO,
    feelings,
    in_sense,
)
from toy_language.grammar.contrasts import different
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.motives import (
    OUTDOORS,
    PEOPLE_AS_THINGS,
    adjective_for,
    person_action,
    taken_up,
)
from toy_language.grammar.noun_phrases import specific
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
    relinked,
)
from toy_language.grammar.reasons import reasons
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import retell
from toy_language.grammar.telling import tell
from toy_language.grammar.verbs import Verb
from toy_language.grammar.weather import weather_reason
from toy_language.tables import group, read_table

__all__ = ["because_of_it", "because_other", "so", "too_to"]

# What something is like; what one does for it; what one does not, or can not.
WHY = read_table("reasons.tsv", "nouns, adjectives, done, left", "why")
# Why one likes something, or does not.
LIKES = {
    row["verb"]: row.words("adjectives")
    for row in read_table("reasons.tsv", "verb, adjectives", "likes")
}
TOO = feelings("too")  # what one is too much of for what


def so(scene: Scene) -> Phrase:
    """The kitchen was dirty , so i cleaned it. I was tired , so i slept."""
    draw = scene.rng.random()
    if draw < 0.35:
        return _dealt_with(scene)
    if draw < 0.6:
        return _so_himself(scene)
    link = Word("so")
    main, reason = _other(scene, link)
    return _so(scene, main, reason, link)


def _so(scene: Scene, main: Phrase, reason: Phrase, link: Word) -> Phrase:
    """Join a reason and what follows, in this order in both languages."""
    comma = [Word(",")] * scene.chance(0.75)
    english = [*reason.english, *comma, link, *main.english]
    return Phrase(english, reason.korean + main.korean)


def because_other(scene: Scene) -> Phrase:
    """I cried because the movie was sad; i am lonely because tom left."""
    link = Word("because")
    if scene.chance(0.5):
        main, reason = _other(scene, link)
    else:
        main, reason = _felt(scene, link)
    return because(main, reason, link, False, scene.chance(0.2))


def _other(scene: Scene, link: Word) -> tuple[Phrase, Phrase]:
    """Say what a person did, and what made him: the movie was sad."""
    past = scene.chance(0.65)
    if past and scene.chance(0.25):
        subject, verb = person_action(scene, OUTDOORS)
        reason = weather_reason(scene, link, bad=False)
    else:
        why = scene.choose(WHY)
        noun = scene.pick(why.words("nouns"), "other")
        happened = scene.chance(0.5)
        deeds = why.words("done" if happened else "left")
        subject, verb = person_action(scene, deeds)
        retell(verb, subject, "past")
        if not happened:
            verb.negative, verb.mood = "not", "can"
            if past and scene.chance(0.6):
                verb.mood = ""
        elif not past:
            verb.tense = "future"
        if not past and not happened:
            verb.tense = "present"
        if happened and scene.chance(0.25):
            add_manner(scene, verb, subject)
        what = scene.phrase(noun, plain=True, known=True)
        if "person" in noun.kinds and scene.chance(0.4):
            what = scene.pronoun()
            if what.person == subject.person:
                raise DeadEnd
        if noun is subject.noun or _about(verb, noun) or what.generic:
            raise DeadEnd
        name = scene.choose(why.words("adjectives"))
        adjective = adjective_for(scene, name, what)
        reason = describe(
            what, adjective, "past" if past else "present", "because", (link,),
            degree=degree_of_reason(scene, happened),
        )  # fmt: skip
    return clause(subject, verb, scene.style, scene.tail), reason


def _about(verb: Verb, noun: Entry) -> bool:
    """Say whether a verb has this noun for an object."""
    return verb.object is not None and verb.object.noun is noun


def _felt(scene: Scene, link: Word) -> tuple[Phrase, Phrase]:
    """Say how somebody feels, and what somebody else does."""
    subject = scene.definite(["person"])
    feeling = adjective_for(scene, scene.choose(group("feeling")), subject)
    main = describe(
        subject, feeling, "present", scene.style, scene.tail,
        degree=degree_of_reason(scene, True),
    )  # fmt: skip
    other = scene.definite(["person", "animal"])
    if other.noun is subject.noun or "him" in other.english[0].text:
        raise DeadEnd
    form = scene.choose(("like", "can not", "does", "does not", "did", "did",
                         "is doing", "does not want", "is there"))  # fmt: skip
    reason = tell(scene, other, form, "because", (link,))
    different(main, reason)
    return main, reason


def _so_himself(scene: Scene) -> Phrase:
    """I was hungry , so i ate. -> 나는 배고파서 먹었다."""
    link, name = Word("so"), scene.choose(sorted(IF_SO))
    subject, verb = person_action(scene, IF_SO[name])
    past = scene.chance(0.6)
    retell(verb, subject, "past" if past else "future")
    if not past and scene.chance(0.5):
        verb.tense, verb.mood = "present", "want"
    adjective = adjective_for(scene, name, subject)
    known = subject if past else specific(subject)
    reason = describe(
        known, adjective, "past" if past else "present", "because", (link,),
        "은", degree=degree_of_reason(scene, True),
    )  # fmt: skip
    again = resumed(subject, taken_up(subject))
    refer(reason, again)
    main = clause(again, verb, scene.style, scene.tail)
    return _so(scene, main, reason, link)


def _thing_done(scene: Scene, rule: str) -> tuple[Entry, Entry, Entry, bool]:
    """Choose a verb, a thing, what it is like, and whether it was done."""
    name, _, kinds, explains = scene.choose(rows(rule))
    happened = scene.chance(0.6)
    noun = scene.pick(kinds, "other", (), PEOPLE_AS_THINGS | {"person"})
    adjective = reasons(scene.words.preset).about(
        scene.choose(explains[happened, "object"]), noun
    )
    entry = _verb(scene, name, noun)
    if adjective is None:
        raise DeadEnd
    return entry, noun, adjective, happened


def _verb(scene: Scene, name: str, noun: Entry) -> Entry:
    """Find the verb of that name that takes a noun."""
    return scene.choose(
        [
            verb
            for verb in scene.words.verbs
            if verb.english == name and noun.is_one_of(verb.features["object"])
            and "person" in verb.features["subject"]
        ]
    )  # fmt: skip


def _dealt_with(scene: Scene) -> Phrase:
    """The kitchen was dirty , so i cleaned it: 부엌을 청소했다."""
    entry, noun, adjective, happened = _thing_done(scene, "person")
    scene.pairs.add(("verb", entry.english, noun.english))
    link = Word("so")
    thing = scene.phrase(noun, plain=True, known=True)
    if thing.generic:
        raise DeadEnd
    reason = describe(
        thing, adjective, "past", "because", (link,), "이",
        degree=degree_of_reason(scene, happened),
    )  # fmt: skip
    it = resumed(thing, "them" if thing.plural else "it")
    it = replace(it, korean=[(token, it.head) for token, _ in thing.korean])
    verb = Verb(entry, "past", object=it)
    if not happened:
        verb.able = not hinders(entry.english, adjective.english)
        verb.negative = "not"
    subject = scene.definite(["person"])
    main = clause(subject, verb, scene.style, scene.tail)
    return _so(scene, main, reason, link)


def because_of_it(scene: Scene) -> Phrase:
    """I like the cat because it is cute. I cleaned it because ..."""
    link, subject = Word("because"), scene.definite(["person"])
    if not subject.pronoun or subject.english[0].text == "it":
        raise DeadEnd
    if scene.chance(0.5):
        name = scene.choose(sorted(LIKES))
        noun = scene.pick(["animal", "food", "dish", "text", "thing", "song",
                           "subject", "city", "movie"], "other")  # fmt: skip
        entry, tense, happened = _verb(scene, name, noun), "present", True
        adjective = adjective_for(scene, scene.choose(LIKES[name]), noun)
    else:
        entry, noun, adjective, happened = _thing_done(scene, "person")
        tense = "past"
    thing = scene.phrase(noun, plain=True, known=True)
    if thing.generic or thing.plural:
        raise DeadEnd
    scene.pairs.add(("verb", entry.english, noun.english))
    verb = Verb(entry, tense, object=thing)
    if not happened:
        verb.able = not hinders(entry.english, adjective.english)
        verb.negative = "not"
    main = clause(subject, verb, scene.style, scene.tail)
    it = resumed(thing, "it")
    it = replace(it, korean=[(token, it.head) for token, _ in thing.korean])
    why = describe(
        it, adjective, tense, "because", (link,),
        degree=degree_of_reason(scene, happened),
    )  # fmt: skip
    return because(main, why, link, False, scene.chance(0.15))


def too_to(scene: Scene) -> Phrase:
    """I am too tired to study. -> 나는 너무 피곤해서 공부할 수 없다."""
    name = scene.choose(sorted(TOO))
    subject, verb = person_action(scene, TOO[name])
    past = scene.chance(0.4)
    retell(verb, subject, "past" if past else "present")
    verb.mood, verb.negative = "can", "not"
    adjective = adjective_for(scene, name, subject)
    if FEELINGS[name]["sense"]:  # too young to drive: 어리다, not 젊다
        adjective = in_sense(scene, name, FEELINGS[name]["sense"])
    to = Word("to")
    known = subject if past else specific(subject)
    reason = describe(
        known, adjective, "past" if past else "present", "because", (to,),
        "은", degree="too",
    )  # fmt: skip
    too = reason.english[-2]
    again = NounPhrase([], [], (), subject.noun, subject.plural, subject.person)
    main = clause(again, verb, scene.style, scene.tail)
    can, no, *rest = main.english
    for word in (can, no):
        main.korean = relinked(main, word, too)
    return Phrase([*reason.english, to, *rest], reason.korean + main.korean)
