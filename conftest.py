"""Tests and notebooks see no GPU, unless tests marked `gpu` are asked for.

It stands in this folder because pytest reads it here whichever test or notebook
it runs (`pytest --nbval chapters/03_*.ipynb`); kernels and child processes
inherit what it sets.
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
