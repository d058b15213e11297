"""Korean predicates: what is built on the stem of a verb or an adjective.

A `Chain` starts with a stem and grows to the right; each part is attached to
the one before it, and the last one takes tense and ending (`endings`):

    자 +고 있 +지 않 +았 +다        was not sleeping
    가 +고 싶 +어 하 +신 +다        wants to go, of an honored person
    건널 수 없 +다                  can not cross

-시- is said once: on 있다 (계시다), on -싶어 하다, else on the verb itself; and
a verb that has a word of its own for honored people takes that.
Chapter 15 uses it.
"""

from collections.abc import Sequence

from toy_language import JOINER
from toy_language.grammar.endings import EMBEDDED, close, close_copula
from toy_language.grammar.function_words import NEGATIVE
from toy_language.grammar.lexicon import Entry
from toy_language.grammar.phrases import (
    Link,
    Token,
    attached,
    loose,
)
from toy_language.grammar.verbs import EnglishVerb, Verb
from toy_language.korean import final_consonant, honorific, particle

__all__ = ["Chain", "korean_predicate", "stem_of", "suppletive_of"]


class Chain:
    """A Korean predicate that grows to the right.

    Args:
        stem: its tokens; the last one is conjugated.
        irregular: the irregular class of the stem or "".
        kind: "verb", "adjective", "exist", "result" or "copula".
        links: the English words of the stem.
        before: tokens that stand before it, such as the noun before 이다.
    """

    def __init__(
        self,
        stem: Sequence[str],
        irregular: str,
        kind: str,
        links: Sequence[Link],
        before: Sequence[Token] = (),
    ) -> None:
        *others, self.stem = stem
        self.leading = len(others)  # tokens of the stem before the last one
        self.tokens = [*before, *((token, links) for token in others)]
        self.irregular = irregular
        self.kind = kind
        self.links = links

    def grow(
        self,
        ending: str,
        helper: str,
        kind: str,
        links: Sequence[Link],
        words: Sequence[str] = (),
    ) -> None:
        """Attach an ending and a helping verb, which is conjugated now.

        Args:
            ending: one of `korean.ENDINGS`, such as 고.
            helper: the stem of the helping verb, such as 있.
            kind: how it conjugates.
            links: its English words.
            words: tokens between them, such as 수.
        """
        *forms, last = attached(self.stem, ending, self.irregular)
        melted = not last.startswith(JOINER)
        self.tokens += [(form, self.links) for form in forms]
        self.tokens.append((last, self.links if melted else loose(links)))
        self.tokens += [(token, links) for token in words]
        self.leading = 0
        self.stem, self.irregular, self.kind = helper, "", kind
        self.links = links

    def honor(self, suppletive: str = "") -> None:
        """Put -시- on the stem: 가시-, 읽으시-, 드시- for 먹-."""
        others: list[str] = []
        forms: tuple[str, ...]
        if suppletive:
            whole = suppletive.removesuffix("시다")
            stem = whole.removesuffix("으")
            *others, last = stem.split()
            del self.tokens[len(self.tokens) - self.leading :]
            forms = (last, JOINER + whole[len(stem) :] + "시")
            if self.kind == "exist":
                self.kind = "verb"  # 계신다
        elif self.kind == "copula":
            forms = ("+이", "+시") if self._closed() else ("+시",)
            self.kind = "adjective"
        else:
            forms = honorific(self.stem, self.irregular)
        self.tokens += [(token, self.links) for token in (*others, *forms[:-1])]
        self.stem, self.irregular = forms[-1], ""

    def negate(self, links: Sequence[Link], unable: bool = False) -> None:
        """Attach -지 않다, -지 못하다, or take the verb that says no."""
        if self.kind == "copula":
            name = particle(self._last(), "이")
            self.tokens.append((JOINER + name, self.links))
            self.stem, self.kind, self.links = "아니", "adjective", links
        elif self.stem in NEGATIVE:
            self.stem, self.irregular = NEGATIVE[self.stem]
            self.links = (*self.links, *links)
        else:
            kind = self.kind
            self.grow("지", "못하" if unable else "않", kind, links)

    def close(
        self,
        tense: str,
        ending: str,
        tense_links: Sequence[Link],
        cue: Sequence[Link],
    ) -> list[Token]:
        """Add tense and ending, and return all tokens."""
        links = {
            "stem": tuple(self.links), "tense": loose(tense_links),
            "will": tuple(tense_links), "end": tuple(cue),
        }  # fmt: skip
        if self.kind == "copula":
            closed = close_copula(self._last(), tense, ending)
        else:
            closed = close(self.stem, self.irregular, self.kind, tense, ending)
        for token, part in closed:
            first, _, second = part.partition("+")
            more = loose(links[second]) if second else ()
            self.tokens.append((token, (*links[first], *more)))
        return self.tokens

    def _last(self) -> str:
        return self.tokens[-1][0].removeprefix(JOINER)

    def _closed(self) -> bool:
        return bool(final_consonant(self._last()))


