"""What `make test-colab` says of a notebook, with this Python as Colab's."""

import sys

import pytest
from bare_machine import ROOT
from try_colab import run

FIGURE = """from transformer_course import explorers
explorers.clock_hands()"""
FROZEN = f"""from transformer_course.explorers import Explorer
Explorer.view = lambda self, values: "always the same"
{FIGURE}"""


@pytest.mark.parametrize(
    ("source", "stored", "says"),
    [
        (FIGURE, 1, None),
        (FROZEN, 1, "is not live"),
        (FIGURE, 2, "1 interactive figures are live, of 2 stored"),
        ("1 / 0", 0, "ZeroDivisionError"),
    ],
    ids=["right", "frozen", "missing", "failing"],
)
def test_a_fault_is_named(tmp_path, monkeypatch, source, stored, says):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    import nbformat

    shown = nbformat.v4.new_output(
        "display_data", data={"text/html": '<p class="explorer-title">'}
    )
    cell = nbformat.v4.new_code_cell(source, outputs=[shown] * stored)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    path = tmp_path / "notebook.ipynb"
    nbformat.write(notebook, path)
    fault = run(path, sys.executable, tmp_path, timeout=120)
    assert fault is None if says is None else says in fault
