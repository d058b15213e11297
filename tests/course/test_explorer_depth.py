"""The explorers `deep_signals` and `useless_layer`: their numbers are true."""

import itertools
import re

import numpy as np
import pytest
import torch
from readouts import numbers

from transformer_course import explorers
from transformer_course.explorers import depth, useless
from transformer_lib import numpy_reference as reference


def torch_walk(wiring, layers, size, seed):
    """The same random net in torch, with autograd for the way back."""
    draw = np.random.default_rng(seed)
    d = depth._FEATURES
    x = torch.tensor(draw.normal(size=(depth._TOKENS, d)), requires_grad=True)
    norm = torch.nn.LayerNorm(d, eps=0, elementwise_affine=False)
    weights = [
        (
            torch.tensor(draw.normal(size=(d, 2 * d)) * np.sqrt(2 / d)),
            torch.tensor(draw.normal(size=(2 * d, d)) * np.sqrt(0.5 / d)),
        )
        for _ in range(layers)
    ]
    states = [x]
    for u, v in weights:
        h = states[-1]

        def change(z, u=u, v=v):
            return torch.relu(z @ u) @ v * size

        h = {
            "plain": lambda h=h, f=change: f(h),
            "skip": lambda h=h, f=change: h + f(h),
            "post-norm": lambda h=h, f=change: norm(h + f(h)),
            "pre-norm": lambda h=h, f=change: h + f(norm(h)),
        }[wiring]()
        h.retain_grad()
        states.append(h)
    slope = torch.tensor(draw.normal(size=tuple(x.shape)))
    states[-1].backward(slope)
    forward = [s.detach().square().mean().sqrt().item() for s in states]
    backward = [s.grad.square().mean().sqrt().item() for s in states]
    return (
        np.array(forward) / forward[0],
        np.array(backward) / backward[-1],
    )


@pytest.mark.parametrize("wiring", depth.WIRINGS)
@pytest.mark.parametrize("size", [1.0, 0.5])
def test_the_walk_there_and_back_equals_autograd(wiring, size):
    forward, backward = depth._walk(wiring, 7, size, seed=1)
    there, back = torch_walk(wiring, 7, size, seed=1)
    np.testing.assert_allclose(forward, there, rtol=1e-9)
    np.testing.assert_allclose(backward, back, rtol=1e-9)


def test_the_readout_gives_the_ends_of_the_curves():
    explorer = explorers.deep_signals()
    readout = explorer.frames[explorer.start].readout
    assert readout.startswith("50 layers, F(x) of size 1. Vectors,")
    nets = depth._nets(50, 1.0)
    skip = nets[1].forward[-1]
    assert f"skip {depth._number(skip)}" in readout
    assert 0.2 < skip / 2**25 < 2  # each layer doubles the variance
    assert nets[3].forward[-1] == pytest.approx(np.sqrt(51), rel=0.25)
    assert nets[2].forward[-1] == pytest.approx(1, rel=0.05)


def test_curves_stay_in_the_picture():
    explorer = explorers.deep_signals()
    for frame in explorer.frames:
        for path in re.findall(
            r'd="M([^"]+)" class="x-line x-thin', frame.drawing
        ):
            for point in path.split("L"):
                x, y = map(float, point.split())
                assert 0 <= x <= depth.WIDTH and 0 <= y <= depth.HEIGHT
    page = explorer.view([100, 2.0])
    assert "100 layers, F(x) of size 2." in page


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1, "1"),
        (7.14, "7.1"),
        (0.5, "0.5"),
        (123.4, "123"),
        (8.9e-16, "8.9·10⁻¹⁶"),
        (9.97e-44, "1.0·10⁻⁴³"),
    ],
)
def test_numbers_are_said_with_two_digits(value, said):
    assert depth._number(value) == said


def by_hand(x, w, layers):
    """The four wirings with the NumPy reference's norm."""
    ones, zeros = np.ones(4), np.zeros(4)

    def norm(h):
        return reference.layer_norm(h, ones, zeros, eps=0)

    plain = skip = post = pre = np.array(x, dtype=float)
    for _ in range(layers):
        plain = w * plain[::-1]
        skip = skip + w * skip[::-1]
        post = norm(post + w * post[::-1])
        pre = pre + w * norm(pre)[::-1]
    return [plain, skip, post, pre]


def test_useless_layer_equals_numpy():
    explorer = explorers.useless_layer()
    places = itertools.product(useless.FACTORS, useless.LAYERS)
    for (w, layers), frame in zip(places, explorer.frames, strict=True):
        said = frame.readout.split(". ", 1)[1]
        groups = re.findall(r"\(([^)]*)\)", said)
        for group, want in zip(
            groups, by_hand(useless.VECTOR, w, layers), strict=True
        ):
            np.testing.assert_allclose(
                numbers(group), want, atol=0.0051, rtol=6e-3
            )


def test_with_nothing_to_say_only_two_wirings_keep_x():
    explorer = explorers.useless_layer()
    frame = explorer.frames[explorer.start]
    assert frame.readout == (
        "1 layer on top saying nothing: F(x) = 0. plain (0, 0, 0, 0); "
        "skip (1, 2, 3, 6); post-norm (−1.07, −0.53, 0, 1.6); "
        "pre-norm (1, 2, 3, 6)."
    )
    assert frame.drawing.count("x is kept") == 2


def test_bars_are_cut_at_the_edge():
    page = explorers.useless_layer().view(["1, 2, 3, 60", 1.0, 12])
    heights = [float(h) for h in re.findall(r'height="([\d.]+)"', page)]
    assert max(heights) <= useless._HIGH * useless._UNIT + 0.1


@pytest.mark.parametrize("x", [(1, 2, 3), (2, 2, 2, 2)])
def test_vectors_that_show_nothing_are_refused(x):
    with pytest.raises(ValueError, match="four numbers that are not"):
        explorers.useless_layer(x)


def test_a_vector_that_is_none_is_named():
    page = explorers.useless_layer().view(["1, 2, x", 0, 1])
    assert "is no vector" in page
