"""Which goat was it? Eleven ways to read a text, each with time to learn.

    python benchmarks/goats.py --jobs 2

The trainings of chapter 1 (transformer_course/recall.py) with five seeds
and up to 3,000 updates instead of 800: one goat in 32 words, four goats in 8
words, four goats in 32. The plain RNN gets a third of the learning rate as
well, and three changes: its recurrent matrix starts as the identity, ReLU
replaces its tanh, or both. GRU and LSTM also read with the question first. A
run's figure is the number of updates after which 99 percent of its last 640
answers were right, or null if that did not happen. The result is
benchmarks/results/goats.json. `--smoke` does the same in miniature and stores
nothing.
"""

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


def main() -> None:
    """Train all of them, store."""
    parser = common.parser(__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    args = parser.parse_args()
    seeds = 2 if args.smoke else args.seeds
    limit = 2 if args.smoke else LIMIT
    tasks = [(*g, s, limit) for g in groups() for s in range(seeds)]
    needed = common.call_each(run, tasks, args.jobs)
    found = []
    for start, (task, kind, rate) in enumerate(groups()):
        part = needed[start * seeds : (start + 1) * seeds]
        found.append({"task": task, "kind": kind, "rate": rate, "needed": part})
    figures = {"limit": limit, "seeds": seeds, "groups": found}
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
