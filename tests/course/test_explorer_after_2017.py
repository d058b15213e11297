"""The explorers of chapters 19 to 21: what they say is true."""

import itertools
import re

import numpy as np
import pytest
import torch

from transformer_course import explorers
from transformer_course.explorers import families, orders
from transformer_lib.masks import causal_mask


def table(family):
    n = len(families.READ[family])
    return torch.tensor(
        [[families.sees(family, i, j) for j in range(n)] for i in range(n)]
    )


def test_the_tables_are_the_masks_of_the_library():
    assert table(0).all()
    assert torch.equal(table(1), causal_mask(7))
    both = table(2)
    n = families.N_SOURCE
    assert both[:, :n].all()  # the whole source, for everybody
    assert not both[:n, n:].any()  # the encoder sees no target
    assert torch.equal(both[n:, n:], causal_mask(7 - n))


def test_what_must_be_said_is_what_comes_next():
    for family in (1, 2):
        read, say = families.READ[family], families.SAY[family]
        start = families.N_SOURCE if family == 2 else 0
        assert say[start:-1] == read[start + 1 :]
        assert not any(say[:start])
    read, say = families.READ[0], families.SAY[0]
    for token, answer in zip(read, say, strict=True):
        assert bool(answer) == (token == families.GAP)


def test_readouts_and_cells_agree_with_the_tables():
    explorer = explorers.model_families()
    places = itertools.product(range(3), range(7))
    for (family, row), frame in zip(places, explorer.frames, strict=True):
        seen = table(family)
        count = int(seen[row].sum())
        words = re.search(rf"sees {count} \((.*?)\)", frame.readout)[1]
        assert len(words.split(" ")) == count
        cells = re.findall(
            r'width="25" height="25" class="([^"]+)"', frame.drawing
        )
        assert len(cells) == 49
        assert cells.count("x-fill x-blue") == count
        others = int(seen.sum()) - count
        assert cells.count("x-fill x-soft") == others
        asked = sum(map(bool, families.SAY[family]))
        assert f"{asked} of 7 positions predict a word" in frame.readout


@pytest.mark.parametrize("start", [-1, 7])
def test_a_token_that_is_not_there_is_refused(start):
    with pytest.raises(ValueError, match="from 0 to 6"):
        explorers.model_families(start)


WORDS = ["the", "dog", "cat", "ran", "sat", "far", "on"]
TOKENS = ["the", "on", "ran"]


def shares(seed):
    draw = np.random.default_rng(seed).dirichlet(np.ones(7), size=3)
    draw[1, 6] = 0.0  # the right word of gap 2 comes last
    return draw / draw.sum(axis=1, keepdims=True)


def test_the_bars_are_the_largest_shares_and_the_right_word():
    both, left = shares(1), shares(2)
    explorer = explorers.gap_guesses(TOKENS, both, left, WORDS)
    for gap, frame in enumerate(explorer.frames):
        want = []
        for rows in (both, left):
            order = np.argsort(-rows[gap])[:5].tolist()
            right = WORDS.index(TOKENS[gap])
            if right not in order:
                order[-1] = right
            want += [f"{rows[gap][i]:.2f}" for i in order]
        came = re.findall(r">(\d\.\d\d)<", frame.drawing)
        assert came == want
        assert frame.drawing.count("x-fill x-green") == 2
        assert frame.drawing.count(">____<") == 1
        best = WORDS[int(both[gap].argmax())]
        assert f"From both sides: “{best}”" in frame.readout
        assert f"right word is “{TOKENS[gap]}”" in frame.readout


def test_a_right_first_guess_is_said_once():
    rows = np.eye(7)[[WORDS.index(token) for token in TOKENS]]
    readout = explorers.gap_guesses(TOKENS, rows, rows, WORDS).frames[2].readout
    assert readout.endswith(
        "From both sides: “ran” 1.00. From the left: “ran” 1.00."
    )


@pytest.mark.parametrize(
    ("tokens", "rows", "words", "says"),
    [
        (TOKENS, shares(1)[:2], WORDS, "shape"),
        (TOKENS, shares(1) * 2, WORDS, "sum to 1"),
        (["a", "on", "ran"], shares(1), WORDS, "'a' is not one"),
    ],
)
def test_what_does_not_fit_is_refused(tokens, rows, words, says):
    with pytest.raises(ValueError, match=says):
        explorers.gap_guesses(tokens, rows, shares(1), words)


def test_with_all_three_in_order_the_sum_is_the_old_one_in_order():
    before, order = orders.computed(0), list(orders.ORDER)
    whole = orders.computed(3)
    assert np.array_equal(whole["hidden"], before["hidden"])
    assert np.array_equal(whole["sum"], before["sum"][order])
    alone, reads = orders.computed(1), orders.computed(2)
    assert not np.array_equal(alone["hidden"], before["hidden"])
    assert np.array_equal(reads["hidden"], before["hidden"])
    assert not np.array_equal(reads["sum"], before["sum"][order])


def test_orange_is_what_differs():
    found = [
        frame.drawing.count("x-orange")
        for frame in explorers.two_orders().frames
    ]
    assert found[0] == found[3] == 0 and found[1] > 2 and found[2] == 2
    said = [frame.readout for frame in explorers.two_orders().frames]
    assert ["others" in words for words in said] == [False, True, True, False]
