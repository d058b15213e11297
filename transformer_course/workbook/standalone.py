"""The reader's Transformer in a folder that runs without this library.

    from transformer_course import workbook

    workbook.export()      # my_transformer/, beside my_transformer.py

    python my_transformer/my_transformer.py "the cat slept ."

In the folder are the reader's file, trained weights with their tokenizer, both
again as data for the book's last page, and what a repository needs. The script
imports torch, safetensors and tokenizers.
"""

from __future__ import annotations

import ast
import importlib.metadata
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from transformer_course import PACKAGES
from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk
from transformer_course.workbook.complete import complete
from transformer_course.workbook.data_file import DATA, packed
from transformer_course.workbook.kept import Trained
from transformer_course.workbook.learner import model_of
from transformer_lib.files import atomic_write
from transformer_lib.tokenizer import Tokenizer

__all__ = ["EXAMPLE", "SCRIPT", "write"]

SCRIPT = "my_transformer.py"
EXAMPLE = "the cat did not cross the river because it was too deep ."
_LENT = "# From here on the book's: the parts above at work on text.\n"
_MAIN = '''\
def main():
    """Translate the arguments, or else each line of standard input."""
    import sys
    from pathlib import Path
    from unicodedata import normalize

    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    given = " ".join(sys.argv[1:]).encode("utf-8", "replace").decode()
    sentences = [given] if sys.argv[1:] else sys.stdin
    if not given.strip() and (sys.argv[1:] or sys.stdin.isatty()):
        return print(f'usage: python {sys.argv[0]} "the cat slept ."')
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")
    folder, code = Path(__file__).parent, 0
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True  # "<eos>" in a text is text
    model = Transformer(SIZES)
    model.load_state_dict(load_file(folder / "weights.safetensors"))
    model.eval()
    for sentence in (normalize("NFC", line) for line in sentences):
        read, written = tokenizer.encode(sentence), []
        words = zip(read.tokens, read.offsets)
        unknown = [sentence[a:b] for word, (a, b) in words if word == "<unk>"]
        if unknown:
            print("unknown:", ", ".join(unknown), file=sys.stderr)
        if len(read.ids) > LONGEST:
            code, n = 1, len(read.ids)
            print(f"{n} tokens; it reads at most LONGEST", file=sys.stderr)
        elif read.ids:  # a blank line stays blank
            source = torch.tensor([read.ids])
            written = greedy_decode(model, source, LONGEST)[0].tolist()
        ids = [i for i in written if i not in (PAD, BOS, EOS)]
        print(tokenizer.decode(ids, skip_special_tokens=False).strip())
    return code


if __name__ == "__main__":
    raise SystemExit(main())
'''
_README = """\
# My Transformer

A Transformer (Vaswani et al. 2017) in {lines} lines of PyTorch, {how}
*The Transformer, Step by Step*. With the weights beside it, it translates the
English of a first textbook into Korean:

```
pip install -r requirements.txt
python my_transformer.py "{example}"
```

This prints

> {translation}

All words behind the name of the script are one sentence. Without any, it reads
standard input, one sentence a line. It knows the words in `tokenizer.json` and
the constructions of one small grammar, and nothing else; it is made for
learning how a Transformer works. Words that it does not know are named on
standard error.

## What is whose

| whose | what |
|---|---|
{rows}
| the book's | `main` and the lines below it, the tokenizer |
| {owner} | the weights: {trained} |
{more}
Their training sentences were written by a program of the book.

## License

What is the book's is under the MIT license, and `LICENSE-BOOK.txt` has to stay
with it.
"""
_PAGE = """
`my_translator.json` holds the tokens and the weights once more, as float16. The
page "What you have built" of the book reads it and translates with them.
"""
_LICENSE = """\
This is the license of what comes from the book in this folder: the parts of
my_transformer.py that are marked as the book's, the lines at its end,
tokenizer.json, the tokens in my_translator.json, and the weights, in both files
that hold them, if README.md calls them the book's.

MIT License

Copyright (c) 2026 The authors of "The Transformer, Step by Step"

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


def write(
    text: str,
    folder: Path,
    taken: Trained,
) -> Path:
    """Write the folder, and print whose the parts are.

    A part that is missing or wrong is the book's, and marked so. A file that
    is there and says something else is kept under another name.

    Args:
        text: of the reader's file.
        folder: where; it is made if there is none.
        taken: the weights, with their sizes and their tokenizer.

    Returns:
        The script.

    Raises:
        OSError: a file cannot be written.
        ValueError: the reader's file does not run, or not alone.
    """
    from safetensors.torch import save

    text = text.split(_LENT)[0].rstrip("\n") + "\n"
    _check_alone(text)
    text, wrong = complete(text)
    weights, sizes = taken.weights, vars(taken.sizes)
    vocabulary = taken.tokenizer.read_bytes()
    translation = _translate(on_disk.run(text), taken)
    lent = [name for name in parts.PARTS if source_file.is_marked(text, name)]
    _report(lent, wrong)
    script = f"{text}\n\n{_LENT}{_main(sizes)}"
    folder.mkdir(parents=True, exist_ok=True)
    data_file = _data_file(taken, lent)
    more = _PAGE if data_file else ""
    for name, data in {
        SCRIPT: script.encode(),
        "weights.safetensors": save(dict(weights)),
        "tokenizer.json": vocabulary,
        "requirements.txt": _requirements(script).encode(),
        "README.md": _readme(script, lent, translation, taken, more).encode(),
        "LICENSE-BOOK.txt": _LICENSE.encode(),
        **data_file,
    }.items():
        _keep(folder / name, data)
        atomic_write(folder / name, data)
    return folder / SCRIPT


def _check_alone(text: str) -> None:
    """Refuse what would not run, or not as it does here, in the folder."""
    for line, name in _imports(text):
        if name in PACKAGES:
            raise ValueError(
                f"your file imports {name} in line {line}, and what "
                "is exported has to run without it"
            )
    for node in ast.parse(text).body:
        if getattr(node, "name", "") == "main" or (
            isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
        ):
            raise ValueError(
                f"your file has a main program of its own in line "
                f"{node.lineno}; the export adds the book's: move yours to "
                "another file first"
            )


def _imports(text: str) -> Iterator[tuple[int, str]]:
    """The line and the first name of every import."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]


