"""Somebody or something described, and what is told of it.

    The cat that lives in the library is famous.
    도서관에 사는 고양이는 유명하다.
    The word that I learned yesterday is difficult.
    The book on the table is red. 탁자 위에 있는 책은 빨갛다.

A time stands in a relative clause only where the main verb follows, so that
it is clear which clause it belongs to. Chapter 15 uses this module.
"""

from toy_language.grammar.being import exists, identify, locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import place_of
from toy_language.grammar.clauses import clause
from toy_language.grammar.inquiries import asked_for
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import NounPhrase, Phrase, relinked
from toy_language.grammar.places import thing_place
from toy_language.grammar.relatives import with_relative
from toy_language.grammar.scene import Scene
from toy_language.grammar.telling import doing, tell
from toy_language.grammar.tenses import time_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = ["described", "known_by", "who_is_described"]

DESCRIBED, KNOWING = group("characterized"), group("knowing")
# What is said of somebody in a relative clause, and of him in the main one.
INSIDE = ("does", "does", "does", "does not", "can", "can not", "is doing",
          "did", "wants", "will")  # fmt: skip
OUTSIDE = ("like", "like", "like", "not like", "is", "is", "is not", "can",
           "can not", "did", "wants", "is there", "does")  # fmt: skip


def described(scene: Scene) -> Phrase:
    """The student who laughs loudly is my friend."""
    subject = _characterized(scene, scene.pick(DESCRIBED, "other"), True)
    form = scene.choose(OUTSIDE)
    if subject.noun and not subject.noun.kinds & {"person", "animal"}:
        form = scene.choose(("like", "like", "not like"))
    return tell(scene, subject, form, scene.style, scene.tail)


def who_is_described(scene: Scene, ending: str) -> Phrase:
    """Who is the man that is waiting for you? -> 너를 기다리고 있는 ..."""
    subject = _characterized(scene, scene.pick(["person"], "other"), False)
    asked = asked_for("who", "누구")
    asked.english = list(asked.head)
    made = identify(subject, asked, "present", ending, scene.tail, "은")
    *english, is_, who = made.english
    made.english = [who, is_, *english]
    return made


def known_by(scene: Scene) -> Phrase:
    """I saw a pig that can read. There is a man who can fix the clock."""
    noun = scene.pick(DESCRIBED, "other")
    determiner = "a" if scene.chance(0.7) and scene.counted(noun) else "the"
    thing = _characterized(scene, noun, False, determiner, placed=False)
    if determiner == "a" and scene.chance(0.25):
        nowhere = Phrase([], [])
        return exists(thing, nowhere, "present", scene.style, scene.tail)
    entry = scene.choose(
        [
            verb
            for verb in scene.words.named("transitive", KNOWING)
            if noun.is_one_of(verb.features["object"])
            and "person" in verb.features["subject"]
        ]
    )
    scene.pairs.add(("verb", entry.english, noun.english))
    verb = Verb(entry, "present" if entry.get("state") else "past")
    verb.object = thing
    subject = scene.definite(["person"])
    return clause(subject, verb, scene.style, scene.tail)


def _characterized(
    scene: Scene,
    noun: Entry,
    timed: bool,
    determiner: str = "the",
    placed: bool = True,
) -> NounPhrase:
    """Build a noun phrase with a relative clause or a place.

    Args:
        scene: the `Scene`.
        noun: the lexicon entry.
        timed: whether the clause may say when.
        determiner: an article.
        placed: whether it may be a place: the girl in front of the castle.
    """
    if noun.word_class == "name" or noun.kinds & {"kin", "unique"}:
        raise DeadEnd
    head = noun_phrase(noun, determiner)
    living = bool(noun.kinds & {"person", "animal"})
    draw = scene.rng.random()
    if draw < 0.25 and placed:
        return _placed(scene, head, living)
    gap = "subject"
    if living and draw < 0.75:
        form = scene.choose(INSIDE)
        subject, verb = head, doing(scene, head, form)
        verb.negative = "not" if "not" in form else ""
    else:
        gap, subject = "object", scene.definite(["person"])
        verb = _done_to(scene, noun, subject)
    if verb.tense == "past" and timed and scene.chance(0.5):
        verb.time = [time_of(scene, "past")]
    if not timed:
        verb.time = []
    found = with_relative(head, subject, verb, gap)
    link = found.english[len(head.english)]
    if scene.chance(0.3):
        link.text = "that"  # the man that is waiting
    return found


def _done_to(scene: Scene, noun: Entry, subject: NounPhrase) -> Verb:
    """Choose what somebody did to a noun, likes about it."""
    entry = scene.choose(
        [
            verb
            for verb in scene.words.takers(noun, "object")
            if "person" in verb.features["subject"]
        ]
    )
    if subject.noun is noun or (entry.get("humble") and noun.get("honor")):
        raise DeadEnd
    scene.pairs.add(("verb", entry.english, noun.english))
    return Verb(entry, "present" if entry.get("state") else "past")


def _placed(scene: Scene, head: NounPhrase, living: bool) -> NounPhrase:
    """Build the girl in front of the castle -> 성 앞에 있는 소녀."""
    assert head.noun is not None
    if not living and not head.noun.kinds & {"fits", "food"}:
        raise DeadEnd
    place = (
        place_of(scene, head, "에") if living else thing_place(scene, head.noun)
    )
    there = locate(head, place, "present", "adnominal", (), gap="subject")
    is_, *where = there.english
    korean = relinked(there, is_, where[0])
    return NounPhrase(
        head.english + where, korean + head.korean, head.head, head.noun
    )
