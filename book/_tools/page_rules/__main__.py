"""Print what is wrong with some pages of the book, or with all of them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from page_rules import all_pages, complaints  # noqa: E402
from page_rules.pages import ROOT  # noqa: E402


def main(names: list[str]) -> int:
    """Print the complaints about pages.

    Args:
        names: of their files; none for all pages of the book.

    Returns:
        0, or 1 if there is a complaint.
    """
    paths = [Path(name).resolve() for name in names] or all_pages()
    found = 0
    for path in paths:
        for said in complaints(path):
            print(f"{path.relative_to(ROOT).as_posix()}: {said}")
            found = 1
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
