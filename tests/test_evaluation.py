"""Measures by hand and against sacreBLEU's own definition."""

import math

import pytest

from transformer_lib.evaluation import bleu, exact_match


def test_exact_match_counts_whole_sentences():
    assert exact_match(["a b", "a c", " d "], ["a b", "a b", "d"]) == 2 / 3
    assert exact_match(["A"], ["a"]) == 0.0


def test_bleu_of_the_same_text_is_100():
    text = ["the cat sat on the mat .", "a dog barked at the moon ."]
    score, signature = bleu(text, text)
    assert score == pytest.approx(100)
    assert "tok:13a" in signature and "version:" in signature


def test_bleu_by_hand():
    """Four-word sentence, last word wrong: precisions 3/4, 2/3, 1/2, and
    sacreBLEU's smoothing of 0/1 to 1/2."""
    score, _ = bleu(["a b c x"], ["a b c d"])
    expected = 100 * math.exp(
        (math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2) + math.log(1 / 2))
        / 4
    )
    assert score == pytest.approx(expected)


def test_bleu_pools_the_corpus_before_dividing():
    pooled = bleu(["a b c d", "x"], ["a b c d", "y"]).score
    alone = bleu(["a b c d"], ["a b c d"]).score
    assert 0 < pooled < alone


def test_korean_is_scored_by_character():
    score, signature = bleu(["고양이는 잔다."], ["고양이가 잔다."], "char")
    assert 0 < score < 100
    assert "tok:char" in signature
