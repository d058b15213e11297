"""What is special to the checks of the chapter on masks."""

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code.causal_weights import (
    EXERCISE as CAUSAL,
)
from transformer_course.checks.engine.matching import combined
from transformer_course.checks.engine.reading import same
from transformer_course.checks.paper import paper_of
from transformer_lib import numpy_reference as reference


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# ----------------------------------------------------------- the references


@pytest.mark.parametrize("size", [(1, 1), (4, 4), (2, 5, 5), (2, 3, 4, 4)])
def test_causal_weights_agree_with_torch(size):
    scores = 2 * np.random.default_rng(1).normal(size=size)
    future = torch.ones(size[-2:], dtype=torch.bool).triu(1)
    want = torch.from_numpy(scores).masked_fill(future, -torch.inf).softmax(-1)
    np.testing.assert_allclose(CAUSAL.solve(scores), want.numpy(), rtol=1e-12)


# ------------------------------------------------------ two things at once


def test_two_mistakes_are_not_called_right():
    seen = 0
    fresh = np.random.default_rng(99).normal(size=(6, 6))
    for _, edits in list(combined(CAUSAL, 2))[::9]:
        verdict = checks.causal_weights(CAUSAL.variant(edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        with np.errstate(all="ignore"):
            got, want = CAUSAL.variant(edits)(fresh), CAUSAL.solve(fresh)
        assert same(np.asarray(got), want), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    def one_too_many_and_columns(scores):
        seen = np.tri(scores.shape[-1], k=1, dtype=bool)
        return softmax(np.where(seen, scores, -np.inf), axis=-2)

    verdict = checks.causal_weights(one_too_many_and_columns)
    assert verdict.mistake == "one_key_too_many+softmax_over_queries"


# ------------------------------------------------- no mistake that is known


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda w: w[..., :-1], "shape"),
        (lambda w: np.where(w > 0.5, np.nan, w), "nan"),
        (lambda w: w + np.triu(np.full(w.shape, 0.1), 1), "comes later"),
        (lambda w: 0.9 * w, "sums to 0.9"),
        (lambda w: [list(r[r > 0]) for r in np.atleast_2d(w)], "Numbers are"),
    ],
)
def test_the_first_broken_property_is_named(change, says):
    verdict = checks.causal_weights(lambda scores: change(CAUSAL.solve(scores)))
    assert verdict.mistake is None
    assert says in verdict.message, verdict.message


def test_a_leak_through_the_size_of_the_weights_is_a_broken_law():
    def by_the_future(scores):
        tilt = np.tanh(np.triu(scores, 1).sum(axis=-1, keepdims=True))
        place = np.arange(scores.shape[-1])
        seen = np.tri(scores.shape[-1], dtype=bool)
        return softmax(np.where(seen, scores + tilt * place, -np.inf))

    message = checks.causal_weights(by_the_future).message
    assert "only scores of later words change" in message


# ------------------------------------------------------------------ on paper


def test_the_paper_masks_are_those_of_the_library():
    ids = [[5, 6, 0, 0], [5, 7, 8, 6]]
    padding = reference.padding_mask(ids)
    both = padding & reference.causal_mask(4)
    want = [np.broadcast_to(padding[0], (4, 4)), both[0], both[1]]
    np.testing.assert_array_equal(paper_of("two_masks_by_hand").answer, want)


def test_the_three_ways_are_those_of_a_computer():
    scores = np.log([*paper_of("three_ways_by_hand").givens["powers"].value, 1])
    seen = np.array([True, True, False, False])
    ways = [
        softmax(np.where(seen, scores, -np.inf)),
        softmax(np.where(seen, scores, 0.0)),
        np.where(seen, softmax(scores), 0.0),
    ]
    want = [way[1] for way in ways]
    np.testing.assert_allclose(paper_of("three_ways_by_hand").answer, want)


def test_the_paper_masks_say_where_to_look():
    masks = paper_of("two_masks_by_hand").answer.copy()
    masks[1, 2, 1] = 0
    message = checks.two_masks_by_hand(masks).message
    assert "47 of 48" in message and "table 2" in message
    assert "row 3, column 2" in message
    assert checks.two_masks_by_hand(masks[:2]).status == "wrong"
    assert "row_1" not in message


def test_the_answers_are_never_told():
    shown = [f"{x:.3f}" for x in paper_of("three_ways_by_hand").answer]
    for value in [None, (1, 1, 1), 5, "x", (0.6, 0.2, 0.1), (9, 9, 9)]:
        verdict = checks.three_ways_by_hand(value)
        text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
        assert not any(number in text for number in shown)
