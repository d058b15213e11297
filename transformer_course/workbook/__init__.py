"""The file of the reader's own Transformer, `my_transformer.py`.

    from transformer_course import checks, workbook

    checks.build(MultiHeadAttention)      # is it right?
    workbook.save(MultiHeadAttention)     # then it goes into the file
    workbook.progress()                   # what is there, what is missing
    workbook.picture(7)                   # the same, drawn, in chapter 7

The file is ordinary PyTorch and imports nothing of this package. It lies in
the current folder, or where TRANSFORMER_WORKBOOK says; in Colab, in your
Drive if that is mounted. What a change would lose is kept beside it, as
my_transformer_before_1.py, my_transformer_before_2.py, and so on: the newest
twenty, and the longest.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from transformer_course import PACKAGES
from transformer_course.checks import parts
from transformer_course.checks.parts import source_file
from transformer_course.workbook import on_disk
from transformer_course.workbook.complete import own_names
from transformer_course.workbook.kept import Trained, keep, trained
from transformer_course.workbook.learner import ASKED, Learner, model_of
from transformer_course.workbook.names import (
    Along,
    Refused,
    given_along,
    namespace,
    refuse_strangers,
)
from transformer_course.workbook.on_disk import (
    HEADER,
    BrokenFile,
    file,
    load,
)
from transformer_course.workbook.owners import said, whose
from transformer_course.workbook.picture import picture
from transformer_course.workbook.published import load_published
from transformer_course.workbook.verdicts import (
    Progress,
    Row,
    look_again,
    progress,
)

if TYPE_CHECKING:
    from torch import Tensor, nn

__all__ = [
    "ASKED",
    "HEADER",
    "BrokenFile",
    "Learner",
    "Progress",
    "Row",
    "export",
    "file",
    "init",
    "keep",
    "load",
    "load_published",
    "load_trained",
    "load_weights",
    "picture",
    "progress",
    "save",
    "take",
    "tidy",
    "use",
    "whose",
]


def init() -> None:
    """Write the file with its imports and nothing else, if there is none."""
    if not file().exists():
        _write(HEADER)


def save(thing: Any, *helpers: Any) -> None:
    """Write a part that `checks.build` called right into the file.

    Before that, the part is judged again as it will stand there. It is not
    written if the file lacks a name that it uses, and never in place of a
    version that obeys a mask if this one does not. A line says so, and the
    file stays as it was. Parts that come in later chapters may be lacking.

    Args:
        thing: the class or function.
        helpers: functions, classes and plain constants of yours that it
            uses.

    Raises:
        OSError: the file cannot be written.
        ValueError: the file is no Python any more, or does not run.
    """
    name = getattr(thing, "__name__", type(thing).__name__)
    if strange := _no_part_itself(thing, name):
        print(f"Not saved: {strange}")
        return
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
            f"{_check_of(name)}, and then this line.{_kept(name)}"
        )
        return
    around = namespace(thing)
    try:
        along = given_along(name, source, around, helpers)
        while True:
            old = on_disk.read()
            new = _with_all(old, name, source, along)
            refuse_strangers(new, name, along, around)
            note = look_again(old, new, name, along)
            if on_disk.read() == old:  # nobody wrote in the meantime
                break
    except Refused as reason:
        print(f"Not saved: {reason}")
        return
    _write(new)
    _report(name, old)
    if note:
        print(note)


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
    old = on_disk.read()
    source = inspect.getsource(getattr(parts.part(name), name))
    _write(_with(old, name, source_file.MARK + source))
    _report(name, old)


def tidy(*names: str) -> None:
    """Remove functions and classes that no part uses any more.

    Args:
        names: of what shall go. Without any, a line says what could.

    Raises:
        LookupError: one of them is not in the file, or is needed.
        OSError: the file cannot be written.
        ValueError: the file is no Python any more.
    """
    text = on_disk.read()
    spare = source_file.unused(text, parts.PARTS)
    for name in names:
        if name not in source_file.definitions(text):
            raise LookupError(f"{file()} has no function or class {name}")
        if name not in spare:
            raise LookupError(f"{name} is needed in {file()}; it stays")
    if names:
        _write(source_file.without(text, set(names)))
        print(f"{', '.join(names)} is no longer in {file()}.")
    elif spare:
        print(f"Nothing in {file()} uses {', '.join(spare)}.")
    else:
        print(f"All functions and classes of {file()} are used.")


def use(*names: str) -> Any:
    """Return parts from the reader's file, or else the book's version.

    Parts that are asked for together have to do what the latest chapter
    among theirs expects: beside a mask, an attention has to obey it. A line
    says which are the book's, or that all are the reader's.

    Args:
        names: of the parts.

    Returns:
        The parts in this order; a single one as it is.

    Raises:
        LookupError: there is no such part.
    """
    own = _module_or_none()
    if not file().exists() and (others := on_disk.others()):
        print(f"{on_disk.none()} {others}")
    text = on_disk.read() if own else HEADER
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
    for line in said(text, found, missing):
        print(line)
    return found[0] if len(found) == 1 else tuple(found)


def export(folder: str | Path | None = None, weights: str = "yours") -> Path:
    """Write a folder in which your Transformer translates on its own.

    It holds your file as a script, with the lines that a translator needs at
    its end, trained weights with their tokenizer, and what a repository
    needs. The script runs without this library. A part that is missing or
    wrong is the book's there, and marked so; your own file stays as it is.
    If you have none, all parts are the book's.

    Args:
        folder: where. If None, my_transformer beside your file.
        weights: "yours", what `keep` wrote, where there is something, and
            else the book's; or "book".

    Returns:
        The script.

    Raises:
        OSError: a file cannot be written.
        ValueError: your file does not run, or not without this library, or
            lies in that folder; or `weights` is something else.
    """
    from transformer_course.workbook import standalone

    others = on_disk.others()
    if not file().exists() and (folder is None or others):
        print(f"{on_disk.none()} {others}".strip())
    folder = Path(folder or file().with_name("my_transformer"))
    if folder.resolve() / standalone.SCRIPT == file().resolve():
        raise ValueError(f"{folder} holds your own file; name another folder")
    taken = _trained(weights)
    print(f"Weights: {taken.said}")
    return standalone.write(on_disk.read(), folder, taken)


def load_trained(own: ModuleType | None = None, weights: str = "book") -> Any:
    """Build the reader's Transformer with trained weights.

    Args:
        own: the reader's file as a module. If None, its class is
            `use("Transformer")`: the reader's, or else the book's version,
            and then a line says so.
        weights: "book" for those of `Translator.shipped()`, or "yours" for
            what `keep` wrote, and else the book's.

    Returns:
        The model, in eval() mode, with the vocabulary of those weights.

    Raises:
        RuntimeError: names or shapes of weights do not fit.
        ValueError: `weights` is something else.
    """
    transformer = use("Transformer") if own is None else own.Transformer
    taken = _trained(weights)
    if weights != "book":
        print(f"Weights: {taken.said}")
    model = model_of(transformer, taken.sizes)
    model.load_state_dict(taken.weights)
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
    model.load_state_dict(own_names(weights))


def _trained(weights: str) -> Trained:
    """The weights that `keep` wrote, or the book's."""
    from transformer_lib.translator import SHIPPED, Translator

    if weights not in ("yours", "book"):
        raise ValueError(f"weights={weights!r}; choose 'yours' or 'book'")
    if weights == "yours" and (kept := trained()):
        return kept
    model = Translator.shipped().model
    return Trained(
        own_names(model.state_dict()),
        model.config,
        SHIPPED / "tokenizer.json",
        "what the book's Transformer learned in 8,000 updates",
        own=False,
    )


