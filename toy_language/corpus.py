"""The toy English->Korean corpus: sentence pairs and their splits.

    splits = toy_splits("small", seed=0)
    splits["test"][0].source

Besides `test` (unseen sentences of the same kinds) there are five splits
that ask for more: `composition` (word pairs never together in training),
`role` (nouns in a role they never had), `contrast` (pairs that differ in the
adjective, which decides what "it" is), `noun` (pairs in which the object
decides), `length` (more clauses than in training, or more words, or both).
Chapters 15 and 17.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from toy_language import JOINER, SPLITS
from toy_language.grammar import Grammar, Sentence
from toy_language.grammar.compound import joined
from toy_language.grammar.glosses import gloss_tokens
from toy_language.grammar.minimal_pairs import minimal_pairs
from toy_language.grammar.noun_pairs import noun_pairs, unseen
from toy_language.grammar.reasons import reasons
from toy_language.grammar.relatives import relative
from toy_language.grammar.selection import selection
from toy_language.grammar.sentences import trip
from toy_language.kept import kept
from toy_language.romanization import romanize_korean
from toy_language.shipped import Rows, shipped

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
    (r"(?<=\bthat)'s\b", " is"),
    (r"(?<=\bthere)'s\b", " is"),
    (r"(?<=\bwhat)'s\b", " is"),
    (r"(?<=\bwho)'s\b", " is"),
    (r"(?<=\bwhere)'s\b", " is"),
    (r"(?<=\bhow)'s\b", " is"),
    (r"(?<=\w)'s\b", " 's"),  # the teacher 's book
    ("!", "."),
]

TRAIN_SIZE = {"small": 20_000, "full": 120_000}
LONGEST = {"small": 16, "full": 24}  # English tokens, punctuation included
SIZES = {"valid": 500, "test": 1_000, "composition": 500, "role": 500}
# The kinds of the length split: is the structure (how many clauses, how
# deep) that of training sentences, are the positions? Of each number of words
# there are as many known structures as new ones: the longest four that
# training has, and the six beyond.
LENGTHS = ("known structure, known positions",
           "known structure, new positions",
           "new structure, known positions",
           "new structure, new positions")  # fmt: skip
BANDS = {"known positions": range(-3, 1), "new positions": range(1, 7)}
PER_LENGTH = {"known positions": 30, "new positions": 20}  # of each number
PAIRS = 200  # of contrast and of noun
MOST_DRAWS = 200  # tries for one new sentence, on average

Draw = Callable[[Random], Sentence]
Accept = Callable[[Sentence], bool]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """An English sentence and its Korean translation.

    Attributes:
        source: English tokens with spaces between them.
        target: Korean morphemes with spaces between them; one that starts
            with + is glued to the one before it in print.
        alignment: 0-based (source token, target token) pairs: the sure
            links, of words that translate each other.
        kind: the construction, such as "relative" or "because-it"; in
            `length`, one of `LENGTHS`.
        possible: the same with the links that may be there: a particle and
            its noun or article, an ending and its verb or the end mark.
    """

    source: str
    target: str
    alignment: tuple[tuple[int, int], ...]
    kind: str
    possible: tuple[tuple[int, int], ...] = ()


def toy_splits(
    preset: str = "small", seed: int = 0, n_train: int | None = None
) -> dict[str, list[SentencePair]]:
    """Generate the corpus: f(preset, seed), and n_train cuts the training set.

    "small" of seed 0 comes with the package and is read in less than a second;
    another corpus is drawn, in about ten.

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
            120,000 (full). Fewer are the first of those.

    Returns:
        A dict of lists of `SentencePair`: train, valid, test, composition,
        role, contrast, noun, length.

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
    """Return all splits; the cache keeps the latest few."""
    rows = shipped(preset, seed)
    if rows is not None and n_train <= len(rows["train"]):
        rows["train"] = rows["train"][:n_train]
        return {
            name: [SentencePair(*row) for row in rows[name]] for name in SPLITS
        }
    train = kept(_training, preset, seed, n_train)
    found = _held_out(preset, seed) | {"train": list(map(_read, train))}
    return {name: found[name] for name in SPLITS}


