"""The choice of where, when, how and with whom.

Functions that take a `Scene` and fill in a `Verb`. Chapter 15 uses them.
"""

from toy_language.grammar.adjuncts import (
    adjunct,
    bare_place,
    position,
    with_word,
)
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.function_words import (
    DEGREES,
    NUMBERS,
    WHOSE,
    determined,
)
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.nouns import is_person
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    loose,
    with_particle,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.tenses import held_at_any_time, time_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group, read_table

__all__ = ["add_manner", "begin", "beside", "circumstances", "fronted", "often",
           "place_of"]  # fmt: skip

# How one gets to what kind of place.
RIDES = {
    row["place"]: row.words("rides")
    for row in read_table("nouns.tsv", "place, rides", "rides")
}
SIDES = ("under", "behind", "near", "next to", "in front of")
FOR = group("for somebody")


def circumstances(
    scene: Scene, verb: Verb, subject: NounPhrase, times: str
) -> None:
    """Add how, with whom, where and when to a verb.

    Args:
        scene: the `Scene`.
        verb: the `Verb`, changed in place.
        subject: its `NounPhrase`.
        times: the kind of time phrase that goes with it, or "".
    """
    if scene.chance(0.2):
        add_manner(scene, verb, subject)
    verb.place = _places(scene, verb, subject)
    if times == "habit":
        _add_habit(scene, verb)
    elif times and not verb.time and scene.chance(0.35):
        time = time_of(scene, times)
        if not (verb.negative and time.english[0].text == "soon"):
            verb.time = [time]


def add_manner(scene: Scene, verb: Verb, subject: NounPhrase) -> None:
    """Choose an adverb that goes with the verb, if there is one."""
    name = verb.entry.english
    fitting = [
        manner
        for manner in scene.words.by_class["manner"]
        if name in manner.features["of"]
        and not (manner.get("timeless") == "no" and held_at_any_time(verb))
        and (subject.plural or not manner.get("needs"))
    ]
    if fitting and verb.mood != "want":
        manner = scene.choose(fitting)
        verb.manner = [adjunct(manner.english, manner.korean)]
        if scene.rich and manner.get("degree") and scene.chance(0.2):
            degree = scene.choose(manner.features["degree"])
            how = adjunct(degree, DEGREES[degree])
            (said,) = verb.manner
            verb.manner = [
                Phrase(how.english + said.english, how.korean + said.korean)
            ]


def _add_habit(scene: Scene, verb: Verb) -> None:
    """Say how often, or every day."""
    rare = scene.rich and not verb.negative
    if rare and scene.chance(0.4):
        verb.often = often(scene)
    elif not scene.rich or scene.chance(0.6):
        verb.time = [time_of(scene, "habit")]


def often(scene: Scene) -> Phrase:
    """Build always, often or sometimes."""
    entry = scene.choose(scene.words.by_class["frequency"])
    return adjunct(entry.english, entry.korean)


def _places(scene: Scene, verb: Verb, subject: NounPhrase) -> list[Phrase]:
    """Build the companion, the means and the place, in English order."""
    entry, goal = verb.entry, verb.object.noun if verb.object else None
    found: list[Phrase] = []
    person = is_person(subject)
    if scene.rich and person and scene.chance(0.06):
        if entry.get("particle") == "와":
            return found
        if entry.get("where") or entry.get("trip"):
            found.append(with_word("with", _companion(scene, subject)))
        elif entry.english in FOR and entry.word_class != "give":
            found.append(with_word("for", _companion(scene, subject)))
    means = _means(scene, entry, person, goal)
    if means:
        found.append(means)
    if entry.get("where") and scene.chance(0.25):
        found.append(place_of(scene, subject, "에서"))
    return found


def _companion(scene: Scene, subject: NounPhrase) -> NounPhrase:
    """Build my friend, him or minsu."""
    if scene.chance(0.25):
        made = scene.him()
        if not (subject.person == 1 and made.person == 1):
            return made
    kinds = ["friend", "kin", "family", "person"]
    noun = scene.pick(kinds, "other", (subject.noun,))
    return scene.phrase(noun, plain=True)


