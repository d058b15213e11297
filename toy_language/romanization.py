"""Revised Romanization of Korean, with the sound changes inside a word.

The standard of 2000 writes what is heard. Applied here, within a word (the
stretch between two spaces):

* a final consonant moves to a following vowel (먹어 meogeo, 읽었다 ilgeotda);
* ㅎ joins a following ㄱ, ㄷ, ㅈ to k, t, ch (않고 anko) and is silent
  before a vowel (좋아 joa);
* ㄱ, ㄷ, ㅂ, ㅈ join the ㅎ of 하다 and -히- to k, t, p, ch (못했다
  motaetda, 먹히다 meokida); in nouns the ㅎ stays visible (묵호 mukho);
* ㄷ and ㅌ before 이 become j and ch (같이 gachi);
* ㄱ, ㄷ, ㅂ before ㄴ, ㅁ become ng, n, m (갑니다 gamnida, 먹는 meongneun);
* ㄴ and ㄹ in contact become ll (신라 silla); ㄹ after another consonant
  becomes n (종로 jongno);
* seven final sounds remain: k, n, t, l, m, p, ng.

Not applied: tense consonants, which the standard does not write; changes
across a space; ㄴ inserted between the parts of a compound, except in words
that data/words.tsv spells out; the few names that keep ㄴㄹ apart (신문로
sinmunno).
Spelling alone does not tell a noun from a verb, so the syllables that 하다
and -히- can have count as theirs, in 북한 too (bukhan by the standard).
Digits are read as Sino-Korean numbers (5월 owol). Chapter 15.
"""

import re
from itertools import pairwise

from toy_language.hangul import (
    INITIALS,
    VOWELS,
    join_syllable,
    split_syllable,
)
from toy_language.tables import read_table

__all__ = ["read_number", "romanize_korean"]


def _spelling(letters: str, latin: str) -> dict[str, str]:
    """Pair Korean letters with their Latin spelling; - is silent."""
    pairs = zip(letters, latin.split(), strict=True)
    return {letter: "" if part == "-" else part for letter, part in pairs}


_ONSET = _spelling(INITIALS, "g kk n d tt r m b pp s ss - j jj ch k t p h")
_NUCLEUS = _spelling(
    VOWELS, "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i"
)
_CODA = _spelling("ㄱㄴㄷㄹㅁㅂㅇ", "k n t l m p ng") | {"": ""}

_ASPIRATED = {"ㄱ": "ㅋ", "ㄷ": "ㅌ", "ㅈ": "ㅊ"}
_NASAL = {"ㄱ": "ㅇ", "ㄷ": "ㄴ", "ㅂ": "ㅁ"}
_WITH_H = {"ㅎ": "", "ㄶ": "ㄴ", "ㅀ": "ㄹ"}
_VERBAL_H = "하한할함합해했히힌힐힘힙혀혔"  # the syllables of 하다 and -히-
_JOINED_H = {
    "ㄱ": ("", "ㅋ"), "ㄷ": ("", "ㅌ"), "ㅅ": ("", "ㅌ"), "ㅂ": ("", "ㅍ"),
    "ㅈ": ("", "ㅊ"), "ㄵ": ("ㄴ", "ㅊ"), "ㄺ": ("ㄹ", "ㅋ"),
    "ㄼ": ("ㄹ", "ㅍ"),
}  # fmt: skip
_CLUSTER = {
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ",
    "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ", "ㅄ": "ㅂㅅ",
}  # fmt: skip
_SOUND = {
    final: sound
    for sound, finals in (
        ("ㄱ", "ㄱㄲㅋㄳㄺ"), ("ㄴ", "ㄴㄵㄶ"), ("ㄷ", "ㄷㅌㅅㅆㅈㅊㅎ"),
        ("ㄹ", "ㄹㄼㄽㄾㅀ"), ("ㅁ", "ㅁㄻ"), ("ㅂ", "ㅂㅍㅄㄿ"), ("ㅇ", "ㅇ"),
    )
    for final in finals
} | {"": ""}  # fmt: skip

_DIGITS = "영일이삼사오육칠팔구"
_READ_ALOUD = {
    row["written"]: row["read"]
    for row in read_table("words.tsv", "written, read", "read aloud")
}
# 6월, but not in 16월; 나뭇잎 after any character.
_SPECIAL = r"(?:(?<!\d)|(?!\d))(?:" + "|".join(_READ_ALOUD) + ")"


def romanize_korean(text: str) -> str:
    """Write Korean text in Latin letters; other characters stay.

    Args:
        text: printed Korean.

    Returns:
        The romanization, in lower case.
    """
    text = re.sub(_SPECIAL, lambda found: _READ_ALOUD[found[0]], text)
    text = re.sub(r"\d+", lambda found: read_number(int(found[0])), text)
    return re.sub("[가-힣]+", lambda found: _romanize_word(found[0]), text)


def read_number(number: int) -> str:
    """Read a number from 0 to 99 the Sino-Korean way: 25 -> 이십오.

    Args:
        number: a whole number.

    Returns:
        The number in Hangul.

    Raises:
        ValueError: for any other number.
    """
    if not 0 <= number <= 99:
        raise ValueError(f"{number} cannot be read; use 0 to 99")
    tens, ones = divmod(number, 10)
    if not tens:
        return _DIGITS[ones]
    first = _DIGITS[tens] if tens > 1 else ""
    return first + "십" + (_DIGITS[ones] if ones else "")


def _romanize_word(word: str) -> str:
    """Apply the sound changes from left to right, then spell."""
    sounds = [list(split_syllable(character)) for character in word]
    for here, after in pairwise(sounds):
        _meet(here, after)
    if sounds[-1][2]:
        sounds[-1][2] = _SOUND[sounds[-1][2]]
    letters = []
    before = ""
    for onset, nucleus, coda in sounds:
        double = before == "ㄹ" and onset == "ㄹ"
        letters += ["l" if double else _ONSET[onset], _NUCLEUS[nucleus]]
        letters.append(_CODA[coda])
        before = coda
    return "".join(letters)


def _meet(here: list[str], after: list[str]) -> None:
    """Change the final of one syllable and the initial of the next."""
    final, initial = here[2], after[0]
    if final in _WITH_H:
        rest = _WITH_H[final]
        if initial in _ASPIRATED:
            here[2], after[0] = rest, _ASPIRATED[initial]
            return
        final = rest or ("ㄴ" if initial == "ㄴ" else "")
    if final in _JOINED_H and join_syllable(*after) in _VERBAL_H:
        kept, joined = _JOINED_H[final]
        softened = final == "ㄷ" and after[1] in "ㅣㅕ"
        here[2], after[0] = kept, "ㅊ" if softened else joined
        return
    if initial == "ㅇ" and final and final != "ㅇ":
        letters = _CLUSTER.get(final, " " + final)
        kept, moved = letters[0], letters[1]
        if after[1] == "ㅣ" and moved in "ㄷㅌ":
            moved = "ㅈ" if moved == "ㄷ" else "ㅊ"
        here[2], after[0] = kept.strip(), moved
        return
    sound = "ㄹ" if final == "ㄺ" and initial == "ㄱ" else _SOUND[final]
    if sound in _NASAL and initial in "ㄴㅁㄹ":
        sound = _NASAL[sound]
    if {sound, initial} == {"ㄴ", "ㄹ"}:
        sound = after[0] = "ㄹ"
    elif initial == "ㄹ" and sound in ("ㅁ", "ㅇ", "ㄴ"):
        after[0] = "ㄴ"
    here[2] = sound
