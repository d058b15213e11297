"""The choice of noun phrases: the dog, my mother, two cups of tea, him.

Chapter 15 uses it through `scene`.
"""

from collections.abc import Sequence
from dataclasses import replace

from transformer_lib.grammar.chance import Chooser, DeadEnd
from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.noun_phrases import (
    both,
    measured,
    noun_phrase,
)
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Word,
    pronoun,
)
from transformer_lib.grammar.selection import PEOPLE

__all__ = ["NounChooser", "is_person"]

FRIENDS = {"friend", "neighbor"}  # mostly somebody's
OWNED = {"thing", "pet", "vehicle", "fruit", "own", "kin"}
NOT_IT = {"ask", "speak", "have"}  # whose object says what is done
ONE_ONLY = {"marry"}  # what one does with one at a time
COMMON_NUMBERS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
SUBJECTS = ("i", "i", "i", "you", "you", "he", "she", "we", "they")
POSSESSIVES = ("my", "my", "my", "my", "our", "your", "your", "his", "her",
               "their")  # fmt: skip
# What is a part of what: the door of the house.
PARTS = {
    "door": ("house", "room", "car", "school"),
    "window": ("house", "room", "car", "school"),
    "wall": ("house", "room", "school"),
    "name": ("animal", "person", "school", "town", "song", "book"),
    "king": ("country",), "queen": ("country",), "key": ("house", "room"),
    "teacher": ("school",), "leaf": ("tree",),
}  # fmt: skip
# Whose wife or husband it usually is not.
WHOSE = {"wife": ("her", "our", "their"), "husband": ("his", "our", "their")}
# Where one goes without "the": to go to school is to learn there.
BARE_GOALS = {"school", "church", "class"}
# Relatives that one may have one or two of.
COUNTED_KIN = {"brother", "sister", "son", "daughter", "uncle", "aunt"}
# How often a noun phrase that may have everything has what; the rest: the.
COUNTED = (("a", 0.17), ("owned", 0.13), ("number", 0.09), ("the plural", 0.05),
           ("this", 0.05), ("some", 0.03))  # fmt: skip
PLAIN = (("a", 0.13), ("owned", 0.14))


def is_person(phrase: NounPhrase) -> bool:
    """Say whether a noun phrase speaks of a person; "it" does not."""
    if phrase.noun is None:
        return phrase.english[0].text != "it"
    return "person" in phrase.noun.kinds


