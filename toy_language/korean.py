"""Korean word forms: particles after nouns, endings after verb stems.

Which particle a noun takes depends on its last letter; a verb stem and its
ending may melt together. Both follow from the letters of the syllables,
which `toy_language.hangul` takes apart. Reading aloud is in
`toy_language.romanization`. Chapter 15 uses this module.
"""

from toy_language import JOINER
from toy_language.hangul import (
    is_syllable,
    join_syllable,
    split_syllable,
)

__all__ = ["attach", "final_consonant", "honorific", "particle"]

# particle: (after a final consonant, after a vowel)
PARTICLES = {
    "은": ("은", "는"),
    "이": ("이", "가"),
    "을": ("을", "를"),
    "과": ("과", "와"),
    "이나": ("이나", "나"),
    "으로": ("으로", "로"),
}
_FORMS = {form: forms for forms in PARTICLES.values() for form in forms}

# A vowel that meets -아 or -어: the vowel of the melted syllable.
_CONTRACTIONS = {
    "ㅏ": "ㅏ", "ㅓ": "ㅓ", "ㅐ": "ㅐ", "ㅔ": "ㅔ", "ㅕ": "ㅕ", "ㅗ": "ㅘ",
    "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅚ": "ㅙ",
}  # fmt: skip
_BRIGHT = "ㅏㅑㅗ"

IRREGULAR = ("ㅂ", "ㄷ", "ㅅ", "르", "ㅎ")
# Endings by the way they meet the stem: as -아/-어 with something after it,
# with a 으 that comes after consonants only, as they are, without a final ㄹ.
_AFTER_A = {"아서": "서", "아요": "요", "아라": "라", "아야": "야",
            "아도": "도"}  # fmt: skip
_WITH_EU = ("은", "을", "으시", "으면", "으려고", "으러", "으니까")
_UNCHANGED = ("겠", "자", "지", "고")
_DROP_L = ("는", "는다", "습니다", "니")
ENDINGS = ("", "았", "아", *_AFTER_A, *_WITH_EU, "을까", *_UNCHANGED, *_DROP_L)


def final_consonant(word: str) -> str:
    """Return the consonant that closes a word, "" after a vowel.

    Args:
        word: a word that ends in a Hangul syllable, for example 강.

    Returns:
        The final consonant as a letter (강 -> "ㅇ", 개 -> "").

    Raises:
        ValueError: if the word does not end in a Hangul syllable.
    """
    if not word or not is_syllable(word[-1]):
        raise ValueError(
            f"{word!r} does not end in a Hangul syllable; write numbers "
            "and foreign words in Hangul first"
        )
    return split_syllable(word[-1])[2]


def particle(word: str, name: str) -> str:
    """Choose the form of a particle that fits the end of a word.

    강 + 은/는 -> 은, 개 + 은/는 -> 는. The particle (으)로 counts ㄹ as a
    vowel: 연필 + (으)로 -> 로. A particle with one form is returned as is.

    Args:
        word: the word before the particle.
        name: either form of the particle: 은, 는, 이, 가, 을, 를, 과, 와,
            으로, 로, or one that never changes, such as 에서.

    Returns:
        The form to write, without the joiner mark.

    Raises:
        ValueError: if the word does not end in a Hangul syllable.
    """
    final = final_consonant(word)
    if name not in _FORMS:
        return name
    closed, opened = _FORMS[name]
    if closed == "으로" and final == "ㄹ":
        return opened
    return closed if final else opened


def attach(stem: str, ending: str, irregular: str = "") -> tuple[str, ...]:
    """Attach an ending to a stem; return the surface morphemes.

    The ending names are those of the grammar books: 았 (past), 아, 아서
    (because), 아요 (friendly), 아라 (command), 아야 (must), 아도 (even if),
    은 (adnominal), 을 (prospective), 을까 (question about it), 으시
    (honorific), 으면 (if), 으려고, 으러 (in order to), 으니까
    (since), 겠 (will), 자 (let us), 지, 고, 는 (adnominal present), 는다
    (plain present), 습니다 (formal present), 니 (plain question), and "" for
    the stem as it is. Where stem and ending melt into one syllable the
    result is one token:

        attach("먹", "았") -> ("먹", "+었")
        attach("가", "았") -> ("갔",)
        attach("공부하", "았") -> ("공부", "+했")

    Args:
        stem: the dictionary form without its last syllable 다, or the last
            token of a stem of several, such as "+시".
        ending: one of `ENDINGS`.
        irregular: "" or one of `IRREGULAR`, the class of the stem.

    Returns:
        A tuple of tokens; those that are glued on start with "+".

    Raises:
        ValueError: if ending or irregular is not in its list.
    """
    if ending not in ENDINGS:
        raise ValueError(f"ending {ending!r} is unknown; use {ENDINGS}")
    if irregular and irregular not in IRREGULAR:
        raise ValueError(
            f"irregular {irregular!r} is unknown; use '' or {IRREGULAR}"
        )
    if ending == "아요" and stem in ("+시", "+으시"):
        return (_with_vowel(stem, "ㅔ"), "+요")  # 가세요, not 가셔요
    if ending == "아요" and stem == "아니":
        return (stem, "+에요")
    if stem.startswith(JOINER):
        first, *rest = attach(stem.removeprefix(JOINER), ending, irregular)
        return (JOINER + first, *rest)
    if stem.endswith("하") and len(stem) > 1:
        forms = attach("하", ending)
        return (stem[:-1], JOINER + forms[0], *forms[1:])
    if ending in ("았", "아"):
        return _attach_vowel(stem, ending, irregular)
    if ending in _AFTER_A:
        return _attach_after_a(stem, ending, irregular)
    if ending == "을까":
        return (*_attach_linked(stem, "을", irregular), "+까")
    if ending in _WITH_EU:
        return _attach_linked(stem, ending, irregular)
    if ending in _DROP_L:
        return _attach_consonant(stem, ending)
    return (stem, JOINER + ending) if ending else (stem,)


