"""A published translator, OPUS-MT, in the paper's classes.

    model, tokenizer = load_model("data/opus-mt-ko-en")

The architecture is the paper's base model. Two differences vanish while the
weights get the library's names, and no class changes for them:

- positions: all sines come first, then all cosines. No part of the model
  knows in which order the numbers of a vector stand, so every matrix that
  meets the residual stream is put into the paper's order;
- ids: </s> is 0, <unk> is 1, <pad> comes last, and there is no <bos>: a
  translation begins with <pad>, whose row is zeros. The rows are put into
  the library's order, with that row twice, as PAD and as BOS.

Two remain: `SwishFeedForward` and `BiasedEmbedding`.

Tested with random weights in the published format.
"""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.checkpoint import check_fit
from transformer_lib.embedding import TokenEmbedding
from transformer_lib.feed_forward import FeedForward
from transformer_lib.files import read_json
from transformer_lib.memory import check_room
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.pieces import PieceTokenizer
from transformer_lib.shapes import check_width
from transformer_lib.special_tokens import BOS, PAD

__all__ = [
    "BiasedEmbedding",
    "Published",
    "SwishFeedForward",
    "is_published",
    "load_model",
    "read",
]

MOST_POSITIONS = 1024
LARGE = 100_000_000  # bytes of weights; below, nobody asks for memory
MEMORY = 2.5  # bytes that are taken for each byte of the weights


class SwishFeedForward(FeedForward):
    r"""Widen, apply swish instead of ReLU, narrow again.

    $$\mathrm{FFN}(x) = \mathrm{swish}(x W_1 + b_1) W_2 + b_2, \qquad
    \mathrm{swish}(z) = z \, \sigma(z)$$

    Args:
        d_model: length of the vectors that come and go.
        d_ff: length of the inner vector.

    Raises:
        TypeError, ValueError: as for `FeedForward`.

    Source: Ramachandran et al. 2017.
    """

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transform each position by itself.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        check_width(x, self.linear1.in_features)
        return self.linear2(F.silu(self.linear1(x)))


