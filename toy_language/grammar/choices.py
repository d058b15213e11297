"""More questions: fast or slow? how is the weather there? why so quiet?

Each function takes a `Scene` and an ending, and returns a `Phrase`. Chapter
15 uses them.
"""

from toy_language.grammar.adjuncts import position
from toy_language.grammar.being import describe, exists, identify
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.compound import CONTRARY
from toy_language.grammar.inquiries import (
    LIKE_WHAT,
    asked_for,
    wh_clause,
)
from toy_language.grammar.lexicon import brought
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import counter, noun_phrase
from toy_language.grammar.phrases import (
    Loose,
    NounPhrase,
    Phrase,
    Token,
    Word,
    pronoun,
    relinked,
    words,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import add_objects
from toy_language.grammar.states import DESCRIBED
from toy_language.grammar.telling import doing
from toy_language.grammar.tenses import time_of
from toy_language.grammar.verbs import Verb

__all__ = ["can_i", "either_or", "how_many_there", "how_much", "how_there",
           "where_put", "why_so"]  # fmt: skip


def either_or(scene: Scene, ending: str) -> Phrase:
    """Is your computer fast or slow? -> 빠르니 아니면 느리니?"""
    noun = scene.pick(DESCRIBED, "subject")
    first, second = scene.adjective(noun), scene.adjective(noun)
    if {first.english, second.english} not in CONTRARY:
        raise DeadEnd
    subject = scene.the(noun)
    if scene.ownable(noun) and scene.chance(0.5):
        subject = scene.owned(noun)
    link = Word("or")
    one, other = (
        describe(subject, adjective, "present", ending, scene.tail,
                 gap=gap, question=True)
        for adjective, gap in ((first, ""), (second, "subject"))
    )  # fmt: skip
    korean = relinked(other, other.english[0], one.english[0])
    return Phrase(
        [*one.english, link, other.english[-1]],
        [*one.korean, ("아니면", (link,)), *korean],
    )


def how_there(scene: Scene, ending: str) -> Phrase:
    """How are you today? How is the weather in seoul?"""
    tense = scene.rng.choice(("present", "present", "past"))
    if scene.chance(0.4):
        if scene.humble:
            raise DeadEnd
        subject = pronoun(scene.choose(("you", "you", "you", "he", "she",
                                        "they")))  # fmt: skip
        if scene.chance(0.3):
            kin = scene.pick(["kin", "friend"], "other")
            subject = noun_phrase(kin, "your")
    else:
        subject = _weather_in(scene)
    made = describe(subject, LIKE_WHAT, tense, ending, scene.tail, "은",
                    question=True)  # fmt: skip
    *english, how = made.english
    made.english = [how, *english]
    if scene.chance(0.5):
        time = time_of(scene, "past" if tense == "past" else "progressive")
        if tense == "present" and scene.chance(0.7):
            today = Word("today")
            time = Phrase([today], [("오늘", (today,))])
        made.english += time.english
        at = made.topic if subject.pronoun else 0  # 오늘 서울 날씨는
        made.korean[at:at] = time.korean
    return made


def _weather_in(scene: Scene) -> NounPhrase:
    """Build the weather in seoul -> 서울 날씨."""
    sky = word_named(scene, "weather")
    weather = noun_phrase(sky)
    if scene.chance(0.2):
        return weather
    where = scene.the(scene.pick(["town", "island", "mountain"], "other"))
    preposition = "in"
    if where.noun and where.noun.get("at"):
        preposition = where.noun.get("at")
    word = Word(preposition)
    return NounPhrase(
        [*weather.english, word, *where.english],
        [
            *where.korean,
            *((one, (*links, Loose(word))) for one, links in weather.korean),
        ],
        weather.head,
        sky,
    )


def why_so(scene: Scene, ending: str) -> Phrase:
    """Why is the classroom so quiet? -> 교실은 왜 이렇게 조용하니?"""
    if scene.chance(0.3):
        subject = pronoun(scene.choose(("he", "she", "they", "you")))
        if scene.humble:
            raise DeadEnd
        nouns = [one for one in scene.words.nouns if one.english == "child"]
    else:
        nouns = [scene.pick(DESCRIBED, "subject")]
        subject = scene.the(nouns[0])
        if scene.ownable(nouns[0]) and scene.chance(0.3):
            subject = scene.owned(nouns[0])
    adjective = scene.adjective(nouns[0])
    past = scene.chance(0.3)
    made = describe(subject, adjective, "past" if past else "present", ending,
                    scene.tail, question=True)  # fmt: skip
    why, degree = words("why so")
    *english, main = made.english
    made.english = [why, *english, degree, main]
    asked: list[Token] = [
        ("왜", (why,)), ("그렇게" if past else "이렇게", (degree,))
    ]  # fmt: skip
    made.korean[made.topic : made.topic] = asked
    return made


def where_put(scene: Scene, ending: str) -> Phrase:
    """Where did the king hide the ring? -> 왕이 반지를 어디에 숨기셨니?"""
    entry = scene.choose(brought("put"))
    where = Word("where")
    subject = scene.definite(["person"])
    thing = scene.pick(["fits", "cash"], "object")
    verb = Verb(entry, scene.choose(("past", "past", "future")))
    verb.object = scene.the(thing)
    if scene.ownable(thing) and scene.chance(0.4):
        verb.object = scene.owned(thing)
    verb.goal = NounPhrase([], [("어디", (where,))], (where,))
    made = wh_clause(scene, subject, verb, ending)
    made.english.insert(0, where)
    return made


def can_i(scene: Scene, ending: str) -> Phrase:
    """Can i open the window? Must we go home?"""
    subject = pronoun(scene.choose(("i", "i", "we")), scene.humble)
    must = scene.chance(0.2)
    if scene.chance(0.25):
        verb = Verb(scene.choose(scene.words.frames["giving"]), "present")
        add_objects(scene, verb, subject, "giving", True)
    else:
        verb = doing(scene, subject, "can")
    verb.mood = "must" if must else "can"
    if scene.chance(0.3):
        verb.time = [time_of(scene, "soon")]
    return clause(subject, verb, ending, scene.tail, question=True)


def how_many_there(scene: Scene, ending: str) -> Phrase:
    """How many students are there in your class? -> 학생이 몇 명 있니?"""
    noun = scene.pick(["person", "animal", "thing", "fruit"], "other")
    where = scene.pick(["scene", "venue", "class", "container"], "other")
    if not scene.counted(noun):
        raise DeadEnd
    place = position(where.get("at", "in"), scene.whereabouts(where), "에")
    many, head = words("how many"), words(noun.plural)
    korean: list[Token] = [(token, head) for token in noun.korean.split()]
    thing = NounPhrase(list(head), korean, tuple(head), noun, True)
    tense = "past" if scene.chance(0.2) else "present"
    made = exists(thing, place, tense, ending, scene.tail, question=True)
    are, there = made.english[:2]
    made.english = [*many, *head, are, there, *place.english]
    counted: list[Token] = [("몇", many), (counter(noun), many)]
    at = len(place.korean) + len(korean) + 1
    made.korean[at:at] = counted
    return made


def how_much(scene: Scene, ending: str) -> Phrase:
    """How much is the hat? How much money do you have?"""
    much = words("how much")
    if scene.chance(0.5):
        asked = asked_for("much", "얼마")
        asked.korean = [("얼마", much)]
        asked.english = [much[1]]
        noun = scene.pick(["worn", "clothes", "machine", "fruit", "bag",
                           "ticket", "vehicle", "book"], "other")  # fmt: skip
        determiner = scene.choose(("the", "this", "that"))
        subject = noun_phrase(noun, determiner)
        tense = "past" if scene.chance(0.25) else "present"
        made = identify(subject, asked, tense, ending, scene.tail, "은")
        *english, is_, _ = made.english
        made.english = [*much, is_, *english]
        return made
    have = word_named(scene, "have", "verb")
    noun = scene.pick(["cash", "stuff"], "object")
    head = Word(noun.english)
    verb = Verb(have, "present")
    verb.object = NounPhrase([], [(noun.korean, (head,))], (head,), noun)
    subject = scene.definite(["person"])
    made = wh_clause(scene, subject, verb, ending)
    made.korean.insert(made.topic + 2, ("얼마나", much))
    made.english[:0] = [*much, head]
    return made
