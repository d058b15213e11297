"""The races of training steps and of decoding."""

from .text import joined, milliseconds, span, table, times

OURS = "transformer_lib"
CHANGED = {
    "unchanged": "nothing: a second model like the first, as a control",
    "one projection": "queries, keys and values in one product",
    "attention written out": "attention in plain products, no fused kernel",
    "ReLU in place": "ReLU that overwrites its input",
    "compiled": "`torch.compile`",
    "Adam, not fused": "Adam over lists of tensors (`foreach=True`)",
    "Adam, a loop over tensors": "Adam, tensor by tensor",
}
RIVALS = {
    "nn.Transformer": "nn.Transformer",
    "textbook": "the textbook",
    "annotated": 'in the form of "The Annotated Transformer"',
}


def throughput(result: dict) -> str:
    """Show the race of training steps."""
    entries = [
        (cell, name, entry)
        for cell in result["cells"]
        for name, entry in cell["contestants"].items()
    ]
    rows = []
    for cell, name, entry in entries:
        reduced = cell["precision"] != "float32"
        row = {
            ">$d_{model}$": cell["d_model"],
            ">length": cell["length"],
            "contestant": name + f", {cell['precision']}" * reduced,
            f">milliseconds ({result['clock']})": milliseconds(entry),
            ">target tokens/s": f"{entry['tokens_per_second']:,}",
            ">times the library's": (
                "1" if name == OURS else times(cell["ratios"][name])
            ),
        }
        if "utilization" in entry:
            row[">utilization"] = f"{100 * entry['utilization']:.1f} %"
        rows.append(row)
    tokens = span(int(cell["target_tokens"]) for cell in result["cells"])
    repeats = span(entry["repeats"] for _, _, entry in entries)
    text = (
        f"Vocabulary {result['vocab_size']:,}, {result['n_layers']} layers "
        f"on each side, {tokens} target tokens a batch, "
        f"{repeats} repeats a contestant. With equal "
        "weights in float64 the losses and the gradients of all contestants "
        f"differ by {result['disagreement']:.0e}."
    )
    reason = result.get("not_compiled")
    compiled = f"Nothing was compiled: {reason}." if reason else ""
    return joined(table(rows), _race(result["cells"]), text, compiled)


def _race(cells: list[dict]) -> str:
    """Say what the ratios of a race allow to say."""
    sentences = []
    for rival in ("nn.Transformer", "textbook"):
        ratios = [cell["ratios"][rival] for cell in cells]
        faster = [
            f"{cell['d_model']}/{cell['length']}"
            for cell, ratio in zip(cells, ratios, strict=True)
            if ratio["interval"] and ratio["interval"][1] < 1
        ]
        where = "in no cell"
        if faster:
            where = "in " + ", ".join(faster) + " ($d_{model}$/length)"
        sentences.append(
            f"A step of {RIVALS[rival]} takes "
            f"{span(ratio['ratio'] for ratio in ratios)} times as long as the "
            f"library's, and is faster beyond the noise {where}."
        )
    return " ".join(sentences)


def decoding(result: dict) -> str:
    """Show decoding with the cache and without."""
    sizes = {cell["d_model"] for cell in result["cells"]}
    rows = [
        {
            "search": cell["method"]
            + f", $d_{{model}}$ {cell['d_model']}" * (len(sizes) > 1),
            ">length": cell["length"],
            ">batch": cell["batch"],
            f">cached, ms ({result['clock']})": milliseconds(cell["cached"]),
            ">recomputed, ms": milliseconds(cell["recomputed"]),
            ">ratio": times(cell),
            ">cached, tokens/s": f"{cell['cached']['tokens_per_second']:,}",
        }
        for cell in result["cells"]
    ]
    return joined(table(rows), _cache(result))


def _cache(result: dict) -> str:
    """Say what the ratios of the cache allow to say."""
    cells = result["cells"]
    compared = [cell for cell in cells if cell["recomputed"] is not None]
    sentences = []
    for length in sorted({cell["length"] for cell in compared}):
        ratios = [c["ratio"] for c in compared if c["length"] == length]
        sentences.append(
            f"At length {length}, computing everything again takes "
            f"{span(ratios)} times as long as reading the cache."
        )
    equal = sum(cell["same_sentences"] == 1 for cell in compared)
    sentences.append(
        f"Both ways wrote the same tokens in {equal} of the {len(compared)} "
        "cells where both ran (in float32 a near tie may fall either way)."
    )
    if len(compared) < len(cells):
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


def step_time(result: dict) -> str:
    """Show where a training step's time goes and what changes it."""
    cells = result["cells"]
    heads = [f">{cell['length']} tokens a sentence" for cell in cells]

    def row(name: str, text: str, values: list[str]) -> dict:
        return {name: text, **dict(zip(heads, values, strict=True))}

    ours = [milliseconds(cell["seconds"][OURS]) for cell in cells]
    rows = [row("step", "the library's, milliseconds", ours)]
    alone = {"products alone": "its matrix products alone"}
    for name, text in (CHANGED | RIVALS | alone).items():
        if all(name in cell["ratios"] for cell in cells):
            values = [times(cell["ratios"][name]) for cell in cells]
            rows.append(row("step", text, values))
    kinds = max((cell["kernels"] for cell in cells), key=len)
    shares = [
        row(
            "kernels",
            kind,
            [f"{100 * cell['kernels'].get(kind, 0):.0f} %" for cell in cells],
        )
        for kind in kinds
    ]
    return joined(
        table(rows),
        _gain(cells),
        "Of the time in torch's kernels, as its profiler counts it "
        "(which is a little slower itself):",
        table(shares),
    )


def _gain(cells: list[dict]) -> str:
    """Say which changes give 5 % or more beyond the noise."""
    found = [
        text
        for name, text in CHANGED.items()
        if all(
            name in cell["ratios"]
            and cell["ratios"][name]["interval"][1] <= 0.95
            for cell in cells
        )
    ]
    if not found:
        return "No change gives 5 % beyond the noise at both lengths."
    return "These give 5 % or more at both lengths: " + "; ".join(found) + "."
