"""The paper's models: their parameters, and one of their kind on real text."""

from .text import joined, middle, seeds, signed, table

KINDS = {
    "last": "last",
    "lowest_loss": "lowest loss in validation",
    "average": "mean of the last checks",
}


def table_3(result: dict) -> str:
    """Show the counts of parameters beside the paper's."""
    rows = []
    for row in result["rows"]:
        known = row["paper"] is not None
        low, high = row["vocabularies"]["all"] if known else (0, 0)
        changes = [f"`{k}={v}`" for k, v in row["changes"].items()]
        shown = {
            "row": row["row"],
            "differs from base in": ", ".join(changes),
            ">paper, millions": row["paper"] if known else "",
            ">library": f"{row['counts']['all']:,}",
            ">difference, millions": signed(row["difference"]) if known else "",
            ">matrices alone": f"{row['counts']['matrices']:,}",
            ">vocabulary that fits the paper": (
                f"{low:,} to {high:,}" if known else ""
            ),
        }
        rows.append(shown)
    return joined(table(rows), _vocabulary(result))


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


def multi30k(result: dict) -> str:
    """Show BLEU on real text, for each kind of weights and each search."""
    groups: dict[tuple, list[dict]] = {}
    for run in result["runs"]:
        key = run["direction"], run["variant"]
        groups.setdefault(key, []).append(run)
    beam = f"beam_{result['beam']}"
    rows = [
        _row(runs, kind, beam)
        for (_, variant), runs in groups.items()
        for kind in (KINDS if variant == "reference" else ["average"])
    ]
    first = result["runs"][0]
    text = (
        f"{first['parameters']:,} parameters, "
        f"{first['training']['steps']:,} steps on "
        f"{first['sentence_pairs']:,} pairs of sentences, "
        f"{seeds(sorted({run['seed'] for run in result['runs']}))}. BLEU: "
        f"`{first['test']['average']['greedy']['signature']}`."
        + _intervals(result["runs"], beam)
        + _origins(result["runs"])
    )
    return joined(table(rows), text, _curve(first["curve"]))


def _row(runs: list[dict], kind: str, beam: str) -> dict:
    """Show the runs of a direction and a variant with a kind of weights."""

    def score(search: str, name: str) -> str:
        return middle(run["test"][kind][search][name] for run in runs)

    return {
        "direction": _arrow(runs[0]["direction"]),
        "differs in": runs[0]["text"],
        "weights": KINDS[kind],
        ">BLEU, greedy": score("greedy", "bleu"),
        f">BLEU, beam of {beam[5:]}": score(beam, "bleu"),
        ">the same, lower-cased": score(beam, "bleu_lower_cased"),
        ">chrF": score(beam, "chrf"),
    }


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
    told = [
        f"{', '.join(which)} at `{commit}` on {device}"
        for (commit, device), which in places.items()
    ]
    return " Runs: " + "; ".join(told) + "."


def _arrow(direction: str) -> str:
    return direction.replace("-", "→")


def _curve(curve: list[dict]) -> str:
    """Tell a learning curve at its beginning, twice on the way, its end."""
    last = len(curve) - 1
    points = ", ".join(
        f"{curve[place]['valid_bleu']:.1f} after {curve[place]['step']:,} "
        f"steps ({curve[place]['wall_seconds'] / 60:.0f} minutes)"
        for place in sorted({0, last // 4, last // 2, last})
    )
    return f"BLEU in validation, greedy, in the first run: {points}."


def published(result: dict) -> str:
    """Show what a published translator writes, and its BLEU if there is one."""
    ways = result["sentences"]
    heads = [f"{way['positions']}, {way['normalization']}" for way in ways]
    rows = [
        {"source": source}
        | {head: way["translations"][i]
           for head, way in zip(heads, ways, strict=True)}
        for i, source in enumerate(result["sources"])
    ]  # fmt: skip
    scores = [
        {"positions": row["positions"], "normalization": row["normalization"],
         ">BLEU": f"{row['bleu']:.1f}"}
        for row in result["test"]
    ]  # fmt: skip
    sums = "\n".join(f"{n}  {name}" for name, n in result["sums"].items())
    return joined(
        table(rows),
        table(scores) if scores else "",
        f"`{result['model']}`, {result['parameters']:,} parameters, a beam of "
        f"4. BLEU is of {result['test_sentences']:,} sentences."
        if scores else f"`{result['model']}`, {result['parameters']:,} "
        "parameters, a beam of 4.",
        f"```text\n{sums}\n```",
    )  # fmt: skip


def base_size(result: dict) -> str:
    """Show what a model of the published size takes, with random weights."""
    names = {"library": "the library's classes", "own": "your classes"}
    rows = [
        {
            "in": names[which],
            ">seconds to load": f"{run['load_seconds']:.1f}",
            ">seconds a sentence": f"{run['sentence_seconds']:.1f}",
            ">MB at most": f"{run['megabytes']:,}",
            ">MB before": f"{run['megabytes_before']:,}",
        }
        for which, run in result["runs"].items()
    ]
    n, parameters = result["sentences"], result["parameters"]
    return joined(
        table(rows),
        f"{parameters:,} random numbers, {result['words']:,} tokens. A "
        f"sentence is {result['tokens']} tokens, written one by one: the "
        "library keeps keys and values, `greedy_decode` of chapter 11 keeps "
        f"nothing. Both write the same for {result['equal']} of {n} sources.",
    )
