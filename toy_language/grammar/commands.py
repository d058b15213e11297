"""Commands: Read the book. Please do not open the door. Chapter 15."""

from toy_language.grammar.being import describe
from toy_language.grammar.causes import because, resumed
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import add_manner
from toy_language.grammar.clauses import clause, order
from toy_language.grammar.conditions import feelings
from toy_language.grammar.contrasts import different
from toy_language.grammar.lexicon import brought
from toy_language.grammar.motives import adjective_for
from toy_language.grammar.phrases import Phrase, Word, pronoun, words
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import add_objects
from toy_language.grammar.telling import doing, tell
from toy_language.grammar.tenses import UNWANTED, time_of
from toy_language.grammar.verbs import Verb
from toy_language.grammar.weather import weather_if
from toy_language.tables import group

__all__ = ["command", "let_us", "with_condition", "with_reason"]

IF_SO_TELL = feelings("told")  # what one is told to do if one is so
FRAMES = ("transitive", "transitive", "transitive", "intransitive",
          "intransitive", "going", "going", "giving", "putting")  # fmt: skip
UNTOLD, APART = group("untold"), group("not together")


def command(scene: Scene) -> Phrase:
    """Read the book. -> 책을 읽어라. Please help me. -> 나를 도와주세요."""
    verb = something_to_do(scene)
    said = order(verb, scene.style, scene.tail, scene.chance(0.25))
    asking = said.english[0].text == "please" and not scene.tail
    if asking and scene.chance(0.4):  # open the door , please
        comma = [Word(",")] * scene.chance(0.6)
        please, *others = said.english
        said.english = [*others, *comma, please]
    return said


def something_to_do(scene: Scene) -> Verb:
    """Choose what one may be told to do, or not to do."""
    you = pronoun("you")
    if scene.chance(0.09):
        entry = scene.choose(brought("told"))
        return Verb(entry, "present", "not" if entry.get("not") else "")
    frame = scene.rng.choice(FRAMES)
    entry = scene.choose(scene.words.frames[frame])
    told = "person" in entry.features["subject"] and not entry.get("state")
    if not told or entry.english in UNTOLD:
        raise DeadEnd
    verb = Verb(entry, "present")
    if entry.english in UNWANTED or scene.chance(0.3):
        verb.negative = "n't" if scene.chance(0.35) else "not"
    add_objects(scene, verb, you, frame, plain=scene.chance(0.6))
    if not verb.negative and scene.chance(0.2):
        add_manner(scene, verb, you)
    if scene.chance(0.12):
        time = time_of(scene, scene.rng.choice(("future", "habit")))
        if time.english[0].text == "soon":
            raise DeadEnd
        verb.time = [time]
    return verb


def let_us(scene: Scene) -> Phrase:
    """Let 's go home. -> 집에 가자. Let 's not eat. -> 먹지 말자."""
    if scene.tail:
        raise DeadEnd
    let, us = words("let 's")
    verb = something_to_do(scene)
    if not verb.time and scene.chance(0.25):
        verb.time = [time_of(scene, "future")]
    verb.negative = "not" if verb.negative else ""
    mine = verb.recipient or verb.object
    if verb.entry.english in APART:
        raise DeadEnd
    if mine and {"me", "us"} & {word.text for word in mine.english}:
        raise DeadEnd
    said = order(verb, "lets", (let, us))
    english = said.english[1:] if verb.negative else said.english
    return Phrase([let, us, *english], said.korean)


def with_reason(scene: Scene) -> Phrase:
    """Wear your coat because it is cold. -> 추우니까 코트를 입어라."""
    so = scene.chance(0.25)
    link = Word("so" if so else "because")
    if scene.chance(0.4):
        reason = weather_if(scene, link, scene.chance(0.4), "since")
    else:
        who = scene.definite(["person", "animal", "infant"])
        if who.person == 2 or who.english[0].text == "we":
            raise DeadEnd
        form = scene.choose(
            (
                "like",
                "like",
                "is doing",
                "is doing",
                "has to",
                "can not",
                "does not want",
                "did",
                "is",
            )
        )
        reason = tell(scene, who, form, "since", (link,))
    main = order(something_to_do(scene), scene.style, scene.tail)
    different(main, reason)
    if not so:
        return because(main, reason, link, False, scene.chance(0.1))
    comma = [Word(",")] * scene.chance(0.7)
    english = [*reason.english, *comma, link, *main.english]
    return Phrase(english, reason.korean + main.korean)


def with_condition(scene: Scene) -> Phrase:
    """If you are sick , go to the hospital. -> 아프면 병원에 가라."""
    link, you = Word("if"), pronoun("you")
    if scene.humble:
        raise DeadEnd
    draw = scene.rng.random()
    if draw < 0.5:
        name, names = scene.choose(tuple(IF_SO_TELL.items()))
        frame = scene.rng.choice(("transitive", "intransitive", "going"))
        entry = scene.choose(scene.words.named(frame, names))
        verb = Verb(entry, "present")
        add_objects(scene, verb, you, frame, plain=True)
        adjective = adjective_for(scene, name, you)
        inner = describe(resumed(you, "you"), adjective, "present", "if",
                         (link,))  # fmt: skip
    else:
        verb = something_to_do(scene)
        if draw < 0.75:
            inner = weather_if(scene, link, scene.chance(0.5))
        else:
            form = scene.choose(("wants", "can not", "has to", "can"))
            told = doing(scene, you, form)
            told.negative = "not" if "not" in form else ""
            inner = clause(resumed(you, "you"), told, "if", (link,))
    main = order(verb, scene.style, scene.tail)
    different(main, inner)
    first = scene.chance(0.7)
    comma = [Word(",")] * (draw < 0.5 or scene.chance(0.7))
    english = [*main.english, link, *inner.english]
    if first:
        english = [link, *inner.english, *comma, *main.english]
    return Phrase(english, inner.korean + main.korean)
