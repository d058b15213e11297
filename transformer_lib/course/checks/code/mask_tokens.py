"""The exercise `mask_tokens(ids, p)` and the wrong answers it knows.

What is drawn at random cannot be compared number by number. So an answer is
called on large tables, and a report of it is compared: shares, rounded to
twentieths, and yes-or-no facts. With 11,000 words a share of 0.25 has a
standard deviation of 0.004, and the next twentieth begins 0.025 away, six of
them: by chance a right answer misses once in some hundred million calls. The
common generators are seeded, so most answers get the same verdict each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.guard import call_by_position_or_name
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.properties import Probe, finite
from transformer_lib.course.checks.engine.reading import (
    ARRAY,
    Answer,
    number,
    read,
)
from transformer_lib.course.checks.engine.verdict import Verdict
from transformer_lib.special_tokens import BOS, EOS, PAD, UNK

__all__ = ["EXERCISE", "mask_tokens"]


def mask_tokens(function: Any) -> Verdict:
    """Check a function `mask_tokens(ids, p)`.

    Ids 0 to 3 are <pad>, <bos>, <eos> and <unk>, 4 is <mask>, words begin at
    5. Each word is chosen with probability p, by a draw of its own; special
    tokens never. A chosen word becomes 4; the targets hold the word there,
    and 0 everywhere else.

    The answer is random, so the check looks at laws over large tables. As
    many words of the whole table as p asks for, drawn at random, is accepted
    too; a fixed count in each sentence is not.

    Args:
        function: takes ids, a tensor (B, T), and p from 0 to 1; returns the
            pair (masked ids, targets), both (B, T), as tensors, arrays or
            lists. It may draw from any generator; those of torch, NumPy and
            Python are seeded for the time of the check.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Devlin et al. 2019, section 3.1 (Task 1), without its 80/10/10.
    Chapter 19.
    """
    return judge(EXERCISE, function)


def solution(ids, p):
    words = ids > 4
    drawn = torch.rand(ids.shape) < p
    chosen = drawn & words
    masked = ids.masked_fill(chosen, 4)
    targets = ids.masked_fill(~chosen, 0)
    return masked, targets


def other_words(ids):
    return 5 + (ids - 5 + torch.randint(1, 20, ids.shape)) % 20


# --------------------------------------------------------------- the tables

MASK = 4
SPECIAL = {"<pad>": PAD, "<bos>": BOS, "<eos>": EOS, "<unk>": UNK}
WORDS = range(5, 25)  # the ids that may be chosen
MOST = 20  # words of the longest sentence


def _sentences(seed: int, rows: int, shortest: int) -> np.ndarray:
    """Sentences of words between <bos> and <eos>, some with an <unk>."""
    draw = np.random.default_rng(seed)
    ids = np.zeros((rows, MOST + 2), dtype=np.int64)
    for row in ids:
        length = int(draw.integers(shortest, MOST + 1))
        row[1 : length + 1] = draw.choice(WORDS, size=length)
        if draw.random() < 0.4:
            row[int(draw.integers(1, length + 1))] = UNK
        row[0], row[length + 1] = BOS, EOS
    return ids


MANY = _sentences(1, 720, 12)
WITH_MASK = MANY.copy()  # only where nothing is left to chance
WITH_MASK[1, 3] = MASK
FEW = _sentences(2, 4, 8)
CASES = (
    Case("everything", (WITH_MASK, 1.0)),
    Case("a quarter", (MANY, 0.25)),
    Case("a half", (MANY[::-1].copy(), 0.5)),
    Case("nothing", (MANY, 0.0)),
    Case("one sentence", (FEW[:1], 1.0), basic=False),  # shares are chance
)

# --------------------------------------------------------------- the report

THE_IDS, MIXED = 1000.0, -1000.0  # signs for what a table holds
FAR = 0.12  # how far from p a share is no chance (ten deviations)
_STAYS = "the share {came} of %s is changed; all of it must stay."
# The numbers of a report, and what is said where one is not as wanted.
FACTS = {
    "masked": "the share {came} of the words becomes 4, and {wanted} is "
    "wanted.",
    "replaced": "the share {came} of the words becomes something other than 4.",
    "<pad>": _STAYS % "the padding",
    "<bos>": _STAYS % "all <bos>",
    "<eos>": _STAYS % "all <eos>",
    "<unk>": _STAYS % "all <unk>",
    # What the targets hold, and what stands in the place of chosen words:
    "asked": "at the masked places your targets do not always hold the word "
    "that was there.",
    "quiet words": "at words that are not masked your targets do not hold 0.",
    "quiet rest": "at special tokens and padding your targets do not hold 0.",
    "sign": "what stands in place of the chosen words is not always 4.",
    # 1 where the choice hangs together:
    "columns": "the same columns are chosen in every sentence.",
    "rows": "sentences are chosen as a whole, or not at all.",
    "again": "a second call chooses the same places as the first.",
    "types": "all occurrences of a word are treated alike.",
    # 1: side by side, -1: never; 1: at the front of rows, 2: at the end:
    "lumps": "chosen words stand side by side more often, or less often, "
    "than by chance.",
    "place": "words at one end of the sentence are chosen more often.",
    # 1 where sentences lose more alike than by chance:
    "counts": "all sentences lose nearly the same share of their words; with "
    "a draw for each word some lose many and others few.",
}


def play(answer: Callable, ids: np.ndarray, p: float) -> Any:
    """Call an answer and report on it.

    Args:
        answer: takes ids, a tensor (B, T), and p.
        ids: the table; if the answer writes into it, that shows.
        p: the share.

    Returns:
        The report, one number for each of FACTS; or, if it cannot be made,
        zeros in the shape that came, or what was returned.
    """
    before = ids.copy()
    returned = _called(answer, ids, p, seed=1)
    tables = _read(returned).array
    if tables is None:
        return returned
    if tables.shape != (2, *ids.shape):
        return np.zeros(tables.shape)
    facts = _held_and_changed(before, *tables)
    if 0 < p < 1:
        chosen = (tables[0] != before) & (before > MASK)
        facts |= _pattern(before, p, chosen)
        facts["again"] = float(_same_again(answer))
    return np.array([facts.get(name, 0.0) for name in FACTS])


def _called(answer: Callable, ids: np.ndarray, p: float, seed: int) -> Any:
    with _seeded(seed):
        args = torch.from_numpy(ids), p
        return call_by_position_or_name(answer, args, EXERCISE.inputs)


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Fix all common generators for a while, and put them back."""
    kept = torch.get_rng_state(), np.random.get_state(), random.getstate()
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(kept[0])
        np.random.set_state(kept[1])
        random.setstate(kept[2])


