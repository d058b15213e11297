"""What is special to the checks of the chapter on masks."""

import numpy as np
import pytest
import torch

from transformer_lib import numpy_reference as reference
from transformer_lib.course import checks
from transformer_lib.course.checks.about_pad_attention import EXERCISE as PADDED
from transformer_lib.course.checks.code.causal_weights import (
    EXERCISE as CAUSAL,
)
from transformer_lib.course.checks.engine.edits import Reference
from transformer_lib.course.checks.engine.matching import combined
from transformer_lib.course.checks.engine.reading import same
from transformer_lib.course.checks.pad_attention_cases import attended
from transformer_lib.course.checks.paper import (
    three_ways_by_hand as paper_hiding,
)
from transformer_lib.course.checks.paper import two_masks_by_hand as paper_masks


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


def test_pad_attention_agrees_with_torch_and_the_reference():
    draw = np.random.default_rng(2)
    q, k, v = (draw.normal(size=s) for s in [(3, 2, 4), (3, 5, 4), (3, 5, 6)])
    ids = np.array([[7, 7, 3, 7, 7], [1, 2, 3, 4, 5], [7, 7, 7, 7, 7]])
    with np.errstate(invalid="ignore"):  # one sentence is all padding
        got = attended(q, k, v, ids, 7)
    mask = (ids != 7)[:, None, :]
    want = reference.scaled_dot_product_attention(q, k, v, mask)
    np.testing.assert_allclose(got, want, rtol=1e-12)
    fused = torch.nn.functional.scaled_dot_product_attention
    tensors = (torch.from_numpy(x) for x in (q, k, v))
    want = fused(*tensors, attn_mask=torch.from_numpy(mask).expand(3, 2, 5))
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-10, atol=1e-12)
    assert (got[2] == 0).all()


def test_the_cases_hold_what_the_messages_speak_of():
    facts = {case.name: case.args for case in PADDED.cases}
    q, _, _, ids, _ = facts["as many queries as sentences"]
    assert q.shape[1] == len(ids)
    assert any((c.args[3] == 0).any() and c.args[4] for c in PADDED.cases)
    assert any((c.args[3] > c.args[4]).any() for c in PADDED.cases)
    assert (facts["only padding"][3][1] == facts["only padding"][4]).all()
    sizes = [(c.args[0].shape[1], c.args[1].shape[1]) for c in PADDED.cases]
    assert any(n_q != n_k for n_q, n_k in sizes)


# ------------------------------------------------------ two things at once


def composed(exercise, edits):
    if isinstance(exercise.solve, Reference):
        return exercise.variant(edits)
    inputs = ", ".join(exercise.inputs)
    space = {"solve": exercise.solve, "edits": edits}
    exec(f"def f({inputs}): return solve({inputs}, **edits)", space)
    return space["f"]


@pytest.mark.parametrize("exercise", [CAUSAL, PADDED])
def test_two_mistakes_are_not_called_right(exercise):
    check, seen = getattr(checks, exercise.name), 0
    draw = np.random.default_rng(99)
    if exercise is CAUSAL:
        fresh = (draw.normal(size=(6, 6)),)
    else:
        q, k, v = (draw.normal(size=(2, 4, 3)) for _ in range(3))
        fresh = (q, k, v, np.array([[2, 1, 5, 1], [0, 3, 1, 1]]), 1)
    for _, edits in list(combined(exercise, 2))[::9]:
        verdict = check(composed(exercise, edits))
        if not verdict.ok:
            seen += verdict.mistake is not None
            continue
        with np.errstate(all="ignore"):
            got, want = exercise.variant(edits)(*fresh), exercise.solve(*fresh)
        assert same(np.asarray(got), want), edits
    assert seen > 10


def test_two_mistakes_by_hand():
    def one_too_many_and_columns(scores):
        seen = np.tri(scores.shape[-1], k=1, dtype=bool)
        return softmax(np.where(seen, scores, -np.inf), axis=-2)

    verdict = checks.causal_weights(one_too_many_and_columns)
    assert verdict.mistake == "one_key_too_many+softmax_over_queries"

    def zero_and_no_scale(Q, K, V, ids, pad):
        scores = Q @ K.mT * (ids != pad)[:, None, :]
        return softmax(scores) @ V

    verdict = checks.pad_attention(zero_and_no_scale)
    assert verdict.mistake == "zeroed_scores+no_scale"


# ------------------------------------------- not one of the usual mistakes


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
    assert "not one of the usual mistakes" in verdict.message
    assert says in verdict.message, verdict.message


def test_a_leak_through_the_size_of_the_weights_is_a_broken_law():
    def by_the_future(scores):
        tilt = np.tanh(np.triu(scores, 1).sum(axis=-1, keepdims=True))
        place = np.arange(scores.shape[-1])
        seen = np.tri(scores.shape[-1], dtype=bool)
        return softmax(np.where(seen, scores + tilt * place, -np.inf))

    message = checks.causal_weights(by_the_future).message
    assert "only scores of later words change" in message


def test_padding_that_is_read_is_a_broken_law():
    def a_little(Q, K, V, ids, pad):
        seen = np.where(ids == pad, 0.1, 1.0)[:, None, :]
        votes = np.exp(Q @ K.mT / Q.shape[-1] ** 0.5) * seen
        return votes / votes.sum(axis=-1, keepdims=True) @ V

    verdict = checks.pad_attention(a_little)
    assert verdict.mistake is None
    assert "The first thing that breaks" in verdict.message

    def outside(Q, K, V, ids, pad):
        return 3 * attended(Q, K, V, ids, pad)

    assert "an average of the words" in checks.pad_attention(outside).message


# ------------------------------------------------------------------ on paper


def test_the_paper_masks_are_those_of_the_library():
    ids = [[5, 6, 0, 0], [5, 7, 8, 6]]
    padding = reference.padding_mask(ids)
    both = padding & reference.causal_mask(4)
    want = [np.broadcast_to(padding[0], (4, 4)), both[0], both[1]]
    np.testing.assert_array_equal(paper_masks.TWO_MASKS.answer, want)


def test_the_three_ways_are_those_of_a_computer():
    scores = np.log(paper_hiding.VOTES)
    seen = np.array([True, True, False, False])
    ways = [
        softmax(np.where(seen, scores, -np.inf)),
        softmax(np.where(seen, scores, 0.0)),
        np.where(seen, softmax(scores), 0.0),
    ]
    want = [way[1] for way in ways]
    np.testing.assert_allclose(paper_hiding.THREE_WAYS.answer, want)


def test_the_paper_masks_say_where_to_look():
    masks = paper_masks.TWO_MASKS.answer.copy()
    masks[1, 2, 1] = 0
    message = checks.two_masks_by_hand(masks).message
    assert "47 of 48" in message and "table 2" in message
    assert "row 3, column 2" in message
    assert checks.two_masks_by_hand(masks[:2]).status == "wrong"
    assert "row_1" not in message


def test_the_answers_are_never_told():
    shown = [f"{x:.3f}" for x in paper_hiding.RIGHT]
    for value in [None, (1, 1, 1), 5, "x", (0.6, 0.2, 0.1), (9, 9, 9)]:
        verdict = checks.three_ways_by_hand(value)
        text = repr(verdict) + verdict.hint(1) + verdict.hint(2)
        assert not any(number in text for number in shown)