def _full_name(name: str) -> str:
    """The name of a part, however it is written."""
    plain = name.replace("_", "").lower()
    for known in parts.PARTS:
        if plain == known.replace("_", "").lower():
            return known
    parts.part(name)  # raises what is to be said
    raise AssertionError


def _with(text: str, name: str, source: str) -> str:
    """The file with a part, at its place in the order of the book."""
    known = list(parts.PARTS)
    return source_file.put(text, name, source, known[known.index(name) + 1 :])


def _with_all(text: str, name: str, source: str, along: Along) -> str:
    """The file with a part and what goes along with it, above it."""
    text = _with(text, name, source)
    for constant, value in along.constants.items():
        text = source_file.put_constant(text, constant, value)
    for helper, lines in along.sources.items():
        text = source_file.put(text, helper, lines, [name])
    return text


def _write(text: str) -> None:
    """Write the file; say if it is a new one, and where the old one is."""
    began = not file().exists()
    kept = on_disk.write(text)
    if began:
        print(f"Began a new file, {file()}.")
        if others := on_disk.others():
            print(others)
    if kept:
        print(f"The file as it was: {kept.name}")
    if on_disk.is_lost_with_the_session():
        print(
            "The file is gone when this Colab session ends. Mount your Drive "
            "and save again, or download it: the folder symbol on the left."
        )


def _no_part_itself(thing: Any, name: str) -> str:
    """What to say of a thing that stands for a part and is not it, or ""."""
    home = str(getattr(thing, "__module__", ""))
    if "." in home and home.split(".")[0] in PACKAGES:
        if isinstance(thing, type) or callable(thing):
            return (
                f"this {name} is the library's. Run the cell with yours "
                "again, and its check."
            )
        return "this is a verdict. Give the class or the function itself."
    if isinstance(thing, str):
        name = thing if thing in parts.PARTS else "NAME"
    elif isinstance(thing, type) or type(thing).__name__ not in parts.PARTS:
        return ""
    return (
        "give the class or the function itself, its name without quotation "
        f"marks and brackets: workbook.save({name})"
    )


def _check_of(name: str) -> str:
    """The call that checks a part, where the file already has masks."""
    later = name in parts.GETS_A_MASK and "padding_mask" in _there()
    return f"checks.build({name}{f', chapter={parts.MASKS}' * later})"


def _kept(name: str) -> str:
    """Say that the file keeps its version of a part, if it has one."""
    return " Your file keeps the one it has." if name in _there() else ""


def _there() -> dict[str, str]:
    """The functions and classes of the file; none if it cannot be read."""
    try:
        return source_file.definitions(on_disk.read())
    except (BrokenFile, OSError):
        return {}


def _report(name: str, old: str) -> None:
    """Say where a part is, what it still needs, and what nothing uses now."""
    print(f"{name} is in {file()}.")
    text = on_disk.read()
    names = source_file.lacking(text, name)
    if names:
        print(f"It uses {', '.join(names)}, which the file does not have yet.")
    before = source_file.unused(old, parts.PARTS)
    for spare in source_file.unused(text, parts.PARTS):
        if spare not in before:
            print(
                f"No part uses {spare} any more; "
                f'workbook.tidy("{spare}") removes it.'
            )


def _module_or_none() -> ModuleType | None:
    """The reader's file, if there is one that runs; else a line says why."""
    try:
        return load() if file().exists() else None
    except ValueError as error:
        print(f"{error} Until then:")
        return None


def __dir__() -> list[str]:
    return __all__
