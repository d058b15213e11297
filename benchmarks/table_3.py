"""Count the parameters of every row of the paper's Table 3.

    python benchmarks/table_3.py

Each model is built without numbers (on torch's meta device) with a joint
vocabulary of 37,000 tokens, which the paper states for English-German, and
its parameters are counted. Beside them: the paper's column, the count of the
matrices alone (no biases, no gains of the norms), and the vocabulary that
would give the paper's figure. ``--smoke`` stores nothing.

Source: Vaswani et al. 2017, Table 3 and section 5.1.
"""

from dataclasses import replace

import common
import torch

from transformer_lib.model import Transformer, TransformerConfig

VOCABULARY = 37_000
BASE = TransformerConfig.base(VOCABULARY)
# (row, what differs from the base model, the paper's millions if it says)
ROWS = (
    ("base", {}, 65),
    ("A", {"n_heads": 1}, None),
    ("A", {"n_heads": 4}, None),
    ("A", {"n_heads": 16}, None),
    ("A", {"n_heads": 32}, None),
    ("B", {"d_k": 16}, 58),
    ("B", {"d_k": 32}, 60),
    ("C", {"n_layers": 2}, 36),
    ("C", {"n_layers": 4}, 50),
    ("C", {"n_layers": 8}, 80),
    ("C", {"d_model": 256}, 28),
    ("C", {"d_model": 1024}, 168),
    ("C", {"d_ff": 1024}, 53),
    ("C", {"d_ff": 4096}, 90),
    ("D", {"dropout": 0.0}, None),
    ("D", {"dropout": 0.2}, None),
    ("E", {"learned_positions": True}, None),
    ("big", {"d_model": 1024, "n_heads": 16, "d_ff": 4096}, 213),
)
# How the paper's sums could have been made; each is tried on every row.
COUNTINGS = {
    "all": "all parameters",
    "matrices": "matrices alone, without biases and norms",
    "two_tables": "all, with an output matrix of its own",
}


def counts_of(config: TransformerConfig) -> dict[str, int]:
    """Count the parameters of a model in each of the COUNTINGS."""
    with torch.device("meta"):
        model = Transformer(config)
    total = sum(p.numel() for p in model.parameters())
    return {
        "all": total,
        "matrices": sum(p.numel() for p in model.parameters() if p.dim() > 1),
        "two_tables": total + config.vocab_size * config.d_model,
    }


def vocabularies(
    config: TransformerConfig, counted: int, paper: int, tables: int = 1
) -> list[int]:
    """Return the smallest and largest vocabulary that fits the paper.

    A count fits when it rounds to the paper's whole millions. With each
    token of the vocabulary it grows by a row of d_model in each table.
    """
    each = tables * config.d_model
    rest = counted - config.vocab_size * each
    lowest = -(-(paper * 10**6 - 500_000 - rest) // each)
    highest = (paper * 10**6 + 499_999 - rest) // each
    return [lowest, highest]


def row_of(name: str, changes: dict, paper: int | None) -> dict:
    """Count one row of the table."""
    config = replace(BASE, **changes)
    counts = counts_of(config)
    row = {
        "row": name,
        "changes": changes,
        "paper": paper,
        "counts": counts,
        "difference": None,
        "vocabularies": None,
    }
    if paper is not None:
        row["difference"] = round(counts["all"] / 1e6 - paper, 2)
        row["vocabularies"] = {
            counting: vocabularies(
                config, counted, paper, 1 + (counting == "two_tables")
            )
            for counting, counted in counts.items()
        }
    return row


def best_vocabulary(rows: list[dict], counting: str) -> dict:
    """Find the vocabularies that fit as many rows as possible.

    Returns:
        The smallest and largest of the first such range, how many rows it
        fits, and which rows it does not fit.
    """
    told = [row for row in rows if row["paper"] is not None]
    ranges = [row["vocabularies"][counting] for row in told]

    def fitting(size: int) -> int:
        return sum(low <= size <= high for low, high in ranges)

    lowest = max((low for low, _ in ranges), key=fitting)
    highest = min(high for low, high in ranges if low <= lowest <= high)
    misfits = [
        row["changes"]
        for row, (low, high) in zip(told, ranges, strict=True)
        if not low <= lowest <= high
    ]
    return {
        "vocabularies": [lowest, highest],
        "fits": fitting(lowest),
        "of": len(told),
        "misfits": misfits,
    }


def main() -> None:
    parser = common.parser(__doc__)
    args = parser.parse_args()
    rows = [row_of(*row) for row in ROWS]
    told = [row for row in rows if row["paper"] is not None]
    figures = {
        "vocab_size": VOCABULARY,
        "max_length": BASE.max_length,
        "countings": COUNTINGS,
        "rows": rows,
        "fits": sum(abs(row["difference"]) <= 0.5 for row in told),
        "of": len(told),
        "best": {name: best_vocabulary(rows, name) for name in COUNTINGS},
    }
    common.keep(args, "table_3", figures)
    common.tell(args, "table_3", figures)


if __name__ == "__main__":
    main()
