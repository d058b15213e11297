"""One command does everything that waits for a GPU; here in miniature."""

import ast
import importlib
import json
import math
import os
import subprocess
import sys
from importlib.metadata import distribution, packages_distributions
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"

MARK = "pytest.mark.gpu"
# What a machine with a GPU has; there may be no way to install more there.
THERE = """torch numpy tokenizers safetensors sacrebleu tqdm jaxtyping
           matplotlib pytest hypothesis""".split()


@pytest.fixture(scope="module")
def gpu():
    """Give the module benchmarks/gpu.py, and the others by their names."""
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("gpu")
    sys.path.remove(str(FOLDER))


@pytest.fixture
def results(gpu, monkeypatch, tmp_path):
    """Let what is stored go to a folder of the test."""
    monkeypatch.setattr(gpu.common, "RESULTS", tmp_path)
    return tmp_path


@pytest.fixture
def no_table(gpu, monkeypatch):
    """Store figures that are too few for a table."""
    monkeypatch.setattr(gpu.common.tables, "markdown", lambda result: "")


def options(gpu, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["gpu.py", *words])
    return gpu.arguments()


# ------------------------------------------------------------ the list of jobs


@pytest.mark.parametrize("place", ["--smoke", "--anew"])
def test_every_job_is_a_call_that_its_script_understands(
    gpu, monkeypatch, place
):
    args = options(gpu, monkeypatch, place, "--data", "texts")
    for job in gpu.JOBS:
        _, path, *given = gpu.command_of(job, args)
        script = importlib.import_module(Path(path).stem)
        monkeypatch.setattr("sys.argv", [path, *given])
        parsed = script.arguments()  # exits where it does not understand
        assert parsed.smoke == args.smoke
        assert parsed.device == ("cpu" if args.smoke else "cuda")
        assert not getattr(parsed, "missing", False) or args.smoke


def test_no_job_ships_weights_or_takes_the_place_of_a_cpu_s_result(gpu):
    names = {job.result for job in gpu.JOBS}
    for path in gpu.common.HOME.glob("*.json"):
        device = json.loads(path.read_text(encoding="utf-8"))["device"]
        assert path.stem not in names or not device.startswith("CPU")
    assert not any("--ship" in job.command for job in gpu.JOBS)


def test_no_job_takes_the_place_of_another_s_result(gpu):
    assert len({job.result for job in gpu.JOBS}) == len(gpu.JOBS)


# --------------------------------------------------- doing them one by one


def test_without_a_gpu_nothing_is_measured(gpu, monkeypatch):
    monkeypatch.setattr("sys.argv", ["gpu.py"])
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(gpu, "measure", None)  # a call would fail otherwise
    with pytest.raises(SystemExit, match="finds no GPU.*--smoke"):
        gpu.main()


SCRIPTS = {
    "raises.py": "raise ValueError('planted')",
    "forgets.py": "",
    "sleeps.py": "import time; time.sleep(600)",
    "works.py": "import os, pathlib, sys\n"
    "folder = pathlib.Path(os.environ['BENCHMARK_RESULTS'])\n"
    "folder.mkdir(exist_ok=True)\n"
    "(folder / 'figures.json').write_text('{}')",
}


