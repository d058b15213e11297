"""The checks on byte-pair encoding and BLEU: their references and messages."""

import random
import re

import numpy as np
import pytest
import tokenizers
from sacrebleu.metrics import BLEU
from tokenizers import models, pre_tokenizers, trainers

from transformer_course import checks
from transformer_course.checks.code.bpe_learn import EXERCISE as LEARN
from transformer_course.checks.code.bpe_merge import EXERCISE as MERGE
from transformer_course.checks.engine.symbols_coded import (
    coded,
    decoded,
    said,
)
from transformer_course.checks.paper import paper_of


def symbols(text):
    return [list(word) for word in text.split()]


# -------------------------------------------------------------- references


def random_words(seed, n=60, letters="aaabbcd"):
    rng = random.Random(seed)
    return [
        [rng.choice(letters) for _ in range(rng.randint(1, 7))]
        for _ in range(n)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_merges_are_those_of_regular_expressions(seed):
    """Sennrich's program: the symbols of a word with spaces between them."""
    words = random_words(seed)
    pairs = LEARN.solve(words, 12)
    texts = [" ".join(word) for word in words]
    for left, right in pairs:
        both = re.escape(f"{left} {right}")
        pattern = re.compile(rf"(?<!\S){both}(?!\S)")
        texts = [pattern.sub(left + right, text) for text in texts]
    assert MERGE.solve(words, pairs) == [text.split() for text in texts]


@pytest.mark.parametrize("seed", range(3))
def test_cuts_are_those_of_the_tokenizers_library(seed):
    """Given the same merges, the library cuts new words in the same way."""
    pairs = LEARN.solve(random_words(seed), 15)
    letters = sorted({letter for word in random_words(seed) for letter in word})
    known = [*letters, *dict.fromkeys(a + b for a, b in pairs)]
    vocabulary = {symbol: i for i, symbol in enumerate(known)}
    theirs = tokenizers.Tokenizer(models.BPE(vocabulary, pairs))
    words = random_words(seed + 100)
    want = [theirs.encode("".join(word)).tokens for word in words]
    assert MERGE.solve(words, pairs) == want


def test_the_library_learns_the_merges_of_the_chapter():
    """Where no two pairs are equally frequent, ties cannot differ."""
    words = symbols("abab abab abab abc abc cd")
    trainer = trainers.BpeTrainer(vocab_size=7, show_progress=False)
    theirs = tokenizers.Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    theirs.train_from_iterator(["".join(word) for word in words], trainer)
    learned = sorted(theirs.get_vocab().items(), key=lambda item: item[1])
    ours = ["".join(pair) for pair in LEARN.solve(words, 3)]
    assert [token for token, _ in learned[4:]] == ours == ["ab", "abab", "abc"]


def test_bleu_on_paper_is_that_of_sacrebleu():
    hypothesis, reference = (
        line.partition(":")[2].strip()
        for line in paper_of("bleu_by_hand").given.split("\n")
    )
    metric = BLEU(tokenize="none", smooth_method="none")
    want = metric.corpus_score([hypothesis], [[reference]])
    numbers = [*want.counts, want.bp, want.score / 100]
    assert checks.bleu_by_hand(numbers).ok
    assert want.totals == [11, 10, 9, 8]


def test_merges_on_paper_have_one_answer():
    """Only merge 3 is a tie, and what is met first decides it."""
    words = paper_of("merges_by_hand").given.partition(": ")[2].split()
    words = symbols(" ".join(word + "_" for word in words))
    pairs = LEARN.solve(words, 5)
    assert ["".join(pair) for pair in pairs] == [
        "in", "ain", "rain", "rain_", "train_",
    ]  # fmt: skip
    for turn in range(5):
        now = MERGE.solve(words, pairs[:turn])
        counts = {}
        for word in now:
            for pair in zip(word, word[1:], strict=False):
                counts[pair] = counts.get(pair, 0) + 1
        best = sorted(counts.values(), reverse=True)
        assert best[0] == paper_of("merges_by_hand").answer[turn]
        assert (best[0] > best[1]) == (turn != 2)


def test_another_choice_in_the_tie_is_told():
    """Merge 3 with `ain` `_` first: the same counts, and one number more."""
    said = checks.merges_by_hand((8, 6, 5, 5, 3, 36, 6, 4))
    assert said.mistake == "tie_or_second_in" and "met first" in said.message


@pytest.mark.parametrize(
    ("numbers", "mistake"),
    [
        ((9, 6, 4, 3, 91.3, 48.8), "percent"),
        ((9, 6, 4, 3, 0.913, 48.8), "percent"),
        ((9, 6, 4, 3, 91, 49), "percent"),
        ((9, 6, 4, 3, 0.91, 0.49), "rounded_too_coarsely"),
        ((9, 6, 4, 3, 0.91, 0.488), "rounded_too_coarsely"),
        ((9, 6, 4, 3, 1, 0.483), "sides_exchanged"),
        ((9, 6, 4, 3, 0.913, 0.261), "other_root"),
        ((9, 6, 4, 3, 0.913, 0.396), "other_root"),
        ((9, 6, 4, 3, -0.091, -0.049), "exponent_as_penalty"),
        ((9, 6, 4, 3, 0.913, 0.523), "penalty_under_the_root"),
    ],
)
def test_slips_in_bleu_as_they_are_written_down(numbers, mistake):
    assert checks.bleu_by_hand(numbers).mistake == mistake


@pytest.mark.parametrize(
    ("last_three", "mistake"),
    [
        ((36, 3, 4), "too_few_in_training"),  # train ing _
        ((36, 2, 4), "too_few_in_training"),
        ((31, 4, 4), "signs_not_counted"),
        ((31, 4, 3), "signs_not_counted"),
    ],
)
def test_slips_in_the_merges_are_named(last_three, mistake):
    numbers = (8, 6, 5, 5, 3, *last_three)
    assert checks.merges_by_hand(numbers).mistake == mistake


@pytest.mark.parametrize("last", [0.488, 0.4883, 0.49])
def test_bleu_may_be_rounded_to_what_was_asked(last):
    assert checks.bleu_by_hand((9, 6, 4, 3, 0.913, last)).ok


# ------------------------------------------------------------ rows of numbers


@pytest.mark.parametrize(
    "value",
    [
        [["a", "bc"], [], ["고양이", "", "𝄞", "_|"]],
        ["a", "b"],
        [],
        "text",
        {"a", "b"},
        [("a", 2.5)],
        {("a", "b"): 3.0},
        [[["deep"]]],
    ],
)
def test_what_is_coded_can_be_read_back(value):
    def lists(value):
        if isinstance(value, (list, tuple)):
            return [lists(item) for item in value]
        return value

    assert decoded(coded(value)) == lists(value)
    assert said(decoded(coded(value)))


def test_rows_tell_apart_what_differs():
    values = [
        [["ab"]], [["a", "b"]], [["a"], ["b"]], ["ab"], "ab", [["ba"]],
        [["ab", ""]], [["ab"], []], {"ab"}, [[]], [], [[""]], [1.0], [["1.0"]],
    ]  # fmt: skip
    rows = [tuple(coded(value)) for value in values]
    assert len(set(rows)) == len(values)


def test_arrays_and_tuples_count_as_lists():
    want = coded([["a", "b"], ["c", "d"]]).tolist()
    assert coded((("a", "b"), ["c", "d"])).tolist() == want
    assert coded(np.array([["a", "b"], ["c", "d"]])).tolist() == want
    assert coded(None) is None and coded(...) is ...


# ------------------------------------------------------------ what is shown


def test_examples_show_symbols_and_no_numbers():
    verdict = checks.bpe_merge(lambda words, pairs: words)
    assert verdict.example.received.startswith("w|h|e|a|t|_, t|h|i|n|g|_")
    assert verdict.example.expected.startswith("w|h|e|a|t|_, t|h|ing_")
    assert "pairs  i+n, in+g, ing+_" in verdict.example.given
    verdict = checks.bpe_learn(lambda words, n: [("q", "q")])
    assert verdict.example.received == "q|q"


def test_the_first_broken_property_is_named():
    def says(check, function):
        verdict = check(function)
        assert verdict.mistake is None and not verdict.ok
        return verdict.message

    merge, learn = checks.bpe_merge, checks.bpe_learn
    assert "each a list of symbols" in says(merge, lambda words, pairs: 7)
    assert "an object" in says(merge, lambda words, pairs: object())
    assert "loses none" in says(
        merge, lambda words, pairs: [["x", *word] for word in words]
    )
    assert "words went in" in says(merge, lambda words, pairs: [*words, ["a"]])
    assert "the first word that differs" in says(
        merge, lambda words, pairs: [["".join(word)] for word in words]
    )
    assert "list of pairs" in says(learn, lambda words, n: [("a", "b", "c")])
    assert "neither" in says(learn, lambda words, n: [("zz", "top")] * n)
    assert "merge 1 is" in says(
        learn, lambda words, n: [(words[0][0], words[0][0])] * n
    )


def test_stubs_are_not_attempted():
    def bpe_merge(words, pairs): ...

    def bpe_learn(words, n):
        counts = ...
        return counts["a"]

    for verdict in (
        checks.bpe_merge(bpe_merge),
        checks.bpe_learn(bpe_learn),
        checks.bpe_merge(None),
        checks.bpe_learn(...),
    ):
        assert verdict.status == "not attempted", verdict


def test_the_failing_line_is_the_students_own():
    def bpe_merge(words, pairs):
        return words.joined(pairs)

    def bpe_learn(words, n):
        return words[n + 100]

    assert "words.joined" in checks.bpe_merge(bpe_merge).message
    assert "words[n + 100]" in checks.bpe_learn(bpe_learn).message


def test_strange_things_are_survived():
    class Odd(list):
        def __iter__(self):
            raise ValueError("no")

    deep = ["a"]
    for _ in range(40):
        deep = [deep]
    round_trip = []
    round_trip.append(round_trip)
    for value in (Odd(["a"]), deep, round_trip, b"bytes", float("nan"), 3j):
        verdict = checks.bpe_merge(lambda words, pairs, v=value: v)
        assert verdict.status == "wrong", value
