"""Words and noun phrases, built in English and Korean side by side.

Every English word is one `Word` object, and every Korean token carries its
links: a `Word` where the token surely translates it, a `Loose` link where
it possibly does (a particle and its noun, an ending and its verb). Whatever
order the two languages put them in, the gold alignment is read off at the
end by identity. Nothing in this module is random. Chapter 15 uses it.

The article decides the particle of a Korean subject: the dog is 개는, a dog
is 개가. Honored people keep 은/는/이/가 (no 께서), and take 께 for 에게.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from toy_language import JOINER
from toy_language.grammar.function_words import BEFORE_GA, PRONOUNS
from toy_language.grammar.lexicon import Entry
from toy_language.korean import attach, particle

__all__ = [
    "END_MARK",
    "Link",
    "Loose",
    "NounPhrase",
    "Phrase",
    "Token",
    "Word",
    "conjugated",
    "loose",
    "pointing",
    "pronoun",
    "relinked",
    "with_particle",
    "words",
]


class Word:
    """One English word of one sentence; two equal words are two objects."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Loose:
    """A possible link to a word, in contrast to a sure one."""

    __slots__ = ("word",)

    def __init__(self, word: Word) -> None:
        self.word = word


# Stands for the end mark of the sentence, whichever it will be: it decides
# between statement and question, and so over endings and particles.
END_MARK = Loose(Word("end mark"))

Link = Word | Loose
# A Korean token and the English words that it translates.
Token = tuple[str, Sequence[Link]]


def words(text: str) -> list[Word]:
    """Make one `Word` for each word of a text."""
    return [Word(part) for part in text.split()]


def loose(links: Sequence[Link]) -> tuple[Link, ...]:
    """Turn links into possible ones."""
    return tuple(
        link if isinstance(link, Loose) else Loose(link) for link in links
    )


@dataclass(slots=True)
class Phrase:
    """A piece of a sentence: English words, and Korean (token, links).

    Attributes:
        topic: how many of the first Korean tokens are the subject.
    """

    english: list[Word]
    korean: list[Token]
    topic: int = field(default=0, kw_only=True)


@dataclass(slots=True)
class NounPhrase(Phrase):
    """A phrase with a noun.

    Attributes:
        head: the Words its particle is linked to.
        noun: the lexicon entry, None for a pronoun.
        plural: whether the English verb agrees with a plural.
        person: 1 for i and we, 2 for you, else 3.
        mark: its particle as the subject of a statement: 은 (topic) for
            the dog, 이 for a dog and two dogs, which are news.
        article: the English article, if it has one.
        pronoun: whether it is i, you, he, she, it, we or they.
        adverb: whether it takes no preposition: home, here, where.
        generic: whether it means all of a kind: dogs, milk.
    """

    head: tuple[Word, ...]
    noun: Entry | None = None
    plural: bool = False
    person: int = 3
    mark: str = "은"
    article: tuple[Word, ...] = ()
    pronoun: bool = False
    adverb: bool = False
    generic: bool = False

    @property
    def honored(self) -> bool:
        """Whether Korean speaks of this person with -시-."""
        return self.noun is not None and bool(self.noun.get("honor"))


def with_particle(phrase: NounPhrase, name: str) -> list[Token]:
    """Return the Korean of a noun phrase with its particle attached."""
    token, links = phrase.korean[-1]
    last = token.removeprefix(JOINER)
    marked: tuple[Link, ...] = loose(phrase.head)
    if name == "이" and last in BEFORE_GA and not phrase.noun:
        first = phrase.korean[:-1]
        return [*first, (BEFORE_GA[last], links), ("+가", marked)]
    if name in ("은", "이"):
        marked += loose(phrase.article)
        if name == "은":
            marked += (END_MARK,)
    elif name == "에게" and phrase.honored:
        name = "께"
    return [*phrase.korean, (JOINER + best_particle(last, name), marked)]


best_particle = cache(particle)


def relinked(phrase: Phrase, old: Word, new: Word) -> list[Token]:
    """Return the Korean of a phrase, one English word replaced in its links."""

    def renewed(link: Link) -> Link:
        if isinstance(link, Loose):
            return Loose(new) if link.word is old else link
        return new if link is old else link

    return [(token, [renewed(link) for link in links])
            for token, links in phrase.korean]  # fmt: skip


def pronoun(text: str, humble: bool = False) -> NounPhrase:
    """Translate i, me, you, he, him, ... as a noun phrase."""
    person, plural, plain, polite = PRONOUNS[text]
    head = (Word(text),)
    korean: list[Token] = [(polite if humble else plain, head)]
    return NounPhrase(
        list(head), korean, head, None, plural, person, pronoun=True
    )


def pointing(text: str, person: str = "") -> NounPhrase:
    """Build this -> 이것, those -> 저것들; of a person 이 사람, 이분."""
    word = Word(text)
    near = "이" if text in ("this", "these") else "저"
    plural = text in ("these", "those")
    tokens = (near, person) if person == "사람" else (near + (person or "것"),)
    korean: list[Token] = [(token, (word,)) for token in tokens]
    if plural:
        korean.append(("+들", (word,)))
    return NounPhrase([word], korean, (word,), plural=plural)


def conjugated(
    stem: list[str], ending: str, irregular: str, links: Sequence[Link]
) -> list[Token]:
    """Conjugate a stem given as tokens; link every token to `links`."""
    forms = (*stem[:-1], *attached(stem[-1], ending, irregular))
    return [(form, links) for form in forms]


attached = cache(attach)
