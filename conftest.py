"""What holds for every test and every notebook.

They see no GPU, unless tests marked `gpu` are asked for, and the outputs that a
notebook stores are compared, though it stores no counts. This is here
because pytest reads it here whichever test or notebook it runs (`pytest --nbval
chapters/03_*.ipynb`); kernels and child processes inherit what it sets.
"""

import re

import pytest
from no_gpu import hide_gpus


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if not asks_for_a_gpu(config.option.markexpr):
        hide_gpus()


def asks_for_a_gpu(marks: str) -> bool:
    """Tell whether an expression, as for -m, asks for the mark `gpu`."""
    return re.search(r"(?<!\bnot )\bgpu\b", marks) is not None


def pytest_itemcollected(item):
    """Let nbval compare: it takes a cell without a count for one not run."""
    cell = getattr(item, "cell", None)
    if cell is not None and cell.execution_count is None:
        cell.execution_count = 0
