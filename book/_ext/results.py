"""Tables of measured results, made from JSON while the book is built.

A page writes

    ```{results} throughput
    ```

and gets what benchmarks/results/throughput.json holds: a table, the
sentences that follow from its numbers, and how to repeat the measurement.
So no number on the page is typed by hand, and no sentence outlives the
numbers it was true of. Where there is no such file, the section is left out.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from transformer_lib.confidence.trust import described

OURS = "transformer_lib"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; a head that starts with > is a number."""
    head = list(head)
    rule = ["---:" if name.startswith(">") else "---" for name in head]
    lines = [[name.lstrip(">") for name in head], rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float) -> str:
    """Write a number with about three digits, a whole one with all."""
    if isinstance(value, int):
        return f"{value:,}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def signed(value: float) -> str:
    """Write a difference with its sign."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def milliseconds(entry: dict | None) -> str:
    """Write a median and, in brackets, the quartiles."""
    if entry is None:
        return "not run"
    low, high = (number(1e3 * value) for value in entry["quartiles"])
    middle = number(1e3 * entry["seconds"])
    return middle if entry["repeats"] == 1 else f"{middle} ({low}–{high})"


def times(ratio: dict) -> str:
    """Write a ratio and, in brackets, the interval of its noise."""
    if ratio["ratio"] is None:
        return ""
    text = number(ratio["ratio"])
    if ratio["interval"] is None:
        return text
    low, high = map(number, ratio["interval"])
    return f"{text} ({low}–{high})"


def span(values: Iterable[float]) -> str:
    """Write the smallest and the largest of some numbers."""
    values = sorted(values)
    low, high = number(values[0]), number(values[-1])
    return low if low == high else f"{low} to {high}"


def throughput(result: dict) -> str:
    """Show the race of training steps."""
    on_gpu = result["cuda"] is not None and "utilization" in str(result)
    head = [">$d_{model}$", ">length", "contestant"]
    head += [f">milliseconds ({result['clock']})", ">target tokens/s"]
    head += [">times the library's"] + [">utilization"] * on_gpu
    rows = []
    for cell in result["cells"]:
        for name, entry in cell["contestants"].items():
            ratio = cell["ratios"].get(name)
            label = name
            if cell["precision"] != "float32":
                label += f", {cell['precision']}"
            row = [str(cell["d_model"]), str(cell["length"]), label]
            row += [milliseconds(entry)]
            row += [f"{entry['tokens_per_second']:,}"]
            row += [times(ratio) if ratio else "1"]
            if on_gpu:
                row.append(f"{100 * entry['utilization']:.1f} %")
            rows.append(row)
    parts = [table(head, rows), _race(result)]
    repeats = {
        entry["repeats"]
        for cell in result["cells"]
        for entry in cell["contestants"].values()
    }
    parts.append(
        f"Vocabulary {result['vocab_size']:,}, {result['n_layers']} layers "
        f"on each side, {_tokens(result)} target tokens a batch, "
        f"{span(repeats)} repeats a contestant. With equal "
        "weights in float64 the losses and the gradients of all contestants "
        f"differ by {result['disagreement']:.0e}."
    )
    if result.get("not_compiled"):
        parts.append(f"Nothing was compiled: {result['not_compiled']}.")
    return "\n\n".join(parts)


def _tokens(result: dict) -> str:
    return span(int(cell["target_tokens"]) for cell in result["cells"])


def _race(result: dict) -> str:
    """Say what the ratios of a race allow to say."""
    sentences = []
    names = {"nn.Transformer": "nn.Transformer", "textbook": "the textbook"}
    for rival, name in names.items():
        ratios = [cell["ratios"][rival] for cell in result["cells"]]
        spread = span(ratio["ratio"] for ratio in ratios)
        faster = [
            f"{cell['d_model']}/{cell['length']}"
            for cell, ratio in zip(result["cells"], ratios, strict=True)
            if ratio["interval"] and ratio["interval"][1] < 1
        ]
        where = "in no cell"
        if faster:
            where = "in " + ", ".join(faster) + " ($d_{model}$/length)"
        sentences.append(
            f"A step of {name} takes {spread} times as long as the "
            f"library's, and is faster beyond the noise {where}."
        )
    return " ".join(sentences)


def decoding(result: dict) -> str:
    """Show decoding with the cache and without."""
    head = ["search", ">length", ">batch"]
    head += [f">cached, ms ({result['clock']})", ">recomputed, ms"]
    head += [">ratio", ">cached, tokens/s"]
    rows = []
    for cell in result["cells"]:
        search = cell["method"]
        if len({c["d_model"] for c in result["cells"]}) > 1:
            search += f", $d_{{model}}$ {cell['d_model']}"
        rows.append(
            [
                search,
                str(cell["length"]),
                str(cell["batch"]),
                milliseconds(cell["cached"]),
                milliseconds(cell["recomputed"]),
                times(cell),
                f"{cell['cached']['tokens_per_second']:,}",
            ]
        )
    return "\n\n".join([table(head, rows), _cache(result)])


def _cache(result: dict) -> str:
    """Say what the ratios of the cache allow to say."""
    sentences = []
    for length in sorted({cell["length"] for cell in result["cells"]}):
        ratios = [
            cell["ratio"]
            for cell in result["cells"]
            if cell["length"] == length and cell["ratio"] is not None
        ]
        if ratios:
            sentences.append(
                f"At length {length}, computing everything again takes "
                f"{span(ratios)} times as long as reading the cache."
            )
    compared = [c for c in result["cells"] if c["same_sentences"] is not None]
    equal = sum(cell["same_sentences"] == 1 for cell in compared)
    sentences.append(
        f"Both ways wrote the same tokens in {equal} of the {len(compared)} "
        "cells where both ran (in float32 a near tie may fall either way)."
    )
    if len(compared) < len(result["cells"]):
        sentences.append(
            "Recomputing was not run where sentences times tokens exceed "
            f"{result['most']:,}."
        )
    sentences.append(
        f"Vocabulary {result['vocab_size']:,}, {result['n_layers']} layers on "
        f"each side, sources of {result['source_length']} tokens, beam of "
        f"{result['beam_size']}. A number without brackets was measured once."
    )
    return " ".join(sentences)


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
    return _list(found) if len(found) <= 3 else f"{len(found)} nouns"


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


def middle(values: Iterable[float]) -> str:
    """Write the median and, in brackets, the lowest and the highest.

    A single number stands alone.
    """
    values = sorted(values)
    low, high = values[0], values[-1]
    if len(values) == 1:
        return f"{low:.1f}"
    return f"{statistics.median(values):.1f} ({low:.1f}–{high:.1f})"


def ablations(result: dict) -> str:
    """Show what each part of the toy translator is worth."""
    splits = result["variants"]["reference"]["runs"][0]["exact_match"]
    early = result["variants"]["reference"]["runs"][0]["curve"][0]["step"]
    head = ["differs from the reference in", f">after {early} steps"]
    head += [f">exact match %, {name}" for name in splits] + [">loss, nats"]
    rows = []
    for name, variant in result["variants"].items():
        runs = variant["runs"]
        losses = [run["valid_loss"] for run in runs]
        row = [middle(run["curve"][0]["exact_match"] for run in runs)]
        row += [
            middle(run["exact_match"][name] for run in runs) for name in splits
        ]
        loss = f"{statistics.median(losses):.3f}"
        rows.append([variant["text"] + _explained(name), *row, loss])
    reference = result["variants"]["reference"]["runs"]
    seeds = ", ".join(str(run["seed"]) for run in reference)
    text = (
        f"Median and, in brackets, lowest and highest of the seeds {seeds}; "
        f"{result['steps']:,} steps on the {result['preset']} corpus; "
        f"{result['limit']} sentences a split (*after {early} steps*: "
        f"{result['part']} of test). The reference's own seeds "
        f"differ by {_spread(reference, 'test'):.1f} points on test and by "
        f"{_spread(reference, 'role'):.1f} on role: smaller differences "
        "between two rows say nothing."
    )
    return "\n\n".join([table(head, rows), text])


def _explained(variant: str) -> str:
    """Name the chapter that explains what a variant changes."""
    chapter = EXPLAINED.get(variant)
    return f" (chapter {chapter})" if chapter else ""


EXPLAINED = {
    "unscaled": 4,
    "no_residual": 5,
    "post_norm": 5,
    "no_norm": 6,
    "heads_1": 7,
    "heads_2": 7,
    "heads_8": 7,
    "scrambled_merge": 7,
    "scrambled_both": 7,
    "no_causal_mask": 8,
    "no_padding_mask": 8,
    "no_positions": 9,
    "learned_positions": 9,
    "base_1000": 9,
    "untied": 10,
    "small_rows": 10,
    "layers_1": 11,
    "unsmoothed": 12,
    "pre_norm_cold": 13,
    "post_norm_cold": 13,
}


def _spread(runs: list[dict], split: str) -> float:
    scores = [run["exact_match"][split] for run in runs]
    return max(scores) - min(scores)


def ladder(result: dict) -> str:
    """Show the translators of equal training time, and what they chose."""
    systems = {k: v for k, v in result["systems"].items() if v["runs"]}
    splits = list(next(iter(systems.values()))["runs"][0]["splits"])
    head = ["translator", ">CPU seconds", ">steps"]
    head += [f">exact match %, {name}" for name in splits] + [">BLEU, test"]
    rows = []
    for system in systems.values():
        runs = system["runs"]
        row = [system["text"], span(round(r["cpu_seconds"]) for r in runs)]
        row.append(span(run["steps"] for run in runs))
        row += [middle(_scores(system, name)) for name in splits]
        bleu = (run["splits"]["test"]["bleu"] for run in runs)
        rows.append([*row, middle(bleu)])
    seeds = max(len(system["runs"]) for system in systems.values())
    text = (
        f"Median and, in brackets, lowest and highest; up to {seeds} seeds; "
        f"at most {result['limit']} sentences a split; the "
        f"{result['preset']} corpus. "
        f"A budget of {number(result['budget_cpu_seconds'])} CPU seconds on "
        "one thread became a number of steps when the first steps of all "
        "systems were timed in turns. CPU seconds are those actually spent: "
        "other work on the same processor makes a step slower, for all "
        f"alike. BLEU: `{result['signature']}`."
    )
    parts = [table(head, rows), text, _ahead(systems, splits)]
    parts += [_pairs_of(systems), _chosen(result)]
    return "\n\n".join(filter(None, parts))


def _pairs_of(systems: dict) -> str:
    """Show how many minimal pairs each system has right, if it is known."""
    splits = next(iter(systems.values()))["runs"][0]["splits"]
    paired = [name for name in splits if "pairs_right" in splits[name]]
    if not paired:
        return ""
    head = ["both sentences of a pair right, %", *(f">{n}" for n in paired)]
    rows = []
    for system in systems.values():
        parts = [run["splits"] for run in system["runs"]]
        scores = [middle(p[n]["pairs_right"] for p in parts) for n in paired]
        rows.append([system["text"], *scores])
    return table(head, rows)


def _scores(system: dict, split: str) -> list[float]:
    return [run["splits"][split]["exact_match"] for run in system["runs"]]


def _ahead(systems: dict, splits: list[str]) -> str:
    """Say where all runs of one system beat all runs of another."""
    sentences = []
    pairs = [("gru_fixed", "gru_attention"), ("gru_attention", "transformer")]
    for pair in pairs:
        if not systems.keys() >= set(pair):
            continue
        found = len(sentences)
        for better, worse in (pair, pair[::-1]):
            where = [
                f"*{name}*"
                for name in splits
                if min(_scores(systems[better], name))
                > max(_scores(systems[worse], name))
            ]
            one, other = (systems[name]["text"] for name in (better, worse))
            if where:
                sentences.append(
                    f"Every run of *{one}* has more exact matches than every "
                    f"run of *{other}* on {', '.join(where)}."
                )
        if len(sentences) == found:
            sentences.append(
                f"Nowhere are all runs of *{one}* ahead of all runs of "
                f"*{other}*, or behind them."
            )
    return " ".join(sentences)


def _chosen(result: dict) -> str:
    """Say which setting each system chose in validation, and from what."""
    lines = []
    for system in result["systems"].values():
        tuning = system["tuning"]
        if not tuning:
            continue
        widths = sorted({e["setting"]["d_model"] for e in tuning})
        rates = sorted({e["setting"]["max_lr"] for e in tuning})
        scores = [entry["exact_match"] for entry in tuning]
        chosen = system["chosen"]
        edge = ""
        if len(rates) > 1 and chosen["max_lr"] in (rates[0], rates[-1]):
            edge = ", an edge of the grid"
        lines.append(
            f"- *{system['text']}*: width {chosen['d_model']} (tried: "
            f"{_list(widths)}), highest learning rate {chosen['max_lr']} "
            f"(tried: {_list(rates)}){edge}; {min(scores):.1f} to "
            f"{max(scores):.1f} % right in validation. "
            f"{system['parameters']:,} parameters."
        )
    if not lines:
        return ""
    seconds = number(result["tuning_cpu_seconds"])
    return "\n".join(
        [f"Chosen by exact match in validation after {seconds} CPU seconds, "
         "with one seed:", "", *lines]
    )  # fmt: skip


def _list(values: Iterable) -> str:
    return ", ".join(map(str, values))


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
        f"{'seeds' if len(seeds) > 1 else 'seed'} {_list(seeds)}. BLEU: "
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


def plain(text: str) -> str:
    """Keep signs of Markdown in somebody's words from having an effect."""
    for sign in "\\|`*_<[$":
        text = text.replace(sign, "\\" + sign)
    return text or "not known"


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


