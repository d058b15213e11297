"""What a construction makes, as facts that do not depend on its choices.

Two right constructions draw different sentences from one scene, so their
sentences cannot be compared. What must be true of each of them can: twenty
scenes give a row of ones and zeros, the portrait.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from transformer_lib.grammar import Grammar, phrases
from transformer_lib.grammar import scene as scenes

__all__ = ["FACTS", "MANNERS", "first_fault", "portrait", "sentence_of"]

ONLY, MAN = "only", "+만"
MANNERS = {0: (), 1: scenes.POLITE["full"][1], 2: scenes.POLITE["full"][2]}
SCENES = 20
LEAST_KINDS = 5  # different sentences out of SCENES
RIVALS = {"+은", "+는", "+이", "+가", "+을", "+를"}
_ENDINGS = {"plain": "다", "formal": "니다", "friendly": "요"}
# English words that a right sentence may leave without a link.
_UNSAID = {"the", "a", "an", "on", "am", "is", "are", "was", "were", "do",
           "does", "did", ONLY}  # fmt: skip
_FORMS = ("base", "third", "past", "ing")
# What each number of a portrait says when it is 1.
FACTS = (
    "the English begins with `only`, in small letters",
    "`only` is said once",
    "the Korean has the token `+만`",
    "`+만` is said once",
    "만 is glued to the noun: the token is `+만`, with the plus",
    "no other particle stands beside `+만`",
    "`+만` stands right behind the subject that was drawn",
    "the rest of the English subject is as it was",
    "`only` is linked to something",
    "`only` is linked to nothing but `+만`",
    "`+만` is linked to nothing but `only`",
    "every other Korean token keeps a link",
    "the verb ends as polite as the scene is",
    "the word that asks for politeness is linked to the ending",
    "the period is left to the grammar",
    "the word that asks for politeness is left to the grammar",
    "the verb has no object and no goal",
    "every English word but articles and helping verbs is translated",
    "not all sentences are the same",
    "not all sentences have the same subject",
    "not all sentences have the same verb",
)


class Scene(scenes.Scene):
    """A scene that remembers what it was asked for."""

    has_object = False

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.subjects: list[tuple[list, list]] = []

    def somebody(self, *args: Any, **more: Any) -> phrases.NounPhrase:
        made = super().somebody(*args, **more)
        parts = list(made.english), [token for token, _ in made.korean]
        self.subjects.append(parts)
        return made

    def something(self, *args: Any, **more: Any) -> phrases.NounPhrase:
        self.has_object = True
        return super().something(*args, **more)


@cache
def _grammar() -> Grammar:
    return Grammar("full")


def _draw(construction: Callable, seed: int, manner: int) -> tuple:
    """Build one phrase; a dead end begins anew, as in the grammar."""
    draw = Random(seed)
    while True:
        scene = Scene(_grammar().words, draw, MANNERS[manner])
        try:
            return scene, construction(scene)
        except scenes.DeadEnd:
            continue


def portrait(construction: Callable, manner: int) -> list[float] | None:
    """Return what is true of all sentences of a construction.

    Args:
        construction: from a Scene to a Phrase.
        manner: 0 plain, 1 to ma'am, 2 to grandma.

    Returns:
        A 1 or a 0 for each of FACTS, None if nothing was returned.

    Raises:
        TypeError: something else than a Phrase was returned.
    """
    rows, made = [], []
    for seed in range(SCENES):
        scene, phrase = _draw(construction, seed, manner)
        if phrase is None or phrase is Ellipsis:
            return None
        rows.append(_facts(scene, phrase))
        made.append(phrase)
    always = [all(column) for column in zip(*rows, strict=True)]
    return [float(fact) for fact in [*always, *_variety(made)]]


def _variety(made: list[phrases.Phrase]) -> list[bool]:
    """The facts about all the sentences together."""
    said = [[word.text for word in phrase.english] for phrase in made]
    enough = len(set(map(tuple, said))) >= LEAST_KINDS
    subjects = set()
    for phrase in made:
        korean = [token for token, _ in phrase.korean]
        end = korean.index(MAN) if MAN in korean else 0
        subjects.add(tuple(korean[:end]))
    known = any(subjects)  # somewhere a subject stands before 만
    return [
        enough,
        enough and (len(subjects) > 1 or not known),
        enough and not _one_verb(said),
    ]


def _one_verb(said: list[list[str]]) -> bool:
    """True if one verb without an object is in all the sentences."""
    for entry in _grammar().words.frames["intransitive"]:
        forms = {entry.form(form) for form in _FORMS}
        if all(forms & set(words) for words in said):
            return True
    return False


def first_fault(construction: Callable, manner: int) -> tuple[int, str] | None:
    """Return the seed of the first wrong sentence, and the sentence."""
    for seed in range(SCENES):
        scene, phrase = _draw(construction, seed, manner)
        if not all(_facts(scene, phrase)):
            return seed, _written(phrase)
    return None


def sentence_of(construction: Callable, seed: int, manner: int) -> str:
    """Return both languages, and what "only" is linked to."""
    return _written(_draw(construction, seed, manner)[1])


def _checked(phrase: Any) -> phrases.Phrase:
    """Refuse what is no Phrase, and say what came."""
    if not isinstance(phrase, phrases.Phrase):
        raise TypeError(
            "a construction returns a Phrase (clauses.clause makes one); "
            f"what came is of type {type(phrase).__name__}"
        )
    for name in ("english", "korean"):
        if not isinstance(getattr(phrase, name), list):
            raise TypeError(
                f"phrase.{name} is a list; yours is {getattr(phrase, name)!r} "
                "(`insert` and `append` change a list and return None)"
            )
    for part in phrase.english:
        if not isinstance(part, phrases.Word):
            raise TypeError(
                "phrase.english holds phrases.Word objects; in yours stands "
                f"{part!r}, of type {type(part).__name__}"
            )
    for entry in phrase.korean:
        _checked_entry(entry)
    return phrase


def _checked_entry(entry: Any) -> None:
    """Refuse what is no pair of a token and its links."""
    if not isinstance(entry, (list, tuple)) or len(entry) != 2:
        raise TypeError(
            "phrase.korean holds pairs (token, links); in yours stands "
            f"{entry!r}, of type {type(entry).__name__}"
        )
    if isinstance(entry[1], (phrases.Word, str)):
        raise TypeError(
            f"the links of {entry[0]!r} should be a tuple of Words, and yours "
            f"are one {type(entry[1]).__name__}: a tuple of one has a comma, "
            "(word,)"
        )


def _links(phrase: phrases.Phrase) -> list[list[phrases.Word]]:
    """For each Korean token the Words of the sentence it is linked to."""
    known = {id(word): word for word in phrase.english}
    return [
        [known[id(word)] for word in links if id(word) in known]
        for _, links in phrase.korean
    ]


def _facts(scene: Scene, phrase: Any) -> list[bool]:
    """The facts of one sentence, in order, without those about all."""
    _checked(phrase)
    english = [word.text for word in phrase.english]
    korean = [token for token, _ in phrase.korean]
    whole = phrases.Phrase(phrase.english + scene.tail, phrase.korean)
    links = [[word.text for word in row] for row in _links(whole)]
    only = [i for i, row in enumerate(links) if ONLY in row]
    man = [i for i, token in enumerate(korean) if token == MAN]
    beside = {
        one for pair in pairwise(korean) if MAN in pair for one in pair
    } - {MAN}
    words, tokens = _subject(scene, korean[: man[0]] if man else [])
    rest = [word for word in phrase.english if word.text != ONLY]
    translated = {id(word) for row in _links(whole) for word in row}
    mute = [w for w in phrase.english if id(w) not in translated]
    ending = _ENDINGS[scene.style]
    tail = {id(word) for word in scene.tail}
    heard = {id(word) for row in _links(whole) for word in row} & tail
    return [
        english[:1] == [ONLY],
        english.count(ONLY) == 1,
        bool(man),
        len(man) <= 1,
        not any(t.endswith("만") and t != MAN for t in korean),
        not beside & RIVALS,
        bool(man) and korean[: man[0]] == tokens,
        all(a is b for a, b in zip(rest, words, strict=False)),
        bool(only),
        set(only) <= set(man),
        all(set(links[i]) <= {ONLY} for i in man),
        all(row for i, row in enumerate(links) if i not in man),
        any(t.endswith(ending) for t in korean[-2:]),
        heard == tail,
        not {".", "+."} & {*english, *korean},
        not {word.text for word in scene.tail} & set(english),
        not scene.has_object,
        scene.has_object or all(word.text in _UNSAID for word in mute),
    ]


def _subject(scene: Scene, before: list[str]) -> tuple[list, list[str]]:
    """The drawn subject that stands before 만, else the first one drawn."""
    for words, tokens in scene.subjects:
        if tokens == before:
            return words, tokens
    return scene.subjects[0] if scene.subjects else ([], before)


def _written(phrase: phrases.Phrase) -> str:
    linked = [
        token
        for (token, _), row in zip(phrase.korean, _links(phrase), strict=True)
        if any(word.text == ONLY for word in row)
    ]
    return (
        " ".join(word.text for word in phrase.english)
        + "\n"
        + " ".join(token for token, _ in phrase.korean)
        + "\nonly is linked to: "
        + (", ".join(linked) or "nothing")
    )
