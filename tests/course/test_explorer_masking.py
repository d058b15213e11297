"""The explorers `masked_scores` and `information_flow` say what is true."""

import itertools
import re

import numpy as np
import pytest
import torch

from transformer_course import explorers
from transformer_course.explorers import flow, masking
from transformer_lib import numpy_reference as reference

SCORES = np.array(masking.SCORES, dtype=float)
FILLS = {"−∞": -np.inf, "−1e9": -1e9, "0": 0.0}


def rows(readout):
    """The three rows of weights that a readout names."""
    found = re.findall(r"q[₁₂₃]: ([^q]*?)\. ", readout)
    return [[float(x) for x in row.split(", ")] for row in found]


def wanted(scores, mask, fill):
    """The weights by torch, with no help from the explorer."""
    scores, mask = torch.tensor(scores), torch.tensor(mask)
    return scores.masked_fill(~mask, FILLS[fill]).softmax(-1).numpy()


def places():
    return itertools.product(masking.MASKS, masking.FILLS)


def test_masked_scores_say_what_torch_computes():
    frames = explorers.masked_scores().frames
    for (name, fill), frame in zip(places(), frames, strict=True):
        want = wanted(SCORES, masking.MASKS[name], fill)
        assert f"May be looked at: {name}." in frame.readout
        assert f"The rest becomes: {fill}." in frame.readout
        np.testing.assert_allclose(rows(frame.readout), want, atol=5.1e-4)


def test_the_masks_are_those_of_the_library():
    causal = reference.causal_mask(3)
    assert (masking.MASKS["up to i"] == causal).all()
    padded = reference.padding_mask([[5, 6, 0]])[0]
    assert (masking.MASKS["not key 3"] == padded).all()
    first = explorers.masked_scores().frames[0]
    q = np.sqrt(3) * SCORES
    weights = reference.attention_weights(q, np.eye(3), causal)
    np.testing.assert_allclose(rows(first.readout), weights, atol=5.1e-4)


def test_the_judgment_fits_the_weights():
    frames = explorers.masked_scores().frames
    seen = set()
    for (name, fill), frame in zip(places(), frames, strict=True):
        mask = masking.MASKS[name]
        want = wanted(SCORES, mask, fill)
        leak = np.where(mask, 0.0, want).sum(axis=1).max()
        if np.isnan(want).any():
            says = "not a number"
        elif leak > 5e-4:
            says = "to hidden keys"
            assert f"{leak:.3f} to hidden keys" in frame.readout
        else:
            says = "each row sums to 1"
        assert says in frame.readout
        seen.add(says)
    assert len(seen) == 3


def test_nearly_0_is_not_called_0():
    causal = np.tril(np.ones((3, 3), dtype=bool))
    weights = np.tril([[1.0] * 3, [0.5] * 3, [0.4, 0.3, 0.3]])
    assert "get 0," in masking._short(weights, causal)
    weights[0, 1] = 1e-26
    assert "nearly 0" in masking._short(weights, causal)
    assert "nothing is hidden" in masking._short(weights, causal | True)


def test_orange_marks_what_goes_wrong_and_nothing_else():
    frames = explorers.masked_scores().frames
    for (name, fill), frame in zip(places(), frames, strict=True):
        mask = masking.MASKS[name]
        want = wanted(SCORES, mask, fill)
        bad = np.isnan(want) | (~mask & (want > 5e-4))
        assert frame.drawing.count("x-orange") == bad.sum()


def test_a_mask_is_painted_by_hand():
    explorer = explorers.masked_scores()
    page = explorer.view(["0,0,0; 1,0,1; 0,1,1", "3,1,2; 0,1,4; 5,5,5", 1])
    mask = np.array([[0, 0, 0], [1, 0, 1], [0, 1, 1]], dtype=bool)
    painted = np.array([[3.0, 1, 2], [0, 1, 4], [5, 5, 5]])
    want = wanted(painted, mask, "−1e9")
    assert "as painted" in page
    for row in want:
        assert ", ".join(f"{x:.3f}" for x in row) in page
    low = explorer.view(["1,0,0; 1,1,0; 1,1,1", "-20,0,0; 0,0,0; 0,0,0", 1])
    assert "q₁: 1.000, 0.000, 0.000." in low
    start = [entry.start for entry in explorer.inputs]
    for place, text, says in [
        (0, "1, 0; 0, 1", "no table of 3 rows"),
        (0, "1,0,2; 1,1,1; 1,1,1", "zeros and ones"),
        (1, "1, 1, x; 0, 2, 0; 1, 0, 2", "no table of 3 rows"),
    ]:
        values = list(start)
        values[place] = text
        assert says in explorer.view(values)
    with pytest.raises(ValueError, match="3 rows of 3"):
        explorers.masked_scores(np.ones((2, 3)))


