"""Which goat was it? Eleven ways to read a text, each with time to learn.

    python benchmarks/goats.py --jobs 2

The trainings of chapter 1 (transformer_course/recall.py) with five seeds
and up to 3,000 updates instead of 800: one goat in 32 words, four goats in 8
words, four goats in 32. The plain RNN gets a third of the learning rate as
well, and three changes: its recurrent matrix starts as the identity, ReLU
replaces its tanh, or both. GRU and LSTM also read with the question first. A
run's figure is the number of updates after which 99 percent of its last 640
answers were right, or null if that did not happen. The result is
benchmarks/results/goats.json. `--missing` keeps the groups that are stored
there, each with the commit that it was measured on, and measures the others.
`--smoke` does all in miniature and stores nothing.
"""

import argparse
import functools
import time
from collections.abc import Callable

import common
import torch
from torch import Tensor, nn

from transformer_course import recall

NAME = "goats"
LIMIT = 3000
RATE, SLOW = 0.003, 0.001
TASKS = {
    "1 goat, 32 words": {"goats": 1, "length": 32},
    "4 goats, 8 words": {"goats": 4, "length": 8},
    "4 goats, 32 words": {"goats": 4, "length": 32},
}


def plain_sum(vectors: Tensor, question: Tensor) -> Tensor:
    """Add all vectors, without any weights."""
    return vectors.sum(dim=1)


def attention(vectors: Tensor, question: Tensor) -> Tensor:
    """Average the vectors; the question is the query."""
    scores = vectors @ question[:, :, None]
    return (scores.softmax(dim=1) * vectors).sum(dim=1)


relu = functools.partial(nn.RNN, nonlinearity="relu")


def from_identity(kind: Callable[..., nn.RNN]) -> recall.LastState:
    """Read with a network whose recurrent matrix starts as the identity."""
    return recall.from_identity(recall.LastState(kind))


def question_first(kind: type[nn.RNNBase]) -> recall.LastState:
    """Read with a network that knows the question from the beginning."""
    return recall.LastState(kind, question_first=True)


KINDS: dict[str, Callable] = {
    "plain sum": lambda: plain_sum,
    "fixed query": recall.FixedQuery,
    "plain RNN": lambda: recall.LastState(nn.RNN),
    "LSTM": lambda: recall.LastState(nn.LSTM),
    "GRU": lambda: recall.LastState(nn.GRU),
    "attention": lambda: attention,
    "RNN from the identity": lambda: from_identity(nn.RNN),
    "ReLU RNN": lambda: recall.LastState(relu),
    "ReLU RNN from the identity": lambda: from_identity(relu),
    "GRU, question first": lambda: question_first(nn.GRU),
    "LSTM, question first": lambda: question_first(nn.LSTM),
}


def groups() -> list[tuple[str, str, float]]:
    """Return task, kind and learning rate of every group of runs."""
    found = [(task, kind, RATE) for task in TASKS for kind in KINDS]
    slow = [(task, "plain RNN", SLOW) for task in list(TASKS)[1:]]
    return slow + found[::-1]


def run(task: str, kind: str, rate: float, seed: int, limit: int) -> int | None:
    """Train once."""
    torch.set_num_threads(1)
    start = time.process_time()
    parts = TASKS[task]
    done = recall.learn(KINDS[kind], seed, limit=limit, rate=rate, **parts)
    seconds = time.process_time() - start
    print(f"{task}, {kind}, rate {rate}, seed {seed}: {done.updates}, "
          f"{seconds:.0f} s", flush=True)  # fmt: skip
    return done.updates


def kept(args: argparse.Namespace, limit: int, seeds: int) -> dict:
    """Return the stored groups that --missing keeps."""
    old = common.stored(NAME)
    if args.smoke or not args.missing or not old:
        return {}
    same = old["limit"], old["seeds"]
    if same != (limit, seeds):
        raise ValueError(f"{NAME} holds another limit or seeds: {same}")
    return {
        (one["task"], one["kind"], one["rate"]): {"commit": old["commit"]} | one
        for one in old["groups"]
    }


def main() -> None:
    """Train all of them, store."""
    parser = common.parser(__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument(common.MISSING, action="store_true")
    args = parser.parse_args()
    seeds = 2 if args.smoke else args.seeds
    limit = 2 if args.smoke else LIMIT
    found = kept(args, limit, seeds)
    wanted = [group for group in groups() if group not in found]
    tasks = [(*g, s, limit) for g in wanted for s in range(seeds)]
    needed = common.call_each(run, tasks, args.jobs)
    for start, (task, kind, rate) in enumerate(wanted):
        part = needed[start * seeds : (start + 1) * seeds]
        group = {"task": task, "kind": kind, "rate": rate, "needed": part}
        found[task, kind, rate] = group
    figures = {
        "limit": limit,
        "seeds": seeds,
        "groups": [found[one] for one in groups()],
    }
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
