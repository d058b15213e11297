"""The reference: the book's formulas once more, in NumPy and float64 alone.

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
    greedy,
    length_penalty,
)
from transformer_lib.numpy_reference.evaluation import (
    alignment_error_rate,
    perplexity,
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
    cosine_lr,
    noam_lr,
)

__all__ = [
    "Hypothesis",
    "adam_update",
    "alignment_error_rate",
    "attention_weights",
    "average",
    "batch_norm",
    "beam_search",
    "causal_mask",
    "clip_gradients",
    "cosine_lr",
    "decoder_layer",
    "encode",
    "encoder_layer",
    "feed_forward",
    "greedy",
    "layer_norm",
    "length_penalty",
    "log_softmax",
    "logits",
    "multi_head_attention",
    "noam_lr",
    "padding_mask",
    "perplexity",
    "residual_connection",
    "scaled_dot_product_attention",
    "sinusoidal_encoding",
    "smooth_targets",
    "softmax",
    "split_heads",
    "token_embedding",
    "token_loss",
    "transformer",
]
