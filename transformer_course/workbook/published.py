"""A published translator in the reader's own Transformer.

    model, tokenizer = workbook.load_published(my_transformer, folder)
    ids = torch.tensor([tokenizer.encode(sentence)])
    written = my_transformer.greedy_decode(model, ids, 100)
    tokenizer.decode(written[0].tolist())

Two things a published translator has that the reader's file has not: swish in
the feed-forward network, and a bias for each word. Both are put around the
reader's classes, which stay as they are. Tested with random weights in the
published format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.workbook.complete import own_names
from transformer_course.workbook.learner import model_of
from transformer_lib.batching import pad
from transformer_lib.feed_forward import FeedForward
from transformer_lib.memory import check_room
from transformer_lib.pieces import PieceTokenizer
from transformer_lib.published import (
    LARGE,
    BiasedEmbedding,
    SwishFeedForward,
    load_model,
)
from transformer_lib.special_tokens import BOS, EOS

__all__ = ["RANDOM", "Biased", "load_published", "what_differs"]

RANDOM = Path(__file__).parents[1] / "data" / "random_translator"
CLOSE = 1e-4  # logits of float32 that count as equal
EXPLAINED = 100  # times smaller is a difference once its cause is known


class Biased(nn.Module):
    """The reader's Transformer, with a bias for each word's score.

    It is added outside: whatever calls what inside of the reader's class, it
    is added once.

    Args:
        model: of the reader's class.
        bias: of each word, (V,).
    """

    def __init__(self, model: nn.Module, bias: Tensor):
        super().__init__()
        self.model = model
        self.register_buffer("bias", bias, persistent=False)

    def encode(self, *args: Any, **named: Any) -> Tensor:
        """Encode as the reader's class does."""
        return self.model.encode(*args, **named)

    def decode(self, *args: Any, **named: Any) -> Tensor:
        """Decode as the reader's class does, and add the bias."""
        return self.model.decode(*args, **named) + self.bias

    def forward(self, *args: Any, **named: Any) -> Tensor:
        """Predict as the reader's class does, and add the bias."""
        return self.model(*args, **named) + self.bias


def load_published(
    own: ModuleType | None,
    folder: str | Path,
    feed_forward: Callable[[int, int], nn.Module] | None = None,
) -> tuple[Biased, PieceTokenizer]:
    """Build the reader's Transformer with the weights of a published one.

    It proves itself: its logits are compared with those of the library.

    Args:
        own: the reader's file as a module. If None, its class is
            `use("Transformer")`: the reader's, or else the book's version,
            and then a line says so.
        folder: of the published translator; see
            `transformer_lib.published.read`.
        feed_forward: the reader's class with swish, of the same sizes and
            names as `FeedForward` of the file; if None, the book's. A line
            says which.

    Returns:
        The model, in eval() mode, and its tokenizer. The weights are in
        memory once: the library's model, which is gone, had the same ones.

    Raises:
        OSError: a file is missing.
        RuntimeError: names or shapes of weights do not fit.
        ValueError: the folder is damaged or of another kind, there is too
            little memory, or the logits differ; then the sentence says why.
    """
    from transformer_course import workbook

    kind = workbook.use("Transformer") if own is None else own.Transformer
    library, tokenizer = load_model(folder)
    sizes = library.config
    output = library.output_embedding
    assert isinstance(output, BiasedEmbedding)
    wanted = 4 * sum(weight.numel() for weight in library.parameters())
    if wanted > LARGE:
        check_room(wanted, "your Transformer")
    model = model_of(kind, sizes)
    weights = own_names(dict(library.named_parameters()))
    model.load_state_dict(weights, assign=True)
    for stack in ("encoder", "decoder"):
        for number in range(sizes.n_layers):
            layer = model.get_submodule(f"{stack}.{number}.feed_forward")
            new = (feed_forward or SwishFeedForward)(sizes.d_model, sizes.d_ff)
            _replace(layer, new)
    biased = Biased(model, output.bias).eval()
    off, sentence = what_differs(biased, library.eval())
    if sentence:
        raise ValueError(sentence)
    whose = "the book's" if feed_forward is None else "yours"
    print(
        f"Your Transformer has the weights of {Path(folder).name}; its logits "
        f"differ from the library's by {off:.0e} at most. Swish: {whose}."
    )
    return biased, tokenizer


def _replace(layer: nn.Module, new: nn.Module) -> None:
    """Let a feed-forward network do what another one does.

    In place, because the reader's class may have kept it in other ways, too.
    """
    for name in ("linear1", "linear2"):
        if not isinstance(getattr(new, name, None), nn.Module):
            raise ValueError(
                f"{type(new).__name__} has no {name}; begin with the "
                "FeedForward of your file, and change one line"
            )
        setattr(new, name, layer.get_submodule(name))
    _Swap(layer, new)


