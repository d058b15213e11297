"""The exercise `teacher_forcing`: what is read and what is to be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.exercise import Case, Exercise
from transformer_lib.course.checks.engine.guard import call_by_position_or_name
from transformer_lib.course.checks.engine.judge import judge
from transformer_lib.course.checks.engine.mistake import Mistake
from transformer_lib.course.checks.engine.properties import (
    Probe,
    shape,
    unmoved_by,
)
from transformer_lib.course.checks.engine.reading import ARRAY
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["EXERCISE", "teacher_forcing"]

INPUTS = ("sentences", "bos", "eos", "pad")


def teacher_forcing(function: Any) -> Verdict:
    """Check a function `teacher_forcing(sentences, bos, eos, pad)`.

    Inputs are bos w1 w2 ..., targets w1 w2 ... eos, both filled up with pad
    on the right to the same length.

    Args:
        function: takes B lists of ids and three ids; returns the pair
            (inputs, targets), two tables with B rows and one column more
            than the longest sentence has words. Lists, arrays and tensors
            are accepted as tables.

    Returns:
        The verdict; no exception, no output, 10 seconds at the most.

    Source: Williams and Zipser 1989. Chapter 12.
    """
    return judge(EXERCISE, function)


def solution(sentences, bos, eos, pad):
    inputs = []
    targets = []
    for sentence in sentences:
        words = list(sentence)
        inputs.append([bos, *words])
        targets.append([*words, eos])
    longest = max(map(len, inputs + targets))
    for read in inputs:
        read += [pad] * (longest - len(read))
    for said in targets:
        said += [pad] * (longest - len(said))
    return inputs, targets


def _play(answer: Callable, *args: Any) -> Any:
    """Call, and fill up rows of unequal length, so that they can be named."""
    result = call_by_position_or_name(answer, args, INPUTS)
    try:
        return _filled(result)
    except Exception:  # whatever it is, the check says so
        return result


def _filled(result: Any) -> Any:
    """Lists of rows of unequal length, filled up with nan."""
    tables = [[[float(v) for v in row] for row in table] for table in result]
    lengths = {len(row) for table in tables for row in table}
    if len(lengths) < 2:
        return result
    top = max(lengths)
    return [
        [row + [float("nan")] * (top - len(row)) for row in table]
        for table in tables
    ]


CASES = (
    Case("three", ([[5, 6, 7], [8], [9, 4]], 1, 2, 0)),
    Case("other ids", ([[20, 21], [22, 23, 24, 25]], 7, 8, 9)),
    Case("repeated", ([[6, 6, 5, 6], [6, 5], [5, 4, 4]], 2, 3, 1)),
    Case("equal", ([[7, 4], [6, 5], [9, 8]], 1, 2, 0)),
    Case("one", ([[11, 12, 10]], 3, 4, 5)),
    Case("no words", ([[5, 6], []], 1, 2, 0), basic=False),
)


def _facts(case: Case, want: np.ndarray, got: np.ndarray) -> dict:
    """Words for the messages: a row of each table."""
    facts = dict(zip(INPUTS, case.args, strict=True))
    facts |= {"shape": got.shape, "wanted_shape": want.shape}
    if got.ndim == 3 and got.shape[:2] == want.shape[:2]:
        wrong = 0
        if got.shape == want.shape:
            wrong = int(np.argmax((got != want).any(axis=(0, 2))))
        facts["reads"], facts["says"] = (_row(got[t, wrong]) for t in (0, 1))
        facts["words"] = ", ".join(map(str, facts["sentences"][wrong]))
    return facts


def _row(values: np.ndarray) -> str:
    return " ".join("-" if v != v else f"{v:g}" for v in values)


def _shift(probe: Probe) -> str | None:
    """What is said at a place is read at the next."""
    got = probe.got
    if got.kind != ARRAY or got.array.shape != probe.want.array.shape:
        return None
    sentences = probe.args[0]
    reads, says = got.array
    for row, sentence in enumerate(sentences):
        n = len(sentence)
        if not np.array_equal(reads[row, 1 : n + 1], says[row, :n]):
            return (
                "The first thing that breaks: what is to be said at one place "
                f"must be read at the next. In row {row} you read "
                f"{_row(reads[row])} and say {_row(says[row])}."
            )
    return None


def _turned(args: tuple) -> tuple:
    sentences, *ids = args
    return (sentences[::-1], *ids)


def _show(args: tuple) -> str:
    pairs = zip(INPUTS, args, strict=True)
    return ", ".join(f"{name} = {value}" for name, value in pairs)


NO_WORDS = Mistake(
    "no_words",
    "A sentence without words makes your function stumble. It is short, "
    "but real: bos is read, eos is said.",
    "Which line needs a first or a last word?",
    matches=lambda answers: answers["no words"].kind != ARRAY,
    on="no words",
)

MISTAKES = r"""
no_shift
- [bos, *words]
+ [*words, eos]
or
- [*words, eos]
+ [bos, *words]
or
- [bos, *words]
+ [bos, *words, eos]
- [*words, eos]
+ [bos, *words, eos]
or
- [bos, *words]
+ words
- [*words, eos]
+ words
or
- [bos, *words]
+ [bos, *words, eos]
- return inputs, targets
+ return [row[:-1] for row in inputs], [row[:-1] for row in inputs]
@ three
You read {reads} and say {says}: at each place the answer is the word that was
just read. A model learns to copy and its loss falls to 0. (Or is there one
list with two names?)
? Which of the two rows begins with bos, and which ends with eos?

