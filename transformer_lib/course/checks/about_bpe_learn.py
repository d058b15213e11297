"""The exercise `bpe_learn(words, n)`: which pairs are merged, and in turn."""

from __future__ import annotations

from collections import Counter
from typing import Any

from transformer_lib.course.checks.about_bpe_merge import merged
from transformer_lib.course.checks.bpe_learn_mistakes import MISTAKES
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

__all__ = ["EXERCISE", "bpe_learn", "learned"]


def bpe_learn(function: Any) -> Verdict:
    """Check a function `bpe_learn(words, n)`.

    n times: count all pairs of neighbors in all words, every word as often
    as it comes; take the most frequent pair, of equally frequent ones the
    one that is met first; write it down; merge it everywhere.

    Args:
        function: takes a list of words, each a list of symbols, and a whole
            number; returns the list of pairs (left, right) in the order in
            which they were merged, fewer than n if no pair is left, and
            leaves its inputs as they are.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Sennrich et al. 2016, section 3.2. Chapter 17.
    """
    seen: dict[str, Any] = {}
    verdict = judge(EXERCISE, in_numbers(function, seen, _show))
    return in_words(verdict, EXERCISE, seen)


def learned(
    words: list,
    n: int,
    *,
    count: str = "every place",
    text: str = "all words",
    take: str = "most",
    tie: str = "first met",
    merge: str = "everywhere",
    rounds: str = "n",
    out: str = "pairs",
) -> Any:
    """The pairs that are merged, or a wrong variant; the defaults are right.

    Returns:
        The pairs in one row of numbers, as `coded` writes them.
    """
    now = _TEXT[text]([list(word) for word in words])
    pairs, counts, once, total = [], [], None, Counter()
    least = 2 if rounds == "frequent only" else 1
    for _ in range(_ROUNDS.get(rounds, lambda n: n)(n)):
        found = _counted(now, count)
        if once is None:
            once = found
        if count == "adds up":
            total.update(found)
            found = Counter(total)
        if merge == "no recount":
            found = Counter({p: c for p, c in once.items() if p not in pairs})
        if not found or max(found.values()) < least:
            break
        best = _best(found, take, tie)
        pairs.append(best)
        counts.append(found[best])
        now = _after(now, best, merge)
    return coded(_OUT[out](pairs, counts, now))


def _counted(words: list[list[str]], how: str) -> Counter:
    if how == "across words":
        row = [symbol for word in words for symbol in word]
        return Counter(zip(row, row[1:], strict=False))
    if how == "letter length":
        found = Counter()
        for word in words:
            for left, right in zip(word, word[1:], strict=False):
                found[left, right] += len(left + right)
        return found
    if how == "without overlap":
        return Counter(pair for word in words for pair in _apart(word))
    each = [list(zip(word, word[1:], strict=False)) for word in words]
    if how == "once a word":
        each = [list(dict.fromkeys(pairs)) for pairs in each]
    if how == "without the end":
        each = [pairs[:-1] for pairs in each]
    if how == "even places":
        each = [pairs[::2] for pairs in each]
    return Counter(pair for pairs in each for pair in pairs)


def _apart(word: list[str]) -> list[tuple[str, str]]:
    """Pairs of which two equal ones in a row do not share a symbol."""
    found, last = [], -2
    for i, pair in enumerate(zip(word, word[1:], strict=False)):
        if found and pair == found[-1] and last == i - 1:
            continue
        found.append(pair)
        last = i
    return found


def _best(found: Counter, take: str, tie: str) -> tuple[str, str]:
    wanted = (min if take == "least" else max)(found.values())
    if take == "second" and len(set(found.values())) > 1:
        wanted = sorted(set(found.values()))[-2]
    equal = [pair for pair, times in found.items() if times == wanted]
    return {
        "first met": equal[0],
        "last met": equal[-1],
        "alphabet": min(equal),
        "alphabet backward": max(equal),
        "longest": max(equal, key=lambda pair: len("".join(pair))),
        "shortest": min(equal, key=lambda pair: len("".join(pair))),
    }[tie]


def _after(words: list, pair: tuple[str, str], merge: str) -> list:
    if merge in ("nowhere", "no recount"):
        return words
    if merge == "first word only":
        done = [list(word) for word in words]
        for i, word in enumerate(done):
            if pair in list(zip(word, word[1:], strict=False)):
                done[i] = _merged([word], pair)[0]
                break
        return done
    if merge in ("first place", "text", "right to left"):
        return decoded(merged(words, [pair], scan=merge))
    return _merged(words, pair)


def _merged(words: list, pair: tuple[str, str]) -> list:
    return decoded(merged(words, [pair]))


