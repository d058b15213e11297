"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched.

All chapters.
"""

from transformer_lib.course.explorers.ablation import take_away
from transformer_lib.course.explorers.beam import beam_tree
from transformer_lib.course.explorers.bends import sum_of_bends
from transformer_lib.course.explorers.budget import parameter_budget
from transformer_lib.course.explorers.cache import cache_filling
from transformer_lib.course.explorers.cells import heads_in_memory
from transformer_lib.course.explorers.clock import clock_hands
from transformer_lib.course.explorers.companions import batch_companions
from transformer_lib.course.explorers.cures import two_cures
from transformer_lib.course.explorers.depth import deep_signals
from transformer_lib.course.explorers.downhill import one_step_downhill
from transformer_lib.course.explorers.fading import fading_signal
from transformer_lib.course.explorers.families import model_families
from transformer_lib.course.explorers.flow import information_flow
from transformer_lib.course.explorers.frame import Explorer
from transformer_lib.course.explorers.guesses import gap_guesses
from transformer_lib.course.explorers.influence import norm_influence
from transformer_lib.course.explorers.links import threshold_links
from transformer_lib.course.explorers.masking import masked_scores
from transformer_lib.course.explorers.merges import word_pieces
from transformer_lib.course.explorers.opinions import head_opinions
from transformer_lib.course.explorers.outputs import equal_outputs
from transformer_lib.course.explorers.overlap import bleu_pieces
from transformer_lib.course.explorers.products import attention_shapes
from transformer_lib.course.explorers.query import one_query
from transformer_lib.course.explorers.ripple import ripple
from transformer_lib.course.explorers.row import self_attention_row
from transformer_lib.course.explorers.schedule import rate_schedule
from transformer_lib.course.explorers.shares import softmax_shares
from transformer_lib.course.explorers.shift import shifted_rows
from transformer_lib.course.explorers.smoothing import smoothing_cost
from transformer_lib.course.explorers.splits import five_splits
from transformer_lib.course.explorers.spread import score_spread
from transformer_lib.course.explorers.steps import attention_steps
from transformer_lib.course.explorers.useless import useless_layer
from transformer_lib.course.explorers.walk import model_walk
from transformer_lib.course.explorers.walkers import two_walkers
from transformer_lib.course.explorers.waves import positional_waves

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
