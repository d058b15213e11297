"""Which words go together: the tables between lexicon and grammar.

`Selection` looks up, for one preset, the verbs of each frame, the nouns a
verb takes, the adjectives a noun takes, and the word pairs and triples that
are kept out of training. Chapter 15 uses it through `transformer_lib.corpus`.
"""

from collections.abc import Sequence
from functools import cache
from random import Random

from transformer_lib.grammar.because import reasons
from transformer_lib.grammar.lexicon import Entry, load_lexicon

Pair = tuple[str, str, str]  # class, word, noun
Triple = tuple[str, str, str]  # verb, subject, object
# Verb, subject, object, and whether it happened.
Action = tuple[Entry, Entry, Entry, bool]

# What animals of some kind do not take as an object or as a place.
AVOIDED = {"animal": {"warm"}, "grazer": {"flesh"}}
TAME_PLACES = {"building", "shop", "public"}

# Pairs that the book talks about; they are never held out.
ALWAYS_SEEN = {
    ("verb", "cross", "street"), ("verb", "cross", "river"),
    ("verb", "chase", "wolf"), ("verb", "chase", "dog"),
    ("verb", "chase", "cat"), ("verb", "read", "book"),
}  # fmt: skip
SHARE_OF_PAIRS = 0.08
SHARE_OF_TRIPLES = 0.2


