"""Which words go together: the tables between lexicon and grammar.

`Selection` looks up, for one preset, the verbs of each frame, the nouns a
verb takes, the adjectives a noun takes, and the word pairs that are kept
out of training. Chapter 15 uses it through `toy_language.corpus`.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from random import Random

from toy_language.grammar.lexicon import Entry, load_lexicon
from toy_language.korean import attach
from toy_language.tables import group, read_table

Pair = tuple[str, str, str]  # class, word, noun
Triple = tuple[str, str, str]  # verb, subject, object

# What animals of some kind do not take as an object or as a place.
AVOIDED = {
    row["animal"]: set(row.words("kinds"))
    for row in read_table("nouns.tsv", "animal, kinds", "avoided")
}
TAME_PLACES, PEOPLE = set(group("tame place")), set(group("people"))
# Pairs that the book talks about; they are never held out.
ALWAYS_SEEN = {
    (row["class"], row["word"], row["noun"])
    for row in read_table("reasons.tsv", "class, word, noun", "always seen")
}
SHARE_OF_PAIRS = 0.08


class Selection:
    """The lexicon of one preset, indexed by what goes with what.

    Args:
        preset: "small" (the words of level small) or "full" (all words).
    """

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.by_class: dict[str, list[Entry]] = {}
        for entry in load_lexicon():
            if preset == "full" or entry.level == "small":
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
            noun.korean: [
                adjective
                for adjective in self.adjectives
                if noun.is_one_of(adjective.features["of"])
            ]
            for noun in self.nouns
        }
        self._members: dict[tuple[tuple[str, ...], str, str], list[Entry]] = {}
        self._verbs: dict[tuple[str, ...], list[Entry]] = {}

    def _frames(self) -> dict[str, list[Entry]]:
        """Sort the verbs by the sentences they can stand in."""
        favors = [_favor(verb) for verb in self.verbs if _is_favor(verb)]
        frames = {
            "giving": self.by_class["give"],
            "favor": favors if self.preset == "full" else [],
            "putting": self.by_class.get("put", []),
        }
        for verb in self.verbs:
            last = verb.english.split()[-1]
            going = verb.get("particle") in ("에", "으로", "에서")
            if verb.features["object"] == ["none"]:
                name = "intransitive"
            elif verb.get("frame"):
                name = verb.get("frame")
            elif going and last in ("to", "at", "in", "from", "on"):
                name = "going"
            else:
                name = "transitive"
            frames.setdefault(name, []).append(verb)
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

    def named(self, frame: str, names: tuple[str, ...]) -> list[Entry]:
        """List the verbs of a frame that have one of some names."""
        key = (frame, *names)
        if key not in self._verbs:
            self._verbs[key] = [
                verb for verb in self.frames[frame] if verb.english in names
            ]
        return self._verbs[key]

    def takers(self, noun: Entry, role: str) -> list[Entry]:
        """List the verbs of what may be done with, or by, a noun.

        Args:
            noun: a lexicon entry.
            role: "subject" or "object".

        Returns:
            A list of verbs: for an object, those that take 을/를; for a
            subject, also those without an object.
        """
        key = (noun.korean, role)
        if key not in self._verbs:
            verbs = list(self.frames["transitive"])
            if role == "subject":
                verbs += self.frames["intransitive"]
            self._verbs[key] = [
                verb
                for verb in verbs
                if noun.is_one_of(verb.features[role])
                and not (role == "object" and verb.get("particle"))
            ]
        return self._verbs[key]

    def avoided(self, subject: Entry | None, going: bool = False) -> set[str]:
        """Kinds that do not go with a subject as object or place.

        A dog drinks no coffee, a horse eats no meat; with `going`, no
        animal goes to the market.
        """
        kinds: set[str] = set()
        if subject:
            for kind, avoided in AVOIDED.items():
                if kind in subject.kinds:
                    kinds |= avoided | (TAME_PLACES if going else set())
        return kinds

    def adjectives_for(self, noun: Entry) -> list[Entry]:
        """List the adjectives that can describe a noun."""
        return self._described[noun.korean]

    @cached_property
    def unclear(self) -> dict[str, frozenset[str]]:
        """For each English verb, the pronouns that do not tell its Korean.

        "wash it" is 씻다, 빨다 or 닦다, as the noun will have it.
        """
        senses: dict[str, dict[bool, set[str]]] = {}
        for verb in self.verbs:
            if verb.features["object"] == ["none"]:
                continue
            sense = verb.korean + verb.get("particle")
            found = senses.setdefault(verb.english, {True: set(), False: set()})
            for noun in self.members(verb.features["object"], "object"):
                found[bool(noun.kinds & PEOPLE)].add(sense)
        return {
            english: frozenset(
                name
                for name, of in (
                    ("person", found[True]), ("it", found[False]),
                    ("them", found[True] | found[False]),
                )
                if len(of) != 1
            )
            for english, found in senses.items()
        }  # fmt: skip

    @cached_property
    def held_out_pairs(self) -> frozenset[Pair]:
        """The verb-object and adjective-noun pairs kept from training."""
        senses: dict[Pair, str] = {}
        for verb in self.frames["transitive"]:
            for noun in self.members(verb.features["object"], "object"):
                pair = ("verb", verb.english, noun.english)
                senses[pair] = verb.korean
        verbs = {verb.english for verb in self.verbs}  # to clean chairs
        for noun in self.by_class["noun"]:
            if not noun.get("only"):
                for adjective in self.adjectives_for(noun):
                    if adjective.english in verbs:
                        continue
                    pair = ("adjective", adjective.english, noun.english)
                    senses[pair] = adjective.korean
        ordered = sorted(set(senses) - ALWAYS_SEEN)
        uses: dict[tuple[str, ...], int] = {}
        for pair in ordered:
            for word in _two_words(pair, senses[pair]):
                uses[word] = uses.get(word, 0) + 1
        held_out: set[Pair] = set()
        wanted = round(SHARE_OF_PAIRS * len(ordered))
        Random(f"composition-{self.preset}").shuffle(ordered)
        for pair in ordered:
            both = _two_words(pair, senses[pair])
            if len(held_out) < wanted and all(uses[word] >= 4 for word in both):
                held_out.add(pair)
                for word in both:
                    uses[word] -= 3
        return frozenset(held_out)


def _is_favor(verb: Entry) -> bool:
    takes = verb.features["object"] != ["none"]
    return verb.english in group("favor") and takes and not verb.get("particle")


def _favor(verb: Entry) -> Entry:
    """Make the verb of a favor: 사다 (buy) -> 사 주다, humble 사 드리다."""
    *before, stem = verb.stem
    forms = verb.get("favor") or " ".join(
        [*before, *attach(stem, "아", verb.irregular)]
    )
    features = {
        **verb.features, "honor": [f"{forms} 주시다"],
        "humble": [f"{forms} 드리다"],
    }  # fmt: skip
    features.pop("habit", None)
    return Entry(verb.english, f"{forms} 주다", "give", verb.level, features)


def _two_words(
    pair: Pair, sense: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name what must be seen elsewhere: the word in its sense, the noun."""
    kind, left, right = pair
    return (kind, left, sense), (kind, right, "noun", "")


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
