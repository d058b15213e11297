"""Torch's own modules with the same weights, to compare ours with.

A mapping of names says for each parameter of torch which parameters of ours,
joined one below the other, make it. It serves twice: to copy the weights,
and to compare the gradients.
"""

from contextlib import contextmanager

import torch
from torch import nn

Names = dict[str, tuple[str, ...]]

EXACT = {"rtol": 0, "atol": 1e-10}
SAME: Names = {"weight": ("weight",), "bias": ("bias",)}


def inside(theirs: str, ours: str, names: Names) -> Names:
    """Put a mapping inside modules of these names; "" stands for none."""
    before = f"{ours}." if ours else ""
    return {
        f"{theirs}.{name}": tuple(before + part for part in parts)
        for name, parts in names.items()
    }


ATTENTION: Names = {
    "in_proj_weight": ("q_proj.weight", "k_proj.weight", "v_proj.weight"),
    "in_proj_bias": ("q_proj.bias", "k_proj.bias", "v_proj.bias"),
} | inside("out_proj", "out_proj", SAME)

FEED_FORWARD = inside("linear1", "feed_forward.linear1", SAME) | inside(
    "linear2", "feed_forward.linear2", SAME
)


def norms(n: int) -> Names:
    """Name the norms of a layer with n sub-layers."""
    names: Names = {}
    for name in [f"norm{i + 1}" for i in range(n)]:
        names |= inside(name, name, SAME)
    return names


ENCODER_LAYER = (
    inside("self_attn", "self_attention", ATTENTION) | FEED_FORWARD | norms(2)
)
DECODER_LAYER = (
    inside("self_attn", "self_attention", ATTENTION)
    | inside("multihead_attn", "cross_attention", ATTENTION)
    | FEED_FORWARD
    | norms(3)
)


def stacks(n_layers: int, norm_last: bool) -> Names:
    """Name the parameters of an encoder and a decoder of n layers each."""
    names: Names = {}
    for stack, layer in (
        ("encoder", ENCODER_LAYER),
        ("decoder", DECODER_LAYER),
    ):
        for i in range(n_layers):
            names |= inside(f"{stack}.layers.{i}", f"{stack}.layers.{i}", layer)
        if norm_last:
            names |= inside(f"{stack}.norm", f"{stack}.norm", SAME)
    return names


class TorchPair:
    """A module of ours and one of torch's that must do the same.

    Both become float64; ours gets random weights (no bias stays 0, no norm's
    weight stays 1) and torch's a copy of them. Every parameter must be named.
    """

    def __init__(self, ours: nn.Module, theirs: nn.Module, names: Names):
        self.ours, self.theirs = ours.double(), theirs.double()
        self.names = names
        mine = dict(self.ours.named_parameters())
        other = dict(self.theirs.named_parameters())
        assert set(names) == set(other)
        assert {part for parts in names.values() for part in parts} == set(mine)
        for parameter in mine.values():
            nn.init.normal_(parameter, std=0.4)
        with torch.no_grad():
            for name, parameter in other.items():
                parameter.copy_(torch.cat([mine[p] for p in names[name]]))

    def train(self, mode: bool = True) -> None:
        """Set the mode of both."""
        self.ours.train(mode)
        self.theirs.train(mode)

    def compare(self, one, two, *inputs) -> None:
        """Compare values, and gradients of the inputs and all parameters."""
        torch.testing.assert_close(one, two, **EXACT)
        pull = torch.randn_like(one)
        mine = dict(self.ours.named_parameters())
        other = dict(self.theirs.named_parameters())
        left = torch.autograd.grad(one, [*inputs, *mine.values()], pull)
        right = torch.autograd.grad(two, [*inputs, *other.values()], pull)
        n = len(inputs)
        torch.testing.assert_close(left[:n], right[:n], **EXACT)
        mine = dict(zip(mine, left[n:], strict=True))
        for name, gradient in zip(other, right[n:], strict=True):
            joined = torch.cat([mine[part] for part in self.names[name]])
            torch.testing.assert_close(
                joined, gradient, **EXACT, msg=lambda m, n=name: f"{n}: {m}"
            )


def compare(one, two, *inputs) -> None:
    """Compare values, and gradients of the inputs, to 1e-10."""
    torch.testing.assert_close(one, two, **EXACT)
    pull = torch.randn_like(one)
    torch.testing.assert_close(
        torch.autograd.grad(one, inputs, pull),
        torch.autograd.grad(two, inputs, pull),
        **EXACT,
    )


def random(*shape: int) -> torch.Tensor:
    """Return float64 numbers from N(0, 1) that take gradients."""
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@contextmanager
def float64():
    """Let tables and targets that are made inside be float64."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
