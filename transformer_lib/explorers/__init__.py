"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched.

Chapter: all.
"""

from transformer_lib.explorers.ablation import take_away
from transformer_lib.explorers.beam import beam_tree
from transformer_lib.explorers.bends import sum_of_bends
from transformer_lib.explorers.budget import parameter_budget
from transformer_lib.explorers.cache import cache_filling
from transformer_lib.explorers.cells import heads_in_memory
from transformer_lib.explorers.clock import clock_hands
from transformer_lib.explorers.companions import batch_companions
from transformer_lib.explorers.cures import two_cures
from transformer_lib.explorers.depth import deep_signals
from transformer_lib.explorers.downhill import one_step_downhill
from transformer_lib.explorers.fading import fading_signal
from transformer_lib.explorers.families import model_families
from transformer_lib.explorers.flow import information_flow
from transformer_lib.explorers.frame import Explorer
from transformer_lib.explorers.guesses import gap_guesses
from transformer_lib.explorers.influence import norm_influence
from transformer_lib.explorers.links import threshold_links
from transformer_lib.explorers.masking import masked_scores
from transformer_lib.explorers.merges import word_pieces
from transformer_lib.explorers.opinions import head_opinions
from transformer_lib.explorers.outputs import equal_outputs
from transformer_lib.explorers.overlap import bleu_pieces
from transformer_lib.explorers.products import attention_shapes
from transformer_lib.explorers.query import one_query
from transformer_lib.explorers.ripple import ripple
from transformer_lib.explorers.row import self_attention_row
from transformer_lib.explorers.schedule import rate_schedule
from transformer_lib.explorers.shares import softmax_shares
from transformer_lib.explorers.shift import shifted_rows
from transformer_lib.explorers.smoothing import smoothing_cost
from transformer_lib.explorers.splits import five_splits
from transformer_lib.explorers.spread import score_spread
from transformer_lib.explorers.steps import attention_steps
from transformer_lib.explorers.useless import useless_layer
from transformer_lib.explorers.walk import model_walk
from transformer_lib.explorers.walkers import two_walkers
from transformer_lib.explorers.waves import positional_waves

__all__ = [
    "Explorer",
    "attention_shapes",
    "attention_steps",
    "batch_companions",
    "beam_tree",
    "bleu_pieces",
    "cache_filling",
    "clock_hands",
    "deep_signals",
    "equal_outputs",
    "fading_signal",
    "gap_guesses",
    "five_splits",
    "head_opinions",
    "heads_in_memory",
    "information_flow",
    "masked_scores",
    "model_families",
    "model_walk",
    "norm_influence",
    "one_query",
    "one_step_downhill",
    "parameter_budget",
    "positional_waves",
    "rate_schedule",
    "ripple",
    "score_spread",
    "self_attention_row",
    "shifted_rows",
    "smoothing_cost",
    "softmax_shares",
    "sum_of_bends",
    "take_away",
    "threshold_links",
    "two_cures",
    "two_walkers",
    "useless_layer",
    "word_pieces",
]
