"""The live translator in a page: `{live-translator}`, or a link.

    ```{live-translator}
    :more: /chapters/15_toy_translator

    The cat did not cross the river because it was too deep.
    ```

is the small one, with buttons for the sentences that it names; `:more:` is
the page of the whole one. In a notebook, where a directive would show as raw
text, a paragraph that is nothing but a link with the text "The live
translator" becomes the whole one. Paper and readers without scripts get a
still picture. The scripts are in book/_static/live/; the weights are written
beside them when the book is built.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from html import escape
from pathlib import Path
from posixpath import dirname, relpath

from docutils import nodes
from docutils.parsers.rst import directives
from live_model import MEASURED, measured, model_data
from live_still import still
from live_texts import text_data
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import toy_language
import transformer_lib
from transformer_lib.translator import Translator

LOGGER = logging.getLogger(__name__)

LINK = "The live translator"
WAY = "book/whole_way"  # the page that follows a sentence through the model
LAST = 600  # of a script's priority: after what else a page brings along
SOURCES = (".py", ".tsv", ".json", ".safetensors")
WEIGHTS = "_static/live/shipped.js"
SCRIPTS = """attention layers model decoding weights tokenizer confidence texts
    translator elements state manners attention_view stage words entry verdict
    next thumbnail maps changes board face own_file own mount""".split()


class live_translator(nodes.General, nodes.Element):
    """The place of a translator: attributes size, samples, more."""


class LiveTranslator(SphinxDirective):
    """The directive; its lines are sentences to try."""

    has_content = True
    option_spec = {"more": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        samples = [line.strip() for line in self.content if line.strip()]
        node = live_translator(size="small", samples=samples)
        if "more" in self.options:
            target, _ = self.env.relfn2path(self.options["more"])
            node["more"] = target
        return [node]


def replace_links(app, doctree) -> None:
    """Put the whole translator where a paragraph is only the link to it."""
    for paragraph in list(doctree.findall(nodes.paragraph)):
        link = paragraph[0] if len(paragraph) == 1 else None
        if paragraph.astext() == LINK and not isinstance(link, nodes.Text):
            paragraph.replace_self(live_translator(size="whole", samples=[]))


def visit(self, node: live_translator) -> None:
    """Write the place as HTML, with the still picture inside."""
    translator = shipped()
    samples = node["samples"]
    for text in samples:
        for word in translator.unknown_words(text):
            LOGGER.warning("live translator: %r is unknown to it", word)
    docname = self.builder.current_docname
    more = ""
    if "more" in node:
        more = self.builder.get_relative_uri(docname, node["more"])
    way = ""
    if docname != WAY and WAY in self.builder.env.found_docs:
        way = self.builder.get_relative_uri(docname, WAY)
    attributes = {
        "class": f"live live-{node['size']}",
        "id": "live-translator",
        "lang": "en",
        "aria-label": LINK,
        "data-size": node["size"],
        "data-samples": json.dumps(samples),
        "data-more": more,
        "data-way": way,
        "data-weights": relpath(WEIGHTS, dirname(docname) or "."),
    }
    told = " ".join(f'{k}="{escape(v)}"' for k, v in attributes.items())
    text = samples[0] if samples else texts()["samples"][0][1]
    self.body.append(f"<section {told}>{still(translator, text)}</section>")
    raise nodes.SkipNode


def skip(self, node: live_translator) -> None:
    """Leave it out where there is no HTML."""
    raise nodes.SkipNode


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the pages that have a translator, and only there."""
    if doctree is None or not any(doctree.findall(live_translator)):
        return
    app.add_css_file("live/live.css")
    for name in SCRIPTS:
        app.add_js_file(
            f"live/{name}.js",
            loading_method="defer",
            priority=LAST if name == "mount" else 500,
        )


def write_weights(app, error) -> None:
    """Write the weights and the texts, unless they are there already."""
    if error is not None or app.builder.format != "html":
        return
    path = Path(app.outdir) / WEIGHTS
    first = f"// {ingredients()} {app.config.live_dtype}\n"
    if path.exists() and path.read_text(encoding="utf-8").startswith(first):
        return
    data = model_data(shipped(), app.config.live_dtype) | texts()
    data["measured"] = measured()
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{first}Live.receive({told});\n", encoding="utf-8")


def ingredients() -> str:
    """Return a checksum of all files that the weights and texts come from."""
    here = Path(__file__).parent.glob("live_*.py")
    homes = (
        Path(one.__file__).parent for one in (toy_language, transformer_lib)
    )
    found = (path for home in homes for path in home.rglob("*"))
    data = (path for path in found if path.suffix in SOURCES)
    digest = hashlib.sha256()
    for path in sorted([*here, *data, MEASURED]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def shipped() -> Translator:
    """Return the translator that the pages show."""
    return Translator.shipped()


@cache
def texts() -> dict:
    """Return the sentences and tables beside it."""
    return text_data(shipped())


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_config_value("live_dtype", "float16", "html")
    app.add_directive("live-translator", LiveTranslator)
    app.add_node(
        live_translator,
        html=(visit, None),
        latex=(skip, None),
        text=(skip, None),
    )
    app.connect("doctree-read", replace_links)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_weights)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
