"""What one knows, thinks, or does not know: clauses inside a clause.

    I know that you are not happy.      나는 네가 행복하지 않다는 것을 안다.
    I think the test is difficult.      나는 시험이 어렵다고 생각한다.
    I do not know where my glasses are. 나는 내 안경이 어디에 있는지 모른다.

Chapter 15 uses this module.
"""

from toy_language.grammar.being import locate
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.lexicon import Entry, brought
from toy_language.grammar.named import word_named
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    loose,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.telling import doing, tell
from toy_language.grammar.verbs import Verb

__all__ = ["know_that", "know_where"]

(_THINK,) = brought("think")
TOLD = ("like", "like", "not like", "can", "can not", "does", "does not",
        "wants", "did", "did not", "has to", "is doing",
        "is there")  # fmt: skip


def know_that(scene: Scene) -> Phrase:
    """I know that you are not happy. I think the test is difficult."""
    subject = scene.definite(["person"])
    about = scene.definite(["person", "animal", "thing", "subject", "task"])
    _apart(subject, about)
    living = about.noun is None or about.noun.kinds & {"person", "animal"}
    form = scene.choose(TOLD) if living else scene.choose(("like", "not like"))
    link = Word("that")
    inner = tell(scene, about, form, "quoted", (link,))
    thinking = scene.chance(0.5)
    ends: list[Token] = [("+고", (link,))]
    if not thinking:
        more = loose([link])
        ends = [("+는", (link,)), ("것", more), ("+을", more)]
    said = Phrase([link, *inner.english], inner.korean + ends)
    entry = _THINK if thinking else _know(scene)
    return _known(scene, subject, Verb(entry, "present"), said)


def know_where(scene: Scene) -> Phrase:
    """I do not know where my glasses are, where he bought the hat."""
    subject, where = scene.definite(["person"]), Word("where")
    question: Token = ("어디", (where,))
    if scene.chance(0.6):
        about = scene.definite(["person", "animal", "thing", "fits"])
        place = Phrase([where], [question, ("+에", loose([where]))])
        inner = locate(about, place, "present", "whether", (where,))
        inner.english.remove(where)
    else:
        about = scene.definite(["person"])
        verb = doing(scene, about, "did")
        verb.manner = []
        if not verb.entry.get("where"):
            raise DeadEnd
        verb.place = [Phrase([], [question, ("+에서", loose([where]))])]
        inner = clause(about, verb, "whether", (where,))
    _apart(subject, about)
    inner.english.insert(0, where)
    negative = "not" if scene.chance(0.7) else ""
    return _known(
        scene, subject, Verb(_know(scene), "present", negative), inner
    )


def _apart(one: NounPhrase, other: NounPhrase) -> None:
    """Refuse two subjects that are or may be the same, and his of his."""
    his = other.english[0].text in ("his", "her", "their") or other.pronoun
    if his and one.person == other.person == 3:
        raise DeadEnd
    if one.pronoun and other.pronoun and one.person == other.person:
        raise DeadEnd
    if one.noun is other.noun and one.noun:
        raise DeadEnd


def _know(scene: Scene) -> Entry:
    return word_named(scene, "know", "verb")


def _known(
    scene: Scene, subject: NounPhrase, verb: Verb, inner: Phrase
) -> Phrase:
    """Put what is known between the subject and the verb."""
    made = clause(subject, verb, scene.style, scene.tail)
    return Phrase(
        made.english + inner.english,
        made.korean[: made.topic] + inner.korean + made.korean[made.topic :],
    )
