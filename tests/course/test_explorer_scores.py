"""The explorers `score_spread` and `two_cures`: their numbers are true."""

import itertools
import re

import numpy as np
import pytest
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import cures, spread


def softmax(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


# ---------------------------------------------------------------- score_spread


def redrawn(d_k):
    """The scores of the explorer, drawn a second time, plainly."""
    draw = np.random.default_rng([4, d_k])
    queries = draw.normal(size=(200, d_k))
    return np.array([draw.normal(size=(10, d_k)) @ q for q in queries])


def test_spread_readouts_equal_numpy():
    explorer = explorers.score_spread()
    places = itertools.product(spread.WIDTHS, range(3))
    for (d_k, scale), frame in zip(places, explorer.frames, strict=True):
        scores = redrawn(d_k) / d_k ** (scale / 2)
        largest = softmax(scores).max(axis=1).mean()
        said = numbers(frame.readout)
        assert said[0] == d_k
        np.testing.assert_allclose(
            said[-2:], [scores.std(), largest], atol=5.1e-3
        )


def test_the_bars_are_the_weights_of_the_typical_row():
    explorer = explorers.score_spread()
    places = itertools.product(spread.WIDTHS, range(3))
    for (d_k, scale), frame in zip(places, explorer.frames, strict=True):
        plain = redrawn(d_k)
        order = np.argsort(softmax(plain).max(axis=1))
        want = softmax(plain[order[100]] / d_k ** (scale / 2))
        bars = re.findall(
            r'height="([\d.]+)" class="x-fill x-green"', frame.drawing
        )
        assert len(bars) == 10
        np.testing.assert_allclose(
            [float(bar) for bar in bars], np.maximum(90 * want, 0.6), atol=0.06
        )


def test_the_histogram_counts_the_scores():
    frame = explorers.score_spread().frames[0]  # d_k = 1: few, high bars
    scores = redrawn(1)
    counts, _ = np.histogram(scores, np.arange(-40, 42, 2))
    bars = re.findall(r'height="([\d.]+)" class="x-fill x-blue"', frame.drawing)
    heights = 98 * counts[counts > 0] / counts.max()
    np.testing.assert_allclose(
        [float(bar) for bar in bars], np.maximum(heights, 0.8), atol=0.06
    )


def test_scaling_keeps_the_spread_whatever_d_k():
    frames = explorers.score_spread().frames
    spreads = [numbers(frame.readout)[-2] for frame in frames]
    np.testing.assert_allclose(spreads[1::3], 1, atol=0.08)
    np.testing.assert_allclose(spreads[0::3], np.sqrt(spread.WIDTHS), rtol=0.08)


def test_live_takes_any_width_and_size():
    explorer = explorers.score_spread()
    page = explorer.view([100, 1, 2.0])
    scores = 4 * redrawn(100) / 10
    assert f"standard deviation is {scores.std():.2f}" in page


# ------------------------------------------------------------------- two_cures


def test_cures_readouts_equal_numpy():
    explorer = explorers.two_cures()
    places = itertools.product(cures.ROWS, range(4))
    for (row, cure), frame in zip(places, explorer.frames, strict=True):
        z = np.array(row) / (32 if cure >= 2 else 1)
        z = z - (z.max() if cure in (1, 3) else 0)
        with np.errstate(all="ignore"):
            weights = np.exp(z) / np.exp(z).sum()
        said = frame.readout.split(": weights ")[1].split(". ")[0]
        if np.isnan(weights).any():
            assert "nan" in said and "Overflow" in frame.readout
            continue
        np.testing.assert_allclose(numbers(said), weights, atol=5.1e-4)
        same = np.allclose(weights, softmax(np.array(row)), atol=5e-4)
        assert ("This is softmax" in frame.readout) == same


def test_only_subtracting_always_gives_softmax():
    frames = explorers.two_cures().frames
    assert all("This is softmax" in f.readout for f in frames[1::4])
    for treated in (frames[0::4], frames[2::4], frames[3::4]):
        assert not all("This is softmax" in f.readout for f in treated)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.e, "2.718"),
        (0.0, "0"),
        (np.inf, "inf"),
        (2.2e86, "2.2 · 10⁸⁶"),
        (4.5e-5, "4.5 · 10⁻⁵"),
    ],
)
def test_exponentials_are_written_to_be_read(value, text):
    assert cures.power(value) == text


def test_live_computes_in_the_chosen_format():
    explorer = explorers.two_cures()
    assert "weights 0.665, 0.245, 0.090" in explorer.view([80, 79, 78, 0, 1])
    assert "Overflow" in explorer.view([100, 99, 98, 0, 1])
    assert "Overflow" in explorer.view([12, 11, 10, 0, 2])
    assert "0 ÷ 0" in explorer.view([-900, -901, -902, 0, 0])
    assert "Overflow in the sum" in explorer.view([11, 11, 11, 0, 2])
