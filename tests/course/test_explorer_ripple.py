"""The ripple of one exchanged word, against torch."""

import re

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from transformer_course import explorers
from transformer_course.explorers.exchange import (
    SOURCE,
    TARGET,
    changes,
    values,
    weights,
)

N, M = len(SOURCE), len(TARGET)


def norm(x):
    return F.layer_norm(x, x.shape[-1:])


def attend(x, read, maps, causal=False):
    q, k, v = x @ maps[0], read @ maps[1], read @ maps[2]
    attended = F.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None], is_causal=causal
    )
    return attended[0, 0]


def by_torch(exchanged, causal):
    """Memory and decoder output of the small model."""
    own = {name: torch.tensor(array) for name, array in weights().items()}
    words = own["words"].clone()
    if exchanged is not None:
        words[exchanged] = own["others"][exchanged]
    x, y = words[:N], words[N:]
    for maps in own["encoder"]:
        x = norm(x + attend(x, x, maps))
        x = norm(x + torch.relu(x @ maps[3]))
    for maps in own["decoder"]:
        y = norm(y + attend(y, y, maps, causal))
        y = norm(y + attend(y, x, maps[3:]))
        y = norm(y + torch.relu(y @ maps[6]))
    return x.numpy(), y.numpy(), (y @ own["output"].T).numpy()


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("word", [None, 0, 3, 6, 7, 9, 11])
def test_the_small_model_is_what_torch_computes(word, causal):
    got, want = values(word, causal), by_torch(word, causal)
    ours = (got.encoder[-1], got.decoder[-1], got.scores)
    for mine, theirs in zip(ours, want, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-4)


@pytest.mark.parametrize("word", range(N))
def test_a_source_word_reaches_everything(word):
    encoder, decoder = changes(word, causal=True)
    assert list(np.flatnonzero(encoder[0])) == [word]
    assert (encoder[1:] > 0).all() and (decoder[1:] > 0).all()
    assert (decoder[0] == 0).all()


@pytest.mark.parametrize("word", range(M))
def test_a_target_word_reaches_what_follows_it_and_no_more(word):
    encoder, decoder = changes(N + word, causal=True)
    assert (encoder == 0).all()
    assert list(np.flatnonzero(decoder[0])) == [word]
    assert (decoder[1:, :word] == 0).all()
    assert (decoder[1:, word:] > 0).all()


@pytest.mark.parametrize("word", range(M))
def test_without_the_mask_a_target_word_reaches_all_target_words(word):
    encoder, decoder = changes(N + word, causal=False)
    assert (encoder == 0).all() and (decoder[1:] > 0).all()


def test_the_cells_and_the_words_say_the_changes():
    explorer = explorers.ripple()
    for place, frame in enumerate(explorer.frames):
        word, mask = divmod(place, 2)
        encoder, decoder = changes(word, mask == 0)
        shown = re.findall(r'class="x-mid(?: x-dim)?">([\d.]+)<', frame.drawing)
        rows = [*decoder[::-1], *encoder[::-1]]
        want = [f"{v:.2f}" if v else "0" for row in rows for v in row]
        by_rows = []
        for start, columns, count in ((0, M, 4), (4 * M, N, 3)):
            block = shown[start : start + columns * count]
            table = np.array(block).reshape(count, columns)
            by_rows += list(table[::-1].ravel())
        assert by_rows == want
        places = ", ".join(str(i + 1) for i in np.flatnonzero(decoder[-1]))
        assert frame.readout.endswith(f" {places}.")
        memory = int((encoder[-1] > 0).sum())
        assert f": {memory} of 7 rows of the memory change" in frame.readout
