"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched.

Chapter: all.
"""

from transformer_lib.explorers.frame import Explorer
from transformer_lib.explorers.row import self_attention_row
from transformer_lib.explorers.shares import softmax_shares
from transformer_lib.explorers.steps import attention_steps

__all__ = [
    "Explorer",
    "attention_steps",
    "self_attention_row",
    "softmax_shares",
]
