"""Multi-head attention: several small attentions side by side."""

import sys
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    contextmanager,
    nullcontext,
    suppress,
)
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.attention import attention_weights
from transformer_lib.shapes import check_batch, check_keys_values, check_mask
from transformer_lib.validation import check_int


class KeyValues(NamedTuple):
    """The keys and values of some tokens, split into heads.

    They come from the tokens themselves (self-attention), from the encoder's
    output (cross-attention), or from earlier steps (the cache of a decoder).

    Attributes:
        keys: for each head one vector of length K = d_k a token.
        values: the same, of length d_v.

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    keys: Float[Tensor, "B H L K"]
    values: Float[Tensor, "B H L Dv"]

    def append(self, new: "KeyValues") -> "KeyValues":
        """Return these tokens followed by new ones; nothing is changed."""
        if self.keys.shape[2] == 0:
            return new
        return KeyValues(
            torch.cat([self.keys, new.keys], dim=2),
            torch.cat([self.values, new.values], dim=2),
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

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(self, d_model: int, n_heads: int, d_k: int | None = None):
        super().__init__()
        check_heads(d_model, n_heads, d_k)
        self.n_heads = n_heads
        d_k = d_model // n_heads if d_k is None else d_k
        self.q_proj = nn.Linear(d_model, n_heads * d_k)
        self.k_proj = nn.Linear(d_model, n_heads * d_k)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        for linear in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def split_heads(
        self, x: Float[Tensor, "B L D"]
    ) -> Float[Tensor, "B H L K"]:
        """Cut each token's vector into heads, then bring the heads forward."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def keys_values(self, x: Float[Tensor, "B L D"]) -> KeyValues:
        """Compute the keys and values by which x can be attended to.

        Raises:
            ValueError: x is not of shape (B, L, d_model).
        """
        check_batch(x, self.k_proj.in_features)
        return KeyValues(
            self.split_heads(self.k_proj(x)), self.split_heads(self.v_proj(x))
        )

    def forward(
        self,
        x: Float[Tensor, "B Lq D"],
        kv: KeyValues,
        mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Attend from the tokens x to the tokens that ``kv`` stands for.

        Args:
            x: the tokens that query.
            kv: the result of `keys_values`, of Lk tokens.
            mask: (B, Lq, Lk), (B, 1, Lk) or (Lq, Lk), True where a key may
                be looked at. None hides nothing.

        Returns:
            One vector for each token of x. A query that may look at nothing
            gets zeros from every head.

        Raises:
            ValueError: x is not of shape (B, Lq, d_model), x and kv, or keys
                and values, differ in number, or the mask does not fit.
            TypeError: the mask is not boolean, or kv does not come from
                `keys_values`.
        """
        self._check(x, kv, mask)
        query = self.split_heads(self.q_proj(x))
        context = F.scaled_dot_product_attention(
            query, kv.keys, kv.values, attn_mask=_for_heads(mask)
        )
        return self.out_proj(context.transpose(1, 2).flatten(2))

    def attention_weights(
        self,
        x: Float[Tensor, "B Lq D"],
        kv: KeyValues,
        mask: Bool[Tensor, "*#B #Lq Lk"] | None = None,
    ) -> Float[Tensor, "B H Lq Lk"]:
        """Return the attention weights of each head, for looking at.

        Args and Raises: as for `forward`.

        Returns:
            The weights; each row sums to 1.
        """
        self._check(x, kv, mask)
        query = self.split_heads(self.q_proj(x))
        return attention_weights(query, kv.keys, _for_heads(mask))

    def _check(self, x: Tensor, kv: KeyValues, mask: Tensor | None) -> None:
        check_batch(x, self.q_proj.in_features)
        if not isinstance(kv, KeyValues):
            raise TypeError(
                f"kv is a {type(kv).__name__}; give the result of "
                "keys_values(x)"
            )
        wanted = (x.shape[0], self.n_heads)
        if kv.keys.shape[:2] != wanted:
            raise ValueError(
                f"queries of {wanted[0]} sentences and {wanted[1]} heads came "
                f"with keys of {kv.keys.shape[0]} sentences and "
                f"{kv.keys.shape[1]} heads; give as many of both"
            )
        check_keys_values(kv.keys, kv.values)
        if mask is not None:
            check_mask(mask, (*x.shape[:2], kv.keys.shape[2]))


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
    check_int("d_model", d_model)
    check_int("n_heads", n_heads)
    if d_k is not None:
        check_int("d_k", d_k)
    if d_model % n_heads:
        choices = [h for h in range(1, d_model + 1) if d_model % h == 0]
        raise ValueError(
            f"d_model={d_model} cannot be split into n_heads={n_heads} "
            f"equal parts; choose n_heads from {choices}"
        )


def _for_heads(mask: Tensor | None) -> Tensor | None:
    """Give the mask of a batch an axis that broadcasts over the heads.

    (Lq, Lk) fits every head as it is, and with a third axis torch would not
    take its fused kernel on a CPU.
    """
    return mask if mask is None or mask.ndim < 3 else mask.unsqueeze(1)


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Collect the attention weights of every forward pass inside the block.

    What is compiled runs as it is written inside the block, and more slowly.

    Args:
        model: any module that contains `MultiHeadAttention`.

    Yields:
        A dict that fills up: the name of the attention module, such as
        ``decoder.layers.1.cross_attention``, to its weights (B, H, Lq, Lk),
        detached. A later pass replaces an earlier one. What does not run is
        not in it: `Transformer.encode` alone leaves the decoder out, and a
        block in which nothing runs leaves the dict empty.

    Raises:
        ValueError: the model contains no attention.
        RuntimeError: at the end of the block, if a module has run and none
            of its attentions was seen; in a pass, if a copy of the model runs.

    Source: Vaswani et al. 2017, figures 3 to 5 (such weights, drawn).
    """
    maps: dict[str, Tensor] = {}
    ran: set[str] = set()
    handles = [
        module.register_forward_hook(hook, with_kwargs=True)
        for module, hook in _hooks(model, maps, ran)
    ]
    if not handles:
        raise ValueError(f"{type(model).__name__} contains no attention")
    try:
        with _as_written():
            yield maps
    finally:
        for handle in handles:
            handle.remove()
    for name in sorted(ran):
        if not any(f"{seen}.".startswith(name) for seen in maps):
            raise RuntimeError(
                f"{name[:-1] or type(model).__name__} has run and none of its "
                "attentions was seen: it is a graph that was captured "
                "earlier, or was called without its hooks; record and call "
                "the module from which it was made"
            )


def _hooks(
    model: nn.Module, maps: dict[str, Tensor], ran: set[str]
) -> Iterator[tuple[nn.Module, Callable]]:
    """Yield for each attention and what contains one: who fills the maps."""
    for path, module in model.named_modules():
        steps = [step for step in path.split(".") if step != "_orig_mod"]
        name = ".".join(steps)  # the same before and after torch.compile
        if isinstance(module, MultiHeadAttention):
            yield module, partial(_record, maps, name, module)
        elif any(isinstance(m, MultiHeadAttention) for m in module.modules()):
            yield module, partial(_note, ran, f"{name}." if name else "")


def _record(
    maps: dict[str, Tensor],
    name: str,
    original: MultiHeadAttention,
    module: MultiHeadAttention,
    args: tuple,
    kwargs: dict,
    _output: Tensor,
) -> None:
    if module is not original:
        raise RuntimeError(
            f"a copy of {name} runs, which sees only a part of the batch; "
            "record and call the model itself, not nn.DataParallel of it"
        )
    with torch.no_grad():
        maps[name] = module.attention_weights(*args, **kwargs)


def _note(ran: set[str], name: str, *_of_the_pass: object) -> None:
    ran.add(name)


def _as_written() -> AbstractContextManager:
    """Let compiled modules run as they are written.

    What was compiled calls no hook that came later. (Nothing is compiled as
    long as torch's compiler is not loaded, which takes a second.)
    """
    if "torch._dynamo" not in sys.modules:
        return nullcontext()
    if not torch.compiler.is_compiling():
        with suppress(RuntimeError):  # the caller is compiled
            return torch.compiler.set_stance("force_eager")
    raise RuntimeError(
        "record_attention was called inside a compiled function; compile the "
        "model alone, or leave out torch.compile while recording"
    )
