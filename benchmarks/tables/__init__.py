"""What a benchmark writes beside its figures: a table, and what it says.

No number in it is typed by hand, and no sentence outlives the figures that it
was true of. Nothing here needs torch or measures anything.
"""

from collections.abc import Callable
from pathlib import Path

from .comparisons import ablations, goats, ladder, two_halves
from .in_page import train_in_page
from .paper import base_size, multi30k, published, table_3
from .proofs import device_tests, notebooks, planted_bugs
from .speed import decoding, step_time, throughput
from .toy import own_learns, toy_translator, typed_sentences

# Each has the name of the script that measures what it shows.
TABLES: dict[str, Callable[[dict], str]] = {
    shown.__name__: shown
    for shown in (
        ablations, base_size, decoding, device_tests, goats, ladder, multi30k,
        notebooks, own_learns, planted_bugs, published, step_time, table_3,
        throughput, toy_translator, train_in_page, two_halves, typed_sentences,
    )
}  # fmt: skip


def script(result: dict) -> str:
    """Return the name of the script that measured a result."""
    return Path(result["command"].split()[1]).stem


def markdown(result: dict) -> str:
    """Return what a page shows of a result.

    Raises:
        ValueError: its script has no table.
    """
    name = script(result)
    if name not in TABLES:
        raise ValueError(
            f"{name}.py has no table: write a function {name} in "
            f"benchmarks/tables; these have one: {', '.join(TABLES)}"
        )
    return f"{TABLES[name](result)}\n\n{provenance(result)}\n"


def provenance(result: dict) -> str:
    """Say where, when and with what was measured, and how to repeat it."""
    commit = result["commit"]
    changed = " with later changes" * commit.endswith("+")
    return (
        f"Measured on {result['date']}: {result['device']}, torch "
        f"{result['torch']}, Python {result['python']}, commit "
        f"`{commit.rstrip('+')}`{changed}. To repeat it:\n\n"
        f"```bash\n{result['command']}\n```"
    )
