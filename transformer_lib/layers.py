"""One layer of the encoder and one of the decoder."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lib.feed_forward import FeedForward
from transformer_lib.model_config import Architecture
from transformer_lib.multi_head import KeyValues, MultiHeadAttention
from transformer_lib.normalization import LayerNorm


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual.

    Post-norm, as in the paper: ``norm(x + dropout(sublayer(x)))``.
    Pre-norm: ``x + dropout(sublayer(norm(x)))``, so that x itself passes
    unchanged through the whole stack.

    Args:
        architecture: d_model, n_heads, d_ff, d_k, dropout (of what each
            sub-layer adds) and norm_first.

    Source: Vaswani et al. 2017, sections 3.1 and 5.4; Xiong et al. 2020
    (pre-norm).
    """

    def __init__(self, architecture: Architecture):
        super().__init__()
        a = architecture
        self.self_attention = MultiHeadAttention(a.d_model, a.n_heads, a.d_k)
        self.feed_forward = FeedForward(a.d_model, a.d_ff)
        self.norm1 = LayerNorm(a.d_model)
        self.norm2 = LayerNorm(a.d_model)
        self.dropout = nn.Dropout(a.dropout)
        self.norm_first = a.norm_first

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

    Args:
        architecture: as for `EncoderLayer`.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(self, architecture: Architecture):
        super().__init__()
        a = architecture
        self.self_attention = MultiHeadAttention(a.d_model, a.n_heads, a.d_k)
        self.cross_attention = MultiHeadAttention(a.d_model, a.n_heads, a.d_k)
        self.feed_forward = FeedForward(a.d_model, a.d_ff)
        self.norm1 = LayerNorm(a.d_model)
        self.norm2 = LayerNorm(a.d_model)
        self.norm3 = LayerNorm(a.d_model)
        self.dropout = nn.Dropout(a.dropout)
        self.norm_first = a.norm_first

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
