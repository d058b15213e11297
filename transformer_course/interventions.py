"""Look into a translator, and reach into it: the tools of chapter 17.

    state = interventions.start(translator, "the dog slept .")
    other = interventions.start(translator, "did the dog sleep ?")
    mixed = interventions.exchange(state, other, here=-1)
    interventions.write(translator, mixed)

To look is to read the attention weights. To reach in is to hide an English
token from the decoder, or to let the decoder read at one position what the
encoder has made of another sentence, and to see what it writes then.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from toy_language.corpus import SentencePair
from transformer_lib import batching
from transformer_lib.model import DecoderState
from transformer_lib.multi_head import KeyValues, record_attention
from transformer_lib.special_tokens import BOS, EOS
from transformer_lib.translator import Translator

__all__ = [
    "attention_maps",
    "exchange",
    "next_logits",
    "right_without",
    "start",
    "write",
]


def attention_maps(
    translator: Translator, pair: SentencePair
) -> dict[str, Tensor]:
    """Return all attention weights for a sentence and its translation.

    The decoder reads the right translation, as in training. Row t of its maps
    is the step that predicts token t; the last row predicts the end.

    Args:
        translator: the model and its tokenizer.
        pair: the sentence and the translation.

    Returns:
        The name of an attention module, such as
        ``decoder.layers.1.cross_attention``, to its weights, shape
        (H, Lq, Lk).
    """
    encode = translator.tokenizer.encode
    one = batching.make_batch([(encode(pair.source), encode(pair.target))])
    with torch.no_grad(), record_attention(translator.model) as maps:
        translator.model(one.source, one.target_in)
    return {name: weights[0] for name, weights in maps.items()}


@torch.no_grad()
def start(translator: Translator, sentence: str) -> DecoderState:
    """Let the encoder read a sentence.

    Args:
        translator: the model and its tokenizer.
        sentence: plain text.

    Returns:
        The state of the decoder before the first token.
    """
    ids = translator.tokenizer.encode(sentence)
    return translator.model.start(torch.tensor([ids]))


def exchange(
    state: DecoderState,
    other: DecoderState,
    here: int | Sequence[int],
    there: int | Sequence[int] | None = None,
    layers: Sequence[int] | None = None,
) -> DecoderState:
    """Let the decoder read some positions of another sentence.

    The encoder has read both sentences. What it made of `other` at the
    positions `there` takes the place of what it made of `state` at `here`.

    Args:
        state: of one sentence; not changed.
        other: of one sentence, by the same model.
        here: a position or several; negative ones count from the end.
        there: as many positions of the other sentence; `here` when None.
        layers: the decoder layers that read the exchange; all when None.

    Returns:
        The state with other keys and values in `memory`.

    Raises:
        IndexError: there is no such position or layer.
        ValueError: not as many positions of either sentence.

    Source: Geiger et al. 2021 (interchange interventions). Chapter 17.
    """
    here = _several(here)
    there = here if there is None else _several(there)
    if len(here) != len(there):
        raise ValueError(
            f"{len(here)} positions here and {len(there)} there; give as "
            "many of both"
        )
    memory = list(state.memory)
    for layer in range(len(memory)) if layers is None else layers:
        keys, values = (x.clone() for x in memory[layer])
        keys[:, :, here] = other.memory[layer].keys[:, :, there]
        values[:, :, here] = other.memory[layer].values[:, :, there]
        memory[layer] = KeyValues(keys, values)
    return replace(state, memory=tuple(memory))


def _several(positions: int | Sequence[int]) -> list[int]:
    return [positions] if isinstance(positions, int) else list(positions)


@torch.no_grad()
def next_logits(
    translator: Translator, state: DecoderState, written: Sequence[int] = ()
) -> Tensor:
    """Predict the next token from a state.

    Args:
        translator: the model and its tokenizer.
        state: from `start` or `exchange`.
        written: the ids of the tokens so far.

    Returns:
        The logits of the token that comes after them, shape (V,).
    """
    ids = torch.tensor([[BOS, *written]])
    logits, _ = translator.model.decode(ids, state)
    return logits[0, -1]


def write(
    translator: Translator, state: DecoderState, max_length: int = 40
) -> str:
    """Decode greedily from a state, which an exchange may have changed.

    Args:
        translator: the model and its tokenizer.
        state: from `start` or `exchange`.
        max_length: most tokens to write.

    Returns:
        The tokens with spaces between them, without <eos>.
    """
    written: list[int] = []
    while len(written) < max_length:
        best = int(next_logits(translator, state, written).argmax())
        if best == EOS:
            break
        written.append(best)
    return " ".join(translator.tokenizer.token(one) for one in written)


@torch.no_grad()
def right_without(
    translator: Translator, pair: SentencePair, hidden: Tensor
) -> Tensor:
    """Say which tokens are predicted right with a source token hidden.

    For each target token the decoder reads the right tokens before it. The
    mask of its cross-attention has a hole, in all layers.

    Args:
        translator: the model and its tokenizer.
        pair: the sentence and the translation.
        hidden: for each target token, the position of the source token that
            is hidden while it is predicted; shape (T,).

    Returns:
        True where the token is still the most probable one, shape (T,).
    """
    encode, model = translator.tokenizer.encode, translator.model
    source, target = encode(pair.source), encode(pair.target)
    step = torch.arange(len(target))
    # one copy of the sentence for each token, each with a hole of its own
    state = model.start(torch.tensor([source])).select(0 * step)
    mask = state.memory_mask.clone()
    mask[step, 0, hidden] = False
    read = torch.tensor([[BOS, *target[:-1]]]).expand(len(step), -1)
    logits, _ = model.decode(read, replace(state, memory_mask=mask))
    return logits[step, step].argmax(dim=-1) == torch.tensor(target)
