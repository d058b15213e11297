"""The exercise `only(scene)`, a construction, and its wrong answers.

Two right constructions draw different sentences from one scene, so their
sentences cannot be compared. What must be true of each of them can: twenty
scenes give a row of ones and zeros, the portrait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from toy_language.grammar import Grammar, clauses, phrases, verbs
from toy_language.grammar import scene as scenes
from toy_language.grammar import sentences as patterns
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.function_words import ADDRESSES
from transformer_course.checks.engine.edits import Reference
from transformer_course.checks.engine.exercise import Case, Exercise
from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.properties import Probe
from transformer_course.checks.engine.reading import ARRAY
from transformer_course.checks.engine.submission import Submission
from transformer_course.checks.engine.verdict import Example, Verdict

__all__ = ["EXERCISE", "only"]


def only(function: Any) -> Verdict:
    """Check the construction `only(scene)`: only the dog slept, 개만 잤다.

    The function takes a `Scene` and returns a `Phrase`. Sixty sentences are
    built with it, twenty in each manner of speaking, and looked at: words,
    particle, links, politeness.

    Args:
        function: from a `Scene` to a `Phrase`.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: chapter 15, and `toy_language.grammar`.
    """
    return judge(EXERCISE, function)


def solution(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (token, (word,) if token == "+만" else links)
        for token, links in phrase.korean
    ]
    return phrase


def exchange(phrase, place, count, *tokens):
    """Put tokens in the place of others; they get the links of the first."""
    links = phrase.korean[place][1]
    phrase.korean[place : place + count] = [(t, links) for t in tokens]


def the_dog():
    words = phrases.words("the dog")
    return phrases.NounPhrase(words, [("개", (words[1],))], (words[1],))


def somebody_slept(scene):
    entries = scene.words.frames["intransitive"]
    entry = next(entry for entry in entries if entry.english == "sleep")
    subject = scene.somebody(entry.features["subject"])
    return subject, verbs.Verb(entry, "past")


def only_minsu_slept(scene):
    """One sentence, whatever the scene says; politeness as it should be."""
    words = phrases.words("only minsu slept")
    last = {"plain": "+다", "formal": "+습니다", "friendly": "+어요"}
    said = [("민수", words[1]), (MAN, words[0]), ("자", words[2])]
    ending = (last[scene.style], tuple(scene.tail) or (words[2],))
    return phrases.Phrase(words, [*((t, (w,)) for t, w in said), ending])


# ------------------------------------------------------------- the portrait

ONLY, MAN = "only", "+만"
MANNERS = ("among friends", "to ma'am", "to grandma")
STYLES = ((), *ADDRESSES["full"][1:3])
CASES = tuple(Case(words, (manner,)) for manner, words in enumerate(MANNERS))
SCENES = 20
LEAST_KINDS = 5  # different sentences out of SCENES
RIVALS = {"+은", "+는", "+이", "+가", "+을", "+를"}
ENDINGS = {"plain": "다", "formal": "니다", "friendly": "요"}
# English words that a right sentence may leave without a link.
UNSAID = {"the", "a", "an", "on", "am", "is", "are", "was", "were", "do",
          "does", "did", "to", ONLY}  # fmt: skip
# What each number of a portrait says when it is 1.
FACTS = (
    "the English begins with `only`, in small letters",
    "`only` is said once",
    "the Korean has the token `+만`",
    "`+만` is said once",
    "만 is glued to the noun: the token is `+만`, with the plus",
    "no other particle stands beside `+만`",
    "`+만` comes right after the subject that was drawn",
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
        scene = Scene(_grammar().words, draw, STYLES[manner])
        try:
            return scene, construction(scene)
        except DeadEnd:
            continue


def play(construction: Callable, manner: int) -> list[float] | None:
    """Return the portrait: what is true of all sentences of a construction.

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
        forms = {entry.form(f) for f in ("base", "third", "past", "ing")}
        if all(forms & set(words) for words in said):
            return True
    return False


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
    """For each Korean token the Words it is linked to, surely or possibly.

    The end mark counts: it decides over the ending.
    """
    end = phrases.END_MARK.word
    known = {id(word) for word in (*phrase.english, end)}
    found = []
    for _, links in phrase.korean:
        row = [
            link.word if isinstance(link, phrases.Loose) else link
            for link in links
        ]
        found.append([word for word in row if id(word) in known])
    return found


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
    rest = [word for word in phrase.english if word.text != ONLY]
    words, tokens = _subject(scene, korean[: man[0]] if man else [], rest)
    translated = {id(word) for row in _links(whole) for word in row}
    mute = [w for w in phrase.english if id(w) not in translated]
    return [
        english[:1] == [ONLY],
        english.count(ONLY) == 1,
        bool(man),
        len(man) <= 1,
        not any(t.endswith("만") and t != MAN for t in korean),
        not beside & RIVALS,
        bool(man) and _bare(korean[: man[0]]) == _bare(tokens),
        _as_drawn(words, rest),
        bool(only),
        set(only) <= set(man),
        all(set(links[i]) <= {ONLY} for i in man),
        all(row for i, row in enumerate(links) if i not in man),
        any(t.endswith(ENDINGS[scene.style]) for t in korean[-2:]),
        {id(word) for word in scene.tail} <= translated,
        not {".", "+."} & {*english, *korean},
        not {word.text for word in scene.tail} & set(english),
        not scene.has_object,
        scene.has_object or all(word.text in UNSAID for word in mute),
    ]


