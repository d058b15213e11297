"""The explorer `residual_stream`: its numbers are those of real vectors."""

import re

import numpy as np
import pytest

from transformer_course import explorers
from transformer_course.explorers import stream


def written(count, wiring, ratio):
    """The stream after `count` sub-layers, and what each writer has in it.

    Row i of the second result is the part of writer i, the first of them
    the embedding; a change stands at a right angle to all others.
    """
    directions = np.eye(2 * stream.LAYERS + 1)
    parts = [directions[0]]
    for place in range(count):
        x = sum(parts)
        size = ratio if wiring == "pre-norm" else ratio * np.linalg.norm(x)
        parts.append(size * directions[place + 1])
        if wiring == "post-norm":
            length = np.linalg.norm(sum(parts))
            parts = [part / length for part in parts]
    return sum(parts), np.array(parts)


@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("place", range(2))
def test_the_shares_are_those_of_vectors(place, ratio):
    wiring = stream.WIRINGS[place]
    for count in range(2 * stream.LAYERS + 1):
        x, parts = written(count, wiring, ratio)
        shares = (parts**2).sum(axis=1) / (x @ x)
        np.testing.assert_allclose(stream.shares(count, place, ratio), shares)
        if count:
            frame = explorers.residual_stream(ratio).frames[2 * count + place]
            said = re.findall(r"\d+\.\d+|\d+", frame.readout)
            cosine = x[0] / np.linalg.norm(x)
            assert float(said[-1]) == pytest.approx(cosine, abs=6e-4)
            assert f"{np.linalg.norm(x):.2f} times as long" in frame.readout


def test_the_last_cosines_are_those_that_the_chapter_predicts():
    pre, post = explorers.residual_stream().frames[-2:]
    assert f"{13**-0.5:.3f}" in pre.readout
    assert f"{2.0**-6:.3f}" in post.readout


def test_a_length_of_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        explorers.residual_stream(0)
