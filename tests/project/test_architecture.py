"""Which module may import which, and what an import costs."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import transformer_course
import transformer_lib

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "transformer_lib"

# Each module of the library and those it imports: only such as come before it
# on the way of the data.
IMPORTS = {
    "special_tokens": "",
    "validation": "",
    "shapes": "",
    "precision": "",
    "extras": "",
    "files": "",
    "memory": "",
    # texts
    "corpus_notes": "",
    "parallel_text": "corpus_notes",
    "corpora": "",
    "opus_mt": "",
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
    "wrapping": "",
    "checkpoint": "files model model_config precision wrapping",
    "distributed": "",
    "train_state": "checkpoint model model_config train_config wrapping",
    "training": "batching distributed label_smoothing special_tokens "
    "train_config train_state",
    "training_data": "batching corpus_notes parallel_text tokenizer",
    "run_folder": "files",
    "pretrained": "checkpoint model special_tokens tokenizer training_data",
    "run_data": "training_data",
    "longer_run": "checkpoint files run_folder train_config",
    "presets": "model_config train_config",
    "stored_run": "batching distributed files longer_run model_config "
    "pretrained run_data run_folder tokenizer train_config train_state "
    "training_data validation",
    "runs": "checkpoint distributed longer_run run_folder stored_run "
    "train_state training",
    # text again
    "decoding": "model precision special_tokens validation",
    "search": "decoding model validation",
    "evaluation": "extras validation",
    "confidence": "batching decoding model special_tokens",
    "pieces": "files special_tokens validation",
    "published": "checkpoint embedding feed_forward files memory model "
    "model_config pieces shapes special_tokens",
    "translator": "batching checkpoint confidence corpus_notes decoding model "
    "pieces published search tokenizer validation wrapping",
}
BESIDE = {"numpy_reference", "cli", "_old_names", "__main__"}


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


def test_the_library_imports_no_command():
    for module in IMPORTS:
        assert not neighbors(module) & BESIDE, module
    assert neighbors("__main__") == {"cli"}


# Each package, and those of ours that it may import.
MAY = {
    "toy_language": "",
    "transformer_lib": "toy_language",
    "transformer_course": "transformer_lib toy_language",
}
# Here a user asks for a preset by name; no module loads it by being imported.
BY_NAME = ("training_data.py", "cli/")


def forbidden(package: str, file: str, source: str) -> list[str]:
    """Return the packages of ours that a file must not import as it does."""
    tree = ast.parse(source)
    only_typed = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and "TYPE_CHECKING" in ast.dump(test.test)
        for node in test.body
    }
    at_once = {id(node) for node in tree.body}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for top in {name.split(".")[0] for name in names} & set(MAY):
            if top == package or id(node) in only_typed:
                continue
            if (
                top not in MAY[package].split()
                or package == "transformer_lib"
                and (id(node) in at_once or not file.startswith(BY_NAME))
            ):
                found.append(top)
    return found


@pytest.mark.parametrize("package", MAY)
def test_arrows_between_the_packages_run_one_way(package):
    assert set(MAY) == set(transformer_course.PACKAGES)
    folder = ROOT / package
    for path in folder.rglob("*.py"):
        file = path.relative_to(folder).as_posix()
        said = forbidden(package, file, path.read_text(encoding="utf-8"))
        assert not said, f"{package}/{file} imports {said}"


INSIDE = "def f():\n    from {} import corpus\n"


@pytest.mark.parametrize(
    "package, file, source, wrong",
    [
        ("toy_language", "corpus.py", "import transformer_lib.masks", True),
        ("toy_language", "kept.py", INSIDE.format("transformer_lib"), True),
        ("toy_language", "x.py", INSIDE.format("transformer_course"), True),
        ("transformer_lib", "x.py", "import transformer_course", True),
        ("transformer_lib", "cli/x.py", INSIDE.format("transformer_course"),
         True),
        ("transformer_lib", "model.py", INSIDE.format("toy_language"), True),
        ("transformer_lib", "cli/x.py", "import toy_language", True),
        ("transformer_lib", "training_data.py",
         "from toy_language.corpus import SPELLING", True),
        ("transformer_lib", "training_data.py", INSIDE.format("toy_language"),
         False),
        ("transformer_lib", "cli/x.py", INSIDE.format("toy_language"), False),
        ("transformer_course", "x.py", "import transformer_lib, toy_language",
         False),
    ],
)  # fmt: skip
def test_an_arrow_the_wrong_way_is_found(package, file, source, wrong):
    assert bool(forbidden(package, file, source)) == wrong


def test_no_file_imports_in_a_circle():
    files = {}
    for path in (p for name in MAY for p in (ROOT / name).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
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


FOLDERS = sorted(
    path.parent for name in MAY for path in (ROOT / name).rglob("__init__.py")
)


@pytest.mark.parametrize(
    "package", FOLDERS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_no_two_rooms_of_a_package_import_each_other(package):
    """Nor do more of them in a circle: a room is a module or a package."""
    inside = ".".join((*package.relative_to(ROOT).parts, ""))
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
        ("toy_language.corpus", ["torch", "numpy", "tokenizers", "lzma"]),
        ("transformer_lib.runs", ["toy_language"]),
        ("transformer_lib.translator", ["toy_language"]),
        ("transformer_lib.numpy_reference", ["torch"]),
        (
            "transformer_lib.cli",
            ["toy_language", "torch", "pooch", "numpy"],
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
        "sys.exit('toy_language' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_the_map_in_the_docstring_names_what_users_get():
    """Every name stands once in the stub, and once on the map."""
    the_map = transformer_lib.__doc__.split("Names are loaded")[0]
    on_the_map = re.findall(r"^    \w* +(.*)$", the_map, re.M)
    named = re.findall(r"\w+", " ".join(on_the_map))
    assert sorted(named) == sorted(transformer_lib.__all__)


def test_every_public_name_exists_and_says_what_it_does():
    for name in transformer_lib.__all__:
        assert getattr(transformer_lib, name).__doc__, name