def _bare(subject: list[str]) -> list[str]:
    """Leave out 그, which a clause in the present puts before a noun."""
    return subject[1:] if subject[:1] == ["그"] and subject[1:] else subject


def _as_drawn(words: list[phrases.Word], english: list) -> bool:
    """Whether a phrase begins with the very Words of a subject."""
    return all(a is b for a, b in zip(english, words, strict=False))


def _subject(
    scene: Scene, before: list[str], english: list[phrases.Word]
) -> tuple[list, list[str]]:
    """The drawn subject that stands before 만, else the first one drawn.

    Two draws can give the same noun: its Words tell which was used.
    """
    drawn = [s for s in scene.subjects if _bare(s[1]) == _bare(before)]
    used = [subject for subject in drawn if _as_drawn(subject[0], english)]
    for found in (used, drawn, scene.subjects):
        if found:
            return found[0]
    return [], before


# ----------------------------------------------------------------- in words


def _first_fact(probe: Probe) -> str | None:
    """The first fact that does not hold."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or got.array.shape != want.array.shape:
        return "Return the Phrase itself: no numbers, no list of phrases."
    broken = np.flatnonzero(got.array < want.array)
    if not len(broken):
        return None
    return (
        "The first thing that breaks in some sentence: it should be so that "
        f"{FACTS[broken[0]]}."
    )


def _with_a_sentence(verdict: Verdict, submission: Submission) -> Verdict:
    """Show a wrong sentence in place of a row of ones and zeros."""
    if verdict.example is None:
        return verdict
    found = submission.example(verdict.mistake or "")
    if found is None:
        given = f"a scene, {MANNERS[0]} (seed 0)"
        wanted = sentence_of(solution, 0, 0)
        found = Example(given, wanted, verdict.example.received)
    return replace(verdict, example=found)


def _sentence(answer: Callable, mistake: str) -> Example | None:
    """A wrong sentence; three where one would not show what is wrong."""
    if mistake in ("always_the_same", "one_subject", "one_verb"):
        return _three_of(answer)
    for manner, words in enumerate(MANNERS):
        for seed in range(SCENES):
            scene, phrase = _draw(answer, seed, manner)
            if not all(_facts(scene, phrase)):
                given = f"a scene, {words} (seed {seed})"
                wanted = sentence_of(solution, seed, manner)
                return Example(given, wanted, _written(phrase))
    return None


def _three_of(answer: Callable) -> Example:
    """One sentence alone would not show that all are alike."""
    given = f"three scenes, {MANNERS[0]} (seeds 0, 1, 2)"
    wanted, came = (
        "\n".join(sentence_of(construction, seed, 0) for seed in range(3))
        for construction in (solution, answer)
    )
    return Example(given, wanted, came)


def sentence_of(construction: Callable, seed: int, manner: int) -> str:
    """Return both languages, and what "only" is linked to."""
    return _written(_draw(construction, seed, manner)[1])


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


EXERCISE = Exercise(
    name="only",
    inputs=("scene",),
    asked="`only(scene)` returns a Phrase that begins with *only* and has "
    "만 instead of the subject's particle, with any subject and any verb "
    "without an object. *Only* and 만 are linked to each other, and to "
    "nothing else; all other words and links are as in `simple`.",
    praise="All sixty sentences are right: the words, the particle, the "
    "links, and the manner of speaking.",
    cases=CASES,
    solve=Reference(solution),
    properties=(_first_fact,),
    hints=(
        "Begin with `simple`: subject, verb, clause. `clauses.clause` can "
        "replace the particle of the subject. Then there are two more things "
        "to do: the English word, and the links of the particle.",
        "The English word has to be the same object in both lists. In the "
        "Korean list one entry changes, and all others stay.",
    ),
    show_inputs=lambda args: f"twenty scenes, {MANNERS[args[0]]}",
    play=play,
    handed_over=("manner",),
    finish=_with_a_sentence,
    example=_sentence,
    most_combined=300,
)
