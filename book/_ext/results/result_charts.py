"""The charts above the tables of measured results, drawn from the same files.

A table that has a chart above it is folded (results.py).

A page writes

    ```{chart} ladder
    ```

and gets what benchmarks/results/ladder.json holds as a picture. Its caption is
made from the numbers, like the sentences under the tables: it says that one
thing is above another only where every seed, or the whole interval, is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from charts import Axis, Group, Row, chart
from docutils import nodes
from figures import drawing
from sphinx.util.docutils import SphinxDirective

from transformer_course.explorers.ablation import apart

SHARE = (0, 25, 50, 75, 100)
EXACT = "exact match, %"


def ladder(result: dict) -> str:
    """Draw each translator on each split, a dot a seed."""
    systems = {k: v for k, v in result["systems"].items() if v["runs"]}
    splits = list(next(iter(systems.values()))["runs"][0]["splits"])

    def scores(name: str, split: str) -> list[float]:
        runs = systems[name]["runs"]
        return [run["splits"][split]["exact_match"] for run in runs]

    groups = [
        Group(
            f"*{split}*",
            [Row(v["text"], scores(k, split)) for k, v in systems.items()],
        )
        for split in splits
    ]
    said = []
    steps = [("gru_fixed", "gru_attention"), ("gru_attention", "transformer")]
    for one, other in steps:
        if not systems.keys() >= {one, other}:
            continue
        signs = [apart(scores(one, s), scores(other, s)) for s in splits]
        names = (systems[name]["text"] for name in (other, one))
        said.append(_compared(*names, signs))
    alt = (
        f"Dots on a scale from 0 to 100 %: exact matches of {len(systems)} "
        f"translators on {len(splits)} splits, a dot for each seed."
    )
    says = " ".join([*said, "A dot is a seed."])
    return chart(groups, Axis(EXACT, SHARE), alt, says)


def _compared(one: str, other: str, signs: Sequence[int]) -> str:
    """Count where all seeds of one lie above, or below, all of another."""
    counts = {
        "all seeds are higher": signs.count(1),
        "all are lower": signs.count(-1),
        "the seeds overlap": signs.count(0),
    }
    where = [f"on {n} splits {what}" for what, n in counts.items() if n]
    where = [part.replace("on 1 splits", "on 1 split") for part in where]
    return f"*{one}*, beside *{other}*: {', '.join(where)}."


def ablations(result: dict) -> str:
    """Draw what each variant has right on test, from the best to the worst."""
    rows = [
        Row(v["text"], [run["exact_match"]["test"] for run in v["runs"]])
        for v in result["variants"].values()
    ]
    reference, *others = rows
    others.sort(key=lambda row: sorted(row.marks)[len(row.marks) // 2])
    signs = [apart(reference.marks, row.marks) for row in others]
    none = sum(max(row.marks) == 0 for row in others)
    low, high = min(reference.marks), max(reference.marks)
    alt = (
        "Dots on a scale from 0 to 100 %: exact matches on test of the "
        f"reference and of {len(others)} variants, a dot for each seed; the "
        "reference's seeds are shaded in all rows."
    )
    said = [
        f"{signs.count(-1)} of {len(others)} changes leave every seed below "
        f"the reference's, {none} of them without one right sentence",
        f"{signs.count(0)} overlap with it, so that *test* cannot tell them "
        "from it",
    ]
    if 1 in signs:
        said.append(f"{signs.count(1)} lie above it with every seed")
    says = "; ".join(said) + (
        ". A dot is a seed; shaded, from the reference's lowest to its highest."
    )
    rows = [Row("**nothing**", reference.marks), *reversed(others)]
    return chart([Group("", rows)], Axis(EXACT, SHARE, (low, high)), alt, says)


def lengths(result: dict) -> str:
    """Draw the kinds of the split `length`, and test beside them."""
    runs, told = result["runs"], result["baselines"]["length"]
    test = [run["splits"]["test"]["exact_match"] for run in runs]
    rows = [Row("*test*, for comparison", test)]
    scores = {}
    for kind, part in told.items():
        scores[kind] = [run["length"][kind]["exact_match"] for run in runs]
        words = f"{part['least']} to {part['most']} words"
        rows.append(Row(f"{kind} ({words})", scores[kind]))
    both, far, other, _ = scores.values()
    verdict = {
        1: "every seed has fewer right at new positions",
        -1: "every seed has fewer right with a new structure",
        0: "the seeds of these two overlap",
    }[apart(far, other)]
    says = (
        f"Of the long sentences {_span(both)} % are right where structure and "
        f"positions are known, {_span(far)} % where only the positions are "
        f"new, and {_span(other)} % where only the structure is: {verdict}. "
        "A dot is a seed."
    )
    alt = (
        "Dots on a scale from 0 to 100 %: exact matches on test and on the "
        f"{len(told)} kinds of long sentences, a dot for each seed."
    )
    return chart([Group("", rows)], Axis(EXACT, SHARE), alt, says)


def _span(shares: Sequence[float]) -> str:
    """Write the lowest and the highest, with about three digits."""
    low, high = (
        f"{share:.{0 if share >= 100 else 1 if share >= 10 else 2}f}"
        for share in (min(shares), max(shares))
    )
    return low if low == high else f"{low} to {high}"


def throughput(result: dict) -> str:
    """Draw how many times the library's time a rival takes in each cell."""
    rivals = list(result["cells"][0]["ratios"])
    groups, verdicts = [], []
    for rival in rivals:
        rows = []
        for cell in result["cells"]:
            ratio = cell["ratios"][rival]
            name = f"$d_{{model}}$ {cell['d_model']}, length {cell['length']}"
            low, high = ratio["interval"]
            rows.append(Row(name, [ratio["ratio"]], (low, high)))
            verdicts.append((low > 1) - (high < 1))
        groups.append(Group(rival, rows))
    reaches = [row.reach for group in groups for row in group.rows]
    axis = Axis("times the library's time", _around_one(sum(reaches, ())))
    says = (
        f"{verdicts.count(1)} of {len(verdicts)} intervals lie to the right "
        f"of 1, where the library is faster, and {verdicts.count(-1)} to the "
        f"left; {verdicts.count(0)} hold 1, and tell nothing apart. A dot is "
        "a ratio of medians, the line its 95 % interval."
    )
    alt = (
        "Dots with intervals: how many times as long as the library's step "
        f"a step of {' and of '.join(rivals)} takes, at each width and "
        "length; 1 is ruled."
    )
    return chart(groups, axis, alt, says)


def _around_one(values: Iterable[float]) -> list[float]:
    """Return ticks, in tenths, that hold all values and 1."""
    values = [*values, 1.0]
    low, high = int(10 * min(values)), -int(-10 * max(values) // 1)
    return [tenth / 10 for tenth in range(low, high + 1)]


CHARTS: dict[str, Callable[[dict], str]] = {
    "throughput": throughput,
    "ladder": ladder,
    "toy_translator_full": lengths,
    "toy_translator_small": lengths,
    "ablations": ablations,
}


class Chart(SphinxDirective):
    """The directive `chart`: the name of a file in benchmarks/results."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir) / "benchmarks" / "results"
        name = self.arguments[0]
        if name not in CHARTS:
            raise self.error(
                f"there is no chart of {name!r}; choose from {sorted(CHARTS)}"
            )
        path = folder / f"{name}.json"
        self.env.note_dependency(str(path))
        result = json.loads(path.read_text(encoding="utf-8"))
        self.env.temp_data.setdefault("charted", set()).add(name)
        return [drawing(svg=CHARTS[name](result))]


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("chart", Chart)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