def test_a_job_that_goes_wrong_stops_no_other_and_is_told(
    gpu, monkeypatch, tmp_path, capsys
):
    for name, text in SCRIPTS.items():
        (tmp_path / name).write_text(text)
    minutes = {"sleeps": 0.02}
    jobs = tuple(
        gpu.Job(name[:-3], "a trial", minutes.get(name[:-3], 1),
                "figures" if name == "works.py" else "none", (name,))
        for name in SCRIPTS
    )  # fmt: skip
    monkeypatch.setattr(gpu, "JOBS", jobs)
    monkeypatch.setattr(gpu, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.argv", ["gpu.py", "--smoke"])
    with pytest.raises(SystemExit) as stopped:
        gpu.main()
    assert stopped.value.code == 1
    raises, forgets, sleeps, works = capsys.readouterr().out.splitlines()[-4:]
    assert raises == "raises: failed with status 1"
    assert forgets.startswith("forgets: left no ")
    assert sleeps == "sleeps: stopped after 0.02 minutes"
    assert works == "works: done"
    monkeypatch.setattr("sys.argv", ["gpu.py", "--smoke", "--only", "works"])
    gpu.main()


# ------------------------------------------------------- going on, storing


def test_a_script_that_goes_on_trains_only_what_is_missing(
    gpu, results, monkeypatch, no_table
):
    import toy_translator

    def train_one(args, seed, folder, splits):
        scores = {"valid": {"exact_match": float(seed)}}
        return {
            "seed": seed,
            "steps": 9,
            "trained": args.steps,
            "splits": scores,
        }

    monkeypatch.setattr(toy_translator, "train_one", train_one)
    given = ["--device", "cuda", "--name", "mine", "--missing", "--steps", "9"]

    def call(*seeds):
        monkeypatch.setattr(
            "sys.argv", ["toy_translator.py", *given, "--seeds", *seeds]
        )
        args = toy_translator.arguments()
        args.device = "cpu"  # no GPU is asked for its name
        monkeypatch.setattr(toy_translator, "baselines", lambda splits: {})
        toy_translator.measure_all(args, {}, results)
        return gpu.common.stored("mine")

    call("1")
    monkeypatch.setattr(
        toy_translator, "train_one",
        lambda args, seed, *rest: train_one(args, seed, *rest) | {"new": True},
    )  # fmt: skip
    told = call("1", "4", "2")
    assert [(r["seed"], "new" in r) for r in told["runs"]] == [
        (1, False), (4, True), (2, True),
    ]  # fmt: skip
    assert told["median_seed"] == 2
    assert "--missing" not in told["command"]
    given[-1] = "10"
    with pytest.raises(ValueError, match="another training"):
        call("1")


def test_ablations_that_go_on_leave_out_what_is_stored(results, monkeypatch):
    import ablations

    old = {"steps": 7, "variants": {"reference": {"runs": [{"seed": 4}]}}}
    (results / "mine.json").write_text(json.dumps(old))
    monkeypatch.setattr("sys.argv", [
        "ablations.py", "--name", "mine", "--steps", "7", "--seeds", "4",
        "--missing",
    ])  # fmt: skip
    args = ablations.arguments()
    assert args.only == list(ablations.VARIANTS)[1:]
    assert ablations.stored(args) == old["variants"]


def test_translations_of_real_text_go_on_after_the_stored_ones(
    results, monkeypatch, no_table
):
    import multi30k

    trained = []

    def train_one(args, direction, name, seed):
        trained.append(seed)
        steps = multi30k.RECIPES["cpu"][1].steps
        return {"direction": direction, "variant": name, "seed": seed,
                "training": {"steps": steps}, "averaged": 5}  # fmt: skip

    monkeypatch.setattr(multi30k, "train_one", train_one)
    for seeds in (["0", "1"], ["0", "1", "2"]):
        monkeypatch.setattr(
            "sys.argv", ["multi30k.py", "--missing", "--seeds", *seeds]
        )
        multi30k.measure(multi30k.arguments())
    told = json.loads((results / "multi30k_cpu.json").read_text())
    assert [run["seed"] for run in told["runs"]] == trained == [0, 1, 2]


def test_what_is_in_miniature_is_stored_only_elsewhere(
    gpu, results, monkeypatch, capsys, no_table
):
    small = SimpleNamespace(smoke=True)
    monkeypatch.setattr(gpu.common, "HOME", results)
    gpu.common.keep(small, "mine", {"n": 3})
    gpu.common.tell(small, "mine", {"n": 3})
    assert not list(results.iterdir())
    assert json.loads(capsys.readouterr().out) == {"n": 3}
    monkeypatch.setattr(gpu.common, "RESULTS", results / "elsewhere")
    gpu.common.keep(small, "mine", {"n": 3})
    assert gpu.common.stored("mine")["n"] == 3


def test_the_commit_is_told_where_there_is_no_git(gpu, monkeypatch, tmp_path):
    asked = gpu.common.commit.__wrapped__
    assert asked().rstrip("+") not in ("", "unknown", "abc")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert asked() == "unknown"
    monkeypatch.setenv("BENCHMARK_COMMIT", "abc")
    assert asked() == "abc"


def test_the_first_point_with_99_percent_counts(gpu):
    import toy_translator

    curve = [{"exact_match": x} for x in (98.9, 99.0, 98.0, 99.9)]
    assert toy_translator.reached(curve) == curve[1]
    assert toy_translator.reached(curve[:1]) is None


# --------------------------------------------------------------- compiling


def test_a_machine_without_a_compiler_is_told_in_a_sentence(gpu):
    import throughput

    def broken(function):
        raise RuntimeError("no C compiler\nand more")

    reason = throughput.why_not_compiled(broken, "cpu")
    assert reason == "RuntimeError: no C compiler"
    assert throughput.why_not_compiled(lambda function: function, "cpu") is None


class Layer(torch.nn.Linear):
    """A model whose size is a number."""

    def __init__(self, width):
        super().__init__(width, width)


def test_each_size_is_compiled_whatever_was_compiled_before(gpu):
    """Above torch's limit a model runs as it is, and only a log says so."""
    import throughput

    seen = []

    def backend(graph, inputs):
        seen.append(graph)
        return graph.forward

    def compiler(model):
        return torch.compile(model, backend=backend, dynamic=False)

    # By torch's own patch: pytest's leaves the setting deleted, for all tests
    # that compile later in this process.
    with torch._dynamo.config.patch(recompile_limit=1):
        for width in (2, 3, 4):
            models = {name: Layer(width) for name in throughput.COMPILED}
            copies = throughput.compiled(models, width, compiler).values()
            before, x = len(seen), torch.ones(width)
            for model, copy in zip(models.values(), copies, strict=True):
                torch.testing.assert_close(copy(x), model(x))
            assert len(seen) > before


# ------------------------------------------------------------ the GPU's tests


def test_the_files_that_are_run_are_those_with_tests_for_a_gpu(gpu):
    import device_tests

    marked = [
        path.name
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == MARK
    ]
    assert set(marked) == set(device_tests.FILES)


def test_the_outcome_of_each_test_is_stored(gpu, monkeypatch, tmp_path):
    import device_tests

    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    path = tmp_path / "test_planted.py"
    path.write_text(
        "import pytest\n"
        "@pytest.fixture\n"
        "def broken(): raise ValueError\n"
        "@pytest.mark.gpu\n"
        "def test_right(): pass\n"
        "@pytest.mark.gpu\n"
        "def test_wrong(): assert False\n"
        "@pytest.mark.gpu\n"
        "def test_unready(broken): pass\n"
        "def test_of_the_cpu(): assert False\n"
    )
    status, figures = device_tests.run([path], "gpu")
    assert status and (figures["passed"], figures["of"]) == (1, 3)
    outcomes = {name.rpartition("::")[2]: test["outcome"]
                for name, test in figures["tests"].items()}  # fmt: skip
    assert outcomes == {"test_right": "passed", "test_wrong": "failed",
                        "test_unready": "failed"}  # fmt: skip
    text = gpu.common.tables.TABLES["device_tests"](figures)
    assert text.startswith("1 of 3 tests pass; not so `test_planted.py::test_w")
    assert device_tests.run([path], "nothing")[0]  # no test is no success


# ---------------------------------------------------------- whole notebooks


def write_notebook(path, *cells):
    """Write a notebook whose first cell is its set-up; 2 is the cell after."""
    made = [
        {
            "id": str(number),
            "cell_type": "code",
            "metadata": {"tags": ["setup"] if number == 1 else []},
            "source": text.splitlines(keepends=True),
        }
        for number, text in enumerate(("1 / 0", *cells), start=1)
    ]
    path.write_text(json.dumps({"cells": made}), encoding="utf-8")
    return path


SHOWN = """class Shown:
    def _repr_html_(self):
        seen.append(self)"""


def test_a_notebook_runs_without_jupyter_and_its_assertions_are_counted(
    gpu, tmp_path, capsys
):
    import notebooks

    path = write_notebook(
        tmp_path / "one.ipynb",
        f"device, seen = 'cpu', []\n{SHOWN}",
        "def f(x):\n    assert x\n    return Shown()\n\n\nf(1)",
        "display(f(2), f(3))",
        "import inspect\nimport os\n"
        "assert len(seen) == 3, 'each was asked what it shows'\n"
        "assert inspect.getsource(f).startswith('def f(x):')\n"
        "assert os.path.exists('one.ipynb')\n"
        "if device == 'cuda':\n    assert not 'reached'\n"
        "print('nobody reads this')",
    )
    here = os.getcwd()
    told = notebooks.run(path, "cpu")
    assert (told["failed"], told["device"]) == (None, "cpu")
    assert (told["cells"], told["of"], told["assertions"]) == (4, 4, 4)
    assert os.getcwd() == here and capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("cells", "done", "says"),
    [
        (
            ["device = 'cuda'", "x = 0\nassert x == 1, 'x is not 1'", "x = 1"],
            1,
            "cell 3, line 2, AssertionError: x is not 1",
        ),
        (["x = [\n1"], 0, "cell 2, SyntaxError"),
        (["device = 'cuda'", "def f():\n    1 / 0", "f()"], 2,
         "cell 4, line 1, ZeroDivisionError: division by zero"),
        (["device = 'cpu'"], 1, "its device is cpu, and not cuda"),
        (["x = 1"], 1, "its device is None, and not cuda"),
    ],
)  # fmt: skip
def test_what_fails_is_named_by_cell_and_line(gpu, tmp_path, cells, done, says):
    import notebooks

    path = write_notebook(tmp_path / "one.ipynb", *cells)
    told = notebooks.run(path, "cuda")
    assert told["failed"].startswith(says)
    assert told["cells"] == done


