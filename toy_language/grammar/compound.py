"""Clauses joined by and or but.

Korean joins with endings: -고 (and), -지만 (but); in the future -을 것이고
and -겠지만. Chapters 15 and 17 use this module.
"""

from toy_language.grammar.being import describe
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import circumstances
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import Phrase, Token, Word, relinked
from toy_language.grammar.scene import Scene
from toy_language.grammar.sentences import action, retell
from toy_language.grammar.states import DESCRIBED, degree_of
from toy_language.grammar.verbs import Verb
from toy_language.tables import group, read_table

__all__ = ["CONTRARY", "coordination", "joined"]

# Adjectives that "but" joins; those that are never true together.
OPPOSED = read_table("adjectives.tsv", "one, other", "opposed")
CONTRARY = [
    set(row.values())
    for row in read_table("adjectives.tsv", "one, other", "contrary")
]
FIRST, VAGUE = group("first"), group("vague")


def coordination(scene: Scene) -> Phrase:
    """The boy read a book and the girl slept. All clauses share a tense."""
    if scene.rich:
        draw = scene.rng.random()
        if draw < 0.25:
            return _one_subject(scene)
        if draw < 0.4:
            return _two_qualities(scene)
    return joined(scene, 3 if scene.rich and scene.chance(0.25) else 2)


def joined(scene: Scene, clauses: int, full: float = 0.3) -> Phrase:
    """Join clauses with and, or two of them with but.

    Args:
        scene: the `Scene`.
        clauses: how many.
        full: how often a clause has times and places.

    Returns:
        A `Phrase`.
    """
    tense = "past" if scene.chance(0.65) else "future"
    but = scene.rich and clauses == 2 and scene.chance(0.3)
    english: list[Word] = []
    korean: list[Token] = []
    said: set[str] = set()  # each clause has its own subject and verb
    for number in range(clauses):
        frame = scene.rng.choice(("transitive", "intransitive", "going"))
        subject, verb = action(scene, frame, plain=True, simple=True)
        if verb.entry.get("state") and tense == "future":
            raise DeadEnd
        retell(verb, subject, tense, negative=True)
        names = {subject.english[-1].text, verb.entry.korean}
        if names & said:
            raise DeadEnd
        said |= names
        if scene.chance(full):
            state = verb.entry.get("state")
            circumstances(scene, verb, subject, "" if state else tense)
        last = number == clauses - 1
        link = [] if last else [Word("but" if but else "and")]
        ending = scene.style if last else link[0].text
        part = clause(subject, verb, ending, scene.tail if last else link)
        english += part.english + link
        korean += part.korean
    return Phrase(english, korean)


def _one_subject(scene: Scene) -> Phrase:
    """The boy ate an apple and drank milk. -> 소년은 사과를 먹었고 ..."""
    first = scene.rng.choice(("transitive", "going", "intransitive"))
    subject, verb = action(scene, first, plain=True, simple=True)
    frame = scene.rng.choice(("transitive", "intransitive", "going"))
    entry = scene.choose(scene.words.frames[frame])
    selectors = entry.features["subject"]
    noun = subject.noun
    fits = noun.is_one_of(selectors) if noun else "person" in selectors
    if not fits or entry.english in (verb.entry.english, *VAGUE):
        raise DeadEnd
    if verb.entry.get("state") or entry.get("state"):
        raise DeadEnd
    second = Verb(entry)
    retell(verb, subject, "past")
    if frame != "intransitive":
        second.object = scene.something(entry, subject, True, frame == "going")
    link = Word("and")
    ending = "because" if verb.entry.english in FIRST else "both"
    mark = subject.mark if ending == "because" else ""
    head = clause(subject, verb, ending, (link,), mark)
    tail = clause(subject, second, scene.style, scene.tail, gap="subject")
    return Phrase(
        head.english + [link] + tail.english, head.korean + tail.korean
    )


def _matched(scene: Scene, noun: Entry, but: bool) -> tuple[Entry, Entry]:
    """Choose two adjectives that "and" joins, or "but"."""
    if but:
        pair = list(scene.choose(OPPOSED).values())
        scene.rng.shuffle(pair)
        fitting = {
            one.english: one
            for one in scene.words.adjectives_for(noun)
            if one.get("use") != "before"
        }
        if not set(pair) <= set(fitting):
            raise DeadEnd
        for name in pair:
            scene.pairs.add(("adjective", name, noun.english))
        return fitting[pair[0]], fitting[pair[1]]
    first, second = scene.adjective(noun), scene.adjective(noun)
    names = {first.english, second.english}
    same = first.korean == second.korean or len(names) == 1
    if same or any(names <= contrary for contrary in CONTRARY):
        raise DeadEnd
    return first, second


def _two_qualities(scene: Scene) -> Phrase:
    """The room was small but clean. -> 방은 작았지만 깨끗했다."""
    noun = scene.pick(DESCRIBED, "subject")
    but = scene.chance(0.35)
    first, second = _matched(scene, noun, but)
    subject = scene.phrase(noun, plain=True, known=True)
    named = noun.word_class == "name" or noun.kinds & {"kin", "meal", "unique"}
    if scene.chance(0.15) and not named:
        subject = scene.special(noun)
    tense = "present" if scene.chance(0.6) else "past"
    link = Word("but" if but else "and")
    ending = "but" if but else "both"  # 작고 맛있었다, 작았지만 맛있었다
    one = describe(subject, first, tense, ending, (link,))
    degree = degree_of(scene) if scene.chance(0.4) else ""
    other = describe(
        subject, second, tense, scene.style, scene.tail, gap="subject",
        degree=degree,
    )  # fmt: skip
    is_, second_is = one.english[-2], other.english[0]
    english = one.english + [link, *other.english[1:]]
    return Phrase(english, one.korean + relinked(other, second_is, is_))
