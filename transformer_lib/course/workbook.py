"""The file of the reader's own Transformer, `my_transformer.py`.

    from transformer_lib.course import checks, workbook

    checks.build(MultiHeadAttention)      # is it right?
    workbook.save(MultiHeadAttention)     # then it goes into the file
    workbook.progress()                   # what is there, what is missing

The file is ordinary PyTorch and imports nothing of this package. It lies in
the current folder, or where TRANSFORMER_WORKBOOK says; in Colab, in your
Drive if that is mounted.
"""

from __future__ import annotations

import html
import importlib.util
import inspect
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer_lib.course.checks import parts
from transformer_lib.course.checks.engine.source import source_of
from transformer_lib.course.checks.parts import source_file
from transformer_lib.files import atomic_write

if TYPE_CHECKING:
    from torch import Tensor, nn

__all__ = [
    "Progress",
    "Row",
    "file",
    "init",
    "load",
    "load_trained",
    "load_weights",
    "progress",
    "save",
    "take",
    "use",
]

HEADER = '''"""My own Transformer, part by part."""

import math

import torch
from torch import nn
from torch.nn import functional as F

PAD, BOS, EOS = 0, 1, 2
'''
_DRIVE = Path("/content/drive/MyDrive")  # where Colab mounts it


def file() -> Path:
    """Find the reader's file.

    Returns:
        Where it is, or will be.
    """
    named = os.environ.get("TRANSFORMER_WORKBOOK")
    if named:
        return Path(named)
    return (_DRIVE if _DRIVE.is_dir() else Path()) / "my_transformer.py"


def init() -> None:
    """Write the file with its imports and nothing else, if there is none."""
    if not file().exists():
        atomic_write(file(), HEADER.encode())


def save(thing: Any, *helpers: Any) -> None:
    """Write a part that `checks.build` called right into the file.

    An earlier version of the part is replaced, and the file as it was is
    kept beside it, as my_transformer_before.py. Nothing else is touched.

    Args:
        thing: the class or function.
        helpers: functions and classes of yours that it calls.

    Raises:
        OSError: the file cannot be written.
        ValueError: the file is no Python any more.
    """
    name = getattr(thing, "__name__", type(thing).__name__)
    source = parts.was_right(thing)
    if source == "":
        print(
            f"Not saved: nobody kept the text of {name}. Write it in a cell "
            "or in a file, and check it again."
        )
        return
    if source is None:
        print(
            f"Not saved: this {name} has not been called right. Run "
            f"checks.build({name}), and then this line."
        )
        return
    text = _read()
    for helper in helpers:
        text = _with(text, helper.__name__, source_of(helper), [name])
    _write(_with(text, name, source))
    _report(name)


def take(name: str) -> None:
    """Write the book's version of a part into the file, marked as such.

    Args:
        name: of the part, such as "MultiHeadAttention".

    Raises:
        LookupError: there is no such part.
        OSError: the file cannot be written.
        ValueError: the file is no Python any more.
    """
    name = _full_name(name)
    _write(_with(_read(), name, source_file.MARK + _source(name)))
    _report(name)


def use(*names: str) -> Any:
    """Return parts from the reader's file, or else the book's version.

    Parts that are asked for together have to do what the latest chapter
    among theirs expects: beside a mask, an attention has to obey it.

    Args:
        names: of the parts.

    Returns:
        The parts in this order; a single one as it is.

    Raises:
        LookupError: there is no such part.
    """
    own = _module_or_none()
    names = tuple(map(_full_name, names))
    latest = max(parts.PARTS[name][1] for name in names)
    found, missing = [], []
    for name in names:
        thing = getattr(own, name, None)
        if getattr(thing, "__module__", "") != "my_transformer":
            thing = None
            missing.append(name)
        elif not (verdict := parts.build(thing, latest)).ok:
            print(f"The book's version: {name}. Yours: {verdict.message}")
            thing = None
        found.append(thing or getattr(parts.part(name), name))
    if missing:
        print(f"The book's version: {', '.join(missing)}")
    return found[0] if len(found) == 1 else tuple(found)


def load() -> ModuleType:
    """Run the reader's file.

    Returns:
        The module. Parts that the file lacks are the book's.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it does not run; the message says why.
    """
    path = file()
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: no such file yet; workbook.save writes it"
        )
    spec = importlib.util.spec_from_file_location("my_transformer", path)
    module = importlib.util.module_from_spec(spec)
    for name in parts.PARTS:
        setattr(module, name, getattr(parts.part(name), name))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(
            f"{path} does not run: {type(error).__name__}: {error}"
        ) from None
    sys.modules["my_transformer"] = module
    return module


class Row(NamedTuple):
    """One part of the file.

    Attributes:
        number: of the part, 1 to 10.
        chapter: where it is written.
        name: of the class or function.
        status: "right", "wrong", "missing", or "the book's".
        message: what is wrong.
    """

    number: int
    chapter: int
    name: str
    status: str
    message: str


