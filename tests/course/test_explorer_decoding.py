"""The explorers `beam_tree` and `cache_filling`: their numbers are true."""

import itertools
import re

import numpy as np
import pytest
import torch

from transformer_course import explorers
from transformer_course.explorers import beam, cache
from transformer_lib import numpy_reference as reference
from transformer_lib.model import Transformer, TransformerConfig

# The words as ids of the reference: 1 is <bos>, 2 is <eos>.
IDS = {beam.END: 2, "go": 3, "let's": 4, "on": 5}
WORDS = {number: word for word, number in IDS.items()}


def next_scores(tokens):
    """The table as a model of the NumPy reference."""
    words = tuple(WORDS[token] for token in tokens[1:])
    scores = np.full(6, -np.inf)
    for word, share in beam.TREE.get(words, beam.REST).items():
        scores[IDS[word]] = np.log(share)
    return scores


def said(hypothesis):
    words = [WORDS[token] for token in hypothesis.tokens]
    return " ".join([*words, "■"] if hypothesis.finished else words)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
def test_what_is_kept_is_what_the_reference_keeps(alpha):
    explorer = explorers.beam_tree(alpha=alpha)
    places = itertools.product(range(beam.STEPS + 1), beam.WIDTHS)
    for (step, k), frame in zip(places, explorer.frames, strict=True):
        if not step:
            continue
        want = reference.beam_search(next_scores, k, alpha, step)
        text = re.split("kept |ended with ", frame.readout)[1]
        came = re.findall(r"“([^”]*)” (\d[\d.e-]*\d)", text)
        assert [words for words, _ in came] == [said(one) for one in want]
        np.testing.assert_allclose(
            [float(share) for _, share in came],
            np.exp([one.log_probability for one in want]),
            atol=5.1e-5,
        )


def test_the_rows_of_the_table_sum_to_one():
    for row in (*beam.TREE.values(), beam.REST):
        assert sum(row.values()) == pytest.approx(1)


def test_the_numbers_of_the_chapter():
    explorer = explorers.beam_tree()
    readouts = [frame.readout for frame in explorer.frames]
    greedy, two = readouts[6], readouts[10]
    assert greedy == (
        "Beam of 1. Step 2: 4 candidates, kept “go ■” 0.1750. All are finished "
        "(■): the search is over."
    )
    assert "9 candidates" not in two and "“let's go ■” 0.3420" in two
    assert "5 candidates" in two and two.endswith("the search is over.")


def test_the_search_is_whole_at_first_and_each_head_leads_to_its_step():
    explorer = explorers.beam_tree()
    start = explorer.frames[explorer.start].drawing
    assert "let's go ■" in start
    heads = re.findall(r'data-place="(\d)"><text[^>]*>([^<]*)<', start)
    names = ["start", "step 1", "step 2", "step 3"]
    assert heads == [(str(n), name) for n, name in enumerate(names)]


def test_a_line_leads_from_each_kept_rival_to_its_parent():
    steps = beam._search(3, 0.0)
    for before, candidates in itertools.pairwise(steps):
        pool = [one for one in before if one.kept]
        for one in candidates:
            parent = pool[one.parent]
            assert one.words[: len(parent.words)] == parent.words


@pytest.mark.parametrize(("k", "alpha"), [(4, 0), (0, 0), (2, 3), (2, -1)])
def test_what_the_tree_cannot_hold_is_refused(k, alpha):
    with pytest.raises(ValueError, match="k is 1, 2 or 3"):
        explorers.beam_tree(k, alpha)


def test_other_widths_in_a_live_notebook():
    page = explorers.beam_tree().view([3, 6, 1.0])
    assert "Beam of 6, alpha 1." in page


def counted(run):
    """How many tokens the key map and the query map read in one call."""
    torch.manual_seed(0)
    config = TransformerConfig(
        8, d_model=8, n_heads=1, d_ff=8, n_layers=1, dropout=0.0
    )
    model = Transformer(config).eval()
    read = []
    attention = model.decoder.layers[0].self_attention
    attention.register_forward_hook(
        lambda module, args, result: read.append(args[0].shape[1])
    )
    with torch.no_grad():
        run(model)
    return read


def test_counts_are_those_of_the_library():
    source = torch.tensor([[4, 5, 6]])
    tokens = torch.tensor([[1, 3, 4, 5, 6, 7]])

    def cached(model):
        state = model.start(source)
        for t in range(6):
            _, state = model.decode(tokens[:, t : t + 1], state)
            assert state.length == t + 1

    def anew(model):
        for t in range(6):
            model(source, tokens[:, : t + 1])

    for way, run in enumerate((anew, cached)):
        queries = [cache.counts(t, way)[0] for t in range(1, 7)]
        assert counted(run) == queries
        pairs = [cache.counts(t, way)[1] for t in range(1, 7)]
        assert pairs == queries


def test_readouts_and_cells_agree_with_counting():
    explorer = explorers.cache_filling()
    places = itertools.product(range(1, 7), range(2))
    for (step, way), frame in zip(places, explorer.frames, strict=True):
        new = range(step) if not way else [step - 1]
        scores = sum(i + 1 for i in new)
        numbers = list(map(int, re.findall(r"\d+", frame.readout)))
        assert numbers[:4] == [step, len(new), len(new), scores]
        cells = re.findall(
            r'width="26" height="26" class="([^"]+)"', frame.drawing
        )
        assert cells.count("x-fill x-orange") == scores
        pairs = re.findall(
            r'width="28" height="26" class="([^"]+)"', frame.drawing
        )
        assert pairs.count("x-fill x-orange") == 2 * len(new)
        assert len(pairs) == 2 * step
    assert numbers[4:] == [6, 6, 21]


def test_totals_without_a_cache_grow_with_the_cube():
    assert sum(cache.counts(t, 0)[2] for t in range(1, 7)) == 56
    frame = explorers.cache_filling().frames[10]
    assert frame.readout.endswith("21, 21 and 56.")


@pytest.mark.parametrize("start", [0, 7])
def test_a_step_that_is_not_there_is_refused(start):
    with pytest.raises(ValueError, match="from 1 to 6"):
        explorers.cache_filling(start)
