"""The numbers of the chapters, as _toc.yml lists them.

`CHAPTERS` are all of them. `COURSE` are those of the course: of its three
ways, its twelve weeks and its hours. What comes after is below `ENCORE`.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ENCORE = "Encore"  # the part of _toc.yml that the course goes without
TOC = Path(__file__).resolve().parents[2] / "_toc.yml"

__all__ = ["CHAPTERS", "COURSE", "ENCORE", "numbers"]


def numbers(text: str) -> tuple[list[int], list[int]]:
    """Return the numbers of all chapters, and those of the course.

    Args:
        text: of _toc.yml.
    """
    every, course = [], []
    for part in yaml.safe_load(text)["parts"]:
        files = " ".join(entry["file"] for entry in part["chapters"])
        found = [int(n) for n in re.findall(r"\bchapters/(\d+)_", files)]
        every += found
        course += found if part["caption"] != ENCORE else []
    return every, course


CHAPTERS, COURSE = numbers(TOC.read_text(encoding="utf-8"))
