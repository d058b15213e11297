"""The exercise `bpe_merge(words, pairs)` and how its answers are read."""

from __future__ import annotations

from typing import Any

from transformer_lib.course.checks.bpe_merge_mistakes import MISTAKES
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.symbols_coded import (
    coded,
    decoded,
    in_numbers,
    in_words,
    is_nested,
    said,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "bpe_merge", "merged"]


def bpe_merge(function: Any) -> Verdict:
    """Check a function `bpe_merge(words, pairs)`.

    For each pair (left, right) in turn, every place in a word where left
    stands directly before right becomes the one symbol left + right, from
    left to right.

    Args:
        function: takes a list of words, each a list of symbols, and a list
            of pairs in the order in which they were learned; returns the
            words as lists (or tuples) of symbols and leaves its inputs as
            they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 17.
    """
    seen: dict[str, Any] = {}
    verdict = judge(EXERCISE, in_numbers(function, seen, _show))
    return in_words(verdict, EXERCISE, seen)


def merged(
    words: list,
    pairs: list,
    *,
    pick: str = "in order",
    scan: str = "left to right",
    test: str = "symbols",
    glue: str = "",
    start: str = "given",
    keep: str = "all",
    out: str = "nested",
) -> Any:
    """The words after all merges, or a wrong variant; the defaults are right.

    Returns:
        The words in rows of numbers, as `coded` writes them.
    """
    pairs = [tuple(pair) for pair in pairs]
    done = [_START[start](list(word)) for word in words]
    if out == "one row":
        done = [[symbol for word in done for symbol in word]]
    old = [list(word) for word in done]
    if pick == "longest piece":
        known = {left + right for left, right in pairs}
        done = [_longest("".join(word), known) for word in done]
    elif pick in ("one pass", "leftmost"):
        done = [_any(word, set(pairs), pick == "leftmost") for word in done]
    elif pick == "each from the start":
        for pair in pairs[-1:]:
            done = [_one(word, pair, scan, test, glue) for word in old]
    else:
        for pair in _PICK[pick](pairs):
            before = done
            done = [_one(word, pair, scan, test, glue) for word in done]
            if pick == "stop when missing" and before == done:
                break
    done = _KEEP[keep](done, old)
    return coded(_OUT[out](done))


def _one(
    word: list[str], pair: tuple[str, str], scan: str, test: str, glue: str
) -> list[str]:
    """One merge in one word, the way `scan` and `test` say."""
    left, right = pair
    symbol = left + glue + right
    if scan == "text":
        text = " ".join(word).replace(f"{left} {right}", symbol)
        return text.split(" ") if word else []
    if scan == "right to left":
        back = [part[::-1] for part in reversed(word)]
        found = _one(back, (right[::-1], left[::-1]), "left to right", test, "")
        return [part[::-1] for part in reversed(found)]
    fits = _TEST[test]
    done, i, times = [], 0, 0
    while i < len(word):
        here = word[i : i + 2]
        even = scan != "even places" or i % 2 == 0
        once = scan != "first place" or times == 0
        if len(here) == 2 and even and once and fits(*here, left, right):
            done.append(symbol)
            times += 1
            i += {"right part stays": 1, "skips the next": 3}.get(scan, 2)
        else:
            done.append(word[i])
            i += 1
    if scan == "last symbol lost" and word and done[-1] == word[-1]:
        done.pop()
    return done


def _longest(text: str, known: set[str]) -> list[str]:
    """The longest known piece, again and again from the left."""
    pieces, i = [], 0
    while i < len(text):
        ends = [j for j in range(i + 1, len(text) + 1) if text[i:j] in known]
        j = max(ends, default=i + 1)
        pieces.append(text[i:j])
        i = j
    return pieces


def _any(word: list[str], pairs: set, again: bool) -> list[str]:
    """Merge whatever pair of the set comes first, once through or again."""
    done: list[str] = []
    i = 0
    while i < len(word):
        if tuple(word[i : i + 2]) in pairs:
            done.append(word[i] + word[i + 1])
            if again:
                return _any([*done, *word[i + 2 :]], pairs, again)
            i += 2
        else:
            done.append(word[i])
            i += 1
    return done


_PICK = {
    "in order": lambda pairs: pairs,
    "first only": lambda pairs: pairs[:1],
    "all but the last": lambda pairs: pairs[:-1],
    "backward": lambda pairs: pairs[::-1],
    "sorted": sorted,
    "shortest first": lambda pairs: sorted(pairs, key=_letters_of),
    "longest first": lambda pairs: sorted(pairs, key=_letters_of, reverse=True),
    "stop when missing": lambda pairs: pairs,
}
_TEST = {
    "symbols": lambda a, b, left, right: (a, b) == (left, right),
    "joined": lambda a, b, left, right: a + b == left + right,
    "either way": lambda a, b, left, right: (
        (a, b) in ((left, right), (right, left))
    ),
    "left only": lambda a, b, left, right: a == left,
}
_START = {
    "given": lambda word: word,
    "letters": lambda word: list("".join(word)),
}
_KEEP = {
    "all": lambda done, old: done,
    "changed": lambda done, old: [
        new for new, was in zip(done, old, strict=True) if new != was
    ],
    "last word": lambda done, old: done[-1:],
    "first word": lambda done, old: done[:1],
    "distinct": lambda done, old: [
        word for i, word in enumerate(done) if word not in done[:i]
    ],
    "one a text": lambda done, old: list(
        {"".join(word): word for word in done}.values()
    ),
    "merged symbols": lambda done, old: [
        [symbol for symbol in new if symbol not in was]
        for new, was in zip(done, old, strict=True)
    ],
}
_OUT = {
    "nested": lambda done: done,
    "texts": lambda done: [" ".join(word) for word in done],
    "glued": lambda done: ["".join(word) for word in done],
    "flat": lambda done: [symbol for word in done for symbol in word],
    "one row": lambda done: done[0] if done else [],
    "lengths": lambda done: [len(word) for word in done],
    "vocabulary": lambda done: {symbol for word in done for symbol in word},
    "first": lambda done: done[0] if done else [],
    "last": lambda done: done[-1] if done else [],
}


