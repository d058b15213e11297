"""One torch thread, and shapes that are checked, in every test."""

import importlib
import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

from beartype import beartype
from jaxtyping import install_import_hook, jaxtyped

LIBRARY = Path(__file__).resolve().parents[1] / "transformer_lib"

# From here on each function whose module states shapes checks its arguments
# and its result against its signature and raises a TypeError where they
# differ. It costs nothing outside the tests.
CHECKED = [
    f"transformer_lib.{path.relative_to(LIBRARY).parts[0].removesuffix('.py')}"
    for path in [*LIBRARY.glob("*.py"), *LIBRARY.glob("confidence/__init__.py")]
    if "from jaxtyping import" in path.read_text(encoding="utf-8")
]
install_import_hook(CHECKED, "beartype.beartype")


def check_named_tuples() -> None:
    """Check the fields of each NamedTuple, which the hook passes over."""
    for name in CHECKED:
        module = importlib.import_module(name)
        for made in list(vars(module).values()):
            if getattr(made, "__module__", "") == name and (
                isinstance(made, type) and issubclass(made, tuple)
            ):
                new = jaxtyped(made.__new__, typechecker=beartype)
                made.__new__ = staticmethod(new)


def pytest_configure(config):
    import torch

    torch.set_num_threads(1)
    check_named_tuples()


# With --no-loadscope-reorder they begin first, so that at the end no worker
# waits long for another.
LONG = {
    "test_parts", "test_checks_guard", "test_benchmarks", "test_distributed",
    "test_own_transformer", "test_corpus", "test_grading_hostile",
    "test_baselines", "test_grading_class", "test_translator", "test_faults",
}  # fmt: skip


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.stem not in LONG)


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
