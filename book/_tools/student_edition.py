"""Pack what students get: the book without what they are to find out.

    python book/_tools/student_edition.py [FILE]

The ZIP (_build/student.zip, if no file is named) holds lessons, laboratories,
the library and what they need, and the pages around them, so that `make book`
in it builds the book of the class. It has no solutions and no page for
teachers, and where a notebook asks for a guess before a cell is run, the cell
has no output.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "transformer-step-by-step"  # in the ZIP
PACKED = (
    "chapters/*.ipynb",
    "transformer_lib/**/*.py",
    "transformer_lib/**/*.pyi",
    "transformer_lib/data/**/*",
    "transformer_lib/toy/data/*",
    "transformer_lib/course/checks/**/*.txt",
    "benchmarks/results/*.json",
    "book/*.md",
    "book/*.ipynb",
    "book/laboratory/*.ipynb",
    "book/*.bib",
    "book/api/*.md",
    "book/_ext/*",
    "book/_static/**/*",
    "book/_templates/**/*",
    "_config.yml",
    "_toc.yml",
    "LICENSE*",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "requirements.txt",
)
FOR_TEACHERS = (
    "book/teaching.md",
    "book/rubrics.md",
    "book/known_mistakes.md",
)
FOLDED = "hide-output"  # the tag of a cell whose output the pages fold
ASKS = r"\*\*[^*\n]*\b(?:[Gg]uess|[Pp]redict|[Pp]rediction|Count|Before you)\b"
FIGURE = 'class=\\"explorer'
SOLUTIONS = r"\[([^\]]*)\]\(\.\./(?:book/)?solutions/[^)]*\)"
# What the pages say of solutions and of teachers' pages, and what instead.
SAID = (
    (r" +- file: book/solutions/.*\n +title: Solutions\n", ""),
    (r"  - caption: For teachers\n(?:    .*\n?)+", ""),
    (r"(?s)Full solutions, with the\s+reasons,.*?for ten minutes\.",
     "Your teacher has full solutions."),
    (r"\{doc\}`guide for teachers <teaching>`", "guide for teachers"),
    (r"\{doc\}`guide <teaching>`", "guide"),
    (r"\{doc\}`teaching`", "the guide for teachers"),
    (r"\[[^\]]*\]\(book/teaching\.md\)", "A guide for teachers"),
)  # fmt: skip


def emptied(text: str) -> str:
    """Take out of a notebook what a student is to find out.

    Args:
        text: of the notebook.

    Returns:
        The notebook without folded outputs and without links to solutions.
    """
    notebook = json.loads(text)
    above = ""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = re.sub(SOLUTIONS, r"\1", source)
        elif is_guessed(cell, above):
            cell["outputs"], cell["execution_count"] = [], None
        above = source
    return (
        json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
        + "\n"
    )


def is_guessed(cell: dict[str, Any], above: str) -> bool:
    """Tell whether the output of a cell answers a question.

    Args:
        cell: with code.
        above: the text above it.

    Returns:
        True if the pages fold the output, or the text asks for a guess; an
        interactive figure stays, since moving it is the answer.
    """
    if FOLDED in cell["metadata"].get("tags", []):
        return True
    return bool(re.search(ASKS, above)) and FIGURE not in json.dumps(
        cell["outputs"]
    )


def without_teachers(text: str) -> str:
    """Take the solutions and the teachers' pages out of a page or the list.

    Args:
        text: of a Markdown page, or of the table of contents.

    Returns:
        The text with nothing that leads to them.
    """
    for pattern, instead in SAID:
        text = re.sub(pattern, instead, text)
    return text


def files(root: Path = ROOT) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file of the edition.

    Args:
        root: of the repository.
    """
    for pattern in PACKED:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            if not path.is_file() or name in FOR_TEACHERS:
                continue
            data = path.read_bytes()
            if path.suffix == ".ipynb":
                data = emptied(data.decode("utf-8")).encode("utf-8")
            elif path.suffix in (".md", ".yml"):
                data = without_teachers(data.decode("utf-8")).encode("utf-8")
            yield name, data


def pack(target: Path) -> None:
    """Write the ZIP; two runs write the same bytes.

    Args:
        target: the file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files():
            info = zipfile.ZipInfo(f"{FOLDER}/{name}")
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def main(arguments: list[str]) -> None:
    """Pack the edition and say where it is."""
    name = arguments[0] if arguments else ROOT / "_build" / "student.zip"
    pack(Path(name))
    print(f"The student edition is packed:  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
