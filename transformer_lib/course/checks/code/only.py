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

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.submission import Submission
from transformer_lib.course.checks.engine.verdict import Example, Verdict
from transformer_lib.toy.grammar import Grammar, clauses, phrases, verbs
from transformer_lib.toy.grammar import scene as scenes
from transformer_lib.toy.grammar import sentences as patterns
from transformer_lib.toy.grammar.chance import DeadEnd

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

    Source: chapter 15, and `transformer_lib.toy.grammar`.
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
STYLES = ((), *scenes.POLITE["full"][1:3])
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
    words, tokens = _subject(scene, korean[: man[0]] if man else [])
    rest = [word for word in phrase.english if word.text != ONLY]
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
        all(a is b for a, b in zip(rest, words, strict=False)),
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


def _subject(scene: Scene, before: list[str]) -> tuple[list, list[str]]:
    """The drawn subject that stands before 만, else the first one drawn."""
    for words, tokens in scene.subjects:
        if _bare(tokens) == _bare(before):
            return words, tokens
    return scene.subjects[0] if scene.subjects else ([], before)


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


MISTAKES = r"""
no_only
- phrase.english.insert(0, word)
+
or
- phrase.english.insert(0, word)
+
- (word,) if token == "+만" else links
+ links
or
- phrase.english.insert(0, word)
+
- (word,)
+ (*links, word)
The English sentence does not say `only`. Making the Word is not enough: it has
to be put into `phrase.english`.
? Which list holds the English words, and where in it does the new one belong?

only_not_first
- insert(0, word)
+ insert(1, word)
or
- insert(0, word)
+ insert(len(subject.english), word)
or
- insert(0, word)
+ append(word)
`only` should be the first English word: *only the dog slept*. In another place
it means something else, or sounds odd.
? A list can take a new member at any place. Which number has the first one?

only_twice
- phrase.english.insert(0, word)
+ phrase.english.insert(len(subject.english), phrases.Word("only"))
+ phrase.english.insert(0, word)
`only` is said twice in one sentence: *only the dog only slept*.
? Does your function insert the word in two places?

article_lost
- phrase.english.insert(0, word)
+ phrase.english[0] = word
A word of the subject is gone: `only` has taken its place instead of standing
before it.
? Do you assign to the first place of the list, or insert before it?

no_man
- mark="만"
+ mark=""
or
- mark="만"
+ mark=""
- token == "+만"
+ token in RIVALS
or
- mark="만"
+ mark="이"
or
- mark="만"
+ mark="이"
- token == "+만"
+ token in RIVALS
The Korean has no token `+만`: the subject has another particle.
? `clauses.clause` has an input that replaces the particle of the subject.

man_not_glued
- word =
+ exchange(phrase, len(subject.korean), 1, "만")
+ word =
or
- word =
+ exchange(phrase, len(subject.korean), 1, "만")
+ word =
- token == "+만"
+ token == "만"
or
- word =
+ noun, _ = subject.korean[-1]
+ exchange(phrase, len(subject.korean) - 1, 2, noun + "만")
+ word =
or
- word =
+ noun, _ = subject.korean[-1]
+ exchange(phrase, len(subject.korean) - 1, 2, noun + "만")
+ word =
- token == "+만"
+ token.endswith("만")
만 has to be glued to its noun. In a row of tokens that is written with a plus:
`+만`, as in `+은` and `+는`. A token of its own would be printed as a separate
word; a noun with 만 inside would be a new word for the vocabulary.
? Compare your Korean tokens with those of a sentence of the grammar.

particle_kept
- word =
+ exchange(phrase, len(subject.korean), 1, "+는", "+만")
+ word =
or
- word =
+ exchange(phrase, len(subject.korean), 1, "+만", "+은")
+ word =
만 stands beside the particle that it should replace.
? How many particles does the subject have in your sentence?

man_twice
- word =
+ exchange(phrase, len(subject.korean), 1, "+만", "+만")
+ word =
or
- word =
+ phrase.korean.append(("+만", phrase.korean[-1][1]))
+ word =
or
- word =
+ phrase.korean.append(("+만", phrase.korean[-1][1]))
+ word =
- (word,) if token == "+만" else links
+ links
만 is said twice in one sentence. It belongs behind the subject, and there once.
? Who puts 만 into the sentence: `clauses.clause`, or you, or both?

man_elsewhere
- word =
+ phrase.korean.insert(0, phrase.korean.pop(len(subject.korean)))
+ word =
or
- word =
+ phrase.korean.insert(0, phrase.korean.pop(len(subject.korean)))
+ word =
- (word,) if token == "+만" else links
+ links
or
- mark="만"
+ mark=""
- word =
+ phrase.korean.append(("+만", phrase.korean[-1][1]))
+ word =
만 belongs right behind the subject: *dog-only sleep*. On another word it limits
that word.
? Behind which token does 만 stand in your sentence?

links_not_changed
- (word,) if token == "+만" else links
+ links
The sentences are right; the links are not. `clause` links 만 to the noun, as it
does with every particle, and `only` is linked to nothing.
? Each entry of `phrase.korean` is a token and its links. Which entry needs new
ones?

linked_to_the_noun_too
- (word,)
+ (*links, word)
만 is linked to `only` and, as before, to the noun. The task asks for `only`
alone.
? Do you replace the links of 만, or add to them?

link_to_another_word
- (word,)
+ (phrases.Word("only"),)
or
- (word,)
+ ()
The links of 만 lead to nothing in the sentence. Links are followed by identity:
the Word in the links and the Word in the sentence have to be one object, not
two with the same text.
? How often does your function make a Word from `only`?

all_linked_to_only
- (word,) if token == "+만" else links
+ (word,)
or
- (word,) if token == "+만" else links
+ (*links, word)
Not only 만 is linked to `only`: other tokens are as well.
? For which tokens does your condition hold?

other_links_lost
- else links
+ else ()
The other tokens have lost their links. Only the entry of 만 should change.
? What does your list give for a token that is not 만?

korean_words_lost
- word =
+ phrase.korean[len(subject.korean) + 1 : -1] = []
+ word =
or
- word =
+ phrase.korean = [phrase.korean[len(subject.korean)]]
+ word =
or
- word =
+ phrase.korean[len(subject.korean) + 1 :] = []
+ word =
The English says more than the Korean: Korean words are gone. Only the entry of
만 changes; all the others stay, in their order.
? How many entries does your `phrase.korean` have before your changes, and how
many after?

style_ignored
- scene.style
+ "plain"
or
- scene.style, scene.tail
+ "plain"
or
- scene.style
+ "formal"
or
- scene.style, scene.tail
+ "formal"
To *ma'am* and *grandma* one speaks politely, and your verbs end as among
friends (or the other way round).
? The scene knows its style. Which input of `clauses.clause` wants it?

cue_forgotten
- , scene.tail
+
The words are right. But in *only the dog slept, ma'am* the polite ending
translates *ma'am*, and your phrase has no link for it.
? `simple` hands four things to `clauses.clause`. Which one is missing in
yours?

period_added
- return phrase
+ phrase.english.append(phrases.Word("."))
+ phrase.korean.append(("+.", (phrase.english[-1],)))
+ return phrase
or
- return phrase
+ phrase.english.append(phrases.Word("."))
+ return phrase
or
- return phrase
+ phrase.korean.append(("+.", ()))
+ return phrase
The grammar adds the period itself; with yours there are two.
? A Phrase is a sentence without its last sign.

politeness_word_added
- return phrase
+ phrase.english += scene.tail
+ return phrase
or
- return phrase
+ if scene.tail:
+     phrase.english += [phrases.Word(","), *scene.tail]
+ return phrase
The grammar adds *ma'am* and *grandma* itself, with the comma; in your
sentences they stand twice.
? A Phrase ends before the comma. `scene.tail` goes to `clauses.clause`, and
nowhere else.

verb_with_object
- "intransitive"
+ "transitive"
or
- "intransitive"
+ "going"
or
- "intransitive"
+ "giving"
or
- "intransitive"
+ scene.choose(["intransitive", "transitive", "going"])
Your verbs have an object or a goal (*only the dog saw the cat*, *only the dog
went to the park*). Asked for is a verb without one.
? `patterns.action` gets the name of a frame. Which one does `simple` name?

one_subject
- phrase =
+ subject = the_dog()
+ phrase =
All sentences have the same subject. Asked for is any subject: the one that
`patterns.action` draws.
? `patterns.action` returns two things. Do you use the first?

one_verb
- patterns.action(scene, "intransitive")
+ somebody_slept(scene)
All sentences have the same verb. Asked for is any verb without an object: the
one that `patterns.action` draws.
? `patterns.action` returns two things. Do you use the second?

always_the_same
- subject, verb =
+ return only_minsu_slept(scene)
+ subject, verb =
Twenty scenes give nearly the same sentence. The choices are the scene's: ask
it for subject and verb.
? `patterns.action` takes the scene and draws both.
"""

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
    catalogue=MISTAKES,
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
