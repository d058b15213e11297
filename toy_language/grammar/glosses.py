"""A gloss for every Korean token the grammar can produce.

Content words get their English word, grammatical morphemes a label of the
Leipzig glossing rules:

    TOP topic, NOM subject, ACC object, DAT receiver, GEN of, LOC at or to,
    ABL away from, INS with or toward, COM and/with, PL plural, CLF counter,
    PST past, PRS present, FUT future, PROG progressive, NEG not, ADN before
    a noun, DECL statement, Q question, IMP command, PROP let us, FORM
    formal, POL polite, HON honored, COP to be, HUM humble, VOC address, CVB
    joins a verb to a helping verb, PROH do not

One token can mean two things (산 is mountain, and "bought" before a noun);
the tokens beside it decide: its ending, the noun before it. What the words
can mean is in `readings`; to gloss a new ending, add a row to data/glosses.tsv.
Chapter 15 uses it.
"""

from collections.abc import Sequence
from functools import cache

from toy_language import JOINER
from toy_language.grammar.function_words import NUMBERS
from toy_language.grammar.lexicon import Entry, load_lexicon
from toy_language.grammar.readings import (
    LOOSE,
    Reading,
    counters,
    predicates,
    times,
    words,
)
from toy_language.korean import PARTICLES
from toy_language.tables import group, read_table

__all__ = ["gloss_tokens"]

# (Korean, the token after it) -> gloss; "" for any token, + for any that is
# glued on.
GLOSSES = {
    (row["Korean"], row["next"]): row["gloss"]
    for row in read_table("glosses.tsv", "Korean, next, gloss", "tokens")
}
_MARKS = ("+를", "+을", "+가", "+이")
# Either form of a particle -> both, as tokens.
_BOTH_FORMS = {
    form: tuple(JOINER + one for one in forms)
    for forms in PARTICLES.values()
    for form in forms
}
_UNITS = {
    row["Korean"]: row["gloss"]  # after a number
    for row in read_table("glosses.tsv", "Korean, gloss", "units")
}
_SIDES = group("side")
_AFTER_FUTURE = {"것", "거", "수", "때"}
# Tokens of tense, after which a verb goes on as after a stem.
_TENSES = {"+았", "+었", "+였", "+겠"}
_TOLD = {"+다", "+라"}  # after them +는 leads on to a noun: 크다는 것
_COPULA_ENDINGS = {"+다", "+고", "+지만", "+니", "+면", "+라서"}
_HA = "+하 +했 +할 +합 +해 +한".split()


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
    last: Reading | None = None  # of the token before, if it is a predicate
    for index, token in enumerate(tokens):
        if token.startswith(JOINER):
            found, last = _gloss_suffix(tokens, index, last)
        else:
            found, last = _gloss_word(tokens, index)
        if not found:
            raise ValueError(
                f"{token!r} has no gloss; is it in the lexicon of this corpus?"
            )
        glosses.append(found)
    return glosses


def _beside(tokens: Sequence[str], index: int) -> tuple[str, str]:
    """Return the tokens before and after one; "" at the ends."""
    before = tokens[index - 1] if index else ""
    return before, tokens[index + 1] if index + 1 < len(tokens) else ""


# ------------------------------------------------------------------- words


def _gloss_word(
    tokens: Sequence[str], index: int
) -> tuple[str, Reading | None]:
    """Gloss a token that starts a word."""
    token = tokens[index]
    before, after = _beside(tokens, index)
    glued = after.startswith(JOINER)
    counted = before in NUMBERS.values() or before == "몇"
    if counted and (token in _UNITS or token in counters()):
        return _UNITS.get(token, "CLF"), None
    if after in _UNITS or after in counters():
        for english, korean in NUMBERS.items():
            if token == korean:
                return english, None
    reading = _predicate(tokens, index)
    if token in ("있", "계") and before in ("+고", "+아", "+어"):
        return "be", reading
    if not (reading and glued and before in _MARKS):  # 화 +가 나 +다
        found = GLOSSES.get((token, after)) or GLOSSES.get((token, ""))
        if glued:
            found = GLOSSES.get((token, JOINER), found)
        if found:
            return found, None
    if reading and not _is_noun(tokens, index):
        return reading.gloss, reading
    return _unchanging(token, before, after), None


def _unchanging(token: str, before: str, after: str) -> str:
    """Gloss a noun, an adverb, a word of time."""
    time = times().get(token, "")
    if time and (before in times() or after in ("", "+에")):
        return time
    if (token, LOOSE) in GLOSSES and not after.startswith(JOINER):
        return GLOSSES[token, LOOSE]  # 새: new, but 새 +는 is a bird
    return words().get(token) or time or GLOSSES.get((token, ""), "")


