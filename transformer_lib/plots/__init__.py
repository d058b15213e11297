"""Arrays in, matplotlib Axes out: the still figures of the book.

Every function takes `ax=None`. Without an Axes it makes a figure of its own,
apart from pyplot: nothing is shown, registered or written to a file.
`picture` turns the result into an SVG with alternative text. matplotlib is
loaded at the first drawing, not at import. `interlinear` sets a foreign
sentence with its gloss, as HTML.

Chapter: all.
"""

from transformer_lib.plots.figures import (
    learning_curve,
    share_bars,
    vectors_2d,
)
from transformer_lib.plots.interlinear import Interlinear, interlinear
from transformer_lib.plots.picture import Picture, picture
from transformer_lib.plots.style import PALETTE, canvas
from transformer_lib.plots.weights import heat_map

__all__ = [
    "Interlinear",
    "PALETTE",
    "Picture",
    "canvas",
    "heat_map",
    "interlinear",
    "learning_curve",
    "picture",
    "share_bars",
    "vectors_2d",
]
