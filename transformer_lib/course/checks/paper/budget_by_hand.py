"""Numbers worked out on paper: the parameters of a very small Transformer."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_lib.course.checks.engine.paper import (
    Misconception,
    Paper,
    judge_paper,
)
from transformer_lib.course.checks.engine.verdict import Verdict

__all__ = ["BUDGET", "budget_by_hand"]

_V, _D, _FF = 10, 4, 8


def budget_by_hand(value: Any) -> Verdict:
    """Check the parameter budget of a model with d = 4 and V = 10.

    d_ff = 8, one encoder layer, one decoder layer, post-norm, biases in
    every linear map but the output, sinusoids.

    Args:
        value: five numbers: the embedding matrix, one feed-forward network, the
            encoder layer, the whole model tied, the whole model untied.

    Returns:
        The verdict; no exception, no output, 5 seconds at the most.

    Source: worked by hand in chapter 11.
    """
    return judge_paper(BUDGET, value)


def _counts(
    biases: bool = True,
    norms: bool = True,
    norm_vectors: int = 2,
    maps: int = 4,
    crossings: int = 1,
    encoder_norms: int = 2,
    copies: int = 3,
    table: int = _V * _D,
    network_biases: int = _FF + _D,
) -> list[int]:
    """The five numbers; the defaults are right."""
    attention = maps * (_D * _D + _D * biases)
    network = 2 * _D * _FF + network_biases * biases
    norm = norm_vectors * _D * norms
    encoder = attention + network + encoder_norms * norm
    decoder = encoder + crossings * (attention + norm)
    layers = encoder + decoder
    return [table, network, encoder, layers + table, layers + copies * table]


def _misconceptions() -> list[Misconception]:
    """The wrong answers people give: name, value, what to say."""
    table, network, encoder, tied, untied = right = _counts()
    decoder = tied - table - encoder
    pick = [
        ("no_biases", _counts(biases=False),
         "The biases are missing: each linear map of the layers has one "
         "bias for each component of its output."),
        ("no_norms", _counts(norms=False),
         "The norms are missing: each has a gain and a shift for each of the "
         "d components."),
        ("neither_biases_nor_norms", _counts(biases=False, norms=False),
         "These are the matrices alone. Biases and norms count as well."),
        ("norm_as_one_vector", _counts(norm_vectors=1),
         "A norm has two vectors, gain and shift, so 2d parameters."),
        ("three_maps", _counts(maps=3),
         "An attention has four maps: queries, keys, values, and the one "
         "that joins the heads at the end."),
        ("decoder_like_encoder", _counts(crossings=0),
         "The decoder layer has one attention more, which looks at the "
         "encoder, and one norm more with it."),
        ("inner_bias_too_short", _counts(network_biases=2 * _D),
         "The network has too few biases: d_ff of them behind the first "
         "matrix, as many as units, and d behind the second."),
        ("network_without_biases", _counts(network_biases=0),
         "The biases of the network are missing: d_ff of them behind the "
         "first matrix, d behind the second."),
        ("two_tables_tied", [table, network, encoder, tied + table, untied],
         "Four are right. Tied means one matrix for source, target *and* "
         "output: it counts once."),
        ("one_norm_a_layer", _counts(encoder_norms=1),
         "Each sub-layer has its own norm: the encoder layer has two, the "
         "decoder layer three."),
        ("two_tables_untied", _counts(copies=2),
         "Four are right. Untied means three matrices: source, target, "
         "output."),
        ("four_tables_untied", _counts(copies=4),
         "Four are right. Untied means three matrices in all: source, "
         "target, output."),
        ("one_matrix_of_the_network",
         [table, 44, encoder - 32, tied - 64, untied - 64],
         "The network has two matrices, one out and one back."),
        ("encoder_alone", [table, network, encoder, table + encoder,
                           3 * table + encoder],
         "The first three are right. The whole model has a decoder layer, "
         "too."),
        ("tables_alone", [table, network, encoder, table, 3 * table],
         "The first three are right. The last two are whole models: both "
         "layers and the embeddings."),
        ("table_forgotten", [table, network, encoder, encoder + decoder,
                             encoder + decoder + 2 * table],
         "The first three are right. In the last two one embedding matrix "
         "is missing."),
        ("tied_and_untied_exchanged", [table, network, encoder, untied, tied],
         "All five are right, but tied and untied have changed places."),
        ("decoder_in_place_of_encoder", [table, network, decoder, tied,
                                         untied],
         "Four are right; the third is the decoder layer. The encoder layer "
         "has no attention to another sentence."),
        ("rounded_to_tens", np.round(right, -1),
         "Those are rounded. Count exactly; all five are whole numbers."),
    ]  # fmt: skip
    return [Misconception(*one) for one in pick]


def _look(got: np.ndarray, want: np.ndarray) -> str:
    fits = abs(got - want) <= 0.002
    names = (
        "embedding matrix",
        "feed-forward network",
        "encoder layer",
        "whole model, tied",
        "whole model, untied",
    )
    bad = names[int(np.argmin(fits))]
    if not fits.any():
        return (
            "None of the five is right yet. Begin with the embedding matrix: "
            "one row for each token, how many components in a row?"
        )
    many = "1 is" if fits.sum() == 1 else f"{int(fits.sum())} of the 5 are"
    return (
        f"{many} right. Look again at this one: {bad}. Write its parts below "
        "each other."
    )


BUDGET = Paper(
    name="budget_by_hand(numbers)",
    asked="Parameters of the embedding matrix, of one feed-forward network, "
    "of the encoder layer, of the whole model tied and untied: five numbers "
    "such as `(1, 2, 3, 4, 5)`.",
    count="five numbers",
    given="d = 4, d_ff = 8, V = 10; one encoder layer, one decoder layer; "
    "biases everywhere but in the output; post-norm",
    expected="embedding matrix, feed-forward network, encoder layer, model "
    "tied, model untied",
    want=_counts,
    misconceptions=_misconceptions,
    praise="All five are right. In a model this small the layers outweigh "
    "the embeddings by far; with V = 37,000 it looks different.",
    hints=(
        "A linear map from a to b components has a times b weights and b "
        "biases. An attention has four maps from d to d.",
        "Encoder layer: one attention, one network, two norms. Decoder "
        "layer: two attentions, one network, three norms. Then one embedding "
        "matrix, or three.",
    ),
    look=_look,
)
