"""Multi-head attention: several small attentions side by side."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.arguments import check_whole
from transformer_lib.attention import attention_weights
from transformer_lib.shapes import check_batch, check_keys_values, check_mask


class KeyValues(NamedTuple):
    """The keys and values of some tokens, split into heads.

    This is what attention reads: computed from the tokens themselves
    (self-attention), from the encoder's output (cross-attention), or kept
    from earlier steps (the cache of a decoder).

    Attributes:
        keys: (B, H, L, d_k).
        values: (B, H, L, d_v), one for each key.

    Chapters 7 and 14.
    """

    keys: Float[Tensor, "B H L K"]
    values: Float[Tensor, "B H L Dv"]

    def append(self, other: "KeyValues") -> "KeyValues":
        """Return these tokens followed by others; nothing is changed."""
        if self.keys.shape[2] == 0:
            return other
        return KeyValues(
            torch.cat([self.keys, other.keys], dim=2),
            torch.cat([self.values, other.values], dim=2),
        )

    def select(self, rows: Int[Tensor, " R"]) -> "KeyValues":
        """Return some sentences of the batch, in the order given."""
        return KeyValues(self.keys[rows], self.values[rows])


class MultiHeadAttention(nn.Module):
    r"""Attend with h heads of width d_model / h, and mix the results.

    $$\mathrm{MultiHead}(Q, K, V) =
      \mathrm{Concat}(\mathrm{head}_1, ..., \mathrm{head}_h) W^O$$

    Keys and values are computed apart from attending, so that one class
    serves self-attention, cross-attention and the cache.

    Args:
        d_model: length of the vectors that come and go.
        n_heads: number of heads; divides d_model.
        d_k: length of one head's queries and keys; d_model / n_heads, like
            its values, when None.

    Raises:
        TypeError: a size that is not a whole number.
        ValueError: d_model cannot be split into n_heads equal parts, or a
            size is below 1.

    Source: Vaswani et al. 2017, section 3.2.2. Chapter 7.
    """

    def __init__(self, d_model: int, n_heads: int, d_k: int | None = None):
        super().__init__()
        check_heads(d_model, n_heads, d_k)
        self.n_heads = n_heads
        keys = d_model if d_k is None else n_heads * d_k
        self.sizes = [keys, d_model]  # of all heads' keys, of their values
        self.query = nn.Linear(d_model, keys)
        self.key_value = nn.Linear(d_model, keys + d_model)
        self.output = nn.Linear(d_model, d_model)
        key, value = self.key_value.weight.split(self.sizes)
        for weight in (self.query.weight, key, value, self.output.weight):
            nn.init.xavier_uniform_(weight)
        for linear in (self.query, self.key_value, self.output):
            nn.init.zeros_(linear.bias)

    def split(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B H L K"]:
        """Cut each token's vector into heads, then bring the heads forward."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def keys_values(self, x: Float[Tensor, "B L D"]) -> KeyValues:
        """Compute what others will read of these tokens.

        Raises:
            ValueError: x is not of shape (B, L, d_model).
        """
        check_batch(x, self.key_value.in_features)
        keys, values = self.key_value(x).split(self.sizes, dim=-1)
        return KeyValues(self.split(keys), self.split(values))

    def weights(
        self,
        x: Float[Tensor, "B Lq D"],
        read: KeyValues,
        mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
    ) -> Float[Tensor, "B H Lq Lk"]:
        """Return the attention weights of each head, for looking at.

        Args and Raises: as for `forward`.

        Returns:
            (B, H, Lq, Lk), rows that sum to 1.
        """
        query = self._query(x, read)
        return attention_weights(query, read.keys, _for_heads(mask, x, read))

    def _query(self, x: Tensor, read: KeyValues) -> Tensor:
        check_batch(x, self.query.in_features)
        if not isinstance(read, KeyValues):
            raise TypeError(
                f"read is a {type(read).__name__}; give the result of "
                "keys_values(x)"
            )
        check_keys_values(read.keys, read.values)
        wanted = (len(x), self.n_heads)
        if read.keys.shape[:2] != wanted:
            raise ValueError(
                f"{wanted[0]} sentences ask with {wanted[1]} heads, and "
                f"{read.keys.shape[0]} are read with {read.keys.shape[1]}; "
                "give as many of both"
            )
        return self.split(self.query(x))

    def forward(
        self,
        x: Float[Tensor, "B Lq D"],
        read: KeyValues,
        mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Attend from the tokens x to the tokens ``read``.

        Args:
            x: (B, Lq, d_model), the tokens that ask.
            read: the result of `keys_values`.
            mask: (B, Lq, Lk), (B, 1, Lk) or (Lq, Lk), True where a key may
                be looked at. None hides nothing.

        Returns:
            (B, Lq, d_model). A query that may look at nothing gets zeros
            from every head.

        Raises:
            ValueError: x is not of shape (B, Lq, d_model), x and what is
                read, or keys and values, differ in number, or the mask does
                not fit.
            TypeError: the mask is not boolean, or ``read`` does not come
                from `keys_values`.
        """
        heads = F.scaled_dot_product_attention(
            self._query(x, read),
            read.keys,
            read.values,
            attn_mask=_for_heads(mask, x, read),
        )
        return self.output(heads.transpose(1, 2).flatten(2))


def check_heads(d_model: int, n_heads: int, d_k: int | None = None) -> None:
    """Refuse a number of heads that does not divide d_model, or no width.

    Args:
        d_model: length of the vectors.
        n_heads: number of heads.
        d_k: length of one head's keys, or None.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, or n_heads does not divide d_model.
    """
    check_whole("d_model", d_model)
    check_whole("n_heads", n_heads)
    if d_k is not None:
        check_whole("d_k", d_k)
    if d_model % n_heads:
        choices = [h for h in range(1, d_model + 1) if d_model % h == 0]
        raise ValueError(
            f"d_model={d_model} cannot be split into n_heads={n_heads} "
            f"equal parts; choose n_heads from {choices}"
        )


def _for_heads(
    mask: Tensor | None, x: Tensor, read: KeyValues
) -> Tensor | None:
    """Give the mask of a batch an axis that stretches over the heads."""
    if mask is None:
        return None
    check_mask(mask, (len(x), x.shape[1], read.keys.shape[2]))
    # (Lq, Lk) fits every head as it is, and with a third axis torch would
    # not take its fused kernel on a CPU.
    return mask if mask.ndim < 3 else mask.unsqueeze(1)


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Collect the attention weights of every forward pass inside the block.

    Args:
        model: any module that contains `MultiHeadAttention`.

    Yields:
        A dict that fills up: the name of the attention module, such as
        ``decoder.layers.1.cross_attention``, to its weights (B, H, Lq, Lk),
        detached. A later pass replaces an earlier one.

    Raises:
        ValueError: the model contains no attention.

    Chapters 7 and 16.
    """
    maps: dict[str, Tensor] = {}
    handles = []

    def hook_for(name: str):
        def hook(module: MultiHeadAttention, args, kwargs, output):
            with torch.no_grad():
                maps[name] = module.weights(*args, **kwargs)

        return hook

    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            handles.append(
                module.register_forward_hook(hook_for(name), with_kwargs=True)
            )
    if not handles:
        raise ValueError(f"{type(model).__name__} contains no attention")
    try:
        yield maps
    finally:
        for handle in handles:
            handle.remove()
