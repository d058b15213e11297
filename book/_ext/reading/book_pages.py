"""The book's own Sphinx glue: what the page loads, and words for its pictures.

- Nothing is fetched from another host: Thebe's scripts are dropped, and
  MathJax is copied into the book (mathjax_files.py).
- A picture made by a code cell gets its alternative text from the <title> of
  the SVG; a picture without words is a warning, and `make book` turns every
  warning into a failure.
- Each page has a description for link previews, and where the book has an
  address, a picture (book/_tools/link_preview.py draws it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from mathjax_files import copy_files
from sphinx.util import logging

THE_QUESTION, IN_SHORT = "The question. ", "In short. "
LOGGER = logging.getLogger(__name__)

PREVIEW_WORDS = "The Transformer, drawn; its self-attention is lit"

THEBE_EVENTS = ("builder-inited", "env-before-read-docs", "doctree-resolved")


def drop_thebe(app, config) -> None:
    """Disconnect Thebe, which would load a kernel from another host."""
    for event in THEBE_EVENTS:
        listeners = app.events.listeners.get(event, [])
        listeners[:] = [
            listener
            for listener in listeners
            if listener.handler.__module__ != "sphinx_thebe"
        ]
    app.registry.css_files[:] = [
        entry for entry in app.registry.css_files if "thebe" not in entry[0]
    ]


def copy_mathjax(app, error) -> None:
    """Put the needed part of MathJax into the finished book."""
    if error is not None or app.builder.format != "html":
        return
    try:
        copy_files(Path(app.outdir) / "_static" / "mathjax")
    except (OSError, ValueError) as reason:
        LOGGER.warning("no formulas: %s", reason)


def title_of_svg(path: Path) -> str:
    """Return the <title> of an SVG file, or "" where it has none."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return ""
    title = root.find("{http://www.w3.org/2000/svg}title")
    return "" if title is None else " ".join("".join(title.itertext()).split())


def wordless_pictures(html: str) -> list[str]:
    """Return the start of each picture in raw HTML that has no words.

    An <img> needs a non-empty alt (alt="" with role="presentation" is for
    ornaments). An <svg> needs a <title>, an aria-label or aria-hidden, or it
    stands inside an element with role="img" and an aria-label.
    """
    missing = []
    for tag in re.findall(r"<img\b[^>]*>", html, flags=re.I):
        if not re.search(r"""\balt=["'][^"']""", tag) and (
            "presentation" not in tag
        ):
            missing.append(tag[:60])
    if re.search(r"""role=["']img["'][^>]*aria-label=["'][^"']""", html):
        return missing
    for match in re.finditer(r"<svg\b[^>]*>(.*?)</svg>", html, re.I | re.S):
        tag = match.group(0)[: match.start(1) - match.start(0)]
        labeled = re.search(r"""aria-(label|labelledby)=["'][^"']""", tag)
        hidden = re.search(r"""aria-hidden=["']true""", tag)
        titled = re.search(r"<title[^>]*>\s*[^<\s]", match.group(1))
        if not (labeled or hidden or titled):
            missing.append(tag[:60])
    return missing


def add_words(app, doctree) -> None:
    """Give each picture its alternative text; warn where there is none."""
    for image in doctree.findall(nodes.image):
        if not image.get("alt") and image["uri"].endswith(".svg"):
            image["alt"] = title_of_svg(Path(app.srcdir) / image["uri"])
        if not image.get("alt"):
            LOGGER.warning(
                "picture without alternative text: give it one with "
                "plots.picture(..., alt='...') or ![words](file)",
                location=image,
            )
    for raw in doctree.findall(nodes.raw):
        if raw.get("format") != "html":
            continue
        for tag in wordless_pictures(raw.astext()):
            LOGGER.warning(
                "picture without alternative text: %s", tag, location=raw
            )


def shortened(text: str) -> str:
    """Return a text with at most 200 characters, cut between words."""
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:196].rsplit(" ", 1)[0] + " ..."


def plain_words(doctree, opening: str) -> Iterator[str]:
    """Yield quotations that open so, or paragraphs, without formulas."""
    kind = nodes.block_quote if opening else nodes.paragraph
    for node in doctree.findall(kind):
        text = " ".join(node.astext().split())
        if not text.startswith(opening) or list(node.findall(nodes.math)):
            continue
        if opening or len(text) > 60:
            yield text.removeprefix(opening)


def description_of(app, pagename: str, doctree) -> str:
    """Return the page's description.

    It is what the page declares, a lesson's question and its answer, or the
    first words.
    """
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            return meta["content"]
    told = ""
    for opening in (THE_QUESTION, IN_SHORT, ""):
        for words in plain_words(doctree, opening):
            told = f"{told} {words}".strip()
            if len(told) > 60:
                return shortened(told)
    return told or str(app.config.html_title)


def page_context(app, pagename, template, context, doctree) -> None:
    """Add link-preview tags to the page's head."""
    if doctree is None:
        return
    metas = doctree.findall(nodes.meta)
    described = any(meta.get("name") == "description" for meta in metas)
    words = description_of(app, pagename, doctree)
    title = re.sub(r"<[^>]+>", "", context.get("title", ""))
    tags = [
        f'<meta property="og:title" content="{escape(title, quote=True)}"/>',
        '<meta property="og:type" content="article"/>',
        f'<meta property="og:site_name" '
        f'content="{escape(str(app.config.html_title), quote=True)}"/>',
        f'<meta property="og:description" '
        f'content="{escape(words, quote=True)}"/>',
    ]
    if app.config.html_baseurl:
        tags += [
            f'<meta property="og:image" content="'
            f'{escape(app.config.html_baseurl)}_static/preview.png"/>',
            f'<meta property="og:image:alt" content="{PREVIEW_WORDS}"/>',
            '<meta name="twitter:card" content="summary_large_image"/>',
        ]
    if not described:
        tags.append(
            f'<meta name="description" content="{escape(words, quote=True)}"/>'
        )
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def drop_mathjax(app, pagename, template, context, doctree) -> None:
    """Load MathJax, 1.2 MB, where there is a formula.

    Sphinx loads it on the cover, too, because pages below it have formulas.
    """
    shown = doctree is not None and any(
        isinstance(node, nodes.math | nodes.math_block)
        for node in doctree.findall()
    )
    if not shown and "script_files" in context:
        context["script_files"][:] = [
            script
            for script in context["script_files"]
            if "mathjax" not in str(getattr(script, "filename", script))
        ]


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("config-inited", drop_thebe)
    app.connect("doctree-read", add_words)
    app.connect("html-page-context", page_context)
    app.connect("html-page-context", drop_mathjax, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
