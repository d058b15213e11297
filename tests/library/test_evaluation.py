"""Measures by hand and against sacreBLEU's own definition."""

import math
import sys
import warnings
from unicodedata import normalize

import numpy as np
import pytest
import sacrebleu
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refuses
from sacrebleu.metrics import BLEU, CHRF

from transformer_lib.evaluation import (
    alignment_error_rate,
    bleu,
    bleu_caveat,
    bleu_difference,
    chrf,
    exact_match,
    perplexity,
)
from transformer_lib.label_smoothing import token_loss

anything = settings(derandomize=True, max_examples=40, deadline=None)
links = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=9)
corpora = st.lists(st.tuples(links, links, links), min_size=1, max_size=4)

SAID = ["the cat sat on a mat .", "고양이는 잔다.", "a dog barks", "Ja!"]
WANTED = ["the cat sat on the mat .", "고양이가 잔다.", "dogs bark", "Ja!"]


# ------------------------------------------------------------ exact match


def test_exact_match_counts_whole_sentences():
    assert exact_match(["a b", "a c", " d "], ["a b", "a b", "d"]) == 2 / 3
    assert exact_match(["A"], ["a"]) == 0.0
    assert exact_match(["a  b"], ["a b"]) == 0.0
    assert exact_match(["d"], [" d "]) == 1.0
    assert exact_match(["a", "b"], ["b", "a"]) == 0.0


COMPOSED = ["고양이는 강을 건넜다 .", "Ein schöner Tag für Zoé .", "ﬁ ① Å"]


@pytest.mark.parametrize("measure", [exact_match, bleu, chrf])
def test_whether_letters_are_composed_changes_no_score(measure):
    """Files are composed when they are read, and strings here."""
    said = ["고양이는 길을 건넜다 .", COMPOSED[1], "fi 1 Å"]
    scores = {
        measure(
            [normalize(ours, text) for text in said],
            [normalize(theirs, text) for text in COMPOSED],
        )
        for ours in ("NFC", "NFD")
        for theirs in ("NFC", "NFD")
    }
    (score,) = scores
    assert score == measure(said, COMPOSED)
    wrong = 2 / 3  # compatible letters are not the same
    assert measure is not exact_match or score == pytest.approx(1 - wrong)


# ----------------------------------------------------------- BLEU and chrF


def test_the_same_text_scores_100():
    text = ["the cat sat on the mat .", "a dog barked at the moon ."]
    for measure in (bleu, chrf):
        assert measure(text, text).score == pytest.approx(100)
        assert measure(["x"], ["y"]).score < 1


def test_bleu_by_hand():
    """Four-word sentence, last word wrong: precisions 3/4, 2/3, 1/2, and
    sacreBLEU's smoothing of 0/1 to 1/2."""
    score, _ = bleu(["a b c x"], ["a b c d"])
    expected = 100 * math.exp(
        (math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2) + math.log(1 / 2))
        / 4
    )
    assert score == pytest.approx(expected)


def test_bleu_shortens_what_says_too_little():
    """All four words right, but four of five: exp(1 - 5/4)."""
    score, _ = bleu(["a b c d"], ["a b c d e"])
    assert score == pytest.approx(100 * math.exp(1 - 5 / 4))


def test_chrf_by_hand():
    """ "ab" against "ac": of its letters 1 of 2, of its pairs 0 of 1, right
    and found alike; F-beta of equal halves is their mean over two orders."""
    score, _ = chrf(["ab"], ["ac"])
    assert score == pytest.approx(100 * (1 / 2 + 0) / 2)


