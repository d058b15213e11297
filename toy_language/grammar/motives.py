"""Reasons of people, reasons of one's own, and the weather as a reason.

    The dog slept because it was tired.     개는 피곤해서 잤다.
    The boy did not read the book because it was difficult.
    I did not swim because it was cold.     추워서 나는 수영하지 않았다.

Chapter 15 uses this module.
"""

from collections.abc import Collection
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
from toy_language.grammar.circumstances import circumstances
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.nouns import is_person
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
)
from toy_language.grammar.reasons import reasons
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import add_objects, retell
from toy_language.grammar.tenses import negate
from toy_language.grammar.verbs import Verb
from toy_language.grammar.weather import weather_reason
from toy_language.tables import by_key, group, read_table

__all__ = [
    "adjective_for",
    "because_own",
    "because_person",
    "person_action",
    "taken_up",
]

UNABLE, OUTDOORS = group("unable"), group("outdoors")
# What makes one so: what one did oneself, what somebody else did.
DEEDS = by_key(
    read_table("adjectives.tsv", "adjective, own, of others", "deeds"),
    "adjective",
)
# Nouns that are not "it" here.
PEOPLE_AS_THINGS = set(group("not it here"))
# verb -> what made one do it, what kept one from it
OWN = {verb: explains for verb, _, _, explains in rows("own")}


def because_person(scene: Scene) -> Phrase:
    """The boy did not follow the man because he was too tired."""
    name, _, kinds, explains = scene.choose(rows("person"))
    happened = scene.chance(0.4)
    role = scene.rng.choice(("subject", "object"))
    subject = scene.pick(["person"], "other")
    noun = scene.pick(kinds, "other", (subject,), PEOPLE_AS_THINGS)
    named = subject if role == "subject" else noun
    adjective = scene.choose(explains[happened, role])
    about = reasons(scene.words.preset).about(adjective, named)
    entry = next(
        (
            verb
            for verb in scene.words.verbs
            if verb.english == name and noun.is_one_of(verb.features["object"])
        ),
        None,
    )
    if about is None or entry is None:
        raise DeadEnd
    said = "it" if "person" not in named.kinds else named.get("says")
    if not said:
        raise DeadEnd
    return explained(scene, entry, happened, (subject, noun), role, about, said)


def explained(
    scene: Scene,
    entry: Entry,
    happened: bool,
    nouns: tuple[Entry, Entry],
    role: str,
    adjective: Entry,
    said: str,
) -> Phrase:
    """Say what a person did (not) do, and why; he, she or it says who."""
    scene.pairs.add(("verb", entry.english, nouns[1].english))
    subject, thing = (
        scene.phrase(noun, plain=True, known=True) for noun in nouns
    )
    if thing.article and thing.article[0].text != "the":
        raise DeadEnd
    verb = Verb(entry, "past", object=thing)
    if not happened:
        verb.able = not hinders(entry.english, adjective.english)
        verb.negative = "n't" if scene.chance(0.3) else "not"
    main = clause(subject, verb, scene.style, scene.tail)
    meant = subject if role == "subject" else thing
    again = resumed(meant, said)
    if role == "object":
        korean: list[Token] = [(token, again.head) for token, _ in meant.korean]
        again = replace(again, korean=korean)
    else:
        refer(main, again)
    link = Word("because")
    why = describe(
        again, adjective, "past", "because", (link,),
        degree=degree_of_reason(scene, happened),
    )  # fmt: skip
    return because(main, why, link, role == "subject", scene.chance(0.15))


# ---------------------------------------------------------------- of one's own


