"""The machine on one page: formulas, shapes and lines of code that hold."""

import ast
import json
import re
from html import unescape
from pathlib import Path

import pytest
from chapter_numbers import CHAPTERS as NUMBERS

from transformer_lib.batching import make_batch
from transformer_lib.model import Transformer
from transformer_lib.model_config import TransformerConfig
from transformer_lib.multi_head import record_attention
from transformer_lib.positional import sinusoidal_encoding

ROOT = Path(__file__).resolve().parents[2]

import machine  # noqa: E402
import poster  # noqa: E402

PAGE = (ROOT / "book" / "in_short.md").read_text(encoding="utf-8")
ROWS = poster.read(re.search(r"^```{poster}\n(.+?)^```", PAGE, re.M | re.S)[1])
PARTS = {part.key: part for parts in ROWS.values() for part in parts}
SIZE = poster.EXAMPLE
CHAPTERS = {n: (f"{n}.html", f"{n}. Title") for n in NUMBERS}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_line_of_code_stands_in_the_file_that_is_named(part):
    path = ROOT / "transformer_lib" / part.file
    line = path.read_text(encoding="utf-8").splitlines()[part.line() - 1]
    assert line.strip() == part.code
    written = re.sub("<wbr>", "", unescape(poster.code(part)))
    assert written == part.code


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_formula_is_that_of_the_formula_card(part):
    shown = unescape(poster.formula(part.row, poster.card()))
    if part.row.endswith("."):
        assert shown == part.row
        return
    name, _, piece = part.row.partition(" [")
    row = re.search(rf"^\| \**{re.escape(name)}\** \| (.+?) \|", PAGE, re.M)[1]
    shown = re.sub(r"<.+?>|\\[()]|{} (?==)", "", shown)
    shown, wanted = (re.sub(r"\\quad|\\;|[ $]", "", t) for t in (shown, row))
    assert shown in wanted if piece else shown == wanted


def test_each_part_of_the_drawing_has_a_number_and_no_two_meet():
    assert set(PARTS) == set(machine.CHAPTER) - {"decoder"} | {"again"}
    drawn = re.findall(
        r'<g class="p-number"><circle cx="(.+?)" cy="(.+?)" r="8.5"/>'
        r"<text.+?>(\d+)</text>",
        poster.html(ROWS, CHAPTERS),
    )
    assert {int(n) for *_, n in drawn} == set(range(1, len(PARTS) + 1))
    places = [complex(float(x), float(y)) for x, y, _ in drawn]
    assert all(abs(a - b) > 17 for a in places for b in places if a is not b)


def test_the_sizes_are_those_of_chapter_11():
    path = ROOT / "chapters" / "11_the_whole_model.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    made = re.search(r"= OwnTransformer\((\d+(?:, \d+)+), ", text)[1]
    wanted = [SIZE[name] for name in ("V", "d", "h", "d_ff", "N")]
    assert list(map(int, made.split(", "))) == wanted
    for name, length in (("source", "S"), ("target", "T")):
        ids = re.search(rf"^{name} = torch.tensor\((.+)\)$", text, re.M)[1]
        rows = ast.literal_eval(ids)
        assert [len(rows), len(rows[0])] == [SIZE["B"], SIZE[length]]


def test_the_shapes_are_those_of_the_model():
    config = TransformerConfig(
        SIZE["V"], d_model=SIZE["d"], n_heads=SIZE["h"], d_ff=SIZE["d_ff"],
        n_layers=SIZE["N"],
    )  # fmt: skip
    model = Transformer(config).eval()
    encoder, decoder = model.encoder.layers[0], model.decoder.layers[0]
    found, came = {}, {}
    for key, module in {
        "embedding": model.source_embedding,
        "self": encoder.self_attention,
        "norm": encoder.norm1,
        "forward": encoder.feed_forward,
        "masked": decoder.self_attention,
        "cross": decoder.cross_attention,
    }.items():

        def keep(module, args, output, key=key):
            came.setdefault(key, args[0])
            found.setdefault(key, output)

        module.register_forward_hook(keep)
    batch = make_batch(
        [([5] * SIZE["S"], [6] * (SIZE["T"] - 1)) for _ in range(SIZE["B"])]
    )
    with record_attention(model) as maps:
        found["next"] = model(batch.source, batch.target_in)
    weights = maps["encoder.layers.0.self_attention"]
    first, state = batch.target_in[:, :1], model.start(batch.source)
    found |= {
        "text": batch.source,
        "written": batch.target_in,
        "positions": sinusoidal_encoding(SIZE["S"], SIZE["d"]),
        "residual": came["norm"],
        "heads": found["self"],
        "qkv": encoder.self_attention.keys_values(came["self"]).keys,
        "again": model.decode(first, state)[0],
    } | dict.fromkeys(("scores", "root", "mask", "weights"), weights)
    shapes = {
        key: part.shape
        for key, part in PARTS.items()
        if poster.shape(part.shape)[1]
    }
    assert {key: str(tuple(value.shape)) for key, value in found.items()} == {
        key: poster.shape(letters)[1] for key, letters in shapes.items()
    }
    matrices = sum(p.numel() for p in model.parameters() if p.ndim == 2)
    assert PARTS["encoder"].shape == f"{matrices:,} parameters in matrices"
