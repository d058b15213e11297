"""A gloss for every Korean token the grammar can produce.

Content words get their English word, grammatical morphemes a label of the
Leipzig glossing rules:

    TOP topic, NOM subject, ACC object, DAT receiver, GEN of, LOC at or to,
    ABL away from, INS with or toward, COM and/with, PL plural, CLF counter,
    PST past, PRS present, FUT future, PROG progressive, NEG not, ADN before
    a noun, DECL statement, Q question, FORM formal, POL polite, COP to be,
    HUM humble, VOC address, CVB joins a verb to a helping verb

One token can mean two things (산 is mountain, and "bought" before a noun);
the tokens beside it decide. Chapter 15 uses it.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from transformer_lib.grammar.lexicon import Entry, load_lexicon
from transformer_lib.grammar.phrases import NUMBERS
from transformer_lib.korean import attach
from transformer_lib.special_tokens import JOINER

__all__ = ["gloss_tokens"]

PREDICATES = ("verb", "give", "adjective")

_FIXED = {
    "+를": "ACC", "+가": "NOM", "+에게": "DAT", "+에게서": "ABL", "+에": "LOC",
    "+에서": "LOC", "+으로": "INS", "+로": "INS", "+와": "COM", "+과": "COM",
    "+의": "GEN", "+들": "PL", "+았": "PST", "+었": "PST", "+였": "COP.PST",
    "+다": "DECL", "+습니다": "DECL.FORM", "+니다": "DECL.FORM",
    "+습니까": "Q.FORM", "+니까": "Q.FORM", "+니": "Q", "+어요": "POL",
    "+아요": "POL", "+요": "POL", "+에요": "POL", "+예요": "COP.POL",
    "+입": "COP", "+지": "CVB", "+지만": "but", "+서": "because",
    "+아서": "because", "+어서": "because", "+.": ".", "+?": "?", "+,": ",",
    "것": "thing", "거": "thing", "않": "NEG", "못": "unable", "너무": "too",
    "아주": "very", "그": "that", "이": "this", "누": "who", "어디": "where",
    "무엇": "what", "할머니": "grandma.VOC", "할아버지": "grandpa.VOC",
    "다음": "next", "주": "week", "아침": "morning", "나": "I", "저": "I.HUM",
    "우리": "we", "저희": "we.HUM",
}  # fmt: skip
_HA = {"+하": "do", "+했": "do.PST", "+할": "do.FUT", "+합": "do", "+해": "do"}
_COUNTERS = {"개", "명", "마리", "대"}
_PAST_ENDS = ("+다", "+습니다", "+습니까", "+어요", "+고", "+지만", "+니")
_NOUN = "(noun)"  # stands for: the next token is not glued on
_FOLLOWERS = {
    "": ("+지", "+고", "+지만", "+다"),
    "았": _PAST_ENDS,
    "아": ("+서", "+요"),
    "은": (_NOUN,),
    "을": ("것", "거"),
}
_LABELS = {"았": ".PST", "을": ".FUT", "는다": ".PRS", "은": ".ADN"}
_PRESENT = ("는", "는다", "니", "습니다")


def gloss_tokens(tokens: Sequence[str]) -> list[str]:
    """Gloss a Korean sentence.

    Args:
        tokens: a list of tokens, with their joiner marks.

    Returns:
        A list of English glosses, one a token.

    Raises:
        ValueError: if a token is not one the grammar can produce.
    """
    glosses = []
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else ""
        after = tokens[index + 1] if index + 1 < len(tokens) else ""
        if token.startswith(JOINER):
            found = _gloss_suffix(token, before, after)
        else:
            found = _gloss_word(token, before, after)
        if not found:
            raise ValueError(
                f"{token!r} has no gloss; is it in the lexicon of this corpus?"
            )
        glosses.append(found)
    return glosses


def _gloss_word(token: str, before: str, after: str) -> str | None:
    """Gloss a token that starts a word."""
    if before in NUMBERS.values():
        if token == "시":
            return "o'clock"
        if token in _COUNTERS or token in _counters():
            return "CLF"
    if token == "있":
        return "be" if before == "+고" else "exist"
    if token in ("나", "저") and after == "+가":
        return _FIXED[token]
    if token in ("내", "제"):
        number = "I" if after == "+가" else "my"
        return number + (".HUM" if token == "제" else "")
    table = _predicates()
    glued = after.startswith(JOINER)
    found = table.get((token, after))
    if not found and not glued:
        found = table.get((token, _NOUN))
    return found or _nouns().get(token) or _FIXED.get(token)


def _gloss_suffix(token: str, before: str, after: str) -> str | None:
    """Gloss a token that is glued on."""
    if token == "+고":
        return "PROG" if after == "있" else "and"
    if token == "+이":
        copula = ("+다", "+고", "+지만", "+었", "+에요")
        return "COP" if before == "것" or after in copula else "NOM"
    if token == "+한":
        if after == "+다":
            return "do.PRS"
        return "do.PST.ADN" if before in _verb_forms() else "ADN"
    if token in _HA:
        label = _HA[token]
        verb = before == "못" or before in _verb_forms()
        return label if verb else label.replace("do", "be")
    stem = (before, token) in _predicates() or before in ("않", "있", "+하")
    if token == "+는":
        if after == "+다":
            return "PRS"
        return "PRS.ADN" if stem else "TOP"
    if token == "+은":
        if not stem:
            return "TOP"
        return "PST.ADN" if before in _verb_forms() else "ADN"
    if token == "+을":
        return "FUT" if stem else "ACC"
    return _FIXED.get(token)


@cache
def _nouns() -> dict[str, str]:
    """Korean token -> English, for everything that is not conjugated."""
    table = {korean: english for english, korean in NUMBERS.items()}
    for entry in load_lexicon():
        if entry.word_class in PREDICATES:
            for token in entry.stem[:-1]:
                if not token.startswith(JOINER):
                    table[token] = entry.english.split()[-1]
            continue
        english = entry.english.removeprefix("in the ")
        name = entry.word_class in ("name", "month") or english[:3] == "on "
        english = english.removeprefix("on ").replace(" ", ".")
        english = english.capitalize() if name else english
        tokens = [t for t in entry.korean.split() if t[0] != JOINER]
        if len(tokens) == 1:
            table.setdefault(tokens[0], entry.get("gloss") or english)
    return table


@cache
def _counters() -> set[str]:
    return {entry.get("counter") for entry in load_lexicon()} - {""}


@cache
def _predicates() -> dict[tuple[str, str], str]:
    """(stem token, next token) -> gloss.

    Where two words share a form (사- is buy and live), a state is meant in
    the present and an action elsewhere; what still collides is joined by /.
    """
    table: dict[tuple[str, str], str] = {}
    strength: dict[tuple[str, str], bool] = {}
    for entry, ending, forms in _conjugations():
        word = entry.get("gloss") or entry.english.split()[0]
        rank = _is_state(entry) == (ending in _PRESENT)
        for follower in _followers(forms, ending):
            key = (forms[0], follower)
            gloss = word + _label(entry, forms, ending)
            if strength.get(key, -1) < rank:
                table[key], strength[key] = gloss, rank
            elif strength[key] == rank and gloss not in table[key]:
                table[key] += "/" + gloss
    return table


@cache
def _verb_forms() -> set[str]:
    """The stem tokens of all verbs."""
    return {
        forms[0]
        for entry, _, forms in _conjugations()
        if entry.word_class != "adjective"
    }


def _conjugations() -> Iterator[tuple[Entry, str, tuple[str, ...]]]:
    """Yield each predicate, each ending it takes, and its forms with it."""
    for entry in load_lexicon():
        if entry.word_class in PREDICATES:
            never = ("은", "을") if _is_state(entry) else ("는",)
            for ending in ("", "았", "아", "은", "을", *_PRESENT):
                if ending not in never:
                    forms = attach(entry.stem[-1], ending, entry.irregular)
                    yield entry, ending, forms


def _is_state(entry: Entry) -> bool:
    return entry.get("state") == "yes"


def _followers(forms: tuple[str, ...], ending: str) -> tuple[str, ...]:
    """The tokens that can come after the first of these forms."""
    if len(forms) > 1:
        more = (forms[1] + "서", forms[1] + "요") if ending == "아" else ()
        extra = {"+니다": ("+니까",), "+습니다": ("+습니까",)}
        return (forms[1], *more, *extra.get(forms[1], ()))
    return _FOLLOWERS[ending]


def _label(entry: Entry, forms: tuple[str, ...], ending: str) -> str:
    """The grammatical label that a fused first form carries."""
    if len(forms) > 1 and ending != "는다":
        return ""
    if ending == "는다" and forms[1] != "+다":
        return ""
    label = _LABELS.get(ending, "")
    if ending == "은" and entry.word_class != "adjective":
        label = ".PST.ADN"
    return label
