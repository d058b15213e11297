"""A small Transformer that learns in the page, and the card of a lesson.

    ```{train}
    ```

The scripts are in book/_static/train/. In a lesson the page makes the card of
a paragraph with a plain link,

    [Train one yourself: Dice](../book/train.md)

whose last words name the experiment: one of `EXPERIMENTS`, or the build warns.
Paper and readers without scripts get two stored runs as a still, one of the
experiment with its part and one without, which benchmarks/train_in_page.py has
stored. A slow device is offered their losses.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from posixpath import dirname, relpath

from book_map import skip
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)

SHARED = "elements thumbnail".split()  # of the live translator
SCRIPTS = """parts random matrix operations attention model adam tasks run
    presets serve letters texts address trainer chart writes looks switches
    results guess controls offer runner face card mount""".split()
RESULTS = "benchmarks/results/train_in_page.json"
PAGE, LINK = "book/train", "Train one yourself: "
EXPERIMENTS = {  # by their names in texts.js: key, and the two runs
    "Positions": ("positions", "With positions", "Without positions"),
    "The mask": ("mask", "With the mask", "Without the mask"),
    "Dice": ("dice", "With the mask", "Without the mask"),
    "Residuals and norms": ("depth", "With both", "Without both"),
    "Warm-up": ("warmup", "With warm-up", "Without warm-up"),
    "Smoothing": ("smoothing", "Without smoothing", "With smoothing"),
}
FIRST = "Positions"  # the experiment of the page's still
EVERY = 5  # updates between two stored losses
NAMES = "abcdefghij→"
WIDTH, HEIGHT, MOST = 360, 150, 3.0


class train(nodes.General, nodes.Element):
    """The place of the trainer: `name` of an experiment in a lesson's card."""


class Train(SphinxDirective):
    """The directive."""

    def run(self) -> list[nodes.Node]:
        """Return the place; it changes with what is stored."""
        self.env.note_dependency(str(Path(self.env.srcdir) / RESULTS))
        return [train()]


def stored_runs(srcdir: str) -> dict:
    """Return the stored runs of each experiment, or nothing."""
    path = Path(srcdir) / RESULTS
    if not path.exists():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))["runs"]


def for_the_page(runs: dict) -> dict:
    """Return what a slow device is offered, by experiment."""
    return {
        name: {
            "on": of["on"][0]["losses"],
            "off": of["off"][0]["losses"],
            "every": EVERY,
            "cliff": of["on"][0]["cliff"],
        }
        for name, of in runs.items()
    }


class Cards(SphinxPostTransform):
    """Put a card below each paragraph of a lesson that links to one."""

    default_priority = 220
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        for link in list(self.document.findall(nodes.reference)):
            words = link.astext()
            if not words.startswith(LINK):
                continue
            name = words.removeprefix(LINK)
            if name not in EXPERIMENTS:
                LOGGER.warning(
                    "%r is no experiment of the trainer; these are: %s",
                    name,
                    ", ".join(EXPERIMENTS),
                    location=self.env.docname,
                )
                continue
            link["refuri"] += f"#experiment={EXPERIMENTS[name][0]}"
            below = link.parent
            place = below.parent.index(below) + 1
            below.parent.insert(place, train(name=name))


def visit(translator, node: train) -> None:
    """Write the place, with the still inside."""
    builder = translator.builder
    runs = stored_runs(builder.env.srcdir)
    lessons = relpath("chapters", dirname(builder.current_docname) or ".")
    name = node.get("name", FIRST)
    key = EXPERIMENTS[name][0]
    offered = runs if "name" not in node else {key: runs[key]} if runs else {}
    data = json.dumps(for_the_page(offered), separators=(",", ":"))
    card = f' data-experiment="{key}"' if "name" in node else ""
    label = LINK + name if card else "Train one yourself"
    translator.body.append(
        f'<section class="live train{" train-card" * bool(card)}" lang="en" '
        f'aria-label="{label}"{card} data-lessons="{lessons}/" '
        f'data-stored="{escape(data)}">'
        f"{still(name, runs[key]) if key in runs else ''}</section>"
    )
    raise nodes.SkipNode


def still(name: str, runs: dict) -> str:
    """Draw two stored runs: losses, an answer, and where a head looks."""
    _, *titles = EXPERIMENTS[name]
    drawn = [
        f'<figure class="train-still"><figcaption><b>{title}</b></figcaption>'
        f"{answer(one['look'])}{curve(one['losses'])}{look(one['look'])}"
        "</figure>"
        for title, one in zip(
            titles, (runs["on"][0], runs["off"][0]), strict=True
        )
    ]
    return (
        '<div class="train-stored"><div class="train-stills">'
        f"{''.join(drawn)}</div>"
        '<p class="train-status">Two stored runs, made in Chromium on the '
        "authors' computer: what the model writes at the end, the loss from "
        "the first update to the last, with a dashed line at pure guessing, "
        "and where one head looks while it writes. With scripts, you can "
        "train your own here.</p></div>"
    )


def answer(found: dict) -> str:
    """Write what is asked and what is written."""
    asked, written = (
        " ".join(NAMES[one] for one in found[part])
        for part in ("asked", "written")
    )
    return f'<p class="train-line">{asked} → {written}</p>'


def curve(losses: Sequence[float]) -> str:
    """Draw the losses of a run."""

    def height(loss: float) -> float:
        return HEIGHT * (1 - min(loss, MOST) / MOST)

    points = " ".join(
        f"{WIDTH * n / (len(losses) - 1):.1f},{height(loss):.1f}"
        for n, loss in enumerate(losses)
    )
    guessing = height(math.log(10))
    return (
        f'<svg class="train-chart" viewBox="0 -4 {WIDTH} {HEIGHT + 8}" '
        f'role="img" aria-label="Loss: {losses[0]:.1f} at first, '
        f'{losses[-1]:.1f} at the end."><line class="train-guessing" x1="0" '
        f'x2="{WIDTH}" y1="{guessing:.1f}" y2="{guessing:.1f}"/>'
        f'<polyline class="train-now" points="{points}"/></svg>'
    )


def look(found: dict) -> str:
    """Draw the first head's map: rows that write, columns of all letters."""
    size, first = found["T"], len(found["asked"])
    cells = "".join(
        f'<rect x="{j}" y="{i - first}" width="1" height="1" '
        f'opacity="{found["map"][i * size + j] / 100:.2f}"/>'
        for i in range(first, size)
        for j in range(size)
        if found["map"][i * size + j] > 1
    )
    return (
        f'<svg class="train-look" viewBox="0 0 {size} {size - first}" '
        'role="img" aria-label="Where the first head looks, a row for each '
        f'letter that is written.">{cells}</svg>'
    )


def add_scripts(app, pagename, template, context, doctree) -> None:
    """Load the scripts on the page that has a trainer, and only there."""
    if doctree is None or not any(doctree.findall(train)):
        return
    app.add_css_file("live/live.css")
    app.add_css_file("train/train.css")
    for path in (
        *(f"live/{name}" for name in SHARED),
        *(f"train/{name}" for name in SCRIPTS),
    ):
        app.add_js_file(f"{path}.js", loading_method="defer")


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_directive("train", Train)
    app.add_post_transform(Cards)
    app.add_node(
        train, html=(visit, None), latex=(skip, None), text=(skip, None)
    )
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
