"""How good the toy translator is, in its language and on typed sentences."""

import statistics

from .text import joined, listed, middle, seeds, span, table

BY_TABLE = {
    "adjective": "a table of adjectives",
    "adjective_and_not": 'a table of adjectives and "not"',
    "verb_adjective_and_not": 'a table of verb, adjective and "not"',
    "description": "what each noun is said to be",
}
TYPED = {
    "free": "typed by people who saw the list of words",
    "fresh": "typed by somebody else, who saw only that list",
    "first": "an earlier list, by which the grammar has grown",
    "outside": "known words, other grammar",
}


def toy_translator(result: dict) -> str:
    """Show how well the toy translator does, over seeds."""
    runs, told = result["runs"], result.get("baselines")
    clock = "CPU" if result["device"].startswith("CPU") else "wall"
    spent = span(run["curve"][-1][f"{clock.lower()}_seconds"] for run in runs)
    text = (
        f"{runs[0]['parameters']:,} parameters, {runs[0]['steps']:,} steps, "
        f"{seeds([run['seed'] for run in runs])}; {spent} {clock} "
        "seconds of training a seed. BLEU: "
        f"`{runs[0]['splits']['test']['signature']}`."
    )
    return joined(
        _splits(runs, told),
        text + _reached(result),
        _pairs(runs, told["pairs"]) if told else "",
        _roles(runs),
        _lengths(runs, told["length"]) if told else "",
    )


def _reached(result: dict) -> str:
    """Say when the seeds first had as much right as was the goal."""
    if "goal" not in result:
        return ""
    there = [run["reached"] for run in result["runs"] if run["reached"]]
    what = f"{result['goal']:g} % of *{result['curve_of']}* right"
    if not there:
        return f" No seed had {what} at any look."
    steps = span(one["step"] for one in there)
    seconds = span(one["wall_seconds"] for one in there)
    return (
        f" {len(there)} of {len(result['runs'])} had {what}, at first after "
        f"{steps} steps and {seconds} seconds."
    )


def _splits(runs: list[dict], told: dict | None) -> str:
    """Show exact match and BLEU of each split."""
    rows = []
    for name, split in runs[0]["splits"].items():
        exact = sorted(run["splits"][name]["exact_match"] for run in runs)
        bleu = statistics.median(run["splits"][name]["bleu"] for run in runs)
        row = {
            "split": name,
            ">sentences": split["sentences"],
            ">exact match %, median": f"{statistics.median(exact):.1f}",
            ">lowest": f"{exact[0]:.1f}",
            ">highest": f"{exact[-1]:.1f}",
            ">BLEU, median": f"{bleu:.1f}",
        }
        if told:
            nearest = told["nearest_translation"][name]
            row[">nearest sentence"] = f"{nearest:.1f}"
        rows.append(row)
    return table(rows)


def _pairs(runs: list[dict], told: dict) -> str:
    """Show how many minimal pairs the translator and tables have right."""
    heads = {
        name: f">{name}, {runs[0]['splits'][name]['sentences'] // 2} pairs"
        for name in told
    }
    first = "both sentences of a pair right, %"
    ours = {
        heads[name]: middle(run["pairs_right"][name] for run in runs)
        for name in told
    }
    rows = [{first: "the translator"} | ours]
    for key, text in BY_TABLE.items():
        shares = {heads[name]: f"{told[name][key]:.1f}" for name in told}
        rows.append({first: text} | shares)
    return table(rows)


def _roles(runs: list[dict]) -> str:
    """Say how far the nouns of `role` are apart in the median seed."""
    # The run that is the median on valid, as the shipped one is.
    scores = [run["splits"]["valid"]["exact_match"] for run in runs]
    run = runs[scores.index(statistics.median_low(scores))]
    nouns = run["role"]
    exact = {noun: part["exact_match"] for noun, part in nouns.items()}
    low, high = min(exact.values()), max(exact.values())
    each = span(part["sentences"] for part in nouns.values())
    return (
        f"*role* has {len(nouns)} nouns with {each} sentences each. By noun, "
        f"seed {run['seed']}, the median on *valid*, has from {low:.1f} % "
        f"({_nouns_at(exact, low)}) to {high:.1f} % "
        f"({_nouns_at(exact, high)}) right; the median noun has "
        f"{statistics.median(exact.values()):.1f} %."
    )


def _nouns_at(exact: dict[str, float], score: float) -> str:
    """Name the nouns with a score, or count them where they are many."""
    found = [noun for noun, value in exact.items() if value == score]
    return listed(found) if len(found) <= 3 else f"{len(found)} nouns"


def _lengths(runs: list[dict], told: dict) -> str:
    """Cross the structures and the positions of `length`."""
    rows: dict[str, dict] = {}
    for kind in told:
        structure, places = kind.split(", ")
        row = rows.setdefault(structure, {"*length*: exact match %": structure})
        # What the first structure says of the words stands for both.
        words = told[f"{next(iter(rows))}, {places}"]
        head = (
            f">{places}: {words['least']} to {words['most']} words "
            f"({words['per_cent']:.2g} % of training)"
        )
        row[head] = middle(run["length"][kind]["exact_match"] for run in runs)
    return table(list(rows.values()))


def own_learns(result: dict) -> str:
    """Show how the Transformer of chapter 15 learned, start by start."""
    rows = []
    for run in result["runs"]:
        n = run["pairs"]
        rows.append(
            {
                "language, weights": f"draw {run['draw']}, seed {run['seed']}",
                ">the river from": run["river_from"] or "not at the end",
                ">both halves from": run["both_from"] or "not at the end",
                ">*valid* %": f"{run['valid']:.1f}",
                ">*test* %": f"{run['test']:.1f}",
                ">pairs right": f"{run['pairs_right']} of {n}",
                ">looked up": f"{run['pairs_looked_up']} of {n}",
            }
        )
    runs = result["runs"]
    stayed = sum(run["both_from"] is not None for run in runs)
    spent = span(run["cpu_seconds"] for run in runs)
    return joined(
        table(rows),
        f"{result['updates']} updates a start, {spent} CPU seconds. After the "
        f"last of them {stayed} of {len(runs)} starts have both halves right.",
    )


def typed_sentences(result: dict) -> str:
    """Show how many typed sentences are wrong, by how far it trusts them."""
    from transformer_lib.confidence.trust import described  # loads torch

    heads = ["list", ">sentences", ">right", ">sure: wrong",
             ">perhaps: wrong", ">doubtful: wrong"]  # fmt: skip
    rows = []
    for name, text in TYPED.items():
        if name in result:
            part = result[name]
            cells = [text, part["sentences"], part["right"]]
            cells += described(part["table"])
            rows.append(dict(zip(heads, cells, strict=True)))
    return table(rows)