def draw_splits(preset: str, seed: int) -> Rows:
    """Draw all splits in full, also those that come with the package.

    Args:
        preset: "small" or "full".
        seed: as in `toy_splits`.

    Returns:
        For each split the fields of its pairs.
    """
    rows = {
        name: list(map(_row, pairs))
        for name, pairs in _held_out(preset, seed).items()
    }
    rows["train"] = _training(preset, seed, TRAIN_SIZE[preset])
    return {name: rows[name] for name in SPLITS}


@lru_cache(maxsize=4)
def _held_out(preset: str, seed: int) -> dict[str, list[SentencePair]]:
    """Return all splits but `train`, whose length none of them depends on."""
    made = kept(_drawn, preset, seed)
    return {name: list(map(_read, rows)) for name, rows in made.items()}


def _row(pair: SentencePair) -> tuple:
    """Return the fields of a pair."""
    return pair.source, pair.target, pair.alignment, pair.kind, pair.possible


def _read(row: Sequence[Any]) -> SentencePair:
    """Make a pair of its fields, whose links may have become lists."""
    source, target, alignment, kind, possible = row
    return SentencePair(
        source, target, _links(alignment), kind, _links(possible)
    )


def _links(pairs: Iterable[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Return links as a tuple of pairs."""
    return tuple((first, second) for first, second in pairs)


def _drawn(preset: str, seed: int) -> dict[str, list[tuple]]:
    """Draw all splits but `train`; a pair is a tuple of its fields."""
    grammar = Grammar(preset)
    result = {
        "contrast": list(map(_pair, minimal_pairs(grammar, seed, PAIRS))),
        "noun": list(map(_pair, noun_pairs(grammar, seed, PAIRS))),
    }
    taken = {_spelled_out(pair) for pairs in result.values() for pair in pairs}
    taken.add(_spelled_out(_first(grammar)))
    result["length"] = []
    for kind in LENGTHS:
        rng = Random(f"{preset}-{seed}-{kind}")
        draw, accept, size = _lengths(grammar, kind)
        result["length"] += _collect(draw, accept, rng, size, taken, [])
    for name, (draw, accept) in _plan(grammar).items():
        rng = Random(f"{preset}-{seed}-{name}")
        result[name] = _collect(draw, accept, rng, SIZES[name], taken, [])
    return {name: list(map(_row, pairs)) for name, pairs in result.items()}


def _training(preset: str, seed: int, n_train: int) -> list[tuple]:
    """Draw the training pairs, none of which is in another split."""
    others = _held_out(preset, seed).values()
    taken = {_spelled_out(pair) for pairs in others for pair in pairs}
    grammar, rng = Grammar(preset), Random(f"{preset}-{seed}-train")
    pairs = [_first(grammar)]
    taken.add(_spelled_out(pairs[0]))
    usual = _usual(grammar)
    pairs = _collect(grammar.sentence, usual, rng, n_train, taken, pairs)
    return list(map(_row, pairs))


def _first(grammar: Grammar) -> SentencePair:
    """Return the pair that every training set begins with."""
    return _pair(grammar.build(trip, Random(), "intransitive", ()))


def _plan(grammar: Grammar) -> dict[str, tuple[Draw, Accept]]:
    """Say for each split how to draw a sentence and which to accept."""
    fits, strange = _fits(grammar), _strange(grammar)
    usual = _usual(grammar)
    swapped = Grammar(grammar.preset, swapped=True)
    only = [noun for noun in grammar.words.nouns if noun.get("only")]
    most = min(SIZES["role"] // 5, 2 * SIZES["role"] // len(only))
    uses: Counter[str] = Counter()

    def by_noun(rng: Random) -> Sentence:
        """Derive a sentence whose kind is the noun in its new role."""
        sentence = swapped.sentence(rng)
        return replace(sentence, kind=min(sentence.swapped, default=""))

    def spread(sentence: Sentence) -> bool:
        uses[sentence.kind] += 1
        return uses[sentence.kind] <= most

    return {
        "composition": (grammar.sentence, lambda s: fits(s) and strange(s)),
        "role": (by_noun, lambda s: bool(s.swapped) and usual(s) and spread(s)),
        "test": (grammar.sentence, usual),
        "valid": (grammar.sentence, usual),
    }


def _fits(grammar: Grammar) -> Accept:
    """Say which sentences are short enough, and of no pair held out."""
    limit = LONGEST[grammar.preset]
    held_out, too_new = reasons(grammar.preset).held_out, unseen(grammar.preset)
    return lambda sentence: (
        len(sentence.source) <= limit
        and sentence.triple not in held_out
        and not too_new(sentence.source)
    )


def _strange(grammar: Grammar) -> Accept:
    """Say which sentences have two words that training keeps apart."""
    held_out = grammar.words.held_out_pairs
    return lambda sentence: bool(sentence.pairs & held_out)


def _usual(grammar: Grammar) -> Accept:
    """Say which sentences training may have."""
    fits, strange = _fits(grammar), _strange(grammar)
    return lambda sentence: fits(sentence) and not strange(sentence)


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
        sentence.possible,
    )


def _lengths(grammar: Grammar, kind: str) -> tuple[Draw, Accept, int]:
    """Say how to draw the sentences of a part of `length`, and how many.

    A new structure has more clauses or more nested relative clauses than
    any training sentence; new positions are those beyond its longest.
    """
    rich, limit = grammar.preset == "full", LONGEST[grammar.preset]
    structure, positions = kind.split(" structure, ")
    new, each = structure == "new", PER_LENGTH[positions]
    lengths = [limit + more for more in BANDS[positions]]
    left, strange = dict.fromkeys(lengths, each), _strange(grammar)
    most = 3 if rich else 2  # clauses that training joins

    def draw(rng: Random) -> Sentence:
        clauses = rng.randint(most + 1, most + 3) if new else most
        depth = rng.randint(1, 4) if new else 0
        full = rng.choice((0.1, 0.5, 0.9))
        if new and rng.random() < 0.5:
            return grammar.build(lambda s: relative(s, depth), rng, kind)
        return grammar.build(lambda s: joined(s, clauses, full), rng, kind)

    def accept(sentence: Sentence) -> bool:
        length = len(sentence.source)
        if strange(sentence) or not left.get(length):
            return False
        left[length] -= 1
        return True

    return draw, accept, each * len(lengths)


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
        The romanization; see `toy_language.romanization` for the sound
        changes that it shows.
    """
    return romanize_korean(join_morphemes(text))


def gloss(
    target: str, unclear: str | None = None
) -> list[tuple[str, str, str]]:
    """Explain a Korean sentence morpheme by morpheme.

    Args:
        target: the tokens of a `SentencePair.target`, or what a translator
            wrote.
        unclear: the gloss of a token that the grammar can not produce
            there, such as "?"; None refuses it.

    Returns:
        A list of (morpheme, romanization, English gloss), one a token; the
        labels are explained in `toy_language.grammar.glosses`. The
        romanization of a morpheme is its own, without the sound changes
        that its neighbors cause.

    Raises:
        ValueError: if a token is not one the grammar can produce.
    """
    tokens = target.split()
    meanings = (
        gloss_tokens(tokens)
        if unclear is None
        else _gloss_pieces(tokens, unclear)
    )
    return [
        (token, romanize(token.lstrip(JOINER)), english)
        for token, english in zip(tokens, meanings, strict=True)
    ]


def _gloss_pieces(tokens: list[str], unclear: str) -> list[str]:
    """Gloss the longest pieces that the grammar reads, from left to right."""
    meanings: list[str] = []
    while rest := tokens[len(meanings) :]:
        for end in range(len(rest), 0, -1):
            try:
                meanings += gloss_tokens(rest[:end])
                break
            except ValueError:
                continue
        else:
            meanings.append(unclear)
    return meanings
