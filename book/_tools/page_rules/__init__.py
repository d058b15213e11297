"""What holds for every page of the book: rules, and the complaints they make.

    python book/_tools/page_rules chapters/05_*.ipynb    what is wrong there
    python book/_tools/page_rules                        on all pages

A rule is a function that yields a sentence for each fault of a page; `@rule`
says for which kinds of pages it is. A new rule stands in the file of its idea,
and tests/book/test_page_rules.py has a page with a fault that it finds. What
the outputs *say* is nbval's task, and what holds for the book as a whole is in
tests/book.
"""

from __future__ import annotations

import sys

from .pages import ROOT

sys.path += [
    str(path)
    for path in (ROOT, ROOT / "book/_tools", *(ROOT / "book/_ext").iterdir())
    if str(path) not in sys.path
]

# Each file registers its rules.
from . import (  # noqa: F401
    cells,
    chapter,
    claims,
    devices,
    errors,
    figures,
    guide,
    links,
    outputs,
    own_file,
    taught,
    words,
)
from .pages import all_pages
from .rules import RULES, complaints

__all__ = ["RULES", "all_pages", "complaints"]