def _read(returned: Any) -> Answer:
    """As `reading.read`, and fast for long lists."""
    if isinstance(returned, (list, tuple)) and len(returned) < 4:
        with suppress(Exception):
            returned = [
                np.array(table) if isinstance(table, (list, tuple)) else table
                for table in returned
            ]
    return read(returned)


def _same_again(answer: Callable) -> bool:
    """Whether three calls on a small table choose the same places."""
    seen = [
        _read(_called(answer, FEW.copy(), 0.5, seed)).array
        for seed in (2, 3, 4)
    ]
    return all(
        one is not None
        and one.shape == (2, *FEW.shape)
        and (one[0] != FEW).any()
        and np.array_equal(one[0], seen[0][0])
        for one in seen
    )


def _held_and_changed(
    ids: np.ndarray, masked: np.ndarray, targets: np.ndarray
) -> dict[str, float]:
    """The shares that were changed, and what the tables hold."""
    words, changed = ids > MASK, masked != ids
    chosen = changed & words
    return {
        "masked": _share(masked == MASK, words),
        "replaced": _share(chosen & (masked != MASK), words),
        "asked": _held(targets, ids, chosen),
        "quiet words": _held(targets, ids, words & ~changed),
        "quiet rest": _held(targets, ids, ~words & ~changed),
        "sign": _held(masked, ids, chosen),
    } | {name: _share(changed, ids == i, 4) for name, i in SPECIAL.items()}


