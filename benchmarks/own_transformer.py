"""Where five short trainings of the library end, each with another seed.

    python benchmarks/own_transformer.py

The reader's own Transformer begins with the library's weights, sees its
batches, and has to end in the same range (tests/test_own_transformer.py).
"""

import argparse

import common
import torch

from transformer_lib import corpus, training
from transformer_lib.model import TransformerConfig
from transformer_lib.tokenizer import Tokenizer

MODEL = {
    "d_model": 32,
    "n_heads": 4,
    "d_ff": 64,
    "n_layers": 1,
    "dropout": 0.0,
}
TRAIN = {
    "steps": 300,
    "tokens_per_batch": 1000,
    "max_lr": None,  # the paper's schedule
    "warmup": 100,
}
LAST = 20  # losses whose mean is the end


def main() -> None:
    """Train five times and store the ends."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    torch.set_num_threads(1)
    pairs = corpus.toy_splits("small")["train"]
    texts = [text for p in pairs for text in (p.source, p.target)]
    words = Tokenizer.words(texts, corpus.SPELLING)
    sides = ([p.source for p in pairs], [p.target for p in pairs])
    ids = list(zip(*map(words.encode_all, sides), strict=True))
    config = TransformerConfig(len(words), **MODEL)
    ends = []
    for seed in range(5):
        how = training.TrainConfig(**TRAIN, seed=seed)
        state = training.TrainState.create(config, how)
        losses = [step.loss.item() for step in training.train(state, ids)]
        ends.append(sum(losses[-LAST:]) / LAST)
        print(f"seed {seed}: {ends[-1]:.3f}")
    figures = {"model": MODEL, "train": TRAIN | {"seed": 0}, "ends": ends}
    print(common.write("own_transformer", "cpu", figures))


if __name__ == "__main__":
    main()
