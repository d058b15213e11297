"""The explorer `eight_votes`: what it draws and says is the weighted sum."""

import itertools
import re

import numpy as np
import pytest

from transformer_course import explorers
from transformer_course.explorers import votes


def frames():
    """Yield the votes, the neighbor's name and the frame."""
    places = itertools.product(range(votes.VOTES + 1), votes.NEIGHBORS)
    for (k, name), frame in zip(
        places, explorers.eight_votes().frames, strict=True
    ):
        yield k, name, frame


def mixed(k, name):
    neighbor, bank = np.array(votes.NEIGHBORS[name]), np.array(votes.BANK)
    return k / 8 * neighbor + (8 - k) / 8 * bank


def test_the_words_say_the_weighted_sum():
    for k, name, frame in frames():
        assert f"gives {k} of its 8 votes to {name}" in frame.readout
        said = re.search(r"= \(([\d.]+), ([\d.]+)\),", frame.readout).groups()
        assert tuple(map(float, said)) == pytest.approx(mixed(k, name))


def test_the_knob_stands_at_the_tip_of_the_new_vector():
    for k, name, frame in frames():
        knob = re.search(
            r'data-drag="0"><circle cx="([\d.]+)" cy="([\d.]+)"', frame.drawing
        )
        wanted = votes._place(tuple(mixed(k, name)))
        assert tuple(map(float, knob.groups())) == pytest.approx(wanted)


def test_a_click_gives_a_vote_or_takes_the_last_one_back():
    for k, _, frame in frames():
        places = [int(n) for n in re.findall(r'place="(\d)"', frame.drawing)]
        assert len(places) == 8 and k not in places
        given = frame.drawing.count('r="9" class="x-fill x-blue"')
        assert given == k
        if k:
            assert places[k - 1] == k - 1
        assert [p for v, p in enumerate(places, 1) if v != k] == [
            v for v in range(1, 9) if v != k
        ]