shifted_by_two
- [*words, eos]
+ [*words[1:], eos]
or
- [bos, *words]
+ words
- [*words, eos]
+ [*words[1:], eos]
or
- [*words, eos]
+ [*words[1:], eos, eos]
@ three
You read {reads} and say {says}: each target is the word after the next. One
step at a time: what is said at one place is read at the next.
? What is the model asked for after bos?

tables_exchanged
- return inputs, targets
+ return targets, inputs
@ three
The two tables have changed places: what you call inputs ends with eos and what
you call targets begins with bos. A model that reads a word and is asked for
the one *before* it can look it up.
? Which of the two does the decoder read?

bos_forgotten
- [bos, *words]
+ words
or
- [bos, *words]
+ words
- [*words, eos]
+ [*words, eos, eos]
@ three
Your inputs begin with the first word, so nobody is asked for it: there is
nothing to predict it from. Put bos in front.
? From what does a model predict the first word of a sentence?

eos_forgotten
- [*words, eos]
+ words
or
- [bos, *words]
+ [bos, *words[:-1]]
- [*words, eos]
+ words
@ three
Your targets end with the last word, so the model is never told to stop. Its
last lesson is eos.
? What should a model say after the last word?

eos_in_the_input
- [bos, *words]
+ [bos, *words, eos]
or
- [bos, *words]
+ [bos, *words, eos]
- return inputs, targets
+ return [row[:-1] for row in inputs], [row[1:] for row in inputs]
@ three
Your inputs hold eos as well, and after it nothing is to be predicted. Public
code often has that, by cutting one column off bos words eos, and a loss that
skips padding forgives it. Wanted here: as many real places in both rows.
? How many real places has each row of the shortest sentence?

bos_in_the_target
- [*words, eos]
+ [bos, *words, eos]
@ three
Your targets hold bos. Bos is given, nobody has to predict it: targets are the
words and eos.
? What is the model asked for first?

eos_for_bos
- [bos, *words]
+ [eos, *words]
Your inputs begin with eos, {eos}, instead of bos, {bos}. (Some libraries do
use one token for both; here there are two.)
? Which of the three special ids opens a sentence?

bos_for_eos
- inputs = []
+ eos = bos
+ inputs = []
or
- inputs = []
+ bos, eos = eos, bos
+ inputs = []
Your targets end with bos, {bos}, instead of eos, {eos}, or the two have
changed places everywhere.
? Which of the three special ids ends a sentence?

eos_twice
- [*words, eos]
+ [*words, eos, eos]
@ one
Your targets end with two eos. One is enough: after it nothing is to be said.
? How many targets has a sentence of three words?

last_word_not_read
- [bos, *words]
+ [bos, *words[:-1]]
@ three
Your inputs lose the last word, so eos has to be predicted without having read
it.
? From which words is eos predicted?

not_padded
- longest - len(read)
+ 0
- longest - len(said)
+ 0
or
- longest - len(said)
+ 0
@ three
Your rows have different lengths (the places that are missing are shown as
nan). A table needs equal rows: fill up with pad, {pad}.
? How long is the longest row?

padded_on_the_left
- read +=
+ read[:0] =
- said +=
+ said[:0] =
or
- read +=
+ read[1:1] =
- said +=
+ said[:0] =
@ three
You fill up on the left. In this book padding stands on the right, so that the
causal mask alone hides it from every real word.
? On which side of the words does pad stand?

padded_with_eos
- [pad] * (longest - len(read))
+ [eos] * (longest - len(read))
- [pad] * (longest - len(said))
+ [eos] * (longest - len(said))
or
- [pad] * (longest - len(said))
+ [eos] * (longest - len(said))
@ three
You fill up with eos, {eos}, so the model is asked to say it again and again.
Fill up with pad, {pad}.
? Which of the three special ids means nothing at all?

