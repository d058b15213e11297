"""Arrays in, matplotlib Axes out: the still figures of the book.

Every function takes `ax=None`. Without an Axes it makes a figure of its own,
apart from pyplot: nothing is shown, registered or written to a file.
`picture` turns the result into an SVG with alternative text. matplotlib is
loaded at the first drawing, not at import.

Chapter: all.
"""

from transformer_lib.plots.figures import (
    learning_curve,
    share_bars,
    vectors_2d,
)
from transformer_lib.plots.picture import Picture, picture
from transformer_lib.plots.style import PALETTE, canvas
from transformer_lib.plots.weights import heat_map

__all__ = [
    "PALETTE",
    "Picture",
    "canvas",
    "heat_map",
    "learning_curve",
    "picture",
    "share_bars",
    "vectors_2d",
]
