"""One sentence in the making: every random choice of the grammar.

A `Scene` remembers what must be the same throughout a sentence (how polite
it is) and notes what the splits need to know (which held-out word pairs it
contains, whether a noun stands in a role it does not have in training).
A choice that leads nowhere raises `DeadEnd`, and the sentence is begun
again with a new Scene. Chapter 15 uses it.
"""

from collections.abc import Sequence, Set
from random import Random
from typing import TypeVar

from transformer_lib.grammar.clauses import adjunct
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.phrases import (
    NUMBERS,
    NounPhrase,
    Phrase,
    Token,
    Word,
    both,
    noun_phrase,
    pronoun,
    with_particle,
)
from transformer_lib.grammar.selection import Pair, Selection, Triple
from transformer_lib.grammar.verbs import Verb

__all__ = ["DeadEnd", "OWNED", "Manner", "Scene"]

Choice = TypeVar("Choice")
Manner = tuple[str, str, str]  # English address, style, Korean address

POLITE = {
    "small": (("sir", "formal", ""),),
    "full": (
        ("sir", "formal", ""),
        ("ma'am", "formal", ""),
        ("grandma", "friendly", "할머니"),
        ("grandpa", "friendly", "할아버지"),
    ),
}
OWNED = {"thing", "pet", "vehicle", "fruit", "own"}
COMMON_NUMBERS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)


class DeadEnd(Exception):
    """No word fits here; the sentence must be begun again."""