def _means(
    scene: Scene, entry: Entry, person: bool, goal: Entry | None
) -> Phrase | None:
    """Build at the market, in the lake, with a pencil or by bus."""
    if entry.get("shop") and scene.chance(0.3):
        noun = scene.pick(["shop"], "other")
        return position("at", noun_phrase(noun), "에서")
    if entry.get("swim") and scene.chance(0.5):
        noun = scene.pick(["water"], "other")
        return position("in", noun_phrase(noun), "에서")
    if scene.rich and entry.get("tool") and scene.chance(0.3):
        noun = scene.pick(["tool"], "other")
        return position("with", noun_phrase(noun, "a"), "으로")
    if scene.rich and entry.get("ride") and person and goal:
        rides = next((RIDES[k] for k in RIDES if k in goal.kinds), ())
        if not rides or scene.chance(0.75):
            return None
        ride = noun_phrase(scene.pick(rides, "other"), "")
        if entry.get("particle") != "으로":
            return position("by", ride, "으로")
        by = Word("by")  # 기차를 타고 산으로, not 기차로 산으로
        riding: list[Token] = [("타", (by,)), ("+고", loose([by]))]
        return Phrase([by, *ride.english], with_particle(ride, "을") + riding)
    return None


def place_of(scene: Scene, subject: NounPhrase, mark: str) -> Phrase:
    """Build a place: in the park, under the tree, at home, here.

    Args:
        scene: the `Scene`.
        subject: who is there; animals keep out of shops.
        mark: 에 for being there, 에서 for doing something there.
    """
    if scene.rich and scene.chance(0.2):
        where = scene.choose(scene.words.by_class["where"])
        return bare_place(where, mark, at=bool(where.get("at")))
    kinds = subject.noun.kinds if subject.noun else frozenset()
    if "sea animal" in kinds:
        noun = scene.pick(["water"], "other")
        return position("in", noun_phrase(noun), mark)
    animal = "animal" in kinds
    avoided = {"building", "shop"} if animal else set()
    if scene.rich and scene.chance(0.12):
        if scene.chance(0.5):
            return beside(scene, subject, mark)
        noun = scene.pick(["bus", "train", "ship", "plane", "subway", "taxi",
                           "car"], "other")  # fmt: skip
        return position(noun.get("at", "in"), scene.whereabouts(noun), mark)
    if scene.rich and scene.chance(0.3):
        landmarks = ["tree", "furniture", "building", "park", "bridge",
                     "river"]  # fmt: skip
        noun = scene.pick(landmarks, "other", (), avoided)
        side = scene.rng.choice(SIDES)
        if side == "under" and not noun.kinds & {"tree", "bridge", "top"}:
            side = "near"
        return position(side, noun_phrase(noun), mark)
    noun = scene.pick(["scene"], "other", (), avoided)
    return position(noun.get("at", "in"), scene.whereabouts(noun), mark)


def beside(scene: Scene, subject: NounPhrase, mark: str) -> Phrase:
    """Build a place near somebody: behind me -> 내 뒤에."""
    me, owner = scene.choose(WHOSE)
    if me == "you" and scene.humble or subject.pronoun and subject.person < 3:
        raise DeadEnd
    word = Word(me)
    korean: list[Token] = [
        (token, (word,)) for token in determined(owner, scene.humble)
    ]
    side = scene.choose(("behind", "near", "next to", "in front of"))
    return position(side, NounPhrase([word], korean, (word,)), mark)


def fronted(scene: Scene, verb: Verb) -> Phrase | None:
    """Take the time or the place of a verb to the front, or nothing."""
    parts = verb.time
    if not parts and scene.rich and scene.chance(0.3) and verb.place:
        first = verb.place[0].english[0].text
        if first not in ("with", "for", "by", "at", "here", "there"):
            parts = verb.place
    if parts and scene.chance(0.3):
        return parts.pop(0)
    return None


def begin(first: Phrase | None, phrase: Phrase, comma: bool) -> Phrase:
    """Say something before a sentence: Yesterday , the man slept."""
    if first is None:
        return phrase
    comma = comma or first.english[-1].text in NUMBERS  # at four , ...
    english = first.english + [Word(",")] * comma + phrase.english
    return Phrase(english, first.korean + phrase.korean)
