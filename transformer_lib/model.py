"""The whole model: embeddings, encoder, decoder, and its configuration."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.multi_head import KeyValues, check_heads
from transformer_lib.normalization import LayerNorm
from transformer_lib.positional import PositionalEncoding
from transformer_lib.shapes import check_id_rows, check_same_batch
from transformer_lib.validation import check_bool, check_int, check_probability


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes and choices that make a Transformer.

    Args:
        vocab_size: V, tokens of the joint vocabulary.
        d_model: length of every token's vector.
        n_heads: heads of each attention; divides d_model.
        d_ff: inner length of the feed-forward networks.
        n_layers: N, layers of the encoder and of the decoder.
        dropout: probability of dropping an element while training.
        norm_first: pre-norm (True) or the paper's post-norm (False).
        tie_embeddings: one matrix for source, target and output.
        max_length: longest sequence, counted with <bos> or <eos>.
        d_k: length of one head's keys; d_model / n_heads when None.
        learned_positions: train the positions (True), or take the sines and
            cosines of the paper.

    Raises:
        TypeError: a size that is not a whole number, or a choice that is
            neither True nor False.
        ValueError: a size below 1, heads that do not divide d_model, an odd
            d_model for sines and cosines, or dropout outside [0, 1).

    Source: Vaswani et al. 2017, Table 3. Chapter 11.
    """

    vocab_size: int
    d_model: int = 512
    n_heads: int = 8
    d_ff: int = 2048
    n_layers: int = 6
    dropout: float = 0.1
    norm_first: bool = False
    tie_embeddings: bool = True
    max_length: int = 512
    d_k: int | None = None
    learned_positions: bool = False

    def __post_init__(self) -> None:
        sizes = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers")
        for name in (*sizes, "max_length"):
            check_int(name, getattr(self, name))
        for name in ("norm_first", "tie_embeddings", "learned_positions"):
            check_bool(name, getattr(self, name))
        check_probability("dropout", self.dropout)
        check_heads(self.d_model, self.n_heads, self.d_k)
        if self.d_model % 2 and not self.learned_positions:
            raise ValueError(
                f"d_model={self.d_model} cannot be cut into pairs of sine "
                "and cosine; choose an even number"
            )

    @classmethod
    def base(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's base model (Table 3)."""
        return cls(vocab_size)

    @classmethod
    def big(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's big model (Table 3)."""
        return cls(vocab_size, d_model=1024, n_heads=16, d_ff=4096, dropout=0.3)


@dataclass(frozen=True)
class DecoderState:
    """What the decoder remembers of a sentence: its key/value cache.

    A state is never changed; `Transformer.decode` returns a new one.

    Attributes:
        past: for each layer the keys and values of the tokens so far.
        memory: for each layer the keys and values of the encoder's output.
        memory_mask: True at real source tokens.

    Chapters 11 and 14.
    """

    past: tuple[KeyValues, ...]
    memory: tuple[KeyValues, ...]
    memory_mask: Bool[Tensor, "B 1 S"]

    @property
    def length(self) -> int:
        """Number of target tokens so far."""
        return self.past[0].keys.shape[2]

    def select(self, rows: Int[Tensor, " R"]) -> "DecoderState":
        """Return the state of some sentences, in the order given."""
        return DecoderState(
            tuple(kv.select(rows) for kv in self.past),
            tuple(kv.select(rows) for kv in self.memory),
            self.memory_mask[rows],
        )


class Encoder(nn.Module):
    """N encoder layers and, for pre-norm only, a norm after the last one.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3.1. Chapter 11.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(*_layer_sizes(config)) for _ in range(config.n_layers)
        )
        self.norm = _last_norm(config)

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 S"]
    ) -> Float[Tensor, "B S D"]:
        """Run embedded source tokens through all layers.

        Args:
            x: embeddings plus positions.
            mask: True at real tokens.
        """
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class Decoder(nn.Module):
    """N decoder layers and, for pre-norm only, a norm after the last one.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3.1. Chapter 11.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.layers = nn.ModuleList(
            DecoderLayer(*_layer_sizes(config)) for _ in range(config.n_layers)
        )
        self.norm = _last_norm(config)

    def start(
        self, memory: Float[Tensor, "B S D"], memory_mask: Bool[Tensor, "B 1 S"]
    ) -> DecoderState:
        """Return the state before the first target token.

        Args:
            memory: the encoder's output.
            memory_mask: True at real source tokens.
        """
        past, keys_values = [], []
        for layer in self.layers:
            assert isinstance(layer, DecoderLayer)
            attention = layer.cross_attention
            keys_values.append(attention.keys_values(memory))
            nothing = memory.new_empty(len(memory), attention.n_heads, 0, 0)
            past.append(KeyValues(nothing, nothing))
        return DecoderState(tuple(past), tuple(keys_values), memory_mask)

    def forward(
        self, x: Float[Tensor, "B T D"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T D"], DecoderState]:
        """Run embedded target tokens, which follow the state's, through.

        Args:
            x: embeddings plus positions of T new tokens.
            state: what the layers remember; not changed.

        Returns:
            The output of the last layer, and the state with T more tokens.
        """
        n_new = x.shape[1]
        mask = causal_mask(n_new, state.length + n_new, x.device)
        past = []
        for layer, kv, memory in zip(
            self.layers, state.past, state.memory, strict=True
        ):
            x, present = layer(x, kv, memory, mask, state.memory_mask)
            past.append(present)
        return self.norm(x), replace(state, past=tuple(past))


def _layer_sizes(
    config: TransformerConfig,
) -> tuple[int, int, int, float, bool, int | None]:
    c = config
    return c.d_model, c.n_heads, c.d_ff, c.dropout, c.norm_first, c.d_k


def _last_norm(config: TransformerConfig) -> nn.Module:
    return LayerNorm(config.d_model) if config.norm_first else nn.Identity()


class Transformer(nn.Module):
    """Encoder, decoder and embeddings.

    Training, decoding and recording attention all go through `decode`.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3. Chapter 11.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        size = (config.vocab_size, config.d_model)
        self.source_embedding = TokenEmbedding(*size)
        self.target_embedding = self.source_embedding
        self.output_embedding = self.source_embedding
        if not config.tie_embeddings:
            self.target_embedding = TokenEmbedding(*size)
            self.output_embedding = TokenEmbedding(*size)
        self.positions = PositionalEncoding(
            config.d_model,
            config.max_length,
            config.dropout,
            config.learned_positions,
        )
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)

    def encode(
        self, source: Int[Tensor, "B S"], mask: Bool[Tensor, "B 1 S"]
    ) -> Float[Tensor, "B S D"]:
        """Encode the source: the output of the last encoder layer.

        Args:
            source: ids with <pad> on the right.
            mask: True at real tokens.

        Returns:
            One vector a source token, the memory of the decoder.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: ids are not of shape (B, S), too many for max_length,
                or outside the vocabulary.
        """
        check_id_rows(source)
        x = self.positions(self.source_embedding(source))
        return self.encoder(x, mask)

    def start(self, source: Int[Tensor, "B S"]) -> DecoderState:
        """Encode the source and return the state before the first token.

        Args:
            source: ids with <pad> on the right.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: an empty batch, a source longer than max_length, or
                an id outside the vocabulary.
        """
        check_id_rows(source, at_least=1)
        mask = padding_mask(source)
        memory = self.encode(source, mask)
        return self.decoder.start(memory, mask)

    def decode(
        self, tokens: Int[Tensor, "B T"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T V"], DecoderState]:
        """Feed T more target tokens and predict the one after each.

        Args:
            tokens: the next target tokens, the first of all <bos>.
            state: from `start` or from an earlier `decode`; not changed.

        Returns:
            The logits of what follows each token, and the new state.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: as for `start`, or another number of sentences than
                the state holds.
        """
        check_id_rows(tokens)
        check_same_batch(tokens, state.memory_mask)
        x = self.positions(self.target_embedding(tokens), state.length)
        x, state = self.decoder(x, state)
        return self.output_embedding.logits(x), state

    def forward(
        self, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        """Predict every next token of given targets at once (training).

        Args:
            source: ids with <pad> on the right.
            target: ids that begin with <bos>.

        Returns:
            The logits of what follows each target token.

        Raises:
            TypeError, ValueError: as for `start` and `decode`.
        """
        logits, _ = self.decode(target, self.start(source))
        return logits


def count_parameters(config: TransformerConfig) -> int:
    """Count the parameters that a model of this configuration would train.

    Args:
        config: sizes and choices.

    Returns:
        Their number; tied matrices count once. No memory is taken.

    Source: Vaswani et al. 2017, Table 3. Chapter 11.
    """
    with torch.device("meta"):
        model = Transformer(config)
    return sum(p.numel() for p in model.parameters())