SHOWN: dict[str, Callable[[dict], str]] = {
    "throughput": throughput,
    "throughput_gpu": throughput,
    "decoding": decoding,
    "decoding_gpu": decoding,
    "table_3": table_3,
    "toy_translator_small": toy_translator,
    "toy_translator_full": toy_translator,
    "toy_translator_gpu": toy_translator,
    "ablations": ablations,
    "ablations_again": ablations,
    "ablations_gpu": ablations,
    "ladder": ladder,
    "multi30k_cpu": multi30k,
    "multi30k_gpu": multi30k,
    "two_halves": two_halves,
    "goats": goats,
    "typed_sentences": typed_sentences,
    "planted_bugs": planted_bugs,
    "device_tests": device_tests,
}


def provenance(result: dict) -> str:
    """Say where, when and with what was measured, and how to repeat it."""
    commit = result["commit"]
    changed = ""
    if commit.endswith("+"):
        commit, changed = commit[:-1], " with later changes"
    return (
        f"Measured on {result['date']}: {result['device']}, torch "
        f"{result['torch']}, Python {result['python']}, commit "
        f"`{commit}`{changed}. To repeat it:\n\n"
        f"```bash\n{result['command']}\n```"
    )


def markdown(name: str, folder: Path) -> str:
    """Return what the page shows of one stored result, "" where none is.

    Raises:
        ValueError: nobody knows how to show it.
    """
    if name not in SHOWN:
        raise ValueError(
            f"there is no way to show {name!r}; choose from {sorted(SHOWN)}"
        )
    path = folder / f"{name}.json"
    if not path.exists():
        return ""
    result = json.loads(path.read_text(encoding="utf-8"))
    return SHOWN[name](result) + "\n\n" + provenance(result)


class not_measured(nodes.General, nodes.Element):
    """Stands where a measurement was not made, until its section goes."""


def leave_out(app, doctree) -> None:
    """Take away each section whose measurement was not made."""
    for node in list(doctree.findall(not_measured)):
        if isinstance(node.parent, nodes.section):
            node = node.parent
        node.parent.remove(node)


class Results(SphinxDirective):
    """The directive `results`: the name of a file in benchmarks/results."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir) / "benchmarks" / "results"
        name = self.arguments[0]
        self.env.note_dependency(str(folder / f"{name}.json"))
        try:
            lines = markdown(name, folder).splitlines()
        except ValueError as error:
            raise self.error(str(error)) from None
        if not lines:
            return [not_measured()]
        holder = nodes.container(classes=["measured"])
        source = f"benchmarks/results/{name}.json"
        text = StringList(lines, source=source)
        self.state.nested_parse(text, self.content_offset, holder)
        return [holder]


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("results", Results)
    # Before the page's headings are collected for its list of contents.
    app.connect("doctree-read", leave_out, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