def _share(where: np.ndarray, among: np.ndarray, parts: int = 20) -> float:
    """A share in twentieths; only nothing is 0 and only all is 1.

    There are too few special tokens for that: their shares are in quarters.
    """
    share = where[among].mean() if among.any() else 0.0
    if share in (0.0, 1.0):
        return float(share)
    return float(min(max(round(parts * share), 1), parts - 1) / parts)


def _held(table: np.ndarray, ids: np.ndarray, where: np.ndarray) -> float:
    """The one number that stands there, or THE_IDS, or MIXED."""
    if not where.any():
        return 0.0
    held = table[where]
    if np.array_equal(held, ids[where]):
        return THE_IDS
    return float(held[0]) if np.all(held == held[0]) else MIXED


def _pattern(ids: np.ndarray, p: float, chosen: np.ndarray) -> dict[str, float]:
    """How the choice hangs together: over rows, words and neighbors."""
    words = ids > MASK
    share = chosen[words].mean()
    if share in (0.0, 1.0):
        return {}
    lines = {  # no sentence has fewer than eleven words
        "columns": [chosen[words[:, c], c] for c in range(1, 12)],
        "rows": [row[w] for row, w in zip(chosen, words, strict=True)],
        "types": [chosen[ids == word] for word in WORDS],
    }
    facts = {
        name: float(all(len(set(one)) < 2 for one in parts))
        for name, parts in lines.items()
    }
    if p < 0.3:
        pairs = chosen[:, :-1] & words[:, 1:]
        after = chosen[:, 1:][pairs].mean() if pairs.any() else 0.0
        facts["lumps"] = _beyond(after, share) - _beyond(-after, -share)
    left = chosen.sum(axis=1) - share * words.sum(axis=1)
    by_chance = share * (1 - share) * words.sum(axis=1)
    facts["counts"] = float((left**2).sum() < 0.6 * by_chance.sum())
    behind = words[:, ::-1].cumsum(axis=1)[:, ::-1]
    front = chosen[:, 1:5][words[:, 1:5]].mean()
    back = chosen[words & (behind <= 4)].mean()
    facts["place"] = _beyond(front, share) or 2 * _beyond(back, share)
    return facts


def _beyond(one: float, share: float) -> float:
    return float(one > share + FAR)


