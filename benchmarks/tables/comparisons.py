"""One way beside others: parts taken away, older translators, readers."""

import statistics

from .text import joined, listed, middle, number, span, table

CHAPTERS = {
    4: "unscaled",
    5: "no_residual post_norm",
    6: "no_norm",
    7: "heads_1 heads_2 heads_8 scrambled_merge scrambled_both",
    8: "no_causal_mask no_padding_mask",
    9: "no_positions learned_positions base_1000",
    10: "untied small_rows",
    11: "layers_1",
    12: "unsmoothed",
    13: "pre_norm_cold post_norm_cold",
}
EXPLAINED = {
    variant: f" (chapter {chapter})"
    for chapter, variants in CHAPTERS.items()
    for variant in variants.split()
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


def ablations(result: dict) -> str:
    """Show what each part of the toy translator is worth."""
    first = next(iter(result["variants"].values()))["runs"]
    early = first[0]["curve"][0]["step"]
    rows = []
    for name, variant in result["variants"].items():
        runs = variant["runs"]
        begun = middle(run["curve"][0]["exact_match"] for run in runs)
        loss = statistics.median(run["valid_loss"] for run in runs)
        row = {
            "differs from the reference in": variant["text"]
            + EXPLAINED.get(name, ""),
            f">after {early} steps": begun,
        }
        for split in first[0]["exact_match"]:
            score = middle(run["exact_match"][split] for run in runs)
            row[f">exact match %, {split}"] = score
        rows.append(row | {">loss, nats": f"{loss:.3f}"})
    text = (
        "Median and, in brackets, lowest and highest of the seeds "
        f"{listed(run['seed'] for run in first)}; "
        f"{result['steps']:,} steps on the {result['preset']} corpus; "
        f"{result['limit']} sentences a split (*after {early} steps*: "
        f"{result['part']} of test)."
    )
    return joined(table(rows), text + _luck(result["variants"]))


def _luck(variants: dict) -> str:
    """Say how far the reference's own seeds are apart, if it was trained."""
    if "reference" not in variants:
        return ""
    test, role = (
        [run["exact_match"][name] for run in variants["reference"]["runs"]]
        for name in ("test", "role")
    )
    return (
        " The reference's own seeds "
        f"differ by {max(test) - min(test):.1f} points on test and by "
        f"{max(role) - min(role):.1f} on role: smaller differences "
        "between two rows say nothing."
    )


def ladder(result: dict) -> str:
    """Show the translators of equal training time, and what they chose."""
    systems = [one for one in result["systems"].values() if one["runs"]]
    splits = list(systems[0]["runs"][0]["splits"])
    rows = []
    for system in systems:
        runs = system["runs"]
        row = {
            "translator": system["text"],
            ">CPU seconds": span(round(run["cpu_seconds"]) for run in runs),
            ">steps": span(run["steps"] for run in runs),
        }
        for name in splits:
            row[f">exact match %, {name}"] = middle(_scores(system, name))
        row[">BLEU, test"] = middle(_scores(system, "test", "bleu"))
        rows.append(row)
    seeds = max(len(system["runs"]) for system in systems)
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
    ahead = _ahead(result["systems"], splits)
    return joined(
        table(rows), text, ahead, _pairs(systems, splits), _chosen(result)
    )


def _scores(system: dict, split: str, name: str = "exact_match") -> list[float]:
    return [run["splits"][split][name] for run in system["runs"]]


def _pairs(systems: list[dict], splits: list[str]) -> str:
    """Show how many minimal pairs each system has right."""
    first = systems[0]["runs"][0]["splits"]
    paired = [name for name in splits if "pairs_right" in first[name]]
    rows = []
    for system in systems:
        row = {"both sentences of a pair right, %": system["text"]}
        for name in paired:
            row[f">{name}"] = middle(_scores(system, name, "pairs_right"))
        rows.append(row)
    return table(rows)


def _ahead(systems: dict, splits: list[str]) -> str:
    """Say where all runs of one system beat all runs of another."""
    sentences = []
    steps = [("gru_fixed", "gru_attention"), ("gru_attention", "transformer")]
    for pair in steps:
        one, other = (systems.get(name) for name in pair)
        if not (one and other and one["runs"] and other["runs"]):
            continue
        found = len(sentences)
        for better, worse in ((one, other), (other, one)):
            where = [
                f"*{name}*"
                for name in splits
                if min(_scores(better, name)) > max(_scores(worse, name))
            ]
            if where:
                sentences.append(
                    f"Every run of *{better['text']}* has more exact matches "
                    f"than every run of *{worse['text']}* on "
                    f"{', '.join(where)}."
                )
        if len(sentences) == found:
            sentences.append(
                f"Nowhere are all runs of *{one['text']}* ahead of all runs "
                f"of *{other['text']}*, or behind them."
            )
    return " ".join(sentences)


def _chosen(result: dict) -> str:
    """Say which setting each system chose in validation, and from what."""
    lines = []
    for system in result["systems"].values():
        tuning, chosen = system["tuning"], system["chosen"]
        if not tuning:
            continue
        widths = sorted({e["setting"]["d_model"] for e in tuning})
        rates = sorted({e["setting"]["max_lr"] for e in tuning})
        scores = [entry["exact_match"] for entry in tuning]
        at_edge = len(rates) > 1 and chosen["max_lr"] in (rates[0], rates[-1])
        lines.append(
            f"- *{system['text']}*: width {chosen['d_model']} (tried: "
            f"{listed(widths)}), highest learning rate {chosen['max_lr']} "
            f"(tried: {listed(rates)}){', an edge of the grid' * at_edge}; "
            f"{min(scores):.1f} to {max(scores):.1f} % right in validation. "
            f"{system['parameters']:,} parameters."
        )
    if not lines:
        return ""
    seconds = number(result["tuning_cpu_seconds"])
    head = (
        f"Chosen by exact match in validation after {seconds} CPU seconds, "
        "with one seed:"
    )
    return joined(head, "\n".join(lines))


def goats(result: dict) -> str:
    """Show how many updates each way to read a text needed."""
    rows = []
    for group in sorted(
        result["groups"], key=lambda g: (g["task"], g["kind"], -g["rate"])
    ):
        needed = [n for n in group["needed"] if n is not None]
        row = {
            "task": group["task"],
            "read by": group["kind"],
            ">learning rate": f"{group['rate']:g}",
            ">learned": f"{len(needed)} of {len(group['needed'])}",
            ">updates": middle(needed) if needed else "-",
        }
        rows.append(row)
    return table(rows)


def two_halves(result: dict) -> str:
    """Show what a masked and a causal model guess right, by kind of word."""
    runs, models = result["runs"], ("masked", "causal")
    cells = {
        text: [middle(100 * r[name][kind] for r in runs) for name in models]
        for kind, text in WORDS.items()
    } | {
        "steps": [number(result["steps"][name]) for name in models],
        "CPU seconds": [
            span(round(r[name]["cpu_seconds"]) for r in runs) for name in models
        ],
        "fine-tuned": [tuned_right(runs, name) for name in models],
    }
    rows = [
        {"right guesses, %": text, ">hidden words": one, ">next words": other}
        for text, (one, other) in cells.items()
    ]
    perplexity = middle(run["causal"]["perplexity"] for run in runs)
    text = (
        f"Median and, in brackets, lowest and highest of {len(runs)} seeds. "
        f"Perplexity of the next word: {perplexity}. Fine-tuned without any "
        f"pre-training: {tuned_right(runs, 'scratch')}."
    )
    return joined(table(rows), text)


def tuned_right(runs: list[dict], start: str) -> str:
    """Return right answers in per cent after fine-tuning with few labels.

    Of the learning rates the one that is best on the validation sentences.
    """
    tuned = [run["fine_tuning"]["person"][start] for run in runs]
    few = "50" if "50" in tuned[0] else min(tuned[0], key=int)  # in miniature
    found = [one[few] for one in tuned]
    rate = max(found[0], key=lambda r: sum(one[r]["valid"] for one in found))
    return middle(100 * one[rate]["test"] for one in found)
