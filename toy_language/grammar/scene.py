"""One sentence in the making: its manner of speaking.

A `Scene` remembers what must be the same throughout a sentence: whom one
speaks to, how polite it is, whether it is a question. A choice that leads
nowhere raises `DeadEnd`, and the sentence is begun again with a new Scene.
Chapter 15 uses it.

"You" is somebody one speaks to as to a friend: 너, never with ", sir".
"""

from random import Random

from toy_language.grammar.function_words import ADDRESSES
from toy_language.grammar.objects import ObjectChooser
from toy_language.grammar.phrases import Word
from toy_language.grammar.selection import Selection, Triple

__all__ = ["Manner", "Scene"]

Manner = tuple[str, str, str]  # English address, style, Korean address


class Scene(ObjectChooser):
    """The state of one sentence while it is being built.

    Args:
        words: the `Selection` of its preset.
        rng: a `random.Random`.
        style: None for a random one, () for plain, or one of `ADDRESSES`.
        swap: whether nouns may take a role that they lack in training.

    Attributes:
        style: plain, formal or friendly.
        humble: whether one says 저 for 나.
        tail, address: what one calls the other, in English and Korean.
        end: the mark at the end.
        triple: (verb, subject, object) of a sentence with because and it.
    """

    def __init__(
        self,
        words: Selection,
        rng: Random,
        style: Manner | tuple[()] | None = None,
        swap: bool = False,
    ) -> None:
        super().__init__(words, rng, swap)
        self.triple: Triple | tuple[()] = ()
        self.end = "."
        self.tail: list[Word] = []
        self.style, self.address = "plain", ""
        if style is None and self.chance(0.15):
            style = rng.choice(ADDRESSES[words.preset])
        if style:
            name, self.style, self.address = style
            self.tail = [Word(name)]
        self.humble = self.style != "plain"
