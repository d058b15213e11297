"""Tables of measured results, made from JSON while the book is built.

A page writes

    ```{results} throughput
    ```

and gets what benchmarks/results/throughput.json holds: a table, the
sentences that follow from its numbers, and how to repeat the measurement.
So no number on the page is typed by hand, and no sentence outlives the
numbers it was true of. Where there is no such file, the section is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from result_model import table_3, toy_translator
from result_proofs import device_tests, notebooks, planted_bugs
from result_real_text import multi30k
from result_speed import decoding, step_time, throughput
from result_studies import ablations, ladder
from result_tasks import goats, two_halves, typed_sentences
from sphinx.util.docutils import SphinxDirective

SHOWN: dict[str, Callable[[dict], str]] = {
    "throughput": throughput,
    "throughput_gpu": throughput,
    "step_time": step_time,
    "decoding": decoding,
    "decoding_gpu": decoding,
    "table_3": table_3,
    "toy_translator_small": toy_translator,
    "toy_translator_full": toy_translator,
    "toy_translator_gpu": toy_translator,
    "ablations": ablations,
    "ablations_again": ablations,
    "ablations_gpu": ablations,
    "ladder": ladder,
    "multi30k_cpu": multi30k,
    "multi30k_gpu": multi30k,
    "two_halves": two_halves,
    "goats": goats,
    "typed_sentences": typed_sentences,
    "planted_bugs": planted_bugs,
    "device_tests": device_tests,
    "notebooks_gpu": notebooks,
}


def provenance(result: dict) -> str:
    """Say where, when and with what was measured, and how to repeat it."""
    commit = result["commit"]
    changed = ""
    if commit.endswith("+"):
        commit, changed = commit[:-1], " with later changes"
    return (
        f"Measured on {result['date']}: {result['device']}, torch "
        f"{result['torch']}, Python {result['python']}, commit "
        f"`{commit}`{changed}. To repeat it:\n\n"
        f"```bash\n{result['command']}\n```"
    )


def markdown(name: str, folder: Path) -> str:
    """Return what the page shows of one stored result, "" where none is.

    Raises:
        ValueError: nobody knows how to show it.
    """
    if name not in SHOWN:
        raise ValueError(
            f"there is no way to show {name!r}; choose from {sorted(SHOWN)}"
        )
    path = folder / f"{name}.json"
    if not path.exists():
        return ""
    result = json.loads(path.read_text(encoding="utf-8"))
    return SHOWN[name](result) + "\n\n" + provenance(result)


class not_measured(nodes.General, nodes.Element):
    """Stands where a measurement was not made, until its section goes."""


def leave_out(app, doctree) -> None:
    """Take away each section whose measurement was not made."""
    for node in list(doctree.findall(not_measured)):
        if isinstance(node.parent, nodes.section):
            node = node.parent
        node.parent.remove(node)


class Results(SphinxDirective):
    """The directive `results`: the name of a file in benchmarks/results."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir) / "benchmarks" / "results"
        name = self.arguments[0]
        self.env.note_dependency(str(folder / f"{name}.json"))
        try:
            lines = markdown(name, folder).splitlines()
        except ValueError as error:
            raise self.error(str(error)) from None
        if not lines:
            return [not_measured()]
        holder = nodes.container(classes=["measured"])
        source = f"benchmarks/results/{name}.json"
        text = StringList(lines, source=source)
        self.state.nested_parse(text, self.content_offset, holder)
        return [holder]


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("results", Results)
    # Before the page's headings are collected for its list of contents.
    app.connect("doctree-read", leave_out, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