def test_a_notebook_that_fails_stops_no_other(
    gpu, results, monkeypatch, tmp_path
):
    import notebooks

    paths = [
        write_notebook(tmp_path / "wrong.ipynb", "assert False"),
        write_notebook(tmp_path / "right.ipynb", "device = 'cuda'"),
    ]
    monkeypatch.setattr(notebooks, "NOTEBOOKS", [str(path) for path in paths])
    monkeypatch.setattr(gpu.common, "device_name", str)  # no GPU is asked
    monkeypatch.setattr("sys.argv", ["notebooks.py", "--device", "cuda"])
    monkeypatch.setenv("TRANSFORMER_WORKBOOK", "")  # put back afterwards
    with pytest.raises(SystemExit) as stopped:
        notebooks.main()
    assert stopped.value.code == 1
    told = json.loads((results / "notebooks_gpu.json").read_text())
    failed = [one["failed"] for one in told["notebooks"].values()]
    assert failed == ["cell 2, line 1, AssertionError", None]
    text = (results / "notebooks_gpu.md").read_text()
    assert "wrong.ipynb` ended early: `cell 2, line 1, AssertionError`." in text
    assert "No cell failed" not in text


# --------------------------------------------------------------- all of it


def needed(names):
    """Return distributions and all that they require, and so on."""
    found, waiting = set(), [name.lower() for name in names]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        try:
            lines = distribution(name).requires or []
        except ImportError:
            continue
        parsed = [Requirement(line) for line in lines]
        waiting += [
            one.name.lower().replace("_", "-")
            for one in parsed
            if not one.marker or one.marker.evaluate({"extra": ""})
        ]
    return found


