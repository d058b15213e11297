"""Load a translator of the published size, with random weights, and time it.

    python benchmarks/base_size.py
    python benchmarks/base_size.py --own my_transformer.py

Nobody here has seen the published weights (published.py is for whoever has).
This writes a folder in their format and of their size, the paper's base model
with 65,001 tokens and random numbers, and loads it twice, each time in a new
process: into the library's classes, and into those of the reader's file, or of
the book's version where it lacks a part. Both write 20 tokens for each of
eight sources by the largest score: the library one by one from its cache, the
file with its `greedy_decode`, which has none. The result is
benchmarks/results/base_size.json. ``--smoke`` takes a small model and stores
nothing.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import common
import torch
from safetensors.torch import load_file

from transformer_course import workbook
from transformer_course.workbook.published import RANDOM
from transformer_lib import decoding
from transformer_lib.special_tokens import BOS, EOS
from transformer_lib.translator import Translator

NAME = "base_size"
# Of config.json of opus-mt-ko-en; with --smoke those of the tests' folder.
BASE = {"d_model": 512, "ffn_dim": 2048, "attention_heads": 8, "layers": 6}
WORDS = 65_001
SOURCES, SOURCE, TOKENS = 8, 12, 20


def write_folder(folder: Path, sizes: dict[str, int], words: int) -> None:
    """Write a model in the published format.

    Args:
        folder: an empty one.
        sizes: names as in config.json, without the stack's.
        words: of its vocabulary.
    """
    config = json.loads((RANDOM / "config.json").read_text("utf-8"))
    small = config["d_model"], config["encoder_ffn_dim"], config["vocab_size"]
    large = sizes["d_model"], sizes["ffn_dim"], words
    found = load_file(RANDOM / "model.safetensors")
    draw = torch.Generator().manual_seed(0)
    new = {}
    for name, tensor in found.items():
        shape = [dict(zip(small, large, strict=True)).get(n, n)
                 for n in tensor.shape]  # fmt: skip
        for number in range(sizes["layers"] if "layers.0" in name else 1):
            own = name.replace("layers.0", f"layers.{number}")
            new[own] = _random(name, shape, draw)
    torch.save(new, folder / "pytorch_model.bin")
    for side in ("encoder", "decoder"):
        config |= {f"{side}_{key}": n for key, n in sizes.items()}
    config |= {"d_model": sizes["d_model"], "vocab_size": words}
    config["pad_token_id"] = config["decoder_start_token_id"] = words - 1
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "source.spm").write_bytes((RANDOM / "source.spm").read_bytes())
    known = json.loads((RANDOM / "vocab.json").read_text("utf-8"))
    names = sorted(known, key=known.__getitem__)[:-1]
    names += [f"▁{n}" for n in range(words - len(known))]
    vocabulary = {name: n for n, name in enumerate([*names, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")


def _random(name: str, shape: list[int], draw: torch.Generator) -> torch.Tensor:
    """Numbers with which a sentence changes from word to word."""
    numbers = torch.randn(shape, generator=draw)
    if name.endswith("norm.weight"):
        return 1 + 0.1 * numbers
    if "bias" in name:
        return 0.1 * numbers
    scale = 1.0 if "shared" in name else 1.5
    return scale * numbers / shape[-1] ** 0.5


def questions(words: int, count: int) -> torch.Tensor:
    """Make sources; which words does not matter."""
    draw = torch.Generator().manual_seed(1)
    ids = torch.randint(EOS + 2, words, (count, SOURCE), generator=draw)
    ids[:, -1] = EOS
    return ids


def library(folder: str) -> tuple[Callable, int]:
    """Load into the library; return what translates, and its vocabulary."""
    model = Translator.load(folder).model.eval()

    def write(source: torch.Tensor) -> list[int]:
        (found,) = decoding.greedy(model, source, TOKENS)
        return found.tokens

    return write, model.config.vocab_size


def own(folder: str) -> tuple[Callable, int]:
    """The same for the reader's file, or the book's version of it."""
    with redirect_stdout(sys.stderr):
        decode = workbook.use("greedy_decode")
        model, tokenizer = workbook.load_published(None, folder)

    def write(source: torch.Tensor) -> list[int]:
        with torch.inference_mode():
            row = decode(model, source, TOKENS)[0].tolist()
        row = row[1:] if row[0] == BOS else row
        return row[: row.index(EOS)] if EOS in row else row[:TOKENS]

    return write, len(tokenizer)


def most_memory() -> int:
    """Return the most memory this process has held, in megabytes.

    Raises:
        OSError: this is not Linux, which alone says it of one program.
    """
    said = Path("/proc/self/status").read_text("utf-8")
    kilobytes = said.partition("VmHWM:")[2].split()[0]
    return round(int(kilobytes) * 1024 / 1e6)


def measured(which: str, folder: str, count: int) -> dict[str, Any]:
    """Load and write in this process."""
    torch.set_num_threads(1)
    before = most_memory()
    start = time.perf_counter()
    write, words = {"library": library, "own": own}[which](folder)
    loaded = time.perf_counter()
    tokens = [write(row[None]) for row in questions(words, count)]
    done = time.perf_counter()
    return {
        "load_seconds": round(loaded - start, 2),
        "sentence_seconds": round((done - loaded) / count, 3),
        "megabytes_before": before,
        "megabytes": most_memory(),
        "tokens": tokens,
    }


def main() -> None:
    """Write the folder, load it twice, store."""
    parser = common.parser(__doc__ or "")
    parser.add_argument("--own", type=Path, help="the reader's file")
    parser.add_argument("--in-here", nargs=2, help="used by this script")
    args = parser.parse_args()
    count = 2 if args.smoke else SOURCES
    if args.in_here:
        print(json.dumps(measured(*args.in_here, count)))
        return
    sizes, words = dict(BASE), WORDS
    if args.smoke:
        sizes, words = {**BASE, "d_model": 16, "ffn_dim": 24, "layers": 2}, 400
    runs = {}
    with tempfile.TemporaryDirectory() as place:
        write_folder(Path(place), sizes, words)
        mine = args.own or Path(place) / "none.py"
        os.environ["TRANSFORMER_WORKBOOK"] = str(mine.resolve())
        weights = torch.load(Path(place) / "pytorch_model.bin", mmap=True)
        parameters = sum(w.numel() for w in weights.values())
        for which in ("library", "own"):
            command = [sys.executable, __file__, "--in-here", which, place]
            command += ["--smoke"] * args.smoke
            done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
            runs[which] = json.loads(done.stdout)
    written = [run.pop("tokens") for run in runs.values()]
    figures = {
        "parameters": parameters,
        "words": words,
        "sentences": count,
        "tokens": TOKENS,
        "equal": sum(a == b for a, b in zip(*written, strict=True)),
        "different": len({tuple(row) for row in written[0]}),
        "runs": runs,
    }
    common.keep(args, NAME, figures)
    common.tell(args, NAME, figures)


if __name__ == "__main__":
    main()