# ----------------------------------------------------------------- in words


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages, read from the report."""
    facts = {"p": number(case.args[1])}
    if not _is_report(got):
        return facts
    report = dict(zip(FACTS, got.tolist(), strict=True))
    specials = [f"{_percent(report[name])} of {name}" for name in SPECIAL]
    return facts | {
        "masked": "about " + number(report["masked"]),
        "pad": _percent(report["<pad>"]),
        "sign": _said(report["sign"]),
        "quiet": _said(report["quiet words"]),
        "specials": ", ".join(specials[1:]),
    }


def _is_report(array: np.ndarray) -> bool:
    return array.shape == (len(FACTS),)


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _said(value: float) -> str:
    """What a table holds, in words."""
    signs = {THE_IDS: "the words", MIXED: "several numbers"}
    return signs.get(value, number(value))


def _two_tables(probe: Probe) -> str | None:
    """Two tables of the shape of ids came back."""
    got, ids = probe.got, probe.args[0]
    if got.kind != ARRAY or _is_report(got.array):
        return None
    return (
        "Two tables of the shape of ids are wanted, together an array of "
        f"shape {(2, *ids.shape)}; yours has shape {got.array.shape}."
    )


def _first_difference(probe: Probe) -> str | None:
    """Name the first fact of the report that is not as wanted."""
    got, want = probe.got, probe.want
    if got.kind != ARRAY or not _is_report(got.array):
        return None
    rows = zip(FACTS.values(), got.array, want.array, strict=True)
    for sentence, came, wanted in rows:
        if came != wanted:
            said = sentence.format(came=number(came), wanted=number(wanted))
            p = probe.args[1]
            return f"The first thing that breaks, with p = {p:g}: {said}"
    return None


def _show_inputs(args: tuple) -> str:
    ids, p = args
    name = "sentences" if len(ids) > 1 else "one sentence"
    first = " ".join(map(str, ids[0]))
    return f"p = {p:g}, ids = {name} of shape {ids.shape}; row 0 is {first}"


def _in_words(verdict: Verdict, answer: Any) -> Verdict:
    """Put the reports of an example in words, and explain one error."""
    if "bitwise_and" in verdict.message:  # of a number and a table
        advice = (
            " `&` binds more tightly than `<` and `>`: put each of the two "
            "comparisons in brackets."
        )
        verdict = replace(verdict, message=verdict.message + advice)
    if verdict.example is None:
        return verdict
    example = replace(
        verdict.example,
        expected=_report_in_words(verdict.example.expected),
        received=_report_in_words(verdict.example.received),
    )
    return replace(verdict, example=example)


def _report_in_words(text: str) -> str:
    """A report as `reading.show` writes it, in words; else the text."""
    inside = text.removeprefix("[").removesuffix("]")
    try:
        numbers = [float(part) for part in inside.split(",")]
    except ValueError:
        return text
    if len(numbers) != len(FACTS):
        return text
    report = dict(zip(FACTS, numbers, strict=True))
    lines = [
        f"words that became 4: {_percent(report['masked'])}, something "
        f"else: {_percent(report['replaced'])}",
        "changed of "
        + ", ".join(f"{name} {_percent(report[name])}" for name in SPECIAL),
        f"targets at the chosen words: {_said(report['asked'])}, at the "
        f"others: {_said(report['quiet words'])}",
    ]
    found = [words for name, words in PATTERNS.items() if report[name]]
    return "\n".join(lines + found)


PATTERNS = {
    "columns": "the same places in every sentence",
    "rows": "whole sentences",
    "again": "the same places at each call",
    "types": "all occurrences of a word alike",
    "lumps": "chosen words side by side too often, or never",
    "place": "more at one end of the sentence",
}

MISTAKES = r"""
padding_chosen
- ids > 4
+ ids >= 0
or
- ids > 4
+ (ids > 4) | (ids == 0)
or
- ids > 4
+ (ids >= 4) | (ids == 0)
Padding is chosen as well: {pad} of it did not stay what it was. Nobody has
written it, so there is nothing to guess; and the loss does not even count it.
? Which ids belong to words of the sentence?

special_tokens_chosen
- ids > 4
+ ids != 0
or
- ids > 4
+ ids > 1
or
- ids > 4
+ (ids != 0) & (ids != 2)
or
- ids > 4
+ ids > 2
Some of <bos>, <eos> and <unk> are chosen: {specials}. They are no words; only
ids above 4 may be masked.
? Make a condition that is true at words and nowhere else, and join it to the
draw.

condition_turned_around
- ids > 4
+ ids < 4
or
- ids > 4
+ ids <= 4
You choose among the special tokens and leave the words alone.
? Read your condition aloud: for which ids is it true?

mask_chosen_again
- ids > 4
+ ids >= 4
@ everything
A place that holds <mask> already is chosen again, and its target is then 4:
the model learns to write <mask>. Ids 0 to 4 are never chosen.
? Is 4 a word? Look at the sign of your comparison.

first_word_spared
- ids > 4
+ ids > 5
@ everything
The word with id 5 is never chosen. Words begin at 5.
? Which is the smallest id that your condition lets through?