class Scene:
    """The state of one sentence while it is being built.

    Args:
        words: the `Selection` of its preset.
        rng: a `random.Random`.
        style: None for a random one, () for plain, or a row of `POLITE`.
        swap: whether nouns may take a role that they lack in training.
    """

    def __init__(
        self,
        words: Selection,
        rng: Random,
        style: Manner | tuple[()] | None = None,
        swap: bool = False,
    ) -> None:
        self.words = words
        self.rich = words.preset == "full"
        self.rng = rng
        self.swap = swap
        self.pairs: set[Pair] = set()
        self.swapped = False
        self.triple: Triple | tuple[()] = ()
        self.tail: list[Word] = []
        self.style, self.address = "plain", ""
        if style is None and self.chance(0.2):
            style = rng.choice(POLITE[words.preset])
        if style:
            name, self.style, self.address = style
            self.tail = [Word(name)]
        self.humble = self.style != "plain"

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self.rng.random() < probability

    def choose(self, choices: Sequence[Choice]) -> Choice:
        """Choose one of a list; an empty one is a dead end."""
        if not choices:
            raise DeadEnd
        return self.rng.choice(choices)

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
                choices = [
                    noun
                    for noun in choices
                    if noun not in without and not noun.kinds & avoided
                ]
            if choices:
                self.swapped |= mode == "swapped"
                return self.rng.choice(choices)
        raise DeadEnd

    # -------------------------------------------------------- noun phrases

    def adjective(self, noun: Entry, before: bool = False) -> Entry:
        """Choose an adjective for a noun and note the pair."""
        chosen = self.choose(
            [
                adjective
                for adjective in self.words.adjectives_for(noun)
                if before or adjective.get("use") != "before"
            ]
        )
        self.pairs.add(("adjective", chosen.english, noun.english))
        return chosen

    def phrase(
        self, noun: Entry, plain: bool = False, owned: bool = True
    ) -> NounPhrase:
        """Build a noun phrase around a noun, with or without extras."""
        if noun.word_class == "name":
            return noun_phrase(noun, "")
        described = not plain and self.chance(0.25)
        adjectives: list[Entry] = []
        if described and self.words.adjectives_for(noun):
            adjectives = [self.adjective(noun, before=True)]
        draw = self.rng.random()
        if plain or draw < 0.5:
            return noun_phrase(noun, "the", adjectives)
        if "mass" in noun.kinds:
            return noun_phrase(noun, "", adjectives)
        if draw < 0.68:
            return noun_phrase(noun, "a", adjectives)
        if draw < 0.8:
            return self.owned(noun, adjectives, owned)
        if draw < 0.9 and "place" not in noun.kinds:
            number = self.rng.choice(COMMON_NUMBERS)
            return noun_phrase(noun, "", adjectives, number)
        if draw < 0.95 and noun.kinds & {"person", "animal"}:
            return noun_phrase(noun, "the", adjectives, plural=True)
        return noun_phrase(noun, "this", adjectives)

    def owned(
        self, noun: Entry, adjectives: list[Entry], allowed: bool = True
    ) -> NounPhrase:
        """Build my dog, our dog or the king 's dog, if one can own it."""
        if not allowed or not noun.kinds & OWNED:
            return noun_phrase(noun, "the", adjectives)
        if self.rich and self.chance(0.3):
            owner = self.pick(["person"], "other", (noun,))
            return noun_phrase(
                noun, "", adjectives, owner=self.phrase(owner, plain=True)
            )
        determiner = "our" if self.chance(0.3) else "my"
        return noun_phrase(noun, determiner, adjectives, humble=self.humble)

    def somebody(
        self, selectors: Sequence[str], plain: bool = False
    ) -> NounPhrase:
        """Build a subject: a noun phrase, i, we, or two joined by and."""
        if "person" in selectors and self.chance(0.15):
            return pronoun("i" if self.chance(0.7) else "we", self.humble)
        noun = self.pick(selectors, "subject")
        if not plain and self.chance(0.05):
            other = self.pick(selectors, "subject", (noun,))
            return both(self.phrase(noun, True), self.phrase(other, True))
        return self.phrase(noun, plain)

    def something(
        self,
        verb: Entry,
        subject: NounPhrase,
        plain: bool = False,
        going: bool = False,
    ) -> NounPhrase:
        """Build the object of a verb and note the pair."""
        entry = subject.noun
        without = (entry,) if entry else ()
        avoided = self.words.avoided(entry, going) if entry else set()
        selectors = verb.features["object"]
        person = self.rich and subject.person == 3 and "person" in selectors
        if person and self.chance(0.08):
            return pronoun("me" if self.chance(0.7) else "us", self.humble)
        noun = self.pick(selectors, "object", without, avoided)
        self.pairs.add(("verb", verb.english, noun.english))
        if not plain and not going and self.chance(0.04):
            other = self.pick(selectors, "object", (noun, *without), avoided)
            self.pairs.add(("verb", verb.english, other.english))
            return both(self.phrase(noun, True), self.phrase(other, True))
        owned = verb.word_class != "give" or subject.person == 1
        return self.phrase(noun, plain, owned)

    def receiver(self, subject: NounPhrase) -> NounPhrase:
        """Build the person who gets something."""
        if self.rich and subject.person == 3 and self.chance(0.1):
            return pronoun("me" if self.chance(0.7) else "us", self.humble)
        noun = self.pick(["person"], "other", (subject.noun,))
        return self.phrase(noun, plain=self.chance(0.8))

    # --------------------------------------------------------------- tense

    def tense(
        self, verb: Verb, subject: NounPhrase, simple: bool = False
    ) -> str:
        """Choose tense, progressive and negation of a verb.

        Args:
            verb: the `Verb`, changed in place.
            subject: its `NounPhrase`.
            simple: past and future only.

        Returns:
            The kind of time phrase that goes with it, or "".
        """
        entry, draw = verb.entry, self.rng.random()
        if entry.get("plan") and draw < 0.4:
            draw = 0.0
        times = ""
        if entry.get("state"):
            verb.tense = "present" if draw < 0.6 else "past"
        elif entry.get("ing") and draw < 0.13 and not simple:
            verb.progressive = True
            verb.tense = "past" if draw > 0.09 else "present"
            times = "" if draw > 0.09 else "progressive"
            if entry.get("trip"):
                return self._plan(verb)
        elif entry.get("habit") and draw < 0.25 and not simple:
            verb.tense, times = "present", "habit"
        else:
            verb.tense = times = "future" if draw < 0.45 else "past"
        if not verb.progressive and self.chance(0.2):
            self.negate(verb)
        return times

    def _plan(self, verb: Verb) -> str:
        """Make "is going": with a future time it is a plan, Korean present."""
        verb.tense = "present"
        always = verb.entry.get("plan") == "yes"
        verb.planned = always or self.chance(0.6)
        if verb.planned and (not always or self.chance(0.7)):
            verb.time = [self.time("future")]
        return ""

    def negate(self, verb: Verb) -> None:
        """Make a verb negative: not, n't or (past, full) could not."""
        verb.negative = "not"
        if verb.tense == "past":
            if self.chance(0.25):
                verb.negative = "n't"
            elif self.rich and not verb.entry.get("state"):
                verb.able = self.chance(0.8)

    # ------------------------------------------------ times, places, means

    def time(self, name: str) -> Phrase:
        """Build a time phrase that goes with a tense."""
        if self.rich and name in ("past", "future") and self.chance(0.25):
            return self._hour() if self.chance(0.3) else self._date()
        entry = self.rng.choice(self.words.times[name])
        return adjunct(entry.english, entry.korean)

    def _hour(self) -> Phrase:
        """Build at three o'clock -> 세 시에."""
        number = self.rng.choice(list(NUMBERS))
        at, hour, clock = Word("at"), Word(number), Word("o'clock")
        korean: list[Token] = [
            (NUMBERS[number], (hour,)),
            ("시", (clock,)),
            ("+에", (at,)),
        ]
        return Phrase([at, hour, clock], korean)

    def _date(self) -> Phrase:
        """Build on may 5th -> 5월 5일에."""
        month = self.rng.choice(self.words.by_class["month"])
        day = self.rng.choice(self.words.by_class["day"])
        on, first, second = Word("on"), Word(month.english), Word(day.english)
        korean: list[Token] = [
            (month.korean, (first,)),
            (day.korean, (second,)),
            ("+에", (on,)),
        ]
        return Phrase([on, first, second], korean)

    def at(self, preposition: str, place: NounPhrase, mark: str) -> Phrase:
        """Build preposition and noun; the particle renders the preposition."""
        word = Word(preposition)
        korean = with_particle(place, mark)
        korean[-1] = (korean[-1][0], (word,))
        return Phrase([word, *place.english], korean)

    def _where(self, subject: NounPhrase) -> Phrase:
        """Build a place where something happens: in the park -> 공원에서."""
        animal = subject.noun is not None and "animal" in subject.noun.kinds
        avoided = {"building", "shop"} if animal else set()
        noun = self.pick(["scene"], "other", avoided=avoided)
        return self.at(noun.get("at", "in"), noun_phrase(noun), "에서")

    def extras(self, verb: Verb, subject: NounPhrase, times: str) -> None:
        """Add how, where and when to a verb."""
        entry = verb.entry
        for manner in self.words.by_class["manner"]:
            if entry.english in manner.features["of"] and self.chance(0.15):
                verb.manner = [adjunct(manner.english, manner.korean)]
                break
        place = self._place(entry, subject)
        verb.place = [place] if place else []
        if times == "habit" or (times and self.chance(0.35)):
            verb.time = [self.time(times)]

    def _place(self, entry: Entry, subject: NounPhrase) -> Phrase | None:
        """Build the place or the means that goes with a verb, or None."""
        if entry.get("where") and self.chance(0.3):
            return self._where(subject)
        if entry.get("shop") and self.chance(0.3):
            noun = self.pick(["shop"], "other")
            return self.at("at", noun_phrase(noun), "에서")
        if entry.get("swim") and self.chance(0.5):
            noun = self.pick(["water"], "other")
            return self.at("in", noun_phrase(noun), "에서")
        if self.rich and entry.get("tool") and self.chance(0.3):
            noun = self.pick(["tool"], "other")
            return self.at("with", noun_phrase(noun, "a"), "으로")
        animal = subject.noun is not None and "animal" in subject.noun.kinds
        if self.rich and entry.get("ride") and not animal and self.chance(0.25):
            noun = self.pick(["public&vehicle", "ride"], "other")
            return self.at("by", noun_phrase(noun, ""), "으로")
        return None
