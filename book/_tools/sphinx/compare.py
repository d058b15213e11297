"""Compare two builds of the book: pages, anchors, what a search can find.

    python book/_tools/sphinx/compare.py _build/html _build/sphinx

The exit code is 1 where the second lacks a page or an anchor of the first.
"""

import json
import re
import sys
from pathlib import Path

INDEX = re.compile(r"setIndex\((.*)\)", re.S)


def anchors(folder: Path) -> dict[str, set[str]]:
    """Return what can be linked to, page by page."""
    return {
        path.relative_to(folder).as_posix(): set(
            re.findall(r'\bid="([^"]+)"', path.read_text(encoding="utf-8"))
        )
        for path in sorted(folder.rglob("*.html"))
    }


def searched(folder: Path) -> dict[str, dict]:
    """Return the search index."""
    text = (folder / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(INDEX.search(text)[1])


def lost(first: Path, second: Path) -> list[str]:
    """Return what the second build lacks, each as page#anchor."""
    others = anchors(second)
    return [
        f"{page}#{name}"
        for page, names in anchors(first).items()
        for name in sorted(names - others.get(page, set())) or [""]
        if page not in others or name
    ]


def main(first: str, second: str) -> int:
    """Print how the builds differ; return 1 if something is lost."""
    gone = lost(Path(first), Path(second))
    print(*gone, sep="\n")
    one, other = searched(Path(first)), searched(Path(second))
    for part in "docnames", "alltitles", "terms":
        known = sum(key in other[part] for key in one[part])
        print(f"{part}: {known} of {len(one[part])}")
    return 1 if gone else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