SIX = "a b c d e f"
CAVEATS = {
    "nobody has 4": (["a b c"] * 2, ["a b c"] * 2, "13a", "needs"),
    "Korean, 3 words": (["개는 잤다."], ["개는 잤다."], "13a", "needs"),
    "Chinese, no spaces": (["猫在睡觉"], ["猫在睡觉"], "none", "needs"),
    "letters": (["개는"], ["개는"], "char", "needs"),
    "translations": (["a b c", "a"], ["a b c d", "a"], "13a", "no translation"),
    "references": (["a b c d", "a"], ["a b c", "a"], "13a", "no reference"),
    "empty": (["", " "], [SIX, SIX], "13a", "every translation is empty"),
    "blank": ([""], [""], "13a", "every translation is empty"),
    "wrong": (["u v w x"], ["a b c d"], "13a", "0 of 1 runs"),
    "one long": ([SIX] + [""] * 98, [SIX] * 99, "13a", "6 tokens for 594"),
    "one of 4": (["a b c", SIX], ["a b c", SIX], "13a", ""),
    "as letters": (["개는 잤다."], ["개는 잤다."], "char", ""),
    "bad but not 0": ([SIX], ["a b c d x y"], "13a", ""),
}


@pytest.mark.parametrize("case", CAVEATS)
def test_a_bleu_that_says_little_comes_with_the_reason(case):
    said, wanted, tokenize, part = CAVEATS[case]
    found = bleu_caveat(said, wanted, tokenize)
    assert part in found and bool(part) == bool(found)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score = bleu(said, wanted, tokenize).score
    oracle = BLEU(tokenize=tokenize).corpus_score(said, [wanted]).score
    assert score == oracle
    assert part or score >= 0.05
    # what lies in the sentences is a warning; bad translations are none
    told = [str(one.message) for one in caught]
    assert told == (
        [] if case in ("wrong", "one long") or not part else [found]
    )
    if "needs" in found or part.startswith("no "):
        assert "BLEU needs sentences of 4 tokens; see chrF" in found
        assert f"tok:{tokenize}" in found


@pytest.mark.parametrize("tokenize", ["13a", "char", "none"])
def test_bleu_is_sacrebleus_with_its_signature(tokenize):
    metric = BLEU(tokenize=tokenize)
    expected = metric.corpus_score(SAID, [WANTED]).score
    score, signature = bleu(SAID, WANTED, tokenize)
    assert 0 < score < 100
    assert score == expected
    assert signature == str(metric.get_signature())
    assert signature == (
        f"nrefs:1|case:mixed|eff:no|tok:{tokenize}|smooth:exp|"
        f"version:{sacrebleu.__version__}"
    )


def test_chrf_is_sacrebleus_with_its_signature():
    metric = CHRF()
    expected = metric.corpus_score(SAID, [WANTED]).score
    score, signature = chrf(SAID, WANTED)
    assert 0 < score < 100
    assert score == expected
    assert signature == str(metric.get_signature())
    assert signature == (
        f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|"
        f"version:{sacrebleu.__version__}"
    )


def test_hypotheses_and_references_are_not_the_same():
    """Too short is punished by length, too long by precision."""
    long, short = ["a b c d e f g h"], ["a b c d"]
    assert bleu(short, long).score == pytest.approx(100 * math.exp(1 - 8 / 4))
    right = (4 / 8) * (3 / 7) * (2 / 6) * (1 / 5)
    assert bleu(long, short).score == pytest.approx(100 * right**0.25)
    # chrF weighs what was found (recall) twice as much as what was right.
    assert chrf(short, long).score < chrf(long, short).score


def test_a_difference_is_that_of_the_same_draws():
    """Each draw, scored by sacreBLEU itself."""
    ours = ["a b c d e f", "g h i j k", "l m n o p q r"]
    theirs = ["a b c d e", "g h i j x", "l m n o p q s"]
    draws = np.random.default_rng(5).integers(3, size=(40, 3))
    wanted = [
        bleu([ours[i] for i in rows], [ours[i] for i in rows]).score
        - bleu([theirs[i] for i in rows], [ours[i] for i in rows]).score
        for rows in draws
    ]
    found = bleu_difference(ours, theirs, ours, n_draws=40, seed=5)
    assert found.score == bleu(ours, ours).score - bleu(theirs, ours).score
    interval = np.percentile(wanted, [2.5, 97.5])
    assert found[1:] == pytest.approx(tuple(interval))
    back = bleu_difference(theirs, ours, ours, n_draws=40, seed=5)
    assert back == pytest.approx([-found.score, -found.high, -found.low])
    assert bleu_difference(theirs, theirs, ours) == (0, 0, 0)


