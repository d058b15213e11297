"""Sizes, probabilities, flags and sentences that are refused by name."""

import math
from collections.abc import Sequence
from numbers import Integral, Real


def check_int(name: str, value: int, least: int = 1) -> None:
    """Refuse what is not a whole number of at least ``least``.

    Args:
        name: what the value is called.
        value: what came.
        least: the smallest number that is allowed.

    Raises:
        TypeError: the value is not a whole number (2.0 and True are none).
        ValueError: it is too small.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name}={value!r}; give a whole number")
    if value < least:
        raise ValueError(f"{name}={value}; choose {least} or more")


def check_probability(name: str, value: float) -> None:
    """Refuse what is not a number from 0 up to, but not, 1.

    Args:
        name: what the value is called.
        value: what came.

    Raises:
        TypeError: the value is not a number.
        ValueError: it lies outside.
    """
    _check_number(name, value)
    if not 0 <= value < 1:
        raise ValueError(f"{name}={value}; choose 0 <= {name} < 1")


def check_positive(name: str, value: float) -> None:
    """Refuse what is not a finite number above 0.

    Args:
        name: what the value is called.
        value: what came.

    Raises:
        TypeError: the value is not a number.
        ValueError: it is 0, negative, infinite or NaN.
    """
    _check_number(name, value)
    if not 0 < value < math.inf:
        raise ValueError(f"{name}={value}; choose a number above 0")


def check_bool(name: str, value: bool) -> None:
    """Refuse what only looks like yes or no: "no" would count as yes.

    Args:
        name: what the value is called.
        value: what came.

    Raises:
        TypeError: the value is neither True nor False.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{name}={value!r}; give True or False")


def check_sentences(sentences: Sequence[str]) -> None:
    """Refuse one string where a list of them is wanted, and what is no text.

    Args:
        sentences: what came.

    Raises:
        TypeError: as for `check_strings`.
        ValueError: a sentence holds half a character.
    """
    check_strings(sentences)
    for number, sentence in enumerate(sentences, start=1):
        if half := half_character(sentence):
            raise ValueError(f"sentence {number} {half}")


def check_strings(sentences: Sequence[str]) -> None:
    """Refuse one string where a list of them is wanted, and other things.

    Args:
        sentences: what came.

    Raises:
        TypeError: a string, or a list that holds something else.
    """
    if isinstance(sentences, str):
        raise TypeError(
            f"a list of sentences is wanted, not the string "
            f"{sentences[:40]!r}; put it into [ ]"
        )
    for number, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, str):
            raise TypeError(f"sentence {number} is {sentence!r}; give text")


def half_character(text: str) -> str:
    """Say where a text holds half a character, a lone surrogate.

    Python keeps such halves of an emoji that was cut, and in place of bytes
    that it could not read; no file and no tokenizer can hold them.

    Args:
        text: what came.

    Returns:
        Where the first one is and what to do; "" if there is none.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        place = error.start
        return (
            f"has {text[place]!r} at place {place + 1}, half a character or "
            "a byte that is not UTF-8; give whole characters"
        )
    return ""


def _check_number(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r}; give a number")
