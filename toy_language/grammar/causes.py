"""Sentences with because.

In Korean the reason comes first. When the subject is meant it stays the
topic and is not said again; another noun is named in the reason:

    동물은 너무 피곤해서 길을 건너지 않았다.
    길이 너무 넓어서 동물은 길을 건너지 못했다.

English may begin with the main clause or with because; Korean is the same.
Chapters 15 and 17 use it.
"""

from dataclasses import replace

from toy_language.grammar.because import hinders
from toy_language.grammar.being import describe
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import (
    noun_phrase,
)
from toy_language.grammar.phrases import (
    Loose,
    NounPhrase,
    Phrase,
    Word,
)
from toy_language.grammar.reasons import reasons
from toy_language.grammar.scene import Scene
from toy_language.grammar.tenses import (
    time_of,
)
from toy_language.grammar.verbs import Verb

__all__ = [
    "because",
    "because_it",
    "degree_of_reason",
    "explain",
    "refer",
    "resumed",
]


def because(
    main: Phrase,
    reason: Phrase,
    link: Word,
    same: bool,
    first: bool,
) -> Phrase:
    """Join a clause and its reason.

    Args:
        main: the `Phrase` of what is so.
        reason: the `Phrase` of why.
        link: the word because.
        same: whether both have one subject, which Korean says once.
        first: whether English begins with the reason.

    Returns:
        A `Phrase`.
    """
    if first:
        english = [link, *reason.english, Word(","), *main.english]
    else:
        english = [*main.english, link, *reason.english]
    at = main.topic if same else 0
    korean = [*main.korean[:at], *reason.korean, *main.korean[at:]]
    return Phrase(english, korean)


def resumed(subject: NounPhrase, text: str) -> NounPhrase:
    """Build "it" for a subject that Korean has said: it leaves it out."""
    word = Word(text)
    return NounPhrase(
        [word], [], (word,), subject.noun, subject.plural, subject.person
    )


def refer(main: Phrase, pronoun: NounPhrase) -> None:
    """Link the topic to the pronoun that takes it up."""
    for number, (token, links) in enumerate(main.korean[: main.topic]):
        if not token.startswith("+"):
            more = (*links, Loose(pronoun.english[0]))
            main.korean[number] = (token, more)


def because_it(scene: Scene) -> Phrase:
    """The animal did not cross the street because it was too wide."""
    about = reasons(scene.words.preset)
    cell = about.draw(scene.rng)
    subject = scene.choose(cell.subjects)
    noun = scene.choose(cell.objects)
    if not about.goes(cell, subject, noun):
        raise DeadEnd
    return explain(
        scene, cell.verb, cell.happened, subject, noun, cell.role,
        cell.adjective, timed=True,
    )  # fmt: skip


def explain(
    scene: Scene,
    entry: Entry,
    happened: bool,
    subject: Entry,
    noun: Entry,
    role: str,
    name: str,
    negative: str = "",
    timed: bool = False,
    degree: str = "too",
) -> Phrase:
    """Say an action and its reason, which "it" is the subject of.

    Args:
        scene: the `Scene`.
        entry, happened, subject, noun: who did (not) do what to whom.
        role: "subject" or "object", the antecedent.
        name: the adjective that is the reason.
        negative: "not" or "n't" in the past tense; "" for a random choice.
        timed: whether it may be said when, how much, and in another order.
        degree: if not timed, of what explains that it did not happen.

    Returns:
        A `Phrase`.
    """
    scene.triple = (entry.english, subject.english, noun.english)
    scene.pairs.add(("verb", entry.english, noun.english))
    verb = Verb(entry, "past", object=noun_phrase(noun))
    if not happened:
        verb.able = not hinders(entry.english, name)
        verb.negative = negative or ("n't" if scene.chance(0.25) else "not")
        if timed and scene.chance(0.12):
            verb.tense, verb.negative = "future", "not"
    degree = degree if not happened else ""
    if timed:
        degree = degree_of_reason(scene, happened)
        if scene.chance(0.2) and not entry.get("frame"):
            verb.time = [time_of(scene, verb.tense)]
    actor = noun_phrase(subject)
    main = clause(actor, verb, scene.style, scene.tail)
    antecedent = subject if role == "subject" else noun
    adjective = reasons(scene.words.preset).about(name, antecedent)
    if adjective is None:
        raise ValueError(f"{name!r} cannot be said of {antecedent.english!r}")
    it = resumed(actor, "it")
    if role == "object":
        named = noun_phrase(noun, "")
        it = replace(it, korean=[(named.korean[0][0], it.head)], noun=noun)
    else:
        refer(main, it)
    link = Word("because")
    tense = "present" if verb.tense == "future" else "past"
    why = describe(it, adjective, tense, "because", (link,), degree=degree)
    first = timed and scene.chance(0.2)
    return because(main, why, link, role == "subject", first)


def degree_of_reason(scene: Scene, happened: bool) -> str:
    """Choose "", very, so or too; it does not matter for what "it" is."""
    if happened:
        return scene.rng.choice(("", "", "very", "so"))
    return scene.rng.choice(("", "very", "so", "too", "too", "too"))