class NounChooser(Chooser):
    """Chooses noun phrases; `humble` is set by the manner of speaking."""

    humble = False

    # ------------------------------------------------------- what there is

    def ownable(self, noun: Entry) -> bool:
        """Say whether something can be somebody's."""
        return bool(noun.kinds & OWNED)

    def counted(self, noun: Entry) -> bool:
        """Say whether a noun has a plural: not water, glasses or sheep."""
        same = noun.plural == noun.english
        uncounted = noun.kinds & {"mass", "unique", "kin"}
        return noun.word_class == "noun" and not same and not uncounted

    def the(self, noun: Entry) -> NounPhrase:
        """Build the dog, minsu or my mother."""
        if noun.word_class == "name":
            return noun_phrase(noun, "")
        if "kin" in noun.kinds:
            return self.owned(noun)
        return noun_phrase(noun)

    def possessive(self, noun: Entry | None = None) -> str:
        """Choose my, our, your, his, her or their, as it goes with a noun."""
        text = self.rng.choice(POSSESSIVES)
        if noun and text in WHOSE.get(noun.english, ()):
            text = "my"
        return "my" if text == "your" and self.humble else text

    def owned(
        self, noun: Entry, adjectives: Sequence[Entry] = ()
    ) -> NounPhrase:
        """Build my dog, our dog, her dog or the king 's dog."""
        if not self.rich:
            determiner = "our" if self.chance(0.3) else "my"
        elif "kin" not in noun.kinds and self.chance(0.15):
            owner = self.pick(["person"], "other", (noun,), {"kin"})
            return noun_phrase(noun, "", adjectives, owner=self.the(owner))
        else:
            determiner = self.possessive(noun)
        return noun_phrase(noun, determiner, adjectives, humble=self.humble)

    def pronoun(self) -> NounPhrase:
        """Choose a pronoun as the subject."""
        if not self.rich:
            return pronoun("i" if self.chance(0.7) else "we", self.humble)
        text = self.rng.choice(SUBJECTS)
        if text == "you" and self.humble:
            text = "i"
        return pronoun(text, self.humble)

    # ----------------------------------------------------------- any role

    def phrase(
        self,
        noun: Entry,
        plain: bool = False,
        owned: bool = True,
        known: bool = False,
        bare: bool = False,
    ) -> NounPhrase:
        """Build a noun phrase around a noun, with or without extras.

        Args:
            noun: the lexicon entry.
            plain: no adjective, no number.
            owned: whether it may be somebody's.
            known: no "a" and no number: it is the subject of a statement
                that holds at any time.
            bare: whether milk may stand without an article.
        """
        if noun.word_class == "name":
            return noun_phrase(noun, "")
        kin = "kin" in noun.kinds
        if kin or (noun.kinds & FRIENDS and owned and self.chance(0.7)):
            return self.owned(noun)
        if self.rich and noun.english in PARTS and self.chance(0.25):
            return self._part(noun)
        adjectives: list[Entry] = []
        described = not plain and self.chance(0.25)
        if described and self.words.adjectives_for(noun):
            adjectives = [self.adjective(noun, before=True)]
        shares = PLAIN if plain else COUNTED
        name = self.draw(shares, "the") if self.rich or not plain else "the"
        if name == "owned" and not (owned and self.ownable(noun)):
            name = "the"
        if name == "owned":
            return self.owned(noun, adjectives)
        if noun.kinds & {"mass", "plural", "unique", "meal"}:
            return self._uncounted(noun, adjectives, name, known, bare)
        if known and name not in ("this", "the plural"):
            name = "the"
        return self._counted(noun, adjectives, name)

    def _uncounted(
        self,
        noun: Entry,
        adjectives: list[Entry],
        name: str,
        known: bool,
        bare: bool,
    ) -> NounPhrase:
        """Build water, the water, some water, the sun, lunch, glasses."""
        if "meal" in noun.kinds:  # have lunch
            return noun_phrase(noun, "")
        if "unique" in noun.kinds:
            return noun_phrase(noun, "the", adjectives)
        if name == "some" and not known and "mass" in noun.kinds:
            return noun_phrase(noun, "some")
        bare = bare and self.chance(0.5)
        return noun_phrase(noun, "" if bare else "the", adjectives)

    def _counted(
        self, noun: Entry, adjectives: list[Entry], name: str
    ) -> NounPhrase:
        """Build a dog, two dogs, the dogs, this dog, some dogs, the dog."""
        degree = ""
        if adjectives and self.rich and self.chance(0.08):
            degree = "very"
        living = noun.kinds & {"person", "animal"} and self.counted(noun)
        if name == "the plural" and living:
            return noun_phrase(noun, "the", adjectives, plural=True)
        if name == "this":
            if self.rich:
                name = self.rng.choice(("this", "this", "that", "these"))
            return noun_phrase(noun, name, adjectives)
        if name == "number" and not noun.kinds & {"place", "event"}:
            number = self.rng.choice(COMMON_NUMBERS)
            return noun_phrase(noun, "", adjectives, number, degree=degree)
        if name == "some" and self.rich and "place" not in noun.kinds:
            return noun_phrase(noun, self.rng.choice(("some", "many")))
        determiner = "a" if name == "a" else "the"
        return noun_phrase(noun, determiner, adjectives, degree=degree)

    def _part(self, noun: Entry) -> NounPhrase:
        """Build the door of the house -> 집의 문."""
        whole = self.pick(PARTS[noun.english], "other", (noun,), {"kin"})
        part, owner, of = noun_phrase(noun), self.the(whole), Word("of")
        english = [*part.english, of, *owner.english]
        korean = [*owner.korean, ("+의", (of,)), *part.korean]
        return replace(part, english=english, korean=korean, article=())

    # ----------------------------------------------------------- subjects

    def somebody(
        self,
        selectors: Sequence[str],
        plain: bool = False,
        known: bool = False,
    ) -> NounPhrase:
        """Build a subject: a noun phrase, a pronoun, or two joined by and.

        Args:
            selectors, plain, known: as in `pick` and `phrase`.
        """
        if "person" in selectors and self.chance(0.3 if self.rich else 0.15):
            return self.pronoun()
        noun = self.pick(selectors, "subject")
        if not plain and self.chance(0.05):
            other = self.pick(selectors, "subject", (noun,))
            return both(self.the(noun), self.the(other))
        if known and self.rich and self.chance(0.2) and self.counted(noun):
            return noun_phrase(noun, "", plural=True)
        if self.rich and "animal" in noun.kinds and self.chance(0.04):
            return pronoun("it")
        return self.phrase(noun, plain, known=known, bare=known)

    def definite(self, selectors: Sequence[str]) -> NounPhrase:
        """Build a subject that is known: a pronoun, the dog, my mother."""
        if "person" in selectors and self.chance(0.4):
            return self.pronoun()
        noun = self.pick(selectors, "subject")
        if self.ownable(noun) and self.chance(0.4):
            return self.owned(noun)
        return self.the(noun)

    # ------------------------------------------------------------ objects

    def something(
        self,
        verb: Entry,
        subject: NounPhrase,
        plain: bool = False,
        going: bool = False,
    ) -> NounPhrase:
        """Build the object of a verb and note the pair."""
        plain = plain or verb.english in ONE_ONLY
        person = is_person(subject)
        clear = verb.word_class == "verb" and not going
        if self.rich and clear and person and self.chance(0.12):
            found = self._object_pronoun(verb, subject)
            if found:
                return found
        entry = subject.noun
        without = (entry,) if entry else ()
        avoided = self.words.avoided(entry, going)
        selectors = verb.features["object"]
        noun = self.pick(selectors, "object", without, avoided)
        if going and noun.word_class == "name" and not person:
            raise DeadEnd  # no dog goes to Japan
        self.pairs.add(("verb", verb.english, noun.english))
        single = plain or going or verb.english == "have"
        if not single and self.chance(0.04):
            other = self.pick(selectors, "object", (noun, *without), avoided)
            self.pairs.add(("verb", verb.english, other.english))
            link = "or" if self.rich and self.chance(0.3) else "and"
            return both(self.the(noun), self.the(other), link)
        if self.rich and verb.english not in ONE_ONLY:
            special = self._special(verb, noun, going, person)
            if special:
                return special
        owned = verb.word_class != "give" or subject.person == 1
        made = self.phrase(noun, plain, owned, bare=True)
        if going and made.plural:
            raise DeadEnd  # nobody sleeps on five beds
        return made

    def _special(
        self, verb: Entry, noun: Entry, going: bool, person: bool
    ) -> NounPhrase | None:
        """Build two cups of tea, dogs, no money, two brothers, school."""
        if going:
            if person and noun.kinds & BARE_GOALS and self.chance(0.6):
                return noun_phrase(noun, "")
            return None
        if verb.english == "have" and "meal" not in noun.kinds:
            if "kin" in noun.kinds:
                if noun.english not in COUNTED_KIN:
                    raise DeadEnd
                number = self.rng.choice((0, 0, 1, 2, 3))
                return noun_phrase(noun, "" if number else "a", (), number)
            if self.chance(0.15):
                plural = self.counted(noun)
                return noun_phrase(noun, "no", plural=plural)
        liked = verb.get("state") and not verb.get("particle")
        drink = noun.kinds & {"drink", "beverage"} and person and not liked
        if drink and self.chance(0.25):
            number = self.rng.choice((0, 0, 1, 2, 3))
            return measured(noun, self.rng.choice(("cup", "bottle")), number)
        if self.counted(noun) and self.chance(0.35 if liked else 0.06):
            return noun_phrase(noun, "", plural=True)
        return None

    def _object_pronoun(
        self, verb: Entry, subject: NounPhrase
    ) -> NounPhrase | None:
        """Choose me, him, it, ..., if the verb is clear without a noun."""
        nouns = self.words.members(verb.features["object"], "object")
        people = bool(nouns[0].kinds & PEOPLE)
        if not people and verb.english in NOT_IT:
            return None
        text = self.rng.choice(
            ("me", "you", "him", "her", "us", "them") if people else ("it",)
        )
        kind = "it" if text == "it" else "them" if text == "them" else "person"
        if kind in self.words.unclear[verb.english]:
            return None
        if text in ("us", "them") and verb.english in ONE_ONLY:
            return None
        made = pronoun(text, self.humble)
        same = subject.pronoun and subject.person == made.person != 3
        if same or (text == "you" and self.humble):
            return None
        return made

    def receiver(self, subject: NounPhrase) -> NounPhrase:
        """Build the person who gets something."""
        if self.rich and self.chance(0.25):
            made = self.him()
            if not (subject.pronoun and subject.person == made.person == 1):
                return made
        noun = self.pick(["person"], "other", (subject.noun,))
        return self.phrase(noun, plain=True)

    def him(self) -> NounPhrase:
        """Choose a pronoun for somebody something is done to or for."""
        text = self.rng.choice(("me", "me", "him", "her", "us", "them"))
        return pronoun(text, self.humble)
