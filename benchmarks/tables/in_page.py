"""What five starts of each experiment in the page came to."""

from .text import joined, table

NAMES = {
    "positions": "Positions",
    "mask": "The mask",
    "dice": "Dice",
    "depth": "Residuals and norms",
    "warmup": "Warm-up",
    "smoothing": "Smoothing",
}
# What an experiment's two rows lie apart in.
JUDGED = {"dice": "practice", "smoothing": "plain"}
APART = 0.3  # of the letters, with every start


def train_in_page(result: dict) -> str:
    """Show each experiment with its part and without, all starts together."""
    rows = [
        row
        for name, runs in result["runs"].items()
        for row in (
            shown(NAMES[name], "as it is", runs["on"]),
            shown("", "changed", runs["off"]),
        )
    ]
    return joined(
        table(rows),
        f"Lowest and highest of the starts {listed(result)}, in "
        f"{result['browser']}. Letters right of 100, on 200 fresh lines when "
        "it writes by itself, and in the last 20 updates as in training; plain "
        "loss of these updates; the update from which 20 in a row had nine "
        "letters of ten right as in training; CPU milliseconds an update, of "
        "the whole page, the mean.",
        " ".join(map(verdict, result["runs"].items())),
    )


def listed(result: dict) -> str:
    """Name the starts."""
    (runs, *_) = result["runs"].values()
    return ", ".join(str(one["seed"]) for one in runs["on"])


def shown(name: str, how: str, runs: list[dict]) -> dict:
    """Return a row."""

    def span(key: str, form: str, factor: int = 1) -> str:
        found = sorted(
            factor * one[key] for one in runs if one[key] is not None
        )
        if not found:
            return "–"
        low, high = (format(one, form) for one in (found[0], found[-1]))
        return low if low == high else f"{low} to {high}"

    return {
        "experiment": name,
        "model": how,
        ">by itself": span("letters", ".0f", 100),
        ">as in training": span("practice", ".0f", 100),
        ">plain loss": span("plain", ".3f"),
        ">fall at": span("cliff", "d"),
        ">ms": format(
            sum(one["milliseconds"] for one in runs) / len(runs), ".0f"
        ),
    }


def holds(name: str, runs: dict) -> int:
    """Return with how many starts an experiment's claim holds."""
    key = JUDGED.get(name, "letters")
    pairs = zip(runs["on"], runs["off"], strict=True)
    gaps = [on[key] - off[key] for on, off in pairs]
    if key == "plain":
        return sum(gap < 0 for gap in gaps)
    sign = -1 if name == "dice" else 1
    return sum(sign * gap >= APART for gap in gaps)


def verdict(experiment: tuple[str, dict]) -> str:
    """Say with how many starts the claim of the page holds."""
    name, runs = experiment
    return (
        f"*{NAMES[name]}* holds with {holds(name, runs)} of {len(runs['on'])}."
    )
