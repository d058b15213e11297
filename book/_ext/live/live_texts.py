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

from toy_language.corpus import romanize
from toy_language.grammar import KINDS, Grammar, Sentence
from toy_language.grammar.glosses import gloss_tokens
from toy_language.grammar.lexicon import load_lexicon
from transformer_lib.special_tokens import JOINER, SPECIAL_TOKENS
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

__all__ = ["LABELS", "as_typed", "draw", "gloss_table", "kind_table",
           "look_up", "senses", "text_data"]  # fmt: skip

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

LABELS = {  # of the glosses, in the order in which the page lists them
    "TOP": "topic", "NOM": "subject", "ACC": "object", "DAT": "receiver",
    "GEN": "of", "LOC": "at or to", "ABL": "away from",
    "INS": "with or toward", "COM": "and, with", "PL": "plural",
    "CLF": "counter", "VOC": "address", "PST": "past", "PRS": "present",
    "FUT": "future", "PROG": "going on", "NEG": "not", "PROH": "do not",
    "COP": "to be", "ADN": "before a noun", "CVB": "joins two verbs",
    "DECL": "statement", "Q": "question", "IMP": "command",
    "PROP": "let us", "FORM": "formal", "POL": "polite", "HON": "honored",
    "HUM": "humble",
}  # fmt: skip
PURE = 0.98  # share of one gloss, for a context to overrule the usual one
ENOUGH = 2  # times that it was met
FORMS = ("base", "past", "done", "ing", "third")


def text_data(translator: Translator) -> dict:
    """Return the sentences and tables for the page.

    Args:
        translator: writes the translations; a construction is shown with a
            sentence that it translates as the grammar does, if it can.

    Returns:
        JSON content: samples (kind, text), sentences, short ones with every
        word, glosses, senses, forms, labels, romanization by token, kinds,
        the number of words in the lexicon.
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
            for tokens in well_known(
                [sentence.source for sentence in sentences], translator
            )
        ],
        "glosses": gloss_table(glossed),
        "senses": senses(glossed),
        "forms": english_forms(),
        "labels": LABELS,
        "n_words": len({entry.english for entry in load_lexicon()}),
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


def well_known(
    sentences: Sequence[Sequence[str]], translator: Translator, rounds: int = 3
) -> list[Sequence[str]]:
    """Choose short sentences with every word that it is sure of, if it can.

    Args:
        sentences: as English tokens.
        translator: says how sure it is.
        rounds: how often a word gets another sentence.

    Returns:
        Those that it is sure of, from the shortest on; behind them, for the
        words that are in none of these, others.
    """
    sure: list[Sequence[str]] = []
    others: list[Sequence[str]] = []
    left = list(sentences)
    for _ in range(rounds):
        done = {word for tokens in sure for word in tokens}
        left = [one for one in left if not done.issuperset(one)]
        chosen = with_every_word(left)
        found = translator.explain([" ".join(one) for one in chosen])
        for one, explained in zip(chosen, found, strict=True):
            (sure if explained.trust == "sure" else others).append(one)
        tried = set(map(tuple, chosen))
        left = [one for one in left if tuple(one) not in tried]
    done = {word for tokens in sure for word in tokens}
    return sorted(sure, key=len) + with_every_word(
        one for one in others if not done.issuperset(one)
    )


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
        Glosses by the keys of `contexts`; those of longer contexts only
        where they say something else. The edges of a sentence are ^ and $.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    triples = {}  # in the order in which they were met
    for target, glosses in glossed:
        tokens = ["^", *target, "$"]
        for *three, english in zip(
            tokens, tokens[1:], tokens[2:], glosses, strict=False
        ):
            triples[tuple(three)] = None
            meanings[three[1]].add(english)
            for key in contexts(*three):
                counts[key][english] += 1
    usual = {key: _most_frequent(found) for key, found in counts.items()}
    table: dict[str, str] = {}
    for length in range(4):
        for three in triples:
            key = contexts(*three)[length]
            if length == 2:  # also for neighbors that were never met
                others = meanings[three[1]] - {usual[key]}
                pure = _is_pure(counts[key], usual[key])
                if others and pure and _says_more(three[1], three[2]):
                    table[key] = usual[key]
            elif look_up(table, *three, up_to=length) != usual[key]:
                table[key] = usual[key]
    return table


def look_up(
    table: dict[str, str], before: str, token: str, after: str, up_to: int = 4
) -> str:
    """Return the gloss of a token between two others, "" for none.

    The longest context that the table has decides.

    Args:
        table: see `gloss_table`.
        before: the token before it, ^ at the start.
        token: the token.
        after: the token after it, $ at the end.
        up_to: how many of the `contexts` may decide.
    """
    for key in reversed(contexts(before, token, after)[:up_to]):
        if key in table:
            return table[key]
    return ""


def contexts(before: str, token: str, after: str) -> list[str]:
    """Return the keys of a token, from the shortest to the longest.

    What is glued on says what it means by the token before it, a word by
    the one after it. The other neighbor counts where it leaves no doubt.
    """
    near, far = f"{before}|{token}|", f"|{token}|{after}"
    if not token.startswith(JOINER):
        near, far = far, near
    return [f"|{token}|", near, far, f"{before}|{token}|{after}"]


def _says_more(token: str, after: str) -> bool:
    """Say whether the other neighbor may decide: for an ending no noun."""
    return after.startswith(JOINER) or not token.startswith(JOINER)


def _is_pure(counts: Counter[str], usual: str) -> bool:
    total = counts.total()
    return total >= ENOUGH and counts[usual] >= PURE * total


def senses(glossed: Sequence[Glossed]) -> dict[str, list[str]]:
    """Return what an ambiguous word can mean, the most frequent first.

    Args:
        glossed: Korean sentences, each with a gloss a token.

    Returns:
        For each token that starts a word and means two things: its glosses.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for target, glosses in glossed:
        for token, english in zip(target, glosses, strict=True):
            if not token.startswith(JOINER):
                counts[token][english] += 1
    return {
        token: [english for english, _ in found.most_common()]
        for token, found in counts.items()
        if len({english.split(".")[0] for english in found}) > 1
    }


def english_forms() -> dict[str, list[str]]:
    """Return the English tokens in which a word of the lexicon can stand.

    Returns:
        For each gloss, without its labels: plurals, forms of verbs.
    """
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for entry in load_lexicon():
        if entry.word_class in ("verb", "give", "put", "weather"):
            base = entry.english.split()[0]
            found = {entry.form(name) for name in FORMS}
        else:
            base = entry.english
            found = {base, entry.plural}
        forms[base] |= {form.lower() for form in found}
    return {
        base: sorted(found)
        for base, found in forms.items()
        if all(" " not in form for form in found)
    }


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda english: (-counts[english], english))


def kind_table(sentences: Iterable[Sentence]) -> dict:
    """Return what tells the constructions apart: names, and word weights."""
    names = list(KINDS)
    pairs = [(sentence.source, sentence.kind) for sentence in sentences]
    return {"names": names, "weights": learn_kinds(pairs, names)}