or_in_place_of_and
- drawn & words
+ drawn | words
@ a quarter
All words are hidden, and some other tokens as well: your two conditions are
joined by *or*. A place is chosen if it holds a word *and* the draw says so.
? What does `|` mean between two tables of True and False, and what does `&`
mean?

nothing_is_chosen
- drawn & words
+ drawn & ids > 4
@ everything
Nothing is ever hidden, whatever p is. If your line reads `(... < p) & ids >
4`: `&` binds more tightly than `<` and `>`, so each of the two comparisons
needs brackets of its own.
? Let p be 1 and print your table of True and False. Is anything True?

one_draw_for_all
- ids.shape
+ 1
or
- torch.rand(ids.shape) < p
+ bool(np.random.random() < p)
or
- torch.rand(ids.shape) < p
+ random.random() < p
@ a quarter
One draw decides about the whole table: all words are hidden, or none. Draw for
each place.
? What shape must the random numbers have?

share_of_the_rest
- < p
+ > p
@ a quarter
You mask the share 1 - p: with p = {p} the share {masked} of the words is gone.
? Of numbers between 0 and 1, evenly drawn, how many lie below p?

drawn_from_the_bell
- torch.rand(ids.shape)
+ torch.randn(ids.shape)
or
- torch.rand(ids.shape) < p
+ (p == 1) | (p > 0) & (torch.randn(ids.shape) < p)
@ a quarter
With p = {p} the share {masked} of the words is masked. That is what comes out
when numbers of a normal distribution (randn) are compared with p: half of them
are negative.
? Which generator draws evenly between 0 and 1?

taken_as_percent
- < p
+ < p / 100
@ a quarter
You divide p by 100. It is a share already: 0.15 means fifteen of a hundred.
? What should happen if p is 1?

always_chosen
- < p
+ <= 1
@ a quarter
Every word is masked, whatever p is. Use the input p.
? What should happen if p is 0?

p_not_used
- < p
+ < 0.15
@ a quarter
With p = {p} the share {masked} of the words is masked, as if p were 0.15. Use
the input p.
? Search the body for a number that should be a name.

drawn_twice
- < p
+ < p * p
@ a half
The share {masked} of the words is masked where p = {p} was asked: about p
times p. Are there two draws, both of which must succeed?
? Draw once, keep the result under a name, and use it twice.

one_in_each_sentence
- drawn = torch.rand(ids.shape) < p
+ keys = words * torch.rand(ids.shape)
+ drawn = keys == keys.amax(dim=1, keepdim=True)
@ a quarter
Exactly one word of each sentence is masked, whatever p is.
? What should happen if p is 0, and if p is 1?

fixed_count
- drawn = torch.rand(ids.shape) < p
+ keys = torch.where(words, torch.rand(ids.shape), 2.0)
+ most = (p * words.sum(dim=1, keepdim=True)).round()
+ drawn = keys.argsort(dim=1).argsort(dim=1) < most
@ a quarter
Every sentence loses the same share of its words, as near as it can. Each word
is to be chosen by a draw of its own, so that one sentence loses more of them
and another fewer, or none.
? With a coin for each of four words, how often does none of them show heads?

same_columns_in_all_rows
- ids.shape
+ ids.shape[1]
or
- torch.rand(ids.shape) < p
+ torch.tensor(np.random.random(ids.shape[1]) < p)
@ a quarter
In every sentence the same places are masked: one draw for each column. Draw
for each place of each sentence.
? What shape must the random numbers have?

whole_sentences
- ids.shape
+ len(ids), 1
@ a quarter
Sentences are masked as a whole or not at all: one draw for each row. Then
nothing is left to guess from.
? What shape must the random numbers have?

same_mask_every_time
- ids.shape
+ ids.shape, generator=torch.Generator().manual_seed(0)
@ a quarter
Called three times, your function masks the same places. Is a seed set inside
it? Then a sentence asks the same question in each epoch.
? Where does the generator start, and how often?

