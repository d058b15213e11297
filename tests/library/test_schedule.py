"""The learning rate, a function of the step alone."""

import math

import pytest
import torch

from transformer_lib import numpy_reference as reference
from transformer_lib.schedule import cosine_lr, noam_lr


def test_noam_by_hand():
    rates = [noam_lr(step, d_model=4, warmup=4) for step in range(1, 6)]
    expected = [1 / 16, 1 / 8, 3 / 16, 1 / 4, 1 / (2 * math.sqrt(5))]
    assert rates == pytest.approx(expected)


def test_noam_of_the_paper_peaks_at_the_end_of_the_warm_up():
    rates = [noam_lr(step, 512, 4000) for step in range(1, 9000)]
    assert rates.index(max(rates)) == 4000 - 1
    assert max(rates) == pytest.approx((512 * 4000) ** -0.5)
    assert reference.noam_lr(777, 512, 4000) == pytest.approx(rates[776])


def test_noam_rises_evenly_and_falls_with_the_root():
    assert noam_lr(30, 64, 100) == pytest.approx(3 * noam_lr(10, 64, 100))
    late, later = noam_lr(400, 64, 100), noam_lr(1600, 64, 100)
    assert late == pytest.approx(2 * later)
    assert noam_lr(9, 16, 100) == pytest.approx(2 * noam_lr(9, 64, 100))


def test_cosine_rises_then_falls_to_zero():
    def rate(step):
        return cosine_lr(step, max_lr=2.0, warmup=4, total=12)

    rise = [rate(step) for step in (1, 2, 3, 4)]
    assert rise == pytest.approx([0.5, 1.0, 1.5, 2.0])
    assert rate(8) == pytest.approx(1.0)
    assert rate(12) == pytest.approx(0.0)
    assert rate(99) == pytest.approx(0.0)


def test_cosine_equals_torch_from_the_peak_on():
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=2.0)
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=8)
    for step in range(4, 13):
        ours = cosine_lr(step, max_lr=2.0, warmup=4, total=12)
        assert ours == pytest.approx(fall.get_last_lr()[0], abs=1e-12)
        optimizer.step()
        fall.step()


def test_a_schedule_of_no_steps_is_refused():
    with pytest.raises(ValueError, match="total=0"):
        cosine_lr(1, 1e-3, 1, 0)
