"""The toy English->Korean corpus: sentence pairs and their splits.

    splits = toy_splits("small", seed=0)
    splits["test"][0].source

Besides `test` (unseen sentences of the same kinds) there are four splits
that ask for more: `composition` (word pairs never together in training),
`role` (nouns in a role they never had), `contrast` (minimal pairs for
"it"), `length` (longer than any training sentence). Chapters 15 and 17.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from transformer_lib.grammar import Grammar, Sentence
from transformer_lib.grammar.combinations import coordination, relative
from transformer_lib.grammar.glosses import gloss_tokens
from transformer_lib.grammar.minimal_pairs import minimal_pairs
from transformer_lib.grammar.selection import selection
from transformer_lib.grammar.sentences import trip
from transformer_lib.romanization import romanize_korean
from transformer_lib.special_tokens import JOINER

__all__ = ["SentencePair", "toy_splits", "join_morphemes", "romanize", "gloss"]

# English as people type it -> English as this corpus writes it.
SPELLING = [
    ("\u2019", "'"),
    (r"\bcan't\b", "can not"),
    (r"\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ll\b", " will"),
    (r"(?<=\bit)'s\b", " is"),
    (r"(?<=\bhe)'s\b", " is"),
    (r"(?<=\bshe)'s\b", " is"),
    (r"(?<=\w)'s\b", " 's"),  # the teacher 's book
    ("!", "."),
]

TRAIN_SIZE = {"small": 20_000, "full": 60_000}
LONGEST = {"small": 16, "full": 24}  # English tokens, punctuation included
MUCH_LONGER = 12  # the length split goes this far beyond LONGEST
SIZES = {"valid": 500, "test": 1_000, "composition": 500, "role": 500,
         "length": 300}  # fmt: skip
CONTRAST_PAIRS = 200
MOST_DRAWS = 200  # tries for one new sentence, on average
SPLITS = ("train", "valid", "test", "composition", "role", "contrast",
          "length")  # fmt: skip

Draw = Callable[[Random], Sentence]
Accept = Callable[[Sentence], bool]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """An English sentence and its Korean translation.

    Attributes:
        source: English tokens with spaces between them.
        target: Korean morphemes with spaces between them; one that starts
            with + is glued to the one before it in print.
        alignment: 0-based (source token, target token) pairs.
        kind: the construction, such as "relative" or "because-it".
    """

    source: str
    target: str
    alignment: tuple[tuple[int, int], ...]
    kind: str


def toy_splits(
    preset: str = "small", seed: int = 0, n_train: int | None = None
) -> dict[str, list[SentencePair]]:
    """Generate the corpus: f(preset, seed), and n_train cuts the training set.

    No sentence is in two splits, whether it says "did not" or "didn't".
    Sentences of `contrast` come in pairs: 2k and 2k + 1 differ in one
    adjective, and so in what "it" is; a pair may come once with "did not"
    and once with "didn't". The first training pair is always "i am going on
    a trip tomorrow .".

    Args:
        preset: "small" (sentences up to 16 tokens) or "full" (up to 24).
        seed: another seed, another corpus. What is held out for
            composition, role and contrast does not depend on it.
        n_train: the number of training pairs; None for 20,000 (small) or
            60,000 (full). Fewer are the first of those.

    Returns:
        A dict of lists of `SentencePair`: train, valid, test, composition,
        role, contrast, length.

    Raises:
        ValueError: if the preset is unknown or n_train is not positive.
    """
    selection(preset)
    if n_train is None:
        n_train = TRAIN_SIZE[preset]
    if n_train < 1:
        raise ValueError(f"n_train={n_train} is not positive")
    made = _splits(preset, seed, n_train)
    return {name: list(pairs) for name, pairs in made.items()}


@lru_cache(maxsize=4)
def _splits(
    preset: str, seed: int, n_train: int
) -> dict[str, list[SentencePair]]:
    """Build all splits; the cache keeps the latest few."""
    grammar = Grammar(preset)
    contrast = minimal_pairs(grammar, seed, CONTRAST_PAIRS)
    result = {"contrast": [_pair(sentence) for sentence in contrast]}
    taken = {_spelled_out(pair) for pair in result["contrast"]}
    first = _pair(grammar.build(trip, Random(), "intransitive", ()))
    taken.add(_spelled_out(first))
    for name, (draw, accept) in _plan(grammar).items():
        rng = Random(f"{preset}-{seed}-{name}")
        size = n_train if name == "train" else SIZES[name]
        pairs = [first] if name == "train" else []
        result[name] = _collect(draw, accept, rng, size, taken, pairs)
    return {name: result[name] for name in SPLITS}


def _plan(grammar: Grammar) -> dict[str, tuple[Draw, Accept]]:
    """Say for each split how to draw a sentence and which to accept."""
    words, limit = grammar.words, LONGEST[grammar.preset]
    swapped = Grammar(grammar.preset, swapped=True)

    def fits(sentence: Sentence) -> bool:
        return (
            len(sentence.source) <= limit
            and sentence.triple not in words.held_out_triples
        )

    def strange(sentence: Sentence) -> bool:
        return bool(sentence.pairs & words.held_out_pairs)

    def usual(sentence: Sentence) -> bool:
        return fits(sentence) and not strange(sentence)

    def beyond(sentence: Sentence) -> bool:
        return 0 < len(sentence.source) - limit <= MUCH_LONGER

    return {
        "composition": (grammar.sentence, lambda s: fits(s) and strange(s)),
        "role": (swapped.sentence, lambda s: s.swapped and usual(s)),
        "length": (
            lambda rng: _long_sentence(grammar, rng),
            lambda s: beyond(s) and not strange(s),
        ),
        "test": (grammar.sentence, usual),
        "valid": (grammar.sentence, usual),
        "train": (grammar.sentence, usual),
    }


def _collect(
    draw: Draw,
    accept: Accept,
    rng: Random,
    size: int,
    taken: set[str],
    pairs: list[SentencePair],
) -> list[SentencePair]:
    """Draw new sentences that are accepted, until there are enough."""
    drawn = 0
    while len(pairs) < size:
        drawn += 1
        if drawn > MOST_DRAWS * size + 100_000:
            raise ValueError(
                f"only {len(pairs)} of {size} sentences found; the lexicon "
                "allows too few, so add words or ask for less"
            )
        sentence = draw(rng)
        if accept(sentence):
            pair = _pair(sentence)
            if _spelled_out(pair) not in taken:
                taken.add(_spelled_out(pair))
                pairs.append(pair)
    return pairs


def _spelled_out(pair: SentencePair) -> str:
    """Return what a tokenizer reads: "did not" and "didn't" are the same."""
    return pair.source.replace("n't", " not")


def _pair(sentence: Sentence) -> SentencePair:
    return SentencePair(
        " ".join(sentence.source),
        " ".join(sentence.target),
        sentence.alignment,
        sentence.kind,
    )


def _long_sentence(grammar: Grammar, rng: Random) -> Sentence:
    """Iterate what training has once or twice: clauses, relative clauses."""
    rich = grammar.preset == "full"
    if rng.random() < 0.5:
        clauses = rng.randint(3, 7 if rich else 5)
        kind = "many clauses"
        return grammar.build(lambda s: coordination(s, clauses), rng, kind)
    depth = rng.randint(1, 6 if rich else 3)
    kind = "nested relative clauses"
    return grammar.build(lambda s: relative(s, depth), rng, kind)


def join_morphemes(text: str) -> str:
    """Print Korean tokens: 고양이 +는 강 +을 -> 고양이는 강을.

    Nothing is lost or added: every space without + stays a space.

    Args:
        text: tokens with spaces between them.

    Returns:
        The text as it is written.
    """
    return text.replace(" " + JOINER, "")


def romanize(text: str) -> str:
    """Write Korean in Latin letters (Revised Romanization).

    Args:
        text: printed Korean, or tokens with + marks.

    Returns:
        The romanization; see `transformer_lib.romanization` for the sound
        changes that it shows.
    """
    return romanize_korean(join_morphemes(text))


def gloss(target: str) -> list[tuple[str, str, str]]:
    """Explain a Korean sentence morpheme by morpheme.

    Args:
        target: the tokens of a `SentencePair.target`.

    Returns:
        A list of (morpheme, romanization, English gloss), one a token; the
        labels are explained in `transformer_lib.grammar.glosses`. The
        romanization of a morpheme is its own, without the sound changes
        that its neighbors cause.

    Raises:
        ValueError: if a token is not one the grammar can produce.
    """
    tokens = target.split()
    return [
        (token, romanize(token.lstrip(JOINER)), english)
        for token, english in zip(tokens, gloss_tokens(tokens), strict=True)
    ]