class _Swap:
    """Runs a new feed-forward network wherever the old one would run.

    Some layers call their feed-forward network. Others, right as well, take
    its two linear maps and write the ReLU between them themselves, so a new
    `forward` would never be called. For these the new network gets what the
    first map got, and its result stands in for that of the second.

    Args:
        layer: the old network.
        new: the new one, which has the same two maps.
    """

    def __init__(self, layer: nn.Module, new: nn.Module):
        self.layer, self.new, self.inside = layer, new, False
        layer.forward = self.run
        first, second = map(layer.get_submodule, ("linear1", "linear2"))
        first.register_forward_pre_hook(self.remember)
        second.register_forward_hook(self.instead)

    def run(self, x: Tensor) -> Tensor:
        outer, self.inside = self.inside, True
        try:
            return self.new.forward(x)
        finally:
            self.inside = outer

    def remember(self, module: nn.Module, args: tuple[Tensor]) -> None:
        if not self.inside:
            (self.x,) = args

    def instead(
        self, module: nn.Module, args: tuple[Tensor], output: Tensor
    ) -> Tensor:
        if self.inside:
            return output
        self.inside = True
        try:
            return self.layer.forward(self.x)
        finally:
            self.inside = False


def what_differs(model: nn.Module, library: nn.Module) -> tuple[float, str]:
    """Compare logits with the library's for three padded sentences.

    Args:
        model: called as the reader's Transformer is, in eval() mode.
        library: the published translator in the library's classes, in eval()
            mode; see `transformer_lib.published.load_model`.

    Returns:
        The largest difference, and a sentence that names what was forgotten;
        "" if the two are equal.
    """
    source, target = _asked(library.config.vocab_size)
    with torch.inference_mode():
        found = model(source, target)
    off = _off(found, _logits(library, source, target))
    if off <= CLOSE:
        return off, ""
    said = (
        f"the logits of your Transformer differ from the library's by up to "
        f"{off:.2g} with the same weights"
    )
    for count in range(1, len(FORGOTTEN) + 1):
        for names in combinations(FORGOTTEN, count):
            if {"swish", "gelu"} <= {*names}:
                continue
            with ExitStack() as without:
                for name in names:
                    without.enter_context(FORGOTTEN[name](library))
                rest = _off(found, _logits(library, source, target))
            if rest < off / EXPLAINED:
                what = "; and ".join(SAID[name] for name in names)
                return off, f"{said}: {what}"
    return off, (
        f"{said}, and neither swish, nor the bias, nor the order of the "
        "positions explains it: see workbook.progress()"
    )


def _asked(vocab_size: int) -> tuple[Tensor, Tensor]:
    """Make sources and targets; which words does not matter."""
    draw = torch.Generator().manual_seed(0)

    def some(n: int) -> list[int]:
        ids = torch.randint(EOS + 1, vocab_size, (n,), generator=draw)
        return ids.tolist()

    sources = [[*some(n), EOS] for n in (7, 4, 2)]
    return pad(sources), torch.tensor([[BOS, *some(6)] for _ in sources])


def _logits(library: nn.Module, source: Tensor, target: Tensor) -> Tensor:
    with torch.inference_mode():
        return library(source, target)


def _off(one: Tensor, other: Tensor) -> float:
    """The largest difference of scores; those of <pad> and <bos> are -inf."""
    difference = (one - other)[..., EOS:].abs().max().item()
    return difference if difference == difference else float("inf")


# --------------------------------------------------- what may be forgotten

SAID = {
    "swish": "swish is missing, max(0, x) stands in its place",
    "gelu": "GELU stands in the place of swish",
    "bias": "the bias of each word is missing",
    "order": "the positions have all sines first and then all cosines; the "
    "weights are in the order in which they alternate",
}


class _Gelu(FeedForward):
    def forward(self, x: Tensor) -> Tensor:
        return self.linear2(F.gelu(self.linear1(x)))


@contextmanager
def _without_swish(
    library: Any, kind: type[FeedForward] = FeedForward
) -> Iterator[None]:
    every = [*library.encoder.layers, *library.decoder.layers]
    for layer in every:
        layer.feed_forward.__class__ = kind
    try:
        yield
    finally:
        for layer in every:
            layer.feed_forward.__class__ = SwishFeedForward


@contextmanager
def _without_bias(library: Any) -> Iterator[None]:
    bias = library.output_embedding.bias
    library.output_embedding.bias = torch.zeros_like(bias)
    try:
        yield
    finally:
        library.output_embedding.bias = bias


@contextmanager
def _without_order(library: Any) -> Iterator[None]:
    table = library.positions.pe
    halves = [table[:, 0::2], table[:, 1::2]]
    library.positions.pe = torch.cat(halves, dim=1)
    try:
        yield
    finally:
        library.positions.pe = table


FORGOTTEN = {
    "swish": _without_swish,
    "gelu": partial(_without_swish, kind=_Gelu),
    "bias": _without_bias,
    "order": _without_order,
}
