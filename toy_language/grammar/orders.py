"""Korean commands: 읽어라, 읽지 마라, 읽어 주세요, 가자. Chapter 15."""

from collections.abc import Sequence

from toy_language.grammar.phrases import (
    END_MARK,
    Link,
    Token,
    Word,
    loose,
)
from toy_language.grammar.predicates import (
    Chain,
    stem_of,
    suppletive_of,
)
from toy_language.grammar.verbs import EnglishVerb, Verb

__all__ = ["korean_order"]


def korean_order(
    verb: Verb,
    said: EnglishVerb,
    style: str,
    cue: Sequence[Link],
    please: Sequence[Word] = (),
) -> list[Token]:
    """Conjugate a command: 읽어라, 읽지 마라, 읽어 주세요.

    "Please" is -어 주세요 after an object, else -으세요 (앉으세요).

    Args:
        verb: a `Verb`, perhaps negative.
        said: its `EnglishVerb`.
        style: plain, formal, friendly, or lets (가자, 가지 말자).
        cue: the links of the ending.
        please: the English word, if it is said.

    Returns:
        A list of (token, links).
    """
    entry = verb.entry
    main = (said.main, *loose(said.rest))
    chain = Chain(stem_of(verb), entry.irregular, "verb", main)
    suppletive = suppletive_of(entry, verb)
    thing = verb.object and entry.get("particle") in ("", "에게")
    if verb.negative:
        no = tuple(said.negation) or tuple(said.auxiliary)
        chain.grow("지", "말" if style == "lets" else "마", "verb", no)
        suppletive = ""
    elif please and thing and not (suppletive or chain.stem[-1] == "주"):
        chain.grow("아", "주", "verb", please)
    ending = "lets" if style == "lets" else "order"
    if ending == "order" and (please or style != "plain"):
        chain.honor(suppletive)
        ending = "order-formal" if style == "formal" else "friendly"
    return chain.close("present", ending, (), (*cue, *loose(please), END_MARK))
