"""The NumPy reference by hand: norms, positions, embeddings, the FFN."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_numpy_reference import close

from transformer_lib import numpy_reference as reference


def test_embedding_reads_scaled_rows_and_writes_dot_products():
    table = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 1, -1]])
    read = reference.token_embedding([[2, 0]], table)
    close(read, [[[0, 0, 2, -2], [2, 4, 6, 8]]])
    close(reference.logits([[1, 0, 0, 2]], table), [[9, 21, -2]])
    for row in (3, -1):
        with pytest.raises(ValueError, match="from 0 to 2"):
            reference.token_embedding([row], table)


COLUMNS = np.array([[1, 2, 3, 6], [2, 2, 4, 8], [3, 2, 5, 4]])


@pytest.mark.parametrize("shape", [(3, 4), (1, 3, 4), (3, 1, 4)])
def test_batch_norm_of_the_columns_of_chapter_6(shape):
    x = COLUMNS.reshape(shape)
    gain, bias = np.array([1, 2, 3, 1]), np.array([0, 7, 1, 0])
    # column 2 is constant: its variance is 0, so eps must not be
    out = reference.batch_norm(x, gain, bias, eps=1e-30)
    s = math.sqrt(2 / 3)
    wanted = [
        [-1 / s, 7, 1 - 3 / s, 0],
        [0, 7, 1, 2 / (2 * s)],
        [1 / s, 7, 1 + 3 / s, -2 / (2 * s)],
    ]
    close(out.reshape(3, 4), wanted)


def test_batch_norm_takes_the_statistics_that_it_is_given():
    out = reference.batch_norm(
        COLUMNS, np.ones(4), np.zeros(4), 2.0, [1, 2, 3, 6], [2, 7, 14, 34]
    )
    close(out[1], [1 / 2, 0, 1 / 4, 2 / 6])
    ones = np.ones(4)
    with pytest.raises(ValueError, match="both"):
        reference.batch_norm(COLUMNS, ones, ones, mean=ones)
    with pytest.raises(ValueError, match="1 or more"):
        reference.batch_norm(np.ones((0, 4)), ones, ones)


def test_layer_norm_of_the_matrix_of_chapter_6():
    h = np.array([[1, 2, 3, 6], [2, 2, 4, 8], [3, 2, 5, 4]])
    gain, bias = np.ones(4), np.zeros(4)
    wanted = [
        np.array([-2, -1, 0, 3]) / math.sqrt(3.5),
        np.array([-2, -2, 0, 4]) / math.sqrt(6),
        np.array([-0.5, -1.5, 1.5, 0.5]) / math.sqrt(1.25),
    ]
    close(reference.layer_norm(h, gain, bias, eps=0.0), wanted)
    scaled = reference.layer_norm(h, [1, 2, 3, 4], [0, 0, 1, 1], eps=0.0)
    close(scaled[0], wanted[0] * [1, 2, 3, 4] + [0, 0, 1, 1])


def test_layer_norm_keeps_eps_inside_the_root():
    x = [-0.001, 0.001]
    wanted = 0.001 / math.sqrt(1e-6 + 1e-5)
    close(reference.layer_norm(x, [1, 1], [0, 0]), [-wanted, wanted])
    close(reference.layer_norm([5, 5], [1, 1], [0, 3]), [0, 3])


def test_sinusoidal_encoding_of_width_four():
    table = reference.sinusoidal_encoding(4, 4)
    for pos in range(4):
        slow = pos / 100
        close(
            table[pos],
            [math.sin(pos), math.cos(pos), math.sin(slow), math.cos(slow)],
        )
    assert_allclose(table[1], [0.8415, 0.5403, 0.0100, 1.0000], atol=1e-4)
    assert reference.sinusoidal_encoding(0, 6).shape == (0, 6)
    for length, width in ((3, 5), (3, 0), (-1, 4)):
        with pytest.raises(ValueError, match="even"):
            reference.sinusoidal_encoding(length, width)


def test_feed_forward_cuts_off_below_zero():
    x = np.array([[1, 2], [-1, 1]])
    w1 = np.array([[1, -1, 0], [0, 1, 1]])
    b1 = np.array([0, 0, -1])
    w2 = np.array([[1, 0], [0, 1], [2, 2]])
    # inner rows: (1, 1, 1) and (-1, 2, 0) -> (0, 2, 0)
    out = reference.feed_forward(x, w1, b1, w2, np.array([10, 0]))
    close(out, [[13, 3], [10, 2]])