def _translate(own: ModuleType, taken: Trained) -> str:
    """What the exported script will say to the example."""
    import torch

    tokenizer = Tokenizer.load(taken.tokenizer)
    try:
        model = model_of(own.Transformer, taken.sizes)
        model.load_state_dict(taken.weights)
        source = torch.tensor([tokenizer.encode(EXAMPLE)])
        written = own.greedy_decode(model, source, taken.sizes.max_length)
        return tokenizer.decode(written[0].tolist())
    except Exception as error:
        raise ValueError(
            f"your file does not translate: {type(error).__name__}: {error}"
        ) from None


_SIZES = ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers")


def _main(sizes: Mapping[str, Any]) -> str:
    numbers = ", ".join(str(sizes[name]) for name in _SIZES)
    more = f"dropout={sizes['dropout']}, norm_first={sizes['norm_first']}"
    return _MAIN.replace("SIZES", f"{numbers}, {more}").replace(
        "LONGEST", str(sizes["max_length"])
    )


def _report(lent: list[str], wrong: Mapping[str, str]) -> None:
    """Say whose the parts are."""
    every = len(parts.PARTS)
    if not lent:
        print(f"All yours: {every} of {every} parts")
    elif len(lent) == every and not wrong:
        print(f"The book's version: all {every} parts")
    else:
        print(f"Yours: {every - len(lent)} of {every} parts")
        for name, message in wrong.items():
            print(f"The book's version: {name}. Yours: {message}")
        if missing := [name for name in lent if name not in wrong]:
            print(f"The book's version: {', '.join(missing)}")


def _data_file(taken: Trained, lent: list[str]) -> dict[str, bytes]:
    """The file that the book's page reads; a line says if there is none."""
    try:
        return {DATA: packed(taken, lent)}
    except ValueError as error:
        print(f"{DATA} is not written: {error}.")
        return {}


def _requirements(script: str) -> str:
    """The packages that the script imports, in the versions of today."""
    # Without NumPy all is the same, but torch warns when it is imported.
    names = {"numpy", *(name for _, name in _imports(script))}
    owners = importlib.metadata.packages_distributions()
    lines = []
    for name in sorted(names - set(sys.stdlib_module_names)):
        for owner in owners.get(name, [])[:1]:
            version = importlib.metadata.version(owner).split("+")[0]
            lines.append(f"{owner}=={version}\n")
    return "".join(lines)


def _readme(
    script: str, lent: list[str], translation: str, taken: Trained, more: str
) -> str:
    """What the folder is, and what in it is whose."""
    names = source_file.definitions(script)
    own = [name for name in names if name not in lent and name != "main"]
    rows = []
    for whose, what in (("mine", own), ("the book's, marked", lent)):
        if what:
            rows.append(f"| {whose} | {', '.join(f'`{n}`' for n in what)} |")
    return _README.format(
        lines=len(script.splitlines()),
        how="written along the book" if own else "those of the book",
        example=EXAMPLE,
        translation=translation,
        rows="\n".join(rows),
        owner="mine" if taken.own else "the book's",
        trained=taken.said,
        more=more,
    )


def _keep(path: Path, data: bytes) -> None:
    """Keep what a file says now, if it is about to say something else."""
    if not path.is_file() or path.read_bytes() == data:
        return
    number, kept = 1, path.with_stem(f"{path.stem}_before")
    while kept.exists():
        number += 1
        kept = path.with_stem(f"{path.stem}_before_{number}")
    atomic_write(kept, path.read_bytes())
    print(f"{path} said something else; that is in {kept.name} now")
