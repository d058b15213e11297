"""What a Transformer is like: its sizes and choices, fixed for its life."""

from dataclasses import dataclass

from transformer_lib.multi_head import check_heads
from transformer_lib.validation import check_bool, check_int, check_probability

__all__ = ["Architecture", "TransformerConfig"]


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The sizes and choices of a Transformer, whatever its vocabulary.

    Args:
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

    Source: Vaswani et al. 2017, Table 3.
    """

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
        sizes = ("d_model", "n_heads", "d_ff", "n_layers")
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

    def config(self, vocab_size: int) -> "TransformerConfig":
        """Return the configuration for a vocabulary.

        Args:
            vocab_size: V, its tokens.
        """
        return TransformerConfig(**(vars(self) | {"vocab_size": vocab_size}))


@dataclass(frozen=True)
class TransformerConfig(Architecture):
    """An architecture and the size of its vocabulary: all that a model needs.

    Args:
        vocab_size: V, tokens of the joint vocabulary. All others: as for
            `Architecture`, by name.

    Raises:
        TypeError, ValueError: as for `Architecture`.

    Source: Vaswani et al. 2017, Table 3.
    """

    vocab_size: int

    def __post_init__(self) -> None:
        check_int("vocab_size", self.vocab_size)
        super().__post_init__()

    @classmethod
    def base(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's base model (Table 3)."""
        return cls(vocab_size)

    @classmethod
    def big(cls, vocab_size: int) -> "TransformerConfig":
        """Return the paper's big model (Table 3)."""
        return cls(vocab_size, d_model=1024, n_heads=16, d_ff=4096, dropout=0.3)