padded_with_bos
- [pad] * (longest - len(read))
+ [bos] * (longest - len(read))
- [pad] * (longest - len(said))
+ [bos] * (longest - len(said))
@ three
You fill up with bos, {bos}. Fill up with pad, {pad}.
? Which of the three special ids means nothing at all?

eos_after_padding
- list(sentence)
+ sentence + [pad] * (max(map(len, sentences)) - len(sentence))
@ three
You fill up first and add eos after that, so it stands behind the padding:
{says}. The end of a sentence comes right after its last word.
? In which order do you do the two things?

cut_to_the_shortest
- max(
+ min(
- read += [pad] * (longest - len(read))
+ del read[longest:]
- said += [pad] * (longest - len(said))
+ del said[longest:]
@ three
Your rows are cut to the length of the shortest sentence, and words are lost.
Lengthen the short rows instead of that.
? Which sentence decides the length?

one_column_too_many
- longest =
+ longest = 1 +
@ three
Your tables have a last column that holds nothing but padding: the shape is
{shape}, wanted is {wanted_shape}.
? How many real places has the longest row?

own_ids
- inputs = []
+ bos, eos, pad = 1, 2, 0
+ inputs = []
or
- inputs = []
+ pad = 0
+ inputs = []
@ other ids
You use numbers of your own for bos, eos or pad. They come with the call: here
{bos}, {eos} and {pad}.
? Search your code for 0, 1 and 2.

sentences_reordered
- in sentences
+ in sorted(sentences, key=len)
or
- in sentences
+ in sorted(sentences, key=len, reverse=True)
@ three
The sentences come back in another order. Row 0 of both tables belongs to the
first sentence that came; its source stands in row 0 of another table.
? Does your code sort the sentences?

only_the_first_sentence
- in sentences
+ in sentences[:1]
@ three
Only the first sentence is there, shape {shape} instead of {wanted_shape}.
? Does `return` stand inside the loop?

pairs_of_rows
- return inputs, targets
+ return list(zip(inputs, targets))
@ three
You return a pair of rows for each sentence, shape {shape}. The task asks for
two whole tables, first all inputs, then all targets: {wanted_shape}.
? What is the first thing that you return?

rows_and_columns_exchanged
- return inputs, targets
+ return list(zip(*inputs)), list(zip(*targets))
@ three
Each sentence stands in a column, shape {shape}. In this book a sentence is a
row: {wanted_shape}.
? Which of the two lengths counts the sentences?

one_table_only
- return inputs, targets
+ return inputs
or
- return inputs, targets
+ return targets
or
- return inputs, targets
+ return [row + more for row, more in zip(inputs, targets)]
@ three
One table comes back, of shape {shape}. Two are wanted, the inputs and the
targets.
? What does the decoder read, and what should it say?

reversed
- list(sentence)
+ sentence[::-1]
@ three
The words of a sentence come in reverse order: {reads}.
? Where does your code turn a list around?

words_lost_or_sorted
- list(sentence)
+ list(dict.fromkeys(sentence))
or
- list(sentence)
+ sorted(sentence)
or
- list(sentence)
+ list(set(sentence))
or
- list(sentence)
+ sorted(set(sentence))
@ repeated
Words are put into another order, or a word that occurs twice is kept once:
{words} became {reads}. A sentence is a list, not a set.
? What does your code do with a word that it has seen before?

& no_words

no_words_skipped
! no words
@ no words
A sentence without words comes out wrong. It is short, but real: bos is read,
eos is said, and its row stays in both tables.
? Follow an empty list through your function.
"""

EXERCISE = Exercise(
    name="teacher_forcing",
    inputs=INPUTS,
    asked="`teacher_forcing(sentences, bos, eos, pad)` returns two tables, "
    "inputs and targets, with a row for each sentence: the inputs are bos and "
    "the words, the targets are the words and eos, and both are filled up "
    "with pad on the right to the same length.",
    praise="Your tables agree with the reference: each target stands one "
    "place before its word is read, and only padding follows.",
    cases=CASES,
    solve=Reference(solution),
    catalogue=MISTAKES,
    properties=(
        shape,
        _shift,
        unmoved_by(
            _turned,
            lambda got, args: got[:, ::-1] if got.ndim > 1 else got,
            "The first thing that breaks: when the sentences come in reverse "
            "order, the rows must too, and yours do not.",
        ),
    ),
    hints=(
        "Write one sentence of three words on paper, twice, one row below "
        "the other. In each column stands what has just been read and what "
        "is to be said next.",
        "Both rows of a sentence have one place more than it has words. The "
        "longest sentence decides how long all rows become.",
    ),
    made_here=(NO_WORDS,),
    play=_play,
    facts=_facts,
    show_inputs=_show,
)
