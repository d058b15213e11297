"""Words that a construction asks for by name: to have, the weather."""

from toy_language.grammar.lexicon import Entry
from toy_language.grammar.scene import Scene

__all__ = ["word_named"]


def word_named(scene: Scene, name: str, word_class: str = "noun") -> Entry:
    """Return the first word of a class with that English.

    Args:
        scene: the `Scene`, for the words of its preset.
        name: English.
        word_class: as in the lexicon.

    Raises:
        StopIteration: the preset has no such word.
    """
    words = scene.words.by_class[word_class]
    return next(one for one in words if one.english == name)
