"""Decoding: from a trained model's scores to sentences."""

from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.model import Transformer
from transformer_lib.tokenizer import BOS, EOS, PAD


class Hypothesis(NamedTuple):
    """A translation and how probable the model finds it.

    Attributes:
        tokens: the ids written, without the last <eos>.
        log_probability: sum over its tokens and <eos>, in nats.
        finished: True if it ends with <eos>, False if max_length cut it.
    """

    tokens: list[int]
    log_probability: float
    finished: bool


@torch.no_grad()
def greedy(
    model: Transformer,
    source: Int[Tensor, "B S"],
    max_length: int | None = None,
) -> list[Hypothesis]:
    """Write the most probable next token, again and again, until <eos>.

    All sentences of the batch are decoded together over the key/value
    cache; those that are finished leave it.

    Args:
        model: put it in eval() mode first, or dropout will disturb it.
        source: (B, S), ids with <pad> on the right.
        max_length: most tokens to write; the model's own limit when None.

    Returns:
        One hypothesis for each sentence.

    Raises:
        ValueError: an empty batch, or max_length outside the model's limit.

    Chapter 14.
    """
    limit = model.config.max_length
    max_length = limit if max_length is None else max_length
    if not 1 <= max_length <= limit:
        raise ValueError(
            f"max_length={max_length}; this model writes 1 to {limit} tokens"
        )
    state = model.begin(source)
    n = len(source)
    written = torch.full((n, max_length), PAD, device=source.device)
    score = torch.zeros(n, device=source.device)
    finished = torch.zeros(n, dtype=torch.bool, device=source.device)
    rows = torch.arange(n, device=source.device)  # those still writing
    token = torch.full((n, 1), BOS, device=source.device)
    for position in range(max_length):
        logits, state = model.extend(state, token)
        best, token = logits[:, -1].float().log_softmax(-1).max(dim=-1)
        score[rows] += best
        written[rows, position] = token
        finished[rows] = token == EOS
        writing = (token != EOS).nonzero().squeeze(1)
        if len(writing) == 0:
            break
        if len(writing) < len(rows):
            rows, token = rows[writing], token[writing]
            state = state.select(writing)
        token = token.unsqueeze(1)
    return [
        Hypothesis(ids[: ids.index(EOS)] if done else ids, log_p, done)
        for ids, log_p, done in zip(
            written.tolist(), score.tolist(), finished.tolist(), strict=True
        )
    ]