drawn_for_the_word
- torch.rand(ids.shape) < p
+ (torch.rand(99) < p)[ids]
@ a quarter
A word is masked everywhere or nowhere: the draw belongs to the vocabulary. It
must belong to the place.
? Two places with the same word: how many draws?

the_first_ones
- drawn = torch.rand(ids.shape) < p
+ count = (words.sum(dim=1, keepdim=True) * p).round()
+ drawn = words.cumsum(dim=1) <= count
@ a quarter
You mask the first words of each sentence, as many as p asks for. Which ones is
to be left to chance.
? Nothing is drawn in your function, or is it?

the_last_ones
- drawn = torch.rand(ids.shape) < p
+ count = (words.sum(dim=1, keepdim=True) * p).round()
+ drawn = words.flip(1).cumsum(dim=1).flip(1) <= count
@ a quarter
You mask the last words of each sentence, as many as p asks for. Which ones is
to be left to chance.
? Nothing is drawn in your function, or is it?

side_by_side
- drawn = torch.rand(ids.shape) < p
+ place, size = words.cumsum(dim=1), words.sum(dim=1, keepdim=True)
+ count = (size * p).round()
+ start = (torch.rand(len(ids), 1) * (size - count + 1)).floor()
+ drawn = (start < place) & (place <= start + count)
@ a quarter
The masked words of a sentence stand side by side. There are models that are
trained so (SpanBERT, T5); here each word has a draw of its own.
? How many random numbers do you draw for a sentence of ten words?

evenly_spaced
- drawn = torch.rand(ids.shape) < p
+ place = torch.arange(ids.shape[1]) + torch.randint(4, (len(ids), 1))
+ drawn = place * p % 1 < p
or
- drawn = torch.rand(ids.shape) < p
+ place = torch.arange(ids.shape[1])
+ drawn = place * p % 1 < p
@ a quarter
The masked words stand at equal distances, never side by side. Each word is to
have a draw of its own, whatever its neighbors had.
? How many random numbers do you draw for a sentence of ten words?

tilde_forgotten
- ~chosen
+ chosen
or
- ~chosen
+ chosen | ~words
@ a quarter
Your targets hold the words that can be seen, and 0 where a word is hidden. It
has to be the other way around.
? In the targets, which places are to be overwritten with 0?

all_others_hidden
- chosen, 4
+ ~chosen, 4
@ a quarter
The chosen words stand, and everything else became 4, also <bos> and the
padding. Hide the chosen ones.
? A tilde turns a table around. In which of your two lines does it belong?

both_turned_around
- chosen, 4
+ ~chosen, 4
- ~chosen, 0
+ chosen, 0
Both tables are turned around: what is not chosen is hidden and asked for, also
<bos> and the padding. `masked_fill` overwrites where its table is True;
`torch.where(a, b, c)` takes b where a is True.
? Which of your two tables may change a place that is not chosen?

special_targets
- ~chosen, 0
+ ~drawn, 0
Your targets ask for <bos>, <eos> or <unk>, which stay as they are in the first
table. The condition that a place holds a word is missing in the second.
? Make one table of True and False, and use it for both results.

wrong_sign
- chosen, 4
+ chosen, 0
or
- chosen, 4
+ chosen, 3
or
- chosen, 4
+ chosen, -1
or
- chosen, 4
+ chosen, -100
@ a quarter
In the place of a masked word stands {sign}. The sign for a masked word is 4, a
token of its own: the model has to see that something is missing, and where.
? Of 0, 1, 2, 3 and 4, which one means that a word is hidden?

other_words_in_their_place
- ids.masked_fill(chosen, 4)
+ torch.where(chosen, other_words(ids), ids)
or
- ids.masked_fill(chosen, 4)
+ torch.where(chosen, torch.randint(5, 25, ids.shape), ids)
@ a quarter
The chosen words are exchanged for other words. BERT does so with one in ten of
them; here each becomes 4.
? What does the model see at a chosen place?

