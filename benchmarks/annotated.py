"""A Transformer in the form of "The Annotated Transformer" (Rush 2018).

Its form, in our own words: the layer norm is written out, with the unbiased
deviation and epsilon added to it, and scores of hidden keys become -1e9. All
else is the textbook's. The unbiased deviation is larger by a factor of
sqrt(d_model / (d_model - 1)), so that the loss is close to the library's and
not equal.
"""

import torch
from textbook import Attention, TextbookTransformer
from torch import Tensor, nn

HIDDEN = -1e9


class WrittenNorm(nn.Module):
    """Mean and deviation by two calls, then four more."""

    def __init__(self, norm: nn.LayerNorm):
        super().__init__()
        self.weight, self.bias, self.eps = norm.weight, norm.bias, norm.eps

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(-1, keepdim=True)
        deviation = x.std(-1, keepdim=True)
        return self.weight * (x - mean) / (deviation + self.eps) + self.bias


class MaskedAttention(Attention):
    """Scores that are overwritten where a key is hidden."""

    def forward(self, x: Tensor, kv: Tensor, mask: Tensor) -> Tensor:
        query = self.split(self.q_proj(x))
        key = self.split(self.k_proj(kv))
        value = self.split(self.v_proj(kv))
        scores = query @ key.transpose(-2, -1) / self.d_k**0.5
        scores = scores.masked_fill(mask != 0, HIDDEN)
        heads = torch.softmax(scores, dim=-1) @ value
        joined = heads.transpose(1, 2).contiguous()
        return self.out_proj(joined.view(len(x), -1, self.width))


class AnnotatedTransformer(TextbookTransformer):
    """The textbook's Transformer with the norms and masks of that form."""

    def __init__(self, config):
        super().__init__(config)
        for module in list(self.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, nn.LayerNorm):
                    setattr(module, name, WrittenNorm(child))
                elif type(child) is Attention:
                    child.__class__ = MaskedAttention
