"""One layer of the encoder and one of the decoder."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lib.feed_forward import FeedForward
from transformer_lib.multi_head import KeyValues, MultiHeadAttention
from transformer_lib.normalization import LayerNorm
from transformer_lib.validation import check_bool, check_probability


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual.

    Post-norm, as in the paper: ``norm(x + dropout(sublayer(x)))``.
    Pre-norm: ``x + dropout(sublayer(norm(x)))``, so that x itself passes
    unchanged through the whole stack.

    Args:
        d_model: length of the vectors.
        n_heads: number of heads.
        d_ff: inner length of the feed-forward network.
        dropout: probability of dropping an element of a sub-layer's output.
        norm_first: pre-norm (True) or post-norm (False).
        d_k: see `MultiHeadAttention`.

    Raises:
        TypeError: a size is not a whole number, dropout not a number, or
            norm_first not True or False.
        ValueError: a size or dropout is out of range.

    Source: Vaswani et al. 2017, sections 3.1 and 5.4; Xiong et al. 2020
    (pre-norm). Chapters 5 and 11.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float,
        norm_first: bool,
        d_k: int | None = None,
    ):
        super().__init__()
        check_probability("dropout", dropout)
        check_bool("norm_first", norm_first)
        self.self_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self,
        x: Float[Tensor, "B S D"],
        mask: Bool[Tensor, "*#B #S S"] | None = None,
    ) -> Float[Tensor, "B S D"]:
        """Let every token attend to those that the mask allows.

        Args:
            x: the source tokens.
            mask: (B, 1, S) or (S, S), True where a token may be looked at.
        """
        if self.norm_first:
            h = self._attend(self.norm1(x), mask)
            x = x + self.dropout(h)
            h = self.feed_forward(self.norm2(x))
            x = x + self.dropout(h)
        else:
            h = self._attend(x, mask)
            x = self.norm1(x + self.dropout(h))
            h = self.feed_forward(x)
            x = self.norm2(x + self.dropout(h))
        return x

    def _attend(self, x: Tensor, mask: Tensor | None) -> Tensor:
        return self.self_attention(x, self.self_attention.keys_values(x), mask)


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention and a feed-forward network.

    Args and Raises: as for `EncoderLayer`.

    Source: Vaswani et al. 2017, section 3.1. Chapter 11.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float,
        norm_first: bool,
        d_k: int | None = None,
    ):
        super().__init__()
        check_probability("dropout", dropout)
        check_bool("norm_first", norm_first)
        self.self_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        past: KeyValues,
        memory: KeyValues,
        mask: Bool[Tensor, "T L"],
        memory_mask: Bool[Tensor, "B #T S"] | None = None,
    ) -> tuple[Float[Tensor, "B T D"], KeyValues]:
        """Transform T new tokens that follow the ``past`` ones.

        Args:
            x: the new tokens.
            past: keys and values of the tokens before them; may hold none.
            memory: keys and values of the encoder's output.
            mask: causal, over the past and the new tokens, L in all.
            memory_mask: hides the source's padding.

        Returns:
            The tokens transformed, and the past with them appended.
        """
        if self.norm_first:
            h, present = self._attend(self.norm1(x), past, mask)
            x = x + self.dropout(h)
            h = self.cross_attention(self.norm2(x), memory, memory_mask)
            x = x + self.dropout(h)
            h = self.feed_forward(self.norm3(x))
            x = x + self.dropout(h)
        else:
            h, present = self._attend(x, past, mask)
            x = self.norm1(x + self.dropout(h))
            h = self.cross_attention(x, memory, memory_mask)
            x = self.norm2(x + self.dropout(h))
            h = self.feed_forward(x)
            x = self.norm3(x + self.dropout(h))
        return x, present

    def _attend(
        self, x: Tensor, past: KeyValues, mask: Tensor
    ) -> tuple[Tensor, KeyValues]:
        present = past.append(self.self_attention.keys_values(x))
        return self.self_attention(x, present, mask), present
