"""Batches: shape, size, order, and that nothing is lost on the way from text
to text."""

import os
import random
import subprocess
import sys
from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.batching import BatchPlan, make_batch, pad
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.tokenizer import Tokenizer

anything = settings(derandomize=True, max_examples=40, deadline=None)
ids = st.lists(st.integers(4, 99), min_size=1, max_size=9)
corpora = st.lists(st.tuples(ids, ids), min_size=1, max_size=40)
limits = st.integers(1, 60)
seeds = st.integers(0, 5)

PAIRS = [
    (list(range(4, 4 + n)), list(range(40, 40 + m)))
    for n in range(1, 9)
    for m in range(1, 7)
]


def test_pad_fills_up_on_the_right():
    assert pad([[5, 6, 7], [8]]).tolist() == [[5, 6, 7], [8, 0, 0]]


def test_no_sentences_make_an_empty_rectangle():
    assert pad([]).shape == (0, 0)
    assert pad([[], []]).shape == (2, 0)


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


def test_a_batch_may_be_full_to_the_last_token():
    plan = BatchPlan([([4] * 5, [5])] * 6, tokens_per_batch=15)
    assert [len(plan.indices(step)) for step in range(len(plan))] == [3, 3]


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


# ------------------------------------------------------ laws, for any corpus


def sizes_of(pairs):
    return [max(len(source), len(target) + 1) for source, target in pairs]


def epoch_of(plan, epoch):
    steps = range(epoch * len(plan), (epoch + 1) * len(plan))
    return [plan.indices(step) for step in steps]


def without_padding(rows):
    """Cut the padding off; it must stand on the right alone."""
    cut = [[i for i in row if i != PAD] for row in rows.tolist()]
    longest = max(map(len, cut))
    assert rows.shape == (len(cut), longest)
    for row, kept in zip(rows.tolist(), cut, strict=True):
        assert row == kept + [PAD] * (longest - len(kept))
    return cut


@anything
@given(corpora, limits, seeds, st.integers(0, 3))
def test_in_each_epoch_nothing_is_lost_and_nothing_doubled(
    pairs, limit, seed, epoch
):
    plan = BatchPlan(pairs, limit, seed)
    batches = epoch_of(plan, epoch)
    assert sorted(i for b in batches for i in b) == list(range(len(pairs)))
    assert all(batches)


@anything
@given(corpora, limits, seeds, st.integers(0, 3))
def test_a_batch_fits_or_holds_one_pair_and_takes_what_fits(
    pairs, limit, seed, epoch
):
    sizes = sizes_of(pairs)
    plan = BatchPlan(pairs, limit, seed)
    found = [sorted(sizes[i] for i in b) for b in epoch_of(plan, epoch)]
    for batch in found:
        assert len(batch) * batch[-1] <= limit or len(batch) == 1

    def by_end(batch):
        return batch[-1], batch[0], -len(batch)

    # By length, each begins where the one before was full and had ended.
    for one, following in pairwise(sorted(found, key=lambda b: (b[0], b[-1]))):
        assert one[-1] <= following[0]
    for one, following in pairwise(sorted(found, key=by_end)):
        assert (len(one) + 1) * following[0] > limit


@anything
@given(corpora, limits, seeds)
def test_a_batch_holds_its_pairs_shifted_by_one(pairs, limit, seed):
    plan = BatchPlan(pairs, limit, seed)
    for step in range(2 * len(plan)):
        batch = plan.batch(step)
        wanted = [pairs[i] for i in plan.indices(step)]
        assert without_padding(batch.source) == [s for s, _ in wanted]
        read, said = map(without_padding, (batch.target_in, batch.target_out))
        assert read == [[BOS, *target] for _, target in wanted]
        assert said == [[*target, EOS] for _, target in wanted]
        assert batch.target_in.shape == batch.target_out.shape


@anything
@given(corpora, limits, seeds, st.lists(st.integers(0, 50), max_size=6))
def test_seed_and_step_alone_decide_the_batch(plain, pairs, limit, seed, steps):
    """Not what was asked before, nor anybody else's dice. (Which the shape
    checks of the other tests throw, so they are left out.)"""
    plan = plain("batching").BatchPlan
    walked = plan(pairs, limit, seed)
    random.seed(1)
    asked = [walked.indices(step) for step in steps]
    random.seed(2)
    before = random.getstate()
    for step, expected in reversed(list(zip(steps, asked, strict=True))):
        assert plan(pairs, limit, seed).indices(step) == expected
        assert walked.indices(step) == expected
    assert random.getstate() == before


def test_every_seed_and_every_epoch_has_an_order_of_its_own():
    orders = [
        str(epoch_of(BatchPlan(PAIRS, 30, seed), epoch))
        for seed in range(4)
        for epoch in range(4)
    ]
    assert len(set(orders)) == 16


def test_another_process_makes_the_same_batches():
    """Python hashes texts with a secret that each process has anew."""
    code = (
        "from transformer_lib.batching import BatchPlan\n"
        "plan = BatchPlan([([4] * n, [5]) for n in range(1, 30)], 40, 3)\n"
        "print([plan.indices(step) for step in range(2 * len(plan))])"
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": secret},
            capture_output=True,
            check=True,
        ).stdout
        for secret in "12"
    }
    assert len(orders) == 1


def test_lengths_come_mixed_and_pairs_of_one_length_change_company():
    plan = BatchPlan(PAIRS, 30)
    sizes = sizes_of(PAIRS)
    epochs = [epoch_of(plan, epoch) for epoch in range(3)]
    for batches in epochs:
        longest = [max(sizes[i] for i in batch) for batch in batches]
        assert longest not in (sorted(longest), sorted(longest)[::-1])
    companies = [{frozenset(batch) for batch in b} for b in epochs]
    assert companies[0] != companies[1] != companies[2]


def test_a_batch_moves_as_a_whole():
    batch = make_batch(PAIRS[:3])
    moved = batch.to("meta")
    for name in ("source", "target_in", "target_out"):
        one, other = getattr(batch, name), getattr(moved, name)
        assert (one.device.type, other.device.type) == ("cpu", "meta")
        assert one.shape == other.shape
        assert torch.equal(getattr(batch.to("cpu"), name), one)


# ----------------------------------------------------- from text to text

TEXTS = [
    (
        "the cat did not cross the river .",
        "고양이 +는 강 +을 건너 +지 않 +았 +다 +.",
    ),
    ("the cat slept .", "고양이 +는 자 +았 +다 +."),
    ("猫 slept 🚲 .", "猫 +는 자 +았 +다 +."),
    ("not the river", "강 +이 +."),
]


@pytest.mark.parametrize("kind", ["words", "pieces"])
@anything
@given(
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=12),
    st.integers(1, 120),
    seeds,
)
def test_text_comes_back_from_the_batches_as_it_went_in(
    kind, texts, limit, seed
):
    made = TOKENIZERS[kind]
    pairs = [tuple(map(made.encode, pair)) for pair in texts]
    back = []
    for batch in BatchPlan(pairs, limit, seed).once():
        sides = (batch.source, batch.target_in, batch.target_out)
        for source, read, said in zip(
            *(x.tolist() for x in sides), strict=True
        ):
            assert made.decode(read) == made.decode(said)
            back.append((made.decode(source), made.decode(said)))
    joined = [
        (s, t.replace(" +", "") if kind == "words" else t) for s, t in texts
    ]
    assert sorted(back) == sorted(joined)


FLAT = [text for pair in TEXTS for text in pair]
TOKENIZERS = {
    "words": Tokenizer.words(FLAT),
    "pieces": Tokenizer.bpe(FLAT * 3, 290),
}
