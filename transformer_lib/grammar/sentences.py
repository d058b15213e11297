"""Sentences of one clause: statements, descriptions, questions.

Each function takes a `Scene` and returns a `Phrase`, the sentence without
its final punctuation. Chapter 15 uses it.
"""

from collections.abc import Callable

from transformer_lib.grammar.clauses import (
    adjunct,
    clause,
    describe,
    exists,
    identify,
)
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
    noun_phrase,
    pronoun,
)
from transformer_lib.grammar.scene import OWNED, DeadEnd, Scene
from transformer_lib.grammar.verbs import Verb

__all__ = [
    "Construction",
    "action",
    "description",
    "existence",
    "identity",
    "question",
    "statement",
    "trip",
]

Construction = Callable[[Scene], Phrase]

DESCRIBED = ["person", "animal", "thing", "place", "food", "vehicle", "climb",
             "drink", "text", "flower"]  # fmt: skip


def action(
    scene: Scene, frame: str, plain: bool = False, simple: bool = False
) -> tuple[NounPhrase, Verb]:
    """Choose a subject and a verb with all that belongs to it.

    Args:
        scene: the `Scene`.
        frame: "transitive", "intransitive", "going" or "giving".
        plain: no adjectives, numbers, owners.
        simple: past or future, without time and place.

    Returns:
        (subject, verb): a `NounPhrase` and a `Verb`.
    """
    entry = scene.choose(scene.words.frames[frame])
    subject = scene.somebody(entry.features["subject"], plain)
    verb = Verb(entry)
    if entry.features["object"] != ["none"]:
        verb.object = scene.something(entry, subject, plain, frame == "going")
    if frame == "giving":
        verb.recipient = scene.receiver(subject)
        verb.recipient_first = scene.chance(0.4)
    times = scene.tense(verb, subject, simple)
    if not simple and not verb.planned:
        scene.extras(verb, subject, times)
    return subject, verb


def statement(frame: str) -> Construction:
    """Make the function for statements with the verbs of a frame."""

    def say(scene: Scene) -> Phrase:
        subject, verb = action(scene, frame)
        return clause(subject, verb, scene.style, scene.tail)

    say.__doc__ = f"Say one clause with a verb of the frame {frame!r}."
    return say


def _quality(
    scene: Scene, ending: str, mark: str = "", question: bool = False
) -> Phrase:
    """Say or ask what a noun is like, in the present or the past."""
    noun = scene.pick(DESCRIBED, "subject")
    adjective = scene.adjective(noun)
    determiner = scene.rng.choice(("the", "the", "the", "this", "my"))
    plural = scene.chance(0.1) and bool(noun.kinds & {"person", "animal"})
    if plural or (determiner == "my" and not noun.kinds & OWNED):
        determiner = "the"
    if noun.word_class == "name":
        determiner, plural = "", False
    subject = noun_phrase(noun, determiner, plural=plural, humble=scene.humble)
    negative = "not" if scene.chance(0.2) else ""
    degree = "very" if not negative and scene.chance(0.35) else ""
    tense = "past" if scene.chance(0.5) else "present"
    return describe(
        subject, adjective, tense, ending, scene.tail, mark,
        "" if question else negative, degree, question,
    )  # fmt: skip


def description(scene: Scene) -> Phrase:
    """The river is very deep. -> 강은 아주 깊다."""
    return _quality(scene, scene.style)


def existence(scene: Scene) -> Phrase:
    """There are two cats in the garden. -> 정원에 고양이 두 마리가 있다."""
    place = scene.pick(["scene"], "other")
    inside = place.kinds & {"building", "shop"}
    noun = scene.pick(["person"] if inside else ["animal", "flower"], "other")
    if noun.word_class == "name":
        raise DeadEnd
    number = 0 if scene.chance(0.5) else scene.rng.randint(1, 10)
    thing = noun_phrase(noun, "a", number=number)
    tense = "past" if scene.chance(0.5) else "present"
    return exists(thing, place, tense, scene.style, scene.tail)


def identity(scene: Scene) -> Phrase:
    """Minsu is a kind doctor. -> 민수는 친절한 의사이다."""
    job = scene.pick(["job"], "other")
    if scene.chance(0.35):
        subject = pronoun("i", scene.humble)
    else:
        subject = scene.phrase(scene.pick(["adult"], "other"), plain=True)
    adjectives = [scene.adjective(job, before=True)] * scene.chance(0.3)
    noun = noun_phrase(job, "a", adjectives)
    tense = "past" if scene.chance(0.3) else "present"
    return identify(subject, noun, tense, scene.style, scene.tail)


def trip(scene: Scene) -> Phrase:
    """I am going on a trip tomorrow. -> 나는 내일 여행을 간다."""
    going = next(
        verb for verb in scene.words.verbs if verb.english == "go on a trip"
    )
    tomorrow = adjunct("tomorrow", "내일")
    verb = Verb(
        going, "present", progressive=True, planned=True, time=[tomorrow]
    )
    return clause(pronoun("i", False), verb, "plain")


def question(scene: Scene) -> Phrase:
    """Ask: did the boy read? who read? what did he read? is it deep?"""
    ending = "ask-" + scene.style
    draw = scene.rng.random()
    if draw < 0.2:
        return _quality(scene, ending, "이", question=True)
    if draw < 0.65:
        return _yes_or_no(scene, ending)
    return _who(scene, ending) if draw < 0.8 else _what(scene, ending)


def _yes_or_no(scene: Scene, ending: str) -> Phrase:
    """Did the boy read the book? -> 소년이 책을 읽었니?"""
    frame = scene.rng.choice(("transitive", "intransitive", "going"))
    subject, verb = action(scene, frame)
    if subject.person == 1:
        subject = scene.phrase(scene.pick(["person"], "subject"), plain=True)
    verb.negative, verb.able = "", True
    return clause(subject, verb, ending, scene.tail, "이", question=True)


def _who(scene: Scene, ending: str) -> Phrase:
    """Who read the book? -> 누가 책을 읽었니?"""
    who = (Word("who"),)
    subject = NounPhrase(list(who), [("누", who)], who)
    entry = scene.choose(
        [
            verb
            for verb in scene.words.frames["transitive"]
            if "person" in verb.features["subject"]
        ]
    )
    verb = Verb(entry, "present" if entry.get("state") else "past")
    verb.object = scene.something(entry, subject, plain=True)
    return clause(subject, verb, ending, scene.tail, "이")


def _what(scene: Scene, ending: str) -> Phrase:
    """What did the boy read? Where did he go? Korean leaves it in place."""
    going = scene.chance(0.4)
    if going:
        places = [
            verb
            for verb in scene.words.frames["going"]
            if verb.english.endswith((" to", " in"))
        ]
        entry, asked, korean = scene.choose(places), Word("where"), "어디"
    else:
        things = [
            verb
            for verb in scene.words.frames["transitive"]
            if not {"person", "animal"} & set(verb.features["object"])
            and not verb.get("particle")
        ]
        entry, asked, korean = scene.choose(things), Word("what"), "무엇"
    noun = scene.pick(entry.features["subject"], "subject")
    verb = Verb(entry, "present" if entry.get("state") else "past")
    verb.object = NounPhrase([], [(korean, (asked,))], (asked,))
    subject = scene.phrase(noun, plain=True)
    made = clause(subject, verb, ending, scene.tail, "이", question=True)
    if going:
        preposition = entry.english.split()[-1]
        made.english = [
            word for word in made.english if word.text != preposition
        ]
    made.english.insert(0, asked)
    return made
