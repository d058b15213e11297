"""The tables of Vaswani et al. 2017 and of the toy translator."""

from __future__ import annotations

import statistics

from result_text import listed, middle, signed, span, table


def table_3(result: dict) -> str:
    """Show the counts of parameters beside the paper's."""
    head = ["row", "differs from base in", ">paper, millions", ">library"]
    head += [">difference, millions", ">matrices alone"]
    head += [">vocabulary that fits the paper"]
    rows = []
    for row in result["rows"]:
        changes = [f"`{k}={v}`" for k, v in row["changes"].items()]
        known = row["paper"] is not None
        low, high = row["vocabularies"]["all"] if known else (0, 0)
        rows.append(
            [
                row["row"],
                ", ".join(changes),
                str(row["paper"]) if known else "",
                f"{row['counts']['all']:,}",
                signed(row["difference"]) if known else "",
                f"{row['counts']['matrices']:,}",
                f"{low:,} to {high:,}" if known else "",
            ]
        )
    return "\n\n".join([table(head, rows), _vocabulary(result)])


def _vocabulary(result: dict) -> str:
    """Say which vocabulary explains the paper's column, and which does not."""
    best = result["best"]["all"]
    low, high = best["vocabularies"]
    base = result["rows"][0]["counts"]
    misfits = " and ".join(
        "`" + ", ".join(f"{k}={v}" for k, v in changes.items()) + "`"
        for changes in best["misfits"]
    )
    text = (
        f"With {result['vocab_size']:,} tokens {result['fits']} of the "
        f"{result['of']} counts round to the paper's. A vocabulary of "
        f"{low:,} to {high:,} fits {best['fits']} of them"
    )
    if misfits:
        text += f", but not the row with {misfits}: no single one fits all"
    biases = (base["all"] - base["matrices"]) / 1e6
    return text + (
        f". Leaving out biases and norms changes the base model by "
        f"{biases:.1f} million only, and an output matrix of its own would "
        f"bring it to {base['two_tables'] / 1e6:.1f} million. What the paper "
        "counted is not known. Row E counts one table of "
        f"{result['max_length']} positions for source and target."
    )


def toy_translator(result: dict) -> str:
    """Show how well the toy translator does, over seeds."""
    runs = result["runs"]
    seeds = ", ".join(str(run["seed"]) for run in runs)
    on_cpu = result.get("device", "CPU").startswith("CPU")
    clock = "CPU" if on_cpu else "wall"
    spent = span(run["curve"][-1][f"{clock.lower()}_seconds"] for run in runs)
    text = (
        f"{runs[0]['parameters']:,} parameters, {runs[0]['steps']:,} steps, "
        f"{'seeds' if len(runs) > 1 else 'seed'} {seeds}; {spent} {clock} "
        "seconds of training a seed. BLEU: "
        f"`{runs[0]['splits']['test']['signature']}`."
    )
    text += _reached(result)
    parts = [_splits(result), text, _pairs(result), _roles(runs)]
    return "\n\n".join(filter(None, [*parts, _lengths(result)]))


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


def _splits(result: dict) -> str:
    """Show exact match and BLEU of each split."""
    runs = result["runs"]
    nearest = result.get("baselines", {}).get("nearest_translation", {})
    head = ["split", ">sentences", ">exact match %, median"]
    head += [">lowest", ">highest", ">BLEU, median"]
    head += [">nearest sentence"] * bool(nearest)
    rows = []
    for name, split in runs[0]["splits"].items():
        exact = sorted(run["splits"][name]["exact_match"] for run in runs)
        bleu = statistics.median(run["splits"][name]["bleu"] for run in runs)
        scores = [statistics.median(exact), exact[0], exact[-1], bleu]
        if nearest:
            scores.append(nearest[name])
        row = [name, str(split["sentences"]), *(f"{s:.1f}" for s in scores)]
        rows.append(row)
    return table(head, rows)


BY_TABLE = {
    "adjective": "a table of adjectives",
    "adjective_and_not": 'a table of adjectives and "not"',
    "verb_adjective_and_not": 'a table of verb, adjective and "not"',
    "description": "what each noun is said to be",
}


def _pairs(result: dict) -> str:
    """Show how many minimal pairs the translator and tables have right."""
    runs, told = result["runs"], result.get("baselines", {}).get("pairs")
    if not told:
        return ""
    head = ["both sentences of a pair right, %"]
    for name in told:
        n_pairs = runs[0]["splits"][name]["sentences"] // 2
        head.append(f">{name}, {n_pairs} pairs")
    ours = [middle(run["pairs_right"][name] for run in runs) for name in told]
    rows = [["the translator", *ours]]
    for key, text in BY_TABLE.items():
        rows.append([text, *(f"{shares[key]:.1f}" for shares in told.values())])
    return table(head, rows)


def _roles(runs: list[dict]) -> str:
    """Say how far the nouns of `role` are apart in the median seed."""
    if "role" not in runs[0]:
        return ""
    run = _median_run(runs)
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


def _median_run(runs: list[dict]) -> dict:
    """Return the run that is the median on valid, as the shipped one is."""
    scores = [run["splits"]["valid"]["exact_match"] for run in runs]
    return runs[scores.index(statistics.median_low(scores))]


def _nouns_at(exact: dict[str, float], score: float) -> str:
    """Name the nouns with a score, or count them where they are many."""
    found = [noun for noun, value in exact.items() if value == score]
    return listed(found) if len(found) <= 3 else f"{len(found)} nouns"


def _lengths(result: dict) -> str:
    """Cross the structures and the positions of `length`."""
    runs, told = result["runs"], result.get("baselines", {}).get("length")
    if not told:
        return ""
    structures, positions = (
        list(dict.fromkeys(kind.split(", ")[place] for kind in told))
        for place in (0, 1)
    )
    head = ["*length*: exact match %"]
    for place in positions:
        part = told[f"{structures[0]}, {place}"]
        head.append(
            f">{place}: {part['least']} to {part['most']} words "
            f"({part['per_cent']:.2g} % of training)"
        )
    rows = []
    for structure in structures:
        kinds = [f"{structure}, {place}" for place in positions]
        scores = [
            middle(run["length"][kind]["exact_match"] for run in runs)
            for kind in kinds
        ]
        rows.append([structure, *scores])
    return table(head, rows)
