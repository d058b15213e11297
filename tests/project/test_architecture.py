"""Which module may import which, and what an import costs."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import transformer_lib

LIBRARY = Path(transformer_lib.__file__).parent

# Each module of the library and those it imports: only such as come before it
# on the way of the data.
IMPORTS = {
    "special_tokens": "",
    "validation": "",
    "shapes": "",
    "precision": "",
    # texts
    "toy": "special_tokens",
    "corpus_notes": "",
    "parallel_text": "corpus_notes",
    "corpora": "",
    # tokens, batches, masks
    "tokenizer": "special_tokens validation",
    "batching": "special_tokens validation",
    "masks": "shapes special_tokens validation",
    # the model
    "attention": "shapes",
    "multi_head": "attention shapes validation",
    "normalization": "shapes validation",
    "positional": "precision shapes validation",
    "feed_forward": "shapes validation",
    "embedding": "shapes validation",
    "model_config": "multi_head validation",
    "layers": "feed_forward model_config multi_head normalization",
    "model": "embedding layers masks model_config multi_head normalization "
    "positional shapes",
    # training
    "label_smoothing": "shapes special_tokens validation",
    "schedule": "validation",
    "train_config": "schedule validation",
    "files": "",
    "wrapping": "",
    "checkpoint": "files model model_config precision wrapping",
    "distributed": "",
    "train_state": "checkpoint model model_config train_config wrapping",
    "training": "batching distributed label_smoothing special_tokens "
    "train_config train_state",
    "training_data": "batching corpus_notes parallel_text tokenizer toy",
    "run_folder": "files",
    "pretrained": "checkpoint model special_tokens tokenizer training_data",
    "run_data": "training_data",
    "longer_run": "checkpoint files run_folder train_config",
    "presets": "model_config train_config",
    "runs": "batching checkpoint distributed files longer_run model_config "
    "pretrained run_data run_folder tokenizer train_config train_state "
    "training training_data validation",
    # text again
    "decoding": "model precision special_tokens validation",
    "search": "decoding model validation",
    "evaluation": "validation",
    "confidence": "batching decoding model special_tokens",
    "translator": "batching checkpoint confidence corpus_notes decoding model "
    "search tokenizer validation wrapping",
}
BESIDE = {"numpy_reference", "cli", "__main__"}


@cache
def imports_of(path: Path) -> set[str]:
    """Return the full names of the modules a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: write the import in full"
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def files_of(module: str) -> list[Path]:
    """Return the file of a module, or all files of a package."""
    path = LIBRARY / module
    return sorted(path.rglob("*.py")) or [LIBRARY / f"{module}.py"]


def neighbors(module: str) -> set[str]:
    """Return the other modules of the library that a module imports."""
    found = {n for path in files_of(module) for n in imports_of(path)}
    parts = (name.split(".") for name in found)
    return {
        part[1]
        for part in parts
        if part[0] == "transformer_lib" and len(part) > 1
    } - {module}


