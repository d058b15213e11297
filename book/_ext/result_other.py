"""Real text, planted bugs, animals, halves and typed sentences, as tables."""

from __future__ import annotations

from result_text import listed, middle, plain, span, table

from transformer_lib.confidence.trust import described

KINDS = {
    "last": "last",
    "lowest_loss": "lowest loss in validation",
    "average": "mean of the last checks",
}


def multi30k(result: dict) -> str:
    """Show BLEU on real text, for each kind of weights and each search."""
    groups: dict[tuple, list[dict]] = {}
    for run in result["runs"]:
        key = run["direction"], run["variant"]
        groups.setdefault(key, []).append(run)
    beam = f"beam_{result['beam']}"
    head = ["direction", "differs in", "weights", ">BLEU, greedy"]
    head += [f">BLEU, beam of {result['beam']}"]
    head += [">the same, lower-cased", ">chrF"]
    rows = []
    for (direction, variant), runs in groups.items():
        for kind, name in KINDS.items():
            if variant != "reference" and kind != "average":
                continue
            tests = [run["test"][kind] for run in runs]
            row = [_arrow(direction), runs[0]["text"], name]
            row.append(middle(test["greedy"]["bleu"] for test in tests))
            for score in ("bleu", "bleu_lower_cased", "chrf"):
                row.append(middle(test[beam][score] for test in tests))
            rows.append(row)
    first = result["runs"][0]
    seeds = sorted({run["seed"] for run in result["runs"]})
    text = (
        f"{first['parameters']:,} parameters, "
        f"{first['training']['steps']:,} steps on "
        f"{first['sentence_pairs']:,} pairs of sentences, "
        f"{'seeds' if len(seeds) > 1 else 'seed'} {listed(seeds)}. BLEU: "
        f"`{first['test']['average']['greedy']['signature']}`."
        + _intervals(result["runs"], beam)
        + _origins(result["runs"])
    )
    return "\n\n".join([table(head, rows), text, _curve(first["curve"])])


def _intervals(runs: list[dict], beam: str) -> str:
    """Tell the luck of the test sentences, where a run has measured it."""
    told = [
        f"{_arrow(run['direction'])}, seed {run['seed']}: "
        f"{found['bleu']:.1f} ± {found['plus_minus']:.1f}"
        for run in runs
        if "plus_minus" in (found := run["test"]["average"][beam])
    ]
    if not told:
        return ""
    return (
        " With a 95 % interval over draws of the test sentences (bootstrap), "
        f"mean of the last checks and beam: {'; '.join(told)}."
    )


def _origins(runs: list[dict]) -> str:
    """Tell runs apart that were measured elsewhere or at other commits."""
    places: dict[tuple, list[str]] = {}
    for run in runs:
        where = run["origin"]["commit"], run["origin"]["device"]
        which = f"{_arrow(run['direction'])} {run['seed']}"
        places.setdefault(where, []).append(which)
    if len(places) == 1:
        return ""
    told = [f"{', '.join(which)} at `{commit}` on {device}"
            for (commit, device), which in places.items()]  # fmt: skip
    return " Runs: " + "; ".join(told) + "."


def _arrow(direction: str) -> str:
    return direction.replace("-", "→")


def _curve(curve: list[dict]) -> str:
    """Tell a learning curve at its beginning, twice on the way, its end."""
    last = len(curve) - 1
    places = sorted({0, last // 4, last // 2, last})
    points = [
        f"{curve[place]['valid_bleu']:.1f} after {curve[place]['step']:,} "
        f"steps ({curve[place]['wall_seconds'] / 60:.0f} minutes)"
        for place in places
    ]
    return (
        "BLEU in validation, greedy, in the first run: "
        + ", ".join(points)
        + "."
    )


def planted_bugs(result: dict) -> str:
    """Show how many planted bugs the tests notice."""
    planted, killed = result["planted"], result["killed"]
    text = (
        f"Of {planted} planted bugs the tests noticed {killed}, which is "
        f"{100 * killed / planted:.1f} %."
    )
    if not result["survivors"]:
        return text
    rows = [
        [f"`{each['module']}`", plain(each["bug"]), plain(each["reason"])]
        for each in result["survivors"]
    ]
    head = ["module", "bug that no test noticed", "why"]
    return text + "\n\n" + table(head, rows)


def goats(result: dict) -> str:
    """Show how many updates each way to read a text needed."""
    rows = []
    for group in result["groups"]:
        needed = [n for n in group["needed"] if n is not None]
        learned = f"{len(needed)} of {len(group['needed'])}"
        rows.append([group["task"], group["kind"], f"{group['rate']:g}",
                     learned, middle(needed) if needed else "-"])  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[1], -float(row[2])))
    head = ["task", "read by", ">learning rate", ">learned", ">updates"]
    return table(head, rows)