def because_own(scene: Scene) -> Phrase:
    """The dog slept because it was tired. I stayed because it was cold."""
    if scene.rich and scene.chance(0.25):
        return _because_of_weather(scene)
    if scene.rich and scene.chance(0.3):
        return _because_of_deed(scene)
    entry = scene.choose(scene.words.frames["intransitive"])
    if entry.english not in OWN:
        raise DeadEnd
    happened = scene.chance(0.6)
    name = scene.choose(OWN[entry.english][happened, "subject"])
    subject = scene.somebody(entry.features["subject"], plain=True)
    if subject.mark == "이":
        raise DeadEnd
    adjective = adjective_for(scene, name, subject)
    verb = Verb(entry, "past")
    if not happened:
        verb.able = name not in UNABLE
        verb.negative = "n't" if scene.chance(0.3) else "not"
    if scene.chance(0.2):
        circumstances(scene, verb, subject, "past")
        verb.manner = []
    main = clause(subject, verb, scene.style, scene.tail)
    again = resumed(subject, taken_up(subject))
    refer(main, again)
    link = Word("because")
    why = describe(
        again, adjective, "past", "because", (link,),
        degree=degree_of_reason(scene, happened),
    )  # fmt: skip
    first = scene.rich and scene.chance(0.2)
    return because(main, why, link, True, first)


def adjective_for(
    scene: Scene, name: str, subject: NounPhrase | Entry
) -> Entry:
    """Find the adjective of that name for a noun or a pronoun."""
    noun = subject if isinstance(subject, Entry) else subject.noun
    for adjective in scene.words.adjectives:
        if adjective.english == name and adjective.get("use") != "before":
            of = {*adjective.features["of"]}
            of |= {"person", "animal", "infant"} if "feeling" in of else set()
            if noun.is_one_of(of) if noun else {"person", "child"} & of:
                return adjective
    raise DeadEnd


def taken_up(subject: NounPhrase) -> str:
    """Choose the pronoun that takes up a subject: it, he, they, ..."""
    if subject.pronoun:
        return subject.english[0].text
    if subject.plural:
        return "we" if subject.person == 1 else "they"
    says = subject.noun.get("says") if subject.noun else ""
    if not says and is_person(subject):
        raise DeadEnd
    return says or "it"


def _because_of_weather(scene: Scene) -> Phrase:
    """I did not go to the park because it rained. -> 비가 와서 ..."""
    subject, verb = person_action(scene, OUTDOORS)
    retell(verb, subject, "past")
    if scene.chance(0.6):
        negate(scene, verb)
    link = Word("because")
    why = weather_reason(scene, link, bad=bool(verb.negative))
    main = clause(subject, verb, scene.style, scene.tail)
    return because(main, why, link, False, scene.chance(0.3))


def person_action(
    scene: Scene, names: Collection[str]
) -> tuple[NounPhrase, Verb]:
    """Choose a person and one of some verbs, in a simple tense."""
    frame = scene.rng.choice(("transitive", "intransitive", "going"))
    entries = scene.words.named(frame, tuple(sorted(names)))
    entry = scene.choose(entries)
    if "person" not in entry.features["subject"]:
        raise DeadEnd
    verb = Verb(entry, "past")
    subject = scene.definite(["person"])
    add_objects(scene, verb, subject, frame, plain=True)
    return subject, verb


def _because_of_deed(scene: Scene) -> Phrase:
    """She was happy because she won; I am sad because you left."""
    name = scene.rng.choice(group("felt after a deed"))
    subject = scene.definite(["person"])
    adjective = adjective_for(scene, name, subject)
    tense = scene.rng.choice(("past", "past", "present"))
    main = describe(subject, adjective, tense, scene.style, scene.tail,
                    degree=degree_of_reason(scene, True))  # fmt: skip
    link = Word("because")
    own, others = DEEDS[name].words("own"), DEEDS[name].words("of others")
    same = not others or scene.chance(0.5)
    doer, verb = person_action(scene, own if same else others)
    if same:
        if verb.object and "own" in [word.text for word in verb.object.english]:
            raise DeadEnd
        doer = resumed(subject, taken_up(subject))
        refer(main, doer)
    elif (doer.pronoun and subject.pronoun) or doer.noun is subject.noun:
        raise DeadEnd
    if verb.object and verb.object.noun is subject.noun is not None:
        raise DeadEnd
    why = clause(doer, verb, "because", (link,))
    return because(main, why, link, same, scene.chance(0.2))
