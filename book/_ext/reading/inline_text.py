"""Markdown of one line, as it stands inside raw HTML, turned into HTML.

A `<summary>` is HTML to every Markdown program, so the formulas and backticks
of a quiz's answers would reach the page as they were typed.
"""

from __future__ import annotations

from functools import cache
from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin


def _formula(renderer, tokens, place, options, env) -> str:
    classes = "math notranslate nohighlight"
    return (
        f'<span class="{classes}">\\({escape(tokens[place].content)}\\)</span>'
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "typographer": True})
    parser.enable("smartquotes")
    parser.use(dollarmath_plugin)
    parser.add_render_rule("math_inline", _formula)
    return parser


def to_html(text: str) -> str:
    """Render emphasis, code, links and `$formulas$` of one line."""
    return _parser().renderInline(" ".join(text.split()))