class BiasedEmbedding(TokenEmbedding):
    """An embedding that adds a bias of each token to its score.

    Args:
        vocab_size: number of rows, V.
        d_model: length of a row.
        bias: of each token, whatever x is; -inf where it never follows.

    Raises:
        TypeError, ValueError: as for `TokenEmbedding`.
    """

    bias: Tensor

    def __init__(
        self, vocab_size: int, d_model: int, bias: Float[Tensor, " V"]
    ):
        super().__init__(vocab_size, d_model)
        self.register_buffer("bias", bias, persistent=False)

    def logits(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Score each token: its dot product with x, plus its bias.

        Raises:
            ValueError: the last axis of x is not of length d_model.
        """
        return super().logits(x) + self.bias


class Published(NamedTuple):
    """What the folder of a published model holds, in the library's terms.

    Attributes:
        config: the sizes.
        weights: by the names of the parameters of a `Transformer`.
        bias: of each token's score; -inf where it never follows.
        tokenizer: its ids are the rows of ``source_embedding.weight``.
    """

    config: TransformerConfig
    weights: dict[str, Tensor]
    bias: Float[Tensor, " V"]
    tokenizer: PieceTokenizer


def is_published(folder: str | Path) -> bool:
    """Tell the folder of a published model from that of a run.

    Args:
        folder: where to look.

    Returns:
        True if there is a config.json.
    """
    return (Path(folder) / "config.json").exists()


def load_model(folder: str | Path) -> tuple[Transformer, PieceTokenizer]:
    """Read a published model.

    Args:
        folder: see `read`.

    Returns:
        The model on the CPU, in train() mode, and its tokenizer.

    Raises:
        OSError, ValueError: as for `read`.
    """
    config, weights, bias, tokenizer = read(folder)
    with torch.device("meta"):  # so that nothing stands in memory twice
        model = Transformer(config)
        for layer in [*model.encoder.layers, *model.decoder.layers]:
            layer.feed_forward = SwishFeedForward(config.d_model, config.d_ff)
        size = config.vocab_size, config.d_model
        model.output_embedding = BiasedEmbedding(*size, bias)
    model.output_embedding.weight = model.source_embedding.weight
    check_fit(dict(model.named_parameters()), weights, str(folder))
    shared = weights["source_embedding.weight"]
    every = {
        f"{side}_embedding.weight": shared for side in ("target", "output")
    }
    model.load_state_dict(weights | every, assign=True)
    return model, tokenizer


def read(folder: str | Path) -> Published:
    """Read the files of a published model; nothing of them can run.

    Args:
        folder: with config.json, source.spm, vocab.json and the weights,
            model.safetensors or pytorch_model.bin.

    Returns:
        What they say, in the library's names and orders.

    Raises:
        OSError: a file is missing.
        ValueError: a file is damaged, the model is of another kind, or there
            is too little memory for it.
    """
    folder = Path(folder)
    config = read_json(folder / "config.json")
    _check_kind(config, folder)
    size = _size(config, folder)
    tokenizer = PieceTokenizer.read(folder, config.get("pad_token_id"))
    rows = tokenizer.rows
    found = _tensors(folder)
    table, bias = _table(found, folder), found.get("final_logits_bias")
    if (
        len(rows) != size.vocab_size
        or table.shape != (len(rows) - 1, size.d_model)
        or bias is None
        or bias.numel() != len(table)
    ):
        raise ValueError(
            f"{folder}: the weights, vocab.json and config.json are not of "
            "one model; fetch the folder again"
        )
    order = torch.arange(size.d_model).view(2, -1).T.flatten()
    weights = {}
    for name in list(found):
        tensor = found.pop(name)
        if own := _own_name(name):
            weights[own] = _in_order(own, tensor.float(), order)
    if f"encoder.layers.{size.n_layers - 1}.norm1.weight" not in weights:
        raise ValueError(
            f"{folder}: the weights are not of {size.n_layers} layers"
        )
    weights["source_embedding.weight"] = table[:, order][rows].float()
    bias = bias.flatten()[rows].float()
    bias[[PAD, BOS]] = -math.inf
    return Published(size, weights, bias, tokenizer)


_NAMES = {
    "model.": "",
    "self_attn_layer_norm": "norm1",
    "encoder_attn_layer_norm": "norm2",
    "self_attn.": "self_attention.",
    "encoder_attn.": "cross_attention.",
    "fc": "feed_forward.linear",
}


def _own_name(name: str) -> str | None:
    """Return the library's name of a tensor; None outside of the layers."""
    if ".layers." not in name:
        return None
    for theirs, ours in _NAMES.items():
        name = name.replace(theirs, ours)
    last = "norm2" if name.startswith("encoder") else "norm3"
    return name.replace("final_layer_norm", last)


def _in_order(name: str, tensor: Tensor, order: Int[Tensor, " D"]) -> Tensor:
    """Put the axis of a tensor that meets the residual stream in order.

    What reads from the stream meets it with its columns; what writes to it,
    and each norm, with its rows.
    """
    reads = re.search(r"(q_proj|k_proj|v_proj|linear1)\.(\w+)$", name)
    if not reads:
        return tensor[order]
    return tensor[:, order] if reads[2] == "weight" else tensor


def _table(found: dict[str, Tensor], folder: Path) -> Tensor:
    """Return the one matrix of all embeddings, whatever it is called."""
    names = ("shared", "encoder.embed_tokens", "decoder.embed_tokens")
    for name in (*(f"model.{name}" for name in names), "lm_head"):
        if f"{name}.weight" in found:
            return found[f"{name}.weight"]
    raise ValueError(f"{folder}: the weights hold no embeddings")


def _tensors(folder: Path) -> dict[str, Tensor]:
    """Read the weights. Nothing but tensors is ever unpickled."""
    path = folder / "model.safetensors"
    if not path.exists():
        path = folder / "pytorch_model.bin"
    size = path.stat().st_size
    if size > LARGE:
        check_room(int(MEMORY * size), str(folder))
    try:
        if path.suffix == ".safetensors":
            found = load_file(path)
        else:
            found = torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception:  # torch's own words advise to unpickle all the same
        found = None
    if not isinstance(found, dict) or not all(
        isinstance(one, Tensor) and one.is_floating_point()
        for one in found.values()
    ):
        raise ValueError(
            f"{path} is damaged, or holds other things than numbers; do not "
            "open it in another way, fetch it again"
        )
    return found


# What these classes are; the second part is not said in every file.
_WANTED = {
    "model_type": "marian",
    "activation_function": "swish",
    "scale_embedding": True,
}
_UNSAID = {
    "add_final_layer_norm": False,
    "normalize_before": False,
    "normalize_embedding": False,
    "share_encoder_decoder_embeddings": True,
    "static_position_embeddings": True,
    "tie_word_embeddings": True,
}


def _check_kind(config: dict[str, Any], folder: Path) -> None:
    """Refuse a model that the paper's classes cannot be."""
    wanted = _WANTED | _UNSAID
    for name in ("layers", "attention_heads", "ffn_dim"):
        wanted[f"decoder_{name}"] = config.get(f"encoder_{name}")
    for name, value in wanted.items():
        if (_UNSAID | config).get(name) != value:
            raise ValueError(
                f"{folder / 'config.json'}: {name} is {config.get(name)!r}, "
                f"and only {value!r} can be loaded; choose another model"
            )


def _size(config: dict[str, Any], folder: Path) -> TransformerConfig:
    """Return the sizes; refuse a positional table without measure."""
    try:
        positions = config["max_position_embeddings"]
        size = TransformerConfig(
            config["vocab_size"] + 1,
            d_model=config["d_model"],
            n_heads=config["encoder_attention_heads"],
            d_ff=config["encoder_ffn_dim"],
            n_layers=config["encoder_layers"],
            dropout=config["dropout"],
            max_length=positions,
        )
        if positions > MOST_POSITIONS:
            raise ValueError(
                f"max_position_embeddings is {positions}, and at most "
                f"{MOST_POSITIONS} can be loaded"
            )
    except (KeyError, TypeError, ValueError) as error:
        said = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"{folder / 'config.json'}: {said}") from None
    return size
