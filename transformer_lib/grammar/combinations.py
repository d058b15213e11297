"""Sentences of several clauses: relative, joined by and, with because.

Each function takes a `Scene` and returns a `Phrase`, the sentence without
its final punctuation. Chapters 15 and 17 use it.
"""

from transformer_lib.grammar.clauses import clause, describe, with_relative
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    noun_phrase,
    pronoun,
)
from transformer_lib.grammar.scene import DeadEnd, Scene
from transformer_lib.grammar.sentences import action
from transformer_lib.grammar.verbs import Verb

__all__ = [
    "because_it",
    "because_person",
    "coordination",
    "explain",
    "related",
    "relative",
]

# ------------------------------------------------------- relative clauses


def related(
    scene: Scene, noun: Entry, without: Entry, depth: int = 0
) -> NounPhrase:
    """Put a relative clause on a noun: the cat that the dog chased.

    Args:
        scene: the `Scene`.
        noun: the lexicon entry to describe.
        without: the verb of the main clause, not to be used again.
        depth: how many more relative clauses are nested inside.

    Returns:
        A `NounPhrase`.
    """
    if noun.word_class == "name":
        raise DeadEnd
    head = noun_phrase(noun)
    if not depth and scene.chance(0.4):
        subject, verb = _object_relative(scene, noun, without)
        gap = "object"
    else:
        subject, gap = head, "subject"
        verb = _subject_relative(scene, noun, head, without, depth)
    if verb.entry.get("state"):
        verb.tense = "present"
    if scene.chance(0.1):
        verb.negative = "not"
    return with_relative(head, subject, verb, gap)


def _subject_relative(
    scene: Scene, noun: Entry, head: NounPhrase, without: Entry, depth: int
) -> Verb:
    """Choose what a noun did: the dog that chased the cat."""
    frames = scene.words.frames
    entries = frames["transitive"] + frames["intransitive"] * (not depth)
    entry = scene.choose(
        [
            verb
            for verb in entries
            if verb is not without and noun.is_one_of(verb.features["subject"])
        ]
    )
    verb = Verb(entry)
    if entry.features["object"] != ["none"]:
        verb.object = scene.something(entry, head, plain=True)
        inner = verb.object.noun
        if depth and inner and not verb.object.plural:
            verb.object = related(scene, inner, entry, depth - 1)
    return verb


def _object_relative(
    scene: Scene, noun: Entry, without: Entry
) -> tuple[NounPhrase, Verb]:
    """Choose who did what to a noun: the cat that the dog chased."""
    entry = scene.choose(
        [
            verb
            for verb in scene.words.frames["transitive"]
            if verb is not without
            and not verb.get("particle")
            and noun in scene.words.members(verb.features["object"], "object")
        ]
    )
    scene.pairs.add(("verb", entry.english, noun.english))
    selectors = entry.features["subject"]
    if scene.chance(0.15) and "person" in selectors:
        return pronoun("i", scene.humble), Verb(entry)
    subject = scene.pick(selectors, "subject", (noun,))
    if noun.kinds & scene.words.avoided(subject):
        raise DeadEnd
    return scene.phrase(subject, plain=True), Verb(entry)


def relative(scene: Scene, depth: int = 0) -> Phrase:
    """The boy saw the dog that ... / The dog that ... slept."""
    frame = scene.rng.choice(("transitive", "transitive", "intransitive"))
    entry = scene.choose(scene.words.frames[frame])
    selectors = entry.features["subject"]
    verb = Verb(entry)
    if frame == "intransitive" or scene.chance(0.5):
        noun = scene.pick(selectors, "other")
        subject = related(scene, noun, entry, depth)
        if frame == "transitive":
            verb.object = scene.something(entry, subject, plain=True)
    else:
        subject = scene.somebody(selectors, plain=True)
        without = (subject.noun,)
        noun = scene.pick(entry.features["object"], "other", without)
        if subject.noun and noun.kinds & scene.words.avoided(subject.noun):
            raise DeadEnd
        scene.pairs.add(("verb", entry.english, noun.english))
        verb.object = related(scene, noun, entry, depth)
    scene.tense(verb, subject, simple=True)
    return clause(subject, verb, scene.style, scene.tail)


# ----------------------------------------------------------- coordination


def coordination(scene: Scene, clauses: int = 0) -> Phrase:
    """The boy read a book and the girl slept. All clauses share a tense.

    Args:
        scene: the `Scene`.
        clauses: how many; 0 for two, in the full preset sometimes three.

    Returns:
        A `Phrase`.
    """
    clauses = clauses or (3 if scene.rich and scene.chance(0.25) else 2)
    tense = "past" if scene.chance(0.65) else "future"
    but = scene.rich and clauses == 2 and scene.chance(0.3)
    english: list[Word] = []
    korean: list[Token] = []
    for number in range(clauses):
        frame = scene.rng.choice(("transitive", "intransitive", "going"))
        subject, verb = action(scene, frame, plain=True, simple=True)
        if not verb.entry.get("state"):
            verb.tense = tense
        if verb.tense == "future":
            verb.able = True
            verb.negative = "not" if verb.negative else ""
        if scene.rich and scene.chance(0.3):
            scene.extras(verb, subject, tense * (verb.tense == tense))
        if number == clauses - 1:
            link: list[Word] = []
            ending, cue = scene.style, scene.tail
        else:
            link = [Word("but" if but else "and")]
            ending, cue = link[0].text, link
        part = clause(subject, verb, ending, cue)
        english += part.english + link
        korean += part.korean
    return Phrase(english, korean)