def two_halves(result: dict) -> str:
    """Show what a masked and a causal model guess right, by kind of word."""
    runs, models = result["runs"], ("masked", "causal")
    rows = [
        [text, *(middle(100 * r[name][kind] for r in runs) for name in models)]
        for kind, text in WORDS.items()
    ]
    steps = [span([result["steps"][name]]) for name in models]
    seconds = [span(round(r[n]["cpu_seconds"]) for r in runs) for n in models]
    rows += [["steps", *steps], ["CPU seconds", *seconds]]
    rows.append(["fine-tuned", *(tuned_right(runs, name) for name in models)])
    head = ["right guesses, %", ">hidden words", ">next words"]
    perplexity = middle(run["causal"]["perplexity"] for run in runs)
    text = (
        f"Median and, in brackets, lowest and highest of {len(runs)} seeds. "
        f"Perplexity of the next word: {perplexity}. Fine-tuned without any "
        f"pre-training: {tuned_right(runs, 'scratch')}."
    )
    return table(head, rows) + "\n\n" + text


def tuned_right(runs: list[dict], start: str, labels: str = "50") -> str:
    """Return right answers in per cent after fine-tuning with few labels.

    Of the learning rates the one that is best on the validation sentences.
    """
    found = [run["fine_tuning"]["person"][start][labels] for run in runs]
    rate = max(found[0], key=lambda r: sum(one[r]["valid"] for one in found))
    return middle(100 * one[rate]["test"] for one in found)


def typed_sentences(result: dict) -> str:
    """Show how many typed sentences are wrong, by how far it trusts them."""
    rows = []
    for name, text in TYPED.items():
        if name in result:
            part = result[name]
            counts = [str(part["sentences"]), str(part["right"])]
            rows.append([text, *counts, *described(part["table"])])
    head = ["list", ">sentences", ">right", ">sure: wrong", ">perhaps: wrong",
            ">do not trust: wrong"]  # fmt: skip
    return table(head, rows)


TYPED = {
    "free": "typed by people who saw the list of words",
    "fresh": "typed by somebody else, who saw only that list",
    "first": "an earlier list, by which the grammar has grown",
    "outside": "known words, other grammar",
}


WORDS = {
    "all": "all tokens",
    "article": "English articles, possessives",
    "adjective": "adjectives",
    "noun": "nouns",
    "verb": "verbs",
    "particle": "Korean particles",
    "other": "everything else",
}


def device_tests(result: dict) -> str:
    """Say how many tests hold a device to the CPU's numbers, and which fail."""
    tests = result["tests"].items()
    other = [f"`{n}` ({t['outcome']})" for n, t in tests
             if t["outcome"] != "passed"]  # fmt: skip
    text = f"{result['passed']} of {result['of']} tests pass"
    return text + (f"; not so {', '.join(other)}." if other else ".")


def notebooks(result: dict) -> str:
    """Show how the cells of each notebook went on a device."""
    head = ["notebook", "device", ">cells run", ">assertions that held"]
    head += [">seconds"]
    rows, failed = [], []
    for name, told in result["notebooks"].items():
        rows.append(
            [
                f"`{name}`",
                str(told["device"]),
                f"{told['cells']} of {told['of']}",
                str(told["assertions"]),
                f"{told['seconds']:.0f}",
            ]
        )
        if told["failed"]:
            words = " ".join(told["failed"].split()).replace("`", "'")
            failed.append(f"`{name}` ended early: `{words}`.")
    said = " ".join(failed) or "No cell failed, and no assertion."
    return "\n\n".join([table(head, rows), said])
