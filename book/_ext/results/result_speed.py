"""The races of training steps and of decoding, as tables and sentences."""

from __future__ import annotations

from result_text import milliseconds, span, table, times

OURS = "transformer_lib"


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


def step_time(result: dict) -> str:
    """Show where a training step's time goes and what changes it."""
    cells = result["cells"]
    head = ["step"] + [f">{cell['length']} tokens a sentence" for cell in cells]
    as_it_is = [milliseconds(cell["seconds"][OURS]) for cell in cells]
    rows = [["the library's, milliseconds", *as_it_is]]
    for name, text in (CHANGED | RIVALS).items():
        if all(name in cell["ratios"] for cell in cells):
            rows.append(
                [text, *(times(cell["ratios"][name]) for cell in cells)]
            )
    alone = [times(cell["ratios"]["products alone"]) for cell in cells]
    rows.append(["its matrix products alone", *alone])
    kinds = max((cell["kernels"] for cell in cells), key=len)
    shares = [
        [
            kind,
            *(f"{100 * cell['kernels'].get(kind, 0):.0f} %" for cell in cells),
        ]
        for kind in kinds
    ]
    shared = ["kernels", *head[1:]]
    return "\n\n".join(
        [
            table(head, rows),
            _gain(cells),
            "Of the time in torch's kernels, as its profiler counts it "
            "(which is a little slower itself):",
            table(shared, shares),
        ]
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