def test_every_module_has_its_place():
    found = {
        path.stem if path.is_file() else path.name
        for path in LIBRARY.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert found - {"__init__"} == {*IMPORTS, *BESIDE}


def test_the_library_imports_what_comes_before_and_nothing_else():
    seen = set()
    for module, allowed in IMPORTS.items():
        assert neighbors(module) == set(allowed.split()), module
        assert set(allowed.split()) <= seen, f"{module} imports what is later"
        seen.add(module)


def test_only_the_command_line_is_the_door_to_both():
    """The library imports neither the course nor the command line."""
    for module in IMPORTS:
        assert not neighbors(module) & BESIDE, module
    assert neighbors("__main__") == {"cli"}


def test_no_file_imports_in_a_circle():
    files = {}
    for path in LIBRARY.rglob("*.py"):
        parts = path.relative_to(LIBRARY.parent).with_suffix("").parts
        files[".".join(p for p in parts if p != "__init__")] = path
    graph = {
        name: imports_of(path) & set(files) for name, path in files.items()
    }
    # `from package import module` names both: the package is not entered
    # for its own names if the module is a file of it.
    for name, wanted in graph.items():
        graph[name] = {
            one
            for one in wanted - {name}
            if not (
                files[one].name == "__init__.py"
                and any(other.startswith(f"{one}.") for other in wanted)
            )
        }
    TopologicalSorter(graph).prepare()  # raises CycleError


PACKAGES = sorted({path.parent for path in LIBRARY.rglob("__init__.py")})


@pytest.mark.parametrize(
    "package", PACKAGES, ids=lambda path: str(path.relative_to(LIBRARY.parent))
)
def test_no_two_rooms_of_a_package_import_each_other(package):
    """Nor do more of them in a circle: a room is a module or a package."""
    inside = ".".join((*package.relative_to(LIBRARY.parent).parts, ""))
    rooms = {
        path.stem: sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for path in package.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    rooms.pop("__init__")
    graph = {}
    for room, files in rooms.items():
        names = {name for path in files for name in imports_of(path)}
        beside = {
            name.removeprefix(inside).split(".")[0]
            for name in names
            if name.startswith(inside)
        }
        graph[room] = beside & rooms.keys() - {room}
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_the_numpy_reference_imports_numpy_alone():
    used = {
        name.split(".")[0]
        for path in files_of("numpy_reference")
        for name in imports_of(path)
        if not name.startswith("transformer_lib.numpy_reference")
    }
    assert used - set(sys.stdlib_module_names) == {"numpy"}


@pytest.mark.parametrize(
    "module, absent",
    [
        ("transformer_lib", ["torch", "numpy", "matplotlib", "tokenizers"]),
        ("transformer_lib.masks", ["tokenizers", "safetensors"]),
        ("transformer_lib.toy.corpus", ["torch", "numpy", "tokenizers"]),
        ("transformer_lib.runs", ["transformer_lib.toy"]),
        ("transformer_lib.translator", ["transformer_lib.toy"]),
        ("transformer_lib.numpy_reference", ["torch"]),
        (
            "transformer_lib.cli",
            ["transformer_lib.toy.corpus", "torch", "pooch", "numpy"],
        ),
        ("transformer_course.checks", ["torch", "numpy"]),
        ("transformer_course.explorers", ["torch", "matplotlib"]),
    ],
)
def test_an_import_loads_no_more_than_it_needs(module, absent):
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    found = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not set(found) & set(absent)


def test_a_first_check_loads_nothing_of_torch_s_compiler():
    """It is 700 modules, which a reader would wait for before the verdict."""
    code = (
        "import sys; from transformer_course import checks; "
        "from transformer_course.checks import parts; "
        "from transformer_course.checks.code import count_parameters as c; "
        "things = [parts.part(n).EXERCISE.solve.thing for n in parts.PARTS]; "
        "assert all([*map(checks.build, things)]); "
        "assert checks.count_parameters(c.solution); "
        "sys.exit(bool({'sympy', 'torch._dynamo'} & {*sys.modules}))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_training_on_ones_own_files_loads_no_toy_language(tmp_path):
    for name in ("en", "ko"):
        (tmp_path / name).write_text(f"a {name}\nb a\n", encoding="utf-8")
    code = (
        "import sys; from transformer_lib.training_data import TrainingData; "
        "data = TrainingData(source='en', target='ko', vocab_size=300); "
        "lines, _ = data.read(); data.tokenizer(lines); "
        "sys.exit('transformer_lib.toy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_the_map_in_the_docstring_names_what_users_get():
    """Every name stands once in the stub, and once on the map."""
    on_the_map = re.findall(r"^    \w* +(.*)$", transformer_lib.__doc__, re.M)
    named = re.findall(r"\w+", " ".join(on_the_map))
    assert sorted(named) == sorted(transformer_lib.__all__)


def test_every_public_name_exists_and_says_what_it_does():
    for name in transformer_lib.__all__:
        assert getattr(transformer_lib, name).__doc__, name