_TEXT = {
    "all words": lambda words: words,
    "distinct": lambda words: [
        word for i, word in enumerate(words) if word not in words[:i]
    ],
    "first word": lambda words: words[:1],
    "letters": lambda words: [list("".join(word)) for word in words],
}
_ROUNDS = {
    "one more": lambda n: n + 1,
    "one less": lambda n: n - 1,
    "one": lambda n: min(n, 1),
}
_OUT = {
    "pairs": lambda pairs, counts, words: pairs,
    "joined": lambda pairs, counts, words: ["".join(p) for p in pairs],
    "with counts": lambda pairs, counts, words: list(
        zip(pairs, counts, strict=True)
    ),
    "counts": lambda pairs, counts, words: counts,
    "words": lambda pairs, counts, words: words,
    "backward": lambda pairs, counts, words: pairs[::-1],
    "set": lambda pairs, counts, words: set(pairs),
    "sorted": lambda pairs, counts, words: sorted(pairs),
    "last": lambda pairs, counts, words: list(pairs[-1]) if pairs else [],
    "dict": lambda pairs, counts, words: dict(zip(pairs, counts, strict=True)),
    "turned": lambda pairs, counts, words: [(b, a) for a, b in pairs],
    "both": lambda pairs, counts, words: [pairs, words],
    "vocabulary": lambda pairs, counts, words: sorted(
        {symbol for word in words for symbol in word}
    ),
}


def _letters(text: str) -> list[list[str]]:
    return [list(word) for word in text.split()]


_CASES = (
    Case(
        "ten words",
        (
            _letters(
                "wheat_ thing_ eating_ treat_ spin_ things_ eating_ thing_ "
                "teas_ ringer_"
            ),
            5,
        ),
    ),
    Case("repeated words", (_letters("tea_ low_ tea_ lower_ tea_ tea_"), 4)),
    Case("a tie", (_letters("to_ we_ go_ we_ to_"), 3)),
    Case("the same letter", (_letters("bc bc aaaaa"), 3)),
    Case("twice in a word", (_letters("banana_ nan_ bab_ bob_"), 4)),
    Case("word ends", (_letters("xa bx ab xa bx cab"), 2)),
    Case(
        "a symbol inside others",
        ([["t", "a"]] * 3 + [["xt", "a", "b"]] * 2, 2),
    ),
    Case("already begun", ([["i", "ng"], ["s", "i", "ng"], ["in", "g"]], 2)),
    Case("rare", (_letters("ab cde fg"), 4)),
    Case("nothing left", (_letters("ab ab"), 5), basic=False),
    Case("none", (_letters("ab ab"), 0), basic=False),
)


def _show(args: tuple) -> str:
    words, n = args
    return f"words  {said(words)}\nn  {n}"


def _pairs_of(probe: Probe) -> Any:
    return decoded(probe.got.array) if probe.got.kind == ARRAY else None


def _list_of_pairs(probe: Probe) -> str | None:
    """The answer is a list of pairs of symbols."""
    got = _pairs_of(probe)
    if got is None or is_nested(got) and all(len(pair) == 2 for pair in got):
        return None
    return (
        "The form is the first thing that breaks: a list of pairs is wanted, "
        f"such as [('i', 'n'), ('in', 'g')], and yours is {said(got)}."
    )


def _made_before(probe: Probe) -> str | None:
    """Each half of a pair is a symbol of the words, or was made before."""
    got = _pairs_of(probe)
    known = {symbol for word in probe.args[0] for symbol in word}
    for left, right in got or []:
        for half in (left, right):
            if half not in known:
                return (
                    "The first thing that breaks: each half of a pair is a "
                    "symbol of the words or was made by an earlier merge, "
                    f"and `{half}` in {left}+{right} is neither."
                )
        known.add(left + right)
    return None


def _first_pair(probe: Probe) -> str | None:
    """Say which merge is another than wanted."""
    if probe.got.kind != ARRAY or probe.want.kind != ARRAY:
        return None
    got, want = decoded(probe.got.array), decoded(probe.want.array)
    for turn, (mine, right) in enumerate(zip(got, want, strict=False), 1):
        if mine != right:
            return (
                f"The first thing that breaks: merge {turn} is "
                f"{'+'.join(mine)} in place of {'+'.join(right)}."
            )
    if len(got) != len(want):
        return (
            f"The first thing that breaks: {len(got)} pairs came, "
            f"{len(want)} are wanted."
        )
    return None


EXERCISE = Exercise(
    name="bpe_learn",
    inputs=("words", "n"),
    asked="`bpe_learn(words, n)` takes a list of words, each a list of "
    "symbols, and returns a list of n pairs. For each of them it counts all "
    "pairs of neighbors inside the words (every word as often as it comes, "
    "every place in it), takes the most frequent pair, or of equally "
    "frequent ones the one that is met first when the words are read from "
    "the first to the last, and merges it in all words before it counts "
    "again. If no pair is left, the list is shorter. The inputs stay as they "
    "are.",
    praise="Your merges agree with the reference, with ties, repeated words, "
    "repeated letters, and where no pair is left.",
    cases=_CASES,
    solve=learned,
    catalogue=MISTAKES,
    properties=(_list_of_pairs, _made_before, _first_pair),
    hints=(
        "`Counter` counts whatever you feed it: here the pairs "
        "`zip(word, word[1:])` of every word. A dictionary keeps the order "
        "in which its keys came, and `max(counts, key=counts.get)` gives the "
        "first of equals.",
        "Four lines in a loop: count, stop if there is nothing, take the "
        "best pair, and let `bpe_merge(words, [pair])` give you the words "
        "for the next round.",
    ),
    show_inputs=_show,
)
