"""Pack what students get: the book without what they are to find out.

    python book/_tools/student_edition.py [FILE] [--laboratories 0-6,9]
        [--url https://github.com/who/class --ref main]

The ZIP (_build/student.zip, if no file is named) holds lessons, the
laboratories that the teacher chooses (all; "none"; "0-6,9"), the library and
what they need, and the pages around them, so that `make book` in it builds
the book of the class. It has no solutions and no page for teachers; the checks
are sealed (transformer_course/checks/engine/sealed.py); and where a
notebook asks for a guess, the cells that answer it have no output. It names
the address of the class, or none, and never that of the whole book.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from notebook_file import dumped
from set_address import Address, address_of, set_address, tidy
from student_texts import (
    makefile,
    student_readme,
    without_rooms,
    without_teachers,
)

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT), *map(str, (ROOT / "book" / "_ext").iterdir())]

import guesses  # noqa: E402
from cards import QUESTION  # noqa: E402

from transformer_course.checks.engine.sealed import (  # noqa: E402
    SEALED,
    seal,
)

FOLDER = "transformer-step-by-step"  # in the ZIP
PACKED = (
    "chapters/*.ipynb",
    "transformer_lib/**/*.py",
    "transformer_lib/**/*.pyi",
    "transformer_lib/data/**/*",
    "toy_language/**/*.py",
    "toy_language/data/*",
    "transformer_course/**/*.py",
    "transformer_course/**/*.pyi",
    "transformer_course/checks/**/*.txt",
    "benchmarks/results/*",
    "book/*.md",
    "book/*.ipynb",
    "book/laboratory/*.ipynb",
    "book/*.bib",
    "book/*.toml",
    "book/_tools/install.py",
    "book/_tools/link_preview.py",
    "book/_tools/set_address.py",
    "book/_tools/setup_cell.py",
    "book/api/*.md",
    "book/_ext/*/*.py",
    "book/_ext/*/*.json",
    "book/_ext/*/*.txt",
    "book/_static/**/*",
    "book/_templates/**/*",
    "_config.yml",
    "_toc.yml",
    "LICENSE*",
    "Makefile",
    "pyproject.toml",
    "requirements.txt",
)
FOR_TEACHERS = re.compile(
    r"book/_static/\w+/README\.md|"
    r"book/(first_week|teaching|rubrics|known_mistakes|publish)\.md|"
    r"transformer_course/exams/numbers/"
)
SEALED_FOLDERS = re.compile(
    r"transformer_course/checks/(code|paper|parts)/(?!__init__)"
)
FOLDED = "hide-output"  # the tag of a cell whose output the pages fold
ASKS = rf"\*\*{QUESTION.pattern}"
FIGURE = 'class=\\"explorer'
LEADS_ON = r"(?s)\*?Figure \d+\.\d+|.*:$"  # a caption; words before a picture
SOLUTIONS = r"\[([^\]]*)\]\(\.\./(?:book/)?solutions/[^)]*\)"
ROOM = r"book/laboratory/(\d+)_\w+"


def emptied(text: str) -> str:
    """Take out of a notebook what a student is to find out.

    Args:
        text: of the notebook.

    Returns:
        The notebook without folded outputs, without those that answer a
        question, and without links to solutions.
    """
    notebook = json.loads(text)
    _keep_choices(notebook["cells"])
    for cell in guessed(notebook["cells"]):
        cell["outputs"], cell["execution_count"] = [], None
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            cell["source"] = re.sub(SOLUTIONS, r"\1", source)
    return dumped(notebook)


def _keep_choices(cells: list[dict[str, Any]]) -> None:
    """Write beside a question what one can choose, which a result may tell."""
    for guess in guesses.in_notebook(cells):
        if guess.kind in guesses.CHOSEN:
            said = {"kind": guess.kind, "groups": list(guess.groups)}
            cells[guess.question.cell]["metadata"]["guess"] = said


def guessed(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the cells whose output is to be found out.

    Those are the cells that the pages fold, and those below a question: the
    first with an output, however many cells only train before it, and what
    follows up to the text that says what came out. An interactive figure
    stays, since moving it is the answer.

    Args:
        cells: of a notebook.
    """
    asked = answered = False
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            if re.search(ASKS, source):
                asked, answered = True, False
            elif not re.match(LEADS_ON, source.rstrip()):
                asked = asked and not answered and source[:1] != "#"
        elif cell["cell_type"] == "code" and cell["outputs"]:
            folded = FOLDED in cell["metadata"].get("tags", [])
            moves = FIGURE in json.dumps(cell["outputs"])
            if folded or (asked and not moves):
                answered = asked
                yield cell
            elif moves:
                asked = asked and answered