OURS = {"toy_language", "transformer_course", "transformer_lib"}
BLOCKER = """
import sys

class Absent:
    def find_spec(name, path=None, target=None):
        here = {root!r} in sys.path  # else only an installation has them
        if name in {names!r} or name in {ours!r} and not here:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent)
"""


def block_all_but(folder, names):
    """Make Python begin there without the packages that a machine lacks."""
    allowed = needed(names)
    lacking = {
        module
        for module, owners in packages_distributions().items()
        if not {one.lower().replace("_", "-") for one in owners} & allowed
    } - OURS
    assert {"beartype", "IPython", "sphinx"} <= lacking
    text = BLOCKER.format(names=lacking, ours=OURS, root=str(ROOT))
    (folder / "sitecustomize.py").write_text(text)


def in_miniature(gpu, folder, jobs):
    """Do some jobs with the packages alone that a machine with a GPU has."""
    block_all_but(folder, THERE)
    env = os.environ | {
        "PYTHONPATH": str(folder),
        "BENCHMARK_RESULTS": str(folder / "results"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    names = [job.name for job in jobs]
    done = subprocess.run(
        [sys.executable, FOLDER / "gpu.py", "--smoke", "--minutes", "15",
         "--only", *names],
        env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    told = {}
    for job in jobs:
        path = folder / "results" / f"{job.result}.json"
        told[job.name] = result = json.loads(path.read_text(encoding="utf-8"))
        assert result["command"].startswith(
            f"python benchmarks/{job.command[0]} "
        )
        for key in ("commit", "date", "device", "torch", "python"):
            assert result[key]
        assert "cuda" in result
        assert "NaN" not in path.read_text() and "Inf" not in path.read_text()
        assert path.with_suffix(".md").exists()
    return told


@pytest.mark.slow
def test_the_notebooks_run_where_there_is_no_jupyter(gpu, tmp_path):
    """Apart from the other jobs, since it takes as long as they do."""
    jobs = [job for job in gpu.JOBS if job.name == "notebooks"]
    for told in in_miniature(gpu, tmp_path, jobs)["notebooks"][
        "notebooks"
    ].values():
        assert told["cells"] == told["of"] > 20
        assert told["assertions"] > 1


@pytest.mark.slow
def test_one_command_does_all_of_it_in_miniature(gpu, tmp_path):
    jobs = [job for job in gpu.JOBS if job.name != "notebooks"]
    told = in_miniature(gpu, tmp_path, jobs)

    tests = told["tests"]
    assert tests["passed"] == tests["of"] > 5

    cells = told["throughput"]["cells"]
    assert {cell["precision"] for cell in cells} == {"float32", "bfloat16"}
    for cell in cells:
        assert len(cell["contestants"]) == 5
        assert len(cell["ratios"]) == 4

    cells = told["decoding"]["cells"]
    assert {cell["method"] for cell in cells} == {"greedy", "beam"}
    assert all(cell["cached"]["tokens_per_second"] > 0 for cell in cells)

    translator = told["translator"]
    assert translator["curve_of"] == "valid"
    seeds = [run["seed"] for run in translator["runs"]]
    assert translator["median_seed"] in seeds and len(set(seeds)) == 2
    for run in translator["runs"]:
        assert len(run["loss_per_step"]) == run["steps"]
        assert {"valid", "test", "length"} <= set(run["splits"])
        assert "reached" in run

    import ablations
    import multi30k

    variants = told["ablations"]["variants"]
    assert set(variants) == set(ablations.VARIANTS)
    for variant in variants.values():
        assert set(variant["runs"][0]["exact_match"]) == set(ablations.SPLITS)

    runs = told["multi30k"]["runs"]
    assert {run["direction"] for run in runs} == {"en-de", "de-en"}
    assert {run["variant"] for run in runs} == {
        "reference", *multi30k.ABLATIONS,
    }  # fmt: skip
    for run in runs:
        assert all(point["wall_seconds"] >= 0 for point in run["curve"])
        for scores in run["test"].values():
            for found in scores.values():
                assert math.isfinite(found["bleu"]) and found["signature"]