class Selection:
    """The lexicon of one preset, indexed by what goes with what.

    Args:
        preset: "small" (the words of level small) or "full" (all words).
    """

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.entries = [
            entry
            for entry in load_lexicon()
            if preset == "full" or entry.level == "small"
        ]
        self.by_class: dict[str, list[Entry]] = {}
        for entry in self.entries:
            self.by_class.setdefault(entry.word_class, []).append(entry)
        self.nouns = self.by_class["noun"] + self.by_class.get("name", [])
        self.verbs = self.by_class["verb"]
        self.adjectives = self.by_class["adjective"]
        self.times: dict[str, list[Entry]] = {}
        for entry in self.by_class["time"]:
            for tense in entry.features["tense"]:
                self.times.setdefault(tense, []).append(entry)
        self.frames = self._frames()
        self._described = {
            noun.english: [
                adjective
                for adjective in self.adjectives
                if noun.is_one_of(adjective.features["of"])
            ]
            for noun in self.nouns
        }
        self._members: dict[tuple[tuple[str, ...], str, str], list[Entry]] = {}
        self.held_out_pairs = self._hold_out_pairs()
        self.held_out_triples = self._hold_out_triples()

    def _frames(self) -> dict[str, list[Entry]]:
        """Sort the verbs by the sentences they can stand in."""
        frames = {"giving": self.by_class["give"]}
        for verb in self.verbs:
            if verb.features["object"] == ["none"]:
                name = "intransitive"
            elif verb.get("particle") in ("에", "으로") and not verb.get("it"):
                name = "going"
            elif verb.get("it") in ("fit", "block", "escape"):
                name = "because only"
            else:
                name = "transitive"
            frames.setdefault(name, []).append(verb)
        frames["because"] = [verb for verb in self.verbs if verb.get("it")]
        return frames

    def members(
        self, selectors: Sequence[str], role: str, mode: str = "train"
    ) -> list[Entry]:
        """List the nouns of some kinds that may stand in a role.

        Args:
            selectors: kinds or words, as in `Entry.is_one_of`.
            role: "subject", "object" or "other".
            mode: "train" keeps nouns with the feature `only` in that role;
                "swapped" keeps them in the opposite one only.

        Returns:
            A list of lexicon entries.
        """
        key = (tuple(selectors), role, mode)
        if key not in self._members:
            self._members[key] = [
                noun
                for noun in self.nouns
                if noun.is_one_of(selectors) and _fits_role(noun, role, mode)
            ]
        return self._members[key]

    def avoided(self, subject: Entry, going: bool = False) -> set[str]:
        """Kinds that do not go with a subject as object or place.

        A dog drinks no coffee, a horse eats no meat; with `going`, no
        animal goes to the market.
        """
        kinds: set[str] = set()
        for kind, avoided in AVOIDED.items():
            if kind in subject.kinds:
                kinds |= avoided | (TAME_PLACES if going else set())
        return kinds

    def adjectives_for(self, noun: Entry) -> list[Entry]:
        """List the adjectives that can describe a noun."""
        return self._described[noun.english]

    def _hold_out_pairs(self) -> frozenset[Pair]:
        """Choose verb-object and adjective-noun pairs kept from training."""
        pairs = []
        for verb in self.frames["transitive"]:
            for noun in self.members(verb.features["object"], "object"):
                pairs.append(("verb", verb.english, noun.english))
        for noun in self.by_class["noun"]:
            if not noun.get("only"):
                for adjective in self.adjectives_for(noun):
                    pairs.append(("adjective", adjective.english, noun.english))
        pairs = sorted(set(pairs) - ALWAYS_SEEN)
        uses: dict[tuple[str, ...], int] = {}
        for kind, left, right in pairs:
            for word in ((kind, left), (kind, right, "noun")):
                uses[word] = uses.get(word, 0) + 1
        held_out: set[Pair] = set()
        wanted = round(SHARE_OF_PAIRS * len(pairs))
        Random(f"composition-{self.preset}").shuffle(pairs)
        for kind, left, right in pairs:
            both = ((kind, left), (kind, right, "noun"))
            if len(held_out) < wanted and all(uses[word] >= 4 for word in both):
                held_out.add((kind, left, right))
                for word in both:
                    uses[word] -= 3
        return frozenset(held_out)

    def because_triples(self) -> list[Action]:
        """List (verb, subject, object) that allow a minimal pair for "it".

        Both nouns must have an adjective of their own, for the same verb
        with the same polarity.
        """
        triples: list[Action] = []
        for verb in self.frames["because"]:
            for subject in self.members(verb.features["subject"], "other"):
                for noun in self.members(verb.features["object"], "other"):
                    if noun is subject or noun.kinds & self.avoided(subject):
                        continue
                    if "person" not in noun.kinds | subject.kinds:
                        triples += self._both_reasons(verb, subject, noun)
        return triples

    def _both_reasons(
        self, verb: Entry, subject: Entry, noun: Entry
    ) -> list[Action]:
        """List the polarities for which "it" could be either noun."""
        return [
            (verb, subject, noun, affirmative)
            for affirmative in self.polarities()
            if self.reasons(verb, affirmative, "subject", subject)
            and self.reasons(verb, affirmative, "object", noun)
        ]

    def polarities(self) -> tuple[bool, ...]:
        """Affirmative because-clauses about "it" are in full only."""
        return (False, True) if self.preset == "full" else (False,)

    def reasons(
        self, verb: Entry, affirmative: bool, role: str, noun: Entry
    ) -> list[Entry]:
        """List the adjectives that explain an action by one of its nouns."""
        return reasons(verb, affirmative, role, noun, self.adjectives)

    def _hold_out_triples(self) -> frozenset[Triple]:
        """Choose the triples of the contrast split: both orders together.

        The famous example (animal, cross, street) is among them.
        """
        groups: dict[tuple[str, ...], set[Triple]] = {}
        for verb, subject, noun, _ in self.because_triples():
            pair = ("verb", verb.english, noun.english)
            turned = ("verb", verb.english, subject.english)
            if not {pair, turned} & self.held_out_pairs:
                names = (subject.english, noun.english)
                groups.setdefault((verb.english, *sorted(names)), set()).add(
                    (verb.english, *names)
                )
        keys = sorted(groups)
        Random(f"contrast-{self.preset}").shuffle(keys)
        chosen = keys[: round(SHARE_OF_TRIPLES * len(keys))]
        chosen.append(("cross", "animal", "street"))
        return frozenset().union(*(groups[key] for key in chosen))


def _fits_role(noun: Entry, role: str, mode: str) -> bool:
    only = noun.get("only")
    if mode == "swapped":
        return bool(only) and role in ("subject", "object") and role != only
    return not only or role == only


@cache
def selection(preset: str) -> Selection:
    """Return the (cached) `Selection` of a preset.

    Raises:
        ValueError: if the preset is unknown.
    """
    if preset not in ("small", "full"):
        raise ValueError(
            f"preset {preset!r} is unknown; choose 'small' or 'full'"
        )
    return Selection(preset)
