"""A model of the paper's kind on real text, as a table and its curve."""

from __future__ import annotations

from result_text import listed, middle, table

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