# -------------------------------------------------------- because-clauses


def because_it(scene: Scene) -> Phrase:
    """The animal did not cross the street because it was too wide."""
    words = scene.words
    entry = scene.choose(words.frames["because"])
    affirmative = scene.rich and scene.chance(0.4)
    if entry.get("it") == "block":
        affirmative = True
    subject = scene.pick(entry.features["subject"], "other")
    noun = scene.pick(
        entry.features["object"], "other", (subject,), words.avoided(subject)
    )
    roles = [
        role
        for role, named in (("subject", subject), ("object", noun))
        if "person" not in named.kinds
    ]
    role = scene.choose(roles)
    named = subject if role == "subject" else noun
    adjective = scene.choose(words.reasons(entry, affirmative, role, named))
    return explain(
        scene, entry, affirmative, subject, noun, role, adjective, timed=True
    )


def because_person(scene: Scene) -> Phrase:
    """The boy did not follow the man because he was too tired."""
    words = scene.words
    people = [
        noun for noun in words.members(["person"], "other") if noun.get("says")
    ]
    entry = scene.choose(
        [
            verb
            for verb in words.frames["because"]
            if "person" in verb.features["subject"]
        ]
    )
    subject = scene.choose(people)
    selectors = entry.features["object"]
    rival = "person" in selectors and scene.chance(0.8)
    if rival:
        noun = scene.choose(
            [
                other
                for other in people
                if other is not subject
                and other.get("says") == subject.get("says")
            ]
        )
    else:
        noun = scene.pick(selectors, "other", avoided={"person"})
    role = "object" if rival and scene.chance(0.5) else "subject"
    named = subject if role == "subject" else noun
    affirmative = not rival and scene.chance(0.3)
    adjective = scene.choose(words.reasons(entry, affirmative, role, named))
    return explain(
        scene, entry, affirmative, subject, noun, role, adjective,
        subject.get("says"), timed=True,
    )  # fmt: skip


def explain(
    scene: Scene,
    entry: Entry,
    affirmative: bool,
    subject: Entry,
    noun: Entry,
    role: str,
    adjective: Entry,
    it: str = "it",
    negative: str = "",
    timed: bool = False,
) -> Phrase:
    """Say an action and its reason; Korean puts the reason first.

    The because-clause names the antecedent; the main clause takes it up
    again with 그 (that): 길이 너무 넓어서 동물은 그 길을 건너지 않았다.

    Args:
        scene: the `Scene`.
        entry, affirmative, subject, noun: who did (not) do what to whom.
        role: "subject" or "object", the antecedent.
        adjective: the reason.
        it: it, he or she.
        negative: "not" or "n't" in the past tense; "" for a random choice.
        timed: whether it may be said when.

    Returns:
        A `Phrase`.
    """
    scene.triple = (entry.english, subject.english, noun.english)
    scene.pairs.add(("verb", entry.english, noun.english))
    verb = Verb(entry, "past", object=_named(noun, role == "object"))
    group = entry.get("it")
    if negative:
        verb.negative = negative
    elif not affirmative:
        if group in ("act", "follow", "pursue") and scene.chance(0.2):
            verb.tense, verb.negative = "future", "not"
        else:
            scene.negate(verb)
    if timed and scene.chance(0.25):
        verb.time = [scene.time(verb.tense)]
    actor = _named(subject, role == "subject")
    main = clause(actor, verb, scene.style, scene.tail)
    degree = "too"
    if affirmative and group != "block":
        degree = "very" if scene.chance(0.5) else ""
    antecedent = subject if role == "subject" else noun
    because, named = Word("because"), (Word(it),)
    why = describe(
        NounPhrase(list(named), [(antecedent.korean, named)], named),
        adjective, "present" if verb.tense == "future" else "past",
        "because", (because,), "이", degree=degree,
    )  # fmt: skip
    english = main.english + [because] + why.english
    return Phrase(english, why.korean + main.korean)


def _named(noun: Entry, again: bool) -> NounPhrase:
    """Build "the X", with 그 if the because-clause has named it before."""
    phrase = noun_phrase(noun, "" if noun.word_class == "name" else "the")
    if again and noun.word_class != "name":
        phrase.korean.insert(0, ("그", (phrase.english[0],)))
    return phrase
