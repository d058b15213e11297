"""Verbs in both languages: English auxiliaries, Korean endings.

English puts tense and negation before the verb (did not cross), Korean
after it (건너지 않았다). `Verb` says what is meant, `english_verb` and
`korean_predicate` say it. Chapter 15 uses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from transformer_lib.grammar.lexicon import Entry
from transformer_lib.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    conjugated,
    words,
)
from transformer_lib.korean import attach, final_consonant

__all__ = [
    "ENDINGS",
    "EnglishVerb",
    "TokenPart",
    "Verb",
    "close",
    "copula",
    "english_verb",
    "korean_predicate",
]

# A Korean token and what it stands for: see `close`.
TokenPart = tuple[str, str]

# ending: (after 았/었, after -ㄹ 것)
ENDINGS = {
    "plain": (("+다",), ("것", "+이", "+다")),
    "formal": (("+습니다",), ("것", "+입", "+니다")),
    "friendly": (("+어요",), ("거", "+예요")),
    "and": (("+고",), ("것", "+이", "+고")),
    "but": (("+지만",), ("것", "+이", "+지만")),
    "ask-plain": (("+니",), ("거", "+니")),
    "ask-formal": (("+습니까",), ("것", "+입", "+니까")),
    "ask-friendly": (("+어요",), ("거", "+예요")),
}


@dataclass(slots=True)
class Verb:
    """How a verb is used: its entry, tense, and what goes with it."""

    entry: Entry
    tense: str = "past"
    negative: str = ""  # "", "not" or "n't"
    progressive: bool = False
    able: bool = True  # False: "could not", -지 못하다
    planned: bool = False  # "am going ... tomorrow": Korean present
    object: NounPhrase | None = None
    recipient: NounPhrase | None = None
    recipient_first: bool = False
    manner: list[Phrase] = field(default_factory=list)
    place: list[Phrase] = field(default_factory=list)
    time: list[Phrase] = field(default_factory=list)


# ---------------------------------------------------------------- English


@dataclass(slots=True)
class EnglishVerb:
    """The English words of a verb: auxiliary, not, main word, the rest."""

    auxiliary: list[Word]
    negation: list[Word]
    main: Word
    rest: list[Word]

    @property
    def english(self) -> list[Word]:
        """All words in the order of a statement."""
        return self.auxiliary + self.negation + [self.main] + self.rest


def english_verb(
    verb: Verb, subject: NounPhrase, question: bool = False
) -> EnglishVerb:
    """Inflect the English verb: did not cross, is going, gives.

    Args:
        verb: a `Verb`.
        subject: the `NounPhrase` it agrees with.
        question: whether an auxiliary is needed in any case.

    Returns:
        An `EnglishVerb`.
    """
    entry = verb.entry
    third = subject.person == 3 and not subject.plural
    support = bool(verb.negative) or question
    auxiliary = ""
    form = "base"
    if not verb.able:
        auxiliary = "could"
    elif verb.progressive:
        auxiliary, form = _to_be(subject, verb.tense), "ing"
    elif verb.tense == "future":
        auxiliary = "will"
    elif verb.tense == "past":
        auxiliary, form = ("did", "base") if support else ("", "past")
    elif support:
        auxiliary = "does" if third else "do"
    elif third:
        form = "third"
    if verb.negative == "n't":
        auxiliary += "n't"
    return EnglishVerb(
        words(auxiliary),
        [Word("not")] if verb.negative == "not" else [],
        Word(entry.form(form)),
        words(" ".join(entry.english.split()[1:])),
    )


def _to_be(subject: NounPhrase, tense: str) -> str:
    """Return am, is, are, was or were."""
    if tense == "past":
        return "were" if subject.plural else "was"
    if subject.plural:
        return "are"
    return "am" if subject.person == 1 else "is"


# ----------------------------------------------------------------- Korean


def korean_predicate(
    verb: Verb, english: EnglishVerb, ending: str, cue: Sequence[Word] = ()
) -> list[Token]:
    """Conjugate the Korean verb or adjective at the end of its clause.

    Stem, then -고 있 (progressive), then -지 않 or -지 못하 (negation),
    then tense and ending on whichever of them came last.

    Args:
        verb: a `Verb`.
        english: its `EnglishVerb`, whose words the tokens are linked to.
        ending: a key of `ENDINGS`, "adnominal" or "because".
        cue: the Words that call for the ending (sir, that, because).

    Returns:
        A list of (token, Words).
    """
    entry = verb.entry
    main = (english.main,)
    tense_links = tuple(english.auxiliary) or main
    not_links = tuple(english.negation) or tense_links
    *before, stem = entry.stem
    kind = "adjective" if entry.word_class == "adjective" else "verb"
    irregular = entry.irregular
    tokens: list[Token] = []
    for token in before:
        links = tuple(english.rest[-1:]) or main
        tokens.append((token, links))
    links = main
    if verb.progressive and not verb.planned:
        tokens += conjugated([stem], "", irregular, main)
        tokens.append(("+고", tense_links))
        stem, irregular, kind, links = "있", "", "exist", tense_links
    if verb.negative:
        tokens += conjugated([stem], "", irregular, links)
        tokens.append(("+지", not_links))
        unable = not verb.able or entry.get("fails")
        stem, irregular, links = ("못하" if unable else "않"), "", not_links
    parts = {"stem": links, "tense": tense_links, "end": tuple(cue) or main}
    for token, part in close(stem, irregular, kind, verb.tense, ending):
        linked = [word for name in part.split("+") for word in parts[name]]
        tokens.append((token, tuple(linked)))
    return tokens


def close(
    stem: str, irregular: str, kind: str, tense: str, ending: str
) -> list[TokenPart]:
    """Add tense and ending to a stem.

    Args:
        stem: the last stem of the predicate.
        irregular: its irregular class or "".
        kind: "verb", "adjective" or "exist" (있다 and 없다).
        tense: past, present or future.
        ending: a key of `ENDINGS`, "adnominal" or "because".

    Returns:
        A list of (token, part), part being "stem", "tense", "end", or two
        of them with + between, where they have melted.
    """
    if ending == "because":
        return _because(stem, irregular)
    if ending == "adnominal":
        if kind == "exist" or (kind == "verb" and tense == "present"):
            forms = attach(stem, "는", irregular)
        else:
            forms = attach(stem, "은", irregular)
        return _label(forms, "end")
    if tense == "past":
        forms = attach(stem, "았", irregular)
        return _label(forms, "tense") + _ends(ENDINGS[ending][0])
    if tense == "future":
        forms = attach(stem, "을", irregular)
        return _label(forms, "tense") + _ends(ENDINGS[ending][1])
    return _present(stem, irregular, kind, ending)


def _label(forms: tuple[str, ...], last_part: str) -> list[TokenPart]:
    """Call the last of several forms by its part, the others stem."""
    if len(forms) == 1:
        return [(forms[0], "stem+" + last_part)]
    return [(form, "stem") for form in forms[:-1]] + [(forms[-1], last_part)]


def _ends(tokens: tuple[str, ...]) -> list[TokenPart]:
    return [(token, "end") for token in tokens]


def _because(stem: str, irregular: str) -> list[TokenPart]:
    """Attach -아서/-어서, one token after a consonant."""
    forms = attach(stem, "아", irregular)
    if forms[-1] in ("+아", "+어"):
        return _label((*forms[:-1], forms[-1] + "서"), "end")
    return [(form, "stem") for form in forms] + [("+서", "end")]


def _present(
    stem: str, irregular: str, kind: str, ending: str
) -> list[TokenPart]:
    """Close a predicate in the present tense."""
    whole = [(form, "stem") for form in attach(stem, "", irregular)]
    style = ending.removeprefix("ask-")
    if ending in ("and", "but"):
        return whole + _ends(ENDINGS[ending][0])
    if style == "friendly":
        forms = attach(stem, "아", irregular)
        if forms[-1] in ("+아", "+어"):
            return _label((*forms[:-1], forms[-1] + "요"), "end")
        return [(form, "stem") for form in forms] + [("+요", "end")]
    if style == "formal":
        forms = attach(stem, "습니다", irregular)
        if ending == "ask-formal":
            forms = (*forms[:-1], forms[-1].replace("니다", "니까"))
        return _label(forms, "end")
    if ending == "ask-plain":
        return _label(attach(stem, "니", irregular), "end")
    if kind == "verb":
        forms = attach(stem, "는다", irregular)
        return [(form, "stem") for form in forms[:-1]] + [("+다", "end")]
    return whole + [("+다", "end")]


def copula(last_token: str, tense: str, ending: str) -> list[TokenPart]:
    """Return the tokens of 이다 (to be) after a noun.

    Args:
        last_token: the token before it, for 이었 or 였.
        tense: past or present.
        ending: plain, formal or friendly.

    Returns:
        A list of (token, part).
    """
    closed = final_consonant(last_token.lstrip("+"))
    if tense == "past":
        tense_tokens = ("+이", "+었") if closed else ("+였",)
        stem = [(token, "tense") for token in tense_tokens]
        return stem + _ends(ENDINGS[ending][0])
    if ending == "formal":
        return [("+입", "stem"), ("+니다", "end")]
    if ending == "friendly":
        if closed:
            return [("+이", "stem"), ("+에요", "end")]
        return [("+예요", "end")]
    return [("+이", "stem"), ("+다", "end")]
