"""So, and more reasons: what follows from what something is like.

    The kitchen was dirty, so I cleaned it.   부엌이 더러워서 나는 청소했다.
    I cried because the movie was so sad.     영화가 무척 슬퍼서 나는 울었다.
    I am too tired to study.                  나는 너무 피곤해서 공부할 수 없다.

The Korean of "so" is that of "because". Chapter 15 uses this module.
"""

from dataclasses import replace

from transformer_lib.toy.grammar.because import hinders, rows
from transformer_lib.toy.grammar.being import describe
from transformer_lib.toy.grammar.causes import (
    because,
    degree_of_reason,
    refer,
    resumed,
)
from transformer_lib.toy.grammar.chance import DeadEnd
from transformer_lib.toy.grammar.circumstances import add_manner
from transformer_lib.toy.grammar.clauses import clause
from transformer_lib.toy.grammar.conditions import IF_SO, childlike
from transformer_lib.toy.grammar.contrasts import different
from transformer_lib.toy.grammar.lexicon import Entry
from transformer_lib.toy.grammar.motives import (
    OUTDOORS,
    PEOPLE,
    PEOPLE_AS_THINGS,
    adjective_for,
    person_action,
    taken_up,
)
from transformer_lib.toy.grammar.noun_phrases import specific
from transformer_lib.toy.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
    relinked,
)
from transformer_lib.toy.grammar.reasons import reasons
from transformer_lib.toy.grammar.scene import Scene
from transformer_lib.toy.grammar.sentences import retell
from transformer_lib.toy.grammar.telling import tell
from transformer_lib.toy.grammar.verbs import Verb
from transformer_lib.toy.grammar.weather import weather_reason

__all__ = ["because_of_it", "because_other", "so", "too_to"]

# What something is like; what one does for it; what one does not, or can not.
WHY = (
    ("movie story song poem dream", "sad", "cry", "laugh smile sing"),
    ("movie story game class book", "boring long", "sleep leave", "laugh"),
    ("movie story game party book", "interesting", "laugh smile", "sleep"),
    ("weather", "good warm", "swim walk play go_to walk_to visit dance", ""),
    ("weather", "bad cold hot", "rest sleep stay_at return_to", "swim walk "
     "play go_to travel climb run"),
    ("bus train taxi ship", "slow", "come arrive wait_for", "arrive_at win"),
    ("room house kitchen classroom office", "cold dark dirty loud hot",
     "leave return_to", "sleep rest study work read cook"),
    ("room house library classroom", "quiet warm bright", "sleep rest read "
     "study", "leave cry"),
    ("street park market city", "loud dangerous dark", "return_to leave",
     "walk sleep play go_to run"),
    ("test homework question math", "difficult", "study cry", "sleep play "
     "laugh finish"),
    ("dog baby child radio television", "loud", "wake_up leave", "sleep study "
     "read"),
    ("bag box", "heavy", "rest", "walk run carry"),
    ("king teacher queen friend kin", "angry", "cry leave", "laugh smile "
     "sleep sing"),
    ("person friend kin", "sick sad", "cry visit help call", "sleep travel "
     "play dance"),
    ("person", "slow weak lazy", "win leave", "wait_for"),
)  # fmt: skip
# Why one likes something, or does not.
LIKES = {
    "like": "interesting cute beautiful pretty delicious kind warm smart "
            "sweet good small brave quiet",
    "love": "cute beautiful kind smart happy brave pretty",
    "hate": "boring difficult loud bad dangerous dirty cold salty spicy",
    "want": "cheap pretty cute beautiful new delicious",
}  # fmt: skip
# What one is too much of for what.
TOO = {
    "tired": "study work cook run walk swim dance play read clean go_to",
    "sick": "work study go_to play eat travel swim",
    "sleepy": "read study drive work watch",
    "busy": "rest sleep cook play visit meet watch travel",
    "young": "drive work travel marry",
    "weak": "carry climb fight push",
    "sad": "sing laugh dance eat",
    "slow": "catch win", "lazy": "work study clean cook", "poor": "buy travel",
    "old": "run climb swim dance work",
}  # fmt: skip
FEELINGS = ("happy", "sad", "angry", "lonely", "tired", "busy", "happy")


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
        kinds, names, done, left = scene.choose(WHY)
        noun = scene.pick(kinds.split(), "other")
        happened = scene.chance(0.5)
        deeds = (done if happened else left).split()
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
        adjective = adjective_for(scene, scene.choose(names.split()), what)
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
    feeling = adjective_for(scene, scene.choose(FEELINGS), subject)
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


def _thing_done(scene: Scene, table: str) -> tuple[Entry, Entry, Entry, bool]:
    """Choose a verb, a thing, what it is like, and whether it was done."""
    name, _, kinds, explains = scene.choose(rows(table))
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
    """The kitchen was dirty , so i cleaned it: ... 나는 청소했다."""
    entry, noun, adjective, happened = _thing_done(scene, PEOPLE)
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
    refer(reason, it)
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
        adjective = adjective_for(
            scene, scene.choose(LIKES[name].split()), noun
        )
    else:
        entry, noun, adjective, happened = _thing_done(scene, PEOPLE)
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
    subject, verb = person_action(scene, TOO[name].split())
    past = scene.chance(0.4)
    retell(verb, subject, "past" if past else "present")
    verb.mood, verb.negative = "can", "not"
    adjective = adjective_for(scene, name, subject)
    if name == "young":  # too young to drive: 어리다, not 젊다
        adjective = childlike(scene)
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