# ---------------------------------------------------------------------- flow


def attends(mask, n):
    """The masks once more, written out place by place."""
    rules = {
        "up to i": lambda i, j: j <= i,
        "up to i + 1": lambda i, j: j <= i + 1,
        "before i": lambda i, j: j < i,
        "first two open": lambda i, j: j <= i or j < 2,
        "no mask": lambda i, j: True,
    }
    rule = rules[flow.MASKS[mask]]
    return torch.tensor([[rule(i, j) for j in range(n)] for i in range(n)])


def influences(mask, n):
    """Which inputs move which outputs of two layers, by autograd."""
    draw = torch.Generator().manual_seed(0)
    x = torch.randn(n, 4, dtype=torch.float64, generator=draw)
    x.requires_grad_()
    seen, h = attends(mask, n), x
    for _ in range(2):
        scores = (h @ h.T).masked_fill(~seen, -torch.inf)
        h = h + scores.softmax(-1).nan_to_num(0.0) @ h
    found = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        (gradient,) = torch.autograd.grad(h[i].sum(), x, retain_graph=True)
        found[i] = gradient.nan_to_num(0.0).abs().sum(-1) > 0
    return found.numpy()


@pytest.mark.parametrize("mask", range(len(flow.MASKS)))
@pytest.mark.parametrize("n", [2, 4, 5])
def test_what_reaches_an_output_is_what_moves_it(mask, n):
    if flow.MASKS[mask] == "before i":  # row 1 has no key, only the skip
        assert (flow.reached(mask, n) == np.tri(n, dtype=bool)).all()
        return
    assert (flow.reached(mask, n) == influences(mask, n)).all()


def test_information_flow_says_what_reaches():
    explorer = explorers.information_flow()
    inputs = ["<bos>", *flow.SENTENCE]
    answers = [*flow.SENTENCE, "<eos>"]
    grid = itertools.product(range(len(flow.MASKS)), range(5))
    leaks = set()
    for (mask, place), frame in zip(grid, explorer.frames, strict=True):
        reach = flow.reached(mask, 5)[place]
        names = ", ".join(w for w, r in zip(inputs, reach, strict=True) if r)
        assert f"these inputs reach it: {names}." in frame.readout
        assert f"has to predict {answers[place]}." in frame.readout
        leak = place < 4 and bool(reach[place + 1])
        assert ("stands among the inputs" in frame.readout) == leak
        assert ("x-orange" in frame.drawing) == leak
        if leak:
            leaks.add(flow.MASKS[mask])
    assert leaks == {"up to i + 1", "first two open", "no mask"}


def test_other_words_and_too_many():
    explorer = explorers.information_flow()
    page = explorer.view(["go go", 1, 0])
    assert "has to predict go" in page and "stands among" in page
    assert "stands among" not in explorer.view(["go go", 0, 1])
    assert "one to four" in explorer.view(["a b c d e", 0, 0])
    with pytest.raises(ValueError, match="one to four"):
        explorers.information_flow(())


def test_a_click_on_a_score_goes_to_the_nearest_mask_that_turns_it():
    names = list(masking.MASKS)
    fills = len(masking.FILLS)
    frames = explorers.masked_scores().frames[::fills]
    for name, frame in zip(names, frames, strict=True):
        mask = masking.MASKS[name]
        places = re.findall(r'data-place="(\d)"', frame.drawing)
        assert len(places) == mask.size
        for cell, place in enumerate(map(int, places)):
            turned = [m.flat[cell] != mask.flat[cell] for m in
                      masking.MASKS.values()]  # fmt: skip
            far = [int((m != mask).sum()) for m in masking.MASKS.values()]
            assert turned[place]
            assert far[place] == min(
                d for d, is_turned in zip(far, turned, strict=True) if is_turned
            )
