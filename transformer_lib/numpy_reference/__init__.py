"""The witness: the book's formulas once more, in NumPy and float64 alone.

Same names and the same order of arguments as in the rest of the library, but
written independently of it and with nothing but NumPy, so that two answers
that agree are two answers. Clear before fast: use it to check, not to train.
"""

from transformer_lib.numpy_reference.attention import (
    attention_weights,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)
from transformer_lib.numpy_reference.decoding import (
    Hypothesis,
    beam_search,
    exhaustive_search,
    greedy,
    length_penalty,
)
from transformer_lib.numpy_reference.evaluation import (
    alignment_error_rate,
    perplexity,
)
from transformer_lib.numpy_reference.gradients import (
    attention_gradient,
    finite_difference,
    layer_norm_gradient,
    token_loss_gradient,
)
from transformer_lib.numpy_reference.layers import (
    decoder_layer,
    encoder_layer,
    residual_connection,
)
from transformer_lib.numpy_reference.loss import smooth_targets, token_loss
from transformer_lib.numpy_reference.masks import causal_mask, padding_mask
from transformer_lib.numpy_reference.model import encode, transformer
from transformer_lib.numpy_reference.normalization import (
    batch_norm,
    layer_norm,
    running_statistics,
)
from transformer_lib.numpy_reference.probability import log_softmax, softmax
from transformer_lib.numpy_reference.tokens import (
    feed_forward,
    logits,
    sinusoidal_encoding,
    token_embedding,
)
from transformer_lib.numpy_reference.training import (
    adam_update,
    average,
    clip_gradients,
    cosine_rate,
    noam_rate,
)

__all__ = [
    "Hypothesis",
    "adam_update",
    "alignment_error_rate",
    "attention_gradient",
    "attention_weights",
    "average",
    "batch_norm",
    "beam_search",
    "causal_mask",
    "clip_gradients",
    "cosine_rate",
    "decoder_layer",
    "encode",
    "encoder_layer",
    "exhaustive_search",
    "feed_forward",
    "finite_difference",
    "greedy",
    "layer_norm",
    "layer_norm_gradient",
    "length_penalty",
    "log_softmax",
    "logits",
    "multi_head_attention",
    "noam_rate",
    "padding_mask",
    "perplexity",
    "residual_connection",
    "running_statistics",
    "scaled_dot_product_attention",
    "sinusoidal_encoding",
    "smooth_targets",
    "softmax",
    "split_heads",
    "token_embedding",
    "token_loss",
    "token_loss_gradient",
    "transformer",
]
