"""Commands: Read the book. Please do not open the door. Chapter 15."""

from transformer_lib.grammar.chance import DeadEnd
from transformer_lib.grammar.circumstances import (
    add_manner,
)
from transformer_lib.grammar.clauses import order
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.phrases import Phrase, Word, pronoun
from transformer_lib.grammar.scene import Scene
from transformer_lib.grammar.sentences import add_objects
from transformer_lib.grammar.tenses import (
    UNWANTED,
    time_of,
)
from transformer_lib.grammar.verbs import Verb

__all__ = ["command"]

_BE_QUIET = Entry("be quiet", "조용히 하다", "verb", "full", {})
FRAMES = ("transitive", "transitive", "transitive", "intransitive",
          "intransitive", "going", "going", "giving", "putting")  # fmt: skip
UNTOLD = {"find", "escape from", "arrive at", "arrive", "come from", "defeat",
          "overtake", "see", "hear", "marry", "need", "win", "go on a trip",
          "live in", "travel", "understand"}  # fmt: skip


def command(scene: Scene) -> Phrase:
    """Read the book. -> 책을 읽어라. Please help me. -> 나를 도와주세요."""
    if scene.chance(0.02):
        return order(Verb(_BE_QUIET, "present"), scene.style, scene.tail)
    frame = scene.rng.choice(FRAMES)
    entry = scene.choose(scene.words.frames[frame])
    told = "person" in entry.features["subject"] and not entry.get("state")
    if not told or entry.english in UNTOLD:
        raise DeadEnd
    verb = Verb(entry, "present")
    if entry.english in UNWANTED or scene.chance(0.3):
        verb.negative = "n't" if scene.chance(0.35) else "not"
    you = pronoun("you")
    add_objects(scene, verb, you, frame, plain=scene.chance(0.6))
    if not verb.negative and scene.chance(0.15):
        add_manner(scene, verb, you)
        if scene.chance(0.5):
            time = time_of(scene, scene.rng.choice(("future", "habit")))
            if time.english[0].text == "soon":
                raise DeadEnd
            verb.time = [time]
    said = order(verb, scene.style, scene.tail, scene.chance(0.25))
    asking = said.english[0].text == "please" and not scene.tail
    if asking and scene.chance(0.4):  # open the door , please
        comma = [Word(",")] * scene.chance(0.6)
        please, *others = said.english
        said.english = [*others, *comma, please]
    return said
