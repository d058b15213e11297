"""Run every notebook with the packages of Colab, as a reader there would.

    python book/_tools/try_colab.py --python .venv-colab/bin/python
    python book/_tools/try_colab.py --python ... chapters/02_*.ipynb

That Python has what Colab has, and not the book's library. Its kernel starts
in an empty folder, so that the set-up cell of the first notebook has to fetch
the book (a ZIP of these files) and to install the library. Then each notebook
runs from its set-up cell on, and each interactive figure that it shows has to
move in a live panel. No package that was there before may have changed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from no_gpu import hide_gpus
from pack import book_files, pack
from run_notebooks import all_notebooks
from set_address import ROOT, address_of

PACKAGES = """
import importlib.metadata, json
print(json.dumps({
    found.metadata["Name"].lower().replace("_", "-"): found.version
    for found in importlib.metadata.distributions()
}))
"""

# Runs after the last cell of a notebook: every figure shown must be live.
LIVE = """
def _follows(panel):
    *controls, picture = panel.children
    before = picture.value
    for control in controls:
        if hasattr(control, "max"):
            ends = [control.min, control.max]
        elif hasattr(control, "options"):
            ends = [control.options[0][1], control.options[-1][1]]
        else:
            ends = ["", "?"]
        control.value = ends[control.value == ends[0]]
    return picture.value != before

from transformer_course.explorers import Explorer as _Explorer
_shown = [made for made in Out.values() if isinstance(made, _Explorer)]
for _explorer in _shown:
    assert _follows(_explorer.live()), f"{_explorer.title} is not live"
print(len(_shown))
"""


def packages(python: str) -> dict[str, str]:
    """Return what a Python has installed, as {name: version}."""
    return json.loads(subprocess.check_output([python, "-c", PACKAGES]))


def explorers_in(notebook) -> int:
    """Count the interactive figures among the stored outputs."""
    return sum(
        "explorer-title" in "".join(output.get("data", {}).get("text/html", ""))
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )


def run(path: Path, python: str, content: Path, timeout: int) -> str | None:
    """Run a notebook in a folder with another Python; return its fault."""
    import nbformat
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class Kernel(AsyncKernelManager):
        kernel_spec = KernelSpec(
            argv=[python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        )

    notebook = nbformat.read(path, as_version=4)
    wanted = explorers_in(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell(LIVE))
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_manager_class=Kernel,
        store_widget_state=False,
        resources={"metadata": {"path": str(content)}},
    )
    try:
        client.execute()
    except Exception as error:  # whatever it is, the others run
        return f"{type(error).__name__}: {error}"
    said = [output.get("text", "") for output in notebook.cells[-1].outputs]
    live = int("".join(said))
    if live != wanted:
        return f"{live} interactive figures are live, of {wanted} stored ones"
    return None


def report(path: Path, fault: str | None, seconds: float) -> int:
    """Print how a notebook went; return 1 for a fault."""
    print(f"{path.relative_to(ROOT)}: {seconds:.1f} s", flush=True)
    if fault:
        print(f"  {fault}", file=sys.stderr, flush=True)
    return 1 if fault else 0


def timed(*arguments) -> tuple[Path, str | None, float]:
    """Run a notebook; return its path, its fault and its seconds."""
    start = time.perf_counter()
    fault = run(*arguments)
    return arguments[0], fault, time.perf_counter() - start


def main() -> int:
    """Run the notebooks named on the command line; 1 if one has a fault."""
    parser = argparse.ArgumentParser(
        description="Run every notebook with the packages of Colab."
    )
    parser.add_argument("--python", required=True, help="a Python like Colab's")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--timeout", type=int, default=1200)
    parser.add_argument("notebooks", nargs="*", type=Path)
    options = parser.parse_args()
    hide_gpus()
    python = str(Path(options.python).absolute())
    paths = [path.resolve() for path in options.notebooks] or all_notebooks()

    remove = ["-m", "pip", "uninstall", "-q", "-y", "transformer-lib"]
    subprocess.run([python, *remove], check=True)
    before = packages(python)
    with tempfile.TemporaryDirectory() as folder:
        home, content = Path(folder, "home"), Path(folder, "content")
        content.mkdir()
        ref = address_of().ref
        archive = home / "archive" / f"{ref}.zip"
        pack(archive, f"book-{ref}", ROOT, book_files())
        os.environ["TRANSFORMER_BOOK_REPOSITORY"] = home.as_uri()
        os.environ.pop("TRANSFORMER_BOOK_REF", None)
        os.environ.pop("PYTHONPATH", None)
        given = (python, content, options.timeout)
        # The first one installs the library; then several run at a time.
        faults = report(*timed(paths[0], *given))
        with ProcessPoolExecutor(options.jobs) as pool:
            running = [pool.submit(timed, path, *given) for path in paths[1:]]
            faults += sum(report(*run.result()) for run in running)
    after = packages(python)
    changed = {name for name in before if after.get(name) != before[name]}
    for name in sorted(changed):
        print(f"{name}: {before[name]}, then {after.get(name)}")
    same = sorted({"torch", "numpy", "ipython", "ipywidgets"} - changed)
    print("unchanged:", ", ".join(f"{name} {before[name]}" for name in same))
    return 1 if faults or changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
