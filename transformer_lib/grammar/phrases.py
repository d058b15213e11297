"""Words and noun phrases, built in English and Korean side by side.

Every English word is one `Word` object, and every Korean token carries the
Words it translates. Whatever order the two languages put them in, the gold
alignment is read off at the end by identity. Nothing in this module is
random; `transformer_lib.grammar` makes the choices. Chapter 15 uses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from transformer_lib.grammar.lexicon import Entry
from transformer_lib.korean import attach, particle

NUMBERS = {
    "one": "한", "two": "두", "three": "세", "four": "네", "five": "다섯",
    "six": "여섯", "seven": "일곱", "eight": "여덟", "nine": "아홉",
    "ten": "열",
}  # fmt: skip

# English: (plain Korean, humble Korean, used with sir and grandma)
PRONOUNS = {
    "i": ("나", "저"), "me": ("나", "저"), "my": ("내", "제"),
    "we": ("우리", "저희"), "us": ("우리", "저희"), "our": ("우리", "저희"),
}  # fmt: skip


class Word:
    """One English word of one sentence; two equal words are two objects."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


# A Korean token and the English words that it translates.
Token = tuple[str, Sequence[Word]]


def words(text: str) -> list[Word]:
    """Make one `Word` for each word of a text."""
    return [Word(part) for part in text.split()]


@dataclass(slots=True)
class Phrase:
    """A piece of a sentence: English words, and Korean (token, Words)."""

    english: list[Word]
    korean: list[Token]


@dataclass(slots=True)
class NounPhrase(Phrase):
    """A phrase with a noun.

    Attributes:
        head: the Words its particle is linked to.
        noun: the lexicon entry, None for a pronoun.
        plural: whether the English verb agrees with a plural.
        person: 1 for i and we, else 3.
        mark: its particle as the subject of a main clause: 은 (topic) for
            the dog, 이 for a dog and two dogs, which are news.
    """

    head: tuple[Word, ...]
    noun: Entry | None = None
    plural: bool = False
    person: int = 3
    mark: str = "은"


def with_particle(phrase: NounPhrase, name: str) -> list[Token]:
    """Return the Korean of a noun phrase with its particle attached."""
    last = phrase.korean[-1][0].lstrip("+")
    if name == "이" and last in ("나", "저") and phrase.person == 1:
        stem = "내" if last == "나" else "제"
        return [(stem, phrase.head), ("+가", phrase.head)]
    return phrase.korean + [("+" + particle(last, name), phrase.head)]


def pronoun(text: str, humble: bool) -> NounPhrase:
    """Translate i, me, we or us."""
    head = (Word(text),)
    korean: list[Token] = [(PRONOUNS[text][humble], head)]
    plural = text in ("we", "us")
    return NounPhrase(list(head), korean, head, plural=plural, person=1)


def article(following: str) -> str:
    """Return a or an, whichever fits the next English word."""
    return "an" if following[0] in "aeiou" else "a"


def noun_phrase(
    noun: Entry,
    determiner: str = "the",
    adjectives: Sequence[Entry] = (),
    number: int = 0,
    plural: bool = False,
    owner: NounPhrase | None = None,
    humble: bool = False,
) -> NounPhrase:
    """Build a noun phrase: the big dog, my book, two cups, the king 's hat.

    English articles have no Korean counterpart and stay untranslated; a
    number follows the noun with its counter (개 두 마리); a plural without
    a number is marked with 들.

    Args:
        noun: the lexicon entry.
        determiner: "the", "a", "my", "our", "this" or "" for none.
        adjectives: lexicon entries, in English order.
        number: 1 to 10 for a counted noun, 0 for none.
        plural: English plural without a number.
        owner: a `NounPhrase` before 's, instead of the determiner.
        humble: whether "my" is 제 rather than 내.

    Returns:
        A `NounPhrase`.
    """
    describing = [Word(adjective.english) for adjective in adjectives]
    several = plural or number > 1
    head = Word(noun.plural if several else noun.english)
    counting: list[Token] = []
    if owner:
        mark = Word("'s")
        english = [*owner.english, mark]
        korean = owner.korean + [("+의", (mark,))]
    elif number:
        count = Word(list(NUMBERS)[number - 1])
        english, korean = [count], []
        counting = [(NUMBERS[count.text], (count,)), (counter(noun), (count,))]
    else:
        following = (describing + [head])[0].text
        english, korean = _determiner(determiner, following, humble)
    for adjective, word in zip(adjectives, describing, strict=True):
        stem, irregular = adjective.stem, adjective.irregular
        korean = korean + conjugated(stem, "은", irregular, (word,))
    korean = korean + [(noun.korean, (head,))]
    if plural:
        korean.append(("+들", (head,)))
    new = bool(number) or determiner == "a"
    return NounPhrase(
        english + describing + [head], korean + counting, (head,), noun,
        several, mark="이" if new and not owner else "은",
    )  # fmt: skip


def _determiner(
    text: str, following: str, humble: bool
) -> tuple[list[Word], list[Token]]:
    """Translate an article (not said), my, our or this."""
    if not text:
        return [], []
    word = Word(article(following) if text == "a" else text)
    if text in PRONOUNS:
        return [word], [(PRONOUNS[text][humble], (word,))]
    return [word], [("이", (word,))] if text == "this" else []


def counter(noun: Entry) -> str:
    """Return the Korean word that counts a noun: 권, 대, 명, 분, 마리, 개."""
    if noun.get("counter"):
        return noun.get("counter")
    if "person" in noun.kinds:
        return "분" if noun.get("honor") else "명"
    for kind, word in (("animal", "마리"), ("vehicle", "대")):
        if kind in noun.kinds:
            return word
    return "개"


def both(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    """Join two noun phrases: the dog and the cat -> 개와 고양이."""
    link = Word("and")
    last = first.korean[-1][0].lstrip("+")
    korean = first.korean + [("+" + particle(last, "과"), (link,))]
    return NounPhrase(
        first.english + [link] + second.english,
        korean + second.korean,
        first.head + second.head,
        second.noun,
        plural=True,
    )


def conjugated(
    stem: list[str], ending: str, irregular: str, links: Sequence[Word]
) -> list[Token]:
    """Conjugate a stem given as tokens; link every token to `links`."""
    forms = (*stem[:-1], *attach(stem[-1], ending, irregular))
    return [(form, links) for form in forms]