def chosen(words: str, rooms: Collection[str]) -> set[str]:
    """Return the laboratories that a teacher names.

    Args:
        words: "all", "none", or numbers such as "0-6,9".
        rooms: the names of all, such as `02_title`.

    Raises:
        ValueError: there is no such laboratory.
    """
    if words in ("all", "none"):
        return set(rooms if words == "all" else ())
    numbers: set[int] = set()
    for part in words.split(","):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    unknown = numbers - {int(room[:2]) for room in rooms}
    if unknown:
        raise ValueError(f"there is no laboratory {sorted(unknown)[0]}")
    return {room for room in rooms if int(room[:2]) in numbers}


def files(
    root: Path = ROOT, laboratories: str = "all"
) -> Iterator[tuple[str, str | bytes]]:
    """Yield the name and the content of each file of the edition.

    Args:
        root: of the repository.
        laboratories: as for `chosen`.
    """
    rooms = {path.stem for path in root.glob("book/laboratory/*.ipynb")}
    absent = sorted(rooms - chosen(laboratories, rooms))
    yield "README.md", student_readme(root)
    for pattern in PACKED:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            room = re.match(ROOM, name)
            if not path.is_file() or FOR_TEACHERS.match(name):
                continue
            if room and path.stem in absent:
                continue
            if SEALED_FOLDERS.match(name):
                yield name + SEALED, seal(path.read_text(encoding="utf-8"))
            elif path.suffix in (".ipynb", ".md", ".yml"):
                text = path.read_text(encoding="utf-8")
                edit = emptied if path.suffix == ".ipynb" else without_teachers
                yield name, without_rooms(edit(text), name, absent)
            elif name == "Makefile":
                yield name, makefile(path.read_text(encoding="utf-8"))
            else:
                yield name, path.read_bytes()


def pack(
    target: Path,
    laboratories: str = "all",
    url: str = "",
    ref: str = "main",
) -> None:
    """Write the ZIP; two runs write the same bytes.

    Args:
        target: the file.
        laboratories: as for `chosen`.
        url: of the repository of the class; "" for none.
        ref: its branch.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name, content in files(laboratories=laboratories):
            data = content if isinstance(content, bytes) else content.encode()
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(data)
        at = address_of(copy)
        set_address(Address(url, ref if url else at.ref), copy)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(copy.rglob("*")):
                if path.is_file():
                    name = path.relative_to(copy).as_posix()
                    info = zipfile.ZipInfo(f"{FOLDER}/{name}")
                    info.compress_type = zipfile.ZIP_DEFLATED
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, path.read_bytes())


def main() -> None:
    """Pack the edition and say where it is."""
    parser = argparse.ArgumentParser(description="Pack what students get.")
    default = ROOT / "_build" / "student.zip"
    parser.add_argument("file", nargs="?", type=Path, default=default)
    parser.add_argument("--laboratories", default="all")
    parser.add_argument("--url", default="none")
    parser.add_argument("--ref", default="main")
    options = parser.parse_args()
    try:
        url = tidy(options.url)
        pack(options.file, options.laboratories, url, options.ref)
    except ValueError as error:
        parser.error(str(error))
    print(f"The student edition is packed:  {options.file}")


if __name__ == "__main__":
    main()
