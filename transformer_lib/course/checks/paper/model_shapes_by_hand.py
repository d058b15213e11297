"""Numbers worked out on paper: seven shapes inside the base model."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["MODEL_SHAPES", "model_shapes_by_hand"]

N, M, D, HEADS, D_FF, VOCABULARY = 7, 5, 512, 8, 2048, 37_000
D_K = D // HEADS
NAMES = (
    "the weights of one head in the encoder",
    "the encoder's output",
    "the weights of one head in the decoder's self-attention",
    "the weights of one head in the cross-attention",
    "the keys of one head in the cross-attention",
    "the inner vectors of a feed-forward network in the decoder",
    "the scores at the end",
)
SHAPES = (
    (N, N), (N, D), (M, M), (M, N), (N, D_K), (M, D_FF), (M, VOCABULARY)
)  # fmt: skip


def model_shapes_by_hand(value: Any) -> Verdict:
    """Check seven shapes inside the base model, for n = 7 and m = 5.

    Args:
        value: seven pairs (rows, columns) in the order of the chapter's
            table; tuples, lists, an array or a tensor.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 11.
    """
    return judge_paper(MODEL_SHAPES, value)


def _with(place: int, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """The right shapes with one of them replaced (1 is the first)."""
    return [*SHAPES[: place - 1], shape, *SHAPES[place:]]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    turned = [(columns, rows) for rows, columns in SHAPES]
    swapped = [
        tuple({N: M, M: N}.get(size, size) for size in shape)
        for shape in SHAPES
    ]
    one_less = [
        tuple(M - 1 if size == M else size for size in shape)
        for shape in SHAPES
    ]
    others = " The other six are right."
    pick = [
        ("n_and_m_exchanged", swapped,
         "You exchanged the two sentences throughout: n = 7 is the source, "
         "which the encoder reads, and m = 5 the target."),
        ("rows_and_columns_exchanged", turned,
         "Rows and columns are exchanged throughout. A token is a row."),
        ("bos_not_counted", one_less,
         "You counted four target tokens. The decoder reads the start mark "
         "and four words, which makes five."),
        ("cross_weights_turned", _with(4, (N, M)),
         "In the cross-attention the queries come from the target and the "
         "keys from the source. A row belongs to a query." + others),
        ("cross_weights_of_the_target", _with(4, (M, M)),
         "In the cross-attention the keys come from the other sentence."
         + others),
        ("cross_weights_of_the_source", _with(4, (N, N)),
         "In the cross-attention the queries come from the target." + others),
        ("decoder_looks_at_the_source_only", _with(3, (M, N)),
         "The decoder's self-attention stays within the target. The source "
         "comes in one sub-layer later." + others),
        ("decoder_as_long_as_the_source", _with(3, (N, N)),
         "The decoder's self-attention is among target tokens." + others),
        ("masked_half_left_out", _with(3, (M, 1)),
         "The mask sets weights to 0, it does not take columns away."
         + others),
        ("one_vector_for_the_sentence", _with(2, (1, D)),
         "The encoder's output is not one vector for the sentence; that was "
         "the bottleneck of chapter 1. It has a row for each token." + others),
        ("memory_of_the_target", _with(2, (M, D)),
         "The encoder's output has a row for each source token, whatever the "
         "target will be." + others),
        ("memory_of_one_head", _with(2, (N, D_K)),
         "After the heads are joined the vectors have full width again."
         + others),
        ("keys_of_the_target", _with(5, (M, D_K)),
         "The keys of the cross-attention are made from the encoder's "
         "output." + others),
        ("keys_of_full_width", _with(5, (N, D)),
         "512 is the width of all heads together. How much of it does one "
         "head get?" + others),
        ("keys_turned", _with(5, (D_K, N)),
         "A key is a row. Keys are transposed only for the product with the "
         "queries." + others),
        ("inner_of_the_source", _with(6, (N, D_FF)),
         "The feed-forward networks of the decoder work on target tokens."
         + others),
        ("inner_not_widened", _with(6, (M, D)),
         "Between its two maps the network is wider than outside." + others),
        ("inner_is_a_matrix", _with(6, (D, D_FF)),
         "That is the matrix of weights. Asked are the vectors that it makes, "
         "one for each token." + others),
        ("scores_of_one_word", _with(7, (1, VOCABULARY)),
         "In training every target token predicts its next one at the same "
         "time." + others),
        ("scores_of_the_source", _with(7, (N, VOCABULARY)),
         "Scores are made for target tokens." + others),
        ("scores_of_width_d", _with(7, (M, D)),
         "That is the decoder's output. The scores have a number for each "
         "token of the vocabulary." + others),
        ("vocabulary_first", _with(7, (VOCABULARY, M)),
         "A row belongs to a target token, here too." + others),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    right = (abs(got - want) < 0.01).all(axis=1)
    wrong = np.flatnonzero(~right)
    first = int(wrong[0])
    start = f"{int(right.sum())} of 7 shapes are right. Look at number "
    start += f"{first + 1}, {NAMES[first]}: "
    if sorted(got[first]) == sorted(want[first]):
        return start + "rows and columns are exchanged."
    if got[first][0] == want[first][0]:
        return start + "the rows are right. What does a row hold?"
    return start + "which token does a row belong to?"


MODEL_SHAPES = Paper(
    name="model_shapes_by_hand(shapes)",
    asked="Seven shapes as pairs (rows, columns), such as `((1, 2), (3, 4), "
    "...)`, in the order of the table.",
    count="seven pairs of numbers",
    given=f"n = {N} source tokens, m = {M} target tokens with the start mark, "
    f"d_model = {D}, h = {HEADS}, d_ff = {D_FF}, V = 37,000",
    expected="seven pairs of whole numbers, rows first",
    want=lambda: SHAPES,
    misconceptions=_misconceptions,
    praise="All seven are right. Only in the cross-attention do both lengths "
    "stand in one shape.",
    hints=(
        "A row belongs to a token: of the source in the encoder, of the "
        "target in the decoder. Attention weights have a row for each query "
        "and a column for each key.",
        "Four sizes do the rest: 512 outside the heads, 64 inside one, 2048 "
        "inside a feed-forward network, and the vocabulary at the end.",
    ),
    look=_look,
)
