"""Print what is wrong with some pages of the book, or with all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from page_rules import all_pages, complaints  # noqa: E402
from page_rules.pages import ROOT, page_at  # noqa: E402


def main(names: list[str]) -> int:
    """Print the complaints about pages.

    Args:
        names: of their files; none for all pages of the book. With a
            laboratory or solutions comes the lesson, which answers for its
            chapter.

    Returns:
        0, or 1 if there is a complaint.
    """
    paths = [Path(name).resolve() for name in names] or all_pages()
    found = 0
    for path in dict.fromkeys(with_lessons(paths)):
        for said in complaints(path):
            print(f"{path.relative_to(ROOT).as_posix()}: {said}")
            found = 1
    return found


def with_lessons(paths: list[Path]) -> Iterator[Path]:
    """Yield some pages, and the lesson of each laboratory and solutions."""
    for path in paths:
        yield path
        page = page_at(path)
        if page.kind in ("laboratory", "solutions"):
            lesson = page.of_chapter("lesson")
            yield lesson.path if lesson else path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
