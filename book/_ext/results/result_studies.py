"""What each part is worth, and the ladder of other ways, as tables."""

from __future__ import annotations

import statistics

from result_text import listed, middle, number, span, table


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
            f"{listed(widths)}), highest learning rate {chosen['max_lr']} "
            f"(tried: {listed(rates)}){edge}; {min(scores):.1f} to "
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
