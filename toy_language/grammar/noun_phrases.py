"""Noun phrases with a noun: the big dog, my book, two cups of tea.

Korean counts after the noun (개 두 마리) and has no articles; what "the"
and "a" say is in the particle of the subject (`phrases.with_particle`), or
in 그 (`specific`). Chapter 15 uses this module.
"""

from collections.abc import Sequence
from dataclasses import replace

from toy_language import JOINER
from toy_language.grammar.function_words import (
    BARE,
    COUNTERS,
    DEGREES,
    DETERMINERS,
    NEW,
    NUMBERS,
    SEVERAL,
    VESSELS,
    determined,
)
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import (
    Link,
    NounPhrase,
    Token,
    Word,
    best_particle,
    conjugated,
    loose,
    words,
)

OURS = ("우리", "저희")

__all__ = ["adnominal", "both", "counter", "measured", "noun_phrase",
           "specific"]  # fmt: skip


def article(following: str) -> str:
    """Return a or an, whichever fits the next English word."""
    vowel = following[0] in "aeiou" and not following.startswith("uni")
    return "an" if vowel else "a"


def noun_phrase(
    noun: Entry,
    determiner: str = "the",
    adjectives: Sequence[Entry] = (),
    number: int = 0,
    plural: bool = False,
    owner: NounPhrase | None = None,
    humble: bool = False,
    degree: str = "",
) -> NounPhrase:
    """Build a noun phrase: the big dog, my book, two cups, the king 's hat.

    A number follows the noun with its counter (개 두 마리); a definite
    plural is marked with 들, any other is not.

    Args:
        noun: the lexicon entry.
        determiner: a key of `DETERMINERS` ("certain" is some, but not
            others), or "" for none.
        adjectives: lexicon entries, in English order.
        number: 1 to 10 for a counted noun, 0 for none.
        plural: English plural without a number.
        owner: a `NounPhrase` before 's, instead of the determiner.
        humble: whether "my" is 제 rather than 내.
        degree: a key of `DEGREES`, for the first adjective.

    Returns:
        A `NounPhrase`.
    """
    mass = "mass" in noun.kinds
    plural = (plural or determiner in SEVERAL) and not mass
    describing = [Word(adjective.english) for adjective in adjectives]
    head = words(noun.plural if plural or number > 1 else noun.english)
    how = [Word(degree)] if degree else []
    following = (how + describing + head)[0].text
    counting: list[Token] = []
    the: tuple[Word, ...] = ()
    if owner:
        mark = Word("'s")
        english = [*owner.english, mark]
        korean: list[Token] = [*owner.korean, ("+의", (mark,))]
    elif number:
        count = Word(list(NUMBERS)[number - 1])
        english, korean = [count], []
        counting = [(NUMBERS[count.text], (count,)), (counter(noun), (count,))]
    else:
        english, korean = _determiner(determiner, following, noun, humble)
        if determiner in ("the", "a"):
            the = (english[0],)
        elif determiner == "some" and not mass:
            counting = [("몇", (english[0],)), (counter(noun), (english[0],))]
    korean += [(DEGREES[word.text], (word,)) for word in how]
    for adjective, word in zip(adjectives, describing, strict=True):
        described = adnominal(adjective, (word,))
        ours = korean[-1:] if korean and korean[-1][0] in OURS else []
        korean[len(korean) - len(ours) :] = [*described, *ours]  # 착한 우리 딸
    honored = owner is not None and owner.honored and noun.get("honored")
    name = honored or noun.korean  # 할아버지의 생신
    korean += [(token, tuple(head)) for token in name.split()]
    people = not determiner and "person" in noun.kinds  # 소년들, of all
    if plural and (owner or people or determiner and determiner not in BARE):
        korean.append(("+들", loose(head)))
    new = number or determiner in NEW or noun.get("new")
    return NounPhrase(
        english + how + describing + head, korean + counting, tuple(head),
        noun, plural or number > 1 or "plural" in noun.kinds,
        mark="이" if new and not owner else "은", article=the,
        generic=not (english or number) and noun.word_class == "noun",
    )  # fmt: skip


def measured(noun: Entry, vessel: str, number: int) -> NounPhrase:
    """Build a cup of tea -> 차 한 잔, two bottles of water -> 물 두 병.

    Args:
        noun: the lexicon entry of a drink.
        vessel: a key of `VESSELS`.
        number: 1 to 10, or 0 for "a".

    Returns:
        A `NounPhrase`.
    """
    count = Word(list(NUMBERS)[number - 1] if number else "a")
    cup = Word(vessel + "s" * (number > 1))
    of, head = words(f"of {noun.english}")
    korean: list[Token] = [
        (noun.korean, (head,)),
        (NUMBERS[count.text] if number else "한", (count,)),
        (VESSELS[vessel], (cup,)),
    ]
    return NounPhrase(
        [count, cup, of, head], korean, (head,), noun, number > 1, mark="이"
    )


def _determiner(
    text: str, following: str, noun: Entry, humble: bool
) -> tuple[list[Word], list[Token]]:
    """Translate what stands before a noun; articles have no word."""
    if not text:
        return [], []
    if text == "a":
        return [Word(article(following))], []
    english = words(DETERMINERS[text]["English"])  # his own
    if text == "the" and noun.get("the"):
        return english, [(noun.get("the"), english)]  # that very person
    if noun.get("our"):  # 우리 어머니, 너희 어머니
        text = DETERMINERS[text]["ours"] or text
    return english, [(token, english) for token in determined(text, humble)]


def specific(phrase: NounPhrase) -> NounPhrase:
    """Say 그 for "the" where a bare noun would mean all of its kind.

    The train is fast: 그 기차는 빠르다, for 기차는 빠르다 means "trains are
    fast". What is there only once (the sun) needs no 그.
    """
    article = phrase.article
    if not article or article[0].text != "the":
        return phrase
    if phrase.noun and "unique" in phrase.noun.kinds:
        return phrase
    if phrase.korean[0][0] == "그":
        return phrase
    korean = [("그", article), *phrase.korean]
    return replace(phrase, korean=korean)


def both(
    first: NounPhrase, second: NounPhrase, link: str = "and"
) -> NounPhrase:
    """Join two noun phrases: the dog and the cat -> 개와 고양이."""
    word = Word(link)
    name = "과" if link == "and" else "이나"
    last = first.korean[-1][0].removeprefix(JOINER)
    joined = (JOINER + best_particle(last, name), (word,))
    return NounPhrase(
        first.english + [word] + second.english,
        [*first.korean, joined, *second.korean],
        first.head + second.head,
        second.noun,
        plural=True,
        person=min(first.person, second.person),
    )


def adnominal(adjective: Entry, links: Sequence[Link]) -> list[Token]:
    """Put an adjective before its noun: 큰, 맛있는, 나이 든, 새."""
    given = adjective.get("before")
    if given or not adjective.korean.endswith("다"):
        tokens = (given or adjective.korean).split()
        return [(token, links) for token in tokens]
    stem = adjective.stem
    ending = "는" if stem[-1][-1] in "있없" else "은"
    return conjugated(stem, ending, adjective.irregular, links)


def counter(noun: Entry) -> str:
    """Return the Korean word that counts a noun: 권, 대, 명, 분, 마리, 개."""
    if noun.get("counter"):
        return noun.get("counter")
    row = next(
        one for one in COUNTERS if not one["kind"] or one["kind"] in noun.kinds
    )
    return (noun.get("honor") and row["honored"]) or row["Korean"]
