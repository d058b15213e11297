"""The synchronous grammar: one derivation, two sentences, gold alignment.

`Grammar(preset).sentence(rng)` draws one sentence. Everything random comes
from the `random.Random` handed in, so a seed fixes the corpus.

From the word up: `lexicon` reads data/lexicon.tsv; `phrases` and `clauses`
build English and Korean side by side; `because` is the rule for "it";
`selection` knows which words go together and what is held out; `scene`
makes the random choices; `sentences` and `combinations` are the
constructions. To add a construction, write a function that takes a `Scene`
and returns a `Phrase`, and give it a line in KINDS below.

English is written so that it has one reading: a time at the end belongs to
the clause it ends; politeness is cued by ", sir" (습니다) or ", grandma"
(어요); "the" and "a" are not translated. Chapter 15 uses this package.
"""

from dataclasses import dataclass
from random import Random

from transformer_lib.grammar import combinations, sentences
from transformer_lib.grammar.phrases import Phrase, Token, Word
from transformer_lib.grammar.scene import DeadEnd, Manner, Scene
from transformer_lib.grammar.selection import Pair, Triple, selection
from transformer_lib.grammar.sentences import Construction

__all__ = ["Grammar", "KINDS", "Sentence"]

# kind of sentence: (how to build it, weight in small, weight in full)
KINDS = {
    "transitive": (sentences.statement("transitive"), 20, 16),
    "intransitive": (sentences.statement("intransitive"), 8, 6),
    "going": (sentences.statement("going"), 9, 8),
    "giving": (sentences.statement("giving"), 9, 8),
    "description": (sentences.description, 8, 6),
    "relative": (combinations.relative, 16, 18),
    "coordination": (combinations.coordination, 6, 8),
    "because-it": (combinations.because_it, 30, 24),
    "because-person": (combinations.because_person, 0, 6),
    "existence": (sentences.existence, 0, 4),
    "identity": (sentences.identity, 0, 4),
    "question": (sentences.question, 0, 8),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One derived sentence with everything that is known about it.

    Attributes:
        source: English words.
        target: Korean morphemes.
        alignment: sorted 0-based (source, target) pairs.
        kind: a key of KINDS.
        pairs: (class, word, noun) for each verb-object and adjective-noun
            pair in it.
        swapped: whether a noun is in a role it lacks in training.
        triple: (verb, subject, object) of a because-sentence, else ().
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]
    kind: str
    pairs: frozenset[Pair] = frozenset()
    swapped: bool = False
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
    stop = Word("?" if kind == "question" else ".")
    comma = [Word(",")] if scene.tail else []
    english = phrase.english + comma + scene.tail + [stop]
    korean = phrase.korean + [("+" + stop.text, (stop,))]
    if scene.address:
        called: list[Token] = [(scene.address, scene.tail), ("+,", comma)]
        korean = called + korean
    place = {id(word): index for index, word in enumerate(english)}
    alignment = {
        (place[id(word)], index)
        for index, (_, links) in enumerate(korean)
        for word in links
        if id(word) in place
    }
    return Sentence(
        tuple(word.text for word in english),
        tuple(token for token, _ in korean),
        tuple(sorted(alignment)),
        kind,
        frozenset(scene.pairs),
        scene.swapped,
        scene.triple,
    )
