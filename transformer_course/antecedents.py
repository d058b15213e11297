"""Who is "it"? The minimal pairs of chapter 17, and what one can ask of them.

    pairs = antecedents.minimal_pairs(toy_splits("full")["contrast"])
    antecedents.turned(translator, pairs)["it"]

A sentence and its counterpart differ in one adjective, and so in the noun
that "it" stands for, its antecedent. `weights`, `pronoun_weights` and `vectors`
look at a model, `turned` reaches in, and `resolver` trains an encoder that has
to find the antecedent at the position of "it": a positive control.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from toy_language.corpus import SentencePair
from transformer_course.interventions import (
    attention_maps,
    exchange,
    next_logits,
    start,
)
from transformer_lib.batching import pad
from transformer_lib.masks import padding_mask
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.multi_head import record_attention
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.translator import Translator

__all__ = [
    "PLACES",
    "minimal_pairs",
    "positions",
    "pronoun_weights",
    "resolver",
    "turned",
    "vectors",
    "weights",
]

PLACES = ("subject", "object", "because", "it", "adjective", "end mark")
Pairs = Sequence[tuple[SentencePair, SentencePair]]


def minimal_pairs(
    contrast: Sequence[SentencePair], tokenizer: Tokenizer | None = None
) -> list[tuple[SentencePair, SentencePair]]:
    """Return each sentence of the contrast split with its counterpart.

    The two differ in one adjective, and so in what "it" is. Sentences with
    "n't" are left out: it is two tokens of the model, and one word of the
    alignment.

    Args:
        contrast: minimal pairs, one behind the other.
        tokenizer: if given, pairs with a word that it does not know are left
            out, too.

    Returns:
        (sentence, counterpart), in both directions one behind the other.
    """
    found = []
    for a, b in zip(contrast[::2], contrast[1::2], strict=True):
        text = " ".join((a.source, a.target, b.source, b.target))
        if "n't" in text or (tokenizer and tokenizer.unknown(text)):
            continue
        found += [(a, b), (b, a)]
    return found


def positions(pair: SentencePair, counterpart: SentencePair) -> dict[str, int]:
    """Say where in an English sentence of a minimal pair its parts stand.

    Args:
        pair: a sentence of the contrast split.
        counterpart: the one with the other adjective.

    Returns:
        The position of "meant", the noun that "it" stands for; of "rival",
        the other noun; of the two as "subject" and "object"; of "because",
        "it", "adjective" and the "end mark".

    Raises:
        ValueError: the two are no minimal pair.
    """
    words, others = pair.source.split(), counterpart.source.split()
    differ = [i for i, (a, b) in enumerate(zip(words, others, strict=False))
              if a != b]  # fmt: skip
    if len(words) != len(others) or len(differ) != 1:
        raise ValueError(
            f"{pair.source!r} and {counterpart.source!r} do not differ in "
            "exactly one word; give a minimal pair of the contrast split"
        )
    because = words.index("because")
    meant, rival = (
        _in_main_clause(pair, one.target.split()[0], because)
        for one in (pair, counterpart)
    )
    return {
        "meant": meant,
        "rival": rival,
        "subject": min(meant, rival),
        "object": max(meant, rival),
        "because": because,
        "it": words.index("it", because),
        "adjective": differ[0],
        "end mark": len(words) - 1,
    }


def _in_main_clause(pair: SentencePair, noun: str, because: int) -> int:
    """Where the English noun stands that a Korean noun translates."""
    tokens = pair.target.split()
    return next(
        s for s, t in pair.alignment if s < because and tokens[t] == noun
    )


def weights(
    translator: Translator, pairs: Pairs, module: str, row: str = ""
) -> dict[str, Tensor]:
    """Return how much weight a row of attention gives to each part.

    Args:
        translator: the model and its tokenizer.
        pairs: from `minimal_pairs`.
        module: for example ``decoder.layers.1.cross_attention``.
        row: the name of a position, as in `positions`; by default the first
            row, which in a decoder predicts the first token.

    Returns:
        For each name of `positions` the weight in each sentence and head,
        shape (N, H).
    """
    found: dict[str, list[Tensor]] = {}
    for pair, counterpart in pairs:
        at = positions(pair, counterpart)
        maps = attention_maps(translator, pair)[module]
        for name, position in at.items():
            weight = maps[:, at[row] if row else 0, position]
            found.setdefault(name, []).append(weight)
    return {name: torch.stack(rows) for name, rows in found.items()}


@torch.no_grad()
def pronoun_weights(
    model: Transformer, tokenizer: Tokenizer, pairs: Pairs
) -> dict[str, Tensor]:
    """Return what the row of "it" gives to three words in the encoder.

    Args:
        model: its encoder is asked, all heads of all layers.
        tokenizer: the one that it was trained with.
        pairs: from `minimal_pairs`.

    Returns:
        "meant", "rival" and "adjective": the weight in each sentence and
        head, shape (N, H), the heads of the first layer first.
    """
    names = ("meant", "rival", "adjective")
    found: dict[str, list[Tensor]] = {name: [] for name in names}
    for pair, counterpart in pairs:
        ids = torch.tensor([tokenizer.encode(pair.source)])
        with record_attention(model.encoder) as maps:
            model.encode(ids, padding_mask(ids))
        at = positions(pair, counterpart)
        rows = torch.cat([one[0, :, at["it"]] for one in maps.values()])
        for name, weight in found.items():
            weight.append(rows[:, at[name]])
    return {name: torch.stack(weight) for name, weight in found.items()}


@torch.no_grad()
def vectors(
    model: Transformer, tokenizer: Tokenizer, pairs: Pairs
) -> dict[str, Tensor]:
    """Return what the encoder has made of each of `PLACES`.

    Args:
        model, tokenizer, pairs: as for `pronoun_weights`.

    Returns:
        For each name the vectors, shape (N, D), a row for each sentence.
    """
    found: dict[str, list[Tensor]] = {name: [] for name in PLACES}
    for pair, counterpart in pairs:
        ids = torch.tensor([tokenizer.encode(pair.source)])
        output = model.encode(ids, padding_mask(ids))[0]
        at = positions(pair, counterpart)
        for name in PLACES:
            found[name].append(output[at[name]])
    return {name: torch.stack(rows) for name, rows in found.items()}


def turned(
    translator: Translator, pairs: Pairs, layers: Sequence[int] | None = None
) -> dict[str, float]:
    """Exchange one position after the other, and count answers that turn.

    Args:
        translator: the model and its tokenizer.
        pairs: from `minimal_pairs`.
        layers: the decoder layers that read the exchange; all when None.

    Returns:
        For each of `PLACES`, and for "whole sentence", in which fraction of
        the sentences the first token was another one and becomes that of
        the counterpart.
    """
    hits = dict.fromkeys((*PLACES, "whole sentence"), 0)
    for pair, counterpart in pairs:
        state, other = (
            start(translator, p.source) for p in (pair, counterpart)
        )
        wanted = translator.tokenizer.encode(counterpart.target)[0]
        own = int(next_logits(translator, state).argmax())
        at = positions(pair, counterpart)
        chosen = {name: [at[name]] for name in PLACES}
        chosen["whole sentence"] = list(range(at["end mark"] + 1))
        for name, here in chosen.items():
            mixed = exchange(state, other, here, layers=layers)
            first = int(next_logits(translator, mixed).argmax())
            hits[name] += first == wanted != own
    return {name: count / len(pairs) for name, count in hits.items()}


def resolver(
    config: TransformerConfig,
    tokenizer: Tokenizer,
    train: Sequence[SentencePair],
    steps: int = 600,
    seed: int = 0,
) -> Transformer:
    """Train an encoder to name the antecedent at the position of "it".

    Its only task: from the encoder's output at "it", predict the first token
    of the translation, which is the noun that "it" stands for. The decoder
    is not used.

    Args:
        config: the sizes; trained without dropout if it has none.
        tokenizer: knows all words of the sentences.
        train: training pairs of the kind "because-it", with one "it" each.
        steps: updates, with 64 sentences each.
        seed: decides the first weights and the order of the sentences.

    Returns:
        The model, in eval() mode.

    Chapter 17.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(config)
    source = pad([tokenizer.encode(pair.source) for pair in train])
    answers = torch.tensor([tokenizer.encode(p.target)[0] for p in train])
    it = (source == tokenizer.encode("it")[0]).int().argmax(dim=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.002)
    warm_up = torch.optim.lr_scheduler.LinearLR(
        optimizer, start_factor=0.02, total_iters=50
    )
    for _ in range(steps):
        rows = torch.randint(len(source), (64,), generator=generator)
        output = model.encode(source[rows], padding_mask(source[rows]))
        logits = model.output_embedding.logits(
            output[torch.arange(len(rows)), it[rows]]
        )
        loss = F.cross_entropy(logits, answers[rows])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        warm_up.step()
    return model.eval()
