"""Random choices for one sentence, and what they have led to.

A `Chooser` draws words and notes what the splits need to know: which
held-out word pairs the sentence contains, whether a noun stands in a role
that it does not have in training. Chapter 15 uses it through `scene`.
"""

from collections.abc import Sequence, Set
from random import Random
from typing import TypeVar

from toy_language.grammar.lexicon import Entry
from toy_language.grammar.selection import Pair, Selection
from toy_language.tables import group

__all__ = ["Chooser", "DeadEnd"]

PASSING = group("never before")

Choice = TypeVar("Choice")


class DeadEnd(Exception):
    """No word fits here; the sentence must be begun again."""


class Chooser:
    """Chooses words for one sentence.

    Args:
        words: the `Selection` of its preset.
        rng: a `random.Random`.
        swap: whether nouns may take a role that they lack in training.
    """

    def __init__(
        self, words: Selection, rng: Random, swap: bool = False
    ) -> None:
        self.words = words
        self.rich = words.preset == "full"
        self.rng = rng
        self.swap = swap
        self.pairs: set[Pair] = set()
        self.swapped: set[str] = set()

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self.rng.random() < probability

    def choose(self, choices: Sequence[Choice]) -> Choice:
        """Choose one of a list; an empty one is a dead end."""
        if not choices:
            raise DeadEnd
        return choices[int(self.rng.random() * len(choices))]

    def draw(self, shares: Sequence[tuple[str, float]], rest: str) -> str:
        """Choose a name by its share, or what is left over."""
        number = self.rng.random()
        for name, share in shares:
            number -= share
            if number < 0:
                return name
        return rest

    def pick(
        self,
        selectors: Sequence[str],
        role: str,
        without: Sequence[Entry | None] = (),
        avoided: Set[str] = frozenset(),
    ) -> Entry:
        """Choose a noun of some kinds for a role.

        Args:
            selectors: kinds or words.
            role: "subject", "object" or "other".
            without: lexicon entries that are taken already.
            avoided: kinds that will not do.
        """
        swapped = self.swap and self.chance(0.5)
        for mode in ("swapped", "train") if swapped else ("train",):
            choices = self.words.members(selectors, role, mode)
            if without or avoided:
                choices = [one for one in choices if one not in without
                           and not one.kinds & avoided]  # fmt: skip
            if choices:
                chosen = self.choose(choices)
                if mode == "swapped":
                    self.swapped.add(chosen.english)
                return chosen
        raise DeadEnd

    def adjective(self, noun: Entry, before: bool = False) -> Entry:
        """Choose an adjective for a noun and note the pair."""
        choices = self.words.adjectives_for(noun)
        if before:
            living = noun.kinds & {"person", "animal", "infant"}
            avoided = PASSING if living else ()
            choices = [one for one in choices if one.english not in avoided]
        else:
            choices = [one for one in choices if one.get("use") != "before"]
        chosen = self.choose(choices)
        self.pairs.add(("adjective", chosen.english, noun.english))
        return chosen
