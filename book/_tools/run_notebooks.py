"""Execute whole notebooks in place, so that stored outputs are never edited.

    python book/_tools/run_notebooks.py                   all of them
    python book/_tools/run_notebooks.py chapters/02_*.ipynb   only these
    python book/_tools/run_notebooks.py --anew            keep no output
    python book/_tools/run_notebooks.py --fold-only       execute nothing

Each notebook first gets the common set-up cell (book/_tools/setup_cell.py),
then runs from top to bottom in a fresh kernel. Lessons get the tags of what
the pages fold (fold_tags.py), cells the mark of what runs in the page
(page_cells.py). Outputs that the pages fold (tag hide-output),
and the set-up, are folded in JupyterLab and Colab, too. What differs from run
to run (time stamps, the Python version, widget models) is stripped, so that
two runs give the same file; a GPU, which rounds differently, is hidden. A cell
whose output depends on the processor keeps the one that is stored while nothing
it needs has changed (kept_outputs.py). A notebook that fails is left as it was.
How long each ran is in seconds.tsv, for minutes.py; a small change leaves it
alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fold_tags import tag
from kept_outputs import keep
from no_gpu import hide_gpus
from notebook_file import dumped
from page_cells import FOLDERS, mark

ROOT = Path(__file__).resolve().parents[2]
SETUP_CELL = Path(__file__).with_name("setup_cell.py")
SECONDS = Path(__file__).with_name("seconds.tsv")
WATCH = Path(__file__).with_name("watch_random.py")
KINDS = (
    "chapters/*.ipynb",
    "book/laboratory/*.ipynb",
    "book/solutions/*.ipynb",
    "book/*.ipynb",
)
HIDDEN = {"setup", "hide-cell", "remove-cell"}  # code that is run, not read
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}
# What programs need that make a script of a notebook. No version: it differs
# from run to run.
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
}


def all_notebooks() -> list[Path]:
    """Return every notebook of the book, in reading order."""
    return [path for kind in KINDS for path in sorted(ROOT.glob(kind))]


def put_setup_cell(notebook) -> None:
    """Give the cell tagged `setup` the common text; the pages fold it."""
    source = SETUP_CELL.read_text(encoding="utf-8").rstrip("\n")
    for cell in notebook.cells:
        if "setup" in cell.metadata.get("tags", []):
            cell.source = source
            cell.metadata["tags"] = ["setup", "hide-input"]


def describe(notebook) -> None:
    """Say which kernel runs a notebook, in which language, and no counts.

    A count would change in each cell below one that is new.
    """
    notebook["metadata"]["kernelspec"] = dict(KERNEL)
    notebook["metadata"]["language_info"] = dict(LANGUAGE)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            for one in (cell, *cell["outputs"]):
                if "execution_count" in one:
                    one["execution_count"] = None


def strip(notebook) -> None:
    """Remove what changes from run to run or means nothing to a reader."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.pop("signature", None)
    describe(notebook)
    for cell in notebook.cells:
        for key in ("execution", "collapsed", "scrolled", "ExecuteTime"):
            cell.metadata.pop(key, None)
        if "outputs" in cell:  # a widget without its kernel is an empty box
            cell.outputs = [
                output
                for output in cell.outputs
                if WIDGET_VIEW not in output.get("data", {})
            ]


def fold(notebook) -> None:
    """Fold in JupyterLab and Colab what is to be guessed, and the set-up.

    Guess first, then open: without this an answer stands open in every
    notebook program, which reads these marks and not the tags. Code stays
    open there, since one runs it.
    """
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        marks = cell["metadata"]
        tags = marks.get("tags", [])
        jupyter = marks.setdefault("jupyter", {})
        hidden = {
            "source_hidden": not HIDDEN.isdisjoint(tags),
            "outputs_hidden": "hide-output" in tags or "hide-cell" in tags,
        }
        for key, value in hidden.items():
            jupyter.pop(key, None)
            if value:
                jupyter[key] = True
        for key in ("cellView", "collapsed"):
            marks.pop(key, None)
        if hidden["source_hidden"]:
            marks["cellView"] = "form"  # Colab shows the output alone
        if hidden["outputs_hidden"]:
            marks["collapsed"] = True
        if not jupyter:
            del marks["jupyter"]


