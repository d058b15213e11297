"""The whole model: embeddings, encoder, decoder."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lib.embedding import TokenEmbedding
from transformer_lib.layers import DecoderLayer, EncoderLayer
from transformer_lib.masks import causal_mask, padding_mask
from transformer_lib.model_config import TransformerConfig
from transformer_lib.multi_head import KeyValues
from transformer_lib.normalization import LayerNorm
from transformer_lib.positional import PositionalEncoding
from transformer_lib.shapes import check_id_rows, check_same_batch


@dataclass(frozen=True)
class DecoderState:
    """What the decoder remembers of a sentence: its key/value cache.

    A state is never changed; `Transformer.decode` returns a new one.

    Attributes:
        past: for each layer the keys and values of the tokens so far.
        memory: for each layer the keys and values of the encoder's output.
        memory_mask: True at real source tokens.

    Source: Shazeer 2019, section 2.4 (incremental attention).
    """

    past: tuple[KeyValues, ...]
    memory: tuple[KeyValues, ...]
    memory_mask: Bool[Tensor, "B 1 S"]

    @property
    def length(self) -> int:
        """Number of target tokens so far."""
        return self.past[0].keys.shape[2]

    def select(self, rows: Int[Tensor, " R"]) -> "DecoderState":
        """Return the state of some sentences, in the order given."""
        return DecoderState(
            tuple(kv.select(rows) for kv in self.past),
            tuple(kv.select(rows) for kv in self.memory),
            self.memory_mask[rows],
        )


torch.export.register_dataclass(DecoderState)  # `decode` can be exported


class Encoder(nn.Module):
    """N encoder layers and, for pre-norm only, a norm after the last one.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.layers, self.norm = _stack(EncoderLayer, config)

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 S"]
    ) -> Float[Tensor, "B S D"]:
        """Run embedded source tokens through all layers.

        Args:
            x: embeddings plus positions.
            mask: True at real tokens.
        """
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class Decoder(nn.Module):
    """N decoder layers and, for pre-norm only, a norm after the last one.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3.1.
    """

    layers: Sequence[DecoderLayer]  # an nn.ModuleList of them

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.layers, self.norm = _stack(DecoderLayer, config)

    def start(
        self, memory: Float[Tensor, "B S D"], memory_mask: Bool[Tensor, "B 1 S"]
    ) -> DecoderState:
        """Return the state before the first target token.

        Args:
            memory: the encoder's output.
            memory_mask: True at real source tokens.
        """
        past, keys_values = [], []
        n = memory.shape[0]
        for layer in self.layers:
            attention = layer.cross_attention
            keys_values.append(attention.keys_values(memory))
            nothing = memory.new_empty(n, attention.n_heads, 0, 0)
            past.append(KeyValues(nothing, nothing))
        return DecoderState(tuple(past), tuple(keys_values), memory_mask)

    def forward(
        self, x: Float[Tensor, "B T D"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T D"], DecoderState]:
        """Run embedded target tokens, which follow the state's, through.

        Args:
            x: embeddings plus positions of T new tokens.
            state: what the layers remember; not changed.

        Returns:
            The output of the last layer, and the state with T more tokens.
        """
        n_new = x.shape[1]
        mask = causal_mask(n_new, state.length + n_new, x.device)
        past = []
        for layer, kv, memory in zip(
            self.layers, state.past, state.memory, strict=True
        ):
            x, present = layer(x, kv, memory, mask, state.memory_mask)
            past.append(present)
        return self.norm(x), replace(state, past=tuple(past))


def _stack(
    layer: type[nn.Module], config: TransformerConfig
) -> tuple[Any, nn.Module]:
    """Make N layers and what follows the last one."""
    layers = [layer(config) for _ in range(config.n_layers)]
    norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()
    return nn.ModuleList(layers), norm


class Transformer(nn.Module):
    """Encoder, decoder and embeddings.

    Training, decoding and recording attention all go through `decode`.

    Args:
        config: sizes and choices.

    Source: Vaswani et al. 2017, section 3.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        size = (config.vocab_size, config.d_model)
        self.source_embedding = TokenEmbedding(*size)
        if config.tie_embeddings:
            self.target_embedding = deepcopy(self.source_embedding)
            self.output_embedding = deepcopy(self.source_embedding)
            # In a list, so that it's no fourth name in the state_dict.
            self._shared = [self.source_embedding.weight]
            self.register_load_state_dict_post_hook(_tie)
            _tie(self)
        else:
            self.target_embedding = TokenEmbedding(*size)
            self.output_embedding = TokenEmbedding(*size)
        self.positions = PositionalEncoding(
            config.d_model,
            config.max_length,
            config.dropout,
            config.learned_positions,
        )
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)

    def _apply(self, change: Callable, recurse: bool = True) -> "Transformer":
        super()._apply(change, recurse)
        if hasattr(self, "_shared"):
            _tie(self)
        return self

    def encode(
        self, source: Int[Tensor, "B S"], mask: Bool[Tensor, "B 1 S"]
    ) -> Float[Tensor, "B S D"]:
        """Encode the source: the output of the last encoder layer.

        Args:
            source: ids with <pad> on the right.
            mask: True at real tokens.

        Returns:
            One vector a source token, the memory of the decoder.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: ids are not of shape (B, S), too many for max_length,
                or outside the vocabulary.
        """
        check_id_rows(source)
        x = self.positions(self.source_embedding(source))
        return self.encoder(x, mask)

    def start(self, source: Int[Tensor, "B S"]) -> DecoderState:
        """Encode the source and return the state before the first token.

        Args:
            source: ids with <pad> on the right.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: an empty batch, a source longer than max_length, or
                an id outside the vocabulary.
        """
        check_id_rows(source, at_least=1)
        mask = padding_mask(source)
        memory = self.encode(source, mask)
        return self.decoder.start(memory, mask)

    def decode(
        self, tokens: Int[Tensor, "B T"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T V"], DecoderState]:
        """Feed T more target tokens and predict the one after each.

        Args:
            tokens: the next target tokens, the first of all <bos>.
            state: from `start` or from an earlier `decode`; not changed.

        Returns:
            The logits of what follows each token, and the new state.

        Raises:
            TypeError: ids are not whole numbers.
            ValueError: as for `start`, or another number of sentences than
                the state holds.
        """
        check_id_rows(tokens)
        check_same_batch(tokens, state.memory_mask)
        x = self.positions(self.target_embedding(tokens), state.length)
        x, state = self.decoder(x, state)
        return self.output_embedding.logits(x), state

    def forward(
        self, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        """Predict every next token of given targets at once (training).

        Args:
            source: ids with <pad> on the right.
            target: ids that begin with <bos>.

        Returns:
            The logits of what follows each target token.

        Raises:
            TypeError, ValueError: as for `start` and `decode`.
        """
        logits, _ = self.decode(target, self.start(source))
        return logits


def _tie(model: nn.Module, _found: object = None) -> None:
    """Let the three embeddings of a model hold one Parameter.

    PyTorch gives each module a new one of its own on the way from the meta
    device and in `load_state_dict(..., assign=True)`. Then the last of the new
    ones is shared, as the last that is loaded remains without ``assign``.
    """
    assert isinstance(model, Transformer)
    sides = ("source", "target", "output")
    every = [model.get_submodule(f"{side}_embedding") for side in sides]
    tables = [table for table in every if "weight" in table._parameters]
    weights = [table.get_parameter("weight") for table in tables]
    new = [weight for weight in weights if weight is not model._shared[0]]
    model._shared = new[-1:] or model._shared
    for table in tables:
        table.weight = model._shared[0]


def count_parameters(config: TransformerConfig) -> int:
    """Count the parameters that a model of this configuration would train.

    Args:
        config: sizes and choices.

    Returns:
        Their number; tied matrices count once. No memory is taken.

    Source: Vaswani et al. 2017, Table 3.
    """
    with torch.device("meta"):
        model = Transformer(config)
    return sum(p.numel() for p in model.parameters())