@dataclass(frozen=True, repr=False)
class Progress:
    """The parts of the reader's file.

    Args:
        rows: one for each part.
    """

    rows: tuple[Row, ...]

    @property
    def complete(self) -> bool:
        """True if no part is missing or wrong."""
        return all(row.status in ("right", "the book's") for row in self.rows)

    def __repr__(self) -> str:
        lines = ["part  chapter  status      name"]
        for row in self.rows:
            head = f"{row.number:>4}  {row.chapter:>7}  {row.status:<10}"
            lines.append(f"{head}  {row.name}")
            if row.message:
                lines.append(f"{'':27}{row.message}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row)
            + "</tr>"
            for row in self.rows
        )
        head = "".join(
            f"<th>{name}</th>"
            for name in ("part", "chapter", "name", "status", "")
        )
        return f"<table><tr>{head}</tr>{cells}</table>"


def progress() -> Progress:
    """Look the reader's file through.

    Returns:
        What it has: each part right, wrong or missing.

    Raises:
        ValueError: the file does not run.
    """
    text = _read() if file().exists() else HEADER
    own = load() if file().exists() else None
    found = source_file.definitions(text)
    now = parts.MASKS if "padding_mask" in found else 0
    rows = []
    for name, (number, chapter) in parts.PARTS.items():
        status, message = "missing", ""
        if name in found:
            verdict = parts.build(getattr(own, name), now)
            status = "right" if verdict.ok else "wrong"
            message = "" if verdict.ok else verdict.message
        if status == "right" and source_file.is_marked(text, name):
            status = "the book's"
        rows.append(Row(number, chapter, name, status, message))
    return Progress(tuple(rows))


def load_trained(own: ModuleType | None = None) -> Any:
    """Build the reader's Transformer with the trained weights of the book.

    Args:
        own: the reader's file as a module. If None, its class is
            `use("Transformer")`: the reader's, or else the book's version,
            and then a line says so.

    Returns:
        The model, in eval() mode. Its vocabulary is that of
        `Translator.shipped().tokenizer`.

    Raises:
        RuntimeError: names or shapes of weights do not fit.
    """
    from transformer_lib import checkpoint
    from transformer_lib.translator import SHIPPED

    transformer = use("Transformer") if own is None else own.Transformer
    tensors, info = checkpoint.load(SHIPPED, "model")
    sizes = info["model"]
    model = transformer(
        sizes["vocab_size"],
        sizes["d_model"],
        sizes["n_heads"],
        sizes["d_ff"],
        sizes["n_layers"],
        dropout=sizes["dropout"],
        norm_first=sizes["norm_first"],
    )
    weights = {
        name.removeprefix("model."): value
        for name, value in tensors.items()
        if name.startswith("model.")
    }
    load_weights(model, weights)
    return model.eval()


def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights of the library's Transformer into the reader's.

    Args:
        model: a Transformer of the reader's class, of the same sizes.
        weights: the state_dict of a Transformer of the library, with tied
            embeddings.

    Raises:
        RuntimeError: names or shapes of weights do not fit.
    """
    model.load_state_dict(
        {
            _own_name(name): value
            for name, value in weights.items()
            if not name.startswith(_TWICE)
        }
    )


_TWICE = ("target_embedding", "output_embedding")


def _own_name(name: str) -> str:
    """The name of a weight of the library in the reader's model."""
    for theirs, own in (
        ("source_embedding.", "embedding."),
        (".layers.", "."),
        ("encoder.norm.", "encoder_norm."),
        ("decoder.norm.", "decoder_norm."),
    ):
        name = name.replace(theirs, own)
    return name


def _full_name(name: str) -> str:
    """The name of a part, however it is written."""
    plain = name.replace("_", "").lower()
    for known in parts.PARTS:
        if plain == known.replace("_", "").lower():
            return known
    parts.part(name)  # raises what is to be said
    raise AssertionError


def _source(name: str) -> str:
    return inspect.getsource(getattr(parts.part(name), name))


def _read() -> str:
    path = file()
    text = path.read_text(encoding="utf-8") if path.exists() else HEADER
    try:
        source_file.definitions(text)
    except SyntaxError as error:
        raise ValueError(
            f"{path}, line {error.lineno}: this is no Python ({error.msg}); "
            "mend it, or start anew with another file"
        ) from None
    return text


def _with(text: str, name: str, source: str, later: list[str] | None = None):
    known = list(parts.PARTS)
    if name in known:
        later = known[known.index(name) + 1 :]
    return source_file.put(text, name, source, later or [])


def _write(text: str) -> None:
    path = file()
    if path.exists() and path.read_text(encoding="utf-8") != text:
        before = path.with_name(f"{path.stem}_before.py")
        atomic_write(before, path.read_bytes())
    atomic_write(path, text.encode())


def _report(name: str) -> None:
    """Say where the part is, and what it still needs."""
    print(f"{name} is in {file()}.")
    names = source_file.lacking(_read(), name)
    if names:
        print(
            f"It uses {', '.join(names)}, which the file does not have: give "
            f"your own as well, workbook.save({name}, {', '.join(names)})."
            if not set(names) & set(parts.PARTS)
            else f"It uses {', '.join(names)}, which the file does not have "
            "yet."
        )


def _module_or_none() -> ModuleType | None:
    """The reader's file, if there is one that runs; else a line says why."""
    try:
        return load() if file().exists() else None
    except ValueError as error:
        print(f"{error}. Until you mend it:")
        return None
