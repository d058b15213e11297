"""Sentences of one clause: statements of all kinds.

Each function takes a `Scene` and returns a `Phrase`, the sentence without
its final punctuation. Chapter 15 uses it.
"""

from collections.abc import Callable, Sequence

from toy_language.grammar.adjuncts import adjunct
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.circumstances import (
    begin,
    circumstances,
    fronted,
)
from toy_language.grammar.clauses import clause
from toy_language.grammar.function_words import ANSWERS, DEGREES
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.named import word_named
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    pronoun,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.tenses import (
    choose_tense,
    held_at_any_time,
    settle,
)
from toy_language.grammar.verbs import Verb
from toy_language.tables import read_table

__all__ = [
    "Construction",
    "action",
    "add_objects",
    "answer",
    "fable",
    "retell",
    "statement",
    "trip",
]

Construction = Callable[[Scene], Phrase]

# Verbs whose goal may be one word without a preposition.
BARE_PLACES = {
    row["verb"]: row.words("words")
    for row in read_table("nouns.tsv", "verb, words", "bare places")
}


def action(
    scene: Scene,
    frame: str,
    plain: bool = False,
    simple: bool = False,
    who: Sequence[str] = (),
) -> tuple[NounPhrase, Verb]:
    """Choose a subject and a verb with all that belongs to it.

    Args:
        scene: the `Scene`.
        frame: "transitive", "intransitive", "going", "giving" or "putting".
        plain: no adjectives, numbers, owners.
        simple: past or future, without time and place.
        who: kinds of subjects that do what people do: the bear drives.

    Returns:
        (subject, verb): a `NounPhrase` and a `Verb`.
    """
    entry = scene.choose(scene.words.frames[frame])
    verb = Verb(entry)
    times = choose_tense(scene, verb, simple)
    owner = entry.english == "have"  # a topic, and topics are known
    known = owner or held_at_any_time(verb)
    doers = entry.features["subject"]
    if who and "person" not in doers:
        raise DeadEnd
    subject = scene.somebody(who or doers, plain, known)
    if verb.mood == "want" and not _wishes(subject):
        raise DeadEnd
    times = settle(verb, subject, times)
    if scene.rich and subject.generic and verb.tense == "past":
        raise DeadEnd  # nor "a dog had a ball", said of all dogs
    add_objects(scene, verb, subject, frame, plain)
    if not simple and not verb.planned:
        circumstances(scene, verb, subject, times)
    return subject, verb


def retell(
    verb: Verb, subject: NounPhrase, tense: str, negative: bool = False
) -> None:
    """Put a verb into a plain tense: no mood, no progressive, no time.

    What holds of a whole kind (dogs, milk) is not told so.

    Args:
        verb: the `Verb`, changed in place.
        subject: its `NounPhrase`.
        tense: past, present or future.
        negative: whether a negation stays.
    """
    state = verb.entry.get("state")
    if subject.generic or (state and not verb.object):
        raise DeadEnd
    if verb.mood == "can" and verb.negative and tense != "past":
        verb.negative = "not"
    verb.tense, verb.mood, verb.time = tense, "", []
    verb.progressive = verb.planned = False
    if not negative:
        verb.negative = ""
    elif verb.negative and tense != "past":
        verb.negative = "not"


def answer(scene: Scene, said: Phrase, negative: bool) -> Phrase:
    """Begin a statement with yes or no, now and then."""
    if not scene.rich or not scene.chance(0.03):
        return said
    word, comma = Word("no" if negative else "yes"), Word(",")
    said_so = ANSWERS[word.text]["humble" if scene.humble else "Korean"]
    korean: list[Token] = [(said_so, (word,)), ("+,", (comma,))]
    return Phrase([word, comma, *said.english], korean + said.korean)


def _wishes(subject: NounPhrase) -> bool:
    """Say whether somebody can want something."""
    kinds = subject.noun.kinds if subject.noun else {"person"}
    wishing = {"person", "animal", "infant", "group"}
    return bool(kinds & wishing) and not subject.generic


