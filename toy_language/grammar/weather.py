"""The weather, of which English says "it" and Korean nothing: 춥다, 비가 온다.

"It is cold" is always the weather; of a thing that is cold the corpus never
says "it is cold", but names it. Chapter 15 uses this module.
"""

from collections.abc import Sequence

from toy_language.grammar.being import describe
from toy_language.grammar.circumstances import begin
from toy_language.grammar.clauses import clause
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Word,
    with_particle,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.states import degree_of
from toy_language.grammar.tenses import time_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group

__all__ = ["weather", "weather_asked", "weather_if", "weather_reason"]

ANY = group("sky")


def weather(scene: Scene) -> Phrase:
    """It was cold yesterday. -> 어제 추웠다. Tomorrow it will rain."""
    tense = scene.rng.choice(("past", "past", "present", "future"))
    negative = "not" if scene.chance(0.15) else ""
    if scene.chance(0.5):
        degree = "" if negative else degree_of(scene)
        said = _sky(scene, ANY, tense, scene.style, scene.tail, negative,
                    degree)  # fmt: skip
    else:
        said = _fall(scene, tense, scene.style, scene.tail, negative,
                     tense == "present")  # fmt: skip
    if scene.chance(0.2):
        return _where(scene, said)
    if tense == "present" or scene.chance(0.5):
        return said
    time = time_of(scene, tense)
    if scene.chance(0.4):
        return begin(time, said, scene.chance(0.5))
    return Phrase(said.english + time.english, time.korean + said.korean)


def _where(scene: Scene, said: Phrase) -> Phrase:
    """It is cold in seoul. -> 서울은 춥다. It rained in busan: 부산에."""
    falls = any(token in ("비", "눈") for token, _ in said.korean)
    kinds = ["town", "mountain", "island"] if falls else ["town", "room"]
    where = scene.the(scene.pick(kinds, "other"))
    at = Word(where.noun.get("at", "in") if where.noun else "in")
    korean = with_particle(where, "에" if falls else "은")
    korean[-1] = (korean[-1][0], (at, *korean[-1][1]))
    return Phrase([*said.english, at, *where.english], korean + said.korean)


def weather_asked(scene: Scene, ending: str) -> Phrase:
    """Is it cold? Did it rain? Will it snow tomorrow?"""
    tense = scene.rng.choice(("past", "present", "present", "future"))
    if scene.chance(0.5):
        said = _sky(scene, ANY, tense, ending, scene.tail, question=True)
    else:
        said = _fall(scene, tense, ending, scene.tail, "",
                     tense == "present", question=True)  # fmt: skip
    if tense == "present" or scene.chance(0.6):
        return said
    time = time_of(scene, tense)
    return Phrase(said.english + time.english, time.korean + said.korean)


def weather_reason(scene: Scene, link: Word, bad: bool) -> Phrase:
    """(because) it was cold, it rained; or, if not bad, it was warm."""
    if bad and scene.chance(0.5):
        return _fall(scene, "past", "because", (link,))
    skies = group("bad sky" if bad else "good sky")
    return _sky(scene, skies, "past", "because", (link,), "",
                degree_of(scene), said=True)  # fmt: skip


def weather_if(
    scene: Scene, link: Word, falls: bool, ending: str = "if"
) -> Phrase:
    """(if) it rains, it is cold; (because) it is raining."""
    if falls:
        now = ending != "if"
        return _fall(scene, "present", ending, (link,), progressive=now)
    return _sky(scene, ANY, "present", ending, (link,))


def _it() -> NounPhrase:
    it = Word("it")
    return NounPhrase([it], [], (it,))


def _sky(
    scene: Scene,
    names: Sequence[str],
    tense: str,
    ending: str,
    cue: Sequence[Word],
    negative: str = "",
    degree: str = "",
    question: bool = False,
    said: bool = False,
) -> Phrase:
    """Say that it is cold, in the sense that weather has: 날씨가, if said."""
    name, it = scene.choose(names), _it()
    if said:
        it.korean = [("날" if name == "dark" else "날씨", it.head)]
    adjective = next(
        one
        for one in scene.words.adjectives
        if one.english == name and one.get("weather")
    )
    return describe(
        it, adjective, tense, ending, cue, "", negative, degree, question
    )


def _fall(
    scene: Scene,
    tense: str,
    ending: str,
    cue: Sequence[Word],
    negative: str = "",
    progressive: bool = False,
    question: bool = False,
) -> Phrase:
    """Say that it rains or snows."""
    entry = scene.choose(scene.words.by_class["weather"])
    verb = Verb(entry, tense, negative, progressive=progressive)
    return clause(_it(), verb, ending, cue, question=question)
