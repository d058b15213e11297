"""What the page knows of the two languages, learned from the grammar.

Sentences to click on come from the grammar's constructions. A Korean token
means different things beside different tokens, so the page gets a table of
glosses that the grammar gave in drawn sentences.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from random import Random

from live_kinds import learn_kinds

from transformer_lib.special_tokens import JOINER, SPECIAL_TOKENS
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.toy.corpus import romanize
from transformer_lib.toy.grammar import KINDS, Grammar, Sentence
from transformer_lib.toy.grammar.glosses import gloss_tokens
from transformer_lib.translator import Translator

__all__ = ["as_typed", "draw", "gloss_table", "kind_table", "text_data"]

PRESET = "full"  # of the corpus that the shipped translator learned from
Glossed = tuple[Sequence[str], Sequence[str]]  # Korean tokens, glosses
N_DRAWN = 12_000
N_RANDOM = 150
LENGTHS = range(6, 14)  # tokens of a sentence on a button
SHOWN = (  # constructions with a button; a board of all would be a wall
    "transitive", "giving", "going", "description", "location", "relative",
    "coordination", "because-it", "because-person", "so", "condition",
    "know-that", "question", "command",
)  # fmt: skip


def text_data(translator: Translator) -> dict:
    """Return the sentences and tables for the page.

    Args:
        translator: writes the translations; a construction is shown with a
            sentence that it translates as the grammar does, if it can.

    Returns:
        JSON content: samples (kind, text), sentences, short ones with every
        word, glosses, romanization by token, kinds.
    """
    sentences = draw(N_DRAWN)
    glossed = [
        (sentence.target, gloss_tokens(sentence.target))
        for sentence in sentences
    ]
    capitals = capitalized(glossed)
    return {
        "samples": [
            [kind, as_typed(sentence.source, capitals)]
            for kind, sentence in samples(sentences, translator).items()
        ],
        "sentences": [
            as_typed(sentence.source, capitals)
            for sentence in sentences[:N_RANDOM]
        ],
        "short": [
            as_typed(tokens, capitals)
            for tokens in with_every_word(s.source for s in sentences)
        ],
        "glosses": gloss_table(glossed),
        "romanization": romanization(translator.tokenizer),
        "kinds": kind_table(sentences),
    }


def draw(n: int, seed: str = "page") -> list[Sentence]:
    """Draw sentences of all constructions.

    Args:
        n: how many.
        seed: another seed, other sentences.
    """
    rng, grammar = Random(seed), Grammar(PRESET)
    return [grammar.sentence(rng) for _ in range(n)]


def samples(
    sentences: Sequence[Sentence], translator: Translator
) -> dict[str, Sentence]:
    """Choose a sentence of each construction of `SHOWN`."""
    some = defaultdict(list)
    for sentence in sentences:
        if len(sentence.source) in LENGTHS and len(some[sentence.kind]) < 6:
            some[sentence.kind].append(sentence)
    chosen = {}
    for kind in SHOWN:
        written = translator.hypotheses(
            [" ".join(sentence.source) for sentence in some[kind]]
        )
        right = (
            sentence
            for sentence, hypothesis in zip(some[kind], written, strict=True)
            if translator.tokenizer.encode(" ".join(sentence.target))
            == hypothesis.tokens
        )
        best = next(right, next(iter(some[kind]), None))
        if best:
            chosen[kind] = best
    return chosen


def with_every_word(
    sentences: Iterable[Sequence[str]],
) -> list[Sequence[str]]:
    """Choose short sentences in which each word of all stands.

    Args:
        sentences: as English tokens.
    """
    seen: set[str] = set()
    chosen = []
    for tokens in sorted(sentences, key=len):
        if not seen.issuperset(tokens):
            seen.update(tokens)
            chosen.append(tokens)
    return chosen


def capitalized(glossed: Iterable[Glossed]) -> set[str]:
    """Return the words that the glosses write with a capital: names, days."""
    found = {english for _, glosses in glossed for english in glosses}
    return {word for word in found if re.fullmatch("[A-Z][a-z]*", word)}


def as_typed(tokens: Sequence[str], capitals: set[str]) -> str:
    """Write English tokens as people do: spaces, capitals, "teacher's".

    Args:
        tokens: of a grammar's sentence.
        capitals: words that begin with a capital.
    """
    words = [w.capitalize() if w.capitalize() in capitals else w
             for w in tokens]  # fmt: skip
    text = re.sub(r" (?=[.,?!]|'s\b)", "", " ".join(words))
    return text[0].upper() + text[1:]


def romanization(tokenizer: Tokenizer) -> dict[str, str]:
    """Return the romanization of each Korean token of a vocabulary."""
    tokens = [tokenizer.token(index) for index in range(len(tokenizer))]
    return {
        token: romanize(token.removeprefix(JOINER))
        for token in tokens[len(SPECIAL_TOKENS) :]
        if re.search("[가-힣]", token)
    }


def gloss_table(glossed: Sequence[Glossed]) -> dict[str, str]:
    """Learn glosses: of a token, and where its neighbors change it.

    Args:
        glossed: Korean sentences, each with a gloss a token.

    Returns:
        Glosses by "|token|" and, only where they say something else, by
        "before|token|", "|token|after" and "before|token|after". The edges
        of a sentence are ^ and $.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    triples = {}  # in the order in which they were met
    for target, glosses in glossed:
        tokens = ["^", *target, "$"]
        for *three, english in zip(
            tokens, tokens[1:], tokens[2:], glosses, strict=False
        ):
            triples[tuple(three)] = None
            for key in contexts(*three):
                counts[key][english] += 1
    usual = {key: _most_frequent(found) for key, found in counts.items()}
    table: dict[str, str] = {}
    for three in triples:
        shorter = None
        for key in contexts(*three):
            if usual[key] != shorter:
                table[key] = usual[key]
            shorter = usual[key]
    return table


def contexts(before: str, token: str, after: str) -> list[str]:
    """Return the keys of a token, from the shortest to the longest.

    What is glued on says what it means by the token before it, a word by
    the one after it.
    """
    near = f"{before}|{token}|"
    if not token.startswith(JOINER):
        near = f"|{token}|{after}"
    return [f"|{token}|", near, f"{before}|{token}|{after}"]


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda english: (-counts[english], english))


def kind_table(sentences: Iterable[Sentence]) -> dict:
    """Return what tells the constructions apart: names, and word weights."""
    names = list(KINDS)
    pairs = [(sentence.source, sentence.kind) for sentence in sentences]
    return {"names": names, "weights": learn_kinds(pairs, names)}