def add_objects(
    scene: Scene, verb: Verb, subject: NounPhrase, frame: str, plain: bool
) -> None:
    """Choose the object, goal and recipient of a verb.

    Args:
        scene: the `Scene`.
        verb: the `Verb`, changed in place.
        subject: its `NounPhrase`.
        frame, plain: as in `action`.
    """
    entry = verb.entry
    if frame == "going":
        verb.object = _goal(scene, entry, subject, plain)
    elif entry.features["object"] != ["none"] and not (
        entry.get("bare") and scene.chance(0.15)
    ):
        verb.object = scene.something(entry, subject, plain)
        many = verb.object.english[0].text == "many"
        if many and entry.get("particle") == "이":
            raise DeadEnd  # 책이 많다
        none = ("no", "some") if scene.rich else ("no",)
        if verb.negative and verb.object.english[0].text in none:
            raise DeadEnd
    if frame in ("giving", "favor"):
        verb.recipient = scene.receiver(subject)
        her = verb.recipient.english[0].text == "her"
        verb.recipient_first = scene.chance(0.4) and not her
        if frame == "favor":  # bought her the book
            determined = verb.object is not None and verb.object.article
            if her and not determined:
                raise DeadEnd
            verb.recipient_first = True
        if verb.recipient_first and verb.recipient.noun:
            person = verb.recipient.noun.english
            scene.pairs.add(("verb", entry.english, person))
    if frame == "putting":
        noun = scene.pick(entry.features["goal"], "other")
        verb.goal = scene.phrase(noun, plain=True)
    if entry.get("really") and not verb.negative:
        verb.degree = _really(scene)


def _goal(
    scene: Scene, entry: Entry, subject: NounPhrase, plain: bool
) -> NounPhrase:
    """Build where somebody goes: the park, my house, home, here."""
    places = BARE_PLACES.get(entry.english)
    if places and scene.rich and scene.chance(0.2):
        name = scene.choose(places)
        where = word_named(scene, name, "where")
        word = Word(name)
        return NounPhrase(
            [word], [(where.korean, (word,))], (word,), adverb=True
        )
    return scene.something(entry, subject, plain, going=True)


def _really(scene: Scene) -> Phrase | None:
    """Build really -> 정말, now and then."""
    if scene.rich and scene.chance(0.12):
        return adjunct("really", DEGREES["really"])
    return None


def statement(frame: str) -> Construction:
    """Make the function for statements with the verbs of a frame."""

    def say(scene: Scene) -> Phrase:
        subject, verb = action(scene, frame)
        first = fronted(scene, verb)
        if scene.rich and not verb.negative and scene.chance(0.04):
            said = _also(scene, subject, verb)
        else:
            said = clause(subject, verb, scene.style, scene.tail)
        said = begin(first, said, scene.rich and scene.chance(0.4))
        return answer(scene, said, bool(verb.negative))

    say.__doc__ = f"Say one clause with a verb of the frame {frame!r}."
    return say


def fable(scene: Scene) -> Phrase:
    """The turtle drives a red taxi. The owl teaches the ants Korean."""
    frame = scene.rng.choice(("transitive", "transitive", "going", "giving",
                              "putting", "favor", "intransitive"))  # fmt: skip
    subject, verb = action(scene, frame, who=("animal",))
    return clause(subject, verb, scene.style, scene.tail)


def _also(scene: Scene, subject: NounPhrase, verb: Verb) -> Phrase:
    """Say "i also like it", "i like it too": 나도; "only i": 나만."""
    if scene.chance(0.25) and not subject.generic:
        word = Word("only")
        said = clause(subject, verb, scene.style, scene.tail, "만")
        said.english.insert(0, word)
        said.korean[said.topic - 1] = ("+만", (word,))
        return said
    if verb.time or verb.place or scene.chance(0.6):
        word = Word("also")
        verb.often = Phrase([word], [])
        said = clause(subject, verb, scene.style, scene.tail, "도")
    else:
        word = Word("too")
        said = clause(subject, verb, scene.style, scene.tail, "도")
        said.english.append(word)
    said.korean[said.topic - 1] = ("+도", (word,))
    return said


def trip(scene: Scene) -> Phrase:
    """I am going on a trip tomorrow. -> 나는 내일 여행을 간다."""
    going = word_named(scene, "go on a trip", "verb")
    tomorrow = adjunct("tomorrow", "내일")
    verb = Verb(
        going, "present", progressive=True, planned=True, time=[tomorrow]
    )
    return clause(pronoun("i"), verb, "plain")
