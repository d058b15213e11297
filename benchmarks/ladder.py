"""A ladder of translators at equal training time on the toy corpus.

    python benchmarks/ladder.py

Word for word, a GRU encoder-decoder that hands over one vector, one that
attends, and the Transformer of the recipe "small" (`rivals.py` has the
others). The neural ones share tokenizer, batches, loss, optimizer, clipping
and the form of the schedule: a tenth of the steps to warm up, then a cosine
to the last. Each has as many steps as fit into a budget of CPU seconds on
one thread. How many that is comes from timing the first steps of all
systems in turns; then each trains that many, one seed of every system after
the other. Steps and seconds spent are stored: other work on the machine
makes a step slower for all alike, and then a run takes longer than its
budget.

Before that, each chooses width and highest learning rate from a grid, by
exact match in validation (the lower loss in a tie) after a shorter budget,
with seed 0. While the best rate is the lowest or the highest tried, the grid
grows by the next one. The Transformer keeps its width: the recipe's was
chosen by hand before.

The result is benchmarks/results/ladder.json, written anew after every run.
The last line of it, gru_attention_longer, has several times the budget
(``--longer 0`` leaves it out). ``--smoke`` does the same in miniature and
stores nothing.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace

import common
import torch
from ablations import read_data
from rivals import Recurrent, RecurrentConfig, WordForWord
from toy_figures import PAIRED, measure, pairs_right

from transformer_lib.presets import PRESETS
from transformer_lib.train_state import TrainState
from transformer_lib.training import evaluate, train
from transformer_lib.translator import Translator

NAME = "ladder"
PRESET = "small"
SPLITS = ("test", "composition", "role", "contrast", "noun", "length")
WORDS = "word_for_word"
LONGER = "gru_attention_longer"
TEXTS = {
    WORDS: "word for word",
    "gru_fixed": "GRU, one vector",
    "gru_attention": "GRU with attention",
    "transformer": "Transformer",
}
RATES = (5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2)
FIRST = RATES[2:5]  # where every system begins
WIDTHS = {
    "gru_fixed": (128, 256),
    "gru_attention": (128, 256),
    "transformer": (PRESETS[PRESET][0].d_model,),
}
TIMED = (3, 10)  # rounds in turns, steps a round


def grid(system: str, rates: Sequence[float] = FIRST) -> list[dict]:
    """Return the settings of some rates, with every width of a system."""
    return [
        {"d_model": width, "max_lr": rate}
        for width in WIDTHS[system]
        for rate in rates
    ]


def beyond(tuning: list[dict]) -> list[float]:
    """Return the rate by which the grid must grow, or none.

    Args:
        tuning: what was tried, see `tune`.

    Returns:
        The next rate of RATES on the side where the best setting has the
        lowest or the highest rate that was tried; nothing if it lies
        inside, or if RATES has no further one.
    """
    tried = {entry["setting"]["max_lr"] for entry in tuning}
    place = RATES.index(best(tuning)["max_lr"])
    around = RATES[max(0, place - 1) : place + 2]
    return [rate for rate in around if rate not in tried]


def start(
    system: str, setting: dict, steps: int, seed: int, args
) -> TrainState:
    """Return a system before its first step."""
    sizes, recipe = PRESETS[PRESET]
    sizes = sizes.config(args.vocab_size)
    recipe = replace(
        recipe,
        steps=steps,
        warmup=max(1, steps // 10),
        max_lr=setting["max_lr"],
        seed=seed,
    )
    if system == "transformer":
        sizes = replace(sizes, d_model=setting["d_model"])
        return TrainState.create(sizes, recipe, args.device)
    config = RecurrentConfig(
        args.vocab_size,
        setting["d_model"],
        attention=system != "gru_fixed",
        max_length=sizes.max_length,
    )
    adam = TrainState.create(sizes, recipe).optimizer  # the library's choice
    torch.manual_seed(seed)
    model = Recurrent(config).to(args.device)
    adam = type(adam)(model.parameters(), **adam.defaults)
    return TrainState(model, adam, recipe)


def steps_that_fit(jobs: list[tuple], args, data: dict) -> list[int]:
    """Return how many steps each job makes in its budget.

    Args:
        jobs: (system, setting, budget in CPU seconds).
        args: the choices of the command line.
        data: see `read_data`.

    Returns:
        One number a job, from the time of the first steps: those of all
        jobs in turns, on the same batches.
    """
    if args.steps:
        return [args.steps] * len(jobs)
    rounds, n = TIMED
    loops = [
        train(start(system, setting, rounds * n, 0, args), data["train"])
        for system, setting, _ in jobs
    ]
    spent = [0.0] * len(jobs)
    for _ in range(rounds):
        for place, loop in enumerate(loops):
            began = time.process_time()
            for _ in range(n):
                next(loop)
            spent[place] += time.process_time() - began
    return [
        max(2, round(budget * rounds * n / seconds))
        for (_, _, budget), seconds in zip(jobs, spent, strict=True)
    ]


def learn(state: TrainState, data: dict) -> float:
    """Train to the end and return the CPU seconds."""
    began = time.process_time()
    for _ in train(state, data["train"]):
        pass
    return round(time.process_time() - began, 1)


def tune(systems: dict, args, data: dict, store) -> None:
    """Try the settings of every system, and choose the best."""
    jobs = [
        (system, setting, args.tuning)
        for system in WIDTHS
        for setting in grid(system, FIRST[:1])  # a rate takes no time
    ]
    steps = {
        (system, setting["d_model"]): n
        for (system, setting, _), n in zip(
            jobs, steps_that_fit(jobs, args, data), strict=True
        )
    }
    for system in WIDTHS:
        tuning = systems[system]["tuning"]
        settings = grid(system)[: args.settings]
        while settings:
            for setting in settings:
                n = steps[system, setting["d_model"]]
                tuning.append(try_out(system, setting, n, args, data))
                systems[system]["chosen"] = best(tuning)
                store()
            settings = [] if args.smoke else grid(system, beyond(tuning))


def try_out(system: str, setting: dict, steps: int, args, data: dict) -> dict:
    """Train with a setting and return what it reaches in validation."""
    state = start(system, setting, steps, 0, args)
    seconds = learn(state, data)
    translator = Translator(state.model, data["tokenizer"])
    part = data["splits"]["valid"][: args.limit]
    entry = {
        "setting": setting,
        "steps": steps,
        "valid_loss": round(evaluate(state.model, data["valid"]), 4),
        "exact_match": measure(translator, part)["exact_match"],
        "cpu_seconds": seconds,
    }
    print(system, entry, flush=True)
    return entry


def best(tuning: list[dict]) -> dict:
    """Return the setting with most exact matches, or the lower loss."""
    winner = max(tuning, key=lambda e: (e["exact_match"], -e["valid_loss"]))
    return winner["setting"]


def scores_of(translator, args, data: dict) -> dict:
    """Return the figures of every split; of pairs also how many are right."""
    found = {}
    for name in SPLITS:
        part = data["splits"][name][: args.limit]
        scores = measure(translator, part)
        found[name] = {key: scores[key] for key in ("exact_match", "bleu")}
        if name in PAIRED:
            found[name]["pairs_right"] = pairs_right(translator, part)
    return found


def word_for_word(args, data: dict) -> dict:
    """Count, translate and measure."""
    began = time.process_time()
    words = WordForWord(data["splits"]["train"])
    seconds = round(time.process_time() - began, 1)
    run = {"seed": 0, "steps": 0, "cpu_seconds": seconds}
    return {
        "text": TEXTS[WORDS],
        "parameters": len(words.partner),
        "chosen": {},
        "tuning": [],
        "runs": [run | {"splits": scores_of(words, args, data)}],
    }


def final_runs(jobs: dict[str, tuple], systems, args, data, store) -> None:
    """Train every job with every seed, in turns, and add the runs.

    Args:
        jobs: for each name (system, setting, budget in CPU seconds).
        systems: what is filled.
        args: the choices of the command line.
        data: see `read_data`.
        store: called after each run.
    """
    steps = steps_that_fit(list(jobs.values()), args, data)
    for seed in args.seeds:
        for (name, job), n in zip(jobs.items(), steps, strict=True):
            state = start(*job[:2], n, seed, args)
            seconds = learn(state, data)
            translator = Translator(state.model, data["tokenizer"])
            run = {"seed": seed, "steps": n, "cpu_seconds": seconds}
            run["valid_loss"] = round(evaluate(state.model, data["valid"]), 4)
            run["splits"] = scores_of(translator, args, data)
            print(name, run, flush=True)
            size = sum(p.numel() for p in state.model.parameters())
            systems[name]["parameters"] = size
            systems[name]["runs"].append(run)
            store()


def climb(args, data: dict) -> dict:
    """Measure the whole ladder; store after each run."""
    systems = {WORDS: word_for_word(args, data)}
    few = WordForWord(data["splits"]["train"][:9])
    signature = measure(few, data["splits"]["test"][:9])["signature"]
    figures = {
        "preset": PRESET,
        "budget_cpu_seconds": args.budget,
        "tuning_cpu_seconds": args.tuning,
        "limit": args.limit,
        "signature": signature,
        "systems": systems,
    }

    def store():
        common.keep(args, NAME, figures)

    for system in WIDTHS:
        systems[system] = {
            "text": TEXTS[system],
            "budget_cpu_seconds": args.budget,
            "parameters": 0,
            "chosen": {},
            "tuning": [],
            "runs": [],
        }
    store()
    tune(systems, args, data, store)
    jobs = {
        system: (system, systems[system]["chosen"], args.budget)
        for system in WIDTHS
    }
    final_runs(jobs, systems, args, data, store)
    if args.longer:
        system, setting, budget = jobs["gru_attention"]
        budget *= args.longer
        systems[LONGER] = systems[system] | {
            "text": f"{TEXTS[system]}, {args.longer:g} times as long",
            "budget_cpu_seconds": budget,
            "tuning": [],
            "runs": [],
        }
        final_runs(
            {LONGER: (system, setting, budget)}, systems, args, data, store
        )
    return figures


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__, devices=True)
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--tuning", type=float, default=30.0)
    parser.add_argument("--longer", type=float, default=3.0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--limit", type=int, default=300)
    parser.set_defaults(steps=None, settings=None)
    return parser.parse_args()


def main() -> None:
    args = arguments()
    torch.set_num_threads(1)
    data = read_data()
    args.vocab_size = len(data["tokenizer"])
    if args.smoke:
        args.seeds, args.limit, args.steps, args.settings = [0], 2, 2, 1
        data["valid"] = data["valid"][:4]
    common.tell(args, NAME, climb(args, data))


if __name__ == "__main__":
    main()