def _letters_of(pair: tuple[str, str]) -> int:
    return len("".join(pair))


def _letters(text: str) -> list[list[str]]:
    return [list(word) for word in text.split()]


_CASES = (
    Case(
        "three merges",
        (
            _letters("wheat_ thing_ eating_ spin_ seating_"),
            [("i", "n"), ("in", "g"), ("ing", "_")],
        ),
    ),
    Case(
        "one word twice",
        (
            _letters("tea_ seat_ tea_ heat_ treat_"),
            [("e", "a"), ("ea", "t"), ("a", "_"), ("ea", "_")],
        ),
    ),
    Case(
        "order decides",
        (
            _letters("tested_ nest_ west_ strong_"),
            [("s", "t"), ("e", "st"), ("e", "s"), ("st", "_"), ("est", "_")],
        ),
    ),
    Case(
        "a short pair last",
        (
            _letters("rings_ dogs_ legs_ things_"),
            [("i", "n"), ("in", "g"), ("g", "s")],
        ),
    ),
    Case(
        "twice in a word",
        (
            _letters("banana_ anna_ singing_ none_"),
            [("a", "n"), ("an", "a"), ("n", "g"), ("i", "ng")],
        ),
    ),
    Case("the same letter", (_letters("aaaaa aaa baaa"), [("a", "a")])),
    Case(
        "already begun",
        ([["i", "ng"], ["in", "g"], ["s", "in", "g"]], [("in", "g")]),
    ),
    Case(
        "a symbol inside others",
        (
            [["e", "st", "a", "te"], ["s", "t", "a", "t", "e"]],
            [("t", "a"), ("s", "t"), ("ta", "t")],
        ),
    ),
    Case(
        "a pair that is missing",
        (_letters("rain_ train_"), [("x", "y"), ("a", "i"), ("ai", "n")]),
    ),
    Case(
        "Korean",
        (
            _letters("고양이는_ 고양이를_ 이고_"),
            [("고", "양"), ("고양", "이"), ("는", "_")],
        ),
    ),
    Case("no merge yet", (_letters("sea_ see_"), []), basic=False),
    Case(
        "an empty word",
        ([[], ["a"], ["a", "b"]], [("a", "b")]),
        basic=False,
    ),
)


def _show(args: tuple) -> str:
    words, pairs = args
    merges = ", ".join(f"{left}+{right}" for left, right in pairs)
    return f"words  {said(words)}\npairs  {merges or 'none'}"


def _nested(probe: Probe) -> str | None:
    """The answer is a list of words, each a list of symbols."""
    if probe.got.kind != ARRAY:
        return None
    got = decoded(probe.got.array)
    if is_nested(got):
        return None
    return (
        "The form is the first thing that breaks: a list of words is wanted, "
        f"each a list of symbols, and yours is {said(got)}."
    )


def _same_letters(probe: Probe) -> str | None:
    """Merging neither loses nor adds a letter."""
    if probe.got.kind != ARRAY:
        return None
    got, words = decoded(probe.got.array), probe.args[0]
    if len(got) != len(words):
        return (
            f"The first thing that breaks: {len(words)} words went in, "
            f"{len(got)} came out."
        )
    for word, pieces in zip(words, got, strict=True):
        if "".join(pieces) != "".join(word):
            return (
                "The first thing that breaks: merging glues symbols together "
                "and loses none. From "
                f"`{'|'.join(word)}` you made `{'|'.join(pieces)}`."
            )
    return None


def _first_word(probe: Probe) -> str | None:
    """Say which word is cut in another way than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    pairs = zip(
        decoded(probe.got.array), decoded(probe.want.array), strict=False
    )
    for got, want in pairs:
        if got != want:
            return (
                "The form is right, the cuts are not: the first word that "
                f"differs is `{'|'.join(got)}` in place of "
                f"`{'|'.join(want)}`."
            )
    return None


EXERCISE = Exercise(
    name="bpe_merge",
    inputs=("words", "pairs"),
    asked="`bpe_merge(words, pairs)` takes a list of words, each a list of "
    "symbols, and a list of pairs in the order in which they were learned. "
    "For each pair in turn it replaces, in every word and from left to "
    "right, every place where the first symbol stands directly before the "
    "second by one symbol, the two joined. It returns the new list of words "
    "and leaves its inputs as they are.",
    praise="Your cuts agree with the reference, also where the order of the "
    "merges decides, where one symbol occurs inside another, and in Korean.",
    cases=_CASES,
    solve=merged,
    catalogue=MISTAKES,
    properties=(_nested, _same_letters, _first_word),
    hints=(
        "Two loops around a third: for each pair, for each word, walk through "
        "the word with an index i. Look at two symbols at a time.",
        "If the symbols at i and i + 1 are the pair, append the joined "
        "symbol to a new list and go on at i + 2; if not, append the symbol "
        "at i and go on at i + 1. The word for the next pair is the new list.",
    ),
    show_inputs=_show,
)