def test_a_difference_does_not_depend_on_how_letters_are_composed():
    ours, theirs = ["건넌 고양이 세 마리"], ["건넌 고양이 네 마리"]
    apart = [[normalize("NFD", one[0])] for one in (ours, theirs)]
    one = bleu_difference(ours, theirs, ours, "char", n_draws=2)
    assert bleu_difference(*apart, ours, "char", n_draws=2) == one


def test_a_difference_uses_the_tokenizer_given():
    one, two, wanted = ["가나다라마"], ["가나다마라"], ["가나다라바"]
    assert bleu_difference(one, two, wanted).score == 0
    assert bleu_difference(one, two, wanted, "char").low > 10


def test_a_difference_refuses_what_cannot_be_compared():
    with refuses(ValueError, "1 hypotheses", "2"):
        bleu_difference(["a"], ["a", "b"], ["a", "b"])
    with refuses(ValueError, "at least one"):
        bleu_difference([], [], [])
    with refuses(ValueError, "n_draws=0"):
        bleu_difference(["a"], ["b"], ["a"], n_draws=0)


@pytest.mark.parametrize("measure", [bleu, chrf])
def test_the_corpus_is_pooled_before_dividing(measure):
    said, wanted = ["a b c d", "x"], ["a b c d", "y"]
    pooled = measure(said, wanted).score
    each = [measure([s], [w]).score for s, w in zip(said, wanted, strict=True)]
    assert 0 < pooled < each[0]
    assert abs(pooled - sum(each) / 2) > 1


# -------------------------------------------------------------- perplexity


def test_a_model_that_finds_all_words_alike_has_perplexity_v():
    for n_words in (1, 2, 37_000):
        assert perplexity(math.log(n_words)) == pytest.approx(n_words)
    total, count = token_loss(torch.zeros(2, 3, 7), torch.ones(2, 3).long())
    assert perplexity(float(total / count)) == pytest.approx(7)


def test_perplexity_by_hand():
    """Words of probability 1/2 and 1/8: one over their geometric mean, 4."""
    loss = -(math.log(1 / 2) + math.log(1 / 8)) / 2
    assert perplexity(loss) == pytest.approx(4)
    assert perplexity(0.0) == 1.0
    assert perplexity(math.inf) == perplexity(1e6) == math.inf


# ----------------------------------------------------- alignment error rate


# Two sentences of Och and Ney's kind: links that must be there (S), links
# that may be there (P, which S belongs to), and links found (A).
#
#   1st: S = 0-0 1-2   P = S and 1-1   A = 0-0 1-1 2-2
#        in S: 0-0; in P: 0-0 1-1; |A| + |S| = 3 + 2
#   2nd: S = P = 0-0   A = 0-0
#        in S: 0-0; in P: 0-0;     |A| + |S| = 1 + 1
PREDICTED = [{(0, 0), (1, 1), (2, 2)}, {(0, 0)}]
SURE = [{(0, 0), (1, 2)}, {(0, 0)}]
POSSIBLE = [{(0, 0), (1, 2), (1, 1)}, {(0, 0)}]


def test_alignment_error_rate_by_hand():
    first = [x[:1] for x in (PREDICTED, SURE, POSSIBLE)]
    assert alignment_error_rate(*first) == pytest.approx(1 - (1 + 2) / 5)
    # without possible links 1-1 is wrong
    assert alignment_error_rate(*first[:2]) == pytest.approx(1 - (1 + 1) / 5)
    # the corpus: counts are added before dividing
    whole = alignment_error_rate(PREDICTED, SURE, POSSIBLE)
    assert whole == pytest.approx(1 - (3 + 2) / (5 + 2))


