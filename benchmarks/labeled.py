"""Labeled sentences of the toy corpus, and tables that answer by looking up.

Three tasks. Is it a person or an animal (of nouns that were never labeled)?
Is "it" the subject? Is a claim about "it" true? Each example is a sentence, a
second sentence or "", and a label. Used by two_halves.py.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from toy_language.corpus import SentencePair
from toy_language.grammar.lexicon import load_lexicon

OTHERS = ("test", "valid", "composition", "role")
KINDS = ("because-it", "mixed", "same class")
Example = tuple[str, str, int]  # sentence, second sentence or "", label
# Nouns that are labeled, that choose, and that are tested.
PERSONS = {
    "train": "boy man doctor student child thief",
    "valid": "girl teacher",
    "test": "woman farmer singer",
}
ANIMALS = {
    "train": "dog wolf bear rabbit monkey animal",
    "valid": "cat lion",
    "test": "fox horse pig",
}


def persons(splits: dict[str, list[SentencePair]], part: str) -> list[Example]:
    """Return sentences with one living being: 1 for a person, 0 for an animal.

    Those to learn from come from the training sentences, the others from
    four splits, and have other nouns.
    """
    here = dict.fromkeys(PERSONS[part].split(), 1)
    here |= dict.fromkeys(ANIMALS[part].split(), 0)
    every = {w for text in (*PERSONS.values(), *ANIMALS.values())
             for w in text.split()}  # fmt: skip
    nouns = [entry for entry in load_lexicon() if entry.word_class == "noun"]
    plurals = {e.plural for e in nouns} - {e.english for e in nouns}
    found = {}
    names = ("train",) if part == "train" else OTHERS
    for text in [pair.source for name in names for pair in splits[name]]:
        words = text.split()
        living = [word for word in words if word in every]
        if plurals & set(words):
            continue
        if len(living) == 1 and living[0] in here:
            found[text] = here[living[0]]
    return [(text, "", label) for text, label in found.items()]


def examples(pairs: Sequence[SentencePair]) -> list[Example]:
    """Return the sentences with "it" that have two nouns, and their labels.

    Korean names the noun where "it" is the object, so "it" has a link then.
    """
    found = []
    for pair in pairs:
        if pair.kind in KINDS:
            it = pair.source.split().index("it")
            named = any(source == it for source, _ in pair.alignment)
            found.append((pair.source, "", int(not named)))
    return found


def claims(
    found: list[Example], classes: dict[str, str], seed: int
) -> list[Example]:
    """Return each sentence with a claim about one noun: true (1) or not."""
    chance = random.Random(seed)
    result = []
    for text, _, subject in found:
        words = text.split()
        nouns = [word for word in words if classes.get(word) == "noun"]
        is_subject = chance.randrange(2)
        noun = nouns[0] if is_subject else nouns[1]
        claim = f"the {noun} was {adjective(words, classes)} ."
        result.append((text, claim, int(is_subject == subject)))
    return result


def adjective(words: list[str], classes: dict[str, str]) -> str:
    """Return the adjective that is said of "it"."""
    after = words[words.index("it") :]
    return next(word for word in after if classes.get(word) == "adjective")


Key = Callable[[Example], tuple[str, ...]]


def looked_up(
    train: Sequence[Example], data: Sequence[Example], keys: Sequence[Key]
) -> float:
    """Return what a table gets right: each key's majority label in training.

    An example whose first key never occurred is looked up by the next one,
    and at last gets the majority label of all.
    """
    tables = []
    for key in (*keys, lambda one: ()):
        table: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
        for one in train:
            table[key(one)][one[2]] += 1
        tables.append((key, table))
    won = 0
    for one in data:
        counts = next(t[key(one)] for key, t in tables if key(one) in t)
        won += counts.most_common(1)[0][0] == one[2]
    return round(won / len(data), 4)


def keys(classes: dict[str, str]) -> dict[str, list[Key]]:
    """Return what the tables look at, by name."""

    def one(example: Example) -> tuple[str, ...]:
        return (adjective(example[0].split(), classes),)

    def two(example: Example) -> tuple[str, ...]:
        words = example[0].split()
        negated = any(w == "not" or w.endswith("n't") for w in words)
        return (*one(example), str(negated))

    def three(example: Example) -> tuple[str, ...]:
        words = example[0].split()
        verb = next(w for w in words if classes.get(w) == "verb")
        return (*two(example), verb)

    def claim(example: Example) -> tuple[str, ...]:
        return (example[1],)

    return {
        "majority": [],
        "adjective": [one],
        "adjective and not": [two, one],
        "adjective, not and verb": [three, two, one],
        "claim alone": [claim],
    }


def bag_of_words(train: Sequence[Example], data: Sequence[Example]) -> float:
    """Return what naive Bayes gets right from which words a sentence has."""
    seen: dict[int, Counter[str]] = {0: Counter(), 1: Counter()}
    total = Counter(one[2] for one in train)
    for text, _, label in train:
        seen[label].update(set(text.split()))
    won = 0
    for text, _, label in data:
        logs = [
            math.log(total[y] + 1)
            + sum(
                math.log((seen[y][word] + 1) / (total[y] + 2))
                for word in set(text.split())
            )
            for y in (0, 1)
        ]
        won += (logs[1] > logs[0]) == label
    return round(won / len(data), 4)
