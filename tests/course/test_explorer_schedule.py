"""The explorers `rate_schedule` and `two_walkers`: their numbers are true."""

import itertools
import re

import numpy as np
import pytest
import torch
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import schedule, walkers
from transformer_lib.schedule import noam_lr


def points(path):
    """The places of a path's corners."""
    return [tuple(map(float, p.split())) for p in path[1:].split("L")]


def test_schedule_readouts_equal_the_library():
    explorer = explorers.rate_schedule()
    places = itertools.product(schedule.WIDTHS, schedule.WARMUPS)
    for (d, w), frame in zip(places, explorer.frames, strict=True):
        width, warmup, _, first, _, peak, last_step, last, times = numbers(
            frame.readout
        )
        assert (width, warmup, last_step) == (d, w, 20_000)
        wanted = [noam_lr(step, d, w) for step in (1, w, 20_000)]
        got = [first / 1000, peak / 1000, last / 1000]
        np.testing.assert_allclose(got, wanted, rtol=4e-3)
        assert times == pytest.approx(wanted[1] / wanted[2], abs=0.006)


def test_the_curve_goes_through_the_rates():
    frame = explorers.rate_schedule().frames[0]  # d = 256, warm-up 2000
    paths = re.findall(
        r'd="([^"]+)" class="x-line x-bold x-blue"', frame.drawing
    )
    drawn = points(paths[0])
    for x, y in drawn[1:]:
        step = (x - schedule._LEFT) / (schedule._RIGHT - schedule._LEFT)
        rate = noam_lr(max(1, round(step * 20_000)), 256, 2000)
        assert y == pytest.approx(schedule._up(rate), abs=1.6)
    assert min(y for _, y in drawn) == pytest.approx(
        schedule._up((256 * 2000) ** -0.5), abs=0.1
    )


def test_every_peak_lies_below_the_top_and_carries_its_knob_and_its_height():
    places = itertools.product(schedule.WIDTHS, schedule.WARMUPS)
    frames = explorers.rate_schedule().frames
    for (d, w), frame in zip(places, frames, strict=True):
        assert noam_lr(w, d, w) <= schedule._HIGHEST
        knob = re.search(
            r'data-drag="1"><circle cx="([\d.]+)" cy="([\d.]+)"', frame.drawing
        )
        peak = schedule._across(w), schedule._up(noam_lr(w, d, w))
        assert tuple(map(float, knob.groups())) == pytest.approx(peak, abs=0.06)
        assert f"peak {1000 * noam_lr(w, d, w):.2f} at step {w:,}" in (
            frame.drawing
        )


def test_the_paper_stands_behind_every_other_schedule():
    explorer = explorers.rate_schedule()
    behind = ["x-thin x-soft" in frame.drawing for frame in explorer.frames]
    assert behind.count(False) == 1
    assert not behind[explorer.start]
    readout = explorer.frames[explorer.start].readout
    assert "Width 512, warm-up 4,000 steps" in readout
    assert "0.699 thousandths" in readout


def test_extreme_schedules_stay_in_the_picture():
    for values in [(256, 1000), (4096, 20_000), (256, 20_000)]:
        page = explorers.rate_schedule().view(values)
        for path in re.findall(r'd="(M[^"A]+)"', page):
            for x, y in points(path):
                assert 0 <= x <= schedule.WIDTH and 0 <= y <= schedule.HEIGHT


def torch_walk(kind, rate, steps):
    """The same walk by torch and autograd."""
    place = torch.tensor(walkers.START, dtype=torch.float64)
    place.requires_grad_()
    if kind == "adam":
        optimizer = torch.optim.Adam(
            [place], lr=rate, betas=(0.9, 0.98), eps=1e-9
        )
    else:
        optimizer = torch.optim.SGD([place], lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * (place[0] ** 2 + 20 * place[1] ** 2)).backward()
        optimizer.step()
    return place.detach().numpy()


@pytest.mark.parametrize("rate", walkers.RATES)
def test_walkers_go_where_torch_goes(rate):
    plain, adam = walkers._walks(rate, 12)
    for walk, kind in ((plain, "plain"), (adam, "adam")):
        want = torch_walk(kind, rate, 12)
        np.testing.assert_allclose([walk.x[-1], walk.y[-1]], want, atol=1e-12)


def test_readouts_say_place_and_loss():
    explorer = explorers.two_walkers()
    places = itertools.product(walkers.RATES, walkers.STEPS)
    for (rate, steps), frame in zip(places, explorer.frames, strict=True):
        said = re.findall(
            r"x = (\S+), y = (\S+), loss (\S+?)\.?(?: A|$)",
            frame.readout.replace("far away", "inf"),
        )
        for (x, y, loss), kind in zip(said, ("plain", "adam"), strict=True):
            want = torch_walk(kind, rate, steps)
            total = 0.5 * (want[0] ** 2 + 20 * want[1] ** 2)
            for text, value in zip((x, y, loss), (*want, total), strict=True):
                if text == "inf":
                    assert abs(value) >= 1000
                else:
                    (got,) = numbers(text)
                    assert got == pytest.approx(value, abs=0.0051)


def test_adam_walks_the_rate_first_and_the_plain_walker_the_slope():
    for rate in walkers.RATES:
        plain, adam = walkers._walks(rate, 1)
        assert adam.x[1] - adam.x[0] == pytest.approx(rate)
        assert adam.y[1] - adam.y[0] == pytest.approx(-rate)
        assert plain.x[1] - plain.x[0] == pytest.approx(4 * rate)
        assert plain.y[1] - plain.y[0] == pytest.approx(-30 * rate)


def test_whoever_runs_away_stays_in_the_picture():
    for values in [(1, 60), (0.5, 30), (0.01, 0)]:
        page = explorers.two_walkers().view(values)
        for x, y in re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)"', page):
            assert 0 <= float(x) <= walkers.WIDTH
            assert 0 <= float(y) <= walkers.HEIGHT
    page = explorers.two_walkers().view((1, 60))
    assert "far away" in page
