"""The choice of objects and receivers: him, two cups of tea, his own book.

Chapter 15 uses it through `scene`.
"""

from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.noun_phrases import both, measured, noun_phrase
from toy_language.grammar.nouns import NounChooser, is_person
from toy_language.grammar.phrases import NounPhrase, pronoun
from toy_language.grammar.selection import PEOPLE
from toy_language.tables import group

__all__ = ["COUNTED_KIN", "ObjectChooser"]

NOT_IT, ONE_ONLY = group("not it"), group("one only")
BARE_GOALS = set(group("bare goal"))
COUNTED_KIN = group("counted kin")


class ObjectChooser(NounChooser):
    """Chooses what a verb is done to, and who gets it."""

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
        first, *_ = verb.english.split()  # bring to: bring the cake to ...
        self.pairs.add(("verb", verb.english, noun.english))
        if verb.word_class == "put":
            self.pairs.add(("verb", first, noun.english))
        single = plain or going or verb.english == "have"
        if not single and self.chance(0.06 if self.rich else 0.04):
            other = self.pick(selectors, "object", (noun, *without), avoided)
            self.pairs.add(("verb", verb.english, other.english))
            link = "or" if self.rich and self.chance(0.3) else "and"
            if self.rich and link == "and" and self.chance(0.5):
                return both(self.phrase(noun), self.phrase(other))
            return both(self.the(noun), self.the(other), link)
        own = clear and "kin" not in noun.kinds and self.ownable(noun)
        if self.rich and own and self.chance(0.05):
            says = subject.noun.get("says") if subject.noun else ""
            says = subject.english[0].text if subject.pronoun else says
            if says in ("he", "she") and not subject.plural:
                his = "his own" if says == "he" else "her own"
                return noun_phrase(noun, his)
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
        same = subject.person == made.person != 3
        if same or (text == "you" and self.humble):
            return None
        return made

    def receiver(self, subject: NounPhrase) -> NounPhrase:
        """Build the person who gets something."""
        if self.rich and self.chance(0.25):
            made = self.him()
            if not subject.person == made.person == 1:
                return made
        kinds = ["person"]
        if self.rich and self.chance(0.12):
            kinds = ["animal", "infant"]
        noun = self.pick(kinds, "other", (subject.noun,))
        return self.phrase(noun, plain=True)

    def him(self) -> NounPhrase:
        """Choose a pronoun for somebody something is done to or for."""
        text = self.rng.choice(("me", "me", "him", "her", "us", "them"))
        return pronoun(text, self.humble)
