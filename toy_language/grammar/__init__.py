"""The synchronous grammar: one derivation, two sentences, gold alignment.

`Grammar(preset).sentence(rng)` draws one sentence. Everything random comes
from the `random.Random` handed in, so a seed fixes the corpus.

From the word up: `lexicon` and `function_words` read the tables of data/;
`phrases` and `adjuncts` build noun phrases and what stands around a verb,
`verbs` the English verb, `endings` and `predicates` the Korean one, `clauses`
and `being` put a clause together in both languages. `selection` knows which
words go together, `scene` and `circumstances` make the random choices. The
constructions are in `sentences`, `states`, `questions`, `commands`,
`relatives`, `compound`, `causes`, `motives`, `conditions` and `weather`;
`because` and `reasons` are the rule for "it". A construction is a function
from a `Scene` to a `Phrase`, with a line in KINDS.

English is written so that it has one reading: adverbs have a fixed order, a
time at the end belongs to the clause it ends, "it is cold" speaks of the
weather. Politeness is cued by ", sir" (습니다) or ", grandma" (어요); "you" is
너 and never stands with them. Honored people (teachers, parents, kings) get
-시- in every predicate, 께 for 에게 and 분 for 명, but keep 은/는/이/가: no
께서. Chapter 15 uses this package.
"""

from dataclasses import dataclass
from random import Random

from toy_language.grammar import (
    causes,
    characters,
    commands,
    compound,
    conditions,
    contrasts,
    habits,
    identities,
    knowing,
    motives,
    outcomes,
    places,
    questions,
    relatives,
    rides,
    sentences,
    states,
    weather,
)
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.function_words import ANSWERS
from toy_language.grammar.phrases import (
    END_MARK,
    Loose,
    Phrase,
    Token,
    Word,
)
from toy_language.grammar.scene import Manner, Scene
from toy_language.grammar.selection import Pair, Triple, selection
from toy_language.grammar.sentences import Construction

__all__ = ["Grammar", "KINDS", "Sentence"]

# kind of sentence: (how to build it, weight in small, weight in full)
KINDS = {
    "transitive": (sentences.statement("transitive"), 18, 14),
    "intransitive": (sentences.statement("intransitive"), 8, 7),
    "going": (sentences.statement("going"), 8, 7),
    "giving": (sentences.statement("giving"), 8, 5),
    "favor": (sentences.statement("favor"), 0, 2),
    "putting": (sentences.statement("putting"), 0, 2),
    "description": (states.description, 9, 9),
    "identity": (identities.identity, 0, 5),
    "existence": (places.existence, 0, 3),
    "location": (places.location, 0, 4),
    "weather": (weather.weather, 0, 2),
    "relative": (relatives.relative, 14, 15),
    "described": (characters.described, 0, 6),
    "known-by": (characters.known_by, 0, 3),
    "coordination": (compound.coordination, 6, 8),
    "contrast": (contrasts.contrast, 0, 5),
    "parallel": (contrasts.parallel, 0, 4),
    "because-it": (causes.because_it, 26, 31),
    "because-person": (motives.because_person, 0, 4),
    "because-own": (motives.because_own, 6, 6),
    "so": (outcomes.so, 0, 6),
    "because-other": (outcomes.because_other, 0, 6),
    "because-thing": (outcomes.because_of_it, 0, 3),
    "too-to": (outcomes.too_to, 0, 2),
    "know-that": (knowing.know_that, 0, 3),
    "know-where": (knowing.know_where, 0, 1),
    "ride-to": (rides.ride_to, 0, 2),
    "habit": (habits.habit, 0, 5),
    "appointment": (habits.appointment, 0, 1),
    "perfect": (habits.perfect, 0, 2),
    "fable": (sentences.fable, 0, 3),
    "condition": (conditions.condition, 0, 3),
    "question": (questions.question, 0, 13),
    "command": (commands.command, 0, 6),
    "let-us": (commands.let_us, 0, 2),
    "command-because": (commands.with_reason, 0, 4),
    "command-if": (commands.with_condition, 0, 3),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One derived sentence with everything that is known about it.

    Attributes:
        source: English words.
        target: Korean morphemes.
        alignment: sorted 0-based (source, target) pairs, the sure links.
        possible: the same, with those that may be there.
        kind: a key of KINDS.
        pairs: (class, word, noun) for each verb-object and adjective-noun
            pair in it.
        swapped: the nouns in a role they lack in training.
        triple: (verb, subject, object) of a because-sentence, else ().
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]
    possible: tuple[tuple[int, int], ...]
    kind: str
    pairs: frozenset[Pair] = frozenset()
    swapped: frozenset[str] = frozenset()
    triple: Triple | tuple[()] = ()


class Grammar:
    """The grammar of one preset.

    Args:
        preset: "small" or "full".
        swapped: put nouns that training has in one role only into the
            other role.

    Raises:
        ValueError: the preset is unknown.
    """

    def __init__(self, preset: str = "small", swapped: bool = False) -> None:
        self.words = selection(preset)
        self.preset = preset
        self.swapped = swapped
        self._kinds = list(KINDS)
        self._weights = [
            full if preset == "full" else small
            for _, small, full in KINDS.values()
        ]

    def sentence(self, rng: Random, kind: str | None = None) -> Sentence:
        """Draw one sentence.

        Args:
            rng: a `random.Random`.
            kind: a key of KINDS, or None for any.

        Returns:
            A `Sentence`.
        """
        if kind is None:
            kind = rng.choices(self._kinds, self._weights)[0]
        return self.build(KINDS[kind][0], rng, kind)

    def build(
        self,
        construction: Construction,
        rng: Random,
        kind: str,
        style: Manner | tuple[()] | None = None,
    ) -> Sentence:
        """Derive one sentence with a construction.

        Args:
            construction: a function from `Scene` to `Phrase`.
            rng: a `random.Random`.
            kind: the name to note in the sentence.
            style: see `Scene`.

        Returns:
            A `Sentence`.
        """
        while True:
            scene = Scene(self.words, rng, style, self.swapped)
            try:
                return finish(scene, construction(scene), kind)
            except DeadEnd:
                continue


def finish(scene: Scene, phrase: Phrase, kind: str) -> Sentence:
    """Add politeness and punctuation to a phrase; read off the alignment.

    Args:
        scene: the `Scene` that the phrase was made in.
        phrase: a `Phrase`, both languages and their links.
        kind: the name to note in the sentence.

    Returns:
        A `Sentence`.
    """
    stop = Word(scene.end)
    comma = [Word(",")] if scene.tail else []
    english = phrase.english + comma + scene.tail + [stop]
    korean = phrase.korean + [("+" + stop.text, (stop,))]
    if scene.address:
        called: list[Token] = [(scene.address, scene.tail), ("+,", comma)]
        start = 2 * (phrase.english[0].text in ANSWERS)  # 네, 할머니, ...
        korean[start:start] = called
    place = {id(word): index for index, word in enumerate(english)}
    sure, possible = set(), set()
    for index, (_, links) in enumerate(korean):
        for link in links:
            word = link.word if isinstance(link, Loose) else link
            at = place.get(id(stop if link is END_MARK else word))
            if at is not None:
                possible.add((at, index))
                if isinstance(link, Word):
                    sure.add((at, index))
    return Sentence(
        tuple(word.text for word in english),
        tuple(token for token, _ in korean),
        tuple(sorted(sure)),
        tuple(sorted(possible)),
        kind,
        frozenset(scene.pairs),
        frozenset(scene.swapped),
        scene.triple,
    )
