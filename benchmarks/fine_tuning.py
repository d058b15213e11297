"""Fine-tuning with few and with many labels. Used by two_halves.py.

The same small model learns a task from labeled sentences, once from new
weights and once from each of the pre-trained halves. The learning rate is
chosen on validation sentences by whoever reads the result: all are stored.
"""

import random
from collections.abc import Callable, Sequence

import torch
from labeled import (
    Example,
    bag_of_words,
    claims,
    examples,
    keys,
    looked_up,
    persons,
)
from torch import Tensor, nn
from torch.nn import functional as F

from toy_language.corpus import SentencePair
from transformer_lib.batching import pad
from transformer_lib.schedule import cosine_lr
from transformer_lib.special_tokens import PAD

LABELS = (10, 50, 250, 1250)
STEPS, PAIR_STEPS = 150, 400
BATCH = 32
RATES = (1e-3, 3e-3)
Encode = Callable[[list[str]], list[list[int]]]
Bodies = dict[str, Callable[[], nn.Module]]
Splits = dict[str, list[SentencePair]]


class Classifier(nn.Module):
    """A pre-trained or new body and one linear layer on one of its vectors.

    That of the first token, or of the last one if the body is causal.
    """

    def __init__(self, body: nn.Module):
        super().__init__()
        self.body = body
        self.segments = nn.Embedding(2, 64)
        nn.init.zeros_(self.segments.weight)
        self.head = nn.Linear(64, 2)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """Give (B, 2) scores."""
        x = self.body.vectors(ids, self.segments(segments))
        if not self.body.causal:
            return self.head(x[:, 0])
        last = (ids != PAD).sum(dim=1) - 1
        return self.head(x[torch.arange(len(x)), last])


def batch(
    some: Sequence[Example], encode: Encode, segments: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Return ids, segment numbers and labels."""
    rows, parts = encode([one[0] for one in some]), []
    for k, (_, second, _) in enumerate(some):
        more = encode([second])[0][1:] if second else []
        parts.append([0] * len(rows[k]) + [int(segments)] * len(more))
        rows[k] = rows[k] + more
    return pad(rows), pad(parts), torch.tensor([one[2] for one in some])


def tune(
    body: nn.Module,
    data: Sequence[Example],
    encode: Encode,
    steps: int,
    rate: float,
    seed: int,
    segments: bool = True,
) -> Classifier:
    """Train a classifier and its body on labeled examples."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = Classifier(body)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    for step in range(1, steps + 1):
        some = chance.sample(data, min(BATCH, len(data)))
        ids, parts, labels = batch(some, encode, segments)
        loss = F.cross_entropy(model(ids, parts), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = cosine_lr(step, rate, max(1, steps // 10), steps)
        optimizer.step()
    return model.eval()


@torch.inference_mode()
def right(
    model: Classifier,
    data: Sequence[Example],
    encode: Encode,
    segments: bool = True,
) -> float:
    """Return the fraction of right answers."""
    ids, parts, labels = batch(data, encode, segments)
    answers = model(ids, parts).argmax(dim=-1)
    return round((answers == labels).double().mean().item(), 4)


def curve(
    bodies: Bodies,
    data: dict[str, list[Example]],
    encode: Encode,
    seed: int,
    labels: Sequence[int],
    steps: int,
) -> dict:
    """Return {start: {labels: {rate: {part: right}}}}."""
    found: dict[str, dict] = {start: {} for start in bodies}
    for n in labels:
        some = random.Random(seed).sample(data["train"], n)
        for start, body in bodies.items():
            here = found[start][str(n)] = {}
            for rate in RATES:
                model = tune(body(), some, encode, steps, rate, seed)
                here[str(rate)] = {
                    part: right(model, data[part], encode)
                    for part in data
                    if part != "train"
                }
    return found


def tasks(
    bodies: Bodies,
    splits: Splits,
    encode: Encode,
    classes: dict[str, str],
    seed: int,
    labels: Sequence[int] = LABELS,
    steps: int = STEPS,
) -> dict:
    """Fine-tune on both tasks of one sentence, beside tables of words."""
    names = ("train", "valid", "test")
    nouns = {part: persons(splits, part) for part in names}
    it = {part: examples(splits[part]) for part in (*names, "contrast")}
    tables, bags = keys(classes), {}
    for n in labels:
        some = random.Random(seed).sample(nouns["train"], n)
        few = random.Random(seed).sample(it["train"], n)
        table = tables["adjective, not and verb"]
        bags[str(n)] = {
            "person": bag_of_words(some, nouns["test"]),
            "it": looked_up(few, it["contrast"], table),
        }
    everything = {
        name: looked_up(it["train"], it["contrast"], key)
        for name, key in tables.items()
        if name != "claim alone"
    }
    mean = sum(one[2] for one in nouns["test"]) / len(nouns["test"])
    return {
        "person": curve(bodies, nouns, encode, seed, labels, steps),
        "it": curve(bodies, it, encode, seed, labels, steps),
        "words": bags,
        "tables": everything | {"person, majority": max(mean, 1 - mean)},
    }


def two_sentences(
    bodies: Bodies,
    splits: Splits,
    encode: Encode,
    classes: dict[str, str],
    seed: int,
    steps: int = PAIR_STEPS,
) -> dict[str, dict[str, float]]:
    """Fine-tune on all sentences with a claim: is it true?"""
    parts = ("train", "valid", "test", "contrast")
    data = {p: claims(examples(splits[p]), classes, seed) for p in parts}
    alone = keys(classes)["claim alone"]
    result = {"claim alone": {
        p: looked_up(data["train"], data[p], alone) for p in parts[1:]
    }}  # fmt: skip
    for name, start, segments in (("masked", "masked", True),
                                  ("masked, one segment", "masked", False),
                                  ("scratch", "scratch", True)):  # fmt: skip
        model = tune(bodies[start](), data["train"], encode, steps,
                     RATES[-1], seed, segments)  # fmt: skip
        result[name] = {
            p: right(model, data[p], encode, segments) for p in parts[1:]
        }
    return result