def test_a_perfect_alignment_has_error_0_and_a_wrong_one_1():
    assert alignment_error_rate(SURE, SURE) == 0
    assert alignment_error_rate(SURE, SURE, POSSIBLE) == 0
    assert alignment_error_rate(POSSIBLE, SURE, POSSIBLE) == 0
    assert alignment_error_rate([set(), set()], SURE) == 1
    assert alignment_error_rate([{(7, 7)}, {(0, 1)}], SURE, POSSIBLE) == 1


def test_a_link_has_a_direction():
    assert alignment_error_rate([{(0, 1)}], [{(1, 0)}]) == 1


@anything
@given(corpora)
def test_sure_links_are_possible_whether_they_are_listed_or_not(corpus):
    predicted, sure, possible = (list(x) for x in zip(*corpus, strict=True))
    if not any(predicted) and not any(sure):
        return
    listed = [s | p for s, p in zip(sure, possible, strict=True)]
    assert alignment_error_rate(
        predicted, sure, possible
    ) == alignment_error_rate(predicted, sure, listed)


@anything
@given(corpora)
def test_more_possible_links_help_and_impossible_ones_harm(corpus):
    predicted, sure, possible = (list(x) for x in zip(*corpus, strict=True))
    if not any(predicted) and not any(sure):
        return
    rate = alignment_error_rate(predicted, sure, possible)
    assert 0 <= rate <= 1
    allowed = [a | p for a, p in zip(predicted, possible, strict=True)]
    assert alignment_error_rate(allowed, sure, possible) <= rate + 1e-12
    wrong = [a | {(9, 9)} for a in predicted]
    assert alignment_error_rate(wrong, sure, possible) >= rate - 1e-12


@anything
@given(corpora)
def test_without_possible_links_it_is_one_minus_the_f_score(corpus):
    predicted, sure = ([row[i] for row in corpus] for i in (0, 1))
    pairs = list(zip(predicted, sure, strict=True))
    right = sum(len(a & s) for a, s in pairs)
    if not right:
        return
    precision = right / sum(map(len, predicted))
    recall = right / sum(map(len, sure))
    f_score = 2 * precision * recall / (precision + recall)
    assert alignment_error_rate(predicted, sure) == pytest.approx(1 - f_score)


# --------------------------------------------------------------- bad input


@pytest.mark.parametrize("name", ["exact_match", "bleu", "chrf"])
def test_measures_of_sentences_refuse(plain, name):
    measure = getattr(plain("evaluation"), name)
    with refuses(ValueError, "2 hypotheses", "1 references"):
        measure(["a", "b"], ["a"])
    with refuses(ValueError, "at least one"):
        measure([], [])
    for pair in (("abc", ["a", "b", "c"]), (["a", "b", "c"], "abc")):
        with refuses(TypeError, "list", "'abc'"):
            measure(*pair)


@pytest.mark.parametrize("name", ["bleu", "chrf", "bleu_difference"])
def test_without_sacrebleu_it_is_said_what_to_install(plain, name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    texts = [["a b"]] * (3 if name == "bleu_difference" else 2)
    how = r"sacrebleu: pip install 'transformer-lib\[course\]'$"
    with pytest.raises(ImportError, match=how):
        getattr(plain("evaluation"), name)(*texts)


@pytest.mark.parametrize("loss", [-0.1, math.nan, -math.inf])
def test_perplexity_refuses_what_is_no_loss(plain, loss):
    with refuses(ValueError, f"loss={loss}", "nats"):
        plain("evaluation").perplexity(loss)


def test_alignment_error_rate_refuses(plain):
    rate = plain("evaluation").alignment_error_rate
    with refuses(ValueError, "2 sentences", "1 sure"):
        rate([set(), set()], [{(0, 0)}])
    with refuses(ValueError, "1 sure", "2 possible"):
        rate([set()], [{(0, 0)}], [set(), set()])
    for nothing in ([], [set()]):
        with refuses(ValueError, "no sentence has a link"):
            rate(nothing, nothing)
