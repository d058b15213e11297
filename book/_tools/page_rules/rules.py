"""The list of rules, and the complaints of those that are for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from .pages import ROOT, Page, page_at

Rule = Callable[[Page], Iterator[str]]
RULES: dict[str, Rule] = {}
_FOR: dict[str, list[str]] = {}


class Complaint(Exception):
    """What a rule says that cannot go on."""


def rule(*kinds: str) -> Callable[[Rule], Rule]:
    """Register a rule under its name.

    Args:
        kinds: of pages (`Page.kind`), or the names of single files
            ("glossary.md"), that the rule is for.
    """

    def register(check: Rule) -> Rule:
        name = check.__name__
        if name in RULES:
            raise ValueError(f"two rules have the name {name}: rename one")
        RULES[name] = check
        for kind in kinds:
            _FOR.setdefault(kind, []).append(name)
        return check

    return register


def complaints(path: Path, root: Path = ROOT) -> list[str]:
    """Say all that is wrong with a page.

    Args:
        path: of the page.
        root: of the book that it is in.

    Returns:
        A sentence for each fault: where it is, what it is, and in brackets
        the name of the rule. A lesson answers for its chapter as well: for
        what its laboratory and its solutions must have in common with it.

    Raises:
        ValueError: it is no page of the book.
    """
    page = page_at(path, root)
    if not page.kind:
        raise ValueError(f"{path} is no page of the book; see `all_pages`")
    if page.error:
        return [page.error]
    names = [*_FOR.get(page.kind, []), *_FOR.get(page.path.name, [])]
    return [
        f"{said} [{name}]" for name in names for said in _said_by(name, page)
    ]


def _said_by(name: str, page: Page) -> Iterator[str]:
    try:
        yield from RULES[name](page)
    except Complaint as complaint:
        yield str(complaint)
    except SyntaxError as error:
        yield f"a code cell is no Python, {error.msg}: {error.text}"
