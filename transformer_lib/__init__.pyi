# What is loaded when it is first used; read by __init__.py and by editors.

from .parallel_text import read_parallel as read_parallel
from .tokenizer import Tokenizer as Tokenizer
from .batching import Batch as Batch, make_batch as make_batch
from .masks import causal_mask as causal_mask, padding_mask as padding_mask
from .attention import (
    attention_weights as attention_weights,
    scaled_dot_product_attention as scaled_dot_product_attention,
)
from .multi_head import (
    KeyValues as KeyValues,
    MultiHeadAttention as MultiHeadAttention,
    record_attention as record_attention,
)
from .positional import (
    PositionalEncoding as PositionalEncoding,
    sinusoidal_encoding as sinusoidal_encoding,
)
from .normalization import (
    BatchNorm as BatchNorm,
    LayerNorm as LayerNorm,
    batch_norm as batch_norm,
    layer_norm as layer_norm,
)
from .feed_forward import FeedForward as FeedForward
from .embedding import TokenEmbedding as TokenEmbedding
from .model_config import (
    Architecture as Architecture,
    TransformerConfig as TransformerConfig,
)
from .layers import DecoderLayer as DecoderLayer, EncoderLayer as EncoderLayer
from .model import (
    Decoder as Decoder,
    DecoderState as DecoderState,
    Encoder as Encoder,
    Transformer as Transformer,
    count_parameters as count_parameters,
)
from .label_smoothing import (
    smooth_targets as smooth_targets,
    token_loss as token_loss,
)
from .schedule import cosine_lr as cosine_lr, noam_lr as noam_lr
from .train_config import TrainConfig as TrainConfig
from .train_state import TrainState as TrainState
from .training import (
    evaluate as evaluate,
    train as train,
    train_step as train_step,
)
from .training_data import TrainingData as TrainingData
from .runs import Run as Run
from .decoding import (
    Hypothesis as Hypothesis,
    beam_search as beam_search,
    greedy as greedy,
    length_penalty as length_penalty,
    sample as sample,
)
from .search import Sampling as Sampling, Search as Search
from .evaluation import (
    alignment_error_rate as alignment_error_rate,
    bleu as bleu,
    chrf as chrf,
    exact_match as exact_match,
    perplexity as perplexity,
)
from .translator import Translator as Translator

__version__: str
