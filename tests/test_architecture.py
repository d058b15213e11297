"""The house: which room may lean on which, and what an import costs."""

import ast
import subprocess
import sys
from pathlib import Path

import transformer_lib

LIBRARY = Path(transformer_lib.__file__).parent

# Each module and the modules of the library it may import: only those that
# come before it on the way of the data.
PIPELINE = {
    "korean": set(),
    "romanization": {"korean"},
    "grammar": {"korean"},
    "corpus": {"grammar", "korean", "romanization"},
    "parallel_text": set(),
    "files": set(),
    "corpora": set(),
    "arguments": set(),
    "tokenizer": {"arguments"},
    "shapes": set(),
    "batching": {"arguments", "tokenizer"},
    "masks": {"arguments", "shapes", "tokenizer"},
    "attention": {"shapes"},
    "multi_head": {"arguments", "attention", "shapes"},
    "normalization": {"arguments", "shapes"},
    "residual": {"arguments", "normalization"},
    "positional": {"arguments", "shapes"},
    "feed_forward": {"arguments", "shapes"},
    "embedding": {"arguments", "shapes"},
    "layers": {"multi_head", "feed_forward", "residual"},
    "model": {
        "arguments",
        "embedding",
        "layers",
        "masks",
        "multi_head",
        "normalization",
        "positional",
        "shapes",
    },
    "label_smoothing": {"arguments", "shapes", "tokenizer"},
    "schedule": {"arguments"},
    "checkpoint": {"files"},
    "distributed": set(),
    "train_config": {"arguments", "schedule"},
    "train_state": {"checkpoint", "model", "train_config"},
    "training": {
        "batching",
        "distributed",
        "label_smoothing",
        "model",
        "tokenizer",
        "train_config",
        "train_state",
    },
    "training_data": {"batching", "corpus", "parallel_text", "tokenizer"},
    "run_folder": {"files"},
    "snapshots": {"checkpoint", "train_state"},
    "progress": {"train_state", "training"},
    "runs": {
        "arguments",
        "batching",
        "distributed",
        "files",
        "model",
        "progress",
        "run_folder",
        "snapshots",
        "tokenizer",
        "train_config",
        "train_state",
        "training",
        "training_data",
    },
    "decoding": {"arguments", "model", "tokenizer"},
    "evaluation": {"arguments"},
    "translator": {
        "arguments",
        "batching",
        "checkpoint",
        "decoding",
        "model",
        "tokenizer",
        "train_state",
    },
    "cli": {
        "corpora",
        "corpus",
        "decoding",
        "distributed",
        "evaluation",
        "files",
        "parallel_text",
        "runs",
        "training",
        "training_data",
        "translator",
    },
    "__main__": {"cli"},
}
INSTRUMENTS = {"numpy_reference", "checks", "plots", "explorers"}


def files(room: str) -> list[Path]:
    """The file of a module, or those of a package."""
    path = LIBRARY / room
    return sorted(path.rglob("*.py")) or [LIBRARY / f"{room}.py"]


def imported(room: str) -> set[str]:
    """Names of modules a room imports, anywhere in it."""
    names = set()
    for path in files(room):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: write the import in full"
                if node.module == "transformer_lib":
                    names |= {f"{node.module}.{a.name}" for a in node.names}
                else:
                    names.add(node.module)
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
    return names


def rooms(room: str) -> set[str]:
    """Other rooms of the library that a room imports."""
    return {
        name.split(".")[1]
        for name in imported(room)
        if name.startswith("transformer_lib.")
    } - {room}


def test_every_module_has_its_place():
    found = {
        path.stem if path.is_file() else path.name
        for path in LIBRARY.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert found - {"__init__"} == set(PIPELINE) | INSTRUMENTS


def test_arrows_run_one_way():
    for name, allowed in PIPELINE.items():
        used = rooms(name)
        assert used <= allowed, f"{name} imports {used - allowed}"
        assert allowed <= used, f"{name} no longer needs {allowed - used}"
    seen = set()
    for name, allowed in PIPELINE.items():
        assert allowed <= seen, f"{name} leans on what comes later"
        seen.add(name)


def test_the_numpy_reference_imports_numpy_alone():
    used = {
        name
        for name in imported("numpy_reference")
        if not name.startswith("transformer_lib.numpy_reference")
    }
    python = {"collections.abc", "itertools", "math", "typing"}
    assert used <= {*python, "numpy", "numpy.typing"}


def test_instruments_never_enter_the_pipeline():
    for name in PIPELINE:
        assert not rooms(name) & INSTRUMENTS


def test_importing_the_library_is_quick_and_needs_no_torch():
    code = (
        "import sys, time; t = time.perf_counter(); import transformer_lib;"
        "t = time.perf_counter() - t;"
        "assert 'torch' not in sys.modules and 'numpy' not in sys.modules;"
        "print(t)"
    )
    times = [
        float(subprocess.check_output([sys.executable, "-c", code]))
        for _ in range(3)
    ]
    assert min(times) < 0.05


def test_every_public_name_exists_and_says_what_it_does():
    for name in transformer_lib.__all__:
        thing = getattr(transformer_lib, name)
        assert thing.__doc__, name
