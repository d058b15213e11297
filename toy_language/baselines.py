"""What a table can do without a model: baselines for the toy corpus.

A score means something beside what costs nothing. `pairs_by_adjective` asks
how many minimal pairs fall to somebody who knows which way an adjective
usually points, alone or together with the verb and a "not";
`pairs_by_description` to somebody who knows what each noun was said to be;
`nearest_translation` how many sentences to somebody who looks up the most
similar one and exchanges a word. Chapter 15.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from toy_language.corpus import SentencePair
from toy_language.grammar.lexicon import load_lexicon

__all__ = [
    "both_right",
    "nearest_translation",
    "pairs_by_adjective",
    "pairs_by_description",
    "role_of_it",
    "verb_of",
]

KIND = "because-it"  # sentences in which either noun could be "it"
TOPICS = ("+은", "+는")
DEGREES = {"very", "so", "too"}


def role_of_it(pair: SentencePair) -> str:
    """Say what "it" is after because: the subject or the object.

    Args:
        pair: of the kind "because-it", or from the contrast split.

    Returns:
        "subject" if Korean makes the noun its topic, else "object".
    """
    source, target = pair.source.split(), pair.target.split()
    it = source.index("it", source.index("because"))
    named = min(j for i, j in pair.possible if i == it)
    return "subject" if target[named + 1] in TOPICS else "object"


def verb_of(pair: SentencePair) -> str:
    """Return the base form of the verb that "because" explains.

    Args:
        pair: of the kind "because-it", or from the contrast split; the
            reason may stand first.

    Returns:
        For example "cross" for "did not cross", and "find" for "found".

    Raises:
        ValueError: no word of the sentence is a verb of the lexicon.
    """
    bases = _base_forms()
    words = pair.source.split()
    if words[0] == "because":  # the reason stands first, up to the comma
        words = words[words.index(",") + 1 :]
    for word, after in pairwise(words[2:]):  # behind the subject
        if word in bases and after != "not":  # "did not" only helps
            return bases[word]
    raise ValueError(f"{pair.source!r} has no verb of the lexicon")


@cache
def _base_forms() -> dict[str, str]:
    """Each form of a verb that follows a subject, and its base form."""
    return {
        entry.form(form): entry.form("base")
        for entry in load_lexicon()
        if entry.word_class == "verb"
        for form in ("base", "third", "past")
    }


def _cue(pair: SentencePair, polarity: bool, verb: bool) -> tuple[str, ...]:
    """The adjective after because; whether there is a not; the verb."""
    words = pair.source.split()
    start = words.index("it", words.index("because")) + 2
    cue = [next(word for word in words[start:] if word not in DEGREES)]
    if polarity:
        negative = any(word == "not" or word.endswith("n't") for word in words)
        cue.append("not" if negative else "")
    if verb:
        cue.append(verb_of(pair))
    return tuple(cue)


def pairs_by_adjective(
    train: Sequence[SentencePair],
    contrast: Sequence[SentencePair],
    polarity: bool = False,
    verb: bool = False,
) -> float:
    """Decide what "it" is by what its adjective most often says of.

    With `polarity` and `verb` this is the strongest table that names no noun.

    Args:
        train: training pairs; those of the kind "because-it" are counted.
        contrast: minimal pairs, one behind the other.
        polarity: whether the table may also know if there is a "not".
        verb: whether it may also know the verb that "because" explains.

    Returns:
        The fraction of the minimal pairs that have both members right.

    Raises:
        ValueError: there is no minimal pair.
    """
    if len(contrast) < 2:
        raise ValueError(
            f"{len(contrast)} sentences have no minimal pair; give the "
            "contrast split of the corpus"
        )
    table: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for pair in train:
        if pair.kind == KIND:
            table[_cue(pair, polarity, verb)][role_of_it(pair)] += 1

    def right(pair: SentencePair) -> bool:
        counts = table[_cue(pair, polarity, verb)]
        return bool(counts) and counts.most_common(1)[0][0] == role_of_it(pair)

    return both_right([right(pair) for pair in contrast])


def both_right(right: Sequence[bool]) -> float:
    """Count the pairs that have both members right.

    Args:
        right: whether each sentence is; those of a pair one behind the other.

    Returns:
        The fraction of the pairs.
    """
    couples = list(zip(right[::2], right[1::2], strict=True))
    return sum(one and other for one, other in couples) / len(couples)


def pairs_by_description(
    train: Sequence[SentencePair], pairs: Sequence[SentencePair]
) -> float:
    """Decide what "it" is by what the object was ever said to be.

    A noun was said to be hungry if training has "hungry lion" or a sentence
    that begins with "the lion is hungry", with or without a degree, or "not".

    Args:
        train: training pairs.
        pairs: of the contrast or the noun split, one behind the other.

    Returns:
        The fraction of the pairs that have both members right.
    """
    said: set[tuple[str, str]] = set()
    for pair in train:
        words = pair.source.split()
        said.update(pairwise(words))
        if words[2:3] in (["is"], ["was"], ["are"], ["were"]):
            rest = [w for w in words[3:5] if w not in DEGREES and w != "not"]
            said.update((word, words[1]) for word in rest)

    def right(pair: SentencePair) -> bool:
        words = pair.source.split()
        adjective, *_ = _cue(pair, False, False)
        noun = words[words.index("because") - 1]
        guess = "object" if (adjective, noun) in said else "subject"
        return guess == role_of_it(pair)

    return both_right([right(pair) for pair in pairs])


def nearest_translation(
    train: Sequence[SentencePair], sources: Sequence[str]
) -> list[str]:
    """Translate by the training sentence that differs in one word.

    What the other word is translated by is exchanged for the commonest
    translation of the new one; particles stay as they are.

    Args:
        train: training pairs with alignments.
        sources: English sentences of the corpus.

    Returns:
        Korean tokens with spaces between them, one text a sentence; empty
        where no training sentence is that near.
    """
    known = {pair.source: pair for pair in train}
    patterns: dict[tuple[int, str], SentencePair] = {}
    meanings: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in train:
        words = pair.source.split()
        for place, pattern in enumerate(_patterns(words)):
            patterns.setdefault((place, pattern), pair)
        for place, word in enumerate(words):
            meanings[word][" ".join(_translated(pair, place))] += 1
    made = []
    for source in sources:
        if source in known:
            made.append(known[source].target)
            continue
        words = source.split()
        near = [
            (place, patterns[place, pattern])
            for place, pattern in enumerate(_patterns(words))
            if (place, pattern) in patterns and words[place] in meanings
        ]
        if not near:
            made.append("")
            continue
        place, pair = near[0]
        new = meanings[words[place]].most_common(1)[0][0]
        made.append(_exchanged(pair, place, new))
    return made


def _patterns(words: list[str]) -> Iterator[str]:
    """Yield the sentence with each of its words blanked out in turn."""
    for place in range(len(words)):
        yield " ".join([*words[:place], "_", *words[place + 1 :]])


def _links(pair: SentencePair, place: int) -> list[int]:
    """The places of the Korean tokens that surely translate a word."""
    return [j for i, j in pair.alignment if i == place]


def _translated(pair: SentencePair, place: int) -> list[str]:
    """The Korean tokens that surely translate a word."""
    target = pair.target.split()
    return [target[j] for j in _links(pair, place)]


def _exchanged(pair: SentencePair, place: int, new: str) -> str:
    """Put new tokens where those of a word stand."""
    target, gone = pair.target.split(), _links(pair, place)
    if not gone:
        return pair.target
    kept = [
        new if j == gone[0] else token
        for j, token in enumerate(target)
        if j == gone[0] or j not in gone
    ]
    return " ".join(" ".join(kept).split())
