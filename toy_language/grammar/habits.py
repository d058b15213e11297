"""What one does well or always, has to do tomorrow, has done by now.

    My husband cooks well.            내 남편은 요리를 잘한다.
    I have an English test tomorrow.  나는 내일 영어 시험이 있다.
    Have you seen my frog?            너는 내 개구리를 봤니?

Chapter 15 uses this module.
"""

from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import add_manner, often
from toy_language.grammar.clauses import clause
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import Phrase
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import action
from toy_language.grammar.telling import doing
from toy_language.grammar.tenses import time_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = ["appointment", "habit", "perfect", "perfect_asked"]


def habit(scene: Scene) -> Phrase:
    """My husband cooks well. My sister always forgets my name."""
    subject = scene.definite(["person", "animal"])
    form = scene.choose(("any", "any", "any", "did", "can", "can not", "will"))
    verb = doing(scene, subject, form)
    verb.often, verb.time, verb.manner = None, [], []
    if form == "any" and not verb.entry.get("state") and scene.chance(0.5):
        verb.often = often(scene)
    if not verb.often or scene.chance(0.3):
        add_manner(scene, verb, subject)
    if not verb.often and not verb.manner:
        raise DeadEnd
    if form in ("any", "can") and scene.chance(0.12) and not verb.often:
        verb.negative = "not"
    if form == "can not":
        verb.negative = "not"
    return clause(subject, verb, scene.style, scene.tail)


def appointment(scene: Scene) -> Phrase:
    """I have an English test tomorrow. -> 나는 내일 영어 시험이 있다."""
    have = word_named(scene, "have", "verb")
    subject = scene.definite(["person"])
    noun = scene.pick(["test", "class", "party"], "object")
    adjectives = [
        one
        for one in scene.words.adjectives_for(noun)
        if one.korean in group("kind of event") or scene.chance(0.2)
    ]
    described = [scene.choose(adjectives)] if adjectives else []
    if not scene.chance(0.6):
        described = []
    for one in described:
        scene.pairs.add(("adjective", one.english, noun.english))
    scene.pairs.add(("verb", "have", noun.english))
    verb = Verb(have, "present", object=noun_phrase(noun, "a", described))
    when = scene.choose(("future", "future", "past", "progressive"))
    if when == "past":
        verb.tense = "past"
    verb.time = [time_of(scene, when)]
    return clause(subject, verb, scene.style, scene.tail)


def perfect(scene: Scene, question: bool = False, ending: str = "") -> Phrase:
    """I have lost my key. -> 나는 내 열쇠를 잃어버렸다."""
    frame = scene.rng.choice(("transitive", "transitive", "transitive",
                              "intransitive", "giving"))  # fmt: skip
    subject, verb = action(scene, frame, plain=True, simple=True)
    if verb.entry.get("state") or subject.generic or verb.mood:
        raise DeadEnd
    verb.tense, verb.perfect = "past", True
    verb.negative = "not" if verb.negative and not question else ""
    return clause(
        subject, verb, ending or scene.style, scene.tail, question=question
    )


def perfect_asked(scene: Scene, ending: str) -> Phrase:
    """Have you seen my frog? -> 너는 내 개구리를 봤니?"""
    return perfect(scene, True, ending)
