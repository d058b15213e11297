"""Numbers, spreads and tables as the tables of results write them."""

import statistics
from collections.abc import Iterable, Sequence


def table(rows: Sequence[dict]) -> str:
    """Return a Markdown table.

    Args:
        rows: of each the cells under their heads. A head that starts with >
            stands above numbers, which are set to the right.
    """
    heads = list(rows[0])
    lines = [
        [head.lstrip(">") for head in heads],
        ["---:" if head.startswith(">") else "---" for head in heads],
        *([str(row[head]) for head in heads] for row in rows),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def joined(*parts: str) -> str:
    """Return tables and paragraphs below each other, without the empty ones."""
    return "\n\n".join(filter(None, parts))


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
    median = number(1e3 * entry["seconds"])
    return median if entry["repeats"] == 1 else f"{median} ({low}–{high})"


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


def middle(values: Iterable[float]) -> str:
    """Write the median and, in brackets, the lowest and the highest.

    A single number stands alone.
    """
    values = sorted(values)
    low, high = values[0], values[-1]
    if len(values) == 1:
        return f"{low:.1f}"
    return f"{statistics.median(values):.1f} ({low:.1f}–{high:.1f})"


def listed(values: Iterable) -> str:
    return ", ".join(map(str, values))


def seeds(values: Sequence[int]) -> str:
    """Name the seeds."""
    return ("seeds " if len(values) > 1 else "seed ") + listed(values)


def plain(text: str) -> str:
    """Keep signs of Markdown in somebody's words from having an effect."""
    for sign in "\\|`*_<[$":
        text = text.replace(sign, "\\" + sign)
    return text or "not known"
