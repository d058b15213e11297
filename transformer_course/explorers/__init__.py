"""Interactive figures that work in the book, in a notebook and in print.

Each function gives an `Explorer`: the last line of a cell shows it. Nothing
here needs torch, and nothing is fetched. A figure is loaded when it is first
asked for.

All chapters.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and type checkers
    from transformer_course.explorers.ablation import take_away
    from transformer_course.explorers.beam import beam_tree
    from transformer_course.explorers.bends import sum_of_bends
    from transformer_course.explorers.budget import parameter_budget
    from transformer_course.explorers.cache import cache_filling
    from transformer_course.explorers.cells import heads_in_memory
    from transformer_course.explorers.clock import clock_hands
    from transformer_course.explorers.companions import batch_companions
    from transformer_course.explorers.cures import two_cures
    from transformer_course.explorers.depth import deep_signals
    from transformer_course.explorers.downhill import one_step_downhill
    from transformer_course.explorers.exchange import ripple
    from transformer_course.explorers.fading import fading_signal
    from transformer_course.explorers.families import model_families
    from transformer_course.explorers.flow import information_flow
    from transformer_course.explorers.frame import Explorer
    from transformer_course.explorers.guesses import gap_guesses
    from transformer_course.explorers.influence import norm_influence
    from transformer_course.explorers.links import threshold_links
    from transformer_course.explorers.masking import masked_scores
    from transformer_course.explorers.matrices import head_matrices
    from transformer_course.explorers.merges import word_pieces
    from transformer_course.explorers.opinions import head_opinions
    from transformer_course.explorers.overlap import bleu_pieces
    from transformer_course.explorers.products import attention_shapes
    from transformer_course.explorers.query import one_query
    from transformer_course.explorers.row import self_attention_row
    from transformer_course.explorers.schedule import rate_schedule
    from transformer_course.explorers.shift import shifted_rows
    from transformer_course.explorers.smoothing import smoothing_cost
    from transformer_course.explorers.softmax import softmax_weights
    from transformer_course.explorers.splits import five_splits
    from transformer_course.explorers.spread import score_spread
    from transformer_course.explorers.steps import attention_steps
    from transformer_course.explorers.stream import residual_stream
    from transformer_course.explorers.useless import useless_layer
    from transformer_course.explorers.votes import eight_votes
    from transformer_course.explorers.walk import model_walk
    from transformer_course.explorers.walkers import two_walkers
    from transformer_course.explorers.waves import positional_waves

_HOME = {
    "Explorer": "frame",
    "attention_shapes": "products",
    "attention_steps": "steps",
    "batch_companions": "companions",
    "beam_tree": "beam",
    "bleu_pieces": "overlap",
    "cache_filling": "cache",
    "clock_hands": "clock",
    "deep_signals": "depth",
    "eight_votes": "votes",
    "fading_signal": "fading",
    "five_splits": "splits",
    "gap_guesses": "guesses",
    "head_matrices": "matrices",
    "head_opinions": "opinions",
    "heads_in_memory": "cells",
    "information_flow": "flow",
    "masked_scores": "masking",
    "model_families": "families",
    "model_walk": "walk",
    "norm_influence": "influence",
    "one_query": "query",
    "one_step_downhill": "downhill",
    "parameter_budget": "budget",
    "positional_waves": "waves",
    "rate_schedule": "schedule",
    "residual_stream": "stream",
    "ripple": "exchange",
    "score_spread": "spread",
    "self_attention_row": "row",
    "shifted_rows": "shift",
    "smoothing_cost": "smoothing",
    "softmax_weights": "softmax",
    "sum_of_bends": "bends",
    "take_away": "ablation",
    "threshold_links": "links",
    "two_cures": "cures",
    "two_walkers": "walkers",
    "useless_layer": "useless",
    "word_pieces": "merges",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load a figure the first time it is asked for."""
    if name not in _HOME:
        known = ", ".join(__all__)
        raise AttributeError(
            f"{__name__} has no explorer {name!r}; it has {known}"
        )
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    names = {*globals(), *_HOME}
    return sorted(name for name in names if not name.startswith("_"))
