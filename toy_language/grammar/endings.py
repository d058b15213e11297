"""Korean endings: the last stem of a predicate, its tense and its ending.

`close` gives a verb, an adjective, 있다 or 없다 its ending, `close_copula`
does so for 이다 after a noun. An ending is called by a name:

    plain, formal, friendly     -다, -습니다, -어요; with ask- in front, the
                                questions -니, -습니까, -어요; with guess-,
                                those about what will be: -을까, -을까요
    and, but, both              -고, -지만, -고 without a tense; in the future
                                -을 것이고, -겠지만
    because, if, when           -어서, -으면, -을 때 (-었을 때)
    since                       -으니까 (before a command)
    quoted, whether             -다 or -라 before -고, -는; -는지
    adnominal                   before a noun: 읽는, 읽은, 읽을, 큰, 있던
    order, order-formal, lets   -어라, -으십시오, -자

Chapter 15 uses it.
"""

from functools import cache

from toy_language import JOINER
from toy_language.grammar.phrases import attached
from toy_language.korean import final_consonant

__all__ = ["EMBEDDED", "STATEMENTS", "TokenPart", "close", "close_copula"]

# A Korean token and what it stands for: "stem", "tense", "will" (the noun in
# -을 것이다) or "end"; two of them with + between, where they have melted.
TokenPart = tuple[str, str]

STATEMENTS = {"plain", "formal", "friendly", "and", "both", "but"}
# Endings of clauses inside a sentence: their subject takes 이/가.
EMBEDDED = {"because", "since", "if", "when", "adnominal", "quoted",
            "whether"}  # fmt: skip

# Endings without a tense.
_TIMELESS = {"because": "아서", "if": "으면", "order": "아라",
             "lets": "자"}  # fmt: skip
# The ending after a stem with 았/었.
_AFTER_PAST = {
    "plain": ("+다",), "formal": ("+습니다",), "friendly": ("+어요",),
    "ask-plain": ("+니",), "ask-formal": ("+습니까",),
    "ask-friendly": ("+어요",), "and": ("+고",), "but": ("+지만",),
    "when": ("+을", "때"), "adnominal": ("+던",), "since": ("+으니까",),
    "quoted": ("+다",), "whether": ("+는", "+지"),
}  # fmt: skip
# The same after a stem with -을.
_AFTER_FUTURE = {
    "plain": ("것", "+이", "+다"), "formal": ("것", "+입", "+니다"),
    "friendly": ("거", "+예요"), "ask-plain": ("거", "+니"),
    "ask-formal": ("것", "+입", "+니까"), "ask-friendly": ("거", "+예요"),
    "and": ("것", "+이", "+고"),
}  # fmt: skip
_AFTER_COPULA = {"plain": "+다", "ask-plain": "+니", "and": "+고",
                 "both": "+고", "but": "+지만", "because": "+라서", "if": "+면",
                 "since": "+니까", "quoted": "+라"}  # fmt: skip
_MELTED_COPULA = {
    "formal": ("+입", "+니다"), "ask-formal": ("+입", "+니까"),
    "adnominal": ("+인",), "when": ("+일", "때"),
}  # fmt: skip


@cache
def close(
    stem: str, irregular: str, kind: str, tense: str, ending: str
) -> tuple[TokenPart, ...]:
    """Add tense and ending to a stem.

    Args:
        stem: the last stem of the predicate; -시 may be glued on.
        irregular: its irregular class or "".
        kind: "verb", "adjective", "exist" (있다 and 없다) or "result" (a
            state told in the past: 오래됐다, is old).
        tense: past, present or future.
        ending: a name from the docstring of this module.

    Returns:
        A tuple of (token, part).
    """
    if stem == "아니" and ending in ("because", "quoted"):
        last = "+라서" if ending == "because" else "+라"
        return (("아니", "stem"), (last, "end"))
    if ending in ("quoted", "both"):
        tense = tense if ending == "quoted" else "present"
        ending = "plain" if ending == "quoted" else "and"
    if ending in _TIMELESS:
        return _label(attached(stem, _TIMELESS[ending], irregular), "end")
    if ending == "order-formal":
        *before, _ = attached(stem, "습니다", irregular)
        return _label((*before, "+시오"), "end")
    if ending == "adnominal":
        return _adnominal(stem, irregular, kind, tense)
    if kind == "result" and tense == "present":
        tense = "past"
    if tense == "past":
        forms = _past(stem, irregular)
        return _label(forms, "tense") + _ends(_AFTER_PAST[ending])
    if ending == "when":
        return _label(attached(stem, "을", irregular), "end") + _ends(("때",))
    if tense == "future" or ending.startswith("guess"):
        return _future(stem, irregular, ending)
    return _present(stem, irregular, kind, ending)


