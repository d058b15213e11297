"""Sentences that are spoilt by rule, to learn what strange ones look like.

The rules know no language: a function word is one of the most frequent words,
and the kind of a word is the class that the training sentences gave it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from transformer_lib.confidence.familiarity import Familiarity

__all__ = ["Spoiler"]

N_FUNCTION_WORDS = 40
TRIES = 100  # for one spoilt sentence; some rules do not fit a sentence

Words = list[int]


class Spoiler:
    """Makes a sentence whose structure no training sentence has.

    Args:
        sources: the training sentences as ids.
        familiarity: what is familiar in them.
        rng: makes all choices.
    """

    def __init__(
        self,
        sources: Sequence[Sequence[int]],
        familiarity: Familiarity,
        rng: Random,
    ):
        self.rng = rng
        self.familiarity = familiarity
        self.known = {familiarity.pattern(source) for source in sources}
        count = Counter(word for source in sources for word in source)
        for mark in {source[-1] for source in sources}:
            del count[mark]
        self.words = sorted(count)
        common = count.most_common(N_FUNCTION_WORDS)
        self.function_words = {word for word, _ in common}

    def spoil(
        self, source: Sequence[int], other: Sequence[int]
    ) -> Words | None:
        """Spoil a sentence; the mark at its end stays there.

        Args:
            source: the sentence as ids, its end mark last.
            other: another one, to take words from.

        Returns:
            The spoilt sentence, or None if no rule made one.
        """
        if len(source) < 2:
            return None
        rules: list[Callable[[Words, Words], Words]] = [
            self._exchange, self._drop, self._double, self._insert,
            self._replace, self._to_the_front, self._cut, self._splice,
            self._cross,
        ]  # fmt: skip
        for _ in range(TRIES):
            rule = self.rng.choice(rules)
            words = [*rule(list(source[:-1]), list(other[:-1])), source[-1]]
            if (
                len(words) > 2
                and self.familiarity.pattern(words) not in self.known
            ):
                return words
        return None

    def _exchange(self, words: Words, other: Words) -> Words:
        """Exchange two words."""
        i, j = self._place(words), self._place(words)
        words[i], words[j] = words[j], words[i]
        return words

    def _drop(self, words: Words, other: Words) -> Words:
        """Drop a function word."""
        i = self._place(words, self.function_words)
        return words[:i] + words[i + 1 :]

    def _double(self, words: Words, other: Words) -> Words:
        """Say a function word twice."""
        i = self._place(words, self.function_words)
        return words[: i + 1] + words[i:]

    def _insert(self, words: Words, other: Words) -> Words:
        """Put a function word where there was none."""
        i = self._place(words)
        word = self.rng.choice(sorted(self.function_words))
        return [*words[:i], word, *words[i:]]

    def _replace(self, words: Words, other: Words) -> Words:
        """Replace a word by any other; one of its class changes nothing."""
        words[self._place(words)] = self.rng.choice(self.words)
        return words

    def _to_the_front(self, words: Words, other: Words) -> Words:
        """Move up to four words to the front."""
        i = self._place(words)
        j = i + self.rng.randint(1, 4)
        return words[i:j] + words[:i] + words[j:]

    def _cut(self, words: Words, other: Words) -> Words:
        """Keep only a beginning, or only an end."""
        i = self._place(words)
        return words[:i] if self.rng.random() < 0.5 else words[i:]

    def _splice(self, words: Words, other: Words) -> Words:
        """Begin as the one, end as the other."""
        return words[: self._place(words)] + other[self._place(other) :]

    def _cross(self, words: Words, other: Words) -> Words:
        """The same, at words of one class: each joint looks familiar."""
        i = self._place(words)
        (kind,) = self.familiarity.pattern(words[i : i + 1])
        classes = self.familiarity.pattern(other)
        places = [j for j, found in enumerate(classes) if found == kind]
        if not places:
            return words
        return words[:i] + other[self.rng.choice(places) :]

    def _place(self, words: Words, among: set[int] | None = None) -> int:
        """Choose a place, where one of some words stands if there is one."""
        places = [
            i for i, word in enumerate(words) if among is None or word in among
        ]
        return self.rng.choice(places or range(len(words)))
