"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched.

Chapter: all.
"""

from transformer_lib.explorers.companions import batch_companions
from transformer_lib.explorers.cures import two_cures
from transformer_lib.explorers.depth import deep_signals
from transformer_lib.explorers.downhill import one_step_downhill
from transformer_lib.explorers.fading import fading_signal
from transformer_lib.explorers.frame import Explorer
from transformer_lib.explorers.influence import norm_influence
from transformer_lib.explorers.products import attention_shapes
from transformer_lib.explorers.query import one_query
from transformer_lib.explorers.row import self_attention_row
from transformer_lib.explorers.shares import softmax_shares
from transformer_lib.explorers.spread import score_spread
from transformer_lib.explorers.steps import attention_steps
from transformer_lib.explorers.useless import useless_layer

__all__ = [
    "Explorer",
    "attention_shapes",
    "attention_steps",
    "batch_companions",
    "deep_signals",
    "fading_signal",
    "norm_influence",
    "one_query",
    "one_step_downhill",
    "score_spread",
    "self_attention_row",
    "softmax_shares",
    "two_cures",
    "useless_layer",
]
