"""The rule for "it", with the words of a preset put into it.

`Reasons` lists what can explain what (`cells`), draws from it so that no
word gives the answer away, and knows which (verb, subject, object) are kept
for the contrast split. `because` reads the table. Chapter 15.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from random import Random
from typing import NamedTuple

from toy_language.grammar.because import ALSO, NEVER, possible, rows
from toy_language.grammar.lexicon import Entry, load_lexicon
from toy_language.grammar.selection import Selection, Triple, selection

__all__ = ["Reason", "Reasons", "reasons"]

SHARE_OF_TRIPLES = 0.15
FAMOUS = ("cross", "animal", "street")


class Reason(NamedTuple):
    """One cell of the table, with its words looked up.

    Attributes:
        verb: a lexicon entry.
        happened: whether the action did.
        role: "subject" or "object", what the adjective describes.
        adjective: its English.
        subjects, objects: the nouns for either role; those of the role
            are all such as the adjective can describe.
    """

    verb: Entry
    happened: bool
    role: str
    adjective: str
    subjects: tuple[Entry, ...]
    objects: tuple[Entry, ...]


def fits(name: str, noun: Entry, adjectives: Iterable[Entry]) -> Entry | None:
    """Find the adjective of that name that can be said of a noun, if any."""
    if noun.is_one_of(NEVER.get(name, ())):
        return None
    for entry in adjectives:
        if entry.english == name and noun.is_one_of(entry.features["of"]):
            return entry
    named = [one for one in adjectives if one.english == name]
    also = noun.is_one_of(ALSO.get(name, ()))
    return named[0] if named and also else None


class Reasons:
    """The rule for the words of one preset.

    Args:
        words: the `Selection` of the preset.

    Attributes:
        cells: all `Reason` of the table.
    """

    def __init__(self, words: Selection) -> None:
        self.words = words
        self.cells: list[Reason] = []
        self._about: dict[tuple[str, str], Entry | None] = {}
        for verb, one, other, explains in rows():
            subjects = self._nouns(one)
            for entry, objects in self._lines(verb, self._nouns(other)):
                for (happened, role), names in explains.items():
                    for name in names:
                        self._add(entry, happened, role, name,
                                  subjects, objects)  # fmt: skip

    def _nouns(self, kinds: Sequence[str]) -> list[Entry]:
        return [
            noun
            for noun in self.words.members(kinds, "other")
            if not noun.kinds & {"person", "plural"}
        ]

    def _lines(
        self, verb: str, objects: list[Entry]
    ) -> Iterator[tuple[Entry, list[Entry]]]:
        """Sort the objects by the line of the lexicon that has them."""
        lines = [
            entry
            for entry in load_lexicon()
            if entry.english == verb and entry.features["object"] != ["none"]
        ]
        sorted_: dict[int, list[Entry]] = {}
        for noun in objects:
            fitting = [
                number
                for number, line in enumerate(lines)
                if noun.is_one_of(line.features["object"])
            ]
            sorted_.setdefault(fitting[0] if fitting else 0, []).append(noun)
        for number, nouns in sorted_.items():
            if lines[number] in self.words.verbs:
                yield lines[number], nouns

    def _add(
        self,
        verb: Entry,
        happened: bool,
        role: str,
        name: str,
        subjects: list[Entry],
        objects: list[Entry],
    ) -> None:
        """Add a cell, if the preset has words for it."""
        if role == "subject":
            subjects = [one for one in subjects if self.about(name, one)]
        else:
            objects = [one for one in objects if self.about(name, one)]
        if subjects and objects:
            self.cells.append(
                Reason(verb, happened, role, name, tuple(subjects),
                       tuple(objects))
            )  # fmt: skip

    def about(self, name: str, noun: Entry) -> Entry | None:
        """Find the adjective of that name for a noun, or None."""
        key = (name, noun.english)
        if key not in self._about:
            self._about[key] = fits(name, noun, self.words.adjectives)
        return self._about[key]

    # -------------------------------------------------------------- drawing

    @cached_property
    def _tree(self) -> list[list[list[list[Reason]]]]:
        """The cells by adjective, polarity, and role.

        An adjective that speaks for one role only comes up less often.
        """
        names: dict[str, dict[bool, dict[str, list[Reason]]]] = {}
        for cell in self.cells:
            by_polarity = names.setdefault(cell.adjective, {})
            by_role = by_polarity.setdefault(cell.happened, {})
            by_role.setdefault(cell.role, []).append(cell)
        tree = []
        for by_polarity in names.values():
            roles = {
                role for by_role in by_polarity.values() for role in by_role
            }
            branch = [list(by.values()) for by in by_polarity.values()]
            tree += [branch] * (3 if len(roles) == 2 else 1)
        return tree

    def draw(self, rng: Random) -> Reason:
        """Draw a cell: adjective, polarity, role, then the verb.

        So an adjective points to subjects as often as to objects, wherever
        the rule allows it.
        """
        branch = rng.choice(self._tree)
        return rng.choice(rng.choice(rng.choice(branch)))

    # ---------------------------------------------------------- for contrast

    @cached_property
    def actions(self) -> dict[Triple, dict[bool, dict[str, list[str]]]]:
        """For each triple and polarity, the adjectives for either role.

        Only where both nouns have one: these make minimal pairs.
        """
        found: dict[Triple, dict[bool, dict[str, list[str]]]] = {}
        for cell in self.cells:
            for one in cell.subjects:
                for other in cell.objects:
                    if self.goes(cell, one, other):
                        key = (cell.verb.english, one.english, other.english)
                        by_role = found.setdefault(key, {}).setdefault(
                            cell.happened, {"subject": [], "object": []}
                        )
                        by_role[cell.role].append(cell.adjective)
        return found

    def goes(self, cell: Reason, subject: Entry, noun: Entry) -> bool:
        """Say whether these two nouns of a cell go together."""
        if subject is noun or noun.kinds & self.words.avoided(subject):
            return False
        name = cell.verb.english
        return not cell.happened or possible(
            name, subject.english, noun.english
        )

    @cached_property
    def held_out(self) -> frozenset[Triple]:
        """The triples of the contrast split: both orders together.

        The famous example (animal, cross, street) is among them.
        """
        groups: dict[tuple[str, ...], set[Triple]] = {}
        for triple, by_polarity in self.actions.items():
            verb, subject, noun = triple
            pair, turned = ("verb", verb, noun), ("verb", verb, subject)
            if {pair, turned} & self.words.held_out_pairs:
                continue
            if any(all(roles.values()) for roles in by_polarity.values()):
                key = (verb, *sorted((subject, noun)))
                groups.setdefault(key, set()).add(triple)
        keys = sorted(groups)
        Random(f"contrast-{self.words.preset}").shuffle(keys)
        chosen = keys[: round(SHARE_OF_TRIPLES * len(keys))]
        return frozenset().union({FAMOUS}, *(groups[key] for key in chosen))


@cache
def reasons(preset: str) -> Reasons:
    """Return the (cached) `Reasons` of a preset."""
    return Reasons(selection(preset))
