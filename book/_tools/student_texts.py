"""The texts of the edition for students: what they no longer say.

`student_edition.py` packs it. No page leads to solutions, to pages for
teachers or to laboratories that are left out; make does what can be done with
the files that are there; the README is one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from set_address import address_of, exchange, readme

README = Path(__file__).with_name("student_readme.md")
# What make does in the edition.
RULES = (
    "help install html book serve lab train address clean "
    "$(BIN)/python $(STAMP)"
).split()
UNUSED = (
    r"SHOTS|ALL|SMOKE|VERSION|LABORATORIES|COLAB\w*|TORCH|BROWSER_STAMP|"
    "STUDENT|NOTEBOOKS|XDIST"
)
TESTED = r"# Two processes, .*\n|# -+ the proofs\n\n"
# What the pages say of solutions and of teachers' pages, and what instead.
SAID = (
    (r" +- file: book/solutions/.*\n +title: Solutions\n", ""),
    (r"  - caption: For teachers\n(?:    .*\n?)+", ""),
    (r"(?s)Full solutions, with the\s+reasons,.*?minutes\s+first\.",
     "Your teacher has full solutions."),
    (r"(?s)\n\n(?:\*\*You teach\?\*\*|You teach: ).*?(?=\n\n|\n:::|\Z)", ""),
    (r"\nTo run the unit tests: .*\n", ""),
    (r"\{doc\}`guide for teachers <teaching>`", "guide for teachers"),
    (r"\{doc\}`guide <teaching>`", "guide"),
    (r"\{doc\}`teaching`", "the guide for teachers"),
    (r"\[[^\]]*\]\(book/teaching\.md\)", "A guide for teachers"),
)  # fmt: skip


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


def without_rooms(text: str, name: str, absent: Collection[str]) -> str:
    """Take links to laboratories that are not packed out of a text.

    Args:
        text: of a notebook, a page or the table of contents.
        name: of the file.
        absent: the names of their notebooks, such as `02_title`.
    """
    for room in absent:
        if name == "_toc.yml":
            entry = rf" +- file: book/laboratory/{room}\n +title: .*\n"
            text = re.sub(entry, "", text)
        else:
            is_beside = name.startswith("book/laboratory/")
            home = r"(?:\./)?" if is_beside else r"[^)\s]*laboratory/"
            link = rf"\[([^\]]*)\]\({home}{room}\.ipynb[^)]*\)"
            text = re.sub(link, r"\1", text)
            named = rf"(?m)^\[([^\]]*)\]: \S*laboratory/{room}\.ipynb.*\n"
            for label in re.findall(named, text):
                text = re.sub(rf"\[{re.escape(label)}\](?!:)", label, text)
            text = re.sub(named, "", text)
    return re.sub(r"(?m)^( +)sections:\n(?!\1 )", "", text)


def makefile(text: str) -> str:
    """Keep what make can do in the edition.

    Args:
        text: of the book's Makefile.
    """
    _, *blocks = text.split("\n\n")  # the first says what else there is
    kept = ["# make lists what it can do"]
    for block in blocks:
        rule = re.search(r"(?m)^([\w$()/-]+):(?!=)(?: |$)", block)
        if rule is None or rule[1] in RULES:
            kept.append(block)
    text = "\n\n".join(kept)
    phony = f".PHONY: {' '.join(RULES[:-2])}\n"
    text = re.sub(r"\.PHONY: (?:.*\\\n)*.*\n", phony, text)
    text = re.sub(rf"(?m)^(?:{UNUSED}) \S?=(?:.*\\\n)*.*\n", "", text)
    unknown = r'\t@echo "make (?!(?:{})\b).*\n'.format("|".join(RULES[:-2]))
    sphinx = r'\t@echo "make book ENGINE=.*\n'
    return re.sub(rf"{unknown}|{sphinx}|{TESTED}", "", text).rstrip() + "\n"


def student_readme(root: Path) -> str:
    """Return what the edition's README says, with the address that holds."""
    text = README.read_text(encoding="utf-8")
    at = address_of(root)
    return exchange(text, readme(replace(at, url="")), readme(at), "README.md")
