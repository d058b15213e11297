"""The whole model: encoder, decoder, embeddings, and one road through it."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lib.arguments import check_flag, check_share, check_whole
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.multi_head import KeyValues, check_heads
from transformer_lib.normalization import LayerNorm
from transformer_lib.positional import PositionalEncoding
from transformer_lib.shapes import check_id_rows


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes and choices that make a Transformer.

    Args:
        vocab_size: V, tokens of the joint vocabulary.
        d_model: length of every token's vector.
        n_heads: heads of each attention; divides d_model.
        d_ff: inner length of the feed-forward networks.
        n_layers: N, layers of the encoder and of the decoder.
        dropout: share of numbers dropped while training.
        norm_first: pre-norm (True) or the paper's post-norm (False).
        tie_embeddings: one matrix for source, target and output.
        max_length: longest sequence, counted with <bos> or <eos>.
        d_k: length of one head's keys; d_model / n_heads when None.
        learned_positions: train the table of positions (True), or take the
            sines and cosines of the paper.

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

    def __post_init__(self):
        sizes = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers")
        for name in (*sizes, "max_length"):
            check_whole(name, getattr(self, name))
        for name in ("norm_first", "tie_embeddings", "learned_positions"):
            check_flag(name, getattr(self, name))
        check_share("dropout", self.dropout)
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
    """All that the decoder remembers; extending it makes a new one.

    Attributes:
        past: for each layer the keys and values of the tokens so far.
        memory: for each layer the keys and values of the encoder's output.
        memory_mask: (B, 1, S), True at real source tokens.

    Chapters 11 and 14.
    """

    past: tuple[KeyValues, ...]
    memory: tuple[KeyValues, ...]
    memory_mask: Bool[Tensor, "B 1 S"]

    @property
    def length(self) -> int:
        """Number of tokens read so far."""
        return self.past[0].keys.shape[2]

    def select(self, rows: Int[Tensor, " R"]) -> "DecoderState":
        """Return the state of some sentences, in the order given."""
        return DecoderState(
            tuple(kv.select(rows) for kv in self.past),
            tuple(kv.select(rows) for kv in self.memory),
            self.memory_mask[rows],
        )


class _Stack(nn.Module):
    """N layers and, for pre-norm only, a norm after the last one."""

    def __init__(self, layer: type[nn.Module], config: TransformerConfig):
        super().__init__()
        self.layers = nn.ModuleList(
            layer(
                config.d_model,
                config.n_heads,
                config.d_ff,
                config.dropout,
                config.norm_first,
                config.d_k,
            )
            for _ in range(config.n_layers)
        )
        norm_last = config.norm_first
        self.norm = LayerNorm(config.d_model) if norm_last else nn.Identity()


class Transformer(nn.Module):
    """An encoder that reads and a decoder that writes.

    Training, decoding and looking all go through `extend`.

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
        self.output = self.source_embedding
        if not config.tie_embeddings:
            self.target_embedding = TokenEmbedding(*size)
            self.output = TokenEmbedding(*size)
        self.positions = PositionalEncoding(
            config.d_model,
            config.max_length,
            config.dropout,
            config.learned_positions,
        )
        self.encoder = _Stack(EncoderLayer, config)
        self.decoder = _Stack(DecoderLayer, config)

    def encode(
        self, source: Int[Tensor, "B S"], mask: Bool[Tensor, "B 1 S"]
    ) -> Float[Tensor, "B S D"]:
        """Read the source: the output of the last encoder layer.

        Args:
            source: (B, S), ids with <pad> on the right.
            mask: (B, 1, S), True at real tokens.

        Returns:
            (B, S, d_model), the decoder's memory.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: ids are not of shape (B, S), too many for max_length,
                or outside the vocabulary.
        """
        check_id_rows(source)
        x = self.positions(self.source_embedding(source))
        for layer in self.encoder.layers:
            x = layer(x, mask)
        return self.encoder.norm(x)

    def begin(self, source: Int[Tensor, "B S"]) -> DecoderState:
        """Read the source and return a decoder that has written nothing.

        Args:
            source: (B, S), ids with <pad> on the right.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: an empty batch, a source longer than max_length, or
                an id outside the vocabulary.
        """
        check_id_rows(source)
        if source.numel() == 0:
            raise ValueError(
                f"the source batch has shape {tuple(source.shape)}; give "
                "at least one sentence of one token"
            )
        mask = padding_mask(source)
        memory = self.encode(source, mask)
        layers = self.decoder.layers
        shape = (len(source), self.config.n_heads, 0, 0)
        none = KeyValues(memory.new_empty(shape), memory.new_empty(shape))
        return DecoderState(
            past=tuple(none for _ in layers),
            memory=tuple(
                layer.cross_attention.keys_values(memory) for layer in layers
            ),
            memory_mask=mask,
        )

    def extend(
        self, state: DecoderState, tokens: Int[Tensor, "B T"]
    ) -> tuple[Float[Tensor, "B T V"], DecoderState]:
        """Read T more target tokens and predict the one after each.

        Args:
            state: from `begin` or from an earlier `extend`; not changed.
            tokens: (B, T), the next target tokens, the first of all <bos>.

        Returns:
            (B, T, V) scores of what follows each token, and the new state.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: as for `begin`, or another number of sentences than
                the state holds.
        """
        check_id_rows(tokens)
        if len(tokens) != len(state.memory_mask):
            raise ValueError(
                f"the state is of {len(state.memory_mask)} sentences and "
                f"{len(tokens)} came; give one row for each"
            )
        x = self.positions(self.target_embedding(tokens), state.length)
        n_new = tokens.shape[1]
        mask = causal_mask(n_new, state.length + n_new, tokens.device)
        past = []
        for layer, kv, memory in zip(
            self.decoder.layers, state.past, state.memory, strict=True
        ):
            x, present = layer(x, kv, memory, mask, state.memory_mask)
            past.append(present)
        logits = self.output.logits(self.decoder.norm(x))
        return logits, replace(state, past=tuple(past))

    def forward(
        self, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        """Score every next token of given targets at once (training).

        Args:
            source: (B, S), ids with <pad> on the right.
            target: (B, T), ids that begin with <bos>.

        Returns:
            (B, T, V), the scores of what follows each target token.

        Raises:
            TypeError, ValueError: as for `begin` and `extend`.
        """
        return self.extend(self.begin(source), target)[0]


def count_parameters(config: TransformerConfig) -> int:
    """Count the numbers that a model of this configuration would train.

    Args:
        config: sizes and choices.

    Returns:
        Their number; tied matrices count once. No memory is taken.

    Source: Vaswani et al. 2017, Table 3. Chapter 11.
    """
    with torch.device("meta"):
        model = Transformer(config)
    return sum(p.numel() for p in model.parameters())
