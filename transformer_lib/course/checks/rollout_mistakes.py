"""The wrong answers that the check `rollout` knows."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_HEADS = (
    Mistake(
        "one_head_only",
        "You take one head of each layer. The mean of all of them is wanted.",
        "Along which axis are the heads?",
        ({"heads": "first"}, {"heads": "last"}),
    ),
    Mistake(
        "heads_added",
        "You add the heads up. With {heads} heads the attention then weighs "
        "{heads} times as much as the identity. Their mean is wanted.",
        "What should a row of the mean add up to?",
        ({"heads": "sum"}, {"heads": "sum", "norm": "halved"}),
    ),
    Mistake(
        "largest_head",
        "You take the largest (or smallest) weight among the heads. The mean "
        "is wanted. (Others have tried the largest; that is another method.)",
        "Which function averages along an axis?",
        (
            {"heads": "largest"},
            {"heads": "smallest"},
            {"heads": "largest", "norm": "halved"},
            {"heads": "smallest", "norm": "halved"},
        ),
    ),
    Mistake(
        "heads_multiplied",
        "You multiply the heads of a layer. They work side by side, not one "
        "after the other: their mean is wanted.",
        "What is multiplied are layers.",
        ({"heads": "product"},),
    ),
    Mistake(
        "averaged_over_layers",
        "You average over the layers and multiply over the heads. The first "
        "axis counts the layers, the second the heads.",
        "Print `maps.shape` and the shape of your mean.",
        ({"heads": "layers for heads"},),
    ),
    Mistake(
        "each_head_rolled_apart",
        "You roll out each head alone and average at the end. A head of one "
        "layer reads what *all* heads of the layer below have written, so "
        "the mean comes first, in each layer.",
        "Which comes first, the mean or the product?",
        ({"heads": "rolled apart"},),
    ),
    Mistake(
        "maps_turned",
        "You turn each map around, so that columns ask and rows are looked "
        "at. In this book a row is a query.",
        "Which axis of a map has the sum 1?",
        ({"heads": "turned"}, {"heads": "turned", "norm": "halved"}),
    ),
)
_IDENTITY = (
    Mistake(
        "no_identity",
        "You multiply the bare attention. Around each attention runs a "
        "residual connection that carries the token itself: the identity is "
        "missing.",
        "If every token looked only at its neighbor, would it lose itself?",
        ({"identity": "none"},),
    ),
    Mistake(
        "ones_not_identity",
        "You add the same number everywhere. The identity has ones on its "
        "diagonal and zeros elsewhere.",
        "Print what you add.",
        ({"identity": "ones"}, {"identity": "one in n"}),
    ),
    Mistake(
        "identity_in_the_first_layer_only",
        "Only the first layer gets its identity. Each layer has a residual "
        "connection of its own.",
        "Is the identity added inside of the loop?",
        ({"identity": "first layer only"},),
    ),
    Mistake(
        "identity_after_the_product",
        "You add the identity to a product of layers. The residual connection "
        "of a layer carries what *stands* in a place by then, not the word "
        "that stood there at the beginning: add the identity to the map of "
        "each layer, and multiply afterwards.",
        "Which comes first in each round, the plus or the product?",
        (
            {"identity": "none", "order": "identity after"},
            {"identity": "none", "then": "half the identity"},
        ),
    ),
    Mistake(
        "identity_taken_away",
        "You subtract the identity. It is added: the residual connection is "
        "a plus.",
        "Look at the sign.",
        ({"identity": "taken away"},),
    ),
    Mistake(
        "diagonal_replaced",
        "You set the diagonal to 1 and lose what stood there. A token may "
        "look at itself, too: add the identity.",
        "Plus, not instead.",
        ({"identity": "diagonal set"},),
    ),
)
_NORM = (
    Mistake(
        "not_renormalized",
        "The rows are not brought back to the sum 1: your first row adds up "
        "to {row_sum}. Each layer doubles it.",
        "What is the sum of a row after the identity was added?",
        ({"norm": "none"},),
    ),
    Mistake(
        "columns_normalized",
        "You divide each column by its sum. A row is what one token takes in, "
        "and rows must sum to 1.",
        "Along which axis do you add? Keep that axis, for the division.",
        ({"norm": "columns"},),
    ),
    Mistake(
        "divided_by_the_whole",
        "You divide by the sum of the whole matrix, or by n. Each *row* is "
        "divided by its own sum.",
        "`sum` without an axis adds everything.",
        ({"norm": "everything"}, {"norm": "by n"}),
    ),
    Mistake(
        "divided_by_the_largest",
        "You divide each row by its largest weight. Divide it by its sum.",
        "What should a row add up to?",
        ({"norm": "largest"},),
    ),
    Mistake(
        "softmax_again",
        "You bring the rows back to 1 by a softmax. They are shares already "
        "(twice as large); a division by their sum is enough.",
        "What does softmax make of a weight of 0?",
        ({"norm": "softmax"}, {"then": "softmax"}),
    ),
)
_ORDER = (
    Mistake(
        "layers_in_the_wrong_order",
        "You multiply the layers in the wrong order. A row of the *last* "
        "layer asks, so the last layer stands on the left, the first on the "
        "right.",
        "Which index of the product should belong to the inputs?",
        ({"order": "later right"},),
        on="two tokens",
    ),
    Mistake(
        "cell_by_cell",
        "You multiply cell by cell. A matrix product is wanted: a way from i "
        "to j may go through any token in between.",
        "In Python the matrix product has a sign of its own.",
        (
            {"order": "cell by cell"},
            {"order": "cell by cell from the identity"},
        ),
    ),
    Mistake(
        "layers_added",
        "You add the layers, or average them. They work one after the other: "
        "the matrices are multiplied.",
        "How does a token of layer 2 reach an input? Through layer 1.",
        ({"order": "sum"}, {"order": "mean"}),
    ),
    Mistake(
        "one_layer_only",
        "One layer alone comes back. All of them are multiplied.",
        "Is the product overwritten in each round of the loop, or does "
        "`return` stand inside of it?",
        ({"order": "last"}, {"order": "first"}),
    ),
    Mistake(
        "turned_in_between",
        "Somewhere in the product a matrix is turned around. None has to be.",
        "Look for a `.T`.",
        ({"order": "turned"},),
    ),
    Mistake(
        "starts_with_zeros",
        "All numbers are 0: your product starts with zeros. A product starts "
        "with the identity, or with the first layer.",
        "What is 0 times anything?",
        ({"order": "zeros"},),
    ),
    Mistake(
        "a_layer_left_out",
        "The first or the last layer has no part in your product.",
        "Where does your loop start, and where does it end?",
        ({"layers": "not the first"}, {"layers": "not the last"}),
    ),
    Mistake(
        "first_layer_twice",
        "The first layer is multiplied twice. If the product starts with it, "
        "the loop begins with the second.",
        "What does your loop multiply in its first round?",
        ({"layers": "first twice"},),
    ),
)
_THEN = (
    Mistake(
        "result_turned",
        "Your result lies on its side: rows and columns have changed places.",
        "A row is a token of the last layer and sums to 1.",
        ({"then": "turned"},),
    ),
    Mistake(
        "one_row_only",
        "You return a single row. The whole matrix is wanted, (n, n).",
        "Leave the choice of a row to whoever calls the function.",
        ({"then": "last row"}, {"then": "first row"}),
    ),
    Mistake(
        "columns_summed",
        "You return what each input gives to all tokens together, (n,). The "
        "whole matrix is wanted, (n, n).",
        "Leave out the last step.",
        ({"then": "columns added"}, {"then": "columns averaged"}),
    ),
    Mistake(
        "diagonal_dropped",
        "You take the diagonal away at the end. It belongs to the answer: it "
        "says how much of a token is left in its own place.",
        "Leave out the last step.",
        ({"then": "diagonal gone"}, {"then": "rows without diagonal"}),
    ),
    Mistake(
        "percent",
        "You return per cent. Shares are wanted, rows that sum to 1.",
        "Leave out the factor 100.",
        ({"then": "percent"},),
    ),
    Mistake(
        "rounded",
        "The numbers are right but rounded. After some layers most shares are "
        "small, and rounding makes zeros of them.",
        "Round when you print, not when you compute.",
        ({"then": "rounded"},),
    ),
    Mistake(
        "batch_axis",
        "An axis of length 1 stands in front. A matrix is wanted, (n, n).",
        "Leave out the last reshaping.",
        ({"then": "a batch"},),
    ),
    Mistake(
        "places_not_shares",
        "You return the place of the largest share in each row. The shares "
        "themselves are wanted.",
        "Leave out the `argmax`.",
        ({"then": "best"},),
    ),
)
MISTAKES = _HEADS + _IDENTITY + _NORM + _ORDER + _THEN