def _label(forms: tuple[str, ...], last_part: str) -> tuple[TokenPart, ...]:
    """Call the last of several forms by its part, the others stem."""
    if len(forms) == 1:
        return ((forms[0], "stem+" + last_part),)
    return (*((form, "stem") for form in forms[:-1]), (forms[-1], last_part))


def _ends(tokens: tuple[str, ...]) -> tuple[TokenPart, ...]:
    return tuple((token, "end") for token in tokens)


def _past(stem: str, irregular: str) -> tuple[str, ...]:
    """Attach -았/-었; 아니다 keeps its vowel, 아니었다."""
    if stem == "아니":
        return ("아니", "+었")
    return attached(stem, "았", irregular)


def _adnominal(
    stem: str, irregular: str, kind: str, tense: str
) -> tuple[TokenPart, ...]:
    """Close a predicate that describes a noun."""
    if tense == "future":
        return _label(attached(stem, "을", irregular), "end")
    if tense == "past" and kind not in ("verb", "result"):
        forms = ("있",) if stem == "있" else _past(stem, irregular)
        return (*((form, "stem") for form in forms), *_ends(("+던",)))
    present = kind == "exist" or (kind == "verb" and tense == "present")
    return _label(attached(stem, "는" if present else "은", irregular), "end")


def _future(stem: str, irregular: str, ending: str) -> tuple[TokenPart, ...]:
    """Close with -을 것이다, with -겠지만, or with -을까."""
    if ending == "but":
        forms = attached(stem, "겠", irregular)
        return _label(forms, "tense") + _ends(_AFTER_PAST[ending])
    if ending.startswith("guess"):
        *before, last = attached(stem, "을까", irregular)
        last += "" if ending == "guess-plain" else "요"
        return _label((*before, last), "end+tense")
    noun, *others = _AFTER_FUTURE[ending]
    forms = attached(stem, "을", irregular)
    return (*_label(forms, "tense"), (noun, "will"), *_ends(tuple(others)))


def _present(
    stem: str, irregular: str, kind: str, ending: str
) -> tuple[TokenPart, ...]:
    """Close a predicate in the present tense."""
    whole = tuple((form, "stem") for form in attached(stem, "", irregular))
    style = ending.removeprefix("ask-")
    if ending in ("and", "but"):
        return whole + _ends(_AFTER_PAST[ending])
    if ending == "whether":
        forms = attached(stem, "는", irregular)
        return _label(forms, "end") + _ends(("+지",))
    if ending == "since":
        return _label(attached(stem, "으니까", irregular), "end")
    if style == "friendly":
        if stem == "아니":
            return (*whole, ("+에요", "end"))
        return _label(attached(stem, "아요", irregular), "end")
    if style == "formal":
        forms = attached(stem, "습니다", irregular)
        if ending == "ask-formal":
            forms = (*forms[:-1], forms[-1].replace("니다", "니까"))
        return _label(forms, "end")
    if ending == "ask-plain" and stem == "어떻":
        return (("어떠", "stem"), ("+니", "end"))
    if ending == "ask-plain":
        return _label(attached(stem, "니", irregular), "end")
    if kind == "verb":
        forms = attached(stem, "는다", irregular)
        return (*((form, "stem") for form in forms[:-1]), ("+다", "end"))
    return (*whole, ("+다", "end"))


def close_copula(
    last_token: str, tense: str, ending: str
) -> tuple[TokenPart, ...]:
    """Return the tokens of 이다 (to be) after a noun.

    After a vowel 이 is left out where one says so: 농부다, 농부였다, 농부고.

    Args:
        last_token: the token before it.
        tense: past or present.
        ending: as for `close`.

    Returns:
        A tuple of (token, part).
    """
    closed = bool(final_consonant(last_token.removeprefix(JOINER)))
    if tense == "past" and ending not in ("because", "if", "both"):
        forms = ("+이", "+었") if closed else ("+였",)
        stem = tuple((form, "stem") for form in forms)
        return stem + _ends(_AFTER_PAST[ending])
    if ending in _MELTED_COPULA:
        first, *others = _MELTED_COPULA[ending]
        return ((first, "stem"), *_ends(tuple(others)))
    if ending.removeprefix("ask-") == "friendly":
        if closed:
            return (("+이", "stem"), ("+에요", "end"))
        return (("+예요", "stem+end"),)
    last = (_AFTER_COPULA[ending], "end")
    return (("+이", "stem"), last) if closed else (last,)
