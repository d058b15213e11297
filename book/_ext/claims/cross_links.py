"""Links for what the text names: "chapter 8", "Figure 2.1", "Exercise 4.3",
"(Vaswani et al. 2017, section 3.2)".

The chapters write these as plain words, which read alike everywhere. A figure
or an exercise that does not exist is a warning, and so is a paper that is not
in book/references.bib.
"""

from __future__ import annotations

import re
from itertools import pairwise

from docutils import nodes
from figures import anchor, caption_of
from papers import Papers
from sphinx.util import logging
from trees import inside

LOGGER = logging.getLogger(__name__)

CHAPTER = re.compile(
    r"\b[Cc]hapters? \d\d?\b(?:(?:, | and | or | to |, and )\d\d?\b)*"
)
PLACE = re.compile(
    r"\b(Figures?|Exercises?) (\d+)\.\d+(?:(?:, | and | or | to )\2\.\d+)*"
)
BOOKS = re.compile(r"(Leviticus|[a-z]\.? \(?\d{4}),? $")
SKIP = (
    nodes.reference,
    nodes.title,
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.raw,
    nodes.citation,
    nodes.caption,
    nodes.image,
)


def places(app, doctree) -> None:
    """Note where the chapters, figures and exercises of a page stand."""
    name = app.env.docname
    found = app.env.book_places = getattr(app.env, "book_places", {})
    room = re.match(r"(chapters|book/laboratory)/(\d+)_", name)
    if not room:
        return
    if room[1] == "chapters":
        found["chapter", str(int(room[2]))] = (name, "")
    for paragraph in doctree.findall(nodes.paragraph):
        match = caption_of(paragraph)
        if match:
            number = f"{match[1]}.{match[2]}"
            found["Figure", number] = (name, anchor(number))
    for section in doctree.findall(nodes.section):
        match = re.match(r"Exercise (\d+\.\d+)", section.children[0].astext())
        if match:
            found["Exercise", match[1]] = (name, section["ids"][0])


def forget(app, env, docname) -> None:
    """Drop the places of a page that is read anew or gone."""
    found = getattr(env, "book_places", {})
    for key in [key for key, place in found.items() if place[0] == docname]:
        del found[key]


def merge(app, env, docnames, other) -> None:
    """Take over the places that another process has found."""
    mine = env.book_places = getattr(env, "book_places", {})
    mine.update(getattr(other, "book_places", {}))


def link(app, docname: str, place: tuple[str, str], words: str):
    """Return a link to (page, anchor) with these words."""
    page, where = place
    uri = "" if page == docname else app.builder.get_relative_uri(docname, page)
    target = f"{uri}#{where}" if where else uri
    return nodes.reference(
        "", words, internal=True, refuri=target, classes=["xref"]
    )


def numbers(match: re.Match, kind: str) -> list[tuple[int, int, tuple]]:
    """Return (start, end, key) of each number of a match.

    The first takes the word before it into its link when it stands alone.
    """
    found = list(re.finditer(r"\d+(?:\.\d+)?", match[0]))
    spans = []
    for number in found:
        start = 0 if len(found) == 1 else number.start()
        spans.append(
            (
                match.start() + start,
                match.start() + number.end(),
                (kind, number[0]),
            )
        )
    return spans


def spans_of(text: str, papers: Papers) -> list[tuple[int, int, tuple]]:
    """Return all that a text names, in order and without overlap."""
    found = []
    for match in CHAPTER.finditer(text):
        if not BOOKS.search(text[: match.start()]):
            found += numbers(match, "chapter")
    for match in PLACE.finditer(text):
        kind = "Figure" if match[1].startswith("F") else "Exercise"
        found += numbers(match, kind)
    found += [(a, b, ("paper", key)) for a, b, key in papers.named_in(text)]
    found.sort()
    return [
        one
        for before, one in pairwise([(0, 0, None), *found])
        if one[0] >= before[1]
    ]


def own(docname: str, key: tuple[str, str]) -> bool:
    """Say whether a page names itself: chapter 8 in chapter 8."""
    number = re.match(r"(?:chapters|book/solutions)/(\d+)_", docname)
    return (
        key[0] == "chapter"
        and docname.startswith("chapters/")
        and bool(number)
        and int(number[1]) == int(key[1])
    )


def in_absent_room(env, key: tuple[str, str]) -> bool:
    """Say whether a figure or exercise may stand in a laboratory left out.

    The edition for a class has the laboratories that the teacher chooses.
    """
    kind, number = key
    if kind not in ("Figure", "Exercise"):
        return False
    room = f"book/laboratory/{int(number.partition('.')[0]):02}_"
    return not any(name.startswith(room) for name in env.found_docs)


def resolve(app, doctree, docname) -> None:
    """Turn the words of a page into links (called by Sphinx)."""
    if app.builder.format != "html":
        return
    papers = Papers.of(app)
    known = getattr(app.env, "book_places", {})
    for text in list(doctree.findall(nodes.Text)):
        words = text.astext()
        spans = spans_of(words, papers)
        if not spans or inside(text.parent, SKIP):
            continue
        pieces, place = [], 0
        for start, end, key in spans:
            target = (
                papers.place(key[1]) if key[0] == "paper" else known.get(key)
            )
            if target is None and not in_absent_room(app.env, key):
                LOGGER.warning("there is no %s %s", *key, location=text.parent)
            if target is None or own(docname, key):
                continue
            pieces.append(nodes.Text(words[place:start]))
            pieces.append(link(app, docname, target, words[start:end]))
            place = end
        if pieces:
            pieces.append(nodes.Text(words[place:]))
            text.parent.replace(text, pieces)
    for words, where in papers.unknown_in(doctree):
        LOGGER.warning("not in references.bib: %s", words, location=where)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("doctree-read", places)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", resolve, priority=900)
    return {
        "env_version": 1,  # raise it when what is kept of a page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
