"""The explorers `word_pieces` and `bleu_pieces`: their numbers are true."""

import itertools
import re

import pytest
from sacrebleu.metrics import BLEU

from transformer_course import explorers
from transformer_course.checks.code.bpe_learn import EXERCISE as LEARN
from transformer_course.checks.code.bpe_merge import EXERCISE as MERGE
from transformer_course.explorers import merges, overlap


def symbols(text):
    return [[*word, "_"] for word in text.split()]


def texts(drawing):
    return re.findall(r">([^<>]+)</text>", drawing)


# ------------------------------------------------------------- byte-pair pieces


def test_merges_and_pieces_are_those_of_the_exercise():
    explorer = explorers.word_pieces()
    words = symbols(merges.TEXT)
    pairs = LEARN.solve(words, merges.LAST)
    for n, frame in enumerate(explorer.frames):
        cut = MERGE.solve(words, pairs[:n])
        new = MERGE.solve(symbols(merges.NEW), pairs[:n])[0]
        shown = texts(frame.drawing)
        want = [symbol for word in cut for symbol in word]
        assert shown[: len(want)] == want
        assert frame.readout.endswith(f" {' '.join(new)}.")
        assert f"{len(want)} symbols in the text" in frame.readout
        if n:
            left, right = pairs[n - 1]
            assert f"Merge {n}: {left} + {right}, " in frame.readout


def test_each_merge_adds_one_to_the_vocabulary():
    frames = explorers.word_pieces().frames
    sizes = [
        int(re.search(r"(\d+) in the vocabulary", f.readout)[1]) for f in frames
    ]
    letters = {c for c in merges.TEXT if c != " "} | {"_"}
    assert sizes == [len(letters) + n for n in range(len(frames))]


def test_a_merge_saves_as_many_symbols_as_its_count_says():
    frames = explorers.word_pieces().frames
    for before, after in itertools.pairwise(frames):
        old, new = (
            int(re.search(r"(\d+) symbols in", f.readout)[1])
            for f in (before, after)
        )
        times = re.search(r"(\d+) times", after.readout)
        assert old - new == (int(times[1]) if times else 1)


def test_the_numbers_of_the_chapter():
    explorer = explorers.word_pieces(merges=5)
    assert explorer.frames[explorer.start].readout == (
        "Merge 5: ing + _, 4 times. 36 symbols in the text (from 62), 17 in "
        "the vocabulary. New word: s eat ing_."
    )


def test_a_live_text_may_be_ones_own():
    page = explorers.word_pieces().view(["aaaa aa", "aaa", 3])
    assert "Merge 3: " in page and "New word: " in page
    page = explorers.word_pieces().view(["a b", "ab", 60])
    assert "Merge 2: b + _, once" in page  # then nothing is left
    assert "give one to" in explorers.word_pieces().view(["", "a", 1])
    assert "12 fit" in explorers.word_pieces().view(["a" * 13, "a", 1])


@pytest.mark.parametrize("number", [-1, 15])
def test_other_numbers_of_merges_are_refused(number):
    with pytest.raises(ValueError, match="0 to 14"):
        explorers.word_pieces(merges=number)


# ------------------------------------------------------------------------ BLEU


def scores(hypothesis, reference=overlap.REFERENCE):
    metric = BLEU(tokenize="none", smooth_method="none")
    return metric.corpus_score([hypothesis], [[reference]])


def test_counts_penalty_and_score_are_those_of_sacrebleu():
    explorer = explorers.bleu_pieces()
    places = itertools.product(overlap.HYPOTHESES, range(1, 5))
    for (text, n), frame in zip(places, explorer.frames, strict=True):
        want = scores(text)
        hits, total = want.counts[n - 1], want.totals[n - 1]
        assert f": {hits} of {total} " in frame.readout
        said = re.search(r"Penalty ([\d.]+), BLEU ([\d.]+)\.$", frame.readout)
        assert float(said[1]) == pytest.approx(want.bp, abs=5.1e-4)
        assert float(said[2]) == pytest.approx(want.score, abs=0.051)
        shares = [f"{c} of {t}" for c, t in zip(want.counts, want.totals)]  # noqa: B905
        assert [t for t in texts(frame.drawing) if " of " in t][1::2] == shares


def test_a_green_bar_for_each_piece_that_counts():
    for frame in explorers.bleu_pieces().frames:
        hits, total = map(
            int, re.search(r": (\d+) of (\d+) ", frame.readout).groups()
        )
        assert frame.drawing.count("x-fill x-green") == hits
        assert frame.drawing.count("x-fill x-soft") == total - hits


def test_the_examples_show_what_their_names_say():
    found = dict(zip(overlap._NAMES, overlap.HYPOTHESES, strict=True))
    assert scores(found["perfect"]).score == pytest.approx(100)
    assert scores(found["too short"]).bp < 0.2
    order = scores(found["another order"])
    assert order.counts[0] == order.totals[0] and order.score < 80
    assert scores(found["one word"]).counts[0] == 1
    assert scores(found["wrong animal"]).score > 50
    assert scores(found["other words"]).score == 0


def test_live_sentences_and_what_does_not_fit():
    explorer = explorers.bleu_pieces()
    page = explorer.view(["a b c d", "a b c d", 4])
    assert "1 of 1 pieces of 4 tokens count" in page and "BLEU 100.0" in page
    assert "give one to 12" in explorer.view(["", "a", 1])
    assert "46 letters" in explorer.view(["a" * 47, "a", 1])


@pytest.mark.parametrize("start", [-1, 7])
def test_an_unknown_translation_is_refused(start):
    with pytest.raises(ValueError, match="choose from 0 to 6"):
        explorers.bleu_pieces(start)
