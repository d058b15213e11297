"""Questions about who, what and how somebody or something is.

Each function takes a `Scene` and an ending, and returns a `Phrase`. The
question word stays where the answer would stand. Chapter 15 uses them.
"""

from toy_language.grammar.being import describe, identify
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry, brought
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import (
    counter,
    noun_phrase,
    specific,
)
from toy_language.grammar.objects import COUNTED_KIN
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    pointing,
    words,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import action
from toy_language.grammar.tenses import choose_tense
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = [
    "LIKE_WHAT",
    "asked_for",
    "front",
    "how",
    "verb_of",
    "wh_clause",
    "who_or_what_is",
]

(LIKE_WHAT,) = brought("how")


def asked_for(english: str, korean: str) -> NounPhrase:
    """Build who or what; in English it goes to the front."""
    word = Word(english)
    return NounPhrase([], [(korean, (word,))], (word,))


def verb_of(scene: Scene, entry: Entry) -> Verb:
    """Choose the tense of a question about this verb."""
    verb = Verb(entry)
    choose_tense(scene, verb, simple=scene.chance(0.7))
    verb.negative, verb.time = "", []
    return verb


def wh_clause(
    scene: Scene, subject: NounPhrase, verb: Verb, ending: str
) -> Phrase:
    """Ask what, where, when of a subject: 은/는 as in a statement."""
    if subject.person == 1 and verb.mood == "want":
        raise DeadEnd
    mark = "이" if subject.person == 1 else subject.mark  # 내가 몇 권 봤니?
    return clause(subject, verb, ending, scene.tail, mark, question=True)


def front(asked: NounPhrase, phrase: Phrase) -> Phrase:
    """Put the English question word first."""
    phrase.english[:0] = asked.head
    return phrase


def who_or_what_is(scene: Scene, ending: str) -> Phrase:
    """Who is she? What is this? What is your name?"""
    draw = scene.rng.random()
    asked = asked_for("what", "무엇")
    if draw < 0.1:
        asked = asked_for("who", "누구")
        man = scene.pick(["adult", "boy", "girl", "child"], "subject")
        subject = noun_phrase(man, scene.rng.choice(("this", "that")))
        if man.word_class == "name":
            raise DeadEnd
    elif draw < 0.2:
        asked = asked_for("when", "언제")
        name = scene.rng.choice(group("dated"))
        event = word_named(scene, name)
        determiner = scene.possessive() if name == "birthday" else "the"
        subject = noun_phrase(event, determiner, humble=scene.humble)
    elif draw < 0.45:
        asked = asked_for("who", "누구")
        subject = specific(scene.definite(["person"]))
        if subject.english[0].text in ("my", "our", "i", "we"):
            raise DeadEnd
    elif draw < 0.75:
        subject = pointing(scene.rng.choice(("this", "that", "these", "those")))
    else:
        said = word_named(scene, "name")
        whose = scene.possessive()
        subject = noun_phrase(said, whose, humble=scene.humble)
        if scene.chance(0.4):
            kinds = ["kin", "friend", "pet", "teacher"]
            owner = scene.owned(scene.pick(kinds, "other"))
            subject = noun_phrase(said, "", owner=owner)
    asked.english = list(asked.head)
    made = identify(subject, asked, "present", ending, scene.tail, "은")
    *english, is_, word = made.english
    made.english = [word, is_, *english]
    return made


def how(scene: Scene, ending: str) -> Phrase:
    """How is the weather? How big is the house? How many dogs ...?"""
    draw = scene.rng.random()
    if draw < 0.15:
        return _how_old(scene, ending)
    if draw < 0.3:
        return _how_done(scene, ending)
    if draw < 0.5:
        noun = scene.pick(["weather", "movie", "food", "kin", "school"],
                          "subject")  # fmt: skip
        subject = noun_phrase(noun)
        if "kin" in noun.kinds:
            subject = noun_phrase(noun, scene.possessive(), humble=scene.humble)
        tense = scene.rng.choice(("present", "past"))
        made = describe(
            subject, LIKE_WHAT, tense, ending, scene.tail, "은",
            question=True,
        )  # fmt: skip
        how = next(word for word in made.english if word.text == "how")
        made.english.remove(how)
        made.english.insert(0, how)
        return made
    if draw < 0.7:
        return _how_big(scene, ending)
    return _how_many(scene, ending)


def _how_old(scene: Scene, ending: str) -> Phrase:
    """How old are you? -> 너는 몇 살이니?"""
    how, old = words("how old")
    subject = specific(scene.definite(["person", "pet"]))
    age = NounPhrase([how, old], [("몇", (how,)), ("살", (old,))], (old,))
    made = identify(subject, age, "present", ending, scene.tail, "은")
    *english, is_, _, _ = made.english
    made.english = [how, old, is_, *english]
    return made


def _how_done(scene: Scene, ending: str) -> Phrase:
    """How did he come? How do you go to the school?"""
    frame = scene.rng.choice(("intransitive", "going", "transitive"))
    subject, verb = action(scene, frame, plain=True, simple=True)
    if verb.entry.english not in group("how") or subject.generic:
        raise DeadEnd
    verb.negative, verb.time = "", []
    how = Word("how")
    verb.degree = Phrase([], [("어떻게", (how,))])
    made = wh_clause(scene, subject, verb, ending)
    made.english.insert(0, how)
    return made


def _how_big(scene: Scene, ending: str) -> Phrase:
    """How deep is the river? -> 강이 얼마나 깊니?"""
    noun = scene.pick(["thing", "place", "animal", "vehicle"], "subject")
    adjective = scene.adjective(noun)
    if adjective.english == "old" and "animal" in noun.kinds:
        raise DeadEnd
    if adjective.english not in group("measured"):
        raise DeadEnd
    subject = scene.phrase(noun, plain=True, known=True)
    made = describe(
        subject, adjective, "present", ending, scene.tail, question=True
    )
    main = made.english.pop()
    how = Word("how")
    made.english[:0] = [how, main]
    made.korean.insert(made.topic, ("얼마나", (how,)))
    return made


def _how_many(scene: Scene, ending: str) -> Phrase:
    """How many dogs do you have? -> 너는 개가 몇 마리 있니?"""
    have = word_named(scene, "have", "verb")
    see = word_named(scene, "see", "verb")
    buy = word_named(scene, "buy", "verb")
    entry = scene.choose([have, see, buy])
    verb = Verb(entry, "present" if entry is have else "past")
    subject = scene.somebody(["person"], plain=True, known=True)
    noun = scene.pick(entry.features["object"], "object")
    if "kin" in noun.kinds and noun.english not in COUNTED_KIN:
        raise DeadEnd
    if not (scene.counted(noun) or "kin" in noun.kinds):
        raise DeadEnd
    if noun is subject.noun:
        raise DeadEnd
    scene.pairs.add(("verb", entry.english, noun.english))
    many, head = words("how many"), words(noun.plural)
    counted: list[Token] = [("몇", many), (counter(noun), many)]
    korean: list[Token] = [(token, head) for token in noun.korean.split()]
    verb.object = NounPhrase([], korean, tuple(head), noun)
    made = wh_clause(scene, subject, verb, ending)
    # 개가 몇 마리: the counter follows the particle.
    at = made.topic + len(korean) + 1
    made.korean[at:at] = counted
    made.english[:0] = [*many, *head]
    return made
