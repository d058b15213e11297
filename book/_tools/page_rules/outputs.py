"""Stored outputs: they are there, they are clean, and they are folded."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .pages import NOTEBOOKS, Page
from .rules import rule


@rule(*NOTEBOOKS)
def executed(page: Page) -> Iterator[str]:
    """A notebook was executed, and its counts are not stored."""
    for cell in page.code:
        if cell.count is not None:
            yield (
                f"{cell}: the count of a run is stored; "
                "book/_tools/run_notebooks.py --fold-only takes it out"
            )
    if not any(cell.outputs for cell in page.code):
        yield "no cell has an output: book/_tools/run_notebooks.py makes them"


@rule(*NOTEBOOKS)
def no_error_is_stored(page: Page) -> Iterator[str]:
    """No output is an error or a warning."""
    for cell in page.code:
        for output in cell.outputs:
            if output["output_type"] == "error":
                yield f"{cell}: the output is an error, {output.get('ename')}"
            if output.get("name") == "stderr":
                yield f"{cell}: the output holds a warning (stderr)"


@rule(*NOTEBOOKS)
def nothing_volatile(page: Page) -> Iterator[str]:
    """Nothing is stored that another run or another system would change."""
    from run_notebooks import KERNEL, LANGUAGE

    wanted = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    if page.metadata != wanted:
        differ = sorted(
            key
            for key in page.metadata.keys() | wanted.keys()
            if page.metadata.get(key) != wanted.get(key)
        )
        yield (
            f"metadata: {', '.join(differ)} as another program writes it; "
            "book/_tools/run_notebooks.py --fold-only sets it right"
        )
    if "application/vnd.jupyter" in page.text:
        yield "a widget is stored (application/vnd.jupyter): execute it anew"
    if b"\r" in page.path.read_bytes():
        yield "lines end in a carriage return: save it with plain newlines"


@rule(*NOTEBOOKS)
def written_as_the_tools_do(page: Page) -> Iterator[str]:
    """The file has the form in which the tools write it: no noise in a diff."""
    from notebook_file import dumped

    if dumped(json.loads(page.text)) != page.text:
        yield (
            "spaces or the order of fields are those of another program; "
            "book/_tools/run_notebooks.py --fold-only sets it right"
        )


@rule(*NOTEBOOKS)
def folded_in_notebook_programs(page: Page) -> Iterator[str]:
    """Answers and the set-up are folded in JupyterLab and in Colab, too."""
    for cell in page.cells:
        folded = cell.metadata.get("jupyter", {})
        answer = "hide-output" in cell.tags
        code = "setup" in cell.tags or "remove-cell" in cell.tags
        marks = {
            "outputs_hidden": (folded.get("outputs_hidden", False), answer),
            "collapsed": (cell.metadata.get("collapsed", False), answer),
            "source_hidden": (folded.get("source_hidden", False), code),
            "cellView": (cell.metadata.get("cellView") == "form", code),
        }
        wrong = [name for name, (is_so, should) in marks.items()
                 if is_so != should]  # fmt: skip
        if wrong:
            yield (
                f"{cell}: {', '.join(wrong)} and the tags differ; "
                "book/_tools/run_notebooks.py --fold-only sets it right"
            )


@rule(*NOTEBOOKS)
def what_is_folded_is_there(page: Page) -> Iterator[str]:
    """A page that leads from a question to its result finds one."""
    for cell in page.cells:
        if "hide-output" in cell.tags and not cell.outputs:
            yield f"{cell}: it folds its output (hide-output) and has none"
