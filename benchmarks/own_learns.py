"""Ten starts of the Transformer that learns Korean in chapter 15.

    python benchmarks/own_learns.py

The parts are those of the reader's file, all in the book's version, trained as
the lesson does it: 400 updates on `small`, one thread. Five seeds of weights
and batches, with two draws of the language. Now and then each is asked for both
halves of the cover's sentence, which training does not contain; at the end, for
the pairs of *contrast* and for 300 sentences of *valid* and of *test*. Beside
it the same pairs by looking up the nearest training sentence. The result is
benchmarks/results/own_learns.json. `--smoke` does the same in miniature and
stores nothing.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import common
import torch

from toy_language.baselines import both_right, nearest_translation
from toy_language.corpus import SentencePair, toy_splits
from transformer_course import workbook
from transformer_course.workbook.learner import ASKED

NAME = "own_learns"
UPDATES, EVERY = 400, 50
WANTED = dict(zip(ASKED, ("river", "cat"), strict=True))
LIMIT = 300  # sentences of a split


def exact(found: Sequence[bool]) -> float:
    """Return per cent."""
    return round(100 * sum(found) / len(found), 2)


def run(draw: int, seed: int, updates: int, n_train: int | None) -> dict:
    """Train from one start, and tell its story."""
    torch.set_num_threads(1)
    splits = toy_splits("small", seed=draw, n_train=n_train)
    assert not {*ASKED} & {pair.source for pair in splits["train"]}
    learner = workbook.Learner(splits, seed=seed)
    start = time.process_time()
    story: dict[int, dict[str, str]] = {}
    for answer in learner.learn(updates, max(1, updates // 8)):
        adjective = answer.english.split()[-2]
        story.setdefault(answer.step, {})[adjective] = answer.who
    seconds = time.process_time() - start
    pairs = splits["contrast"]
    contrast = learner.exact(pairs)
    figures = {
        "draw": draw,
        "seed": seed,
        "story": [{"step": step} | said for step, said in story.items()],
        "river_from": river_from(story),
        "both_from": both_from(story),
        "valid": exact(learner.exact(splits["valid"][:LIMIT])),
        "test": exact(learner.exact(splits["test"][:LIMIT])),
        "pairs": len(pairs) // 2,
        "pairs_right": count(contrast),
        "pairs_looked_up": count(looked_up(splits["train"], pairs)),
        "cpu_seconds": round(seconds, 1),
    }
    print(f"draw {draw}, seed {seed}: {figures['river_from']}", flush=True)
    return figures


def river_from(story: dict[int, dict[str, str]]) -> int | None:
    """Return from when on the river was too deep, at every later stop."""
    return _from([(step, said["deep"] == "river") for step, said in
                  story.items()])  # fmt: skip


def both_from(story: dict[int, dict[str, str]]) -> int | None:
    """Return from when on both halves were right, at every later stop."""
    return _from([
        (step, said["deep"] == "river" and said["tired"] == "cat")
        for step, said in story.items()
    ])  # fmt: skip


def _from(right: list[tuple[int, bool]]) -> int | None:
    since = None
    for step, good in right:
        since = (since or step) if good else None
    return since


def looked_up(
    train: Sequence[SentencePair], pairs: Sequence[SentencePair]
) -> list[bool]:
    """Say which sentences the nearest training sentence gets right."""
    found = nearest_translation(train, [pair.source for pair in pairs])
    return [one == pair.target for one, pair in zip(found, pairs, strict=True)]


def count(right: Sequence[bool]) -> int:
    """Return how many pairs have both sentences right."""
    return round(both_right(right) * len(right) / 2)


def main() -> None:
    """Train, ask, store."""
    parser = common.parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--draws", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--jobs", type=int, default=1, help="starts at a time")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:  # no file of a reader's
        os.environ["TRANSFORMER_WORKBOOK"] = str(Path(empty) / "none.py")
        updates, n_train = (2, 300) if args.smoke else (UPDATES, None)
        starts = [
            (draw, seed, updates, n_train)
            for draw in args.draws
            for seed in args.seeds
        ]
        runs = common.call_each(run, starts, args.jobs)
    figures = {"updates": updates, "runs": runs}
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
