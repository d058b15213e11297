"""One sentence's whole way: `{way-machine}` and `{way-station}`.

The page book/whole_way.md has a live translator, the drawing of the machine and
one section a station; the scripts in book/_static/way/ follow the translator's
sentence through the stations. What they need of the page: the drawing in
`.way-band`, and in each section a `.way-station` with its name, which holds the
still picture of the page's first sentence until a script draws there.

    ```{way-station} head
    ```

Sizes of the model are substitutions, such as `{{ way_pieces }}`, so that no
sentence has a number that nothing computes.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from book_map import links, skip
from docutils import nodes
from live_translator import live_translator, shipped
from machine import svg
from sphinx.util.docutils import SphinxDirective
from way_still import STATIONS, stills

from transformer_lib.files import read_json
from transformer_lib.translator import SHIPPED

SCRIPTS = """cells shares encoder_stations decoder_stations moments travel
    way""".split()


class way_machine(nodes.General, nodes.Element):
    """The place of the drawing."""


class way_station(nodes.General, nodes.Element):
    """The place of a station: attribute name."""


class WayMachine(SphinxDirective):
    """The drawing's directive."""

    def run(self) -> list[nodes.Node]:
        """Return the place."""
        return [way_machine()]


class WayStation(SphinxDirective):
    """A station's directive; its argument is one of `STATIONS`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the place.

        Raises:
            DirectiveError: there is no such station.
        """
        (name,) = self.arguments
        if name not in STATIONS:
            raise self.error(f"no station {name!r}; there are {[*STATIONS]}")
        return [way_station(name=name)]


def visit_machine(translator, node: way_machine) -> None:
    """Write the drawing: its norms stand where the shipped model's do."""
    builder = translator.builder
    chapters = links(builder, builder.current_docname)
    drawing = svg((), chapters, norm_first=shipped().model.config.norm_first)
    translator.body.append(
        f'<div class="way-band"><div class="way-drawing">{drawing}</div></div>'
    )
    raise nodes.SkipNode


def visit_station(translator, node: way_station) -> None:
    """Write the still picture of a station."""
    (entry,) = translator.document.findall(live_translator)
    picture = pictures(entry["samples"][0])[node["name"]]
    translator.body.append(
        f'<div class="way-station" data-station="{node["name"]}">'
        f"{picture}</div>"
    )
    raise nodes.SkipNode


@cache
def pictures(text: str) -> dict[str, str]:
    """Return the still pictures of a sentence."""
    return stills(shipped(), text)


def sizes(app, config) -> None:
    """Give the page's text the sizes of the shipped model."""
    model = shipped().model.config
    d_k = model.d_model // model.n_heads
    smoothing = read_json(SHIPPED / "model.json")["train"]["label_smoothing"]
    config.myst_substitutions |= {
        "way_pieces": f"{model.vocab_size:,}",
        "way_width": str(model.d_model),
        "way_width_root": f"{sqrt(model.d_model):g}",
        "way_heads": str(model.n_heads),
        "way_head": str(d_k),
        "way_head_root": f"{sqrt(d_k):g}",
        "way_inner": str(model.d_ff),
        "way_sure": f"{1 - smoothing:.0%}".replace("%", " %"),
    }


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the page that has stations, and only there."""
    if doctree is None or not any(doctree.findall(way_station)):
        return
    app.add_css_file("way/way.css")
    for name in SCRIPTS:
        app.add_js_file(f"way/{name}.js", loading_method="defer")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("way-machine", WayMachine)
    app.add_directive("way-station", WayStation)
    for kind, visit in (
        (way_machine, visit_machine),
        (way_station, visit_station),
    ):
        app.add_node(
            kind, html=(visit, None), latex=(skip, None), text=(skip, None)
        )
    app.connect("config-inited", sizes)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
