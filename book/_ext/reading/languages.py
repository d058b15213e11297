"""Korean and Chinese text says so: `lang="ko"`, `lang="zh-Hant"`.

A page is English. A screen reader then needs to be told which voice reads what
follows, and a browser which shapes to draw: a Chinese character looks different
in a Korean font. It is said in the finished page, so that it holds for text,
tables, code, outputs and drawings alike.
"""

from __future__ import annotations

import re

# Text, or one tag with whatever its quoted attributes hold.
PIECE = re.compile(
    r"""<!--.*?-->|<(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+|<""", re.S
)
FOREIGN = r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3\u3400-\u9fff"
# A run of foreign letters, with the blanks and marks between them.
RUN = re.compile(rf"[{FOREIGN}](?:[\s,.·~?!()\d]*[{FOREIGN}])*")
KOREAN = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
# What stands in these is no text of the page, or can hold no other tags.
OPAQUE = ("script", "style", "textarea", "title", "desc", "option")


def language(words: str) -> str:
    """Return "ko" or "zh-Hant" for a run of foreign letters."""
    return "ko" if KOREAN.search(words) else "zh-Hant"


def marked(html: str) -> str:
    """Return a page in which each foreign run is marked."""
    if not RUN.search(html):
        return html
    found: list[str] = []
    opaque, drawing, known = "", 0, False
    for piece in PIECE.findall(html):
        if not piece.startswith("<"):
            if not (opaque or known) and RUN.search(piece):
                piece = _said(piece, found if drawing else None)
            found.append(piece)
            continue
        name = re.match(r"</?\s*([\w-]*)", piece)[1].lower()
        closing = piece.startswith("</")
        known = not closing and bool(re.search(r'\slang="', piece))
        if opaque:
            opaque = "" if closing and name == opaque else opaque
        elif not closing and name in OPAQUE:
            opaque = name
        if name == "svg":
            drawing += -1 if closing else 1
        found.append(piece)
    return "".join(found)


def _said(text: str, before: list[str] | None) -> str:
    """Mark the runs of a text; in a drawing, the tag before it says it."""
    if before is None:
        return RUN.sub(
            lambda run: f'<span lang="{language(run[0])}">{run[0]}</span>', text
        )
    if before and re.match(r"<(text|tspan)\b", before[-1]):
        before[-1] = f'{before[-1][:-1]} lang="{language(text)}">'
    return text


def page_context(app, pagename, template, context, doctree) -> None:
    """Mark a page's body."""
    if "body" in context:
        context["body"] = marked(context["body"])


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("html-page-context", page_context, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