def _is_noun(tokens: Sequence[str], index: int) -> bool:
    """Say whether a token that could be a verb is a noun here.

    차 +는 is tea (topic), and "who kicks" after an object: 공 +을 차 +는.
    """
    token = tokens[index]
    before, after = _beside(tokens, index)
    if token not in words():
        return False
    if after.startswith(JOINER):
        return after in ("+는", "+은", "+을") and before not in ("+를", "+을")
    follows = after in _SIDES or after in NUMBERS.values() or after == "몇"
    return follows and before not in ("+를", "+을")


# -------------------------------------------------------------- predicates


def _predicate(tokens: Sequence[str], index: int) -> Reading | None:
    """Find the reading of a predicate token that fits best."""
    token = tokens[index]
    after = _beside(tokens, index)[1]
    follower = after if after.startswith(JOINER) else LOOSE
    readings = predicates().get((token, follower), [])
    future = after in _AFTER_FUTURE  # 잘 것 is future, 잘 alone is "well"
    if follower == LOOSE and (future or token in words()):
        readings = [r for r in readings if r.gloss.endswith(".FUT") == future]
    if not readings:
        return None
    return max(readings, key=lambda one: _fit(one, tokens, index))


def _fit(reading: Reading, tokens: Sequence[str], index: int) -> int:
    """Say how well a reading goes with the nouns around the verb."""
    entry = reading.entry
    if entry is None:
        return 1
    *stem, _ = entry.stem
    if stem:
        return 4 if list(tokens[index - len(stem) : index]) == stem else -1
    if entry.word_class == "adjective":
        return 1
    wanted = entry.features.get("object", ["none"])
    if wanted == ["none"]:
        return 1
    mark = entry.get("particle", "을")
    marks = _BOTH_FORMS.get(mark, (JOINER + mark,))
    for place in range(index - 1, max(index - 8, 0), -1):
        nouns = tokens[max(place - 3, 0) : place]
        if tokens[place] in marks and _names(nouns, wanted):
            return 3
    return 2 if _names(tokens[index + 1 : index + 4], wanted) else 0


def _names(tokens: Sequence[str], wanted: Sequence[str]) -> bool:
    """Say whether one of the tokens is a noun of some kinds."""
    nouns = [_noun_entries().get(token) for token in tokens]
    return any(noun and noun.is_one_of(wanted) for noun in nouns)


@cache
def _noun_entries() -> dict[str, Entry]:
    """Korean noun -> its lexicon entry."""
    return {
        entry.korean: entry
        for entry in load_lexicon()
        if entry.word_class in ("noun", "name")
    }


# ---------------------------------------------------------------- suffixes


def _gloss_suffix(
    tokens: Sequence[str], index: int, last: Reading | None
) -> tuple[str, Reading | None]:
    """Gloss a token that is glued on."""
    token = tokens[index]
    before, after = _beside(tokens, index)
    if token == "+고":
        joined = {"있": "PROG", "계": "PROG", "싶": "CVB"}
        return joined.get(after) or _copula(last, before) + "and", None
    if token == "+이" and (after in _AFTER_COPULA or before == "것"):
        return "COP", None
    if token == "+라" and after in ("+고", "+는"):  # 초록색이라고
        return "DECL", None
    if token == "+니까" and after != "+?":
        return _copula(last, before) + "because", None
    reading = _predicate(tokens, index)
    if reading:
        gloss = reading.gloss
        if token in _HA and last and not last.action:
            gloss = gloss.replace("do", "be").replace(".PST.ADN", ".ADN")
            reading = last
        return gloss, reading
    if token in ("+는", "+은", "+을", "+이"):
        return _ambiguous(token, after, last, before), None
    found = GLOSSES.get((token, ""), "")
    if token in _COPULA_ENDINGS and found:
        return _copula(last, before) + found, None
    return found, last if token in _TENSES else None


_AFTER_COPULA = _COPULA_ENDINGS | {"+었", "+에요", "+시", "+신", "+셨", "+라"}


def _copula(last: Reading | None, before: str) -> str:
    """농부 +다: to be is left out after a vowel, the ending says it."""
    noun = before.lstrip(JOINER) in words() or before == "+들"
    return "COP." if noun and last is None else ""


def _ambiguous(
    token: str, after: str, last: Reading | None, before: str
) -> str:
    """Gloss what is a particle after a noun and an ending after a verb."""
    if token == "+이":
        return "NOM"
    if token == "+는" and before in _TOLD:
        return "ADN"
    if last is None and before not in _TENSES:
        return "ACC" if token == "+을" else "TOP"
    if token == "+을":
        return "FUT"
    if token == "+는":
        return "PRS" if after == "+다" else "PRS.ADN"
    return "PST.ADN" if last and last.action else "ADN"
