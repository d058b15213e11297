"""The explorers `positional_waves` and `clock_hands` say what is true."""

import itertools
import re

import numpy as np
import pytest
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import clock, waves
from transformer_lib import numpy_reference as reference


def shades(frame):
    """The table that a map shows, read back from its paths."""
    found = {}
    for path, color, deep in re.findall(
        r'<path d="([^"]+)" class="x-fill x-(\w+)" fill-opacity="([\d.]+)"',
        frame.drawing,
    ):
        for cell in re.findall(r"M([\d.]+) ([\d.]+)h[\d.]+v([\d.]+)", path):
            x, y, high = map(float, cell)
            if y < waves._TOP:
                continue  # the legend
            first = round((y - waves._TOP) / waves._ROW)
            for row in range(first, first + round(high / waves._ROW)):
                sign = 1 if color == "blue" else -1
                found[row, x] = sign * float(deep)
    columns = sorted({x for _, x in found})
    return np.array(
        [[found[row, x] for x in columns] for row in range(waves.POSITIONS)]
    )


@pytest.mark.parametrize("d", waves.WIDTHS)
def test_the_map_shows_the_encoding_of_the_library(d):
    explorer = explorers.positional_waves()
    place = waves.BASES.index(10000) * len(waves.WIDTHS)
    frame = explorer.frames[place + waves.WIDTHS.index(d)]
    want = reference.sinusoidal_encoding(waves.POSITIONS, d)
    got = shades(frame)
    assert got.shape == want.shape
    assert abs(got - want).max() < 0.5 / waves.LEVELS + 0.01


def test_the_words_say_waves_and_distances():
    explorer = explorers.positional_waves()
    places = itertools.product(waves.BASES, waves.WIDTHS)
    for (base, d), frame in zip(places, explorer.frames, strict=True):
        lengths = [2 * np.pi * base ** (2 * i / d) for i in range(d // 2)]
        around = sum(length <= waves.POSITIONS - 1 for length in lengths)
        apart = np.sqrt(sum(2 - 2 * np.cos(2 * np.pi / w) for w in lengths))
        said = numbers(frame.readout)
        assert said[:2] == [base, d]
        assert said[3:5] == [around, d // 2]
        assert said[5] == round(lengths[-1])
        assert said[6] == pytest.approx(apart, abs=0.0051)


def test_the_live_map_takes_another_base():
    page = explorers.positional_waves().view([50, 0])
    assert "Base 50, d = 4. In 32 positions 1 of 2 pairs" in page


def tips(frame):
    """Where the hands of a frame end: the tips of its arrow heads."""
    heads = re.findall(r'<polygon points="([\d.]+),([\d.]+) ', frame.drawing)
    return np.array(heads, dtype=float).reshape(2, 2, 2)


def test_hands_point_to_sine_and_cosine():
    explorer = explorers.clock_hands()
    places = itertools.product(clock.STARTS, clock.SHIFTS)
    for (start, shift), frame in zip(places, explorer.frames, strict=True):
        for dial, hands in enumerate(tips(frame)):
            for place, tip in zip((start, start + shift), hands, strict=True):
                angle = clock.SPEEDS[dial] * place
                want = [
                    clock._CENTERS[dial] + clock._RADIUS * np.sin(angle),
                    clock._MIDDLE - clock._RADIUS * np.cos(angle),
                ]
                np.testing.assert_allclose(tip, want, atol=0.06)


def test_the_words_are_rows_of_the_encoding():
    table = reference.sinusoidal_encoding(40, 8)
    explorer = explorers.clock_hands()
    places = itertools.product(clock.STARTS, clock.SHIFTS)
    for (start, shift), frame in zip(places, explorer.frames, strict=True):
        said = numbers(frame.readout)
        assert said[:2] == [start, shift]
        here, there = table[start, :4], table[start + shift, :4]
        want = [*here[:2], *there[:2], *here[2:], *there[2:]]
        np.testing.assert_allclose(said[2:10], want, atol=0.0051)
        np.testing.assert_allclose(said[10:12], [shift, shift / 10])
        assert said[12] == pytest.approx(here @ there, abs=5.1e-4)


def test_the_arc_leads_from_hand_to_hand():
    frame = clock._frame(4, 2)
    arcs = re.findall(r'd="M([^"]+)" class="x-line x-thin', frame.drawing)
    assert len(arcs) == 2
    for dial, arc in enumerate(arcs):
        points = [tuple(map(float, p.split())) for p in arc.split("L")]
        for place, (x, y) in zip((4, 6), (points[0], points[-1]), strict=True):
            across, up = x - clock._CENTERS[dial], clock._MIDDLE - y
            angle = clock.SPEEDS[dial] * place
            assert np.arctan2(across, up) == pytest.approx(
                np.arctan2(np.sin(angle), np.cos(angle)), abs=0.01
            )


def test_a_long_turn_stays_in_the_picture():
    page = explorers.clock_hands().view([1000, -50])
    for arc in re.findall(r'd="M([^"]+)" class="x-line x-thin', page):
        for point in arc.split("L"):
            x, y = map(float, point.split())
            assert 0 <= x <= clock.WIDTH and 0 <= y <= clock.HEIGHT
