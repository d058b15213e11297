"""Arrays in, matplotlib Axes out: the still figures of the book.

Every function takes `ax=None`. Without an Axes it makes a figure of its own,
apart from pyplot: nothing is shown, registered or written to a file.
`picture` turns the result into an SVG with alternative text. matplotlib is
loaded at the first drawing, not at import. `interlinear` sets a foreign
sentence with its gloss, and `table` results in rows and columns, as HTML.

All chapters.
"""

from transformer_course.plots.alignment import alignment_lines
from transformer_course.plots.blocks import block
from transformer_course.plots.exchange import exchange_drawing
from transformer_course.plots.figures import (
    learning_curve,
    share_bars,
    vectors_2d,
)
from transformer_course.plots.interlinear import Interlinear, interlinear
from transformer_course.plots.masks import mask_table
from transformer_course.plots.picture import Picture, picture
from transformer_course.plots.products import product_grid
from transformer_course.plots.results import ResultTable, table
from transformer_course.plots.seeds import seed_dots
from transformer_course.plots.style import PALETTE, canvas
from transformer_course.plots.tables import number_table
from transformer_course.plots.unrolled import unrolled
from transformer_course.plots.weights import heat_map
from transformer_course.plots.whole_model import whole_model
from transformer_course.plots.wiring import layer_stack, layer_wiring

__all__ = [
    "Interlinear",
    "PALETTE",
    "Picture",
    "ResultTable",
    "alignment_lines",
    "block",
    "canvas",
    "exchange_drawing",
    "heat_map",
    "interlinear",
    "layer_stack",
    "layer_wiring",
    "learning_curve",
    "mask_table",
    "number_table",
    "picture",
    "product_grid",
    "seed_dots",
    "share_bars",
    "table",
    "unrolled",
    "vectors_2d",
    "whole_model",
]
