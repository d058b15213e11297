"""Checks for the book's exercises: they say what is wrong, and why.

A check takes your function (or your numbers) and returns a `Verdict`:

    from transformer_lib.course import checks

    checks.softmax(my_softmax)                # shows the verdict in a notebook
    verdict = checks.softmax(my_softmax)
    verdict.ok, verdict.mistake, verdict.printed, verdict.hint(1)
    assert verdict                            # True for a right answer only

A check never raises, never prints, never waits longer than a few seconds and
never lets your code change the inputs it is compared on, or anything else
that outlasts the call. The seconds are those in which your code computes or
sleeps; imports do not count, nor does the work of other programs.

How the package is built: `verdict` holds what is shown. `guard` calls foreign
code: for a limited time (`limits`), with nothing left behind (`isolation`,
`output`, `changes`); `foreign` looks at objects that may misbehave. `reading`
turns answers into arrays and compares them, `exercise` says what an exercise
in code is made of, and `paper` one on paper. `judge` goes from the first look
(`trouble`) over the known mistakes (`matching`, `whole_numbers`) to the last
resort (`laws`, the first property that breaks). Each exercise lives in a file
of its own together with the wrong answers it knows.
"""

from importlib import import_module

_HOME = {
    "error_rate_by_hand": "paper_links",
    "same_output_by_hand": "paper_same_output",
    "six_readings_by_hand": "paper_readings",
    "rollout": "about_rollout",
    "alignment_error_rate": "about_alignment_error_rate",
    "bpe_merge": "about_bpe_merge",
    "bpe_learn": "about_bpe_learn",
    "merges_by_hand": "paper_merges",
    "bleu_by_hand": "paper_bleu",
    "causal_weights": "about_causal_weights",
    "pad_attention": "about_pad_attention",
    "two_masks_by_hand": "paper_masks",
    "three_ways_by_hand": "paper_hiding",
    "pe": "about_pe",
    "wavelengths_by_hand": "paper_wavelengths",
    "equal_products_by_hand": "paper_positions",
    "stable_softmax": "about_stable_softmax",
    "scaled_scores": "about_scaled_scores",
    "spreads_by_hand": "paper_spread",
    "Verdict": "verdict",
    "encoder_decoder": "about_encoder_decoder",
    "count_parameters": "about_count_parameters",
    "twelve_steps_by_hand": "paper_twelve_steps",
    "model_shapes_by_hand": "paper_model_shapes",
    "encoder_layer": "about_encoder_layer",
    "three_layers_by_hand": "paper_three_layers",
    "four_factors_by_hand": "paper_factors",
    "weighted_average": "about_weighted_average",
    "average_by_hand": "paper_average",
    "alignment_by_hand": "paper_alignment",
    "layer_norm": "about_layer_norm",
    "BatchNorm": "about_batch_norm",
    "turned_matrix_by_hand": "paper_norms",
    "running_averages_by_hand": "paper_memory",
    "softmax": "about_softmax",
    "self_attention": "about_self_attention",
    "attention": "about_attention",
    "mha": "about_mha",
    "cell_by_hand": "paper_cells",
    "heads_budget_by_hand": "paper_heads",
    "fourth_query_by_hand": "paper_query",
    "six_products_by_hand": "paper_products",
    "context_vector_by_hand": "by_hand",
    "greedy": "about_greedy",
    "beam": "about_beam",
    "Cached": "about_cached",
    "beam_by_hand": "paper_beam",
    "length_penalty_by_hand": "paper_penalty",
    "exact_match": "about_exact_match",
    "only": "about_only",
    "step_by_hand": "paper_step",
    "five_shapes_by_hand": "paper_axes",
    "slope": "about_slope",
    "ffn": "about_ffn",
    "TiedEmbedding": "about_tied_embedding",
    "two_tokens_by_hand": "paper_ffn",
    "budget_by_hand": "paper_budget",
    "noam": "about_noam",
    "train_step": "about_train_step",
    "loop_order": "paper_loop",
    "peak_by_hand": "paper_peak",
    "matmul": "about_matmul",
    "smoothed_loss_by_hand": "paper_smoothing",
    "three_shifts_by_hand": "paper_shifts",
    "epoch_loss": "about_epoch_loss",
    "teacher_forcing": "about_teacher_forcing",
    "smooth_targets": "about_smooth_targets",
    "mask_tokens": "about_mask_tokens",
    "masking_by_hand": "paper_masking",
    "pieces_by_hand": "paper_pieces",
    "cache_by_hand": "paper_cache",
}

__all__ = sorted(_HOME)


def __getattr__(name: str):
    """Load a check the first time it is asked for."""
    if name not in _HOME:
        known = ", ".join(__all__)
        raise AttributeError(
            f"{__name__} has no check {name!r}; it has {known}"
        )
    module = import_module(f"{__name__}.{_HOME[name]}")
    value = getattr(module, name)
    globals()[name] = value
    return value


def homes() -> set[str]:
    """The full names of the modules that hold the checks."""
    return {f"{__name__}.{home}" for home in _HOME.values()}


def __dir__() -> list[str]:
    return __all__
