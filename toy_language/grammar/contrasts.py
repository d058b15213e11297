"""Two things told of one subject, or of two, joined by and or but.

    Penguins can not fly, but they can swim. 펭귄은 날 수 없지만 수영할 수 있다.
    I am a student and my mother is a teacher.

Korean says one subject once. Chapter 15 uses this module.
"""

from toy_language.grammar.causes import refer, resumed
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.motives import taken_up
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import NounPhrase, Phrase, Word
from toy_language.grammar.scene import Scene
from toy_language.grammar.telling import tell
from toy_language.tables import group

__all__ = ["contrast", "different", "one_of_all", "parallel"]

# What "but" sets against each other, in either order.
AGAINST = (
    ("like", "can not"), ("like", "like"), ("like", "not like"),
    ("can", "can not"), ("can", "can not"), ("can", "does not"),
    ("can", "does not want"), ("wants", "can not"), ("wants", "has to"),
    ("does", "can not"), ("does", "does not"), ("is", "can not"),
    ("like", "does not"), ("did", "did not"), ("is", "like"),
)  # fmt: skip
# What "and" or "but" puts side by side, of two subjects.
BESIDE = (
    ("is", "is"), ("like", "like"), ("can", "can not"), ("can", "can"),
    ("does", "does"), ("does", "does not"), ("is doing", "is doing"),
    ("wants", "wants"), ("is", "like"), ("is there", "is there"),
    ("like", "does"), ("did", "like"), ("will", "will"),
)  # fmt: skip


def contrast(scene: Scene) -> Phrase:
    """I am tired , but i can not rest. -> 나는 피곤하지만 쉴 수 없다."""
    subject = one_of_all(scene)
    forms = list(scene.choose(AGAINST))
    scene.rng.shuffle(forms)
    but = Word("but")
    comma = [Word(",")] * scene.chance(0.5)
    first = tell(scene, subject, forms[0], "but", (but,))
    again = resumed(subject, taken_up(subject))
    refer(first, again)
    second = tell(scene, again, forms[1], scene.style, scene.tail)
    different(first, second)
    return Phrase(
        [*first.english, *comma, but, *second.english],
        first.korean + second.korean,
    )


def one_of_all(scene: Scene) -> NounPhrase:
    """Build a subject that is known: i, the dog, my mother, penguins."""
    if scene.chance(0.75):
        return scene.definite(["person", "animal"])
    noun = scene.pick(["animal", "person"], "subject")
    if not scene.counted(noun):
        raise DeadEnd
    return noun_phrase(noun, "", plural=True)


def different(first: Phrase, second: Phrase) -> None:
    """Refuse to say the same verb or adjective, or object, twice."""
    used = [
        {token for token, _ in phrase.korean[phrase.topic :]}
        for phrase in (first, second)
    ]
    if {token for token in used[0] & used[1] if _says_much(token)}:
        raise DeadEnd


def _says_much(token: str) -> bool:
    return token[0] != "+" and token not in group("light")


def parallel(scene: Scene) -> Phrase:
    """I am a student and my mother is a teacher. -> 나는 학생이고 ..."""
    one = scene.definite(["person", "animal"])
    other = scene.definite(["person", "animal"])
    if one.noun is other.noun and (
        one.noun or one.english[0].text == other.english[0].text
    ):
        raise DeadEnd
    forms = list(scene.choose(BESIDE))
    scene.rng.shuffle(forms)
    opposed = sum("not" in form for form in forms) == 1
    link = Word("but" if opposed or scene.chance(0.2) else "and")
    comma = [Word(",")] * scene.chance(0.3)
    first = tell(scene, one, forms[0], link.text, (link,))
    second = tell(scene, other, forms[1], scene.style, scene.tail)
    different(first, second)
    return Phrase(
        [*first.english, *comma, link, *second.english],
        first.korean + second.korean,
    )