def is_for_page(path: Path) -> bool:
    """Tell whether readers run cells of a notebook in the page."""
    return path.parent.name in {Path(one).name for one in FOLDERS}


def fold_only(path: Path) -> None:
    """Fold, mark and describe a stored notebook, outputs as they are."""
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    describe(notebook)
    fold(notebook)
    if is_for_page(path):
        mark(notebook)
    new = dumped(notebook)
    if new != text:
        path.write_text(new, encoding="utf-8")


def note_seconds(path: Path, took: float) -> None:
    """Keep how long a notebook of the book runs, unless little has changed."""
    name = path.relative_to(ROOT).as_posix()
    lines = SECONDS.read_text(encoding="utf-8").splitlines()
    before = dict(line.split("\t") for line in lines)
    old = int(before.get(name, 0))
    if abs(took - old) > max(10, old / 3):
        before[name] = str(round(took))
        text = "".join(f"{key}\t{before[key]}\n" for key in sorted(before))
        SECONDS.write_text(text, encoding="utf-8", newline="\n")


def complaint(notebook) -> str | None:
    """Return the first thing in the outputs that a reader should not see."""
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                words = "".join(output["text"]).strip().splitlines()[-1]
                return f"cell {number} wrote to stderr: {words}"
    return None


def run(path: Path, timeout: int, anew: bool = False) -> str | None:
    """Execute one notebook and write it back; return a complaint or None."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    put_setup_cell(notebook)
    if path.parent.name == "chapters":
        tag(notebook)
    if is_for_page(path):
        mark(notebook)
    with tempfile.TemporaryDirectory() as scratch:
        states = Path(scratch) / "random_states.txt"
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name="python3",
            store_widget_state=False,
            coalesce_streams=True,
            extra_arguments=[
                "--log-level=ERROR",
                f"--IPKernelApp.exec_files={WATCH}",
            ],
            resources={"metadata": {"path": str(path.parent)}},
        )
        try:
            client.execute(env={**os.environ, "RANDOM_STATES": str(states)})
        except CellExecutionError as error:
            return str(error)
        drawn = states.read_text("utf-8").split() if states.exists() else []
    found = complaint(notebook)
    strip(notebook)
    if not anew:
        keep(notebook, path, drawn)
        notebook = nbformat.from_dict(notebook)
    fold(notebook)
    nbformat.validate(notebook)
    aside = path.with_suffix(".ipynb.new")
    nbformat.write(notebook, aside)
    os.replace(aside, path)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the notebooks named on the command line; 1 if one has a fault."""
    parser = argparse.ArgumentParser(
        description="Execute whole notebooks in place."
    )
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument(
        "--timeout", type=int, default=600, help="seconds allowed for a cell"
    )
    parser.add_argument(
        "--anew", action="store_true", help="keep no stored output"
    )
    parser.add_argument(
        "--fold-only",
        action="store_true",
        help="fold tagged cells for JupyterLab and Colab; execute nothing",
    )
    options = parser.parse_args(arguments)
    if options.fold_only:
        for path in options.notebooks or all_notebooks():
            fold_only(path)
        return 0
    hide_gpus()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    faults = 0
    for path in options.notebooks or all_notebooks():
        start = time.perf_counter()
        fault = run(path.resolve(), options.timeout, options.anew)
        took = time.perf_counter() - start
        print(f"{path}: {took:.1f} s", flush=True)
        if not fault:
            note_seconds(path.resolve(), took)
        if fault:
            faults += 1
            print(f"  {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
