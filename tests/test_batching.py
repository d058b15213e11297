"""Batches: shape, size, order, and that nothing is lost."""

import pytest
import torch

from transformer_lib.batching import BatchPlan, make_batch, pad

PAIRS = [
    (list(range(4, 4 + n)), list(range(40, 40 + m)))
    for n in range(1, 9)
    for m in range(1, 7)
]


def test_pad_fills_up_on_the_right():
    assert pad([[5, 6, 7], [8]]).tolist() == [[5, 6, 7], [8, 0, 0]]


def test_targets_are_shifted_by_one():
    batch = make_batch([([4, 5], [7, 8, 9]), ([6], [10])])
    assert batch.source.tolist() == [[4, 5], [6, 0]]
    assert batch.target_in.tolist() == [[1, 7, 8, 9], [1, 10, 0, 0]]
    assert batch.target_out.tolist() == [[7, 8, 9, 2], [10, 2, 0, 0]]


@pytest.mark.parametrize("epoch", [0, 1])
def test_every_epoch_has_each_pair_once(epoch):
    plan = BatchPlan(PAIRS, tokens_per_batch=30, seed=3)
    steps = range(epoch * len(plan), (epoch + 1) * len(plan))
    seen = [index for step in steps for index in plan.indices(step)]
    assert sorted(seen) == list(range(len(PAIRS)))


def test_no_batch_is_larger_than_allowed():
    plan = BatchPlan(PAIRS, tokens_per_batch=30)
    for step in range(len(plan)):
        batch = plan.batch(step)
        assert max(batch.source.numel(), batch.target_in.numel()) <= 30


def test_batches_are_nearly_full():
    plan = BatchPlan(PAIRS, tokens_per_batch=30)
    sizes = [max(len(s), len(t) + 1) for s, t in PAIRS]
    assert len(plan) <= 1.5 * sum(sizes) / 30


def test_a_pair_over_the_limit_is_a_batch_by_itself():
    plan = BatchPlan([*PAIRS, (list(range(50)), [4])], tokens_per_batch=30)
    alone = [plan.indices(s) for s in range(len(plan))]
    assert [len(PAIRS)] in alone


def test_a_step_has_the_same_batch_whatever_came_before():
    forward = BatchPlan(PAIRS, 30, seed=1)
    walked = [forward.indices(step) for step in range(3 * len(forward))]
    jumping = BatchPlan(PAIRS, 30, seed=1)
    for step in (len(walked) - 1, 2, len(jumping) + 1, 0):
        assert jumping.indices(step) == walked[step]


def test_epochs_and_seeds_differ():
    plan = BatchPlan(PAIRS, 30, seed=1)
    first = [plan.indices(step) for step in range(len(plan))]
    second = [plan.indices(step + len(plan)) for step in range(len(plan))]
    other = BatchPlan(PAIRS, 30, seed=2)
    assert first != second
    assert first != [other.indices(step) for step in range(len(other))]


def test_once_goes_through_the_corpus_once():
    batches = list(BatchPlan(PAIRS, 30).once())
    assert sum(len(b.source) for b in batches) == len(PAIRS)
    assert all(b.source.dtype == torch.long for b in batches)
