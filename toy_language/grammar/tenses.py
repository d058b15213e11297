"""The choice of tense, mood and negation, and of the time that goes with it.

Functions that take a `Scene` and fill in a `Verb`. Chapter 15 uses them.
"""

from toy_language.grammar.adjuncts import adjunct, date, hour
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.function_words import NUMBERS
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import NounPhrase, Phrase
from toy_language.grammar.scene import Scene
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = [
    "UNWANTED",
    "choose_tense",
    "held_at_any_time",
    "negate",
    "settle",
    "time_of",
]

UNWANTED = group("unwanted")


def choose_tense(scene: Scene, verb: Verb, simple: bool = False) -> str:
    """Choose tense, mood, progressive and negation of a verb.

    Args:
        scene: the `Scene`.
        verb: the `Verb`, changed in place.
        simple: past and future only.

    Returns:
        The kind of time phrase that goes with it, or "".
    """
    entry, draw = verb.entry, scene.rng.random()
    times = ""
    if entry.get("tense"):  # one came from somewhere for good
        verb.tense = entry.get("tense")
        return verb.tense
    if entry.get("state"):
        verb.tense = "present" if draw < 0.6 else "past"
    elif entry.get("plan") and draw < 0.4:
        return _plan(scene, verb)
    elif scene.rich and not simple and scene.chance(0.2):
        if entry.english in UNWANTED:
            raise DeadEnd
        times = _choose_mood(scene, verb)
    elif _continues(entry) and draw < 0.13 and not simple:
        verb.progressive = True
        verb.tense = "past" if draw > 0.08 else "present"
        times = "" if draw > 0.08 else "progressive"
        if entry.get("trip"):
            return _plan(scene, verb)
    elif not simple and draw < (0.35 if entry.get("habit") else 0.16):
        often_done = scene.rich and entry.english in group("usual")
        if entry.get("habit") or often_done:
            verb.tense = "present"
            times = "habit" if entry.get("habit") else ""
    else:
        verb.tense = times = "future" if draw < 0.5 else "past"
        if verb.tense == "future" and scene.rich and scene.chance(0.15):
            verb.mood, verb.tense = "going", "present"
    if not verb.progressive and scene.chance(0.2):
        negate(scene, verb)
    return times


def _continues(entry: Entry) -> bool:
    return bool(entry.get("ing") or entry.get("posture"))


MOODS = (("want", 0.3), ("can", 0.33), ("must", 0.13), ("have", 0.12),
         ("need", 0.05))  # fmt: skip


def _choose_mood(scene: Scene, verb: Verb) -> str:
    """Make it want to, can, must, have to, need to or like to.

    Returns:
        The kind of time phrase that goes with it.
    """
    verb.mood = scene.draw(MOODS, "like")
    habit = verb.entry.get("habit") or verb.entry.get("ing")
    if verb.mood == "like" and not habit:
        raise DeadEnd
    past = verb.mood != "must" and scene.chance(0.3)
    verb.tense = "past" if past else "present"
    if verb.mood == "like":
        return ""
    return "past" if past else scene.rng.choice(("future", "soon"))


def held_at_any_time(verb: Verb) -> bool:
    """Say whether a statement holds at any time: dogs eat meat."""
    present = verb.tense == "present" and not verb.progressive
    return present and verb.mood != "going"


def _plan(scene: Scene, verb: Verb) -> str:
    """Make "is going": with a future time it is a plan, Korean present."""
    verb.tense, verb.progressive = "present", True
    always = verb.entry.get("plan") == "yes"
    verb.planned = always or scene.chance(0.6)
    if verb.planned and (not always or scene.chance(0.7)):
        verb.time = [time_of(scene, "future")]
    return ""


def negate(scene: Scene, verb: Verb) -> None:
    """Make a verb negative: not, or n't after did, does and do."""
    verb.negative = "not"
    if verb.mood or verb.tense == "future":
        return
    past = verb.tense == "past"
    if (past or scene.rich) and scene.chance(0.3):
        verb.negative = "n't"
    elif (
        past
        and scene.rich
        and not (verb.entry.get("state") or verb.entry.english in UNWANTED)
    ):
        verb.mood = "can" if scene.chance(0.2) else ""


def settle(verb: Verb, subject: NounPhrase, times: str) -> str:
    """Keep "I read the book" a past: its present needs "every day".

    Returns:
        The kind of time phrase that goes with the verb now.
    """
    same = verb.entry.form("past") == verb.entry.form("base")
    third = subject.person == 3 and not subject.plural
    if not same or third or verb.negative or verb.mood:
        return times
    if held_at_any_time(verb) and not verb.time:
        verb.tense = "past"
        return "past"
    return times


def time_of(scene: Scene, name: str) -> Phrase:
    """Build a time phrase that goes with a tense."""
    if scene.rich and name in ("past", "future") and scene.chance(0.22):
        if scene.chance(0.5):
            number = scene.choose(list(NUMBERS))
            return hour(number, full=scene.chance(0.5))
        month = scene.choose(scene.words.by_class["month"])
        return date(month, scene.choose(scene.words.by_class["day"]))
    if name == "soon":  # i must go now
        now = list(scene.words.times["future"])
        now += scene.words.times["progressive"]
        entry = scene.choose(now)
        return adjunct(entry.english, entry.korean)
    entry = scene.choose(scene.words.times[name])
    return adjunct(entry.english, entry.korean)
