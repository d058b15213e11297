"""One layer of the encoder and one of the decoder, from finished parts."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lib.feed_forward import FeedForward
from transformer_lib.multi_head import KeyValues, MultiHeadAttention
from transformer_lib.residual import ResidualConnection


class EncoderLayer(nn.Module):
    """Look around, then think: self-attention and a feed-forward network.

    Args:
        d_model: length of the vectors.
        n_heads: number of heads.
        d_ff: inner length of the feed-forward network.
        dropout: see `ResidualConnection`.
        norm_first: see `ResidualConnection`.
        d_k: see `MultiHeadAttention`.

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
        self.self_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residuals = nn.ModuleList(
            ResidualConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(
        self,
        x: Float[Tensor, "B S D"],
        mask: Bool[Tensor, "*#B #S S"] | None = None,
    ) -> Float[Tensor, "B S D"]:
        """Transform each token in the light of those the mask allows.

        Args:
            x: (B, S, d_model).
            mask: (B, 1, S) or (S, S), True where a token may be looked at.

        Returns:
            (B, S, d_model).
        """
        attend, feed = self.residuals
        h = attend.enter(x)
        read = self.self_attention.keys_values(h)
        x = attend.leave(x, self.self_attention(h, read, mask))
        return feed(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Look back, look at the source, think.

    Args: as for `EncoderLayer`.

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
        self.self_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, d_k)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residuals = nn.ModuleList(
            ResidualConnection(d_model, dropout, norm_first) for _ in range(3)
        )

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
            x: (B, T, d_model), the new tokens.
            past: keys and values of the tokens before them; may hold none.
            memory: keys and values of the encoder's output.
            mask: (T, past + T), causal.
            memory_mask: (B, 1, S), hides the source's padding.

        Returns:
            The tokens transformed, and the past with them appended.
        """
        look_back, look_across, feed = self.residuals
        h = look_back.enter(x)
        present = past.append(self.self_attention.keys_values(h))
        x = look_back.leave(x, self.self_attention(h, present, mask))
        x = look_across(
            x, lambda h: self.cross_attention(h, memory, memory_mask)
        )
        return feed(x, self.feed_forward), present
