"""If and when: If it rains, I will sleep. I was sleeping when he came.

Korean puts the condition first: 비가 오면 나는 잘 것이다. With one subject
for both clauses it is said once: 나는 피곤하면 쉴 것이다. Chapter 15.
"""

from toy_language.grammar.being import describe
from toy_language.grammar.causes import because, refer, resumed
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.identities import becoming
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.motives import (
    adjective_for,
    person_action,
    taken_up,
)
from toy_language.grammar.phrases import NounPhrase, Phrase, Word
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import retell
from toy_language.grammar.telling import doing
from toy_language.grammar.weather import weather_if
from toy_language.tables import by_key, group, read_table

__all__ = ["FEELINGS", "IF_SO", "condition", "feelings", "in_sense"]

MOMENTS, INDOORS = group("moment"), group("indoors")
IN_WEATHER = group("in weather")
FEELINGS = by_key(
    read_table(
        "adjectives.tsv", "adjective, sense, does, told, too", "feelings"
    ),
    "adjective",
)


def feelings(column: str) -> dict[str, tuple[str, ...]]:
    """Return the verbs of a column for each adjective that has any."""
    verbs = {name: row.words(column) for name, row in FEELINGS.items()}
    return {name: found for name, found in verbs.items() if found}


IF_SO = feelings("does")  # if one is tired, one will rest


def condition(scene: Scene) -> Phrase:
    """If it rains , i will sleep. When he came , i was sleeping."""
    draw = scene.rng.random()
    if scene.chance(0.15):
        return _when_young(scene)
    if draw < 0.4:
        return _when(scene)
    return _if_weather(scene) if draw < 0.75 else _if_so(scene)


def _if_weather(scene: Scene) -> Phrase:
    """If it rains , i will stay at home. Also: if she comes , ..."""
    link, falls = Word("if"), scene.chance(0.5)  # rain or snow
    subject, verb = person_action(scene, INDOORS if falls else IN_WEATHER)
    if scene.chance(0.25):
        verb.negative = "not"
    retell(verb, subject, "future", negative=True)
    main = clause(subject, verb, scene.style, scene.tail)
    if scene.chance(0.75):
        inner = weather_if(scene, link, falls)
    else:
        doer, deed = person_action(scene, MOMENTS)
        if _unclear(doer, subject):
            raise DeadEnd
        retell(deed, doer, "present")
        inner = clause(doer, deed, "if", (link,))
    return because(main, inner, link, False, scene.chance(0.6))


def _unclear(one: NounPhrase, other: NounPhrase) -> bool:
    """Say whether two subjects may be one: i and i, he and they."""
    if one.pronoun and other.pronoun:
        return one.person == other.person
    return one.noun is other.noun


def _when_young(scene: Scene) -> Phrase:
    """When i was young , i wanted to be a dog. -> 나는 어렸을 때 ..."""
    link, subject = Word("when"), scene.definite(["person"])
    if scene.chance(0.3):
        main = becoming(scene, subject, "past")
    else:
        form = scene.choose(("does", "can not", "wants", "can"))
        verb = doing(scene, subject, form)
        verb.tense, verb.negative = "past", "not" if "not" in form else ""
        main = clause(subject, verb, scene.style, scene.tail)
    again = resumed(subject, taken_up(subject))
    refer(main, again)
    young = in_sense(scene, "young", "child")
    inner = describe(again, young, "past", "when", (link,))
    return because(main, inner, link, True, scene.chance(0.7))


def in_sense(scene: Scene, name: str, noun: str) -> Entry:
    """Find "young" as it is said of a child: 어리다, not 젊다."""
    return next(
        one
        for one in scene.words.adjectives
        if one.english == name and noun in one.features["of"]
    )


def _if_so(scene: Scene) -> Phrase:
    """If i am tired , i will rest. -> 나는 피곤하면 쉴 것이다."""
    link = Word("if")
    name = scene.choose(sorted(IF_SO))
    subject, verb = person_action(scene, IF_SO[name])
    retell(verb, subject, "future")
    main = clause(subject, verb, scene.style, scene.tail)
    again = resumed(subject, taken_up(subject))
    refer(main, again)
    adjective = adjective_for(scene, name, again)
    inner = describe(again, adjective, "present", "if", (link,))
    return because(main, inner, link, True, scene.chance(0.6))


def _when(scene: Scene) -> Phrase:
    """I was sleeping when he came. -> 그가 왔을 때 나는 자고 있었다."""
    link = Word("when")
    subject, verb = person_action(scene, IN_WEATHER)
    doer, deed = person_action(scene, MOMENTS)
    if _unclear(doer, subject):
        raise DeadEnd
    if not verb.entry.get("ing"):
        raise DeadEnd
    verb.progressive = True
    main = clause(subject, verb, scene.style, scene.tail)
    inner = clause(doer, deed, "when", (link,))
    return because(main, inner, link, False, scene.chance(0.5))