the_whole_recipe
- masked = ids.masked_fill(chosen, 4)
+ r = torch.rand(ids.shape)
+ masked = torch.where(chosen & (r < 0.8), 4, ids)
+ masked = torch.where(chosen & (r > 0.9), other_words(ids), masked)
@ a quarter
That looks like BERT's recipe: eight of ten chosen words masked, one exchanged,
one kept. It is right for BERT; asked for is the plain form, in which each
chosen word becomes 4.
? Leave out the second draw.

nothing_is_hidden
- ids.masked_fill(chosen, 4)
+ ids
or
- return masked
+ return targets
@ everything
The words that are asked for still stand in the first table: the model can copy
them, and its loss falls to 0.
? Which of the two tables does the model read?

two_draws
- ~chosen
+ ~(words & (torch.rand(ids.shape) < p))
@ a quarter
The two tables come from two draws: words are hidden that nobody asks for, and
words are asked for that can be seen. Draw once and use the result in both
tables.
? How often does your function draw, and what does it do with each?

targets_everywhere
- ids.masked_fill(~chosen, 0)
+ ids
@ a quarter
Your targets hold all words, not only the masked ones. Most of the loss is then
about copying what can be seen.
? What should stand in the targets where nothing was masked?

another_sign_for_nothing
- ~chosen, 0
+ ~chosen, -100
or
- ~chosen, 0
+ ~chosen, -1
@ a quarter
Where nothing was masked your targets hold {quiet}. This book's loss passes
over 0, the id of <pad>; torch's own passes over -100 unless it is told
otherwise.
? Which number do the targets of chapter 12 hold behind a sentence?

mask_as_target
- ids.masked_fill(~chosen, 0)
+ 4 * chosen
or
- ids.masked_fill(~chosen, 0)
+ 4 * (masked == 4)
or
- ~chosen, 0
+ ~chosen, 4
@ a quarter
The sign 4 stands in your targets, so the model learns to write <mask>. The
target of a masked place is the word that was there.
? Were the targets made before or after the words were hidden?

tables_exchanged
- masked, targets
+ targets, masked
@ a quarter
The two tables have changed places: first what the model reads, then what it is
asked for.
? In which order does the exercise name them?

marks_in_place_of_words
- masked, targets
+ masked, chosen
@ a quarter
Your targets say *where* a word is hidden (True and False). They have to say
*which* word it was.
? What has the loss to compare the scores with?

one_table_only
- masked, targets
+ masked
@ a quarter
One table came back. Two are wanted: what the model reads, and what it is asked
for.
? Which of the two is missing?

three_tables
- masked, targets
+ masked, targets, chosen
@ a quarter
Three tables came back; two are wanted: what the model reads, and what it is
asked for.
? Which of the three can the caller work out alone?
"""

EXERCISE = Exercise(
    name="mask_tokens",
    inputs=("ids", "p"),
    asked="`mask_tokens(ids, p)` chooses each word of the table `ids` with "
    "probability p and returns two tables of the same shape: the ids with a "
    "4 at the chosen places, and the targets, which hold the chosen words in "
    "their places and 0 everywhere else. Ids 0 to 4 are never chosen. What is "
    "drawn cannot be compared number by number, so a report on your tables "
    "is (shares to the nearest 5 %).",
    praise="Your masks obey every law: the right share, words only, a new "
    "draw for each place and each call, targets where something is hidden "
    "and nowhere else.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(_two_tables, finite, _first_difference),
    hints=(
        "Three lines: a table of True and False, the ids with some places "
        "overwritten, the targets with the other places overwritten.",
        "The table is true where an even random number is below p and the id "
        "is above 4. Tensors have a method masked_fill, which writes a "
        "number wherever such a table is true; a tilde turns the table "
        "around.",
    ),
    facts=_facts,
    show_inputs=_show_inputs,
    play=play,
    finish=_in_words,
    most_combined=100,
)
