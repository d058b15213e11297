"""The letters of Hangul syllables, computed from Unicode.

A Hangul syllable is one character, and its code point is a sum:

    code = 0xAC00 + (initial * 21 + vowel) * 28 + final

so taking a syllable apart is integer division. What happens where words
and endings meet is in `toy_language.korean`.
"""

__all__ = ["is_syllable", "join_syllable", "split_syllable"]

FIRST_SYLLABLE = 0xAC00
LAST_SYLLABLE = 0xD7A3

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def is_syllable(character: str) -> bool:
    """Say whether a character is one complete Hangul syllable.

    Args:
        character: a string of length 1.

    Returns:
        True from 가 to 힣.
    """
    return FIRST_SYLLABLE <= ord(character) <= LAST_SYLLABLE


def split_syllable(syllable: str) -> tuple[str, str, str]:
    """Take a syllable apart: 강 -> ("ㄱ", "ㅏ", "ㅇ").

    Args:
        syllable: one Hangul syllable.

    Returns:
        (initial, vowel, final) as letters; final is "" where there is none.

    Raises:
        ValueError: if the argument is not one Hangul syllable.
    """
    if len(syllable) != 1 or not is_syllable(syllable):
        raise ValueError(
            f"{syllable!r} is not one Hangul syllable; pass a single "
            "character from 가 to 힣"
        )
    rest, final = divmod(ord(syllable) - FIRST_SYLLABLE, 28)
    initial, vowel = divmod(rest, 21)
    return INITIALS[initial], VOWELS[vowel], FINALS[final].strip()


def join_syllable(initial: str, vowel: str, final: str = "") -> str:
    """Put a syllable together: ("ㄱ", "ㅏ", "ㅇ") -> 강.

    Args:
        initial: one of `INITIALS`.
        vowel: one of `VOWELS`.
        final: one of `FINALS`, or "" for an open syllable.

    Returns:
        The syllable, one character.

    Raises:
        ValueError: if a letter cannot stand in its place.
    """
    for letter, letters in ((initial, INITIALS), (vowel, VOWELS)):
        if len(letter) != 1 or letter not in letters:
            raise ValueError(f"{letter!r} is not one of {letters}")
    if len(final) > 1 or final not in FINALS:
        raise ValueError(f"{final!r} is not one of {FINALS}, nor empty")
    index = INITIALS.index(initial) * 21 + VOWELS.index(vowel)
    return chr(
        FIRST_SYLLABLE + index * 28 + (FINALS.index(final) if final else 0)
    )
