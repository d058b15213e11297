"""One torch thread, and shapes that are checked, in every test."""

import importlib
import os
import sys

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

from jaxtyping import install_import_hook  # noqa: E402

# From here on each function of the library checks the types and the shapes of
# its arguments and of its result against its signature, and raises a TypeError
# where they differ. It costs nothing outside the tests.
install_import_hook("transformer_lib", "beartype.beartype")


def pytest_configure(config):
    import torch

    torch.set_num_threads(1)


def _take_library_out() -> dict:
    names = [n for n in sys.modules if n.split(".")[0] == "transformer_lib"]
    return {name: sys.modules.pop(name) for name in names}


@pytest.fixture(scope="session")
def plain():
    """Load modules of the library as users do, without the shape checks.

    Gives a function from a module's name to the module. The copy is apart
    from the one that other tests import.
    """
    copy: dict = {}

    def load(name: str):
        checked = _take_library_out()
        sys.modules.update(copy)
        finders = [f for f in sys.meta_path if "jaxtyping" in str(type(f))]
        for finder in finders:
            sys.meta_path.remove(finder)
        try:
            return importlib.import_module(f"transformer_lib.{name}")
        finally:
            sys.meta_path[:0] = finders
            copy.update(_take_library_out())
            sys.modules.update(checked)

    return load