def korean_predicate(
    verb: Verb,
    said: EnglishVerb,
    ending: str,
    cue: Sequence[Link] = (),
    honored: bool = False,
    person: int = 3,
) -> list[Token]:
    """Conjugate the Korean verb or adjective at the end of its clause.

    Args:
        verb: a `Verb`.
        said: its `EnglishVerb`, whose words the tokens are linked to.
        ending: a name from `endings`.
        cue: the links of the ending (sir, because, the end mark).
        honored: whether Korean speaks of the subject with -시-.
        person: of the subject; I want, do you want? (싶다), else 싶어 하다.

    Returns:
        A list of (token, links).
    """
    entry = verb.entry
    main = (said.main, *loose(said.rest))
    auxiliary = tuple(said.auxiliary)
    no = tuple(said.negation) or auxiliary
    chain = Chain(stem_of(verb), entry.irregular, _kind(entry), main)
    helped = verb.mood not in ("", "going") or verb.progressive
    negative = bool(verb.negative)
    if negative and not helped and _says_no(chain, entry, honored):
        chain.negate(no)
        negative = False
    suppletive = suppletive_of(entry, verb)
    going_on = verb.progressive and not verb.planned
    failed = verb.mood == "can" and verb.tense == "past"
    after_no = negative and (failed or not helped)  # 만나지 않으셨다
    later = going_on or verb.mood == "want" or after_no
    if honored and (suppletive or not later):
        chain.honor(suppletive)
    if going_on:
        _progress(chain, entry, honored, auxiliary)
    elif verb.mood:
        asked = ending.startswith("ask") or ending in ("if", "when")
        wishes = person == 1 or person == 2 and asked  # 싶다, not 싶어 하다
        negative = _mood(chain, verb, said, honored, wishes)
    if negative and going_on:  # 오고 있지 않다, never 오고 없다
        chain.grow("지", "않", chain.kind, no)
    elif negative:
        fails = bool(entry.get("fails")) and verb.mood not in ("want", "like")
        chain.negate(no, not verb.able or fails)
    if honored and after_no and not suppletive:
        chain.honor()
    tense = "present" if verb.planned else verb.tense
    tense_links = auxiliary or tuple(said.helper) or (said.main,)
    if verb.mood == "going":
        tense, tense_links = "future", (*auxiliary, *said.helper)
    if ending in EMBEDDED:
        cue = (*cue, *loose(auxiliary))
    return chain.close(tense, ending, tense_links, cue or loose(main))


def _kind(entry: Entry) -> str:
    """Say how a predicate conjugates."""
    default = "adjective" if entry.word_class == "adjective" else "verb"
    return entry.get("conjugates") or default


def stem_of(verb: Verb) -> list[str]:
    """Return the stem; a humble one where an honored person gets something."""
    humble = verb.entry.get("humble")
    receiver = verb.recipient or verb.object
    if humble and receiver and receiver.honored:
        return humble.removesuffix("다").split()
    return verb.entry.stem


def suppletive_of(entry: Entry, verb: Verb) -> str:
    """Return the honorific verb that replaces the stem, if it has one."""
    return entry.get("honor") if stem_of(verb) == entry.stem else ""


def _says_no(chain: Chain, entry: Entry, honored: bool) -> bool:
    """Say whether the negation is in the stem: 모르다, 없다, 아니다."""
    if chain.kind == "copula":
        return True
    return chain.stem in NEGATIVE and not (honored and entry.get("honor"))


def _progress(
    chain: Chain, entry: Entry, honored: bool, links: Sequence[Link]
) -> None:
    """Attach -고 있다 (-아 있다 for sitting and standing), or -고 계시다."""
    ending = "아" if entry.get("posture") else "고"
    chain.grow(ending, "있", "exist", loose(links))
    if honored:
        chain.honor("계시다")


def _mood(
    chain: Chain, verb: Verb, said: EnglishVerb, honored: bool, wishes: bool
) -> bool:
    """Attach can, must, have to or want to.

    Returns:
        Whether it is still to be negated.
    """
    negative = bool(verb.negative)
    helper = tuple(said.auxiliary if verb.mood in ("can", "must") else
                   said.helper[:1])  # fmt: skip
    no = tuple(said.negation) or tuple(said.auxiliary)
    if verb.mood == "can":
        if negative and verb.tense == "past":
            chain.negate(no, unable=True)
        else:
            chain.grow("을", "있", "exist", helper, ["수"])
            if negative:
                chain.negate(no)
        return False
    if verb.mood == "must":
        if negative:
            chain.grow("으면", "되", "verb", (*helper, *no), ["안"])
        else:
            chain.grow("아야", "하", "verb", helper)
        return False
    if verb.mood == "have" and negative:
        chain.grow("지", "않", "verb", no)
        chain.grow("아도", "되", "verb", helper)
        return False
    if verb.mood == "have" or (verb.mood == "need" and not negative):
        chain.grow("아야", "하", "verb", helper)
        return False
    if verb.mood == "need" and negative:
        chain.grow("을", "없", "exist", no, ["필요", "+가"])
        chain.tokens[-2:] = [("필요", helper), ("+가", loose(helper))]
        return False
    if verb.mood == "like":
        chain.grow("는", "좋아하", "verb", helper, ["것", "+을"])
        chain.tokens[-2:] = [("것", loose(helper)), ("+을", loose(helper))]
    if verb.mood == "want":
        chain.grow("고", "싶", "adjective", helper)
        if not wishes:
            chain.grow("아", "하", "verb", loose(helper))
            if honored:
                chain.honor()
    return negative