def honorific(stem: str, irregular: str = "") -> tuple[str, ...]:
    """Give a stem the -(으)시- that honors its subject.

    Tense and ending are attached to the last token of the result:

        honorific("읽") -> ("읽", "+으시")
        attach("+으시", "았") -> ("+으셨",)

    Verbs with a word of their own (먹다: 드시다) are in the lexicon.

    Args:
        stem: the dictionary form without its last syllable 다.
        irregular: "" or one of `IRREGULAR`, the class of the stem.

    Returns:
        A tuple of tokens; the last is "+시" or "+으시".

    Raises:
        ValueError: if irregular is not in its list.
    """
    return attach(stem, "으시", irregular)


def _with_final(stem: str, final: str) -> str:
    """Replace the final consonant of the last syllable."""
    initial, vowel, _ = split_syllable(stem[-1])
    return stem[:-1] + join_syllable(initial, vowel, final)


def _with_vowel(stem: str, vowel: str) -> str:
    """Replace the vowel of an open last syllable."""
    return stem[:-1] + join_syllable(split_syllable(stem[-1])[0], vowel)


def _soften(stem: str, irregular: str) -> str:
    """Give a stem the shape it has before an ending with a vowel."""
    if irregular == "ㅂ":
        return _with_final(stem, "") + "우"
    if irregular == "ㄷ":
        return _with_final(stem, "ㄹ")
    if irregular in ("ㅅ", "ㅎ"):
        return _with_final(stem, "")
    return stem


def _attach_vowel(stem: str, ending: str, irregular: str) -> tuple[str, ...]:
    """Attach -았 or -아 with vowel harmony and contraction."""
    close = "ㅆ" if ending == "았" else ""
    if stem == "하":
        return (join_syllable("ㅎ", "ㅐ", close),)
    if stem == "이":
        return (join_syllable("ㅇ", "ㅕ", close),)
    if stem == "아니":
        return (stem, JOINER + join_syllable("ㅇ", "ㅓ", close))
    bright = split_syllable(stem[-1])[1] in _BRIGHT
    if irregular == "ㅎ":
        base = _soften(stem, irregular)
        initial, vowel, _ = split_syllable(base[-1])
        melted = "ㅒ" if vowel in "ㅑㅕ" else "ㅐ"
        return (base[:-1] + join_syllable(initial, melted, close),)
    if irregular == "ㅂ" and stem in ("돕", "곱"):
        return (_with_final(stem, "") + join_syllable("ㅇ", "ㅘ", close),)
    soft = _soften(stem, irregular)
    initial, vowel, final = split_syllable(soft[-1])
    if vowel == "ㅡ" and not final:
        return (_drop_eu(soft, irregular, close),)
    if final or irregular == "ㅅ" or vowel not in _CONTRACTIONS:
        vowel = "ㅏ" if bright else "ㅓ"
        return (soft, JOINER + join_syllable("ㅇ", vowel, close))
    melted = _CONTRACTIONS[vowel]
    return (soft[:-1] + join_syllable(initial, melted, close),)


def _attach_after_a(stem: str, ending: str, irregular: str) -> tuple[str, ...]:
    """Attach -아서 and its like: 먹 +어서, but 가 +서."""
    forms = _attach_vowel(stem, "아", irregular)
    tail = _AFTER_A[ending]
    if forms[-1] in ("+아", "+어"):
        return (*forms[:-1], forms[-1] + tail)
    return (*forms, JOINER + tail)


def _drop_eu(stem: str, irregular: str, close: str) -> str:
    """Drop the ㅡ of 쓰-, 바쁘-, 빠르- before -아/-어."""
    initial = split_syllable(stem[-1])[0]
    before = stem[:-1]
    bright = bool(before) and split_syllable(before[-1])[1] in _BRIGHT
    if irregular == "르":
        before = _with_final(before, "ㄹ")
    return before + join_syllable(initial, "ㅏ" if bright else "ㅓ", close)


def _attach_linked(stem: str, ending: str, irregular: str) -> tuple[str, ...]:
    """Attach an ending whose 으 appears after a consonant only, not ㄹ."""
    soft = _soften(stem, irregular)
    final = split_syllable(soft[-1])[2]
    long_l = final == "ㄹ" and irregular != "ㄷ"
    if irregular == "ㅅ" or (final and not long_l):
        return (soft, JOINER + ending)
    if ending in ("은", "을"):
        return (_with_final(soft, "ㄴ" if ending == "은" else "ㄹ"),)
    if ending in ("으시", "으니까"):
        soft = _with_final(soft, "")
    return (soft, JOINER + ending.removeprefix("으"))


def _attach_consonant(stem: str, ending: str) -> tuple[str, ...]:
    """Attach an ending that begins with ㄴ or ㅂ/ㅅ; final ㄹ drops."""
    final = split_syllable(stem[-1])[2]
    if final == "ㄹ":
        stem, final = _with_final(stem, ""), ""
    if ending == "는다":
        if final:
            return (stem, "+는", "+다")
        return (_with_final(stem, "ㄴ"), "+다")
    if ending == "습니다":
        if final:
            return (stem, "+습니다")
        return (_with_final(stem, "ㅂ"), "+니다")
    return (stem, JOINER + ending)
