"""His own: the king lost his glasses, 왕은 자기 안경을 잃어버렸다.

Where "his" may be the subject himself, Korean says 자기; 그의 안경 would be the
glasses of another one.
"""

from dataclasses import replace

from toy_language.grammar.phrases import NounPhrase
from toy_language.grammar.verbs import Verb

__all__ = ["to_oneself"]

_HIS = {"he": {"his"}, "she": {"her"}, "they": {"their"}}


def to_oneself(subject: NounPhrase, verb: Verb) -> Verb:
    """Say 자기 of what the subject has.

    Args:
        subject: a `NounPhrase`.
        verb: a `Verb`, which is not changed.

    Returns:
        The `Verb` with object and recipient in such words.
    """
    his = _possessives(subject)
    return replace(
        verb,
        object=_own(verb.object, his),
        recipient=_own(verb.recipient, his),
    )


def _possessives(subject: NounPhrase) -> set[str]:
    """List the possessives that may speak of a subject."""
    noun = subject.noun
    if subject.person < 3 or noun and "person" not in noun.kinds:
        return set()
    if subject.plural:
        return {"their"}
    if noun:
        return _HIS.get(noun.get("says"), {"his", "her"})
    said = subject.english[0].text if subject.english else ""
    return _HIS.get(said, set())


def _own(phrase: NounPhrase | None, his: set[str]) -> NounPhrase | None:
    """Exchange 그 +의 before a noun for 자기."""
    if not phrase or not phrase.noun or not phrase.english:
        return phrase
    if phrase.english[0].text not in his:
        return phrase
    (_, links), mark, *rest = phrase.korean
    if mark[0] != "+의":  # her own: 자기 already
        return phrase
    return replace(phrase, korean=[("자기", links), *rest])
