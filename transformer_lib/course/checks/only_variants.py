"""The construction of `only(scene)` as it should be, and wrong variants."""

from __future__ import annotations

from collections.abc import Callable

from transformer_lib.course.checks.only_portrait import (
    MAN,
    ONLY,
    RIVALS,
    Scene,
    portrait,
)
from transformer_lib.grammar import clauses, phrases, verbs
from transformer_lib.grammar import sentences as patterns

__all__ = ["built", "reference"]


def reference(manner: int, **knobs: str) -> list[float] | None:
    """The portrait of the right construction, or of a wrong variant."""
    return portrait(lambda scene: built(scene, **knobs), manner)


def built(
    scene: Scene,
    *,
    mark: str = "만",
    place: str = "first",
    korean: str = "as it is",
    links: str = "only",
    style: str = "of the scene",
    cue: str = "given",
    end: str = "open",
    draw: str = "free",
) -> phrases.Phrase:
    """Only the dog slept. -> 개만 잤다, or wrongly; the defaults are right."""
    if draw == "fixed":
        return _always(scene)
    subject, verb = _DRAW[draw](scene)
    manner = scene.style if style == "of the scene" else style
    tail = scene.tail if cue == "given" else ()
    phrase = clauses.clause(subject, verb, manner, tail, mark=mark)
    _KOREAN[korean](phrase, len(subject.korean))
    word = phrases.Word(ONLY)
    _PLACE[place](phrase, word, len(subject.english))
    _LINKS[links](phrase, word)
    _END[end](phrase, scene)
    return phrase


def _always(scene: Scene) -> phrases.Phrase:
    """One sentence, whatever the scene says; politeness as it should be."""
    words = [phrases.Word(text) for text in ("only", "minsu", "slept")]
    last = {"plain": "+다", "formal": "+습니다", "friendly": "+어요"}
    said = [("민수", words[1]), (MAN, words[0]), ("자", words[2])]
    ending = (last[scene.style], tuple(scene.tail) or (words[2],))
    return phrases.Phrase(words, [*((t, (w,)) for t, w in said), ending])


def _one_subject(scene: Scene) -> tuple:
    _, verb = patterns.action(scene, "intransitive")
    words = phrases.words("the dog")
    head = (words[1],)
    return phrases.NounPhrase(words, [("개", head)], head), verb


def _one_verb_drawn(scene: Scene) -> tuple:
    entries = scene.words.frames["intransitive"]
    entry = next(entry for entry in entries if entry.english == "sleep")
    subject = scene.somebody(entry.features["subject"])
    return subject, verbs.Verb(entry, "past")


def _drawn(frame: str) -> Callable:
    return lambda scene: patterns.action(scene, frame)


_DRAW = {
    "free": _drawn("intransitive"),
    "transitive": _drawn("transitive"),
    "going": _drawn("going"),
    "giving": _drawn("giving"),
    "one subject": _one_subject,
    "one verb": _one_verb_drawn,
}


def _period(phrase: phrases.Phrase, scene: Scene) -> None:
    phrase.english.append(phrases.Word("."))
    phrase.korean.append(("+.", (phrase.english[-1],)))


def _address(phrase: phrases.Phrase, scene: Scene) -> None:
    phrase.english += scene.tail


def _comma_and_address(phrase: phrases.Phrase, scene: Scene) -> None:
    if scene.tail:
        phrase.english += [phrases.Word(","), *scene.tail]


_END = {
    "open": lambda phrase, scene: None,
    "period": _period,
    "address": _address,
    "comma and address": _comma_and_address,
}


def _insert(at: Callable[[int], int]) -> Callable:
    def put(phrase: phrases.Phrase, word: phrases.Word, length: int) -> None:
        phrase.english.insert(at(length), word)

    return put


def _without_article(phrase, word, length):
    phrase.english[0] = word


def _twice(phrase, word, length):
    phrase.english.insert(length, phrases.Word(ONLY))
    phrase.english.insert(0, word)


_PLACE = {
    "first": _insert(lambda length: 0),
    "behind the article": _insert(lambda length: 1),
    "behind the subject": _insert(lambda length: length),
    "last": _insert(lambda length: 99),
    "nowhere": lambda phrase, word, length: None,
    "for the article": _without_article,
    "twice": _twice,
}


def _token(at: int, *tokens: str) -> Callable:
    """Put tokens in the place of `at` tokens behind the subject."""

    def change(phrase: phrases.Phrase, length: int) -> None:
        links = phrase.korean[length][1]
        phrase.korean[length : length + at] = [(t, links) for t in tokens]

    return change


def _before_the_noun(phrase, length):
    phrase.korean.insert(0, phrase.korean.pop(length))


def _at_the_end(phrase, length):
    phrase.korean.append((MAN, phrase.korean[-1][1]))


def _merged(phrase, length):
    stem, links = phrase.korean[length - 1]
    phrase.korean[length - 1 : length + 1] = [(stem + "만", links)]


def _verb_lost(phrase, length):
    phrase.korean[length + 1 : -1] = []


def _only_the_particle(phrase, length):
    phrase.korean = [phrase.korean[length]]


_KOREAN = {
    "as it is": lambda phrase, length: None,
    "free": _token(1, "만"),
    "behind the particle": _token(1, "+는", MAN),
    "before the particle": _token(1, MAN, "+은"),
    "twice": _token(1, MAN, MAN),
    "before the noun": _before_the_noun,
    "at the end": _at_the_end,
    "one token": _merged,
    "verb lost": _verb_lost,
    "the particle alone": _only_the_particle,
}


def _relink(change: Callable) -> Callable:
    def link(phrase: phrases.Phrase, word: phrases.Word) -> None:
        phrase.korean = [
            (token, tuple(change(token, tuple(links), word)))
            for token, links in phrase.korean
        ]

    return link


_LINKS = {
    "only": _relink(lambda t, old, w: (w,) if t == MAN else old),
    "as they were": lambda phrase, word: None,
    "both": _relink(lambda t, old, w: (*old, w) if t == MAN else old),
    "none": _relink(lambda t, old, w: () if t == MAN else old),
    "a second word": _relink(
        lambda t, old, w: (phrases.Word(ONLY),) if t == MAN else old
    ),
    "any particle": _relink(
        lambda t, old, w: (w,) if t in {MAN, *RIVALS} else old
    ),
    "all": _relink(lambda t, old, w: (w,)),
    "all too": _relink(lambda t, old, w: (*old, w)),
    "others lost": _relink(lambda t, old, w: (w,) if t == MAN else ()),
    "the merged one": _relink(
        lambda t, old, w: (w,) if t.endswith("만") else old
    ),
}
