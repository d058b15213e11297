"""How probable a model finds each token of translations that are given."""

from collections.abc import Sequence

import torch

from transformer_lib.batching import pad
from transformer_lib.model import Transformer
from transformer_lib.special_tokens import BOS, EOS

__all__ = ["token_log_p"]


@torch.inference_mode()
def token_log_p(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    translations: Sequence[Sequence[int]],
    batch_size: int = 64,
) -> list[list[float]]:
    """Score each token of some translations, and that they end there.

    A translation that was cut counts as if it ended: no model finds that
    probable. If it fills the model's length, its last token makes room.

    Args:
        model: in eval() mode.
        sources: sentences as ids, none of them empty.
        translations: of each, as ids without <bos> and <eos>.
        batch_size: sentences scored together.

    Returns:
        For each sentence the log-probabilities in nats, that of <eos> last.
    """
    limit = model.config.max_length - 1
    device = next(model.parameters()).device
    results: list[list[float]] = [[] for _ in sources]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        targets = [list(translations[i][:limit]) for i in rows]
        logits = model(
            pad([sources[i] for i in rows]).to(device),
            pad([[BOS, *target] for target in targets]).to(device),
        )
        log_p = logits.float().log_softmax(dim=-1)
        for i, target, scores in zip(rows, targets, log_p, strict=True):
            written = torch.tensor([*target, EOS], device=device)
            chosen = scores[: len(written)].gather(1, written.unsqueeze(1))
            results[i] = chosen.squeeze(1).tolist()
    return results
