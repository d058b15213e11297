"""The choice of noun phrases: the dog, my mother, the king's hat, we.

Chapter 15 uses it through `scene`.
"""

from collections.abc import Sequence
from dataclasses import replace

from toy_language.grammar.chance import Chooser
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import both, noun_phrase, specific
from toy_language.grammar.phrases import (
    NounPhrase,
    Token,
    Word,
    pronoun,
)
from toy_language.tables import group, read_table

__all__ = ["NounChooser", "is_person"]

FRIENDS, OWNED = set(group("friend")), set(group("owned"))
COMMON_NUMBERS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
SUBJECTS = ("i", "i", "i", "you", "you", "he", "she", "we", "they")
POSSESSIVES = ("my", "my", "my", "my", "our", "your", "your", "his", "her",
               "their")  # fmt: skip
# What is a part of what: the door of the house.
PARTS = {
    row["part"]: row.words("wholes")
    for row in read_table("nouns.tsv", "part, wholes", "parts")
}
PICTURES = group("picture")
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
        if noun and text in noun.features.get("never", ()):
            text = "my"
        return "my" if text == "your" and self.humble else text

    def owned(
        self, noun: Entry, adjectives: Sequence[Entry] = ()
    ) -> NounPhrase:
        """Build my dog, our dog, her dog or the king 's dog."""
        if not self.rich:
            determiner = "our" if self.chance(0.3) else "my"
        elif "kin" not in noun.kinds and self.chance(0.15):
            kinds = ["kin"] if self.chance(0.5) else ["person"]
            owner = self.pick(kinds, "other", (noun,))
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

    def whereabouts(self, noun: Entry) -> NounPhrase:
        """Build a place where something is: the park, my kitchen."""
        if self.rich and self.ownable(noun) and self.chance(0.3):
            return self.owned(noun)
        return noun_phrase(noun)

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
        """Build the door of the house -> 집의 문, a picture of a cat."""
        if noun.english in PICTURES:
            part = noun_phrase(noun, self.rng.choice(("a", "a", "the")))
            owner = self.phrase(self.pick(PARTS[noun.english], "other"))
            return self._of(part, owner, "")  # 고래 그림
        whole = self.pick(PARTS[noun.english], "other", (noun,), {"kin"})
        return self._of(noun_phrase(noun), self.the(whole))

    def _of(
        self, part: NounPhrase, owner: NounPhrase, mark: str = "+의"
    ) -> NounPhrase:
        """Join two noun phrases with of, 의 or nothing."""
        of = Word("of")
        english = [*part.english, of, *owner.english]
        joint: list[Token] = [(mark, (of,))] if mark else []
        korean = [*owner.korean, *joint, *part.korean]
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
        if not plain and self.chance(0.07 if self.rich else 0.05):
            other = self.pick(selectors, "subject", (noun,))
            if self.rich and "person" in selectors and self.chance(0.2):
                him = specific(self.coupled(noun))
                return both(him, pronoun("i", self.humble))
            return both(self.coupled(noun), self.coupled(other))
        if known and self.rich and self.chance(0.25) and self.counted(noun):
            return self._any(noun)
        if self.rich and "animal" in noun.kinds and self.chance(0.04):
            return pronoun("it")
        return self.phrase(noun, plain, known=known, bare=known)

    def coupled(self, noun: Entry) -> NounPhrase:
        """Build one of two that "and" joins: the big dog, my cat, tom."""
        if not self.rich or noun.word_class == "name":
            return self.the(noun)
        if self.ownable(noun) and self.chance(0.3):
            return self.owned(noun)
        if self.words.adjectives_for(noun) and self.chance(0.4):
            adjectives = [self.adjective(noun, before=True)]
            if "kin" not in noun.kinds:
                return noun_phrase(noun, "the", adjectives)
        return self.the(noun)

    def special(self, noun: Entry) -> NounPhrase:
        """Build the chicken soup, my korean teacher, my new car; or my."""
        kinds = [
            one
            for one in self.words.adjectives_for(noun)
            if one.get("use") == "before"
        ]
        chosen = [self.choose(kinds)] if kinds else []
        for one in chosen:
            self.pairs.add(("adjective", one.english, noun.english))
        if self.ownable(noun) and self.chance(0.5):
            return self.owned(noun, chosen)
        return noun_phrase(noun, "the", chosen)

    def _any(self, noun: Entry) -> NounPhrase:
        """Build dogs or a dog -> 개, some dogs -> 어떤 개, of all times."""
        draw = self.rng.random()
        if draw < 0.7:
            return noun_phrase(noun, "", plural=True)
        if draw < 0.85:
            one = noun_phrase(noun, "a")
            return replace(one, mark="은", article=(), generic=True)
        return replace(noun_phrase(noun, "certain"), mark="은", generic=True)

    def definite(self, selectors: Sequence[str]) -> NounPhrase:
        """Build a subject that is known: a pronoun, the dog, my mother."""
        if "person" in selectors and self.chance(0.4):
            return self.pronoun()
        noun = self.pick(selectors, "subject")
        if self.ownable(noun) and self.chance(0.4):
            return self.owned(noun)
        return self.the(noun)
